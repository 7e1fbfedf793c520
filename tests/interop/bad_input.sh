#!/usr/bin/env bash
# bad_input.sh WEFT GOLDEN: an error in a file, a graph, a feed or a checkpoint is reported in one line that names the file or node, the value and the
# expectation; the exit status is 1, and existing files stay unchanged. GOLDEN: tests/golden.
set -u
weft=$1 golden=$2
work=$(mktemp -d); trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
cd "$work"
bad=0

# refuses WHAT PATTERN… -- COMMAND…: exit status 1, nothing on stdout, one line "weft: …" on stderr that matches every pattern.
refuses() {
  local what=$1; shift
  local patterns=()
  while [ "$1" != -- ]; do patterns+=("$1"); shift; done
  shift
  timeout 60 "$@" >out 2>err; local status=$?
  local trouble=
  [ $status = 1 ] || trouble="exit status $status, want 1"
  [ "$(wc -l <err)" = 1 ] || trouble="${trouble:+$trouble; }$(wc -l <err) lines on stderr, want 1"
  grep -q '^weft: ' err || trouble="${trouble:+$trouble; }no line 'weft: …'"
  for p in "${patterns[@]}"; do grep -qE -- "$p" err || trouble="${trouble:+$trouble; }lacks /$p/"; done
  if [ -n "$trouble" ]; then echo "$what: $trouble"; head -c 600 err | sed 's/^/    /'; bad=1; fi
}
# survives WHAT COMMAND…: exit status 0 or 1 (never a crash, never a hang).
survives() {
  local what=$1; shift
  timeout 60 "$@" >out 2>err; local status=$?
  if [ $status != 0 ] && [ $status != 1 ]; then echo "$what: exit status $status"; head -c 300 err | sed 's/^/    /'; bad=1; fi
}

meta=$golden/programs/TRAIN-01_mlp_softmax_classifier/graph.meta

# Files of the wrong kind.
refuses 'missing graph' 'nowhere\.pb' -- "$weft" run nowhere.pb --fetch x:0
: >empty.pb
head -c $(($(stat -c %s "$meta") / 2)) "$meta" >half.meta
refuses 'truncated graph' 'half\.meta' -- "$weft" run half.meta --fetch x:0
printf 'node { name: "a" op: "Const"\n  attr { key: "dtype" value { typo: DT_FLOAT } } }\n' >typo.pbtxt
refuses 'text graph with a wrong field' 'typo\.pbtxt' '2' 'typo' -- "$weft" run typo.pbtxt --fetch a:0
head -c 4096 /dev/urandom >noise.pb
refuses 'noise' 'noise\.pb' -- "$weft" run noise.pb --fetch x:0
refuses 'folder as graph' "$work" -- "$weft" run "$work" --fetch x:0

# Mutated files: any answer but a crash.
size=$(stat -c %s "$meta")
for i in $(seq 1 "${WEFT_MUTATIONS:-24}"); do
  cp "$meta" mutated.meta; chmod u+w mutated.meta
  for _ in 1 2 3; do
    printf "\\x$(printf %02x $(((i * 7919 + RANDOM) % 256)))" | dd of=mutated.meta bs=1 seek=$(((RANDOM * 32768 + RANDOM) % size)) conv=notrunc status=none
  done
  survives "mutated graph $i" "$weft" run mutated.meta --init init --fetch x:0
done

# Graphs that cannot be run.
constant() { printf 'node { name: "%s" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape {} float_val: %s } } } }\n' "$1" "$2"; }
unary() { printf 'node { name: "%s" op: "%s" input: "%s" attr { key: "T" value { type: DT_FLOAT } } }\n' "$1" "$2" "$3"; }
{ constant a 1; printf 'node { name: "odd" op: "FrobnicateV7" input: "a" }\n'; unary b Identity odd; } >unknown.pbtxt
refuses 'unknown op' 'FrobnicateV7' -- "$weft" run unknown.pbtxt --fetch b:0
"$weft" run unknown.pbtxt --fetch a:0 >out 2>err || { echo "the part of a graph without unknown ops does not run:"; cat err; bad=1; }
{ unary a Identity b; unary b Identity c; unary c Identity a; } >cycle.pbtxt
refuses 'cycle' 'cycle' '\b(a|b|c)\b' -- "$weft" run cycle.pbtxt --fetch a:0
{ constant a 1; constant a 2; } >twice.pbtxt
refuses 'duplicate name' 'twice\.pbtxt' "'?\ba\b'?" -- "$weft" run twice.pbtxt --fetch a:0
{ unary b Identity nobody; } >dangling.pbtxt
refuses 'missing input' 'nobody' -- "$weft" run dangling.pbtxt --fetch b:0

