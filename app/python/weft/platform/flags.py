"""tf.flags: command line options, declared with DEFINE_… and read from FLAGS."""

import os
import sys

from ..exports import export_value
from .flag_kinds import (BooleanFlag, CantOpenFlagFileError, DuplicateFlagError, EnumFlag, Error, Flag, FlagNameConflictsWithMethodError, IllegalFlagValueError, MultiFlag,
                         UnparsedFlagAccessError, UnrecognizedFlagError, ValidationError)
from .flag_parsers import (ArgumentParser, ArgumentSerializer, BooleanParser, CsvListSerializer, EnumParser, FloatParser, IntegerParser, ListParser, ListSerializer,
                           WhitespaceSeparatedListParser)


def _main_name():
    return sys.argv[0] if sys.argv else ""


_UNPARSED = "Trying to access flag --%s before flags were parsed."


def _of_absl():
    """The flags of the package absl, which are TensorFlow's own there, if a library of the program has defined some; or None."""
    module = sys.modules.get("absl.flags")
    return getattr(module, "FLAGS", None)


class FlagValues:
    """All flags of the program. The command line is parsed on first access."""

    def __init__(self):
        self.__dict__["__flags"] = {}
        self.__dict__["_parsed"] = False
        self.__dict__["_unknown_ok"] = False

    def _all(self):
        return self.__dict__["__flags"]

    def _define(self, flag):
        depth = sys._getframe(1)
        while depth and depth.f_globals.get("__name__") == __name__:
            depth = depth.f_back
        module = depth.f_globals.get("__name__", "") if depth else ""
        flag.module = _main_name() if module in ("__main__", "") else module
        self[flag.name] = flag
        return FlagHolder(self, flag, flag.default is not None or flag.required)

    def __setitem__(self, name, flag):
        """Declares a flag."""
        if not isinstance(flag, Flag):
            raise IllegalFlagValueError("Expect Flag instances, found type %s. Maybe you didn't mean to use FlagValue.__setitem__?" % type(flag))
        if not isinstance(name, str):
            raise Error("Flag name must be a string")
        if not name:
            raise Error("Flag name cannot be empty")
        if " " in name:
            raise Error("Flag name cannot contain a space")
        if name in _METHODS and not flag.allow_using_method_names:
            raise FlagNameConflictsWithMethodError("Cannot define a flag named \"{0}\". It conflicts with a method on class \"{1}\". To allow defining it, use "
                                                   "allow_using_method_names and access the flag value with FLAGS['{0}'].value. FLAGS.{0} returns the method, not the flag "
                                                   "value.".format(name, type(self).__name__))
        old = self._all().get(name)
        if old is not None and not flag.allow_override and not old.allow_override:
            raise DuplicateFlagError("The flag '%s' is defined twice. First from %s, Second from %s.  Description from first occurrence: %s" %
                                     (name, old.module, flag.module, old.help))
        self._all()[name] = flag
        if flag.short_name:
            self._all()[flag.short_name] = flag

    def __getattr__(self, name):
        if name in ("__flags",):
            return self.__dict__[name]
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        if not self.__dict__["_parsed"]:
            if self is not FLAGS:
                raise UnparsedFlagAccessError(_UNPARSED % name)
            self(sys.argv, known_only=True)  # tf.flags.FLAGS parses the command line by itself
        if name not in self._all():
            if self is FLAGS and _of_absl() is not None and name in _of_absl():
                return getattr(_of_absl(), name)
            raise AttributeError(name)
        return self._all()[name].value

    def __setattr__(self, name, value):
        if name not in self._all():
            raise AttributeError(name)
        flag = self._all()[name]
        flag.value = value
        flag.using_default_value = False
        self._validate([flag])

    def __delattr__(self, name):
        if name not in self._all():
            raise AttributeError(name)
        flag = self._all()[name]
        for key in [k for k, f in self._all().items() if f is flag]:
            del self._all()[key]

    def __getitem__(self, name):
        return self._all()[name]

    def __contains__(self, name):
        return name in self._all()

    def __iter__(self):
        return iter(sorted(self._all()))

    def __len__(self):
        return len(self._all())

    def __dir__(self):
        return sorted(self._all())

    def __str__(self):
        return self.get_help()

    def is_parsed(self):
        return self.__dict__["_parsed"]

    def mark_as_parsed(self):
        self.__dict__["_parsed"] = True

    def unparse_flags(self):
        for flag in self._all().values():
            flag.unparse()
        self.__dict__["_parsed"] = False

    def flag_values_dict(self):
        """Name -> value."""
        return {name: flag.value for name, flag in self._all().items()}

    def get_flag_value(self, name, default):
        value = self.__getattr__(name)
        return default if value is None else value

    def set_default(self, name, value):
        if name not in self._all():
            raise UnrecognizedFlagError(name)
        flag = self._all()[name]
        flag._set_default(value)

    def _parse_flags(self, args=None):
        """The name used by old programs."""
        if args is None:
            args = sys.argv
        return self(args, known_only=True)

    def __call__(self, argv, known_only=False):
        """Parses a command line, whose first element is the program; returns the remaining arguments."""
        if isinstance(argv, (str, bytes)):
            raise TypeError("argv should be a tuple/list of strings, not bytes or string.")
        if not argv:
            raise ValueError("argv cannot be an empty list, and must contain the program name as the first element.")
        if self is FLAGS and _of_absl() is not None:
            argv = _of_absl()(list(argv), known_only=True)
        for flag in self._all().values():
            flag.using_default_value = flag.using_default_value and True
        rest, unknown = [argv[0]], []
        args = list(argv[1:])
        i = 0
        self.__dict__["_parsed"] = True
        while i < len(args):
            arg = args[i]
            i += 1
            if arg == "--":
                rest += args[i - 1:] if known_only else args[i:]
                break
            if not arg.startswith("-") or arg == "-":
                rest.append(arg)
                continue
            name, equals, value = arg.lstrip("-").partition("=") if not arg.startswith("--") else arg[2:].partition("=")
            flag = self._all().get(name)
            if flag is None and name.startswith("no") and name[2:] in self._all() and self._all()[name[2:]].boolean:
                if equals:
                    raise ValueError(arg)
                self._all()[name[2:]].parse("false")
                continue
            if flag is None:
                if name in ("help", "helpshort", "helpfull", "h") and not equals:
                    print_help(full=name == "helpfull")
                    sys.exit(1)
                if known_only:
                    rest.append(arg)
                else:
                    unknown.append((name, arg))
                continue
            if flag.boolean:
                flag.parse(value if equals else "true")
                continue
            if not equals:
                if i >= len(args):
                    raise Error("Missing value for flag " + arg)
                value = args[i]
                i += 1
            flag.parse(value)
        for name, value in unknown:
            raise UnrecognizedFlagError(name, value)
        self._validate(set(self._all().values()))
        return rest

    def _validate(self, flags):
        for flag in sorted(flags):
            if flag.required and flag.value is None:
                raise IllegalFlagValueError("flag --%s=None: Flag --%s must have a value other than None." % (flag.name, flag.name))
            for check, message in flag.validators:
                if not check(flag.value):
                    raise IllegalFlagValueError("flag --%s=%s: %s" % (flag.name, flag.value, message))

    def get_help(self, prefix="", include_special_flags=True):
        return flags_help(full=True)

    def main_module_help(self):
        return flags_help(full=False)


