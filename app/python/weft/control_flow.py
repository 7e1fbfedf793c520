"""Control flow: group, tuple, cond, case. See loops.py and row_functions.py for loops and functions over rows."""

import collections
import functools

import numpy as np

from . import _weft, basics, control_flow_util, dtypes, engine, errors, ops
from .exports import export, export_value
from .flow_values import joined, parts_of
from .op_calls import raw
from .ops import IndexedSlices, name_scope, Operation, Tensor
from .tensor_array import TensorArray
from .util import nest
from .loops import while_loop  # noqa: F401 (re-exported)
from .row_functions import foldl, foldr, map_fn, scan  # noqa: F401 (re-exported)


# Order.
@export("no_op")
def no_op(name=None):
    """Does nothing; carries control dependencies."""
    return raw("NoOp")(name=name)


def _no_op_after(device, deps, name=None):
    with ops.control_dependencies(deps):
        if device is None:
            return no_op(name=name)
        with ops.device(device):
            return no_op(name=name)


@export("group")
def group(*inputs, **kwargs):
    """An operation that completes after all of `inputs`."""
    name = kwargs.pop("name", None)
    if kwargs:
        raise ValueError("Unknown keyword arguments: " + ", ".join(kwargs))
    if ops.get_default_graph()._eager:
        return None
    with name_scope(name, "group_deps", list(inputs)) as scope:
        if not inputs:
            return no_op(name=scope)
        by_device = {}
        for item in nest.flatten(inputs):
            if not hasattr(item, "device"):
                raise TypeError("Expected tf.group() expected Tensor objects but got '%s' with type '%s'" % (item, type(item)) if False else
                                "Expected tf.group() expected Tensor objects not None" if item is None else
                                "Expected Tensor or Operation object, got '%s' with type '%s'" % (item, type(item)))
            by_device.setdefault(item.device, []).append(item)
        if len(by_device) == 1:
            (device, deps), = by_device.items()
            return _no_op_after(device, deps, scope)
        deps = [_no_op_after(device, by_device[device]) for device in sorted(by_device, key=lambda d: d or "")]
        with ops.control_dependencies(deps):
            return no_op(name=scope)


@export("contrib.framework.with_dependencies")
def with_dependencies(dependencies, output_tensor, name=None):
    """`output_tensor`, available only after `dependencies` have run."""
    if ops.get_default_graph()._eager:
        return output_tensor
    with name_scope(name, "control_dependency", list(dependencies) + [output_tensor]) as scope:
        with ops.colocate_with(output_tensor), ops.control_dependencies(dependencies):
            value = ops.convert_to_tensor_or_indexed_slices(output_tensor)
            if isinstance(value, Tensor):
                return raw("Identity")(value, name=scope)
            return IndexedSlices(raw("Identity")(value.values, name=scope), value.indices, value.dense_shape)


@export("tuple")
def tuple_(tensors, name=None, control_inputs=None):
    """The tensors, each available only after all are computed."""
    with name_scope(name, "tuple", list(tensors)):
        tensors = [t if t is None or isinstance(t, (Operation, Tensor, IndexedSlices)) else ops.convert_to_tensor(t) for t in tensors]
        gating = [t if isinstance(t, Operation) else t.op for t in tensors if t is not None]
        for c in control_inputs or []:
            if isinstance(c, Tensor):
                c = c.op
            elif not isinstance(c, Operation):
                raise TypeError("Control input must be Operation or Tensor: %s" % c)
            gating.append(c)
        gating = sorted(set(gating), key=lambda op: op._id)
        if not gating:
            raise ValueError("Must have at least one Tensor: %s" % tensors)
        gate = group(*gating)
        out = []
        for t in tensors:
            if isinstance(t, Operation):
                with ops.control_dependencies([gate]):
                    out.append(group(t))
            else:
                out.append(None if t is None else with_dependencies([gate], t))
        return out


tuple_.__name__ = "tuple"


@export("Assert", "debugging.Assert")
def Assert(condition, data, summarize=None, name=None):
    """Fails and prints `data` if `condition` is false."""
    if ops.get_default_graph()._eager:
        return _assert_now(condition, data, summarize)
    with name_scope(name, "Assert", [condition, data]):
        values = ops.convert_n_to_tensor(data)
        if all(v.dtype in (dtypes.string, dtypes.int32) for v in values):
            return raw("Assert")(condition, data, summarize=summarize, name="Assert")
        condition = ops.convert_to_tensor(condition, name="Condition")
        guarded = cond(condition, no_op, lambda: raw("Assert")(condition, data, summarize=summarize, name="Assert"), name="AssertGuard")
        return guarded.op


