"""Linear operators that need no matrix: the identity, and multiples of it."""

import numpy as np

from .. import basics, dtypes, engine, matrix_functions, ops
from ..control_flow import no_op, with_dependencies
from ..conversion import constant_value
from ..distributions.base import broadcast_static
from ..exports import export
from ..operators import newaxis
from ..tensor_shape import TensorShape
from . import helpers
from .base import LinearOperator, rule
from .dense import LinearOperatorDiag, of_two


class _Identity(LinearOperator):
    def _take_rows(self, num_rows):
        helpers.not_a_variable(num_rows, "num_rows")
        self._num_rows = helpers.shape_tensor(num_rows, name="num_rows")
        self._known_rows = constant_value(self._num_rows)
        if self._assert_proper_shapes:
            self._num_rows = with_dependencies([engine.assert_rank(self._num_rows, 0, message="Argument num_rows must be a 0-D Tensor."),
                                                engine.assert_non_negative(self._num_rows, message="Argument num_rows must be non-negative.")], self._num_rows)
        if not self._num_rows.dtype.is_integer:
            raise TypeError("Argument num_rows must be integer type.  Found: %s" % self._num_rows)
        if self._known_rows is not None:
            if np.ndim(self._known_rows) != 0:
                raise ValueError("Argument num_rows must be a 0-D Tensor.  Found: %s" % self._known_rows)
            if self._known_rows < 0:
                raise ValueError("Argument num_rows must be non-negative.  Found: %s" % self._known_rows)
            self._known_rows = int(self._known_rows)

    def _square(self):
        return TensorShape((self._known_rows, self._known_rows))

    def _least_size(self):
        sizes = self.domain_dimension.value, self.range_dimension.value
        return None if None in sizes else min(sizes)

    def _least_size_tensor(self):
        return engine.reduce_min(self.shape_tensor()[-2:])

    def _ones_diag(self):
        shape = (self.batch_shape.concatenate([self._least_size()]) if self.shape.is_fully_defined()
                 else engine.concat([self.batch_shape_tensor(), [self._least_size_tensor()]], axis=0))
        return engine.ones(shape=shape, dtype=self.dtype)

    def _checked(self, x):
        if not self._assert_proper_shapes:
            return x
        check = engine.assert_equal(basics.shape(x)[-2], self.domain_dimension_tensor(),
                                    message="Dimensions are not compatible.  shape[-2] of argument to be the same as this operator")
        return with_dependencies([check], x)

    def _batch_of_ones(self):
        return engine.ones(shape=self.batch_shape if self.batch_shape.is_fully_defined() else self.batch_shape_tensor(), dtype=self.dtype)

    def _plus(self, mat, name, diagonal):
        with self._name_scope(name):
            more = diagonal()
            mat = ops.convert_to_tensor(mat, name="mat")
            return engine.matrix_set_diag(mat, more + engine.matrix_diag_part(mat))


