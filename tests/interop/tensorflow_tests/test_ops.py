"""tensorflow.python.framework.test_ops: the ops that TensorFlow's tests register in C++, read from the source of the checkout and registered by their definitions, without kernels."""
import re
import types

SOURCE = "tensorflow/python/framework/test_ops.cc"


def _texts(body, method):
    """The argument of each call of a method: the C++ strings in it, joined."""
    return ["".join(re.findall(r'"((?:[^"\\]|\\.)*)"', call)) for call in re.findall(r"\.%s\(((?:\s*\"(?:[^\"\\]|\\.)*\")+)\)" % method, body)]


def _argument(definition, text, types_pb2, attrs):
    name, kind = (part.strip() for part in text.split(":", 1))
    arg = definition.add(name=name)
    if kind.startswith("Ref("):
        arg.is_ref, kind = True, kind[4:-1]
    if "*" in kind:
        arg.number_attr, kind = (part.strip() for part in kind.split("*"))
    if kind in attrs:
        setattr(arg, "type_list_attr" if attrs[kind].startswith("list(") else "type_attr", kind)
    else:
        arg.type = _type(kind, types_pb2)


def _type(name, types_pb2):
    name = name[3:] if name.startswith("DT_") else name
    return getattr(types_pb2, "DT_" + {"FLOAT32": "FLOAT", "FLOAT64": "DOUBLE"}.get(name.upper(), name.upper()))


def _items(text):
    """The elements of "[a, b]", whose elements may have braces."""
    found, depth = [""], 0
    for c in text.strip()[1:-1]:
        depth += (c == "{") - (c == "}")
        if c == "," and not depth:
            found.append("")
        else:
            found[-1] += c
    return [item.strip() for item in found if item.strip()]


def _default(value, kind, text, pb):
    if kind.startswith("list("):
        value.list.SetInParent()
        for item in _items(text):
            _one(value.list, kind[5:-1], item, pb, True)
    else:
        _one(value, kind, text, pb, False)


def _one(holder, kind, text, pb, many):
    if kind in ("shape", "tensor"):
        target = getattr(holder, kind).add() if many else getattr(holder, kind)
        target.SetInParent()
        pb.text_format.Parse(text.strip()[1:-1], target)
        return
    field, value = {"int": ("i", lambda: int(text)), "float": ("f", lambda: float(text)), "bool": ("b", lambda: text == "true"),
                    "string": ("s", lambda: text.strip("'").encode()), "type": ("type", lambda: _type(text, pb.types_pb2))}[kind]
    if many:
        getattr(holder, field).append(value())
    else:
        setattr(holder, field, value())


def _attribute(definition, text, pb):
    name, rest = (part.strip() for part in text.split(":", 1))
    attr = definition.attr.add(name=name)
    rest, _, default = (part.strip() for part in re.match(r"((?:[^=]|>=)*?)(?:(\s=\s)(.*))?$", rest, re.S).groups(""))
    rest, _, minimum = (part.strip() for part in rest.partition(">="))
    if minimum:
        attr.has_minimum, attr.minimum = True, int(minimum)
    allowed = re.search(r"\{(.*)\}", rest)
    if allowed:
        words = [word.strip() for word in allowed.group(1).split(",")]
        texts = words[0].startswith("'")
        attr.type = rest.replace(allowed.group(0), "string" if texts else "type")
        for word in words:
            if texts:
                attr.allowed_values.list.s.append(word.strip("'").encode())
            else:
                attr.allowed_values.list.type.append(_type(word, pb.types_pb2))
    else:
        attr.type = rest
    if default:
        _default(attr.default_value, attr.type, default, pb)
    return name, attr.type


def definitions(root):
    """The OpList of the source."""
    from google.protobuf import text_format
    from tensorflow.core.framework import op_def_pb2, types_pb2

    pb = types.SimpleNamespace(text_format=text_format, types_pb2=types_pb2)
    with open("%s/%s" % (root, SOURCE)) as f:
        source = f.read()
    found = op_def_pb2.OpList()
    for name, body in re.findall(r'REGISTER_OP\("(\w+)"\)(.*?)(?:\n\n|\Z)', source, re.S):
        op = found.op.add(name=name)
        attrs = dict(_attribute(op, text, pb) for text in _texts(body, "Attr"))
        for method, into in (("Input", op.input_arg), ("Output", op.output_arg)):
            for text in _texts(body, method):
                _argument(into, text, types_pb2, attrs)
        op.is_stateful = ".SetIsStateful()" in body
        old = re.search(r'\.Deprecated\((\d+), "([^"]*)"\)', body)
        if old:
            op.deprecation.version, op.deprecation.explanation = int(old.group(1)), old.group(2)
    return found


def module(root):
    """The module: a function for each op, and the library that apply_op() is a method of."""
    from tensorflow.python.framework import op_def_library, op_def_registry
    from weft import op_calls

    made, found = types.ModuleType("tensorflow.python.framework.test_ops"), definitions(root)
    op_def_registry.register_op_list(found)
    made._op_def_lib = op_def_library.OpDefLibrary()
    made._op_def_lib.add_op_list(found)
    for op in found.op:
        made.__dict__[op_calls._snake(op.name)] = op_calls.make(op.name)
    return made
