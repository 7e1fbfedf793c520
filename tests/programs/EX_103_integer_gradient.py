import tensorflow as tf

from check import run

w1 = tf.get_variable("w1", initializer=[[1, 2]])
assert tf.gradients(tf.matmul(w1, [[2], [1]]), [w1]) == [None]
w2 = tf.get_variable("w2", initializer=[[1., 2.]])
assert run(tf.gradients(tf.matmul(w2, [[2.], [1.]]), [w2]), init=True)[0].tolist() == [[2., 1.]]
