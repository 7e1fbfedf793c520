"""tensorflow.python.ops.op_selector: walks over graphs."""

from .. import _weft, ops
from ..graph_elements import Operation, Tensor
from ..util import object_identity


class UnliftableError(Exception):
    """A tensor depends on a disallowed placeholder."""

    ag_pass_through = True


def is_differentiable(op):
    """Whether the op of an operation has a gradient function, of the program or the engine."""
    if op.type in ops._gradient_functions:
        return ops._gradient_functions[op.type] is not None
    return _weft.op_has_gradient(op.type)


def is_iterable(obj):
    if isinstance(obj, Tensor):
        return False
    try:
        iter(obj)
    except Exception:
        return False
    return True


def concatenate_unique(la, lb):
    """Extends `la` in place by the elements of `lb` that it lacks; returns it."""
    known = set(la)
    for x in lb:
        if x not in known:
            la.append(x)
            known.add(x)
    return la


def get_tensors(graph):
    """All outputs of a graph's operations."""
    if not isinstance(graph, ops.Graph):
        raise TypeError("Expected a graph, got: {}".format(type(graph)))
    return [t for op in graph.get_operations() for t in op.outputs]


def get_unique_graph(tops, check_types=None, none_if_empty=False):
    """The graph that all elements belong to."""
    if isinstance(tops, ops.Graph):
        return tops
    if not is_iterable(tops):
        raise TypeError("{} is not iterable".format(type(tops)))
    if check_types is None:
        check_types = (Operation, Tensor)
    elif not is_iterable(check_types):
        check_types = (check_types,)
    graph = None
    for element in tops:
        if not isinstance(element, tuple(check_types)):
            raise TypeError("Expected a type in ({}), got: {}".format(", ".join(str(t) for t in check_types), type(element)))
        if graph is None:
            graph = element.graph
        elif graph._graph_key != element.graph._graph_key:
            raise ValueError("Operation {} does not belong to given graph".format(element))
    if graph is None and not none_if_empty:
        raise ValueError("Can't find the unique graph of an empty list")
    return graph


def check_graphs(*args):
    """ValueError unless all belong to one graph."""
    graph = None
    for i, element in enumerate(args):
        if graph is None and element.graph is not None:
            graph = element.graph
        elif element.graph is not None and element.graph is not graph:
            raise ValueError("Argument[{}]: Wrong graph!".format(i))


def _list_of(elements, kind, all_of_graph, check_graph, allow_graph, ignore_others):
    if isinstance(elements, ops.Graph):
        if allow_graph:
            return all_of_graph(elements)
        raise TypeError("allow_graph is False: cannot convert a tf.Graph.")
    elements = elements if is_iterable(elements) else [elements]
    if not elements:
        return []
    if check_graph:
        get_unique_graph(elements, check_types=None if ignore_others else kind)
    return [x for x in elements if isinstance(x, kind)]


def make_list_of_t(ts, check_graph=True, allow_graph=True, ignore_ops=False):
    """A list of tensors, from tensors or a graph."""
    return _list_of(ts, Tensor, get_tensors, check_graph, allow_graph, ignore_ops)


def make_list_of_op(tops, check_graph=True, allow_graph=True, ignore_ts=False):
    """A list of operations, from operations or a graph."""
    return _list_of(tops, Operation, lambda graph: graph.get_operations(), check_graph, allow_graph, ignore_ts)


def get_generating_ops(ts):
    return [t.op for t in make_list_of_t(ts, allow_graph=False)]


def get_consuming_ops(ts):
    return list(dict.fromkeys(op for t in make_list_of_t(ts, allow_graph=False) for op in t.consumers()))


def _seeds(seed_ops):
    if isinstance(seed_ops[0], Tensor):
        return get_generating_ops(seed_ops)
    return make_list_of_op(seed_ops, allow_graph=False)


def _walk(seed_ops, next_ops, inclusive, within_ops, within_ops_fn):
    """The operations that a walk finds, wave by wave."""
    seeds = list(dict.fromkeys(seed_ops))
    if within_ops:
        within_ops = set(make_list_of_op(within_ops, allow_graph=False))
        seeds = [op for op in seeds if op in within_ops]
    found, wave = dict.fromkeys(seeds), seeds
    while wave:
        new = dict.fromkeys(op for o in wave for op in next_ops(o)
                            if op not in found and (not within_ops or op in within_ops) and (within_ops_fn is None or within_ops_fn(op)))
        found.update(new)
        wave = list(new)
    return [op for op in found if inclusive or op not in set(seeds)]


def get_backward_walk_ops(seed_ops, inclusive=True, within_ops=None, within_ops_fn=None, stop_at_ts=(), control_inputs=False, only_differentiable=False):
    """The operations that `seed_ops` depend on. `within_ops`, `within_ops_fn`: limits of the walk; `stop_at_ts`: tensors at which it stops."""
    seed_ops = seed_ops if is_iterable(seed_ops) else [seed_ops]
    if not seed_ops:
        return []
    stops = object_identity.ObjectIdentitySet(make_list_of_t(stop_at_ts))

    def before(op):
        inputs = op.inputs if not only_differentiable or is_differentiable(op) else []
        return [t.op for t in inputs if t not in stops] + (op.control_inputs if control_inputs and not only_differentiable else [])

    return _walk(_seeds(seed_ops), before, inclusive, within_ops, within_ops_fn)


def _as_operation(op_or_tensor):
    return op_or_tensor.op if isinstance(op_or_tensor, Tensor) else op_or_tensor


def graph_inputs(op):
    return [x.op for x in op.inputs] + list(op.control_inputs)


def _path_from(from_op, tensor, sources):
    """A path from an operation to a tensor as text, "??" if there is none that avoids `sources`."""
    from_op, last = _as_operation(from_op), _as_operation(tensor)
    visited, todo, after = {x.op for x in sources}, [last], {}
    while todo:
        op = todo.pop()
        if op in visited:
            continue
        visited.add(op)
        if op is from_op:
            path = [op]
            while path[-1] is not last:
                path.append(after[path[-1]])
            return " <- ".join("%s (%s)" % (x.name, x.type) for x in reversed(path))
        for x in graph_inputs(op):
            if x not in visited and x not in sources:
                after[x] = op
                todo.append(x)
    return "??"


def map_subgraph(init_tensor, sources, disallowed_placeholders, visited_ops, op_outputs, add_sources):
    """Collects in `visited_ops` and `op_outputs` the subgraph between a tensor and its sources; returns the placeholders that are not sources."""
    todo, extra = [_as_operation(init_tensor)], object_identity.ObjectIdentitySet()
    while todo:
        op = todo.pop()
        if op in visited_ops:
            continue
        visited_ops.add(op)
        refused = disallowed_placeholders is not None and op in disallowed_placeholders
        if not refused and op.type == "Placeholder":
            refused = disallowed_placeholders is None and not add_sources
            extra.update(op.outputs)
        if refused:
            raise UnliftableError("Unable to lift tensor %s because it depends transitively on placeholder %s via at least one path, e.g.: %s" %
                                  (repr(init_tensor), repr(op), _path_from(op, init_tensor, sources)))
        for x in graph_inputs(op):
            op_outputs[x].add(op)
            if x not in visited_ops and x not in (sources or extra):
                todo.append(x)
    return extra
