"""tf.keras.optimizers."""

import numpy as np
import tensorflow as tf

from .. import ops
from ..exports import export, export_value
from ..op_calls import raw
from ..ops import IndexedSlices
from . import backend

CLASSES = {}


def _scalar(x, like):
    return tf.cast(x, like.dtype.base_dtype)


@export("keras.optimizers.Optimizer")
class Optimizer:
    """An optimizer whose settings are variables: backend.set_value(optimizer.lr, …) changes them between steps."""

    _slots = ()
    _hyper_names = ("learning_rate", "decay")

    def __init__(self, name, **kwargs):
        for k in kwargs:
            if k not in ("clipnorm", "clipvalue", "lr", "decay"):
                raise TypeError("Unexpected keyword argument passed to optimizer: " + str(k))
            if kwargs[k] is not None and kwargs[k] < 0:
                raise ValueError("Expected {} >= 0, received: {}".format(k, kwargs[k]))
        self._name = name
        self.__dict__["_given"] = {"decay": kwargs.get("decay", 0.0)}
        self.clipnorm, self.clipvalue = kwargs.get("clipnorm"), kwargs.get("clipvalue")
        self._variables, self._slot_table, self._made_hyper, self._graph = [], {}, {}, None
        self.iterations_variable = None

    def _set_hyper(self, name, value):
        self._given[name] = value
        if name in self._made_hyper and not callable(value):
            backend.set_value(self._made_hyper[name], value)

    def __getattr__(self, name):
        if name == "lr":
            name = "learning_rate"
        if name.startswith("_") or name not in self.__dict__.get("_given", {}):
            raise AttributeError("'%s' object has no attribute '%s'" % (type(self).__name__, name))
        value = self._given[name]
        return value if callable(value) else self._variable_of(name)

    def __setattr__(self, name, value):
        name = "learning_rate" if name == "lr" else name
        if name in self.__dict__.get("_given", {}):
            self._set_hyper(name, value)
        else:
            object.__setattr__(self, name, value)

    def _fresh(self):
        # What was made in a graph that is gone is made again.
        graph = tf.get_default_graph()
        if self._graph is not graph:
            self._graph, self._variables, self._slot_table, self._made_hyper = graph, [], {}, {}
            self.iterations_variable = None

    def _variable_of(self, name):
        self._fresh()
        if name not in self._made_hyper:
            self._make_hyper()
        return self._made_hyper[name]

    def _make_hyper(self):
        """A variable of each setting that is a number, in the order of their names, used or not."""
        with tf.control_dependencies(None):
            for name in sorted(self._given):
                value = self._given[name]
                if name not in self._made_hyper and not callable(value) and not isinstance(value, tf.Tensor):
                    self._made_hyper[name] = self._own_variable(np.float32(value), tf.float32, name)

    def _own_variable(self, value, dtype, name):
        """A variable of the optimizer itself: none that tf.trainable_variables() tells of."""
        made = tf.Variable(value, dtype=dtype, name=name, trainable=False, use_resource=True)
        backend.track(made)
        return made

    @property
    def iterations(self):
        self._fresh()
        if self.iterations_variable is None:
            self.iterations_variable = v = self._own_variable(np.int64(0), tf.int64, "iter")
            self._variables.append(v)
        return self.iterations_variable

    def _rate(self, dtype):
        rate = self._given["learning_rate"]
        rate = tf.cast(rate(self.iterations) if callable(rate) else tf.identity(self._variable_of("learning_rate")), dtype)
        if self._given["decay"]:
            rate = rate / (1. + tf.cast(self._variable_of("decay"), dtype) * tf.cast(self.iterations, dtype))
        return rate

    def _hyper(self, name, dtype):
        value = self._given[name]
        return tf.cast(tf.identity(self._variable_of(name)) if not callable(value) else value(), dtype)

    def slot(self, variable, name, first=0.0):
        """A variable beside a variable."""
        key = (variable.op.name, name)
        if key not in self._slot_table:
            with tf.control_dependencies(None):
                made = tf.Variable(np.full(variable.shape.as_list(), first, variable.dtype.base_dtype.as_numpy_dtype), name="%s/%s" % (variable.op.name, name),
                                   trainable=False, use_resource=True)
            backend.track(made)
            self._slot_table[key] = made
            self._variables.append(made)
        return self._slot_table[key]

    get_slot = slot

    def variables(self):
        return list(self._variables)

    weights = property(lambda self: self.variables())

    def get_weights(self):
        return backend.batch_get_value(self._variables)

    def set_weights(self, weights):
        if len(weights) != len(self._variables):
            raise ValueError("You called `set_weights(weights)` on optimizer " + self._name + " with a  weight list of length " + str(len(weights)) +
                             ", but the optimizer was expecting " + str(len(self._variables)) + " weights. Provided weights: " + str(weights)[:50] + "...")
        for v, w in zip(self._variables, weights):
            if tuple(v.shape.as_list()) != np.shape(w):
                raise ValueError("Optimizer weight shape %s not compatible with provided weight shape %s" % (tuple(v.shape.as_list()), np.shape(w)))
        backend.batch_set_value(zip(self._variables, weights))

    def get_gradients(self, loss, params):
        with tf.name_scope(self._name + "/gradients"):
            grads = tf.gradients(loss, params)
        for grad, param in zip(grads, params):
            if grad is None:
                raise ValueError("Variable %s has `None` for gradient. Please make sure that all of your ops have a gradient defined (i.e. are differentiable). Common ops without "
                                 "gradient: K.argmax, K.round, K.eval." % (param,))
        return self._clip(grads)

    def _clip(self, grads):
        if self.clipnorm is not None:
            grads = [tf.clip_by_norm(g, self.clipnorm) for g in grads]
        if self.clipvalue is not None:
            grads = [tf.clip_by_value(g, -self.clipvalue, self.clipvalue) for g in grads]
        return grads

    def compute_gradients(self, loss, var_list):
        return self._gradients_of(loss, var_list, None)

    def _gradients_of(self, loss, var_list, grad_loss):
        return list(zip(self._clip(tf.gradients(loss() if callable(loss) else loss, var_list, grad_loss)), var_list))

    def minimize(self, loss, var_list, grad_loss=None, name=None):
        var_list = var_list() if callable(var_list) else var_list
        made = self.compute_gradients(loss, var_list) if grad_loss is None else self._gradients_of(loss, var_list, grad_loss)
        return self.apply_gradients(made, name=name)

    def get_updates(self, loss, params):
        return [self.apply_gradients(list(zip(self.get_gradients(loss, params), params)))]

    def apply_gradients(self, grads_and_vars, name=None):
        """An operation that changes the variables by their gradients."""
        self._fresh()
        pairs = [(g, v) for g, v in grads_and_vars if g is not None]
        if not pairs:
            raise ValueError("No gradients provided for any variable: %s." % ([v.name for _, v in grads_and_vars],))
        with tf.name_scope(self._name):
            iterations = self.iterations
            self._make_hyper()
            self._make_slots([v for _, v in pairs])
            return self._updated(iterations, pairs, name)

    def _updated(self, iterations, pairs, name):
        with tf.name_scope(name or self._name):
            updates = []
            for g, v in pairs:
                with tf.name_scope("update_" + v.op.name):
                    update = self._apply_sparse(g, v) if isinstance(g, IndexedSlices) else self._apply(g, v)
                    if v.constraint is not None:
                        with tf.control_dependencies([update]):
                            update = v.assign(v.constraint(v.read_value())).op
                    updates.append(update)
            with tf.control_dependencies([u if isinstance(u, ops.Operation) else u.op for u in updates]):
                return tf.assign_add(iterations, 1).op

    def _slots_to_make(self):
        """(name, first value) of the variables beside each variable."""
        return [(name, 0.0) for name in self._slots]

    def _make_slots(self, variables):
        """In the order that get_weights() and files have: one kind for all variables, then the next kind."""
        for name, first in self._slots_to_make():
            for v in variables:
                self.slot(v, name, first)

    def _apply(self, g, v):
        raise NotImplementedError

    def _apply_sparse(self, g, v):
        """As for a tensor: rows that occur several times are added."""
        return self._apply(tf.convert_to_tensor(g), v)

    def get_config(self):
        config = {"name": self._name}
        for n, value in self._given.items():
            made = self._made_hyper.get(n)
            config[n] = value if callable(value) or made is None or made.graph is not tf.get_default_graph() else float(backend.get_value(made))
        return config

    @classmethod
    def from_config(cls, config, custom_objects=None):
        config = dict(config)
        if "lr" in config:
            config["learning_rate"] = config.pop("lr")
        return cls(**config)


