"""tf.switch_case: calls the function selected by an index, as a Case operation."""

from .. import _weft, ops
from ..exports import export
from ..tensor_shape import TensorShape
from ..util import nest
from .func_graph import FunctionGraph, add_definitions


class _Branch:
    """The function of a branch, in the form that a graph's library takes."""

    grad_func_name = None

    def __init__(self, graph, name):
        self._graph, self.name = graph, name
        self.serialized = graph.definition(name)

    def _add_to_graph_def(self, graph_def):
        """Has no effect: the engine's graph has the function."""


def _checked(branch_fns, default, branch_index):
    """The functions in order, the default last. Raises TensorFlow's errors."""
    if not isinstance(branch_index, ops.Tensor):
        raise TypeError("branch_index must a Tensor, got {}".format(type(branch_index)))
    if not branch_index.dtype.is_integer:
        raise TypeError("branch_index must an integer Tensor, got {}".format(branch_index.dtype))
    if not branch_fns:
        raise ValueError("Must provide at least one item in branch_fns")
    if not isinstance(branch_fns, (list, tuple, dict)):
        raise TypeError("branch_fns must be a list, tuple, or dict")
    pairs = list(branch_fns.items()) if isinstance(branch_fns, dict) else list(branch_fns)
    if all(callable(fn) for fn in pairs):
        pairs = list(enumerate(pairs))
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError("Each entry in branch_fns must be a 2-tuple")
        key, fn = pair
        if not isinstance(key, int):
            raise TypeError("key must be a Python `int`, got {}".format(type(key)))
        if not callable(fn):
            raise TypeError("fn for key {} must be callable.".format(key))
    keys = [key for key, _ in pairs]
    if min(keys) < 0 or max(keys) >= len(keys) or len(set(keys)) != len(keys):
        raise ValueError("branch indices (keys) must form contiguous range of [0 to {}) but found {{{}}}".format(len(keys), ",".join(map(str, sorted(keys)))))
    return [dict(pairs)[key] for key in sorted(keys)] + ([] if default is None else [default])


class BranchGraph(FunctionGraph):
    """The graph of one of several branches, which may not use tensors of the others."""

    def __init__(self, name, label, siblings):
        super().__init__(name)
        self.label, self._siblings = label, siblings

    def capture(self, tensor, name=None):
        for other in self._siblings:
            if other is not self and tensor.graph is other:
                raise ValueError("Tensor %s in %s is accessed from %s." % (tensor.name, other.label, self.label))
        return super().capture(tensor, name)


def _traced(function, name, label, siblings):
    """(the graph of a branch, its result)"""
    graph = BranchGraph(name, label, siblings)
    siblings.append(graph)
    with graph.as_default():
        result = function()
        leaves = [ops.convert_to_tensor(leaf) for leaf in nest.flatten(result, expand_composites=True)]
        graph.outputs = [graph.capture(leaf) for leaf in leaves]
    return graph, result


def _check_alike(graphs, results):
    for i in range(1, len(results)):
        try:
            nest.assert_same_structure(results[0], results[i], expand_composites=True)
            if [t.dtype.base_dtype for t in graphs[0].outputs] != [t.dtype.base_dtype for t in graphs[i].outputs]:
                raise TypeError("their types are %s and %s" % tuple([t.dtype.name for t in graphs[k].outputs] for k in (0, i)))
        except (ValueError, TypeError) as e:
            raise TypeError("branches[0] and branches[{i}] arguments to tf.switch_case must have the same number, type, and overall structure of return values.\n\n"
                            "branches[0] output: {first}\nbranches[{i}] output: {other}\n\nError details:\n{e}".format(i=i, first=results[0], other=results[i], e=e))


def _common_shape(shapes):
    """The static shape of a result that holds for all branches."""
    common = shapes[0]
    for shape in shapes[1:]:
        common = common.most_specific_compatible_shape(shape)
    return common


@export("switch_case")
def switch_case(branch_index, branch_fns, default=None, name="switch_case"):
    """The result of the function at `branch_index`; for other indices that of `default`, or of the last function."""
    functions = _checked(branch_fns, default, branch_index)
    outer = ops.get_default_graph()
    if outer._eager:
        with ops.name_scope(name, "case", [branch_index]):
            index = int(branch_index)
            return functions[index if 0 <= index < len(functions) else -1]()
    with ops.name_scope(name, "case", [branch_index]), ops.name_scope("indexed_case") as scope:
        siblings = []
        made = [_traced(f, "%sbranch%d" % (scope.replace("/", "_"), i), "branch %d" % i, siblings) for i, f in enumerate(functions)]
        graphs, results = [g for g, _ in made], [r for _, r in made]
        _check_alike(graphs, results)
        captured = list(dict.fromkeys(t for g in graphs for t in g.captures))
        for graph in graphs:
            with graph.as_default():
                graph.inputs = [graph.captures[t] if t in graph.captures else graph.capture(t) for t in captured]
        branches = [_Branch(g, "%s_%d" % (g.name, _weft.count_id())) for g in graphs]
        add_definitions(outer, [f for g in graphs for f in g._functions.values()] + branches)
        shapes = [_common_shape([TensorShape(g.outputs[i].shape) for g in graphs]) for i in range(len(graphs[0].outputs))]
        inputs = [outer.capture(t) for t in captured] if outer.building_function else captured
        index = outer.capture(branch_index) if outer.building_function else branch_index
        op = _weft.node(outer._core, "Case", [index] + inputs, {"Tin": [t.dtype.base_dtype for t in captured], "Tout": [t.dtype.base_dtype for t in graphs[0].outputs],
                                                              "branches": [b.name for b in branches], "output_shapes": shapes, "_lower_using_switch_merge": True}, scope)
        from ..op_calls import raw

        outputs = []
        for tensor, shape in zip(op.outputs, shapes):
            tensor.set_shape(shape)
            outputs.append(raw("Identity")(tensor))
    return nest.pack_sequence_as(results[0], outputs, expand_composites=True) if nest.is_sequence_or_composite(results[0]) else outputs[0]
