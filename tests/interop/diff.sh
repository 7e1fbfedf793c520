#!/usr/bin/env bash
# diff.sh WEFT EXAMPLES: `weft diff` of graphs and checkpoints; pictures and texts of graphs by `weft convert`.
set -u
weft=$1 examples=$2
models=$(cd "$(dirname "$0")/../golden/files/savedmodels" && pwd)
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work"
bad=0
complain() { echo "$*"; bad=1; }
gives() {
  local want=$1; shift
  timeout 100 "$@" >out 2>err; local status=$?
  [ $status = "$want" ] || { complain "$* : exit status $status, want $want"; head -c 300 err; }
}
holds() { grep -qF -- "$1" out || complain "no '$1' in: $(head -c 500 out)"; }

cat >a.pbtxt <<'G'
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "shape" value { shape { dim { size: 2 } } } } }
node { name: "layer/act" op: "Relu" input: "x" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "y" op: "Neg" input: "layer/act" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "old" op: "Abs" input: "y" attr { key: "T" value { type: DT_FLOAT } } }
G
sed 's/size: 2/size: 3/; s/"layer\/act" op/"layer\/sharp" op/; s/input: "layer\/act"/input: "layer\/sharp"/; s/name: "old" op: "Abs"/name: "new" op: "Sign"/' a.pbtxt >b.pbtxt
gives 0 "$weft" diff a.pbtxt a.pbtxt; holds 'no difference'
gives 1 "$weft" diff a.pbtxt b.pbtxt
holds '~ x (Placeholder)'; holds '= layer/act -> layer/sharp (Relu)'; holds '- old (Abs)'; holds '+ new (Sign)'
gives 1 "$weft" diff a.pbtxt b.pbtxt --json
[ "$(wc -l <out)" = 1 ] || complain "diff --json is not one line"
holds '"equal":false'; holds '"kind":"renamed"'; holds '"old_name":"layer/act"'
gives 0 "$weft" diff a.pbtxt a.pbtxt --json; holds '"equal":true'
# Different file formats are not a difference.
gives 0 "$weft" convert a.pbtxt a.pb
gives 0 "$weft" diff a.pbtxt a.pb
gives 2 "$weft" diff a.pbtxt
gives 2 "$weft" diff a.pbtxt nowhere.pb; grep -q 'nowhere.pb' err || complain "the missing file is not named: $(cat err)"
echo nonsense >broken.pb; gives 2 "$weft" diff a.pbtxt broken.pb

gives 0 "$weft" train "$examples/mlp.weft" --steps 10 --checkpoint one --logdir log
gives 0 "$weft" train "$examples/mlp.weft" --steps 20 --checkpoint two --logdir log
gives 0 "$weft" diff one one
gives 1 "$weft" diff one two; holds 'hidden1/kernel'
gives 1 "$weft" diff one two --json; [ "$(wc -l <out)" = 1 ] || complain "diff --json of checkpoints is not one line"
gives 0 "$weft" diff "$examples/mlp.weft" one
gives 1 "$weft" diff "$examples/lenet.weft" one; holds 'conv1/kernel'

gives 0 "$weft" convert "$examples/lenet.weft" net.svg
grep -q '^<svg' net.svg && grep -q '>conv1</text>' net.svg && ! grep -q '>BiasAdd</text>' net.svg || complain "the picture with closed scopes: $(head -c 200 net.svg)"
gives 0 "$weft" convert "$examples/lenet.weft" open.svg --open conv1; grep -q '>BiasAdd</text>' open.svg || complain "conv1 is not open in the picture"
gives 0 "$weft" convert "$examples/lenet.weft" all.svg --open all
[ "$(grep -c '<title>' all.svg)" -gt 300 ] || complain "not all nodes are in the picture: $(grep -c '<title>' all.svg)"
gives 1 "$weft" convert "$examples/lenet.weft" x.svg --open nowhere; grep -q 'nowhere' err || complain "the missing scope is not named"
[ -e x.svg ] && complain "a picture was left behind by a failure"
if command -v python3 >/dev/null; then
  for f in net open all; do python3 -c "import sys,xml.dom.minidom as m; m.parse('$f.svg')" || complain "$f.svg is no XML"; done
fi
gives 0 "$weft" convert a.pbtxt a.dot; head -1 a.dot | grep -q '^digraph' || complain "no digraph"
gives 0 "$weft" convert a.pbtxt a.py; grep -q 'tf' a.py || complain "no program"
gives 0 "$weft" convert "$models/stateless" model.py; [ "$(grep -c '= op(graph, ' model.py)" = 4 ] || complain "no program of the SavedModel: $(grep -c '= op(graph, ' model.py) nodes"
gives 1 "$weft" convert "$models/multi" many.py; grep -q 'has 3 meta graphs' err || complain "which of three meta graphs?"
gives 0 "$weft" convert "$models/stateless/saved_model.pb" model.dot; head -1 model.dot | grep -q '^digraph' || complain "no digraph of the SavedModel"
gives 0 "$weft" convert a.pbtxt - --to svg; holds '</svg>'
exit $bad
