"""tf.data.experimental: transformations for Dataset.apply, and a few functions of data sets."""

import numpy as np

from .. import dtypes, engine, ops
from ..exports import export, export_value
from ..tensor_shape import TensorShape
from . import parsing, structure
from .dataset import Dataset, int64, seeds
from .dataset_functions import StructuredFunction, steady
from .structure import DatasetSpec, flat, SparseTensorSpec, TensorSpec

INFINITE_CARDINALITY = export_value(-1, "data.experimental.INFINITE_CARDINALITY")
UNKNOWN_CARDINALITY = export_value(-2, "data.experimental.UNKNOWN_CARDINALITY")
INFINITE, UNKNOWN = INFINITE_CARDINALITY, UNKNOWN_CARDINALITY


def _key(spec):
    return isinstance(spec, TensorSpec) and spec.is_compatible_with(TensorSpec([], dtypes.int64))


def _flag(value, name="drop_remainder"):
    return ops.convert_to_tensor(value, dtype=dtypes.bool_, name=name)


@export("data.experimental.map_and_batch", "contrib.data.map_and_batch", "data.experimental.map_and_batch_with_legacy_function")
def map_and_batch(map_func, batch_size, num_parallel_batches=None, drop_remainder=False, num_parallel_calls=None):
    """map() and batch() in one op."""
    if num_parallel_batches is not None and num_parallel_calls is not None:
        raise ValueError("The `num_parallel_batches` and `num_parallel_calls` arguments are mutually exclusive.")
    if num_parallel_calls is None:
        num_parallel_calls = batch_size if num_parallel_batches is None else batch_size * num_parallel_batches

    def apply(dataset):
        f = StructuredFunction(map_func, "tf.data.experimental.map_and_batch()", dataset.element_spec)
        size = int64(batch_size, "batch_size")
        calls = int64(num_parallel_calls, "num_parallel_calls")
        drop = _flag(drop_remainder)
        known = ops.constant_value(size) if ops.constant_value(drop) else None
        spec = structure.map_structure(lambda s: s._batch(None if known is None else int(known)), f.output_spec)
        return dataset._made("MapAndBatchDataset", spec, [f], other_arguments=f.captured_inputs, f=f, batch_size=size, num_parallel_calls=calls, drop_remainder=drop,
                             preserve_cardinality=True)

    return apply


@export("data.experimental.shuffle_and_repeat", "contrib.data.shuffle_and_repeat")
def shuffle_and_repeat(buffer_size, count=None, seed=None):
    """shuffle() and repeat() in one op."""

    def apply(dataset):
        size = int64(buffer_size, "buffer_size")
        times = int64(-1 if count is None else count, "count")
        one, two = seeds(seed)
        return dataset._made("ShuffleAndRepeatDataset", buffer_size=size, count=times, seed=one, seed2=two)

    return apply


@export("data.experimental.parallel_interleave", "contrib.data.parallel_interleave")
def parallel_interleave(map_func, cycle_length, block_length=1, sloppy=False, buffer_output_elements=None, prefetch_input_elements=None):
    """interleave() that reads several data sets ahead; `sloppy`: takes whichever is ready first."""

    def apply(dataset):
        f, spec = dataset._dataset_function(map_func, "tf.data.experimental.parallel_interleave()")
        cycle, block = int64(cycle_length, "cycle_length"), int64(block_length, "block_length")
        loose = _flag(sloppy, "sloppy")
        buffered = int64(2 * block_length if buffer_output_elements is None else buffer_output_elements, "buffer_output_elements")
        ahead = int64(2 * cycle_length if prefetch_input_elements is None else prefetch_input_elements, "prefetch_input_elements")
        return dataset._made("ParallelInterleaveDataset", spec, [f], other_arguments=f.captured_inputs, f=f, cycle_length=cycle, block_length=block, sloppy=loose,
                             buffer_output_elements=buffered, prefetch_input_elements=ahead)

    return apply


@export("data.experimental.unbatch", "contrib.data.unbatch")
def unbatch():
    return lambda dataset: dataset.unbatch()


@export("contrib.data.batch_and_drop_remainder")
def batch_and_drop_remainder(batch_size):
    return lambda dataset: dataset.batch(batch_size, drop_remainder=True)


@export("contrib.data.padded_batch_and_drop_remainder")
def padded_batch_and_drop_remainder(batch_size, padded_shapes, padding_values=None):
    return lambda dataset: dataset.padded_batch(batch_size, padded_shapes, padding_values, drop_remainder=True)


