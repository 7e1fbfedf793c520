"""Gradients and functions in which two nodes are arguments of one call."""
with tf.name_scope("colours"):
    pixels = tf.placeholder(tf.float32, [4, 3])
    tf.gradients(tf.image.rgb_to_hsv(pixels), pixels)
with tf.name_scope("spectrum"):
    wave = tf.placeholder(tf.float32, [4, 6])
    tf.gradients(tf.abs(tf.signal.rfft2d(wave)), wave)
with tf.name_scope("rows"):
    show(tf.nn.embedding_lookup(tf.placeholder(tf.float32), tf.placeholder(tf.int32), max_norm=1.0))
with tf.name_scope("normalized"):
    x = tf.placeholder(tf.float64, [3, 4, 4, 2])
    tf.keras.layers.BatchNormalization(axis=1, fused=False)(x)
show([op.name for op in tf.get_default_graph().get_operations()])
