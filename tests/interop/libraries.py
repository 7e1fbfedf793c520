"""Programs of the libraries of TensorFlow 1.x, each with its library unchanged, on Weft and on TensorFlow 1.15.5: libraries.py [NAME…] [--weft WEFT] --libraries FOLDER
--judge PYTHON --judge-libraries FOLDER [--write]

FOLDER/NAME holds a library, installed by `pip install --no-deps --target FOLDER/NAME …`, FOLDER/deps what several need; the judge's folder has those of its own Python.
--write writes the rows of these programs into LIBRARIES.md and keeps the others. Fails if a program fails or its numbers differ by more than the limit."""

import argparse
import json
import os
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
LIMIT = 1e-4

# Program -> (the folders with the library and the libraries that it needs, pip's names, what the program does)
PROGRAMS = {
    "keras": (["keras"], "keras==2.2.5", "convolutions, batch normalization, a masked bidirectional LSTM, two outputs, a layer of its own; fit, fit_generator; HDF5 and JSON"),
    "tflearn": (["tflearn"], "tflearn==0.5.0", "a convolutional network and an LSTM by DNN.fit; save, load, evaluate"),
    "tf_slim": (["tfslim"], "tf-slim==1.1.0", "layers in argument scopes; slim.learning.train, slim.evaluation, partial restores"),
    "tensorpack": (["tensorpack"], "tensorpack==0.11", "a ModelDesc with data flow, trained by SimpleTrainer with callbacks; ModelSaver, OfflinePredictor"),
    "gpflow": (["gpflow"], "gpflow==1.5.1", "Gaussian processes, exact, sparse and variational, by SciPy's and TensorFlow's optimizers"),
    "tensorflow_hub": (["hub"], "tensorflow-hub==0.7.0", "a module is written, loaded, fine-tuned and exported again"),
    "tensorlayer": (["tensorlayer"], "tensorlayer==1.11.1", "convolutional and recurrent networks by tl.utils.fit; npz files"),
    "stable_baselines": (["stable_baselines"], "stable-baselines==2.10.2", "DQN, A2C and PPO2 on a small environment; save, load"),
    "bert": (["bert"], "bert-tensorflow==1.0.4", "a small BERT classifier with its own tokenizer, optimizer and TPUEstimator"),
    "tfp": (["tfp"], "tensorflow-probability==0.8.0", "distributions, bijectors, Hamiltonian Monte Carlo, variational inference, a network with a distribution as output"),
    "sonnet": (["sonnet", "tfp"], "dm-sonnet==1.36", "a convolutional network, deep LSTMs and a GRU, attention; normalized names of variables, save and restore"),
    "tensor2tensor": (["t2t", "t2tdeps", "tfp", "hub"], "tensor2tensor==1.14.1", "a small Transformer on a problem of its own: records, T2TModel's estimator with LazyAdam, evaluation, restored logits"),
    "cleverhans": (["cleverhans"], "cleverhans==3.0.1", "adversarial training; FGM, PGD, Carlini-Wagner, deep fool"),
}


def run(command, folders, root):
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(os.path.join(root, f) for f in folders + ["deps"]), TF_CPP_MIN_LOG_LEVEL="2", PYTHONHASHSEED="0", PYTHONDONTWRITEBYTECODE="1",
                       CUDA_VISIBLE_DEVICES="")
    started = time.time()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, timeout=900)
    for line in done.stdout.decode("utf-8", "replace").splitlines():
        if "RESULT {" in line:
            return dict(json.JSONDecoder().raw_decode(line, line.index("RESULT {") + 7)[0], wall=time.time() - started)
    return {"failed": (done.stderr.decode("utf-8", "replace").strip().splitlines() or ["no output"])[-1]}


