"""Snapshots: the elements of a data set in files, from which later runs read them."""

from .. import dtypes, ops, settings
from ..exports import export_value

COMPRESSION_GZIP = "GZIP"
COMPRESSION_NONE = export_value(None, "python.data.experimental.ops.snapshot.COMPRESSION_NONE")


def snapshot(path, compression=None, reader_path_prefix=None, writer_path_prefix=None, shard_size_bytes=None, pending_snapshot_expiry_seconds=None, num_reader_threads=None,
             reader_buffer_size=None, num_writer_threads=None, writer_buffer_size=None):
    """Writes the elements to files below `path`; where a complete snapshot of an equal data set is there, reads them instead.

    Elements are written and read in order, by the thread that requests them."""
    threads = {"num_reader_threads": num_reader_threads, "reader_buffer_size": reader_buffer_size, "num_writer_threads": num_writer_threads, "writer_buffer_size": writer_buffer_size}
    numbers = dict(threads, shard_size_bytes=shard_size_bytes, pending_snapshot_expiry_seconds=pending_snapshot_expiry_seconds)
    texts = {"compression": compression, "reader_path_prefix": reader_path_prefix, "writer_path_prefix": writer_path_prefix}
    settings.unused("snapshot", "elements are written and read by the thread that requests them", **{name: (value, None, 1) for name, value in threads.items()})
    more = {name: -1 if value is None else value for name, value in numbers.items()}
    more.update({name: value or "" for name, value in texts.items()})
    return lambda dataset: dataset._made("SnapshotDataset", path=ops.convert_to_tensor(path, dtype=dtypes.string, name="path"), **more)
