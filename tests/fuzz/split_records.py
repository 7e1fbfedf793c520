#!/usr/bin/env python3
"""split_records.py FOLDER PATH…: a corpus in FOLDER. Of a .tfrecord file each record becomes a file (for fuzz_run); of a folder with script.json and
graph.pb both become one, with a zero byte between them (for fuzz_script); any other file, and with --files every one, gets the byte before it that
stands for its name in fuzz_files and fuzz_contents (folders of such files are walked). With --files, folders that are opened as one (SavedModels, dumps,
projectors) and the members of archives become one input as well, with the mark of hostile_files.h between the files."""

import gzip
import os
import struct
import sys
import zipfile

# In the order of the kinds in hostile_files.h.
KINDS = [".pb", ".index", "tfevents", ".npz", ".tfrecord", ".json", "", "", "saved_model.pb", "ubyte", ".csv", "keras_metadata.pb", ".xplane.pb"]
PROJECTOR, SAVED_MODEL, DUMP, DEBUGGER, RUN, KERAS_ARCHIVE, NPZ_ARCHIVE = range(13, 20)
FOLDERS = {  # Files that show what a folder is, in the order of the kind's parts: beginnings of their names.
    PROJECTOR: ["projector_config.pbtxt", "labels.tsv", "sprite.png", "tensor.tsv", "tensor.bytes", "model.ckpt.index", "model.ckpt.data"],
    SAVED_MODEL: ["saved_model.pb", "variables/variables.index", "variables/variables.data", "assets/", "keras_metadata.pb"],
    DUMP: [
        "_tfdbg_core_metadata",
        "_tfdbg_device_,job_localhost,replica_0,task_0,device_CPU_0/_tfdbg_graph_hash",
        "_tfdbg_device_,job_localhost,replica_0,task_0,device_CPU_0/_arg_x",
        "_tfdbg_device_,job_localhost,replica_0,task_0,device_CPU_0/kappa/w_0_DebugNumericSummary",
        "_tfdbg_feed_keys_info",
    ],
    DEBUGGER: ["tfdbg_events.1500000000.host." + end for end in ("metadata", "execution", "graph_execution_traces", "graphs", "source_files", "stack_frames")],
    RUN: ["events.out.tfevents", "events.out.tfevents"],
}
MARK = b"\n=8<==\n"


def kind(name):
    for number in (8, 11, 12, 9, 2, 1, 3, 4, 5, 10, 0):
        if KINDS[number] in name:
            return number
    return 0 if name.endswith((".pbtxt", ".meta")) else 6


def write(folder, name, number, content):
    """The input, and for records the same with the bit that has checksums mended."""
    for byte in {number, number | 128} if number in (2, 4, DEBUGGER, RUN) else {number}:
        with open(os.path.join(folder, "%s.%d" % (name[-190:], byte)), "wb") as out:
            out.write(bytes([byte]) + content)


def add_folder(folder, path, flat):
    """One input for each kind of folder that this may be."""
    below = sorted(os.path.relpath(os.path.join(at, name), path) for at, _, names in os.walk(path) for name in names)
    for number, begins in FOLDERS.items():
        parts = []
        for begin in begins:
            fitting = [name for name in below if name.startswith(begin)]
            already = begins[: len(parts)].count(begin)
            parts.append(open(os.path.join(path, fitting[already]), "rb").read() if len(fitting) > already else b"")
        if parts[0]:
            write(folder, flat, number, MARK.join(parts))


def add_files(folder, path):
    paths = [path]
    if os.path.isdir(path):
        paths = [os.path.join(at, name) for at, _, names in os.walk(path) for name in names]
        for at, _, _ in os.walk(path):
            add_folder(folder, at, os.path.normpath(at).replace(os.sep, "_").lstrip("._"))
    for path in sorted(paths):
        flat = os.path.normpath(path).replace(os.sep, "_").lstrip("._")
        content = open(path, "rb").read()
        write(folder, flat, kind(os.path.basename(path)), content)
        if content.startswith(b"\x1f\x8b"):
            try:
                write(folder, flat + ".inflated", 6, gzip.decompress(content))
            except (EOFError, OSError):
                pass
        if path.endswith((".keras", ".npz")):
            try:
                with zipfile.ZipFile(path) as archive:
                    names = ["metadata.json", "config.json", "model.weights.h5"] if path.endswith(".keras") else archive.namelist()[:2]
                    write(folder, flat + ".members", KERAS_ARCHIVE if path.endswith(".keras") else NPZ_ARCHIVE, MARK.join(archive.read(n) for n in names))
            except (zipfile.BadZipFile, KeyError):
                pass


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
