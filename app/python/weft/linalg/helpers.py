"""Broadcasting of batch shapes, broadcasting solves, and hints of combined operators."""

import numpy as np

from .. import basics, dtypes, engine, matrix_functions, ops
from ..control_flow import no_op
from ..distributions.base import broadcast_static
from ..training.tracking.module import Module
from ..variable_base import Variable


def shape_tensor(shape, name=None):
    return ops.convert_to_tensor(shape, dtype=dtypes.int32 if isinstance(shape, (tuple, list)) and not shape else None, name=name)


def not_a_variable(x, name):
    if isinstance(x, Variable):
        raise TypeError("Argument %s cannot be reference type. Found: %s" % (name, type(x)))


def same_batch(matrices, name=None):
    """The matrices with their batch shapes broadcast to each other."""
    with ops.name_scope(name or "broadcast_matrix_batch_dims", values=matrices):
        matrices = [ops.convert_to_tensor(m) for m in matrices]
        for m in matrices:
            if m.shape.ndims is not None and m.shape.ndims < 2:
                raise ValueError("Expected [batch] matrix to have at least two dimensions.  Found: %s" % m)
        if len(matrices) < 2:
            return matrices
        known = matrices[0].shape[:-2]
        for m in matrices[1:]:
            known = broadcast_static(known, m.shape[:-2])
        if known.is_fully_defined():
            return [m if m.shape[:-2] == known else engine.broadcast_to(m, engine.concat([known.as_list(), basics.shape(m)[-2:]], axis=0)) for m in matrices]
        batch = basics.shape(matrices[0])[:-2]
        for m in matrices[1:]:
            batch = engine.broadcast_dynamic_shape(batch, basics.shape(m)[:-2])
        return [engine.broadcast_to(m, engine.concat([batch, basics.shape(m)[-2:]], axis=0)) for m in matrices]


def cholesky_solve(factor, rhs, name=None):
    with ops.name_scope(name, "CholeskySolveWithBroadcast", [factor, rhs]):
        factor, rhs = same_batch([factor, rhs])
        return engine.cholesky_solve(factor, rhs)


def matrix_solve(matrix, rhs, adjoint=False, name=None):
    with ops.name_scope(name, "MatrixSolveWithBroadcast", [matrix, rhs]):
        matrix, rhs, back, flipped = _fewer_batches(ops.convert_to_tensor(matrix, name="matrix"), ops.convert_to_tensor(rhs, name="rhs", dtype=matrix.dtype), adjoint)
        matrix, rhs = same_batch([matrix, rhs])
        return back(engine.matrix_solve(matrix, rhs, adjoint=adjoint and not flipped))


def triangular_solve(matrix, rhs, lower=True, adjoint=False, name=None):
    with ops.name_scope(name, "MatrixTriangularSolve", [matrix, rhs]):
        matrix, rhs, back, flipped = _fewer_batches(ops.convert_to_tensor(matrix, name="matrix"), ops.convert_to_tensor(rhs, name="rhs", dtype=matrix.dtype), adjoint)
        if flipped and adjoint:
            lower = not lower
        matrix, rhs = same_batch([matrix, rhs])
        return back(engine.matrix_triangular_solve(matrix, rhs, lower=lower, adjoint=adjoint and not flipped))


def _fewer_batches(a, b, adjoint):
    """(a, b, how to reorder the solution, whether a is already its adjoint): batch dimensions that only b has become columns."""
    if a.shape.ndims is None or b.shape.ndims is None or a.shape.ndims >= b.shape.ndims:
        return a, b, lambda x: x, False
    more = b.shape.ndims - a.shape.ndims
    batches, main = basics.shape(b)[:more], basics.shape(b)[more:]
    size, rows = a.shape.as_list()[-2 if adjoint else -1], b.shape.as_list()[-1]
    count = np.prod(b.shape[:more].as_list()) if b.shape[:more].is_fully_defined() else None
    if size is not None and rows is not None and count is not None and (count < 2 or size <= rows):
        return a, b, lambda x: x, False
    if adjoint:
        a = matrix_functions.adjoint(a)
    batches, main = basics.shape(b)[:more], basics.shape(b)[more:]
    order = np.concatenate((np.arange(more, b.shape.ndims), np.arange(0, more)), 0)
    wide = engine.transpose(b, perm=order)
    wide = engine.reshape(wide, engine.concat((main[:-1], [-1]), 0))

    def back(y):
        y = engine.reshape(y, engine.concat((basics.shape(y)[:-1], [main[-1]], batches), 0))
        return engine.transpose(y, perm=np.argsort(order))

    return a, wide, back, True


def no_zeros(x, message):
    """Checks that no element is zero."""
    with ops.name_scope("assert_no_entries_with_modulus_zero", values=[x]):
        size = engine.abs(x)
        return engine.assert_less(ops.convert_to_tensor(0, dtype=x.dtype.base_dtype.real_dtype), size, message=message)


def no_imaginary_part(x, message):
    with ops.name_scope("assert_zero_imag_part", values=[x]):
        if x.dtype.base_dtype.is_floating:
            return no_op()
        return engine.assert_equal(ops.convert_to_tensor(0, dtype=x.dtype.base_dtype.real_dtype), engine.imag(x), message=message)


# Hints.
def combined(operator, attribute, given, message):
    """The operator's hint combined with the given one; ValueError if they contradict each other."""
    own = getattr(operator, attribute)
    if own is False and given or own and given is False:
        raise ValueError(message)
    return True if own or given else False if own is False or given is False else None


def both_non_singular(a, b):
    return False if a.is_non_singular is False or b.is_non_singular is False else a.is_non_singular and b.is_non_singular


def both_self_adjoint(a, b):
    """Whether the product of two commuting operators is self-adjoint."""
    if a.is_self_adjoint and b.is_self_adjoint:
        return True
    return False if {a.is_self_adjoint, b.is_self_adjoint} == {True, False} else None


def both_positive_definite(a, b):
    return True if all(o.is_positive_definite is True and o.is_self_adjoint is True for o in (a, b)) else None


def product_is_square(a, b):
    if a.is_square and b.is_square:
        return True
    if a.is_square is False and b.is_square is False:
        return a.range_dimension == b.domain_dimension
    return False if a.is_square != b.is_square and a.is_square is not None else None


def hints(operator):
    return {"is_non_singular": operator.is_non_singular, "is_self_adjoint": operator.is_self_adjoint, "is_positive_definite": operator.is_positive_definite, "is_square": True}


def base_dtype(dtype):
    return dtypes.as_dtype(dtype).base_dtype


def dtype_name(dtype):
    return dtypes.as_dtype(dtype).name


def is_ref(x):
    """Whether the value may change: a variable, or a module with a shape and a type."""
    return isinstance(x, Variable) or isinstance(x, Module) and hasattr(x, "dtype") and hasattr(x, "shape")


def assert_not_ref_type(x, arg_name):
    if is_ref(x):
        raise TypeError("Argument %s cannot be reference type. Found: %s" % (arg_name, type(x)))


def convert_nonref_to_tensor(value, dtype=None, dtype_hint=None, name=None):
    """`value` as a tensor; variables and modules stay what they are."""
    if value is None:
        return None
    if not is_ref(value):
        return ops.convert_to_tensor(value, dtype=dtype, dtype_hint=dtype_hint, name=name)
    if dtype is not None and base_dtype(dtype) != base_dtype(value.dtype):
        raise TypeError('Mutable type must be of dtype "%s" but is "%s".' % (dtype_name(base_dtype(dtype)), dtype_name(base_dtype(value.dtype))))
    return value
