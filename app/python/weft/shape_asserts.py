"""tf.debugging.assert_rank_in, assert_shapes."""

import collections

import tensorflow as tf

from .control_flow import with_dependencies
from .conversion import constant_value
from .exports import export


@export("assert_rank_in", "debugging.assert_rank_in")
def assert_rank_in(x, ranks, data=None, summarize=None, message=None, name=None):
    """Checks that the tensor has one of several ranks."""
    with tf.name_scope(name, "assert_rank_in", (x,) + tuple(ranks) + tuple(data or [])):
        x = tf.convert_to_tensor(x, name="x")
        ranks = tuple(tf.convert_to_tensor(r, name="rank") for r in ranks)
        message = message or ""
        if data is None:
            data = [message, "Tensor %s must have rank in" % x.name] + list(ranks) + ["Received shape: ", tf.shape(x)]
        for r in ranks:
            tf.assert_type(r, tf.int32)
        known = tuple(constant_value(r) for r in ranks)
        if not any(k is None for k in known):
            if any(k.ndim != 0 for k in known):
                raise ValueError("Rank must be a scalar.")
            have = x.shape.ndims
            if have is not None:
                if have not in [int(k) for k in known]:
                    raise ValueError("%s.  Tensor %s must have rank in %s.  Received rank %d, shape %s" % (message, x.name, known, have, x.shape))
                return tf.no_op(name="static_checks_determined_all_ok")
        rank, condition = tf.rank(x), None if ranks else tf.convert_to_tensor(False)
        for i, r in enumerate(ranks):
            same = tf.equal(r, rank)
            condition = same if i == 0 else tf.logical_or(condition, same)
        for r, k in zip(ranks, known):
            if k is None:
                check = tf.assert_rank(r, 0, data=["Rank must be a scalar. Received rank: ", r])
                condition = with_dependencies([check], condition)
        return tf.Assert(condition, data, summarize=summarize)


_Wanted = collections.namedtuple("_Wanted", ["x", "from_the_end", "actual", "symbols"])


def _actual_sizes(x):
    sizes = tf.shape(x)
    rank = x.shape.ndims
    if rank == 0:
        return (1,)
    if rank is not None:
        return [size if size is not None else sizes[i] for i, size in enumerate(x.shape.as_list())]
    return tf.cond(tf.equal(tf.rank(x), 0), lambda: tf.constant([1]), lambda: sizes)


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
    """Checks tensors' sizes; sizes of one name must be equal."""
    shapes = shapes.items() if isinstance(shapes, dict) else shapes
    message = message or ""
    with tf.name_scope(name, "assert_shapes", [shapes, data]):
        given = [(tf.convert_to_tensor(x), s) for x, s in shapes if s is not None]
        wanted = [_wanted(x, s, message) for x, s in given]
        ranks = []
        for w in wanted:
            rank, options = len(w.symbols), dict(data=data, summarize=summarize, message=message, name=name)
            if w.from_the_end:
                if rank > 1:
                    ranks.append(tf.assert_rank_at_least(w.x, rank, **options))
            else:
                ranks.append(assert_rank_in(w.x, [0, 1], **options) if rank <= 1 else tf.assert_rank(w.x, rank, **options))
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
                condition = tf.equal(tf.convert_to_tensor(actual), tf.convert_to_tensor(size))
                shown = data if data is not None else [message, said, "Tensor %s dimension" % w.x.name, dim, "must have size", size, "Received shape: ", tf.shape(w.x)]
                checks.append(tf.Assert(condition, shown, summarize=summarize))
        with tf.control_dependencies(ranks):
            return tf.group(checks)