def _optimizer(cls):
    CLASSES[cls.__name__.lower()] = cls
    return export("keras.optimizers." + cls.__name__)(cls)


def _summed(g):
    """Unique rows of a gradient in slices."""
    rows, place = tf.unique(g.indices)
    return tf.unsorted_segment_sum(g.values, place, tf.shape(rows)[0]), rows


@_optimizer
class SGD(Optimizer):
    """Gradient descent, with momentum if asked for."""

    def __init__(self, learning_rate=0.01, momentum=0.0, nesterov=False, name="SGD", **kwargs):
        super().__init__(name, **kwargs)
        self._given["learning_rate"] = kwargs.get("lr", learning_rate)
        self._momentum = not isinstance(momentum, (int, float)) or momentum > 0
        if isinstance(momentum, (int, float)) and (momentum < 0 or momentum > 1):
            raise ValueError("`momentum` must be between [0, 1].")
        self._given["momentum"] = momentum
        self.nesterov = nesterov

    def _slots_to_make(self):
        return [("momentum", 0.0)] if self._momentum else []

    def _apply(self, g, v):
        dtype = v.dtype.base_dtype
        if self._momentum:
            return raw("ResourceApplyKerasMomentum")(v.handle, self.slot(v, "momentum").handle, self._rate(dtype), g, self._hyper("momentum", dtype), use_locking=True,
                                                     use_nesterov=self.nesterov)
        return raw("ResourceApplyGradientDescent")(v.handle, self._rate(dtype), g, use_locking=True)

    def _apply_sparse(self, g, v):
        dtype = v.dtype.base_dtype
        if self._momentum:
            values, rows = _summed(g)
            return raw("ResourceSparseApplyKerasMomentum")(v.handle, self.slot(v, "momentum").handle, self._rate(dtype), values, rows, self._hyper("momentum", dtype),
                                                           use_locking=True, use_nesterov=self.nesterov)
        values, rows = _summed(g)
        return raw("ResourceScatterAdd")(v.handle, rows, -values * self._rate(dtype))

    def get_config(self):
        return dict(super().get_config(), nesterov=self.nesterov)


