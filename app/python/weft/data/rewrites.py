"""Transformations that watch, shard or rewrite pipelines; files written from data sets."""

from .. import dtypes, engine, ops
from ..exports import export
from ..tensor_shape import TensorShape
from . import structure
from .conversions import optional_param_to_tensor
from .dataset import Dataset, get_structure
from .dataset_functions import StructuredFunction
from .structure import DatasetSpec, flat, TensorSpec


def assert_next(transformations):
    """Fails in a step unless the data set is read by these transformations, as its rewrites left them."""
    if transformations is None:
        raise ValueError("At least one transformation should be specified")
    return lambda dataset: dataset._made("AssertNextDataset", transformations=ops.convert_to_tensor(transformations, dtype=dtypes.string, name="transformations"))


def model():
    """Chooses sizes of buffers and parallelism while the data set is read."""
    return lambda dataset: dataset._made("ModelDataset", algorithm=0, cpu_budget=0)


def optimize(optimizations=None):
    """Applies rewrites to the data set."""
    names = [] if optimizations is None else optimizations
    return lambda dataset: dataset._made("OptimizeDataset", optimizations=ops.convert_to_tensor(names, dtype=dtypes.string, name="optimizations"), optimization_configs=[])


def non_serializable():
    """The data set as one that cannot be serialized."""
    return lambda dataset: dataset._made("NonSerializableDataset")


class _ChooseFastestDataset(Dataset):
    """One of several data sets with equal elements."""

    def __init__(self, datasets, num_experiments=10):
        datasets = list(datasets)
        spec = datasets[0].element_spec
        variant = engine.raw_ops.ChooseFastestDataset(input_datasets=[d._variant_tensor for d in datasets], num_experiments=num_experiments, **flat(spec))
        super().__init__(variant, spec, datasets)


class _ChooseFastestBranchDataset(Dataset):
    """One of several functions of a data set, which give equal elements from its elements: `ratio_denominator` elements from `ratio_numerator`."""

    def __init__(self, input_dataset, functions, ratio_numerator=1, ratio_denominator=1, num_elements_per_branch=None):
        branches = [StructuredFunction(f, "ChooseFastestV2", DatasetSpec(input_dataset.element_spec)) for f in functions]
        spec = branches[0].output_spec.element_spec
        if ratio_numerator <= 0 or ratio_denominator <= 0:
            raise ValueError("ratio must be positive.")
        variant = engine.raw_ops.ChooseFastestBranchDataset(
            input_dataset=input_dataset._variant_tensor, ratio_numerator=ratio_numerator, ratio_denominator=ratio_denominator,
            other_arguments=[t for f in branches for t in f.captured_inputs], branches=branches, other_arguments_lengths=[len(f.captured_inputs) for f in branches],
            num_elements_per_branch=10 * ratio_denominator if num_elements_per_branch is None else num_elements_per_branch, **flat(spec))
        super().__init__(variant, spec, [input_dataset], branches)


class _AutoShardDataset(Dataset):
    """The part of a data set that one of several workers reads."""

    def __init__(self, input_dataset, num_workers, index):
        spec = input_dataset.element_spec
        super().__init__(engine.raw_ops.AutoShardDataset(input_dataset=input_dataset._variant_tensor, num_workers=num_workers, index=index, **flat(spec)), spec, [input_dataset])


class _RebatchDataset(Dataset):
    """Batches divided for `num_replicas` replicas."""

    def __init__(self, input_dataset, num_replicas, use_fallback=True):
        def divided(spec):
            sizes = spec._to_legacy_output_shapes()
            if len(sizes) < 1:
                raise ValueError("Input shape should have at least one dimension. Perhaps your input dataset is not batched?")
            sizes = sizes.as_list()
            sizes[0] = sizes[0] // num_replicas if sizes[0] is not None and sizes[0] % num_replicas == 0 else None
            return structure.convert_legacy_structure(spec._to_legacy_output_types(), TensorShape(sizes), spec._to_legacy_output_classes())

        spec = structure.map_structure(divided, input_dataset.element_spec)
        super().__init__(engine.raw_ops.RebatchDataset(input_dataset=input_dataset._variant_tensor, num_replicas=num_replicas, use_fallback=use_fallback, **flat(spec)), spec,
                         [input_dataset])


class MatchingFilesDataset(Dataset):
    """The names of files that match patterns."""

    def __init__(self, patterns):
        super().__init__(engine.raw_ops.MatchingFilesDataset(patterns=ops.convert_to_tensor(patterns, dtype=dtypes.string, name="patterns")), TensorSpec([], dtypes.string))


def sleep(sleep_microseconds):
    """Waits before each element."""
    return lambda dataset: dataset._made("SleepDataset", sleep_microseconds=sleep_microseconds)


class PrivateThreadPool:
    """Threads of its own for a data set."""

    def __init__(self, num_threads, display_name=None, max_intra_op_parallelism=1):
        self._resource = engine.raw_ops.ThreadPoolHandle(num_threads=num_threads, max_intra_op_parallelism=max_intra_op_parallelism, display_name=display_name or "")


def override_threadpool(dataset, thread_pool):
    """The data set, computed by the threads of the pool."""
    return dataset._made("ThreadPoolDataset", thread_pool=thread_pool._resource)


def map_defun(fn, elems, output_dtypes, output_shapes, max_intra_op_parallelism=1):
    """A graph function applied to each row of `elems`; the results stacked."""
    for value, what in ((elems, "`elems` must be a list of tensors."), (output_dtypes, "`output_dtypes` must be a list of `tf.DType` objects."),
                        (output_shapes, "`output_shapes` must be a list of `tf.TensorShape` objects.")):
        if not isinstance(value, list):
            raise ValueError(what)
    f = StructuredFunction(fn, "map_defun()", tuple(TensorSpec(t.shape[1:], t.dtype) for t in map(ops.convert_to_tensor, elems)))
    return engine.raw_ops.MapDefun(arguments=[ops.convert_to_tensor(e) for e in elems], captured_inputs=f.captured_inputs, output_types=output_dtypes,
                                   output_shapes=[TensorShape(s) for s in output_shapes], f=f, max_intra_op_parallelism=max_intra_op_parallelism)


@export("data.experimental.TFRecordWriter")
class TFRecordWriter:
    """Writes the strings of a data set to a TFRecord file."""

    def __init__(self, filename, compression_type=None):
        self._filename = ops.convert_to_tensor(filename, dtypes.string, name="filename")
        self._compression_type = optional_param_to_tensor("compression_type", compression_type, "", dtypes.string)

    def write(self, dataset):
        """The operation that writes them."""
        if not isinstance(dataset, Dataset):
            raise TypeError("`dataset` must be a `tf.data.Dataset` object.")
        if not structure.are_compatible(get_structure(dataset), TensorSpec([], dtypes.string)):
            raise TypeError("`dataset` must produce scalar `DT_STRING` tensors whereas it produces shape {0} and types {1}".format(dataset.output_shapes, dataset.output_types))
        return engine.raw_ops.DatasetToTFRecord(input_dataset=dataset._variant_tensor, filename=self._filename, compression_type=self._compression_type)
