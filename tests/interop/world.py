"""Runs public programs, unchanged, on Weft and on TensorFlow 1.15, with the same seeds for some steps, and compares their losses.

    world.py PROGRAMS --weft WEFT --tensorflow PYTHON [--only REGEX] [--keep FOLDER] [--skip-tensorflow] [--kept] [--report FILE.md]

PROGRAMS: a folder with checkouts of the repositories below, each named OWNER+NAME. None of their code is ours, and none of it is kept here.
Data that the programs would download are made up in the right format (mnist: ten blurred shapes with noise, in idx files).
A program agrees if it ended in the same way on both engines, after the same number of calls, and all numbers that the first ten calls fetched agree within
1e-3 (relative). If it only builds a graph, both graphs must have the same nodes in the same order. Later numbers drift apart as rounding errors grow; the
last losses of both are shown. Each session has one thread for ops and one inside them.
If the engines do not agree, TensorFlow runs a second time, with any number of threads and another seed of Python's hashes: a program whose numbers TensorFlow
itself does not reproduce (threads racing for random numbers or queues, sums in another order) is counted separately.
Modules that are not installed (gym, scikit-learn's data sets) are replaced by those of stand_ins/, on both sides.
"""
import argparse
import collections
import gzip
import json
import os
import pickle
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

import numpy as np

from world_programs import PROGRAMS

PROGRAMS_OF = collections.Counter(program[0] for program in PROGRAMS)
COMMON = {}  # arguments common to all runs of the same program
for _program in PROGRAMS:
    COMMON[_program[0]] = [x for x in COMMON.get(_program[0], _program[1]) if x in _program[1]]
MNIST_FOLDERS = ["/tmp/data", "MNIST_data", "mnist", "mnist/data", "data/MNIST_data", "data/mnist"]


def idx(path, array):
    kind = struct.pack(">BBBB", 0, 0, 8, array.ndim) + struct.pack(">%dI" % array.ndim, *array.shape)
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "wb") as f, gzip.GzipFile("", "wb", 1, f, 0) as z:
        z.write(kind + array.tobytes())
    if "data/mnist" in path:
        with open(path[:-3], "wb") as f:  # some programs read them uncompressed
            f.write(kind + array.tobytes())


def make_mnist(folders):
    random = np.random.RandomState(3)
    shapes = random.rand(10, 28, 28)
    for _ in range(3):
        shapes = (shapes + np.roll(shapes, 1, 1) + np.roll(shapes, -1, 1) + np.roll(shapes, 1, 2) + np.roll(shapes, -1, 2)) / 5
    shapes = (shapes - shapes.min()) / (shapes.max() - shapes.min())
    for name, n in (("train", 8000), ("t10k", 1000)):
        labels = random.randint(0, 10, n).astype(np.uint8)
        pictures = np.clip(shapes[labels] * 255 * (random.rand(n, 28, 28) > 0.3), 0, 255).astype(np.uint8)
        for folder in folders:
            if folder == "data/mnist":  # some programs expect full data sets
                labels, pictures = np.resize(labels, 60000 if name == "train" else 10000), np.resize(pictures, (60000 if name == "train" else 10000, 28, 28))
            idx(os.path.join(folder, name + "-images-idx3-ubyte.gz"), pictures)
            idx(os.path.join(folder, name + "-labels-idx1-ubyte.gz"), labels)


