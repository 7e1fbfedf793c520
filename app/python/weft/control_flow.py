"""What takes functions of the program: branches, loops, maps; and what orders operations."""

import collections
import functools

from . import _weft, constants, dtypes, ops
from .exports import export, export_value
from .op_calls import raw
from .ops import IndexedSlices, Operation, Tensor, name_scope
from .tensor_shape import Dimension, TensorShape, unknown_shape
from .util import nest


def _tf():
    import tensorflow as tf

    return tf


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
    """An operation that is done when all of `inputs` are."""
    name = kwargs.pop("name", None)
    if kwargs:
        raise ValueError("Unknown keyword arguments: " + ", ".join(kwargs))
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
    """`output_tensor`, but only after `dependencies`."""
    with name_scope(name, "control_dependency", list(dependencies) + [output_tensor]) as scope:
        with ops.colocate_with(output_tensor), ops.control_dependencies(dependencies):
            value = ops.convert_to_tensor_or_indexed_slices(output_tensor)
            if isinstance(value, Tensor):
                return raw("Identity")(value, name=scope)
            return IndexedSlices(raw("Identity")(value.values, name=scope), value.indices, value.dense_shape)


@export("tuple")
def tuple_(tensors, name=None, control_inputs=None):
    """The tensors, each of them only when all are computed."""
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
    """Fails, showing `data`, if `condition` is false."""
    with name_scope(name, "Assert", [condition, data]):
        values = ops.convert_n_to_tensor(data)
        if all(v.dtype in (dtypes.string, dtypes.int32) for v in values):
            return raw("Assert")(condition, data, summarize=summarize, name="Assert")
        condition = ops.convert_to_tensor(condition, name="Condition")
        guarded = cond(condition, no_op, lambda: raw("Assert")(condition, data, summarize=summarize, name="Assert"), name="AssertGuard")
        return guarded.op


# Branches.
def _branch_value(core, value):
    """A result of a branch as a tensor inside of it."""
    if isinstance(value, Operation):
        pivot = _weft.cond_pivot(core)
        return with_dependencies([value], pivot)
    if isinstance(value, TensorArray):
        return value.flow
    return ops.convert_to_tensor(value)


def _parts(value):
    """The tensors that a structure's leaf consists of."""
    tf = _tf()
    if isinstance(value, IndexedSlices):
        return [value.values, value.indices] + ([value.dense_shape] if value.dense_shape is not None else [])
    if isinstance(value, tf.SparseTensor):
        return [value.indices, value.values, value.dense_shape]
    return [value]


def _join(like, parts):
    """The leaf again, from as many of `parts` (an iterator) as it needs."""
    tf = _tf()
    if isinstance(like, IndexedSlices):
        values, indices = next(parts), next(parts)
        return IndexedSlices(values, indices, next(parts) if like.dense_shape is not None else None)
    if isinstance(like, tf.SparseTensor):
        indices, values, shape = next(parts), next(parts), next(parts)
        return tf.SparseTensor(indices, values, shape)
    value = next(parts)
    return like._with_flow(value) if isinstance(like, TensorArray) else value


def _unpacked(value):
    if isinstance(value, (list, tuple)) and not hasattr(value, "_fields") and len(value) == 1:
        return value[0]
    return value


@export("cond", "compat.v1.cond")
def cond(pred, true_fn=None, false_fn=None, strict=False, name=None, fn1=None, fn2=None):
    """What `true_fn` or `false_fn` returns, whichever `pred` selects when the graph runs."""
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
    graph = ops._get_graph_from_inputs([pred])
    with graph.as_default(), graph.name_scope(name or "cond") as scope:
        if isinstance(pred, bool):
            raise TypeError("pred must not be a Python bool")
        if not isinstance(pred, Tensor):
            pred = ops.convert_to_tensor(pred, name="Switch/data")
        core = graph._core
        originals = []

        def branch(function, what):
            def build():
                result = function()
                if result is None:
                    raise ValueError("%s must have a return value." % what)
                tensors = [_branch_value(core, part) for leaf in nest.flatten(result) for part in _parts(leaf)]
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
        merged = nest.pack_sequence_as(result, [_join(leaf, parts) for leaf in nest.flatten(result)]) if nest.is_sequence(result) else _join(result, parts)
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
    """cond, decided at once if `pred` is known."""
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
        value = ops.constant_value(pred)
        return None if value is None else bool(value)
    raise TypeError("`pred` must be a Tensor, or a Python bool, or 1 or 0. Found instead: %s" % (pred,))


