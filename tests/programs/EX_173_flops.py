import tensorflow as tf

a, b = tf.placeholder(tf.float32, [2, 3]), tf.placeholder(tf.float32, [3, 4])
tf.matmul(a, b)
B = tf.profiler.ProfileOptionBuilder
profile = tf.profiler.profile(tf.get_default_graph(), cmd="op", options=B(B.float_operation()).with_empty_output().build())
assert profile.total_float_ops == 48
