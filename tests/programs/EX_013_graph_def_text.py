import tensorflow as tf

tf.constant(0, tf.int64, name="start")
definition = tf.get_default_graph().as_graph_def()
assert type(definition).__name__ == "GraphDef"
text = str(definition)
for part in ('name: "start"', 'op: "Const"', "type: DT_INT64", "int64_val: 0", "versions {"):
    assert part in text, part
assert definition.versions.producer >= 27
