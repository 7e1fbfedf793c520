"""Senseless values, and plausible ones by parameter name, for bad_calls_test.py, as functions, because they belong to the current default graph."""

import numpy as np
import tensorflow as tf


class Odd:
    """An object of a type unknown to TensorFlow."""


class Raises:
    """An object whose special methods all raise."""

    def _no(self, *args, **kwargs):
        raise ValueError("asked an object that answers nothing")
    __array__ = __len__ = __getitem__ = __iter__ = __index__ = __float__ = __int__ = __bool__ = __eq__ = __hash__ = __call__ = __enter__ = __contains__ = _no


class Nothing:
    """An object whose class cannot be read."""

    @property
    def __class__(self):
        raise ValueError("an object without a class")


class Claims:
    """An object that claims to be much longer than memory."""

    def __len__(self):
        return 2 ** 62

    def __getitem__(self, i):
        if not isinstance(i, int) or i > 1000:
            raise IndexError(i)
        return i


class BadArray:
    """An object whose __array__ returns no array."""

    def __array__(self, *args, **kwargs):
        return "no array"


class BadText(str):
    def __str__(self):
        return 7

    def encode(self, *args):
        raise ValueError("a text that cannot be encoded")


def raising(*args, **kwargs):
    raise ValueError("a function that fails")


def itself():
    a = []
    a.append(a)
    return a


def deep(n):
    a = [1]
    for _ in range(n):
        a = [a]
    return a


def _foreign():
    with tf.Graph().as_default():
        return tf.constant([[1.0, 2.0]])


def giant():
    """An array of four terabytes that is one number in memory."""
    return np.broadcast_to(np.float32(1), (2 ** 20, 2 ** 20))


def _strange_dtype():
    return np.zeros(2, np.dtype([("a", np.int32), ("b", np.float64)]))


ODD = [lambda: None, Odd, Raises, Nothing, Claims, BadArray, lambda: BadText("x"), lambda: "", lambda: "text", lambda: "a\0b", lambda: b"\xff\0x", lambda: "\ud800", lambda: "no/such/place",
       lambda: 0, lambda: 1, lambda: -1, lambda: 3, lambda: -7, lambda: 2 ** 31, lambda: 2 ** 31 - 1, lambda: 2 ** 40, lambda: 2 ** 63 - 1, lambda: -2 ** 63, lambda: 2 ** 70, lambda: -2 ** 200,
       lambda: 0.5, lambda: 1e308, lambda: float("nan"), lambda: float("inf"), lambda: -0.0, lambda: 1j, lambda: True,
       lambda: [], lambda: (), lambda: {}, lambda: set("a"), lambda: {"a": 1}, lambda: [1, "a", None], lambda: [[1, 2], [3]], lambda: [[[]]], lambda: [None], lambda: [None, None], lambda: [-1, -1],
       lambda: [2 ** 31, 2 ** 31, 2 ** 31], lambda: [2 ** 62, 2 ** 62], lambda: [[1.0, float("nan")]], lambda: ["a", "b\0"], lambda: [Odd()], lambda: range(3), lambda: iter([1]), itself,
       lambda: deep(300), lambda: deep(20000), lambda: [[0] * 3] * 3, lambda: slice(None), lambda: Ellipsis, lambda: memoryview(b"abc"), lambda: 1 .__add__,
       lambda: np.ones((2, 3, 4, 5, 6), np.float32), lambda: np.ones((1,) * 20), lambda: np.zeros((0, 3), np.float32), lambda: np.float32(3), lambda: np.array(None), lambda: np.array([1, "a"], object),
       lambda: np.array(["a", "b"]), lambda: np.zeros(2, ">f4"), lambda: np.zeros(4)[::-2], lambda: np.zeros(2, "datetime64[s]"), lambda: np.zeros(2, np.complex128), _strange_dtype,
       lambda: np.array([True]), lambda: np.float16(1), giant, lambda: np.ma.masked_array([1.0, 2.0], [True, False]),
       _foreign, lambda: tf.constant(["a", "b"]), lambda: tf.constant(3), lambda: tf.constant(True), lambda: tf.constant(1j), lambda: tf.constant([[1.0, 2.0]]), lambda: tf.constant([], tf.float32),
       lambda: tf.constant([-1, 2 ** 31 - 1]), lambda: tf.zeros([1] * 9), lambda: tf.placeholder(tf.float32), lambda: tf.placeholder(tf.int32, [None, 3]), lambda: tf.no_op(),
       lambda: tf.SparseTensor([[0, 1]], [1.0], [2, 2]), lambda: tf.IndexedSlices(tf.constant([1.0]), tf.constant([0])), lambda: tf.ragged.constant([[1, 2], [3]]),
       lambda: tf.Variable(1.0), lambda: tf.Variable([[1.0]], use_resource=True), lambda: tf.data.Dataset.range(3), lambda: tf.data.Dataset.range(3)._variant_tensor,
       lambda: tf.TensorArray(tf.float32, 2), lambda: tf.float32, lambda: tf.string, lambda: tf.resource, lambda: tf.float32._as_ref if hasattr(tf.float32, "_as_ref") else None, lambda: tf.TensorShape([None, 2]), lambda: tf.TensorShape(None),
       lambda: tf.Dimension(None), lambda: tf.Graph(), lambda: tf.get_default_graph(), lambda: Odd, lambda: (lambda: None), lambda: (lambda *a: None), lambda: (lambda *a: a), lambda: raising,
       lambda: np, lambda: int, lambda: "float32", lambda: "/device:GPU:99", lambda: "no_such_op:0", lambda: "a:b:c", lambda: "^a", lambda: tf.nn.relu, lambda: tf.errors.OpError]

