"""tf.data.Dataset: pipelines of elements."""

import numpy as np

from .. import basics, dtypes, engine, ops, settings
from ..control_flow import Assert
from ..exports import export, export_value
from ..sparse_tensor import SparseTensor
from ..tensor_shape import Dimension, TensorShape
from . import iterators, structure
from .dataset_functions import StructuredFunction, steady
from .generators import from_generator
from .options import Options
from .padding import padded_batch
from .structure import DatasetSpec, flat, TensorSpec

AUTOTUNE = export_value(-1, "data.experimental.AUTOTUNE", "contrib.data.AUTOTUNE")

iterate = None  # what iter() of a data set gives while execution is eager (eager/iteration.py)


def int64(value, name):
    return ops.convert_to_tensor(value, dtype=dtypes.int64, name=name)


def seeds(seed):
    """The two seed tensors of a shuffling data set."""
    seed, seed2 = ops.get_seed(seed)
    seed = int64(0 if seed is None else seed, "seed")
    if seed2 is None:
        return seed, int64(0, "seed2")
    with ops.name_scope("seed2") as scope:
        seed2 = ops.convert_to_tensor(seed2, dtype=dtypes.int64)
        both = engine.logical_and(engine.equal(seed, 0), engine.equal(seed2, 0))
        return seed, engine.where(both, ops.constant(2 ** 31 - 1, dtype=dtypes.int64), seed2, name=scope)


def _by_op(op, spec, inputs=(), functions=(), **arguments):
    """The data set that an op makes."""
    made = Dataset(getattr(engine.raw_ops, op)(**arguments), spec, inputs, functions)
    made._op = op
    return made


