"""Readers of files whose names are in queues: tf.TextLineReader and the others."""

from .. import dtypes, engine, settings
from ..exports import export
from ..ops import NotDifferentiable, Tensor
from ..platform.records import TFRecordOptions


@export("ReaderBase")
class ReaderBase:
    """A reader, held by reference."""

    def __init__(self, reader_ref, supports_serialize=False):
        self._reader_ref, self._supports_serialize = reader_ref, supports_serialize

    reader_ref = property(lambda self: self._reader_ref)
    supports_serialize = property(lambda self: self._supports_serialize)

    def _call(self, op, *args, name):
        if self._reader_ref.dtype == dtypes.resource:
            return getattr(engine.raw_ops, op + "V2")(self._reader_ref, *args, name=name)
        return getattr(engine.raw_ops, op)(self._reader_ref, *args, name=name)

    def _queue(self, queue):
        ref = queue if isinstance(queue, Tensor) else queue.queue_ref
        return ref if self._reader_ref.dtype == dtypes.resource else engine.raw_ops.FakeQueue(resource=ref)

    def read(self, queue, name=None):
        """The next record as (key, value); at the end of a file takes the next one from the queue."""
        return self._call("ReaderRead", self._queue(queue), name=name)

    def read_up_to(self, queue, num_records, name=None):
        """Up to `num_records` records as (keys, values)."""
        return self._call("ReaderReadUpTo", self._queue(queue), num_records, name=name)

    def num_records_produced(self, name=None):
        return self._call("ReaderNumRecordsProduced", name=name)

    def num_work_units_completed(self, name=None):
        return self._call("ReaderNumWorkUnitsCompleted", name=name)

    def serialize_state(self, name=None):
        return self._call("ReaderSerializeState", name=name)

    def restore_state(self, state, name=None):
        return self._call("ReaderRestoreState", state, name=name)

    def reset(self, name=None):
        return self._call("ReaderReset", name=name)


@export("WholeFileReader")
class WholeFileReader(ReaderBase):
    """A reader that returns each file as one record: its name and its contents."""

    def __init__(self, name=None):
        super().__init__(engine.raw_ops.WholeFileReaderV2(name=name), supports_serialize=True)


@export("TextLineReader")
class TextLineReader(ReaderBase):
    """A reader of lines."""

    def __init__(self, skip_header_lines=None, name=None):
        super().__init__(engine.raw_ops.TextLineReaderV2(skip_header_lines=skip_header_lines, name=name))


@export("FixedLengthRecordReader")
class FixedLengthRecordReader(ReaderBase):
    """A reader of records of `record_bytes` bytes each."""

    def __init__(self, record_bytes, header_bytes=None, footer_bytes=None, hop_bytes=None, name=None, encoding=None):
        super().__init__(engine.raw_ops.FixedLengthRecordReaderV2(record_bytes=record_bytes, header_bytes=header_bytes, footer_bytes=footer_bytes, hop_bytes=hop_bytes,
                                                                  encoding=encoding, name=name))


@export("TFRecordReader")
class TFRecordReader(ReaderBase):
    """A reader of TFRecord files."""

    def __init__(self, name=None, options=None):
        super().__init__(engine.raw_ops.TFRecordReaderV2(compression_type=TFRecordOptions.get_compression_type_string(options), name=name))


@export("LMDBReader")
class LMDBReader(ReaderBase):
    """A reader of the keys and values of an LMDB database."""

    def __init__(self, name=None, options=None):
        settings.unused("LMDBReader", "a database is read as it is", options=(options, None))
        super().__init__(engine.raw_ops.LMDBReader(name=name))


@export("IdentityReader")
class IdentityReader(ReaderBase):
    """Returns the strings of the queue as keys and values."""

    def __init__(self, name=None):
        super().__init__(engine.raw_ops.IdentityReaderV2(name=name), supports_serialize=True)


for _op in ("Read", "ReadUpTo", "NumRecordsProduced", "NumWorkUnitsCompleted", "SerializeState", "RestoreState", "Reset"):
    NotDifferentiable("Reader" + _op)
for _op in ("WholeFileReader", "TextLineReader", "FixedLengthRecordReader", "TFRecordReader", "LMDBReader", "IdentityReader"):
    NotDifferentiable(_op)
