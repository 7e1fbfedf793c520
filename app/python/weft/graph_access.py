"""Access to the core for the modules above it."""

from . import protos

_defs = {}


def _set_default(target, kind, value):
    """A default value as an AttrValue; `kind` is the attribute's type."""
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], str):
        value = value[1]
    if kind.startswith("list("):
        inner = kind[5:-1]
        target.list.SetInParent()
        for item in value:
            if inner == "string":
                target.list.s.append(item if isinstance(item, bytes) else item.encode())
            elif inner == "shape":
                _set_shape(target.list.shape.add(), item)
            else:
                getattr(target.list, {"int": "i", "float": "f", "bool": "b", "type": "type"}[inner]).append(item)
    elif kind == "string":
        target.s = value if isinstance(value, bytes) else value.encode()
    elif kind == "shape":
        _set_shape(target.shape, value)
    elif kind in ("int", "float", "bool", "type"):
        setattr(target, {"int": "i", "float": "f", "bool": "b", "type": "type"}[kind], value)


def _set_shape(target, dims):
    target.SetInParent()
    if dims is None:
        target.unknown_rank = True
        return
    for size in dims:
        target.dim.add(size=-1 if size is None else size)


def op_def(name):
    """The OpDef of a registered op, or None."""
    if name not in _defs:
        from . import _weft

        found = _weft.op_definition(name)
        if found is None:
            return None
        inputs, outputs, attrs, flags = found
        made = protos.OpDef(name=name)
        for target, args in ((made.input_arg, inputs), (made.output_arg, outputs)):
            for arg, dtype, type_attr, list_attr, number_attr, is_ref in args:
                target.add(name=arg, type=dtype, type_attr=type_attr, type_list_attr=list_attr, number_attr=number_attr, is_ref=is_ref)
        for attr, kind, default, has_minimum, minimum, types, strings in attrs:
            target = made.attr.add(name=attr, type=kind, has_minimum=has_minimum, minimum=minimum)
            if default is not None:
                target.default_value.SetInParent()
                _set_default(target.default_value, kind, default[0])
            if types:
                target.allowed_values.list.type.extend(types)
            if strings:
                target.allowed_values.list.s.extend(s.encode() if isinstance(s, str) else s for s in strings)
        made.is_stateful, made.is_commutative, made.is_aggregate, made.allows_uninitialized_input = flags[:4]
        if flags[4]:
            made.deprecation.version, made.deprecation.explanation = flags[4:]
        _defs[name] = made
    return _defs[name]


def register_op(definition):
    """Registers the OpDef of an op of the program."""
    from . import _weft
    from .attr_values import from_attr_value

    def args(of):
        return [(a.name, a.type, a.type_attr, a.type_list_attr, a.number_attr, a.is_ref) for a in of]

    attrs = []
    for attr in definition.attr:
        allowed = attr.allowed_values.list
        default = (from_attr_value(attr.default_value),) if attr.HasField("default_value") else None
        attrs.append((attr.name, attr.type, default, attr.has_minimum, attr.minimum, list(allowed.type), list(allowed.s)))
    flags = (definition.is_stateful, definition.is_commutative, definition.is_aggregate, definition.allows_uninitialized_input, definition.deprecation.version,
             definition.deprecation.explanation)
    _weft.register_op(definition.name, args(definition.input_arg), args(definition.output_arg), attrs, flags)
    _defs[definition.name] = definition
