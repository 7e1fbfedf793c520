"""Linear operators made from a tensor (diagonal, full, triangular), and the adjoint and inverse of another operator."""

from .. import basics, dtypes, engine, matrix_functions, ops
from ..exports import export
from . import helpers
from .base import LinearOperator, rule


@export("linalg.LinearOperatorDiag")
class LinearOperatorDiag(LinearOperator):
    """A diagonal matrix."""

    def __init__(self, diag, is_non_singular=None, is_self_adjoint=None, is_positive_definite=None, is_square=None, name="LinearOperatorDiag"):
        with ops.name_scope(name, values=[diag]):
            self.diag = helpers.convert_nonref_to_tensor(diag, name="diag")
            if self.diag.shape.ndims is not None and self.diag.shape.ndims < 1:
                raise ValueError("Argument diag must have at least 1 dimension.  Found: %s" % self.diag)
            if not self.diag.dtype.is_complex:
                if is_self_adjoint is False:
                    raise ValueError("A real diagonal operator is always self adjoint.")
                is_self_adjoint = True
            if is_square is False:
                raise ValueError("Only square diagonal operators currently supported.")
            LinearOperator.__init__(self, self.diag.dtype, [self.diag], is_non_singular, is_self_adjoint, is_positive_definite, True, name)

    def _shape(self):
        return self.diag.shape.concatenate(self.diag.shape[-1:])

    def _shape_tensor(self):
        sizes = basics.shape(self.diag)
        return engine.concat((sizes, [sizes[-1]]), 0)

    def _assert_non_singular(self):
        return helpers.no_zeros(self.diag, "Singular operator:  Diagonal contained zero values.")

    def _assert_positive_definite(self):
        message = ("Diagonal operator had diagonal entries with non-positive real part, thus was not positive definite." if self.dtype.is_complex
                   else "Real diagonal operator had non-positive diagonal entries, thus was not positive definite.")
        return engine.assert_positive(engine.real(self.diag), message=message)

    def _assert_self_adjoint(self):
        return helpers.no_imaginary_part(self.diag, "This diagonal operator contained non-zero imaginary values.   Thus it was not self-adjoint.")

    def _term(self, adjoint):
        return engine.conj(self.diag) if adjoint else self.diag

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        term = self._term(adjoint)
        x = matrix_functions.adjoint(x) if adjoint_arg else x
        return engine.expand_dims(term, -1) * x

    def _matvec(self, x, adjoint=False):
        return self._term(adjoint) * x

    def _determinant(self):
        return engine.reduce_prod(self.diag, axis=[-1])

    def _log_abs_determinant(self):
        made = engine.reduce_sum(engine.log(engine.abs(self.diag)), axis=[-1])
        return basics.cast(made, dtype=self.dtype) if self.dtype.is_complex else made

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        term = self._term(adjoint)
        rhs = matrix_functions.adjoint(rhs) if adjoint_arg else rhs
        return rhs * engine.expand_dims(1.0 / term, -1)

    def _to_dense(self):
        return engine.matrix_diag(self.diag)

    def _diag_part(self):
        return self.diag

    def _add_to_tensor(self, x):
        return engine.matrix_set_diag(x, self.diag + engine.matrix_diag_part(x))


@export("linalg.LinearOperatorFullMatrix")
class LinearOperatorFullMatrix(LinearOperator):
    """A matrix without special structure."""

    def __init__(self, matrix, is_non_singular=None, is_self_adjoint=None, is_positive_definite=None, is_square=None, name="LinearOperatorFullMatrix"):
        with ops.name_scope(name, values=[matrix]):
            self._matrix = helpers.convert_nonref_to_tensor(matrix, name="matrix")
            allowed = [dtypes.float16, dtypes.float32, dtypes.float64, dtypes.complex64, dtypes.complex128]
            if self._matrix.dtype.base_dtype not in allowed:
                raise TypeError("Argument matrix must have dtype in %s.  Found: %s" % (allowed, self._matrix.dtype))
            if self._matrix.shape.ndims is not None and self._matrix.shape.ndims < 2:
                raise ValueError("Argument matrix must have at least 2 dimensions.  Found: %s" % self._matrix)
            LinearOperator.__init__(self, self._matrix.dtype, [self._matrix], is_non_singular, is_self_adjoint, is_positive_definite, is_square, name)

    def _shape(self):
        return self._matrix.shape

    def _shape_tensor(self):
        return basics.shape(self._matrix)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return engine.matmul(self._matrix, x, adjoint_a=adjoint, adjoint_b=adjoint_arg)

    def _to_dense(self):
        return self._matrix