_METHODS = {name for name, what in vars(FlagValues).items() if callable(what)} - {"_all"}


class FlagHolder:
    """The result of DEFINE_…: gives access to the flag's value without repeating its name."""

    def __init__(self, flag_values, flag, ensure_non_none_value=False):
        self._flagvalues, self._name, self._ensure = flag_values, flag.name, ensure_non_none_value

    def __eq__(self, other):
        raise TypeError("unsupported operand type(s) for ==: '{0}' and '{1}' (did you mean to use '{0}.value' instead?)".format(type(self).__name__, type(other).__name__))

    __hash__ = object.__hash__

    def __bool__(self):
        raise TypeError("bool() not supported for instances of type '{0}' (did you mean to use '{0}.value' instead?)".format(type(self).__name__))

    name = property(lambda self: self._name)
    default = property(lambda self: self._flagvalues[self._name].default)
    present = property(lambda self: bool(self._flagvalues[self._name].present))

    @property
    def value(self):
        if not self._flagvalues.is_parsed():
            raise UnparsedFlagAccessError(_UNPARSED % self._name)
        value = getattr(self._flagvalues, self._name)
        if self._ensure and value is None:
            raise IllegalFlagValueError("Unexpected None value for flag %s" % self._name)
        return value

    def serialize(self):
        return self._flagvalues[self._name].serialize()


