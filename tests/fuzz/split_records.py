#!/usr/bin/env python3
"""split_records.py FOLDER PATH…: a corpus in FOLDER. Of a .tfrecord file each record becomes a file (for fuzz_run); of a folder with script.json and
graph.pb both become one, with a zero byte between them (for fuzz_script); any other file, and with --files every one, gets the byte before it that
stands for its name in fuzz_files (folders of such files are walked)."""
import os
import struct
import sys

# In the order of the names in fuzz_files.cpp.
KINDS = [".pb", ".index", "tfevents", ".npz", ".tfrecord", ".json", "", "", "saved_model.pb", "ubyte"]


def kind(name):
    for number in (8, 9, 2, 1, 3, 4, 5, 0):
        if KINDS[number] in name:
            return number
    return 0 if name.endswith((".pbtxt", ".meta")) else 6


def add_files(folder, path):
    paths = [os.path.join(at, name) for at, _, names in os.walk(path) for name in names] if os.path.isdir(path) else [path]
    for path in sorted(paths):
        flat = os.path.normpath(path).replace(os.sep, "_").lstrip("._")
        with open(os.path.join(folder, flat[-200:]), "wb") as out:
            out.write(bytes([kind(os.path.basename(path))]) + open(path, "rb").read())


folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
as_files = "--files" in sys.argv[2:]
for path in sys.argv[2:]:
    if path == "--files":
        continue
    if as_files or not (os.path.isdir(path) or path.endswith(".tfrecord")):
        add_files(folder, path)
        continue
    if os.path.isdir(path):
        parts = [os.path.join(path, name) for name in ("script.json", "graph.pb")]
        if all(os.path.exists(part) for part in parts):
            with open(os.path.join(folder, os.path.basename(os.path.normpath(path))), "wb") as out:
                out.write(b"\0".join(open(part, "rb").read() for part in parts))
        continue
    data = open(path, "rb").read()
    at = number = 0
    while at + 12 <= len(data):
        (size,) = struct.unpack_from("<Q", data, at)
        record = data[at + 12 : at + 12 + size]
        with open(os.path.join(folder, f"{os.path.basename(path)}.{number}"), "wb") as out:
            out.write(record)
        at += 16 + size
        number += 1
