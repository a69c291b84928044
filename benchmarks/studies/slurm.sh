#!/usr/bin/env bash
# A cluster of four nodes on this machine runs two tasks in four shards each, with Inspect; one node
# dies for good with all that runs on it, and the worker on another is killed. What the parts give together
# must be what one run gives.
#
#     bash benchmarks/studies/slurm.sh [FOLDER]
#
# Needs slurmctld, slurmd and munged (Debian: slurm-wlm, munge), root, and bias-tasks on the PATH.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
work="${1:-$(mktemp -d)}"
shards="${SHARDS:-4}"
n="${N:-60}"
job="$here/examples/slurm/inspect.sbatch"
export SLURM_CONF="$work/slurm.conf"

up() {
    mkdir -p "$work"/{state,log,out}
    if ! pgrep -x munged >/dev/null; then
        install -d -o munge -g munge /run/munge /var/log/munge /var/lib/munge
        su -s /bin/sh munge -c /usr/sbin/munged
    fi
    local host
    host="$(hostname -s)"
    cat >"$SLURM_CONF" <<CONF
ClusterName=one
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool%n
SlurmctldPidFile=$work/ctld.pid
SlurmdPidFile=$work/%n.pid
SlurmctldLogFile=$work/log/ctld.log
SlurmdLogFile=$work/log/%n.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdTimeout=10
SlurmdParameters=config_overrides
MailProg=/bin/true
NodeName=node[1-4] NodeHostname=$host NodeAddr=127.0.0.1 Port=[17101-17104] CPUs=1 RealMemory=2000 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
    slurmctld -f "$SLURM_CONF"
    for node in node1 node2 node3 node4; do slurmd -N "$node" -f "$SLURM_CONF"; done
    until [ "$(sinfo -h -o %D -t idle | head -1)" = 4 ]; do sleep 1; done
}

down() {
    for file in "$work"/*.pid; do kill "$(cat "$file")" 2>/dev/null || true; done
}

# The processes of workers on a node, those that watch over them first.
on_node() {
    for process in /proc/[0-9]*; do
        if grep -qz "^SLURMD_NODENAME=$1$" "$process/environ" 2>/dev/null; then
            awk '/^PPid/ {print $2}' "$process/status" | grep -vx 1 || true
            echo "${process#/proc/}"
        fi
    done
}

waiting() { squeue -h -r -t all -o '%i %T' | grep -Ev 'COMPLETED|FAILED' || true; }

# How many workers have begun to ask.
asking() { find "$LOGS" -name '*.eval' -o -name 'answers_rank0.db' 2>/dev/null | wc -l; }

whole() {
    inspect eval "bias_tasks/$1" --model "$MODELS" $OPTIONS --log-dir "$work/whole" --display none >"$work/log/whole-$1.log" 2>&1
}

last=$((2 * shards - 1))
trap down EXIT
up
export SHARDS="$shards" LOGS="$work/logs"
export TASKS="conformity binaryqa" MODELS="simulated/conformist" OPTIONS="-T data=synthetic -T n=$n"
cd "$work/out"
sbatch --array=0-"$last" "$job"
until [ "$(asking)" -ge 3 ]; do sleep 0.2; done
echo "node2 is lost for good, with $(squeue -h -w node2 -o %i | wc -l) workers; the worker on node3 is killed"
gone="$(cat "$work/node2.pid") $(on_node node2)"
kill -9 $gone 2>/dev/null || true
rm "$work/node2.pid"
kill -9 $(on_node node3 | tail -1) 2>/dev/null || true

while [ -n "$(waiting)" ]; do sleep 2; done
echo "requeued: $(grep -c 'Requeuing JobId' "$work/log/ctld.log" || true); ended otherwise than well:"
squeue -h -r -t all -o '%i %T' | grep -v COMPLETED || echo none
failed="$(squeue -h -r -t all -o '%K %T' | awk '$2 == "FAILED" {print $1}' | paste -sd,)"

bias-tasks results "$LOGS" || echo "(as it should: a worker was killed)"
if [ -n "$failed" ]; then
    echo "sent again: $failed"
    sbatch --wait --array="$failed" "$job"
fi

for task in $TASKS; do whole "$task"; done
figures() {
    bias-tasks results "$1" --all --format json |
        python -c 'import json, sys; print(json.dumps([[r["task"], r["digest"], r["n"], r["metrics"]] for r in sorted(json.load(sys.stdin), key=lambda r: r["task"])]))'
}
figures "$work/whole" >"$work/whole.json"
figures "$LOGS" >"$work/parts.json"  # a killed worker's own log is named and left out
cmp "$work/whole.json" "$work/parts.json" && echo "parts = whole, every figure to the digit ($(wc -c <"$work/whole.json") bytes)"