export_value(smart_cond, "contrib.framework.smart_cond", "contrib.layers.smart_cond")


def _at_most(predicates, n, msg):
    tf = _tf()
    stacked = tf.stack(predicates, name="preds_c")
    true = tf.reduce_sum(tf.cast(stacked, tf.int32), name="num_true_conds")
    condition = tf.less_equal(true, tf.constant(n, name="n_true_conds"))
    names = ", ".join(getattr(p, "name", "?") for p in predicates)
    return Assert(condition, data=["%s: more than %d conditions (%s) evaluated as True:" % (msg, n, names), stacked], summarize=len(predicates))


@export("case")
def case(pred_fn_pairs, default=None, exclusive=False, strict=False, name="case"):
    """The result of the function whose predicate is the first that is true."""
    tf = _tf()
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
        else:
            raise TypeError("pred must be a Tensor, got: %s" % pred)
        if not callable(fn):
            raise TypeError("fn for pred %s must be callable." % pred.name)
    predicates, actions = [p for p, _ in pairs], [f for _, f in pairs]
    with name_scope(name, "case", predicates):
        if default is None:
            k = len(predicates) - 1
            predicate, action, others = predicates[k], actions[k], predicates[:k]

            def default():
                message = "Implementation error: selected default action #%d was called, but some of other predicates are True: " % k
                data = ("Input error: None of conditions evaluated as True:", tf.stack(predicates_all, name="preds_c"))
                with ops.control_dependencies([_at_most(others, n=0, msg=message), Assert(predicate, data=data)]):
                    return action()

            predicates_all = predicates
            predicates, actions = predicates[:k], actions[:k]
        fn = default
        for predicate, action in reversed(list(zip(predicates, actions))):
            fn = functools.partial(cond, predicate, true_fn=action, false_fn=fn, strict=strict)
        if exclusive:
            with ops.control_dependencies([_at_most(predicates, n=1, msg="Input error: exclusive=True")]):
                return fn()
        return fn()


# Loops.
@export("while_loop", "compat.v1.while_loop")
def while_loop(cond, body, loop_vars, shape_invariants=None, parallel_iterations=10, back_prop=True, swap_memory=False, name=None, maximum_iterations=None,
               return_same_structure=False):
    """Repeats `body` while `cond` holds, from `loop_vars` on; the variables at the end."""
    if not callable(cond):
        raise TypeError("cond must be callable.")
    if not callable(body):
        raise TypeError("body must be callable.")
    if parallel_iterations < 1:
        raise TypeError("parallel_iterations must be a positive integer.")
    with name_scope(name, "while", nest.flatten(loop_vars)) as scope:
        if not loop_vars:
            raise ValueError("No loop variables provided")
        pack = len(loop_vars) == 1 and not return_same_structure
        if maximum_iterations is not None:
            maximum_iterations = ops.convert_to_tensor(maximum_iterations, name="maximum_iterations")
            if maximum_iterations.shape.ndims != 0:
                raise ValueError("maximum_iterations must be a scalar, saw shape: %s" % maximum_iterations.shape)
            counter = ops.constant(0, dtype=maximum_iterations.dtype, name="iteration_counter")
            inner_cond, inner_body = cond, body
            if pack:
                loop_vars = (counter, loop_vars[0])
                cond = lambda i, v: _tf().logical_and(i < maximum_iterations, inner_cond(v))
                body = lambda i, v: (i + 1, inner_body(v))
            else:
                loop_vars = (counter, loop_vars)
                cond = lambda i, v: _tf().logical_and(i < maximum_iterations, inner_cond(*v))
                body = lambda i, v: (i + 1, inner_body(*v))
            if shape_invariants is not None:
                shape_invariants = (TensorShape([]), shape_invariants)
        result = _loop(cond, body, loop_vars, shape_invariants, parallel_iterations, back_prop, swap_memory, scope, return_same_structure)
        return result[1] if maximum_iterations is not None else result


def _flows(leaf):
    return leaf.flow if isinstance(leaf, TensorArray) else leaf


def _tensors_of(leaves):
    out = []
    for leaf in leaves:
        for part in _parts(_flows(leaf)):
            out.append(ops.convert_to_tensor(part))
    return out


