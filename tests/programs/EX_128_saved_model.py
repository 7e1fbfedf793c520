import os

import tensorflow as tf

from check import run

v, x = tf.Variable([1., 2.], name="v"), tf.placeholder(tf.float32, [2], name="x")
y = tf.add(v, x, name="y")
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    builder = tf.saved_model.builder.SavedModelBuilder("export")
    builder.add_meta_graph_and_variables(sess, [tf.saved_model.tag_constants.TRAINING])
    builder.save()
assert sorted(os.listdir("export")) == ["saved_model.pb", "variables"] and tf.saved_model.tag_constants.TRAINING == "train"
assert sorted(os.listdir("export/variables")) == ["variables.data-00000-of-00001", "variables.index"]
with tf.Session(graph=tf.Graph()) as sess:
    tf.saved_model.loader.load(sess, ["train"], "export")
    assert sess.run("y:0", {"x:0": [1., 1.]}).tolist() == [2., 3.]
