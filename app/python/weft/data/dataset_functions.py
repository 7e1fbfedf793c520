"""Python functions passed to data sets (map, filter and others), as graph functions."""

import warnings

from .. import _weft, ops
from ..auto_control_deps import AutomaticControlDependencies
from ..autograph.api import tf_convert
from ..functions.defun import function_name
from ..functions.func_graph import FunctionGraph, add_definitions
from ..variable_scope import get_variable_scope
from . import structure


class StructuredFunction:
    """A function of elements described by `input_spec`, traced into a graph function."""

    def __init__(self, func, transformation, input_spec, add_to_graph=True):
        self._called = "%s_%s" % (transformation.replace(".", "_")[:-2] if len(transformation) > 2 else "", function_name(func))
        outer = ops.get_default_graph()
        for key in (ops.GraphKeys.GLOBAL_VARIABLES, ops.GraphKeys.LOCAL_VARIABLES, ops.GraphKeys.TRAINABLE_VARIABLES):
            outer.get_collection_ref(key)  # create these collections now: the function shares them with the outer graph
        graph = FunctionGraph(self._called)
        graph.seed = outer.seed
        collected = outer._collections.get("resources", [])
        before = len(collected)
        with graph.as_default(), AutomaticControlDependencies() as order:
            for i, spec in enumerate(structure.get_flat_tensor_specs(input_spec)):
                graph.add_input(spec.dtype, spec.shape, "args_%d" % i, {"_user_specified_name": "args_%d" % i})
            scope = get_variable_scope()
            resource = scope.use_resource
            scope.set_use_resource(True)
            try:
                element = structure.from_compatible_tensor_list(input_spec, list(graph.inputs))
                called = tf_convert(func)
                result = called(*element) if type(element) is tuple else called(element)
                if isinstance(result, list):
                    result = tuple(result)
                try:
                    self.output_spec = structure.type_spec_from_value(result)
                except (ValueError, TypeError):
                    raise TypeError("Unsupported return value from function passed to %s: %s." % (transformation, result))
                outputs = [ops.convert_to_tensor(t) for t in structure.to_tensor_list(self.output_spec, result)]
                graph.outputs = [order.mark_as_return(t) for t in outputs]
            finally:
                scope.set_use_resource(resource)
        if len(outer._collections.get("resources", [])) > before:
            warnings.warn("Creating resources inside a function passed to %s is not supported. Create each resource outside the function, and capture it inside the "
                          "function to use it." % transformation, stacklevel=5)
        self.graph = graph
        self.name = "__inference_%s_%d" % (self._called, _weft.count_id())
        self.serialized = graph.definition(self.name)
        self.captured_inputs = graph.captured_inputs
        self.grad_func_name = None
        if add_to_graph:
            self.add_to_graph(outer)

    def add_to_graph(self, graph):
        add_definitions(graph, list(self.graph._functions.values()) + [self])

    def _add_to_graph_def(self, graph_def):
        pass  # the engine's graph already has it

    def captures_reference(self):
        """Whether it reads a variable by reference. Data set optimizers must not move such reads."""
        return any(t.dtype._is_ref_dtype or any(i.dtype._is_ref_dtype for i in t.op.inputs) for t in self.captured_inputs)

    output_types = property(lambda self: structure.legacy_types(self.output_spec))
    output_shapes = property(lambda self: structure.legacy_shapes(self.output_spec))
    output_classes = property(lambda self: structure.legacy_classes(self.output_spec))


def steady(func, transformation, state, element_spec, pair=False):
    """`func` of (state, element), retraced until the state's spec no longer changes; returns it with that spec. `pair`: func returns (state, output)."""
    while True:
        f = StructuredFunction(func, transformation, (state, element_spec), add_to_graph=False)
        spec = f.output_spec
        if pair:
            if not (isinstance(spec, tuple) and len(spec) == 2):
                raise TypeError("The scan function must return a pair comprising the new state and the output value.")
            spec = spec[0]
        for what, get in (("classes", lambda s: s._to_legacy_output_classes()), ("types", lambda s: s._to_legacy_output_types())):
            have, want = structure.map_structure(get, spec), structure.map_structure(get, state)
            for new, old in zip(structure.flatten(have), structure.flatten(want)):
                if new != old:
                    raise TypeError("The element %s for the new state must match the initial state. Expected %s; got %s." % (what, want, have))
        shapes = [s._to_legacy_output_shapes() for s in structure.flatten(state)]
        weaker = [a.most_specific_compatible_shape(b._to_legacy_output_shapes()) for a, b in zip(shapes, structure.flatten(spec))]
        if all(a.ndims is None or (b.ndims is not None and a.as_list() == b.as_list()) for a, b in zip(shapes, weaker)):
            return f, state
        types, classes = (structure.map_structure(get, state) for get in (lambda s: s._to_legacy_output_types(), lambda s: s._to_legacy_output_classes()))
        state = structure.convert_legacy_structure(types, structure.pack(types, weaker), classes)
