"""function.Defun: functions of the graph made from Python functions."""

import functools
import inspect

from .. import _weft, dtypes, ops
from ..exports import export
from ..tensor_shape import TensorShape
from ..variable_scope import get_variable_scope, variable_scope
from .func_graph import FunctionGraph, add_definitions


def function_name(function):
    """The name under which a function is registered."""
    if isinstance(function, functools.partial):
        return function_name(function.func)
    return getattr(function, "__name__", None) or type(function).__name__


class _DefunGraph(FunctionGraph):
    """A FunctionGraph whose variables are created in the outer graph."""

    def __init__(self, *args, by_value_variables=True, **kwargs):
        self._scope = get_variable_scope()
        super().__init__(*args, **kwargs)
        self._variables_by_value = by_value_variables
        self.extra_vars = []

    def _name_of_capture(self, tensor):
        return "Placeholder"

    def control_dependencies(self, control_inputs):
        """Raises an error for operations outside, as for those of any other graph."""
        return ops.Graph.control_dependencies(self, control_inputs)

    def getvar(self, getter, name, shape=None, dtype=None, initializer=None, reuse=None, trainable=True, collections=None, use_resource=None, **unused):
        with self.outer_graph.as_default():
            from .. import variable_scope as scopes

            var = self._scope.get_variable(scopes._get_default_variable_store(), name, shape=shape, dtype=dtype, initializer=initializer, reuse=reuse,
                                           trainable=trainable, collections=collections, use_resource=use_resource)
            self.extra_vars.append(var)
            if getattr(var, "_is_resource", hasattr(var, "handle")) and self._variables_by_value:
                return var.value()
            return var


def _attributes(noinline=None, compiled=None, separate_compiled_gradients=None, name="", **more):
    attrs = {}
    if noinline is not None:
        attrs["_noinline"] = bool(noinline)
    attrs["_disable_call_shape_inference"] = True
    if compiled is not None:
        attrs["_XlaCompile"] = bool(compiled)
        attrs["_XlaSeparateCompiledGradients"] = bool(separate_compiled_gradients)
        attrs["_XlaScope"] = "function_%s" % name
    for key in list(more):
        if key.startswith("experimental_"):
            if not isinstance(more[key], (bool, int, float, str)):
                raise ValueError("Unsupported attribute type for %s with type %s" % (key, type(more[key])))
            attrs[key] = more.pop(key)
        elif key in ("_implements", "_reference"):
            if not isinstance(more[key], str):
                raise ValueError("Unsupported attribute type for %s with type %s" % (key, type(more[key])))
            attrs[key] = more.pop(key)
    if more:
        raise ValueError("Unknown keyword arguments: %s" % more.keys())
    return attrs


_differentiated = set()  # the names of functions of which some have gradients in Python


def _own_gradient(op, *grads):
    """The gradient of a call by the function that it calls. Functions with one body have one name, but each has its own gradient; without any the graph's function is differentiated."""
    defined = op.__dict__.get("__defun") or op.graph._functions.get(op.type)
    function = getattr(defined, "python_grad_func", None)
    return NotImplemented if function is None else function(op, *grads)


