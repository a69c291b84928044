#!/bin/sh
# A real model on a CPU, through both hosts: run.sh [FOLDER]
#
# Needs Python 3.11 or newer and no account. Downloads 280 MB (the 4-bit weights of Gemma 3 270M, a base model, under
# Gemma's terms, and llama.cpp) beside what bias-tasks needs, and takes 2.5 GB in FOLDER. One core, about 30 minutes of
# the model's time. What it asks is in measure.py, what came out in docs/real_model.md.
set -eu
here="$(cd "$(dirname "$0")" && pwd)"
root="$here/../.."
folder="${1:-${TMPDIR:-/tmp}/real_model}"
python="$(sh "$root/tools/python.sh")"

"$python" -m venv "$folder/env"
"$folder/env/bin/python" -m pip install --quiet --no-compile "$root" --constraint "$root/constraints.txt"
"$folder/env/bin/python" -m pip install --quiet --no-compile --requirement "$here/requirements.txt"
exec "$folder/env/bin/python" "$here/measure.py" "$folder"