def _rebuild(leaves, tensors):
    parts = iter(tensors)
    return [_join(leaf, parts) for leaf in leaves]


def _loop(cond, body, loop_vars, shape_invariants, parallel_iterations, back_prop, swap_memory, scope, same_structure):
    core = ops.get_default_graph()._core
    leaves = nest.flatten(loop_vars)
    tensors = _tensors_of(leaves)
    shapes = None
    if shape_invariants is not None:
        nest.assert_same_structure(loop_vars, shape_invariants) if not nest.is_sequence(shape_invariants) else None
        shapes = _flat_shapes(loop_vars, shape_invariants)
    original = {}

    def call_cond(values):
        packed = nest.pack_sequence_as(loop_vars, _rebuild(leaves, values))
        return ops.convert_to_tensor(cond(*packed))

    def call_body(values):
        packed = nest.pack_sequence_as(loop_vars, _rebuild(leaves, values))
        result = body(*packed)
        if not nest.is_sequence(result):
            result = [result]
        nest.assert_same_structure(list(packed), list(result))
        original["result"] = result
        return _tensors_of(nest.flatten(result))

    made = _weft.while_loop(core, call_cond, call_body, tensors, shapes, scope, parallel_iterations, back_prop, swap_memory)
    exits = _rebuild(nest.flatten(original["result"]), made)
    packed = nest.pack_sequence_as(original["result"], exits)
    if same_structure:
        return packed
    return packed[0] if len(exits) == 1 else packed


def _flat_shapes(loop_vars, invariants):
    """Shapes in the order of the tensors; TensorArrays count by their flow."""
    out = []

    def walk(value, shape):
        if nest.is_sequence(value) and not isinstance(value, TensorShape):
            items = value.values() if isinstance(value, dict) else value
            shapes = shape.values() if isinstance(shape, dict) else shape
            for v, s in zip(items, shapes):
                walk(v, s)
        elif isinstance(value, TensorArray):
            out.append(TensorShape([]))
        else:
            for part in _parts(value):
                out.append(shape if isinstance(shape, TensorShape) else TensorShape(shape) if shape is not None else part.get_shape())

    walk(loop_vars, invariants)
    return out


