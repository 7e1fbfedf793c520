import tensorflow as tf

from check import run

resampler = tf.contrib.resampler.resampler
data, warp = tf.ones([1, 3, 3, 1]), tf.zeros([1, 2])
out = resampler(data, warp)
tf.train.export_meta_graph("r.meta")
with tf.Graph().as_default() as graph:
    tf.train.import_meta_graph("r.meta")
    assert graph.get_operation_by_name(out.op.name).type == "Resampler"
    assert run(graph.get_tensor_by_name(out.name)).tolist() == [[1.0]]