@export("linalg.LinearOperatorLowerTriangular")
class LinearOperatorLowerTriangular(LinearOperator):
    """The lower triangle of a matrix; elements above it are ignored."""

    def __init__(self, tril, is_non_singular=None, is_self_adjoint=None, is_positive_definite=None, is_square=None, name="LinearOperatorLowerTriangular"):
        if is_square is False:
            raise ValueError("Only square lower triangular operators supported at this time.")
        with ops.name_scope(name, values=[tril]):
            self._tril = helpers.convert_nonref_to_tensor(tril, name="tril")
            if self._tril.shape.ndims is not None and self._tril.shape.ndims < 2:
                raise ValueError("Argument tril must have at least 2 dimensions.  Found: %s" % self._tril)
            LinearOperator.__init__(self, self._tril.dtype, [self._tril], is_non_singular, is_self_adjoint, is_positive_definite, True, name)

    def _triangle(self):
        return engine.matrix_band_part(self._tril, -1, 0)

    def _diagonal(self):
        return engine.matrix_diag_part(self._tril)

    def _shape(self):
        return self._tril.shape

    def _shape_tensor(self):
        return basics.shape(self._tril)

    def _assert_non_singular(self):
        return helpers.no_zeros(self._diagonal(), "Singular operator:  Diagonal contained zero values.")

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return engine.matmul(self._triangle(), x, adjoint_a=adjoint, adjoint_b=adjoint_arg)

    def _determinant(self):
        return engine.reduce_prod(self._diagonal(), axis=[-1])

    def _log_abs_determinant(self):
        return engine.reduce_sum(engine.log(engine.abs(self._diagonal())), axis=[-1])

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        rhs = matrix_functions.adjoint(rhs) if adjoint_arg else rhs
        return helpers.triangular_solve(self._triangle(), rhs, lower=True, adjoint=adjoint)

    def _to_dense(self):
        return self._triangle()


class _OfOther(LinearOperator):
    """An operator derived from another one."""

    def _of(self, operator, what, suffix, hints, name):
        self.operator = operator
        said = {"is_square": "square", "is_non_singular": "non-singular", "is_self_adjoint": "self-adjoint", "is_positive_definite": "positive-definite"}
        hints = {k: helpers.combined(operator, k, v, "An operator is %s if and only if its %s is %s." % (said[k], what, said[k])) for k, v in hints.items()}
        name = operator.name + suffix if name is None else name
        with ops.name_scope(name, values=operator.graph_parents):
            LinearOperator.__init__(self, operator.dtype, operator.graph_parents, name=name, **hints)

    def _assert_non_singular(self):
        return self.operator.assert_non_singular()

    def _assert_positive_definite(self):
        return self.operator.assert_positive_definite()

    def _assert_self_adjoint(self):
        return self.operator.assert_self_adjoint()


@export("linalg.LinearOperatorAdjoint")
class LinearOperatorAdjoint(_OfOther):
    """The conjugate transpose of another operator."""

    def __init__(self, operator, is_non_singular=None, is_self_adjoint=None, is_positive_definite=None, is_square=None, name=None):
        self._of(operator, "adjoint", "_adjoint", {"is_square": is_square, "is_non_singular": is_non_singular, "is_self_adjoint": is_self_adjoint,
                                                   "is_positive_definite": is_positive_definite}, name)

    def _shape(self):
        shape = self.operator.shape
        return shape[:-2].concatenate([shape[-1], shape[-2]])

    def _shape_tensor(self):
        shape = self.operator.shape_tensor()
        return engine.concat([shape[:-2], [shape[-1], shape[-2]]], axis=-1)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return self.operator.matmul(x, adjoint=not adjoint, adjoint_arg=adjoint_arg)

    def _matvec(self, x, adjoint=False):
        return self.operator.matvec(x, adjoint=not adjoint)

    def _determinant(self):
        made = self.operator.determinant()
        return made if self.is_self_adjoint else engine.conj(made)

    def _log_abs_determinant(self):
        return self.operator.log_abs_determinant()

    def _trace(self):
        made = self.operator.trace()
        return made if self.is_self_adjoint else engine.conj(made)

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        return self.operator.solve(rhs, adjoint=not adjoint, adjoint_arg=adjoint_arg)

    def _solvevec(self, rhs, adjoint=False):
        return self.operator.solvevec(rhs, adjoint=not adjoint)

    def _to_dense(self):
        made = self.operator.to_dense()
        return made if self.is_self_adjoint else matrix_functions.adjoint(made)


