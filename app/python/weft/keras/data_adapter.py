"""tensorflow.python.keras.engine.data_adapter: data of any kind as data sets of batches."""

import inspect
import itertools
import math

import numpy as np

from .. import ops
from ..data.dataset import Dataset
from ..data.options import Options
from ..platform import tf_logging as logging
from ..type_spec import CompositeTensor
from ..util import nest
from ..engine import gather, ones
from .names import GeneratorEnqueuer, OrderedEnqueuer, Sequence

AUTOTUNE = -1


class DataAdapter:
    """Base. can_handle() says which data a class takes; get_dataset() gives them as batches for one epoch."""

    _size = _batch_size = _partial_batch_size = None
    _has_partial_batch = False

    @staticmethod
    def can_handle(x, y=None):
        raise NotImplementedError

    def __init__(self, x, y=None, **kwargs):
        if not self.can_handle(x, y):
            raise ValueError("{} Cannot handle input {}".format(self.__class__, x))

    def get_dataset(self):
        return self._dataset

    def get_size(self):
        """The number of batches, None if unknown."""
        return self._size

    def batch_size(self):
        return self._batch_size

    def has_partial_batch(self):
        """Whether the last batch is known to be smaller."""
        return self._has_partial_batch

    def partial_batch_size(self):
        return self._partial_batch_size

    def should_recreate_iterator(self, steps_per_epoch):
        return self.get_size() is not None or steps_per_epoch is None

    def _count(self, samples, batch_size, steps):
        """Sets the sizes for so many samples."""
        batch_size = batch_size or steps and int(math.ceil(samples / steps))
        if not batch_size:
            raise ValueError("`batch_size` or `steps` is required for `Tensor` or `NumPy` input data.")
        self._batch_size, self._size = batch_size, int(math.ceil(samples / batch_size))
        self._has_partial_batch = self._size != samples // batch_size
        self._partial_batch_size = samples - (self._size - 1) * batch_size if self._has_partial_batch else None


def _is_array(value):
    return isinstance(value, (ops.Tensor, np.ndarray))


def _is_composite(value):
    return isinstance(value, CompositeTensor) and not isinstance(value, Dataset)


def _flat(x, y):
    return nest.flatten(x) + (nest.flatten(y) if y is not None else [])


class TensorLikeDataAdapter(DataAdapter):
    """Arrays and tensors. The order of the samples of all epochs is drawn from NumPy's random numbers when it is made."""

    @staticmethod
    def can_handle(x, y=None):
        return all(map(_is_array, _flat(x, y)))

    def __init__(self, x, y=None, sample_weights=None, batch_size=None, epochs=1, steps=None, shuffle=False, **kwargs):
        super().__init__(x, y, **kwargs)
        inputs = _inputs(x, y, sample_weights)
        count = int(nest.flatten(inputs)[0].shape[0])
        self._count(count, batch_size, steps)
        order = None
        for _ in range(epochs):
            indices = np.arange(count)
            if shuffle:
                np.random.shuffle(indices)
            rows = self._batches_of(indices)
            order = rows if order is None else order.concatenate(rows)
        dataset = Dataset.zip((Dataset.from_tensors(inputs).repeat(), order)).map(
            lambda data, indices: nest.map_structure(lambda x: self._batch(x, indices, count), data), num_parallel_calls=AUTOTUNE)
        options = Options()
        options.experimental_optimization.apply_default_optimizations = False
        self._dataset = dataset.with_options(options)

    def _batches_of(self, indices):
        """The indices of each batch of an epoch."""
        full = len(indices) // self._batch_size * self._batch_size
        rows = Dataset.from_tensor_slices(indices[:full].reshape(-1, self._batch_size))
        return rows.concatenate(Dataset.from_tensors(indices[full:])) if full < len(indices) else rows

    def _batch(self, x, indices, count):
        made, sizes = gather(x, indices), x.shape.as_list()
        if not self._has_partial_batch:
            sizes[0] = self._batch_size
            made.set_shape(sizes)
        elif self._partial_batch_size >= count:
            sizes[0] = self._partial_batch_size
            made.set_shape(sizes)
        return made

    def should_recreate_iterator(self, _):
        return False


class CompositeTensorDataAdapter(DataAdapter):
    """Sparse and ragged tensors, also beside arrays and tensors."""

    @staticmethod
    def can_handle(x, y=None):
        flat = _flat(x, y)
        return any(map(_is_composite, flat)) and all(_is_array(v) or _is_composite(v) for v in flat)

    def __init__(self, x, y=None, sample_weights=None, batch_size=None, steps=None, shuffle=False, **kwargs):
        super().__init__(x, y, **kwargs)
        inputs = _inputs(x, y, sample_weights)
        count = int(nest.flatten(inputs)[0].shape[0])
        self._count(count, batch_size, steps)
        dataset = Dataset.from_tensor_slices(inputs)
        self._dataset = (dataset.shuffle(count) if shuffle else dataset).batch(self._batch_size)


class ListsOfScalarsDataAdapter(DataAdapter):
    """Lists of numbers or text, and lists of such lists."""

    @staticmethod
    def can_handle(x, y=None):
        return _is_list_of_scalars(x) and (y is None or _is_list_of_scalars(y))

    def __init__(self, x, y=None, sample_weights=None, batch_size=None, shuffle=False, **kwargs):
        super().__init__(x, y, **kwargs)
        x, y, sample_weights = (None if v is None else np.asarray(v) for v in (x, y, sample_weights))
        inner = TensorLikeDataAdapter(x, y=y, sample_weights=sample_weights, batch_size=batch_size, shuffle=shuffle, **kwargs)
        for name in ("_dataset", "_size", "_batch_size", "_has_partial_batch", "_partial_batch_size"):
            setattr(self, name, getattr(inner, name))


