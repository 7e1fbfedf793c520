import tensorflow as tf

from check import run

w1, w2 = tf.Variable(2.0), tf.Variable(2.0)
a_stopped = tf.stop_gradient(tf.multiply(w1, 3.0))
gradients = tf.gradients(tf.multiply(a_stopped, w2), xs=[w1, w2])
assert gradients[0] is None and gradients[1].op.name.startswith("gradients/Mul_1_grad/")
assert run(gradients[1], init=True) == 6.0