def _assert_now(condition, data, summarize):
    """Assert while execution is eager."""
    if condition:
        return
    shown = []
    for tensor in ops.convert_n_to_tensor(data):
        values = tensor.numpy()
        flat = np.reshape(values, [-1])
        count = 3 if summarize is None else flat.size if summarize < 0 else summarize
        first = [str(v) for v in flat[:count]] if tensor.shape.ndims else [str(values)] if count else []
        shown.append(", ".join(first + (["..."] if tensor.shape.ndims and flat.size > count else [])))
    raise errors.InvalidArgumentError(None, None, "Expected '%s' to be true. Summarized data: %s" % (condition, "\n".join(shown)))


# Branches.
def _branch_value(core, value):
    """A result of a branch as a tensor inside the branch."""
    if isinstance(value, Operation):
        pivot = _weft.cond_pivot(core)
        return with_dependencies([value], pivot)
    if isinstance(value, TensorArray):
        return value.flow
    return ops.convert_to_tensor(value)


def _unpacked(value):
    if isinstance(value, (list, tuple)) and len(value) == 1:
        return value[0]
    return value


@export("cond", "compat.v1.cond")
def cond(pred, true_fn=None, false_fn=None, strict=False, name=None, fn1=None, fn2=None):
    """The result of `true_fn` or `false_fn`, selected by `pred` when the graph runs."""
    if fn1 is not None:
        if true_fn is not None:
            raise TypeError("cond(): true_fn and fn1 may not be set simultaneously.")
        true_fn = fn1
    elif true_fn is None:
        raise TypeError("cond(): true_fn argument required")
    if fn2 is not None:
        if false_fn is not None:
            raise TypeError("cond(): false_fn and fn2 may not be set simultaneously.")
        false_fn = fn2
    elif false_fn is None:
        raise TypeError("cond(): false_fn argument required")
    if not callable(true_fn):
        raise TypeError("true_fn must be callable.")
    if not callable(false_fn):
        raise TypeError("false_fn must be callable.")
    if control_flow_util.EnableControlFlowV2(ops.get_default_graph()):
        return control_flow_util.cond_v2(pred, true_fn, false_fn, name or "cond")
    graph = ops._get_graph_from_inputs([pred])
    if graph._eager:
        with graph.name_scope(name or "cond"):
            result = true_fn() if pred else false_fn()
            return result[0] if not strict and isinstance(result, (list, tuple)) and len(result) == 1 else result
    with graph.as_default(), graph.name_scope(name or "cond") as scope:
        if isinstance(pred, bool):
            raise TypeError("pred must not be a Python bool")
        if not isinstance(pred, Tensor):
            pred = ops.convert_to_tensor(pred, name="Switch/data")
        if graph.building_function:
            pred = graph.capture(pred)
        core = graph._core
        originals = []

        def branch(function, what):
            def build():
                result = function()
                if result is None:
                    raise ValueError("%s must have a return value." % what)
                tensors = [_branch_value(core, part) for leaf in nest.flatten(result) for part in parts_of(leaf)]
                if not strict:
                    result = _unpacked(result)
                originals.append((result, tensors))
                if len(originals) == 2:
                    _check_branches(*originals)
                return tensors

            return build

        made = _weft.cond(core, pred, branch(true_fn, "true_fn"), branch(false_fn, "false_fn"), scope)
        result = originals[0][0]
        parts = iter(made)
        merged = nest.pack_sequence_as(result, [joined(leaf, parts) for leaf in nest.flatten(result)]) if nest.is_sequence(result) else joined(result, parts)
        return merged if strict else _unpacked(merged)


def _check_branches(on_true, on_false):
    try:
        nest.assert_same_structure(on_true[0], on_false[0])
    except TypeError as e:
        raise TypeError("Incompatible return types of true_fn and false_fn: {}".format(e))
    except ValueError as e:
        raise ValueError("Incompatible return values of true_fn and false_fn: {}".format(e))
    if not on_true[1]:
        raise ValueError("true_fn and false_fn must return at least one result.")
    for x, y in zip(on_true[1], on_false[1]):
        if x.dtype.base_dtype != y.dtype.base_dtype:
            raise ValueError("Outputs of true_fn and false_fn must have the same type: %s, %s" % (x.dtype.name, y.dtype.name))


