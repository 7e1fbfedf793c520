#!/usr/bin/env python3
"""split_records.py FOLDER PATH…: a corpus in FOLDER. Of a .tfrecord file each record becomes a file (for fuzz_run); of a folder with script.json and
graph.pb both become one, with a zero byte between them (for fuzz_script)."""
import os
import struct
import sys

folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
for path in sys.argv[2:]:
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
