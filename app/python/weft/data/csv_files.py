"""tf.data.experimental.make_csv_dataset and make_batched_features_dataset: batches for training, read from files."""

import collections
import csv
import gzip

import numpy as np

from .. import dtypes, ops
from ..conversion import constant_value
from ..exports import export
from ..ops import Tensor
from ..platform import gfile
from . import experimental
from .dataset import AUTOTUNE, Dataset, get_output_types
from .dataset_functions import StructuredFunction
from .experimental import parallel_interleave, parse_example_dataset, shuffle_and_repeat
from .file_datasets import CsvDataset, TFRecordDataset
from .file_readers import ReaderBase
from .options import Options

_TYPES = [dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64, dtypes.string]


def _files(file_pattern):
    patterns = file_pattern if isinstance(file_pattern, list) else [file_pattern]
    if not patterns:
        raise ValueError("File pattern is empty.")
    names = [n for p in patterns for n in gfile.Glob(p)]
    if not names:
        raise ValueError("No files match %s." % file_pattern)
    return sorted(names)


def _fits(kind, text):
    """Whether a text is a value of the type."""
    try:
        if kind in (dtypes.int32, dtypes.int64):
            return np.iinfo(kind.as_numpy_dtype).min <= int(text) <= np.iinfo(kind.as_numpy_dtype).max
        with np.errstate(over="ignore"):
            return kind is dtypes.string or bool(kind.as_numpy_dtype(text) < np.inf)
    except (ValueError, OverflowError):
        return False


def _wider(kind, text, na_value):
    """The first type that fits this text as well as all earlier ones."""
    if text in ("", na_value):
        return kind
    return next(t for i, t in enumerate(_TYPES) if _fits(t, text) and (kind is None or kind in _TYPES[:i + 1]))


def _opener(compression_type):
    if compression_type is None:
        return lambda name: gfile.GFile(name, "r")
    kind = constant_value(compression_type)
    if kind is None:
        raise ValueError("Received unkown compression_type")
    if kind == "GZIP":
        return lambda name: gzip.open(gfile.local_path(name), "rt")
    if kind != "":
        raise ValueError("compression_type (%s) is not supported%s" % (compression_type, " for probing columns" if kind == "ZLIB" else ""))
    return lambda name: gfile.GFile(name, "r")


def _header(name, open_file, options):
    with open_file(name) as f:
        try:
            return next(csv.reader(f, **options))
        except StopIteration:
            raise ValueError("Received StopIteration when reading the header line of %s.  Empty file?" % name) from None


def _rows(names, count, header, open_file, options):
    for name in names:
        with open_file(name) as f:
            rows = csv.reader(f, **options)
            if header:
                next(rows)
            for row in rows:
                if len(row) != count:
                    raise ValueError("Problem inferring types: CSV row has different number of fields than expected.")
                yield row


def _defaults(names, count, header, open_file, options, na_value, most, columns):
    columns = range(count) if columns is None else columns
    kinds = [None] * len(columns)
    for i, row in enumerate(_rows(names, count, header, open_file, options)):
        if most is not None and i >= most:
            break
        kinds = [_wider(k, row[c], na_value) for k, c in zip(kinds, columns)]
    return [ops.constant(["" if k in (None, dtypes.string) else 0], dtype=k or dtypes.string) for k in kinds]


def _column_numbers(chosen, names):
    places = {n: i for i, n in enumerate(names)}
    for c in chosen:
        if isinstance(c, int) and not 0 <= c < len(names):
            raise ValueError("Column index %d specified in select_columns out of valid range." % c)
        if not isinstance(c, int) and c not in places:
            raise ValueError("Value '%s' specified in select_columns not a valid column index or name." % c)
    numbers = [c if isinstance(c, int) else places[c] for c in chosen]
    if len(set(numbers)) != len(numbers):
        raise ValueError("select_columns contains duplicate columns")
    return sorted(numbers)


def _in_epochs(dataset, num_epochs, shuffle, size, seed):
    if num_epochs != 1 and shuffle:
        return dataset.apply(shuffle_and_repeat(size, num_epochs, seed))
    return dataset.shuffle(size, seed) if shuffle else dataset.repeat(num_epochs) if num_epochs != 1 else dataset


def _read(dataset, reader, count, sloppy):
    if count == AUTOTUNE:
        options = Options()
        options.experimental_deterministic = not sloppy
        return dataset.interleave(reader, num_parallel_calls=count).with_options(options)
    return dataset.apply(parallel_interleave(reader, cycle_length=count, sloppy=sloppy))


def _mapped_alone(dataset, map_func):
    """map() with its function run in the caller's thread."""
    f = StructuredFunction(map_func, "Dataset.map()", dataset.element_spec)
    return dataset._made("MapDataset", f.output_spec, [f], other_arguments=f.captured_inputs, f=f, preserve_cardinality=False, use_inter_op_parallelism=False)


