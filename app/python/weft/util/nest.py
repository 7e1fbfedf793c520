"""Nested structures: lists, tuples, named tuples, dicts (sorted by key) and attrs classes, with arbitrary leaves."""

import collections
import collections.abc as abc

from ..exports import export

_SHALLOW_TREE_HAS_INVALID_KEYS = "The shallow_tree's keys are not a subset of the input_tree's keys. The shallow_tree has the following keys that are not in the input_tree: {}."
_STRUCTURES_HAVE_MISMATCHING_TYPES = ("The two structures don't have the same sequence type. Input structure has type {input_type}, "
                                      "while shallow structure has type {shallow_type}.")
_STRUCTURES_HAVE_MISMATCHING_LENGTHS = ("The two structures don't have the same sequence length. Input structure has length {input_length}, "
                                        "while shallow structure has length {shallow_length}.")
_INPUT_TREE_SMALLER_THAN_SHALLOW_TREE = ("The input_tree has fewer elements than the shallow_tree. Input structure has length {input_size}, "
                                         "while shallow structure has length {shallow_size}.")
_IF_SHALLOW_IS_SEQ_INPUT_MUST_BE_SEQ = "If shallow structure is a sequence, input must also be a sequence. Input has type: {}."


def _attributes(value):
    return getattr(type(value), "__attrs_attrs__", None)


def is_namedtuple(value):
    return isinstance(value, tuple) and hasattr(value, "_fields") and all(isinstance(f, str) for f in value._fields)


def _is_mapping(value):
    return isinstance(value, abc.Mapping)


@export("nest.is_nested", "contrib.framework.nest.is_sequence")
def is_sequence(value):
    """Whether a value is a structure; strings and arrays are leaves."""
    if isinstance(value, (list, tuple)):
        return True
    if isinstance(value, (str, bytes, bytearray)):
        return False
    return isinstance(value, (abc.Sequence, abc.Mapping, abc.MappingView)) or _attributes(value) is not None


is_nested = is_sequence


def _is_composite(value):
    return hasattr(value, "_to_components") and not hasattr(type(value), "_component_specs") or type(value).__name__ == "SparseTensor"


def is_sequence_or_composite(value):
    """As is_sequence(), but sparse and ragged tensors are structures, too."""
    return is_sequence(value) or _is_composite(value)


def _parts(composite):
    if hasattr(composite, "_to_components"):
        return composite._to_components()
    return (composite.indices, composite.values, composite.dense_shape)


def _rebuilt(composite, parts):
    if hasattr(composite, "_type_spec"):
        return composite._type_spec._from_components(parts)
    return type(composite)(*parts)


def _sorted(mapping):
    try:
        return sorted(mapping)
    except TypeError:
        raise TypeError("nest only supports dicts with sortable keys.") from None


def _items(structure):
    """(key, value) of the next level."""
    if _is_mapping(structure):
        return [(key, structure[key]) for key in _sorted(structure)]
    fields = _attributes(structure)
    if fields is not None:
        return [(f.name, getattr(structure, f.name)) for f in fields]
    if is_namedtuple(structure):
        return [(f, getattr(structure, f)) for f in structure._fields]
    if not is_sequence(structure) and _is_composite(structure):
        return [(type(structure).__name__, _parts(structure))]
    return list(enumerate(structure))


def _values(structure):
    if type(structure) in (list, tuple):
        return structure
    return [value for _, value in _items(structure)]


def _like(structure, values):
    """A structure of the same kind with other values on its first level."""
    if _is_mapping(structure):
        found = dict(zip(_sorted(structure), values))
        if isinstance(structure, collections.defaultdict):
            made = collections.defaultdict(structure.default_factory)
            for key in structure:
                made[key] = found[key]
            return made
        return type(structure)((key, found[key]) for key in structure)
    if isinstance(structure, abc.MappingView):
        return list(values)
    if is_namedtuple(structure) or _attributes(structure) is not None:
        return type(structure)(*values)
    if not is_sequence(structure) and _is_composite(structure):
        return _rebuilt(structure, values[0])
    if isinstance(structure, range):
        return list(values)
    return type(structure)(values)


def _walk(structure, is_structure, into):
    for value in _values(structure):
        if is_structure(value):
            _walk(value, is_structure, into)
        else:
            into.append(value)


@export("nest.flatten", "contrib.framework.nest.flatten")
def flatten(structure, expand_composites=False):
    """The leaves in order."""
    is_structure = is_sequence_or_composite if expand_composites else is_sequence
    if not is_structure(structure):
        return [structure]
    found = []
    _walk(structure, is_structure, found)
    return found


