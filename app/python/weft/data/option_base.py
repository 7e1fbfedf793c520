"""The base of tf.data's option classes: named settings with types."""


class OptionsBase:
    """Settings made by create_option(); other attributes cannot be set."""

    def __init__(self):
        object.__setattr__(self, "_options", {})

    def __eq__(self, other):
        if not isinstance(other, self.__class__):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in set(self._options) | set(other._options))

    def __ne__(self, other):
        equal = self.__eq__(other)
        return equal if equal is NotImplemented else not equal

    __hash__ = None

    def __setattr__(self, name, value):
        if not hasattr(self, name):
            raise AttributeError("Cannot set the property %s on %s." % (name, type(self).__name__))
        object.__setattr__(self, name, value)


def create_option(name, ty, docstring, default_factory=lambda: None):
    """A property of that name; values must be of type `ty`."""

    def get(options):
        if name not in options._options:
            options._options[name] = default_factory()
        return options._options[name]

    def set_checked(options, value):
        if not isinstance(value, ty):
            raise TypeError('Property "%s" must be of type %s, got: %r (type: %r)' % (name, ty, value, type(value)))
        options._options[name] = value

    return property(get, set_checked, None, docstring)


def merge_options(*options_list):
    """One object with the settings of all. ValueError if two set the same one to different values."""
    if not options_list:
        raise ValueError("At least one options should be provided")
    kind = type(options_list[0])
    for options in options_list:
        if not isinstance(options, kind):
            raise TypeError("Incompatible options type: %r vs %r" % (type(options), kind))
    if not issubclass(kind, OptionsBase):
        raise TypeError("The inputs should inherit from `OptionsBase`")
    defaults, result = kind(), kind()
    for options in options_list:
        for name in options._options:
            mine, its, unset = getattr(result, name), getattr(options, name), getattr(defaults, name)
            if its == unset:
                continue
            if mine == unset:
                setattr(result, name, its)
            elif isinstance(mine, OptionsBase):
                setattr(result, name, merge_options(mine, its))
            elif mine != its:
                raise ValueError("Cannot merge incompatible values (%r and %r) of option: %s" % (mine, its, name))
    return result
