#!/usr/bin/env bash
# run_table.sh REFERENCE_BENCH WORKLOADS PYTHON [WEFT]: measures TensorFlow and Weft alternately on the exported workloads and writes RESULTS.md.
# REFERENCE_BENCH: the folder of compare.py and run_tf.py; WORKLOADS: the output of make_bench.py; PYTHON: one with TensorFlow 2.21.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
bench=$(realpath "${1:?}") workloads=$(realpath "${2:?}") python=${3:?}
weft=$(realpath "${4:-$here/../../build/release/bin/weft}")
table=$(mktemp); trap 'rm -f "$table"' EXIT
"$python" "$bench/compare.py" --weft "$weft" --rounds "${ROUNDS:-3}" --seconds "${SECONDS_EACH:-2}" "$workloads" | tee "$table" || true
{
  echo "# Speed beside TensorFlow"
  echo
  echo "The thirteen workloads of the reference, each a training step (forward, backward, update) fed from host memory, from the same graph, checkpoint"
  echo "and feeds. Both engines run in turn (T W T W …); the median of the rounds' median step times. Made by \`run_table.sh\`."
  echo
  echo "- $(date +%F), $(awk -F': ' '/model name/ {print $2; exit}' /proc/cpuinfo), $(nproc) cores"
  echo "- $("$python" -c 'import os; os.environ["TF_CPP_MIN_LOG_LEVEL"]="3"; import tensorflow as t; print("TensorFlow", t.__version__)' 2>/dev/null), $("$weft" --version)"
  echo
  echo "| workload | TensorFlow ms | Weft ms | TensorFlow / Weft | TensorFlow MB | Weft MB |"
  echo "|---|---|---|---|---|---|"
  awk 'NR > 1 && NF == 6 && $2 + 0 > 0 {printf "| %s | %s | %s | %s | %s | %s |\n", $1, $2, $3, $4, $5, $6} / FAILED / {name = $1; sub(/^[^ ]+ +FAILED /, ""); printf "| %s | failed: %s |||||\n", name, $0}' "$table"
  echo
  tail -n 1 "$table"
} >"$here/RESULTS.md"
