"""Recipes of arguments: JSON descriptions from which equal or similar values can be made, and modified (spoiled) recipes."""

import copy

import numpy as np
import tensorflow as tf

_LARGE = 64  # elements of an array or tensor that are kept


def _numbers(array):
    return array.ravel().tolist() if array.size <= _LARGE and array.dtype.kind in "biuf" and (array.dtype.kind != "f" or np.isfinite(array).all()) else None


def recipe(value, depth=0):
    """The recipe of a value as JSON, or None. Its first element is the kind of value."""
    if value is None or isinstance(value, (bool, str)) and not (isinstance(value, str) and len(value) > 400):
        return ["is", value]
    if isinstance(value, (int, float)) and type(value) in (int, float) and value == value and abs(value) < 1e300:
        return ["is", value]
    if isinstance(value, bytes) and len(value) < 400:
        return ["bytes", value.decode("latin-1")]
    if isinstance(value, tf.DType):
        return ["dtype", value.name]
    if isinstance(value, tf.TensorShape):
        return ["shape", value.as_list() if value.ndims is not None else None]
    if isinstance(value, (np.ndarray, np.generic)):
        value = np.asarray(value)
        return ["array", value.dtype.str, list(value.shape), _numbers(value)] if value.dtype.kind in "biufc" and value.size < 1 << 20 else None
    if isinstance(value, tf.Tensor):
        if value.dtype.is_ref_dtype if hasattr(value.dtype, "is_ref_dtype") else value.dtype._is_ref_dtype:
            return ["variable", value.dtype.base_dtype.name, _dims(value), False]
        known = tf.contrib.util.constant_value(value)
        known = _numbers(known) if isinstance(known, np.ndarray) and known.dtype.kind in "biuf" else None
        return ["tensor", value.dtype.name, _dims(value), known] if value.dtype not in (tf.resource, tf.variant) else None
    if isinstance(value, tf.Variable):
        return ["variable", value.dtype.base_dtype.name, _dims(value), hasattr(value, "handle")]
    if isinstance(value, tf.SparseTensor):
        return ["sparse", value.dtype.name]
    if isinstance(value, tf.Operation):
        return ["operation"]
    if isinstance(value, tf.Graph):
        return ["graph"]
    if isinstance(value, (list, tuple)) and depth < 4 and len(value) <= 16:
        items = [recipe(v, depth + 1) for v in value]
        return None if None in items else ["tuple" if isinstance(value, tuple) else "list", items]
    if isinstance(value, dict) and depth < 4 and len(value) <= 16 and all(isinstance(k, str) for k in value):
        items = {k: recipe(v, depth + 1) for k, v in value.items()}
        return None if None in items.values() else ["dict", items]
    if isinstance(value, type):
        return None
    if type(value).__name__ in ("function", "method", "builtin_function_or_method", "partial"):
        return ["function"]
    for module, kind in _OBJECTS:
        if type(value).__name__ == kind:
            return ["object", module]
    return None


def _dims(tensor):
    return tensor.shape.as_list() if tensor.shape.ndims is not None else None


# Objects that another instance of their class can replace.
_OBJECTS = [("tf.train.GradientDescentOptimizer(0.1)", k) for k in ("GradientDescentOptimizer", "AdamOptimizer", "MomentumOptimizer", "AdagradOptimizer")] + [
    ("tf.nn.rnn_cell.BasicLSTMCell(2)", "BasicLSTMCell"), ("tf.nn.rnn_cell.GRUCell(2)", "GRUCell"), ("tf.nn.rnn_cell.BasicRNNCell(2)", "BasicRNNCell"), ("tf.Session()", "Session"),
    ("tf.layers.Dense(2)", "Dense"), ("tf.train.Saver([tf.Variable(1.0)])", "Saver"), ("tf.train.Coordinator()", "Coordinator"), ("tf.ConfigProto()", "ConfigProto"),
    ("tf.zeros_initializer()", "Zeros"), ("tf.ones_initializer()", "Ones"), ("tf.glorot_uniform_initializer()", "GlorotUniform"), ("tf.constant_initializer(1.0)", "Constant"),
    ("tf.truncated_normal_initializer()", "TruncatedNormal"), ("tf.data.Dataset.range(3)", "RangeDataset"), ("tf.data.Dataset.range(3).batch(2)", "BatchDataset"),
    ("tf.data.Dataset.range(3).map(lambda x: x)", "MapDataset"), ("tf.data.Dataset.from_tensor_slices([1.0, 2.0])", "TensorSliceDataset"), ("tf.GraphDef()", "GraphDef"),
    ("tf.FixedLenFeature([], tf.float32)", "FixedLenFeature"), ("tf.VarLenFeature(tf.float32)", "VarLenFeature"), ("tf.train.ClusterSpec({'a': ['localhost:1']})", "ClusterSpec"),
    ("tf.feature_column.numeric_column('a')", "NumericColumn"), ("tf.IndexedSlices(tf.constant([1.0]), tf.constant([0]))", "IndexedSlices"), ("tf.TensorArray(tf.float32, 2)", "TensorArray"),
    ("tf.keras.layers.Dense(2)", "Dense"), ("tf.ragged.constant([[1, 2], [3]])", "RaggedTensor"), ("tf.Dimension(2)", "Dimension"), ("tf.FIFOQueue(2, tf.float32)", "FIFOQueue"),
    ("tf.estimator.RunConfig()", "RunConfig"), ("tf.get_variable_scope()", "VariableScope"), ("tf.distributions.Normal(0., 1.)", "Normal")]


