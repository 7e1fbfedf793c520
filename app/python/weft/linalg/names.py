"""tensorflow.python.ops.linalg.linear_operator_util and linear_operator_algebra: helpers of operators, and rules that a program registers."""

from .. import assertions, engine, ops
from ..build_facts import assert_proper_iterable
from . import base, helpers
from .addition import assert_compatible_matrix_dimensions  # noqa: F401 (re-exported)

shape_tensor = helpers.shape_tensor
base_dtype, dtype_name, is_ref = helpers.base_dtype, helpers.dtype_name, helpers.is_ref
assert_not_ref_type, convert_nonref_to_tensor = helpers.assert_not_ref_type, helpers.convert_nonref_to_tensor


def use_operator_or_provided_hint_unless_contradicting(operator, hint_attr_name, provided_hint_value, message):
    """The operator's hint combined with the given one; ValueError if they contradict each other."""
    return helpers.combined(operator, hint_attr_name, provided_hint_value, message)


def assert_no_entries_with_modulus_zero(x, message=None, name="assert_no_entries_with_modulus_zero"):
    with ops.name_scope(name, values=[x]):
        x = ops.convert_to_tensor(x, name="x")
        return assertions.assert_less(ops.convert_to_tensor(0, dtype=x.dtype.base_dtype.real_dtype), engine.abs(x), message=message)


def assert_zero_imag_part(x, message=None, name="assert_zero_imag_part"):
    with ops.name_scope(name, values=[x]):
        x = ops.convert_to_tensor(x, name="x")
        if x.dtype.base_dtype.is_floating:
            return engine.no_op()
        return assertions.assert_equal(ops.convert_to_tensor(0, dtype=x.dtype.base_dtype.real_dtype), engine.imag(x), message=message)


def assert_is_batch_matrix(tensor):
    if tensor.shape.ndims is not None and tensor.shape.ndims < 2:
        raise ValueError("Expected [batch] matrix to have at least two dimensions.  Found: %s" % tensor)


def broadcast_matrix_batch_dims(batch_matrices, name=None):
    """The matrices with their batch shapes broadcast to each other."""
    assert_proper_iterable(batch_matrices)
    return helpers.same_batch(batch_matrices, name)


def cholesky_solve_with_broadcast(chol, rhs, name=None):
    return helpers.cholesky_solve(chol, rhs, name)


def matrix_solve_with_broadcast(matrix, rhs, adjoint=False, name=None):
    return helpers.matrix_solve(matrix, rhs, adjoint, name)


def matrix_triangular_solve_with_broadcast(matrix, rhs, lower=True, adjoint=False, name=None):
    return helpers.triangular_solve(matrix, rhs, lower, adjoint, name)


def _registered(kind, *classes):
    return base.find_rule(kind, *classes)


def _registered_adjoint(type_a):
    return _registered("adjoint", type_a)


def _registered_cholesky(type_a):
    return _registered("cholesky", type_a)


def _registered_inverse(type_a):
    return _registered("inverse", type_a)


def _registered_matmul(type_a, type_b):
    return _registered("matmul", type_a, type_b)


def _registered_solve(type_a, type_b):
    return _registered("solve", type_a, type_b)


class _Register:
    """Decorator: the function is the rule for operators of these classes."""

    kind, words = "", ""

    def __init__(self, *classes):
        self._key = classes

    def __call__(self, function):
        if not callable(function):
            raise TypeError("%s_fn must be callable, received: %s" % (self.kind, function))
        if (self.kind,) + self._key in base._rules:
            raise ValueError("%s(%s) has already been registered." % (self.words, ", ".join(c.__name__ for c in self._key)))
        return base.rule(self.kind, *self._key)(function)


def _register(kind, words):
    return type("Register" + words, (_Register,), {"kind": kind, "words": words, "__doc__": _Register.__doc__})


RegisterAdjoint, RegisterCholesky, RegisterInverse = _register("adjoint", "Adjoint"), _register("cholesky", "Cholesky"), _register("inverse", "Inverse")
RegisterMatmul, RegisterSolve = _register("matmul", "Matmul"), _register("solve", "Solve")


def adjoint(lin_op_a, name=None):
    return base.apply("adjoint", name or "Adjoint", lin_op_a)


def cholesky(lin_op_a, name=None):
    return base.apply("cholesky", name or "Cholesky", lin_op_a)


def inverse(lin_op_a, name=None):
    return base.apply("inverse", name or "Inverse", lin_op_a)


def matmul(lin_op_a, lin_op_b, name=None):
    return base.apply("matmul", name or "Matmul", lin_op_a, lin_op_b)


def solve(lin_op_a, lin_op_b, name=None):
    return base.apply("solve", name or "Solve", lin_op_a, lin_op_b)


class _View:
    """The rules of one kind by their classes; removing one forgets it."""

    def __init__(self, kind):
        self._kind = kind

    def __getitem__(self, classes):
        return base._rules[(self._kind,) + tuple(classes)]

    def pop(self, classes):
        return base._rules.pop((self._kind,) + tuple(classes))

    def __contains__(self, classes):
        return (self._kind,) + tuple(classes) in base._rules

    def keys(self):
        return [key[1:] for key in base._rules if key[0] == self._kind]

    def items(self):
        return [(key[1:], function) for key, function in base._rules.items() if key[0] == self._kind]

    def __iter__(self):
        return iter(self.keys())


_ADJOINTS, _CHOLESKY_DECOMPS, _INVERSES, _MATMUL, _SOLVE = (_View(k) for k in ("adjoint", "cholesky", "inverse", "matmul", "solve"))
