import tensorflow as tf

from check import raises, run

n = tf.data.make_one_shot_iterator(tf.data.Dataset.range(10)).get_next()
library = tf.get_default_graph().as_graph_def().library.function
assert len(library) == 1 and library[0].signature.name.startswith("_make_dataset_")
assert "RangeDataset" in [node.op for node in library[0].node_def]
with tf.Session() as sess:
    assert [int(sess.run(n)) for _ in range(10)] == list(range(10))
    raises(tf.errors.OutOfRangeError, "End of sequence", lambda: sess.run(n))
