"""Kronecker products, Householder reflections, and the zero operator."""

from .. import basics, dtypes, engine, matrix_functions, ops
from ..control_flow import group, no_op, with_dependencies
from ..conversion import constant_value
from ..distributions.base import broadcast_static
from ..errors import InvalidArgumentError
from ..exports import export
from ..operators import newaxis
from ..tensor_shape import TensorShape
from . import helpers
from .base import LinearOperator, rule
from .composed import _Several
from .identities import LinearOperatorIdentity, _Identity


def _columns_stacked(x):
    return engine.reshape(engine.matrix_transpose(x), engine.concat([basics.shape(x)[:-2], [-1]], axis=0))


def _unstacked(y, columns):
    return engine.matrix_transpose(engine.reshape(y, engine.concat([basics.shape(y)[:-1], [columns, -1]], axis=0)))


def _rotated(x, right=False):
    """Moves the last dimension to the front (`right`), or the first one to the end."""
    rank = basics.rank(x)
    order = engine.concat([[rank - 1], engine.range(0, rank - 1)], axis=0) if right else engine.concat([engine.range(1, rank), [0]], axis=0)
    return engine.transpose(x, order)


def _invalid(message):
    raise InvalidArgumentError(node_def=None, op=None, message=message)


@export("linalg.LinearOperatorKronecker")
class LinearOperatorKronecker(_Several):
    """The Kronecker product of operators."""

    def __init__(self, operators, is_non_singular=None, is_self_adjoint=None, is_positive_definite=None, is_square=None, name=None):
        said = "The Kronecker product of %s operators is always %s."
        operators = list(operators)
        if not operators:
            raise ValueError("Expected a list of >=1 operators. Found: %s" % operators)
        self._of(operators, [(h, said % (w, w)) for h, w in (("is_non_singular", "non-singular"), ("is_self_adjoint", "self-adjoint"),
                                                             ("is_positive_definite", "positive-definite"))], "_x_",
                 dict(is_non_singular=is_non_singular, is_self_adjoint=is_self_adjoint, is_positive_definite=is_positive_definite, is_square=is_square), name)

    def _product(self, what):
        made = what(self.operators[0])
        for o in self.operators[1:]:
            made *= what(o)
        return made

    def _shape(self):
        columns = self._product(lambda o: o.domain_dimension)
        return self._batches().concatenate(TensorShape([self._product(lambda o: o.range_dimension), columns]))

    def _shape_tensor(self):
        columns = self._product(lambda o: o.domain_dimension_tensor())
        rows = self._product(lambda o: o.range_dimension_tensor())
        batch = self.operators[0].batch_shape_tensor()
        for o in self.operators[1:]:
            batch = engine.broadcast_dynamic_shape(batch, o.batch_shape_tensor())
        return engine.concat((batch, [rows, columns]), 0)

    def _each(self, x, adjoint, adjoint_arg, whole, vector):
        """Applies each operator to its own dimension."""
        if adjoint_arg:
            x = matrix_functions.adjoint(x)
        x += engine.zeros(engine.concat([engine.ones_like(self.batch_shape_tensor()), [1, 1]], 0), dtype=x.dtype.base_dtype)
        made = _rotated(x, right=True)[newaxis, ...]
        for o in self.operators[:-1]:
            made = _unstacked(made, o.range_dimension_tensor() if adjoint else o.domain_dimension_tensor())
            made = getattr(o, whole)(engine.matrix_transpose(made), adjoint=adjoint, adjoint_arg=False)
            made = _rotated(_columns_stacked(_rotated(engine.matrix_transpose(made))), right=True)
        made = getattr(self.operators[-1], vector)(made, adjoint=adjoint)
        made = _rotated(_columns_stacked(_rotated(made)))
        if x.shape.is_fully_defined():
            rows = self.domain_dimension if adjoint else self.range_dimension
            made.set_shape(broadcast_static(x.shape[:-2], self.batch_shape).concatenate([rows, x.shape[-1]]))
        return made

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return self._each(x, adjoint, adjoint_arg, "matmul", "matvec")

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        return self._each(rhs, adjoint, adjoint_arg, "solve", "solvevec")

    def _determinant(self):
        total, made = self.domain_dimension_tensor(), 1.0
        for o in self.operators:
            made *= o.determinant() ** basics.cast(total / o.domain_dimension_tensor(), dtype=o.dtype)
        return made

    def _log_abs_determinant(self):
        total, made = self.domain_dimension_tensor(), 0.0
        for o in self.operators:
            made += o.log_abs_determinant() * basics.cast(total / o.domain_dimension_tensor(), dtype=o.dtype)
        return made

    def _trace(self):
        made = 1.0
        for o in self.operators:
            made *= o.trace()
        return made

    def _diag_part(self):
        made = self.operators[0].diag_part()
        for o in self.operators[1:]:
            made = made[..., :, newaxis]
            made *= o.diag_part()[..., newaxis, :]
            made = engine.reshape(made, shape=engine.concat([basics.shape(made)[:-2], [-1]], axis=0))
        size = self.domain_dimension if self.range_dimension > self.domain_dimension else self.range_dimension
        made.set_shape(self.batch_shape.concatenate(size))
        return made

    def _to_dense(self):
        made = self.operators[0].to_dense()
        for o in self.operators[1:]:
            made = made[..., :, newaxis, :, newaxis]
            made *= o.to_dense()[..., newaxis, :, newaxis, :]
            made = engine.reshape(made, shape=engine.concat([basics.shape(made)[:-4], [basics.shape(made)[-4] * basics.shape(made)[-3], basics.shape(made)[-2] * basics.shape(made)[-1]]], axis=0))
        made.set_shape(self.shape)
        return made

    def _all_square(self, method, what):
        if not all(o.is_square for o in self.operators):
            _invalid("All Kronecker factors must be square for the product to be %s." % what)
        return group([getattr(o, method)() for o in self.operators])

    def _assert_non_singular(self):
        return self._all_square("assert_non_singular", "invertible")

    def _assert_self_adjoint(self):
        return self._all_square("assert_self_adjoint", "self adjoint")


