"""What the transformations of a data set say about the order and the batches of its elements."""

from ..data.dataset import Dataset
from ..platform import tf_logging as logging

_SOURCES = {"RangeDataset", "SparseTensorSliceDataset", "TensorDataset", "TensorSliceDataset", "FixedLengthRecordDataset", "FixedLengthRecordDatasetV2", "TextLineDataset",
            "TextLineDatasetV2", "TFRecordDataset", "TFRecordDatasetV2"}
_NEITHER = _SOURCES | {"ConcatenateDataset", "CacheDataset", "CacheDatasetV2", "FilterDataset", "MapDataset", "ParallelMapDataset", "PrefetchDataset", "RepeatDataset",
                       "SkipDataset", "TakeDataset", "ZipDataset", "_OptionsDataset"}
_UNBATCHED = _NEITHER | {"ShuffleDataset", "ShuffleDatasetV2"}
_ORDERED = _NEITHER | {"BatchDataset", "BatchDatasetV2", "PaddedBatchDataset", "PaddedBatchDatasetV2", "WindowDataset"}


def _made_only_by(dataset, kinds):
    """Whether a data set and all its inputs are of these kinds."""
    todo = [dataset]
    while todo:
        one = todo.pop()
        if one._kind() not in kinds:
            return False
        todo += one._inputs()
    return True


def assert_not_batched(dataset):
    """ValueError unless it is certain that no transformation makes batches."""
    if not _made_only_by(dataset, _UNBATCHED):
        raise ValueError("Could not assert that dataset is not batched.")


def assert_not_shuffled(dataset):
    """ValueError unless it is certain that no transformation changes the order of elements."""
    if not _made_only_by(dataset, _ORDERED):
        raise ValueError("Could not assert that dataset is not shuffled.")


def verify_dataset_shuffled(x):
    """Warns if it is certain that the data set is not shuffled."""
    assert isinstance(x, Dataset)
    if _made_only_by(x, _ORDERED):
        logging.warning("Expected a shuffled dataset but input dataset `x` is not shuffled. Please invoke `shuffle()` on input dataset.")