@export("data.experimental.enumerate_dataset", "contrib.data.enumerate_dataset")
def enumerate_dataset(start=0):
    return lambda dataset: dataset.enumerate(start)


@export("data.experimental.ignore_errors", "contrib.data.ignore_errors")
def ignore_errors():
    """Drops elements that fail."""
    return lambda dataset: dataset._made("IgnoreErrorsDataset")


@export("data.experimental.dense_to_sparse_batch", "contrib.data.dense_to_sparse_batch")
def dense_to_sparse_batch(batch_size, row_shape):
    """Batches of rows of different sizes as sparse tensors."""

    def apply(dataset):
        if structure.is_nested(dataset.output_types):
            raise TypeError("DenseToSparseDataset requires an input whose elements have a single component, whereas the input has %r." % (dataset.output_types,))
        spec = SparseTensorSpec(TensorShape([None]).concatenate(TensorShape(row_shape)), dataset.output_types)
        row = ops.convert_to_tensor([-1 if d is None else d for d in TensorShape(row_shape).as_list()], dtype=dtypes.int64)
        return dataset._made("DenseToSparseBatchDataset", spec, batch_size=batch_size, row_shape=row)

    return apply


@export("data.experimental.unique", "contrib.data.unique")
def unique():
    """Drops repeated elements."""

    def apply(dataset):
        if dataset.output_types not in (dtypes.int32, dtypes.int64, dtypes.string):
            raise TypeError("`tf.data.experimental.unique()` only supports inputs with a single `tf.int32`, `tf.int64`, or `tf.string` component.")
        return dataset._made("UniqueDataset")

    return apply


@export("data.experimental.take_while")
def take_while(predicate):
    """Elements until `predicate` is false."""

    def apply(dataset):
        f = StructuredFunction(predicate, "tf.data.experimental.take_while()", dataset.element_spec)
        if not (isinstance(f.output_spec, TensorSpec) and f.output_spec.is_compatible_with(TensorSpec([], dtypes.bool_))):
            raise ValueError("`predicate` must return a scalar boolean tensor.")
        return dataset._made("TakeWhileDataset", functions=[f], other_arguments=f.captured_inputs, predicate=f)

    return apply


@export("data.experimental.scan", "contrib.data.scan")
def scan(initial_state, scan_func):
    """The outputs of scan_func(state, element) -> (state, output)."""

    def apply(dataset):
        first = structure.normalize_element(initial_state)
        f, state = steady(scan_func, "tf.data.experimental.scan()", structure.type_spec_from_value(first), dataset.element_spec, pair=True)
        f.add_to_graph(ops.get_default_graph())
        return dataset._made("ScanDataset", f.output_spec[1], [f], initial_state=structure.to_tensor_list(state, first), other_arguments=f.captured_inputs, f=f,
                             preserve_cardinality=True)

    return apply


@export("data.experimental.Counter", "contrib.data.Counter")
def Counter(start=0, step=1, dtype=None):
    """start, start + step, …"""
    dtype = dtype or dtypes.int64
    with ops.name_scope("counter"):
        start = ops.convert_to_tensor(start, dtype=dtype, name="start")
        step = ops.convert_to_tensor(step, dtype=dtype, name="step")
        return Dataset.from_tensors(0).repeat(None).apply(scan(start, lambda state, _: (state + step, state)))


@export("data.experimental.Reducer", "contrib.data.Reducer")
class Reducer:
    """The functions of group_by_reducer: init_func(key), reduce_func(state, element), finalize_func(state)."""

    def __init__(self, init_func, reduce_func, finalize_func):
        self.init_func, self.reduce_func, self.finalize_func = init_func, reduce_func, finalize_func


@export("data.experimental.group_by_reducer", "contrib.data.group_by_reducer")
def group_by_reducer(key_func, reducer):
    """Reduces the elements of each key to one."""
    name = "tf.data.experimental.group_by_reducer()"

    def apply(dataset):
        key = StructuredFunction(key_func, name, dataset.element_spec)
        if not _key(key.output_spec):
            raise ValueError("`key_func` must return a single tf.int64 tensor. Got type=%s and shape=%s" % (key.output_types, key.output_shapes))
        begin = StructuredFunction(reducer.init_func, name, TensorSpec([], dtypes.int64))
        step, state = steady(reducer.reduce_func, name, begin.output_spec, dataset.element_spec)
        step.add_to_graph(ops.get_default_graph())
        end = StructuredFunction(reducer.finalize_func, name, state)
        return dataset._made("ExperimentalGroupByReducerDataset", end.output_spec, [key, begin, step, end], key_func_other_arguments=key.captured_inputs,
                             init_func_other_arguments=begin.captured_inputs, reduce_func_other_arguments=step.captured_inputs,
                             finalize_func_other_arguments=end.captured_inputs, key_func=key, init_func=begin, reduce_func=step, finalize_func=end)

    return apply


