"""Shampoo: Adagrad with one matrix for each dimension of a variable (Gupta, Koren and Singer 2018)."""

from ... import basics, dtypes, engine, ops
from ...control_flow import cond
from ...exports import export
from ...platform import tf_logging as logging
from ...training.optimizer import Optimizer
from ...variables import assign, assign_add, assign_sub, scatter_add
from . import matrix_roots


def _at(parameter, step):
    return parameter(step) if callable(parameter) else parameter


@export("contrib.opt.ShampooOptimizer")
class ShampooOptimizer(Optimizer):
    """var -= learning_rate × gbar, contracted along each dimension j with the matrix mat_gbar_j^(-alpha / rank).

    gbar = gbar_decay × gbar + gbar_weight × gradient; mat_gbar_j = mat_gbar_decay × mat_gbar_j + mat_gbar_weight × (the gradient times itself, contracted over
    all dimensions but j). Parameters are numbers or functions of the step. Dimensions larger than `max_matrix_size` keep the diagonal only."""

    def __init__(self, global_step=0, max_matrix_size=768, gbar_decay=0.0, gbar_weight=1.0, mat_gbar_decay=1.0, mat_gbar_weight=1.0, learning_rate=1.0, svd_interval=1,
                 precond_update_interval=1, epsilon=1e-4, alpha=0.5, use_iterative_root=False, use_locking=False, name="Shampoo"):
        super().__init__(use_locking, name)
        self._global_step = basics.cast(global_step, dtypes.float32)
        self._max_matrix_size = max_matrix_size
        self._gbar_decay, self._gbar_weight = gbar_decay, gbar_weight
        self._mat_gbar_decay, self._mat_gbar_weight = mat_gbar_decay, mat_gbar_weight
        self._learning_rate, self._alpha, self._epsilon = learning_rate, alpha, epsilon
        self._svd_interval, self._precond_update_interval = svd_interval, precond_update_interval
        self._use_iterative_root = use_iterative_root

    def _create_slots(self, var_list):
        for v in var_list:
            with ops.colocate_with(v):
                self._zeros_slot(v, "gbar", self._name)
                for i, dimension in enumerate(v.get_shape().dims):
                    size = ops.convert_to_tensor(dimension)
                    if dimension > self._max_matrix_size:
                        start = engine.zeros([size])
                    else:
                        start = engine.zeros_like(engine.eye(size))
                        if self._svd_interval > 1:
                            self._get_or_make_slot(v, engine.eye(size), "H_%d" % i, self._name)
                    self._get_or_make_slot(v, start, "Gbar_%d" % i, self._name)

    def _apply_dense(self, grad, var):
        return self._apply_gradient(grad, var)

    def _resource_apply_dense(self, grad, var):
        return self._apply_gradient(grad, var)

    def _apply_sparse(self, grad, var):
        return self._apply_rows(grad.values, grad.indices, var)

    def _resource_apply_sparse(self, grad, var, indices):
        return self._apply_rows(grad, indices, var)

    def _apply_rows(self, rows, indices, var):
        if var.get_shape()[0] <= self._max_matrix_size or self._gbar_decay != 0.0:
            dense = engine.scatter_nd(engine.expand_dims(indices, axis=1), rows, basics.shape(var, out_type=indices.dtype))
            return self._apply_gradient(dense, var)
        return self._apply_gradient(rows, var, indices)

    def _weighted_average(self, var, weight, weight_now, rest):
        """var = weight_now × var + rest. A weight of 0 leaves the variable alone, since nothing reads it."""
        if weight == 0.0:
            return rest
        if weight == 1.0:
            return assign_add(var, rest)
        return var.assign_add((weight_now - 1) * var + rest)

    def _power(self, var, matrix, size, alpha, slot=None):
        """matrix^alpha, also kept in a slot."""
        with ops.name_scope("matrix_iterative_power"):
            if self._use_iterative_root:
                root = matrix_roots.matrix_square_root(matrix, size, 100, self._epsilon)
                result = matrix_roots.matrix_inverse_pth_root(root, size, 2 * alpha, 100, 1e-6, ridge_epsilon=0.0)
            elif size == 1:
                result = engine.pow(matrix + self._epsilon, alpha)
            else:
                diagonal, left, right = engine.svd(matrix + self._epsilon * engine.eye(basics.cast(size, dtypes.int32)), full_matrices=True)
                result = engine.matmul(right * engine.pow(engine.maximum(diagonal, self._epsilon), alpha), engine.transpose(left))
            return result if slot is None else assign(self.get_slot(var, slot), result)

    def _full(self, var, grad, i, size, others, step, alpha):
        """The preconditioner of a dimension: a matrix."""
        matrix = self.get_slot(var, "Gbar_%d" % i)
        weight, decay = _at(self._mat_gbar_weight, step), _at(self._mat_gbar_decay, step)
        interval, roots_interval = _at(self._precond_update_interval, step), _at(self._svd_interval, step)

        def updated():
            outer = engine.tensordot(grad, grad, axes=(others, others), name="grad_outer_%d" % i)
            return self._weighted_average(matrix, self._mat_gbar_decay, decay, weight * interval * outer)

        total = cond(engine.mod(step, interval) < 1, updated, lambda: matrix) / float(size)
        if self._svd_interval == 1:
            return self._power(var, total, size, alpha)
        kept = "H_%d" % i
        return cond(engine.mod(step, roots_interval) < 1, lambda: self._power(var, total, size, alpha, kept), lambda: self.get_slot(var, kept))

    def _diagonal(self, var, grad, i, size, others, step, alpha, indices):
        """The preconditioner of a large dimension: the diagonal of the matrix."""
        sums = self.get_slot(var, "Gbar_%d" % i)
        weight, decay = _at(self._mat_gbar_weight, step), _at(self._mat_gbar_decay, step)
        squares = engine.reduce_sum(grad * grad, axis=others) / (1.0 if indices is not None else float(size)) if others else grad * grad
        if i == 0 and indices is not None:
            if self._mat_gbar_decay != 1.0:
                raise ValueError("mat_gbar_decay must be 1 for sparse gradients of %s, but is %s" % (var.name, self._mat_gbar_decay))
            total = engine.gather(scatter_add(sums, indices, weight * squares), indices)
        else:
            total = self._weighted_average(sums, self._mat_gbar_decay, decay, weight * squares)
        return engine.where(engine.greater(total, 0), engine.pow(total, alpha), engine.zeros_like(total))

    def _apply_gradient(self, grad, var, indices=None):
        """One update; with `indices`, rows of a gradient."""
        step = self._global_step + 1
        if indices is not None:
            if self._gbar_decay != 0.0:
                logging.warning("Not applying momentum for variable: %s" % var.name)
            result = grad
        else:
            result = self._weighted_average(self.get_slot(var, "gbar"), self._gbar_decay, _at(self._gbar_decay, step), _at(self._gbar_weight, step) * grad)
        sizes = var.get_shape().as_list()
        rank = len(sizes)
        alpha = -_at(self._alpha, step) / rank
        # Each contraction takes the first dimension and appends the new one, so that after all of them the order is the old one.
        for i, size in enumerate(sizes):
            others = [j for j in range(rank) if j != i]
            if size <= self._max_matrix_size:
                matrix = self._full(var, grad, i, size, others, step, alpha)
                result = engine.tensordot(result, matrix, axes=([0], [0]), name="precond_%d" % i)
            else:
                diagonal = self._diagonal(var, grad, i, size, others, step, alpha, indices)
                result = engine.transpose(result, perm=list(range(1, rank)) + [0]) * diagonal
        rate = _at(self._learning_rate, step)
        return assign_sub(var, rate * result) if indices is None else scatter_add(var, indices, -rate * result)
