"""The version numbers written into graphs: weft py versions_test.py. TensorFlow 1.15 passes it, too."""

import glob
import os
import tempfile

import tensorflow as tf
from tensorflow.core.protobuf import saved_model_pb2
from tensorflow.python.framework import function


def versions(graph_def):
    return graph_def.versions.producer, graph_def.versions.min_consumer


def here():
    g = tf.get_default_graph()
    return {versions(g.as_graph_def()), versions(tf.train.export_meta_graph().graph_def), (g.graph_def_versions.producer, g.graph_def_versions.min_consumer)}


@function.Defun(tf.float32)
def twice(x):
    return x * 2.


a = tf.placeholder(tf.float32, [], name="a")
v = tf.Variable(1.)
assert here() == {(134, 0)}, here()

# Readers before version 12 do not support functions.
b = tf.identity(twice(a) * v, name="b")
assert here() == {(134, 12)}, here()
kept = tf.get_default_graph().as_graph_def()
assert versions(tf.graph_util.extract_sub_graph(kept, ["b"])) == (134, 12)
with tempfile.TemporaryDirectory() as folder, tf.Session() as session:
    session.run(v.initializer)
    tf.train.Saver().save(session, os.path.join(folder, "m"))
    with open(os.path.join(folder, "m.meta"), "rb") as f:
        assert versions(tf.MetaGraphDef.FromString(f.read()).graph_def) == (134, 12)
    tf.saved_model.simple_save(session, os.path.join(folder, "s"), {"a": a}, {"b": b})
    with open(os.path.join(folder, "s", "saved_model.pb"), "rb") as f:
        assert versions(saved_model_pb2.SavedModel.FromString(f.read()).meta_graphs[0].graph_def) == (134, 12)
    tf.summary.FileWriter(os.path.join(folder, "e"), session.graph).close()
    events = list(tf.train.summary_iterator(glob.glob(os.path.join(folder, "e", "*"))[0]))
    assert {versions(tf.GraphDef.FromString(e.graph_def)) for e in events if e.graph_def} == {(134, 12)}
    assert {versions(tf.MetaGraphDef.FromString(e.meta_graph_def).graph_def) for e in events if e.meta_graph_def} == {(134, 12)}

tf.reset_default_graph()
tf.data.Dataset.from_tensor_slices([1, 2]).map(lambda x: x + 1).make_one_shot_iterator().get_next()
assert here() == {(134, 12)}, here()
tf.reset_default_graph()
kept.versions.min_consumer = 0
tf.import_graph_def(kept)
assert here() == {(134, 12)}, here()

# Imported graphs may be older, or not be meant for older readers.
def imported(*pairs):
    tf.reset_default_graph()
    for i, (producer, least) in enumerate(pairs):
        graph_def = tf.GraphDef()
        graph_def.node.add(name="x%d" % i, op="NoOp")
        graph_def.versions.producer, graph_def.versions.min_consumer = producer, least
        tf.import_graph_def(graph_def)
    return here()


assert imported((50, 0)) == {(50, 0)}
assert imported((134, 9)) == {(134, 9)}
assert imported((50, 0), (60, 9)) == {(50, 9)}
print("versions: all as expected")