@_optimizer
class RMSprop(Optimizer):
    """Steps by the root of a moving mean of squared gradients."""

    def __init__(self, learning_rate=0.001, rho=0.9, momentum=0.0, epsilon=1e-7, centered=False, name="RMSprop", **kwargs):
        super().__init__(name, **kwargs)
        self._given.update(learning_rate=kwargs.get("lr", learning_rate), rho=rho, momentum=momentum)
        self._momentum = not isinstance(momentum, (int, float)) or momentum > 0
        self.epsilon, self.centered = epsilon or backend.epsilon(), centered

    def _slots_to_make(self):
        return [("rms", 0.0)] + [("momentum", 0.0)] * self._momentum + [("mg", 0.0)] * bool(self.centered)

    def _apply(self, g, v):
        dtype = v.dtype.base_dtype
        rate, rho = self._rate(dtype), self._hyper("rho", dtype)
        epsilon = tf.convert_to_tensor(self.epsilon, dtype)
        rms = self.slot(v, "rms")
        if self._momentum:
            more = (rate, rho, self._hyper("momentum", dtype), epsilon, g)
            if self.centered:
                return raw("ResourceApplyCenteredRMSProp")(v.handle, self.slot(v, "mg").handle, rms.handle, self.slot(v, "momentum").handle, *more, use_locking=True)
            return raw("ResourceApplyRMSProp")(v.handle, rms.handle, self.slot(v, "momentum").handle, *more, use_locking=True)
        rms_t = tf.assign(rms, rho * rms + (1. - rho) * tf.square(g))
        denominator = rms_t
        if self.centered:
            mg = self.slot(v, "mg")
            denominator = rms_t - tf.square(tf.assign(mg, rho * mg + (1. - rho) * g))
        return tf.assign(v, v - rate * g / (tf.sqrt(denominator) + epsilon)).op

    def get_config(self):
        return dict(super().get_config(), epsilon=self.epsilon, centered=self.centered)