@export("data.experimental.make_csv_dataset")
def make_csv_dataset(file_pattern, batch_size, column_names=None, column_defaults=None, label_name=None, select_columns=None, field_delim=",", use_quote_delim=True, na_value="",
                     header=True, num_epochs=None, shuffle=True, shuffle_buffer_size=10000, shuffle_seed=None, prefetch_buffer_size=None, num_parallel_reads=None, sloppy=False,
                     num_rows_for_inference=100, compression_type=None, ignore_errors=False):
    """Batches of CSV columns by name; names and types are read from the files."""
    names = _files(file_pattern)
    dataset = Dataset.from_tensor_slices(names)
    if shuffle:
        dataset = dataset.shuffle(len(names), shuffle_seed)
    options = {"delimiter": field_delim, "quoting": csv.QUOTE_MINIMAL if use_quote_delim else csv.QUOTE_NONE}
    open_file = _opener(compression_type) if column_names is None or column_defaults is None else None
    if column_names is None:
        if not header:
            raise ValueError("Cannot infer column names without a header line.")
        column_names = _header(names[0], open_file, options)
        if any(_header(n, open_file, options) != column_names for n in names[1:]):
            raise ValueError("Files have different column names in the header row.")
    if len(column_names) != len(set(column_names)):
        raise ValueError("Cannot have duplicate column names.")
    if select_columns is not None:
        select_columns = _column_numbers(select_columns, column_names)
    if column_defaults is not None:
        column_defaults = [ops.constant([], dtype=d) if not isinstance(d, Tensor) and any(d is t for t in _TYPES) else d for d in column_defaults]
    else:
        column_defaults = _defaults(names, len(column_names), header, open_file, options, na_value, num_rows_for_inference, select_columns)
    if select_columns is not None and len(column_defaults) != len(select_columns):
        raise ValueError("If specified, column_defaults and select_columns must have same length.")
    if select_columns is not None and len(column_names) > len(select_columns):
        column_names = [column_names[i] for i in select_columns]
    if label_name is not None and label_name not in column_names:
        raise ValueError("`label_name` provided must be one of the columns.")

    def filename_to_dataset(name):  # this name appears in graphs
        rows = CsvDataset(name, record_defaults=column_defaults, field_delim=field_delim, use_quote_delim=use_quote_delim, na_value=na_value, select_cols=select_columns,
                          header=header, compression_type=compression_type)
        return rows.apply(experimental.ignore_errors()) if ignore_errors else rows

    def map_fn(*columns):
        features = collections.OrderedDict(zip(column_names, columns))
        return features if label_name is None else (features, features.pop(label_name))

    dataset = _read(dataset, filename_to_dataset, 1 if num_parallel_reads is None else num_parallel_reads, sloppy)
    dataset = _in_epochs(dataset, num_epochs, shuffle, shuffle_buffer_size, shuffle_seed)
    dataset = dataset.batch(batch_size, drop_remainder=num_epochs is None)
    return _mapped_alone(dataset, map_fn).prefetch(AUTOTUNE if prefetch_buffer_size is None else prefetch_buffer_size)


@export("data.experimental.make_batched_features_dataset")
def make_batched_features_dataset(file_pattern, batch_size, features, reader=TFRecordDataset, label_key=None, reader_args=None, num_epochs=None, shuffle=True,
                                  shuffle_buffer_size=10000, shuffle_seed=None, prefetch_buffer_size=None, reader_num_threads=None, parser_num_threads=None,
                                  sloppy_ordering=False, drop_final_batch=False):
    """Batches of parsed tf.Example features from files."""
    if isinstance(reader, type) and issubclass(reader, ReaderBase):
        raise TypeError("The `reader` argument must return a `Dataset` object. `tf.ReaderBase` subclasses are not supported. For example, pass `tf.data.TFRecordDataset` instead "
                        "of `tf.TFRecordReader`.")
    dataset = Dataset.list_files(file_pattern, shuffle=shuffle, seed=shuffle_seed)
    dataset = _read(dataset, lambda name: reader(name, *(reader_args or [])), 1 if reader_num_threads is None else reader_num_threads, sloppy_ordering)
    if get_output_types(dataset) == (dtypes.string, dtypes.string):
        dataset = _mapped_alone(dataset, lambda _, value: value)
    dataset = _in_epochs(dataset, num_epochs, shuffle, shuffle_buffer_size, shuffle_seed)
    dataset = dataset.batch(batch_size, drop_remainder=drop_final_batch or num_epochs is None)
    dataset = dataset.apply(parse_example_dataset(features, num_parallel_calls=2 if parser_num_threads is None else parser_num_threads))
    if label_key:
        if label_key not in features:
            raise ValueError("The `label_key` provided (%r) must be one of the `features` keys." % label_key)
        dataset = dataset.map(lambda x: (x, x.pop(label_key)))
    return dataset.prefetch(AUTOTUNE if prefetch_buffer_size is None else prefetch_buffer_size)


def make_tf_record_dataset(file_pattern, batch_size, parser_fn=None, num_epochs=None, shuffle=True, shuffle_buffer_size=None, shuffle_seed=None, prefetch_buffer_size=None,
                           num_parallel_reads=None, num_parallel_parser_calls=None, drop_final_batch=False):
    """Batches of the records of TFRecord files, parsed by `parser_fn`."""
    files = Dataset.list_files(file_pattern, shuffle=shuffle, seed=shuffle_seed)
    dataset = TFRecordDataset(files, num_parallel_reads=24 if num_parallel_reads is None else num_parallel_reads)
    dataset = _in_epochs(dataset, num_epochs, shuffle, 10000 if shuffle_buffer_size is None else shuffle_buffer_size, shuffle_seed)
    if parser_fn is not None:
        dataset = dataset.map(parser_fn, num_parallel_calls=batch_size if num_parallel_parser_calls is None else num_parallel_parser_calls)
    dataset = dataset.batch(batch_size, drop_remainder=drop_final_batch or num_epochs is None)
    return dataset if prefetch_buffer_size == 0 else dataset.prefetch(AUTOTUNE if prefetch_buffer_size is None else prefetch_buffer_size)
