"""A Python function for each op, created from its record on first use: tf.raw_ops.X, gen_*_ops.x, and the functions of tf.* that are single ops.

op_table.tsv adds what the records lack: TensorFlow's function names and parameter order."""

import collections
import inspect
import os

from . import _weft, dtypes
from .tensor_shape import TensorShape
from .util.tf_decorator import make_decorator

_rows = {}        # op -> (function name, module, parameters)
_by_module = {}   # "math_ops" -> {function name: op}
public = {}       # name below tf -> op


def _read():
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "op_table.tsv"), encoding="utf-8") as f:
        for line in f:
            if line.startswith("#"):
                continue
            op, function, module, parameters, names = line.rstrip("\n").split("\t")
            _rows[op] = (function, module, [tuple((p + "=" + p).split("=")[:2]) for p in parameters.split()])
            _by_module.setdefault(module, {})[function] = op
            for name in names.split():
                public[name] = op


_read()
_known = set(_weft.op_names())
_made = {}


def known(op):
    return op in _known


def learn(op):
    """From now on `op`, which has been registered with the engine, is known."""
    _known.add(op)


_BY_PREFIX = {"training_ops": ("Apply", "ResourceApply", "ResourceSparseApply", "SparseApply")}  # ops of modules that are not in op_table.tsv


def functions_of(module):
    """Name -> op of a generated module ("math_ops")."""
    if module in _BY_PREFIX and module not in _by_module:
        _by_module[module] = {_snake(op): op for op in _known if op.startswith(_BY_PREFIX[module])}
    return _by_module.get(module, {})


def _default(kind, value):
    if isinstance(value, tuple):
        what, value = value
        if what == "type":
            return dtypes.as_dtype(value)
        if what == "types":
            return [dtypes.as_dtype(v) for v in value]
        if what == "shape":
            return None if value is None else TensorShape(value)
        if what == "shapes":
            return [TensorShape(v) for v in value]
        return value
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, float) and kind == "float":
        return float("%.8g" % value)  # the intended decimal of a float32
    return value


def _snake(name):
    out = ""
    for i, c in enumerate(name):
        if c.isupper() and i and (name[i - 1].islower() or name[i - 1].isdigit() or i + 1 < len(name) and name[i + 1].islower()):
            out += "_"
        out += c.lower()
    return out


def _parameters(op, about, raw):
    inputs = [i[0] for i in about["inputs"]]
    attrs = {a[0]: a for a in about["attrs"]}
    row = _rows.get(op)
    if row is not None:
        order = [(target if raw else shown, target) for shown, target in row[2] if shown[0] != "-"]
        hidden = [] if raw else [shown[1:] for shown, _ in row[2] if shown[0] == "-"]
        rest = [n for n in inputs + list(attrs) if n not in [t for _, t in order] + hidden]
    else:
        order, rest = [], inputs + [n for n in attrs if not attrs[n][2]] + [n for n in attrs if attrs[n][2]]
    order += [(n, n) for n in rest]
    # Parameters with a default come last.
    return [o for o in order if o[1] in inputs or not attrs[o[1]][2]] + [o for o in order if o[1] in attrs and attrs[o[1]][2]], inputs, attrs


def make(op, raw=False):
    """The function of an op; `raw`: with the parameter names of the OpDef."""
    key = (op, raw)
    if key in _made:
        return _made[key]
    caller = _weft.OpCaller(op)
    about = caller.describe()
    order, inputs, attrs = _parameters(op, about, raw)
    words, values = [], {}
    shown_as = {target: _identifier(shown) for shown, target in order}
    for shown, target in order:
        shown = shown_as[target]
        if target in attrs and attrs[target][2]:
            values["_d_" + shown] = _default(attrs[target][1], attrs[target][3])
            words.append("%s=_d_%s" % (shown, shown))
        else:
            words.append(shown)
    for name in attrs:
        if name not in shown_as:  # an attribute that TensorFlow's function does not take
            shown_as[name] = "_d_" + name
            values["_d_" + name] = _default(attrs[name][1], attrs[name][3])
    outputs = about["outputs"]
    call = "_op((%s), (%s), name)" % ("".join(shown_as[i] + ", " for i in inputs), "".join(shown_as[a[0]] + ", " for a in about["attrs"]))
    if len(outputs) > 1:
        values["_tuple"] = collections.namedtuple(_camel(op), [_identifier(o[0]) for o in outputs])
        call = "_tuple(*%s)" % call
    function = op if raw else (_rows[op][0] if op in _rows else _snake(op))
    source = "def %s(%s):\n    return %s\n" % (_identifier(function), ", ".join(words + ["name=None"]), call)
    values["_op"] = caller
    exec(compile(source, os.path.join(os.path.dirname(os.path.abspath(__file__)), "generated"), "exec"), values)
    made = values[_identifier(function)]
    if raw:
        made = _also_shown(made, {_identifier(shown): target for shown, target in _rows[op][2] if shown[0] != "-" and shown != target} if op in _rows else {})
    made.__doc__ = _document(op, about, order)
    made.__module__ = "tensorflow.raw_ops" if raw else "tensorflow.python.ops.gen_" + (_rows[op][1] if op in _rows else "ops")
    made._op_name = op
    _made[key] = made
    return made


def _also_shown(function, names):
    """Also accepts parameters by their names in tf.*, as tf.raw_ops do (reduction_indices for Sum's axis)."""
    if not names:
        return function

    def call(*args, **kwargs):
        for shown, target in names.items():
            if shown in kwargs and shown not in function.__code__.co_varnames:
                kwargs[target] = kwargs.pop(shown)
        return function(*args, **kwargs)

    return make_decorator(function, call)


def raw(op):
    """tf.raw_ops.OP, which also accepts positional arguments."""
    return make(op)


_by_keyword = {}


def by_keyword(op):
    """tf.raw_ops.OP as programs see it: arguments by keyword only."""
    if op not in _by_keyword:
        function = make(op, raw=True)
        keys = list(inspect.signature(function).parameters)

        def call(*args, **kwargs):
            if args:
                raise TypeError("%s only takes keyword args (possible keys: %s). Please pass these args as kwargs instead." % (op, keys))
            return function(**kwargs)

        _by_keyword[op] = make_decorator(function, call)
        _by_keyword[op]._op_name = op
    return _by_keyword[op]


def by_module_and_keyword(module, op):
    """The same under a name of a generated module ("math_ops"), or None."""
    return by_keyword(op) if op in _rows and _rows[op][1] == module and known(op) else None


def _identifier(name):
    import keyword

    name = name.lstrip("_") if name.startswith("__") else name
    return name + "_" if keyword.iskeyword(name) else name


def _camel(op):
    return op.lstrip("_")


def _document(op, about, order):
    docs = {n: d for n, _, d in about["inputs"]}
    docs.update({a[0]: a[4] for a in about["attrs"]})
    lines = [about["summary"] or op, ""]
    if about["description"]:
        lines += [about["description"], ""]
    lines += ["  %s: %s" % (shown, docs.get(target) or "") for shown, target in order]
    lines += ["", "Returns: " + (", ".join("%s (%s)" % (n, d) if d else n for n, _, d in about["outputs"]) or "the operation")]
    return "\n".join(lines)
