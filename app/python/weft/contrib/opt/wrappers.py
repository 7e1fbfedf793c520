"""Optimizers around another optimizer: moving averages, clipped variables, several tasks, stale gradients."""

import contextlib
import types

from ... import basics, dtypes, engine, ops
from ...control_flow import cond, group, no_op
from ...exports import export
from ...initializers import zeros_initializer
from ...ops import IndexedSlices, Tensor
from ...platform import tf_logging as logging
from ...summaries import ops as summary
from ...training.global_step import get_global_step
from ...training.moving_averages import ExponentialMovingAverage
from ...training.optimizer import Optimizer
from ...training.saveables import by_name as variables_by_name
from ...training.saver import Saver
from ...variable_scope import get_variable
from ...variables import global_variables


@export("contrib.opt.MovingAverageOptimizer")
class MovingAverageOptimizer(Optimizer):
    """Keeps moving averages of the variables that `opt` trains; swapping_saver() saves them under the variables' names."""

    def __init__(self, opt, average_decay=0.9999, num_updates=None, sequential_update=True):
        self._optimizer = opt
        self._ema = ExponentialMovingAverage(average_decay, num_updates=num_updates)
        self._swapped_variable_name_map = None
        self._sequential_update = sequential_update

    def compute_gradients(self, *args, **kwargs):
        return self._optimizer.compute_gradients(*args, **kwargs)

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        """Updates the variables, then their averages; at the same time if not `sequential_update`."""
        trained = self._optimizer.apply_gradients(grads_and_vars, global_step=global_step, name=name)
        variables = [v for g, v in grads_and_vars if g is not None]
        with ops.control_dependencies([trained] if self._sequential_update else []):
            averaged = self._ema.apply(variables)
        self._swapped_variable_name_map = {}
        for v in variables:
            average = self._ema.average(v).op.name
            self._swapped_variable_name_map[v.op.name] = average
            self._swapped_variable_name_map[average] = v.op.name
        return group(trained, averaged, name="train_with_avg")

    def _find_swapped_variable(self, by_name, name, variable):
        other = self._swapped_variable_name_map.get(name)
        if other is None:
            return variable
        if other not in by_name:
            raise ValueError("Variable to swap %s is not part of variables to save. This breaks MovingAverageOptimizer." % other)
        return by_name[other]

    def swapping_saver(self, var_list=None, name="swapping_saver", **kwargs):
        """A Saver of `var_list`, by default of all variables so far, which writes averages under the names of their variables and the variables under those of the averages."""
        if self._swapped_variable_name_map is None:
            raise RuntimeError("Must call apply_gradients or minimize before creating the swapping_saver")
        if var_list is None:
            var_list = global_variables()
        if not isinstance(var_list, dict):
            var_list = variables_by_name(var_list)
        by_name = {}
        for key, value in var_list.items():
            by_name.update({part.op.name: part for part in value} if hasattr(value, "__iter__") and not isinstance(value, Tensor) else {key: value})
        swapped = {}
        for key, value in var_list.items():
            if isinstance(value, list):
                swapped[key] = [self._find_swapped_variable(by_name, part.op.name, part) for part in value]
            else:
                swapped[key] = self._find_swapped_variable(by_name, key, value)
        return Saver(swapped, name=name, **kwargs)


class _Delegating(Optimizer):
    """An optimizer whose gradients and slots are those of `opt`."""

    def __init__(self, opt, use_locking, name):
        super().__init__(use_locking, name)
        self._opt = opt

    def compute_gradients(self, *args, **kwargs):
        return self._opt.compute_gradients(*args, **kwargs)

    def get_slot(self, *args, **kwargs):
        return self._opt.get_slot(*args, **kwargs)

    def get_slot_names(self, *args, **kwargs):
        return self._opt.get_slot_names(*args, **kwargs)


