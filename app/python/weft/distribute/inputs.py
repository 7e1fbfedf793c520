"""Data sets for the replicas of a strategy: each replica gets an element of its own in each step."""

import enum

import numpy as np

from .. import dtypes, engine, ops, variable_base
from ..control_flow import group
from ..data import structure
from ..data.dataset import Dataset
from ..data.dataset_functions import StructuredFunction
from ..data.iterators import _variant_ops, make_initializable_iterator
from ..data.options import Options
from ..data.structure import flat
from ..exports import export
from ..tensor_shape import TensorShape
from ..util import nest
from . import devices
from .values import regroup


@export("distribute.InputReplicationMode")
class InputReplicationMode(enum.Enum):
    """Which parts of a program get an input pipeline of their own."""

    PER_WORKER = "PER_WORKER"


@export("distribute.InputContext")
class InputContext:
    """What an input_fn knows about the replicas that it serves."""

    def __init__(self, num_input_pipelines=1, input_pipeline_id=0, num_replicas_in_sync=1):
        self._pipelines, self._id, self._replicas = num_input_pipelines, input_pipeline_id, num_replicas_in_sync

    num_replicas_in_sync = property(lambda self: self._replicas)
    input_pipeline_id = property(lambda self: self._id)
    num_input_pipelines = property(lambda self: self._pipelines)

    def get_per_replica_batch_size(self, global_batch_size):
        """The batch size of a replica; ValueError if the replicas would differ."""
        if global_batch_size % self._replicas:
            raise ValueError("The `global_batch_size` %r is not divisible by `num_replicas_in_sync` %r " % (global_batch_size, self._replicas))
        return global_batch_size // self._replicas


class DefaultIterator:
    """The iterator of the default strategy."""

    def __init__(self, dataset):
        self._iterator = make_initializable_iterator(dataset)

    def get_next(self):
        return self._iterator.get_next()

    def initialize(self):
        """The operations that start the iteration."""
        return [self._iterator.initializer]


class _ShardedIterator:
    """An iterator for each device, which share the elements of a data set: the first goes to the first device, the next to the second, and so on."""

    def __init__(self, dataset, places):
        options = Options()
        options.experimental_distribute.num_devices = len(places)
        self._dataset = dataset.with_options(options)._apply_options()
        self._places = places
        spec = flat(self._dataset.element_spec)
        source = ops.convert_to_tensor("/cpu:0")
        with ops.device("/cpu:0"):
            self._shared = engine.raw_ops.MultiDeviceIterator(devices=list(places), shared_name="", container="", **spec)
            self._run = engine.raw_ops.MultiDeviceIteratorInit(dataset=self._dataset._variant_tensor, multi_device_iterator=self._shared, max_buffer_size=1)
        functions = []
        for i, place in enumerate(places):
            with ops.device(place):
                functions.append(self._functions(i, source, spec))
                self._generator(functions[i], spec)
        self._iterators = []
        for i, place in enumerate(places):
            with ops.device(place):
                self._iterators.append(self._iterator(functions[i], spec))
        self.initializer = group(*[it.initializer for it in self._iterators])

    def _functions(self, shard, source, spec):
        """The functions of a data set that takes one device's elements."""
        handle = engine.raw_ops.MultiDeviceIteratorToStringHandle(multi_device_iterator=self._shared)
        text = structure.TensorSpec([], dtypes.string)

        def begin():
            _captured(source)
            return engine.identity(_captured(handle))

        def advance(handle):
            _captured(source)
            shared = engine.raw_ops.MultiDeviceIteratorFromStringHandle(string_handle=handle, **spec)
            got = engine.raw_ops.MultiDeviceIteratorGetNextFromShard(multi_device_iterator=shared, shard_num=shard, incarnation_id=_captured(self._run), **spec)
            return tuple(got) if isinstance(got, (list, tuple)) else got

        def end(handle):
            _captured(source)
            return ops.constant(0, dtypes.int64)

        return [StructuredFunction(f, "MultiDeviceIterator()", given) for f, given in ((begin, ()), (advance, text), (end, text))]

    def _generator(self, functions, spec):
        begin, advance, end = functions
        return engine.raw_ops.GeneratorDataset(
            init_func_other_args=begin.captured_inputs, next_func_other_args=advance.captured_inputs, finalize_func_other_args=end.captured_inputs,
            init_func=begin, next_func=advance, finalize_func=end, **spec)

    def _iterator(self, functions, spec):
        options = Options()
        options.experimental_optimization.apply_default_optimizations = False
        options.experimental_optimization.autotune = False
        made = Dataset(self._generator(functions, spec), self._dataset.element_spec).prefetch(1)
        return make_initializable_iterator(made.with_options(options))

    def next_of_each(self):
        """The next element of each device."""
        elements = []
        for it, place in zip(self._iterators, self._places):
            with ops.device(place):
                elements.append(it.get_next())
        return elements

    output_types = property(lambda self: self._dataset.output_types)
    output_shapes = property(lambda self: self._dataset.output_shapes)
    output_classes = property(lambda self: self._dataset.output_classes)


