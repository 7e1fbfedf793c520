"""The optimizers of tf.train, each described by its op: the slots and hyperparameters that are its inputs, in the op's order."""

from .. import basics, engine, initializers, ops
from ..control_flow import group
from ..exports import export
from ..variables import assign, assign_sub, scatter_add
from .optimizer import Optimizer


_SHORT = {("_%s_t", "learning_rate"): "lr"}  # where TensorFlow names the attribute otherwise


class _OneOp:
    """The methods of an optimizer whose update is one op in four forms (Apply…, SparseApply… and both with Resource in front)."""

    _op = ""          # the op's name without its prefixes
    _slot_inputs = ()  # (input of the op, name of the slot)
    _inputs = ()       # (input of the op, attribute that holds the tensor), in the order of the op
    _cast = True       # whether hyperparameters are cast to the variable's type
    _gradient = "grad"
    _attribute = "_%s_tensor"  # the attribute that holds the tensor of a hyperparameter; programs' own subclasses read and set it

    def _set(self, **hyperparameters):
        # name of the Const -> value; tensors are made by _prepare()
        self._hyper = hyperparameters
        for name in hyperparameters:
            self._set_tensor(name, None)

    def _set_tensor(self, name, tensor):
        setattr(self, self._attribute % _SHORT.get((self._attribute, name), name), tensor)

    def _tensor(self, name):
        return getattr(self, self._attribute % _SHORT.get((self._attribute, name), name))

    def _prepare(self):
        for name, value in self._hyper.items():
            self._set_tensor(name, ops.convert_to_tensor(self._call_if_callable(value), name=name))

    def _attrs(self):
        return {"use_locking": self._use_locking}

    def _name_of_op(self):
        return self._op

    def _arguments(self, var, dtype, resource, cast=None):
        args = {name: self.get_slot(var, slot) for name, slot in self._slot_inputs}
        if resource:
            args = {name: slot.handle for name, slot in args.items()}
        for name, tensor in self._inputs:
            value = self._tensor(tensor)
            args[name] = basics.cast(value, dtype) if (self._cast if cast is None else cast) else value
        return args

    def _apply(self, prefix, var, target, dtype, more, resource=False, cast=None):
        op = getattr(engine.raw_ops, prefix + self._name_of_op())
        args = self._arguments(var, dtype, resource, cast)
        args.update(more)
        args.update(self._attrs())
        return op(var=target, **args)

    def _apply_dense(self, grad, var):
        return self._apply("Apply", var, var, var.dtype.base_dtype, {self._gradient: grad}).op

    def _resource_apply_dense(self, grad, var):
        return self._apply("ResourceApply", var, var.handle, grad.dtype.base_dtype, {self._gradient: grad}, resource=True)

    def _apply_sparse(self, grad, var):
        return self._apply("SparseApply", var, var, var.dtype.base_dtype, {"grad": grad.values, "indices": grad.indices}).op

    def _resource_apply_sparse(self, grad, var, indices):
        return self._apply("ResourceSparseApply", var, var.handle, grad.dtype, {"grad": grad, "indices": indices}, resource=True, cast=True)


def one_op(optimizer):
    """Decorator: gives the class the methods of _OneOp that it does not define. Its direct base stays Optimizer, as in TensorFlow, which libraries check."""
    for name, what in vars(_OneOp).items():
        if not name.startswith("__") and name not in vars(optimizer):
            setattr(optimizer, name, what)
    return optimizer


@export("train.GradientDescentOptimizer")
@one_op
class GradientDescentOptimizer(Optimizer):
    """var -= learning_rate * gradient"""

    _op, _inputs, _gradient = "GradientDescent", (("alpha", "learning_rate"),), "delta"

    def __init__(self, learning_rate, use_locking=False, name="GradientDescent"):
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._set(learning_rate=learning_rate)

    def _resource_apply_sparse_duplicate_indices(self, grad, handle, indices):
        return engine.raw_ops.ResourceScatterAdd(resource=handle.handle, indices=indices, updates=-grad * self._learning_rate)

    def _apply_sparse_duplicate_indices(self, grad, var):
        step = grad.values * basics.cast(self._tensor("learning_rate"), var.dtype.base_dtype)
        return engine.raw_ops.ScatterSub(ref=var, indices=grad.indices, updates=step, use_locking=self._use_locking)


@export("train.MomentumOptimizer")
@one_op
class MomentumOptimizer(Optimizer):
    """accumulation = momentum * accumulation + gradient; var -= learning_rate * accumulation"""

    _op, _slot_inputs, _inputs = "Momentum", (("accum", "momentum"),), (("lr", "learning_rate"), ("momentum", "momentum"))

    def __init__(self, learning_rate, momentum, use_locking=False, name="Momentum", use_nesterov=False):
        super().__init__(use_locking, name)
        self._learning_rate, self._momentum, self._use_nesterov = learning_rate, momentum, use_nesterov
        self._set(learning_rate=learning_rate, momentum=momentum)

    def _create_slots(self, var_list):
        for v in var_list:
            self._zeros_slot(v, "momentum", self._name)

    def _attrs(self):
        return {"use_locking": self._use_locking, "use_nesterov": self._use_nesterov}


