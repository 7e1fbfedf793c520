with tf.name_scope("tower"), tf.device("/cpu:0"):
    x = tf.placeholder(tf.float32, [None, 4], "x")
    w = tf.Variable(tf.truncated_normal([4, 3], stddev=1. / np.sqrt(4.)), name="w"); b = tf.Variable(tf.zeros([3]), trainable=False)
    y = tf.nn.softmax(tf.matmul(x, w) + b)
yy = tf.placeholder(tf.float32, [None, 3])
ce = -tf.reduce_sum(yy * tf.log(tf.clip_by_value(y, 1e-10, 1.))); ema = tf.train.ExponentialMovingAverage(.99, num_updates=tf.Variable(0, trainable=False))
o = tf.train.AdamOptimizer(1e-3); gv = o.compute_gradients(ce); cg = [(tf.clip_by_value(g, -1., 1.), v) for g, v in gv if g is not None]
op = o.apply_gradients(cg)
with tf.control_dependencies([op]):
    tr = tf.group(ema.apply([w]))
sv = tf.train.Saver({"ww": w}, max_to_keep=2, keep_checkpoint_every_n_hours=1.)
show(tr, ema.average_name(w), ema.average(w), ema.variables_to_restore(), tf.report_uninitialized_variables(), tf.assert_equal(tf.shape(x)[0], 2, message="m"), tf.stop_gradient(y), tf.hessians(tf.reduce_sum(w * w), w))
