"""tf.flags: options of the command line, declared with DEFINE_… and read from FLAGS."""

import csv
import io
import os
import sys

from ..exports import export, export_value


class Error(Exception):
    """What is wrong with flags."""


class DuplicateFlagError(Error):
    """A flag of that name was declared before."""


class IllegalFlagValueError(Error):
    """The text cannot be a value of the flag."""


class UnparsedFlagAccessError(Error):
    """A flag was read before the command line was."""


class ValidationError(Error):
    """A required flag has no value, or a validator refused it."""


class UnrecognizedFlagError(Error):
    """There is no flag of that name."""

    def __init__(self, flagname, flagvalue=""):
        self.flagname = flagname
        self.flagvalue = flagvalue
        super().__init__("Unknown command line flag '%s'" % flagname)


class _Parser:
    """Turns text into a value and back."""

    syntax = ""

    def parse(self, value):
        return value

    def text(self, value):
        return str(value)

    type_name = "string"


class _Number(_Parser):
    def __init__(self, kind, lower, upper):
        self.kind, self.lower, self.upper = kind, lower, upper
        self.type_name = "int" if kind is int else "float"
        article, noun = ("an ", "integer") if kind is int else ("a ", "number")
        if lower is not None and upper is not None:
            self.syntax = "%s%s in the range [%s, %s]" % (article, noun, lower, upper)
        elif lower is not None:
            known = {1: "a positive %s", 0: "a non-negative %s"}.get(lower)
            self.syntax = known % noun if known else "%s >= %s" % (noun, lower)
        elif upper is not None:
            known = {-1: "a negative %s", 0: "a non-positive %s"}.get(upper)
            self.syntax = known % noun if known else "%s <= %s" % (noun, upper)
        else:
            self.syntax = article + noun

    def parse(self, value):
        if self.kind is int:
            if isinstance(value, str):
                base = 10
                if len(value) > 2 and value[0] == "0":
                    base = {"o": 8, "x": 16}.get(value[1], 10)
                number = int(value, base)
            elif isinstance(value, int) and not isinstance(value, bool):
                number = int(value)
            else:
                raise TypeError("Expect argument to be a string or int, found {}".format(type(value)))
        else:
            if not isinstance(value, (str, int, float)) or isinstance(value, bool):
                raise TypeError("Expect argument to be a string, int, or float, found {}".format(type(value)))
            number = float(value)
        if (self.lower is not None and number < self.lower) or (self.upper is not None and number > self.upper):
            raise ValueError("%s is not %s" % (number, self.syntax))
        return number

    def text(self, value):
        return str(value)


class _Bool(_Parser):
    type_name = "bool"

    def parse(self, value):
        if isinstance(value, str):
            if value.lower() in ("true", "t", "1"):
                return True
            if value.lower() in ("false", "f", "0"):
                return False
            raise ValueError("Non-boolean argument to boolean flag", value)
        if isinstance(value, int) and value == bool(value):
            return bool(value)
        if isinstance(value, int):
            raise ValueError("Non-boolean argument to boolean flag", value)
        raise TypeError("Non-boolean argument to boolean flag", value)

    def text(self, value):
        return "true" if value else "false"


class _Enum(_Parser):
    type_name = "string enum"

    def __init__(self, values, case_sensitive=True):
        if not values:
            raise ValueError('enum_values cannot be empty, found "{}"'.format(values))
        self.values, self.case_sensitive = list(values), case_sensitive

    def parse(self, value):
        for v in self.values:
            if v == value or (not self.case_sensitive and v.lower() == str(value).lower()):
                return v
        raise ValueError("value should be one of <%s>" % "|".join(self.values))


class _List(_Parser):
    type_name = "comma separated list of strings"
    syntax = "a comma separated list"

    def parse(self, value):
        if isinstance(value, list):
            return value
        if not value:
            return []
        return [s.strip() for s in list(csv.reader([value], strict=True))[0]]

    def text(self, value):
        out = io.StringIO()
        csv.writer(out).writerow([str(x) for x in value])
        return out.getvalue().strip()


class _SpaceList(_Parser):
    type_name = "whitespace separated list of strings"
    syntax = "a whitespace separated list"

    def parse(self, value):
        return value if isinstance(value, list) else (value or "").split()

    def text(self, value):
        return " ".join(value)


