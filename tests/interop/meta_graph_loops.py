"""Exchanges meta graphs with loops and branches between both engines: each writes graphs with their gradients, and differentiates the graphs of both.

    python meta_graph_loops.py FOLDER write NAME       writes each graph as FOLDER/<graph>.NAME.meta and its gradient at one point as FOLDER/<graph>.NAME.npy
    python meta_graph_loops.py FOLDER check OWN NAME…  imports the meta graphs of each NAME, at the root and below a scope, differentiates them and compares every bit with
                                                       what this engine computed for the same graph when it was built (OWN)
    python meta_graph_loops.py FOLDER compare A B      compares the collections cond_context and while_context of both, message by message
    python meta_graph_loops.py FOLDER test A           all of these with the graphs that engine A has written into FOLDER (meta_graph_loops/ has TensorFlow 1.15.5's)

`python` is that of TensorFlow 1.15, or `weft py`. The last line is `N passed, M failed`; the exit status is 1 if any failed.
"""

import os
import shutil
import sys
import tempfile

import numpy as np
import tensorflow as tf

tf.logging.set_verbosity(tf.logging.ERROR)


def simple(x):
    return tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * x), [0, x])[1]


def branch(x):
    return tf.cond(x > 1., lambda: x * x * 3., lambda: tf.sin(x))


def branch_in_loop(x):
    return tf.while_loop(lambda i, a: i < 4, lambda i, a: (i + 1, tf.cond(a > 3., lambda: a * 2., lambda: a * x)), [0, x])[1]


def loop_in_branch(x):
    return tf.cond(x > 1., lambda: simple(x) + 1., lambda: x)


def loop_in_loop(x):
    def outer(i, a):
        return i + 1, tf.while_loop(lambda j, b: j < 2, lambda j, b: (j + 1, tf.sin(b * x)), [0, a])[1] + a
    return tf.while_loop(lambda i, a: i < 3, outer, [0, x])[1]


def three_deep(x):
    def outer(i, a):
        def inner(j, b):
            return j + 1, tf.cond(b > 0., lambda: tf.cond(x > 1., lambda: b * x, lambda: b), lambda: tf.tanh(b))
        return i + 1, tf.while_loop(lambda j, b: j < 2, inner, [0, a])[1]
    return tf.while_loop(lambda i, a: i < 2, outer, [0, x])[1]


def arrays(x):
    given = tf.TensorArray(tf.float32, 4).unstack(tf.stack([x, x * 2., x * 3., x * 4.]))
    made = tf.TensorArray(tf.float32, 4)
    return tf.reduce_prod(tf.while_loop(lambda i, t: i < 4, lambda i, t: (i + 1, t.write(i, given.read(i) * x)), [0, made])[1].stack())


def scan(x):
    return tf.reduce_sum(tf.scan(lambda a, b: a * b + x, tf.stack([x, x + 1., x + 2.])))


def mapped(x):
    return tf.reduce_sum(tf.map_fn(lambda v: tf.cond(v > 2., lambda: v * x, lambda: v), tf.stack([x, x + 1., x + 2.])))


def recurrent(x):
    cell = tf.nn.rnn_cell.LSTMCell(3, initializer=tf.constant_initializer(.3))
    data = tf.reshape(tf.stack([x, x + 1., x + 2., x + 3., x * 2., x * 3.]), [1, 3, 2])
    return tf.reduce_sum(tf.nn.dynamic_rnn(cell, data, sequence_length=[2], dtype=tf.float32)[0])


def bounded(x):
    return tf.while_loop(lambda a: a < 1000., lambda a: a * x, [x], maximum_iterations=3, parallel_iterations=7, swap_memory=True)


def case(x):
    return tf.case([(x > 5., lambda: x), (x > 1., lambda: x * x)], default=lambda: x * 7.)



GRAPHS = [simple, branch, branch_in_loop, loop_in_branch, loop_in_loop, three_deep, arrays, scan, mapped, recurrent, bounded, case]


def gradient(graph, scope=""):
    x, y = [graph.get_tensor_by_name(scope + n) for n in ("x:0", "y:0")]
    slope = tf.gradients(y, x)[0]
    with tf.Session(graph=graph) as session:
        session.run(tf.global_variables_initializer())
        return np.array([session.run([y, slope], {x: v}) for v in (1.5, .25)], np.float32)


def write(folder, name):
    for build in GRAPHS:
        with tf.Graph().as_default() as graph:
            x = tf.placeholder(tf.float32, [], name="x")
            tf.identity(build(x), name="y")
            tf.train.export_meta_graph(os.path.join(folder, "%s.%s.meta" % (build.__name__, name)))
            np.save(os.path.join(folder, "%s.%s.npy" % (build.__name__, name)), gradient(graph))
    return len(GRAPHS), 0


def check(folder, own, *names):
    passed = failed = 0
    for name in names:
        for build in GRAPHS:
            stem = os.path.join(folder, "%s.%s" % (build.__name__, name))
            for scope in ("", "below/"):
                try:
                    with tf.Graph().as_default() as graph:
                        tf.train.import_meta_graph(stem + ".meta", import_scope=scope[:-1] or None)
                        got = gradient(graph, scope)
                    wanted = np.load(os.path.join(folder, "%s.%s.npy" % (build.__name__, own)))
                    wrong = None if np.array_equal(got, wanted) else "%s, expected %s" % (got.tolist(), wanted.tolist())
                except Exception as e:
                    wrong = "%s: %s" % (type(e).__name__, str(e).split("\n")[0])
                passed, failed = passed + (wrong is None), failed + (wrong is not None)
                if wrong:
                    print("%s of %s at '%s': %s" % (build.__name__, name, scope, wrong))
    return passed, failed


def contexts(path):
    kinds = {"cond_context": "CondContextDef", "while_context": "WhileContextDef"}
    from tensorflow.core.protobuf import control_flow_pb2

    meta = tf.MetaGraphDef()
    with open(path, "rb") as f:
        meta.ParseFromString(f.read())
    return {key: [getattr(control_flow_pb2, kinds[key]).FromString(v) for v in meta.collection_def[key].bytes_list.value] if key in meta.collection_def else [] for key in kinds}


def compare(folder, *names):
    passed = failed = 0
    for build in GRAPHS:
        a, b = [contexts(os.path.join(folder, "%s.%s.meta" % (build.__name__, n))) for n in names]
        for key in a:
            same = a[key] == b[key]
            passed, failed = passed + same, failed + (not same)
            if not same:
                print("%s: %s differ: %d and %d messages" % (build.__name__, key, len(a[key]), len(b[key])))
                for m, n in zip(a[key], b[key]):
                    lines = [str(m).split("\n"), str(n).split("\n")]
                    print("\n".join(["  - " + x for x in lines[0] if x not in lines[1]][:6] + ["  + " + x for x in lines[1] if x not in lines[0]][:6]))
    return passed, failed


def test(folder, other):
    with tempfile.TemporaryDirectory() as both:
        for build in GRAPHS:
            shutil.copy(os.path.join(folder, "%s.%s.meta" % (build.__name__, other)), both)
        results = [write(both, "here"), check(both, "here", "here", other), compare(both, other, "here")]
    return tuple(sum(r) for r in zip(*results))


if __name__ == "__main__":
    where, what, named = sys.argv[1], sys.argv[2], sys.argv[3:]
    good, bad = {"write": write, "check": check, "compare": compare, "test": test}[what](where, *named)
    print("%d passed, %d failed" % (good, bad))
    sys.exit(1 if bad else 0)
