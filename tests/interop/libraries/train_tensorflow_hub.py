"""TensorFlow Hub 0.7: a module with two signatures and a "train" version is exported, loaded, fine-tuned, exported again, and used as a feature column."""

import os
import tempfile

import numpy as np
import tensorflow as tf
import tensorflow_hub as hub

import record


def encoder(training):
    def module_fn():
        x = tf.placeholder(tf.float32, [None, 4], name="x")
        with tf.variable_scope("encoder"):
            w = tf.get_variable("w", [4, 6], initializer=tf.random_normal_initializer(stddev=0.5, seed=1), regularizer=tf.contrib.layers.l2_regularizer(0.01))
            b = tf.get_variable("b", [6], initializer=tf.zeros_initializer())
        y = tf.layers.batch_normalization(tf.nn.relu(tf.matmul(x, w) + b), training=training)
        hub.add_signature(inputs=x, outputs={"default": y, "sum": tf.reduce_sum(y, 1)})
        words = tf.placeholder(tf.string, [None])
        hub.add_signature("words", words, tf.to_float(tf.string_to_hash_bucket_fast(words, 10)))
        hub.attach_message("about", tf.train.BytesList(value=[b"four numbers"]))

    return module_fn


def texts():
    def module_fn():
        words = tf.placeholder(tf.string, [None])
        table = tf.contrib.lookup.index_table_from_tensor(["red", "green", "blue"], num_oov_buckets=2)
        embeddings = tf.get_variable("embeddings", [5, 3], initializer=tf.random_uniform_initializer(-1, 1, seed=4))
        hub.add_signature(inputs=words, outputs=tf.nn.embedding_lookup(embeddings, table.lookup(words)))

    return module_fn


def export(folder, spec):
    with tf.Graph().as_default(), tf.Session() as s:
        module = hub.Module(spec)
        s.run([tf.global_variables_initializer(), tf.tables_initializer()])
        module.export(folder, s)


def fine_tune(folder, again):
    random = np.random.RandomState(0)
    x, y = random.rand(16, 4).astype("float32"), random.rand(16, 1).astype("float32")
    with tf.Graph().as_default(), tf.Session() as s:
        tf.set_random_seed(1)
        module = hub.Module(folder, trainable=True, tags={"train"}, name="enc")
        out = tf.layers.dense(module(x), 1, kernel_initializer=tf.ones_initializer())
        loss = tf.losses.mean_squared_error(y, out) + tf.add_n(tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES))
        with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
            step = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
        s.run(tf.global_variables_initializer())
        for _ in range(6):
            record.loss(s.run([loss, step])[0])
        record.result("variables", [len(module.variable_map), len(module.variables), len(tf.trainable_variables())])
        module.export(again, s)
    with tf.Graph().as_default(), tf.Session() as s:
        module = hub.Module(again)
        outputs = module({"x": x} if "x" in module.get_input_info_dict() else x, as_dict=True)
        s.run(tf.global_variables_initializer())
        for name, value in sorted(s.run(outputs).items()):
            record.result("output " + name, value)
        record.result("words", s.run(module(["a", "bb", "c"], signature="words")))
        record.result("about", list(module.get_attached_message("about", tf.train.BytesList).value[0]))
        record.result("signatures", [len(module.get_signature_names()), module.get_output_info_dict()["default"].get_shape().as_list()[1]])


def columns(folder):
    with tf.Graph().as_default(), tf.Session() as s:
        column = hub.text_embedding_column("colour", folder, trainable=False)
        row = tf.feature_column.input_layer({"colour": tf.constant(["red", "blue", "pink"])}, [column])
        s.run([tf.global_variables_initializer(), tf.tables_initializer()])
        record.result("column", s.run(row))


def main():
    folder = tempfile.mkdtemp()
    export(os.path.join(folder, "a"), hub.create_module_spec(encoder(False), tags_and_args=None))
    with_tags = hub.create_module_spec(lambda training: encoder(training)(), tags_and_args=[(set(), {"training": False}), ({"train"}, {"training": True})])
    export(os.path.join(folder, "b"), with_tags)
    fine_tune(os.path.join(folder, "b"), os.path.join(folder, "c"))
    export(os.path.join(folder, "t"), hub.create_module_spec(texts()))
    columns(os.path.join(folder, "t"))
    record.done(hub.__version__)


main()