@export("linalg.LinearOperatorIdentity")
class LinearOperatorIdentity(_Identity):
    """The identity matrix."""

    def __init__(self, num_rows, batch_shape=None, dtype=None, is_non_singular=True, is_self_adjoint=True, is_positive_definite=True, is_square=True,
                 assert_proper_shapes=False, name="LinearOperatorIdentity"):
        self._assert_proper_shapes = assert_proper_shapes
        with ops.name_scope(name):
            for hint, said in ((is_self_adjoint, "self adjoint"), (is_non_singular, "non-singular"), (is_positive_definite, "positive-definite"), (is_square, "square")):
                if not hint:
                    raise ValueError("An identity operator is always %s." % said)
            LinearOperator.__init__(self, dtypes.as_dtype(dtype or dtypes.float32), None, is_non_singular, is_self_adjoint, is_positive_definite, is_square, name)
            helpers.not_a_variable(batch_shape, "batch_shape")
            self._take_rows(num_rows)
            self._batch = self._known_batch = None
            if batch_shape is not None:
                self._take_batch(batch_shape)

    def _take_batch(self, batch_shape):
        self._batch = helpers.shape_tensor(batch_shape, name="batch_shape_arg")
        self._known_batch = constant_value(self._batch)
        if self._assert_proper_shapes:
            self._batch = with_dependencies([engine.assert_rank(self._batch, 1, message="Argument batch_shape must be a 1-D Tensor."),
                                             engine.assert_non_negative(self._batch, message="Argument batch_shape must be non-negative.")], self._batch)
        if not self._batch.dtype.is_integer:
            raise TypeError("Argument batch_shape must be integer type.  Found: %s" % self._batch)
        if self._known_batch is not None:
            if self._known_batch.ndim != 1:
                raise ValueError("Argument batch_shape must be a 1-D Tensor.  Found: %s" % self._known_batch)
            if np.any(self._known_batch < 0):
                raise ValueError("Argument batch_shape must be non-negative.  Found:%s" % self._known_batch)

    def _shape(self):
        if self._batch is None:
            return self._square()
        return TensorShape(None if self._known_batch is None else [int(d) for d in self._known_batch]).concatenate(self._square())

    def _shape_tensor(self):
        sizes = engine.stack((self._num_rows, self._num_rows), axis=0)
        return sizes if self._batch is None else engine.concat((self._batch, sizes), 0)

    def _assert_non_singular(self):
        return no_op("assert_non_singular")

    def _assert_positive_definite(self):
        return no_op("assert_positive_definite")

    def _assert_self_adjoint(self):
        return no_op("assert_self_adjoint")

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        x = self._checked(matrix_functions.adjoint(x) if adjoint_arg else x)
        if self._batch is None:
            return x
        wide = self.batch_shape.concatenate([1, 1])
        if wide.is_fully_defined():
            return x if broadcast_static(x.shape, wide) == x.shape else x + engine.zeros(shape=wide, dtype=self.dtype)
        return x + engine.zeros(shape=engine.concat((self.batch_shape_tensor(), [1, 1]), 0), dtype=self.dtype)

    def _determinant(self):
        return engine.ones(shape=self.batch_shape_tensor(), dtype=self.dtype)

    def _log_abs_determinant(self):
        return engine.zeros(shape=self.batch_shape_tensor(), dtype=self.dtype)

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        return self._matmul(rhs, adjoint_arg=adjoint_arg)

    def _trace(self):
        ones = self._batch_of_ones()
        return self._least_size() * ones if self._least_size() is not None else basics.cast(self._least_size_tensor(), self.dtype) * ones

    def _diag_part(self):
        return self._ones_diag()

    def add_to_tensor(self, mat, name="add_to_tensor"):
        return self._plus(mat, name, lambda: 1)


