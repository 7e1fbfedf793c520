"""Debug ops as watches name them: "DebugNumericSummary(lower_bound=-1.0; mute_if_healthy=true)", and what each makes of a watched value."""

import collections

import numpy as np

from .. import dtypes, errors

_BOUNDS = {"mute_if_healthy": bool, "lower_bound": float, "upper_bound": float}
_WATCH = {"device_name": str, "gated_grpc": bool}
# The attributes of each op that a watch may set.
_OPS = {"DebugIdentity": _WATCH, "DebugNanCount": _WATCH, "DebugNumericSummary": {**_WATCH, **_BOUNDS}}
_TRUTHS = {"true": True, "t": True, "y": True, "yes": True, "1": True, "false": False, "f": False, "n": False, "no": False, "0": False}

DebugOp = collections.namedtuple("DebugOp", ["text", "name", "attrs"])


def parse(text, tensor):
    """A DebugOp whose attributes are still texts. FailedPreconditionError, as where TensorFlow makes its copy of `tensor`."""
    def refuse(reason):
        raise errors.FailedPreconditionError(None, None, "Failed to create Copy/CopyHost node for tensor %s, due to: %s" % (tensor, reason))

    name, opened, rest = text.partition("(")
    if not opened:
        return DebugOp(text, text, {})
    if not rest.endswith(")"):
        refuse('Malformed debug op name "%s"' % text)
    attrs = {}
    for part in filter(str.strip, rest[:-1].split(";")):
        key, equals, value = part.strip(" ").partition("=")
        if not equals or not key or not value:
            refuse('Malformed attributes in debug op name "%s"' % text)
        if key in attrs:
            refuse('Duplicate attribute name "%s" found in the debug op: "%s"' % (key, text))
        attrs[key] = value
    return DebugOp(text, name, attrs)


def check(op, dtype, tensor, node):
    """The DebugOp with its attributes' values. FailedPreconditionError if the op cannot watch a tensor of this type, or an attribute is wrong. `node`: its name."""
    def refuse(reason):
        raise errors.FailedPreconditionError(None, None, "Failed to create debug node %s for tensor %s, due to: %s" % (op.text, tensor, reason))

    if op.name not in _OPS:
        from ..op_def_registry import get

        refuse("Failed to create debug node %s on watched tensor %s" % (op.name, tensor) if get(op.name) is not None
               else "Failed to create node definition for debug op %s on watched tensor %s" % (op.name, tensor))
    if op.name != "DebugIdentity" and not (dtype.is_floating or dtype.is_integer or dtype.is_bool):
        refuse("Failed to find kernel definition for debug op %s on watched tensor %s" % (op.name, tensor))
    kinds, values = _OPS[op.name], {}
    unknown = [key for key in op.attrs if key not in kinds]
    for key, text in op.attrs.items():
        if key in unknown:
            continue
        kind = kinds[key]
        try:
            values[key] = _TRUTHS[text.lower()] if kind is bool else kind(text)
        except (KeyError, ValueError):
            refuse('Invalid value string for %s-type attribute %sof debug node %s: "%s"' % (kind.__name__, key, node, text))
    if unknown:
        refuse("%d attribute key(s) were not valid for debug node %s: %s" % (len(unknown), node, ", ".join(unknown)))
    return op._replace(attrs=values)


def result(op, dtype, value, shape):
    """What a checked op makes of a value, which is None where a variable is not initialized; `shape`: that of the variable. None: nothing is dumped."""
    if op.name == "DebugIdentity":
        return value
    numbers = np.zeros([0]) if value is None else np.asarray(value).astype(np.float64)
    if op.name == "DebugNanCount":
        return np.array([np.isnan(numbers).sum()], np.int64)
    return _summary(op.attrs, dtype, numbers, value is not None, shape if value is None else np.shape(value))


def _summary(attrs, dtype, numbers, initialized, shape):
    """[1 if initialized, elements, NaN, at or below the lower bound, negative, 0, positive, at or above the upper bound, least, greatest, mean, variance, dtype, rank,
    dimensions]; least to variance are of the finite elements."""
    lower, upper = (np.float64(np.float32(attrs.get(key, bound))) for key, bound in (("lower_bound", -np.inf), ("upper_bound", np.inf)))
    nan, low = np.isnan(numbers), numbers <= lower
    high = ~low & (numbers >= upper)
    inner = ~(nan | low | high)
    counts = [nan.sum(), low.sum(), (inner & (numbers < 0)).sum(), (inner & (numbers == 0)).sum(), (inner & (numbers > 0)).sum(), high.sum()]
    if attrs.get("mute_if_healthy") and not (counts[0] or counts[1] or counts[5]):
        return None
    finite = numbers[np.isfinite(numbers)]
    facts = [finite.min(), finite.max(), finite.mean(), finite.var()] if finite.size else [np.inf, -np.inf, np.nan, np.nan]
    return np.array([initialized, numbers.size, *counts, *facts, dtypes.as_dtype(dtype).base_dtype.as_datatype_enum, len(shape), *shape], np.float64)