def _type_text(value):
    return "type=%s str=%s" % (type(value).__name__, value)


def _other_types(a, b):
    return ("The two namedtuples don't have the same sequence type. First structure %s has type %s, while second structure %s has type %s"
            % (_type_text(a), type(a).__name__, _type_text(b), type(b).__name__))


def _spec_of(value):
    """The type of a composite tensor; a type of composite tensors itself; None for other values."""
    if _is_composite(value):
        return getattr(value, "_type_spec", None)
    return value if hasattr(type(value), "_component_specs") and value._component_specs is not value else None


def _differ(a, b, check_types, is_structure):
    """(exception class, difference), or None. Where composite tensors are structures, they and their types match if some type fits both."""
    if is_structure is is_sequence_or_composite and (_is_composite(a) or _is_composite(b)):
        mine, other = _spec_of(a), _spec_of(b)
        if mine is not None and other is not None:
            if check_types and type(a) is not type(b) and _is_composite(a) and _is_composite(b):
                return TypeError, _other_types(a, b)
            try:
                mine.most_specific_compatible_type(other)
            except (TypeError, ValueError):
                return ValueError, "Incompatible CompositeTensor TypeSpecs: %s vs. %s" % (_type_text(mine), _type_text(other))
            if mine is a or other is b:
                return None
    a_nested, b_nested = is_structure(a), is_structure(b)
    if a_nested != b_nested:
        nested, leaf = (a, b) if a_nested else (b, a)
        return ValueError, 'Substructure "%s" is a sequence, while substructure "%s" is not' % (_type_text(nested), _type_text(leaf))
    if not a_nested:
        return None
    if check_types and type(a) is not type(b):
        same_names = is_namedtuple(a) and is_namedtuple(b) and a._fields == b._fields and type(a).__name__ == type(b).__name__
        if not same_names and not (_is_mapping(a) and _is_mapping(b)) and not (isinstance(a, list) and isinstance(b, list)):
            return TypeError, _other_types(a, b)
    if _is_mapping(a) and _is_mapping(b) and set(a) != set(b):
        return ValueError, ("The two dictionaries don't have the same set of keys. First structure has keys %s, while second structure has keys %s"
                            % (_type_text(list(a)), _type_text(list(b))))
    mine, other = _values(a), _values(b)
    for x, y in zip(mine, other):
        found = _differ(x, y, check_types, is_structure)
        if found:
            return found
    if len(mine) != len(other):
        return ValueError, ("The two structures don't have the same number of elements. First structure: %s. Second structure: %s"
                            % (_type_text(a), _type_text(b)))
    return None


class _Dot:
    def __repr__(self):
        return "."


_DOT = _Dot()


@export("nest.assert_same_structure", "contrib.framework.nest.assert_same_structure")
def assert_same_structure(nest1, nest2, check_types=True, expand_composites=False):
    """Raises ValueError or TypeError, saying where the two structures differ."""
    found = _differ(nest1, nest2, check_types, is_sequence_or_composite if expand_composites else is_sequence)
    if found:
        raise found[0]("The two structures don't have the same nested structure.\n\nFirst structure: %s\n\nSecond structure: %s\n\nMore specifically: %s\n"
                       "Entire first structure:\n%s\nEntire second structure:\n%s"
                       % (_type_text(nest1), _type_text(nest2), found[1], map_structure(lambda _: _DOT, nest1), map_structure(lambda _: _DOT, nest2)))


def flatten_dict_items(dictionary):
    """Expands keys that are structures into several keys."""
    if not isinstance(dictionary, abc.Mapping):
        raise TypeError("input must be a dictionary")
    flat = {}
    for key, value in dictionary.items():
        keys, values = ([key], [value]) if not is_sequence(key) else (flatten(key), flatten(value))
        if len(keys) != len(values):
            raise ValueError("Could not flatten dictionary. Key had %d elements, but value had %d elements. Key: %s, value: %s."
                             % (len(keys), len(values), keys, values))
        for k, v in zip(keys, values):
            if k in flat:
                raise ValueError("Could not flatten dictionary: key %s is not unique." % (k,))
            flat[k] = v
    return flat


def _pack(structure, flat, at, is_structure):
    packed = []
    for value in _values(structure):
        if is_structure(value):
            at, inner = _pack(value, flat, at, is_structure)
            packed.append(_like(value, inner))
        else:
            packed.append(flat[at])
            at += 1
    return at, packed