class _FlagValuesWrapper:
    """Flags of another FlagValues; the command line is parsed on first access."""

    def __init__(self, flags_object):
        self.__dict__["_wrapped"] = flags_object

    def __getattr__(self, name):
        flags = self.__dict__["_wrapped"]
        if name not in _METHODS and not flags.is_parsed():
            flags(sys.argv)
        return getattr(flags, name)

    def __setattr__(self, name, value):
        setattr(self._wrapped, name, value)

    def __delattr__(self, name):
        delattr(self._wrapped, name)

    def __dir__(self):
        return dir(self._wrapped)

    def __getitem__(self, name):
        return self._wrapped[name]

    def __setitem__(self, name, flag):
        self._wrapped[name] = flag

    def __contains__(self, name):
        return name in self._wrapped

    def __len__(self):
        return len(self._wrapped)

    def __iter__(self):
        return iter(self._wrapped)

    def __str__(self):
        return str(self._wrapped)

    def __call__(self, *args, **kwargs):
        return self._wrapped(*args, **kwargs)


FLAGS = export_value(FlagValues(), "flags.FLAGS", "app.flags.FLAGS")


def _help_of(flag):
    form = "--[no]%s" % flag.name if flag.boolean else "--%s" % flag.name
    if flag.short_name:
        form = "-%s,%s" % (flag.short_name, form)
    text = "  %s: %s" % (form, flag.help)
    if flag.default_as_str is not None:
        text += "\n    (default: %s)" % flag.default_as_str
    if flag.parser.syntactic_help:
        text += "\n    (%s)" % flag.parser.syntactic_help
    return text


def flags_help(full=False):
    """The flags as shown by --help: those of the main program, or all."""
    groups = {}
    for flag in set(FLAGS._all().values()):
        groups.setdefault(flag.module, []).append(flag)
    main = _main_name()
    order = ([main] if main in groups else []) + (sorted(m for m in groups if m != main) if full else [])
    parts = ["\n%s:\n%s" % (os.path.basename(m) if m == main else m, "\n".join(_help_of(f) for f in sorted(groups[m]))) for m in order]
    return "\n".join(parts)


def print_help(full=False):
    """Prints the text of --help."""
    doc = getattr(sys.modules.get("__main__"), "__doc__", None)
    doc = doc.replace("%s", sys.argv[0]) if doc else "\nUSAGE: %s [flags]\n" % _main_name()
    sys.stdout.write("\n" + doc + "\nflags:\n" + flags_help(full) + "\n" + ("" if full else "\nTry --helpfull to get a list of all flags.\n"))


def DEFINE_flag(flag, flag_values=None, module_name=None, required=False):
    """Registers a Flag object."""
    if required and flag.default is not None:
        raise ValueError("Required flag --%s cannot have a non-None default" % flag.name)
    flag.required = flag.required or required
    return (FLAGS if flag_values is None else flag_values)._define(flag)


def DEFINE(parser, name, default, help, flag_values=None, serializer=None, module_name=None, required=False, **args):
    """Declares a flag with a parser of the program."""
    return DEFINE_flag(Flag(parser, serializer, name, default, help, **args), flag_values, module_name, required)


def DEFINE_multi(parser, serializer, name, default, help, flag_values=None, module_name=None, required=False, **args):
    """As DEFINE, for a flag that may be given several times."""
    return DEFINE_flag(MultiFlag(parser, serializer, name, default, help, **args), flag_values, module_name, required)


