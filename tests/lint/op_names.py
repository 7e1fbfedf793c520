#!/usr/bin/env python3
"""What an op is for and does is stated by its record (weft/op_traits.h). Outside of engine/ops, comparing names of ops is for tables of what a record cannot
know. This lint lists the lines that compare them in the folders below, the kernels' tables (engine/device), the rewrites of GraphDefs that TensorFlow defines by
names of ops (engine/transforms; those graphs may hold ops that are not registered), the translations of other formats (engine/io/onnx, engine/io/tflite) and Python's aside; op_names_allowed.txt names the files that may, with the
number of lines and the reason."""
import os
import re
import sys

FOLDERS = ["engine", "app"]
SKIPPED = ["engine/ops", "engine/device", "engine/io/onnx", "engine/io/tflite", "engine/transforms", "app/python"]
MOST = 60

NAME = r'(?:QLatin1String\(|QStringLiteral\()?"_?[A-Z][A-Za-z0-9]*"'
PATTERNS = [
    re.compile(r"\bop(?:\(\))?\s*[!=]=\s*" + NAME),
    re.compile(NAME + r"\)?\s*[!=]=\s*[\w.>()-]*\bop\b"),
    re.compile(r"\bop(?:\(\))?\s*\.\s*(?:starts_with|ends_with|find|rfind|contains|startsWith|endsWith)\(\s*" + NAME),
    re.compile(r"\bhas\([^\"]*\bop\b[^\"]*,\s*" + NAME),
    re.compile(r"\b(?:isPlain|startsWith|isOneOf|oneOf|findElementwise|follower|inputOf)\([^\"]*,\s*\{?" + NAME),
]
TABLE = re.compile(r'^\s*\{"([A-Z][A-Za-z0-9]*)",|\{\{?"([A-Z][A-Za-z0-9]*)",|^\s*"([A-Z][A-Za-z0-9]*)"\s*[,}]')


def op_names(top):
    golden = os.path.join(top, "tests/golden/ops")
    names = {f.removesuffix(".tfrecord") for f in os.listdir(golden)} if os.path.isdir(golden) else set()
    for folder, _, files in os.walk(os.path.join(top, "engine/ops")):
        for f in files:
            if f.endswith(".cpp"):
                for text in re.findall(r'(?:\badd|state|retain)\([^"\n]*"([^"]*)"', open(os.path.join(folder, f), encoding="utf-8").read()):
                    names.update(w for w in text.split() if re.fullmatch(r"[A-Z]\w+", w))
    return names


def findings(top):
    known = op_names(top)
    for root in FOLDERS:
        for folder, _, files in sorted(os.walk(os.path.join(top, root))):
            where = os.path.relpath(folder, top)
            if any(where == s or where.startswith(s + "/") for s in SKIPPED):
                continue
            for f in sorted(files):
                if not f.endswith((".cpp", ".h", ".inc")):
                    continue
                path = os.path.join(where, f)
                before = False  # whether the line before was part of a table: a table counts once
                for number, line in enumerate(open(os.path.join(top, path), encoding="utf-8"), 1):
                    code = re.sub(r"//.*", "", line)
                    makes = re.search(r"\btr\(|TRANSLATE|\bop\(\S|\bnode\(|\badd\(", code.replace("op()", "op"))  # a node, or words: no table
                    in_table = not makes and any(n in known for m in TABLE.findall(code) for n in m if n)
                    if any(p.search(code) for p in PATTERNS) or (in_table and not before):
                        yield path, number, line.strip()
                    before = in_table


def allowed(top):
    out, path = {}, os.path.join(top, "tests/lint/op_names_allowed.txt")
    for line in open(path, encoding="utf-8") if os.path.exists(path) else []:
        if line.strip() and not line.startswith("#"):
            path, count, reason = line.split(None, 2)
            out[path] = (int(count), reason)
    return out


def main():
    top = os.getcwd()
    rest, seen, bad = allowed(top), {}, 0
    found = list(findings(top))
    for path, _, _ in found:
        seen[path] = seen.get(path, 0) + 1
    for path, number, line in found:
        if seen[path] > rest.get(path, (0, ""))[0]:
            print(f"{path}:{number}: {line}")
            bad += 1
    for path, (count, _) in rest.items():
        if seen.get(path, 0) < count:
            print(f"op_names_allowed.txt: {path} has {seen.get(path, 0)} such lines, not {count}")
            bad += 1
    total = sum(seen.values())
    if total > MOST:
        print(f"{total} lines compare names of ops; at most {MOST} may")
        bad += 1
    print(f"op_names: {total} lines in {len(seen)} files, {bad} findings")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