def smart_cond(pred, true_fn=None, false_fn=None, name=None):
    """As cond; calls only one function if `pred` is known statically."""
    if not callable(true_fn):
        raise TypeError("`true_fn` must be callable.")
    if not callable(false_fn):
        raise TypeError("`false_fn` must be callable.")
    value = smart_constant_value(pred)
    if value is not None:
        return true_fn() if value else false_fn()
    return cond(pred, true_fn=true_fn, false_fn=false_fn, name=name)


def smart_constant_value(pred):
    if pred in (0, 1) if not isinstance(pred, Tensor) else False:
        return bool(pred)
    if isinstance(pred, Tensor):
        return ops.constant_value(pred)
    raise TypeError("`pred` must be a Tensor, or a Python bool, or 1 or 0. Found instead: %s" % (pred,))


export_value(smart_cond, "contrib.framework.smart_cond", "contrib.layers.smart_cond")


def _at_most(predicates, n, msg):
    stacked = engine.stack(predicates, name="preds_c")
    true = engine.reduce_sum(basics.cast(stacked, dtypes.int32), name="num_true_conds")
    condition = engine.less_equal(true, ops.constant(n, name="n_true_conds"))
    names = ", ".join(getattr(p, "name", "?") for p in predicates)
    return Assert(condition, data=["%s: more than %d conditions (%s) evaluated as True:" % (msg, n, names), stacked], summarize=len(predicates))


@export("case")
def case(pred_fn_pairs, default=None, exclusive=False, strict=False, name="case"):
    """The result of the function with the first true predicate."""
    return _case_helper(cond, pred_fn_pairs, default, exclusive, name, strict=strict)


def smart_case(pred_fn_pairs, default=None, exclusive=False, name="smart_case"):
    """As case(); predicates may be Python values, and functions that known predicates exclude are not called."""
    return _case_helper(smart_cond, pred_fn_pairs, default, exclusive, name, allow_python_preds=True)


def _case_helper(cond_fn, pred_fn_pairs, default, exclusive, name, allow_python_preds=False, **cond_kwargs):
    if not isinstance(pred_fn_pairs, (list, tuple, dict)):
        raise TypeError("fns must be a list, tuple, or dict")
    if isinstance(pred_fn_pairs, collections.OrderedDict):
        pairs = list(pred_fn_pairs.items())
    elif isinstance(pred_fn_pairs, dict):
        pairs = sorted(pred_fn_pairs.items(), key=lambda item: item[0].name)
    else:
        pairs = list(pred_fn_pairs)
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError("Each entry in pred_fn_pairs must be a 2-tuple")
        pred, fn = pair
        if isinstance(pred, Tensor):
            if pred.dtype != dtypes.bool_:
                raise TypeError("pred must be Tensor of type bool: %s" % pred.name)
        elif not allow_python_preds:
            raise TypeError("pred must be a Tensor, got: %s" % pred)
        elif not isinstance(pred, bool):
            raise TypeError("pred must be a Tensor or bool, got: %s" % pred)
        if not callable(fn):
            raise TypeError("fn for pred %s must be callable." % getattr(pred, "name", pred))
    predicates, actions = [p for p, _ in pairs], [f for _, f in pairs]
    with name_scope(name, "case", predicates):
        if default is None:
            k = len(predicates) - 1
            last, last_action, others = predicates[k], actions[k], predicates[:k]

            def default():
                message = "Implementation error: selected default action #%d was called, but some of other predicates are True: " % k
                data = ("Input error: None of conditions evaluated as True:", engine.stack(predicates_all, name="preds_c"))
                with ops.control_dependencies([_at_most(others, n=0, msg=message), Assert(last, data=data)]):
                    return last_action()

            predicates_all = predicates
            predicates, actions = predicates[:k], actions[:k]
        fn = default
        for predicate, action in reversed(list(zip(predicates, actions))):
            fn = functools.partial(cond_fn, predicate, true_fn=action, false_fn=fn, **cond_kwargs)
        if exclusive:
            with ops.control_dependencies([_at_most(predicates, n=1, msg="Input error: exclusive=True")]):
                return fn()
        return fn()