def _is_list_of_scalars(x):
    return isinstance(x, (float, int, str)) or isinstance(x, (list, tuple)) and bool(x) and _is_list_of_scalars(x[0])


class _Whole(DataAdapter):
    """Base of adapters for data that contain targets and weights already."""

    _kind = None

    def __init__(self, x, y=None, sample_weights=None, **kwargs):
        super().__init__(x, y, **kwargs)
        for name, given in (("y", y), ("sample_weight", sample_weights)):
            if not is_none_or_empty(given):
                raise ValueError("`%s` argument is not supported when using %s as input." % (name, self._kind))


class DatasetAdapter(_Whole):
    """Data sets, which are in batches already."""

    _kind = "dataset"

    @staticmethod
    def can_handle(x, y=None):
        return isinstance(x, Dataset)

    def __init__(self, x, y=None, sample_weights=None, **kwargs):
        super().__init__(x, y, sample_weights, **kwargs)
        self._dataset = x


class GeneratorDataAdapter(_Whole):
    """Generators of batches. The first batch says the types and shapes of all."""

    _kind = "python generator"

    @staticmethod
    def can_handle(x, y=None):
        return inspect.isgenerator(x)

    def __init__(self, x, y=None, sample_weights=None, workers=1, use_multiprocessing=False, max_queue_size=10, **kwargs):
        super().__init__(x, y, sample_weights, **kwargs)
        first = next(x)
        if workers > 0 and use_multiprocessing:
            logging.warning(UserWarning("Using a generator with `use_multiprocessing=True` and multiple workers may duplicate your data. Please consider using the "
                                        "`tf.data.Dataset`."))

        def batches():
            return _queued(GeneratorEnqueuer(itertools.chain([first], x), use_multiprocessing=use_multiprocessing), workers, max_queue_size) if workers > 0 else itertools.chain([first], x)

        self._batch_size = int(nest.flatten(first)[0].shape[0])
        self._dataset = _generated(batches, first)


class KerasSequenceAdapter(_Whole):
    """keras.utils.Sequence."""

    _kind = "`keras.utils.Sequence`"

    @staticmethod
    def can_handle(x, y=None):
        return isinstance(x, Sequence)

    def __init__(self, x, y=None, sample_weights=None, shuffle=False, workers=1, use_multiprocessing=False, max_queue_size=10, **kwargs):
        super().__init__(x, y, sample_weights, **kwargs)
        first = x[0]

        def batches():
            return _queued(OrderedEnqueuer(x, use_multiprocessing=use_multiprocessing), workers, max_queue_size) if workers > 0 else (x[i] for i in range(len(x)))

        dataset = _generated(batches, first)
        self._dataset = dataset.shuffle(len(x)) if shuffle else dataset
        self._size, self._batch_size = len(x), int(nest.flatten(first)[0].shape[0])


def _queued(enqueuer, workers, max_queue_size):
    enqueuer.start(workers=workers, max_queue_size=max_queue_size)
    return enqueuer.get()


def _generated(batches, first):
    return Dataset.from_generator(batches, nest.map_structure(lambda t: t.dtype, first), output_shapes=nest.map_structure(lambda t: t.shape, first))


ALL_ADAPTER_CLS = [ListsOfScalarsDataAdapter, TensorLikeDataAdapter, DatasetAdapter, GeneratorDataAdapter, KerasSequenceAdapter, CompositeTensorDataAdapter]


def select_data_adapter(x, y):
    """The class that takes such data; ValueError if none does."""
    found = [cls for cls in ALL_ADAPTER_CLS if cls.can_handle(x, y)]
    if not found:
        raise ValueError("Failed to find data adapter that can handle input: {}, {}".format(_type_name(x), _type_name(y)))
    if len(found) > 1:
        raise RuntimeError("Data adapters should be mutually exclusive for handling inputs. Found multiple adapters {} to handle input: {}, {}".format(
            found, _type_name(x), _type_name(y)))
    return found[0]


def _type_name(x):
    if isinstance(x, dict):
        return "({} containing {} keys and {} values)".format(type(x), {_type_name(k) for k in x}, {_type_name(v) for v in x.values()})
    if isinstance(x, (list, tuple)):
        return "({} containing values of types {})".format(type(x), {_type_name(v) for v in x})
    return str(type(x))


def _inputs(x, y, sample_weights):
    """(x,), (x, y) or (x, y, sample weights), as an element of a data set."""
    x, y, weights = map(_process_numpy_inputs, (x, y, sample_weights))
    if isinstance(weights, tuple) and any(w is None for w in weights):
        known = next(w for w in weights if w is not None)
        weights = tuple(ones((known.shape[0],)) if w is None else w for w in weights)
    return (x,) if y is None else (x, y) if weights is None else (x, y, weights)


def _process_numpy_inputs(inputs):
    if is_none_or_empty(inputs):
        return None
    flat = nest.flatten(inputs)
    if len(flat) == 1:
        return flat[0]
    made = nest.map_structure(lambda v: ops.convert_to_tensor(v) if isinstance(v, np.ndarray) else v, inputs)
    return tuple(made) if isinstance(made, list) else made


def is_none_or_empty(inputs):
    return inputs is None or not nest.flatten(inputs)
