import numpy as np
import tensorflow as tf

from check import raises, run

x = tf.ones([1000])
keep = tf.placeholder(tf.float32)
value = run(tf.nn.dropout(x, .5, seed=1))
assert set(value) == {0., 2.} and abs(value.mean() - 1) < .15
y = tf.nn.dropout(x, keep)
assert (run(y, {keep: 1.0}) == 1).all()
assert np.isnan(run(y, {keep: 0.0})).all()
raises(ValueError, "", lambda: tf.nn.dropout(x, 0.0))
