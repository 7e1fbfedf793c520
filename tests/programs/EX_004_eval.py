import tensorflow as tf

from check import raises, run

a = tf.constant([1., 2., 3.], shape=[3], name="a")
b = tf.constant([1., 2., 3.], shape=[3], name="b")
result = a + b
raises(ValueError, "Cannot evaluate tensor using `eval()`: No default session is registered", result.eval)
sess = tf.Session()
with sess.as_default():
    assert result.eval().tolist() == [2., 4., 6.]
assert sess.run(result).tolist() == [2., 4., 6.]
assert result.eval(session=sess).tolist() == [2., 4., 6.]
