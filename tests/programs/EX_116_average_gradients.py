import tensorflow as tf

from check import run


def average_gradients(tower_grads):
    average = []
    for pairs in zip(*tower_grads):
        grads = tf.concat([tf.expand_dims(g, 0) for g, _ in pairs], 0)
        average.append((tf.reduce_mean(grads, 0), pairs[0][1]))
    return average


v1, v2 = tf.Variable(0.), tf.Variable(0.)
towers = [[(tf.constant(1.), v1), (tf.constant(2.), v2)], [(tf.constant(3.), v1), (tf.constant(4.), v2)]]
assert [float(run(g)) for g, _ in average_gradients(towers)] == [2.0, 3.0]
