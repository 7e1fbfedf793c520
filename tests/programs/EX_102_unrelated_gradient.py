import tensorflow as tf

from check import raises, run

w1, w2 = tf.get_variable("w1", initializer=[[1, 2]]), tf.get_variable("w2", initializer=[[3, 4]])
res = tf.matmul(w1, [[2], [1]])
grads = tf.gradients(res, [w2])
raises(TypeError, "Fetch argument None has invalid type <class 'NoneType'>", lambda: tf.Session().run(grads))
