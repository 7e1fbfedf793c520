"""Parts of tensorflow.python.framework.ops and its neighbours that libraries use: registrations that have no effect in a graph, op libraries, tensor-like types."""

from .. import context as defaults
from .. import dtypes, op_calls, ops, protos, tensor_shape
from ..graph_elements import Tensor, _TensorLike  # noqa: F401 (re-exported)
from ..public_names import as_text

_shape_functions = {}


class RegisterShape:
    """Decorator: registers a shape function for an op. As in TensorFlow 1.15 it is never called; the engine infers shapes."""

    def __init__(self, op_type):
        if not isinstance(op_type, str):
            raise TypeError("op_type must be a string")
        self._op_type = op_type

    def __call__(self, f):
        if f is None:
            _shape_functions.setdefault(self._op_type, None)
        elif _shape_functions.get(self._op_type) is not None:
            raise KeyError("Registering two shape functions with name '%s'!" % self._op_type)
        else:
            _shape_functions[self._op_type] = f
        return f


def set_shape_and_handle_data_for_outputs(_):
    """Has no effect: outputs have their shapes from creation."""


def dismantle_graph(graph):
    """Frees what a graph holds, without waiting for the garbage collector. The graph is of no use afterwards."""
    operations = graph._operations
    graph.__dict__.clear()
    operations.clear()


class OpDefLibrary:
    """Adds operations by the names of their ops."""

    def __init__(self):
        self._ops = {}

    def add_op(self, op_def):
        """Makes an op of the engine callable by apply_op()."""
        if not isinstance(op_def, protos.OpDef):
            raise TypeError("%s is %s, not an op_def_pb2.OpDef" % (op_def, type(op_def)))
        if not op_def.name:
            raise ValueError("%s missing name." % op_def)
        if op_def.name in self._ops:
            raise RuntimeError("Op name %s registered twice." % op_def.name)
        _check_arguments(op_def)
        self._ops[op_def.name] = op_def

    def add_op_list(self, op_list):
        if not isinstance(op_list, protos.OpList):
            raise TypeError("%s is %s, not an op_def_pb2.OpList" % (op_list, type(op_list)))
        for op_def in op_list.op:
            self.add_op(op_def)

    def apply_op(self, op_type_name, name=None, **keywords):
        """The operation, its one output, or a list of its outputs. Inputs and attributes have the names of the op's definition."""
        if op_type_name not in self._ops or not op_calls.known(op_type_name):
            raise RuntimeError("Unrecognized Op name " + op_type_name)
        definition, given = self._ops[op_type_name], {}

        def take(kind, wanted):
            # An argument may have an underscore behind its name, for names that are Python's.
            key = next((k for k in (wanted, wanted + "_") if k in keywords), None)
            if key is None:
                raise TypeError("No argument for %s %s" % (kind, wanted))
            given[wanted] = keywords.pop(key)

        inferred = {name for argument in definition.input_arg for name in (argument.type_attr, argument.type_list_attr, argument.number_attr)}
        for argument in definition.input_arg:
            take("input", argument.name)
        for attr in definition.attr:
            if attr.name not in inferred:
                take("attr", attr.name)
                if given[attr.name] is None and attr.HasField("default_value"):
                    del given[attr.name]
            elif attr.name in keywords:
                raise TypeError("Should not specify value for inferred attr '%s'." % attr.name)
        if keywords:
            raise TypeError("apply_op() got unexpected keyword arguments: " + ", ".join(sorted(keywords)))
        return _structured(op_calls.raw(op_type_name)(name=name, **given), definition)


def _check_arguments(definition):
    """TypeError unless each argument has one type, and its attributes are there and of the right kind."""
    kinds = {attr.name: attr.type for attr in definition.attr}
    for arg in list(definition.input_arg) + list(definition.output_arg):
        types = bool(arg.type) + bool(arg.type_attr) + bool(arg.type_list_attr)
        if types != 1:
            raise TypeError("Arg '%s' of '%s' must have one type field not %d" % (arg.name, definition.name, types))
        for role, wanted in (("type_attr", "type"), ("type_list_attr", "list(type)"), ("number_attr", "int")):
            attr = getattr(arg, role)
            if not attr:
                continue
            if attr not in kinds:
                raise TypeError("Inconsistent OpDef for '%s', missing attr '%s'" % (definition.name, attr))
            if kinds[attr] != wanted:
                raise TypeError("Attr '%s' of '%s' used as a %s but has type %s" % (attr, definition.name, role, kinds[attr]))


def _structured(result, definition):
    """What a function of an op returns, as apply_op() does: a list for an argument that is one, also if it is empty and the op is not stateful."""
    if len(definition.output_arg) != 1:
        return result
    arg = definition.output_arg[0]
    if not (arg.number_attr or arg.type_list_attr):
        return result
    if isinstance(result, ops.Operation):
        return result if definition.is_stateful else []
    return list(result) if isinstance(result, (tuple, list)) else [result]


