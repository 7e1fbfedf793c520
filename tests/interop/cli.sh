#!/usr/bin/env bash
# cli.sh WEFT GOLDEN: the conventions of the command line: help, versions, exit statuses, feeds and outputs of `weft run`, scripts.
set -u
weft=$1 golden=$2
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work"
bad=0
complain() { echo "$*"; bad=1; }
# gives STATUS COMMAND…: expects the exit status; stdout goes to out, stderr to err.
gives() {
  local want=$1; shift
  timeout 60 "$@" >out 2>err; local status=$?
  [ $status = "$want" ] || { complain "$* : exit status $status, want $want"; head -c 300 err; }
}
# prints TEXT: expects this stdout of the last command.
prints() { [ "$(cat out)" = "$1" ] || { complain "got:  $(head -c 300 out)"; echo "want: $1"; }; }

gives 0 "$weft" --version; grep -qE '^weft [0-9]+\.[0-9]+\.[0-9]+$' out || complain "--version: $(cat out)"
gives 0 "$weft" --version --json; grep -qE '^\{"name":"weft","version":"[0-9.]+"' out || complain "--version --json: $(cat out)"
gives 0 "$weft" --json --version; grep -qE '^\{"name":"weft","version":"[0-9.]+"' out || complain "--json --version: $(cat out)"
gives 2 "$weft" --version run; grep -q "^weft: .*'run'" err || complain "--version run: $(cat err)"
gives 0 "$weft" --help; grep -q '^  --version ' out || complain "--help does not list --version"
for command in $(awk '/^  [a-z]+ / {print $1}' out); do
  gives 0 "$weft" "$command" --help
  grep -q "^usage: weft $command" out || complain "weft $command --help does not begin with its usage"
  gives 2 "$weft" "$command" --no-such-option
  [ -s out ] && complain "weft $command --no-such-option prints on stdout"
  grep -q '^weft: ' err || complain "weft $command --no-such-option says nothing"
done
gives 2 "$weft"
gives 2 "$weft" frobnicate
gives 0 "$weft" tools
for tool in $(awk '/^  [a-z]/ {print $1}' out); do
  case $tool in inspect_checkpoint|saved_model_cli) continue ;; esac  # Python's
  gives 0 "$weft" tools "$tool" --help; grep -q "^usage: weft tools $tool" out || complain "weft tools $tool --help does not begin with its usage"
  gives 2 "$weft" tools "$tool" --no_such_option; grep -q '^weft: .*--no_such_option' err || complain "weft tools $tool --no_such_option: $(cat err)"
done
gives 0 "$weft" tools transform_graph --help; grep -q '^  fold_constants$' out || complain "weft tools transform_graph --help lists no transforms"
gives 2 "$weft" tools no_such_tool; grep -q 'freeze_graph, ' err || complain "weft tools no_such_tool does not list the tools"
gives 2 "$weft" tools summarize_graph --print_structure=maybe
gives 2 "$weft" tools import_pb_to_tensorboard --log_dir=x; grep -q 'model_dir is required' err || complain "a required option: $(cat err)"
gives 2 "$weft" tools import_pb_to_tensorboard --model_dir=x --log_dir=; grep -q 'log_dir needs a value' err || complain "an empty option: $(cat err)"
gives 2 "$weft" tools freeze_graph --input_graph=x --output_node_names=y; grep -q 'output_graph is required' err || complain "freeze_graph without output: $(cat err)"
gives 2 "$weft" py -m

gives 0 "$weft" ops Relu; grep -q 'features' out || complain "weft ops Relu does not name its input"
gives 0 "$weft" ops --json; [ "$(wc -l <out)" = 1 ] || complain "weft ops --json is not one line"
gives 1 "$weft" ops NoSuchOp

cat >sum.pbtxt <<'G'
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "shape" value { shape { dim { size: -1 } } } } }
node { name: "two" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape {} float_val: 2 } } } }
node { name: "y" op: "Mul" input: "x" input: "two" attr { key: "T" value { type: DT_FLOAT } } }
G
gives 0 "$weft" run sum.pbtxt --feed 'x:0=[1, 2.5]' --fetch y:0 --out -
prints '{"y:0":{"dtype":"float32","shape":[2],"data":[2.0,5.0]}}'
gives 0 "$weft" run sum.pbtxt --feed 'x:0=[1, 2.5]' --fetch y:0; grep -q '^y:0 = float32 \[2\]' out || complain "plain output: $(cat out)"
gives 0 "$weft" run sum.pbtxt --feed 'x=[3]' --fetch y:0 --out y.npz --steps 3 --threads 1
gives 0 "$weft" run sum.pbtxt --feed 'y.npz' --fetch y:0 --out y.json; grep -q '"data":\[6.0\]' y.json || complain "fed from .npz: $(cat y.json)"
# Options that would have no effect are refused.
for options in "--to dot --outputs y" "--to svg --input x" "--to onnx --open all" "--to meta --tag serve" "--to dot --restore p" "--to graph.pb --keep-devices" "--to pbtxt --opset 13"; do
  gives 2 "$weft" convert sum.pbtxt o.out $options; grep -q "^weft: convert: --[a-z-]* is for .*, not for " err || complain "convert $options: $(cat err)"
