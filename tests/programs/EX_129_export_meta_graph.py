import tensorflow as tf

v = tf.Variable([1., 2.], name="v")
tf.train.export_meta_graph("g.meta", as_text=True)
text = open("g.meta").read()
for part in ("meta_info_def {", "graph_def {", "collection_def {"):
    assert part in text, part
with tf.Graph().as_default():
    tf.train.import_meta_graph("g.meta")
    assert [x.name for x in tf.global_variables()] == ["v:0"]
