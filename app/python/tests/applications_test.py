"""The networks of tf.keras.applications build the graphs of TensorFlow 1.15.5, node for node.

    weft py applications_test.py [--few | NAME…]        (--few: one of each family)

applications.json has, for each network, TensorFlow 1.15.5's number of nodes and parameters, and a digest of the nodes: names, ops, inputs, attributes,
constants. `python3.7 applications_test.py --write` writes it with that TensorFlow. --lines NAME FILE writes the text behind a digest."""

import hashlib
import json
import os
import sys

import numpy as np
import tensorflow as tf

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "applications.json")
SMALL = {"include_top": False, "input_shape": (96, 96, 3), "pooling": "avg"}
CASES = {name: dict(SMALL) for name in (
    "DenseNet121", "DenseNet169", "DenseNet201", "InceptionResNetV2", "InceptionV3", "MobileNet", "MobileNetV2", "NASNetLarge", "NASNetMobile", "ResNet50", "ResNet101", "ResNet152",
    "ResNet50V2", "ResNet101V2", "ResNet152V2", "VGG16", "VGG19", "Xception")}
for _name in ("MobileNet", "MobileNetV2", "NASNetMobile", "ResNet50", "VGG16", "DenseNet121", "InceptionV3", "Xception"):
    CASES[_name + ", top"] = {"classes": 7}
CASES["MobileNetV2, narrow"] = {"alpha": 0.35, "input_shape": (96, 96, 3)}
CASES["ResNet50V2, any size"] = {"include_top": False, "pooling": "max"}


def attribute(value):
    kind = value.WhichOneof("value")
    if kind == "tensor":
        array = tf.make_ndarray(value.tensor)
        return "%s %s %s" % (array.dtype, array.shape, hashlib.md5(np.ascontiguousarray(array).tobytes() if array.dtype != object else repr(array.tolist()).encode()).hexdigest())
    return repr(value.SerializeToString(deterministic=True))


def lines(graph_def):
    out = []
    for n in graph_def.node:
        inputs = [i for i in n.input if not i.startswith("^")] + sorted(i for i in n.input if i.startswith("^"))
        out.append("%s %s %s %s %s" % (n.name, n.op, inputs, n.device, [(k, attribute(n.attr[k])) for k in sorted(n.attr) if k != "_output_shapes"]))
    return out


def built(name):
    """(the model's number of parameters, its graph as lines)."""
    tf.keras.backend.clear_session()
    with tf.Graph().as_default() as graph:
        model = getattr(tf.keras.applications, name.split(",")[0])(weights=None, **CASES[name])
        return int(model.count_params()), lines(graph.as_graph_def())


def facts(name):
    parameters, nodes = built(name)
    return {"nodes": len(nodes), "parameters": parameters, "digest": hashlib.sha256("\n".join(sorted(nodes)).encode()).hexdigest()}


def prepared():
    """Preprocessing of images, and refused arguments."""
    x = np.arange(2 * 3 * 3 * 3).reshape(2, 3, 3, 3) * 4
    out = {}
    for module in ("vgg16", "densenet", "xception"):
        out[module] = np.round(getattr(tf.keras.applications, module).preprocess_input(x.copy()).astype(np.float64).sum(axis=(0, 1, 2)), 3).tolist()
    for options in ({"weights": "nowhere"}, {"weights": None, "input_shape": (16, 16, 3), "include_top": False}, {"weights": "imagenet", "classes": 5},
                    {"weights": None, "input_shape": (None, None, 3)}):
        try:
            tf.keras.applications.VGG16(**options)
            out[repr(sorted(options))] = "no error"
        except ValueError as e:
            out[repr(sorted(options))] = str(e)
    return out


def main():
    if sys.argv[1:2] == ["--lines"]:
        with open(sys.argv[3], "w") as f:
            f.write("\n".join(built(sys.argv[2])[1]) + "\n")
        return 0
    if sys.argv[1:2] == ["--write"]:
        made = {name: facts(name) for name in CASES}
        made["prepared"] = prepared()
        with open(HERE, "w") as f:
            json.dump(made, f, indent=1, sort_keys=True)
            f.write("\n")
        return 0
    with open(HERE) as f:
        wanted = json.load(f)
    few = ["DenseNet121", "InceptionResNetV2", "InceptionV3", "MobileNet, top", "MobileNetV2, narrow", "NASNetMobile", "ResNet50", "ResNet50V2, any size", "VGG16, top", "Xception"]
    names, bad = few if sys.argv[1:] == ["--few"] else sys.argv[1:] or list(CASES), 0
    for name in names:
        got = facts(name)
        if got != wanted[name]:
            bad += 1
            print("%s: %s instead of %s" % (name, got, wanted[name]))
    if sys.argv[1:] in ([], ["--few"]) and prepared() != wanted["prepared"]:
        bad += 1
        print("prepared: %s instead of %s" % (prepared(), wanted["prepared"]))
    print("%d of %d networks agree" % (len(names) - bad, len(names)))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