@export("TensorArray")
class TensorArray:
    """Tensors by index that a graph writes and reads one by one, in loops above all."""

    def __init__(self, dtype, size=None, dynamic_size=None, clear_after_read=None, tensor_array_name=None, handle=None, flow=None, infer_shape=True, element_shape=None,
                 colocate_with_first_write_call=True, name=None):
        if handle is not None and tensor_array_name:
            raise ValueError("Cannot construct with both handle and tensor_array_name")
        if handle is not None and not isinstance(handle, Tensor):
            raise TypeError("Handle must be a Tensor")
        if handle is None and size is None:
            raise ValueError("Size must be provided if handle is not provided")
        if handle is not None and size is not None:
            raise ValueError("Cannot provide both a handle and size at the same time")
        if handle is not None and element_shape is not None:
            raise ValueError("Cannot provide both a handle and element_shape at the same time")
        if handle is not None and dynamic_size is not None:
            raise ValueError("Cannot provide both a handle and dynamic_size at the same time")
        if handle is not None and clear_after_read is not None:
            raise ValueError("Cannot provide both a handle and clear_after_read at the same time")
        self._dynamic_size = dynamic_size or False
        self._dtype = dtypes.as_dtype(dtype).base_dtype
        self._colocate_with = [] if colocate_with_first_write_call else None
        self._infer_shape = infer_shape if element_shape is None else True
        self._element_shape = [] if element_shape is None else [TensorShape(element_shape)]
        with name_scope(name, "TensorArray", [handle, size, flow]) as scope:
            if handle is not None:
                self._handle = handle
                if flow is None:
                    raise ValueError("flow must not be None if handle is not None.")
                self._flow = flow
                return

            def make():
                return raw("TensorArrayV3")(size, self._dtype, element_shape=element_shape, identical_element_shapes=infer_shape, dynamic_size=self._dynamic_size,
                                            clear_after_read=True if clear_after_read is None else clear_after_read, tensor_array_name=tensor_array_name or "", name=scope)

            # Where it lies is decided by the first tensor written into it.
            graph = ops.get_default_graph()
            if colocate_with_first_write_call:
                with graph.device(None), graph.colocate_with(None, ignore_existing=True):
                    self._handle, self._flow = make()
            else:
                self._handle, self._flow = make()

    dtype = property(lambda self: self._dtype)
    flow = property(lambda self: self._flow)
    handle = property(lambda self: self._handle)
    dynamic_size = property(lambda self: self._dynamic_size)
    element_shape = property(lambda self: self._element_shape[0] if self._element_shape else unknown_shape(None))
    op = property(lambda self: self._flow.op)
    graph = property(lambda self: self._flow.graph)
    device = property(lambda self: self._flow.device)

    def _with_flow(self, flow):
        ta = TensorArray.__new__(TensorArray)
        ta.__dict__.update(self.__dict__)
        ta._flow = flow
        return ta

    def _merge(self, shape):
        if not self._infer_shape:
            return
        if self._element_shape:
            if not shape.is_compatible_with(self._element_shape[0]):
                raise ValueError("Inconsistent shapes: saw %s but expected %s (and infer_shape=True)" % (shape, self._element_shape[0]))
            self._element_shape[0] = self._element_shape[0].merge_with(shape)
        elif shape.ndims is not None:
            self._element_shape.append(shape)

    def _beside(self, value):
        import contextlib

        if self._colocate_with is None:
            return contextlib.nullcontext()
        if not self._colocate_with:
            self._colocate_with.append(value)
        return ops.colocate_with(self._colocate_with[0])

    def _check(self, value):
        if value.dtype.base_dtype != self._dtype.base_dtype:
            raise TypeError("Expected {}, got {} of type '{}' instead.".format(self._dtype.name, value, value.dtype.name) if False else
                            "TensorArray dtype is %s but Op is trying to write dtype %s." % (self._dtype.name, value.dtype.name))

    def identity(self):
        return self._with_flow(raw("Identity")(self._flow))

    def grad(self, source, flow=None, name=None):
        flow = self._flow if flow is None else flow
        with name_scope(name, "TensorArrayGrad", [self._handle]):
            with ops.colocate_with(self._handle):
                handle, _ = raw("TensorArrayGradV3")(self._handle, flow, source, name=name)
                with ops.control_dependencies([handle]):
                    flow = raw("Identity")(flow, name="gradient_flow")
                ta = TensorArray(self._dtype, handle=handle, flow=flow, infer_shape=self._infer_shape, colocate_with_first_write_call=False)
                ta._element_shape = self._element_shape
                return ta

    def read(self, index, name=None):
        value = raw("TensorArrayReadV3")(self._handle, index, self._flow, self._dtype, name=name)
        if self._element_shape:
            value.set_shape(self._element_shape[0])
        return value

    def write(self, index, value, name=None):
        with name_scope(name, "TensorArrayWrite", [self._handle, index, value]):
            value = ops.convert_to_tensor(value, preferred_dtype=self._dtype, name="value")
            self._check(value)
            self._merge(value.shape)
            with self._beside(value):
                return self._with_flow(raw("TensorArrayWriteV3")(self._handle, index, value, self._flow, name=name))

    def stack(self, name=None):
        with ops.colocate_with(self._handle):
            with name_scope(name, "TensorArrayStack", [self._handle]):
                return self.gather(_tf().range(0, self.size()), name=name)

    def gather(self, indices, name=None):
        shape = self._element_shape[0] if self._element_shape else unknown_shape(None)
        value = raw("TensorArrayGatherV3")(self._handle, indices, self._flow, self._dtype, element_shape=shape, name=name)
        if self._element_shape and shape.ndims is not None:
            value.set_shape([None] + shape.as_list())
        return value

    def concat(self, name=None):
        known = self._element_shape and self._element_shape[0].ndims is not None
        rest = TensorShape(self._element_shape[0].as_list()[1:]) if known else TensorShape(None)
        value, _ = raw("TensorArrayConcatV3")(self._handle, self._flow, self._dtype, element_shape_except0=rest, name=name)
        if known:
            value.set_shape([None] + self._element_shape[0].as_list()[1:])
        return value

    def unstack(self, value, name=None):
        with name_scope(name, "TensorArrayUnstack", [self._handle, value]):
            n = _tf().shape(value)[0]
            return self.scatter(indices=_tf().range(0, n), value=value, name=name)

    def scatter(self, indices, value, name=None):
        with name_scope(name, "TensorArrayScatter", [self._handle, value, indices]):
            value = ops.convert_to_tensor(value, preferred_dtype=self._dtype, name="value")
            self._check(value)
            if value.shape.ndims is not None:
                self._merge(value.shape[1:])
            with self._beside(value):
                return self._with_flow(raw("TensorArrayScatterV3")(self._handle, indices, value, self._flow, name=name))

    def split(self, value, lengths, name=None):
        with name_scope(name, "TensorArraySplit", [self._handle, value, lengths]):
            value = ops.convert_to_tensor(value, dtype=self._dtype, name="value")
            with self._beside(value):
                lengths = _tf().cast(lengths, dtypes.int64)
                known = ops.constant_value(lengths)
                if value.shape.ndims is not None and known is not None and known.max() == known.min():
                    self._merge(TensorShape([int(known[0])]).concatenate(value.shape[1:]))
                return self._with_flow(raw("TensorArraySplitV3")(self._handle, value, lengths, self._flow, name=name))

    def size(self, name=None):
        return raw("TensorArraySizeV3")(self._handle, self._flow, name=name)

    def close(self, name=None):
        return raw("TensorArrayCloseV3")(self._handle, name=name)

    unpack, pack = unstack, stack


