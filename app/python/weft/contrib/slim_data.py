"""tf.contrib.slim: data sets of records, parallel reading, and decoded items."""

import abc

from .. import basics, dtypes, engine, ops
from ..data.file_readers import ReaderBase
from ..data.queues import FIFOQueue, PaddingFIFOQueue, RandomShuffleQueue
from ..dtypes import string
from ..exports import export
from ..platform.gfile import Glob
from ..summaries import ops as summary
from ..training.input import string_input_producer
from ..training.queue_runner import QueueRunner, add_queue_runner


@export("contrib.slim.dataset.Dataset")
class Dataset:
    """The description of a data set: sources, reader, decoder, number of records, and further attributes by name."""

    def __init__(self, data_sources, reader, decoder, num_samples, items_to_descriptions, **kwargs):
        self.__dict__.update(kwargs, data_sources=data_sources, reader=reader, decoder=decoder, num_samples=num_samples, items_to_descriptions=items_to_descriptions)


@export("contrib.slim.data_decoder.DataDecoder")
class DataDecoder(metaclass=abc.ABCMeta):
    """Base of decoders: a record becomes tensors by name."""

    @abc.abstractmethod
    def decode(self, data, items):
        """The tensors of the items, in their order."""

    @abc.abstractmethod
    def list_items(self):
        """The names of the items."""


@export("contrib.slim.data_provider.DataProvider")
class DataProvider(metaclass=abc.ABCMeta):
    """Tensors by the names of items."""

    def __init__(self, items_to_tensors, num_samples):
        self._items_to_tensors, self._num_samples = items_to_tensors, num_samples

    def get(self, items):
        if not isinstance(items, (list, tuple)):
            raise ValueError("items must be a list or tuple")
        for item in items:
            if item not in self._items_to_tensors:
                raise ValueError("Item [%s] is invalid. Valid entries include: %s" % (item, self.list_items()))
        return [self._items_to_tensors[item] for item in items]

    def list_items(self):
        return self._items_to_tensors.keys()

    def num_samples(self):
        return self._num_samples


def _fullness(queue, capacity):
    summary.scalar("fraction_of_%d_full" % capacity, basics.cast(queue.size(), dtypes.float32) * (1.0 / capacity))


@export("contrib.slim.parallel_reader.ParallelReader")
class ParallelReader(ReaderBase):
    """Several readers that fill one queue. It is not a graph reader, so it has no reader_ref."""

    def __init__(self, reader_class, common_queue, num_readers=4, reader_kwargs=None):
        types = common_queue.dtypes
        if len(types) != 2 or not all(t.is_compatible_with(string) for t in types):
            raise TypeError("common_queue.dtypes must be [tf.string, tf.string]")
        self._readers = [reader_class(**(reader_kwargs or {})) for _ in range(num_readers)]
        self._common_queue = common_queue

    @property
    def num_readers(self):
        return len(self._readers)

    @property
    def common_queue(self):
        return self._common_queue

    def _fill_from(self, queue):
        add_queue_runner(QueueRunner(self._common_queue, [self._common_queue.enqueue(r.read(queue)) for r in self._readers]))

    def read(self, queue, name=None):
        self._fill_from(queue)
        return self._common_queue.dequeue(name=name)

    def read_up_to(self, queue, num_records, name=None):
        self._fill_from(queue)
        return self._common_queue.dequeue_up_to(num_records, name)

    def num_records_produced(self, name=None):
        return engine.add_n([r.num_records_produced() for r in self._readers], name=name)

    def num_work_units_completed(self, name=None):
        return engine.add_n([r.num_work_units_completed() for r in self._readers], name=name)


@export("contrib.slim.parallel_reader.get_data_files")
def get_data_files(data_sources):
    """The files that match a path, a pattern, or a list of them."""
    if isinstance(data_sources, (list, tuple)):
        files = [f for source in data_sources for f in get_data_files(source)]
    else:
        files = Glob(data_sources) if any(c in data_sources for c in "*?[") else [data_sources]
    if not files:
        raise ValueError("No data files found in %s" % (data_sources,))
    return files


@export("contrib.slim.parallel_reader.parallel_read")
def parallel_read(data_sources, reader_class, num_epochs=None, num_readers=4, reader_kwargs=None, shuffle=True, dtypes=None, capacity=256, min_after_dequeue=128, seed=None,
                  scope=None):
    """(Key, record) from files that several readers read in parallel."""
    files = get_data_files(data_sources)
    with ops.name_scope(scope, "parallel_read"):
        names = string_input_producer(files, num_epochs=num_epochs, shuffle=shuffle, seed=seed, name="filenames")
        types = dtypes or [string, string]
        if shuffle:
            queue = RandomShuffleQueue(capacity=capacity, min_after_dequeue=min_after_dequeue, dtypes=types, seed=seed, name="common_queue")
        else:
            queue = FIFOQueue(capacity=capacity, dtypes=types, name="common_queue")
        _fullness(queue, capacity)
        return ParallelReader(reader_class, queue, num_readers=num_readers, reader_kwargs=reader_kwargs).read(names)


@export("contrib.slim.parallel_reader.single_pass_read")
def single_pass_read(data_sources, reader_class, reader_kwargs=None, scope=None):
    """(Key, record) from files that one reader reads once, in order."""
    files = get_data_files(data_sources)
    with ops.name_scope(scope, "single_pass_read"):
        names = string_input_producer(files, num_epochs=1, shuffle=False, capacity=1, name="filenames")
        return reader_class(**(reader_kwargs or {})).read(names)


@export("contrib.slim.dataset_data_provider.DatasetDataProvider")
class DatasetDataProvider(DataProvider):
    """The items of a Dataset, and the key of their record."""

    def __init__(self, dataset, num_readers=1, reader_kwargs=None, shuffle=True, num_epochs=None, common_queue_capacity=256, common_queue_min=128, record_key="record_key", seed=None,
                 scope=None):
        key, record = parallel_read(dataset.data_sources, reader_class=dataset.reader, num_epochs=num_epochs, num_readers=num_readers, reader_kwargs=reader_kwargs, shuffle=shuffle,
                                    capacity=common_queue_capacity, min_after_dequeue=common_queue_min, seed=seed, scope=scope)
        items = dataset.decoder.list_items()
        found = dict(zip(items, dataset.decoder.decode(record, items)))
        if record_key in found:
            raise ValueError("The item name used for `record_key` cannot also be used for a dataset item: %s", record_key)
        found[record_key] = key
        super().__init__(items_to_tensors=found, num_samples=dataset.num_samples)


@export("contrib.slim.prefetch_queue.prefetch_queue")
def prefetch_queue(tensors, capacity=8, num_threads=1, dynamic_pad=False, shared_name=None, name=None):
    """A queue that is filled repeatedly with the tensors; a dictionary gives named components."""
    names = sorted(tensors) if isinstance(tensors, dict) else None
    flat = [tensors[n] for n in names] if names is not None else tensors
    with ops.name_scope(name, "prefetch_queue", flat):
        kind = PaddingFIFOQueue if dynamic_pad else FIFOQueue
        queue = kind(capacity=capacity, dtypes=[t.dtype for t in flat], shapes=[t.get_shape() for t in flat], names=names, shared_name=shared_name)
        add_queue_runner(QueueRunner(queue, [queue.enqueue(tensors)] * num_threads))
        _fullness(queue, capacity)
        return queue
