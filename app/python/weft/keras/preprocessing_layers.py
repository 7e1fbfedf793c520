"""Preprocessing layers: their state is computed from data by adapt(), with a Combiner."""

import abc
import collections
import json

import numpy as np

from .. import dtypes, engine, initializers, ops
from ..data.dataset import Dataset
from ..data.experimental import cardinality, INFINITE_CARDINALITY
from ..data.iterators import make_one_shot_iterator
from ..errors import OutOfRangeError
from ..layers.base import Layer
from ..public_names import as_bytes, as_text
from ..util import nest
from . import backend


class Combiner(metaclass=abc.ABCMeta):
    """A computation over batches, whose partial results (accumulators) can be merged. It has no state of its own."""

    def __repr__(self):
        return "<{}>".format(type(self).__name__)

    @abc.abstractmethod
    def compute(self, batch_values, accumulator=None):
        """The accumulator of a batch, merged with the given one."""

    @abc.abstractmethod
    def merge(self, accumulators):
        """One accumulator of several, whatever their order."""

    @abc.abstractmethod
    def extract(self, accumulator):
        """Name -> array of an accumulator."""

    @abc.abstractmethod
    def restore(self, output):
        """The accumulator that extract() gave `output` of."""

    @abc.abstractmethod
    def serialize(self, accumulator):
        """An accumulator as bytes."""

    @abc.abstractmethod
    def deserialize(self, encoded_accumulator):
        """The accumulator of what serialize() gave."""


class PreprocessingLayer(Layer):
    """Base of layers whose state is computed from data."""

    def adapt(self, data, reset_state=True):
        """Computes the state from a data set or an array, from nothing or from the present state."""
        raise NotImplementedError("Must be implemented in subclasses.")


def _array(x):
    return x.numpy() if hasattr(x, "numpy") else x


def _batches(data):
    """The elements of a data set as arrays, or the array as one batch."""
    if isinstance(data, np.ndarray):
        yield data
    elif ops.executing_eagerly():
        for element in data:
            yield nest.map_structure(_array, element)
    else:
        element, session = make_one_shot_iterator(data).get_next(), backend.get_session()
        try:
            while True:
                yield session.run(element)
        except OutOfRangeError:
            pass


class CombinerPreprocessingLayer(PreprocessingLayer):
    """A preprocessing layer that computes its state with a Combiner."""

    def __init__(self, combiner, **kwargs):
        super().__init__(**kwargs)
        self._combiner = combiner
        self._previously_updated = False
        self.state_variables = collections.OrderedDict()

    def _add_state_variable(self, name, shape, dtype, initializer=None, partitioner=None, use_resource=None, **kwargs):
        """A variable that adapt() sets."""
        made = self.add_weight(name=name, shape=shape, dtype=dtype, initializer=initializer, trainable=False, partitioner=partitioner, use_resource=use_resource, **kwargs)
        self.state_variables[name] = made
        return made

    def _restore_updates(self):
        """Name -> value of the state's variables."""
        return {name: backend.get_value(variable) for name, variable in self.state_variables.items()}

    def adapt(self, data, reset_state=True):
        """Computes the state from a data set or an array, from nothing or from the present state."""
        accumulator = None if reset_state else self._combiner.restore(self._restore_updates())
        if not isinstance(data, (Dataset, np.ndarray)):
            raise ValueError("adapt() requires a Dataset or a Numpy array as input, got {}".format(type(data)))
        if isinstance(data, Dataset) and int(backend.get_value(cardinality(data))) == INFINITE_CARDINALITY:
            raise ValueError('The dataset passed to "adapt()" has an infinite number of elements. Please use dataset.take(...) to make the number of elements finite.')
        for batch in _batches(data):
            if not self.built:
                self.build(getattr(batch, "shape", None))
                self.built = True
            accumulator = self._combiner.compute(batch, accumulator)
        self._set_state_variables(self._combiner.extract(accumulator))

    def _set_state_variables(self, updates):
        """Sets the state's variables by name."""
        if not self.built:
            raise RuntimeError("_set_state_variables() must be called after build().")
        backend.batch_set_value([(self.state_variables[name], value) for name, value in updates.items()])


_Moments = collections.namedtuple("_Moments", ["count", "mean", "variance"])


class _NormalizingCombiner(Combiner):
    """Count, mean and variance along the axes that are not normalized."""

    def __init__(self, axis):
        self.axis = axis

    def compute(self, values, accumulator=None):
        count = np.prod(np.delete(values.shape, self.axis), dtype=np.int32)
        over = tuple(np.delete(range(values.ndim), self.axis))
        made = self._create_accumulator(count, np.mean(values, axis=over, dtype=np.float64), np.var(values, axis=over, dtype=np.float64))
        return made if accumulator is None else self.merge([accumulator, made])

    @staticmethod
    def _create_accumulator(count, mean, variance):
        return _Moments(np.array(count), np.array(mean), np.array(variance))

    def merge(self, accumulators):
        count = np.sum([a.count for a in accumulators])
        mean = np.add.reduce([a.mean * a.count for a in accumulators]) / count
        return self._create_accumulator(count, mean, np.add.reduce([a.count * (a.variance + np.square(a.mean - mean)) for a in accumulators]) / count)

    def extract(self, accumulator):
        return accumulator._asdict()

    def restore(self, output):
        count, mean, variance = (np.asarray(output[name]) for name in _Moments._fields)
        if count == 0 and (mean.any() or variance.any()):
            raise RuntimeError("The mean and/or variance of a Normalization preprocessing layer were set without also setting 'count'. If 'count' is not also set, or was set to 0, "
                               "'adapt' cannot be called unless the 'reset_state' arg is True.")
        return self._create_accumulator(count, mean, variance)

    def serialize(self, accumulator):
        return as_bytes(json.dumps({name: value.tolist() for name, value in accumulator._asdict().items()}))

    def deserialize(self, encoded_accumulator):
        return self.restore(json.loads(as_text(encoded_accumulator)))


class Normalization(CombinerPreprocessingLayer):
    """(inputs - mean) / variance, feature by feature, with the moments of the data given to adapt()."""

    _NormalizingCombiner = _NormalizingCombiner

    def __init__(self, axis=-1, dtype=None, **kwargs):
        super().__init__(combiner=_NormalizingCombiner(axis), dtype=dtype or backend.floatx(), **kwargs)
        if axis == 0:
            raise ValueError("The argument 'axis' may not be 0.")
        self.axis = axis

    def build(self, input_shape):
        sizes = [getattr(d, "value", d) for d in input_shape]
        axes = list(self.axis) if isinstance(self.axis, (tuple, list)) else [self.axis]
        self._wide = [1] * len(sizes)
        for axis in axes:
            self._wide[axis] = sizes[axis]
        shape = [sizes[axis] for axis in axes]
        zeros = initializers.zeros_initializer()
        self.mean = self._add_state_variable("mean", shape, backend.floatx(), initializer=zeros)
        self.variance = self._add_state_variable("variance", shape, backend.floatx(), initializer=zeros)
        self.count = self._add_state_variable("count", (), dtypes.int32, initializer=zeros)
        super().build(input_shape)

    def call(self, inputs):
        return (inputs - engine.reshape(self.mean, self._wide)) / engine.reshape(self.variance, self._wide)

    def compute_output_shape(self, input_shape):
        return input_shape

    def compute_output_signature(self, input_spec):
        return input_spec

    def get_config(self):
        return dict(super().get_config(), axis=self.axis)

    def set_weights(self, weights):
        """Sets mean, variance and count; the count may be missing."""
        super().set_weights(list(weights) + [np.array(0)] if len(weights) == 2 else weights)
