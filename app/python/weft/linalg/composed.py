"""Linear operators made of several others: products, block diagonals, low rank updates."""

from .. import basics, dtypes, engine, ops
from ..control_flow import group
from ..distributions.base import broadcast_static
from ..exports import export
from ..operators import newaxis
from ..tensor_shape import Dimension, TensorShape
from . import helpers
from .base import LinearOperator, dimension, rule
from .dense import LinearOperatorDiag, LinearOperatorInversion
from .identities import LinearOperatorIdentity


class _Several(LinearOperator):
    """Base of composition and block-diagonal operators."""

    def _of(self, operators, what, joint, hints, name):
        operators = list(operators)
        if not operators:
            raise ValueError("Expected a non-empty list of operators. Found: %s" % operators)
        self.operators = operators
        if any(o.dtype != operators[0].dtype for o in operators):
            raise TypeError("Expected all operators to have the same dtype.  Found %s" % "   ".join(str((o.name, o.dtype)) for o in operators))
        for hint, said in what:
            if all(getattr(o, hint) for o in operators):
                if hints[hint] is False:
                    raise ValueError(said)
                hints[hint] = True
        parents = [p for o in operators for p in o.graph_parents]
        name = joint.join(o.name for o in operators) if name is None else name
        with ops.name_scope(name, values=parents):
            LinearOperator.__init__(self, operators[0].dtype, parents, name=name, **hints)

    def _batches(self):
        batch = self.operators[0].batch_shape
        for o in self.operators[1:]:
            batch = broadcast_static(batch, o.batch_shape)
        return batch

    def _batch_sizes(self):
        zeros = engine.zeros(shape=self.operators[0].batch_shape_tensor())
        for o in self.operators[1:]:
            zeros += engine.zeros(shape=o.batch_shape_tensor())
        return basics.shape(zeros)

    def _known_shape_tensor(self):
        return ops.convert_to_tensor(self.shape.as_list(), dtype=dtypes.int32, name="shape")

    def _determinant(self):
        made = self.operators[0].determinant()
        for o in self.operators[1:]:
            made *= o.determinant()
        return made

    def _log_abs_determinant(self):
        made = self.operators[0].log_abs_determinant()
        for o in self.operators[1:]:
            made += o.log_abs_determinant()
        return made


@export("linalg.LinearOperatorComposition")
class LinearOperatorComposition(_Several):
    """The product of operators."""

    def __init__(self, operators, is_non_singular=None, is_self_adjoint=None, is_positive_definite=None, is_square=None, name=None):
        self._of(operators, [("is_non_singular", "The composition of non-singular operators is always non-singular.")], "_o_",
                 dict(is_non_singular=is_non_singular, is_self_adjoint=is_self_adjoint, is_positive_definite=is_positive_definite, is_square=is_square), name)

    def _shape(self):
        size = self.operators[0].domain_dimension
        for o in self.operators[1:]:
            size.assert_is_compatible_with(o.range_dimension)
            size = o.domain_dimension
        return self._batches().concatenate(TensorShape([self.operators[0].range_dimension, self.operators[-1].domain_dimension]))

    def _shape_tensor(self):
        if self.shape.is_fully_defined():
            return self._known_shape_tensor()
        sizes = engine.stack([self.operators[0].range_dimension_tensor(), self.operators[-1].domain_dimension_tensor()])
        return engine.concat((self._batch_sizes(), sizes), 0)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        order = self.operators if adjoint else self.operators[::-1]
        made = order[0].matmul(x, adjoint=adjoint, adjoint_arg=adjoint_arg)
        for o in order[1:]:
            made = o.matmul(made, adjoint=adjoint)
        return made

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        order = self.operators[::-1] if adjoint else self.operators
        made = order[0].solve(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)
        for o in order[1:]:
            made = o.solve(made, adjoint=adjoint)
        return made


