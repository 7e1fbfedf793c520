import warnings

import tensorflow as tf

from check import close

sess = tf.InteractiveSession()
result = tf.constant([1., 2., 3.]) + tf.constant([1., 2., 3.])
assert result.eval().tolist() == [2., 4., 6.]
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    second = tf.InteractiveSession()
assert any("An interactive session is already active" in str(w.message) for w in caught)
second.close()
sess.close()