done
gives 1 "$weft" profile sum.pbtxt --graph sum.pbtxt --fetch y:0 --feed 'x=[3]'; grep -q 'graph has no effect' err || complain "profile --graph: $(cat err)"
gives 0 "$weft" run sum.pbtxt --feed 'x=[3]' --fetch y:0 --trace t.json; grep -q traceEvents t.json || complain "no trace events"
gives 0 "$weft" run sum.pbtxt --feed 'x=[3]' --fetch y:0 --trace t.pb; [ -s t.pb ] || complain "empty RunMetadata"
gives 0 "$weft" profile t.pb --top 1
gives 1 "$weft" profile t.pb --steps 9; grep -q 'steps has no effect' err || complain "profile t.pb --steps: $(cat err)"
gives 0 "$weft" run sum.pbtxt --feed 'x=[3]' --fetch y:0 --without all

# A variable without a value: the error names its initializer.
cat >var.pbtxt <<'G'
node { name: "two" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape {} float_val: 2 } } } }
node { name: "v" op: "VariableV2" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "shape" value { shape {} } } }
node { name: "v/Assign" op: "Assign" input: "v" input: "two" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "w" op: "VariableV2" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "shape" value { shape {} } } }
node { name: "v/read" op: "Identity" input: "v" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "w/read" op: "Identity" input: "w" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "begin" op: "NoOp" input: "^v/Assign" }
G
gives 1 "$weft" run var.pbtxt --fetch v/read:0; grep -q 'uninitialized value v; --init begin or --restore' err || complain "no advice: $(cat err)"
gives 0 "$weft" run var.pbtxt --init begin --fetch v/read:0
gives 1 "$weft" run var.pbtxt --init begin --fetch w/read:0; grep -q 'value w; --init begin does not give it one' err || complain "no advice: $(cat err)"

# The same steps on several devices.
gives 0 "$weft" profile sum.pbtxt --feed 'x=[3]' --fetch y:0 --device CPU:0 --device /device:CPU:1 --json
grep -q '"device":"CPU:0","elsewhere":0' out && grep -q '"device":"CPU:1","elsewhere":0' out && grep -q '"advice":"CPU:' out || complain "two devices: $(cat out)"
gives 0 "$weft" profile sum.pbtxt --feed 'x=[3]' --fetch y:0 --each-device; grep -q '^CPU:0 ' out || complain "--each-device: $(cat out)"
gives 1 "$weft" profile t.json --each-device
gives 0 "$weft" profile sum.pbtxt --feed 'x=[3]' --fetch y:0 --threads 2 --explain --simulate-threads 4 --json
python3 - out <<'EOF' || complain "--simulate-threads: $(cat out)"
import json, sys
found = json.load(open(sys.argv[1]))["explained"]
assert [t["threads"] for t in found["simulated"]] == [1, 2, 4], found["simulated"]
assert all(t["us"] > 0 and t["us"] <= t["one_by_one_us"] for t in found["simulated"]), found["simulated"]
assert all(n["bound"] in ("", "arithmetic", "memory") and isinstance(n["reason"], str) for n in found["nodes"]), found["nodes"]
EOF
gives 2 "$weft" profile sum.pbtxt --feed 'x=[3]' --fetch y:0 --simulate-threads 4; grep -q 'needs --explain' err || complain "--simulate-threads without --explain: $(cat err)"
gives 1 "$weft" profile t.json --simulate-threads 4 --explain; grep -q 'has no effect' err || complain "--simulate-threads of a trace: $(cat err)"
gives 2 "$weft" profile sum.pbtxt --feed 'x=[3]' --fetch y:0 --explain --simulate-threads 0
gives 1 "$weft" profile sum.pbtxt --feed 'x=[3]' --fetch y:0 --threads 1 --explain --simulate-threads 4; grep -q 'two or more threads' err || complain "--simulate-threads, --threads 1: $(cat err)"

cat >script.json <<'S'
{"name": "s", "sessions": [{"graph": "sum.pbtxt", "runs": [
  {"feeds": {"x:0": {"dtype": "float32", "shape": [1], "data": [4]}}, "fetches": ["y:0", "two:0"]},
  {"fetches": ["y:0"]}]},
  {"graph": "nowhere.pb", "runs": [{"fetches": ["y:0"]}]}]}