def make_data():
    """Writes the data that the programs expect in their working directory."""
    make_mnist(MNIST_FOLDERS)
    random = np.random.RandomState(5)
    words = ["the", "graph", "runs", "well", "and", "its", "loss", "falls", "slowly", "today", "bad", "good", "film", "plot"]
    os.makedirs("text", exist_ok=True)
    with open("text/input.txt", "w") as f:
        f.write(" ".join(random.choice(words, 40000)))
    for name in ("positive.txt", "negative.txt"):
        with open(name, "w") as f:
            for _ in range(300):
                f.write(" ".join(random.choice(words, 12)) + "\n")
    with open("anna.txt", "w") as f:
        f.write(" ".join(random.choice(words, 60000)))
    for folder in ("ptb", "words", "ner"):
        os.makedirs(folder, exist_ok=True)
    with open("words/input.txt", "w") as f:
        f.write(" ".join(random.choice(words, 5000)))
    for name, n in (("train", 2000), ("valid", 300), ("test", 300)):
        text = "\n".join(" ".join(random.choice(words, random.randint(4, 12))) for _ in range(n)) + "\n"
        for folder in ("ptb", "data"):
            with open("%s/ptb.%s.txt" % (folder, name), "w") as f:
                f.write(text)
    with open("text8.txt", "w") as f:
        f.write(" ".join(random.choice(words, 60000)))
    letters = "abcdefghij"
    for name in ("train_data", "test_data"):
        with open("ner/" + name, "w") as f:
            for _ in range(120):
                for letter in random.choice(list(letters), random.randint(4, 12)):
                    f.write("%s\t%s\n" % (letter, {"a": "B-PER", "b": "B-LOC", "c": "B-ORG"}.get(letter, "O")))
                f.write("\n")
    with open("ner/word2id.pkl", "wb") as f:
        pickle.dump(dict([(letter, i + 1) for i, letter in enumerate(letters)] + [("<UNK>", 11), ("<PAD>", 0)]), f, 2)
    os.makedirs("glue", exist_ok=True)
    for name in ("train", "dev"):
        with open("glue/%s.tsv" % name, "w") as f:
            for _ in range(64):
                line = random.choice(words, 8)
                f.write("x\t%d\t\t%s\n" % ("good" in line, " ".join(line)))
    with open("glue/vocab.txt", "w") as f:
        f.write("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"] + words) + "\n")
    with open("glue/config.json", "w") as f:
        json.dump({"vocab_size": len(words) + 5, "hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32, "hidden_act": "gelu",
                   "hidden_dropout_prob": 0.1, "attention_probs_dropout_prob": 0.1, "max_position_embeddings": 32, "type_vocab_size": 2, "initializer_range": 0.02}, f)
    os.makedirs("cifar/cifar-10-batches-bin", exist_ok=True)
    open("cifar/cifar-10-binary.tar.gz", "w").close()
    for name in ["data_batch_%d" % i for i in range(1, 6)] + ["test_batch"]:
        with open("cifar/cifar-10-batches-bin/%s.bin" % name, "wb") as f:
            for _ in range(300):
                f.write(bytes([random.randint(10)]) + random.randint(0, 256, 3072).astype(np.uint8).tobytes())
    os.makedirs("nmt", exist_ok=True)
    for language, shift in (("vi", 0), ("en", 3)):
        with open("nmt/vocab." + language, "w") as f:
            f.write("\n".join(["<unk>", "<s>", "</s>"] + words) + "\n")
    for name, n in (("train", 400), ("dev", 20)):
        with open("nmt/%s.vi" % name, "w") as vi, open("nmt/%s.en" % name, "w") as en:
            for _ in range(n):
                line = list(random.choice(len(words), random.randint(3, 9)))
                vi.write(" ".join(words[i] for i in line) + "\n")
                en.write(" ".join(words[(i + 3) % len(words)] for i in reversed(line)) + "\n")


def make_pictures():
    """Writes image pairs for pix2pix as uncompressed PNG, without a library."""
    os.makedirs("pairs", exist_ok=True)
    random = np.random.RandomState(7)
    for i in range(3):
        picture = (random.rand(256, 512, 3) * 255).astype(np.uint8)
        raw = b"".join(b"\0" + row.tobytes() for row in picture)
        chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        with open("pairs/%d.png" % i, "wb") as f:
            f.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 512, 256, 8, 2, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(raw, 0)) + chunk(b"IEND", b""))


def run(command, folder, script, arguments, calls, again=False):
    out = os.path.join(folder, "record.json")
    runner = os.path.join(os.path.dirname(os.path.abspath(__file__)), "world_run.py")
    env = dict(os.environ, PYTHONHASHSEED="1" if again else "0", TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="", WORLD_THREADS="" if again else "1", WORLD_GRAPH=os.path.join(folder, "graph.pb"))
    with open(os.path.join(folder, "log.txt"), "w") as log:
        try:
            subprocess.run(command + [runner, out, str(calls), script] + arguments, cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, timeout=240, env=env)
        except subprocess.TimeoutExpired:
            pass
    try:
        with open(out) as f:
            return json.load(f)
    except OSError:
        with open(os.path.join(folder, "log.txt"), errors="replace") as f:
            lines = [l.strip() for l in f if l.strip()]
        return {"runs": 0, "scalars": [], "seconds": 0, "in_run": 0, "ended": "no record: " + (lines[-1][:200] if lines else "no output")}


