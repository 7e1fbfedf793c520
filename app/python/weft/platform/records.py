"""tf.python_io: TFRecord files."""

import os

from .. import errors
from ..exports import export

_NAMES = {0: "", 1: "ZLIB", 2: "GZIP"}


@export("python_io.TFRecordCompressionType", "io.TFRecordCompressionType")
class TFRecordCompressionType:
    """Compression types of record files."""

    NONE = 0
    ZLIB = 1
    GZIP = 2


@export("python_io.TFRecordOptions", "io.TFRecordOptions")
class TFRecordOptions:
    """Options of a record file; the numeric ones are parameters of zlib."""

    compression_type_map = _NAMES

    def __init__(self, compression_type=None, flush_mode=None, input_buffer_size=None, output_buffer_size=None, window_bits=None,
                 compression_level=None, compression_method=None, mem_level=None, compression_strategy=None):
        from .. import settings

        settings.unused("TFRecordOptions", "zlib compresses as it does by default", flush_mode=(flush_mode, None), window_bits=(window_bits, None),
                        compression_level=(compression_level, None), compression_method=(compression_method, None), mem_level=(mem_level, None),
                        compression_strategy=(compression_strategy, None))
        self.get_compression_type_string(compression_type)
        self.compression_type = compression_type
        self.flush_mode, self.input_buffer_size, self.output_buffer_size, self.window_bits = flush_mode, input_buffer_size, output_buffer_size, window_bits
        self.compression_level, self.compression_method = compression_level, compression_method
        self.mem_level, self.compression_strategy = mem_level, compression_strategy

    @classmethod
    def get_compression_type_string(cls, options):
        """ "", "ZLIB" or "GZIP" for a number, a name or TFRecordOptions."""
        if not options:
            return ""
        if isinstance(options, TFRecordOptions):
            return cls.get_compression_type_string(options.compression_type)
        if options in _NAMES:
            return _NAMES[options]
        if options in _NAMES.values():
            return options
        raise ValueError('Not a valid compression_type: "{}"'.format(options))


def _engine():
    from .. import _weft

    return _weft


@export("python_io.TFRecordWriter", "io.TFRecordWriter")
class TFRecordWriter:
    """Writes records to a file."""

    def __init__(self, path, options=None):
        self._writer = _engine().RecordWriter(os.fspath(path), TFRecordOptions.get_compression_type_string(options))

    def write(self, record):
        """Appends a record."""
        self._open().write(record)

    def flush(self):
        """Flushes written records to the system."""
        self._open().flush()

    def _open(self):
        if self._writer is None:
            raise errors.FailedPreconditionError(None, None, "Writer not initialized or previously closed")
        return self._writer

    def close(self):
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()


@export("python_io.tf_record_iterator", "io.tf_record_iterator")
def tf_record_iterator(path, options=None):
    """The records of a file. DataLossError for a damaged one."""
    reader = _engine().RecordReader(os.fspath(path), TFRecordOptions.get_compression_type_string(options))
    while True:
        record = reader.next()
        if record is None:
            return
        yield record
