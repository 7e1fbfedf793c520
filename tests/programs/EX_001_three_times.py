import tensorflow as tf

from check import run

for run in range(3):
    a = tf.constant([1., 2., 3.], shape=[3], name="a")
    b = tf.constant([1., 2., 3.], shape=[3], name="b")
    c = a + b
    with tf.Session(config=tf.ConfigProto(log_device_placement=True)) as sess:
        assert sess.run(c).tolist() == [2., 4., 6.]
assert str(c) == 'Tensor("add_2:0", shape=(3,), dtype=float32)'
ops = tf.get_default_graph().get_operations()
assert [op.name for op in ops] == ["a", "b", "add", "a_1", "b_1", "add_1", "a_2", "b_2", "add_2"]
assert {op.type for op in ops} == {"Const", "AddV2"}