def register_dense_tensor_like_type(tensor_type):
    """Values of the type count as tensors; it has properties `name` and `dtype`."""
    from .. import conversion

    for attribute in ("name", "dtype"):
        if not isinstance(getattr(tensor_type, attribute, None), property):
            raise TypeError("Type %s does not define a `%s` property" % (tensor_type.__name__, attribute))
    conversion._dense_tensor_like.append(tensor_type)


def register_proto_function(collection_name, proto_type=None, to_proto=None, from_proto=None):
    """Registers the conversion of a collection's elements to and from messages in meta graphs."""
    from .. import collection_protos

    if to_proto and not callable(to_proto):
        raise TypeError("to_proto must be callable.")
    if from_proto and not callable(from_proto):
        raise TypeError("from_proto must be callable.")
    if collection_protos.entry(collection_name) is not None:
        raise KeyError("Registering two proto functions with name '%s'!" % collection_name)
    name = proto_type.DESCRIPTOR.name if proto_type else None
    if name and protos.message(name) is None:
        protos._cache[name] = proto_type  # a message of the program's own
    collection_protos.register(collection_name, name, to_proto, from_proto)


def _entry(collection_name):
    from .. import collection_protos

    return collection_protos.entry(collection_name) or (None, None, None)


def get_collection_proto_type(collection_name):
    """The message class of a collection, or None."""
    name = _entry(collection_name)[0]
    return protos.message(name) if name else None


def get_to_proto_function(collection_name):
    return _entry(collection_name)[1]


def get_from_proto_function(collection_name):
    return _entry(collection_name)[2]


def get_gradient_function(op):
    """The gradient function registered for an operation's op or for its name in gradient_override_map; None without inputs.
    LookupError if the program registered none: the engine's own gradients are not Python functions."""
    if not op.inputs:
        return None
    try:
        op_type = as_text(op.get_attr("_gradient_op_type"))
    except ValueError:
        op_type = op.type
    if op_type not in ops._gradient_functions:
        raise LookupError("gradient registry has no entry for: %s (gradients of Weft's own are not Python functions)" % op_type)
    return ops._gradient_functions[op_type]


def strip_name_scope(name, export_scope):
    """A name without the scope, in front of it or behind "loc:@" and "^"."""
    if not export_scope:
        return name
    import re

    scope = export_scope[:-1] if export_scope[-1] == "/" else export_scope
    try:
        return re.sub(r"([\^]|loc:@|^)" + scope + r"[\/]+(.*)", r"\1\2", as_text(name), count=1)
    except TypeError:
        return name


def prepend_name_scope(name, import_scope):
    """A name below the scope; "loc:@" and "^" stay in front."""
    if not import_scope:
        return name
    import re

    scope = import_scope[:-1] if import_scope[-1] == "/" else import_scope
    try:
        return re.sub(r"([\^]|loc:@|^)(.*)", r"\1" + scope + r"/\2", as_text(name), count=1)
    except TypeError:
        return name


def uid(_state=[0]):  # noqa: B006 (what it counts)
    """A number unique in this process."""
    number = _state[0]
    _state[0] += 1
    return number


def shape_tensor(shape):
    """A shape as a tensor; int32 if it is an empty list or tuple."""
    if isinstance(shape, (tuple, list)):
        shape = tuple(tensor_shape.dimension_value(d) for d in shape)
    return ops.convert_to_tensor(shape, dtype=dtypes.int32 if shape == () else None, name="shape")


# Graphs.
def has_default_graph():
    """Whether a `with` statement has made a graph the default."""
    return bool(defaults.graphs.stack)


def executing_eagerly_outside_functions():
    """Whether operations run at once outside of the graph functions that are being built."""
    graph = ops.get_default_graph()
    while graph.building_function:
        graph = graph.outer_graph
    return graph._eager


def inside_function():
    return bool(ops.get_default_graph().building_function)


class name_scope_v2(ops.name_scope):
    """A name scope of version 2: it has only a name, and may be entered several times."""

    def __init__(self, name):
        if not isinstance(name, str):
            raise ValueError("name for name_scope must be a string.")
        super().__init__(name)
        self._exit_fns = []

    def __enter__(self):
        scope = ops.get_default_graph().name_scope(self._name)
        entered = scope.__enter__()
        self._exit_fns.append(scope.__exit__)
        return entered

    def __exit__(self, *error):
        self._exit_fns.pop()(*error)
        return False


def _NodeDef(op_type, name, device=None, attrs=None):
    """A NodeDef. `device` may be a function of it; `attrs`: name -> AttrValue."""
    node = protos.NodeDef(op=as_text(op_type), name=as_text(name))
    for key, value in (attrs or {}).items():
        node.attr[key].CopyFrom(value)
    if device is not None:
        node.device = device(node) if callable(device) else device.to_string() if hasattr(device, "to_string") else device
    return node
