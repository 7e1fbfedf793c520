import tensorflow as tf

t = tf.summary.scalar("loss", tf.constant(1.0))
assert isinstance(t, tf.Tensor) and t.dtype == tf.string and t.shape.as_list() == []