def _simple(names, parser, serializer=ArgumentSerializer, multi=False):
    def define(name=None, default=None, help=None, flag_values=None, *bounds, flag_name=None, default_value=None, docstring=None, lower_bound=None, upper_bound=None,
               comma_compat=False, module_name=None, required=False, **args):
        # TensorFlow's names of the three parameters up to version 1.4.
        name = name if flag_name is None else flag_name
        default = default if default_value is None else default_value
        help = help if docstring is None else docstring
        if parser in (IntegerParser, FloatParser):
            lower_bound, upper_bound = (bounds + (lower_bound, upper_bound)[len(bounds):])[:2]
            made = parser(lower_bound, upper_bound)
        else:
            made = parser(comma_compat) if parser is WhitespaceSeparatedListParser else parser()
        if parser is BooleanParser:
            return DEFINE_flag(BooleanFlag(name, default, help, **args), flag_values, module_name, required)
        return (DEFINE_multi(made, serializer(), name, default, help, flag_values, module_name, required, **args) if multi
                else DEFINE(made, name, default, help, flag_values, serializer(), module_name, required, **args))

    for n in names:
        export_value(define, "flags." + n, "app.flags." + n)
    define.__name__ = names[0]
    return define


DEFINE_string = _simple(["DEFINE_string"], ArgumentParser)
DEFINE_integer = _simple(["DEFINE_integer"], IntegerParser)
DEFINE_float = _simple(["DEFINE_float"], FloatParser)
DEFINE_boolean = _simple(["DEFINE_boolean", "DEFINE_bool"], BooleanParser)
DEFINE_bool = DEFINE_boolean
DEFINE_list = _simple(["DEFINE_list"], ListParser, lambda: CsvListSerializer(","))
DEFINE_spaceseplist = _simple(["DEFINE_spaceseplist"], WhitespaceSeparatedListParser, lambda: ListSerializer(" "))
DEFINE_multi_string = _simple(["DEFINE_multi_string"], ArgumentParser, multi=True)
DEFINE_multi_integer = _simple(["DEFINE_multi_integer"], IntegerParser, multi=True)
DEFINE_multi_float = _simple(["DEFINE_multi_float"], FloatParser, multi=True)


def DEFINE_enum(name, default, enum_values, help, flag_values=None, module_name=None, required=False, **args):
    """Declares a flag whose value is one of `enum_values`."""
    return DEFINE_flag(EnumFlag(name, default, help, enum_values, **args), flag_values, module_name, required)


def DEFINE_multi_enum(name, default, enum_values, help, flag_values=None, case_sensitive=True, required=False, **args):
    """As DEFINE_enum, for a flag that may be given several times."""
    return DEFINE_multi(EnumParser(enum_values, case_sensitive), ArgumentSerializer(), name, default, "<%s>: %s" % ("|".join(enum_values), help), flag_values,
                        required=required, **args)


def override_value(flag_holder, value):
    """Sets the value of a flag. It must equal its own parse result."""
    values = flag_holder._flagvalues
    parsed = values[flag_holder.name]._parse(value)
    if parsed != value:
        raise IllegalFlagValueError("flag %s: parsed value %r not equal to original %r" % (flag_holder.name, parsed, value))
    setattr(values, flag_holder.name, value)


def _named(flag_name, flag_values):
    """(name of the flag, FlagValues that contain it), from a FlagHolder or a name."""
    if isinstance(flag_name, FlagHolder):
        return flag_name.name, flag_name._flagvalues
    return flag_name, FLAGS if flag_values is None else flag_values


def mark_flag_as_required(flag_name, flag_values=None):
    """Requires a value other than None after parsing."""
    name, values = _named(flag_name, flag_values)
    values._all()[name].required = True


def mark_flags_as_required(flag_names, flag_values=None):
    for name in flag_names:
        mark_flag_as_required(name, flag_values)


def register_validator(flag_name, checker, message="Flag validation failed", flag_values=None):
    """Registers checker(value), which must return True; otherwise the value is refused with `message`."""
    name, values = _named(flag_name, flag_values)
    values._all()[name].validators.append((checker, message))


for _f in (DEFINE, DEFINE_flag, DEFINE_multi, DEFINE_enum, DEFINE_multi_enum, override_value, mark_flag_as_required, mark_flags_as_required, register_validator, FlagValues,
           FlagHolder, Flag, BooleanFlag, EnumFlag, MultiFlag, Error, CantOpenFlagFileError, DuplicateFlagError, FlagNameConflictsWithMethodError, IllegalFlagValueError,
           UnrecognizedFlagError, UnparsedFlagAccessError, ValidationError):
    export_value(_f, "flags." + _f.__name__, "app.flags." + _f.__name__)
del _f
