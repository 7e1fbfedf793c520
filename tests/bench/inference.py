#!/usr/bin/env python3
"""Inference of thirteen frozen models of the corpus by Weft, OpenVINO, ONNX Runtime, LiteRT and TensorFlow 2.x, at float32.

    inference.py --weft PATH/weft --corpus FOLDER --python tf=PATH --python ort=PATH … [--rounds 3] [--seconds 0.5] [--rows ROWS.json] [--out INFERENCE.md] [NAME ...]

Each pair is measured by `weft bench MODEL --against ENGINE`, in turn, after their results were compared; a --python PATH has the engine's module. Weft's time is the
median of its times beside the others. --rows keeps measured rows in a file: a later call measures its NAMEs again and writes the table of all.
"""
import argparse
import json
import os
import statistics
import sys

import measuring

POETS = "ssoniya+tensorflow-for-poets-2/tf_files/"
ONNX = "onnx+tensorflow-onnx/tests/models/"
POSE = "edvardHua+PoseEstimationForMobile/release/"
# name: what it does, file, options
MODELS = {
    "mobilenet_025_128": ("classification", POETS + "models/mobilenet_v1_0.25_128/frozen_graph.pb", []),
    "flowers": ("classification, retrained", POETS + "retrained_graph.pb", ["--fetch", "final_result"]),
    "mnist_conv": ("digits, convolutions, batch 64", "qizhi-zhang+tf-encrypted/models/mnist_model.pb", ["--shape", "Placeholder=64,784"]),
    "fc_layers": ("digits, dense layers, batch 64", ONNX + "fc-layers/frozen.pb", ["--shape", "X=64,784"]),
    "autoencoder": ("autoencoder, batch 64", ONNX + "ae0/frozen.pb", ["--shape", "X=64,784"]),
    "charades": ("activities in a picture of a video", "gsig+charades-webcam/frozen_model.pb", ["--shape", "input_image=1,224,224,3"]),
    "pose_cpm": ("pose, heat maps", POSE + "cpm_model/model.pb", []),
    "pose_hourglass": ("pose, heat maps", POSE + "hourglass_model/model.pb", []),
    "openpose": ("poses of several people, 368x432", "ildoonet+tf-pose-estimation/models/graph/mobilenet_v2_small/graph_opt.pb", ["--shape", "image=1,368,432,3"]),
    "lstm": ("digits by rows, LSTM, batch 16", ONNX + "lstm/frozen.pb", ["--shape", "X=16,784", "--feed", "keep_prob=1.0"]),
    "gru": ("digits by rows, GRU, batch 16", ONNX + "gru/frozen.pb", ["--shape", "X=16,784", "--feed", "keep_prob=1.0"]),
    "char_rnn": ("text, characters by LSTM", "zaneoliver6+char-rnn-lstm-receipts/frozen_model.pb", []),
    "lstm_tflite": ("digits by rows, LSTM, a .tflite", "tensorflow+tflite-micro/tensorflow/lite/micro/examples/mnist_lstm/trained_lstm.tflite", []),
}
ENGINES = {"openvino": "OpenVINO", "ort": "ONNX Runtime", "litert": "LiteRT", "tf": "TensorFlow"}


def measure(args, name):
    what, file, options = MODELS[name]
    row = {"what": what, "others": {}}
    for engine, python in args.pythons.items():
        row["others"][engine] = measuring.against(args.weft, os.path.join(args.corpus, file), engine, python, args.rounds, args.seconds, options)
        print(name, engine, json.dumps(row["others"][engine]), flush=True)
    good = [o for o in row["others"].values() if "error" not in o]
    if good:
        row["weft_ms"] = statistics.median(o["weft_ms"] for o in good)
        row["weft_first_ms"] = statistics.median(o["weft_first_ms"] for o in good)
        best = measuring.fastest(good)
        row["ratio"], row["best"] = best["ms"] / best["weft_ms"], best["engine"]
    return row


def cell(found):
    return "–" if found is None or "error" in found else "%.3f (%.1f s)" % (found["ms"], found["first_ms"] / 1e3)


def write(args, rows):
    lines = ["# Inference beside other engines", "",
             "Frozen models of the corpus at float32, fed from host memory, all threads. In each pair both engines run in turn, in processes of their own, and their",
             "results agree to 0.1 %. A cell: the median in milliseconds, and in brackets the seconds until the first result, from the start of the process (Weft: from",
             "reading the file). The last column is the smallest of the ratios other engine / Weft: above 1 Weft is the fastest. Made by `inference.py`.", "",
             *measuring.where_measured(args, [o for row in rows.values() for o in row["others"].values()]),
             "| model | what | Weft | %s | best of the others / Weft |" % " | ".join(ENGINES.values()), "|---|---|---|%s---|" % ("---|" * len(ENGINES))]
    failures = []
    for name in MODELS:
        if name not in rows:
            continue
        row = rows[name]
        weft = "%.3f (%.2f s)" % (row["weft_ms"], row["weft_first_ms"] / 1e3) if "weft_ms" in row else "–"
        ratio = "%.2f (%s)" % (row["ratio"], row["best"].split()[0]) if "ratio" in row else "–"
        lines.append("| %s | %s | %s | %s | %s |" % (name, row["what"], weft, " | ".join(cell(row["others"].get(e)) for e in ENGINES), ratio))
        failures += ["- %s, %s: %s" % (name, ENGINES[e], o["error"].replace("weft: ", "", 1).replace(args.corpus + "/", "")) for e, o in row["others"].items() if "error" in o]
    ratios = [row["ratio"] for row in rows.values() if "ratio" in row]
    measuring.write_table(args.out, lines, ratios, failures)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    measuring.pairing_arguments(parser, "INFERENCE.md")
    parser.add_argument("--corpus", required=True)
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    args.pythons = measuring.pythons(args)
    rows = measuring.kept_rows(args)
    for name in args.names or MODELS:
        rows[name] = measure(args, name)
    measuring.keep_rows(args, rows)
    write(args, rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
