"""tf.keras.optimizers."""

from .. import basics, dtypes, engine, initializers, ops
from ..control_flow import group
from ..exports import export
from ..op_calls import raw
from ..ops import Tensor
from ..training.decays import LearningRateSchedule
from ..variables import assign, assign_sub, global_variables
from . import backend
from .optimizer_base import Optimizer

CLASSES = {}


def _optimizer(cls):
    CLASSES[cls.__name__.lower()] = cls
    return export("keras.optimizers." + cls.__name__)(cls)


class _WithRate(Optimizer):
    """An optimizer with a learning rate and hyperparameters (_hyper_names); _facts are further attributes for its configuration."""

    _hyper_names, _facts = (), ()

    def _set(self, learning_rate, kwargs, **hyper):
        self._given.update(learning_rate=kwargs.get("lr", learning_rate), **hyper)

    def get_config(self):
        config = super().get_config()
        config.update((n, self._serialize_hyperparameter(n)) for n in ("learning_rate", "decay") + self._hyper_names)
        config.update((n, getattr(self, n)) for n in self._facts)
        return config


def _momentum_given(momentum):
    return isinstance(momentum, Tensor) or callable(momentum) or momentum > 0


@_optimizer
class SGD(_WithRate):
    """Gradient descent, optionally with momentum."""

    _hyper_names, _facts = ("momentum",), ("nesterov",)

    def __init__(self, learning_rate=0.01, momentum=0.0, nesterov=False, name="SGD", **kwargs):
        super().__init__(name, **kwargs)
        self._momentum = _momentum_given(momentum)
        if isinstance(momentum, (int, float)) and (momentum < 0 or momentum > 1):
            raise ValueError("`momentum` must be between [0, 1].")
        self._set(learning_rate, kwargs, momentum=momentum)
        self.nesterov = nesterov

    def _create_slots(self, var_list):
        if self._momentum:
            for v in var_list:
                self.add_slot(v, "momentum")

    def _prepare_local(self, var_device, var_dtype, apply_state):
        super()._prepare_local(var_device, var_dtype, apply_state)
        apply_state[var_device, var_dtype]["momentum"] = engine.identity(self._get_hyper("momentum", var_dtype))

    def _resource_apply_dense(self, grad, var, apply_state=None):
        c = self._coefficients(var, apply_state)
        if self._momentum:
            return raw("ResourceApplyKerasMomentum")(var.handle, self.get_slot(var, "momentum").handle, c["lr_t"], grad, c["momentum"], use_locking=self._use_locking,
                                                     use_nesterov=self.nesterov)
        return raw("ResourceApplyGradientDescent")(var.handle, c["lr_t"], grad, use_locking=self._use_locking)

    def _resource_apply_sparse_duplicate_indices(self, grad, var, indices, **kwargs):
        if self._momentum:
            return super()._resource_apply_sparse_duplicate_indices(grad, var, indices, **kwargs)
        return raw("ResourceScatterAdd")(var.handle, indices, -grad * self._coefficients(var, kwargs.get("apply_state"))["lr_t"])

    def _resource_apply_sparse(self, grad, var, indices, apply_state=None):
        c = self._coefficients(var, apply_state)
        return raw("ResourceSparseApplyKerasMomentum")(var.handle, self.get_slot(var, "momentum").handle, c["lr_t"], grad, indices, c["momentum"], use_locking=self._use_locking,
                                                       use_nesterov=self.nesterov)