class Flag:
    """One flag: `name`, `value`, `default`, `help`, `present` (how often it was given)."""

    boolean = False
    multi = False

    def __init__(self, parser, name, default, help, short_name=None):
        self.name, self.help, self.parser, self.short_name = name, help if help else "(no help available)", parser, short_name
        self.boolean = isinstance(parser, _Bool)
        self.present, self.using_default_value, self.module = 0, True, ""
        self.validators = []
        self.required = False
        self.default = self._checked(default) if default is not None else None
        self.value = self.default

    default_unparsed = property(lambda self: self.default)

    def _checked(self, argument):
        try:
            return self.parser.parse(argument)
        except (TypeError, ValueError) as e:
            raise IllegalFlagValueError("flag --%s=%s: %s" % (self.name, argument, e)) from None

    def parse(self, argument):
        """Takes a value from the command line."""
        self.value = self._checked(argument)
        self.present += 1
        self.using_default_value = False

    def unparse(self):
        self.value, self.using_default_value, self.present = self.default, True, 0

    def flag_type(self):
        return self.parser.type_name

    def default_text(self):
        return None if self.default is None else repr(self.parser.text(self.default))

    def __lt__(self, other):
        return self.name < other.name


class _MultiFlag(Flag):
    multi = True

    def _checked(self, argument):
        items = argument if isinstance(argument, (list, tuple)) else [argument]
        return [Flag._checked(self, item) for item in items]

    def parse(self, argument):
        new = self._checked(argument)
        self.value = self.value + new if self.present else new
        self.present += len(new)
        self.using_default_value = False

    def default_text(self):
        return None if self.default is None else repr(str(self.default))

    def flag_type(self):
        return "multi " + self.parser.type_name


def _main_name():
    return sys.argv[0] if sys.argv else ""


class FlagValues:
    """All flags of the program. The command line is read at the first access."""

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
        old = self._all().get(flag.name)
        if old is not None and old.module != flag.module:
            raise DuplicateFlagError(
                "The flag '%s' is defined twice. First from %s, Second from %s.  Description from first occurrence: %s"
                % (flag.name, old.module, flag.module, old.help)
            )
        if old is not None:
            raise DuplicateFlagError(
                "The flag '%s' is defined twice. First from %s, Second from %s.  Description from first occurrence: %s"
                % (flag.name, old.module, flag.module, old.help)
            )
        self._all()[flag.name] = flag
        if flag.short_name:
            self._all()[flag.short_name] = flag

    def __getattr__(self, name):
        if name in ("__flags",):
            return self.__dict__[name]
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        if not self.__dict__["_parsed"]:
            self(sys.argv, known_only=True)
        if name not in self._all():
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

    def is_parsed(self):
        return self.__dict__["_parsed"]

    def mark_as_parsed(self):
        self.__dict__["_parsed"] = True

    def unparse_flags(self):
        for flag in self._all().values():
            flag.unparse()
        self.__dict__["_parsed"] = False

    def flag_values_dict(self):
        """Name to value."""
        return {name: flag.value for name, flag in self._all().items()}

    def get_flag_value(self, name, default):
        value = self.__getattr__(name)
        return default if value is None else value

    def set_default(self, name, value):
        if name not in self._all():
            raise UnrecognizedFlagError(name)
        flag = self._all()[name]
        flag.default = None if value is None else flag._checked(value)
        if flag.using_default_value:
            flag.value = flag.default

    def _parse_flags(self, args=None):
        """The name that old programs call."""
        if args is None:
            args = sys.argv
        return self(args, known_only=True)

    def __call__(self, argv, known_only=False):
        """Reads a command line, whose first word is the program; gives what is left of it."""
        if isinstance(argv, (str, bytes)):
            raise TypeError("argv should be a tuple/list of strings, not bytes or string.")
        if not argv:
            raise ValueError("argv cannot be an empty list, and must contain the program name as the first element.")
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


FLAGS = export_value(FlagValues(), "flags.FLAGS", "app.flags.FLAGS")


def _help_of(flag):
    form = "--[no]%s" % flag.name if flag.boolean else "--%s" % flag.name
    if flag.short_name:
        form = "-%s,%s" % (flag.short_name, form)
    parser = flag.parser
    text = "  %s: " % form + ("<%s>: " % "|".join(parser.values) if isinstance(parser, _Enum) else "") + flag.help
    if flag.multi:
        text += ";\n    repeat this option to specify a list of values"
    if flag.default_text() is not None:
        text += "\n    (default: %s)" % flag.default_text()
    if parser.syntax:
        text += "\n    (%s)" % parser.syntax
    return text


