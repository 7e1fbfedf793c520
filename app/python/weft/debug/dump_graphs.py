"""The questions about a dump's graphs that DebugDumpDir answers: who reads what, on which device; and whether the times of a dump fit the graph."""

from . import debug_graphs


class GraphQuestions:
    """Mixin of DebugDumpDir, which fills _debug_graphs (device -> DebugGraph), _node_devices, _device_names, and its tensors by device."""

    def _need_graphs(self, message):
        if not self._debug_graphs:
            raise LookupError(message)

    def loaded_partition_graphs(self):
        return bool(self._debug_graphs)

    def partition_graphs(self):
        """The GraphDefs, with the nodes that watch."""
        self._need_graphs("No partition graphs have been loaded.")
        return [g.debug_graph_def for g in self._debug_graphs.values()]

    def reconstructed_non_debug_partition_graphs(self):
        """Device -> GraphDef without the nodes that watch."""
        return {device: g.non_debug_graph_def for device, g in self._debug_graphs.items()}

    def devices(self):
        return self._device_names

    def _infer_device_name(self, device_name, node_name):
        """The given device, or the only one that has the node."""
        if device_name is not None:
            return device_name
        devices = self._node_devices.get(node_name)
        if devices is None:
            raise ValueError("None of the %d device(s) has a node named '%s'." % (len(self._device_names), node_name))
        if len(devices) > 1:
            raise ValueError("There are multiple (%d) devices with nodes named '%s' but device_name is not specified." % (len(devices), node_name))
        return next(iter(devices))

    def _graph_of(self, device_name, node_name, message="No partition graphs have been loaded."):
        self._need_graphs(message)
        return self._debug_graphs[self._infer_device_name(device_name, node_name)]

    def nodes(self, device_name=None):
        """The names of all nodes, or of those of a device."""
        self._need_graphs("No partition graphs have been loaded.")
        if device_name is None:
            return [name for g in self._debug_graphs.values() for name in g.node_inputs]
        if device_name not in self._debug_graphs:
            raise ValueError("Invalid device name: %s" % device_name)
        return self._debug_graphs[device_name].node_inputs.keys()

    def node_exists(self, node_name, device_name=None):
        self._need_graphs("Nodes have not been loaded from partition graphs yet.")
        if device_name is not None and device_name not in self._debug_graphs:
            raise ValueError("The specified device_name '%s' cannot be found." % device_name)
        graphs = self._debug_graphs.values() if device_name is None else [self._debug_graphs[device_name]]
        return any(node_name in g.node_inputs for g in graphs)

    def node_device(self, node_name):
        """The device that has the node, or a list of them."""
        self._need_graphs("Node devices are not loaded from partition graphs yet.")
        if node_name not in self._node_devices:
            raise ValueError("Node '%s' does not exist in partition graphs." % node_name)
        devices = list(self._node_devices[node_name])
        return devices[0] if len(devices) == 1 else devices

    def node_op_type(self, node_name, device_name=None):
        return self._graph_of(device_name, node_name, "Node op types are not loaded from partition graphs yet.").node_op_types[node_name]

    def node_attributes(self, node_name, device_name=None):
        return self._graph_of(device_name, node_name).node_attributes[node_name]

    def node_inputs(self, node_name, is_control=False, device_name=None):
        graph = self._graph_of(device_name, node_name, "Node inputs are not loaded from partition graphs yet.")
        return (graph.node_ctrl_inputs if is_control else graph.node_inputs)[node_name]

    def node_recipients(self, node_name, is_control=False, device_name=None):
        """The nodes that read the node's outputs, or wait for it."""
        graph = self._graph_of(device_name, node_name, "Node recipients are not loaded from partition graphs yet.")
        return (graph.node_ctrl_recipients if is_control else graph.node_recipients)[node_name]

    def _tracer(self, device, include_control, include_reversed_ref, destination=None):
        if device not in self._device_names:
            raise ValueError("Invalid device name: %s" % device)
        graph = self._debug_graphs[device]
        maps = [graph.node_inputs] + [graph.node_ctrl_inputs] * include_control + [graph.node_reversed_ref_inputs] * include_reversed_ref
        return debug_graphs.DFSGraphTracer(maps, [n for n, kind in graph.node_op_types.items() if kind == "Merge"], destination)

    def transitive_inputs(self, node_name, include_control=True, include_reversed_ref=False, device_name=None):
        """All that a node depends on, not beyond Merge nodes."""
        self._need_graphs("Node inputs are not loaded from partition graphs yet.")
        tracer = self._tracer(self._infer_device_name(device_name, node_name), bool(include_control), bool(include_reversed_ref))
        tracer.trace(node_name)
        return tracer.inputs()

    def find_some_path(self, src_node_name, dst_node_name, include_control=True, include_reversed_ref=False, device_name=None):
        """A path from one node to another as a list of names; None if there is none."""
        source, target = self._infer_device_name(device_name, src_node_name), self._infer_device_name(device_name, dst_node_name)
        if source != target:
            raise ValueError("Source (%s) and destination (%s) are not on the same device: %s vs. %s" % (src_node_name, dst_node_name, source, target))
        tracer = self._tracer(target, bool(include_control), bool(include_reversed_ref), src_node_name)
        try:
            tracer.trace(dst_node_name)
        except debug_graphs.GraphTracingReachedDestination:
            names, depths, path = [dst_node_name] + tracer.inputs(), [0] + tracer.depth_list(), []
            depth = depths[-1]
            for name, at in zip(reversed(names), reversed(depths)):
                if at == depth:
                    path.append(name)
                    depth -= 1
            return path
        return None

    def _check_times(self, device):
        """ValueError if a dumped tensor is not in the graph, or was dumped before a watched input of its node."""
        graph, data, watches = self._debug_graphs[device], self._dump_tensor_data[device], self._debug_watches[device]
        for datum in data:
            if datum.node_name not in graph.node_inputs:
                raise ValueError("Node name '%s' is not found in partition graphs of device %s." % (datum.node_name, device))
        pending = {}
        for node, inputs in graph.node_inputs.items():
            waits = pending[node] = []
            for name in inputs:
                source = debug_graphs.get_node_name(name), debug_graphs.get_output_slot(name)
                # Runs do not wait for the watches of Enter and NextIteration.
                if source[0] in watches and source[1] in watches[source[0]] and graph.node_op_types.get(name) not in ("Enter", "NextIteration") and source not in waits:
                    waits.append(source)
        for i, datum in enumerate(data):
            waits = pending[datum.node_name]
            for later in data[i + 1:] if waits else ():
                if later.timestamp != datum.timestamp:
                    break
                if (later.node_name, later.output_slot) in waits:
                    waits.remove((later.node_name, later.output_slot))
            if waits:
                raise ValueError("Causality violated in timing relations of debug dumps: %s (%d): these input(s) are not satisfied: %r" % (datum.node_name, datum.timestamp, waits))
            dumped = datum.node_name, datum.output_slot
            for reader in graph.node_recipients[datum.node_name]:
                if dumped in pending[reader]:
                    if graph.node_op_types[reader] == "Merge":
                        del pending[reader][:]
                    else:
                        pending[reader].remove(dumped)
