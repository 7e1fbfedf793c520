"""Sums of several gradients of one tensor: each tf.AggregationMethod, in optimizers too, with known and unknown shapes, in a loop, dense and sparse."""
w = tf.get_variable("w", [3, 2], initializer=tf.zeros_initializer())
u = tf.placeholder(tf.float32, [None, 3])
methods = [("n", tf.AggregationMethod.ADD_N), ("tree", tf.AggregationMethod.EXPERIMENTAL_TREE), ("accumulated", tf.AggregationMethod.EXPERIMENTAL_ACCUMULATE_N)]
for name, how in methods:
    with tf.name_scope(name):
        y = w * w + tf.sin(w)
        show(tf.gradients([y * y + tf.exp(y), tf.cos(w)], [w, y], aggregation_method=how))
        z = tf.matmul(u, w)
        show(tf.gradients(z * z * tf.exp(z), [u, z], aggregation_method=how, colocate_gradients_with_ops=True))
        rows = tf.gather(w, [0, 1]) + tf.gather(w, [1, 2])
        tf.gradients([rows, w * 2.0], w, aggregation_method=how)
        last = tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * a + w * a), [0, w])[1]
        tf.gradients(last, w, aggregation_method=how)
        with tf.variable_scope(name):
            tf.train.MomentumOptimizer(0.1, 0.9).minimize(tf.reduce_sum(y * tf.exp(y) * tf.sin(w)), aggregation_method=how)
