"""Control flow of version 2: a branch or loop is one operation, If or While, that calls functions."""

import contextlib

from .. import _weft, control_flow_util, dtypes, engine, ops, settings
from ..auto_control_deps import AutomaticControlDependencies
from ..exports import export
from ..flow_values import joined, parts_of
from ..sparse_tensor import SparseTensor
from ..tensor_array import TensorArray
from ..tensor_shape import TensorShape
from ..util import nest
from .func_graph import add_definitions, FunctionGraph
from .switch_case import _Branch, _common_shape, BranchGraph


def _tensors_of(result, graph, for_operations):
    """The tensors of a function's result; an operation becomes `for_operations`, computed after it."""
    tensors = []
    for leaf in nest.flatten(result):
        if leaf is None:
            continue
        if isinstance(leaf, ops.Operation):
            with ops.control_dependencies([leaf]):
                tensors.append(engine.identity(graph.capture(for_operations)))
            continue
        for part in parts_of(leaf):
            tensors.append(ops.convert_to_tensor(part.flow if isinstance(part, TensorArray) else part))
    return tensors


def _packed(result, tensors):
    """`tensors` in the structure of a function's result."""
    parts = iter(tensors)
    leaves = [None if leaf is None else next(parts) if isinstance(leaf, ops.Operation) else joined(_as_leaf(leaf), parts) for leaf in nest.flatten(result)]
    return nest.pack_sequence_as(result, leaves) if nest.is_sequence(result) else leaves[0]


def _as_leaf(leaf):
    return leaf if isinstance(leaf, (TensorArray, ops.IndexedSlices)) or len(parts_of(leaf)) > 1 else None


@contextlib.contextmanager
def _ordered(outer, graph):
    """Inside of a function whose stateful operations run in program order, those of its branches and loops do, too. Yields a function for the results."""
    if not getattr(outer, "_orders", None):
        yield lambda tensors: tensors
        return
    with AutomaticControlDependencies() as order:
        yield lambda tensors: [order.mark_as_return(t) for t in tensors]


class _Traced:
    """The graph of a function, its result, and whether it has stateful operations."""

    def __init__(self, outer, scope, name, function, arguments=(), for_operations=None, siblings=None):
        own_name = ("%s%s_%d" % (scope, name, _weft.count_id())).replace("/", "_")
        self.graph = graph = FunctionGraph(own_name) if siblings is None else BranchGraph(own_name, name + "_fn", siblings)
        if siblings is not None:
            siblings.append(graph)
        with graph.as_default():
            given = [graph.add_input(t.dtype.base_dtype, shape, argument) for t, shape, argument in arguments]
            for (outside, _, _), here in zip(arguments, given):
                if outside.dtype == dtypes.resource:
                    _weft.describe_argument(graph._core, here.op._node, outside.graph._core, outside.op._node, outside.value_index)
            with _ordered(outer, graph) as ordered:
                self.result = function(*given)
                graph.outputs = ordered([graph.capture(t) for t in _tensors_of(self.result, graph, for_operations)])
        self.given = list(graph.inputs[:len(given)])

    @property
    def is_stateful(self):
        return any(op._is_stateful for op in self.graph.get_operations())

    def take(self, captured):
        """Makes the outer tensors `captured` the arguments after the given ones."""
        graph = self.graph
        with graph.as_default():
            graph.inputs = self.given + [graph.captures[t] if t in graph.captures else graph.capture(t) for t in captured]


def _add_functions(outer, traced):
    """Adds the functions to the library; returns their names."""
    made = [_Branch(t.graph, t.graph.name) for t in traced]
    for t in traced:
        _weft.take_functions(outer._core, t.graph._core)
    add_definitions(outer, [f for t in traced for f in t.graph._functions.values()] + made)
    return [f.name for f in made]


def _captured_by(traced):
    return list(dict.fromkeys(c for t in traced for c in t.graph.captures))


def _in(outer, tensors):
    return [outer.capture(t) for t in tensors] if outer.building_function else list(tensors)


def _check_alike(true, false):
    def fail(why):
        raise TypeError("true_fn and false_fn arguments to tf.cond must have the same number, type, and overall structure of return values.\n\n"
                        "true_fn output: %s\nfalse_fn output: %s\n\nError details:\n%s" % (true.result, false.result, why))

    try:
        nest.assert_same_structure(true.result, false.result)
    except (ValueError, TypeError) as e:
        fail(e)
    kinds = [[t.dtype.base_dtype for t in branch.graph.outputs] for branch in (true, false)]
    if kinds[0] != kinds[1]:
        fail("their types are %s and %s" % tuple([t.name for t in k] for k in kinds))


