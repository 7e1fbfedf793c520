"""Functions of tf.* that the engine builds: Python functions made from their ApiRecords."""

import os

from . import _weft, dtypes, ops
from .tensor_shape import TensorShape

_made = {}
_TYPES = {"tensor", "tensors"}


def _default(value):
    if isinstance(value, tuple) and len(value) == 2 and value[0] in ("type", "shape"):
        return dtypes.as_dtype(value[1]) if value[0] == "type" else TensorShape(value[1])
    return value


def function(name):
    """The function of a dotted name below tf, or None."""
    if name in _made:
        return _made[name]
    record = _weft.api_record(name)
    if record is None:
        return None
    made = _made[name] = _make(name, record)
    return made


def _make(name, record):
    words, values, items = [], {}, []
    for p in record["parameters"]:
        n = p["name"]
        if p["required"]:
            words.append(n)
        else:
            values["_d_" + n] = _default(p["default"])
            words.append("%s=_d_%s" % (n, n))
        items.append("%r: %s" % (n, n))
    leaf = name.rpartition(".")[2]
    source = "def %s(%s):\n    return _call({%s})\n" % (leaf, ", ".join(words), ", ".join(items))
    values["_call"] = lambda given: _call(record, given)
    exec(compile(source, os.path.join(os.path.dirname(os.path.abspath(__file__)), "generated"), "exec"), values)
    made = values[leaf]
    made.__doc__ = _document(record)
    made.__module__ = ("tensorflow." + name).rpartition(".")[0]
    return made


def _call(record, given):
    arguments = {}
    tensors = []
    for p in record["parameters"]:
        value = given[p["name"]]
        if value is None:
            continue
        if p["type"] == "tensor":
            value = ops.convert_to_tensor(value, name=p["name"])
            tensors.append(value)
        elif p["type"] == "tensors":
            value = ops.convert_n_to_tensor(value, name=p["name"])
            tensors += value
        arguments[p["name"]] = value
    graph = ops._get_graph_from_inputs(tensors)
    graph._check_not_finalized()
    return _weft.build_api(graph._core, record["name"], arguments)


def _document(record):
    lines = [record["summary"], ""]
    if record["doc"]:
        lines += [record["doc"], ""]
    lines += ["  %s: %s" % (p["name"], p["doc"]) for p in record["parameters"]]
    return "\n".join(lines + ["", "Returns: " + record["returns"]])
