"""Runs short TensorFlow 1.x scripts and compares the graphs that they build with TensorFlow's.

    weft py api_graphs.py FOLDER [NAME…] [--names] [--verbose] [--out FOLDER]

FOLDER/NAME.py is a script, which gets tf, np, show and raises; FOLDER/NAME.pbtxt is its graph. --names also compares the output of show() and the collections
(FOLDER/NAME.json). Each script runs in a separate process, because some names count what the process has created before. Random parts of names (folders of
sharded saves, shared names of tables) are replaced by zeros on both sides; TensorFlow, too, draws them anew in each run. FOLDER or its parent has
compare_graph.py, which compares names, ops, inputs, devices, attributes and values of constants. Prints one line per script that differs, and the number of
scripts that agree; the exit status is 1 if any differs."""

import glob
import json
import os
import re
import shutil
import sys
import tempfile
import traceback

import numpy as np

import tensorflow as tf


def raises(function):
    try:
        function()
    except Exception as e:
        return "%s: %s" % (type(e).__name__, str(e).split("Originally defined at")[0].split("\n")[0].strip())
    return "no error"


def text_of(x):
    if isinstance(x, (tf.Variable, tf.Tensor, tf.Operation)):
        return x.name
    if isinstance(x, (list, tuple)):
        return [text_of(v) for v in x]
    if isinstance(x, (bool, int, float, str)) or x is None:
        return x
    name = getattr(x, "name", None)
    return name if isinstance(name, str) else str(x)


def collection_item(x):
    if isinstance(x, (list, tuple)):
        return [collection_item(v) for v in x]
    name = getattr(x, "name", None)
    if isinstance(name, str):
        return name
    return x if isinstance(x, (bool, int, float, str)) else type(x).__name__


def stable(text):
    """Replaces random parts of names by zeros, as in the references."""
    text = re.sub(r"_temp_[0-9a-f]{32}", "_temp_" + "0" * 32, text)
    return re.sub(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "00000000-0000-0000-0000-000000000000", text)


def run(folder, name, out, names_too):
    """The differences as lines."""
    from google.protobuf import text_format

    with open(os.path.join(folder, name + ".py"), encoding="utf-8") as f:
        source = f.read()
    shown = []
    here, work = os.getcwd(), tempfile.mkdtemp()
    graph = tf.Graph()
    os.chdir(work)
    failure = None
    try:
        with graph.as_default():
            exec(compile(source, name + ".py", "exec"),
                 {"tf": tf, "np": np, "raises": raises, "show": lambda *a: shown.extend(text_of(x) for x in a), "__name__": "example"})
    except BaseException as e:
        failure = e
    finally:
        os.chdir(here)
        shutil.rmtree(work, ignore_errors=True)
    if failure is not None:
        where = traceback.extract_tb(failure.__traceback__)
        line = next((t.lineno for t in where if t.filename == name + ".py"), 0)
        return ["line %d: %s: %s" % (line, type(failure).__name__, str(failure).split("\n")[0])], traceback.format_exception(failure)
    got = os.path.join(out, name + ".pbtxt")
    with open(got, "w", encoding="utf-8") as f:
        f.write(stable(text_format.MessageToString(graph.as_graph_def())))
    import compare_graph

    _, lines = compare_graph.compare(os.path.join(folder, name + ".pbtxt"), got)
    want_file = os.path.join(folder, name + ".json")
    if names_too and os.path.exists(want_file):
        with open(want_file, encoding="utf-8") as f:
            want = json.load(f)
        got_shown = json.loads(stable(json.dumps(shown, default=str)))
        for i, (w, g) in enumerate(zip(want["shown"], got_shown)):
            if w != g:
                lines.append("show %d: %s, want %s" % (i, json.dumps(g), json.dumps(w)))
        if len(want["shown"]) != len(got_shown):
            lines.append("%d values shown, want %d" % (len(got_shown), len(want["shown"])))
        collections = {}
        for key in sorted(graph.get_all_collection_keys(), key=str):
            if not key.startswith("__"):
                collections[key] = [collection_item(x) for x in graph.get_collection(key)]
        for key, value in want["collections"].items():
            if json.loads(stable(json.dumps(collections.get(key), default=str))) != value:
                lines.append("collection %s: %s, want %s" % (key, json.dumps(collections.get(key), default=str), json.dumps(value)))
    return lines, None


def run_apart(folder, name, out, names_too):
    """run() in a separate process."""
    reading, writing = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        os.close(reading)
        with os.fdopen(writing, "w", encoding="utf-8") as pipe:
            json.dump(run(folder, name, out, names_too), pipe)
        sys.stdout.flush()
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as pipe:
        said = pipe.read()
    _, status = os.waitpid(child, 0)
    return json.loads(said) if status == 0 and said else (["the process ended with status %d" % status], None)


def main():
    options = {a for a in sys.argv[1:] if a.startswith("--") and "=" not in a}
    words = [a for a in sys.argv[1:] if not a.startswith("--")]
    folder = os.path.abspath(words[0])
    out = next((a.split("=", 1)[1] for a in sys.argv[1:] if a.startswith("--out=")), None) or tempfile.mkdtemp()
    os.makedirs(out, exist_ok=True)
    sys.path[2:2] = [folder, os.path.dirname(folder)]
    names = words[1:] or sorted(os.path.basename(p)[:-3] for p in glob.glob(os.path.join(folder, "*.py")) if os.path.exists(p[:-3] + ".pbtxt"))
    good = 0
    for name in names:
        lines, trace = run_apart(folder, name, out, "--names" in options)
        if not lines:
            good += 1
            continue
        print("%s: %s%s" % (name, lines[0][:220], " (and %d more)" % (len(lines) - 1) if len(lines) > 1 else ""))
        if "--verbose" in options:
            for line in trace or lines[1:]:
                print("    " + line.rstrip()[:400])
        sys.stdout.flush()
    print("%d of %d scripts agree" % (good, len(names)))
    return 0 if good == len(names) else 1


if __name__ == "__main__":
    sys.exit(main())