def _captured(tensor):
    """A tensor of the outer graph as an input of the function that is being built."""
    return ops.get_default_graph().capture(tensor)


class _CalledFunction:
    """An input function that returns the next element; called for each device."""

    def __init__(self, function, places):
        self._function, self._places = function, places
        self.initializer = None

    def next_of_each(self):
        return [self._function() for _ in self._places]


class DistributedIterator:
    """An iterator that gives each replica an element of its own."""

    def __init__(self, device_map, host, source):
        self._device_map, self._host, self._source = device_map, host, source

    def get_next(self, name=None):
        """The next elements, one for each replica."""
        with ops.device(self._host):
            elements = self._source.next_of_each()
        return regroup(self._device_map, elements)

    def initialize(self):
        """The operation that starts the iteration."""
        return group(*([] if self._source.initializer is None else [self._source.initializer]))

    initializer = property(lambda self: self.initialize())
    output_types = property(lambda self: self._source.output_types)
    output_shapes = property(lambda self: self._source.output_shapes)
    output_classes = property(lambda self: self._source.output_classes)


def _split(dataset, replicas):
    """The data set with each batch split into one for each replica."""
    def smaller(spec):
        shape = spec._to_legacy_output_shapes()
        if shape.ndims is None:
            return spec
        if shape.ndims < 1:
            raise ValueError("Input shape should have at least one dimension. Perhaps your input dataset is not batched?")
        sizes = shape.as_list()
        batch = sizes[0] // replicas if sizes[0] is not None and sizes[0] % replicas == 0 else None
        return type(spec)(TensorShape([batch] + sizes[1:]), spec._to_legacy_output_types())

    return dataset._made("RebatchDataset", structure.map_structure(smaller, dataset.element_spec), num_replicas=replicas).prefetch(replicas)


def _copied(dataset):
    """The data set made anew on the current device, with the same functions."""
    graph, ours, copies = ops.get_default_graph(), _variant_ops(dataset), {}

    def copy(op):
        if op not in copies:
            inputs = [copy(t.op).outputs[t.value_index] if t.op in ours else t for t in op.inputs]
            copies[op] = graph.create_op(op.type, inputs, None, name=op.name, attrs=dict(op.node_def.attr))
        return copies[op]

    for op in sorted(ours, key=lambda op: op._id):
        copy(op)
    return Dataset(copies[dataset._variant_tensor.op].outputs[0], dataset.element_spec, [dataset], options=dataset.options())


def _stateless(dataset):
    options = Options()
    options.experimental_distribute._make_stateless = True
    return dataset.with_options(options)