@export("contrib.opt.VariableClippingOptimizer")
class VariableClippingOptimizer(_Delegating):
    """After `opt` has applied gradients, the L2 norms of variables are clipped along given dimensions."""

    def __init__(self, opt, vars_to_clip_dims, max_norm, use_locking=False, colocate_clip_ops_with_vars=False, name="VariableClipping"):
        super().__init__(opt, use_locking, name)
        self._vars_to_clip_dims = {var: dims[:] for var, dims in vars_to_clip_dims.items()}
        self._max_norm = max_norm
        self._colocate_clip_ops_with_vars = colocate_clip_ops_with_vars

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        with ops.name_scope(name, self._name) as name:
            updated = self._opt.apply_gradients(grads_and_vars, global_step=global_step)
            clipped = []
            with ops.control_dependencies([updated]):
                for grad, var in grads_and_vars:
                    if grad is not None and var in self._vars_to_clip_dims:
                        with ops.name_scope("clip_" + var.op.name):
                            clipped.append(self._clip_dense(var) if isinstance(grad, Tensor) else self._clip_sparse(grad, var))
            return group(*[updated] + clipped, name=name)

    def _clip_dense(self, var):
        with self._maybe_colocate_with(var):
            value = var.read_value()
            excess = value - engine.clip_by_norm(value, self._max_norm, self._vars_to_clip_dims[var])
        with ops.colocate_with(var):
            return var.assign_sub(excess, use_locking=self._use_locking)

    def _clip_sparse(self, grad, var):
        dims = self._vars_to_clip_dims[var]
        if 0 in dims:
            logging.warning("Clipping norm across dims %s for %s is inefficient when including sparse dimension 0.", dims, var.op.name)
            return self._clip_dense(var)
        with ops.colocate_with(var):
            rows = engine.gather(var, grad.indices)
        with self._maybe_colocate_with(var):
            excess = IndexedSlices(rows - engine.clip_by_norm(rows, self._max_norm, dims), grad.indices, grad.dense_shape)
        with ops.colocate_with(var):
            return var.scatter_sub(excess, use_locking=self._use_locking)

    def _maybe_colocate_with(self, var):
        return ops.colocate_with(var) if self._colocate_clip_ops_with_vars else contextlib.nullcontext()


def _is_all_zeros(grad):
    return engine.equal(engine.count_nonzero(grad), 0)


def _unless_zero(apply, optimizer):
    def applied(self, grad, *args, **kwargs):
        def call():
            with ops.control_dependencies([apply(grad, *args, **kwargs)]):
                return no_op()

        return cond(_is_all_zeros(grad), no_op, call)

    return types.MethodType(applied, optimizer)


@export("contrib.opt.MultitaskOptimizerWrapper")
class MultitaskOptimizerWrapper:
    """Makes an optimizer leave variables and slots as they are where a gradient is all zeros: the loss of a task that is absent from a batch.

    Clip with clip_gradients_by_global_norm()."""

    def __init__(self, opt):
        if not isinstance(opt, Optimizer):
            raise TypeError("Supplied optimizer must be an instance of tf.train.Optimizer")
        self._opt = opt
        for name in ("_apply_dense", "_resource_apply_dense", "_apply_sparse", "_resource_apply_sparse"):
            setattr(opt, name, _unless_zero(getattr(opt, name), opt))

    def __getattr__(self, name):
        return getattr(self._opt, name)


@export("contrib.opt.clip_gradients_by_global_norm")
def clip_gradients_by_global_norm(gradients_variables, clip_norm=20.0):
    """([(clipped gradient, variable)], global norm of the gradients that are not all zeros)"""
    gradients, variables = zip(*gradients_variables)

    def counted(grad):
        return grad if grad is None else cond(_is_all_zeros(grad), lambda: engine.zeros([], dtype=dtypes.as_dtype(grad.dtype)), lambda: grad)

    norm = engine.global_norm([counted(g) for g in gradients])
    clipped, _ = engine.clip_by_global_norm(list(gradients), clip_norm, use_norm=norm)
    return list(zip(clipped, variables)), norm


@export("contrib.opt.DropStaleGradientOptimizer")
class DropStaleGradientOptimizer(_Delegating):
    """Drops gradients when the global step advanced by more than `staleness` since they were begun."""

    def __init__(self, opt, staleness, use_locking=False, name="DropStaleGradient"):
        super().__init__(opt, use_locking, name)
        self._staleness = staleness

    def compute_gradients(self, loss, *args, **kwargs):
        with ops.colocate_with(loss):
            self._local_step = get_global_step() + 0
        with ops.control_dependencies([self._local_step]):
            return self._opt.compute_gradients(engine.identity(loss), *args, **kwargs)

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        """Applies the gradients or drops them; returns the number of dropped ones so far."""
        with ops.colocate_with(global_step):
            dropped = get_variable("stale_counter", [], initializer=zeros_initializer(), trainable=False)

        def accept():
            with ops.control_dependencies([self._opt.apply_gradients(grads_and_vars, global_step=global_step, name=name)]):
                return engine.identity(0.0)

        gradients = [g if isinstance(g, Tensor) else g.op for g, _ in grads_and_vars if g is not None]
        with ops.control_dependencies(gradients), ops.colocate_with(global_step):
            staleness = engine.reshape(global_step - self._local_step, shape=())
        updated = dropped.assign_add(cond(engine.less_equal(staleness, self._staleness), accept, lambda: engine.identity(1.0)))
        summary.scalar("Gradient staleness percentage", dropped / basics.cast(global_step + 1, dtypes.float32))
        return updated