@export("nest.pack_sequence_as", "contrib.framework.nest.pack_sequence_as")
def pack_sequence_as(structure, flat_sequence, expand_composites=False):
    """A structure with the leaves `flat_sequence`."""
    is_structure = is_sequence_or_composite if expand_composites else is_sequence
    if not is_structure(flat_sequence):
        raise TypeError("flat_sequence must be a sequence")
    if not is_structure(structure):
        if len(flat_sequence) != 1:
            raise ValueError("Structure is a scalar but len(flat_sequence) == %d > 1" % len(flat_sequence))
        return flat_sequence[0]
    try:
        end, packed = _pack(structure, flat_sequence, 0, is_structure)
        if end < len(flat_sequence):
            raise IndexError
    except IndexError:
        flat = flatten(structure, expand_composites)
        if len(flat) == len(flat_sequence):
            raise
        raise ValueError("Could not pack sequence. Structure had %d elements, but flat_sequence had %d elements.  Structure: %s, flat_sequence: %s."
                         % (len(flat), len(flat_sequence), structure, flat_sequence)) from None
    return _like(structure, packed)


@export("nest.map_structure", "contrib.framework.nest.map_structure")
def map_structure(func, *structure, **kwargs):
    """func() of the leaves at the same position in each structure."""
    if not callable(func):
        raise TypeError("func must be callable, got: %s" % func)
    if not structure:
        raise ValueError("Must provide at least one structure")
    check_types = kwargs.pop("check_types", True)
    expand = kwargs.pop("expand_composites", False)
    if kwargs:
        raise ValueError("Only valid keyword arguments are `check_types` and `expand_composites`, not: `%s`" % "`, `".join(kwargs))
    for other in structure[1:]:
        assert_same_structure(structure[0], other, check_types=check_types, expand_composites=expand)
    flat = [flatten(s, expand) for s in structure]
    return pack_sequence_as(structure[0], [func(*leaves) for leaves in zip(*flat)], expand_composites=expand)


def _up_to(shallow, tree, is_structure, path=()):
    if not is_structure(shallow):
        yield path, tree
        return
    below = dict(_items(tree))
    for key, value in _items(shallow):
        for found in _up_to(value, below[key], is_structure, path + (key,)):
            yield found


def assert_shallow_structure(shallow_tree, input_tree, check_types=True, expand_composites=False, check_subtrees_length=True):
    """Checks that the upper part of `input_tree` has the structure of `shallow_tree`."""
    is_structure = is_sequence_or_composite if expand_composites else is_sequence
    if not is_structure(shallow_tree):
        return
    if not is_structure(input_tree):
        raise TypeError(_IF_SHALLOW_IS_SEQ_INPUT_MUST_BE_SEQ.format(type(input_tree)))
    if check_types and not isinstance(input_tree, type(shallow_tree)):
        same = is_namedtuple(shallow_tree) and is_namedtuple(input_tree) and shallow_tree._fields == input_tree._fields
        if not same and not (_is_mapping(shallow_tree) and _is_mapping(input_tree)):
            raise TypeError(_STRUCTURES_HAVE_MISMATCHING_TYPES.format(input_type=type(input_tree), shallow_type=type(shallow_tree)))
    mine, whole = _values(shallow_tree), _values(input_tree)
    if check_subtrees_length and len(mine) != len(whole):
        raise ValueError(_STRUCTURES_HAVE_MISMATCHING_LENGTHS.format(input_length=len(whole), shallow_length=len(mine)))
    if len(whole) < len(mine):
        raise ValueError(_INPUT_TREE_SMALLER_THAN_SHALLOW_TREE.format(input_size=len(whole), shallow_size=len(mine)))
    if _is_mapping(shallow_tree):
        absent = set(shallow_tree) - set(input_tree)
        if absent:
            raise ValueError(_SHALLOW_TREE_HAS_INVALID_KEYS.format(sorted(absent)))
        mine, whole = [shallow_tree[k] for k in _sorted(shallow_tree)], [input_tree[k] for k in _sorted(shallow_tree)]
    for x, y in zip(mine, whole):
        assert_shallow_structure(x, y, check_types, expand_composites, check_subtrees_length)


def flatten_up_to(shallow_tree, input_tree, check_types=True, expand_composites=False, check_subtrees_length=True):
    """The parts of `input_tree` at the positions of the leaves of `shallow_tree`."""
    assert_shallow_structure(shallow_tree, input_tree, check_types, expand_composites, check_subtrees_length)
    return [v for _, v in _up_to(shallow_tree, input_tree, is_sequence_or_composite if expand_composites else is_sequence)]


