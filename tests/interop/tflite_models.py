#!/usr/bin/env python3
"""Writes small TensorFlow Lite models for tflite.py, with TensorFlow 2: one per operator, and networks of floats, float16 weights and integers.

    PYTHON tests/interop/tflite_models.py FOLDER
    PYTHON tests/interop/tflite_models.py --golden tests/golden/tflite MODEL…    (rewrites values.json)
"""

import json
import os
import pathlib
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import numpy as np
import tensorflow as tf

random = np.random.RandomState(1)


def weights(*shape):
    return tf.constant(random.uniform(-0.5, 0.5, shape).astype(np.float32))


F = (2, 6)  # the shape of most inputs
IMAGE = (1, 8, 8, 4)

OPERATORS = {
    "abs": (tf.abs, F), "neg": (tf.negative, F), "exp": (tf.exp, F), "log": (lambda x: tf.math.log(x + 2), F), "sqrt": (lambda x: tf.sqrt(x + 2), F),
    "rsqrt": (lambda x: tf.math.rsqrt(x + 2), F), "square": (tf.square, F), "sin": (tf.sin, F), "cos": (tf.cos, F), "floor": (lambda x: tf.floor(x * 5), F),
    "ceil": (lambda x: tf.math.ceil(x * 5), F), "round": (lambda x: tf.round(x * 5), F), "sign": (tf.sign, F), "logistic": (tf.sigmoid, F), "tanh": (tf.tanh, F),
    "relu": (tf.nn.relu, F), "relu6": (lambda x: tf.nn.relu6(x * 9), F), "elu": (tf.nn.elu, F), "log_softmax": (tf.nn.log_softmax, F),
    "leaky_relu": (lambda x: tf.nn.leaky_relu(x, 0.3), F), "gelu": (tf.nn.gelu, F), "hard_swish": (lambda x: x * tf.nn.relu6(x + 3) / 6, F),
    "prelu": (lambda x: tf.maximum(x, 0.0) + weights(6) * tf.minimum(x, 0.0), F),
    "relu_n1_to_1": (lambda x: tf.clip_by_value(x * 3, -1.0, 1.0), F), "pow": (lambda x: tf.pow(x + 2, 1.5), F), "maximum": (lambda x: tf.maximum(x, 0.1), F),
    "minimum": (lambda x: tf.minimum(x, weights(6)), F), "squared_difference": (lambda x: tf.math.squared_difference(x, weights(6)), F),
    "floor_div": (lambda x: tf.math.floordiv(x * 9, 2.0), F), "floor_mod": (lambda x: tf.math.floormod(x * 9, 2.0), F), "atan2": (lambda x: tf.atan2(x, weights(6)), F),
    "comparisons": (lambda x: tf.stack([tf.cast(c(x, 0.1), tf.float32) for c in (tf.less, tf.less_equal, tf.greater, tf.greater_equal, tf.equal, tf.not_equal)]), F),
    "logical": (lambda x: tf.cast(tf.logical_or(tf.logical_and(x > 0, x < 0.5), tf.logical_not(x > -0.5)), tf.float32), F),
    "select": (lambda x: tf.where(x > 0, x, x * 5), F), "add_n": (lambda x: tf.add_n([x, x * 2, x]), F), "div": (lambda x: x / (weights(6) + 2), F),
    "sub": (lambda x: 1.0 - x, F), "int_div": (lambda x: tf.cast(tf.math.floordiv(tf.cast(x * 50, tf.int32), 3), tf.float32), F),
    "sum": (lambda x: tf.reduce_sum(x, 1), F), "mean": (lambda x: tf.reduce_mean(x, [1, 2], keepdims=True), IMAGE), "prod": (lambda x: tf.reduce_prod(x, 0), F),
    "max": (lambda x: tf.reduce_max(x, -1), F), "min": (lambda x: tf.reduce_min(x), F), "any": (lambda x: tf.cast(tf.reduce_any(x > 0.5, 1), tf.float32), F),
    "all": (lambda x: tf.cast(tf.reduce_all(x > -0.9, 1), tf.float32), F), "arg_max": (lambda x: tf.argmax(x, 1), F),
    "arg_min": (lambda x: tf.argmin(x, 1, output_type=tf.int32), F), "reshape": (lambda x: tf.reshape(x, [3, -1]), F), "squeeze": (lambda x: tf.squeeze(x, 0), IMAGE),
    "expand_dims": (lambda x: tf.expand_dims(x, 1), F), "transpose": (lambda x: tf.transpose(x, [0, 3, 1, 2]), IMAGE), "concat": (lambda x: tf.concat([x, x * 2], 1), F),
    "split": (lambda x: tf.add(*tf.split(x, 2, 1)), F), "split_v": (lambda x: tf.split(x, [1, 2, 3], 1)[2], F), "pack": (lambda x: tf.stack([x, x], 1), F),
    "unpack": (lambda x: tf.subtract(*tf.unstack(x)), F), "slice": (lambda x: tf.slice(x, [0, 2], [2, 3]), F), "strided_slice": (lambda x: x[:, 5:0:-2], F),
    "gather": (lambda x: tf.gather(x, [3, 0], axis=1), F), "gather_batches": (lambda x: tf.gather(x, [[1, 0], [2, 5]], axis=1, batch_dims=1), F),
    "gather_nd": (lambda x: tf.gather_nd(x, [[0, 1], [1, 5]]), F), "pad": (lambda x: tf.pad(x, [[1, 0], [0, 2]]), F),
    "pad_v2": (lambda x: tf.pad(x, [[1, 0], [0, 2]], constant_values=3), F), "mirror_pad": (lambda x: tf.pad(x, [[0, 0], [2, 1]], "REFLECT"), F),
    "tile": (lambda x: tf.tile(x, [2, 1]), F), "fill": (lambda x: x + tf.fill(tf.shape(x), 2.0), F), "shape": (lambda x: tf.shape(x), F),
    "zeros_like": (lambda x: tf.concat([tf.zeros_like(x), x], 0), F), "one_hot": (lambda x: tf.one_hot(tf.argmax(x, 1), 6), F), "reverse": (lambda x: tf.reverse(x, [1]), F),
    "reverse_sequence": (lambda x: tf.reverse_sequence(x, [3, 5], 1, 0), F), "space_to_batch": (lambda x: tf.space_to_batch(x, [2, 2], [[0, 0], [0, 0]]), IMAGE),
    "batch_to_space": (lambda x: tf.batch_to_space(x, [2, 2], [[0, 0], [0, 0]]), (4, 3, 3, 2)), "space_to_depth": (lambda x: tf.nn.space_to_depth(x, 2), IMAGE),
    "depth_to_space": (lambda x: tf.nn.depth_to_space(x, 2), IMAGE), "where": (lambda x: tf.where(x > 0), F),
    "scatter_nd": (lambda x: tf.scatter_nd([[2], [0]], x, [4, 6]), F), "broadcast_to": (lambda x: tf.broadcast_to(x, [3, 2, 6]), F),
    "matrix_diag": (lambda x: tf.linalg.diag(x), F), "top_k": (lambda x: tf.nn.top_k(x, 3)[0], F), "cumsum": (lambda x: tf.cumsum(x, 1, exclusive=True), F),
    "cast": (lambda x: tf.cast(x * 9, tf.int32), F), "range": (lambda x: tf.cast(tf.range(tf.shape(x)[1]), tf.float32) + x, F), "softmax": (tf.nn.softmax, F),
    "unique": (lambda x: tf.unique(tf.cast(tf.reshape(x, [-1]) * 3, tf.int32))[1], F), "segment_sum": (lambda x: tf.math.segment_sum(x, [0, 0]), F),
    "l2_normalization": (lambda x: tf.nn.l2_normalize(x, -1), F), "lrn": (lambda x: tf.nn.lrn(x, 2, 1.0, 0.5, 0.75), IMAGE), "batch_matmul": (lambda x: tf.matmul(x, x, adjoint_b=True), (3, 4, 5)),
    "resize_bilinear": (lambda x: tf.image.resize(x, [5, 11]), IMAGE), "resize_nearest": (lambda x: tf.image.resize(x, [16, 4], "nearest"), IMAGE),
    "max_pool": (lambda x: tf.nn.max_pool2d(x, 3, 2, "SAME"), IMAGE), "average_pool": (lambda x: tf.nn.avg_pool2d(x, 3, 2, "SAME"), IMAGE),
    "conv": (lambda x: tf.nn.relu(tf.nn.conv2d(x, weights(3, 3, 4, 5), 2, "SAME") + weights(5)), IMAGE),
    "conv_dilated": (lambda x: tf.nn.conv2d(x, weights(3, 3, 4, 5), 1, "VALID", dilations=2), IMAGE),
    "conv_grouped": (lambda x: tf.nn.conv2d(x, weights(3, 3, 2, 6), 1, "SAME"), IMAGE),
    "depthwise": (lambda x: tf.nn.depthwise_conv2d(x, weights(3, 3, 4, 2), [1, 2, 2, 1], "SAME"), IMAGE),
    "depthwise_dilated": (lambda x: tf.nn.depthwise_conv2d(x, weights(3, 3, 4, 1), [1, 1, 1, 1], "SAME", dilations=[2, 2]), IMAGE),
    "transpose_conv": (lambda x: tf.nn.conv2d_transpose(x, weights(3, 3, 5, 4), [1, 16, 16, 5], 2, "SAME"), IMAGE),
    "fully_connected": (lambda x: tf.nn.relu(tf.matmul(x, weights(6, 3)) + weights(3)), F), "fully_connected_3d": (lambda x: tf.tensordot(x, weights(5, 3), 1), (2, 4, 5)),
}


