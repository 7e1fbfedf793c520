import tensorflow as tf

from check import run

v = tf.Variable([1., 2.], name="v")
r = tf.add(v, tf.constant([3., 4.], name="c"), name="add2")
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    frozen = tf.graph_util.convert_variables_to_constants(sess, sess.graph_def, ["add2"])
    want = sess.run(r)
with tf.gfile.FastGFile("model.pb", "wb") as f:
    f.write(frozen.SerializeToString())
assert "%d ops in the final graph." % len(frozen.node) == "4 ops in the final graph."
assert {n.name: n.op for n in frozen.node}["v"] == "Const"
with tf.Graph().as_default() as graph, tf.Session() as sess:
    definition = tf.GraphDef()
    with tf.gfile.GFile("model.pb", "rb") as f:
        definition.ParseFromString(f.read())
    out, = tf.import_graph_def(definition, return_elements=["add2:0"])
    assert sess.run(out).tolist() == want.tolist() == [4., 6.]
    assert all(op.name.startswith("import/") for op in graph.get_operations())
