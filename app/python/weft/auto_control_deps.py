"""The order of stateful operations inside functions, which have no session to run operations one by one."""

import functools

from . import _weft, dtypes, engine, ops
from .sparse_tensor import SparseTensor
from .util import nest

# Stateful operations that need no ordering.
_UNORDERED = {"CollectiveGather", "CollectiveReduce", "CollectiveBcastSend", "CollectiveBcastRecv", "NcclAllReduce", "RandomUniform", "RandomUniformInt",
              "RandomStandardNormal", "ParameterizedTruncatedNormal", "TruncatedNormal", "RandomShuffle", "Multinomial", "RandomGamma", "RandomGammaGrad",
              "RandomPoisson", "RandomPoissonV2"}


class AutomaticControlDependencies:
    """Context manager: stateful operations run in program order, and before the results.

    The body of a loop has one of its own, which orders the operations of one iteration; for the one around it the loop is a single operation."""

    def __init__(self):
        self._returned = []
        self._loops = []  # (first node, node after the last one, an Exit of it)
        self._left_out = []  # (first node, node after the last one) of what the session runs, such as initializers
        self.must_run = {}

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

    def add_loop(self, first, end, exit):
        """Nodes [first, end) are a loop; `exit` is one of its Exit operations."""
        self._loops.append((first, end, exit))

    def leave_out(self, first, end):
        """Nodes [first, end) are not part of the function: they create and initialize a variable."""
        self._left_out.append((first, end))

    def __enter__(self):
        self._graph = ops.get_default_graph()
        self._before = self._graph._core.size()
        self._context = _weft.flow_context(self._graph._core, -1)
        if not hasattr(self._graph, "_orders"):  # no function's graph
            self._graph._orders = []
        self._graph._orders.append(self)
        return self

    def __exit__(self, kind, *unused):
        self._graph._orders.remove(self)
        if kind is not None:
            return
        graph, core = self._graph, self._graph._core
        context = lambda op: _weft.flow_context(core, op._node)
        is_ordered = lambda op: op._is_stateful and op.type not in _UNORDERED
        loop_of = {}  # node -> an Exit of the stateful loop that it belongs to
        for first, end, exit in self._loops:
            if any(is_ordered(core.operation(node)) for node in range(first, end)):
                loop_of.update(dict.fromkeys(range(first, end), exit))
        last, must_run = {}, {}
        touched = {}  # operation -> the resources that it, or what it waits for, uses
        outside = {node for first, end in self._left_out for node in range(first, end)}
        for node in range(self._before, core.size()):
            if node in outside:
                continue
            op = core.operation(node)
            kind, here = op.type, context(op)
            end = loop_of.get(node)
            if end is not None:
                if kind == "Enter" and op.inputs[0].dtype is dtypes.resource:
                    before = last.get(op.inputs[0])
                    if before is not None and before is not end and context(before) == context(end):
                        op._add_control_input(before)
                    last[op.inputs[0]] = end
                must_run[end] = None
                continue
            if kind == "Enter" or here is not None and here[0] == "while" and here != self._context:
                continue
            stateful = is_ordered(op)
            resources = list(dict.fromkeys(_unswitched(t) for t in op.inputs if t.dtype is dtypes.resource)) if kind != "Placeholder" else []
            if stateful:
                must_run[op] = None
            if kind == "Switch" and resources:
                continue
            if kind == "Merge":
                touched[op] = {}
                for other in list(must_run):
                    op._add_control_input(other)
                    touched[op].update(touched.get(other, ()))
                last.update(dict.fromkeys((t for t in touched[op] if t in last), op))
                must_run = {op: None}
                continue
            before = []
            for t in resources:
                # A branch begins after what came before it; what follows it waits for its Merge.
                if t in last and (context(last[t]) == here or here is not None and here[0] == "cond" and context(last[t]) == self._context):
                    before.append(last[t])
                last[t] = op
            touched[op] = dict.fromkeys(resources)
            if stateful and not resources and here == self._context:
                if None in last:
                    op._add_control_input(last[None])
                last[None] = op
            if before:
                op._add_control_inputs(before)
        if not graph._orders and hasattr(graph, "control_outputs"):
            graph.control_outputs += list(must_run)
        self.must_run = must_run
        for value in self._returned:
            wanted = [op for op in must_run if op is not value.op and context(op) == context(value.op)]
            if wanted:
                value.op._add_control_inputs(wanted)


def _unswitched(tensor):
    """The resource that a branch gets through a Switch."""
    while tensor.op.type == "Switch":
        tensor = tensor.op.inputs[0]
    return tensor


def automatic_control_dependencies(f):
    """Decorator: f's stateful operations run in program order, and before its results."""
    @functools.wraps(f)
    def ordered(*args, **kwargs):
        with AutomaticControlDependencies() as order:
            result = f(*args, **kwargs)
            return nest.pack_sequence_as(result, [order.mark_as_return(t) for t in nest.flatten(result)])

    return ordered