def _filled(dims, numbers, dtype):
    dims = [2 if d is None else d for d in (dims if dims is not None else [2])]
    if numbers is not None and len(numbers) == int(np.prod(dims)):
        return np.array(numbers).reshape(dims)
    return (np.arange(int(np.prod(dims))) % 5).reshape(dims)


def make(r):
    """Makes a value from its recipe, in the default graph."""
    kind = r[0]
    if kind == "is":
        return r[1]
    if kind == "bytes":
        return r[1].encode("latin-1")
    if kind == "dtype":
        return tf.as_dtype(r[1])
    if kind == "shape":
        return tf.TensorShape(r[1])
    if kind == "array":
        return _filled(r[2], r[3], r[1]).astype(r[1])
    if kind in ("tensor", "variable"):
        dtype = tf.as_dtype(r[1])
        if dtype == tf.string:
            values = np.full([2 if d is None else d for d in (r[2] if r[2] is not None else [2])], "a", object)
        else:
            values = _filled(r[2], r[3] if kind == "tensor" else None, dtype).astype(np.dtype(dtype.as_numpy_dtype) if not dtype.is_quantized else np.float32)
        if kind == "variable":
            return tf.Variable(values, dtype=dtype, use_resource=r[3])
        if r[2] is None or None in r[2]:
            return tf.placeholder_with_default(tf.constant(values, dtype), r[2])
        return tf.constant(values, dtype)
    if kind == "sparse":
        return tf.SparseTensor([[0, 1]], tf.constant([1], tf.as_dtype(r[1])) if r[1] != "string" else ["a"], [2, 2])
    if kind == "operation":
        return tf.no_op()
    if kind == "graph":
        return tf.get_default_graph()
    if kind == "list":
        return [make(v) for v in r[1]]
    if kind == "tuple":
        return tuple(make(v) for v in r[1])
    if kind == "dict":
        return {k: make(v) for k, v in r[1].items()}
    if kind == "function":
        return lambda *a, **k: a[0] if a else tf.constant(1.0)
    return eval(r[1], {"tf": tf})


_TYPES = ("float32", "float64", "float16", "bfloat16", "int8", "int16", "int32", "int64", "uint8", "uint16", "bool", "string", "complex64", "complex128")
_NUMBERS = (0, -1, 1, 2, 3, -2, 7, 100, 2 ** 31 - 1, 2 ** 31, -2 ** 31, 2 ** 40, 2 ** 63 - 1, -2 ** 63, 2 ** 64, 0.5, -0.5, 1e30, 1e-30)
_TEXTS = ("", "a", "\0", "a:0", "^a", "SAME", "NHWC", "float32", "é", "a/b/", "/", "a" * 300)


def spoiled(r, dice):
    """A recipe that differs from `r` in one respect: a number, a length, a rank, a type, a text."""
    r = copy.deepcopy(r)
    kind = r[0]
    if kind == "is":
        if isinstance(r[1], bool):
            return ["is", not r[1]]
        if isinstance(r[1], (int, float)):
            return ["is", dice.choice(_NUMBERS) if dice.random() < 0.7 else -r[1] if dice.random() < 0.5 else r[1] + dice.choice((1, -1))]
        if isinstance(r[1], str):
            return ["is", dice.choice(_TEXTS) if dice.random() < 0.6 else r[1] + dice.choice(("x", " ", "/", ":0")) if dice.random() < 0.5 else r[1].upper()]
        return ["is", dice.choice(_NUMBERS + _TEXTS)]
    if kind == "dtype":
        return ["dtype", dice.choice(_TYPES)]
    if kind == "shape":
        return ["shape", _dims_spoiled(r[1], dice)]
    if kind in ("array", "tensor", "variable"):
        what = dice.random()
        if what < 0.35:
            r[1] = dice.choice([t for t in _TYPES if t not in ("string", "bfloat16")]) if kind == "array" else dice.choice(_TYPES)
        elif what < 0.8 or kind == "variable" or r[3] is None or not r[3]:
            r[2] = _dims_spoiled(r[2], dice)
        else:
            r[3][dice.randrange(len(r[3]))] = dice.choice(_NUMBERS[:14])
            if r[1] not in ("float32", "float64", "int64"):
                r[1] = "int64" if kind == "tensor" else r[1]
        return r
    if kind in ("list", "tuple") and r[1]:
        what, at = dice.random(), dice.randrange(len(r[1]))
        if what < 0.6:
            r[1][at] = spoiled(r[1][at], dice)
        elif what < 0.75:
            del r[1][at]
        elif what < 0.9:
            r[1].insert(at, copy.deepcopy(r[1][at]))
        else:
            r[1] = []
        return r
    if kind == "dict" and r[1]:
        key = dice.choice(sorted(r[1]))
        if dice.random() < 0.7:
            r[1][key] = spoiled(r[1][key], dice)
        else:
            del r[1][key]
        return r
    return ["is", dice.choice(_NUMBERS + _TEXTS + (None, True))]


def _dims_spoiled(dims, dice):
    if dims is None:
        return [2]
    dims, what = list(dims), dice.random()
    if what < 0.3 and dims:
        del dims[dice.randrange(len(dims))]
    elif what < 0.6:
        dims.insert(dice.randrange(len(dims) + 1), dice.choice((1, 2, 3)))
    elif dims:
        dims[dice.randrange(len(dims))] = dice.choice((0, 1, 2, 3, 5, 17, None))
    return dims if int(np.prod([2 if d is None else d for d in dims])) < 1 << 20 else [2]
