x = tf.placeholder(tf.float32, [4, None]); y = tf.placeholder(tf.float32, [4, None])
l = [tf.losses.mean_squared_error(x, y, weights=tf.ones([4, 1])), tf.losses.huber_loss(x, y, delta=2.), tf.losses.log_loss(x, y, reduction=tf.losses.Reduction.SUM), tf.losses.hinge_loss(x, y), tf.losses.absolute_difference(x, y, weights=.5, scope="ad"),
     tf.losses.cosine_distance(x, y, axis=1), tf.losses.mean_pairwise_squared_error(x, y), tf.losses.sigmoid_cross_entropy(x, y, label_smoothing=.1), tf.losses.softmax_cross_entropy(x, y, label_smoothing=.1)]
show(l, tf.losses.get_total_loss(), tf.losses.get_losses())
