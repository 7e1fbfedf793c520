"""tensorflow.python.data.util.nest: nested values of data sets, in which lists are leaves."""

from .structure import assert_same_structure, assert_shallow_structure, flatten, flatten_up_to, is_nested, map_up_to, pack  # noqa: F401 (re-exported)
from .structure import map_structure as _map


def is_sequence(value):
    return is_nested(value)


def pack_sequence_as(structure, flat_sequence):
    """The structure with different leaves."""
    if not (is_nested(flat_sequence) or isinstance(flat_sequence, list)):
        raise TypeError("flat_sequence must be a sequence")
    if not is_nested(structure):
        if len(flat_sequence) != 1:
            raise ValueError("Structure is a scalar but len(flat_sequence) == %d > 1" % len(flat_sequence))
        return flat_sequence[0]
    size = len(flatten(structure))
    if size != len(flat_sequence):
        raise ValueError("Could not pack sequence. Structure had %d elements, but flat_sequence had %d elements.  Structure: %s, flat_sequence: %s." %
                         (size, len(flat_sequence), structure, flat_sequence))
    return pack(structure, flat_sequence)


def map_structure(func, *structure, **check_types_dict):
    """The function's results for the leaves, with the same nesting."""
    if not callable(func):
        raise TypeError("func must be callable, got: %s" % func)
    if not structure:
        raise ValueError("Must provide at least one structure")
    if set(check_types_dict) - {"check_types"}:
        raise ValueError("Only valid keyword argument is check_types")
    for other in structure[1:]:
        assert_same_structure(structure[0], other, check_types_dict.get("check_types", True))
    return _map(func, *structure)


def map_structure_up_to(shallow_tree, func, *inputs):
    if not inputs:
        raise ValueError("Cannot map over no sequences")
    return map_up_to(shallow_tree, func, *inputs)
