"""tf.contrib.training.HParams: named hyperparameters with fixed types."""

import json
import numbers
import re

from ..exports import export

_ONE = re.compile(r"\s*(?P<name>[A-Za-z]\w*)\s*(?:\[\s*(?P<index>\d+)\s*\])?\s*=\s*(?:\[(?P<list>[^\]]*)\]|(?P<value>[^,\[]*))\s*(?:,|$)")


def _parsed(name, text, kind):
    """`text` as a value of type `kind`."""
    text = text.strip()
    try:
        if kind is bool:
            if text in ("true", "True", "1"):
                return True
            if text in ("false", "False", "0"):
                return False
            raise ValueError(text)
        return kind(text)
    except ValueError:
        raise ValueError("Could not parse hparam '%s' of type '%s' with value '%s'" % (name, kind.__name__, text))


def _fitting(name, kind, value):
    """`value` converted to type `kind` if the conversion is lossless."""
    failed = "Could not cast hparam '%s' of type '%s' from value %r" % (name, kind, value)
    if issubclass(kind, type(None)):
        return value
    if issubclass(kind, (str, bytes)) and not isinstance(value, (str, bytes)):
        raise ValueError(failed)
    if issubclass(kind, bool) != isinstance(value, bool):
        raise ValueError(failed)
    if issubclass(kind, numbers.Integral) and not isinstance(value, numbers.Integral):
        raise ValueError(failed)
    if issubclass(kind, numbers.Number) and not isinstance(value, numbers.Number):
        raise ValueError(failed)
    return kind(value)


@export("contrib.training.HParams")
class HParams:
    """Hyperparameters, given as keyword arguments and read as attributes; the type of a list is that of its elements."""

    _KINDS = "_hparam_types"

    def __init__(self, hparam_def=None, model_structure=None, **kwargs):
        if hparam_def is not None:
            raise NotImplementedError("HParams: hparam_def is not supported; give the values as keyword arguments")
        self.__dict__[self._KINDS] = {}
        self._model_structure = model_structure
        for name, value in kwargs.items():
            self.add_hparam(name, value)

    @property
    def _kinds(self):
        return self.__dict__[self._KINDS]

    def add_hparam(self, name, value):
        if getattr(self, name, None) is not None:
            raise ValueError("Hyperparameter name is reserved: %s" % name)
        if isinstance(value, (list, tuple)):
            if not value:
                raise ValueError("Multi-valued hyperparameters cannot be empty: %s" % name)
            self._kinds[name] = (type(value[0]), True)
        else:
            self._kinds[name] = (type(value), False)
        setattr(self, name, value)

    def set_hparam(self, name, value):
        kind, many = self._kinds[name]
        if isinstance(value, list):
            if not many:
                raise ValueError("Must not pass a list for single-valued parameter: %s" % name)
            setattr(self, name, [_fitting(name, kind, v) for v in value])
        else:
            if many:
                raise ValueError("Must pass a list for multi-valued parameter: %s." % name)
            setattr(self, name, _fitting(name, kind, value))

    def del_hparam(self, name):
        if hasattr(self, name):
            delattr(self, name)
            del self._kinds[name]

    def parse(self, values):
        """Sets values from a string such as `a=1,b=[2,3],c[0]=4`."""
        return self.override_from_dict(parse_values(values, {n: k for n, (k, _) in self._kinds.items()}))

    def override_from_dict(self, values_dict):
        for name, value in values_dict.items():
            if isinstance(value, dict):
                given = list(getattr(self, name))
                for i, v in value.items():
                    given[i] = v
                value = given
            self.set_hparam(name, value)
        return self

    set_from_map = override_from_dict

    def set_model_structure(self, model_structure):
        self._model_structure = model_structure

    def get_model_structure(self):
        return self._model_structure

    def to_json(self, indent=None, separators=None, sort_keys=False):
        values = {k: v for k, v in self.values().items() if not callable(v)}
        return json.dumps(values, indent=indent, separators=separators, sort_keys=sort_keys)

    def parse_json(self, values_json):
        return self.override_from_dict(json.loads(values_json))

    def values(self):
        return {n: getattr(self, n) for n in self._kinds}

    def get(self, key, default=None):
        if key not in self._kinds:
            return default
        if default is not None:
            kind, many = self._kinds[key]
            what = "list of %s" % kind.__name__ if many else kind.__name__
            if many != isinstance(default, list):
                raise ValueError("Hparam '%s' of type '%s' is incompatible with default=%s" % (key, what, default))
            try:
                for one in default if many else [default]:
                    _fitting(key, kind, one)
            except ValueError as e:
                raise ValueError("Hparam '%s' of type '%s' is incompatible with default=%s. %s" % (key, what, default, e))
        return getattr(self, key)

    def __contains__(self, key):
        return key in self._kinds

    def __str__(self):
        return str(sorted(self.values().items()))

    def __repr__(self):
        return "%s(%s)" % (type(self).__name__, self)


@export("contrib.training.parse_values")
def parse_values(values, type_map, ignore_unknown=False):
    """Parses a string such as `a=1,b=[2,3],c[0]=4` into {name: value, list, or {index: value}}."""
    out, position = {}, 0
    while position < len(values):
        found = _ONE.match(values, position)
        if not found:
            raise ValueError("Malformed hyperparameter value: %s" % values[position:])
        position = found.end()
        name = found.group("name")
        if name not in type_map:
            if ignore_unknown:
                continue
            raise ValueError("Unknown hyperparameter type for %s" % name)
        kind = type_map[name]
        if found.group("index") is not None:
            if found.group("list") is not None:
                raise ValueError("Assignment of a list to a list index.")
            place = out.setdefault(name, {})
            index = int(found.group("index"))
            if not isinstance(place, dict) or index in place:
                raise ValueError("Multiple assignments to variable '%s' in %s" % (name, values))
            place[index] = _parsed(name, found.group("value"), kind)
            continue
        if name in out:
            raise ValueError("Multiple assignments to variable '%s' in %s" % (name, values))
        if found.group("list") is not None:
            out[name] = [_parsed(name, part, kind) for part in found.group("list").split(",") if part.strip()]
        else:
            out[name] = _parsed(name, found.group("value"), kind)
    return out
