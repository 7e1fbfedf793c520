"""Graph, Operation, Tensor, conversions, and the functions of the default graph.

The engine holds the state (`_weft.GraphCore`); objects are handles to nodes. Each node has one Operation, each output one Tensor."""

import contextlib
import os

from . import _weft, context, dtypes, tensor_shape
from .build_errors import raise_error
from .conversion import _convert_for_engine, convert_to_tensor
from .defaults import _get_graph_from_inputs, get_default_graph
from .exports import export, export_value
from .graph_elements import Operation, Tensor
from .build_errors import OperatorNotAllowedInGraphError  # noqa: F401 (re-exported)
from .graph_elements import _as_graph_element, CondContext, IndexedSlices, IndexedSlicesValue, WhileContext  # noqa: F401 (re-exported)
from .graph_scopes import PendingOperation  # noqa: F401 (re-exported)
from .graph_keys import GraphKeys  # noqa: F401 (re-exported)
from .graph_object import Graph, on_new_graph  # noqa: F401 (re-exported)
from .defaults import (_default_graph_stack, _default_session_stack, _eval_using_default_session, _run_using_default_session,
                       default_session, get_default_session, reset_default_graph)  # noqa: F401 (re-exported)
from .conversion import (constant, constant_value, constant_value_as_shape, convert_n_to_tensor, convert_to_tensor_or_composite,
                         convert_to_tensor_or_indexed_slices, internal_convert_n_to_tensor, internal_convert_to_tensor,
                         internal_convert_to_tensor_or_indexed_slices, is_dense_tensor_like, register_tensor_conversion_function)  # noqa: F401 (re-exported)


convert_to_tensor_v2 = convert_to_tensor


# Functions of the default graph.
@export("name_scope", "compat.v1.name_scope")
class name_scope:
    """Context manager: names of operations inside start with the scope's unique name; yields that name with a trailing slash."""

    def __init__(self, name, default_name=None, values=None):
        if not (default_name is None or isinstance(default_name, str)):
            raise TypeError("`default_name` type (%s) is not a string type. You likely meant to pass this into the `values` kwarg." % type(default_name))
        self._name = default_name if name is None else name
        self._default_name, self._values = default_name, values

    name = property(lambda self: self._name)

    def __enter__(self):
        if self._name is None and self._values is not None:
            raise ValueError("At least one of name (%s) and default_name (%s) must be provided." % (None, self._default_name))
        graph = _get_graph_from_inputs(self._values or [])
        self._context = None
        if graph is not get_default_graph():
            self._context = graph.as_default()
            self._context.__enter__()
        try:
            self._scope = graph.name_scope(self._name)
            return self._scope.__enter__()
        except BaseException:
            if self._context:
                self._context.__exit__(None, None, None)
            raise

    def __exit__(self, *error):
        self._scope.__exit__(*error)
        if self._context:
            self._context.__exit__(*error)

    def __call__(self, function):
        import functools

        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            with name_scope(self._name, self._default_name, self._values):
                return function(*args, **kwargs)

        return wrapper


export_value(name_scope, "keras.backend.name_scope")
export("op_scope")(lambda values, name, default_name=None: name_scope(name, default_name, values))


@export("device")
def device(device_name_or_function):
    return get_default_graph().device(device_name_or_function)


@export("control_dependencies")
def control_dependencies(control_inputs):
    return get_default_graph().control_dependencies(control_inputs)


@export("colocate_with")
def colocate_with(op, ignore_existing=False):
    return get_default_graph().colocate_with(op, ignore_existing)


@export("container")
def container(container_name):
    return get_default_graph().container(container_name)


@export("init_scope")
def init_scope():
    """Context manager: leaves control dependencies, branches and functions, for the creation of variables."""
    graph = get_default_graph()
    return _outside_of_functions(graph) if graph.building_function else graph.control_dependencies(None)


@contextlib.contextmanager
def _outside_of_functions(graph):
    scope = graph.get_name_scope()
    while graph.building_function:
        graph = graph.outer_graph
    with graph.as_default(), graph.name_scope(scope + "/" if scope else ""), graph.control_dependencies(None):
        yield


@export("add_to_collection")
def add_to_collection(name, value):
    get_default_graph().add_to_collection(name, value)


@export("add_to_collections")
def add_to_collections(names, value):
    get_default_graph().add_to_collections(names, value)


@export("get_collection")
def get_collection(key, scope=None):
    return get_default_graph().get_collection(key, scope)


@export("get_collection_ref")
def get_collection_ref(key):
    return get_default_graph().get_collection_ref(key)


def get_all_collection_keys():
    return get_default_graph().get_all_collection_keys()


@export("contrib.framework.get_name_scope")
def get_name_scope():
    """The current name scope, without a trailing slash."""
    return get_default_graph().get_name_scope()


@export("executing_eagerly")
def executing_eagerly():
    """Whether operations run as they are called. Asking makes no default graph."""
    graph = context.graphs.get_default()
    return context.eager_by_default if graph is None else graph.immediate


@export("set_random_seed", "random.set_random_seed", "random.set_seed")
def set_random_seed(seed):
    """Sets the graph's seed, from which the seeds of random operations are derived."""
    get_default_graph().seed = seed


@export("get_seed", "random.get_seed")
def get_seed(op_seed):
    """The (seed, seed2) that a random operation created now would get."""
    graph = get_default_graph()
    if graph.seed is None and op_seed is None:
        return None, None
    return graph._core.seeds_for(None if op_seed is None else int(op_seed))


_gradient_functions = {}


@export("RegisterGradient")
class RegisterGradient:
    """Decorator: registers the gradient function of an op type, or of a name used in gradient_override_map."""

    def __init__(self, op_type):
        if not isinstance(op_type, str):
            raise TypeError("op_type must be a string")
        self._op_type = op_type

    def __call__(self, f):
        if self._op_type in _gradient_functions:
            raise KeyError("Registering two gradient with name '%s'!" % self._op_type)
        _gradient_functions[self._op_type] = f
        _weft.register_gradient(self._op_type, f)
        return f


@export("NoGradient", "NotDifferentiable", "no_gradient")
def NotDifferentiable(op_type):
    """Declares that an op type has no gradient."""
    if not isinstance(op_type, str):
        raise TypeError("op_type must be a string")
    _gradient_functions[op_type] = None
    _weft.register_gradient(op_type, None)


_weft.bind(operation=Operation, tensor=Tensor, convert=_convert_for_engine, raise_error=raise_error, default_graph=get_default_graph,
           to_shape=tensor_shape.to_list, to_dtype=dtypes.enum_of, folder=os.path.dirname(os.path.abspath(__file__)) + "/")
