"""Variants of Adam: AdaMax, Nadam, Adam by a global step, and those that touch only the rows of a sparse gradient."""

from ... import basics, dtypes, engine, ops
from ...control_flow import group
from ...exports import export
from ...training.optimizers import AdamOptimizer
from ...variables import assign, scatter_add, scatter_sub, scatter_update


def _reference_ops(locking):
    """(add, update): functions that change rows of a reference variable and return it after the change."""
    return (lambda v, indices, rows: scatter_add(v, indices, rows, use_locking=locking), lambda v, indices, rows: scatter_update(v, indices, rows, use_locking=locking))


def _after(op, variable):
    with ops.control_dependencies([op]):
        return variable.value()


def _add_rows(variable, indices, rows):
    return _after(engine.raw_ops.ResourceScatterAdd(resource=variable.handle, indices=indices, updates=rows), variable)


def _set_rows(variable, indices, rows):
    return _after(engine.raw_ops.ResourceScatterUpdate(resource=variable.handle, indices=indices, updates=rows), variable)


class _Rows:
    """An optimizer whose sparse update is _sparse(gradient rows, variable, indices, add, update) for both kinds of variables."""

    def _apply_sparse(self, grad, var):
        return self._sparse(grad.values, var, grad.indices, *_reference_ops(self._use_locking))

    def _resource_apply_sparse(self, grad, var, indices):
        return self._sparse(grad, var, indices, _add_rows, _set_rows)

    def _cast_tensors(self, var):
        return [basics.cast(t, var.dtype.base_dtype) for t in (self._lr_t, self._beta1_t, self._beta2_t, self._epsilon_t)]

    def _corrected(self, var, rate):
        """The learning rate with the correction for moments that start at 0."""
        power1, power2 = (basics.cast(p, var.dtype.base_dtype) for p in self._get_beta_accumulators())
        return rate * engine.sqrt(1 - power2) / (1 - power1)


@export("contrib.opt.AdaMaxOptimizer")
class AdaMaxOptimizer(_Rows, AdamOptimizer):
    """Adam with the largest decayed gradient in place of the root of the mean square (Kingma and Ba 2014, section 7.1).

    A sparse gradient changes only its rows of the variable and of the slots."""

    _op = "AdaMax"

    def __init__(self, learning_rate=0.001, beta1=0.9, beta2=0.999, epsilon=1e-8, use_locking=False, name="AdaMax"):
        super().__init__(learning_rate, beta1, beta2, epsilon, use_locking, name)

    def _get_beta_accumulators(self):
        return self._get_non_slot_variable("beta1_power", graph=ops.get_default_graph())

    def _create_slots(self, var_list):
        self._create_non_slot_variable(initial_value=self._beta1, name="beta1_power", colocate_with=min(var_list, key=lambda v: v.name))
        for v in var_list:
            self._zeros_slot(v, "m", self._name)
            self._zeros_slot(v, "v", self._name)

    def _arguments(self, var, dtype, resource, cast=None):
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        args = {"m": m.handle, "v": v.handle} if resource else {"m": m, "v": v}
        args["beta1_power"] = basics.cast(self._get_beta_accumulators(), dtype)
        args["lr"], args["beta1"], args["beta2"], args["epsilon"] = (basics.cast(t, dtype) for t in (self._lr_t, self._beta1_t, self._beta2_t, self._epsilon_t))
        return args

    def _sparse(self, grad, var, indices, add, update):
        power = basics.cast(self._get_beta_accumulators(), var.dtype.base_dtype)
        rate, beta1, beta2, epsilon = self._cast_tensors(var)
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        mean = engine.gather(m, indices) * beta1 + grad * (1 - beta1)
        with ops.control_dependencies([mean]):
            new_m = update(m, indices, mean)
        largest = engine.maximum(engine.gather(v, indices) * beta2, engine.abs(grad))
        with ops.control_dependencies([largest]):
            new_v = update(v, indices, largest)
        step = -rate / (1 - power) * (mean / (largest + epsilon))
        with ops.control_dependencies([step]):
            changed = add(var, indices, step)
        return group(changed, new_m, new_v)

    def _finish(self, update_ops, name_scope):
        with ops.control_dependencies(update_ops):
            power = self._get_beta_accumulators()
            with ops.colocate_with(power):
                advanced = power.assign(power * self._beta1_t, use_locking=self._use_locking)
        return group(*update_ops + [advanced], name=name_scope)


