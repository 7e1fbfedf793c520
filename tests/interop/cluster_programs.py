"""Programs over a cluster with a ps and two workers, for tests/interop/cluster.py: `cluster_programs.py PROGRAM MASTER`. Prints one JSON list of results. Each runs
in TensorFlow 1.15, TensorFlow 2 and `weft py` alike."""

import json
import sys
import threading
import time

import numpy as np
import tensorflow as tf

if not tf.__version__.startswith("1."):
    tf = tf.compat.v1
    tf.disable_v2_behavior()
PS, ONE, TWO = "/job:ps/task:0", "/job:worker/task:0", "/job:worker/task:1"
PROGRAMS = {}


def program(f):
    PROGRAMS[f.__name__] = f
    return f


def plain(value):
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, np.generic):
        return plain(value.item())
    return value.decode("latin1") if isinstance(value, bytes) else value


def failure(f):
    """Class and first line of the error's message."""
    try:
        f()
    except tf.errors.OpError as e:
        return [type(e).__name__, e.message.split("\n")[0]]
    return "no error"


def linear(device=PS):
    with tf.device(device):
        w = tf.get_variable("w", [3, 1], initializer=tf.constant_initializer(0.5))
        step = tf.train.get_or_create_global_step()
    with tf.device(ONE):
        x = tf.placeholder(tf.float32, [None, 3], name="x")
        loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - 1.))
        train = tf.train.AdamOptimizer(0.1).minimize(loss, global_step=step)
    return x, loss, train, step


def batches(n):
    random = np.random.RandomState(1)
    return [random.rand(4, 3).astype("float32") for _ in range(n)]


@program
def asynchronous_training(master):
    x, loss, train, step = linear()
    with tf.Session(master) as session:
        session.run(tf.global_variables_initializer())
        losses = [session.run([loss, train], {x: b})[0] for b in batches(30)]
        return [float(v) for v in losses] + [int(session.run(step))]


@program
def device_setter(master):
    cluster = tf.train.ClusterSpec({"ps": ["a:1"], "worker": ["b:1", "c:1"]})
    with tf.device(tf.train.replica_device_setter(cluster=cluster, worker_device=TWO)):
        a = tf.get_variable("a", initializer=[1., 2.])
        b = tf.get_variable("b", initializer=[3., 4.])
        c = a * b + 1.
    with tf.Session(master) as session:
        session.run(tf.global_variables_initializer())
        return [plain(session.run(c)), a.device, c.op.device]


@program
def partitioned_variables(master):
    with tf.device(tf.train.replica_device_setter(ps_tasks=1)):
        table = tf.get_variable("table", [10, 4], initializer=tf.random_uniform_initializer(seed=3),
                                partitioner=tf.fixed_size_partitioner(3))
        rows = tf.nn.embedding_lookup(table, [0, 5, 9])
    with tf.Session(master) as session:
        session.run(tf.global_variables_initializer())
        return plain(session.run(rows))


@program
def monitored_session(master):
    x, loss, train, step = linear()
    losses = []
    with tf.train.MonitoredTrainingSession(master=master, is_chief=True, hooks=[tf.train.StopAtStepHook(last_step=10)]) as session:
        for b in batches(20):
            if session.should_stop():
                break
            losses.append(float(session.run([loss, train], {x: b})[0]))
    return losses


@program
def supervisor(master):
    x, loss, train, step = linear()
    sv = tf.train.Supervisor(is_chief=True, global_step=step, saver=None, summary_op=None)
    with sv.managed_session(master) as session:
        return [float(session.run([loss, train], {x: b})[0]) for b in batches(5)]


@program
def synchronous_replicas(master):
    with tf.device(PS):
        w = tf.get_variable("w", [3, 1], initializer=tf.constant_initializer(0.5))
        step = tf.train.get_or_create_global_step()
    with tf.device(ONE):
        x = tf.placeholder(tf.float32, [None, 3])
        loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - 1.))
        optimizer = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(0.1), replicas_to_aggregate=1, total_num_replicas=1)
        train = optimizer.minimize(loss, global_step=step)
    losses = []
    hooks = [optimizer.make_session_run_hook(True), tf.train.StopAtStepHook(last_step=5)]
    # The chief's queue runner waits for a gradient that never comes; the session does not wait for it long.
    with tf.train.MonitoredTrainingSession(master=master, is_chief=True, hooks=hooks, stop_grace_period_secs=1) as session:
        for b in batches(20):
            if session.should_stop():
                break
            losses.append(float(session.run([loss, train], {x: b})[0]))
    return losses


@program
def kinds_of_edges(master):
    out = []
    with tf.Session(master) as session:
        for value in ([b"a", b"bc"], [True, False], [1 << 40], [1 + 2j], [[1.5, 2.5]], np.zeros([2, 0], "float32")):
            with tf.device(ONE):
                here = tf.identity(tf.placeholder_with_default(tf.constant(value), None))
            with tf.device(TWO):
                there = tf.identity(here)
            with tf.device(ONE):
                back = tf.identity(there)
            got = session.run(back)
            out.append([str(got.dtype), str(plain(got))])
    return out


@program
def branches(master):
    p = tf.placeholder(tf.bool, [])
    with tf.device(ONE):
        a = tf.constant(3.)

    def taken():
        with tf.device(TWO):
            return tf.square(a)

    def other():
        with tf.device(PS):
            return tf.negative(a)

    with tf.device(ONE):
        c = tf.cond(p, taken, other)
    with tf.Session(master) as session:
        return [float(session.run(c, {p: v})) for v in (True, False, True)]


