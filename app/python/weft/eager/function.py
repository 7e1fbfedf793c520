"""tf.function: a Python function is traced once for each kind of arguments; calls run the traced graph."""

import functools
import inspect
import itertools
import weakref

import numpy as np

from .. import _weft, context, dtypes, ops, settings
from ..auto_control_deps import AutomaticControlDependencies
from ..autograph import api as autograph
from ..autograph import flow
from ..autograph.features import features_of
from ..control_flow import group
from ..data.structure import TensorSpec
from ..exports import export
from ..functions.func_graph import FunctionGraph
from ..ops import IndexedSlices, Tensor
from ..util import nest
from . import variables
from .function_gradients import Differentiable
from .tensor import EagerTensor

_numbers = itertools.count()


class _FuncGraph(FunctionGraph):
    """The graph of a traced function. Values from outside become arguments."""

    def __init__(self, name):
        super().__init__(name)
        self._collections = {}
        self.held = {}  # captured EagerTensor's number -> (it, the argument)

    given = None     # while the function is traced: the values of its arguments
    arguments = ()

    def value_now(self, tensor):
        """The value of a tensor of the graph for the arguments with which it is traced; None if these have no values."""
        if self.given is None or len(self.given) != len(self.arguments):
            return None
        here = list(self.arguments) + [t for _, t in self.held.values()]
        run = _weft.EagerFunction(self._core, [t.name for t in here], [tensor.name], [])
        return run.call(self.given + [t for t, _ in self.held.values()])[0]

    def capture(self, tensor, name=None):
        if not isinstance(tensor, EagerTensor):
            return super().capture(tensor, name)
        number = _weft.eager_id(tensor)
        found = self.held.get(number)
        if found is None:
            made = self.placeholder(tensor.dtype, tensor.shape, name or "captured")
            if tensor.dtype is dtypes.resource:
                _weft.describe_eager_argument(self._core, made.op._node, tensor)
            found = self.held[number] = (tensor, made)
        return found[1]


flow.make_trace = _FuncGraph
_keras = None


def keras_graph():
    """The graph in which Keras connects layers while execution is eager."""
    global _keras
    if _keras is None or _keras.outer_graph is not context.eager_graph():
        with context.eager_graph().as_default():
            _keras = _FuncGraph("keras_graph")
    return _keras


context.eager_keras_graph, context.made_keras_graph = keras_graph, lambda: _keras


def _specs(args, kwargs, parameters):
    """The arguments with a TensorSpec for each tensor, named after its parameter unless it has a name."""
    given = [x for x in nest.flatten((args, kwargs)) if isinstance(x, TensorSpec)]
    if any(x.name for x in given) and any(not x.name for x in given):
        raise ValueError("If specifying names for TensorSpecs, either zero or all names have to be specified.")

    def spec_of(x, name):
        if isinstance(x, TensorSpec):
            return x if x.name else TensorSpec(x.shape, x.dtype, name=name)
        return TensorSpec(x.shape, x.dtype, name=name) if isinstance(x, Tensor) else x

    names = parameters + ["args"] * len(args)
    positional = tuple(nest.map_structure(lambda x, n=n: spec_of(x, n), a) for a, n in zip(args, names))
    return positional, {k: nest.map_structure(lambda x, k=k: spec_of(x, k), v) for k, v in kwargs.items()}


