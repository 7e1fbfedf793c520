"""GGT: full-matrix adaptive steps from a window of past gradients (Agarwal and others 2018)."""

from ... import basics, dtypes, engine, ops
from ...control_flow import cond, group
from ...exports import export
from ...training.optimizer import Optimizer
from ...variables import assign_add, assign_sub, scatter_update


@export("contrib.opt.GGTOptimizer")
class GGTOptimizer(Optimizer):
    """All variables are one vector. With M, the matrix of the last `window` first moments, and the singular values of MᵀM, the moment is scaled by
    (MMᵀ)^(-1/2) inside the span of M and by the smallest singular value's root outside."""

    def __init__(self, learning_rate=0.001, beta1=0.9, use_locking=False, name="GGT", window=10, eps=1e-4, svd_eps=1e-6, sigma_eps=1e-2):
        super().__init__(use_locking, name)
        self._lr, self._beta1, self._window = learning_rate, beta1, window
        self._eps, self._svd_eps, self._sigma_eps = eps, svd_eps, sigma_eps
        self.index_dict, self.shape_dict = {}, {}

    def _create_slots(self, var_list):
        self.shape_dict = {v.name: v.get_shape().num_elements() for v in sorted(var_list, key=lambda v: v.name)}
        size = 0
        for name, count in self.shape_dict.items():
            self.index_dict[name] = size
            size += count
        first = min(var_list, key=lambda v: v.name)
        dtype = first.dtype.base_dtype
        for name, start in (("global_step", basics.cast(0.0, dtype)), ("grad_buffer", engine.zeros([self._window, size], dtype)), ("moment1", engine.zeros([size], dtype)),
                            ("flat_grad", engine.zeros([size], dtype))):
            self._create_non_slot_variable(initial_value=start, name=name, colocate_with=first)

    def _own(self, name):
        return self._get_non_slot_variable(name, graph=ops.get_default_graph())

    def _get_global_step(self):
        return self._own("global_step")

    def _get_moment1(self):
        return self._own("moment1")

    def _get_grad_buffer(self):
        return self._own("grad_buffer")

    def _get_flat_grad(self):
        return self._own("flat_grad")

    def _prepare(self):
        self._variables = []

    def _range(self, var):
        begin = self.index_dict[var.name]
        return begin, begin + self.shape_dict[var.name]

    def _apply_dense(self, grad, var):
        self._variables.append(var)
        begin, end = self._range(var)
        return scatter_update(self._get_flat_grad(), engine.range(begin, end), engine.reshape(grad, [-1]))

    def _resource_apply_dense(self, grad, var):
        return self._apply_dense(grad, var)

    def _apply_sparse(self, grad, var):
        raise NotImplementedError("Sparse gradient updates are not supported.")

    def _resource_apply_sparse(self, grad, var, indices):
        raise NotImplementedError("Sparse gradient updates are not supported.")

    def _step_of(self, matrix, moment):
        """The change of all variables for M and the first moment, a column."""
        gram = engine.matmul(matrix, matrix, transpose_a=True) + engine.eye(self._window, dtype=matrix.dtype) * self._svd_eps
        values, vectors, _ = engine.svd(gram)
        roots = engine.sqrt(values)
        least = engine.reduce_min(roots)
        inside = engine.matmul(vectors, engine.matmul(matrix, moment, transpose_a=True), transpose_a=True)

        def spanned(scales):
            return engine.matmul(matrix, engine.matmul(vectors, engine.matmul(engine.diag(scales), inside)))

        one = basics.cast(1.0, matrix.dtype)
        head = spanned(one / engine.pow(roots + self._sigma_eps, 3))
        outside = (moment - spanned(one / values)) / least
        return cond(least > self._eps, lambda: head + outside, lambda: engine.identity(head))

    def _finish(self, update_ops, name_scope):
        with ops.control_dependencies(update_ops):
            dtype = self._variables[0].dtype.base_dtype
            rate, beta1 = (basics.cast(x() if callable(x) else x, dtype) for x in (self._lr, self._beta1))
            count = ops.convert_to_tensor(assign_add(self._get_global_step(), 1.0))
            moment = self._get_moment1()
            mean = ops.convert_to_tensor(moment.assign(beta1 * moment + (1.0 - beta1) * self._get_flat_grad()))
            place = engine.floormod(basics.cast(count - 1.0, dtypes.int32), self._window)
            kept = ops.convert_to_tensor(scatter_update(self._get_grad_buffer(), place, mean))
            matrix = engine.transpose(kept / engine.sqrt(engine.minimum(count, basics.cast(self._window, dtype))))
            step = self._step_of(matrix, engine.expand_dims(mean, -1))
            changed = []
            for var in self._variables:
                begin, end = self._range(var)
                changed.append(assign_sub(var, rate * engine.reshape(step[begin:end], var.get_shape())))
            return group(*changed, name=name_scope)
