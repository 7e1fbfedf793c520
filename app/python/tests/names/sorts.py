x = tf.placeholder(tf.float32, [2, 3])
u = tf.placeholder(tf.float32, None)
show(tf.sort(x), tf.argsort(x), tf.sort(x, axis=0), tf.argsort(x, 0, "DESCENDING"), tf.sort(x, -2, direction="DESCENDING", name="s"), tf.sort(u), tf.argsort([3, 1, 2]), tf.sort(u, axis=1))
show(raises(lambda: tf.sort(x, direction="up")), raises(lambda: tf.sort(x, axis=u)))