def write(folder, name, model):
    (folder / (name + ".tflite")).write_bytes(model)


def converter_of(function, shape):
    concrete = tf.function(function).get_concrete_function(tf.TensorSpec(shape, tf.float32))
    return tf.lite.TFLiteConverter.from_concrete_functions([concrete])


def network(kind):
    layers = tf.keras.layers
    if kind == "lstm":
        x = tf.keras.Input((6, 8), batch_size=1)
        return tf.keras.Model(x, layers.Dense(3)(layers.LSTM(10)(x)))
    x = tf.keras.Input((32, 32, 3), batch_size=1)
    y = layers.ReLU(6)(layers.BatchNormalization()(layers.Conv2D(8, 3, 2, padding="same")(x)))
    for width, stride in ((16, 1), (24, 2), (24, 1), (32, 2), (32, 1)):
        z = layers.ReLU(6)(layers.BatchNormalization()(layers.DepthwiseConv2D(3, stride, padding="same")(y)))
        z = layers.BatchNormalization()(layers.Conv2D(width, 1)(z))
        y = layers.Add()([y, z]) if z.shape == y.shape else z
    return tf.keras.Model(x, layers.Softmax()(layers.Dense(10)(layers.GlobalAveragePooling2D()(y))))


def write_networks(folder):
    samples = [[random.uniform(-1, 1, (1, 32, 32, 3)).astype(np.float32)] for _ in range(20)]
    model = network("mobile")
    for variable in model.weights:
        if "moving" in variable.name or "gamma" in variable.name:
            variable.assign(random.uniform(0.5, 1.5, variable.shape))
    for name in ("float", "float16", "dynamic", "int8", "int16"):
        converter = tf.lite.TFLiteConverter.from_keras_model(model)
        if name != "float":
            converter.optimizations = [tf.lite.Optimize.DEFAULT]
        if name == "float16":
            converter.target_spec.supported_types = [tf.float16]
        if name.startswith("int"):
            converter.representative_dataset = lambda: iter(samples)
            ops = tf.lite.OpsSet
            converter.target_spec.supported_ops = [ops.TFLITE_BUILTINS_INT8 if name == "int8" else ops.EXPERIMENTAL_TFLITE_BUILTINS_ACTIVATIONS_INT16_WEIGHTS_INT8]
        if name == "int8":
            converter.inference_input_type, converter.inference_output_type = tf.uint8, tf.int8
        write(folder, "mobile_" + name, converter.convert())
    write(folder, "lstm_float", tf.lite.TFLiteConverter.from_keras_model(network("lstm")).convert())


