"""tf.debugging.assert_rank_in, assert_shapes."""

import collections

from . import basics, dtypes, engine, ops
from .control_flow import Assert, cond, group, no_op, with_dependencies
from .conversion import constant_value
from .exports import export


@export("assert_rank_in", "debugging.assert_rank_in")
def assert_rank_in(x, ranks, data=None, summarize=None, message=None, name=None):
    """Checks that the rank of the tensor is one of `ranks`."""
    with ops.name_scope(name, "assert_rank_in", (x,) + tuple(ranks) + tuple(data or [])):
        x = ops.convert_to_tensor(x, name="x")
        ranks = tuple(ops.convert_to_tensor(r, name="rank") for r in ranks)
        message = message or ""
        if data is None:
            data = [message, "Tensor %s must have rank in" % x.name] + list(ranks) + ["Received shape: ", basics.shape(x)]
        for r in ranks:
            engine.assert_type(r, dtypes.int32)
        known = tuple(constant_value(r) for r in ranks)
        if not any(k is None for k in known):
            if any(k.ndim != 0 for k in known):
                raise ValueError("Rank must be a scalar.")
            have = x.shape.ndims
            if have is not None:
                if have not in [int(k) for k in known]:
                    raise ValueError("%s.  Tensor %s must have rank in %s.  Received rank %d, shape %s" % (message, x.name, known, have, x.shape))
                return no_op(name="static_checks_determined_all_ok")
        rank, condition = basics.rank(x), None if ranks else ops.convert_to_tensor(False)
        for i, r in enumerate(ranks):
            same = engine.equal(r, rank)
            condition = same if i == 0 else engine.logical_or(condition, same)
        for r, k in zip(ranks, known):
            if k is None:
                check = engine.assert_rank(r, 0, data=["Rank must be a scalar. Received rank: ", r])
                condition = with_dependencies([check], condition)
        return Assert(condition, data, summarize=summarize)


_Wanted = collections.namedtuple("_Wanted", ["x", "from_the_end", "actual", "symbols"])


def _actual_sizes(x):
    sizes = basics.shape(x)
    rank = x.shape.ndims
    if rank == 0:
        return (1,)
    if rank is not None:
        return [size if size is not None else sizes[i] for i, size in enumerate(x.shape.as_list())]
    return cond(engine.equal(basics.rank(x), 0), lambda: ops.constant([1]), lambda: sizes)


def _is_number(size):
    try:
        int(size)
        return size is not None
    except (ValueError, TypeError):
        return False


def _wanted(x, symbols, message):
    if not (hasattr(symbols, "__iter__") or hasattr(symbols, "__getitem__")):
        raise ValueError("%s.  Tensor %s.  Specified shape must be an iterable.  An iterable has the attribute `__iter__` or `__getitem__`.  Received specified shape: %s" %
                         (message, x.name, symbols))
    symbols = tuple(symbols)
    open_ended = False
    for i, symbol in enumerate(symbols):
        if symbol is Ellipsis or symbol == "*":
            if i != 0:
                raise ValueError("%s.  Tensor %s specified shape index %d.  Symbol `...` or `*` for a variable number of unspecified dimensions is only allowed as the first entry" %
                                 (message, x.name, i))
            open_ended = True
    actual = _actual_sizes(x)
    return _Wanted(x, open_ended, actual, (symbols[1:] if open_ended else symbols) or (1,))


@export("debugging.assert_shapes")
def assert_shapes(shapes, data=None, summarize=None, message=None, name=None):
    """Checks the sizes of tensors; dimensions with the same name must be equal."""
    shapes = shapes.items() if isinstance(shapes, dict) else shapes
    message = message or ""
    with ops.name_scope(name, "assert_shapes", [shapes, data]):
        given = [(ops.convert_to_tensor(x), s) for x, s in shapes if s is not None]
        wanted = [_wanted(x, s, message) for x, s in given]
        ranks = []
        for w in wanted:
            rank, options = len(w.symbols), dict(data=data, summarize=summarize, message=message, name=name)
            if w.from_the_end:
                if rank > 1:
                    ranks.append(engine.assert_rank_at_least(w.x, rank, **options))
            else:
                ranks.append(assert_rank_in(w.x, [0, 1], **options) if rank <= 1 else engine.assert_rank(w.x, rank, **options))
        checks, seen = [], {}
        for w in wanted:
            for i, symbol in enumerate(w.symbols):
                if symbol is None or symbol == ".":
                    continue
                dim = i - len(w.symbols) if w.from_the_end else i
                if symbol not in seen and not _is_number(symbol):
                    seen[symbol] = w.actual[dim], w.x, dim
                    continue
                if _is_number(symbol):
                    size, said = int(symbol), "Specified explicitly"
                else:
                    size, by, at = seen[symbol]
                    said = "Specified by tensor %s dimension %d" % (by.name, at)
                actual = w.actual[dim]
                if _is_number(actual) and _is_number(size):
                    if int(actual) != int(size):
                        raise ValueError("%s.  %s.  Tensor %s dimension %s must have size %d.  Received size %d, shape %s" % (message, said, w.x.name, dim, size, actual, w.x.shape))
                    continue
                condition = engine.equal(ops.convert_to_tensor(actual), ops.convert_to_tensor(size))
                shown = data if data is not None else [message, said, "Tensor %s dimension" % w.x.name, dim, "must have size", size, "Received shape: ", basics.shape(w.x)]
                checks.append(Assert(condition, shown, summarize=summarize))
        with ops.control_dependencies(ranks):
            return group(checks)
