#!/usr/bin/env bash
# checkpoint.sh WEFT: `weft checkpoint` where it is used wrongly; `weft diff` of checkpoints with statistics and proposals.
set -u
weft=$1
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
says() { grep -qF -- "$1" err || complain "no '$1' in: $(head -c 500 err)"; }

cat >g.pbtxt <<'G'
node { name: "w" op: "VariableV2" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "shape" value { shape { dim { size: 3 } } } } }
node { name: "b" op: "VariableV2" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "shape" value { shape { dim { size: 2 } } } } }
node { name: "w3" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 3 } } float_val: 1 float_val: 2 float_val: 6 } } } }
node { name: "b2" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 2 } } float_val: 1.5 } } } }
node { name: "aw" op: "Assign" input: "w" input: "w3" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "ab" op: "Assign" input: "b" input: "b2" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "prefix" op: "Const" attr { key: "dtype" value { type: DT_STRING } } attr { key: "value" value { tensor { dtype: DT_STRING tensor_shape { } string_val: "in" } } } }
node { name: "names" op: "Const" attr { key: "dtype" value { type: DT_STRING } } attr { key: "value" value { tensor { dtype: DT_STRING tensor_shape { dim { size: 2 } } string_val: "w" string_val: "b" } } } }
node { name: "slices" op: "Const" attr { key: "dtype" value { type: DT_STRING } } attr { key: "value" value { tensor { dtype: DT_STRING tensor_shape { dim { size: 2 } } string_val: "" string_val: "" } } } }
node { name: "save" op: "SaveV2" input: "prefix" input: "names" input: "slices" input: "w3" input: "b2" attr { key: "dtypes" value { list { type: DT_FLOAT type: DT_FLOAT } } } }
G
gives 0 "$weft" run g.pbtxt --target save
[ -e in.index ] || complain "no checkpoint was saved: $(ls)"

# Names that cannot be those of a new checkpoint.
mkdir od
gives 2 "$weft" checkpoint in ''; says 'OUT is empty'
gives 2 "$weft" checkpoint in od/; says 'OUT is a folder: od/'
gives 2 "$weft" checkpoint in od; says 'OUT is a folder: od'
gives 2 "$weft" checkpoint in copy.index; says 'not of one of its files: copy.index'
gives 2 "$weft" checkpoint in copy.data-00000-of-00001; says 'not of one of its files: copy.data-00000-of-00001'
[ -z "$(ls od; ls -d copy* .[a-z]* 2>/dev/null)" ] || complain "a wrong name left files: $(ls -a . od)"
echo notes >notes
gives 0 "$weft" checkpoint in notes
gives 1 "$weft" checkpoint in notes --to v1; says 'notes exists, and it does not open as a checkpoint'
[ "$(cat notes)" = notes ] || complain "a file that is no checkpoint was replaced"
gives 1 "$weft" checkpoint in copy --rename 'w=>\2'; says "\\2 in '\\2' is group 2, but the pattern has 0 groups"

# Statistics. A tensor that cannot be read, in one checkpoint only, does not end the comparison.
gives 0 "$weft" checkpoint in other --drop b --rename 'w=>v'
gives 1 "$weft" diff in other --statistics; holds 'A  mean 3  std 2.16  min 1  max 6  norm 6.403'; holds 'B  mean 3'
gives 1 "$weft" diff in other --statistics --json; holds '"statistics":{"a":{"mean":3.0,'
printf 'x' | dd of=in.data-00000-of-00001 bs=1 seek=0 conv=notrunc status=none  # of b, the first by name or as saved
printf 'x' | dd of=other.data-00000-of-00001 bs=1 seek=0 conv=notrunc status=none
gives 1 "$weft" diff in other --statistics; holds 'error: '; holds 'Checksum does not match'; holds 'A  mean 1.5'
gives 1 "$weft" diff in other --statistics --json; holds '"statistics":{"b":{"error":'

# Proposals go to standard output alone.
gives 0 "$weft" checkpoint notes renamed --rename 'w=>v'
gives 1 "$weft" diff g.pbtxt renamed --propose -; holds 'v	w'
gives 2 "$weft" diff g.pbtxt renamed --propose - --json; says '--propose - and --json'
gives 1 "$weft" diff g.pbtxt renamed --propose names.txt --json; [ "$(wc -l <out)" = 1 ] || complain "diff --json is not one line"
exit $bad