@export("linalg.LinearOperatorBlockDiag")
class LinearOperatorBlockDiag(_Several):
    """Operators as blocks on the diagonal."""

    def __init__(self, operators, is_non_singular=None, is_self_adjoint=None, is_positive_definite=None, is_square=True, name=None):
        operators = list(operators)
        if operators and not (is_square and all(o.is_square for o in operators)):
            raise ValueError("Can only represent a block diagonal of square matrices.")
        self._of(operators, [("is_non_singular", "The direct sum of non-singular operators is always non-singular."),
                             ("is_self_adjoint", "The direct sum of self-adjoint operators is always self-adjoint."),
                             ("is_positive_definite", "The direct sum of positive definite operators is always positive definite.")], "_ds_",
                 dict(is_non_singular=is_non_singular, is_self_adjoint=is_self_adjoint, is_positive_definite=is_positive_definite, is_square=True), name)

    def _shape(self):
        rows, columns = self.operators[0].range_dimension, self.operators[0].domain_dimension
        for o in self.operators[1:]:
            rows, columns = rows + o.range_dimension, columns + o.domain_dimension
        return self._batches().concatenate(TensorShape([columns, rows]))

    def _shape_tensor(self):
        if self.shape.is_fully_defined():
            return self._known_shape_tensor()
        columns = self.operators[0].domain_dimension_tensor()
        rows = self.operators[0].range_dimension_tensor()
        for o in self.operators[1:]:
            columns += o.domain_dimension_tensor()
            rows += o.range_dimension_tensor()
        sizes = engine.stack([columns, rows])
        return engine.concat((self._batch_sizes(), sizes), 0)

    def _parts(self, x, axis):
        known = self.shape.is_fully_defined()
        return engine.split(x, [o.domain_dimension.value if known else o.domain_dimension_tensor() for o in self.operators], axis=axis)

    def _each(self, method, x, adjoint, adjoint_arg):
        parts = self._parts(x, -1 if adjoint_arg else -2)
        made = [getattr(o, method)(p, adjoint=adjoint, adjoint_arg=adjoint_arg) for o, p in zip(self.operators, parts)]
        return engine.concat(helpers.same_batch(made), axis=-2)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return self._each("matmul", x, adjoint, adjoint_arg)

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        return self._each("solve", rhs, adjoint, adjoint_arg)

    def _diag_part(self):
        parts = helpers.same_batch([o.diag_part()[..., newaxis] for o in self.operators])
        return engine.squeeze(engine.concat(parts, axis=-2), axis=-1)

    def _trace(self):
        made = self.operators[0].trace()
        for o in self.operators[1:]:
            made += o.trace()
        return made

    def _to_dense(self):
        before, rows = 0, []
        for block in helpers.same_batch([o.to_dense() for o in self.operators]):
            outer = basics.shape(block)[:-1]
            left = engine.zeros(shape=engine.concat([outer, [before]], axis=-1), dtype=block.dtype)
            before += basics.shape(block)[-1]
            right = engine.zeros(shape=engine.concat([outer, [self.domain_dimension_tensor() - before]], axis=-1), dtype=block.dtype)
            rows.append(engine.concat([left, block, right], axis=-1))
        made = engine.concat(rows, axis=-2)
        made.set_shape(self.shape)
        return made

    def _assert_non_singular(self):
        return group([o.assert_non_singular() for o in self.operators])

    def _assert_self_adjoint(self):
        return group([o.assert_self_adjoint() for o in self.operators])

    def _assert_positive_definite(self):
        return group([o.assert_positive_definite() for o in self.operators])


