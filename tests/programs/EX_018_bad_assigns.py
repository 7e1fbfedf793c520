import tensorflow as tf

from check import raises

v = tf.Variable([1, 2, 4])
raises(TypeError, "Expected int32 passed to parameter 'value' of op 'Assign', got [2.0, 2.0, 2.0] of type 'list' instead", lambda: tf.assign(v, [2.0, 2.0, 2.0]))
raises(ValueError, "Dimension 0 in both shapes must be equal, but are 3 and 4", lambda: tf.assign(v, [2, 2, 2, 3]))