# Functions over the rows of tensors.
class _Caching:
    """Inside, variables read once per loop are cached where they are used."""

    def __enter__(self):
        from .variable_scope import get_variable_scope

        self._scope = get_variable_scope()
        self._set = self._scope.caching_device is None
        if self._set:
            self._scope.set_caching_device(lambda op: op.device)

    def __exit__(self, *unused):
        if self._set:
            self._scope.set_caching_device(None)


def _shared(structure):
    """Functions that flatten and pack as `structure` is nested."""
    if nest.is_sequence(structure):
        return nest.flatten, lambda x: nest.pack_sequence_as(structure, x)
    return lambda x: [x], lambda x: x[0]


def _arrays_of(flat, n, shaped=False):
    arrays = [TensorArray(e.dtype, size=n, dynamic_size=False, infer_shape=True, element_shape=e.shape[1:] if shaped else None) for e in flat]
    return [a.unstack(e) for a, e in zip(arrays, flat)]


def _length(flat):
    return _dim(flat[0].shape) or _tf().shape(flat[0])[0]


def _dim(shape):
    return shape._values[0] if shape.ndims else None


def _set_rows(results, flat):
    n = Dimension(_dim(flat[0].get_shape().with_rank_at_least(1)))
    for e in flat[1:]:
        n.merge_with(Dimension(_dim(e.get_shape().with_rank_at_least(1))))
    for r in results:
        r.set_shape(TensorShape(n).concatenate(r.get_shape()[1:]))


@export("map_fn")
def map_fn(fn, elems, dtype=None, parallel_iterations=None, back_prop=True, swap_memory=False, infer_shape=True, name=None):
    """`fn` of each row of `elems`, stacked."""
    tf = _tf()
    if not callable(fn):
        raise TypeError("fn must be callable.")
    if isinstance(elems, tf.SparseTensor):
        raise TypeError("To perform a map on the values of a sparse tensor use either  SparseTensor(input.indices, fn(input.values), input.dense_shape) or  "
                        "SparseTensor(input.indices, map_fn(fn, input.values), input.dense_shape)")
    flatten_in, pack_in = _shared(elems)
    flatten_out, pack_out = (flatten_in, pack_in) if dtype is None else _shared(dtype)
    flat = flatten_in(elems)
    with name_scope(name, "map", flat), _Caching():
        flat = [ops.convert_to_tensor(e, name="elem") for e in flat]
        dtype = dtype or pack_in([e.dtype for e in flat])
        types = flatten_out(dtype)
        shape = flat[0].shape
        if shape.ndims is not None and shape.ndims < 1:
            raise ValueError("elems must be a 1+ dimensional Tensor, not a scalar" if len(flat) == 1 else "elements in elems must be 1+ dimensional Tensors, not scalars")
        n = _length(flat)
        arrays = _arrays_of(flat, n)
        i = ops.constant(0)
        results = [TensorArray(t, size=n, dynamic_size=False, infer_shape=infer_shape) for t in types]

        def compute(i, tas):
            value = fn(pack_in([a.read(i) for a in arrays]))
            nest.assert_same_structure(dtype or elems, value)
            return i + 1, [ta.write(i, v) for ta, v in zip(tas, flatten_out(value))]

        _, results = while_loop(lambda i, _: i < n, compute, (i, results), parallel_iterations=parallel_iterations or 10, back_prop=back_prop, swap_memory=swap_memory,
                                maximum_iterations=n)
        out = [r.stack() for r in results]
        _set_rows(out, flat)
        return pack_out(out)