def cond_v2(pred, true_fn, false_fn, name="cond"):
    """tf.cond as an If operation."""
    if isinstance(pred, bool):
        raise TypeError("pred must not be a Python bool", pred)
    outer = ops.get_default_graph()
    with ops.name_scope(name or "cond") as scope:
        pred = ops.convert_to_tensor(pred)
        if pred.shape.ndims is None or pred.shape.ndims:
            pred = engine.squeeze(pred)
        siblings = []
        true = _Traced(outer, scope, "true", true_fn, for_operations=pred, siblings=siblings)
        false = _Traced(outer, scope, "false", false_fn, for_operations=pred, siblings=siblings)
        _check_alike(true, false)
        captured = _captured_by([true, false])
        for branch in (true, false):
            branch.take(captured)
        then_branch, else_branch = _add_functions(outer, [true, false])
        shapes = [_common_shape([TensorShape(a.shape), TensorShape(b.shape)]) for a, b in zip(true.graph.outputs, false.graph.outputs)]
        pred, = _in(outer, [pred])
        op = _weft.node(outer._core, "If" if true.is_stateful or false.is_stateful else "StatelessIf", [pred] + _in(outer, captured),
                        {"Tcond": pred.dtype.base_dtype, "Tin": [t.dtype.base_dtype for t in captured], "Tout": [t.dtype.base_dtype for t in true.graph.outputs],
                         "then_branch": then_branch, "else_branch": else_branch, "output_shapes": shapes, "_lower_using_switch_merge": True}, scope)
        outputs = _results(op, shapes)
    if not outputs:
        return op if true.result is None else true.result
    return _packed(true.result, outputs)


def _results(op, shapes):
    for tensor, shape in zip(op.outputs, shapes):
        tensor.set_shape(shape)
    outer = op.graph
    outer.prevent_fetching(op)
    return [engine.identity(tensor) for tensor in op.outputs]


def _loose(loop_vars):
    """The default invariants: the shapes of tensors; the number of rows of slices and sparse and ragged tensors may change."""
    def of_leaf(leaf):
        if hasattr(leaf, "_type_spec") and not isinstance(leaf, ops.Tensor):
            return leaf._type_spec
        if isinstance(leaf, SparseTensor):
            return TensorShape([leaf.dense_shape.shape.as_list()[0] if leaf.dense_shape.shape.ndims else None])
        if isinstance(leaf, ops.IndexedSlices):
            shape = leaf.values.shape
            return shape if shape.ndims is None else TensorShape([None] + shape.as_list()[1:])
        return None

    return nest.map_structure(of_leaf, loop_vars)


def _shapes_of(loop_vars, invariants):
    from ..loops import _flat_shapes

    return _flat_shapes(loop_vars, invariants)