@export("linalg.LinearOperatorScaledIdentity")
class LinearOperatorScaledIdentity(_Identity):
    """A multiple of the identity matrix."""

    def __init__(self, num_rows, multiplier, is_non_singular=None, is_self_adjoint=None, is_positive_definite=None, is_square=True, assert_proper_shapes=False,
                 name="LinearOperatorScaledIdentity"):
        self._assert_proper_shapes = assert_proper_shapes
        with ops.name_scope(name, values=[multiplier, num_rows]):
            self.multiplier = helpers.convert_nonref_to_tensor(multiplier, name="multiplier")
            if not self.multiplier.dtype.is_complex:
                if is_self_adjoint is False:
                    raise ValueError("A real diagonal operator is always self adjoint.")
                is_self_adjoint = True
            if not is_square:
                raise ValueError("A ScaledIdentity operator is always square.")
            LinearOperator.__init__(self, self.multiplier.dtype.base_dtype, None, is_non_singular, is_self_adjoint, is_positive_definite, is_square, name)
            self._take_rows(num_rows)
            self._rows_cast = basics.cast(self._num_rows, self.dtype)
            self._rows_real = basics.cast(self._num_rows, self.dtype.real_dtype)

    def _shape(self):
        return self.multiplier.shape.concatenate(self._square())

    def _shape_tensor(self):
        sizes = engine.stack((self._num_rows, self._num_rows), axis=0)
        return engine.concat((basics.shape(self.multiplier), sizes), 0)

    def _assert_non_singular(self):
        return engine.assert_positive(engine.abs(self.multiplier), message="LinearOperator was singular")

    def _assert_positive_definite(self):
        return engine.assert_positive(engine.real(self.multiplier), message="LinearOperator was not positive definite.")

    def _assert_self_adjoint(self):
        part = engine.imag(self.multiplier)
        return engine.assert_equal(engine.zeros_like(part), part, message="LinearOperator was not self-adjoint")

    def _as_matrix(self, conjugate):
        made = engine.expand_dims(engine.expand_dims(self.multiplier, -1), -1)
        return engine.conj(made) if conjugate else made

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        x = self._checked(matrix_functions.adjoint(x) if adjoint_arg else x)
        return x * self._as_matrix(adjoint)

    def _determinant(self):
        return self.multiplier ** self._rows_cast

    def _log_abs_determinant(self):
        return self._rows_real * engine.log(engine.abs(self.multiplier))

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        rhs = self._checked(matrix_functions.adjoint(rhs) if adjoint_arg else rhs)
        return rhs / self._as_matrix(adjoint)

    def _trace(self):
        ones = self._batch_of_ones()
        size = self._least_size()
        return self.multiplier * (size if size is not None else basics.cast(self._least_size_tensor(), self.dtype)) * ones

    def _diag_part(self):
        return self._ones_diag() * self.multiplier[..., newaxis]

    def add_to_tensor(self, mat, name="add_to_tensor"):
        return self._plus(mat, name, lambda: engine.expand_dims(self.multiplier, -1))


rule("adjoint", LinearOperatorIdentity)(lambda operator: operator)
rule("inverse", LinearOperatorIdentity)(lambda operator: operator)


@rule("adjoint", LinearOperatorScaledIdentity)
def _adjoint_scaled(operator):
    multiplier = engine.conj(operator.multiplier) if operator.multiplier.dtype.is_complex else operator.multiplier
    return LinearOperatorScaledIdentity(operator._num_rows, multiplier, **helpers.hints(operator))


@rule("inverse", LinearOperatorScaledIdentity)
def _inverse_scaled(operator):
    return LinearOperatorScaledIdentity(operator._num_rows, 1.0 / operator.multiplier, **dict(helpers.hints(operator), is_self_adjoint=True))


_ALL = dict(is_non_singular=True, is_self_adjoint=True, is_positive_definite=True, is_square=True)
rule("cholesky", LinearOperatorIdentity)(lambda o: LinearOperatorIdentity(o._num_rows, batch_shape=o.batch_shape, dtype=o.dtype, **_ALL))
rule("cholesky", LinearOperatorScaledIdentity)(lambda o: LinearOperatorScaledIdentity(o._num_rows, engine.sqrt(o.multiplier), **_ALL))
rule("matmul", LinearOperatorIdentity, LinearOperator)(lambda a, b: b)
rule("matmul", LinearOperator, LinearOperatorIdentity)(lambda a, b: a)
rule("solve", LinearOperatorIdentity, LinearOperator)(lambda a, b: b)
rule("matmul", LinearOperatorDiag, LinearOperatorScaledIdentity)(lambda a, b: of_two(LinearOperatorDiag, a.diag * b.multiplier, a, b))
rule("matmul", LinearOperatorScaledIdentity, LinearOperatorDiag)(lambda a, b: of_two(LinearOperatorDiag, b.diag * a.multiplier, b, a))
rule("solve", LinearOperatorDiag, LinearOperatorScaledIdentity)(lambda a, b: of_two(LinearOperatorDiag, b.multiplier / a.diag, a, b))
rule("solve", LinearOperatorScaledIdentity, LinearOperatorDiag)(lambda a, b: of_two(LinearOperatorDiag, b.diag / a.multiplier, b, a))