def flags_help(full=False):
    """The flags as --help lists them: of the main program, or all."""
    groups = {}
    for flag in set(FLAGS._all().values()):
        groups.setdefault(flag.module, []).append(flag)
    main = _main_name()
    order = ([main] if main in groups else []) + (sorted(m for m in groups if m != main) if full else [])
    parts = ["\n%s:\n%s" % (os.path.basename(m) if m == main else m, "\n".join(_help_of(f) for f in sorted(groups[m]))) for m in order]
    return "\n".join(parts)


def print_help(full=False):
    """What --help prints."""
    doc = getattr(sys.modules.get("__main__"), "__doc__", None)
    doc = doc.replace("%s", sys.argv[0]) if doc else "\nUSAGE: %s [flags]\n" % _main_name()
    sys.stdout.write("\n" + doc + "\nflags:\n" + flags_help(full) + "\n" + ("" if full else "\nTry --helpfull to get a list of all flags.\n"))


def _definer(names, make):
    for name in names:
        export_value(make, "flags." + name, "app.flags." + name)
        make.__name__ = name
    return make


def _simple(names, parser, multi=False):
    def define(name=None, default=None, help=None, flag_name=None, default_value=None, docstring=None, short_name=None, **args):
        # TensorFlow's own names of the three arguments, up to 1.4.
        name = name if flag_name is None else flag_name
        default = default if default_value is None else default_value
        help = help if docstring is None else docstring
        args.pop("flag_values", None)
        args.pop("module_name", None)
        FLAGS._define((_MultiFlag if multi else Flag)(parser(**args), name, default, help, short_name))

    return _definer(names, define)


DEFINE_string = _simple(["DEFINE_string"], lambda: _Parser())
DEFINE_integer = _simple(["DEFINE_integer"], lambda lower_bound=None, upper_bound=None: _Number(int, lower_bound, upper_bound))
DEFINE_float = _simple(["DEFINE_float"], lambda lower_bound=None, upper_bound=None: _Number(float, lower_bound, upper_bound))
DEFINE_boolean = _simple(["DEFINE_boolean", "DEFINE_bool"], lambda: _Bool())
DEFINE_bool = DEFINE_boolean
DEFINE_list = _simple(["DEFINE_list"], lambda: _List())
DEFINE_spaceseplist = _simple(["DEFINE_spaceseplist"], lambda comma_compat=False: _SpaceList())
DEFINE_multi_string = _simple(["DEFINE_multi_string"], lambda: _Parser(), multi=True)
DEFINE_multi_integer = _simple(["DEFINE_multi_integer"], lambda lower_bound=None, upper_bound=None: _Number(int, lower_bound, upper_bound), multi=True)
DEFINE_multi_float = _simple(["DEFINE_multi_float"], lambda lower_bound=None, upper_bound=None: _Number(float, lower_bound, upper_bound), multi=True)


def DEFINE_enum(name, default, enum_values, help, flag_values=None, module_name=None, case_sensitive=True, short_name=None):
    """A flag whose value is one of `enum_values`."""
    FLAGS._define(Flag(_Enum(enum_values, case_sensitive), name, default, help, short_name))


def DEFINE_multi_enum(name, default, enum_values, help, flag_values=None, module_name=None, case_sensitive=True, short_name=None):
    """As DEFINE_enum, and the flag may be given several times."""
    FLAGS._define(_MultiFlag(_Enum(enum_values, case_sensitive), name, default, help, short_name))


def mark_flag_as_required(flag_name, flag_values=None):
    """The command line must give the flag a value."""
    FLAGS._all()[flag_name].required = True


def mark_flags_as_required(flag_names, flag_values=None):
    for name in flag_names:
        mark_flag_as_required(name)


def register_validator(flag_name, checker, message="Flag validation failed", flag_values=None):
    """checker(value) must be true, else the flag's value is refused with `message`."""
    FLAGS._all()[flag_name].validators.append((checker, message))


for _f in (DEFINE_enum, DEFINE_multi_enum, mark_flag_as_required, mark_flags_as_required, register_validator, FlagValues, Flag, Error, DuplicateFlagError,
           IllegalFlagValueError, UnrecognizedFlagError, UnparsedFlagAccessError, ValidationError):
    export_value(_f, "flags." + _f.__name__, "app.flags." + _f.__name__)
del _f