@program
def loops(master):
    def body(i, v):
        with tf.device(TWO):
            v = v * 2. + 1.
        return i + 1, v

    with tf.device(ONE):
        n = tf.placeholder(tf.int32, [])
        _, out = tf.while_loop(lambda i, v: i < n, body, [0, tf.constant(1.)])
    with tf.Session(master) as session:
        return [float(session.run(out, {n: k})) for k in (0, 1, 10)]


@program
def nested_loops(master):
    def inner(j, s):
        with tf.device(TWO):
            s = s + 1.
        return j + 1, s

    def outer(i, s):
        with tf.device(ONE):
            _, s = tf.while_loop(lambda j, s: j < 3, inner, [0, s])
        return i + 1, s

    with tf.device(ONE):
        _, out = tf.while_loop(lambda i, s: i < 4, outer, [0, tf.constant(0.)])
    with tf.Session(master) as session:
        return float(session.run(out))


@program
def shared_queues(master):
    with tf.device(PS):
        queue = tf.FIFOQueue(10, tf.float32, [[]], shared_name="shared")
    put, get = queue.enqueue(tf.placeholder_with_default(2.5, [])), queue.dequeue()
    got = []
    with tf.Session(master) as first, tf.Session(master) as second:
        waiting = threading.Thread(target=lambda: got.append(float(second.run(get))))
        waiting.start()
        first.run(put)
        waiting.join()
        return got + [int(first.run(queue.size()))]


@program
def partial_runs(master):
    with tf.device(ONE):
        a, b = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
    with tf.device(TWO):
        square = tf.square(a)
    with tf.device(ONE):
        total = square + b
    with tf.Session(master) as session:
        handle = session.partial_run_setup([square, total], [a, b])
        return [float(session.partial_run(handle, square, {a: 3.})), float(session.partial_run(handle, total, {b: 1.}))]


@program
def full_trace(master):
    x, loss, train, step = linear()
    with tf.Session(master) as session:
        session.run(tf.global_variables_initializer())
        metadata = tf.RunMetadata()
        session.run(train, {x: batches(1)[0]}, options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE, output_partition_graphs=True), run_metadata=metadata)
        devices = sorted({d.device for d in metadata.step_stats.dev_stats if "device:CPU" in d.device})
        names = {n.node_name for d in metadata.step_stats.dev_stats for n in d.node_stats}
        return [devices, "MatMul" in names, len(metadata.partition_graphs)]


@program
def errors_and_limits(master):
    with tf.device(PS):
        queue = tf.FIFOQueue(1, tf.float32, [[]], shared_name="empty")
        get = queue.dequeue()
        v = tf.get_variable("unset", initializer=1.)
    with tf.device(TWO):
        checked = tf.check_numerics(tf.placeholder_with_default(float("nan"), []), "bad")
        both = checked + tf.placeholder_with_default(1., [])
    with tf.device(ONE):
        waits = tf.identity(get) + both
    out = []
    with tf.Session(master) as session:
        out.append(failure(lambda: session.run(v)))
        out.append(failure(lambda: session.run(both)))
        out.append(failure(lambda: session.run(waits)))
        out.append(failure(lambda: session.run(get, options=tf.RunOptions(timeout_in_ms=500)))[0])
    return out


@program
def reset(master):
    with tf.device(PS):
        v = tf.get_variable("v", initializer=1.)
    with tf.Session(master) as session:
        session.run(v.initializer)
    tf.Session.reset(master)
    with tf.Session(master) as session:
        return failure(lambda: session.run(v))


def restarted(task):
    """Kills a task and starts it again; cluster.py does it."""
    print("RESTART " + task, flush=True)
    sys.stdin.readline()


@program
def restarted_worker(master):
    with tf.device(TWO):
        here = tf.get_variable("here", initializer=1.)
        queue = tf.FIFOQueue(1, tf.float32, [[]], shared_name="empty")
        waits, add = queue.dequeue() + here, tf.assign_add(here, 1.)
    with tf.device(PS):
        there = tf.get_variable("there", initializer=5.)
    with tf.device(ONE):
        both = here + there
    out, during = [], []

    def lost(f):
        """Whether the error is one after which a MonitoredSession starts anew. Which of them depends on whether the master asks before or after the new start."""
        return failure(f)[0] in ("AbortedError", "UnavailableError")

    with tf.Session(master) as session:
        session.run(tf.global_variables_initializer())
        out.append(float(session.run(both)))
        blocked = threading.Thread(target=lambda: during.append(lost(lambda: session.run(waits))))
        blocked.start()
        time.sleep(1)
        restarted("worker 1")
        blocked.join()
        # The session's graphs are gone from the task, and its devices are not the ones that the session knows.
        out += [during[0], lost(lambda: session.run(add)), lost(lambda: session.run(both))]
    with tf.Session(master) as session:
        out.append(failure(lambda: session.run(both)))
        out.append(float(session.run(there)))
        session.run(here.initializer)
        out += [float(session.run(add)), float(session.run(both))]
    return out


@program
def large_tensor(master):
    with tf.device(ONE):
        big = tf.fill([50, 1000 * 1000], tf.placeholder_with_default(2., []))
    with tf.device(TWO):
        there = tf.identity(big)
        total = tf.reduce_sum(there[:, :10])
    with tf.Session(master) as session:
        return float(session.run(total))


if __name__ == "__main__":
    tf.logging.set_verbosity(tf.logging.ERROR)
    print("RESULT " + json.dumps(plain(PROGRAMS[sys.argv[1]](sys.argv[2]))))
