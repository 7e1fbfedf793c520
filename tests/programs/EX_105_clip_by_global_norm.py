import tensorflow as tf

from check import close, run

clipped, norm = tf.clip_by_global_norm([tf.constant([3., 0.]), tf.constant([4.])], 1.0)
values, n = run([clipped, norm])
close(values[0], [.6, 0])
close(values[1], [.8])
assert n == 5.0
