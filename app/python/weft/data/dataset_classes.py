"""tensorflow.python.data.ops.dataset_ops: classes of data sets that programs derive from or make, and functions of data sets."""

from .. import dtypes, engine, ops, settings
from .dataset import Dataset, get_output_classes, get_output_shapes, get_output_types, int64
from .dataset_functions import StructuredFunction
from .structure import flat

DatasetV1 = DatasetV2 = Dataset
get_legacy_output_classes, get_legacy_output_shapes, get_legacy_output_types = get_output_classes, get_output_shapes, get_output_types


class DatasetV1Adapter(Dataset):
    """Another data set, such as one of a program's own class."""

    def __init__(self, dataset):
        self._dataset = dataset
        super().__init__(dataset._variant_tensor, dataset.element_spec, dataset._inputs(), dataset._functions())

    def options(self):
        return self._dataset.options()


class _VariantDataset(Dataset):
    """The data set in a variant."""

    def __init__(self, dataset_variant, structure):
        super().__init__(dataset_variant, structure)


class DatasetSource(Dataset):
    """A data set without inputs. Derived classes define element_spec."""

    def __init__(self, variant_tensor):
        super().__init__(variant_tensor)


class UnaryDataset(Dataset):
    """A data set with one input. Derived classes define element_spec."""

    def __init__(self, input_dataset, variant_tensor):
        self._input_dataset = input_dataset
        super().__init__(variant_tensor, inputs=[input_dataset])


class UnaryUnchangedStructureDataset(UnaryDataset):
    """A data set with one input that has elements of the same structure."""

    element_spec = property(lambda self: self._input_dataset.element_spec)


class _Method(Dataset):
    """What a method of the input data set makes."""

    def __init__(self, made):
        super().__init__(made._variant_tensor, made.element_spec, made._inputs(), made._functions())


def _method(name, method):
    def __init__(self, input_dataset, *args, **kwargs):
        _Method.__init__(self, getattr(input_dataset, method)(*args, **kwargs))

    return type(name, (_Method,), {"__init__": __init__, "__doc__": "What Dataset.%s() makes." % method})


RepeatDataset, CacheDataset, ShuffleDataset = _method("RepeatDataset", "repeat"), _method("CacheDataset", "cache"), _method("ShuffleDataset", "shuffle")
TakeDataset, SkipDataset, ShardDataset = _method("TakeDataset", "take"), _method("SkipDataset", "skip"), _method("ShardDataset", "shard")
BatchDataset, PaddedBatchDataset, ConcatenateDataset = _method("BatchDataset", "batch"), _method("PaddedBatchDataset", "padded_batch"), _method("ConcatenateDataset", "concatenate")
FlatMapDataset, FilterDataset = _method("FlatMapDataset", "flat_map"), _method("FilterDataset", "filter")
WindowDataset = _method("WindowDataset", "window")


class PrefetchDataset(Dataset):
    """What Dataset.prefetch() makes. `slack_period`: how often a pause before the next element is allowed; elements are computed on request, so there is none."""

    def __init__(self, input_dataset, buffer_size, slack_period=None):
        made = input_dataset._made("PrefetchDataset", buffer_size=int64(-1 if buffer_size is None else buffer_size, "buffer_size"), slack_period=slack_period or 0)
        super().__init__(made._variant_tensor, made.element_spec, made._inputs())


class MapDataset(Dataset):
    """What Dataset.map() makes. `preserve_cardinality`: the end of a function's own data set is an error."""

    def __init__(self, input_dataset, map_func, use_inter_op_parallelism=True, preserve_cardinality=False, use_legacy_function=False):
        self._of(input_dataset, map_func, use_inter_op_parallelism, preserve_cardinality, use_legacy_function)

    def _of(self, source, map_func, between, preserve, legacy, **parallel):
        settings.unused("MapDataset", "functions of data sets are all of one kind", use_legacy_function=(legacy, False))
        f = StructuredFunction(map_func, "Dataset.map()", source.element_spec)
        variant = getattr(engine.raw_ops, "ParallelMapDataset" if parallel else "MapDataset")(
            input_dataset=source._variant_tensor, other_arguments=f.captured_inputs, f=f, use_inter_op_parallelism=between, preserve_cardinality=preserve, **parallel,
            **flat(f.output_spec))
        Dataset.__init__(self, variant, f.output_spec, [source], [f])


class ParallelMapDataset(MapDataset):
    """What Dataset.map() with parallel calls makes."""

    def __init__(self, input_dataset, map_func, num_parallel_calls, use_inter_op_parallelism=True, preserve_cardinality=False, use_legacy_function=False):
        calls = ops.convert_to_tensor(num_parallel_calls, dtype=dtypes.int32, name="num_parallel_calls")
        self._of(input_dataset, map_func, use_inter_op_parallelism, preserve_cardinality, use_legacy_function, num_parallel_calls=calls)


class InterleaveDataset(_Method):
    """What Dataset.interleave() makes."""

    def __init__(self, input_dataset, map_func, cycle_length, block_length):
        super().__init__(input_dataset.interleave(map_func, cycle_length, block_length))


class ZipDataset(_Method):
    """What Dataset.zip() makes."""

    def __init__(self, datasets):
        super().__init__(Dataset.zip(datasets))


class RangeDataset(_Method):
    """What Dataset.range() makes."""

    def __init__(self, *args):
        super().__init__(Dataset.range(*args))


class TensorDataset(_Method):
    """What Dataset.from_tensors() makes."""

    def __init__(self, element):
        super().__init__(Dataset.from_tensors(element))


class TensorSliceDataset(_Method):
    """What Dataset.from_tensor_slices() makes."""

    def __init__(self, element):
        super().__init__(Dataset.from_tensor_slices(element))


class _OptionsDataset(_Method):
    """What Dataset.with_options() makes."""

    def __init__(self, input_dataset, options):
        super().__init__(input_dataset.with_options(options))
        self._own_options = options


def _with(op, name):
    def __init__(self, input_dataset, value):
        Dataset.__init__(self, getattr(engine.raw_ops, op)(input_dataset=input_dataset._variant_tensor, **{name: int64(value, name)}, **flat(input_dataset.element_spec)),
                         input_dataset.element_spec, [input_dataset])

    return type("_" + op, (Dataset,), {"__init__": __init__, "__doc__": "A data set that is computed with other threads."})


_MaxIntraOpParallelismDataset = _with("MaxIntraOpParallelismDataset", "max_intra_op_parallelism")
_PrivateThreadPoolDataset = _with("PrivateThreadPoolDataset", "num_threads")