@export("contrib.opt.NadamOptimizer")
class NadamOptimizer(_Rows, AdamOptimizer):
    """Adam with Nesterov momentum (Dozat 2015)."""

    def _attrs(self):
        return {"use_locking": self._use_locking, "use_nesterov": True}

    def _sparse(self, grad, var, indices, add, update):
        rate, beta1, beta2, epsilon = self._cast_tensors(var)
        rate = self._corrected(var, rate)
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        part = grad * (1 - beta1)
        with ops.control_dependencies([assign(m, m * beta1, use_locking=self._use_locking)]):
            ahead = part + beta1 * engine.gather(add(m, indices, part), indices)
        part = (grad * grad) * (1 - beta2)
        with ops.control_dependencies([assign(v, v * beta2, use_locking=self._use_locking)]):
            square = add(v, indices, part)
        root = engine.sqrt(engine.gather(square, indices))
        return group(add(var, indices, -rate * ahead / (root + epsilon)), ahead, square)


class _LazyRows(_Rows):
    """A sparse gradient changes only its rows of both moments."""

    def _moments(self, grad, var, indices):
        rate, beta1, beta2, epsilon = self._cast_tensors(var)
        rate = self._corrected(var, rate)
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        mean = beta1 * engine.gather(m, indices) + (1 - beta1) * grad
        square = beta2 * engine.gather(v, indices) + (1 - beta2) * engine.square(grad)
        return m, v, mean, square, rate, epsilon

    def _apply_sparse(self, grad, var):
        m, v, mean, square, rate, epsilon = self._moments(grad.values, var, grad.indices)
        new_m = scatter_update(m, grad.indices, mean, use_locking=self._use_locking)
        new_v = scatter_update(v, grad.indices, square, use_locking=self._use_locking)
        step = rate * engine.gather(new_m, grad.indices) / (engine.sqrt(engine.gather(new_v, grad.indices)) + epsilon)
        return group(scatter_sub(var, grad.indices, step, use_locking=self._use_locking), new_m, new_v)

    def _resource_apply_sparse(self, grad, var, indices):
        m, v, mean, square, rate, epsilon = self._moments(grad, var, indices)
        raw = engine.raw_ops
        new_m = raw.ResourceScatterUpdate(resource=m.handle, indices=indices, updates=mean)
        new_v = raw.ResourceScatterUpdate(resource=v.handle, indices=indices, updates=square)
        step = rate * mean / (engine.sqrt(square) + epsilon)
        return group(raw.ResourceScatterSub(resource=var.handle, indices=indices, updates=step), new_m, new_v)


@export("contrib.opt.LazyAdamOptimizer")
class LazyAdamOptimizer(_LazyRows, AdamOptimizer):
    """Adam that updates, for a sparse gradient, only the moments of the rows that have one: faster for embeddings, with other numbers than Adam."""


@export("contrib.opt.AdamGSOptimizer")
class AdamGSOptimizer(_Rows, AdamOptimizer):
    """Adam that takes the powers of its decays from a global step, instead of variables of its own."""

    def __init__(self, global_step=0, learning_rate=0.001, beta1=0.9, beta2=0.999, epsilon=1e-8, use_locking=False, name="Adam"):
        super().__init__(learning_rate, beta1, beta2, epsilon, use_locking, name)
        self._global_step = global_step
        self._global_step_on_worker = None

    def _get_beta_accumulators(self):
        return engine.pow(self._beta1_t, self._global_step_on_worker), engine.pow(self._beta2_t, self._global_step_on_worker)

    def _create_slots(self, var_list):
        for v in var_list:
            self._zeros_slot(v, "m", self._name)
            self._zeros_slot(v, "v", self._name)

    def _prepare(self):
        super()._prepare()
        # A copy, so that not every use asks the parameter server.
        self._global_step_on_worker = basics.cast(engine.identity(self._global_step) + 1, dtypes.float32)

    def _sparse(self, grad, var, indices, add, update):
        return self._apply_sparse_shared(grad, var, indices, add)

    def _finish(self, update_ops, name_scope):
        return group(*update_ops, name=name_scope)


@export("contrib.opt.LazyAdamGSOptimizer")
class LazyAdamGSOptimizer(_LazyRows, AdamGSOptimizer):
    """LazyAdamOptimizer by a global step."""
