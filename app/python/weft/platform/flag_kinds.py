"""tf.flags: exceptions and classes of flags."""

from .flag_parsers import ArgumentSerializer, BooleanParser, EnumParser


class Error(Exception):
    """Base of the exceptions of flags."""


class DuplicateFlagError(Error):
    """A flag of that name already exists."""


class IllegalFlagValueError(Error):
    """The text is not a valid value of the flag."""


class UnparsedFlagAccessError(Error):
    """A flag was read before the command line was parsed."""


class ValidationError(Error):
    """A required flag has no value, or a validator refused it."""


class UnrecognizedFlagError(Error):
    """There is no flag of that name."""

    def __init__(self, flagname, flagvalue=""):
        self.flagname = flagname
        self.flagvalue = flagvalue
        super().__init__("Unknown command line flag '%s'" % flagname)


class CantOpenFlagFileError(Error):
    """A file of flags cannot be read."""


class FlagNameConflictsWithMethodError(Error):
    """FlagValues has a method of that name."""


class Flag:
    """One flag: `name`, `value`, `default`, `help`, `present` (how often it was given)."""

    multi = False

    def __init__(self, parser, serializer, name, default, help_string, short_name=None, boolean=False, allow_override=False, allow_override_cpp=False, allow_hide_cpp=False,
                 allow_overwrite=True, allow_using_method_names=False):
        if allow_hide_cpp and allow_override_cpp:
            raise Error("Can't have both allow_hide_cpp (means use Python flag) and allow_override_cpp (means use C++ flag after InitGoogle)")
        self.name, self.help, self.parser, self.serializer, self.short_name = name, help_string if help_string else "(no help available)", parser, serializer, short_name
        self.boolean, self.allow_override, self.allow_overwrite, self.allow_using_method_names = boolean, allow_override, allow_overwrite, allow_using_method_names
        self.present, self.using_default_value, self.module = 0, True, ""
        self.validators = []
        self.required = False
        self._value = None
        self._set_default(default)

    @property
    def value(self):
        return self._value

    @value.setter
    def value(self, value):
        self._value = value

    def _set_default(self, value):
        self.default_unparsed = value
        self.default = None if value is None else self._parse_from_default(value)
        self.default_as_str = self._default_text(self.default)
        if self.using_default_value:
            self.value = self.default

    def _parse_from_default(self, value):
        return self._parse(value)

    def _default_text(self, value):
        if value is None:
            return None
        if self.serializer:
            return repr(self.serializer.serialize(value))
        return repr(("true" if value else "false") if self.boolean else str(value))

    def _parse(self, argument):
        try:
            return self.parser.parse(argument)
        except (TypeError, ValueError) as e:
            raise IllegalFlagValueError("flag --%s=%s: %s" % (self.name, argument, e)) from None

    def parse(self, argument):
        """Sets the value from the command line."""
        if self.present and not self.allow_overwrite:
            raise IllegalFlagValueError("flag --%s=%s: already defined as %s" % (self.name, argument, self.value))
        self.value = self._parse(argument)
        self.present += 1
        self.using_default_value = False

    def unparse(self):
        self.value, self.using_default_value, self.present = self.default, True, 0

    def serialize(self):
        """The flag as a command line argument."""
        return self._serialize(self.value)

    def _serialize(self, value):
        if value is None:
            return ""
        if self.boolean:
            return "--%s" % self.name if value else "--no%s" % self.name
        if not self.serializer:
            raise Error("Serializer not present for flag %s" % self.name)
        return "--%s=%s" % (self.name, self.serializer.serialize(value))

    def flag_type(self):
        return self.parser.flag_type()

    def __lt__(self, other):
        return self.name < other.name if isinstance(other, Flag) else NotImplemented

    def __bool__(self):
        raise TypeError("A Flag instance would always be True. Did you mean to test the `.value` attribute?")


class BooleanFlag(Flag):
    """A flag with the forms --name and --noname."""

    def __init__(self, name, default, help, short_name=None, **args):
        super().__init__(BooleanParser(), None, name, default, help, short_name, True, **args)


class EnumFlag(Flag):
    """A flag with one of several strings as value."""

    def __init__(self, name, default, help, enum_values, short_name=None, case_sensitive=True, **args):
        super().__init__(EnumParser(enum_values, case_sensitive), ArgumentSerializer(), name, default, help, short_name, **args)
        self.help = "<%s>: %s" % ("|".join(self.parser.enum_values), self.help)


_REPEAT = ";\n    repeat this option to specify a list of values"


class MultiFlag(Flag):
    """A flag that may be given several times; its value is a list."""

    multi = True

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.help += _REPEAT

    def _parse(self, argument):
        one = isinstance(argument, str) or not hasattr(argument, "__iter__")
        return [Flag._parse(self, item) for item in ([argument] if one else argument)]

    def parse(self, argument):
        new = self._parse(argument)
        self.value = self.value + new if self.present else new
        self.present += len(new)
        self.using_default_value = False

    def _serialize(self, value):
        if not self.serializer:
            raise Error("Serializer not present for flag %s" % self.name)
        return "" if value is None else "\n".join(Flag._serialize(self, item) for item in value)

    def flag_type(self):
        return "multi " + self.parser.flag_type()