@_optimizer
class RMSprop(_WithRate):
    """Divides gradients by the root of a moving mean of their squares."""

    _hyper_names, _facts = ("rho", "momentum"), ("epsilon", "centered")

    def __init__(self, learning_rate=0.001, rho=0.9, momentum=0.0, epsilon=1e-7, centered=False, name="RMSprop", **kwargs):
        super().__init__(name, **kwargs)
        self._momentum = _momentum_given(momentum)
        if isinstance(momentum, (int, float)) and (momentum < 0 or momentum > 1):
            raise ValueError("`momentum` must be between [0, 1].")
        self._set(learning_rate, kwargs, rho=rho, momentum=momentum)
        self.epsilon, self.centered = epsilon or backend.epsilon(), centered

    def _create_slots(self, var_list):
        for slot in ["rms"] + ["momentum"] * bool(self._momentum) + ["mg"] * bool(self.centered):
            for v in var_list:
                self.add_slot(v, slot)

    def _prepare_local(self, var_device, var_dtype, apply_state):
        super()._prepare_local(var_device, var_dtype, apply_state)
        c = apply_state[var_device, var_dtype]
        c["rho"] = engine.identity(self._get_hyper("rho", var_dtype))
        c["neg_lr_t"] = -c["lr_t"]
        c["epsilon"] = ops.convert_to_tensor(self.epsilon, var_dtype)
        c["momentum"] = engine.identity(self._get_hyper("momentum", var_dtype))
        c["one_minus_rho"] = 1. - c["rho"]

    def _joined(self, kind, var, c, *rest):
        """Updates with momentum in one op."""
        names = ["mg"] * bool(self.centered) + ["rms", "momentum"]
        op = raw(kind + ("CenteredRMSProp" if self.centered else "RMSProp"))
        return op(var.handle, *[self.get_slot(var, n).handle for n in names], c["lr_t"], c["rho"], c["momentum"], c["epsilon"], *rest, use_locking=self._use_locking)

    def _resource_apply_dense(self, grad, var, apply_state=None):
        c = self._coefficients(var, apply_state)
        if self._momentum:
            return self._joined("ResourceApply", var, c, grad)
        rms = self.get_slot(var, "rms")
        rms_t = c["rho"] * rms + c["one_minus_rho"] * engine.square(grad)
        denominator = rms_t = assign(rms, rms_t, use_locking=self._use_locking)
        if self.centered:
            mg = self.get_slot(var, "mg")
            mg_t = c["rho"] * mg + c["one_minus_rho"] * grad
            denominator = rms_t - engine.square(assign(mg, mg_t, use_locking=self._use_locking))
        return assign(var, var - c["lr_t"] * grad / (engine.sqrt(denominator) + c["epsilon"]), use_locking=self._use_locking).op

    def _resource_apply_sparse(self, grad, var, indices, apply_state=None):
        c = self._coefficients(var, apply_state)
        if self._momentum:
            return self._joined("ResourceSparseApply", var, c, grad, indices)
        means, rows = [], []
        for slot in ["rms"] + ["mg"] * bool(self.centered):
            mean = self.get_slot(var, slot)
            scaled = (grad * grad if slot == "rms" else grad) * c["one_minus_rho"]
            with ops.control_dependencies([assign(mean, mean * c["rho"], use_locking=self._use_locking)]):
                means.append(self._resource_scatter_add(mean, indices, scaled))
                rows.append(engine.gather(means[-1], indices))
                if slot == "mg":
                    rows = [rows[0] - engine.square(rows[1])]
        update = self._resource_scatter_add(var, indices, c["neg_lr_t"] * grad / (engine.sqrt(rows[0]) + c["epsilon"]))
        return group(update, *means)


@_optimizer
class Adagrad(_WithRate):
    """Divides gradients by the root of the sum of their squares."""

    _facts = ("initial_accumulator_value", "epsilon")

    def __init__(self, learning_rate=0.001, initial_accumulator_value=0.1, epsilon=1e-7, name="Adagrad", **kwargs):
        if initial_accumulator_value < 0.0:
            raise ValueError("initial_accumulator_value must be non-negative: %s" % initial_accumulator_value)
        super().__init__(name, **kwargs)
        self._set(learning_rate, kwargs)
        self.initial_accumulator_value, self.epsilon = initial_accumulator_value, epsilon or backend.epsilon()

    @classmethod
    def from_config(cls, config, custom_objects=None):
        # If the configuration lacks it (such as for a class name only), accumulators start at zero.
        return super().from_config(dict({"initial_accumulator_value": 0.}, **config))

    def _create_slots(self, var_list):
        for v in var_list:
            self.add_slot(v, "accumulator", initializers.constant_initializer(self.initial_accumulator_value, dtype=v.dtype.base_dtype))

    def _prepare_local(self, var_device, var_dtype, apply_state):
        super()._prepare_local(var_device, var_dtype, apply_state)
        c = apply_state[var_device, var_dtype]
        c["epsilon"] = ops.convert_to_tensor(self.epsilon, var_dtype)
        c["neg_lr_t"] = -c["lr_t"]
        c["zero"] = engine.zeros([], dtypes.int64)

    def _resource_apply_dense(self, grad, var, apply_state=None):
        c, sums = self._coefficients(var, apply_state), self.get_slot(var, "accumulator")
        return raw("ResourceApplyAdagradV2")(var.handle, sums.handle, c["lr_t"], c["epsilon"], grad, use_locking=self._use_locking)

    def _resource_apply_sparse(self, grad, var, indices, apply_state=None):
        c, sums = self._coefficients(var, apply_state), self.get_slot(var, "accumulator")
        return raw("ResourceSparseApplyAdagradV2")(var.handle, sums.handle, c["lr_t"], c["epsilon"], grad, indices, use_locking=self._use_locking)


