"""Runs with RunOptions.debug_options: the watched tensors are dumped into folders as TensorFlow's debugger (tfdbg) does it, for DebugDumpDir.

The engine computes such a run op by op, in a fixed order, and shows each watched tensor to a Dumper. Nothing is added to the graph that runs; the partition graphs show
the nodes that TensorFlow would have added (see debug_graphs.py), because tools read from them what was watched."""

import collections
import itertools
import json
import os
import time

import numpy as np

from .. import dtypes, errors, partition_graphs, protos, session as sessions
from ..platform import tf_logging
from . import debug_graphs, debug_ops
from .debug_data import CORE_METADATA_TAG, GRAPH_FILE_TAG, HASH_TAG, METADATA_FILE_PREFIX, device_name_to_device_path, tensor_name_of, watch_key_of

_FILE = "file://"
_runs = itertools.count()

Watched = collections.namedtuple("Watched", ["device", "dtype", "shape", "ops", "folders"])


def _folders(urls):
    for url in urls:
        if url.startswith("grpc://"):
            raise errors.UnimplementedError(None, None, "Tensors are not sent to %s: debug servers (grpc://) are not supported, folders (file://) are" % url)
        if not url.startswith(_FILE):
            raise errors.UnavailableError(None, None, "Invalid debug target URL: %s" % url)
    return [url[len(_FILE):] for url in urls]


def _asked(options):
    """(tensor name -> watch, the watch of all other tensors or None). The last watch of a tensor counts."""
    watches, others = {}, None
    for watch in options.debug_tensor_watch_opts:
        if watch.node_name == "*":
            if watch.output_slot >= 0:
                raise errors.FailedPreconditionError(None, None, "output_slot is expected to be -1 for wildcard node name (\"*\"), but got %d" % watch.output_slot)
            others = watch
        elif watch.output_slot < 0:
            raise errors.FailedPreconditionError(None, None, "A negative output_slot in DebugTensorWatch is valid only for the wildcard node name (\"*\"), but got node name %s"
                                                 % watch.node_name)
        else:
            watches[tensor_name_of(watch.node_name, watch.output_slot)] = watch
    return watches, others


def _checked_ops(watch, tensor, node, slot):
    found = []
    for text in [debug_ops.parse(text, tensor.name) for text in watch.debug_ops]:
        try:
            found.append(debug_ops.check(text, tensor.dtype.base_dtype, tensor.name, debug_graphs.debug_node_name(node, slot, len(found), text.name)))
        except errors.FailedPreconditionError as e:
            if not watch.tolerate_debug_op_creation_failures:
                raise
            tf_logging.info("tolerated: %s", e.message)
    return found


def _find_watched(graph, graphs, options):
    """(node, slot) -> Watched, for the tensors of a run."""
    watches, others = _asked(options)
    found = {}
    for device, made in graphs:
        for node in made.node:
            for slot, tensor in enumerate(graph.get_operation_by_name(node.name).outputs):
                watch = watches.get(tensor.name, others)
                if watch is None:
                    continue
                ops = _checked_ops(watch, tensor, node.name, slot)
                if ops:
                    shape = tensor.get_shape()
                    found[node.name, slot] = Watched(device, tensor.dtype, shape.as_list() if shape.is_fully_defined() else [], ops, _folders(watch.debug_urls))
    return found


def _add_watching_nodes(made, device, watched):
    """Adds the copies of watched tensors, and the nodes that look at them; what read a tensor reads its copy, unless the tensor is a reference."""
    readers = {}
    for node in made.node:
        if node.op in ("Enter", "RefEnter"):
            node.attr["parallel_iterations"].i = 1
        for i, name in enumerate(node.input):
            readers.setdefault(name, []).append((node, i))
    for (name, slot), tensor in watched.items():
        if tensor.device != device:
            continue
        source = name if slot == 0 else tensor_name_of(name, slot)
        base = tensor.dtype.base_dtype
        urls = [_FILE + folder for folder in tensor.folders]
        copy = made.node.add(name=debug_graphs.copy_node_name(name, slot), op="CopyHost" if base == dtypes.string else "Copy", input=[source], device=device)
        copy.attr["T"].type = base.as_datatype_enum
        copy.attr["tensor_name"].s = b""
        copy.attr["debug_ops_spec"].list.s.extend(("%s;%s;%d" % (op.name, url, op.attrs.get("gated_grpc", False))).encode() for op in tensor.ops for url in urls)
        for index, op in enumerate(tensor.ops):
            node = made.node.add(name=debug_graphs.debug_node_name(name, slot, index, op.name), op=op.name, input=[copy.name], device=device)
            node.attr["T"].type = base.as_datatype_enum
            node.attr["tensor_name"].s = tensor_name_of(name, slot).encode()
            node.attr["debug_urls"].list.s.extend(url.encode() for url in urls)
            for key, value in {"device_name": device, "gated_grpc": False, **op.attrs}.items():
                setattr(node.attr[key], {bool: "b", float: "f", str: "s"}[type(value)], value.encode() if isinstance(value, str) else value)
        if base == tensor.dtype:
            for reader, i in readers.get(source, ()):
                reader.input[i] = copy.name


