"""Runs Python exports of graphs in TensorFlow and compares the built graphs with the exported ones.

    python3.7 shown_in_tensorflow.py WEFT PATH… [--table FILE.md]

Needs a Python with TensorFlow 1.15. PATH: graph files (GraphDef, MetaGraphDef, SavedModel, binary or text) or folders to search for them. Each is judged in a
separate process, after TensorFlow has imported the file itself; a graph that TensorFlow refuses (unknown ops, dangling edges) is not judged. Equal means: the
same nodes with the same names, ops, inputs, devices and attributes, constants with equal values, and functions of the same names. An attribute that the file
omits may be present with its default. Prints one line for each graph that differs, and the counts; the exit status is 0 if all judged graphs are equal."""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile

ENDINGS = (".pb", ".pbtxt", ".meta", ".graph")


def graph_of(path):
    from google.protobuf import text_format
    from tensorflow.core.framework import graph_pb2
    from tensorflow.core.protobuf import meta_graph_pb2, saved_model_pb2

    with open(path, "rb") as f:
        data = f.read()
    for kind, pick in ((saved_model_pb2.SavedModel, lambda m: m.meta_graphs[0].graph_def if len(m.meta_graphs) == 1 else None),
                       (meta_graph_pb2.MetaGraphDef, lambda m: m.graph_def), (graph_pb2.GraphDef, lambda m: m)):
        for parse in (lambda m: m.ParseFromString(data), lambda m: text_format.Merge(data.decode("utf-8"), m)):
            message = kind()
            try:
                parse(message)
                graph = pick(message)
            except Exception:  # a different message
                continue
            if graph is not None and len(graph.node) and all(n.name and n.op for n in graph.node):
                return graph
    return None


def old_placeholder(wanted, made, difference):
    """Up to version 23 a scalar shape of a placeholder meant an unknown shape, which the export states explicitly."""
    name, _, what = difference.partition(": ")
    if what != "attribute shape" or wanted.versions.producer >= 24:
        return False
    there = next(n for n in made.node if n.name == name)
    return there.op == "Placeholder" and there.attr["shape"].shape.unknown_rank


def judge(weft, path):
    """(verdict, details): "equal", "differs" or "not judged"."""
    import tensorflow as tf

    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "app", "python", "tests"))
    from shown_as_python import differences

    wanted = graph_of(path)
    if wanted is None:
        return "not judged", "no graph that TensorFlow reads"
    try:
        with tf.Graph().as_default() as graph:
            tf.import_graph_def(wanted, name="")
        imported = graph.as_graph_def()
    except Exception as e:
        return "not judged", "TensorFlow does not import it: %s" % str(e).split("\n")[0][:160]
    with tempfile.TemporaryDirectory() as scratch:
        program = os.path.join(scratch, "program.py")
        done = subprocess.run([weft, "convert", path, program, "--to", "python"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
        if done.returncode:
            return "differs", "weft convert: %s" % done.stdout.strip().split("\n")[0]
        names = {"__name__": "program"}
        try:
            with open(program, encoding="utf-8") as f:
                exec(compile(f.read(), program, "exec"), names)
            made = names["build"](tf.Graph()).as_graph_def()
        except Exception as e:
            return "differs", "%s: %s" % (type(e).__name__, str(e).split("\n")[0][:200])
    # A node may equal the one in the file or the imported one, because TensorFlow's importer rewrites devices.
    unlike = {d.split(":")[0] for d in differences(imported, made)}
    found = [d for d in differences(wanted, made) if d.split(":")[0] in unlike]
    found = [d for d in found if not old_placeholder(wanted, made, d)]
    functions = [sorted(f.signature.name for f in g.library.function) for g in (wanted, made)]
    if functions[0] != functions[1]:
        found.append("functions %s instead of %s" % (functions[1][:4], functions[0][:4]))
    return ("differs", "%d differences: %s" % (len(found), "; ".join(found[:3]))) if found else ("equal", "%d nodes" % len(wanted.node))


def apart(weft, path):
    """judge() in a separate process with a limit of 300 s, because it may crash."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        signal.alarm(300)
        with os.fdopen(writing, "w") as pipe:
            json.dump(judge(weft, path), pipe)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        said = pipe.read()
    _, status = os.waitpid(child, 0)
    return json.loads(said) if status == 0 and said else ("differs", "the process ended with status %d" % status)


def files_of(paths):
    for path in paths:
        if not os.path.isdir(path):
            yield path, os.path.basename(path)
            continue
        for folder, folders, files in os.walk(path):
            folders.sort()
            for name in sorted(files):
                whole = os.path.join(folder, name)
                if name.endswith(ENDINGS) and os.path.getsize(whole) < 100 << 20:
                    yield whole, os.path.relpath(whole, path)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("weft")
    p.add_argument("paths", nargs="+")
    p.add_argument("--table")
    a = p.parse_args()
    import tensorflow as tf  # once for all children

    tf.compat.v1.logging.set_verbosity("ERROR")
    rows, counts = [], {"equal": 0, "differs": 0, "not judged": 0}
    for path, shown in files_of(a.paths):
        verdict, details = apart(os.path.abspath(a.weft), path)
        if details == "no graph that TensorFlow reads":
            continue
        counts[verdict] += 1
        rows.append((shown, verdict, details))
        if verdict == "differs":
            print("%s: %s" % (shown, details), flush=True)
    said = "%(equal)d of %%d judged graphs are equal, %(not judged)d are not judged" % counts % (counts["equal"] + counts["differs"])
    print(said)
    if a.table:
        with open(a.table, "w", encoding="utf-8") as f:
            f.write("# Graphs shown as Python and built by TensorFlow 1.15.5\n\nMade by `shown_in_tensorflow.py`: %s.\n\n| graph | verdict | |\n|---|---|---|\n" % said)
            f.writelines("| %s | %s | %s |\n" % (r[0], r[1], r[2].replace("|", "\\|")) for r in rows)
    return 1 if counts["differs"] else 0


if __name__ == "__main__":
    sys.exit(main())
