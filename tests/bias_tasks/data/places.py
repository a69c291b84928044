"""What a path can lead to that is no file; whoever opens it may wait for ever."""

import os
import socket
import tempfile
from pathlib import Path


def fifo(path):
    os.mkfifo(path)


def folder(path):
    path.mkdir()


def device(path):
    """A link: only the system makes devices. This one gives zeros without an end."""
    path.symlink_to("/dev/zero")


def link_to_a_fifo(path):
    behind = path.with_name("behind")
    os.mkfifo(behind)
    path.symlink_to(behind)


def bound_socket(path):
    """Made elsewhere and moved: the address of a socket is short."""
    with tempfile.TemporaryDirectory() as short:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(f"{short}/s")
        Path(short, "s").rename(path)


PLACES = {
    "a FIFO": fifo,
    "a folder": folder,
    "a device": device,
    "a FIFO behind a link": link_to_a_fifo,
    "a socket": bound_socket,
}


def told(place):
    """What a message calls it."""
    return place.removesuffix(" behind a link")