@_optimizer
class Adadelta(_WithRate):
    """Scales steps by moving means of squared gradients and squared steps."""

    _hyper_names, _facts = ("rho",), ("epsilon",)

    def __init__(self, learning_rate=0.001, rho=0.95, epsilon=1e-7, name="Adadelta", **kwargs):
        super().__init__(name, **kwargs)
        self._set(learning_rate, kwargs, rho=rho)
        self.epsilon = epsilon or backend.epsilon()

    def _create_slots(self, var_list):
        for slot in ("accum_grad", "accum_var"):
            for v in var_list:
                self.add_slot(v, slot)

    def _prepare_local(self, var_device, var_dtype, apply_state):
        super()._prepare_local(var_device, var_dtype, apply_state)
        c = apply_state[var_device, var_dtype]
        c["epsilon"] = ops.convert_to_tensor(self.epsilon, var_dtype)
        c["rho"] = engine.identity(self._get_hyper("rho", var_dtype))

    def _op(self, kind, var, apply_state, *rest):
        c = self._coefficients(var, apply_state)
        return raw(kind)(var.handle, self.get_slot(var, "accum_grad").handle, self.get_slot(var, "accum_var").handle, c["lr_t"], c["rho"], c["epsilon"], *rest,
                         use_locking=self._use_locking)

    def _resource_apply_dense(self, grad, var, apply_state=None):
        return self._op("ResourceApplyAdadelta", var, apply_state, grad)

    def _resource_apply_sparse(self, grad, var, indices, apply_state=None):
        return self._op("ResourceSparseApplyAdadelta", var, apply_state, grad, indices)


class _Moments(_WithRate):
    """Base of optimizers with two moments of the gradients."""

    _hyper_names, _facts = ("beta_1", "beta_2"), ("epsilon",)

    def __init__(self, learning_rate=0.001, beta_1=0.9, beta_2=0.999, epsilon=1e-7, name=None, **kwargs):
        super().__init__(name or type(self).__name__, **kwargs)
        self._set(learning_rate, kwargs, beta_1=beta_1, beta_2=beta_2)
        self.epsilon = epsilon or backend.epsilon()

    _slot_names = ("m", "v")

    def _create_slots(self, var_list):
        for slot in self._slot_names:
            for v in var_list:
                self.add_slot(v, slot)

    def _moved(self, var, slot, indices, addend, factor):
        """Decays all rows of a moment by `factor` and adds `addend` to some; returns the new value."""
        moment = self.get_slot(var, slot)
        with ops.control_dependencies([assign(moment, moment * factor, use_locking=self._use_locking)]):
            return self._resource_scatter_add(moment, indices, addend)


