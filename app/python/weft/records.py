"""Functions of tf.* that the engine builds: Python functions made from their ApiRecords."""

import collections
import os

from . import _weft, context, dispatchable, dtypes
from .tensor_shape import TensorShape
from .util.tf_decorator import make_decorator

_made = {}
_GENERATED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "generated")


def _default(value):
    if isinstance(value, tuple) and len(value) == 2 and value[0] in ("type", "shape"):
        return dtypes.as_dtype(value[1]) if value[0] == "type" else TensorShape(value[1])
    return value


def function(name):
    """The function of a dotted name below tf, or None."""
    if name in _made:
        return _made[name]
    record = _weft.api_record(name)
    made = _made[name] = None if record is None else _make(name, record)
    return made


def _make(name, record):
    words, values, given, deprecated = [], {}, [], {}
    for p in record["parameters"]:
        n = p["name"]
        if p["variadic"]:
            words.append("*" + n)
        elif p["required"]:
            words.append(n)
        else:
            values["_d_" + n] = _default(p["default"])
            words.append("%s=_d_%s" % (n, n))
        for alias in p["aliases"]:
            deprecated[alias] = n
        given.append("list(%s)" % n if p["variadic"] else n)
    # A required parameter may follow an optional (deprecated) one; it is still required.
    seen_default = False
    for i, word in enumerate(words):
        if "=" in word:
            seen_default = True
        elif seen_default and not word.startswith("*") and not any(w.startswith("*") for w in words[:i]):
            values["_d_" + word] = None
            words[i] = "%s=_d_%s" % (word, word)
    leaf = name.rpartition(".")[2]
    build, engine_name = _weft.build_api, record["name"]
    if deprecated:
        # An old spelling stands for the new one; both together are an error.
        inner = ", ".join(words)
        source = "def %s(%s):\n    return _build(%r, (%s))\n" % (leaf, inner, engine_name, "".join(g + ", " for g in given))
    else:
        source = "def %s(%s):\n    return _build(%r, (%s))\n" % (leaf, ", ".join(words), engine_name, "".join(g + ", " for g in given))
    if record["form"] == "tuple" and record["fields"]:
        values["_tuple"] = collections.namedtuple(_camel(leaf), record["fields"])
        source = source.replace("return _build", "return _tuple(*_build", 1)[:-1] + ")\n"
    values["_build"] = build
    exec(compile(source, _GENERATED, "exec"), values)
    made = values[leaf]
    if deprecated:
        made = _with_old_spellings(made, deprecated)
    if _takes_sparse_values(record):
        made = _with_sparse_values(made)
    if name.startswith("metrics."):
        made = _with_counts_of_replicas(name, made)
    if name.startswith("losses.") and any(p["name"] == "reduction" for p in record["parameters"]):
        made = _with_noted_reduction(made)
    made.__doc__ = _document(record)
    made.__module__ = ("tensorflow." + name).rpartition(".")[0]
    return made


_SPARSE_BESIDE_TENSORS = {"shape", "size", "rank", "sparse.concat", "sparse.add", "sets.size", "sets.intersection", "sets.difference", "sets.union",
                          "metrics.recall_at_k", "metrics.precision_at_k", "metrics.sparse_precision_at_k", "metrics.recall_at_top_k", "metrics.precision_at_top_k",
                          "metrics.average_precision_at_k", "metrics.sparse_average_precision_at_k"}
_ONLY_SPARSE_TENSORS = {"nn.ctc_loss", "nn.embedding_lookup_sparse", "nn.safe_embedding_lookup_sparse"}


def _takes_sparse_values(record):
    """Whether a function accepts a SparseTensorValue for a sparse tensor."""
    names = {record["name"], *record["aliases"]}
    return bool(names & _SPARSE_BESIDE_TENSORS) or not names & _ONLY_SPARSE_TENSORS and any(p["type"] == "sparse" for p in record["parameters"])


def _with_sparse_values(function):
    """Converts SparseTensorValues to sparse tensors, in lists too."""
    def converted(value):
        kind = dispatchable.sparse_value
        if kind is None:
            return value
        if isinstance(value, kind):
            return dispatchable.sparse_tensor.from_value(value)
        if isinstance(value, (list, tuple)) and any(isinstance(v, kind) for v in value):
            return [converted(v) for v in value]
        return value

    def wrapper(*args, **kwargs):
        return function(*map(converted, args), **{k: converted(v) for k, v in kwargs.items()})

    return make_decorator(function, wrapper)


call_metric = None  # calls the function of a metric for replicas; set by distribute/metrics.py


def _with_counts_of_replicas(name, function):
    def wrapper(*args, **kwargs):
        if context.get_default_graph()._eager:
            raise RuntimeError("tf.%s is not supported when eager execution is enabled." % name)
        return function(*args, **kwargs) if call_metric is None else call_metric(name, function, args, kwargs)

    return make_decorator(function, wrapper)


def _with_noted_reduction(function):
    """Notes in the graph how the last loss was reduced: optimizers of replicas divide means by the number of replicas."""
    import inspect

    parameters = inspect.signature(function).parameters
    place, default = list(parameters).index("reduction"), parameters["reduction"].default

    def wrapper(*args, **kwargs):
        context.get_default_graph()._last_loss_reduction = kwargs.get("reduction", args[place] if place < len(args) else default)
        return function(*args, **kwargs)

    return make_decorator(function, wrapper)


def _with_old_spellings(function, deprecated):
    """Also accepts deprecated keyword arguments."""
    import inspect

    parameters = inspect.signature(function).parameters
    required = {n for n, p in parameters.items() if p.default is p.empty}
    place = {n: i for i, n in enumerate(parameters)}

    def wrapper(*args, **kwargs):
        if kwargs:
            for old, new in deprecated.items():
                if old not in kwargs:
                    continue
                value, at = kwargs.pop(old), place[new]
                given = args[at] if at < len(args) else kwargs.get(new)
                if value is None:  # None: treat it as omitted
                    if new in required and at >= len(args):
                        kwargs.setdefault(new, None)
                elif given is not None:
                    raise ValueError("Cannot specify both '%s' and '%s'" % (old, new))
                elif at < len(args):
                    args = args[:at] + (value,) + args[at + 1:]
                else:
                    kwargs[new] = value
        return function(*args, **kwargs)

    return make_decorator(function, wrapper)


def _camel(name):
    return "".join(w.capitalize() for w in name.split("_"))


def _document(record):
    lines = [record["summary"], ""]
    if record["doc"]:
        lines += [record["doc"], ""]
    lines += ["  %s: %s" % (p["name"], p["doc"]) for p in record["parameters"]]
    return "\n".join(lines + ["", "Returns: " + record["returns"]])
