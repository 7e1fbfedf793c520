"""tensorflow.python.debug.lib.debug_data: the tensors that watched runs dumped.

A dump is a folder with one folder per device, in it a file per tensor (SCOPE/NODE_SLOT_OP_MICROSECONDS) and the device's graph, and beside these what was run."""

import collections
import json
import os

import numpy as np

from .. import protos
from ..platform import gfile
from ..tensor_util import MakeNdarray

METADATA_FILE_PREFIX = "_tfdbg_"
CORE_METADATA_TAG = "core_metadata_"
GRAPH_FILE_TAG = "graph_"
DEVICE_TAG = "device_"
HASH_TAG = "hash"
FETCHES_INFO_FILE_TAG = "fetches_info_"
FEED_KEYS_INFO_FILE_TAG = "feed_keys_info_"

_RESOURCE = 20


class InconvertibleTensorProto:
    """A dumped tensor that no array can hold, or that had no value yet (initialized is False)."""

    def __init__(self, tensor_proto, initialized=True):
        self._tensor_proto, self.initialized = tensor_proto, initialized

    def __str__(self):
        return ("" if self.initialized else "Uninitialized tensor:\n") + str(self._tensor_proto)


def read_event(path):
    """The Event in a file."""
    event = protos.Event()
    with gfile.GFile(path, "rb") as f:
        event.ParseFromString(f.read())
    return event


def load_tensor_from_event_file(event_file_path):
    return load_tensor_from_event(read_event(event_file_path))


def load_tensor_from_event(event):
    """The dumped value as an array, or as an InconvertibleTensorProto."""
    tensor = event.summary.value[0].tensor
    empty = any(d.size == 0 for d in tensor.tensor_shape.dim)
    if not (tensor.tensor_content or tensor.string_val or empty):
        return InconvertibleTensorProto(tensor, False)
    if tensor.dtype == _RESOURCE:
        return InconvertibleTensorProto(tensor)
    try:
        return MakeNdarray(tensor)
    except (KeyError, TypeError):
        return InconvertibleTensorProto(tensor)


def has_inf_or_nan(datum, tensor):
    """The usual filter: whether a value holds infinity or NaN. Text and values that no array can hold do not."""
    if isinstance(tensor, InconvertibleTensorProto) or np.asarray(tensor).dtype.kind not in "fciu":
        return False
    return bool(np.any(~np.isfinite(tensor)))


_CoreMetadata = collections.namedtuple("CoreMetadata", ["global_step", "session_run_index", "executor_step_index", "input_names", "output_names", "target_nodes"])


def extract_core_metadata_from_event_proto(event):
    facts = json.loads(event.log_message.message)
    return _CoreMetadata(*(facts[name] for name in _CoreMetadata._fields))


def device_name_to_device_path(device_name):
    """The name of a device's folder: "/job:ps/cpu:0" gives "_tfdbg_device_,job_ps,cpu_0"."""
    name = device_name.decode() if isinstance(device_name, bytes) else device_name
    return METADATA_FILE_PREFIX + DEVICE_TAG + name.replace(":", "_").replace("/", ",")


def device_path_to_device_name(device_dir):
    parts = os.path.basename(device_dir)[len(METADATA_FILE_PREFIX + DEVICE_TAG):].split(",")
    return "/".join(part.replace("device_", "device:").replace("_", ":", 1) for part in parts)


def tensor_name_of(node_name, output_slot):
    return "%s:%d" % (node_name, output_slot)


def watch_key_of(node_name, output_slot, debug_op):
    return "%s:%d:%s" % (node_name, output_slot, debug_op)


class DebugTensorDatum:
    """One dumped tensor. Its value is read on demand."""

    def __init__(self, dump_root, debug_dump_rel_path):
        """`debug_dump_rel_path`: DEVICE/SCOPE/NODE_SLOT_OP_TIME below `dump_root`; TIME may end with "-1" if several dumps had the same microsecond."""
        parts = os.path.normpath(debug_dump_rel_path).split(os.sep)
        words = parts[-1].rsplit("_", 3)
        if len(words) < 4:
            raise ValueError("Dump file path does not conform to the naming pattern: %s" % parts[-1])
        self.device_name = device_path_to_device_name(parts[0])
        self.node_name = "/".join(parts[1:-1] + [words[0]])
        self.output_slot, self.debug_op, self.extended_timestamp = int(words[1]), words[2], words[3]
        self.timestamp = int(words[3].partition("-")[0])
        self.file_path = os.path.join(dump_root, debug_dump_rel_path)
        self.dump_size_bytes = gfile.Stat(self.file_path).length if gfile.Exists(self.file_path) else None

    def __str__(self):
        return "{DebugTensorDatum (%s) %s:%d @ %s @ %d}" % (self.device_name, self.node_name, self.output_slot, self.debug_op, self.timestamp)

    __repr__ = __str__

    def get_tensor(self):
        return load_tensor_from_event_file(self.file_path)

    tensor_name = property(lambda self: tensor_name_of(self.node_name, self.output_slot))
    watch_key = property(lambda self: watch_key_of(self.node_name, self.output_slot, self.debug_op))


class WatchKeyDoesNotExistInDebugDumpDirError(ValueError):
    pass
