"""tf.keras.optimizers.Optimizer: hyperparameters and slots as variables, shared preparations, one update per variable."""

import functools
import inspect

import numpy as np

from .. import basics, dtypes, engine, ops
from ..distribute import contexts
from ..eager.tape import GradientTape
from ..exports import export
from ..gradients import gradients
from ..layers import lookups
from ..layers.lookups import text_of
from ..ops import IndexedSlices
from ..platform import tf_logging as logging
from ..training.decays import LearningRateSchedule
from ..training.tracking.base import Trackable
from ..variable_base import Variable, VariableAggregation, VariableSynchronization
from ..variables import assign_add
from . import backend
from .serialization import schedule_of


def _names_apply_state(function):
    return "apply_state" in inspect.signature(function).parameters


@export("keras.optimizers.Optimizer")
class Optimizer(Trackable):
    """An optimizer with hyperparameters in variables: backend.set_value(optimizer.lr, …) changes them between steps.

    Subclasses define the slots (_create_slots) and the updates (_resource_apply_dense, _resource_apply_sparse)."""

    _use_locking = True

    def __init__(self, name, **kwargs):
        for k in kwargs:
            if k not in ("clipnorm", "clipvalue", "lr", "decay"):
                raise TypeError("Unexpected keyword argument passed to optimizer: " + str(k))
            if kwargs[k] is not None and kwargs[k] < 0:
                raise ValueError("Expected {} >= 0, received: {}".format(k, kwargs[k]))
        self._name = name
        self.__dict__["_given"] = {"decay": kwargs.get("decay", 0.0)}
        self._initial_decay = kwargs.get("decay", 0.0)
        for k in ("clipnorm", "clipvalue"):
            if kwargs.get(k) is not None:
                setattr(self, k, kwargs[k])
        self._weights, self._slot_table, self._made_hyper, self._graph, self._iterations = [], {}, {}, None, None

    # Hyperparameters.
    def _set_hyper(self, name, value):
        self._given[name] = value
        if name in self._made_hyper and not callable(value):
            backend.set_value(self._made_hyper[name], value)

    def _get_hyper(self, name, dtype=None):
        value = self._given[name]
        if isinstance(value, LearningRateSchedule):
            return value
        if callable(value):
            value = value()
        elif not isinstance(value, (ops.Tensor, Variable)):
            value = self._variable_of(name)
        return basics.cast(value, dtype) if dtype else value

    def __getattr__(self, name):
        if name == "lr":
            name = "learning_rate"
        if name.startswith("_") or name not in self.__dict__.get("_given", {}):
            raise AttributeError("'%s' object has no attribute '%s'" % (type(self).__name__, name))
        return self._get_hyper(name)

    def __setattr__(self, name, value):
        name = "learning_rate" if name == "lr" else name
        if name in self.__dict__.get("_given", {}):
            self._set_hyper(name, value)
        else:
            object.__setattr__(self, name, value)

    def _fresh(self):
        # Variables of a deleted graph are created again.
        with ops.init_scope():  # the graph that keeps variables, also while a tf.function is traced
            graph = ops.get_default_graph()
        if self._graph is not graph:
            self._graph, self._weights, self._slot_table, self._made_hyper, self._iterations = graph, [], {}, {}, None

    def _variable_of(self, name):
        self._fresh()
        if name not in self._made_hyper:
            self._create_hypers()
        return self._made_hyper[name]

    def _create_hypers(self):
        """Creates a variable for each numeric hyperparameter in name order, whether it is used or not."""
        for name in sorted(self._given):
            value = self._given[name]
            if name not in self._made_hyper and not callable(value) and not isinstance(value, (ops.Tensor, Variable)):
                self._made_hyper[name] = self.add_weight(name, [], initializer=value, trainable=False)

    def _decayed_lr(self, var_dtype):
        rate = self._get_hyper("learning_rate", var_dtype)
        if isinstance(rate, LearningRateSchedule):
            rate = basics.cast(rate(basics.cast(self.iterations, var_dtype)), var_dtype)
        if self._initial_decay > 0.:
            step = basics.cast(self.iterations, var_dtype)
            rate = rate / (1. + self._get_hyper("decay", var_dtype) * step)
        return rate

    # Variables.
    def add_weight(self, name, shape, dtype=None, initializer="zeros", trainable=None, synchronization=VariableSynchronization.AUTO, aggregation=VariableAggregation.NONE):
        """A variable of the optimizer itself."""
        first = lookups.initializer(initializer) if isinstance(initializer, str) or callable(initializer) else initializer
        dtype = dtypes.as_dtype(dtype or dtypes.float32)
        with ops.init_scope():
            made = Variable(functools.partial(first, shape, dtype=dtype) if callable(first) else first, dtype=dtype if callable(first) else None, name=name,
                            trainable=trainable is None or trainable, use_resource=True, synchronization=synchronization, aggregation=aggregation)
        backend.track(made)
        return made

    @property
    def iterations(self):
        """The number of steps so far."""
        self._fresh()
        if self._iterations is None:
            self._iterations = self.add_weight("iter", [], dtypes.int64, trainable=False)
            self._weights.append(self._iterations)
        return self._iterations

    @iterations.setter
    def iterations(self, variable):
        self._fresh()
        if self._iterations is not None:
            raise RuntimeError("Cannot set `iterations` to a new Variable after the Optimizer weights have been created")
        self._iterations = variable
        self._weights.append(variable)

    def add_slot(self, var, slot_name, initializer="zeros"):
        """A slot of a variable, created on first request."""
        self._fresh()
        key = (getattr(var, "_unique_id", var.op.name), slot_name)
        if key not in self._slot_table:
            first = lookups.initializer(initializer) if isinstance(initializer, str) or callable(initializer) else initializer
            with ops.init_scope(), ops.colocate_with(var.handle if hasattr(var, "handle") else var):
                made = Variable(functools.partial(first, shape=var.shape, dtype=var.dtype.base_dtype) if callable(first) else first, dtype=var.dtype.base_dtype,
                                name="%s/%s" % (var.op.name, slot_name), trainable=False, use_resource=True)
            backend.track(made)
            self._slot_table[key] = made
            self._weights.append(made)
        return self._slot_table[key]

    def get_slot(self, var, slot_name):
        return self._slot_table[getattr(var, "_unique_id", var.op.name), slot_name]

    def get_slot_names(self):
        return list(dict.fromkeys(slot for _, slot in self._slot_table))

    def _create_slots(self, var_list):
        pass

    def variables(self):
        return self._weights

    weights = property(lambda self: self._weights)

    def get_weights(self):
        return backend.batch_get_value(self._weights)

    def set_weights(self, weights):
        if len(weights) != len(self._weights):
            raise ValueError("You called `set_weights(weights)` on optimizer " + self._name + " with a  weight list of length " + str(len(weights)) +
                             ", but the optimizer was expecting " + str(len(self._weights)) + " weights. Provided weights: " + str(weights)[:50] + "...")
        for v, w in zip(self._weights, weights):
            if tuple(v.shape.as_list()) != np.shape(w):
                raise ValueError("Optimizer weight shape %s not compatible with provided weight shape %s" % (tuple(v.shape.as_list()), np.shape(w)))
        backend.batch_set_value(zip(self._weights, weights))

    # Gradients.
    def get_gradients(self, loss, params):
        with ops.name_scope(self._name + "/gradients"):
            grads = gradients(loss, params)
            for grad, param in zip(grads, params):
                if grad is None:
                    raise ValueError("Variable %s has `None` for gradient. Please make sure that all of your ops have a gradient defined (i.e. are differentiable). Common ops "
                                     "without gradient: K.argmax, K.round, K.eval." % (param,))
            return self._clip(grads)

    def _clip(self, grads):
        if hasattr(self, "clipnorm"):
            grads = [engine.clip_by_norm(g, self.clipnorm) for g in grads]
        if hasattr(self, "clipvalue"):
            grads = [engine.clip_by_value(g, -self.clipvalue, self.clipvalue) for g in grads]
        return grads

    def compute_gradients(self, loss, var_list):
        return self._gradients_of(loss, var_list, None)

    def _gradients_of(self, loss, var_list, grad_loss):
        if callable(loss) and ops.executing_eagerly():
            with GradientTape() as tape:
                if not callable(var_list):
                    tape.watch(var_list)
                value = loss()
            var_list = var_list() if callable(var_list) else var_list
            return list(zip(self._clip(tape.gradient(value, var_list, grad_loss)), var_list))
        loss = loss() if callable(loss) else loss
        var_list = var_list() if callable(var_list) else var_list  # the loss may have created them
        return list(zip(self._clip(gradients(loss, var_list, grad_loss)), var_list))

    def minimize(self, loss, var_list, grad_loss=None, name=None):
        made = self.compute_gradients(loss, var_list) if grad_loss is None else self._gradients_of(loss, var_list, grad_loss)
        return self.apply_gradients(made, name=name)

    def get_updates(self, loss, params):
        return [self.apply_gradients(list(zip(self.get_gradients(loss, params), params)))]

    # Updates.
    def apply_gradients(self, grads_and_vars, name=None):
        """An operation that applies the gradients to the variables."""
        contexts.refuse_mirrored("%s.apply_gradients()" % type(self).__name__, "use an optimizer of tf.train")
        self._fresh()
        grads_and_vars = tuple(grads_and_vars)
        pairs = [(g, v) for g, v in grads_and_vars if g is not None]
        if not pairs:
            raise ValueError("No gradients provided for any variable: %s." % ([v.name for _, v in grads_and_vars],))
        if len(pairs) < len(grads_and_vars):
            logging.warning("Gradients do not exist for variables %s when minimizing the loss.", [v.name for g, v in grads_and_vars if g is None])
        variables = [v for _, v in pairs]
        with ops.name_scope(self._name):
            iterations = self.iterations
            with ops.init_scope():
                self._create_hypers()
                self._create_slots(variables)
            apply_state = self._prepare(variables)
            with ops.name_scope(name or self._name):
                updates = []
                for g, v in pairs:
                    with ops.name_scope("update_" + v.op.name), ops.colocate_with(v.handle if hasattr(v, "handle") else v):
                        updates.append(self._update(g, v, apply_state))
                if ops.executing_eagerly():
                    return iterations.assign_add(1)
                with ops.control_dependencies([u if isinstance(u, ops.Operation) else u.op for u in updates]):
                    return assign_add(iterations, 1).op

    def _update(self, g, v, apply_state):
        if isinstance(g, IndexedSlices):
            if v.constraint is not None:
                raise RuntimeError("Cannot use a constraint function on a sparse variable.")
            more = {"apply_state": apply_state} if _names_apply_state(self._resource_apply_sparse) else {}
            return self._resource_apply_sparse_duplicate_indices(g.values, v, g.indices, **more)
        more = {"apply_state": apply_state} if _names_apply_state(self._resource_apply_dense) else {}
        update = self._resource_apply_dense(g, v, **more)
        if v.constraint is None:
            return update
        if ops.executing_eagerly():
            return v.assign(v.constraint(v))
        with ops.control_dependencies([update if isinstance(update, ops.Operation) else update.op]):
            return v.assign(v.constraint(v))

    def _prepare(self, var_list):
        """Values shared by all updates, per device and type."""
        apply_state = {}
        for device, dtype in dict.fromkeys((v.device, v.dtype.base_dtype) for v in var_list):
            apply_state[device, dtype] = {}
            with ops.device(device):
                self._prepare_local(device, dtype, apply_state)
        return apply_state

    def _prepare_local(self, var_device, var_dtype, apply_state):
        if "learning_rate" in self._given:
            apply_state[var_device, var_dtype]["lr_t"] = engine.identity(self._decayed_lr(var_dtype))

    def _fallback_apply_state(self, var_device, var_dtype):
        apply_state = {(var_device, var_dtype): {}}
        self._prepare_local(var_device, var_dtype, apply_state)
        return apply_state[var_device, var_dtype]

    def _coefficients(self, var, apply_state):
        key = var.device, var.dtype.base_dtype
        return (apply_state or {}).get(key) or self._fallback_apply_state(*key)

    def _resource_apply_dense(self, grad, handle, apply_state=None):
        raise NotImplementedError()

    def _resource_apply_sparse(self, grad, handle, indices, apply_state=None):
        raise NotImplementedError()

    def _resource_apply_sparse_duplicate_indices(self, grad, handle, indices, **kwargs):
        """Sums rows with the same index first."""
        rows, place = engine.unique(indices)
        summed = engine.unsorted_segment_sum(grad, place, basics.shape(rows)[0])
        return self._resource_apply_sparse(summed, handle, rows, **kwargs)

    def _resource_scatter_add(self, x, i, v):
        with ops.control_dependencies([engine.raw_ops.ResourceScatterAdd(resource=x.handle, indices=i, updates=v)]):
            return x.value()

    def _resource_scatter_update(self, x, i, v):
        with ops.control_dependencies([engine.raw_ops.ResourceScatterUpdate(resource=x.handle, indices=i, updates=v)]):
            return x.value()

    # Configurations.
    def _serialize_hyperparameter(self, name):
        value = self._given[name]
        if isinstance(value, LearningRateSchedule):
            return text_of(value)
        if callable(value):
            return value()
        if isinstance(value, (ops.Tensor, Variable)):
            return backend.get_value(value)
        made = self._made_hyper.get(name)
        return value if made is None or made.graph is not ops.get_default_graph() else backend.get_value(made).item()

    def get_config(self):
        config = {"name": self._name}
        for k in ("clipnorm", "clipvalue"):
            if hasattr(self, k):
                config[k] = getattr(self, k)
        return config

    @classmethod
    def from_config(cls, config, custom_objects=None):
        config = dict(config)
        if "lr" in config:
            config["learning_rate"] = config.pop("lr")
        if isinstance(config.get("learning_rate"), dict):
            config["learning_rate"] = schedule_of(config["learning_rate"], custom_objects=custom_objects)
        return cls(**config)
