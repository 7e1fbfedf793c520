"""Compares Keras models in Weft with the judges and writes KERAS.md: python3 keras_h5.py WEFT [--tf1 PYTHON] [--tf2 PYTHON] [--out KERAS.md]

Each judge saves models of every layer (keras_models.py). Weft runs them, writes them again (once with the file's own configuration, once as a functional model of
its layers), and both judges predict with what Weft wrote.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))


def weft_difference(weft, model, arrays):
    """The largest difference of what `weft run` computes, or its error."""
    data = np.load(arrays)
    inspected = subprocess.run([weft, "convert", model, "-", "--to", "meta.pbtxt"], capture_output=True, text=True)
    if inspected.returncode:
        return inspected.stderr.strip().split("\n")[-1]
    names = placeholders(inspected.stdout)
    feeds = []
    folder = tempfile.mkdtemp()
    for i, name in enumerate(names):
        path = os.path.join(folder, "x%d.npy" % i)
        np.save(path, data["x%d" % i])
        feeds += ["--feed", "%s:0=%s" % (name, path)]
    out = os.path.join(folder, "out.npz")
    ran = subprocess.run([weft, "run", model, "--out", out] + feeds, capture_output=True, text=True)
    if ran.returncode:
        return ran.stderr.strip().split("\n")[-1]
    got = [np.load(out)[k] for k in np.load(out).files]
    worst = 0.0
    for key in data.files:
        if key[0] == "y":
            same = [float(np.abs(g - data[key]).max()) for g in got if g.shape == data[key].shape]
            worst = max(worst, min(same) if same else float("inf"))
    return worst


def placeholders(text):
    """Names of the inputs, in the order of the graph."""
    names, name = [], None
    for line in text.split("\n"):
        line = line.strip()
        if line.startswith('name: "'):
            name = line[7:-1]
        if line == 'op: "Placeholder"' and not name.endswith("_target"):
            names.append(name)
    return names


def judge(python, pairs):
    if not pairs:
        return {}
    ran = subprocess.run([python, os.path.join(HERE, "keras_predict.py")] + ["%s=%s" % p for p in pairs], capture_output=True, text=True)
    lines = [line for line in ran.stdout.split("\n") if line.startswith("{")]
    return json.loads(lines[-1]) if lines else {model: "no answer" for model, _ in pairs}


def text(value):
    return "%.1e" % value if isinstance(value, float) else str(value).replace("|", "/")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("weft")
    parser.add_argument("--tf1", default="python3")
    parser.add_argument("--tf2", default="python3")
    parser.add_argument("--models", help="a folder with the models that an earlier run left there; made if it is missing")
    parser.add_argument("--out", default=os.path.join(HERE, "KERAS.md"))
    options = parser.parse_args()
    work = options.models or tempfile.mkdtemp()
    rows, bad = [], 0
    for version, python in (("1.15.5", options.tf1), ("2.21.0", options.tf2)):
        folder = os.path.join(work, version)
        if not os.path.isdir(folder):
            subprocess.run([python, os.path.join(HERE, "keras_models.py"), folder], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        pairs = []
        for name in sorted(f[:-3] for f in os.listdir(folder) if f.endswith(".h5") and not f.endswith(".again.h5")):
            model, arrays = os.path.join(folder, name + ".h5"), os.path.join(folder, name + ".npz")
            row = {"model": name, "version": version, "weft": weft_difference(options.weft, model, arrays)}
            written = os.path.join(folder, name + ".again.h5")
            again = subprocess.run([options.weft, "convert", model, written], capture_output=True, text=True)
            row["written"] = written if again.returncode == 0 else again.stderr.strip().split("\n")[-1]
            if again.returncode == 0:
                pairs.append((written, arrays))
            rows.append(row)
        answers = {"1.15.5": judge(options.tf1, pairs if version == "1.15.5" else []), "2.21.0": judge(options.tf2, pairs)}
        for row in rows:
            if row["version"] == version:
                for other in answers:
                    row[other] = answers[other].get(row["written"], row["written"] if not row["written"].endswith(".h5") else "not asked")
    with open(options.out, "w") as out:
        out.write("# Keras models in Weft and in Keras\n\nMade by `keras_h5.py` with TensorFlow 1.15.5 (Keras 2.2.4-tf) and 2.21.0 (Keras 3). Numbers are the largest difference of any predicted value from what\n"
                  "the judge that saved the model predicted. \"written\" columns: the judge loads what `weft convert MODEL.h5 AGAIN.h5` wrote. 1.15.5 is not asked to read what Keras 3 saved.\n\n"
                  "A model that did not change is written with its own configuration, and Keras 3 refuses most sequential models of 1.15.5 as it refuses the originals. Its hard sigmoid is another function.\n\n")
        out.write("| model | saved by | Weft | written, 1.15.5 | written, 2.21.0 |\n|---|---|---|---|---|\n")
        for row in rows:
            out.write("| %s | %s | %s | %s | %s |\n" % (row["model"], row["version"], text(row["weft"]), text(row["1.15.5"]), text(row["2.21.0"])))
            bad += not (isinstance(row["weft"], float) and row["weft"] < 1e-5)
    print("%d models, %d that Weft does not predict within 1e-5" % (len(rows), bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