@_optimizer
class Adam(_Moments):
    """Adam."""

    _facts = ("epsilon", "amsgrad")

    def __init__(self, learning_rate=0.001, beta_1=0.9, beta_2=0.999, epsilon=1e-7, amsgrad=False, name="Adam", **kwargs):
        super().__init__(learning_rate, beta_1, beta_2, epsilon, name, **kwargs)
        self.amsgrad = amsgrad
        self._slot_names = ("m", "v", "vhat") if amsgrad else ("m", "v")

    def _prepare_local(self, var_device, var_dtype, apply_state):
        super()._prepare_local(var_device, var_dtype, apply_state)
        c = apply_state[var_device, var_dtype]
        step = basics.cast(self.iterations + 1, var_dtype)
        c["beta_1_t"], c["beta_2_t"] = (engine.identity(self._get_hyper(n, var_dtype)) for n in ("beta_1", "beta_2"))
        c["beta_1_power"], c["beta_2_power"] = (engine.pow(c[n], step) for n in ("beta_1_t", "beta_2_t"))
        c["lr"] = c["lr_t"] * (engine.sqrt(1 - c["beta_2_power"]) / (1 - c["beta_1_power"]))
        c["epsilon"] = ops.convert_to_tensor(self.epsilon, var_dtype)
        c["one_minus_beta_1_t"], c["one_minus_beta_2_t"] = (1 - c[n] for n in ("beta_1_t", "beta_2_t"))

    def set_weights(self, weights):
        # Weights of older optimizers contain a third moment of each variable, whether it is used or not.
        if len(weights) == 3 * ((len(self.weights) - 1) // 2) + 1:
            weights = weights[:len(self.weights)]
        super().set_weights(weights)

    def _resource_apply_dense(self, grad, var, apply_state=None):
        c = self._coefficients(var, apply_state)
        op = raw("ResourceApplyAdamWithAmsgrad" if self.amsgrad else "ResourceApplyAdam")
        return op(var.handle, *[self.get_slot(var, n).handle for n in self._slot_names], c["beta_1_power"], c["beta_2_power"], c["lr_t"], c["beta_1_t"], c["beta_2_t"], c["epsilon"], grad,
                  use_locking=self._use_locking)

    def _resource_apply_sparse(self, grad, var, indices, apply_state=None):
        c = self._coefficients(var, apply_state)
        m_t = self._moved(var, "m", indices, grad * c["one_minus_beta_1_t"], c["beta_1_t"])
        v_t = self._moved(var, "v", indices, (grad * grad) * c["one_minus_beta_2_t"], c["beta_2_t"])
        if not self.amsgrad:
            root = engine.sqrt(v_t)
            return group(assign_sub(var, c["lr"] * m_t / (root + c["epsilon"]), use_locking=self._use_locking), m_t, v_t)
        v_hat = self.get_slot(var, "vhat")
        v_hat_t = engine.maximum(v_hat, v_t)
        with ops.control_dependencies([v_hat_t]):
            v_hat_t = assign(v_hat, v_hat_t, use_locking=self._use_locking)
        root = engine.sqrt(v_hat_t)
        return group(assign_sub(var, c["lr"] * m_t / (root + c["epsilon"]), use_locking=self._use_locking), m_t, v_t, v_hat_t)


@_optimizer
class Adamax(_Moments):
    """Adam with the infinity norm in place of the second moment."""

    def _prepare_local(self, var_device, var_dtype, apply_state):
        super()._prepare_local(var_device, var_dtype, apply_state)
        c = apply_state[var_device, var_dtype]
        step = basics.cast(self.iterations + 1, var_dtype)
        c["beta_1_t"], c["beta_2_t"] = (engine.identity(self._get_hyper(n, var_dtype)) for n in ("beta_1", "beta_2"))
        c["beta_1_power"] = engine.pow(c["beta_1_t"], step)
        c["neg_scaled_lr"] = -c["lr_t"] / (1 - c["beta_1_power"])
        c["epsilon"] = ops.convert_to_tensor(self.epsilon, var_dtype)
        c["one_minus_beta_1_t"] = 1 - c["beta_1_t"]
        c["zero"] = engine.zeros([], dtypes.int64)

    def _resource_apply_dense(self, grad, var, apply_state=None):
        c = self._coefficients(var, apply_state)
        return raw("ResourceApplyAdaMax")(var.handle, self.get_slot(var, "m").handle, self.get_slot(var, "v").handle, c["beta_1_power"], c["lr_t"], c["beta_1_t"], c["beta_2_t"],
                                          c["epsilon"], grad, use_locking=self._use_locking)

    def _resource_apply_sparse(self, grad, var, indices, apply_state=None):
        c = self._coefficients(var, apply_state)
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        m_rows = engine.gather(m, indices, axis=c["zero"]) * c["beta_1_t"] + grad * c["one_minus_beta_1_t"]
        with ops.control_dependencies([m_rows]):
            m_t = self._resource_scatter_update(m, indices, m_rows)
        v_rows = engine.maximum(engine.gather(v, indices, axis=c["zero"]) * c["beta_2_t"], engine.abs(grad))
        with ops.control_dependencies([v_rows]):
            v_t = self._resource_scatter_update(v, indices, v_rows)
        rows = c["neg_scaled_lr"] * (m_rows / (v_rows + c["epsilon"]))
        with ops.control_dependencies([rows]):
            update = self._resource_scatter_add(var, indices, rows)
        return group(update, m_t, v_t)


@_optimizer
class Nadam(_Moments):
    """Adam with Nesterov's momentum."""

    def __init__(self, learning_rate=0.001, beta_1=0.9, beta_2=0.999, epsilon=1e-7, name="Nadam", **kwargs):
        kwargs["decay"] = kwargs.pop("schedule_decay", 0.004)
        if isinstance(kwargs.get("lr", learning_rate), LearningRateSchedule):
            raise ValueError("The Nadam optimizer does not support tf.keras.optimizers.LearningRateSchedules as the learning rate.")
        super().__init__(learning_rate, beta_1, beta_2, epsilon, name, **kwargs)

    def _create_slots(self, var_list):
        if ("", "product") not in self._slot_table:
            self._slot_table["", "product"] = self.add_weight("momentum_cache", [], dtype=var_list[0].dtype.base_dtype, initializer="ones", trainable=False)
            self._weights.append(self._slot_table["", "product"])
        super()._create_slots(var_list)

    def _prepare(self, var_list):
        self._product = engine.identity(self._slot_table["", "product"])  # its value before the updates
        return super()._prepare(var_list)

    def _prepare_local(self, var_device, var_dtype, apply_state):
        c = apply_state[var_device, var_dtype]
        c["lr_t"], c["beta_1_t"], c["beta_2_t"] = (engine.identity(self._get_hyper(n, var_dtype)) for n in ("learning_rate", "beta_1", "beta_2"))
        step, next_step = (basics.cast(self.iterations + n, var_dtype) for n in (1, 2))
        base = basics.cast(0.96, var_dtype)
        c["m_t"], c["m_t_1"] = (c["beta_1_t"] * (1. - 0.5 * engine.pow(base, self._initial_decay * s)) for s in (step, next_step))
        product = basics.cast(self._product, var_dtype) * c["m_t"]
        kept = self._slot_table["", "product"]
        if var_dtype == kept.dtype.base_dtype:
            product = raw("Identity")(assign(kept, product, use_locking=self._use_locking))
        next_product = product * c["m_t_1"]
        c["neg_lr_t"] = -c["lr_t"]
        c["epsilon"] = ops.convert_to_tensor(self.epsilon, var_dtype)
        c["one_minus_beta_1_t"], c["one_minus_beta_2_t"] = (1 - c[n] for n in ("beta_1_t", "beta_2_t"))
        c["one_minus_m_t"] = 1. - c["m_t"]
        c["one_minus_product"], c["one_minus_next_product"] = (1. - p for p in (product, next_product))
        c["v_denominator"] = 1. - engine.pow(c["beta_2_t"], step)

    def _resource_apply_dense(self, grad, var, apply_state=None):
        c = self._coefficients(var, apply_state)
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        g_prime = grad / c["one_minus_product"]
        m_t = assign(m, c["beta_1_t"] * m + c["one_minus_beta_1_t"] * grad, use_locking=self._use_locking)
        m_prime = m_t / c["one_minus_next_product"]
        v_t = assign(v, c["beta_2_t"] * v + c["one_minus_beta_2_t"] * engine.square(grad), use_locking=self._use_locking)
        v_prime = v_t / c["v_denominator"]
        m_bar = c["one_minus_m_t"] * g_prime + c["m_t_1"] * m_prime
        return assign(var, var - c["lr_t"] * m_bar / (engine.sqrt(v_prime) + c["epsilon"]), use_locking=self._use_locking).op

    def _resource_apply_sparse(self, grad, var, indices, apply_state=None):
        c = self._coefficients(var, apply_state)
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        g_prime = grad / c["one_minus_product"]
        scaled = grad * c["one_minus_beta_1_t"]
        with ops.control_dependencies([assign(m, m * c["beta_1_t"], use_locking=self._use_locking)]):
            m_rows = engine.gather(self._resource_scatter_add(m, indices, scaled), indices)
        m_prime = m_rows / c["one_minus_next_product"]
        m_bar = c["one_minus_m_t"] * g_prime + c["m_t_1"] * m_prime
        scaled = (grad * grad) * c["one_minus_beta_2_t"]
        with ops.control_dependencies([assign(v, v * c["beta_2_t"], use_locking=self._use_locking)]):
            v_t = self._resource_scatter_add(v, indices, scaled)
            v_rows = engine.gather(v_t, indices)
        root = engine.sqrt(v_rows / c["v_denominator"]) + c["epsilon"]
        return group(self._resource_scatter_add(var, indices, c["neg_lr_t"] * m_bar / root), m_bar, v_t)


@_optimizer
class Ftrl(_WithRate):
    """Follow the regularized leader."""

    _hyper_names = ("learning_rate_power", "l1_regularization_strength", "l2_regularization_strength")
    _facts = ("initial_accumulator_value", "l2_shrinkage_regularization_strength")

    def __init__(self, learning_rate=0.001, learning_rate_power=-0.5, initial_accumulator_value=0.1, l1_regularization_strength=0.0, l2_regularization_strength=0.0, name="Ftrl",
                 l2_shrinkage_regularization_strength=0.0, **kwargs):
        super().__init__(name, **kwargs)
        for word, value in (("initial_accumulator_value", initial_accumulator_value), ("l1_regularization_strength", l1_regularization_strength),
                            ("l2_regularization_strength", l2_regularization_strength), ("l2_shrinkage_regularization_strength", l2_shrinkage_regularization_strength)):
            if value < 0.0:
                raise ValueError("%s %f needs to be positive or zero" % (word, value))
        if learning_rate_power > 0.0:
            raise ValueError("learning_rate_power %f needs to be negative or zero" % learning_rate_power)
        self._given.update(learning_rate=learning_rate, learning_rate_power=learning_rate_power, l1_regularization_strength=l1_regularization_strength,
                           l2_regularization_strength=l2_regularization_strength)
        self.initial_accumulator_value, self.l2_shrinkage_regularization_strength = initial_accumulator_value, l2_shrinkage_regularization_strength

    def _create_slots(self, var_list):
        for v in var_list:
            self.add_slot(v, "accumulator", initializers.constant_initializer(self.initial_accumulator_value, dtype=v.dtype.base_dtype))
            self.add_slot(v, "linear")

    def _prepare_local(self, var_device, var_dtype, apply_state):
        super()._prepare_local(var_device, var_dtype, apply_state)
        c = apply_state[var_device, var_dtype]
        for name in self._hyper_names:
            c[name] = engine.identity(self._get_hyper(name, var_dtype))
        c["shrinkage"] = basics.cast(self.l2_shrinkage_regularization_strength, var_dtype)

    def _op(self, kind, var, apply_state, *rest):
        c, shrinks = self._coefficients(var, apply_state), self.l2_shrinkage_regularization_strength > 0.0
        names = ["lr_t", "l1_regularization_strength", "l2_regularization_strength"] + ["shrinkage"] * shrinks + ["learning_rate_power"]
        return raw(kind + "V2" * shrinks)(var.handle, self.get_slot(var, "accumulator").handle, self.get_slot(var, "linear").handle, *rest, *[c[n] for n in names],
                                          use_locking=self._use_locking)

    def _resource_apply_dense(self, grad, var, apply_state=None):
        return self._op("ResourceApplyFtrl", var, apply_state, grad)

    def _resource_apply_sparse(self, grad, var, indices, apply_state=None):
        return self._op("ResourceSparseApplyFtrl", var, apply_state, grad, indices)


class TFOptimizer:
    """Wraps an optimizer of tf.train for a model."""

    def __init__(self, optimizer, iterations=None):
        self.optimizer, self._variables = optimizer, []
        if iterations is None:
            with ops.name_scope("TFOptimizer"):
                iterations = backend.variable(0, dtype="int64", name="iterations")
        self.iterations = iterations

    def apply_gradients(self, grads_and_vars, name=None):
        known = {id(v) for v in global_variables()}
        made = self.optimizer.apply_gradients(grads_and_vars, global_step=self.iterations)
        new = [v for v in global_variables() if id(v) not in known]
        for v in new:
            backend.track(v)
        self._variables += new
        return made

    def get_updates(self, loss, params):
        return [self.apply_gradients(self.optimizer.compute_gradients(loss, params))]

    def get_gradients(self, loss, params):
        pairs = self.optimizer.compute_gradients(loss, params)
        return [g for g, _ in pairs]

    def variables(self):
        return self._variables

    weights = property(lambda self: self._variables)

    def get_config(self):
        raise NotImplementedError


@export("keras.optimizers.get")
def optimizer_of(what):
    """An optimizer by name; optimizers of tf.train are wrapped."""
    if isinstance(what, (Optimizer, TFOptimizer)):
        return what
    if hasattr(what, "compute_gradients"):
        return TFOptimizer(what)
    if isinstance(what, dict):
        return deserialize(what)
    if isinstance(what, str):
        return deserialize({"class_name": what, "config": {}})
    raise ValueError("Could not interpret optimizer identifier:", what)


@export("keras.optimizers.deserialize")
def deserialize(config, custom_objects=None):
    name = config["class_name"]
    found = (custom_objects or {}).get(name) or CLASSES.get(name.lower())
    if found is None:
        raise ValueError("Unknown optimizer: " + name)
    return found.from_config(config["config"])


@export("keras.optimizers.serialize")
def serialize(optimizer):
    return {"class_name": type(optimizer).__name__, "config": optimizer.get_config()}