@export("train.AdamOptimizer")
@one_op
class AdamOptimizer(Optimizer):
    """Steps by the ratio of the decaying mean of the gradient to the root of that of its square."""

    _op, _slot_inputs, _attribute = "Adam", (("m", "m"), ("v", "v")), "_%s_t"

    def __init__(self, learning_rate=0.001, beta1=0.9, beta2=0.999, epsilon=1e-8, use_locking=False, name="Adam"):
        super().__init__(use_locking, name)
        self._lr, self._beta1, self._beta2, self._epsilon = learning_rate, beta1, beta2, epsilon
        self._set(learning_rate=learning_rate, beta1=beta1, beta2=beta2, epsilon=epsilon)

    def _get_beta_accumulators(self):
        graph = ops.get_default_graph()
        return self._get_non_slot_variable("beta1_power", graph=graph), self._get_non_slot_variable("beta2_power", graph=graph)

    def _create_slots(self, var_list):
        first = min(var_list, key=lambda v: v.name)
        self._create_non_slot_variable(initial_value=self._beta1, name="beta1_power", colocate_with=first)
        self._create_non_slot_variable(initial_value=self._beta2, name="beta2_power", colocate_with=first)
        for v in var_list:
            self._zeros_slot(v, "m", self._name)
            self._zeros_slot(v, "v", self._name)

    def _arguments(self, var, dtype, resource, cast=None):
        args = _OneOp._arguments(self, var, dtype, resource)
        power1, power2 = self._get_beta_accumulators()
        args["beta1_power"], args["beta2_power"] = basics.cast(power1, dtype), basics.cast(power2, dtype)
        for name, key in (("lr", "learning_rate"), ("beta1", "beta1"), ("beta2", "beta2"), ("epsilon", "epsilon")):
            args[name] = basics.cast(self._tensor(key), dtype)
        return args

    def _apply_sparse_shared(self, grad, var, indices, scatter_add):
        power1, power2 = self._get_beta_accumulators()
        dtype = var.dtype.base_dtype
        power1, power2 = basics.cast(power1, dtype), basics.cast(power2, dtype)
        rate, beta1, beta2, epsilon = (basics.cast(self._tensor(k), dtype) for k in ("learning_rate", "beta1", "beta2", "epsilon"))
        rate = rate * engine.sqrt(1 - power2) / (1 - power1)
        # All rows of the moments decay; only the rows with gradients get an increment.
        moments = []
        for slot, decay, square in (("m", beta1, False), ("v", beta2, True)):
            mean = self.get_slot(var, slot)
            part = (grad * grad) * (1 - decay) if square else grad * (1 - decay)
            decayed = assign(mean, mean * decay, use_locking=self._use_locking)
            with ops.control_dependencies([decayed]):
                moments.append(scatter_add(mean, indices, part))
        m, v = moments
        root = engine.sqrt(v)
        update = assign_sub(var, rate * m / (root + epsilon), use_locking=self._use_locking)
        return group(update, m, v)

    def _apply_sparse(self, grad, var):
        return self._apply_sparse_shared(grad.values, var, grad.indices, lambda x, i, v: scatter_add(x, i, v, use_locking=self._use_locking))

    def _resource_scatter_add(self, x, i, v):
        with ops.control_dependencies([engine.raw_ops.ResourceScatterAdd(resource=x.handle, indices=i, updates=v)]):
            return x.value()

    def _resource_apply_sparse(self, grad, var, indices):
        return self._apply_sparse_shared(grad, var, indices, self._resource_scatter_add)

    def _finish(self, update_ops, name_scope):
        with ops.control_dependencies(update_ops):
            power1, power2 = self._get_beta_accumulators()
            with ops.colocate_with(power1):
                powers = [power1.assign(power1 * self._tensor("beta1"), use_locking=self._use_locking),
                          power2.assign(power2 * self._tensor("beta2"), use_locking=self._use_locking)]
        return group(*update_ops + powers, name=name_scope)