@export("data.experimental.group_by_window", "contrib.data.group_by_window")
def group_by_window(key_func, reduce_func, window_size=None, window_size_func=None):
    """Applies reduce_func(key, data set) to windows of `window_size` elements with the same key; its data sets are concatenated."""
    if (window_size is not None) == bool(window_size_func):
        raise ValueError("Must pass either window_size or window_size_func.")
    if window_size is not None:
        def window_size_func(unused):
            return ops.convert_to_tensor(window_size, dtype=dtypes.int64)
    name = "tf.data.experimental.group_by_window()"

    def apply(dataset):
        def key_func_wrapper(*args):
            return ops.convert_to_tensor(key_func(*args), dtype=dtypes.int64)

        def window_size_func_wrapper(key):
            return ops.convert_to_tensor(window_size_func(key), dtype=dtypes.int64)

        key = StructuredFunction(key_func_wrapper, name, dataset.element_spec)
        if not _key(key.output_spec):
            raise ValueError("`key_func` must return a single tf.int64 scalar tensor.")
        reduced = StructuredFunction(reduce_func, name, (TensorSpec([], dtypes.int64), DatasetSpec(dataset.element_spec)))
        if not isinstance(reduced.output_spec, DatasetSpec):
            raise TypeError("`reduce_func` must return a `Dataset` object.")
        size = StructuredFunction(window_size_func_wrapper, name, TensorSpec([], dtypes.int64))
        if not _key(size.output_spec):
            raise ValueError("`window_size_func` must return a single tf.int64 scalar tensor.")
        return dataset._made("GroupByWindowDataset", reduced.output_spec.element_spec, [key, reduced, size], key_func_other_arguments=key.captured_inputs,
                             reduce_func_other_arguments=reduced.captured_inputs, window_size_func_other_arguments=size.captured_inputs, key_func=key, reduce_func=reduced,
                             window_size_func=size)

    return apply


@export("data.experimental.bucket_by_sequence_length", "contrib.data.bucket_by_sequence_length")
def bucket_by_sequence_length(element_length_func, bucket_boundaries, bucket_batch_sizes, padded_shapes=None, padding_values=None, pad_to_bucket_boundary=False,
                              no_padding=False, drop_remainder=False):
    """Padded batches of elements of similar length."""
    with ops.name_scope("bucket_by_seq_length"):
        if len(bucket_batch_sizes) != len(bucket_boundaries) + 1:
            raise ValueError("len(bucket_batch_sizes) must equal len(bucket_boundaries) + 1")
        batch_sizes = ops.constant(bucket_batch_sizes, dtype=dtypes.int64)
        limits = np.iinfo(np.int32)

        def element_to_bucket_id(*args):
            length = element_length_func(*args)
            boundaries = list(bucket_boundaries)
            inside = engine.logical_and(engine.less_equal([limits.min] + boundaries, length), engine.less(length, boundaries + [limits.max]))
            return engine.reduce_min(engine.where(inside))

        def window_size_fn(bucket_id):
            return batch_sizes[bucket_id]

        def filled(shapes, filler):
            def one(shape):
                return [filler if d is None else d for d in TensorShape(shape).as_list()]

            return structure.map_structure(one, shapes)

        def batching_fn(bucket_id, grouped_dataset):
            size = window_size_fn(bucket_id)
            if no_padding:
                return grouped_dataset.batch(size, drop_remainder=drop_remainder)
            filler = None
            if pad_to_bucket_boundary:
                check = engine.assert_less(bucket_id, ops.constant(len(bucket_batch_sizes) - 1, dtype=dtypes.int64),
                                           message="When pad_to_bucket_boundary=True, elements must have length < max(bucket_boundaries).")
                with ops.control_dependencies([check]):
                    filler = ops.constant(bucket_boundaries, dtype=dtypes.int64)[bucket_id] - 1
            return grouped_dataset.padded_batch(size, filled(padded_shapes or grouped_dataset.output_shapes, filler), padding_values, drop_remainder=drop_remainder)

        return lambda dataset: dataset.apply(group_by_window(element_to_bucket_id, batching_fn, window_size_func=window_size_fn))