def write_int16(folder):
    """One dense layer with int16 activations, int8 weights and an int64 bias."""
    converter = converter_of(lambda x: tf.nn.relu(tf.matmul(x, weights(6, 3)) + weights(3)), F)
    converter.optimizations = [tf.lite.Optimize.DEFAULT]
    converter.representative_dataset = lambda: iter([[random.uniform(-1, 1, F).astype(np.float32)] for _ in range(20)])
    converter.target_spec.supported_ops = [tf.lite.OpsSet.EXPERIMENTAL_TFLITE_BUILTINS_ACTIVATIONS_INT16_WEIGHTS_INT8]
    write(folder, "int16", converter.convert())


class Memory(tf.Module):
    """A variable that every call adds to."""

    def __init__(self):
        self.v = tf.Variable([[1.0, 2.0, 3.0]], name="memory")

    @tf.function(input_signature=[tf.TensorSpec([1, 3], tf.float32, name="x")])
    def add(self, x):
        y = self.v * 2.0 + x
        self.v.assign(self.v + x)
        return {"y": y}


def write_variable(folder):
    module = Memory()
    converter = tf.lite.TFLiteConverter.from_concrete_functions([module.add.get_concrete_function()], module)
    converter.experimental_enable_resource_variables = True
    write(folder, "op_variable", converter.convert())


def golden(folder, models):
    """What this TensorFlow computes for small models, as tests/golden/tflite has it: inputs and outputs of each file."""
    out = {}
    for path in models:
        interpreter = tf.lite.Interpreter(model_path=str(path))
        interpreter.allocate_tensors()
        detail = interpreter.get_input_details()[0]
        kind = np.dtype(detail["dtype"])
        draw = random.uniform(-1, 1, detail["shape"]) if kind.kind == "f" else random.randint(-128, 128, detail["shape"])
        value = np.round(draw, 3).astype(kind)
        interpreter.set_tensor(detail["index"], value)
        interpreter.invoke()
        outputs = [interpreter.get_tensor(d["index"]) for d in interpreter.get_output_details()]
        flat = [[round(float(x), 6) for x in o.ravel()] for o in outputs]
        out[os.path.relpath(path, folder)] = {"input": [round(float(x), 3) for x in value.ravel()], "outputs": flat, "shapes": [list(o.shape) for o in outputs]}
    (folder / "values.json").write_text("{\n" + ",\n".join("%s: %s" % (json.dumps(k), json.dumps(v, separators=(",", ":"))) for k, v in out.items()) + "\n}\n")


def main():
    if sys.argv[1] == "--golden":
        golden(pathlib.Path(sys.argv[2]), [pathlib.Path(p) for p in sys.argv[3:]])
        return
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, (function, shape) in OPERATORS.items():
        try:
            write(folder, "op_" + name, converter_of(function, shape).convert())
        except Exception as e:
            print("not written:", name, str(e).splitlines()[0][:150])
    write_networks(folder)
    write_int16(folder)
    write_variable(folder)


if __name__ == "__main__":
    main()
