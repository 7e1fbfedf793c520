"""tensorflow.python.ops.control_flow_ops: switch and merge of tensors and composite tensors."""

from .. import basics, dtypes, engine, ops
from ..op_calls import raw
from ..util import nest


def _element(value, dtype=None, name=None):
    """A tensor (or a variable's reference); slices and composites unchanged."""
    if isinstance(value, (ops.Tensor, ops.IndexedSlices)) or nest._is_composite(value):
        return value
    return ops.internal_convert_to_tensor(value, dtype=dtype, name=name, as_ref=True)


def _parts(value):
    if isinstance(value, ops.IndexedSlices):
        return [value.values, value.indices] + ([] if value.dense_shape is None else [value.dense_shape])
    return nest.flatten(value, expand_composites=True)


def _whole(like, parts):
    return ops.IndexedSlices(*parts) if isinstance(like, ops.IndexedSlices) else nest.pack_sequence_as(like, parts, expand_composites=True)


def switch(data, pred, dtype=None, name=None):
    """(output that gets `data` if `pred` is false, output that gets it if true)"""
    with ops.name_scope(name, "Switch", [data, pred]) as name:
        data = _element(data, dtype, "data")
        pred = ops.convert_to_tensor(pred, name="pred")
        if isinstance(data, ops.Tensor):
            return raw("Switch")(data, pred, name=name)
        pairs = [raw("Switch")(part, pred) for part in _parts(data)]
        return tuple(_whole(data, [pair[side] for pair in pairs]) for side in (0, 1))


def merge(inputs, name=None):
    """(the available input, its index). At most one input may be available."""
    if any(x is None for x in inputs):
        raise ValueError("At least one of the merge inputs is None: %s" % inputs)
    with ops.name_scope(name, "Merge", inputs) as name:
        inputs = [_element(x) for x in inputs]
        if all(isinstance(x, ops.Tensor) for x in inputs):
            return raw("RefMerge" if all(x.dtype._is_ref_dtype for x in inputs) else "Merge")(inputs, name=name)
        if all(isinstance(x, (ops.IndexedSlices, ops.Tensor)) for x in inputs):
            inputs = _as_slices(inputs)
        else:
            for x in inputs[1:]:
                nest.assert_same_structure(inputs[0], x, expand_composites=True)
        merged = [raw("Merge")(list(parts)) for parts in zip(*[_parts(x) for x in inputs])]
        return _whole(inputs[0], [m[0] for m in merged]), merged[0][1]


def _as_slices(inputs):
    """Converts tensors to slices of all their rows; indices become int64 if their types differ. Either all dense shapes are known or none."""
    made = []
    for x in inputs:
        if isinstance(x, ops.Tensor):
            shape = engine.raw_ops.Shape(input=x)  # a node even where the shape is known, as in TensorFlow
            x = ops.IndexedSlices(x, engine.range(0, shape[0]), shape)
        made.append(x)
    if len({x.indices.dtype.base_dtype for x in made}) > 1:
        made = [x if x.indices.dtype.base_dtype is dtypes.int64 else ops.IndexedSlices(x.values, basics.cast(x.indices, dtypes.int64), x.dense_shape) for x in made]
    if len({x.dense_shape is None for x in made}) > 1:
        raise ValueError("The two structures don't have the same nested structure: some but not all slices to merge have a dense_shape.")
    return made


def _each(value, on_tensor):
    """`on_tensor(tensor)`, or the structure of its results for the parts of a composite value."""
    if isinstance(value, ops.Tensor):
        return on_tensor(value)
    return _whole(value, [_each(part, on_tensor) for part in _parts(value)])


def _kind(op, value):
    return raw(("Ref" if value.dtype._is_ref_dtype else "") + op)


def exit(data, name=None):
    """`data` outside of the loop that computed it."""
    return _each(_element(data), lambda t: _kind("Exit", t)(t, name=name))


def _Identity(data, name=None):
    """As identity, for references too."""
    return _each(_element(data), lambda t: _kind("Identity", t)(t, name=name))


def _NextIteration(data, name=None):
    """`data` in the next turn of a loop."""
    return _each(_element(data), lambda t: _kind("NextIteration", t)(t, name=name))


def _Enter(data, frame_name, is_constant=False, parallel_iterations=10, use_ref=True, use_input_shape=True, name=None):
    """`data` inside of the loop `frame_name`."""
    def enter(t):
        op = raw("RefEnter" if t.dtype._is_ref_dtype and use_ref else "Enter")
        made = op(t, frame_name, is_constant, parallel_iterations, name=name)
        if not use_input_shape:
            made.op.graph._core.replace_shape(made.op._node, 0, None)
        return made

    return _each(_element(data), enter)


def _SwitchRefOrTensor(data, pred, name="Switch"):
    """(output for a false `pred`, output for a true one), on the device of `data`; a reference stays one."""
    data = _element(data, name="data")
    with ops.colocate_with(data, ignore_existing=True):
        if isinstance(data, ops.Tensor) and data.dtype._is_ref_dtype:
            return raw("RefSwitch")(data, pred, name=name)
        return switch(data, pred, name=name)


def ref_switch(data, pred, dtype=None, name=None):
    """As switch, for a reference."""
    with ops.name_scope(name, "RefSwitch", [data, pred]) as name:
        return raw("RefSwitch")(ops.internal_convert_to_tensor(data, dtype=dtype, name="data", as_ref=True), pred, name=name)
