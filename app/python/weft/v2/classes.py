"""Classes of tf.compat.v2 that differ from those of tf: variables, device names, Keras layers with other defaults."""

from .. import engine, variable_base
from ..device import DeviceSpec
from ..exports import export
from ..keras.recurrent import GRU, LSTM
from ..keras.cells import GRUCell, LSTMCell
from ..layers.normalization import KerasBatchNormalization
from ..variable_base import VariableAggregation, VariableSynchronization


class _Kind(type(variable_base.Variable)):
    """Variables of tf are instances, too; Variable(…) creates a resource variable."""

    def __call__(cls, *args, **kwargs):
        return _make(*args, **kwargs)

    def __instancecheck__(cls, instance):
        return isinstance(instance, variable_base.Variable)

    def __subclasscheck__(cls, other):
        return issubclass(other, variable_base.Variable)


def _make(initial_value=None, trainable=None, validate_shape=True, caching_device=None, name=None, variable_def=None, dtype=None, import_scope=None, constraint=None,
          synchronization=VariableSynchronization.AUTO, aggregation=VariableAggregation.NONE, shape=None):
    return variable_base.Variable(initial_value=initial_value, trainable=trainable, validate_shape=validate_shape, caching_device=caching_device, name=name, variable_def=variable_def,
                                  dtype=dtype, import_scope=import_scope, constraint=constraint, use_resource=True, synchronization=synchronization, aggregation=aggregation, shape=shape)


@export("compat.v2.Variable")
class Variable(variable_base.Variable, metaclass=_Kind):
    """A resource variable."""


@export("compat.v2.DeviceSpec")
class DeviceSpecV2(DeviceSpec):
    """The parts of a device name, which do not change; None for unspecified parts."""

    def __init__(self, job=None, replica=None, task=None, device_type=None, device_index=None):
        super().__init__(job, replica, task, device_type, device_index)
        object.__setattr__(self, "_made", True)

    def __setattr__(self, name, value):
        if self.__dict__.get("_made"):
            raise AttributeError("can't set attribute")
        super().__setattr__(name, value)

    def parse_from_string(self, spec):
        """A new DeviceSpec with the parts of the name."""
        return self.from_string(spec)

    def replace(self, **kwargs):
        """A new DeviceSpec with other values for some parts."""
        parts = {f: getattr(self, f) for f in ("job", "replica", "task", "device_type", "device_index")}
        return type(self)(**dict(parts, **kwargs))

    def make_merged_spec(self, dev):
        """A new DeviceSpec: the parts that `dev` has, else those of this one."""
        return self.replace(**{f: getattr(dev, f) for f in ("job", "replica", "task", "device_type", "device_index") if getattr(dev, f) is not None})


def _with_defaults(base, name, **defaults):
    """A subclass whose constructor has other defaults."""

    def __init__(self, units, activation="tanh", recurrent_activation="sigmoid", *args, **kwargs):
        for key, value in defaults.items():
            kwargs.setdefault(key, value)
        base.__init__(self, units, activation, recurrent_activation, *args, **kwargs)

    return type(name, (base,), {"__init__": __init__, "__doc__": base.__doc__, "__module__": __name__})


export("compat.v2.keras.layers.LSTM")(_with_defaults(LSTM, "LSTM", implementation=2))
export("compat.v2.keras.layers.LSTMCell")(_with_defaults(LSTMCell, "LSTMCell", implementation=2))
export("compat.v2.keras.layers.GRU")(_with_defaults(GRU, "GRU", implementation=2, reset_after=True))
export("compat.v2.keras.layers.GRUCell")(_with_defaults(GRUCell, "GRUCell", implementation=2, reset_after=True))


@export("compat.v2.keras.layers.BatchNormalization")
class BatchNormalization(KerasBatchNormalization):
    """Batch normalization; a frozen layer uses its moving averages, also while training."""

    def _training_value(self, training):
        training = super()._training_value(training)
        if self.trainable:
            return training
        return False if isinstance(training, (bool, int)) else engine.logical_and(training, False)
