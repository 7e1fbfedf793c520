import tensorflow as tf

tf.train.string_input_producer(["a", "b"])
tf.train.batch([tf.constant(1.0)], batch_size=4, capacity=112)
names = [t.op.name for t in tf.get_collection(tf.GraphKeys.SUMMARIES)]
assert names == ["input_producer/fraction_of_32_full", "batch/fraction_of_112_full"]
assert len(tf.summary.merge_all().op.inputs) == 2
