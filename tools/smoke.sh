#!/usr/bin/env bash
# One short run on each host with the installed package, offline: smoke.sh BIN FOLDER
# BIN holds the installed commands; FOLDER is created, and everything is run and written there.
set -euo pipefail
bin="$1"
mkdir -p "$2"
cd "$2"
export PATH="$bin:$PATH" HF_HUB_OFFLINE=1 HF_DATASETS_OFFLINE=1

inspect eval bias_tasks/conformity --model simulated/conformist -T data=synthetic \
    --limit 20 --log-dir inspect --display plain
inspect eval bias_tasks/binaryqa --model simulated/coin -T data=synthetic -T n=10 \
    --log-dir inspect --display plain
inspect eval bias_tasks/format_mapping --model simulated/format_biased -T dataset=synthetic -T n=10 \
    --log-dir inspect --display plain
inspect eval bias_tasks/complexeval_basic --model simulated/fair_judge -T data=synthetic -T n=5 \
    --log-dir inspect --display plain
configs="$(bias-tasks task-configs)"
lm_eval --model dummy --tasks ib_conformity_choice --include_path "$configs" \
    --metadata '{"data": "synthetic"}' --limit 20 --log_samples --output_path lm_eval
bias-tasks results inspect lm_eval