class ConcreteFunction:
    """A traced function: a graph with arguments and results."""

    def __init__(self, python_function, name, args, kwargs, may_create=True, parameters=()):
        self.name = "__inference_%s_%d" % (name, next(_numbers))
        self.graph = graph = _FuncGraph(name)
        graph.given = [x for x in nest.flatten((args, kwargs)) if isinstance(x, EagerTensor)]
        self.structured_input_signature = _specs(args, kwargs, list(parameters))
        self._arg_keywords = [s.name for s in nest.flatten(self.structured_input_signature) if isinstance(s, TensorSpec)]
        made = variables.made_since()
        with graph.as_default(), AutomaticControlDependencies() as control:
            self.inputs = []

            def argument(x, where=None):
                if isinstance(x, EagerTensor) or isinstance(x, Tensor):
                    t = graph.placeholder(x.dtype, x.shape, "args_%d" % len(self.inputs))
                    if x.dtype is dtypes.resource:
                        _weft.describe_eager_argument(graph._core, t.op._node, x)
                elif isinstance(x, TensorSpec):
                    t = graph.placeholder(x.dtype, x.shape, x.name or "args_%d" % len(self.inputs))
                else:
                    return x
                self.inputs.append(t)
                graph.arguments = self.inputs
                return t

            args, kwargs = nest.map_structure(argument, (args, kwargs))
            result = python_function(*args, **kwargs)
            if not may_create and variables.made_since() != made:
                raise ValueError("tf.function-decorated function tried to create variables on non-first call.")

            def returned(x):
                if x is None:
                    return None
                if getattr(x, "_is_variable", False) or not isinstance(x, IndexedSlices):
                    try:
                        x = ops.convert_to_tensor(x)
                    except (ValueError, TypeError):
                        raise TypeError("To be compatible with tf.contrib.eager.defun, Python functions must return zero or more Tensors; in compilation of %s, found return value of "
                                        "type %s, which is not a Tensor." % (python_function, type(x)))
                return control.mark_as_return(x)

            self.structured_outputs = nest.map_structure(returned, result)
        graph.given = None
        self.created_variables = variables.made_since() != made
        self.outputs = [t for x in nest.flatten(self.structured_outputs) if x is not None for t in ([x.values, x.indices] if isinstance(x, IndexedSlices) else [x])]
        self._runs = Differentiable(graph, self.inputs + [here for _, here in graph.held.values()], self.outputs, [op.name for op in graph.control_outputs])

    @property
    def captured_inputs(self):
        return [t for t, _ in self.graph.held.values()]

    @property
    def variables(self):
        found = [variables._variables.get(_weft.eager_id(t), lambda: None)() for t in self.captured_inputs if t.dtype is dtypes.resource]
        return tuple(v for v in found if v is not None)

    trainable_variables = property(lambda self: tuple(v for v in self.variables if v.trainable))

    def _call_flat(self, tensors):
        """The outputs for flat arguments: values, or tensors of the graph that is built."""
        graph = ops.get_default_graph()
        given = list(tensors) + self.captured_inputs
        if not graph._eager:
            raise NotImplementedError("a concrete function is called with values only; inside a graph call the tf.function itself")
        return self._runs.call(given)

    def __call__(self, *args, **kwargs):
        """The outputs for tensors: in order, or by the names of the signature."""
        given = list(args)
        if len(given) == 1 and nest.is_sequence(given[0]):
            given = nest.flatten(given)
        for name in self._arg_keywords[len(given):]:
            if name not in kwargs:
                break
            given.append(kwargs.pop(name))
        if kwargs:
            given += nest.flatten(kwargs)
        flat = [ops.convert_to_tensor(x) for x in nest.flatten(given) if isinstance(x, (Tensor, np.ndarray, np.generic)) or getattr(x, "_is_variable", False)]
        if len(flat) != len(self.inputs):
            flat = [ops.convert_to_tensor(x) for x in nest.flatten(given)]
        if len(flat) < len(self.inputs):
            raise TypeError("Expected argument names %s but got values for %s. Missing: %s." %
                            (self._arg_keywords, self._arg_keywords[:len(flat)], self._arg_keywords[len(flat):]))
        return self._pack(self._call_flat(flat[:len(self.inputs)]))

    def _pack(self, values):
        values = iter(values)

        def one(x):
            if x is None:
                return None
            if isinstance(x, IndexedSlices):
                return IndexedSlices(next(values), next(values))
            return next(values)

        return nest.map_structure(one, self.structured_outputs)

    output_dtypes = property(lambda self: nest.map_structure(lambda x: x.dtype, self.structured_outputs))
    output_shapes = property(lambda self: nest.map_structure(lambda x: x.shape, self.structured_outputs))

    def __repr__(self):
        return "<tensorflow.python.eager.function.ConcreteFunction object at %#x>" % id(self)


def _is_value(x):
    """Whether a result becomes a tensor: variables, numbers, text and arrays do."""
    return isinstance(x, (Tensor, bool, int, float, complex, str, bytes, np.ndarray, np.generic)) or getattr(x, "_is_variable", False)


