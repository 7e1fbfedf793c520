#!/usr/bin/env bash
# kill9.sh WEFT DOCUMENT ROUNDS [STEPS]: kills a training (SIGKILL) at random moments, most of them near a save. After each kill the newest
# checkpoint must be readable and complete. The last call trains to the end, and its checkpoint must have the same bytes as that of an
# uninterrupted training. SEED=N repeats a run.
set -u
weft=$1 document=$2 rounds=$3 steps=${4:-240}
RANDOM=${SEED:-$$}; echo "SEED=$RANDOM"
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
bad=0
# With a checkpoint every third step, most moments are in or near a save.
train() { "$weft" train "$document" --steps "$1" --checkpoint "$2" --logdir "$2" --set checkpoint_every_steps=3 "${@:3}"; }

train "$steps" "$work/whole" >"$work/log" 2>&1 || { echo "the uninterrupted training fails:"; tail -n 3 "$work/log"; exit 1; }
started=$(date +%s%N)
train 30 "$work/timing" >"$work/log" 2>&1
thirty=$((($(date +%s%N) - started) / 1000000))  # milliseconds for the start and 30 steps

for round in $(seq "$rounds"); do
  # exec, because the signal must reach weft itself and not a shell.
  (exec "$weft" train "$document" --steps "$steps" --checkpoint "$work/killed" --logdir "$work/killed" --set checkpoint_every_steps=3 --resume) \
    >"$work/log" 2>&1 &
  victim=$!
  # Somewhere between the start and well into the run.
  sleep "$(awk -v ms=$((RANDOM % (2 * thirty) + 20)) 'BEGIN {print ms / 1000}')"
  kill -9 $victim 2>/dev/null; wait $victim 2>/dev/null
  [ -f "$work/killed/checkpoint" ] || continue
  newest=$(sed -n 's/^model_checkpoint_path: "\(.*\)"$/\1/p' "$work/killed/checkpoint")
  case $newest in /*) ;; *) newest=$work/killed/$newest ;; esac
  if ! "$weft" inspect "$newest" >"$work/log" 2>&1; then echo "round $round: the newest checkpoint $newest is not readable: $(tail -n 1 "$work/log")"; bad=1; fi
  if [ ! -f "$newest.weft-state" ]; then echo "round $round: $newest has no .weft-state"; bad=1; fi
done
[ -f "$work/killed/checkpoint" ] || { echo "no round got as far as a checkpoint"; bad=1; }
train "$steps" "$work/killed" --resume >"$work/log" 2>&1 || { echo "the last training fails: $(tail -n 1 "$work/log")"; bad=1; }

last() { sed -n 's/^model_checkpoint_path: "\(.*\)"$/\1/p' "$1/checkpoint" | sed 's|.*/||'; }
[ "$(last "$work/whole")" = "$(last "$work/killed")" ] || { echo "the last checkpoints are $(last "$work/whole") and $(last "$work/killed")"; bad=1; }
for part in data-00000-of-00001 index; do
  cmp "$work/whole/$(last "$work/whole").$part" "$work/killed/$(last "$work/killed").$part" || bad=1
done
# No partial files are left.
leftover=$(find "$work/killed" -name '*tempstate*' -o -name '*.tmp*' | head -n 3)
[ -z "$leftover" ] || { echo "left behind: $leftover"; bad=1; }
exit $bad