S
gives 0 "$weft" run --script script.json --results results.json
grep -q '"values":\[{"dtype":"float32","shape":\[1\],"data":\[8.0\]},{"dtype":"float32","shape":\[\],"data":\[2.0\]}\]' results.json || complain "results: $(head -c 400 results.json)"
grep -q '"error":{"code":"INVALID_ARGUMENT","message":"You must feed a value for placeholder' results.json || complain "the failed run: $(head -c 600 results.json)"
grep -q '"error":{"code":"NOT_FOUND"' results.json || complain "the missing graph: $(head -c 900 results.json)"
gives 1 "$weft" run --script nowhere.json --results results.json
gives 2 "$weft" run --script script.json
gives 1 "$weft" run --script script.json --results nowhere/results.json

# Settings of a session act, are reported as having no effect, or are refused.
script() { echo '{"name": "c", "sessions": [{"graph": "sum.pbtxt", "config": '"$1"', "runs": [{"feeds": {"x:0": {"dtype": "float32", "shape": [1], "data": [4]}}, "fetches": ["y:0"]}]}]}' >config.json; }
script '{"log_device_placement": true, "device_count": {"GPU": 0}, "use_per_session_threads": true}'
gives 0 "$weft" run --script config.json --results results.json
grep -q '^y: (Mul): /job:localhost/replica:0/task:0/device:CPU:0$' out || complain "log_device_placement tells: $(cat out)"
grep -q '"use_per_session_threads" in "config" has no effect here' err || complain "a setting without effect: $(cat err)"
for config in '{"allow_soft_placement": 1}' '{"intra_op_parallelism_threads": -1}' '{"device_count": {"CPU": "two"}}' '[]'; do
  script "$config"
  gives 1 "$weft" run --script config.json --results results.json
  grep -q '"config' err || complain "$config: $(cat err)"
done

# A signal ends the command even if a step waits forever.
cat >waits.pbtxt <<'G'
node { name: "q" op: "FIFOQueueV2" attr { key: "component_types" value { list { type: DT_FLOAT } } } }
node { name: "get" op: "QueueDequeueV2" input: "q" attr { key: "component_types" value { list { type: DT_FLOAT } } } }
G
echo '{"name": "w", "sessions": [{"graph": "waits.pbtxt", "runs": [{"fetches": ["get:0"]}]}]}' >waits.json
for words in 'waits.pbtxt --fetch get:0' '--script waits.json --results waited.json'; do
  for signal in INT TERM; do
    "$weft" run $words >out 2>err & waiting=$!
    sleep 1
    # A shell without job control starts background commands with SIGINT ignored; weft restores it.
    kill -$signal $waiting
    for _ in $(seq 100); do kill -0 $waiting 2>/dev/null || break; sleep 0.1; done
    if kill -9 $waiting 2>/dev/null; then complain "weft run $words goes on after SIG$signal"; fi
    wait $waiting; status=$?
    [ $status = 130 ] || complain "weft run $words after SIG$signal: exit status $status"
  done
done
[ -s waited.json ] || complain "an interrupted script leaves no results"

# The comparison reports differences, and values that cannot be compared.
mkdir -p cases/good cases/bad
cp sum.pbtxt cases/good/; cp sum.pbtxt cases/bad/
for kind in good bad; do
  cat >cases/$kind/script.json <<S
{"name": "$kind", "sessions": [{"graph": "sum.pbtxt", "runs": [{"feeds": {"x:0": {"dtype": "float32", "shape": [1], "data": [4]}}, "fetches": ["y:0"],
  "want": [{"dtype": "float32", "shape": [1], "data": [$([ $kind = good ] && echo 8 || echo 9)]}]}]}]}
S
done
gives 1 "$weft" selftest programs cases
[ "$(tail -n 1 out)" = "1 passed, 1 failed, 0 skipped" ] || complain "selftest: $(tail -n 1 out)"
grep -q '^bad: session 0 run 0 y:0: 1 of 1 values differ, at \[0\] 8, want 9' out || complain "selftest says: $(head -n 1 out)"
gives 1 "$weft" selftest ops nowhere
# Keras models: data by position in the order of the inputs, then the targets; why a model cannot be trained.
keras=$golden/keras
gives 0 "$weft" train "$keras"/two_outputs.h5 --data "$keras"/two_outputs.npz --epochs 1 --set validation_fraction=0
grep -q 'first:0=x0, second:0=x1, classes_target:0=y0, number_target:0=y1' err || complain "weft train does not say which column goes where: $(cat err)"
gives 2 "$weft" train "$keras"/two_outputs.h5 --bind first=x0; grep -q -- '--bind needs --data' err || complain "--bind without --data: $(cat err)"
gives 1 "$weft" train "$keras"/shared.h5 --data "$keras"/shared.npz; grep -q 'cannot be trained: its file has no loss' err || complain "a model that is not compiled: $(cat err)"
gives 0 "$weft" convert "$keras"/dense.h5 again.h5; grep -q "optimizer's state is not written" err || complain "weft convert loses the optimizer's state silently: $(cat err)"

exit $bad
