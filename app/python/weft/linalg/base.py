"""tf.linalg.LinearOperator: matrices defined by their action, and rules for pairs of them."""

import contextlib

import numpy as np

from .. import basics, dispatchable, dtypes, engine, matrix_functions, ops
from ..build_facts import is_tensor
from ..exports import export
from ..tensor_shape import Dimension
from ..training.tracking.module import Module
from . import helpers

# (kind, class[, class]) -> function that makes the adjoint, inverse or Cholesky factor of an operator, or the product or quotient of two.
_rules = {}


def rule(kind, *classes):
    """Decorator: registers the function for operators of these classes."""

    def mark(function):
        _rules[(kind,) + classes] = function
        return function

    return mark


def apply(kind, scope, *operators):
    """Calls the function registered for the nearest classes."""
    function = find_rule(kind, *[type(o) for o in operators])
    if function is None:
        raise ValueError("No %s registered for %s" % (kind, ", ".join(str(type(o)) for o in operators)))
    with ops.name_scope(None, scope):
        return function(*operators)


def find_rule(kind, *classes):
    """The function registered for the classes, or for the nearest ones that they derive from; None if there is none."""
    orders = [c.__mro__ for c in classes]
    found = [(i + j, _rules[key]) for i, a in enumerate(orders[0]) for j, b in enumerate(orders[1] if len(orders) > 1 else (None,))
             for key in [(kind, a) if b is None else (kind, a, b)] if key in _rules]
    return min(found, key=lambda f: f[0])[1] if found else None


def dimension(shape, index):
    """One size of a static shape, which may be unknown."""
    return Dimension(None) if shape.ndims is None else shape.dims[index]


