#!/usr/bin/env python3
"""Makes loop.pb and expected.json with TensorFlow 1.15.5: python make_graphs.py FOLDER

A while loop over a small cell with a variable, its loss and one step of gradient descent: both directions of v1 control flow.
"""
import json
import sys
import numpy as np
import tensorflow as tf

folder = sys.argv[1]
graph = tf.Graph()
with graph.as_default():
    x = tf.placeholder(tf.float32, [3], name='x')
    start = tf.constant(0, name='start')
    w = tf.Variable([1.5, 2., 0.5], name='w')

    def body(i, h):
        with tf.name_scope('cell'):
            return tf.add(i, 1, name='count'), tf.add(tf.tanh(h * w, name='tanh'), tf.cast(i, tf.float32) * 0.1, name='h')

    i, h = tf.while_loop(lambda i, h: tf.less(i, 8), body, [start, x], name='rnn')
    noise = tf.random_uniform([3], seed=7, name='noise')
    loss = tf.add(tf.reduce_sum(h), 1e-3 * tf.reduce_sum(noise), name='loss')
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, name='train')
    init = tf.variables_initializer([w], name='init')
    with open(folder + '/loop.pb', 'wb') as f:
        f.write(graph.as_graph_def().SerializeToString())
    with tf.Session() as session:
        session.run(init)
        feed = {x: np.array([1, 2, 3], np.float32)}
        steps = []
        for _ in range(3):
            count, state, value, _ = session.run([i, h, loss, train], feed)
            steps.append({'count': int(count), 'h': [float(v) for v in state], 'loss': float(value), 'w': [float(v) for v in session.run(w)]})
        with open(folder + '/expected.json', 'w') as f:
            json.dump(steps, f, indent=1)
