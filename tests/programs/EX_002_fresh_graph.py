import tensorflow as tf

from check import run

for run in range(2):
    a = tf.constant([1., 2., 3.], shape=[3], name="a")
    b = tf.constant([1., 2., 3.], shape=[3], name="b")
    c = a + b
    with tf.Session() as sess:
        assert sess.run(c).tolist() == [2., 4., 6.]
assert [x.name for x in (a, b, c)] == ["a_1:0", "b_1:0", "add_1:0"]
with tf.Graph().as_default():
    a, b = tf.constant([1.], name="a"), tf.constant([1.], name="b")
    assert [x.name for x in (a, b, a + b)] == ["a:0", "b:0", "add:0"]
tf.reset_default_graph()
a, b = tf.constant([1.], name="a"), tf.constant([1.], name="b")
assert [x.name for x in (a, b, a + b)] == ["a:0", "b:0", "add:0"]
