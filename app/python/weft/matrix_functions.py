"""tf.linalg and other functions composed of a few ops on matrices and images."""

import numpy as np

from . import basics, dtypes, engine, ops
from .control_flow import cond, with_dependencies
from .exports import export
from .operators import strided_slice
from .tensor_shape import TensorShape


@export("linalg.adjoint")
def adjoint(matrix, name=None):
    """The conjugate transpose."""
    with ops.name_scope(name, "adjoint", [matrix]):
        return engine.matrix_transpose(ops.convert_to_tensor(matrix, name="matrix"), conjugate=True)


@export("linalg.logdet")
def logdet(matrix, name=None):
    """The logarithm of the determinant of a positive definite matrix."""
    with ops.name_scope(name, "logdet", [matrix]):
        root = engine.cholesky(matrix)
        return 2.0 * engine.reduce_sum(engine.log(engine.real(engine.matrix_diag_part(root))), axis=[-1])


@export("linalg.normalize")
def normalize(tensor, ord="euclidean", axis=None, name=None):
    """(the tensor scaled to norm 1, its norm)."""
    with ops.name_scope(name, "normalize", [tensor]):
        tensor = ops.convert_to_tensor(tensor)
        norm = basics.cast(engine.norm(tensor, ord, axis, keepdims=True), tensor.dtype)
        return tensor / norm, norm


def _checked(a, validate_args):
    """A matrix or batch of matrices; with validate_args, a statically unknown rank is checked at run time."""
    if a.shape.ndims is not None and a.shape.ndims < 2:
        raise ValueError("Input `a` must have at least 2 dimensions; saw: %s." % a.shape.ndims)
    if not validate_args or a.shape.ndims is not None:
        return a
    with ops.control_dependencies([engine.assert_rank_at_least(a, 2, message="Input `a` must have at least 2 dimensions.")]):
        return engine.identity(a)


@export("linalg.matrix_rank")
def matrix_rank(a, tol=None, validate_args=False, name=None):
    """The number of singular values greater than tol."""
    with ops.name_scope(name or "matrix_rank"):
        a = _checked(ops.convert_to_tensor(a, preferred_dtype=dtypes.float32, name="a"), validate_args)
        values = engine.svd(a, compute_uv=False)
        if tol is None:
            last = a.shape[-2:]
            size = max(last.as_list()) if last.is_fully_defined() else engine.reduce_max(basics.shape(a)[-2:])
            tol = np.finfo(a.dtype.as_numpy_dtype).eps * basics.cast(size, a.dtype) * engine.reduce_max(values, axis=-1, keepdims=True)
        return engine.reduce_sum(basics.cast(values > tol, dtypes.int32), axis=-1)


@export("linalg.pinv")
def pinv(a, rcond=None, validate_args=False, name=None):
    """The pseudoinverse by singular values; small ones are ignored."""
    with ops.name_scope(name or "pinv"):
        a = _checked(ops.convert_to_tensor(a, name="a"), validate_args)
        kind, sizes = a.dtype.as_numpy_dtype, None if a.shape.ndims is None else a.shape.as_list()
        if rcond is None:
            rows, cols = (sizes[i] if sizes and sizes[i] is not None else basics.shape(a)[i] for i in (-2, -1))
            most = float(max(rows, cols)) if isinstance(rows, int) and isinstance(cols, int) else basics.cast(engine.maximum(rows, cols), kind)
            rcond = 10. * most * np.finfo(kind).eps
        rcond = ops.convert_to_tensor(rcond, dtype=kind, name="rcond")
        values, left, right = engine.svd(a, full_matrices=False, compute_uv=True)
        cutoff = rcond * engine.reduce_max(values, axis=-1)
        values = engine.where_v2(values > engine.expand_dims(cutoff, -1), values, np.array(np.inf, kind))
        made = engine.matmul(right / engine.expand_dims(values, -2), left, adjoint_b=True)
        if sizes:
            made.set_shape(sizes[:-2] + [sizes[-1], sizes[-2]])
        return made


def _gram_root(matrix, regularizer, first_kind):
    gram = engine.matmul(matrix, matrix, adjoint_a=first_kind, adjoint_b=not first_kind)
    if regularizer:
        shape = basics.shape(gram)
        one = engine.eye(shape[-2], batch_shape=shape[:-2], dtype=matrix.dtype)
        gram += basics.cast(regularizer, matrix.dtype.real_dtype) * one if not matrix.dtype.is_complex else basics.cast(regularizer, matrix.dtype) * one
    return engine.cholesky(gram)


@export("matrix_solve_ls", "linalg.lstsq")
def matrix_solve_ls(matrix, rhs, l2_regularizer=0.0, fast=True, name=None):
    """The least squares solution of matrix @ x = rhs."""
    matrix = ops.convert_to_tensor(matrix, name="matrix")
    if matrix.dtype == dtypes.complex128 and l2_regularizer != 0:
        raise NotImplementedError("matrix_solve_ls is currently disabled for complex128 and l2_regularizer != 0 due to poor accuracy.")
    shape = matrix.shape
    composed = fast is not False
    if composed and shape.is_fully_defined():
        wide = shape[:-2].num_elements() > min(shape.as_list()[-2:])
        composed = not (shape.num_elements() * matrix.dtype.size > 256000 and wide)
    if not composed:
        return engine.raw_ops.MatrixSolveLs(matrix=matrix, rhs=rhs, l2_regularizer=basics.cast(l2_regularizer, dtypes.float64), fast=fast, name=name)

    def tall():
        return engine.cholesky_solve(_gram_root(matrix, l2_regularizer, True), engine.matmul(matrix, rhs, adjoint_a=True))

    def flat():
        return engine.matmul(matrix, engine.cholesky_solve(_gram_root(matrix, l2_regularizer, False), rhs), adjoint_a=True)

    with ops.name_scope(name, "matrix_solve_ls", [matrix, rhs, l2_regularizer]):
        rows, cols = shape.as_list()[-2:] if shape.ndims is not None else (None, None)
        if rows is not None and cols is not None:
            return tall() if rows >= cols else flat()
        sizes = basics.shape(matrix)[-2:]
        return cond(sizes[-2] >= sizes[-1], tall, flat)


