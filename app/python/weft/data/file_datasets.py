"""Data sets of the records in files."""

from .. import dtypes, engine, ops
from ..exports import export
from ..tensor_shape import TensorShape
from . import structure
from .dataset import AUTOTUNE, Dataset
from .structure import TensorSpec

_BUFFER = 256 * 1024  # bytes, by default


def optional(name, value, otherwise=0, dtype=None):
    """A parameter as a tensor, or a tensor of its default for None."""
    return ops.convert_to_tensor(value if value is not None else otherwise, dtype=dtype or dtypes.int64, name=name) if value is not None else \
        ops.constant(otherwise, dtype=dtype or dtypes.int64, name=name)


def _text_spec():
    return TensorSpec([], dtypes.string)


def _filenames(filenames):
    if isinstance(filenames, Dataset):
        if filenames.output_types != dtypes.string:
            raise TypeError("`filenames` must be a `tf.data.Dataset` of `tf.string` elements.")
        if not filenames.output_shapes.is_compatible_with(TensorShape([])):
            raise TypeError("`filenames` must be a `tf.data.Dataset` of scalar `tf.string` elements.")
        return filenames
    filenames = ops.convert_to_tensor(filenames, dtype=dtypes.string)
    return Dataset.from_tensor_slices(engine.reshape(filenames, [-1], name="flat_filenames"))


class _OfFiles(Dataset):
    """The records of several files, one file after another or interleaved."""

    _is_source = True  # whether the names of files are no input

    def __init__(self, filenames, num_parallel_reads, **options):
        self._filenames = _filenames(filenames)

        def read_one_file(filename):
            filename = ops.convert_to_tensor(filename, dtypes.string, name="filename")
            return Dataset(self._open(filename, **options), _text_spec())

        if num_parallel_reads is None:
            made = self._filenames.flat_map(read_one_file)
        elif num_parallel_reads == AUTOTUNE:
            made = self._filenames.interleave(read_one_file, num_parallel_calls=num_parallel_reads)
        else:
            from .experimental import parallel_interleave

            made = self._filenames.apply(parallel_interleave(read_one_file, cycle_length=num_parallel_reads))
        super().__init__(made._variant_tensor, _text_spec(), [] if self._is_source else made._inputs(), made._functions())


@export("data.TextLineDataset")
class TextLineDataset(_OfFiles):
    """The lines of text files."""

    def __init__(self, filenames, compression_type=None, buffer_size=None, num_parallel_reads=None):
        super().__init__(filenames, num_parallel_reads, compression_type=compression_type, buffer_size=buffer_size)

    @staticmethod
    def _open(filename, compression_type, buffer_size):
        compression = optional("compression_type", compression_type, "", dtypes.string)
        return engine.raw_ops.TextLineDataset(filenames=filename, compression_type=compression, buffer_size=optional("buffer_size", buffer_size, _BUFFER))


@export("data.TFRecordDataset")
class TFRecordDataset(_OfFiles):
    """The records of TFRecord files."""

    _is_source = False

    def __init__(self, filenames, compression_type=None, buffer_size=None, num_parallel_reads=None):
        super().__init__(filenames, num_parallel_reads, compression_type=compression_type, buffer_size=buffer_size)

    @staticmethod
    def _open(filename, compression_type, buffer_size):
        compression = optional("compression_type", compression_type, "", dtypes.string)
        return engine.raw_ops.TFRecordDataset(filenames=filename, compression_type=compression, buffer_size=optional("buffer_size", buffer_size, _BUFFER))


class _TFRecordDataset(Dataset):
    """The records of TFRecord files, one file after another, in one op."""

    def __init__(self, filenames, compression_type=None, buffer_size=None):
        self._filenames = filenames
        super().__init__(TFRecordDataset._open(filenames, compression_type, buffer_size), _text_spec())


@export("data.FixedLengthRecordDataset")
class FixedLengthRecordDataset(_OfFiles):
    """Records of `record_bytes` bytes each."""

    def __init__(self, filenames, record_bytes, header_bytes=None, footer_bytes=None, buffer_size=None, compression_type=None, num_parallel_reads=None):
        super().__init__(filenames, num_parallel_reads, record_bytes=record_bytes, header_bytes=header_bytes, footer_bytes=footer_bytes, buffer_size=buffer_size,
                         compression_type=compression_type)

    @staticmethod
    def _open(filename, record_bytes, header_bytes, footer_bytes, buffer_size, compression_type):
        record = ops.convert_to_tensor(record_bytes, dtype=dtypes.int64, name="record_bytes")
        header, footer = optional("header_bytes", header_bytes), optional("footer_bytes", footer_bytes)
        size = optional("buffer_size", buffer_size, _BUFFER)
        return engine.raw_ops.FixedLengthRecordDatasetV2(filenames=filename, header_bytes=header, record_bytes=record, footer_bytes=footer, buffer_size=size,
                                                         compression_type=optional("compression_type", compression_type, "", dtypes.string))


@export("data.experimental.CsvDataset", "contrib.data.CsvDataset")
class CsvDataset(Dataset):
    """The columns of CSV files; defaults give their types."""

    def __init__(self, filenames, record_defaults, compression_type=None, buffer_size=None, header=False, field_delim=",", use_quote_delim=True, na_value="",
                 select_cols=None):
        files = ops.convert_to_tensor(filenames, dtype=dtypes.string, name="filenames")
        compression = optional("compression_type", compression_type, "", dtypes.string)
        types = (dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64, dtypes.string)
        defaults = [ops.constant([], dtype=d) if not isinstance(d, ops.Tensor) and any(d is t for t in types) else d for d in record_defaults]
        defaults = ops.convert_n_to_tensor(defaults, name="record_defaults")
        arguments = {"buffer_size": optional("buffer_size", buffer_size, _BUFFER), "header": ops.convert_to_tensor(header, dtype=dtypes.bool_, name="header"),
                     "field_delim": ops.convert_to_tensor(field_delim, dtype=dtypes.string, name="field_delim"),
                     "use_quote_delim": ops.convert_to_tensor(use_quote_delim, dtype=dtypes.bool_, name="use_quote_delim"),
                     "na_value": ops.convert_to_tensor(na_value, dtype=dtypes.string, name="na_value"), "select_cols": optional("select_cols", select_cols, [])}
        spec = tuple(TensorSpec([], d.dtype) for d in defaults)
        super().__init__(engine.raw_ops.CSVDataset(filenames=files, compression_type=compression, record_defaults=defaults, output_shapes=structure.get_flat_tensor_shapes(spec), **arguments),
                         spec)