@export("data.Dataset", "compat.v2.data.Dataset")
class Dataset:
    """Elements of one structure, produced when an iterator requests them. `variant`: the tensor that represents the data set."""

    def __init__(self, variant_tensor, element_spec=None, inputs=(), functions=(), options=None):
        self._variant_tensor, self._element_spec = variant_tensor, element_spec
        self._from, self._uses, self._own_options = list(inputs), list(functions), options
        self._graph = ops.get_default_graph()

    @staticmethod
    def _of_variant(variant, element_spec):
        return Dataset(variant, element_spec)

    # Properties.
    _op = None  # the name of the op that made the variant; while execution is eager the tensor does not tell
    element_spec = property(lambda self: self._element_spec)
    _type_spec = property(lambda self: DatasetSpec(self.element_spec))
    output_types = property(lambda self: structure.legacy_types(self.element_spec))
    output_shapes = property(lambda self: structure.legacy_shapes(self.element_spec))
    output_classes = property(lambda self: structure.legacy_classes(self.element_spec))
    _flat_shapes = property(lambda self: structure.get_flat_tensor_shapes(self.element_spec))
    _flat_structure = property(lambda self: flat(self.element_spec))
    _flat_types = property(lambda self: structure.get_flat_tensor_types(self.element_spec))

    def _inputs(self):
        return self._from

    def _functions(self):
        return self._uses

    def _kind(self):
        """The name of the op that makes it."""
        return self._op or (type(self).__name__ if getattr(self._variant_tensor, "_is_eager", False) else self._variant_tensor.op.type)

    def _as_variant_tensor(self):
        return self._variant_tensor

    def __repr__(self):
        shapes = str(structure.map_structure(str, self.output_shapes)).replace("'", "")
        types = str(structure.map_structure(repr, self.output_types)).replace("'", "")
        return "<DatasetV1Adapter shapes: %s, types: %s>" % (shapes, types)

    def __iter__(self):
        return iterate(self)

    def options(self):
        """The options of this data set and of all its inputs."""
        result = Options()
        for source in self._from:
            result = result.merge(source.options())
        return result if self._own_options is None else result.merge(self._own_options)

    def with_options(self, options):
        made = Dataset(self._variant_tensor, self.element_spec, [self], options=options)
        made._op = "_OptionsDataset"
        made.options()  # ValueError if they contradict those of the inputs
        return made

    def _reads_reference(self):
        return any(f.captures_reference() for f in self._uses) or any(d._reads_reference() for d in self._from)

    def _made(self, op, spec=None, functions=(), inputs=None, **more):
        """A data set made by an op whose first input is this one."""
        spec = self.element_spec if spec is None else spec
        return _by_op(op, spec, [self] if inputs is None else inputs, functions, input_dataset=self._variant_tensor, **more, **flat(spec))

    def _apply_options(self):
        """This data set with the ops that optimize and tune the pipeline."""
        dataset, options = self, self.options()
        stats, spread = options.experimental_stats, options.experimental_distribute
        settings.unused("tf.data.Options", "statistics have no counters", **{"experimental_stats.counter_prefix": (stats.counter_prefix, None, "")})
        settings.unused("tf.data.Options", "data sets are not spread over tasks", **{"experimental_distribute." + name: (getattr(spread, name), None) for name in ("auto_shard",)})
        threading_options = options.experimental_threading
        if threading_options.max_intra_op_parallelism is not None:
            dataset = dataset._made("MaxIntraOpParallelismDataset", max_intra_op_parallelism=int64(threading_options.max_intra_op_parallelism, "max_intra_op_parallelism"))
        if threading_options.private_threadpool_size is not None:
            dataset = dataset._made("PrivateThreadPoolDataset", num_threads=int64(threading_options.private_threadpool_size, "num_threads"))
        rewritings = options._static_optimizations()
        if rewritings:
            if self._reads_reference():
                import warnings

                warnings.warn("tf.data static optimizations are not compatible with tf.Variable. The following optimizations will be disabled: %s. To enable "
                              "optimizations, use resource variables instead by calling `tf.enable_resource_variables()` at the start of the program." % ", ".join(rewritings))
            else:
                names = ops.convert_to_tensor(rewritings, dtype=dtypes.string, name="optimizations")
                dataset = dataset._made("OptimizeDataset", optimizations=names, optimization_configs=options._static_optimization_configs())
        tuning = options.experimental_optimization
        if tuning.autotune is not False:
            dataset = dataset._made("ModelDataset", algorithm=tuning.autotune_algorithm or 0, cpu_budget=tuning.autotune_cpu_budget or 0)
        if stats.aggregator:
            dataset = dataset._made("SetStatsAggregatorDataset", stats_aggregator=stats.aggregator._resource, tag=stats.prefix, counter_prefix=stats.counter_prefix)
        return dataset

    # Sources.
    @staticmethod
    def from_tensors(tensors):
        """One element."""
        element = structure.normalize_element(tensors)
        spec = structure.type_spec_from_value(element)
        return _by_op("TensorDataset", spec, components=structure.to_tensor_list(spec, element), output_shapes=structure.get_flat_tensor_shapes(spec))

    @staticmethod
    def from_tensor_slices(tensors):
        """The rows of tensors."""
        element = structure.normalize_element(tensors)
        batched = structure.type_spec_from_value(element)
        components = structure.to_batched_tensor_list(batched, element)
        spec = structure.map_structure(lambda s: s._unbatch(), batched)
        rows = Dimension(components[0].get_shape()[0])
        for t in components[1:]:
            rows.assert_is_compatible_with(Dimension(t.get_shape()[0]))
        return _by_op("TensorSliceDataset", spec, components=components, output_shapes=structure.get_flat_tensor_shapes(spec))

    @staticmethod
    def from_sparse_tensor_slices(sparse_tensor):
        """The rows of a sparse tensor as (indices, values, shape)."""
        if not isinstance(sparse_tensor, SparseTensor):
            raise TypeError("`sparse_tensor` must be a `tf.SparseTensor` object. Was {}.".format(sparse_tensor))
        rank = (sparse_tensor.indices.get_shape().dims[1] - 1).merge_with(sparse_tensor.dense_shape.get_shape().dims[0] - 1)
        spec = (TensorSpec([None, rank], dtypes.int64), TensorSpec([None], sparse_tensor.dtype), TensorSpec([rank], dtypes.int64))
        return _by_op("SparseTensorSliceDataset", spec, indices=sparse_tensor.indices, values=sparse_tensor.values, dense_shape=sparse_tensor.dense_shape)

    @staticmethod
    def range(*args):
        """The numbers of Python's range()."""
        if not 1 <= len(args) <= 3:
            raise ValueError("Invalid arguments to RangeDataset: %s" % str(args))
        values = (0, args[0], 1) if len(args) == 1 else args + (1,) if len(args) == 2 else args
        start, stop, step = (int64(v, n) for v, n in zip(values, ("start", "stop", "step")))
        spec = TensorSpec([], dtypes.int64)
        return _by_op("RangeDataset", spec, start=start, stop=stop, step=step, **flat(spec))

    @staticmethod
    def zip(datasets):
        """Elements of several data sets as tuples."""
        parts = structure.flatten(datasets)
        for part in parts:
            if not isinstance(part, Dataset):
                if isinstance(part, list):
                    raise TypeError("The argument to `Dataset.zip()` must be a nested structure of `Dataset` objects. Nested structures do not support Python lists; "
                                    "please use a tuple instead.")
                raise TypeError("The argument to `Dataset.zip()` must be a nested structure of `Dataset` objects.")
        spec = structure.pack(datasets, [d.element_spec for d in parts])
        return _by_op("ZipDataset", spec, parts, input_datasets=[d._variant_tensor for d in parts], **flat(spec))

    @staticmethod
    def list_files(file_pattern, shuffle=None, seed=None):
        """Names of files that match."""
        with ops.name_scope("list_files"):
            pattern = ops.convert_to_tensor(file_pattern, dtype=dtypes.string, name="file_pattern")
            files = engine.raw_ops.MatchingFiles(pattern=pattern)
            condition = engine.greater(basics.shape(files)[0], 0, name="match_not_empty")
            message = engine.add("No files matched pattern: ", engine.reduce_join(pattern, separator=", "), name="message")
            with ops.control_dependencies([Assert(condition, [message], summarize=1, name="assert_not_empty")]):
                files = engine.identity(files)
            dataset = Dataset.from_tensor_slices(files)
            if shuffle is None or shuffle:
                dataset = dataset.shuffle(engine.maximum(basics.shape(files, out_type=dtypes.int64)[0], 1), seed=seed)
            return dataset

    @staticmethod
    def from_generator(generator, output_types, output_shapes=None, args=None):
        """The elements that `generator(*args)` yields."""
        return from_generator(generator, output_types, output_shapes, args)

    # Transformations of one data set.
    def concatenate(self, dataset):
        """The elements of this data set, then those of the other."""
        if self.output_types != dataset.output_types:
            raise TypeError("Two datasets to concatenate have different types %s and %s" % (self.output_types, dataset.output_types))
        if self.output_classes != dataset.output_classes:
            raise TypeError("Two datasets to concatenate have different classes %s and %s" % (self.output_classes, dataset.output_classes))
        shapes = structure.map_structure(lambda a, b: a.most_specific_compatible_shape(b) if isinstance(a, TensorShape) else a, self.output_shapes, dataset.output_shapes)
        spec = structure.convert_legacy_structure(self.output_types, shapes, self.output_classes)
        return self._made("ConcatenateDataset", spec, inputs=[self, dataset], another_dataset=dataset._variant_tensor)

    def prefetch(self, buffer_size):
        """Produces elements ahead of time."""
        return self._made("PrefetchDataset", buffer_size=int64(-1 if buffer_size is None else buffer_size, "buffer_size"))

    def repeat(self, count=None):
        """Repeats `count` times, or forever."""
        return self._made("RepeatDataset", count=int64(-1 if count is None else count, "count"))

    def enumerate(self, start=0):
        return Dataset.zip((Dataset.range(start, np.iinfo(np.int64).max), self))

    def shuffle(self, buffer_size, seed=None, reshuffle_each_iteration=None):
        """Draws random elements from a buffer."""
        size = int64(buffer_size, "buffer_size")
        seed, seed2 = seeds(seed)
        return self._made("ShuffleDataset", buffer_size=size, seed=seed, seed2=seed2, reshuffle_each_iteration=True if reshuffle_each_iteration is None else reshuffle_each_iteration)

    def cache(self, filename=""):
        """Keeps elements in memory or in a file."""
        return self._made("CacheDataset", filename=ops.convert_to_tensor(filename, dtype=dtypes.string, name="filename"))

    def take(self, count):
        return self._made("TakeDataset", count=int64(count, "count"))

    def skip(self, count):
        return self._made("SkipDataset", count=int64(count, "count"))

    def shard(self, num_shards, index):
        """Every `num_shards`-th element, starting at `index`."""
        shards = int64(num_shards, "num_shards")
        return self._made("ShardDataset", num_shards=shards, index=int64(index, "index"))

    def batch(self, batch_size, drop_remainder=False):
        """Stacks `batch_size` consecutive elements."""
        size = int64(batch_size, "batch_size")
        drop = ops.convert_to_tensor(drop_remainder, dtype=dtypes.bool_, name="drop_remainder")
        known = ops.constant_value(size) if ops.constant_value(drop) else None
        spec = structure.map_structure(lambda s: s._batch(None if known is None else int(known)), self.element_spec)
        return self._made("BatchDatasetV2", spec, batch_size=size, drop_remainder=drop)

    def padded_batch(self, batch_size, padded_shapes, padding_values=None, drop_remainder=False):
        """As batch(), with elements padded to one shape."""
        return padded_batch(self, batch_size, padded_shapes, padding_values, drop_remainder)

    def map(self, map_func, num_parallel_calls=None):
        """The results of `map_func` for each element."""
        f = StructuredFunction(map_func, "Dataset.map()", self.element_spec)
        if num_parallel_calls is None:
            return self._made("MapDataset", f.output_spec, [f], other_arguments=f.captured_inputs, f=f, preserve_cardinality=False)
        calls = ops.convert_to_tensor(num_parallel_calls, dtype=dtypes.int32, name="num_parallel_calls")
        return self._made("ParallelMapDataset", f.output_spec, [f], other_arguments=f.captured_inputs, f=f, num_parallel_calls=calls, preserve_cardinality=False)

    map_with_legacy_function = map

    def _dataset_function(self, map_func, transformation):
        f = StructuredFunction(map_func, transformation, self.element_spec)
        if not isinstance(f.output_spec, DatasetSpec):
            raise TypeError("`map_func` must return a `Dataset` object. Got {}".format(type(f.output_spec)))
        return f, f.output_spec.element_spec

    def flat_map(self, map_func):
        """The elements of the data sets that `map_func` returns, one data set after another."""
        f, spec = self._dataset_function(map_func, "Dataset.flat_map()")
        return self._made("FlatMapDataset", spec, [f], other_arguments=f.captured_inputs, f=f)

    def interleave(self, map_func, cycle_length=AUTOTUNE, block_length=1, num_parallel_calls=None):
        """As flat_map(), taking elements from several data sets in turn."""
        f, spec = self._dataset_function(map_func, "Dataset.interleave()")
        cycle = int64(cycle_length, "cycle_length")
        block = int64(block_length, "block_length")
        if num_parallel_calls is None:
            return self._made("InterleaveDataset", spec, [f], other_arguments=f.captured_inputs, f=f, cycle_length=cycle, block_length=block)
        calls = int64(num_parallel_calls, "num_parallel_calls")
        return self._made("ParallelInterleaveDatasetV2", spec, [f], other_arguments=f.captured_inputs, f=f, cycle_length=cycle, block_length=block, num_parallel_calls=calls)

    def filter(self, predicate):
        """Elements for which `predicate` is true."""
        f = StructuredFunction(predicate, "Dataset.filter()", self.element_spec)
        if not (isinstance(f.output_spec, TensorSpec) and f.output_spec.is_compatible_with(TensorSpec([], dtypes.bool_))):
            raise ValueError("`predicate` return type must be convertible to a scalar boolean tensor. Was {}.".format(f.output_spec))
        return self._made("FilterDataset", functions=[f], other_arguments=f.captured_inputs, predicate=f)

    filter_with_legacy_function = filter

    def apply(self, transformation_func):
        """transformation_func(self)"""
        dataset = transformation_func(self)
        if not isinstance(dataset, Dataset):
            raise TypeError("`transformation_func` must return a Dataset. Got {}.".format(dataset))
        return dataset

    def window(self, size, shift=None, stride=1, drop_remainder=False):
        """Data sets of `size` elements each."""
        more = {"size": int64(size, "size"), "shift": int64(size if shift is None else shift, "shift"), "stride": int64(stride, "stride"),
                "drop_remainder": ops.convert_to_tensor(drop_remainder, dtype=dtypes.bool_, name="drop_remainder")}
        return self._made("WindowDataset", structure.map_structure(DatasetSpec, self.element_spec), **more)

    def reduce(self, initial_state, reduce_func):
        """The final state of reduce_func(state, element) over all elements."""
        with ops.name_scope("initial_state"):
            initial_state = structure.normalize_element(initial_state)
        state = structure.type_spec_from_value(initial_state)
        f, state = steady(reduce_func, "reduce()", state, self.element_spec)
        f.add_to_graph(ops.get_default_graph())
        found = engine.raw_ops.ReduceDataset(input_dataset=self._variant_tensor, initial_state=structure.to_tensor_list(state, initial_state), other_arguments=f.captured_inputs,
                                             f=f, **flat(state))
        return structure.from_compatible_tensor_list(state, found)

    def unbatch(self):
        """The rows of each element."""
        spec = self.element_spec

        def normalize(arg, *rest):
            return structure.to_batched_tensor_list(spec, (arg,) + rest if rest else arg)

        dataset = self.map(normalize)
        shapes = structure.get_flat_tensor_shapes(spec)
        if any(s.ndims == 0 for s in shapes):
            raise ValueError("Cannot unbatch an input with scalar components.")
        rows = Dimension(None)
        for s in shapes:
            try:
                rows = rows.merge_with(s[0] if s.ndims is not None else None)
            except ValueError:
                raise ValueError("Cannot unbatch an input whose components have different batch sizes.")
        return dataset._made("UnbatchDataset", structure.map_structure(lambda s: s._unbatch(), spec))

    # Iterators.
    def make_one_shot_iterator(self):
        if ops.executing_eagerly():
            return iterate(self)
        return iterators.make_one_shot_iterator(self)

    def make_initializable_iterator(self, shared_name=None):
        return iterators.make_initializable_iterator(self, shared_name)

    _make_one_shot_iterator = make_one_shot_iterator
    _make_initializable_iterator = make_initializable_iterator


structure.dataset_class = Dataset


@export("data.get_output_types", "compat.v1.data.get_output_types")
def get_output_types(dataset_or_iterator):
    return structure.legacy_types(get_structure(dataset_or_iterator))


@export("data.get_output_shapes", "compat.v1.data.get_output_shapes")
def get_output_shapes(dataset_or_iterator):
    return structure.legacy_shapes(get_structure(dataset_or_iterator))


@export("data.get_output_classes", "compat.v1.data.get_output_classes")
def get_output_classes(dataset_or_iterator):
    return structure.legacy_classes(get_structure(dataset_or_iterator))


@export("data.experimental.get_structure")
def get_structure(dataset_or_iterator):
    if not hasattr(dataset_or_iterator, "element_spec"):
        raise TypeError("`dataset_or_iterator` must be a Dataset or Iterator object, but got %s." % type(dataset_or_iterator))
    return dataset_or_iterator.element_spec