class Function:
    """What tf.function returns."""

    def __init__(self, python_function, name, input_signature=None, autograph=True, features=frozenset()):
        self._python_function = python_function
        self._name = name
        self._input_signature = None if input_signature is None else tuple(input_signature)
        self._autograph, self._features = autograph, features
        self._cache = {}
        self._run = None
        self._by_object = weakref.WeakKeyDictionary()
        self._signature = inspect.signature(python_function)
        self._is_traced_once = False
        functools.update_wrapper(self, python_function)

    python_function = property(lambda self: self._python_function)
    input_signature = property(lambda self: self._input_signature)
    function_spec = property(lambda self: self._signature)

    def __get__(self, instance, owner):
        if instance is None:
            return self
        bound = self._by_object.get(instance)
        if bound is None:
            reference = weakref.ref(instance)
            function = self._converted()

            def method(*args, **kwargs):
                self = reference()
                if self is None:
                    raise ReferenceError("the object of the tf.function %s is gone; keep it in a variable" % function.__qualname__)
                return function(self, *args, **kwargs)

            functools.update_wrapper(method, self._python_function)
            parameters = list(self._signature.parameters.values())[1:]
            method.__signature__ = self._signature.replace(parameters=parameters)
            bound = self._by_object[instance] = Function(method, self._name, self._input_signature, autograph=False)
        return _Bound(bound, instance)

    def _canonical(self, args, kwargs):
        """Positional and named arguments with defaults, arrays as tensors."""
        bound = self._signature.bind(*args, **kwargs)
        bound.apply_defaults()
        args, kwargs = bound.args, bound.kwargs
        as_tensor = lambda x: ops.convert_to_tensor(x) if isinstance(x, (np.ndarray, np.generic)) else x
        args, kwargs = nest.map_structure(as_tensor, (args, kwargs))
        if self._input_signature is not None:
            if kwargs:
                raise ValueError("Cannot define a TensorFlow function from a Python function with keyword arguments when input_signature is provided.")
            flat, specs = nest.flatten(args), nest.flatten(self._input_signature)
            if len(flat) < len(specs):
                raise ValueError("Structure of Python function inputs does not match input_signature.")
            flat = [ops.convert_to_tensor(x, dtype=s.dtype) if not isinstance(x, Tensor) else x for x, s in zip(flat, specs)] + flat[len(specs):]
            if any(not s.is_compatible_with(x) for x, s in zip(flat, specs)):
                raise ValueError("Python inputs incompatible with input_signature:\n  inputs: (\n    %s)\n  input_signature: (\n    %s)" %
                                 (",\n    ".join(str(x) for x in flat), ",\n    ".join(str(s) for s in specs)))
            args = nest.pack_sequence_as(args, flat)
        return args, kwargs

    def _key(self, args, kwargs):
        def one(x):
            if isinstance(x, Tensor):
                shape = x.shape
                return "T", x.dtype._number, tuple(shape.as_list()) if shape.ndims is not None else None
            if isinstance(x, TensorSpec):
                return "T", dtypes.as_dtype(x.dtype)._number, tuple(x.shape.as_list()) if x.shape.ndims is not None else None
            if isinstance(x, (bool, int, float, str, bytes, type(None))):
                return type(x), x
            return "id", id(x)

        flat = nest.flatten((args, kwargs))
        return tuple(one(x) for x in flat), str(nest.map_structure(lambda _: 0, (args, kwargs))), bool(_learning_phase())

    def _concrete(self, args, kwargs):
        args, kwargs = self._canonical(args, kwargs)
        key = "signature" if self._input_signature is not None else self._key(args, kwargs)
        found = self._cache.get(key)
        if found is None:
            traced = self._input_signature + tuple(args[len(self._input_signature):]) if self._input_signature is not None else args
            run = self._converted()
            found = ConcreteFunction(run, self._name, traced, kwargs, not self._is_traced_once, self._parameters())
            first, self._is_traced_once = not self._is_traced_once, True
            if first and found.created_variables:  # the trace that stays makes none
                found = ConcreteFunction(run, self._name, traced, kwargs, False, self._parameters())
            self._cache[key] = found
            self._keep = getattr(self, "_keep", []) + [x for x in nest.flatten((args, kwargs)) if not isinstance(x, Tensor)]
        return found, [x for x in nest.flatten((args, kwargs)) if isinstance(x, Tensor)]

    def _converted(self):
        """The function to trace: with autograph, its ifs and loops take tensors."""
        if self._run is None:
            self._run = autograph.convert(self._python_function, self._features) if self._autograph else self._python_function
        return self._run

    def __call__(self, *args, **kwargs):
        if _run_eagerly:
            return self._python_function(*args, **kwargs)
        graph = ops.get_default_graph()
        if not graph._eager:
            return self._in_graph(graph, args, kwargs)
        concrete, tensors = self._concrete(args, kwargs)
        return concrete._pack(concrete._call_flat(tensors))

    def _in_graph(self, graph, args, kwargs):
        """Makes the function a part of the graph under construction. In a graph that is no function's, its stateful operations run in order, and whenever a result is asked for."""
        if graph.building_function:
            return self._converted()(*args, **kwargs)
        with AutomaticControlDependencies() as order:
            found = self._converted()(*args, **kwargs)

            def returned(x):
                return order.mark_as_return(x if isinstance(x, IndexedSlices) else ops.convert_to_tensor(x)) if isinstance(x, IndexedSlices) or _is_value(x) else x

            found = nest.map_structure(returned, found, expand_composites=True)
        return group(*order.must_run) if found is None else found

    def _parameters(self):
        return [p.name for p in self._signature.parameters.values() if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]

    def get_concrete_function(self, *args, **kwargs):
        """The traced function for tensors, or TensorSpecs, like these."""
        if self._input_signature is not None and (not args and not kwargs or all(isinstance(x, TensorSpec) for x in nest.flatten((args, kwargs)))):
            key = "signature"
            if key not in self._cache:
                self._cache[key] = ConcreteFunction(self._converted(), self._name, self._input_signature, {}, not self._is_traced_once, self._parameters())
                self._is_traced_once = True
            return self._cache[key]
        with context.eager_graph().as_default():
            return self._concrete(args, kwargs)[0]

    def _list_all_concrete_functions_for_serialization(self):
        return list(self._cache.values())

    def _decorate(self, decorator):
        """Replaces the Python function by decorator(it)."""
        if self._cache:
            raise ValueError("Functions cannot be decorated after they have been traced.")
        self._python_function, self._run = decorator(self._python_function), None

    def __repr__(self):
        return "<tensorflow.python.eager.def_function.Function object at %#x>" % id(self)


