"""while_loop."""

import numpy as np

from . import _weft, control_flow_util, engine, ops
from .auto_control_deps import AutomaticControlDependencies
from .exports import export
from .flow_values import joined, parts_of
from .ops import name_scope
from .sparse_tensor import SparseTensor
from .tensor_array import TensorArray
from .tensor_shape import TensorShape
from .util import nest


@export("while_loop", "compat.v1.while_loop")
def while_loop(cond, body, loop_vars, shape_invariants=None, parallel_iterations=10, back_prop=True, swap_memory=False, name=None, maximum_iterations=None,
               return_same_structure=False):
    """Repeats `body` while `cond` holds, starting with `loop_vars`; returns their final values."""
    if not callable(cond):
        raise TypeError("cond must be callable.")
    if not callable(body):
        raise TypeError("body must be callable.")
    if parallel_iterations < 1:
        raise TypeError("parallel_iterations must be a positive integer.")
    if control_flow_util.EnableControlFlowV2(ops.get_default_graph()):
        return control_flow_util.while_v2(cond, body, loop_vars, shape_invariants=shape_invariants, parallel_iterations=parallel_iterations, maximum_iterations=maximum_iterations,
                                          name=name, return_same_structure=return_same_structure)
    with name_scope(name, "while", nest.flatten(loop_vars)) as scope:
        if not loop_vars:
            raise ValueError("No loop variables provided")
        pack = len(loop_vars) == 1 and not return_same_structure
        if ops.get_default_graph()._eager:
            return _loop_now(cond, body, loop_vars, maximum_iterations, return_same_structure)
        if maximum_iterations is not None:
            maximum_iterations = ops.convert_to_tensor(maximum_iterations, name="maximum_iterations")
            if maximum_iterations.shape.ndims != 0:
                raise ValueError("maximum_iterations must be a scalar, saw shape: %s" % maximum_iterations.shape)
            counter = ops.constant(0, dtype=maximum_iterations.dtype, name="iteration_counter")
            inner_cond, inner_body = cond, body
            if pack:
                loop_vars = (counter, loop_vars[0])
                cond = lambda i, v: engine.logical_and(i < maximum_iterations, inner_cond(v))
                body = lambda i, v: (i + 1, inner_body(v))
            else:
                loop_vars = (counter, loop_vars)
                cond = lambda i, v: engine.logical_and(i < maximum_iterations, inner_cond(*v))
                body = lambda i, v: (i + 1, inner_body(*v))
            if shape_invariants is not None:
                shape_invariants = (TensorShape([]), shape_invariants)
        result = _loop(cond, body, loop_vars, shape_invariants, parallel_iterations, back_prop, swap_memory, scope, return_same_structure, maximum_iterations)
        return result[1] if maximum_iterations is not None else result


def _flows(leaf):
    return leaf.flow if isinstance(leaf, TensorArray) else leaf


def _tensors_of(leaves):
    out = []
    for leaf in leaves:
        for part in parts_of(_flows(leaf)):
            out.append(ops.convert_to_tensor(part))
    return out


def _rebuild(leaves, tensors):
    parts = iter(tensors)
    return [joined(leaf, parts) for leaf in leaves]


def _loop(cond, body, loop_vars, shape_invariants, parallel_iterations, back_prop, swap_memory, scope, same_structure, limit=None):
    graph = ops.get_default_graph()
    core, orders = graph._core, getattr(graph, "_orders", None)
    leaves = nest.flatten(loop_vars)
    tensors = _tensors_of(leaves)
    shapes = None
    if shape_invariants is not None:
        nest.assert_same_structure(loop_vars, shape_invariants) if not nest.is_sequence(shape_invariants) else None
        shapes = _flat_shapes(loop_vars, shape_invariants)
    original = {}

    def call_cond(values):
        packed = nest.pack_sequence_as(loop_vars, _rebuild(leaves, values))
        return ops.convert_to_tensor(cond(*packed))

    def call_body(values):
        packed = nest.pack_sequence_as(loop_vars, _rebuild(leaves, values))
        result = body(*packed)
        if not nest.is_sequence(result):
            result = [result]
        nest.assert_same_structure(list(packed), list(result))
        original["result"] = result
        return _tensors_of(nest.flatten(result))

    def call_body_in_order(values):
        with AutomaticControlDependencies() as order:
            return [order.mark_as_return(t) for t in call_body(values)]

    first = core.size()
    made = _weft.while_loop(core, call_cond, call_body_in_order if orders else call_body, tensors, shapes, scope, parallel_iterations, back_prop, swap_memory, limit)
    if orders:
        orders[-1].add_loop(first, core.size(), made[0].op)
    exits = _rebuild(nest.flatten(original["result"]), made)
    packed = nest.pack_sequence_as(original["result"], exits)
    if same_structure:
        return packed
    return packed[0] if len(exits) == 1 else packed


def _flat_shapes(loop_vars, invariants):
    """Shapes in the order of the tensors; a TensorArray counts as its flow."""
    out = []

    def walk(value, shape):
        if nest.is_sequence(value) and not isinstance(value, TensorShape):
            items = value.values() if isinstance(value, dict) else value
            shapes = shape.values() if isinstance(shape, dict) else shape
            for v, s in zip(items, shapes):
                walk(v, s)
        elif isinstance(value, TensorArray):
            out.append(TensorShape([]))
        else:
            out.extend(_shapes_of_parts(value, shape))

    walk(loop_vars, invariants)
    return out


def _shapes_of_parts(value, shape):
    """The shapes that the parts of a loop variable keep. `shape`: of a tensor, or of the values of slices; for a sparse tensor [rank]; or a TypeSpec of the value."""
    if hasattr(shape, "_component_specs") and hasattr(shape, "is_compatible_with"):
        if not shape.is_compatible_with(value):
            raise TypeError("TypeSpec %r is not compatible with %r" % (shape, value))
        return [TensorShape(s.shape) for s in nest.flatten(shape._component_specs)]
    parts = parts_of(value)
    if shape is None:
        return [part.get_shape() if hasattr(part, "get_shape") else TensorShape(np.shape(part)) for part in parts]
    shape = TensorShape(shape)
    if isinstance(value, SparseTensor):
        if shape.ndims not in (None, 1):
            raise ValueError("Expected a shape with 1 dimension")
        rank = None if shape.ndims is None else shape.as_list()[0]
        return [TensorShape([None, rank]), TensorShape([None]), TensorShape([rank])]
    if isinstance(value, ops.IndexedSlices):
        rows = None if shape.ndims is None else shape.as_list()[0]
        return [shape, TensorShape([rows]), TensorShape([shape.ndims])][:len(parts)]
    return [shape for _ in parts]


def _loop_now(cond, body, loop_vars, maximum_iterations, return_same_structure):
    """The loop while execution is eager: Python's own."""
    single, packed = len(loop_vars) == 1, False
    structure, turns = list(loop_vars), 0
    limit = None if maximum_iterations is None else int(maximum_iterations)
    while cond(*loop_vars) and (limit is None or turns < limit):
        turns += 1
        loop_vars = body(*loop_vars)
        if single and not isinstance(loop_vars, (list, tuple)):
            packed, loop_vars = True, (loop_vars,)
        nest.assert_same_structure(structure, list(loop_vars))
    loop_vars = nest.map_structure(lambda x: x if isinstance(x, TensorArray) else ops.convert_to_tensor(x), loop_vars)
    return loop_vars[0] if packed and not return_same_structure else loop_vars
