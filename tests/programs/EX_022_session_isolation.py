import tensorflow as tf

from check import run

v = tf.Variable(1)
s1, s2 = tf.Session(), tf.Session()
for s in (s1, s2):
    s.run(tf.global_variables_initializer())
s1.run(tf.assign(v, 5))
assert s1.run(v) == 5 and s2.run(v) == 1
