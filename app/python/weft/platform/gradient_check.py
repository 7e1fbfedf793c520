"""tf.test.compute_gradient and compute_gradient_error: Jacobians by gradients and by differences. Complex numbers count as two reals each."""

import numpy as np

from .. import basics, dtypes, engine, ops
from ..exports import export
from ..gradients import gradients
from ..graph_elements import IndexedSlices

_TYPES = (dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64, dtypes.complex64, dtypes.complex128)


def _size(shape, dtype):
    return (int(shape) if isinstance(shape, (int, np.integer)) else int(np.prod(shape))) * (2 if dtype.is_complex else 1)


def _checked(tensor, name):
    if tensor.dtype.base_dtype not in _TYPES:
        raise AssertionError("Don't support type %s for %s" % (tensor.dtype.name, name))


def fill_columns(found, flat, run, shape):
    """Fills the columns of `found` with run(), while the numbers of `flat`, a view of the seed, are 1 in turn. Without columns, run() must give zeros of `shape`."""
    for column in range(found.shape[1]):
        flat[column] = 1
        found[:, column] = np.ascontiguousarray(run()).ravel().view(found.dtype)
        flat[column] = 0
    if not found.shape[1]:
        got = run()
        if got.shape != shape:
            raise ValueError("Empty gradient has wrong shape: expected %s, got %s" % (shape, got.shape))
        if np.any(got):
            raise ValueError("Empty tensor with nonzero gradients")
    return found


def _by_gradients(x, x_shape, at, dx, y, y_shape, seed, feeds):
    """[elements of x, elements of y]: a column for each element of the seed."""
    x_type, y_type = x.dtype.base_dtype, y.dtype.base_dtype
    rows, columns = _size(x_shape, x_type), _size(y_shape, y_type)
    found = np.zeros((rows, columns), x_type.real_dtype.as_numpy_dtype)
    given = np.zeros(y_shape, y_type.as_numpy_dtype)
    flat, session = given.ravel().view(y_type.real_dtype.as_numpy_dtype), ops.get_default_session()

    def run():
        got = session.run(dx, {**feeds, x: at, seed: given})
        if not isinstance(dx, IndexedSlices):
            return got
        whole = np.zeros(x_shape, got.values.dtype)
        np.add.at(whole, got.indices, got.values)
        return whole

    return fill_columns(found, flat, run, at.shape)


def _by_differences(x, x_shape, at, y, y_shape, delta, feeds):
    # Sixteen bits are too few for a step of delta.
    x, y = (basics.cast(t, dtypes.float32) if t.dtype.base_dtype == dtypes.bfloat16 else t for t in (x, y))
    x_type, y_type = x.dtype.base_dtype, y.dtype.base_dtype
    real, real_y = x_type.real_dtype.as_numpy_dtype, y_type.real_dtype.as_numpy_dtype
    at, scale = np.asarray(at, x_type.as_numpy_dtype), np.asarray(2 * delta, real_y)[()]
    found, session = np.zeros((_size(x_shape, x_type), _size(y_shape, y_type)), real), ops.get_default_session()
    for row in range(found.shape[0]):
        ends = []
        for step in (delta, -delta):
            moved = np.array(at, order="C")
            moved.reshape(-1).view(real)[row] += step
            ends.append(np.asarray(session.run(y, {**feeds, x: moved})))
        found[row, :] = np.asarray((ends[0] - ends[1]) / scale).ravel().view(real_y)
    return found


def _one(x, x_shape, dx, y, y_shape, seed, value, delta, feeds):
    x_type = x.dtype.base_dtype
    if value is None:
        value = np.asarray(np.random.random_sample(x_shape)).astype(x_type.as_numpy_dtype)
        if x_type.is_complex:
            value = value + (1j * np.random.random_sample(x_shape)).astype(value.dtype)
    elif list(np.shape(value)) != list(x_shape):
        raise AssertionError("x_shape = %s, init_data shape = %s" % (x_shape, list(np.shape(value))))
    value = np.asarray(value)
    return (_by_gradients(x, x_shape, value, dx, y, y_shape, seed, feeds), _by_differences(x, x_shape, value, y, y_shape, delta, feeds))


def _seeded(x, y, y_shape):
    """The gradient of y by x, and the constant to feed as the gradient of y."""
    _checked(x, "x")
    _checked(y, "y")
    with x.graph.as_default():
        seed = ops.constant(1.0, shape=y_shape, dtype=y.dtype.base_dtype)
        made = gradients(y, x, engine.identity(seed))[0]
    if made is None:
        raise AssertionError("dx = None: y does not depend on x by operations with gradients")
    return made, seed


@export("test.compute_gradient")
def compute_gradient(x, x_shape, y, y_shape, x_init_value=None, delta=1e-3, init_targets=None, extra_feed_dict=None):
    """The Jacobian of y by x, from gradients and from differences; rows are elements of x. For a list of tensors x, a list of such pairs."""
    several, feeds = isinstance(x, list), dict(extra_feed_dict or {})
    every = x if several else [x]
    seeded = [_seeded(t, y, y_shape) for t in every]
    for target in init_targets if isinstance(init_targets, (list, tuple)) else [] if init_targets is None else [init_targets]:
        ops.get_default_session().run(target)
    values = x_init_value if several else [x_init_value]
    found = [_one(t, shape, dx, y, y_shape, seed, value, delta, feeds)
             for t, shape, (dx, seed), value in zip(every, x_shape if several else [x_shape], seeded, [None] * len(every) if values is None else values)]
    return found if several else found[0]


@export("test.compute_gradient_error")
def compute_gradient_error(x, x_shape, y, y_shape, x_init_value=None, delta=1e-3, init_targets=None, extra_feed_dict=None):
    """The largest difference between the two Jacobians."""
    pairs = compute_gradient(x, x_shape, y, y_shape, x_init_value, delta, init_targets, extra_feed_dict)
    error = 0
    for theory, numeric in pairs if isinstance(pairs, list) else [pairs]:
        if theory.size:
            error = np.maximum(error, np.fabs(theory - numeric).max())
    return error