@export("linalg.LinearOperatorHouseholder")
class LinearOperatorHouseholder(LinearOperator):
    """A Householder reflection: flips the component along an axis."""

    def __init__(self, reflection_axis, is_non_singular=None, is_self_adjoint=None, is_positive_definite=None, is_square=None, name="LinearOperatorHouseholder"):
        with ops.name_scope(name, values=[reflection_axis]):
            self.reflection_axis = helpers.convert_nonref_to_tensor(reflection_axis, name="reflection_axis")
            if self.reflection_axis.shape.ndims is not None and self.reflection_axis.shape.ndims < 1:
                raise ValueError("Argument reflection_axis must have at least 1 dimension.  Found: %s" % self.reflection_axis)
            if is_self_adjoint is False:
                raise ValueError("A Householder operator is always self adjoint.")
            if is_positive_definite is True:
                raise ValueError("A Householder operator is always non-positive definite.")
            if is_square is False:
                raise ValueError("A Householder operator is always square.")
            LinearOperator.__init__(self, self.reflection_axis.dtype, [self.reflection_axis], is_non_singular, True, False, True, name)

    def _shape(self):
        return self.reflection_axis.shape.concatenate(self.reflection_axis.shape[-1:])

    def _shape_tensor(self):
        sizes = basics.shape(self.reflection_axis)
        return engine.concat((sizes, [sizes[-1]]), 0)

    def _assert_non_singular(self):
        return no_op("assert_non_singular")

    def _assert_positive_definite(self):
        _invalid("Householder operators are always non-positive definite.")

    def _assert_self_adjoint(self):
        return no_op("assert_self_adjoint")

    def _unit(self):
        return self.reflection_axis / engine.norm(self.reflection_axis, axis=-1, keepdims=True)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        x = matrix_functions.adjoint(x) if adjoint_arg else x
        column = self._unit()[..., newaxis]
        along = engine.matmul(column, x, adjoint_a=True)
        return x - 2 * column * along

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        return self._matmul(rhs, adjoint, adjoint_arg)

    def _trace(self):
        return basics.cast(self.domain_dimension_tensor() - 2, self.dtype) * engine.ones(shape=self.batch_shape_tensor(), dtype=self.dtype)

    def _determinant(self):
        return -engine.ones(shape=self.batch_shape_tensor(), dtype=self.dtype)

    def _log_abs_determinant(self):
        return engine.zeros(shape=self.batch_shape_tensor(), dtype=self.dtype)

    def _to_dense(self):
        column = self._unit()[..., newaxis]
        made = -2 * engine.matmul(column, column, adjoint_b=True)
        return engine.matrix_set_diag(made, 1.0 + engine.matrix_diag_part(made))

    def _diag_part(self):
        unit = self._unit()
        return 1.0 - 2 * unit * engine.conj(unit)


def _proper(value, name):
    return with_dependencies([engine.assert_rank(value, 0, message="Argument %s must be a 0-D Tensor." % name),
                              engine.assert_non_negative(value, message="Argument %s must be non-negative." % name)], value)