@_optimizer
class Adagrad(Optimizer):
    """Steps by the root of the sum of squared gradients."""

    def __init__(self, learning_rate=0.001, initial_accumulator_value=0.1, epsilon=1e-7, name="Adagrad", **kwargs):
        if initial_accumulator_value < 0.0:
            raise ValueError("initial_accumulator_value must be non-negative: %s" % initial_accumulator_value)
        super().__init__(name, **kwargs)
        self._given["learning_rate"] = kwargs.get("lr", learning_rate)
        self._first, self.epsilon = initial_accumulator_value, epsilon or backend.epsilon()

    @classmethod
    def from_config(cls, config, custom_objects=None):
        # A configuration that says nothing of it (the mere name of the class) begins with zeros.
        return super().from_config(dict({"initial_accumulator_value": 0.}, **config))

    def _slots_to_make(self):
        return [("accumulator", self._first)]

    def _apply(self, g, v):
        dtype, sums = v.dtype.base_dtype, self.slot(v, "accumulator")
        total = tf.assign_add(sums, tf.square(g))
        return tf.assign_sub(v, self._rate(dtype) * g / (tf.sqrt(total) + tf.convert_to_tensor(self.epsilon, dtype))).op

    def get_config(self):
        return dict(super().get_config(), initial_accumulator_value=self._first, epsilon=self.epsilon)


@_optimizer
class Adadelta(Optimizer):
    """Steps by moving means of squared gradients and of squared steps."""

    _slots = ("accum_grad", "accum_var")

    def __init__(self, learning_rate=0.001, rho=0.95, epsilon=1e-7, name="Adadelta", **kwargs):
        super().__init__(name, **kwargs)
        self._given.update(learning_rate=kwargs.get("lr", learning_rate), rho=rho)
        self.epsilon = epsilon or backend.epsilon()

    def _apply(self, g, v):
        dtype = v.dtype.base_dtype
        return raw("ResourceApplyAdadelta")(v.handle, self.slot(v, "accum_grad").handle, self.slot(v, "accum_var").handle, self._rate(dtype), self._hyper("rho", dtype),
                                            tf.convert_to_tensor(self.epsilon, dtype), g, use_locking=True)

    def get_config(self):
        return dict(super().get_config(), epsilon=self.epsilon)


class _Moments(Optimizer):
    """Optimizers with two moments of the gradients."""

    _slots = ("m", "v")

    def __init__(self, learning_rate=0.001, beta_1=0.9, beta_2=0.999, epsilon=1e-7, name=None, **kwargs):
        super().__init__(name or type(self).__name__, **kwargs)
        self._given.update(learning_rate=kwargs.get("lr", learning_rate), beta_1=beta_1, beta_2=beta_2)
        self.epsilon = epsilon or backend.epsilon()

    def _powers(self, dtype):
        step = tf.cast(self.iterations + 1, dtype)
        beta_1, beta_2 = self._hyper("beta_1", dtype), self._hyper("beta_2", dtype)
        return beta_1, beta_2, tf.pow(beta_1, step), tf.pow(beta_2, step)

    def get_config(self):
        return dict(super().get_config(), epsilon=self.epsilon)


@_optimizer
class Adam(_Moments):
    """Adam."""

    def __init__(self, learning_rate=0.001, beta_1=0.9, beta_2=0.999, epsilon=1e-7, amsgrad=False, name="Adam", **kwargs):
        super().__init__(learning_rate, beta_1, beta_2, epsilon, name, **kwargs)
        self.amsgrad = amsgrad

    def _slots_to_make(self):
        return super()._slots_to_make() + [("vhat", 0.0)] * bool(self.amsgrad)

    def _apply(self, g, v):
        dtype = v.dtype.base_dtype
        beta_1, beta_2, power_1, power_2 = self._powers(dtype)
        m, s = self.slot(v, "m"), self.slot(v, "v")
        epsilon = tf.convert_to_tensor(self.epsilon, dtype)
        if self.amsgrad:
            return raw("ResourceApplyAdamWithAmsgrad")(v.handle, m.handle, s.handle, self.slot(v, "vhat").handle, power_1, power_2, self._rate(dtype), beta_1, beta_2, epsilon, g,
                                                       use_locking=True)
        return raw("ResourceApplyAdam")(v.handle, m.handle, s.handle, power_1, power_2, self._rate(dtype), beta_1, beta_2, epsilon, g, use_locking=True)

    def get_config(self):
        return dict(super().get_config(), amsgrad=self.amsgrad)


