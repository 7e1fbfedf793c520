i = tf.constant(0); m = tf.placeholder(tf.float32, [2, None])
def body(i, a, ta):
    j = tf.constant(0)
    _, b = tf.while_loop(lambda j, b: j < i, lambda j, b: (j + 1, tf.cond(tf.reduce_sum(b) > 1., lambda: b * .5, lambda: tf.matmul(b, b, transpose_b=True)[:, :1] + b)), [j, a], shape_invariants=[j.shape, tf.TensorShape([2, None])], back_prop=True, swap_memory=True)
    return i + 1, b, ta.write(i, tf.reduce_sum(b))
ta = tf.TensorArray(tf.float32, size=0, dynamic_size=True, clear_after_read=False)
i, a, ta = tf.while_loop(lambda i, a, ta: tf.less(i, 3), body, [i, m, ta], shape_invariants=[i.shape, tf.TensorShape([2, None]), tf.TensorShape(None)], parallel_iterations=5)
loss = tf.reduce_sum(ta.stack()) + tf.reduce_sum(a)
show(loss, tf.gradients(loss, m))
