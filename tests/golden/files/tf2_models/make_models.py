"""Makes the models of TensorFlow 2 in this folder, without what readers do not need (op definitions, output shapes). Needs TensorFlow 2."""
import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import tensorflow as tf
from tensorflow.core.protobuf import saved_model_pb2

FOLDER = os.path.dirname(os.path.abspath(__file__))
F, I = tf.float32, tf.int32


class Several(tf.Module):
    """Functions with variables, a loop with a condition in it, a table of words from a file, and an embedding."""

    def __init__(self):
        super().__init__()
        self.dense = {"w": tf.Variable(np.arange(6, dtype=np.float32).reshape(3, 2) / 4, name="w"), "b": tf.Variable([0.5, -1.0], name="b")}
        self.step = tf.Variable(2.0, trainable=False, name="step")
        self.rows = tf.Variable(np.arange(8, dtype=np.float32).reshape(4, 2), name="embeddings")
        self.words = tf.saved_model.Asset(os.path.join(FOLDER, "words.txt"))
        self.table = tf.lookup.StaticHashTable(tf.lookup.TextFileInitializer(
            self.words, tf.string, tf.lookup.TextFileIndex.WHOLE_LINE, tf.int64, tf.lookup.TextFileIndex.LINE_NUMBER), -1)

    @tf.function(input_signature=[tf.TensorSpec([None, 3], F, name="x")])
    def affine(self, x):
        return {"y": tf.matmul(x, self.dense["w"]) + self.dense["b"]}

    @tf.function(input_signature=[tf.TensorSpec([None, 3], F, name="x")])
    def scaled(self, x):
        return {"y": tf.nn.relu(self.affine(x)["y"] * self.step), "step": self.step + 1.0}

    @tf.function(input_signature=[tf.TensorSpec([], F, name="x"), tf.TensorSpec([], I, name="n")])
    def loop(self, x, n):
        i = tf.constant(0)
        while i < n:
            x = tf.cond(x > 10.0, lambda: x - self.step * 3.0, lambda: x * self.step)
            i += 1
        return {"x": x}

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string, name="words")])
    def mean(self, words):
        ids = self.table.lookup(words)
        return {"ids": ids, "mean": tf.reduce_mean(tf.nn.embedding_lookup(self.rows, ids), axis=0)}


def slim(folder):
    model = saved_model_pb2.SavedModel()
    path = os.path.join(folder, "saved_model.pb")
    with open(path, "rb") as f:
        model.ParseFromString(f.read())
    for meta in model.meta_graphs:
        meta.meta_info_def.ClearField("stripped_op_list")
        nodes = list(meta.graph_def.node)
        for function in meta.graph_def.library.function:
            nodes += function.node_def
            function.ClearField("arg_attr")
        for node in nodes:
            for key in ("_output_shapes", "config_proto", "_XlaMustCompile", "_read_only_resource_inputs"):
                node.attr.pop(key, None)
            node.ClearField("experimental_debug_info")
    with open(path, "wb") as f:
        f.write(model.SerializeToString(deterministic=True))


def main():
    with open(os.path.join(FOLDER, "words.txt"), "w") as f:
        f.write("the\ncat\nsat\n")
    m = Several()
    folder = os.path.join(FOLDER, "several_v2")
    names = ("affine", "scaled", "loop", "mean")
    tf.saved_model.save(m, folder, signatures={name: getattr(m, name).get_concrete_function() for name in names})
    slim(folder)
    os.remove(os.path.join(FOLDER, "words.txt"))
    layers = tf.keras.Sequential([tf.keras.layers.Input([2]), tf.keras.layers.Dense(2, name="d")])
    layers.set_weights([np.float32([[1, 2], [3, 4]]), np.float32([5, 6])])
    folder = os.path.join(FOLDER, "keras_v2")
    tf.saved_model.save(layers, folder)
    slim(folder)
    for name in ("several_v2", "keras_v2"):
        os.remove(os.path.join(FOLDER, name, "fingerprint.pb"))


if __name__ == "__main__":
    sys.exit(main())