@export("linalg.LinearOperator")
class LinearOperator(Module):
    """A matrix, or a batch of matrices. Subclasses define _shape, _shape_tensor and _matmul, and may override anything else with a faster method."""

    name = None  # any text, not only an identifier

    def __init__(self, dtype, graph_parents=None, is_non_singular=None, is_self_adjoint=None, is_positive_definite=None, is_square=None, name=None):
        if is_positive_definite:
            if is_non_singular is False:
                raise ValueError("A positive definite matrix is always non-singular.")
            is_non_singular = True
        if is_non_singular:
            if is_square is False:
                raise ValueError("A non-singular matrix is always square.")
            is_square = True
        if is_self_adjoint:
            if is_square is False:
                raise ValueError("A self-adjoint matrix is always square.")
            is_square = True
        graph_parents = [] if graph_parents is None else graph_parents
        for i, t in enumerate(graph_parents):
            if t is None or not is_tensor(t):
                raise ValueError("Graph parent item %d is not a Tensor; %s." % (i, t))
        self._square_hint = is_square
        self.dtype = dtypes.as_dtype(dtype).base_dtype if dtype else dtype
        self.graph_parents = graph_parents
        self.is_non_singular, self.is_self_adjoint, self.is_positive_definite = is_non_singular, is_self_adjoint, is_positive_definite
        self.name = name or type(self).__name__

    @contextlib.contextmanager
    def _name_scope(self, name=None):
        with ops.name_scope(self.name + ("/" + name if name is not None else "")) as scope:
            yield scope

    # Shapes.
    @property
    def is_square(self):
        found = self.domain_dimension == self.range_dimension
        if self._square_hint is False and found:
            raise ValueError("User set is_square hint to False, but the operator was square.")
        return found if self._square_hint is None else self._square_hint

    shape = property(lambda self: self._shape())
    batch_shape = property(lambda self: self.shape[:-2])
    domain_dimension = property(lambda self: dimension(self.shape, -1))
    range_dimension = property(lambda self: dimension(self.shape, -2) if self.shape.dims else Dimension(None))

    @property
    def tensor_rank(self):
        with self._name_scope("tensor_rank"):
            return self.shape.ndims

    def shape_tensor(self, name="shape_tensor"):
        with self._name_scope(name):
            return helpers.shape_tensor(self.shape.as_list()) if self.shape.is_fully_defined() else self._shape_tensor()

    def batch_shape_tensor(self, name="batch_shape_tensor"):
        with self._name_scope(name):
            if self.batch_shape.is_fully_defined():
                return helpers.shape_tensor(self.batch_shape.as_list(), name="batch_shape")
            return self.shape_tensor()[:-2]

    def tensor_rank_tensor(self, name="tensor_rank_tensor"):
        with self._name_scope(name):
            return ops.convert_to_tensor(self.tensor_rank) if self.tensor_rank is not None else basics.size(self.shape_tensor())

    def domain_dimension_tensor(self, name="domain_dimension_tensor"):
        with self._name_scope(name):
            known = self.domain_dimension.value
            return ops.convert_to_tensor(known) if known is not None else self.shape_tensor()[-1]

    def range_dimension_tensor(self, name="range_dimension_tensor"):
        with self._name_scope(name):
            known = self.range_dimension.value
            return ops.convert_to_tensor(known) if known is not None else self.shape_tensor()[-2]

    # Checks.
    def _assert_non_singular(self):
        if self._can_use_cholesky():
            return self.assert_positive_definite()
        values = engine.svd(self.to_dense(), compute_uv=False)
        condition = engine.reduce_max(values, axis=-1) / engine.reduce_min(values, axis=-1)
        with ops.name_scope("max_nonsingular_condition_number"):
            sizes = [100.0, basics.cast(self.range_dimension_tensor(), self.dtype), basics.cast(self.domain_dimension_tensor(), self.dtype)]
            most = 1.0 / (basics.cast(engine.reduce_max(sizes), self.dtype) * np.finfo(self.dtype.as_numpy_dtype).eps)
        return engine.assert_less(condition, most, message="Singular matrix up to precision epsilon.")

    def assert_non_singular(self, name="assert_non_singular"):
        with self._name_scope(name):
            return self._assert_non_singular()

    def _assert_positive_definite(self):
        if self.is_self_adjoint:
            return engine.assert_positive(engine.matrix_diag_part(engine.cholesky(self.to_dense())), message="Matrix was not positive definite.")
        raise NotImplementedError("assert_positive_definite is not implemented.")

    def assert_positive_definite(self, name="assert_positive_definite"):
        with self._name_scope(name):
            return self._assert_positive_definite()

    def _assert_self_adjoint(self):
        dense = self.to_dense()
        return engine.assert_equal(dense, matrix_functions.adjoint(dense), message="Matrix was not equal to its adjoint.")

    def assert_self_adjoint(self, name="assert_self_adjoint"):
        with self._name_scope(name):
            return self._assert_self_adjoint()

    def _given(self, x, name, own, other):
        """An argument as a tensor of matching size."""
        x = ops.convert_to_tensor(x, name=name)
        if x.dtype.base_dtype != self.dtype:
            raise TypeError("Expected argument to have dtype %s.  Found: %s in tensor %s" % (self.dtype, x.dtype, x))
        dimension(self.shape, own).assert_is_compatible_with(dimension(x.shape, other))
        return x

    def _two(self, other, adjoint, adjoint_arg, what):
        left = self.adjoint() if adjoint else self
        right = other.adjoint() if adjoint_arg else other
        if right.range_dimension is not None and left.domain_dimension is not None and right.range_dimension != left.domain_dimension:
            raise ValueError("Operators are incompatible. Expected `%s` to have dimension %s but got %s." % (what, left.domain_dimension, right.range_dimension))
        return left, right

    # Products.
    def matmul(self, x, adjoint=False, adjoint_arg=False, name="matmul"):
        """The matrix times another, or times an operator."""
        if isinstance(x, LinearOperator):
            left, right = self._two(x, adjoint, adjoint_arg, "x")
            with self._name_scope(name):
                return apply("matmul", "Matmul", left, right)
        with self._name_scope(name):
            x = self._given(x, "x", -2 if adjoint else -1, -1 if adjoint_arg else -2)
            return self._matmul(x, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def __matmul__(self, other):
        return self.matmul(other)

    def _matvec(self, x, adjoint=False):
        return engine.squeeze(self.matmul(engine.expand_dims(x, axis=-1), adjoint=adjoint), axis=-1)

    def matvec(self, x, adjoint=False, name="matvec"):
        with self._name_scope(name):
            return self._matvec(self._given(x, "x", -2 if adjoint else -1, -1), adjoint=adjoint)

    # Determinants.
    def _determinant(self):
        return engine.exp(self.log_abs_determinant()) if self._can_use_cholesky() else engine.matrix_determinant(self.to_dense())

    def determinant(self, name="det"):
        self._must_be_square("Determinant")
        with self._name_scope(name):
            return self._determinant()

    def _log_abs_determinant(self):
        if self._can_use_cholesky():
            return 2 * engine.reduce_sum(engine.log(engine.matrix_diag_part(engine.cholesky(self.to_dense()))), axis=[-1])
        return engine.linalg.slogdet(self.to_dense())[1]

    def log_abs_determinant(self, name="log_abs_det"):
        self._must_be_square("Determinant")
        with self._name_scope(name):
            return self._log_abs_determinant()

    def _must_be_square(self, what):
        if self.is_square is False:
            raise NotImplementedError("%s not implemented for an operator that is expected to not be square." % what)

    # Solving.
    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        if self.is_square is False:
            raise NotImplementedError("Solve is not yet implemented for non-square operators.")
        rhs = matrix_functions.adjoint(rhs) if adjoint_arg else rhs
        if self._can_use_cholesky():
            return helpers.cholesky_solve(engine.cholesky(self.to_dense()), rhs)
        return helpers.matrix_solve(self.to_dense(), rhs, adjoint=adjoint)

    def solve(self, rhs, adjoint=False, adjoint_arg=False, name="solve"):
        """The solution x of matrix · x = rhs."""
        if self.is_non_singular is False:
            raise NotImplementedError("Exact solve not implemented for an operator that is expected to be singular.")
        self._must_be_square("Exact solve")
        if isinstance(rhs, LinearOperator):
            left, right = self._two(rhs, adjoint, adjoint_arg, "rhs")
            with self._name_scope(name):
                return apply("solve", "Solve", left, right)
        with self._name_scope(name):
            rhs = self._given(rhs, "rhs", -1 if adjoint else -2, -1 if adjoint_arg else -2)
            return self._solve(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def _solvevec(self, rhs, adjoint=False):
        return engine.squeeze(self.solve(engine.expand_dims(rhs, axis=-1), adjoint=adjoint), axis=-1)

    def solvevec(self, rhs, adjoint=False, name="solve"):
        with self._name_scope(name):
            return self._solvevec(self._given(rhs, "rhs", -1 if adjoint else -2, -1), adjoint=adjoint)

    # Derived operators.
    def adjoint(self, name="adjoint"):
        if self.is_self_adjoint is True:
            return self
        with self._name_scope(name):
            return apply("adjoint", "Adjoint", self)

    H = property(adjoint)

    def inverse(self, name="inverse"):
        if self.is_square is False:
            raise ValueError("Cannot take the Inverse: This operator represents a non square matrix.")
        if self.is_non_singular is False:
            raise ValueError("Cannot take the Inverse: This operator represents a singular matrix.")
        with self._name_scope(name):
            return apply("inverse", "Inverse", self)

    def cholesky(self, name="cholesky"):
        if not self._can_use_cholesky():
            raise ValueError("Cannot take the Cholesky decomposition: Not a positive definite self adjoint matrix.")
        with self._name_scope(name):
            return apply("cholesky", "Cholesky", self)

    # Conversion to tensors.
    def _to_dense(self):
        batch = self.batch_shape if self.batch_shape.is_fully_defined() else self.batch_shape_tensor()
        known = self.domain_dimension.value
        size = known if known is not None else self.domain_dimension_tensor()
        return self.matmul(engine.eye(num_rows=size, batch_shape=batch, dtype=self.dtype))

    def to_dense(self, name="to_dense"):
        with self._name_scope(name):
            return self._to_dense()

    def _diag_part(self):
        return engine.matrix_diag_part(self.to_dense())

    def diag_part(self, name="diag_part"):
        with self._name_scope(name):
            return self._diag_part()

    def _trace(self):
        return engine.reduce_sum(self.diag_part(), axis=-1)

    def trace(self, name="trace"):
        with self._name_scope(name):
            return self._trace()

    def _add_to_tensor(self, x):
        return self.to_dense() + x

    def add_to_tensor(self, x, name="add_to_tensor"):
        with self._name_scope(name):
            x = ops.convert_to_tensor(x, name="x")
            if x.dtype.base_dtype != self.dtype:
                raise TypeError("Expected argument to have dtype %s.  Found: %s in tensor %s" % (self.dtype, x.dtype, x))
            return self._add_to_tensor(x)

    def _can_use_cholesky(self):
        return self.is_self_adjoint and self.is_positive_definite


def _matmul(a, b, transpose_a=False, transpose_b=False, adjoint_a=False, adjoint_b=False, a_is_sparse=False, b_is_sparse=False, name=None):
    if transpose_a or transpose_b:
        raise ValueError("Transposing not supported at this time.")
    if a_is_sparse or b_is_sparse:
        raise ValueError("Sparse methods not supported at this time.")
    options = {} if name is None else {"name": name}
    if isinstance(a, LinearOperator):
        return a.matmul(b, adjoint=adjoint_a, adjoint_arg=adjoint_b, **options)
    return matrix_functions.adjoint(b.matmul(a, adjoint=not adjoint_b, adjoint_arg=not adjoint_a, **options))  # A B = (Bᴴ Aᴴ)ᴴ


def _solve(matrix, rhs, adjoint=False, name=None):
    if not isinstance(matrix, LinearOperator):
        raise ValueError("Passing in `matrix` as a Tensor and `rhs` as a LinearOperator is not supported.")
    return matrix.solve(rhs, adjoint=adjoint, **({} if name is None else {"name": name}))


def _inverse(input, adjoint=False, name=None):
    found = _method("inverse")(input, name)
    return found.adjoint() if adjoint else found


def _logdet(matrix, name=None):
    if not (matrix.is_positive_definite and matrix.is_self_adjoint):
        raise ValueError("Expected matrix to be self-adjoint positive definite.")
    return _method("log_abs_determinant")(matrix, name)


def _method(method):
    return lambda operator, name=None, **unused: getattr(operator, method)(**({} if name is None else {"name": name}))


# Functions of tf that take operators in place of matrices.
_OF_OPERATORS = {"matmul": _matmul, "solve": _solve, "inv": _inverse, "logdet": _logdet, "adjoint": _method("adjoint"), "cholesky": _method("cholesky"),
                 "diag_part": _method("diag_part"), "det": _method("determinant"), "trace": _method("trace")}


def _handle(leaf, args, kwargs):
    """The result of a function of tf for operators; NOT_SUPPORTED if no argument is one."""
    if not any(isinstance(x, LinearOperator) for x in list(args) + list(kwargs.values())):
        return dispatchable.NOT_SUPPORTED
    return _OF_OPERATORS[leaf](*args, **kwargs)


dispatchable.operators = _handle
