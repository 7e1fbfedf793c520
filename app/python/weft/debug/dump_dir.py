"""DebugDumpDir: a folder of dumped tensors, with the graphs that were run."""

import collections
import os
import re

from .. import protos
from ..platform import gfile, tf_logging
from . import debug_graphs
from .debug_data import (CORE_METADATA_TAG, DEVICE_TAG, FEED_KEYS_INFO_FILE_TAG, FETCHES_INFO_FILE_TAG, GRAPH_FILE_TAG, METADATA_FILE_PREFIX, DebugTensorDatum,
                         WatchKeyDoesNotExistInDebugDumpDirError, device_path_to_device_name, extract_core_metadata_from_event_proto, read_event, watch_key_of)
from .dump_graphs import GraphQuestions


def _only(found):
    return found[0] if len(found) == 1 else found


class DebugDumpDir(GraphQuestions):
    """The dumped tensors of a folder, by device, time and watch key (NODE:SLOT:OP). `partition_graphs` are used for devices whose graph the folder lacks. `validate`:
    whether the times of the tensors are checked against the graphs."""

    def __init__(self, dump_root, partition_graphs=None, validate=True):
        if not gfile.IsDirectory(dump_root):
            raise IOError("Dump root directory %s does not exist" % dump_root)
        self._dump_root = dump_root
        self._python_graph, self._node_traceback = None, {}
        self._core_metadata = [extract_core_metadata_from_event_proto(read_event(path)) for path in self._files(CORE_METADATA_TAG)]
        self._run_fetches_info = [read_event(path).log_message.message for path in self._files(FETCHES_INFO_FILE_TAG)]
        self._run_feed_keys_info = [read_event(path).log_message.message for path in self._files(FEED_KEYS_INFO_FILE_TAG)]
        self._device_names, self._dump_tensor_data, self._debug_watches, self._by_key = [], {}, {}, {}
        graph_files = {}
        for folder in self._files(DEVICE_TAG):
            device = device_path_to_device_name(folder)
            self._device_names.append(device)
            self._load_device(device, folder, graph_files)
        self._debug_graphs, self._node_devices = {}, {}
        self._load_graphs(graph_files, partition_graphs, validate)
        times = [data[0].timestamp for data in self._dump_tensor_data.values() if data]
        self.t0 = min(times) if times else None

    def _files(self, tag):
        return gfile.Glob(os.path.join(self._dump_root, METADATA_FILE_PREFIX + tag + "*"))

    def _load_device(self, device, folder, graph_files):
        data, watches = [], collections.defaultdict(lambda: collections.defaultdict(set))
        for root, _, names in gfile.Walk(folder):
            for name in names:
                if name.startswith(METADATA_FILE_PREFIX + GRAPH_FILE_TAG):
                    graph_files[device] = os.path.join(root, name)
                    continue
                datum = DebugTensorDatum(self._dump_root, os.path.join(os.path.relpath(root, self._dump_root), name))
                data.append(datum)
                watches[datum.node_name][datum.output_slot].add(datum.debug_op)
        data.sort(key=lambda d: d.extended_timestamp)
        keys = self._by_key[device] = {}
        for datum in data:
            keys.setdefault(datum.watch_key, []).append(datum)
        self._dump_tensor_data[device], self._debug_watches[device] = data, watches

    def _load_graphs(self, graph_files, given, validate):
        for device in self._device_names:
            if device in graph_files:
                found = protos.GraphDef.FromString(read_event(graph_files[device]).graph_def)
            else:
                tf_logging.warn("Failed to load partition graphs for device %s from disk. As a fallback, the client graphs will be used. This may cause mismatches in device "
                                "names." % device)
                found = next((g for g in given or () if any(node.device == device for node in g.node)), None)
            if found is None:
                continue
            graph = debug_graphs.DebugGraph(found, device_name=device)
            self._debug_graphs[device] = graph
            for node, devices in graph.node_devices.items():
                self._node_devices[node] = self._node_devices.get(node, set()) | devices
            if validate:
                self._check_times(device)

    # The program's graph.

    def set_python_graph(self, python_graph):
        """The tf.Graph whose operations know where the program made them."""
        self._python_graph = python_graph
        self._node_traceback = {op.name: op.traceback for op in python_graph.get_operations()} if python_graph else {}

    python_graph = property(lambda self: self._python_graph)

    def node_traceback(self, element_name):
        """Where the program made a node."""
        if self._python_graph is None:
            raise LookupError("Python graph is not available for traceback lookup")
        node = debug_graphs.get_node_name(element_name)
        if node not in self._node_traceback:
            raise KeyError("Cannot find node \"%s\" in Python graph" % node)
        return self._node_traceback[node]

    # The runs: of one run the fact, of several a list.

    core_metadata = property(lambda self: _only(self._core_metadata))
    run_fetches_info = property(lambda self: _only(self._run_fetches_info))
    run_feed_keys_info = property(lambda self: _only(self._run_feed_keys_info))

    # The tensors.

    @property
    def dumped_tensor_data(self):
        """All tensors by time."""
        if len(self._device_names) == 1:
            return self._dump_tensor_data[self._device_names[0]]
        return sorted((d for data in self._dump_tensor_data.values() for d in data), key=lambda d: d.extended_timestamp)

    size = property(lambda self: sum(map(len, self._dump_tensor_data.values())))

    def debug_watch_keys(self, node_name, device_name=None):
        """The watch keys of a node's dumped tensors."""
        try:
            device_name = self._infer_device_name(device_name, node_name)
        except ValueError:
            return []
        watches = self._debug_watches[device_name]
        return [watch_key_of(node_name, slot, op) for slot, ops in watches[node_name].items() for op in ops] if node_name in watches else []

    def watch_key_to_data(self, debug_watch_key, device_name=None):
        """The tensors of a watch key, by time."""
        if device_name is None:
            devices = [device for device, keys in self._by_key.items() if debug_watch_key in keys]
            if len(devices) > 1:
                raise ValueError("The debug watch key '%s' exists on multiple (%d) devices, but device name is not specified." % (debug_watch_key, len(devices)))
            if not devices:
                return []
            device_name = devices[0]
        elif device_name not in self._by_key:
            raise ValueError("There is no device named '%s' consisting of debug watch keys." % device_name)
        return self._by_key[device_name].get(debug_watch_key, [])

    def find(self, predicate, first_n=0, device_name=None, exclude_node_names=None):
        """The tensors for which predicate(datum, value) is true, by time; with first_n > 0 the first ones. Nodes whose names match `exclude_node_names` are left out."""
        exclude = re.compile(exclude_node_names) if exclude_node_names else None
        found = []
        for device in self._dump_tensor_data if device_name is None else [device_name]:
            for datum in self._dump_tensor_data[device]:
                if (exclude is None or not exclude.match(datum.node_name)) and predicate(datum, datum.get_tensor()):
                    found.append(datum)
                    if 0 < first_n <= len(found):
                        return found
        return found

    def _data_of(self, node_name, output_slot, debug_op, device_name):
        device = self._infer_device_name(device_name, node_name)
        key = watch_key_of(node_name, output_slot, debug_op)
        if key not in self._by_key[device]:
            raise WatchKeyDoesNotExistInDebugDumpDirError("Watch key \"%s\" does not exist in the debug dump of device %s" % (key, device))
        return self._by_key[device][key]

    def get_tensor_file_paths(self, node_name, output_slot, debug_op, device_name=None):
        return [d.file_path for d in self._data_of(node_name, output_slot, debug_op, device_name)]

    def get_tensors(self, node_name, output_slot, debug_op, device_name=None):
        """The values of a tensor, by time."""
        try:
            data = self._data_of(node_name, output_slot, debug_op, device_name)
        except (ValueError, KeyError):
            raise WatchKeyDoesNotExistInDebugDumpDirError("Watch key \"%s\" does not exist in the debug dump of device %s"
                                                          % (watch_key_of(node_name, output_slot, debug_op), device_name)) from None
        return [d.get_tensor() for d in data]

    def get_rel_timestamps(self, node_name, output_slot, debug_op, device_name=None):
        """Microseconds since the first tensor of the dump."""
        return [d.timestamp - self.t0 for d in self._data_of(node_name, output_slot, debug_op, device_name)]

    def get_dump_sizes_bytes(self, node_name, output_slot, debug_op, device_name=None):
        return [d.dump_size_bytes for d in self._data_of(node_name, output_slot, debug_op, device_name)]