@export("train.AdagradOptimizer")
@one_op
class AdagradOptimizer(Optimizer):
    """Each step is divided by the root of the sum of all squared gradients so far."""

    _op, _slot_inputs, _inputs = "Adagrad", (("accum", "accumulator"),), (("lr", "learning_rate"),)

    def __init__(self, learning_rate, initial_accumulator_value=0.1, use_locking=False, name="Adagrad"):
        if initial_accumulator_value <= 0.0:
            raise ValueError("initial_accumulator_value must be positive: %s" % initial_accumulator_value)
        super().__init__(use_locking, name)
        self._learning_rate, self._initial_accumulator_value = learning_rate, initial_accumulator_value
        self._set(learning_rate=learning_rate)

    def _create_slots(self, var_list):
        for v in var_list:
            dtype = v.dtype.base_dtype
            if v.get_shape().is_fully_defined():
                init = initializers.constant_initializer(self._initial_accumulator_value, dtype=dtype)
            else:
                def init(v=v, dtype=dtype):
                    return basics.cast(engine.fill(basics.shape(v), self._initial_accumulator_value), dtype)
            self._get_or_make_slot_with_initializer(v, init, v.get_shape(), dtype, "accumulator", self._name)


@export("train.AdadeltaOptimizer")
@one_op
class AdadeltaOptimizer(Optimizer):
    """Steps scaled by decaying means of squared gradients and squared steps."""

    _op, _slot_inputs, _attribute = "Adadelta", (("accum", "accum"), ("accum_update", "accum_update")), "_%s_t"
    _inputs = (("lr", "lr"), ("rho", "rho"), ("epsilon", "epsilon"))

    def __init__(self, learning_rate=0.001, rho=0.95, epsilon=1e-8, use_locking=False, name="Adadelta"):
        super().__init__(use_locking, name)
        self._lr, self._rho, self._epsilon = learning_rate, rho, epsilon
        self._set(lr=learning_rate, rho=rho, epsilon=epsilon)

    def _create_slots(self, var_list):
        for v in var_list:
            self._zeros_slot(v, "accum", self._name)
            self._zeros_slot(v, "accum_update", self._name)


@export("train.RMSPropOptimizer")
@one_op
class RMSPropOptimizer(Optimizer):
    """Steps divided by the root of the decaying mean of squared gradients."""

    _inputs = (("lr", "learning_rate"), ("rho", "decay"), ("momentum", "momentum"), ("epsilon", "epsilon"))

    def __init__(self, learning_rate, decay=0.9, momentum=0.0, epsilon=1e-10, use_locking=False, centered=False, name="RMSProp"):
        super().__init__(use_locking, name)
        self._learning_rate, self._decay, self._momentum, self._epsilon, self._centered = learning_rate, decay, momentum, epsilon, centered
        self._op = "CenteredRMSProp" if centered else "RMSProp"
        self._slot_inputs = ((("mg", "mg"),) if centered else ()) + (("ms", "rms"), ("mom", "momentum"))
        self._set(learning_rate=learning_rate, decay=decay, momentum=momentum, epsilon=epsilon)

    def _create_slots(self, var_list):
        for v in var_list:
            dtype = v.dtype.base_dtype
            init = initializers.ones_initializer(dtype=dtype) if v.get_shape().is_fully_defined() else engine.ones_like(v)
            self._get_or_make_slot_with_initializer(v, init, v.get_shape(), dtype, "rms", self._name)
            if self._centered:
                self._zeros_slot(v, "mg", self._name)
            self._zeros_slot(v, "momentum", self._name)


@export("train.FtrlOptimizer")
@one_op
class FtrlOptimizer(Optimizer):
    """Follow the regularized leader."""

    _slot_inputs = (("accum", "accum"), ("linear", "linear"))

    def __init__(self, learning_rate, learning_rate_power=-0.5, initial_accumulator_value=0.1, l1_regularization_strength=0.0,
                 l2_regularization_strength=0.0, use_locking=False, name="Ftrl", accum_name=None, linear_name=None,
                 l2_shrinkage_regularization_strength=0.0):
        super().__init__(use_locking, name)
        for what, value in (("initial_accumulator_value", initial_accumulator_value), ("l1_regularization_strength", l1_regularization_strength),
                            ("l2_regularization_strength", l2_regularization_strength),
                            ("l2_shrinkage_regularization_strength", l2_shrinkage_regularization_strength)):
            if value < 0.0:
                raise ValueError("%s %f needs to be positive or zero" % (what, value))
        if learning_rate_power > 0.0:
            raise ValueError("learning_rate_power %f needs to be negative or zero" % learning_rate_power)
        self._learning_rate, self._initial = learning_rate, initial_accumulator_value
        self._accum_name, self._linear_name = accum_name, linear_name
        shrinks = l2_shrinkage_regularization_strength > 0.0
        self._op = "FtrlV2" if shrinks else "Ftrl"
        self._inputs = (("lr", "learning_rate"), ("l1", "l1_regularization_strength"), ("l2", "l2_regularization_strength"))
        self._inputs += (("l2_shrinkage", "l2_shrinkage_regularization_strength"),) if shrinks else ()
        self._inputs += (("lr_power", "learning_rate_power"),)
        self._set(learning_rate=learning_rate, l1_regularization_strength=l1_regularization_strength,
                  l2_regularization_strength=l2_regularization_strength,
                  l2_shrinkage_regularization_strength=l2_shrinkage_regularization_strength, learning_rate_power=learning_rate_power)

    def _create_slots(self, var_list):
        for v in var_list:
            with ops.colocate_with(v):
                value = ops.constant(self._initial, dtype=v.dtype.base_dtype, shape=v.get_shape())
                self._get_or_make_slot(v, value, "accum", self._accum_name or self._name)
                self._zeros_slot(v, "linear", self._linear_name or self._name)


