#!/usr/bin/env bash
# judged.sh WEFT PYTHON VERIFY_DIR [TEMPLATE]: trains a template with weft and checks the written files with TensorFlow: the meta graph, the
# checkpoint value by value (also converted to V1 and back), and the event files with TensorBoard's reader.
# Not part of ctest, because it needs a Python with TensorFlow (1.15 or 2.x) and tensorboard, and the verify scripts.
set -u
[ $# -ge 3 ] || { sed -n 2,4p "$0"; exit 2; }
weft=$(realpath "$1") python=$2 verify=$(realpath "$3") template=${4:-mlp}
examples=$(dirname "$weft")/weft-examples
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work"
bad=0
judge() {
  local what=$1; shift
  local said; said=$(timeout 600 "$python" "$@" 2>err); local status=$?
  printf '%-34s %s\n' "$what" "$(printf '%s\n' "$said" | tail -1)"
  [ $status = 0 ] || { bad=1; printf '%s\n' "$said" | grep FAIL | head -5; tail -3 err; }
}
need() { "$@" >out 2>err || { echo "$*"; tail -3 err; exit 1; }; }

need "$examples" "$work/examples"
need "$weft" train "examples/$template.weft" --steps 30 --checkpoint ckpt --logdir log
prefix=$("$weft" inspect ckpt/checkpoint --json | "$python" -c 'import json,sys; print(json.load(sys.stdin)["found"])')
names=$("$weft" inspect "$prefix" --json | "$python" -c 'import json,sys; print("\n".join(t["name"] for t in json.load(sys.stdin)["tensors"]))')
fetches=(); for name in $names; do fetches+=(--fetch "$name:0"); done

# The values that weft reads from the checkpoint, by name.
need "$weft" run "$prefix.meta" --restore "$prefix" "${fetches[@]}" --out raw.npz
"$python" - <<'PYTHON' || exit 1
import numpy
arrays = numpy.load("raw.npz")
numpy.savez("values.npz", **{name[:-2] if name.endswith(":0") else name: arrays[name] for name in arrays.files})
PYTHON

"$weft" inspect log --json | "$python" -c 'import json,sys; r = json.load(sys.stdin); print(json.dumps({"runs": {}, "inspect": r}))' >events.json

judge "meta graph, restored"        "$verify/verify_meta.py" "$prefix.meta" --restore "$prefix"
judge "checkpoint V2, bit for bit"  "$verify/verify_checkpoint.py" "$prefix" values.npz
need "$weft" convert "$prefix" as_v1 --to v1
judge "the same as V1"              "$verify/verify_checkpoint.py" "$work/as_v1" values.npz
need "$weft" convert as_v1 again --to v2
judge "and back as V2"              "$verify/verify_checkpoint.py" "$work/again" values.npz
"$weft" diff "$prefix" again >out 2>err || { echo "weft diff finds differences after V2 -> V1 -> V2:"; head -3 out err; bad=1; }
judge "event files"                 "$verify/verify_events.py" log events.json --no-wall-time
exit $bad
