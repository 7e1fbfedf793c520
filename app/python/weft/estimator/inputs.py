"""tf.estimator.inputs: arrays and data frames as input functions."""

import uuid

import numpy as np

from ..exports import export
from .feeding import queue_of, rows_of_arrays, rows_of_frame


def _need_shuffle(shuffle):
    if not isinstance(shuffle, bool):
        raise ValueError("shuffle must be provided and explicitly set as boolean (it is recommended to set it as True for training); got {}".format(shuffle))


def _by_name(arrays):
    return dict(sorted(arrays.items(), key=lambda item: item[0]))


def _features(x):
    if isinstance(x, dict):
        if not x:
            raise ValueError("x cannot be an empty dict")
        return _by_name(x)
    if isinstance(x, np.ndarray):
        if x.size == 0:
            raise ValueError("x cannot be an empty array")
        return {"__direct_np_input__": x}
    raise TypeError("x must be a dict or array; got {}".format(type(x).__name__))


def _labels(y, features):
    """Labels by name, and the name alone where they are one array; ({}, None) without labels."""
    if y is None:
        return {}, None
    if isinstance(y, dict):
        if not y:
            raise ValueError("y cannot be empty dict, use None instead.")
        both = set(features) & set(y)
        if both:
            raise ValueError("{} duplicate keys are found in both x and y: {}".format(len(both), both))
        return _by_name(y), None
    return {"__target_key__": y}, "__target_key__"


def _same_length(features, labels, y):
    if len({a.shape[0] for a in [*features.values(), *labels.values()]}) != 1:
        of_y = None if y is None else {k: v.shape for k, v in labels.items()} if isinstance(y, dict) else y.shape
        raise ValueError("Length of tensors in x and y is mismatched. All elements in x and y must have the same length.\nShapes in x: {}\nShapes in y: {}\n"
                         .format({k: v.shape for k, v in features.items()}, of_y))


def _batch(queue, batch_size, num_epochs):
    """A batch without the rows' index."""
    batch = queue.dequeue_many(batch_size) if num_epochs is None else queue.dequeue_up_to(batch_size)
    return batch[1:]


@export("estimator.inputs.numpy_input_fn")
def numpy_input_fn(x, y=None, batch_size=128, num_epochs=1, shuffle=None, queue_capacity=1000, num_threads=1):
    """An input function that gives batches of arrays."""
    _need_shuffle(shuffle)

    def input_fn():
        features = _features(x)
        labels, single = _labels(y, features)
        _same_length(features, labels, y)
        rows = rows_of_arrays([*features.values(), *labels.values()])
        batch = _batch(queue_of(rows, queue_capacity, shuffle, num_threads, batch_size, num_epochs), batch_size, num_epochs)
        made = batch[0] if isinstance(x, np.ndarray) else dict(zip(features, batch))
        if y is None:
            return made
        rest = batch[len(features):]
        return made, rest[0] if single else dict(zip(labels, rest))

    return input_fn


def _with_labels(x, y, target_column):
    """The frame with its labels as further columns; names of these columns by those of the labels, or one name."""
    if y is None:
        return x, None
    if target_column in x:
        raise ValueError("Cannot use name %s for target column: DataFrame already has a column with that name: %s" % (target_column, x.columns))
    if not np.array_equal(x.index, y.index):
        raise ValueError("Index for x and y are mismatched.\nIndex for x: %s\nIndex for y: %s\n" % (x.index, y.index))
    if not hasattr(y, "columns"):
        x[target_column] = y
        return x, target_column
    columns = {name: name + "_" + str(uuid.uuid4()) if name in x else name for name in y.columns}
    for name, column in columns.items():
        x[column] = y[name]
    return x, columns


@export("estimator.inputs.pandas_input_fn")
def pandas_input_fn(x, y=None, batch_size=128, num_epochs=1, shuffle=None, queue_capacity=1000, num_threads=1, target_column="target"):
    """As numpy_input_fn, of a pandas DataFrame; labels are a Series or a DataFrame with the same index."""
    _need_shuffle(shuffle)
    if not isinstance(target_column, str):
        raise TypeError("target_column must be a string type")
    frame, target = _with_labels(x.copy(), y, target_column)
    if queue_capacity is None:
        queue_capacity = (4 if shuffle else 1) * len(frame)
    least = max(queue_capacity / 4, 1)

    def input_fn():
        queue = queue_of(rows_of_frame(frame), queue_capacity, shuffle, num_threads, batch_size, num_epochs, least)
        features = dict(zip(frame.columns, _batch(queue, batch_size, num_epochs)))
        if target is None:
            return features
        if isinstance(target, str):
            labels = features.pop(target)
        else:
            labels = {name: features.pop(column) for name, column in target.items()}
        return features, labels

    return input_fn