class _Distributed:
    """A data set for replicas. Iterators over it need to be initialized."""

    def __init__(self, device_map, host):
        self._device_map = device_map
        self._host = devices.canonicalize("/device:CPU:0") if host is None else host

    def __iter__(self):
        raise RuntimeError("__iter__() is only supported inside of tf.function or when eager execution is enabled.")

    def make_one_shot_iterator(self):
        raise ValueError("Cannot create a one shot iterator. Please use `make_initializable_iterator()` instead.")

    _make_one_shot_iterator = make_one_shot_iterator

    def make_initializable_iterator(self):
        """An iterator that gives each replica an element of its own."""
        return self._make_initializable_iterator()

    def _over(self, dataset):
        return DistributedIterator(self._device_map, self._host, _ShardedIterator(dataset, self._device_map.devices))


class DistributedDataset(_Distributed):
    """A data set whose batches are split into `split` parts, one for each replica; None: each replica gets a whole batch."""

    def __init__(self, dataset, device_map, split, host=None):
        super().__init__(device_map, host)
        if split:
            dataset = _split(dataset, split)
        dataset = _stateless(dataset)
        with ops.device(self._host):
            self._dataset = _copied(dataset)._made("AutoShardDataset", num_workers=1, index=0)
        self.element_spec = dataset.element_spec

    def _make_initializable_iterator(self, shared_name=None):
        with ops.device(self._host):
            return self._over(self._dataset)


class DistributedDatasetFromFunction(_Distributed):
    """The data set that dataset_fn(InputContext) returns; each replica gets a whole element."""

    def __init__(self, dataset_fn, device_map, context, host=None):
        super().__init__(device_map, host)
        self._function, self._context = dataset_fn, context

    def _make_initializable_iterator(self, shared_name=None):
        with ops.device(self._host):
            return self._over(_stateless(self._function(self._context)))


def from_input_fn(input_fn, device_map, context, host=None):
    """An iterator over the data set, or over the calls of the function, that input_fn(InputContext) returns."""
    host = devices.canonicalize("/device:CPU:0") if host is None else host
    with ops.device(host):
        result = input_fn(context)
        if isinstance(result, Dataset):
            source = _ShardedIterator(result, device_map.devices)
        elif callable(result):
            source = _CalledFunction(result, device_map.devices)
        else:
            raise ValueError("input_fn must return a tf.data.Dataset or a callable.")
    return DistributedIterator(device_map, host, source)


class Host:
    """Says that a variable goes to one device and is no variable of the replicas."""

    def __init__(self, device):
        self.device = device


def one_host_numpy_dataset(numpy_input, host, session):
    """The rows of arrays, which are kept in variables on the host."""
    def beside(next_creator, **kwargs):
        return next_creator(**dict(kwargs, colocate_with=host))

    with variable_base.variable_creator_scope(beside):
        return make_numpy_variables(numpy_input, session, None)


_BYTES_PER_STEP = 64 << 20


def make_numpy_variables(numpy_input, session, use_resource):
    """A data set of the rows of arrays in variables, which are filled in parts so that no step feeds much."""
    arrays = [np.asarray(a) for a in nest.flatten(numpy_input)]
    variables = [variable_base.Variable(engine.zeros(a.shape, dtypes.as_dtype(a.dtype)), trainable=False, use_resource=use_resource) for a in arrays]
    for variable, array in zip(variables, arrays):
        if session is None:
            raise ValueError("experimental_make_numpy_dataset() needs a session, in which it fills variables with the arrays")
        with ops.init_scope():
            session.run(variable.initializer)
            begin, end = engine.placeholder(dtypes.int64, ()), engine.placeholder(dtypes.int64, ())
            rows = engine.placeholder(variable.dtype.base_dtype)
            assign = variable[begin:end].assign(rows)
            count = max(1, int(np.ceil(_BYTES_PER_STEP / max(1, array[:1].nbytes))))
            for at in range(0, len(array), count):
                session.run(assign, {begin: at, end: min(at + count, len(array)), rows: array[at:at + count]})
    return Dataset.from_tensor_slices(nest.pack_sequence_as(numpy_input, variables))
