"""Programs of the world, unchanged, on Weft and on TensorFlow 1.15: the same seeds, some steps, the losses of both beside one another.

    world.py PROGRAMS --weft WEFT --tensorflow PYTHON [--only TEXT] [--report FILE.md]

PROGRAMS: a folder with checkouts of the repositories below, each named OWNER+NAME. None of their code is ours, and none of it is kept here.
Data that the programs would fetch are made up in the right format (mnist: ten blurred shapes with noise, in idx files).
A program agrees if both engines ended in the same way after the same number of calls and every number that the first ten calls fetched is the same
within 1e-3 (relative); later numbers drift apart as rounding errors grow, and both last losses are shown.
"""
import argparse
import gzip
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

import numpy as np

EXAMPLES = "aymericdamien+TensorFlow-Examples/tensorflow_v1/examples/"
MORVAN = "MorvanZhou+Tensorflow-Tutorial/tutorial-contents/"
GOLBIN = "golbin+TensorFlow-Tutorials/"
PKMITAL = "pkmital+tensorflow_tutorials/python/"
# (path, arguments, calls of Session.run)
PROGRAMS = [
    (EXAMPLES + "1_Introduction/basic_operations.py", [], 100),
    (EXAMPLES + "2_BasicModels/linear_regression.py", [], 400),
    (EXAMPLES + "2_BasicModels/logistic_regression.py", [], 200),
    (EXAMPLES + "2_BasicModels/nearest_neighbor.py", [], 60),
    (EXAMPLES + "3_NeuralNetworks/neural_network_raw.py", [], 150),
    (EXAMPLES + "3_NeuralNetworks/neural_network.py", [], 200),
    (EXAMPLES + "3_NeuralNetworks/convolutional_network_raw.py", [], 60),
    (EXAMPLES + "3_NeuralNetworks/multilayer_perceptron.py", [], 150),
    (EXAMPLES + "3_NeuralNetworks/recurrent_network.py", [], 120),
    (EXAMPLES + "3_NeuralNetworks/bidirectional_rnn.py", [], 120),
    (EXAMPLES + "3_NeuralNetworks/dynamic_rnn.py", [], 220),
    (EXAMPLES + "3_NeuralNetworks/autoencoder.py", [], 120),
    (EXAMPLES + "3_NeuralNetworks/variational_autoencoder.py", [], 120),
    (EXAMPLES + "3_NeuralNetworks/gan.py", [], 120),
    (EXAMPLES + "3_NeuralNetworks/dcgan.py", [], 25),
    (EXAMPLES + "4_Utils/save_restore_model.py", [], 200),
    (EXAMPLES + "4_Utils/tensorboard_basic.py", [], 150),
    (EXAMPLES + "4_Utils/tensorboard_advanced.py", [], 100),
    (EXAMPLES + "5_DataManagement/tensorflow_dataset_api.py", [], 60),
    (MORVAN + "301_simple_regression.py", [], 100),
    (MORVAN + "302_simple_classification.py", [], 100),
    (MORVAN + "303_save_reload.py", [], 150),
    (MORVAN + "304_optimizer.py", [], 400),
    (MORVAN + "305_tensorboard.py", [], 100),
    (MORVAN + "306_dataset.py", [], 200),
    (MORVAN + "401_CNN.py", [], 80),
    (MORVAN + "402_RNN_classification.py", [], 120),
    (MORVAN + "403_RNN_regression.py", [], 60),
    (MORVAN + "404_AutoEncoder.py", [], 150),
    (MORVAN + "406_GAN.py", [], 300),
    (MORVAN + "406_conditional_GAN.py", [], 300),
    (MORVAN + "501_dropout.py", [], 200),
    (MORVAN + "502_batch_normalization.py", [], 100),
    (MORVAN + "503_visualize_gradient_descent.py", [], 200),
    (GOLBIN + "04 - Neural Network Basic/03 - Word2Vec.py", [], 150),
    (GOLBIN + "05 - TensorBoard, Saver/03 - TensorBoard2.py", [], 100),
    (GOLBIN + "06 - MNIST/02 - Dropout.py", [], 120),
    (GOLBIN + "07 - CNN/02 - tf.layers.py", [], 60),
    (GOLBIN + "09 - GAN/02 - GAN2.py", [], 100),
    (GOLBIN + "10 - RNN/01 - MNIST.py", [], 100),
    (GOLBIN + "10 - RNN/02 - Autocomplete.py", [], 100),
    (GOLBIN + "10 - RNN/03 - Seq2Seq.py", [], 100),
    ("sherjilozair+char-rnn-tensorflow/train.py", ["--data_dir", "text", "--save_dir", "save", "--rnn_size", "32", "--num_layers", "2", "--seq_length", "20"], 60),
    ("dennybritz+cnn-text-classification-tf/train.py", ["--positive_data_file", "positive.txt", "--negative_data_file", "negative.txt", "--num_epochs", "2"], 40),
    ("nlintz+TensorFlow-Tutorials/04_modern_net.py", [], 120),
    ("nlintz+TensorFlow-Tutorials/07_lstm.py", [], 120),
    ("nlintz+TensorFlow-Tutorials/08_word2vec.py", [], 100),
    (PKMITAL + "06_modern_convnet.py", [], 60),
    (PKMITAL + "10_residual_network.py", [], 40),
    (PKMITAL + "11_variational_autoencoder.py", [], 60),
    ("affinelayer+pix2pix-tensorflow/pix2pix.py", ["--mode", "train", "--input_dir", "pairs", "--output_dir", "out", "--max_epochs", "2", "--ngf", "8", "--ndf", "8", "--which_direction", "AtoB", "--seed", "17"], 8),
    ("carpedm20+DCGAN-tensorflow/main.py", ["--dataset", "mnist", "--input_height", "28", "--output_height", "28", "--train", "--epoch", "1", "--batch_size", "16", "--data_dir", "data"], 20),
]
MNIST_FOLDERS = ["/tmp/data", "MNIST_data", "mnist", "mnist/data", "data/mnist", "data/MNIST_data"]


