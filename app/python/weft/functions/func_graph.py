"""Function graphs: the graph of a Python function becomes a function in the library."""

import contextlib

from .. import _weft, dtypes, engine, ops
from ..sparse_tensor import SparseTensor


class FunctionGraph(ops.Graph):
    """The graph of a function under construction. Captured outer tensors become arguments, or are copied with everything they depend on."""

    def __init__(self, name, by_value=False, allowed_stateful=()):
        outer = ops.get_default_graph()
        super().__init__()
        self.name = name
        self.outer_graph = outer
        self.building_function = self._building_function = True
        self._core.capturing = True
        self.inputs, self.outputs = [], []
        self.control_outputs = []
        self.captures = {}            # tensor of an outer graph -> the one here
        self._by_value, self._allowed = by_value, set(allowed_stateful)
        self._container = outer._container
        self._collections = outer._collections
        self._graph_key = outer._graph_key

    @contextlib.contextmanager
    def as_default(self):
        _weft.building_functions(1)
        try:
            with super().as_default() as graph:
                yield graph
        finally:
            _weft.building_functions(-1)

    def control_dependencies(self, control_inputs):
        """Drops control inputs outside the graph: they run before the function is called."""
        if control_inputs is not None:
            kept = []
            for c in control_inputs:
                c = c.op if isinstance(c, ops.IndexedSlices) or hasattr(c, "_handle") and hasattr(c, "op") else c
                element = c if isinstance(c, (ops.Tensor, ops.Operation)) else ops._as_graph_element(c)
                element = c if element is None else element
                if getattr(element, "graph", self) is self:
                    kept.append(element)
            control_inputs = kept
        return super().control_dependencies(control_inputs)

    def placeholder(self, dtype, shape, name, attrs=None):
        with self.control_dependencies(None):
            return _weft.node(self._core, "Placeholder", [], dict(attrs or {}, dtype=dtypes.as_dtype(dtype).base_dtype, shape=shape), name).outputs[0]

    def add_input(self, dtype, shape, name, attrs=None):
        self.inputs.append(self.placeholder(dtype, shape, name, attrs))
        return self.inputs[-1]

    def capture(self, tensor, name=None):
        """The tensor of this graph that represents a tensor of an outer graph."""
        if tensor.graph is self:
            return tensor
        inner = tensor.graph
        while isinstance(inner, FunctionGraph):
            if inner is self:
                raise ops.errors.make(9, "The tensor '%s' cannot be accessed here: it is defined in another function or code block. Use return values, explicit Python "
                                      "locals or TensorFlow collections to access it. Defined in: %s; accessed from: %s.\n" % (tensor, tensor.graph, self), None, None)
            inner = inner.outer_graph
        if tensor not in self.captures:
            if self._by_value:
                self._copy(tensor.op)
            else:
                made = self.captures[tensor] = self.add_input(tensor.dtype, tensor.shape, name or self._name_of_capture(tensor))
                if tensor.dtype == dtypes.resource:
                    _weft.describe_argument(self._core, made.op._node, tensor.graph._core, tensor.op._node, tensor.value_index)
        return self.captures[tensor]

    def _name_of_capture(self, tensor):
        return tensor.op.name

    def _copy(self, op):
        if op._is_stateful and op not in self._allowed:
            raise ValueError("Cannot capture a stateful node (name:%s, type:%s) by value." % (op.name, op.type))
        if op.type in ("Placeholder", "PlaceholderV2"):
            raise ValueError("Cannot capture a placeholder (name:%s, type:%s) by value." % (op.name, op.type))
        inputs = [self.capture(t) for t in op.inputs]
        made = _weft.copy_node(self._core, op.graph._core, op._node, inputs)
        for there, here in zip(op.outputs, made.outputs):
            self.captures[there] = here

    @property
    def captured_inputs(self):
        return [] if self._by_value else list(self.captures)

    def definition(self, name, append_hash=False, output_names=(), attrs=None, description=""):
        """The FunctionDef's bytes."""
        return _weft.function_def(self._core, name, append_hash, self.inputs, self.outputs, list(output_names), [op._node for op in self.control_outputs], attrs or {},
                                  description or "")

    def __str__(self):
        return "FuncGraph(name=%s, id=%s)" % (self.name, id(self))


# Stateful operations that need no ordering.
_UNORDERED = {"CollectiveGather", "CollectiveReduce", "CollectiveBcastSend", "CollectiveBcastRecv", "NcclAllReduce", "RandomUniform", "RandomUniformInt",
              "RandomStandardNormal", "ParameterizedTruncatedNormal", "TruncatedNormal", "RandomShuffle", "Multinomial", "RandomGamma", "RandomGammaGrad",
              "RandomPoisson", "RandomPoissonV2"}


class AutomaticControlDependencies:
    """Context manager: stateful operations run in program order, and before the results."""

    def __init__(self):
        self._returned = []

    def mark_as_return(self, value):
        """The value in the form that the function returns."""
        if isinstance(value, ops.IndexedSlices):
            values, indices = engine.identity(value.values), engine.identity(value.indices)
            self._returned += [indices, values]
            return ops.IndexedSlices(values, indices, dense_shape=value.dense_shape)
        if isinstance(value, SparseTensor):
            values, indices = engine.identity(value.values), engine.identity(value.indices)
            self._returned += [indices, values]
            return SparseTensor(indices, values, dense_shape=value.dense_shape)
        value = engine.identity(value)
        self._returned.append(value)
        return value

    def __enter__(self):
        self._graph = ops.get_default_graph()
        self._before = self._graph._core.size()
        return self

    def __exit__(self, kind, *unused):
        if kind is not None:
            return
        graph, core = self._graph, self._graph._core
        context = lambda op: _weft.flow_context(core, op._node)
        last, must_run = {}, {}
        for node in range(self._before, core.size()):
            op = core.operation(node)
            kind, here = op.type, context(op)
            if here is not None and here[0] == "while":
                continue
            stateful = op._is_stateful and kind not in _UNORDERED
            resources = list(dict.fromkeys(t for t in op.inputs if t.dtype is dtypes.resource)) if kind != "Placeholder" else []
            if stateful:
                must_run[op] = None
            if kind == "Switch" and resources:
                continue
            if kind == "Merge":
                for other in list(must_run):
                    op._add_control_input(other)
                    for t in other.inputs:
                        if t in last:
                            last[t] = op
                must_run = {op: None}
                continue
            before = []
            for t in resources:
                if t in last and context(last[t]) == here:
                    before.append(last[t])
                last[t] = op
            if stateful and not resources and here is None:
                if None in last:
                    op._add_control_input(last[None])
                last[None] = op
            if before:
                op._add_control_inputs(before)
        graph.control_outputs += list(must_run)
        for value in self._returned:
            wanted = [op for op in must_run if op is not value.op and context(op) == context(value.op)]
            if wanted:
                value.op._add_control_inputs(wanted)


def add_definitions(graph, functions):
    """Adds functions, and those that they call, to a graph's library."""
    new = [f for f in functions if f.name not in graph._functions]
    for f in new:
        graph._functions[f.name] = f
    if new:
        _weft.add_functions(graph._core, [f.serialized for f in new], [f.grad_func_name or "" for f in new])
