"""tensorflow.python.ops.linalg.linear_operator_addition: sums of linear operators, as operators of the simplest kind that fits."""

from .. import assertions, engine, ops
from ..distributions.base import broadcast_static
from ..build_facts import assert_proper_iterable
from .base import LinearOperator
from .dense import LinearOperatorDiag, LinearOperatorFullMatrix, LinearOperatorLowerTriangular
from .identities import LinearOperatorIdentity, LinearOperatorScaledIdentity

_KINDS = ((LinearOperatorDiag, "diag"), (LinearOperatorLowerTriangular, "tril"), (LinearOperatorFullMatrix, "matrix"), (LinearOperatorIdentity, "identity"),
          (LinearOperatorScaledIdentity, "scaled_identity"))
_IDENTITIES = {"identity", "scaled_identity"}
_DIAGONALS = _IDENTITIES | {"diag"}


def _type(operator):
    for cls, kind in _KINDS:
        if isinstance(operator, cls):
            return kind
    raise TypeError("Operator type unknown: %s" % operator)


class _Hints:
    """What is known of a sum."""

    def __init__(self, is_non_singular=None, is_positive_definite=None, is_self_adjoint=None):
        self.is_non_singular, self.is_positive_definite, self.is_self_adjoint = is_non_singular, is_positive_definite, is_self_adjoint

    def as_arguments(self):
        return dict(is_non_singular=self.is_non_singular, is_self_adjoint=self.is_self_adjoint, is_positive_definite=self.is_positive_definite)


def _infer_hints_allowing_override(op1, op2, hints):
    hints = hints or _Hints()
    adjoint, positive, non_singular = hints.is_self_adjoint, hints.is_positive_definite, hints.is_non_singular
    if adjoint is None:
        adjoint = op1.is_self_adjoint and op2.is_self_adjoint
    if positive is None:
        positive = op1.is_positive_definite and op2.is_positive_definite
        non_singular = True if positive else non_singular
    return _Hints(is_non_singular=non_singular, is_self_adjoint=adjoint, is_positive_definite=positive)


class _Adder:
    """Adds two operators of the kinds that it knows."""

    _fits = _DIAGONALS

    @property
    def name(self):
        return type(self).__name__

    def can_add(self, op1, op2):
        return {_type(op1), _type(op2)} <= self._fits

    def add(self, op1, op2, operator_name, hints=None):
        hints = _infer_hints_allowing_override(op1, op2, hints)
        if operator_name is None:
            operator_name = "Add/" + op1.name + "__" + op2.name + "/"
        with ops.name_scope(self.name.lstrip("_"), values=list(op1.graph_parents) + list(op2.graph_parents)):
            return self._add(op1, op2, operator_name, hints)

    def _dense(self, op1, op2):
        first, other = (op1, op2) if _type(op1) in _DIAGONALS else (op2, op1)
        return first.add_to_tensor(other.to_dense())


class _AddAndReturnScaledIdentity(_Adder):
    _fits = _IDENTITIES

    def _add(self, op1, op2, operator_name, hints):
        multipliers = [o.multiplier if _type(o) == "scaled_identity" else engine.ones(o.batch_shape_tensor(), dtype=o.dtype) for o in (op1, op2)]
        return LinearOperatorScaledIdentity(num_rows=op1.range_dimension_tensor(), multiplier=multipliers[0] + multipliers[1], name=operator_name, **hints.as_arguments())


class _AddAndReturnDiag(_Adder):
    def _add(self, op1, op2, operator_name, hints):
        return LinearOperatorDiag(diag=op1.diag_part() + op2.diag_part(), name=operator_name, **hints.as_arguments())


class _AddAndReturnTriL(_Adder):
    _fits = _DIAGONALS | {"tril"}

    def _add(self, op1, op2, operator_name, hints):
        return LinearOperatorLowerTriangular(tril=self._dense(op1, op2), name=operator_name, **hints.as_arguments())


class _AddAndReturnMatrix(_Adder):
    def can_add(self, op1, op2):
        return isinstance(op1, LinearOperator) and isinstance(op2, LinearOperator)

    def _add(self, op1, op2, operator_name, hints):
        return LinearOperatorFullMatrix(matrix=self._dense(op1, op2), name=operator_name, **hints.as_arguments())


_TIERS = [[_AddAndReturnScaledIdentity()], [_AddAndReturnDiag()], [_AddAndReturnTriL()], [_AddAndReturnMatrix()]]


def _check_sizes(operators):
    for what in ("domain", "range"):
        sizes = [(o.name, getattr(o, what + "_dimension").value) for o in operators]
        sizes = [s for s in sizes if s[1] is not None]
        if len({size for _, size in sizes}) > 1:
            raise ValueError("Operators must have the same %s dimension. Found: %s" % (what, sizes))
    batch = operators[0].batch_shape
    for o in operators[1:]:
        batch = broadcast_static(batch, o.batch_shape)


def add_operators(operators, operator_name=None, addition_tiers=None, name=None):
    """Adds operators as far as the adders of a tier fit, tier by tier; returns what is left."""
    assert_proper_iterable(operators)
    left = list(reversed(operators))
    if not left:
        raise ValueError("Argument 'operators' must contain at least one operator.  Found: %s" % left)
    if not all(isinstance(o, LinearOperator) for o in left):
        raise TypeError("Argument 'operators' must contain only LinearOperator instances.  Found: %s" % left)
    _check_sizes(left)
    with ops.name_scope(name or "add_operators", values=[p for o in left for p in o.graph_parents]):
        for tier in _TIERS if addition_tiers is None else addition_tiers:
            waiting, left = left, []
            while waiting:
                first = waiting.pop()
                place, adder = next(((i, a) for i in range(len(waiting) - 1, -1, -1) for a in tier if a.can_add(first, waiting[i])), (None, None))
                if adder is None:
                    left.append(first)
                else:
                    waiting.append(adder.add(first, waiting.pop(place), operator_name))
        return left


def assert_compatible_matrix_dimensions(operator, x):
    """Fails unless the operator can be multiplied with `x`."""
    return assertions.assert_equal(engine.shape(x)[-2], operator.domain_dimension_tensor(),
                                   message="Dimensions are not compatible.  shape[-2] of argument to be the same as this operator")
