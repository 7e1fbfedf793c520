"""Strings keep every byte on the way to the engine and back, trailing and inner NULs included: weft py strings_test.py. TensorFlow 1.15 passes it, too."""

import numpy as np
import tensorflow as tf

BYTES = [b"ab\0\0", b"\0", b"", b"c\0d", b"\xff\0"]
TEXTS = ["\xe9\0", "\0", "", "a\0b\0"]
ENCODED = [t.encode("utf-8") for t in TEXTS]
session = tf.Session()


def same(got, wanted, what):
    got = got.tolist() if isinstance(got, np.ndarray) else got
    assert got == wanted, (what, got, wanted)


def run(x, feeds=None):
    return session.run(x, feeds)


def elements(dataset):
    element, found = dataset.make_one_shot_iterator().get_next(), []
    while True:
        try:
            found.append(run(element))
        except tf.errors.OutOfRangeError:
            return found


def raises(kind, function):
    try:
        function()
    except kind:
        return
    raise AssertionError("it did not fail")


# Constants, their protos and their static values.
same(run(tf.constant(b"ab\0\0")), b"ab\0\0", "scalar")
same(run(tf.constant(BYTES)), BYTES, "list")
same(run(tf.constant(TEXTS)), ENCODED, "texts")
same(run(tf.constant([[b"a\0"], ["b\0"]])), [[b"a\0"], [b"b\0"]], "nested")
same(run(tf.constant(np.array(BYTES, dtype=object))), BYTES, "objects")
same(run(tf.constant(np.array([b"a\0"]))), [b"a"], "NumPy's own kind has lost them before")
same(run(tf.constant([b"a\0"], shape=[3])), [b"a\0"] * 3, "filled up")
same(list(tf.constant(BYTES).op.get_attr("value").string_val), BYTES, "attribute")
same(tf.contrib.util.constant_value(tf.constant(BYTES)), BYTES, "constant_value")
same(list(tf.make_tensor_proto(BYTES).string_val), BYTES, "proto")
same(tf.make_ndarray(tf.make_tensor_proto(TEXTS)), ENCODED, "array of a proto")
same(run(tf.convert_to_tensor(BYTES)), BYTES, "converted")
same(run(tf.string_join([b"a\0", BYTES])), [b"a\0" + b for b in BYTES], "argument of an op")
same(run(tf.where([True, False], [b"a\0", b""], [b"", b"d\0"])), [b"a\0", b"d\0"], "several arguments")
same(run(tf.placeholder_with_default(BYTES, [5])), BYTES, "default")
same(run(tf.decode_raw(b"\1\0\0\0", tf.int32)), [1], "decode_raw")
same(run(tf.decode_raw([b"\1\0", b"\2\0"], tf.uint8)), [[1, 0], [2, 0]], "decode_raw of several")

# Feeds.
place = tf.placeholder(tf.string)
for value, wanted in ((b"a\0", b"a\0"), ("\xe9\0", b"\xc3\xa9\0"), (BYTES, BYTES), (TEXTS, ENCODED), (np.array(BYTES, dtype=object), BYTES)):
    same(run(tf.identity(place), {place: value}), wanted, "feed")

# Data sets.
Dataset = tf.data.Dataset
same(elements(Dataset.from_tensor_slices(BYTES)), BYTES, "slices")
same(elements(Dataset.from_tensor_slices(TEXTS)), ENCODED, "slices of texts")
same([e["a"] for e in elements(Dataset.from_tensor_slices({"a": BYTES, "b": list(range(5))}))], BYTES, "slices of a dict")
same(elements(Dataset.from_tensors(b"a\0")), [b"a\0"], "tensors")
same(elements(Dataset.from_generator(lambda: iter(BYTES), tf.string)), BYTES, "generator")

# Python functions. (TensorFlow's drops the trailing NUL of a str.)
own = [("\xe9\0", b"\xc3\xa9\0"), (["a", "\xe9\0"], [b"a", b"\xc3\xa9\0"])] if tf.GIT_VERSION == "weft" else []
for value, wanted in own + [(b"a\0", b"a\0"), ("\0\xe9", b"\0\xc3\xa9"), ([b"a\0", b"bb\0\0"], [b"a\0", b"bb\0\0"]), (np.array([b"a\0"], dtype=object), [b"a\0"])]:
    same(run(tf.py_func(lambda: [value], [], [tf.string])[0]), wanted, "py_func")
same(run(tf.py_func(lambda a, b: np.int32(len(a) * 10 + sum(len(x) for x in b)), [b"a\0\0", BYTES], tf.int32)), 40, "arguments of a py_func")

# Examples.
feature = tf.train.Feature(bytes_list=tf.train.BytesList(value=BYTES))
example = tf.train.Example(features=tf.train.Features(feature={"a": feature})).SerializeToString()
parsed = run(tf.parse_single_example(example, {"a": tf.FixedLenFeature([5], tf.string), "d": tf.FixedLenFeature([], tf.string, b"de\0")}))
same(parsed["a"], BYTES, "example")
same(parsed["d"], b"de\0", "default of an example")

# Variables, attributes, tables.
v, r = tf.Variable(BYTES), tf.Variable(b"x\0", use_resource=True)
table = tf.contrib.lookup.HashTable(tf.contrib.lookup.KeyValueTensorInitializer([b"a\0", b"a"], [b"v\0", b"w"]), b"d\0")
session.run([tf.global_variables_initializer(), table.init])
same(run(v), BYTES, "variable")
same(run(r), b"x\0", "resource variable")
same(run(table.lookup(tf.constant([b"a\0", b"a", b"z"]))), [b"v\0", b"w", b"d\0"], "table")
op = tf.get_default_graph().create_op("NoOp", [], [], attrs={"_s": tf.AttrValue(s=b"x\0\xff"), "_l": tf.AttrValue(list=tf.AttrValue.ListValue(s=BYTES))})
same(op.get_attr("_s"), b"x\0\xff", "attribute")
same(list(op.get_attr("_l")), BYTES, "list attribute")

# Values that are not strings are refused, never formatted.
raises(TypeError, lambda: tf.constant([b"a", 1]))
raises(TypeError, lambda: tf.constant([1, b"a"]))
raises(TypeError, lambda: tf.constant([b"a", None]))
raises(TypeError, lambda: tf.make_tensor_proto(np.array([1, b"a"], dtype=object)))
raises(TypeError, lambda: tf.make_tensor_proto([np.array(b"a", dtype=object)]))
print("strings: all as expected")