_MATRIX = lambda: tf.constant([[1.0, 2.0], [3.0, 4.0]])
_SPARSE = lambda: tf.SparseTensor([[0, 1]], [1.0], [2, 2])
_FUNCTION = lambda: (lambda *a: a[0] if a else tf.constant(1.0))

# Matched first by whole name, then by part of the name; the default is a matrix.
_WHOLE = {
    "axis": [lambda: 0, lambda: -1, lambda: [0]], "dim": [lambda: 0], "dims": [lambda: [2, 2]], "shape": [lambda: [2, 2], lambda: [4]], "name": [lambda: "n"], "scope": [lambda: "n"],
    "dtype": [lambda: tf.float32, lambda: tf.int32], "k": [lambda: 1], "n": [lambda: 2], "a": [_MATRIX], "b": [_MATRIX], "p": [lambda: 0.5], "x": [_MATRIX, lambda: tf.constant([1, 2])], "y": [_MATRIX],
    "multiples": [lambda: [1, 2]], "perm": [lambda: [1, 0]], "paddings": [lambda: [[0, 1], [1, 0]]], "strides": [lambda: 1, lambda: [1, 1, 1, 1]], "ksize": [lambda: [1, 1, 1, 1]], "padding": [lambda: "SAME"],
    "input": [_MATRIX, lambda: tf.zeros([1, 4, 4, 1]), lambda: tf.constant(["1"])], "inputs": [_MATRIX, lambda: tf.zeros([1, 4, 4, 1]), lambda: [_MATRIX()], lambda: tf.zeros([1, 4, 4, 4, 1])],
    "images": [lambda: tf.zeros([1, 4, 4, 3])], "image": [lambda: tf.zeros([4, 4, 3])], "filters": [lambda: 2, lambda: tf.zeros([1, 1, 1, 1])], "filter": [lambda: tf.zeros([1, 1, 1, 1])], "units": [lambda: 2],
    "kernel_size": [lambda: 1], "pool_size": [lambda: 1], "size": [lambda: [2, 2], lambda: 2], "begin": [lambda: [0, 0]], "end": [lambda: [1, 1]], "condition": [lambda: tf.constant([True, False])],
    "pred": [lambda: tf.constant(True)], "cond": [lambda: (lambda i: i < 3), lambda: tf.constant(True)], "body": [lambda: (lambda i: i + 1)], "loop_vars": [lambda: [tf.constant(0)]],
    "sess": [tf.Session], "session": [tf.Session], "graph": [tf.get_default_graph], "values": [lambda: [_MATRIX(), _MATRIX()], _MATRIX], "tensors": [lambda: [_MATRIX(), _MATRIX()]], "ys": [_MATRIX],
    "variables": [lambda: [tf.Variable(1.0)]], "loss": [lambda: tf.Variable(1.0) * 2], "cell": [lambda: tf.nn.rnn_cell.BasicLSTMCell(2)], "optimizer": [lambda: tf.train.GradientDescentOptimizer(0.1)],
    "serialized": [lambda: tf.constant([b""])], "features": [_MATRIX, lambda: {"a": tf.FixedLenFeature([], tf.float32)}], "contents": [lambda: tf.constant(b"x")], "equation": [lambda: "ij,jk->ik"],
    "labels": [lambda: tf.constant([0, 1]), _MATRIX], "logits": [_MATRIX], "op": [tf.no_op], "value": [_MATRIX, lambda: 1.0], "object": [Odd], "module": [lambda: np], "data_format": [lambda: "NHWC", lambda: "channels_last"],
}
_PARTS = [("sp_", [_SPARSE]), ("sparse", [_SPARSE]), ("dtype", [lambda: tf.float32]), ("type", [lambda: tf.float32]), ("shape", [lambda: [2, 2]]), ("axis", [lambda: 0]), ("dim", [lambda: 1]),
          ("seed", [lambda: 1]), ("num_", [lambda: 2]), ("size", [lambda: 2]), ("depth", [lambda: 2]), ("count", [lambda: 2]), ("steps", [lambda: 2]), ("length", [lambda: 2, lambda: tf.constant([1, 2])]),
          ("rate", [lambda: 0.1]), ("momentum", [lambda: 0.1]), ("beta", [lambda: 0.1]), ("epsilon", [lambda: 0.1]), ("prob", [lambda: 0.5]), ("std", [lambda: 1.0]), ("mean", [lambda: 0.0]),
          ("is_", [lambda: False]), ("use_", [lambda: False]), ("fn", [_FUNCTION]), ("func", [_FUNCTION]), ("callable", [_FUNCTION]), ("path", [lambda: "d"]), ("file", [lambda: "d"]), ("dir", [lambda: "d"]),
          ("step", [lambda: tf.train.get_or_create_global_step()]), ("var", [lambda: tf.Variable([1.0, 2.0])]), ("ref", [lambda: tf.Variable([1.0, 2.0])]), ("indices", [lambda: tf.constant([0, 1])]),
          ("ids", [lambda: tf.constant([0, 1])]), ("dataset", [lambda: tf.data.Dataset.range(3)]), ("name", [lambda: "n"]), ("pattern", [lambda: "a"]), ("message", [lambda: "m"]), ("column", [lambda: tf.feature_column.numeric_column("a")]),
          ("list", [lambda: [_MATRIX()]]), ("layer", [lambda: tf.layers.Dense(2)])]


def plausible(name):
    """Functions that create plausible values for a parameter of this name."""
    if name in _WHOLE:
        return _WHOLE[name]
    for part, values in _PARTS:
        if part in name:
            return values
    return [_MATRIX, lambda: 2, lambda: "text"]
