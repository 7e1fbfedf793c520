#!/usr/bin/env python
"""Writes the files of this folder: graphs, and how TensorFlow 1.15.5 cuts them into one graph per task.

    python make_partitions.py FOLDER

Needs TensorFlow 1.15. Starts a cluster of four tasks in this process. Rewrites by TensorFlow's optimizer are off."""
import os
import re
import socket
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"
import tensorflow as tf
from google.protobuf import text_format
from tensorflow.python.framework import function
from tensorflow.python.ops import control_flow_ops

tf.logging.set_verbosity(tf.logging.ERROR)
PS, PS1, WORKER, WORKER1 = "/job:ps/task:0", "/job:ps/task:1", "/job:worker/task:0", "/job:worker/task:1"
CASES = {}


def case(build):
    CASES[build.__name__] = build
    return build


def run(fetches, feeds=None):
    return fetches, feeds or {}


@case
def training():
    with tf.device(PS):
        w = tf.get_variable("w", [4, 3], initializer=tf.ones_initializer(), use_resource=False)
        b = tf.get_variable("b", [3], initializer=tf.zeros_initializer(), use_resource=False)
    with tf.device(WORKER):
        x = tf.placeholder(tf.float32, [None, 4], "x")
        loss = tf.reduce_mean(tf.square(tf.matmul(x, w) + b - 1.0))
        train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    yield [tf.global_variables_initializer()], {}, []
    yield [loss, train], {x: [[1, 2, 3, 4]]}, []


@case
def momentum_on_two_servers():
    with tf.device(tf.train.replica_device_setter(ps_tasks=2, worker_device=WORKER1)):
        step = tf.train.get_or_create_global_step()
        w = tf.get_variable("w", [4, 3], initializer=tf.ones_initializer(), use_resource=True)
        b = tf.get_variable("b", [3], initializer=tf.zeros_initializer(), use_resource=True)
        x = tf.placeholder(tf.float32, [None, 4], "x")
        loss = tf.reduce_mean(tf.square(tf.matmul(x, w) + b - 1.0))
        train = tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss, global_step=step)
    yield [tf.global_variables_initializer()], {}, []
    yield [loss, train], {x: [[1, 2, 3, 4]]}, []


@case
def strings_and_two_readers():
    with tf.device(WORKER):
        s = tf.constant(["abc", "d"], name="s")
    with tf.device(PS):
        n = tf.strings.length(s)
        upper = tf.strings.join([s, s])
    with tf.device(PS1):
        other = tf.strings.join([s, upper])
    yield [n, other], {}, []


@case
def cond():
    with tf.device(PS):
        b = tf.get_variable("b", [3], initializer=tf.zeros_initializer(), use_resource=False)
    with tf.device(WORKER):
        p = tf.placeholder(tf.bool, [], "p")
    with tf.device(PS):
        y = tf.cond(p, lambda: b + 1.0, lambda: b - 1.0)
    yield [b.initializer], {}, []
    yield [y], {p: True}, []


@case
def cond_on_three_tasks():
    with tf.device(WORKER1):
        a = tf.constant([1.0, 2.0], name="a")
        p = tf.less(tf.reduce_sum(a), 10.0)

    def yes():
        with tf.device(PS):
            left = a * 2.0
        with tf.device(PS1):
            return left + 1.0

    def no():
        with tf.device(WORKER):
            return a - 1.0

    y = tf.cond(p, yes, no)
    yield [y], {}, []


@case
def loop_with_body_elsewhere():
    with tf.device(PS):
        i, x = tf.constant(0), tf.constant(0.0)

        def body(i, x):
            with tf.device(WORKER):
                x = x + 1.0
            return i + 1, x

        _, y = tf.while_loop(lambda i, x: i < 5, body, [i, x])
    yield [y], {}, []


@case
def loop_on_three_tasks():
    with tf.device(WORKER):
        x0 = tf.constant([1.0, 2.0], name="x0")

    def body(i, x):
        with tf.device(PS1):
            h = tf.tanh(x)
        with tf.device(WORKER1):
            k = tf.split(h, 2)
        with tf.device(PS1):
            x = tf.concat([k[1], k[0]], 0)
        return i + 1, x

    with tf.device(PS):
        i, y = tf.while_loop(lambda i, x: i < 3, body, [0, x0], parallel_iterations=4)
    yield [y, i], {}, []


@case
def nested_loops():
    def outer_body(i, x):
        def inner_body(j, v):
            with tf.device(PS1):
                v = v * 1.5
            return j + 1, v

        with tf.device(WORKER):
            _, v = tf.while_loop(lambda j, v: j < i, inner_body, [0, x])
        with tf.device(PS):
            return i + 1, v + 1.0

    with tf.device(PS):
        _, y = tf.while_loop(lambda i, x: i < 3, outer_body, [0, tf.constant(1.0)])
    yield [y], {}, []