class DefinedFunction:
    """A graph function with fixed argument types, built when it is first needed."""

    def __init__(self, func, argnames, input_types, func_name=None, grad_func=None, python_grad_func=None, out_names=None, shape_func=None, capture_by_value=False,
                 whitelisted_stateful_ops=None, capture_resource_var_by_value=True, **kwargs):
        self._func, self._input_types, self._func_name = func, input_types, func_name
        self._grad_func, self._python_grad_func = grad_func, python_grad_func
        self._out_names, self._shape_func = out_names, shape_func
        self._by_value, self._allowed, self._variables_by_value = capture_by_value, whitelisted_stateful_ops or (), capture_resource_var_by_value
        self._extra = kwargs
        self._arg_names = [argnames[i] if i < len(argnames) else "arg%d" % i for i in range(len(input_types))]
        self._definition = self._description = None

    def _build(self):
        if self._definition is not None:
            return
        name = self._func_name or function_name(self._func)
        for key in ops.GraphKeys._VARIABLE_COLLECTIONS:
            ops.get_default_graph().get_collection_ref(key)  # create these collections now: the function shares them with its graph
        graph = _DefunGraph(name, by_value=self._by_value, allowed_stateful=self._allowed, by_value_variables=self._variables_by_value)
        with graph.as_default():
            for argument, kind in zip(self._arg_names, self._input_types):
                graph.add_input(kind, None, argument)
            given = list(graph.inputs)
            with variable_scope("", custom_getter=graph.getvar):
                outputs = self._func(*given)
            if outputs is None:
                outputs = []
            elif not isinstance(outputs, (list, tuple)):
                outputs = (outputs,)
            if any(o is None for o in outputs):
                raise ValueError("Function %s can not return None." % name)
            outputs = [ops.convert_to_tensor(o) for o in outputs]
            graph.outputs = [graph.capture(o) for o in outputs]
        if not self._func_name and self._grad_func:
            name += "_%s" % self._grad_func.name
        attrs = _attributes(name=name, **self._extra)
        self._definition = graph.definition(name, self._func_name is None, self._out_names or (), attrs, self._description or self._func.__doc__)
        self._func_name = _weft.function_name(self._definition)
        self._captured = graph.captured_inputs
        self._graph, self._called, self._number_of_inputs = graph, list(graph._functions.values()), len(graph.inputs)
        if self._python_grad_func and self._func_name not in _differentiated:
            _differentiated.add(self._func_name)
            _weft.register_gradient(self._func_name, _own_gradient)

    @property
    def name(self):
        self._build()
        return self._func_name

    @property
    def serialized(self):
        self._build()
        return self._definition

    @property
    def definition(self):
        from .. import protos

        return protos.FunctionDef.FromString(self.serialized)

    @property
    def captured_inputs(self):
        self._build()
        return self._captured

    @property
    def stateful_ops(self):
        self._build()
        return [(op.name, op.type) for op in self._graph.get_operations() if op._is_stateful]

    declared_input_types = property(lambda self: self._input_types)
    python_grad_func = property(lambda self: self._python_grad_func)
    grad_func_name = property(lambda self: self._grad_func.name if self._grad_func else None)
    _signature = property(lambda self: self.definition.signature)

    def set_grad_func(self, grad_func):
        """Sets the function that computes this one's gradient."""
        assert not self._grad_func and isinstance(grad_func, DefinedFunction)
        self._grad_func = grad_func

    def add_to_graph(self, graph):
        self._build()
        if self._grad_func and self._python_grad_func:
            raise ValueError("Gradient defined twice for function %s" % self._func_name)
        if self._grad_func:
            self._grad_func.add_to_graph(graph)
        add_definitions(graph, self._called + [self])

    def _add_to_graph_def(self, graph_def):
        pass  # the engine's graph already has it

    def __call__(self, *args, **kwargs):
        graph = ops.get_default_graph()
        self.add_to_graph(graph)
        inputs = [ops.convert_to_tensor(a) for a in args] + self.captured_inputs
        if len(inputs) != self._number_of_inputs:
            raise ValueError("Expected number of arguments: %d, received: %d" % (self._number_of_inputs, len(inputs)))
        name = kwargs.pop("name", None) or self._func_name
        op = _weft.node(graph._core, self._func_name, inputs, _attributes(name=self._func_name, **kwargs), name)
        for i in range(len(op.outputs)):
            graph._core.replace_shape(op._node, i, None)
        setattr(op, "__defun", self)
        if self._shape_func is not None:
            shapes = self._shape_func(op)
            if len(shapes) != len(op.outputs):
                raise ValueError("shape_func produced %d shapes for %d outputs" % (len(shapes), len(op.outputs)))
            for tensor, shape in zip(op.outputs, shapes):
                tensor.set_shape(TensorShape(shape))
        if not op.outputs:
            return op
        return op.outputs[0] if len(op.outputs) == 1 else tuple(op.outputs)


class _ReadFunction(DefinedFunction):
    """A graph function read from its message; what it calls is in the same library."""

    def __init__(self, message, grad_func):
        signature = message.signature
        super().__init__(None, [a.name for a in signature.input_arg], tuple(dtypes.as_dtype(a.type) for a in signature.input_arg), signature.name, grad_func,
                         out_names=[a.name for a in signature.output_arg])
        self._definition = message.SerializeToString()
        self._captured, self._called, self._number_of_inputs = [], [], len(self._input_types)


