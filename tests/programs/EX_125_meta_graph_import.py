import numpy as np
import tensorflow as tf

from check import run

with tf.Graph().as_default(), tf.Session() as sess:
    noise = tf.placeholder(tf.float32, [None, 4], name="noise")
    training = tf.placeholder(tf.bool, [], name="is_training")
    with tf.variable_scope("generator"):
        with tf.variable_scope("g"):
            w = tf.get_variable("w", [4, 3])
            h = tf.cond(training, lambda: tf.matmul(noise, w) * 2., lambda: tf.matmul(noise, w))
            tf.nn.tanh(h, name="Tanh")
    sess.run(tf.global_variables_initializer())
    tf.train.Saver().save(sess, "./gan")
with tf.Graph().as_default() as graph, tf.Session() as sess:
    saver = tf.train.import_meta_graph("gan.meta")
    saver.restore(sess, tf.train.latest_checkpoint("."))
    out = graph.get_tensor_by_name("generator/g/Tanh:0")
    feeds = {graph.get_tensor_by_name("noise:0"): np.ones([2, 4]), graph.get_tensor_by_name("is_training:0"): False}
    value = sess.run(out, feeds)
assert value.shape == (2, 3) and (abs(value) < 1).all()