@export("train.ProximalGradientDescentOptimizer")
@one_op
class ProximalGradientDescentOptimizer(Optimizer):
    """Gradient descent followed by L1 and L2 shrinkage."""

    _op, _gradient, _cast = "ProximalGradientDescent", "delta", False
    _inputs = (("alpha", "learning_rate"), ("l1", "l1_regularization_strength"), ("l2", "l2_regularization_strength"))

    def __init__(self, learning_rate, l1_regularization_strength=0.0, l2_regularization_strength=0.0, use_locking=False,
                 name="ProximalGradientDescent"):
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._set(learning_rate=learning_rate, l1_regularization_strength=l1_regularization_strength,
                  l2_regularization_strength=l2_regularization_strength)


@export("train.ProximalAdagradOptimizer")
@one_op
class ProximalAdagradOptimizer(Optimizer):
    """Adagrad followed by L1 and L2 shrinkage."""

    _op, _slot_inputs, _cast = "ProximalAdagrad", (("accum", "accumulator"),), False
    _inputs = (("lr", "learning_rate"), ("l1", "l1_regularization_strength"), ("l2", "l2_regularization_strength"))

    def __init__(self, learning_rate, initial_accumulator_value=0.1, l1_regularization_strength=0.0, l2_regularization_strength=0.0,
                 use_locking=False, name="ProximalAdagrad"):
        if initial_accumulator_value <= 0.0:
            raise ValueError("initial_accumulator_value must be positive: %s" % initial_accumulator_value)
        super().__init__(use_locking, name)
        self._learning_rate, self._initial = learning_rate, initial_accumulator_value
        self._set(learning_rate=learning_rate, l1_regularization_strength=l1_regularization_strength,
                  l2_regularization_strength=l2_regularization_strength)

    def _create_slots(self, var_list):
        for v in var_list:
            with ops.colocate_with(v):
                value = ops.constant(self._initial, shape=v.get_shape(), dtype=v.dtype.base_dtype)
            self._get_or_make_slot(v, value, "accumulator", self._name)


@export("train.AdagradDAOptimizer")
@one_op
class AdagradDAOptimizer(Optimizer):
    """Adagrad with dual averaging, for sparse linear models."""

    _op = "AdagradDA"
    _slot_inputs = (("gradient_accumulator", "gradient_accumulator"), ("gradient_squared_accumulator", "gradient_squared_accumulator"))

    def __init__(self, learning_rate, global_step, initial_gradient_squared_accumulator_value=0.1, l1_regularization_strength=0.0,
                 l2_regularization_strength=0.0, use_locking=False, name="AdagradDA"):
        if initial_gradient_squared_accumulator_value <= 0.0:
            raise ValueError("initial_gradient_squared_accumulator_value must be positive: %s" % initial_gradient_squared_accumulator_value)
        super().__init__(use_locking, name)
        self._learning_rate, self._initial, self._global_step = learning_rate, initial_gradient_squared_accumulator_value, global_step
        self._l1, self._l2 = l1_regularization_strength, l2_regularization_strength
        self._set(learning_rate=learning_rate)

    def _create_slots(self, var_list):
        for v in var_list:
            with ops.colocate_with(v):
                sums = [ops.constant(x, shape=v.get_shape(), dtype=v.dtype.base_dtype) for x in (0.0, self._initial)]
            self._get_or_make_slot(v, sums[0], "gradient_accumulator", self._name)
            self._get_or_make_slot(v, sums[1], "gradient_squared_accumulator", self._name)

    def _prepare(self):
        _OneOp._prepare(self)
        with ops.colocate_with(self._tensor("learning_rate")):
            self._step_here = engine.identity(self._global_step) + 1

    def _arguments(self, var, dtype, resource, cast=None):
        args = _OneOp._arguments(self, var, dtype, resource)
        with ops.device(var.device):
            args["global_step"] = engine.identity(self._step_here)
        args["lr"] = basics.cast(self._tensor("learning_rate"), dtype)
        args["l1"], args["l2"] = basics.cast(self._l1, dtype), basics.cast(self._l2, dtype)
        return args