class OverloadedFunction:
    """A function with one definition per combination of argument types."""

    def __init__(self, func, argnames, func_name=None, grad_func=None, python_grad_func=None, out_names=None, **kwargs):
        self._func, self._argnames, self._func_name = func, argnames, func_name
        self._grad_func, self._python_grad_func, self._out_names, self._extra = grad_func, python_grad_func, out_names, kwargs
        self._overload = {}

    def instantiate(self, input_types):
        key = "".join(_short(t) for t in input_types)
        defined = self._overload.get(key)
        if defined is None:
            name = None if self._func_name is None else "_".join([self._func_name, key])
            defined = DefinedFunction(self._func, self._argnames, input_types, name, None, self._python_grad_func, out_names=self._out_names, **self._extra)
            defined._build()
            if self._grad_func:
                defined._grad_func = self._grad_func.instantiate(list(input_types) + [t.dtype for t in defined._graph.outputs])
            self._overload[key] = defined
        return defined

    def __call__(self, *args, **kwargs):
        args = [ops.convert_to_tensor(a) for a in args]
        return self.instantiate([a.dtype for a in args])(*args, **kwargs)


_SHORT = {dtypes.float16: "f16", dtypes.float32: "f32", dtypes.float64: "f64", dtypes.int32: "i32", dtypes.uint8: "i8", dtypes.uint16: "u16", dtypes.uint32: "u32",
          dtypes.uint64: "u64", dtypes.int16: "i16", dtypes.int8: "i8", dtypes.string: "s", dtypes.complex64: "c64", dtypes.complex128: "c128", dtypes.int64: "i64",
          dtypes.bool_: "b", dtypes.qint8: "qi8", dtypes.quint8: "qu8", dtypes.qint16: "qi16", dtypes.quint16: "qu16", dtypes.qint32: "qi32", dtypes.bfloat16: "b16"}


def _short(dtype):
    dtype = dtypes.as_dtype(dtype)
    if dtype not in _SHORT:
        raise ValueError("Cannot convert dtype %s to string" % dtype)
    return _SHORT[dtype]


@export("contrib.framework.function.Defun", "python.framework.function.Defun")
class Defun:
    """Decorator: makes a graph function from a Python function. Keywords: func_name, grad_func, python_grad_func, out_names, shape_func, noinline …"""

    def __init__(self, *input_types, **kwargs):
        self._input_types = input_types
        self._options = kwargs

    def __call__(self, func):
        if not callable(func):
            raise ValueError("function %s must be callable" % func)
        spec = inspect.getfullargspec(func)
        if spec.varkw or spec.defaults:
            raise ValueError("function with argument defaults or keywords arguments are not supported. {} has defaults {} and keywords {}.".format(func, spec.defaults, spec.varkw))
        names = spec.args[1:] if inspect.ismethod(func) else spec.args
        least, most = len(names), 1000000 if spec.varargs else len(spec.args)
        if self._input_types:
            if not least <= len(self._input_types) <= most:
                raise ValueError("The function has fewer arguments than the number of specified input types.")
            return DefinedFunction(func, names, self._input_types, **self._options)
        if least == 0 and most == 0:
            return DefinedFunction(func, [], [], **self._options)
        return OverloadedFunction(func, names, **self._options)


def _from_definition(fdef, grad_func=None):
    return _ReadFunction(fdef, grad_func)


def from_library(lib):
    """The functions of a FunctionDefLibrary, each with its gradient function."""
    messages = {message.signature.name: message for message in lib.function}
    gradients, differentiated = {}, {}
    for pair in lib.gradient:
        for name in (pair.function_name, pair.gradient_func):
            if name not in messages:
                raise ValueError("FunctionDefLibrary missing '%s' FunctionDef\n%s" % (name, lib))
        gradients[pair.function_name] = pair.gradient_func
        differentiated.setdefault(pair.gradient_func, []).append(pair.function_name)
    ready = [name for name in messages if not gradients.get(name)]
    if messages and not ready:
        raise ValueError("FunctionDefLibrary contains cyclic gradient functions!\n%s" % lib)
    made = {}
    while ready:
        name = ready.pop()
        made[name] = _from_definition(messages[name], made.get(gradients.get(name)))
        ready.extend(differentiated.get(name, ()))
    return list(made.values())


_DefinedFunction, _OverloadedFunction = DefinedFunction, OverloadedFunction


@export("contrib.framework.function.get_extra_vars")
def get_extra_vars():
    graph = ops.get_default_graph()
    return graph.extra_vars if isinstance(graph, _DefunGraph) else []


@export("contrib.framework.function.get_extra_inputs")
def get_extra_inputs():
    graph = ops.get_default_graph()
    return graph.captured_inputs if isinstance(graph, _DefunGraph) else []


@export("contrib.framework.function.get_extra_args")
def get_extra_args():
    graph = ops.get_default_graph()
    return list(graph.captures.values()) if isinstance(graph, _DefunGraph) else []
