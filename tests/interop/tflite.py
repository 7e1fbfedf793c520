#!/usr/bin/env python3
"""Compares Weft with tf.lite.Interpreter, both ways.

    tests/interop/tflite.py --weft build/release/bin/weft --judge PYTHON [--judge PYTHON] --models FOLDER [--markdown FILE]

Import: every model below FOLDER gets the same random inputs in Weft (`weft py`) and in each judge, a Python with TensorFlow. Integer outputs are
compared in quantisation steps. Export: networks that Weft converts are run by the judges, and their outputs compared with Weft's own session.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import zlib

SECONDS = 900


def inputs_of(interpreter, numpy, seed):
    """Random inputs: real numbers around zero, quantised tensors over their whole range, other integers 0 or 1."""
    random = numpy.random.RandomState(seed)
    out = {}
    for detail in interpreter.get_input_details():
        kind, shape = numpy.dtype(detail["dtype"]), tuple(int(n) for n in detail["shape"])
        if kind.kind == "f":
            value = random.uniform(-1, 1, shape)
        elif kind.itemsize < 4 and kind.kind in "iu":
            limits = numpy.iinfo(kind)
            value = random.randint(limits.min, limits.max + 1, shape)
        elif kind.kind in "iub":
            value = random.randint(0, 2, shape)
        else:
            raise ValueError("inputs of type %s are not tried" % kind)
        out[detail["index"]] = value.astype(kind)
    return out


def run_models(cases, folder, fork):
    """In Weft or a judge: runs each model, writes its outputs or the reason why there are none."""
    import numpy
    import tensorflow as tf

    report = {}
    for number, path in enumerate(cases):
        note = os.path.join(folder, "note%d.json" % number)
        # Some models end the judge's process.
        child = os.fork() if fork else 0
        if child == 0:
            try:
                result = run_model(tf.lite.Interpreter, numpy, path, folder, number)
            except RuntimeError as e:
                result = {"error": " ".join(str(e).split())[:300]}
                if "XNNPACK" in str(e) or "no_integer_overflow" in str(e):  # some models run only without the default delegate
                    plain = tf.lite.experimental.OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES
                    result = run_model(lambda **given: tf.lite.Interpreter(experimental_op_resolver_type=plain, **given), numpy, path, folder, number)
            except Exception as e:
                result = {"error": " ".join(str(e).split())[:300] or type(e).__name__}
            with open(note, "w") as f:
                json.dump(result, f)
            if fork:
                os._exit(0)
        else:
            os.waitpid(child, 0)
        report[path] = json.load(open(note)) if os.path.exists(note) else {"error": "the process crashed"}
    with open(os.path.join(folder, "report.json"), "w") as f:
        json.dump(report, f)


def run_model(make_interpreter, numpy, path, folder, number):
    interpreter = make_interpreter(model_path=path)
    interpreter.allocate_tensors()
    stored = os.path.join(folder, "given%d.npz" % number)
    if os.path.exists(stored):
        given = {int(key[1:]): value for key, value in numpy.load(stored).items()}
    else:
        given = inputs_of(interpreter, numpy, zlib.crc32(os.path.basename(path).encode()))
    for index, value in given.items():
        interpreter.set_tensor(index, value)
    interpreter.invoke()
    outputs = [numpy.asarray(interpreter.get_tensor(d["index"])) for d in interpreter.get_output_details()]
    if any(o.dtype.kind not in "fiub" for o in outputs):
        raise ValueError("outputs that are not numbers are not compared")
    numpy.savez(os.path.join(folder, "out%d.npz" % number), *outputs)
    return {"file": "out%d.npz" % number, "scales": [float(d["quantization"][0]) for d in interpreter.get_output_details()]}


def networks(tf):
    """Name, and a function of nothing that gives inputs and outputs."""
    layers, nn = tf.layers, tf.nn

    def perceptron():
        x = tf.placeholder(tf.float32, [None, 20], "x")
        return [x], [nn.softmax(layers.dense(layers.dense(x, 32, nn.relu), 7), name="probabilities")]

    def lenet():
        x = tf.placeholder(tf.float32, [None, 28, 28, 1], "x")
        y = layers.max_pooling2d(layers.conv2d(x, 8, 5, padding="same", activation=nn.relu), 2, 2)
        y = layers.max_pooling2d(layers.conv2d(y, 16, 5, activation=nn.relu6), 2, 2)
        return [x], [layers.dense(layers.flatten(y), 10, name="logits")]

    def residual():
        x = tf.placeholder(tf.float32, [2, 16, 16, 3], "x")
        y = nn.relu(layers.batch_normalization(layers.conv2d(x, 8, 3, padding="same", use_bias=False)))
        z = layers.batch_normalization(layers.conv2d(y, 8, 3, padding="same"))
        y = nn.relu(y + z)
        return [x], [tf.reduce_mean(y, [1, 2], name="features")]

    def mobile():
        x = tf.placeholder(tf.float32, [1, 32, 32, 3], "x")
        y = nn.relu6(layers.batch_normalization(layers.conv2d(x, 8, 3, 2, padding="same", use_bias=False)))
        kernel = tf.get_variable("depthwise", [3, 3, 8, 2], initializer=tf.random_normal_initializer(0, 0.3, seed=4))
        y = nn.relu6(layers.batch_normalization(nn.depthwise_conv2d(y, kernel, [1, 1, 1, 1], "SAME")))
        y = layers.average_pooling2d(y, 4, 4)
        return [x], [tf.squeeze(layers.conv2d(tf.reduce_mean(y, [1, 2], keepdims=True), 5, 1), [1, 2], name="scores")]

    def upsampling():
        x = tf.placeholder(tf.float32, [1, 8, 8, 4], "x")
        y = layers.conv2d_transpose(x, 6, 3, 2, padding="same")
        y = nn.leaky_relu(tf.image.resize_bilinear(y, [24, 24], align_corners=True), 0.1)
        return [x], [tf.tanh(tf.pad(y, [[0, 0], [1, 1], [2, 2], [0, 0]]), name="image")]

    def pieces():
        x, z = tf.placeholder(tf.float32, [3, 8], "x"), tf.placeholder(tf.float32, [3, 8], "z")
        a, b = tf.split(x * 2 - z, 2, axis=1)
        joined = tf.concat([tf.maximum(a, b), tf.abs(a) + 0.5, tf.stack([b, a], 1)[:, 0]], 1)
        rows = tf.gather(tf.transpose(joined), [0, 3, 5])
        return [x, z], [tf.sqrt(tf.exp(rows), name="roots"), tf.argmax(joined, 1, name="best"), tf.identity(tf.reduce_max(rows, 1), name="most")]

    def dilated():
        x = tf.placeholder(tf.float32, [1, 20, 20, 2], "x")
        y = nn.elu(layers.conv2d(x, 4, 3, dilation_rate=2, padding="same"))
        return [x], [tf.sigmoid(layers.conv2d(nn.local_response_normalization(y), 3, 3, padding="valid"), name="map")]

    return [(f.__name__, f) for f in (perceptron, lenet, residual, mobile, upsampling, pieces, dilated)]


def export_networks(folder):
    """In Weft: converts each network and writes the model, inputs and its own outputs."""
    import numpy
    import tensorflow as tf

    cases = []
    for number, (name, build) in enumerate(networks(tf)):
        with tf.Graph().as_default(), tf.Session() as session:
            tf.set_random_seed(7)
            inputs, outputs = build()
            session.run(tf.global_variables_initializer())
            random = numpy.random.RandomState(number)
            for variable in tf.global_variables():  # moving averages that differ from their initial values
                if "moving" in variable.name:
                    session.run(variable.assign(random.uniform(0.5, 1.5, variable.shape.as_list())))
            model = tf.lite.TFLiteConverter.from_session(session, inputs, outputs).convert()
            path = os.path.join(folder, name + ".tflite")
            with open(path, "wb") as f:
                f.write(model)
            given = [random.uniform(-1, 1, [n or 1 for n in x.shape.as_list()]).astype("float32") for x in inputs]
            expected = session.run(outputs, dict(zip(inputs, given)))
            interpreter = tf.lite.Interpreter(model_path=path)
            indices = [d["index"] for d in interpreter.get_input_details()]
            numpy.savez(os.path.join(folder, "given%d.npz" % number), **{"i%d" % index: value for index, value in zip(indices, given)})
            numpy.savez(os.path.join(folder, "expected%d.npz" % number), *expected)
        cases.append(path)
    with open(os.path.join(folder, "cases.json"), "w") as f:
        json.dump(cases, f)


def call(command, *arguments):
    subprocess.run([*command, os.path.abspath(__file__), *arguments], check=True, timeout=SECONDS, stderr=subprocess.DEVNULL)


def arrays(path):
    import numpy

    with numpy.load(path) as stored:
        return [stored[name] for name in stored.files]


def difference(ours, theirs, scales):
    """How far apart: ("3 steps", 3), ("1.2e-07", …)."""
    import numpy

    worst, steps = 0.0, False
    if len(ours) != len(theirs):
        return "%d outputs instead of %d" % (len(ours), len(theirs)), float("inf")
    for a, b, scale in zip(ours, theirs, scales):
        if a.shape != b.shape or a.dtype != b.dtype:
            return "%s %s instead of %s %s" % (a.dtype, a.shape, b.dtype, b.shape), float("inf")
        steps |= bool(scale) and a.dtype.kind in "iu"
        if a.size:
            worst = max(worst, float(numpy.max(numpy.abs(a.astype("float64") - b.astype("float64")))))
    return ("%d steps" % worst if steps else "%.1e" % worst), worst


def table(title, judges, rows):
    lines = ["| %s | %s |" % (title, " | ".join(judges)), "|---|%s" % ("---|" * len(judges))]
    return lines + ["| %s | %s |" % (name, " | ".join(cells)) for name, cells in rows]


def versions(judges):
    code = "import tensorflow as tf; print(tf.__version__)"
    return ["tf.lite " + subprocess.run([p, "-c", code], capture_output=True, text=True, check=True).stdout.strip() for p in judges]


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--weft", default="build/release/bin/weft")
    parser.add_argument("--judge", action="append", default=[])
    parser.add_argument("--models")
    parser.add_argument("--markdown")
    options = parser.parse_args()
    weft = [options.weft, "py"]
    work = pathlib.Path(tempfile.mkdtemp(prefix="weft_tflite_"))
    titles = versions(options.judge)
    lines = []
    if options.models:
        root = pathlib.Path(options.models)
        cases = [str(p) for p in sorted(root.rglob("*")) if p.suffix in (".tflite", ".lite", ".bin") and p.read_bytes()[4:8] == b"TFL3"]
        reports = {}
        for name, command in [("weft", weft)] + [(t, [j]) for t, j in zip(titles, options.judge)]:
            folder = work / name.replace(" ", "_")
            folder.mkdir()
            (folder / "cases.json").write_text(json.dumps(cases))
            call(command, "--run", str(folder), *(["fork"] if command is not weft else []))
            reports[name] = (folder, json.loads((folder / "report.json").read_text()))
        rows = []
        for case in cases:
            ours = reports["weft"][1][case]
            cells = []
            for title in titles:
                folder, report = reports[title]
                theirs = report[case]
                if "error" in ours:
                    reason = ours["error"].split("'%s': " % case)[-1]  # what follows the file's name
                    cells.append("Weft: " + reason[:90].replace("|", "/"))
                elif "error" in theirs:
                    cells.append("judge: " + theirs["error"][:70].replace("|", "/"))
                else:
                    cells.append(difference(arrays(reports["weft"][0] / ours["file"]), arrays(folder / theirs["file"]), theirs["scales"])[0])
            rows.append((str(pathlib.Path(case).relative_to(root)), cells))
        lines += table("model read by Weft", titles, rows) + [""]
    folder = work / "export"
    folder.mkdir()
    call(weft, "--export", str(folder))
    cases = json.loads((folder / "cases.json").read_text())
    rows = [(pathlib.Path(case).stem, []) for case in cases]
    for judge in options.judge:
        call([judge], "--run", str(folder), "fork")
        report = json.loads((folder / "report.json").read_text())
        for number, case in enumerate(cases):
            got = report[case]
            rows[number][1].append(got["error"][:90] if "error" in got else difference(arrays(folder / ("expected%d.npz" % number)), arrays(folder / got["file"]), got["scales"])[0])
    lines += table("model written by Weft", titles, rows)
    print("\n".join(lines))
    if options.markdown:
        pathlib.Path(options.markdown).write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--run"]:
        run_models(json.load(open(os.path.join(sys.argv[2], "cases.json"))), sys.argv[2], fork="fork" in sys.argv[3:])
    elif sys.argv[1:2] == ["--export"]:
        export_networks(sys.argv[2])
    else:
        main()
