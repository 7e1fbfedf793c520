"""Exports graphs as Python with `weft convert --to python` and builds them again: weft py shown_as_python.py WEFT FOLDER [NAME…]

Each *.pbtxt of the folder is a GraphDef. The exported program must build the same nodes: names, ops, inputs, devices, attributes."""

import os
import subprocess
import sys
import tempfile

from google.protobuf import text_format

import tensorflow as tf


def _attrs(node):
    """Attributes with tensors by value, because a tensor can be encoded in several ways."""
    out = {}
    for key, value in node.attr.items():
        if value.WhichOneof("value") == "tensor":
            try:
                array = tf.make_ndarray(value.tensor)
            except (TypeError, ValueError):  # no NumPy type: compare the encoding
                out[key] = value.SerializeToString(deterministic=True)
                continue
            out[key] = (value.tensor.dtype, array.shape, array.tobytes() if array.dtype != object else array.tolist())
        else:
            out[key] = value.SerializeToString(deterministic=True)
    return out


def _inputs(node):
    plain = [i[:-2] if i.endswith(":0") else i for i in node.input]
    data = [i for i in plain if not i.startswith("^")]
    return data, sorted(i for i in plain if i.startswith("^"))


def differences(wanted, made):
    """The differences as lines."""
    there = {n.name: n for n in made.node}
    out = ["%s is missing" % n.name for n in wanted.node if n.name not in there]
    out += ["%s was not asked for" % name for name in sorted(set(there) - {n.name for n in wanted.node})]
    for n in wanted.node:
        m = there.get(n.name)
        if m is None:
            continue
        if (n.op, n.device) != (m.op, m.device):
            out.append("%s: %s %s instead of %s %s" % (n.name, m.op, m.device, n.op, n.device))
        if _inputs(n) != _inputs(m):
            out.append("%s: inputs %s instead of %s" % (n.name, list(m.input), list(n.input)))
        a, b = _attrs(n), _attrs(m)
        for key in sorted(set(a) | set(b)):
            if a.get(key) == b.get(key):
                continue
            if key not in a:  # a default omitted from the file
                continue
            out.append("%s: attribute %s" % (n.name, key))
    return out


def main():
    weft, folder, names = sys.argv[1], sys.argv[2], sys.argv[3:]
    bad = 0
    files = sorted(f for f in os.listdir(folder) if f.endswith(".pbtxt") and (not names or f[:-6] in names))
    for file in files:
        wanted = tf.GraphDef()
        with open(os.path.join(folder, file), encoding="utf-8") as f:
            text_format.Parse(f.read(), wanted)
        with tempfile.TemporaryDirectory() as scratch:
            program = os.path.join(scratch, "program.py")
            subprocess.run([weft, "convert", os.path.join(folder, file), program, "--to", "python"], check=True)
            with open(program, encoding="utf-8") as f:
                names_of_program = {"__name__": "program"}
                exec(compile(f.read(), program, "exec"), names_of_program)
        try:
            found = differences(wanted, names_of_program["build"](tf.Graph()).as_graph_def())
        except Exception as e:  # the program could not be run
            found = ["%s: %s" % (type(e).__name__, e)]
        if found:
            bad += 1
            print("%s: %d differences: %s" % (file, len(found), "; ".join(found[:4])))
    print("%d of %d graphs are built again" % (len(files) - bad, len(files)))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
