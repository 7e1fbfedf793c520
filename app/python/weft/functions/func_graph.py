"""Function graphs: the graph of a Python function becomes a function in the library."""

import contextlib

from .. import _weft, dtypes, ops


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
        self._orders = []             # the AutomaticControlDependencies that are active, inner ones last
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


def add_definitions(graph, functions):
    """Adds functions, and those that they call, to a graph's library."""
    new = [f for f in functions if f.name not in graph._functions]
    for f in new:
        graph._functions[f.name] = f
    if new:
        _weft.add_functions(graph._core, [f.serialized for f in new], [f.grad_func_name or "" for f in new])