def idx(path, array):
    kind = struct.pack(">BBBB", 0, 0, 8, array.ndim) + struct.pack(">%dI" % array.ndim, *array.shape)
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "wb") as f, gzip.GzipFile("", "wb", 1, f, 0) as z:
        z.write(kind + array.tobytes())
    if "data/mnist" in path:
        with open(path[:-3], "wb") as f:  # some read them unpacked
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
            idx(os.path.join(folder, name + "-images-idx3-ubyte.gz"), pictures)
            idx(os.path.join(folder, name + "-labels-idx1-ubyte.gz"), labels)


def make_data():
    """What the programs find in their working directory."""
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


def make_pictures():
    """Pairs of pictures for pix2pix, written by nobody's library: uncompressed PNG."""
    os.makedirs("pairs", exist_ok=True)
    random = np.random.RandomState(7)
    for i in range(3):
        picture = (random.rand(256, 512, 3) * 255).astype(np.uint8)
        raw = b"".join(b"\0" + row.tobytes() for row in picture)
        chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        with open("pairs/%d.png" % i, "wb") as f:
            f.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 512, 256, 8, 2, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(raw, 0)) + chunk(b"IEND", b""))


def run(command, folder, script, arguments, calls):
    out = os.path.join(folder, "record.json")
    runner = os.path.join(os.path.dirname(os.path.abspath(__file__)), "world_run.py")
    env = dict(os.environ, PYTHONHASHSEED="0", TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="")
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


def last(record):
    found = [s for s in record["scalars"] if s]
    return "%.6g" % found[-1][-1] if found else "–"


def main():
    p = argparse.ArgumentParser()
    p.add_argument("programs")
    p.add_argument("--weft", required=True)
    p.add_argument("--tensorflow", required=True)
    p.add_argument("--only", default="")
    p.add_argument("--report")
    p.add_argument("--keep", help="folder for the records, kept")
    p.add_argument("--skip-tensorflow", action="store_true", help="take TensorFlow's records from --keep")
    a = p.parse_args()
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
    rows, good = [], 0
    for path, arguments, calls in PROGRAMS:
        if a.only not in path:
            continue
        records = {}
        for engine, command in (("tensorflow", [a.tensorflow]), ("weft", [weft, "py"])):
            folder = os.path.join(keep, path.replace("/", "_").replace(" ", ""), engine)
            if engine == "tensorflow" and a.skip_tensorflow and os.path.exists(os.path.join(folder, "record.json")):
                with open(os.path.join(folder, "record.json")) as f:
                    records[engine] = json.load(f)
                continue
            shutil.rmtree(folder, ignore_errors=True)
            os.makedirs(folder)
            for entry in os.listdir(data):
                os.symlink(os.path.join(data, entry), os.path.join(folder, entry))
            records[engine] = run(command, folder, os.path.join(programs, path), arguments, calls)
        t, w = records["tensorflow"], records["weft"]
        first = max([difference(x, y) for x, y in zip(t["scalars"][:10], w["scalars"][:10])] or [0.0])
        every = max([difference(x, y) for x, y in zip(t["scalars"], w["scalars"])] or [0.0])
        agrees = t["ended"] == w["ended"] and t["runs"] == w["runs"] > 0 and first <= 1e-3
        good += agrees
        repository, _, rest = path.partition("/")
        rows.append((repository.replace("+", "/"), rest, w["runs"], last(t), last(w), every, t["seconds"], w["seconds"], "" if agrees else "TensorFlow: %s; Weft: %s" % (t["ended"], w["ended"])))
        print("%s %s  %d calls  %s / %s  %.1e  %.1f s / %.1f s  %s" % ("ok  " if agrees else "FAIL", path, w["runs"], last(t), last(w), every, t["seconds"], w["seconds"], rows[-1][-1]), flush=True)
    print("%d of %d agree" % (good, len(rows)))
    if a.report:
        with open(a.report, "w") as f:
            f.write("| repository | program | calls | last loss, TensorFlow 1.15.5 | Weft | largest difference | TensorFlow s | Weft s | |\n|---|---|---|---|---|---|---|---|---|\n")
            for r in rows:
                f.write("| %s | %s | %d | %s | %s | %.1e | %.1f | %.1f | %s |\n" % r)
    return 0 if good == len(rows) else 1


sys.exit(main())
