"""Activations and regularizers of Keras, node by node, in both types."""
a, r = tf.keras.activations, tf.keras.regularizers
for dtype in (tf.float32, tf.float64):
    for shape in ([2, 3], [2, 3, 4], [None, 3]):
        with tf.name_scope("%s_%s" % (dtype.name, "x".join(map(str, shape)))):
            x = tf.placeholder(dtype, shape)
            for name in ("linear", "hard_sigmoid", "relu", "elu", "softmax", "softplus", "softsign", "selu", "tanh", "sigmoid", "exponential"):
                with tf.name_scope(name):
                    show(a.get(name)(x).name)
            for i, regularizer in enumerate([r.l1(), r.l2(), r.l1_l2(), r.l2(0.3), r.L1L2(), r.L1L2(l1=1.0), r.L1L2(l2=0.1)]):
                with tf.name_scope("regularizer%d" % i):
                    show(regularizer(x).name, sorted(regularizer.get_config().items()))
    with tf.name_scope("layers_" + dtype.name):
        layer = tf.keras.layers.Dense(2, name="d", dtype=dtype, activation="selu", kernel_regularizer=r.l2(0.01), bias_regularizer=r.l1(0.3), activity_regularizer=r.l1_l2(0.1, 0.2))
        show(layer(tf.placeholder(dtype, [None, 3])).name, [l.name for l in layer.losses])