def flatten_with_tuple_paths_up_to(shallow_tree, input_tree, check_types=True, expand_composites=False, check_subtrees_length=True):
    """As flatten_up_to(), as pairs (path, part)."""
    assert_shallow_structure(shallow_tree, input_tree, check_types, expand_composites, check_subtrees_length)
    return list(_up_to(shallow_tree, input_tree, is_sequence_or_composite if expand_composites else is_sequence))


def map_structure_up_to(shallow_tree, func, *inputs, **kwargs):
    """func() of the parts of each input at the positions of the leaves of `shallow_tree`."""
    return map_structure_with_tuple_paths_up_to(shallow_tree, lambda _, *values: func(*values), *inputs, **kwargs)


def map_structure_with_tuple_paths_up_to(shallow_tree, func, *inputs, **kwargs):
    """As map_structure_up_to(), with the path as first argument of func()."""
    if not inputs:
        raise ValueError("Cannot map over no sequences")
    options = [kwargs.pop("check_types", True), kwargs.pop("expand_composites", False), kwargs.pop("check_subtrees_length", True)]
    flat = [flatten_up_to(shallow_tree, tree, *options) for tree in inputs]
    is_structure = is_sequence_or_composite if options[1] else is_sequence
    paths = [path for path, _ in _up_to(shallow_tree, inputs[0], is_structure)]
    return pack_sequence_as(shallow_tree, [func(*leaves, **kwargs) for leaves in zip(paths, *flat)], expand_composites=options[1])


def map_structure_with_tuple_paths(func, *structure, **kwargs):
    return map_structure_with_tuple_paths_up_to(structure[0], func, *structure, **kwargs)


def map_structure_with_paths(func, *structure, **kwargs):
    """As map_structure(), with the path, joined by "/", as first argument of func()."""
    return map_structure_with_tuple_paths(lambda path, *leaves, **more: func("/".join(str(p) for p in path), *leaves, **more), *structure, **kwargs)


def get_traverse_shallow_structure(traverse_fn, structure, expand_composites=False):
    """A structure of bools for the parts of `structure` to go into: traverse_fn(part) says so for a whole part, or for each of its members."""
    is_structure = is_sequence_or_composite if expand_composites else is_sequence
    chosen = traverse_fn(structure)
    if not is_structure(structure):
        if not isinstance(chosen, bool):
            raise TypeError("traverse_fn returned structure: %s for non-structure: %s" % (chosen, structure))
        return chosen
    members = _values(structure)
    if isinstance(chosen, bool):
        if not chosen:
            return False
        return _like(structure, [get_traverse_shallow_structure(traverse_fn, member, expand_composites) for member in members])
    if not is_structure(chosen):
        raise TypeError("traverse_fn returned a non-bool scalar: %s for input: %s" % (chosen, structure))
    assert_shallow_structure(chosen, structure, expand_composites=expand_composites)
    levels = []
    for enter, member in zip(_values(chosen), members):
        if not isinstance(enter, bool):
            raise TypeError("traverse_fn didn't return a depth=1 structure of bools.  saw: %s  for structure: %s" % (chosen, structure))
        levels.append(enter and get_traverse_shallow_structure(traverse_fn, member))
    return _like(structure, levels)


def yield_flat_paths(nest, expand_composites=False):
    """The path of each leaf."""
    for path, _ in _up_to(nest, nest, is_sequence_or_composite if expand_composites else is_sequence):
        yield path


def flatten_with_joined_string_paths(structure, separator="/", expand_composites=False):
    return [(separator.join(str(p) for p in path), leaf)
            for path, leaf in zip(yield_flat_paths(structure, expand_composites), flatten(structure, expand_composites))]


def flatten_with_tuple_paths(structure, expand_composites=False):
    return list(zip(yield_flat_paths(structure, expand_composites), flatten(structure, expand_composites)))


# The names that programs import.
_is_namedtuple, _sequence_like, _is_composite_tensor = is_namedtuple, _like, _is_composite


def _is_attrs(value):
    return _attributes(value) is not None


def _is_mapping_view(value):
    return isinstance(value, abc.MappingView)


def _yield_value(iterable):
    for value in _values(iterable):
        yield value


def _yield_sorted_items(iterable):
    for item in _items(iterable):
        yield item


for _name in ("assert_shallow_structure", "flatten_dict_items", "flatten_up_to", "map_structure_up_to", "map_structure_with_paths", "map_structure_with_tuple_paths", "yield_flat_paths",
              "flatten_with_joined_string_paths"):
    export("contrib.framework.nest." + _name)(globals()[_name])