def _fold(fn, elems, initializer, parallel_iterations, back_prop, swap_memory, name, scope_name, backwards):
    tf = _tf()
    if not callable(fn):
        raise TypeError("fn must be callable.")
    flatten, pack = _shared(elems)
    flat = flatten(elems)
    with name_scope(name, scope_name, flat), _Caching():
        flat = [ops.convert_to_tensor(e, name="elem") for e in flat]
        n = _length(flat)
        arrays = _arrays_of(flat, n)
        if backwards:
            if initializer is None:
                i = n - 1
                a = pack([t.read(i) for t in arrays])
            else:
                i = n
                a = nest.map_structure(ops.convert_to_tensor, initializer)

            def step(i, a):
                i -= 1
                return [i, fn(a, pack([t.read(i) for t in arrays]))]

            test = lambda i, a: i > 0
        else:
            if initializer is None:
                a = pack([t.read(0) for t in arrays])
                i = ops.constant(1)
            else:
                a = nest.map_structure(ops.convert_to_tensor, initializer)
                i = ops.constant(0)

            def step(i, a):
                a = fn(a, pack([t.read(i) for t in arrays]))
                return [i + 1, a]

            test = lambda i, a: i < n
        _, result = while_loop(test, step, [i, a], parallel_iterations=parallel_iterations or 10, back_prop=back_prop, swap_memory=swap_memory, maximum_iterations=n)
        return result


@export("foldl")
def foldl(fn, elems, initializer=None, parallel_iterations=10, back_prop=True, swap_memory=False, name=None):
    """fn(… fn(fn(first, second), third) …) over the rows of `elems`."""
    return _fold(fn, elems, initializer, parallel_iterations, back_prop, swap_memory, name, "foldl", False)


@export("foldr")
def foldr(fn, elems, initializer=None, parallel_iterations=10, back_prop=True, swap_memory=False, name=None):
    """As foldl, from the last row backwards."""
    return _fold(fn, elems, initializer, parallel_iterations, back_prop, swap_memory, name, "foldr", True)


@export("scan")
def scan(fn, elems, initializer=None, parallel_iterations=10, back_prop=True, swap_memory=False, infer_shape=True, reverse=False, name=None):
    """All intermediate results of a fold, stacked."""
    if not callable(fn):
        raise TypeError("fn must be callable.")
    flatten_in, pack_in = _shared(elems)
    flatten_out, pack_out = (flatten_in, pack_in) if initializer is None else _shared(initializer)
    flat = flatten_in(elems)
    with name_scope(name, "scan", flat), _Caching():
        flat = [ops.convert_to_tensor(e, name="elem") for e in flat]
        n = _length(flat)
        arrays = _arrays_of(flat, n, shaped=True)
        if initializer is None:
            first = [t.read(n - 1 if reverse else 0) for t in arrays]
            i = 1
        else:
            first = [ops.convert_to_tensor(v) for v in flatten_out(initializer)]
            i = 0
        results = [TensorArray(v.dtype, size=n, element_shape=v.shape if infer_shape else None, dynamic_size=False, infer_shape=infer_shape) for v in first]
        if initializer is None:
            results = [r.write(n - 1 if reverse else 0, v) for r, v in zip(results, first)]

        def compute(i, a_flat, tas):
            value = fn(pack_out(a_flat), pack_in([t.read(i) for t in arrays]))
            nest.assert_same_structure(elems if initializer is None else initializer, value)
            flat_value = flatten_out(value)
            tas = [ta.write(i, v) for ta, v in zip(tas, flat_value)]
            return i - 1 if reverse else i + 1, flat_value, tas

        if reverse:
            start = n - 1 - i
            test = lambda i, _1, _2: i >= 0
        else:
            start, test = i, lambda i, _1, _2: i < n
        _, _, results = while_loop(test, compute, (start, first, results), parallel_iterations=parallel_iterations, back_prop=back_prop, swap_memory=swap_memory,
                                   maximum_iterations=n)
        out = [r.stack() for r in results]
        _set_rows(out, flat)
        return pack_out(out)