class _Bound:
    """A tf.function as a method of an object. It keeps the object alive; the traces, which live as long as the object, do not."""

    def __init__(self, function, instance):
        self._function, self.__self__ = function, instance

    __call__ = lambda self, *args, **kwargs: self._function(*args, **kwargs)
    __getattr__ = lambda self, name: getattr(self._function, name)
    __repr__ = lambda self: repr(self._function)


_run_eagerly = False


def run_functions_eagerly(run_eagerly):
    """Whether calls of tf.functions run the Python function itself."""
    global _run_eagerly
    _run_eagerly = bool(run_eagerly)


export("config.experimental_run_functions_eagerly")(run_functions_eagerly)


def _learning_phase():
    return getattr(context.eager_graph(), "_phase", 0)


@export("function")
def function(func=None, input_signature=None, autograph=True, experimental_autograph_options=None, experimental_relax_shapes=False, experimental_compile=None):
    """Traces `func` for each kind of arguments; calls run the traced graph."""
    settings.unused("function", "each set of shapes gets its own trace", experimental_relax_shapes=(experimental_relax_shapes, False))
    settings.unused("function", "there is no XLA", experimental_compile=(experimental_compile, None, False))
    if input_signature is not None:
        if not isinstance(input_signature, (tuple, list)):
            raise TypeError("input_signature must be either a tuple or a list, received " + str(type(input_signature)))
        if not all(isinstance(s, TensorSpec) for s in nest.flatten(input_signature)):
            raise TypeError("Invalid input_signature %s; input_signature must be a possibly nested sequence of TensorSpec objects." % (input_signature,))

    def decorated(inner):
        name = getattr(inner, "__name__", type(inner).__name__)
        return Function(inner, "lambda" if name == "<lambda>" else name, input_signature, autograph, features_of(experimental_autograph_options))

    return decorated if func is None else decorated(func)


def defun(func=None, input_signature=None, autograph=True, experimental_autograph_options=None, experimental_relax_shapes=False):
    """tf.function under its older name."""
    return function(func, input_signature, autograph, experimental_autograph_options, experimental_relax_shapes)


export("contrib.eager.defun")(defun)
