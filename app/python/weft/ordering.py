"""tf.sort, tf.argsort."""

import numpy as np

from . import basics, engine, ops
from .conversion import constant_value
from .exports import export


def _descending(values, axis, places):
    count = basics.shape(values)[axis]
    rank, known = basics.rank(values), values.shape.ndims
    order = None
    if axis != -1 and axis + 1 != known:
        if axis < 0:
            axis += known or rank
        if known is not None:
            order = ops.constant(np.r_[np.arange(axis), [known - 1], np.arange(axis + 1, known - 1), [axis]], name="transposition")
        else:
            order = engine.concat([engine.range(axis), [rank - 1], engine.range(axis + 1, rank - 1), [axis]], axis=0)
    found = engine.nn.top_k(values if order is None else engine.transpose(values, order), count)
    made = found[1] if places else found[0]
    return made if order is None else engine.transpose(made, order)


def _sorted(values, axis, direction, places):
    if direction not in ("ASCENDING", "DESCENDING"):
        raise ValueError("%s should be one of ASCENDING, DESCENDING" % direction)
    axis = ops.convert_to_tensor(axis, name="axis")
    known = constant_value(axis)
    if axis.shape.ndims != 0 or known is None:
        raise ValueError("axis must be a constant scalar")
    values = ops.convert_to_tensor(values, name="values")
    if direction == "DESCENDING":
        return _descending(values, int(known), places)
    made = _descending(-values, int(known), places)
    return made if places else -made


@export("sort")
def sort(values, axis=-1, direction="ASCENDING", name=None):
    """The values sorted along an axis."""
    with ops.name_scope(name, "sort"):
        return _sorted(values, axis, direction, False)


@export("argsort")
def argsort(values, axis=-1, direction="ASCENDING", stable=False, name=None):
    """The indices that sort the values. `stable` exists for old programs; sorting is always stable."""
    with ops.name_scope(name, "argsort"):
        return _sorted(values, axis, direction, True)