@export("histogram_fixed_width_bins")
def histogram_fixed_width_bins(values, value_range, nbins=100, dtype=dtypes.int32, name=None):
    """The index of the equal-width interval that contains each value."""
    with ops.name_scope(name, "histogram_fixed_width_bins", [values, value_range, nbins]):
        values = ops.convert_to_tensor(values, name="values")
        shape = basics.shape(values)
        values = engine.reshape(values, [-1])
        value_range = ops.convert_to_tensor(value_range, name="value_range")
        count = basics.cast(ops.convert_to_tensor(nbins, dtype=dtypes.int32, name="nbins"), values.dtype)
        scaled = engine.truediv(values - value_range[0], value_range[1] - value_range[0], name="scaled_values")
        places = engine.floor(count * scaled, name="indices")
        return engine.reshape(basics.cast(engine.clip_by_value(places, 0, count - 1), dtype), shape)


@export("histogram_fixed_width")
def histogram_fixed_width(values, value_range, nbins=100, dtype=dtypes.int32, name=None):
    """The number of values in each of equal intervals."""
    with ops.name_scope(name, "histogram_fixed_width", [values, value_range, nbins]) as name:
        return engine.raw_ops.HistogramFixedWidth(values=values, value_range=value_range, nbins=nbins, dtype=dtype, name=name)


def _steps(x):
    x = engine.reshape(x, [-1])
    if not (x.dtype.is_floating or x.dtype.is_integer or x.dtype.is_complex):
        raise TypeError("Expected x to be numeric, instead found: %s" % x)
    short = engine.less(basics.size(x), 2)
    length = basics.shape(x) - [1]
    return cond(short, lambda: ops.convert_to_tensor([], dtype=x.dtype), lambda: strided_slice(x, [1], [1] + length) - strided_slice(x, [0], length))


@export("is_non_decreasing", "math.is_non_decreasing", "debugging.is_non_decreasing")
def is_non_decreasing(x, name=None):
    with ops.name_scope(name, "is_non_decreasing", [x]):
        diff = _steps(x)
        return engine.reduce_all(engine.less_equal(ops.convert_to_tensor(0, dtype=diff.dtype), diff))


@export("is_strictly_increasing", "math.is_strictly_increasing", "debugging.is_strictly_increasing")
def is_strictly_increasing(x, name=None):
    with ops.name_scope(name, "is_strictly_increasing", [x]):
        diff = _steps(x)
        return engine.reduce_all(engine.less(ops.convert_to_tensor(0, dtype=diff.dtype), diff))


@export("verify_tensor_all_finite", "debugging.assert_all_finite")
def verify_tensor_all_finite(t=None, msg=None, name=None, x=None, message=None):
    """The tensor; raises an error at run time if it contains NaN or infinity."""
    t, msg = x if t is None else t, message if msg is None else msg
    with ops.name_scope(name, "VerifyFinite", [t]):
        t = ops.convert_to_tensor(t, name="t")
        with ops.colocate_with(t):
            check = engine.check_numerics(t, message=msg)
        return with_dependencies([check], t)


@export("image.sobel_edges")
def sobel_edges(image):
    """Sobel gradients of images in both directions."""
    static, shape = image.shape, basics.shape(image)
    kernels = np.transpose(np.asarray([[[-1, -2, -1], [0, 0, 0], [1, 2, 1]], [[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]]]), (1, 2, 0))
    kernels = engine.tile(ops.constant(np.expand_dims(kernels, -2), dtype=dtypes.float32), [1, 1, shape[-1], 1], name="sobel_filters")
    padded = engine.pad(image, [[0, 0], [1, 1], [1, 1], [0, 0]], mode="REFLECT")
    made = engine.nn.depthwise_conv2d(padded, kernels, [1, 1, 1, 1], "VALID")
    made = engine.reshape(made, shape=engine.concat([shape, [2]], 0))
    made.set_shape(static.concatenate([2]))
    return made


@export("nn.swish")
def swish(features, name=None):
    """x * sigmoid(x)"""
    features = ops.convert_to_tensor(features, name="features")
    return features * engine.nn.sigmoid(features)


@export("parallel_stack")
def parallel_stack(values, name="parallel_stack"):
    """As stack(), but values are copied in as soon as they are available."""
    if getattr(values, "nbytes", 0) >= 2 ** 31:
        raise ValueError("Cannot create a tensor proto whose content is larger than 2GB.")
    with ops.name_scope(name):
        shape = TensorShape([len(values)]).concatenate(ops.convert_to_tensor(values[0]).shape)
        return engine.raw_ops.ParallelConcat(values=[engine.expand_dims(v, 0) for v in values], shape=shape)