# Tools and graph transforms.
{ printf 'node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }\n'; unary y Relu x; } >relu.pbtxt
transform() { printf '%s\n' "$weft" tools transform_graph --in_graph="$1" --out_graph=kept.pb --inputs=x --outputs=y --transforms="$2"; }
refuses_transform() { local what=$1 pattern=$2; shift 2; mapfile -t words < <(transform "$@"); refuses "$what" "$pattern" -- "${words[@]}"; }
echo kept >kept.pb
refuses_transform 'unknown transform' "Transform 'fold_all' not recognized" relu.pbtxt fold_all
refuses_transform 'unknown parameter of a transform' "remove_nodes has no parameter 'ops'" relu.pbtxt 'remove_nodes(ops=Relu)'
refuses_transform 'transform that is not supported' 'quantize_nodes is not supported' relu.pbtxt quantize_nodes
refuses_transform 'transforms that cannot be read' 'Failed to parse --transform argument' relu.pbtxt 'fold_constants('
refuses_transform 'no transforms' 'at least one transform' relu.pbtxt ''
refuses_transform 'missing graph to transform' "'nowhere\.pb' does not exist" nowhere.pb remove_device
refuses_transform 'transform of noise' 'noise\.pb' noise.pb remove_device
refuses_transform 'transform of a cycle' 'cycle\.pbtxt' cycle.pbtxt sort_by_execution_order
refuses_transform 'transform of a graph with a missing input' 'dangling\.pbtxt.*nobody' dangling.pbtxt remove_device
refuses_transform 'unknown output of a transform' 'y.*not found' cycle.pbtxt strip_unused_nodes
[ "$(cat kept.pb)" = kept ] || { echo "a failed transform has changed its output file"; bad=1; }
refuses 'unknown input of a tool' "not found: .'z'" -- "$weft" tools strip_unused --input_graph=relu.pbtxt --output_graph=kept.pb --input_node_names=z --output_node_names=y
refuses 'unknown output of a tool' 'z is not in graph' -- "$weft" tools optimize_for_inference --input=relu.pbtxt --output=kept.pb --input_names=x --output_names=z
refuses 'graph to freeze without checkpoint' "Input checkpoint 'nowhere' doesn't exist" -- "$weft" tools freeze_graph --input_graph=relu.pbtxt --input_checkpoint=nowhere --output_graph=kept.pb --output_node_names=y
refuses 'summary of noise' 'noise\.pb' -- "$weft" tools summarize_graph --in_graph=noise.pb

# Feeds and fetches.
{ printf 'node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "shape" value { shape { dim { size: -1 } dim { size: 3 } } } } }\n'; unary y Identity x; } >feed.pbtxt
refuses 'feed of a wrong shape' 'x:0' '\(2,\)|\[2\]' '3' -- "$weft" run feed.pbtxt --feed 'x:0=[1,2]' --fetch y:0
refuses 'feed of a wrong type' 'x:0' 'float' -- "$weft" run feed.pbtxt --feed 'x:0=hello' --fetch y:0
refuses 'nothing fed' 'placeholder' "'?x'?" 'float' -- "$weft" run feed.pbtxt --fetch y:0
refuses 'unknown fetch' 'nope' -- "$weft" run feed.pbtxt --feed 'x:0=[[1,2,3]]' --fetch nope:0
refuses 'unknown feed' 'nope' -- "$weft" run feed.pbtxt --feed 'nope:0=1' --fetch y:0

