"""Scripts for newer public names (ragged tensors, linear operators, distributions …) build TensorFlow 1.15.5's graphs, node for node, and show the same values.

    weft py names_test.py [NAME…] [--verbose]

names/NAME.py is a script, which gets tf, np, show and raises. names/facts.json has TensorFlow's result for each: the number of nodes, a digest of the nodes
of each outer scope (names, ops, inputs, attributes, constants), and the output of show(); for NAME_values only the latter. `python3.7 names_test.py --write
[NAME…]` writes it with that TensorFlow. --lines NAME FILE writes the text behind the digests."""

import glob
import hashlib
import json
import os
import shutil
import sys
import tempfile

import numpy as np
import tensorflow as tf

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "names")
FACTS = os.path.join(HERE, "facts.json")


def attribute(value):
    kind = value.WhichOneof("value")
    if kind == "tensor":
        array = tf.make_ndarray(value.tensor)
        data = repr(array.tolist()).encode() if array.dtype == object else np.ascontiguousarray(array).tobytes()
        return "%s %s %s" % (array.dtype, array.shape, hashlib.md5(data).hexdigest())
    return repr(value.SerializeToString(deterministic=True))


def line(node):
    inputs = [i for i in node.input if not i.startswith("^")] + sorted(i for i in node.input if i.startswith("^"))
    return "%s %s %s %s %s" % (node.name, node.op, inputs, node.device, [(k, attribute(node.attr[k])) for k in sorted(node.attr) if k != "_output_shapes"])


def plain(x):
    """An argument of show() in a form that JSON can hold."""
    if isinstance(x, (tf.Variable, tf.Tensor, tf.Operation)):
        return x.name
    if isinstance(x, np.ndarray):
        return plain(x.tolist())
    if isinstance(x, (list, tuple)):
        return [plain(v) for v in x]
    if isinstance(x, dict):
        return {str(k): plain(v) for k, v in x.items()}
    if isinstance(x, (float, np.floating)):
        return float("%.5g" % x) if abs(x) > 1e-6 else 0.0
    if isinstance(x, bytes):
        return x.decode("latin-1")
    if isinstance(x, (bool, int, str)) or x is None:
        return x
    if isinstance(x, np.generic):
        return plain(x.item())
    return x.name if isinstance(getattr(x, "name", None), str) else str(x)


def raises(function):
    try:
        function()
    except Exception as e:
        return "%s: %s" % (type(e).__name__, str(e).split("\n")[0].strip())
    return "no error"


def built(name):
    """(the nodes as lines, the values shown)."""
    with open(os.path.join(HERE, name + ".py"), encoding="utf-8") as f:
        source = f.read()
    shown, here, work = [], os.getcwd(), tempfile.mkdtemp()
    os.chdir(work)
    try:
        with tf.Graph().as_default() as graph:
            exec(compile(source, name + ".py", "exec"), {"tf": tf, "np": np, "raises": raises, "show": lambda *a: shown.extend(plain(x) for x in a), "__name__": "example"})
        return [line(n) for n in graph.as_graph_def().node], shown
    finally:
        os.chdir(here)
        shutil.rmtree(work, ignore_errors=True)


def facts(name):
    lines, shown = built(name)
    if name.endswith("_values"):
        return {"nodes": 0, "scopes": {}, "shown": shown}
    scopes = {}
    for text in sorted(lines):
        scopes.setdefault(text.split(" ")[0].split("/")[0], []).append(text)
    return {"nodes": len(lines), "scopes": {s: hashlib.sha256("\n".join(t).encode()).hexdigest()[:8] for s, t in scopes.items()}, "shown": shown}


def apart(name):
    """facts() in a separate process, because some names count what the process has created before."""
    reading, writing = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            made = facts(name)
        except BaseException as e:
            import traceback

            made = {"error": "%s: %s" % (type(e).__name__, e), "trace": traceback.format_exc()}
        with os.fdopen(writing, "w") as pipe:
            json.dump(made, pipe)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        said = pipe.read()
    os.waitpid(child, 0)
    return json.loads(said) if said else {"error": "the process died"}


def differences(want, got):
    if "error" in got:
        return [got["error"]] + got.get("trace", "").split("\n")
    out = ["%d nodes, want %d" % (got["nodes"], want["nodes"])] if got["nodes"] != want["nodes"] else []
    out += ["scope %s differs" % s for s in sorted(set(want["scopes"]) | set(got["scopes"])) if want["scopes"].get(s) != got["scopes"].get(s)]
    out += ["show %d: %s, want %s" % (i, json.dumps(g), json.dumps(w)) for i, (w, g) in enumerate(zip(want["shown"], got["shown"])) if w != g]
    if len(want["shown"]) != len(got["shown"]):
        out.append("%d values shown, want %d" % (len(got["shown"]), len(want["shown"])))
    return out


def main():
    words = [a for a in sys.argv[1:] if not a.startswith("--")]
    if "--lines" in sys.argv:
        with open(words[1], "w") as f:
            f.write("\n".join(built(words[0])[0]) + "\n")
        return 0
    kept = json.load(open(FACTS)) if os.path.exists(FACTS) else {}
    names = words or sorted(os.path.basename(p)[:-3] for p in glob.glob(os.path.join(HERE, "*.py")))
    if "--write" in sys.argv:
        for name in names:
            kept[name] = apart(name)
            if "error" in kept[name]:
                sys.exit("%s: %s" % (name, kept[name]["trace"]))
        with open(FACTS, "w") as f:
            f.write("{\n" + ",\n".join('"%s": %s' % (n, json.dumps(kept[n], sort_keys=True)) for n in sorted(kept)) + "\n}\n")
        return 0
    good = 0
    for name in names:
        said = differences(kept[name], apart(name))
        good += not said
        for text in said if "--verbose" in sys.argv else said[:3]:
            print("%s: %s" % (name, text[:400]))
    print("%d of %d scripts agree" % (good, len(names)))
    return 0 if good == len(names) else 1


if __name__ == "__main__":
    sys.exit(main())