def largest_difference(ours, theirs):
    """The largest difference of two reports' numbers, each relative to 1 or to the number if that is larger."""
    if len(ours["losses"]) != len(theirs["losses"]) or sorted(ours["results"]) != sorted(theirs["results"]):
        return float("inf")
    worst = 0.
    for a, b in [(ours["losses"], theirs["losses"])] + [(ours["results"][n], theirs["results"][n]) for n in ours["results"]]:
        if len(a) != len(b):
            return float("inf")
        for x, y in zip(a, b):
            difference = abs(x - y) / max(1., abs(y))
            worst = max(worst, difference if difference == difference else 0. if x != x and y != y else float("inf"))
    return worst


def row(name, options):
    folders, package, what = PROGRAMS[name]
    script = os.path.join(HERE, "libraries", "train_%s.py" % name)
    ours = run([options.weft, "py", script], folders, options.libraries)
    theirs = run([options.judge, "-W", "ignore", script], folders, options.judge_libraries)
    for where, found in (("weft py", ours), ("TensorFlow 1.15.5", theirs)):
        if "failed" in found:
            print("%s: fails in %s: %s" % (name, where, found["failed"]))
    if "failed" in ours or "failed" in theirs:
        return False, "| %s | %s | %s | %s |  |  |  |  |  |" % (name, package, what, "fails" if "failed" in ours else "runs")
    difference = largest_difference(ours, theirs)
    print("%s: %d steps, last loss %.6g and %.6g, largest difference %.1e, %.1f s and %.1f s" % (name, len(ours["losses"]), ours["losses"][-1], theirs["losses"][-1], difference, ours["wall"], theirs["wall"]))
    sys.stdout.flush()
    return difference <= LIMIT, "| %s | `%s` | %s | runs | %d | %.6f | %.6f | %.1e | %.1f, %.1f |" % (
        name, package, what, len(ours["losses"]), ours["losses"][-1], theirs["losses"][-1], difference, ours["wall"], theirs["wall"])


def write(name, text):
    """Puts a row into LIBRARIES.md, whose rows are in the order of PROGRAMS."""
    path, rows = os.path.join(HERE, "LIBRARIES.md"), {}
    if os.path.exists(path):
        with open(path) as f:
            rows = {line.split("|")[1].strip(): line.rstrip("\n") for line in f if line.startswith("|")}
    rows[name] = text
    with open(path, "w") as f:
        f.write("# Libraries of TensorFlow 1.x under `weft py`\n\nWritten by `tests/interop/libraries.py --write`. The libraries are pip's packages, unchanged, on Python %d.%d; beside them TensorFlow 1.15.5 "
                "with the same\npackages on Python 3.7. Differences are of all losses and results (predictions, restored variables), relative to 1 or to the number if that is larger; at most %g is accepted.\n\n"
                "Keras's and BERT's optimizers assign to variables while gradients may still read them, so TensorFlow itself gives different numbers from run to run (Keras: 1.7e-7, 2.6e-4 and 9.8e-3 from Weft's in three runs). Edward 1.3\n"
                "does not import (tf.contrib.distributions is not there; with TensorFlow 1.15.5 it fails, too: ops.set_shapes_for_outputs is gone).\n\n"
                "| library | package | its program | `weft py` | steps | last loss | TensorFlow's | largest difference | seconds, TensorFlow's |\n|---|---|---|---|---|---|---|---|---|\n%s\n"
                % (sys.version_info[0], sys.version_info[1], LIMIT, "\n".join(rows[n] for n in PROGRAMS if n in rows)))


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("names", nargs="*")
    arguments.add_argument("--weft", default=os.path.join(HERE, "../../build/release/bin/weft"))
    arguments.add_argument("--judge", required=True, help="a Python 3.7 with TensorFlow 1.15.5")
    arguments.add_argument("--libraries", required=True)
    arguments.add_argument("--judge-libraries", required=True)
    arguments.add_argument("--write", action="store_true")
    options = arguments.parse_args()
    for name in options.names:
        if name not in PROGRAMS:
            sys.exit("libraries.py: %s is none of %s" % (name, ", ".join(PROGRAMS)))
    good = True
    for name in options.names or PROGRAMS:
        agrees, text = row(name, options)
        good = good and agrees
        if options.write:
            write(name, text)
    sys.exit(0 if good else 1)


main()