@_optimizer
class Adamax(_Moments):
    """Adam with the greatest gradient in place of the second moment."""

    def _apply(self, g, v):
        dtype = v.dtype.base_dtype
        beta_1, beta_2, power_1, _ = self._powers(dtype)
        return raw("ResourceApplyAdaMax")(v.handle, self.slot(v, "m").handle, self.slot(v, "v").handle, power_1, self._rate(dtype), beta_1, beta_2,
                                          tf.convert_to_tensor(self.epsilon, dtype), g, use_locking=True)


@_optimizer
class Nadam(_Moments):
    """Adam with Nesterov's momentum."""

    def _schedule(self, dtype):
        if ("", "product") not in self._slot_table:
            self._slot_table["", "product"] = p = self._own_variable(np.ones([], dtype.as_numpy_dtype), dtype, "momentum_cache")
            self._variables.append(p)
            step, beta_1 = tf.cast(self.iterations + 1, dtype), self._hyper("beta_1", dtype)
            now, then = (beta_1 * (1. - 0.5 * tf.pow(tf.cast(0.96, dtype), 0.004 * s)) for s in (step, step + 1))
            product = p.read_value() * now
            with tf.control_dependencies([product]):
                product = tf.assign(p, product)
            self._now = (now, then, product)
        return self._now

    def _make_slots(self, variables):
        self._schedule(variables[0].dtype.base_dtype)
        super()._make_slots(variables)

    def _apply(self, g, v):
        dtype = v.dtype.base_dtype
        beta_1, beta_2, _, power_2 = self._powers(dtype)
        now, then, product = self._schedule(dtype)
        m, s = self.slot(v, "m"), self.slot(v, "v")
        g_prime = g / (1. - product)
        m_t = tf.assign(m, beta_1 * m + (1 - beta_1) * g)
        m_prime = m_t / (1. - product * then)
        v_t = tf.assign(s, beta_2 * s + (1. - beta_2) * tf.square(g))
        m_bar = (1. - now) * g_prime + then * m_prime
        return tf.assign(v, v - self._rate(dtype) * m_bar / (tf.sqrt(v_t / (1. - power_2)) + tf.convert_to_tensor(self.epsilon, dtype))).op


@_optimizer
class Ftrl(Optimizer):
    """Follow the regularized leader."""

    def __init__(self, learning_rate=0.001, learning_rate_power=-0.5, initial_accumulator_value=0.1, l1_regularization_strength=0.0, l2_regularization_strength=0.0, name="Ftrl",
                 l2_shrinkage_regularization_strength=0.0, **kwargs):
        super().__init__(name, **kwargs)
        self._first, self._shrinkage = initial_accumulator_value, l2_shrinkage_regularization_strength
        self._given.update(learning_rate=kwargs.get("lr", learning_rate), learning_rate_power=learning_rate_power, l1_regularization_strength=l1_regularization_strength,
                           l2_regularization_strength=l2_regularization_strength)

    def _make_slots(self, variables):
        for v in variables:
            self.slot(v, "accumulator", self._first)
            self.slot(v, "linear")

    def _apply(self, g, v):
        dtype = v.dtype.base_dtype
        named = [self._hyper(n, dtype) for n in ("l1_regularization_strength", "l2_regularization_strength", "learning_rate_power")]
        a, l = self.slot(v, "accumulator"), self.slot(v, "linear")
        if self._shrinkage:
            return raw("ResourceApplyFtrlV2")(v.handle, a.handle, l.handle, g, self._rate(dtype), named[0], named[1], tf.cast(self._shrinkage, dtype), named[2], use_locking=True)
        return raw("ResourceApplyFtrl")(v.handle, a.handle, l.handle, g, self._rate(dtype), named[0], named[1], named[2], use_locking=True)

    def get_config(self):
        return dict(super().get_config(), initial_accumulator_value=self._first, l2_shrinkage_regularization_strength=self._shrinkage)


class TFOptimizer:
    """An optimizer of tf.train in a model."""

    def __init__(self, optimizer):
        self.optimizer, self._variables = optimizer, []

    def apply_gradients(self, grads_and_vars, name=None):
        known = {id(v) for v in tf.global_variables()}
        made = self.optimizer.apply_gradients(grads_and_vars, global_step=tf.train.get_global_step())
        self._variables = [v for v in tf.global_variables() if id(v) not in known]
        for v in self._variables:
            backend.track(v)
        return made

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
    """An optimizer by its name; those of tf.train as they are."""
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


del export_value