def while_v2(cond, body, loop_vars, shape_invariants=None, parallel_iterations=10, maximum_iterations=None, name=None, return_same_structure=True, back_prop=True):
    """tf.while_loop as a While operation."""
    settings.unused("tf.while_loop", "a While operation can be differentiated", back_prop=(back_prop, True))
    outer = ops.get_default_graph()
    leaves = nest.flatten(loop_vars)
    if shape_invariants is not None:
        nest.assert_same_structure(loop_vars, shape_invariants) if not nest.is_sequence(shape_invariants) else None
    with ops.name_scope(name or "while") as scope:
        tensors = _tensors_of(loop_vars, outer, None)
        shapes = _shapes_of(loop_vars, _loose(loop_vars) if shape_invariants is None else shape_invariants)
        limit = None if maximum_iterations is None else ops.convert_to_tensor(maximum_iterations, dtypes.int32, name="maximum_iterations")
        if limit is not None and limit.shape.ndims not in (0, None):
            raise ValueError("maximum_iterations must be a scalar, saw shape: %s" % limit.shape)
        counter = ops.constant(0, dtype=dtypes.int32 if limit is None else limit.dtype, name="loop_counter")
        most = ops.constant(-1, dtype=dtypes.int32, name="maximum_iterations") if limit is None else limit

        def arguments_of(values):
            return nest.pack_sequence_as(loop_vars, _parts_packed(leaves, values))

        def call_cond(turn, last, *values):
            goes_on = ops.convert_to_tensor(cond(*arguments_of(values)))
            goes_on = engine.squeeze(goes_on) if goes_on.shape.ndims is None or goes_on.shape.ndims else goes_on
            return goes_on if limit is None else engine.logical_and(turn < last, goes_on)

        def call_body(turn, last, *values):
            result = body(*arguments_of(values))
            result = result if nest.is_sequence(result) else [result]
            nest.assert_same_structure(list(arguments_of(values)), list(result))
            made["result"] = result
            return [turn + 1, last] + _tensors_of(result, ops.get_default_graph(), None)

        made = {}
        given = [(counter, TensorShape([]), "loop_counter"), (most, TensorShape([]), "maximum_iterations")]
        given += [(t, shape, _plain(t.op.name)) for t, shape in zip(tensors, shapes)]
        test = _Traced(outer, scope, "cond", call_cond, given)
        turn = _Traced(outer, scope, "body", call_body, given)
        for i, (t, out) in enumerate(zip(tensors, turn.graph.outputs[2:])):
            if t.dtype.base_dtype != out.dtype.base_dtype:
                raise TypeError("Loop var %s enters the loop with type %s but has type %s after 1 iteration. Loop vars must have same type across iterations"
                                % (t.name, t.dtype, out.dtype))
            if shape_invariants is None and not _holds(shapes[i], out.shape):
                raise ValueError("Input tensor '%s' enters the loop with shape %s, but has shape %s after one iteration. To allow the shape to vary across iterations, use the "
                                 "`shape_invariants` argument of tf.while_loop to specify a less-specific shape." % (t.name, t.shape, out.shape))
            if shape_invariants is not None and not _holds(shapes[i], out.shape):
                raise ValueError("The shape invariant specified for %s is not compatible with the shape of the loop variable after one iteration: it is %s, the invariant is %s."
                                 % (t.name, out.shape, shapes[i]))
        captured = _captured_by([test, turn])
        for function in (test, turn):
            function.take(captured)
        turn.graph.outputs = list(turn.graph.outputs) + [turn.graph.captures[t] for t in captured]
        cond_name, body_name = _add_functions(outer, [test, turn])
        inputs = _in(outer, [counter, most] + tensors + captured)
        all_shapes = [TensorShape([]), TensorShape([])] + list(shapes) + [TensorShape(None) if t.dtype == dtypes.resource else t.shape for t in captured]
        op = _weft.node(outer._core, "While", inputs,
                        {"T": [t.dtype.base_dtype for t in inputs], "cond": cond_name, "body": body_name, "output_shapes": all_shapes, "parallel_iterations": parallel_iterations,
                         "_lower_using_switch_merge": True}, scope)
        outputs = _results(op, all_shapes)[2:2 + len(tensors)]
    packed = nest.pack_sequence_as(made["result"], _parts_packed(nest.flatten(made["result"]), outputs))
    if return_same_structure:
        return packed
    flat = nest.flatten(packed)
    return flat[0] if len(flat) == 1 else packed


def _parts_packed(leaves, tensors):
    parts = iter(tensors)
    return [joined(leaf, parts) for leaf in leaves]


def _plain(name):
    return name.replace("/", "_").replace(":", "_")


def _holds(shape, result):
    """Whether all shapes that `result` allows are allowed by `shape`."""
    shape, result = TensorShape(shape), TensorShape(result)
    if shape.ndims is None:
        return True
    if result.ndims != shape.ndims:
        return False
    return all(s is None or s == r for s, r in zip(shape.as_list(), result.as_list()))


def in_defun():
    """Whether the default graph is that of a function other than a branch or loop."""
    return ops.get_default_graph().building_function


def output_all_intermediates():
    """Whether operations output what their gradients may need: the engine adds outputs when a gradient asks for them."""
    return bool(_EXPERIMENTAL_OUTPUT_ALL_INTERMEDIATES_OVERRIDE)


_EXPERIMENTAL_OUTPUT_ALL_INTERMEDIATES_OVERRIDE = False
while_loop = while_v2
control_flow_util.cond_v2, control_flow_util.while_v2 = cond_v2, while_v2


@export("enable_control_flow_v2")
def enable_control_flow_v2():
    """New branches and loops are If and While operations."""
    control_flow_util.enable_control_flow_v2()


@export("disable_control_flow_v2")
def disable_control_flow_v2():
    """New branches and loops are made of Switch and Merge."""
    control_flow_util.ENABLE_CONTROL_FLOW_V2 = False


@export("control_flow_v2_enabled")
def control_flow_v2_enabled():
    return control_flow_util.EnableControlFlowV2(ops.get_default_graph())
