"""Matrices of one batch shape, systems solved with broadcasting, hints about operators put together."""

import numpy as np
import tensorflow as tf

from ..distributions.base import broadcast_static


def shape_tensor(shape, name=None):
    return tf.convert_to_tensor(shape, dtype=tf.int32 if isinstance(shape, (tuple, list)) and not shape else None, name=name)


def not_a_variable(x, name):
    if isinstance(x, tf.Variable):
        raise TypeError("Argument %s cannot be reference type. Found: %s" % (name, type(x)))


def same_batch(matrices, name=None):
    """The matrices with their batch shapes broadcast to each other."""
    with tf.name_scope(name or "broadcast_matrix_batch_dims", values=matrices):
        matrices = [tf.convert_to_tensor(m) for m in matrices]
        for m in matrices:
            if m.shape.ndims is not None and m.shape.ndims < 2:
                raise ValueError("Expected [batch] matrix to have at least two dimensions.  Found: %s" % m)
        if len(matrices) < 2:
            return matrices
        known = matrices[0].shape[:-2]
        for m in matrices[1:]:
            known = broadcast_static(known, m.shape[:-2])
        if known.is_fully_defined():
            return [m if m.shape[:-2] == known else tf.broadcast_to(m, tf.concat([known.as_list(), tf.shape(m)[-2:]], axis=0)) for m in matrices]
        batch = tf.shape(matrices[0])[:-2]
        for m in matrices[1:]:
            batch = tf.broadcast_dynamic_shape(batch, tf.shape(m)[:-2])
        return [tf.broadcast_to(m, tf.concat([batch, tf.shape(m)[-2:]], axis=0)) for m in matrices]


def cholesky_solve(factor, rhs):
    with tf.name_scope(None, "CholeskySolveWithBroadcast", [factor, rhs]):
        factor, rhs = same_batch([factor, rhs])
        return tf.cholesky_solve(factor, rhs)


def matrix_solve(matrix, rhs, adjoint=False):
    with tf.name_scope(None, "MatrixSolveWithBroadcast", [matrix, rhs]):
        matrix, rhs, back, flipped = _fewer_batches(tf.convert_to_tensor(matrix, name="matrix"), tf.convert_to_tensor(rhs, name="rhs", dtype=matrix.dtype), adjoint)
        matrix, rhs = same_batch([matrix, rhs])
        return back(tf.matrix_solve(matrix, rhs, adjoint=adjoint and not flipped))


def triangular_solve(matrix, rhs, lower=True, adjoint=False):
    with tf.name_scope(None, "MatrixTriangularSolve", [matrix, rhs]):
        matrix, rhs, back, flipped = _fewer_batches(tf.convert_to_tensor(matrix, name="matrix"), tf.convert_to_tensor(rhs, name="rhs", dtype=matrix.dtype), adjoint)
        if flipped and adjoint:
            lower = not lower
        matrix, rhs = same_batch([matrix, rhs])
        return back(tf.matrix_triangular_solve(matrix, rhs, lower=lower, adjoint=adjoint and not flipped))


def _fewer_batches(a, b, adjoint):
    """(a, b, how the solution is put in order, whether a is its adjoint already): batches that only b has become columns."""
    if a.shape.ndims is None or b.shape.ndims is None or a.shape.ndims >= b.shape.ndims:
        return a, b, lambda x: x, False
    more = b.shape.ndims - a.shape.ndims
    batches, main = tf.shape(b)[:more], tf.shape(b)[more:]
    size, rows = a.shape.as_list()[-2 if adjoint else -1], b.shape.as_list()[-1]
    count = np.prod(b.shape[:more].as_list()) if b.shape[:more].is_fully_defined() else None
    if size is not None and rows is not None and count is not None and (count < 2 or size <= rows):
        return a, b, lambda x: x, False
    if adjoint:
        a = tf.linalg.adjoint(a)
    batches, main = tf.shape(b)[:more], tf.shape(b)[more:]
    order = np.concatenate((np.arange(more, b.shape.ndims), np.arange(0, more)), 0)
    wide = tf.transpose(b, perm=order)
    wide = tf.reshape(wide, tf.concat((main[:-1], [-1]), 0))

    def back(y):
        y = tf.reshape(y, tf.concat((tf.shape(y)[:-1], [main[-1]], batches), 0))
        return tf.transpose(y, perm=np.argsort(order))

    return a, wide, back, True


def no_zeros(x, message):
    """Checks that no element is zero."""
    with tf.name_scope("assert_no_entries_with_modulus_zero", values=[x]):
        size = tf.abs(x)
        return tf.assert_less(tf.convert_to_tensor(0, dtype=x.dtype.base_dtype.real_dtype), size, message=message)


def no_imaginary_part(x, message):
    with tf.name_scope("assert_zero_imag_part", values=[x]):
        if x.dtype.base_dtype.is_floating:
            return tf.no_op()
        return tf.assert_equal(tf.convert_to_tensor(0, dtype=x.dtype.base_dtype.real_dtype), tf.imag(x), message=message)


# Hints.
def combined(operator, attribute, given, message):
    """The operator's hint and the given one, which must not contradict each other."""
    own = getattr(operator, attribute)
    if own is False and given or own and given is False:
        raise ValueError(message)
    return True if own or given else False if own is False or given is False else None


def both_non_singular(a, b):
    return False if a.is_non_singular is False or b.is_non_singular is False else a.is_non_singular and b.is_non_singular


def both_self_adjoint(a, b):
    """Of two that commute."""
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
