"""tf.estimator.inputs: arrays as input functions."""

import collections

import numpy as np
import tensorflow as tf

from ..exports import export


def _ordered(x):
    if isinstance(x, np.ndarray):
        return collections.OrderedDict([("__direct_np_input__", x)])
    if not isinstance(x, dict):
        raise TypeError("x must be a dict or array; got {}".format(type(x).__name__))
    if not x:
        raise ValueError("x cannot be an empty dict")
    return collections.OrderedDict(sorted(x.items(), key=lambda item: str(item[0])))


@export("estimator.inputs.numpy_input_fn")
def numpy_input_fn(x, y=None, batch_size=128, num_epochs=1, shuffle=None, queue_capacity=1000, num_threads=1):
    """An input function that gives batches of arrays."""
    if not isinstance(shuffle, bool):
        raise ValueError("shuffle must be provided and explicitly set as boolean (it is recommended to set it as True for training); got {}".format(shuffle))

    def input_fn():
        arrays = _ordered(x)
        lengths = {k: v.shape[0] for k, v in arrays.items()}
        names = list(arrays)
        labels = None
        if y is not None:
            labels = collections.OrderedDict(sorted(y.items())) if isinstance(y, dict) else None
            for key, value in (labels or {"y": y}).items():
                lengths["y" if labels is None else key] = value.shape[0]
        if len(set(lengths.values())) != 1:
            raise ValueError("Length of tensors in x and y is mismatched. All elements in x and y must have the same length.\nShapes in x: {}\nShapes in y: {}\n"
                             .format({k: v.shape for k, v in arrays.items()}, None if y is None else getattr(y, "shape", {k: v.shape for k, v in (labels or {}).items()})))
        flat = list(arrays.values()) + (list(labels.values()) if labels else [y] if y is not None else [])
        batches = _queue(flat, batch_size, num_epochs, shuffle, queue_capacity, num_threads)
        features = collections.OrderedDict(zip(names, batches))
        if isinstance(x, np.ndarray):
            features = features["__direct_np_input__"]
        if y is None:
            return features
        rest = batches[len(names):]
        return features, (dict(zip(labels, rest)) if labels else rest[0])

    return input_fn


def _queue(arrays, batch_size, num_epochs, shuffle, capacity, threads):
    """Batches of rows, as tensors: the arrays stay outside of the graph."""
    def batches():
        left = np.zeros([0], np.int64)
        epoch = 0
        while num_epochs is None or epoch < num_epochs:
            count = len(arrays[0])
            left = np.concatenate([left, np.random.permutation(count) if shuffle else np.arange(count)])
            epoch += 1
            while len(left) >= batch_size:
                yield tuple(a[left[:batch_size]] for a in arrays)
                left = left[batch_size:]
        if len(left):
            yield tuple(a[left] for a in arrays)

    types = [tf.as_dtype(a.dtype) if a.dtype.kind not in "OSU" else tf.string for a in arrays]
    walk = []

    def batch(i):
        if i == 0:
            walk[:] = [batches()]
        return next(walk[0])

    def tensors(i):
        made = tf.py_func(batch, [i], types)
        for t, a in zip(made, arrays):
            t.set_shape([None] + list(a.shape[1:]))
        return tuple(made)

    rows = len(arrays[0]) * num_epochs if num_epochs is not None else None
    data = tf.data.Dataset.range(-(-rows // batch_size) if rows is not None else 1 << 62).map(tensors)
    iterator = tf.data.make_initializable_iterator(data)
    tf.add_to_collection("table_initializer", iterator.initializer)
    return list(iterator.get_next())


@export("estimator.inputs.pandas_input_fn")
def pandas_input_fn(x, y=None, batch_size=128, num_epochs=1, shuffle=None, queue_capacity=1000, num_threads=1, target_column="target"):
    """As numpy_input_fn, of a pandas DataFrame."""
    arrays = {name: np.asarray(x[name]) for name in x.columns}
    labels = None if y is None else np.asarray(y) if not hasattr(y, "columns") else {name: np.asarray(y[name]) for name in y.columns}
    return numpy_input_fn(arrays, labels, batch_size, num_epochs, shuffle, queue_capacity, num_threads)
