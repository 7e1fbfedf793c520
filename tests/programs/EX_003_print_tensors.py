import tensorflow as tf

from check import run

a = tf.constant(3.0, dtype=tf.float32)
b = tf.constant(4.0)
total = a + b
assert str(a) == 'Tensor("Const:0", shape=(), dtype=float32)'
assert str(b) == 'Tensor("Const_1:0", shape=(), dtype=float32)'
assert str(total) == 'Tensor("add:0", shape=(), dtype=float32)'
assert tf.Session().run(total) == 7.0
