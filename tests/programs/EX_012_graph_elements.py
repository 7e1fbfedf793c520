import tensorflow as tf

a, b = tf.constant([1., 2.], name="a"), tf.constant([3., 4.], name="b")
tf.add(a, b, name="add")
tensors = [op.values() for op in tf.get_default_graph().get_operations()]
assert [repr(t[0]) for t in tensors] == ["<tf.Tensor 'a:0' shape=(2,) dtype=float32>", "<tf.Tensor 'b:0' shape=(2,) dtype=float32>",
                                         "<tf.Tensor 'add:0' shape=(2,) dtype=float32>"]
