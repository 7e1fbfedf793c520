"""In-graph replication: one client and one graph; the replicas are on the tasks of the workers, and their average gradient is applied once. `in_graph.py TARGET`"""
import json
import sys

import numpy as np
import tensorflow as tf


def average_gradients(tower_grads):
    average_grads = []
    for grad_and_vars in zip(*tower_grads):
        grads = [tf.expand_dims(g, 0) for g, _ in grad_and_vars]
        average_grads.append((tf.reduce_mean(tf.concat(grads, axis=0), 0), grad_and_vars[0][1]))
    return average_grads


with tf.device("/job:ps/task:0"):
    weights_1 = tf.Variable(tf.truncated_normal([4, 3], seed=1), name="weights_1")
    biases_1 = tf.Variable(tf.zeros([3]), name="biases_1")
with tf.device("/job:ps/task:1"):
    weights_2 = tf.Variable(tf.truncated_normal([3, 1], seed=2), name="weights_2")
    biases_2 = tf.Variable(tf.zeros([1]), name="biases_2")
optimizer = tf.train.GradientDescentOptimizer(0.1)
inputs, labels, losses, tower_grads = [], [], [], []
for i in range(2):
    with tf.device("/job:worker/task:%d" % i), tf.name_scope("replica_%d" % i):
        x, y = tf.placeholder(tf.float32, [None, 4]), tf.placeholder(tf.float32, [None, 1])
        layer_1 = tf.nn.relu(tf.matmul(x, weights_1) + biases_1)
        loss = tf.reduce_mean(tf.square(tf.matmul(layer_1, weights_2) + biases_2 - y))
        inputs.append(x)
        labels.append(y)
        losses.append(loss)
        tower_grads.append(optimizer.compute_gradients(loss))
with tf.device("/job:ps/task:0"):
    train_op = optimizer.apply_gradients(average_gradients(tower_grads))
random = np.random.RandomState(0)
with tf.Session(sys.argv[1]) as sess:
    sess.run(tf.global_variables_initializer())
    got = []
    for _ in range(20):
        feeds = {}
        for x, y in zip(inputs, labels):
            values = random.rand(8, 4)
            feeds.update({x: values, y: values[:, :1]})
        got.append([float(v) for v in sess.run(losses + [train_op], feeds)[:2]])
    metadata = tf.RunMetadata()
    sess.run(losses[1], feeds, options=tf.RunOptions(output_partition_graphs=True), run_metadata=metadata)
    nodes = [n for g in metadata.partition_graphs for n in g.node if n.op in ("_Send", "_Recv", "_HostSend", "_HostRecv") and not n.attr["client_terminated"].b]
    pairs = sorted({"%s > %s" % (n.attr["send_device"].s.decode(), n.attr["recv_device"].s.decode()) for n in nodes})
    sends = sum("Send" in n.op for n in nodes)
print("RESULT " + json.dumps({"losses": got, "edges": pairs, "sends": sends, "as many receives": 2 * sends == len(nodes),
                              "devices": [v.device for v in tf.global_variables()], "devices of session": None}))
