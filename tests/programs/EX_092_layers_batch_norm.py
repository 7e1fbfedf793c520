import tensorflow as tf

from check import close, run


def train(with_updates):
    with tf.Graph().as_default():
        x = tf.constant([[1.], [5.]])
        y = tf.layers.batch_normalization(x, momentum=.99, training=True)
        updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS) if with_updates else []
        with tf.control_dependencies(updates):
            step = tf.train.GradientDescentOptimizer(.1).minimize(tf.reduce_sum(tf.square(y)))
        moving = [v for v in tf.global_variables() if "moving" in v.name]
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            sess.run(step)
            return {v.op.name.split("/")[-1]: float(sess.run(v)[0]) for v in moving}


without, with_them = train(False), train(True)
assert without == {"moving_mean": 0.0, "moving_variance": 1.0}
close([with_them["moving_mean"], with_them["moving_variance"]], [.03, 1.03], 1e-5)
