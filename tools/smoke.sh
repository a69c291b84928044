#!/usr/bin/env bash
# What the README shows, and a short run of every family, with the installed package and
# offline: smoke.sh BIN FOLDER
# BIN holds the installed commands; FOLDER is created, and everything is run and written there.
set -euo pipefail
bin="$1"
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
readme="$root/README.md"
mkdir -p "$2"
cd "$2"
export PATH="$bin:$PATH" HF_HUB_OFFLINE=1 HF_DATASETS_OFFLINE=1

# All but what needs the checkout, an installation, a network or the papers' items; example files are the checkout's.
block() { sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/p" "$readme" | grep -v '^```'; }
block bash | sed ':line; /\\$/ { N; s/ *\\\n */ /; b line }' | grep -vE '^(make|pip|bias-tasks plan) |openai|logs/mine' | sed "s#\([=/]\)examples/#\1$root/examples/#g" > readme.sh
block python > readme.py

# The harness finds the tasks by their names, with nothing but the installed wheel.
{
    lm_eval --model dummy --tasks binaryqa_nrc --metadata '{"data": "synthetic", "n": 4}'
    bias-tasks profile --model simulated/coin --calls 250 --log-dir profile
} > families.log 2>&1 &
families=$!

INSPECT_DISPLAY=plain bash -euo pipefail readme.sh
INSPECT_DISPLAY=plain python readme.py

wait "$families" || { cat families.log; exit 1; }
cat families.log
if grep 'hooks enabled' families.log; then
    echo "The profile lists its own hook among the user's."
    exit 1
fi
