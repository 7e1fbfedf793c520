import tensorflow as tf

from check import run

a1 = tf.Variable(0, name="a")
a2 = tf.get_variable("a", initializer=0)
a3 = tf.Variable(0, name="a")
b = tf.get_variable("b", initializer=0)
c = tf.get_variable("c", shape=1)
assert [v.name for v in (a1, a2, a3, b, c)] == ["a:0", "a_1:0", "a_2:0", "b:0", "c:0"]
assert tf.trainable_variables() == [a1, a2, a3, b, c]
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    assert b.eval() == 0
    value = c.eval()
assert value.shape == (1,) and abs(value[0]) <= 1.7320508