# Checkpoints.
variable() {
  printf 'node { name: "%s" op: "VariableV2" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "shape" value { shape { dim { size: %s } } } } attr { key: "container" value { s: "" } } attr { key: "shared_name" value { s: "" } } }\n' "$1" "$2"
  printf 'node { name: "%s/value" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: %s } } float_val: 1 } } } }\n' "$1" "$2"
  printf 'node { name: "%s/init" op: "Assign" input: "%s" input: "%s/value" attr { key: "T" value { type: DT_FLOAT } } attr { key: "_class" value { list { s: "loc:@%s" } } } }\n' "$1" "$1" "$1" "$1"
}
variable v 1000 >small.pbtxt
variable v 7 >other.pbtxt
{ variable w 1000; } >renamed.pbtxt
"$weft" run small.pbtxt --init v/init --save ckpt/model >out 2>err || { echo "saving fails:"; cat err; bad=1; }
refuses 'checkpoint of another shape' 'ckpt/model' '\bv\b' '1000' '7' -- "$weft" run other.pbtxt --restore ckpt/model --fetch v:0
refuses 'checkpoint without the variable' 'ckpt/model' '\bw\b' -- "$weft" run renamed.pbtxt --restore ckpt/model --fetch w:0
refuses 'missing checkpoint' 'nowhere/model' -- "$weft" run small.pbtxt --restore nowhere/model --fetch v:0
cp -r ckpt damaged; truncate -s 100 damaged/model.data-00000-of-00001
refuses 'truncated checkpoint' 'damaged/model' -- "$weft" run small.pbtxt --restore damaged/model --fetch v:0
cp -r ckpt flipped; printf '\xff' | dd of=flipped/model.data-00000-of-00001 bs=1 seek=50 conv=notrunc status=none
refuses 'checkpoint with a flipped byte' 'flipped/model' -- "$weft" run small.pbtxt --restore flipped/model --fetch v:0

# The disk is full while saving: the old checkpoint stays intact. (Simulated by a limit on file sizes, whose signal is ignored.)
cp -r ckpt before
refuses 'full disk' 'ckpt/model' -- bash -c 'trap "" XFSZ; ulimit -f 1; exec "$@"' _ "$weft" run small.pbtxt --init v/init --save ckpt/model
for f in before/*; do cmp -s "$f" "ckpt/${f#before/}" || { echo "full disk: $(basename "$f") was changed"; bad=1; }; done
"$weft" run small.pbtxt --restore ckpt/model --fetch v:0 >out 2>err || { echo "the checkpoint does not restore after the disk was full:"; cat err; bad=1; }
if [ -w /dev/full ]; then refuses 'full standard output' '' -- bash -c '"$@" >/dev/full' _ "$weft" run small.pbtxt --init v/init --fetch v:0; fi
chmod u-w ckpt
if [ "$(id -u)" != 0 ]; then refuses 'folder that may not be written' 'ckpt/model' -- "$weft" run small.pbtxt --init v/init --save ckpt/model; fi

# The cluster of a server.
refuses 'TF_CONFIG that is not JSON' 'TF_CONFIG' 'JSON' -- env TF_CONFIG='{"cluster"' "$weft" server
refuses 'TF_CONFIG with a number as task' 'TF_CONFIG' 'the task is 3' -- env TF_CONFIG='{"cluster":{"ps":["localhost:2222"]},"task":3}' "$weft" server
refuses 'TF_CONFIG with a number as type' 'TF_CONFIG' "type is 1" -- env TF_CONFIG='{"cluster":{"ps":["localhost:2222"]},"task":{"type":1}}' "$weft" server
refuses 'TF_CONFIG with a word as index' 'TF_CONFIG' 'index is "two"' -- env TF_CONFIG='{"cluster":{"ps":["localhost:2222"]},"task":{"type":"ps","index":"two"}}' "$weft" server
refuses 'cluster without tasks' 'tasks of job ps' -- env TF_CONFIG='{"cluster":{"ps":[]},"task":{"type":"ps"}}' "$weft" server
refuses 'address without a port' 'task 1 of job ps' '"nohost"' -- "$weft" server --cluster ps=localhost:2222,nohost --job ps
refuses 'port beyond 65535' '"localhost:65536"' -- "$weft" server --cluster ps=localhost:65536 --job ps
printf '{"ps": {"one": "localhost:2222"}}' >cluster.json
refuses 'task key that is no number' 'cluster\.json' '"one"' -- "$weft" server --cluster cluster.json --job ps
printf '{"ps": ["localhost:2222"' >cluster.json
refuses 'cluster file that is not JSON' 'cluster\.json' 'JSON' -- "$weft" server --cluster cluster.json --job ps
refuses 'certificates that are not there' 'nowhere/cert\.pem' -- "$weft" server --tls nowhere
refuses 'the command line names the task' 'Task 7 was not defined in job "ps"' -- env TF_CONFIG='{"cluster":{"ps":["localhost:2222"]},"task":{"type":"worker","index":0}}' "$weft" server --job ps --task 7
exit $bad