@case
def inner_loop_elsewhere():
    with tf.device(PS):
        n = tf.constant(3)

    def outer_body(i, x):
        with tf.device(WORKER1):
            v = tf.while_loop(lambda v: tf.less(v, 100.0), lambda v: v * 2.0, [x])
        return i + 1, v

    with tf.device(PS):
        _, y = tf.while_loop(lambda i, x: i < n, outer_body, [0, tf.constant(1.0)])
    yield [y], {}, []


@case
def cond_in_loop():
    def body(i, x):
        def odd():
            with tf.device(WORKER):
                return x * 3.0

        def even():
            with tf.device(WORKER1):
                return x + 1.0

        return i + 1, tf.cond(tf.equal(i % 2, 1), odd, even)

    with tf.device(PS):
        _, y = tf.while_loop(lambda i, x: i < 4, body, [0, tf.constant(1.0)])
    yield [y], {}, []


@case
def gradient_of_loop():
    with tf.device(PS):
        x = tf.constant(2.0, name="x")

        def body(i, v):
            with tf.device(WORKER):
                return i + 1, v * x

        _, y = tf.while_loop(lambda i, v: i < 3, body, [0, x])
    g = tf.gradients(y, x, colocate_gradients_with_ops=False)[0]
    yield [g], {}, []


@case
def control_edges():
    with tf.device(PS):
        v = tf.get_variable("v", [], initializer=tf.zeros_initializer(), use_resource=False)
        add = v.assign_add(1.0)
    with tf.device(WORKER), tf.control_dependencies([add]):
        a, b = tf.constant(1.0, name="a"), tf.constant(2.0, name="b")
        c = a + b
    with tf.device(PS1), tf.control_dependencies([add, c]):
        d = tf.no_op("d")
        e = tf.constant(7, name="e")
    with tf.device(WORKER1):
        group = tf.group(d, add)
    yield [v.initializer], {}, []
    yield [c, d, e, group], {}, []


@case
def references_read_elsewhere():
    with tf.device(PS):
        v = tf.get_variable("v", [2], initializer=tf.ones_initializer(), use_resource=False)
        ref = v.op.outputs[0]
        add = tf.assign_add(ref, [1.0, 1.0])
    with tf.device(WORKER):
        k = tf.constant([3.0, 4.0], name="k")
        with tf.control_dependencies([add]):
            y = tf.multiply(ref, k, name="y")
        z = tf.add(ref, ref, name="z")
        q = tf.add(add, k, name="q")
    yield [v.initializer], {}, []
    yield [y, z, q], {}, []


@case
def reference_moves_its_reader():
    with tf.device(PS1):
        v = tf.get_variable("v", [2], initializer=tf.ones_initializer(), use_resource=False)
        h = tf.get_variable("h", [2], initializer=tf.ones_initializer(), use_resource=True)
    with tf.device(WORKER):
        one = tf.constant([1.0, 1.0], name="one")
        a = tf.assign_add(v.op.outputs[0], one, name="a")
        with tf.control_dependencies([a]):
            r = h.assign_add(one, read_value=False)
    yield [v.initializer, h.initializer], {}, []
    yield [a, r], {}, []


@case
def no_device_asked_for():
    x = tf.placeholder(tf.float32, [None, 2], "x")
    a = tf.constant([[1.0, 2.0]], name="a")
    with tf.device(WORKER1):
        b = a + 1.0
        m = tf.matmul(x, [[1.0], [2.0]])
    shape = tf.shape(m)
    rank = tf.rank(b)
    size = tf.size(x)
    free = tf.add(tf.constant(1.0), 2.0, name="free")
    with tf.device("/job:worker"):
        anyWorker = tf.negative(free)
    with tf.device("/task:1"):
        first = tf.abs(free)
    with tf.device("/device:CPU:0"):
        cpu = tf.square(m)
    yield [b, shape, rank, size, anyWorker, first, cpu], {x: [[1, 2]]}, []


@case
def colocation():
    with tf.device(PS1):
        v = tf.get_variable("v", [2], initializer=tf.ones_initializer(), use_resource=False)
    with tf.colocate_with(v.op):
        c = tf.constant([1.0, 2.0], name="c")
        n = tf.negative(c, name="n")
    with tf.colocate_with(n.op):
        late = tf.constant([1.0, 2.0], name="late")
    free = tf.constant(1.0, name="free")
    with tf.colocate_with(free.op):
        with_free = tf.constant(2.0, name="with_free")
    with tf.device(WORKER):
        use = tf.add(free, 1.0, name="use")
        use_late = tf.add(late, n, name="use_late")
    yield [use, use_late, with_free], {}, []


@case
def feeds_and_fetches():
    with tf.device(PS):
        x = tf.placeholder(tf.float32, [2], "x")
        a = tf.add(x, 1.0, name="a")
    with tf.device(WORKER1):
        b = tf.multiply(a, x, name="b")
        parts = tf.split(b, 2, name="parts")
        with tf.control_dependencies([x]):
            c = tf.constant(3.0, name="c")
        d = parts[0] + parts[1]
    yield [b, c], {x: [1, 2]}, []
    yield [b, a], {x: [1, 2]}, []
    yield [d, b], {a: [1, 2], x: [0, 0]}, []
    yield [d, parts[0]], {parts[1]: [1]}, [] if False else [x]
    yield [a], {x: [1, 2]}, []


