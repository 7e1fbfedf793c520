"""One process of cluster.py: a server, or a client that measures. A TensorFlow 1.x program, for TensorFlow and for `weft py`.

    cluster_steps.py serve CLUSTER JOB TASK
    cluster_steps.py steps TARGET                prints {"add": …, "far": …, "large": …}: seconds of each step
    cluster_steps.py train CLUSTER TASK SECONDS  a worker's share of an asynchronous training; prints {"steps": …, "loss": …}
"""
import json
import sys
import time

import numpy as np
import tensorflow as tf


def seconds_of(run, least_steps, seconds):
    for _ in range(20):
        run()
    times, end = [], time.perf_counter() + seconds
    while len(times) < least_steps or time.perf_counter() < end:
        begin = time.perf_counter()
        run()
        times.append(time.perf_counter() - begin)
    times.sort()
    return {"median": times[len(times) // 2], "best": times[0]}


def steps(target):
    x = tf.placeholder(tf.float32)
    with tf.device("/job:worker/task:0"):
        near = x + 2.0
    with tf.device("/job:ps/task:0"):
        small = tf.Variable(tf.zeros([12]))
        large = tf.Variable(tf.zeros([4 << 20]))
    with tf.device("/job:worker/task:0"):
        far = x + small
        first = tf.strided_slice(large, [0], [1])
    session = tf.Session(target)
    session.run(tf.global_variables_initializer())
    feed = {x: 1.0}
    return {"add": seconds_of(lambda: session.run(near, feed), 2000, 1), "far": seconds_of(lambda: session.run(far, feed), 2000, 1),
            "large": seconds_of(lambda: session.run(first), 100, 2)}


def train(cluster, task, seconds):
    """784 - 100 - 10 with batches of 64, variables on the ps, gradient descent; every worker for itself."""
    server = tf.train.Server(cluster, "worker", task)
    with tf.device(tf.train.replica_device_setter(cluster=tf.train.ClusterSpec(cluster), worker_device="/job:worker/task:%d" % task)):
        x = tf.placeholder(tf.float32, [64, 784])
        labels = tf.placeholder(tf.int64, [64])
        w1 = tf.get_variable("w1", [784, 100], initializer=tf.random_normal_initializer(stddev=0.05, seed=1))
        b1 = tf.get_variable("b1", [100], initializer=tf.zeros_initializer())
        w2 = tf.get_variable("w2", [100, 10], initializer=tf.random_normal_initializer(stddev=0.05, seed=2))
        b2 = tf.get_variable("b2", [10], initializer=tf.zeros_initializer())
        logits = tf.matmul(tf.nn.relu(tf.matmul(x, w1) + b1), w2) + b2
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
        step = tf.train.get_or_create_global_step()
        update = tf.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=step)
        ready = tf.report_uninitialized_variables()
        initialize = tf.global_variables_initializer()
    random = np.random.RandomState(task)
    batches = []
    for _ in range(20):
        digits = random.randint(0, 10, 64)
        images = random.rand(64, 784).astype(np.float32) * 0.1
        images[np.arange(64), digits * 70] += 1.0
        batches.append({x: images, labels: digits})
    config = tf.ConfigProto(device_filters=["/job:ps", "/job:worker/task:%d" % task])
    with tf.Session(server.target, config=config) as session:
        if task == 0:
            session.run(initialize)
        while session.run(ready).size:
            time.sleep(0.05)
        for i in range(50):
            session.run(update, batches[i % 20])
        print("ready", flush=True)
        sys.stdin.readline()
        count, end = 0, time.perf_counter() + seconds
        while time.perf_counter() < end:
            session.run(update, batches[count % 20])
            count += 1
        return {"steps": count / seconds, "loss": float(session.run(loss, batches[0]))}


def main():
    what = sys.argv[1]
    if what == "serve":
        server = tf.train.Server(json.loads(sys.argv[2]), sys.argv[3], int(sys.argv[4]))
        print("ready", flush=True)
        server.join()
    elif what == "steps":
        print(json.dumps(steps(sys.argv[2])), flush=True)
    else:
        print(json.dumps(train(json.loads(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]))), flush=True)


main()
