"""Decoupled weight decay (Loshchilov and Hutter 2017): before each update, variables shrink by a factor that the gradient does not see."""

from ... import engine, ops
from ...control_flow import no_op
from ...exports import export
from ...training.optimizer import Optimizer
from ...training.optimizers import AdamOptimizer, MomentumOptimizer
from ...variables import scatter_add
from .shampoo import ShampooOptimizer


@export("contrib.opt.DecoupledWeightDecayExtension")
class DecoupledWeightDecayExtension:
    """The first base class of an optimizer with weight decay; the second is the optimizer. The decay is a number, a tensor, or a function that returns one."""

    def __init__(self, weight_decay, **kwargs):
        self._decay_var_list = None
        self._weight_decay = weight_decay
        self._weight_decay_tensor = None
        super().__init__(**kwargs)

    def minimize(self, loss, global_step=None, var_list=None, gate_gradients=Optimizer.GATE_OP, aggregation_method=None, colocate_gradients_with_ops=False,
                 name=None, grad_loss=None, decay_var_list=None):
        """As Optimizer.minimize(). Variables in `decay_var_list` decay; without it all do."""
        self._decay_var_list = set(decay_var_list) if decay_var_list else False
        return super().minimize(loss, global_step=global_step, var_list=var_list, gate_gradients=gate_gradients, aggregation_method=aggregation_method,
                                colocate_gradients_with_ops=colocate_gradients_with_ops, name=name, grad_loss=grad_loss)

    def apply_gradients(self, grads_and_vars, global_step=None, name=None, decay_var_list=None):
        """As Optimizer.apply_gradients(). Variables in `decay_var_list` decay; without it all do."""
        self._decay_var_list = set(decay_var_list) if decay_var_list else False
        return super().apply_gradients(grads_and_vars, global_step=global_step, name=name)

    def _prepare(self):
        decay = self._weight_decay() if callable(self._weight_decay) else self._weight_decay
        self._weight_decay_tensor = ops.convert_to_tensor(decay, name="weight_decay")
        super()._prepare()

    def _decays(self, var):
        return not self._decay_var_list or var in self._decay_var_list

    def _decay_weights_op(self, var):
        return var.assign_sub(self._weight_decay * var, self._use_locking) if self._decays(var) else no_op()

    def _decay_weights_sparse_op(self, var, indices, scatter_add):
        if not self._decays(var):
            return no_op()
        return scatter_add(var, indices, -self._weight_decay * engine.gather(var, indices), self._use_locking)

    def _apply_dense(self, grad, var):
        with ops.control_dependencies([self._decay_weights_op(var)]):
            return super()._apply_dense(grad, var)

    def _resource_apply_dense(self, grad, var):
        with ops.control_dependencies([self._decay_weights_op(var)]):
            return super()._resource_apply_dense(grad, var)

    def _apply_sparse(self, grad, var):
        with ops.control_dependencies([self._decay_weights_sparse_op(var, grad.indices, scatter_add)]):
            return super()._apply_sparse(grad, var)

    def _resource_scatter_add(self, x, i, v, _=None):
        with ops.control_dependencies([engine.raw_ops.ResourceScatterAdd(resource=x.handle, indices=i, updates=v)]):
            return x.value()

    def _resource_apply_sparse(self, grad, var, indices):
        with ops.control_dependencies([self._decay_weights_sparse_op(var, indices, self._resource_scatter_add)]):
            return super()._resource_apply_sparse(grad, var, indices)


@export("contrib.opt.extend_with_decoupled_weight_decay")
def extend_with_decoupled_weight_decay(base_optimizer):
    """A subclass of an optimizer's class whose first parameter is the weight decay."""
    class OptimizerWithDecoupledWeightDecay(DecoupledWeightDecayExtension, base_optimizer):
        """An optimizer with decoupled weight decay."""

        def __init__(self, weight_decay, *args, **kwargs):
            super().__init__(weight_decay, *args, **kwargs)

    return OptimizerWithDecoupledWeightDecay


@export("contrib.opt.MomentumWOptimizer")
class MomentumWOptimizer(DecoupledWeightDecayExtension, MomentumOptimizer):
    """MomentumOptimizer with decoupled weight decay."""

    def __init__(self, weight_decay, learning_rate, momentum, use_locking=False, name="MomentumW", use_nesterov=False):
        super().__init__(weight_decay, learning_rate=learning_rate, momentum=momentum, use_locking=use_locking, name=name, use_nesterov=use_nesterov)


@export("contrib.opt.AdamWOptimizer")
class AdamWOptimizer(DecoupledWeightDecayExtension, AdamOptimizer):
    """AdamOptimizer with decoupled weight decay."""

    def __init__(self, weight_decay, learning_rate=0.001, beta1=0.9, beta2=0.999, epsilon=1e-8, use_locking=False, name="AdamW"):
        super().__init__(weight_decay, learning_rate=learning_rate, beta1=beta1, beta2=beta2, epsilon=epsilon, use_locking=use_locking, name=name)


@export("contrib.opt.ShampooWOptimizer")
class ShampooWOptimizer(DecoupledWeightDecayExtension, ShampooOptimizer):
    """ShampooOptimizer with decoupled weight decay.

    As in TensorFlow, `mat_gbar_weight` is the decay of the matrices, and `mat_gbar_decay` is not used."""

    def __init__(self, weight_decay, global_step, max_matrix_size=768, gbar_decay=0.0, gbar_weight=1.0, mat_gbar_decay=1.0, mat_gbar_weight=1.0, learning_rate=1.0,
                 svd_interval=1, precond_update_interval=1, epsilon=1e-4, alpha=0.5, use_iterative_root=False, use_locking=False, name="ShampooW"):
        super().__init__(weight_decay, global_step=global_step, max_matrix_size=max_matrix_size, gbar_decay=gbar_decay, gbar_weight=gbar_weight,
                         mat_gbar_decay=mat_gbar_weight, learning_rate=learning_rate, svd_interval=svd_interval, precond_update_interval=precond_update_interval,
                         epsilon=epsilon, alpha=alpha, use_iterative_root=use_iterative_root, use_locking=use_locking, name=name)