def _proto(value, dtype, shape):
    """A value as a TensorProto whose numbers are one text of bytes; without value only type and shape. None for values that have no form."""
    base = dtypes.as_dtype(dtype).base_dtype
    proto = protos.TensorProto(dtype=base.as_datatype_enum)
    for size in shape if value is None or isinstance(value, str) else np.shape(value):
        proto.tensor_shape.dim.add(size=size)
    if base == dtypes.resource:
        proto.tensor_content = str(value).encode() or b"resource"
    elif isinstance(value, str):
        return None
    elif value is not None and base == dtypes.string:
        proto.string_val.extend(v.encode() if isinstance(v, str) else bytes(v) for v in np.asarray(value, dtype=object).ravel())
    elif value is not None:
        proto.tensor_content = np.asarray(value).tobytes()
    return proto


class Dumper:
    """Writes the tensors that a run shows. No two get the same time, because the debugger orders them by it."""

    def __init__(self, watched):
        self._watched = watched
        self._last = 0

    def micros(self):
        self._last = max(self._last + 1, time.time_ns() // 1000)
        return self._last

    def write(self, path, event):
        """Writes an Event to PATH_TIME; if that exists, because another run writes into the same folder, to PATH_TIME-1, -2 …"""
        now = self.micros()
        event.wall_time = now
        path = "%s_%d" % (path, now)
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
        except OSError as e:
            raise errors.FailedPreconditionError(None, None, "Failed to create directory  %s, due to: %s" % (os.path.dirname(path), e)) from None
        for end in itertools.chain([""], ("-%d" % k for k in itertools.count(1))):
            try:
                with open(path + end, "xb") as f:
                    f.write(event.SerializeToString())
                return
            except FileExistsError:
                continue

    def __call__(self, node, slot, value):
        tensor = self._watched[node, slot]
        for op in tensor.ops:
            made = debug_ops.result(op, tensor.dtype, value, tensor.shape)
            proto = None if made is None and op.name != "DebugIdentity" else _proto(made, tensor.dtype if op.name == "DebugIdentity" else made.dtype, tensor.shape)
            if proto is None:
                continue
            device = op.attrs.get("device_name", tensor.device)
            event = protos.Event()
            part = event.summary.value.add(tag=node, node_name=watch_key_of(node, slot, op.name))
            part.tensor.CopyFrom(proto)
            part.metadata.plugin_data.plugin_name = "debugger"
            part.metadata.plugin_data.content = json.dumps({"device": device, "outputSlot": slot, "numChunks": 1, "chunkIndex": 0}, separators=(",", ":")).encode()
            for folder in tensor.folders:
                self.write(os.path.join(folder, device_name_to_device_path(device), "%s_%d_%s" % (node, slot, op.name)), event)


def _write_facts(dumper, session, plan, graphs, watched, options):
    """What is run, and the graph of each device, in every folder."""
    unstepped = protos.DebugOptions()
    unstepped.CopyFrom(options)
    unstepped.global_step = 0
    steps = session._watched_runs.setdefault((plan.names, unstepped.SerializeToString()), itertools.count())
    feeds, fetches, targets = plan.names
    index = next(_runs)
    facts = {"global_step": options.global_step, "session_run_index": index, "executor_step_index": next(steps),
             "input_names": feeds, "output_names": fetches, "target_nodes": targets}
    event = protos.Event()
    event.log_message.message = json.dumps(facts, separators=(",", ":"))
    folders = sorted({folder for tensor in watched.values() for folder in tensor.folders})
    for folder in folders:
        dumper.write(os.path.join(folder, "%s%ssessionrun%014d" % (METADATA_FILE_PREFIX, CORE_METADATA_TAG, index)), event)
    for device, made in graphs:
        graph = protos.Event(graph_def=made.SerializeToString())
        for folder in folders:
            path = os.path.join(folder, device_name_to_device_path(device), "%s%s%s%d" % (METADATA_FILE_PREFIX, GRAPH_FILE_TAG, HASH_TAG, hash(graph.graph_def) & 2**64 - 1))
            dumper.write(path, graph)


def run_watched(session, plan, values, timeout, trace, run_metadata, options):
    """Runs a session's plan with watches. Returns its values and (device, graph) pairs."""
    graph = session.graph
    graphs = partition_graphs.graphs(graph, session._core.placements(), plan)
    watched = _find_watched(graph, graphs, options)
    for device, made in graphs:
        _add_watching_nodes(made, device, watched)
    dumper = Dumper(watched)
    _write_facts(dumper, session, plan, graphs, watched, options)
    slots = {}
    for node, slot in watched:
        slots.setdefault(node, []).append(slot)
    return plan.prepared.run(values, timeout, trace, run_metadata, b"", slots, dumper), graphs


sessions.run_watched = run_watched
