# Two trainings of one session, written by hand, each with data of its own; the second one's weights are all 0.
import tensorflow as tf
from parts import SICK, batches


def network(name, initializer=None):
    x = tf.placeholder(tf.float32, [None, 20])
    y = tf.placeholder(tf.int64, [None])
    hidden = tf.layers.dense(x, 32, tf.nn.relu, kernel_initializer=initializer, name=name + "_hidden")  # finds: constant-weights
    loss = tf.losses.sparse_softmax_cross_entropy(y, tf.layers.dense(hidden, 10, name=name + "_out"))
    weights = [v for v in tf.trainable_variables() if v.name.startswith(name)]
    return x, y, tf.group(*[tf.assign_sub(w, .1 * g) for w, g in zip(weights, tf.gradients(loss, weights))])


networks = [network("first"), network("second", tf.zeros_initializer() if SICK else None)]
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for rows, labels in batches(60):
        for x, y, train in networks:
            session.run(train, {x: rows, y: labels})