@export("linalg.LinearOperatorZeros")
class LinearOperatorZeros(_Identity):
    """The matrix of zeros."""

    def __init__(self, num_rows, num_columns=None, batch_shape=None, dtype=None, is_non_singular=False, is_self_adjoint=True, is_positive_definite=False, is_square=True,
                 assert_proper_shapes=False, name="LinearOperatorZeros"):
        self._assert_proper_shapes = assert_proper_shapes
        with ops.name_scope(name):
            if not is_self_adjoint and is_square:
                raise ValueError("A zero operator is always self adjoint.")
            if is_non_singular:
                raise ValueError("A zero operator is always singular.")
            if is_positive_definite:
                raise ValueError("A zero operator is always not positive-definite.")
            LinearOperator.__init__(self, dtypes.as_dtype(dtype or dtypes.float32), None, is_non_singular, is_self_adjoint, is_positive_definite, is_square, name)
            for value, what in ((num_rows, "num_rows"), (num_columns, "num_columns"), (batch_shape, "batch_shape")):
                helpers.not_a_variable(value, what)
            self._num_rows, self._known_rows = self._count(num_rows, "num_rows")
            self._num_columns, self._known_columns = self._count(num_rows if num_columns is None else num_columns, "num_columns")
            if assert_proper_shapes:
                self._num_rows, self._num_columns = _proper(self._num_rows, "num_rows"), _proper(self._num_columns, "num_columns")
            for value, known, what in ((self._num_rows, self._known_rows, "num_rows"), (self._num_columns, self._known_columns, "num_columns")):
                if not value.dtype.is_integer:
                    raise TypeError("Argument %s must be integer type.  Found: %s" % (what, value))
                if known is not None and known < 0:
                    raise ValueError("Argument %s must be non-negative.  Found: %s" % (what, known))
            if is_square and None not in (self._known_rows, self._known_columns) and self._known_rows != self._known_columns:
                raise ValueError("LinearOperatorZeros initialized as is_square=True, but got num_rows({}) != num_columns({})".format(self._known_rows, self._known_columns))
            self._batch = self._known_batch = None
            if batch_shape is not None:
                LinearOperatorIdentity._take_batch(self, batch_shape)

    @staticmethod
    def _count(value, name):
        value = helpers.shape_tensor(value, name=name)
        known = constant_value(value)
        if known is not None and known.ndim != 0:
            raise ValueError("Argument %s must be a 0-D Tensor.  Found: %s" % (name, known))
        return value, None if known is None else int(known) if value.dtype.is_integer else known

    def _square(self):
        return TensorShape((self._known_rows, self._known_columns))

    _shape = LinearOperatorIdentity._shape

    def _shape_tensor(self):
        sizes = engine.stack((self._num_rows, self._num_columns), axis=0)
        return sizes if self._batch is None else engine.concat((self._batch, sizes), 0)

    def _assert_non_singular(self):
        _invalid("Zero operators are always non-invertible.")

    def _assert_positive_definite(self):
        _invalid("Zero operators are always non-positive definite.")

    def _assert_self_adjoint(self):
        return no_op("assert_self_adjoint")

    def _in_batches(self, x):
        if self._batch is None:
            return x
        wide = self.batch_shape.concatenate([1, 1])
        if wide.is_fully_defined():
            return x if broadcast_static(x.shape, wide) == x.shape else x + engine.zeros(shape=wide, dtype=self.dtype)
        return x + engine.zeros(shape=engine.concat((self.batch_shape_tensor(), [1, 1]), 0), dtype=self.dtype)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        if self._assert_proper_shapes:
            x = self._checked(matrix_functions.adjoint(x) if adjoint_arg else x)
        if self.is_square:
            shape = engine.concat([basics.shape(x)[:-2], [basics.shape(x)[-1], basics.shape(x)[-2]]], axis=0) if adjoint_arg else basics.shape(x)
        else:
            sizes = basics.shape(x)
            rows = self._num_columns if adjoint else self._num_rows
            columns = sizes[-2] if adjoint_arg else sizes[-1]
            shape = engine.concat([sizes[:-2], [rows, columns]], axis=0)
        return self._in_batches(engine.zeros(shape=shape, dtype=x.dtype))

    def _batch_of_zeros(self):
        return engine.zeros(shape=self.batch_shape if self.batch_shape.is_fully_defined() else self.batch_shape_tensor(), dtype=self.dtype)

    _determinant = _trace = _batch_of_zeros

    def _diag_part(self):
        shape = (self.batch_shape.concatenate([self._least_size()]) if self.shape.is_fully_defined()
                 else engine.concat([self.batch_shape_tensor(), [self._least_size_tensor()]], axis=0))
        return engine.zeros(shape=shape, dtype=self.dtype)

    def add_to_tensor(self, mat, name="add_to_tensor"):
        return self._in_batches(mat)


rule("adjoint", LinearOperatorKronecker)(lambda o: LinearOperatorKronecker([p.adjoint() for p in o.operators], **helpers.hints(o)))
rule("inverse", LinearOperatorKronecker)(lambda o: LinearOperatorKronecker([p.inverse() for p in o.operators], **helpers.hints(o)))
rule("cholesky", LinearOperatorKronecker)(lambda o: LinearOperatorKronecker([p.cholesky() for p in o.operators], is_non_singular=True, is_self_adjoint=False, is_square=True))
rule("adjoint", LinearOperatorHouseholder)(lambda o: o)
rule("inverse", LinearOperatorHouseholder)(lambda o: o)


def _zeros_stay(zeros, other):
    if not zeros.is_square or not other.is_square:
        raise ValueError("Matmul with non-square `LinearOperator`s or non-square `LinearOperatorZeros` not supported at this time.")
    return zeros


rule("matmul", LinearOperatorZeros, LinearOperator)(_zeros_stay)
rule("matmul", LinearOperator, LinearOperatorZeros)(lambda a, b: _zeros_stay(b, a))
