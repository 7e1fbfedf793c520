"""tf.compat.v2.test.compute_gradient: Jacobians of a Python function, by gradients and by differences, eagerly or in the default session."""

import numpy as np

from .. import basics, dtypes, engine, ops
from ..eager.tfe import gradients_function
from ..exports import export
from .gradient_check import _size, _TYPES, fill_columns


def _to_numpy(x):
    """A tensor or slices as an array."""
    if isinstance(x, ops.IndexedSlices):
        x = ops.convert_to_tensor(x) if ops.executing_eagerly() else ops.get_default_session().run(x)
    if hasattr(x, "dense_shape"):  # the value of slices
        whole = np.zeros(x.dense_shape, x.values.dtype)
        np.add.at(whole, x.indices, x.values)
        return whole
    if not isinstance(x, ops.Tensor):
        return x
    return x.numpy() if ops.executing_eagerly() else ops.get_default_session().run(x)


def _on_values(f, types):
    """`f` as a function of arrays that returns an array. In a graph it is called once, with placeholders."""
    if ops.executing_eagerly():
        return lambda *xs: _to_numpy(f(*(ops.convert_to_tensor(x) for x in xs)))
    inputs = [engine.placeholder(t) for t in types]
    result = f(*inputs)
    return lambda *xs: _value_fed(result, dict(zip(inputs, xs)))


def _value_fed(result, feeds):
    return _to_numpy(ops.get_default_session().run(result, feeds))


def _by_gradients(f, y, y_type, xs, types, number):
    """[elements of x, elements of y]: a column for each element of y's gradient."""
    x, x_type = xs[number], types[number]
    found = np.zeros((_size(x.shape, x_type), _size(y.shape, y_type)), x_type.real_dtype.as_numpy_dtype)
    given = np.zeros(y.shape, y_type.as_numpy_dtype)
    flat = given.ravel().view(y_type.real_dtype.as_numpy_dtype)
    gradient = _on_values(lambda dy, *values: gradients_function(f, [number])(*values, dy=dy)[0], [y_type] + types)
    return fill_columns(found, flat, lambda: gradient(given, *xs), xs[number].shape)


def _by_differences(f, y, y_type, xs, types, number, delta):
    if y_type == dtypes.bfloat16:  # too few bits for a step of delta
        whole, y_type = f, dtypes.float32
        f = lambda *values: basics.cast(whole(*values), dtypes.float32)
    real, real_y = (t.real_dtype.as_numpy_dtype for t in (types[number], y_type))
    found = np.zeros((_size(xs[number].shape, types[number]), _size(y.shape, y_type)), real)
    scale, call = np.asarray(2 * delta, real_y)[()], _on_values(f, types)
    for row in range(found.shape[0]):
        ends = []
        for step in (delta, -delta):
            moved = np.array(xs[number], order="C")
            moved.reshape(-1).view(real)[row] += step
            ends.append(np.asarray(call(*xs[:number], moved, *xs[number + 1:])))
        found[row, :] = np.asarray((ends[0] - ends[1]) / scale).ravel().view(real_y)
    return found


@export("compat.v2.test.compute_gradient")
def compute_gradient(f, x, delta=1e-3):
    """(Jacobians by gradients, Jacobians by differences) of f(*x) by each element of the list `x`; rows are elements of the argument."""
    if not isinstance(x, list):
        raise ValueError("`x` must be a list of Tensors (arguments to `f`), not a %s" % type(x))
    tensors = [ops.convert_to_tensor(t) for t in x]
    types = [t.dtype.base_dtype for t in tensors]
    xs = [np.asarray(_to_numpy(t)) for t in tensors]
    y = np.asarray(_on_values(f, types)(*xs))
    y_type = dtypes.as_dtype(y.dtype)
    for i, t in enumerate(types):
        if t not in _TYPES:
            raise AssertionError("Cannot compute gradient for unsupported type %s of argument %d" % (t.name, i))
    if y_type not in _TYPES:
        raise AssertionError("Cannot compute gradient for unsupported type %s of y" % y_type.name)
    pairs = [(_by_gradients(f, y, y_type, xs, types, i), _by_differences(f, y, y_type, xs, types, i, delta)) for i in range(len(xs))]
    return tuple(zip(*pairs))


def max_error(grad1, grad2):
    """The largest difference between elements of two lists of arrays."""
    error = 0
    for theory, numeric in zip(grad1, grad2):
        if theory.size or numeric.size:
            error = np.maximum(error, np.fabs(theory - numeric).max())
    return error
