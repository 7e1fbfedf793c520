#!/usr/bin/env bash
# refresh_golden.sh REFERENCE [OP_LIST]: copies into tests/golden what our tests need of a reference folder: golden records and scripts of the ops
# named in OP_LIST (default: ops/slice_ops.txt in REFERENCE; first column, # comments), and the programs whose graphs contain only those ops.
# Prints sizes. Needs python3 (graphs are searched for their ops by protobuf wire format; no package).
set -euo pipefail
reference=$(realpath "${1:?where the reference lies}")
list=$(realpath "${2:-$reference/ops/slice_ops.txt}")
golden=$(cd "$(dirname "$0")/../golden" && pwd)
mapfile -t ops < <(grep -v '^#' "$list" | cut -f1 | grep .)

rm -rf "$golden/ops" "$golden/stateful"
mkdir -p "$golden/ops" "$golden/stateful" "$golden/programs"
trap 'chmod -R u+w "$golden"' EXIT
for op in "${ops[@]}"; do
  if [ -f "$reference/ops/golden/$op.tfrecord" ]; then cp "$reference/ops/golden/$op.tfrecord" "$golden/ops/"; fi
done

# Folders (of scripts) below $1 whose graphs contain only the ops of the list.
covered() {
  python3 - "$list" "$1" <<'PY'
import os, sys

def fields(buf):
    i = 0
    def varint():
        nonlocal i
        r = s = 0
        while True:
            b = buf[i]; i += 1
            r |= (b & 127) << s; s += 7
            if b < 128: return r
    while i < len(buf):
        key = varint()
        if key & 7 == 0: yield key >> 3, varint()
        elif key & 7 == 1: yield key >> 3, buf[i:i + 8]; i += 8
        elif key & 7 == 2:
            n = varint(); yield key >> 3, buf[i:i + n]; i += n
        else: yield key >> 3, buf[i:i + 4]; i += 4

def ops_of(path):
    data = open(path, "rb").read()
    graph = next(v for n, v in fields(data) if n == 2) if path.endswith(".meta") else data
    nodes = [v for n, v in fields(graph) if n == 1]
    for n, library in fields(graph):
        if n == 2:
            nodes += [v for k, f in fields(library) if k == 1 for m, v in fields(f) if m == 3]
    return {next(v for n, v in fields(node) if n == 2).decode() for node in nodes}

known = {line.split("\t")[0].strip() for line in open(sys.argv[1]) if line.strip() and line[0] != "#"}
for name in sorted(os.listdir(sys.argv[2])):
    folder = os.path.join(sys.argv[2], name)
    if not os.path.exists(os.path.join(folder, "script.json")): continue
    graphs = [f for f in os.listdir(folder) if f.endswith((".meta", ".pb"))]
    if graphs and set().union(*(ops_of(os.path.join(folder, g)) for g in graphs)) <= known: print(name)
PY
}

for op in "${ops[@]}"; do
  if [ -d "$reference/ops/stateful/$op" ]; then cp -r "$reference/ops/stateful/$op" "$golden/stateful/"; fi
done
covered "$reference/programs" >"$golden/programs/LIST"
find "$golden/programs" -mindepth 1 -maxdepth 1 -type d -exec rm -rf {} +
while read -r name; do cp -r "$reference/programs/$name" "$golden/programs/"; done <"$golden/programs/LIST"
find "$golden/programs" -name naming.json -exec rm -f {} +
chmod -R u+w "$golden"
du -sh --apparent-size "$golden"/*
echo "$(ls "$golden/ops" | wc -l) golden files, $(ls "$golden/stateful" | wc -l) scripts, $(wc -l <"$golden/programs/LIST") programs"
