"""What a loop over batches adds up: losses and metrics, or the outputs of the model (tensorflow.python.keras.engine.training_utils)."""

import multiprocessing.pool
import threading
import time

import numpy as np

from ..internals.composite_tensors import append_composite_tensor, is_composite_or_composite_value
from ..util import nest

_COPY_THREADS = 4


class _Pool:
    """Threads, which are made on first use."""

    _pool = None

    def apply_async(self, func, *args, **kwargs):
        if self._pool is None:
            self._pool = multiprocessing.pool.ThreadPool(_COPY_THREADS)
        return self._pool.apply_async(func, *args, **kwargs)


_COPY_POOL = _Pool()


def get_copy_pool():
    """The threads that copy large batches."""
    return _COPY_POOL


class Aggregator:
    """Base: create() sees the first batch, aggregate() every batch, finalize() completes `results`."""

    def __init__(self, use_steps, num_samples=None, steps=None, batch_size=None):
        self.use_steps, self.num_samples, self.steps, self.batch_size, self.results = use_steps, num_samples, steps, batch_size, []

    def create(self, batch_outs):
        raise NotImplementedError("Must be implemented in subclasses.")

    def aggregate(self, batch_outs, batch_start=None, batch_end=None):
        raise NotImplementedError("Must be implemented in subclasses.")

    def finalize(self):
        raise NotImplementedError("Must be implemented in subclasses.")


class MetricsAggregator(Aggregator):
    """The mean of the losses, each weighted by the samples of its batch; metrics add up batches themselves."""

    def __init__(self, use_steps, num_samples=None, steps=None):
        super().__init__(use_steps, num_samples, steps)

    def create(self, batch_outs):
        self.results = [0.] * len(batch_outs)

    def aggregate(self, batch_outs, batch_start=None, batch_end=None):
        self.results[0] += batch_outs[0] if self.use_steps else batch_outs[0] * (batch_end - batch_start)
        self.results[1:] = batch_outs[1:]

    def finalize(self):
        if not self.results:
            raise ValueError("Empty training data.")
        self.results[0] /= self.num_samples or self.steps


class ConcatAggregator(Aggregator):
    """Joins the values of one output when all are known. The value of a single batch is not copied."""

    def __init__(self, batch_size):
        super().__init__(True, batch_size=batch_size)
        self.composite = None

    def create(self, batch_element):
        self.composite = is_composite_or_composite_value(batch_element)

    def aggregate(self, batch_element, batch_start=None, batch_end=None):
        if self.batch_size and self.batch_size < batch_element.shape[0]:
            raise _wrong_size(batch_element, (self.batch_size,) + batch_element.shape[1:])
        self.results.append(batch_element)

    def finalize(self):
        if self.composite:
            joined = self.results[0]
            for more in self.results[1:]:
                joined = append_composite_tensor(joined, more)
            self.results = joined
        else:
            self.results = self.results[0] if len(self.results) == 1 else np.concatenate(self.results, axis=0)
        if getattr(self.results, "_is_eager", False):
            self.results = self.results.numpy()


class SliceAggregator(Aggregator):
    """Writes the values of one output into an array for all samples. Large ones are written by threads; their errors are raised later, at the latest by finalize()."""

    _BINARY_SIZE_THRESHOLD = 2 ** 14
    _MAX_COPY_SECONDS = 300

    def __init__(self, num_samples, batch_size):
        super().__init__(False, num_samples, batch_size=batch_size)
        self._copies, self._pool, self._errors = [], get_copy_pool(), []

    def create(self, batch_element):
        dtype = batch_element.dtype
        self.results = np.empty((self.num_samples,) + tuple(batch_element.shape[1:]), getattr(dtype, "as_numpy_dtype", dtype))

    def aggregate(self, batch_element, batch_start, batch_end):
        if self._errors:
            raise self._errors[0]
        if batch_end - batch_start == self.num_samples:
            if self.num_samples != batch_element.shape[0]:
                raise _wrong_size(batch_element, self.results.shape)
            self.results = batch_element
        elif np.prod(batch_element.shape) < self._BINARY_SIZE_THRESHOLD:
            self.results[batch_start:batch_end] = batch_element
        else:
            done = threading.Event()
            self._pool.apply_async(self._slice_assign, args=(batch_element, batch_start, batch_end, done))
            self._copies.append(done)

    def _slice_assign(self, batch_element, batch_start, batch_end, is_finished):
        try:
            self.results[batch_start:batch_end] = batch_element
        except Exception as e:
            self._errors.append(e)
        finally:
            is_finished.set()

    def finalize(self):
        last = time.time() + self._MAX_COPY_SECONDS
        for done in self._copies:
            if not done.wait(max(0., last - time.time())):
                raise ValueError("Timed out waiting for copy to complete.")
        if self._errors:
            raise self._errors[0]


class OutputsAggregator(Aggregator):
    """The outputs of all batches, in the structure of those of the first batch."""

    _structure = None

    def create(self, batch_outs):
        self._structure = nest.get_traverse_shallow_structure(lambda x: not is_composite_or_composite_value(x), batch_outs)
        for value in nest.flatten_up_to(self._structure, batch_outs):
            if not is_composite_or_composite_value(value) and not isinstance(value, (np.ndarray, np.generic)) and not getattr(value, "_is_eager", False):
                raise RuntimeError("Attempted to aggregate unsupported object {}.".format(value))
            joins = self.use_steps or is_composite_or_composite_value(value)
            self.results.append(ConcatAggregator(self.batch_size) if joins else SliceAggregator(self.num_samples, self.batch_size))
            self.results[-1].create(value)

    def aggregate(self, batch_outs, batch_start=None, batch_end=None):
        for value, result in zip(nest.flatten_up_to(self._structure, batch_outs), self.results):
            result.aggregate(value, batch_start, batch_end)

    def finalize(self):
        if self._structure is None:
            raise ValueError("There are no samples to predict anything for.")
        for result in self.results:
            result.finalize()
        self.results = nest.pack_sequence_as(self._structure, [result.results for result in self.results])


def _wrong_size(value, expected):
    return ValueError("Mismatch between expected batch size and model output batch size. Output shape = {}, expected output shape = shape {}".format(value.shape, tuple(expected)))