def _directed(selector, datasets):
    types, classes, shapes = datasets[0].output_types, datasets[0].output_classes, datasets[0].output_shapes
    for other in datasets[1:]:
        if other.output_types != types or other.output_classes != classes:
            raise TypeError("All datasets must have the same type and class.")
        shapes = structure.map_structure(lambda a, b: a.most_specific_compatible_shape(b), shapes, other.output_shapes)
    spec = structure.convert_legacy_structure(types, shapes, classes)
    variant = engine.raw_ops.DirectedInterleaveDataset(selector_input_dataset=selector._variant_tensor, data_input_datasets=[d._variant_tensor for d in datasets],
                                                               **flat(spec))
    return Dataset(variant, spec, [selector] + list(datasets))


@export("data.experimental.choose_from_datasets", "contrib.data.choose_from_datasets")
def choose_from_datasets(datasets, choice_dataset):
    """Takes each element from the data set that `choice_dataset` selects."""
    if not _key(choice_dataset.element_spec):
        raise TypeError("`choice_dataset` must be a dataset of scalar `tf.int64` tensors.")
    return _directed(choice_dataset, datasets)


@export("data.experimental.RandomDataset", "contrib.data.RandomDataset")
def RandomDataset(seed=None):
    """Random int64 numbers."""
    one, two = seeds(seed)
    spec = TensorSpec([], dtypes.int64)
    return Dataset(engine.raw_ops.RandomDataset(seed=one, seed2=two, **flat(spec)), spec)


@export("data.experimental.sample_from_datasets", "contrib.data.sample_from_datasets")
def sample_from_datasets(datasets, weights=None, seed=None):
    """Takes each element from a data set chosen at random by `weights`."""

    def select(logits, seed):
        return engine.squeeze(engine.raw_ops.StatelessMultinomial(logits=logits, num_samples=1, seed=seed), axis=[0, 1])

    if isinstance(weights, Dataset):
        logits = weights.map(lambda *p: engine.log(p, name="logits"))
        return _directed(Dataset.zip((logits, RandomDataset(seed).batch(2))).map(select), datasets)
    if weights is None:
        logits = [[1.0] * len(datasets)]
    else:
        weights = ops.convert_to_tensor(weights, name="weights")
        if weights.dtype not in (dtypes.float32, dtypes.float64):
            raise TypeError("`weights` must be convertible to a tensor of `tf.float32` or `tf.float64` elements.")
        if not weights.shape.is_compatible_with([len(datasets)]):
            raise ValueError("`weights` must be a vector of length `len(datasets)`.")
        logits = engine.expand_dims(engine.log(weights, name="logits"), 0)
    if len(datasets) == 1:
        return datasets[0]
    return _directed(RandomDataset(seed).batch(2).map(lambda seed: select(logits, seed)), datasets)


@export("data.experimental.get_single_element", "contrib.data.get_single_element")
def get_single_element(dataset):
    """The element of a data set that has exactly one."""
    if not isinstance(dataset, Dataset):
        raise TypeError("`dataset` must be a `tf.data.Dataset` object.")
    return structure.from_compatible_tensor_list(dataset.element_spec, engine.raw_ops.DatasetToSingleElement(dataset=dataset._variant_tensor, **flat(dataset.element_spec)))


@export("data.experimental.cardinality")
def cardinality(dataset):
    """The number of elements: -1 if infinite, -2 if unknown."""
    return engine.raw_ops.DatasetCardinality(input_dataset=dataset._variant_tensor)


@export("data.experimental.from_variant")
def from_variant(variant, structure):
    return Dataset(variant, structure)


@export("data.experimental.to_variant")
def to_variant(dataset):
    return dataset._variant_tensor


@export("data.experimental.parse_example_dataset", "contrib.data.parse_example_dataset")
def parse_example_dataset(features, num_parallel_calls=1):
    """Serialized examples parsed into dicts of tensors."""
    if features is None:
        raise ValueError("Missing: features was %s." % features)
    return lambda dataset: dataset.map(lambda x: parsing.parse_example(x, features), num_parallel_calls=num_parallel_calls)


@export("contrib.data.assert_element_shape")
def assert_element_shape(expected_shapes):
    """Checks that elements have these shapes."""

    def check(*element):
        def one(tensor, shape):
            tensor.set_shape(shape)
            return tensor

        value = element if len(element) > 1 else element[0]
        return structure.map_structure(one, value, expected_shapes)

    return lambda dataset: dataset.map(check)
