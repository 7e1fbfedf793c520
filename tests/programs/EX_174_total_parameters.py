import tensorflow as tf

h = tf.placeholder(tf.float32, [None, 28, 28, 1])
for n in (32, 32, 16):
    h = tf.layers.max_pooling2d(tf.layers.conv2d(h, n, 3, padding="same"), 2, 2, padding="same")
for n, s in ((16, 7), (32, 14), (32, 28)):
    h = tf.layers.conv2d(tf.image.resize_nearest_neighbor(h, (s, s)), n, 3, padding="same")
tf.layers.conv2d(h, 1, 3, padding="same")
B = tf.profiler.ProfileOptionBuilder
stats = tf.profiler.profile(tf.get_default_graph(), options=B(B.trainable_variables_parameter()).with_empty_output().build())
assert stats.total_parameters == 30689
assert [c.name for c in stats.children] == ["conv2d"] + ["conv2d_%d" % i for i in range(1, 7)]
