#!/usr/bin/env bash
# build_preset.sh PRESET [TARGET…]: configures build/PRESET if that has not been done, and builds.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=$1; shift
# A compiler process takes up to 1.5 GB here, so memory limits the number of jobs.
jobs=$(nproc)
memory=$(awk '/MemAvailable/ {print int($2 / 1500000)}' /proc/meminfo 2>/dev/null || echo "$jobs")
[ "$memory" -ge 1 ] || memory=1
[ "$jobs" -le "$memory" ] || jobs=$memory
[ -f "build/$preset/build.ninja" ] || cmake --preset "$preset" >&2
targets=(); for t in "$@"; do targets+=(--target "$t"); done
log=$(mktemp); trap 'rm -f "$log"' EXIT
if [ -t 2 ]; then cmake --build "build/$preset" -j "$jobs" "${targets[@]}" >&2
else cmake --build "build/$preset" -j "$jobs" "${targets[@]}" >"$log" 2>&1 || { grep -vE '^\[[0-9]+/[0-9]+\] (Building|Linking|Generating)' "$log" | tail -n 60 >&2; exit 1; }
fi