@export("linalg.LinearOperatorLowRankUpdate")
class LinearOperatorLowRankUpdate(LinearOperator):
    """base + u diag v^H"""

    def __init__(self, base_operator, u, diag_update=None, v=None, is_diag_update_positive=None, is_non_singular=None, is_self_adjoint=None, is_positive_definite=None,
                 is_square=None, name="LinearOperatorLowRankUpdate"):
        dtype = base_operator.dtype
        if diag_update is None:
            if is_diag_update_positive is False:
                raise ValueError("Default diagonal is the identity, which is positive.  However, user set 'is_diag_update_positive' to False.")
            is_diag_update_positive = True
        self._use_cholesky = base_operator.is_positive_definite and base_operator.is_self_adjoint and is_diag_update_positive and v is None
        if base_operator.is_self_adjoint and v is None and not dtype.is_complex:
            if is_self_adjoint is False:
                raise ValueError("A = L + UDU^H, with L self-adjoint and D real diagonal.  Since UDU^H is self-adjoint, this must be a self-adjoint operator.")
            is_self_adjoint = True
        if self._use_cholesky:
            if False in (is_positive_definite, is_self_adjoint, is_non_singular):
                raise ValueError("Arguments imply this is self-adjoint positive-definite operator.")
            is_positive_definite = is_self_adjoint = True
        with ops.name_scope(name, values=base_operator.graph_parents + [u, diag_update, v]):
            self.u = helpers.convert_nonref_to_tensor(u, name="u")
            self.v = self.u if v is None else helpers.convert_nonref_to_tensor(v, name="v")
            self.diag_update = None if diag_update is None else helpers.convert_nonref_to_tensor(diag_update, name="diag_update")
            self.base_operator, self.is_diag_update_positive = base_operator, is_diag_update_positive
            parents = base_operator.graph_parents + [t for t in (self.u, self.diag_update, self.v) if t is not None]
            LinearOperator.__init__(self, dtype, parents, is_non_singular, is_self_adjoint, is_positive_definite, is_square, name)
            if diag_update is not None:
                self.diag_operator = LinearOperatorDiag(self.diag_update, is_positive_definite=is_diag_update_positive)
            else:
                known = dimension(self.u.shape, -1).value
                self.diag_operator = LinearOperatorIdentity(num_rows=known if known is not None else basics.shape(self.u)[-1], dtype=self.dtype)
            self._check_shapes()

    def _check_shapes(self):
        wide = broadcast_static(self.u.shape, self.v.shape)
        batch = broadcast_static(self.base_operator.batch_shape, wide[:-2])
        Dimension(self.base_operator.domain_dimension).assert_is_compatible_with(wide[-2])
        if self.diag_update is not None:
            dimension(wide, -1).assert_is_compatible_with(self.diag_update.shape[-1])
            broadcast_static(batch, self.diag_update.shape[:-1])

    def _shape(self):
        return broadcast_static(self.base_operator.batch_shape, self.u.shape[:-2]).concatenate(self.base_operator.shape[-2:])

    def _shape_tensor(self):
        batch = engine.broadcast_dynamic_shape(self.base_operator.batch_shape_tensor(), basics.shape(self.u)[:-2])
        return engine.concat([batch, self.base_operator.shape_tensor()[-2:]], axis=0)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        first, second = (self.u, self.v) if adjoint else (self.v, self.u)
        leading = self.base_operator.matmul(x, adjoint=adjoint, adjoint_arg=adjoint_arg)
        inner = engine.matmul(first, x, adjoint_a=True, adjoint_b=adjoint_arg)
        return leading + engine.matmul(second, self.diag_operator.matmul(inner, adjoint=adjoint))

    def _capacitance(self):
        inner = engine.matmul(self.v, self.base_operator.solve(self.u), adjoint_a=True)
        return self.diag_operator.inverse().add_to_tensor(inner)

    def _determinant(self):
        if self.is_positive_definite:
            return engine.exp(self.log_abs_determinant())
        made = engine.matrix_determinant(self._capacitance())
        of_diag = self.diag_operator.determinant()
        return made * of_diag * self.base_operator.determinant()

    def _log_abs_determinant(self):
        of_diag = self.diag_operator.log_abs_determinant()
        of_base = self.base_operator.log_abs_determinant()
        if self._use_cholesky:
            made = 2 * engine.reduce_sum(engine.log(engine.matrix_diag_part(engine.cholesky(self._capacitance()))), axis=[-1])
        else:
            made = engine.log(engine.abs(engine.matrix_determinant(self._capacitance())))
            if self.dtype.is_complex:
                made = basics.cast(made, dtype=self.dtype)
        return made + of_diag + of_base

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        if self.base_operator.is_non_singular is False:
            raise ValueError("Solve not implemented unless this is a perturbation of a non-singular LinearOperator.")
        u, v = (self.v, self.u) if adjoint else (self.u, self.v)
        base = self.base_operator.solve(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)
        inner = engine.matmul(v, base, adjoint_a=True)
        if self._use_cholesky:
            inner = helpers.cholesky_solve(engine.cholesky(self._capacitance()), inner)
        else:
            inner = helpers.matrix_solve(self._capacitance(), inner, adjoint=adjoint)
        return base - self.base_operator.solve(engine.matmul(u, inner), adjoint=adjoint)


rule("adjoint", LinearOperatorBlockDiag)(lambda o: LinearOperatorBlockDiag([p.adjoint() for p in o.operators], **helpers.hints(o)))
rule("inverse", LinearOperatorBlockDiag)(lambda o: LinearOperatorBlockDiag([p.inverse() for p in o.operators], **helpers.hints(o)))
rule("cholesky", LinearOperatorBlockDiag)(lambda o: LinearOperatorBlockDiag([p.cholesky() for p in o.operators], is_non_singular=True, is_self_adjoint=False, is_square=True))


def _pair_hints(a, b):
    square = helpers.product_is_square(a, b)
    if square is False:
        return dict(is_non_singular=False, is_self_adjoint=False, is_positive_definite=False, is_square=square)
    return dict(is_non_singular=helpers.both_non_singular(a, b) if square else None, is_square=square)


rule("matmul", LinearOperator, LinearOperator)(lambda a, b: LinearOperatorComposition([a, b], **_pair_hints(a, b)))
rule("solve", LinearOperator, LinearOperator)(lambda a, b: LinearOperatorComposition([LinearOperatorInversion(a), b], **_pair_hints(a, b)))