@export("linalg.LinearOperatorInversion")
class LinearOperatorInversion(_OfOther):
    """The inverse of another operator."""

    def __init__(self, operator, is_non_singular=None, is_self_adjoint=None, is_positive_definite=None, is_square=None, name=None):
        for hint, own, given in (("is_non_singular", operator.is_non_singular, is_non_singular), ("is_square", operator.is_square, is_square)):
            if own is False or given is False:
                raise ValueError("operator and supplied hints must have `%s` equal to `True` or `None`.  Found %s, %s" % (hint, own, given))
        self._of(operator, "inverse", "_inv", {"is_square": is_square, "is_non_singular": is_non_singular, "is_self_adjoint": is_self_adjoint,
                                               "is_positive_definite": is_positive_definite}, name)

    def _shape(self):
        return self.operator.shape

    def _shape_tensor(self):
        return self.operator.shape_tensor()

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return self.operator.solve(x, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def _determinant(self):
        return 1.0 / self.operator.determinant()

    def _log_abs_determinant(self):
        return -1.0 * self.operator.log_abs_determinant()

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        return self.operator.matmul(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)


@rule("adjoint", LinearOperator)
def _adjoint(operator):
    return LinearOperatorAdjoint(operator, operator.is_non_singular, operator.is_self_adjoint, operator.is_positive_definite, operator.is_square)


rule("adjoint", LinearOperatorAdjoint)(lambda operator: operator.operator)


@rule("adjoint", LinearOperatorDiag)
def _adjoint_diag(operator):
    return LinearOperatorDiag(engine.conj(operator.diag) if operator.diag.dtype.is_complex else operator.diag, **helpers.hints(operator))


@rule("inverse", LinearOperator)
def _inverse(operator):
    return LinearOperatorInversion(operator, operator.is_non_singular, operator.is_self_adjoint, operator.is_positive_definite, operator.is_square)


rule("inverse", LinearOperatorInversion)(lambda operator: operator.operator)


@rule("inverse", LinearOperatorDiag)
def _inverse_diag(operator):
    return LinearOperatorDiag(1.0 / operator.diag, **helpers.hints(operator))


@rule("cholesky", LinearOperator)
def _cholesky(operator):
    return LinearOperatorLowerTriangular(engine.cholesky(operator.to_dense()), is_non_singular=True, is_self_adjoint=False, is_square=True)


@rule("cholesky", LinearOperatorDiag)
def _cholesky_diag(operator):
    return LinearOperatorDiag(engine.sqrt(operator.diag), is_non_singular=True, is_self_adjoint=True, is_positive_definite=True, is_square=True)


def of_two(make, value, a, b, definite=True):
    """The operator of a product or quotient of two that commute."""
    return make(value, is_non_singular=helpers.both_non_singular(a, b), is_self_adjoint=helpers.both_self_adjoint(a, b),
                is_positive_definite=helpers.both_positive_definite(a, b) if definite else None, is_square=True)


rule("matmul", LinearOperatorDiag, LinearOperatorDiag)(lambda a, b: of_two(LinearOperatorDiag, a.diag * b.diag, a, b))
rule("matmul", LinearOperatorDiag, LinearOperatorLowerTriangular)(lambda a, b: of_two(LinearOperatorLowerTriangular, a.diag[..., None] * b.to_dense(), a, b, False))
rule("matmul", LinearOperatorLowerTriangular, LinearOperatorDiag)(lambda a, b: of_two(LinearOperatorLowerTriangular, a.to_dense() * b.diag, b, a, False))
rule("solve", LinearOperatorDiag, LinearOperatorDiag)(lambda a, b: of_two(LinearOperatorDiag, b.diag / a.diag, a, b))
rule("solve", LinearOperatorDiag, LinearOperatorLowerTriangular)(lambda a, b: of_two(LinearOperatorLowerTriangular, b.to_dense() / a.diag[..., None], a, b, False))
rule("solve", LinearOperatorInversion, LinearOperator)(lambda a, b: a.operator.matmul(b))
