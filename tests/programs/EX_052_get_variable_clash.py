import tensorflow as tf

from check import raises

tf.get_variable(name="w_1", initializer=1)
raises(ValueError, "Variable w_1 already exists, disallowed. Did you mean to set reuse=True", lambda: tf.get_variable(name="w_1", initializer=2))