def difference(a, b):
    if len(a) != len(b):
        return float("inf")
    worst = 0.0
    for x, y in zip(a, b):
        if x == y or (np.isnan(x) and np.isnan(y)):
            continue
        worst = max(worst, abs(x - y) / max(abs(x), abs(y), 1e-6) if np.isfinite(x) and np.isfinite(y) else float("inf"))
    return worst


def compared(a, b, calls):
    return max([difference(x, y) for x, y in zip(a["scalars"][:calls], b["scalars"][:calls])] or [0.0])


def last(record):
    found = [s for s in record["scalars"] if s]
    return "%.6g" % found[-1][-1] if found else "–"


def judged(row):
    """The last column of a row: ok, own, fails in both, FAIL."""
    why = row[-1]
    if not why:
        return "ok"
    if why.startswith("TensorFlow differs from itself"):
        return "own"
    ends = re.match("TensorFlow: (.*); Weft: (.*)", why)
    return "both" if ends and re.match(r"\w*(Error|Exception)\b", ends[1]) and re.match(r"\w*(Error|Exception)\b", ends[2]) else "FAIL"


def report(path, rows):
    """Writes the rows to WORLD.md. Rows of programs that were not run now, and the text after the table, stay."""
    head = "| repository | program | steps | TensorFlow 1.15.5 | Weft | difference | TensorFlow s | Weft s | |"
    cells = [[str(c).replace("|", "/") for c in ("%s|%s|%d|%s|%s|%.1e|%.1f|%.1f" % r[:8]).split("|")] + [r[8].replace("|", "/")[:300]] for r in rows]
    after = ""
    if os.path.exists(path):
        with open(path) as f:
            old = f.read()
        after = old[old.index("\n## "):] if "\n## " in old else ""
        kept = [[c.strip() for c in line.strip("|\n").split(" |")] for line in old[:len(old) - len(after)].split("\n") if line.startswith("| ") and line != head]
        now = {(c[0], c[1]): c for c in cells}
        cells = [now.pop((c[0], c[1]), c) for c in kept] + [c for c in cells if (c[0], c[1]) in now]
    of = collections.Counter(judged(c) for c in cells)
    text = ["# Programs of the world\n",
            "What `world.py` last said of each: programs from public repositories, unchanged, with the same seeds on Weft and on TensorFlow 1.15.5 (steps: calls of Session.run; losses: the last",
            "number that a call gave; difference: the largest one, relative, among all numbers that were fetched; seconds: of the whole program without imports, on two busy cores, so they are no",
            "measurement). Of %d, %d agree in their first ten calls within 1e-3. %d were not the same in a second run of TensorFlow itself (updates that race with reads, dropout in loops that run" % (len(cells), of["ok"], of["own"]),
            "side by side, rounding that grows), so nothing follows from their numbers. %d fail in both, for what this machine has not or what is wrong in them. %d do not agree, or run in one only.\n" % (of["both"], of["FAIL"]),
            head, "|---|---|---|---|---|---|---|---|---|"]
    text += ["| " + " | ".join(c) + " |" for c in cells]
    with open(path, "w") as f:
        f.write("\n".join(text) + "\n" + after)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("programs")
    p.add_argument("--weft", required=True)
    p.add_argument("--tensorflow", required=True)
    p.add_argument("--only", default="", help="a regular expression that programs match")
    p.add_argument("--report", help="a file like WORLD.md, whose rows of these programs are written anew")
    p.add_argument("--keep", help="folder for the records, kept")
    p.add_argument("--skip-tensorflow", action="store_true", help="take TensorFlow's records from --keep")
    p.add_argument("--kept", action="store_true", help="run nothing; judge the records that are in --keep")
    a = p.parse_args()
    a.skip_tensorflow = a.skip_tensorflow or a.kept
    weft, programs = os.path.abspath(a.weft), os.path.abspath(a.programs)
    keep = os.path.abspath(a.keep) if a.keep else tempfile.mkdtemp(prefix="world.")
    data = os.path.join(keep, "data")
    if not os.path.isdir(data):
        os.makedirs(data)
        here = os.getcwd()
        os.chdir(data)
        make_data()
        make_pictures()
        os.chdir(here)
    for name in ("MNIST_data",):  # some programs look for it two folders up
        if not os.path.lexists(os.path.join(keep, name)):
            os.symlink(os.path.join("data", name), os.path.join(keep, name))
    rows, good, unsteady = [], 0, 0
    for path, arguments, calls, *links in PROGRAMS:
        title = " ".join([path] + [x for x in arguments if x not in COMMON[path]] if PROGRAMS_OF[path] > 1 else [path])
        if not re.search(a.only, title):
            continue
        place = os.path.join(keep, (path + ("_%08x" % zlib.crc32(" ".join(arguments).encode()) if PROGRAMS_OF[path] > 1 else "")).replace("/", "_").replace(" ", ""))
        if not os.path.exists(os.path.join(programs, path)):
            print("FAIL %s  is not in %s" % (title, programs), flush=True)
            continue

        def one(name, command):
            folder = os.path.join(place, name)
            shutil.rmtree(folder, ignore_errors=True)
            os.makedirs(folder)
            beside = os.path.dirname(os.path.join(programs, path))
            for entry in os.listdir(data):
                os.symlink(os.path.join(data, entry), os.path.join(folder, entry))
            for link in links:  # files of the repository that the program needs
                for entry, source in link.items():
                    at = os.path.join(folder, entry)
                    if os.path.islink(at):
                        os.unlink(at)
                    os.makedirs(os.path.dirname(at), exist_ok=True)
                    os.symlink(os.path.join(programs, path.split("/")[0], source), at)
            for entry in os.listdir(beside):  # tables beside the program
                if entry.endswith((".csv", ".txt")) and not os.path.lexists(os.path.join(folder, entry)):
                    os.symlink(os.path.join(beside, entry), os.path.join(folder, entry))
            return run(command, folder, os.path.join(programs, path), arguments, calls, name == "tensorflow2")

        def kept(name):
            try:
                with open(os.path.join(place, name, "record.json")) as f:
                    record = json.load(f)
                return record if record["ended"] in ("after %d calls" % calls, "by itself") or record["runs"] < calls else None
            except OSError:
                return None

        if a.kept and not (kept("weft") and kept("tensorflow")):
            continue
        t = (kept("tensorflow") if a.skip_tensorflow else None) or one("tensorflow", [a.tensorflow])
        w = kept("weft") if a.kept else one("weft", [weft, "py"])
        first = compared(t, w, 10)
        agrees = t["ended"] == w["ended"] and t["runs"] == w["runs"] > 0 and first <= 1e-3
        if t["ended"] == w["ended"] and re.match("by itself|exit", t["ended"]) and not t["runs"] and not w["runs"]:  # it only builds a graph
            agrees = t.get("graph", 0) == w.get("graph", 1)
        own = 0.0
        if not agrees and t["runs"] == w["runs"] > 0:
            again = (kept("tensorflow2") if a.skip_tensorflow else None) or one("tensorflow2", [a.tensorflow])
            # If the number of calls differs, the numbers cannot be compared: kept records may have a different length.
            own = compared(t, again, 10) if again["runs"] == t["runs"] else 0.0
        every = compared(t, w, None)
        same_end = t["ended"] == w["ended"] and t["runs"] == w["runs"]
        if not agrees and same_end and own > 1e-3:
            unsteady += 1
            word, why = "own ", "TensorFlow differs from itself by %.1e" % own
        elif agrees:
            word, why = "ok  ", ""
        else:
            word, why = "FAIL", "TensorFlow: %s; Weft: %s" % (t["ended"], w["ended"]) if t["ended"] != w["ended"] or not t["runs"] else "differs by %.1e in the first ten calls, %d / %d calls" % (first, t["runs"], w["runs"])
        good += agrees
        repository, _, rest = title.partition("/")
        rows.append((repository.replace("+", "/"), rest, w["runs"], last(t), last(w), every, t["seconds"], w["seconds"], why))
        print("%s %s  %d calls  %s / %s  %.1e  %.1f s / %.1f s  %s" % (word, title, w["runs"], last(t), last(w), every, t["seconds"], w["seconds"], rows[-1][-1]), flush=True)
    print("%d of %d agree, %d have no numbers to agree with" % (good, len(rows), unsteady))
    if a.report:
        report(a.report, rows)
    return 0 if good + unsteady == len(rows) else 1


sys.exit(main())