@case
def functions():
    @function.Defun(tf.float32, func_name="twice")
    def twice(x):
        return x * 2.0

    with tf.device(WORKER1):
        a = twice(tf.constant(1.0, name="one"))
    with tf.device(PS):
        b = twice(a)
    yield [b], {}, []


@case
def queues():
    with tf.device(PS):
        q = tf.FIFOQueue(4, [tf.float32], [[]], name="q", shared_name="q")
    with tf.device(WORKER1):
        put = q.enqueue([tf.constant(1.0, name="one")])
    with tf.device(WORKER), tf.control_dependencies([put]):
        got = q.dequeue() + 1.0
    yield [got], {}, []


@case
def tensor_array_elsewhere():
    with tf.device(PS):
        xs = tf.constant([1.0, 2.0, 3.0], name="xs")
    with tf.device(WORKER):
        ys = tf.map_fn(lambda x: x * 2.0, xs)
    yield [ys], {}, []


@case
def switch_follows_its_data():
    with tf.device(PS):
        a = tf.constant(1.0, name="a")
    with tf.device(WORKER):
        p = tf.constant(True, name="p")
        off, on = control_flow_ops.switch(a, p, name="first")
    with tf.device(WORKER1):
        off2, on2 = control_flow_ops.switch(on, p, name="second")
        y, _ = control_flow_ops.merge([off2, on2], name="y")
    yield [y], {}, []


# ---- writing

def value(attr):
    kind = attr.WhichOneof("value")
    if kind == "type":
        return tf.DType(attr.type).name
    if kind == "tensor":
        return "tensor " + tf.DType(attr.tensor.dtype).name + " [" + ",".join(str(d.size) for d in attr.tensor.tensor_shape.dim) + "]"
    if kind == "s":
        return '"' + attr.s.decode() + '"'
    if kind == "b":
        return "true" if attr.b else "false"
    if kind == "i":
        return str(attr.i)
    return "?"


def made(node):
    return re.search(r"_S\d+$", node.name) or node.name.startswith(("_recv_", "_send_"))


def line(node):
    text = "%s = %s@%s(%s)" % (node.name, node.op, node.device, ", ".join(node.input))
    if made(node):
        text += " {" + "; ".join("%s=%s" % (k, value(v)) for k, v in sorted(node.attr.items()) if k != "_start_time") + "}"
    return text


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def main(folder, only):
    cluster = tf.train.ClusterSpec({job: ["127.0.0.1:%d" % free_port() for _ in range(2)] for job in ("ps", "worker")})
    servers = {(job, task): tf.train.Server(cluster, job, task) for job in ("ps", "worker") for task in (0, 1)}
    config = tf.ConfigProto()
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    config.graph_options.optimizer_options.opt_level = -1
    for name, build in sorted(CASES.items()):
        tf.Session.reset(servers["worker", 0].target)
        if only and name not in only:
            continue
        graph = tf.Graph()
        out = []
        with graph.as_default():
            steps = list(build())
            with tf.Session(servers["worker", 0].target, config=config) as session:
                devices = [d for d in session.list_devices() if d.device_type == "CPU"]
                first = [d for d in devices if "worker/replica:0/task:0" in d.name]
                for d in first + [d for d in devices if d not in first]:
                    out.append("# device %s %d" % (d.name, d.incarnation % 2 ** 64))
                for fetches, feeds, extra in steps:
                    metadata = tf.RunMetadata()
                    feeds = dict(feeds)
                    for e in extra:
                        feeds[e] = [1, 2]
                    out.append("# step")
                    out += ["# feed " + t.name for t in feeds]
                    for f in fetches:
                        isOp = isinstance(f, tf.Operation)
                        out.append("# %s %s" % ("target" if isOp else "fetch", f.name))
                    try:
                        session.run(fetches, feeds, options=tf.RunOptions(output_partition_graphs=True), run_metadata=metadata)
                    except tf.errors.OpError as e:
                        out.append("# error %s %s" % (e.error_code, e.message.replace("\n", "\\n")))
                        continue
                    for part in sorted(metadata.partition_graphs, key=lambda g: g.node[0].device):
                        out.append("# part " + part.node[0].device.rsplit("/", 1)[0])
                        out += ["#   " + line(n) for n in part.node]
        definition = graph.as_graph_def()
        for node in definition.node:
            out.append("node { %s }" % text_format.MessageToString(node, as_one_line=True))
        for f in definition.library.function:
            out.append("library { function { %s } }" % text_format.MessageToString(f, as_one_line=True))
        out.append("versions { producer: %d }" % definition.versions.producer)
        with open(os.path.join(folder, name + ".pbtxt"), "w") as file:
            file.write("\n".join(out) + "\n")
        print(name, len(out))


main(sys.argv[1], sys.argv[2:])
