"""tf.flags, continued: validators of several flags, aliases, enum class flags, help texts."""

import os
import re
import shutil
import sys
import textwrap
import warnings

from ..exports import export_value
from . import flags
from .flag_parsers import EnumClassListSerializer, EnumClassParser, EnumClassSerializer
from .flags import FLAGS, Flag, IllegalFlagValueError, MultiFlag


def _give(function):
    export_value(function, "flags." + function.__name__, "app.flags." + function.__name__)
    return function


@_give
class EnumClassFlag(Flag):
    """A flag whose value is a member of an Enum."""

    def __init__(self, name, default, help, enum_class, short_name=None, case_sensitive=False, **args):
        parser = EnumClassParser(enum_class, case_sensitive=case_sensitive)
        super().__init__(parser, EnumClassSerializer(lowercase=not case_sensitive), name, default, help, short_name, **args)
        self.help = "<%s>: %s" % ("|".join(parser.member_names), self.help)


@_give
class MultiEnumClassFlag(MultiFlag):
    """A flag whose value is a list of members of an Enum."""

    def __init__(self, name, default, help_string, enum_class, case_sensitive=False, **args):
        parser = EnumClassParser(enum_class, case_sensitive=case_sensitive)
        super().__init__(parser, EnumClassListSerializer(",", lowercase=not case_sensitive), name, default, help_string, **args)
        self.help = "<%s>: %s;\n    repeat this option to specify a list of values" % ("|".join(parser.member_names), help_string or "(no help available)")


@_give
def DEFINE_enum_class(name, default, enum_class, help, flag_values=None, module_name=None, case_sensitive=False, required=False, **args):
    """Declares a flag whose value is a member of an Enum."""
    help = help or "an element of %s" % enum_class.__name__ if isinstance(enum_class, type) else help
    return flags.DEFINE_flag(EnumClassFlag(name, default, help, enum_class, case_sensitive=case_sensitive, **args), flag_values, module_name, required)


@_give
def DEFINE_multi_enum_class(name, default, enum_class, help, flag_values=None, module_name=None, case_sensitive=False, required=False, **args):
    """As DEFINE_enum_class, for a flag that may be given several times."""
    return flags.DEFINE_flag(MultiEnumClassFlag(name, default, help, enum_class, case_sensitive=case_sensitive, **args), flag_values, module_name, required)


class _Alias(Flag):
    """An alias of a flag, which reads and sets the value of the original."""

    def __init__(self, name, original):
        self.original = original
        Flag.__init__(self, original.parser, original.serializer, name, original.default, "Alias for --%s." % original.name, boolean=original.boolean)
        self.multi = original.multi

    def parse(self, argument):
        self.original.parse(argument)
        self.present += 1

    def _parse_from_default(self, value):
        return value

    @property
    def value(self):
        return self.original.value

    @value.setter
    def value(self, value):
        if self.original.value is not value:
            self.original.value = value
            self.original.using_default_value = False


@_give
def DEFINE_alias(name, original_name, flag_values=None, module_name=None):
    """Declares an alias of a flag."""
    values = FLAGS if flag_values is None else flag_values
    if original_name not in values:
        raise flags.UnrecognizedFlagError(original_name)
    return values._define(_Alias(name, values[original_name]))


@_give
def set_default(flag_holder, value):
    """Changes the default of a flag."""
    getattr(flag_holder, "_flagvalues", FLAGS).set_default(getattr(flag_holder, "name", flag_holder), value)


def _check_all(names, check, message, flag_values=None):
    """Adds check(dict of the flags' values) to each of the flags, so that it runs when any of them changes."""
    values_of = flags._named(names[0], flag_values)[1] if names else FLAGS
    names = [flags._named(n, flag_values)[0] for n in names]

    def checked(_):
        values, said = {n: values_of[n].value for n in names}, message
        try:
            if check(values):
                return True
        except flags.ValidationError as e:
            said = e
        raise IllegalFlagValueError("flags %s: %s" % (", ".join("%s=%s" % item for item in values.items()), said))

    for name in names:
        if name not in values_of:
            raise AttributeError(name)
        values_of[name].validators.append((checked, message))


@_give
def register_multi_flags_validator(flag_names, multi_flags_checker, message="Flags validation failed", flag_values=None):
    """Registers multi_flags_checker({name: value}), which must return True."""
    _check_all(list(flag_names), multi_flags_checker, message, flag_values)


@_give
def multi_flags_validator(flag_names, message="Flag validation failed", flag_values=None):
    """Decorator: registers the function as validator of several flags."""
    def mark(function):
        register_multi_flags_validator(flag_names, function, message, flag_values)
        return function

    return mark


@_give
def validator(flag_name, message="Flag validation failed", flag_values=None):
    """Decorator: registers the function as validator of one flag's value."""
    def mark(function):
        flags.register_validator(flag_name, function, message, flag_values)
        return function

    return mark


@_give
def mark_flags_as_mutual_exclusive(flag_names, required=False, flag_values=None):
    """At most one of the flags may be other than None; `required`: exactly one."""
    for name in flag_names:
        name, values = flags._named(name, flag_values)
        if values[name].default is not None:
            warnings.warn("Flag --{} has a non-None default value. That does not make sense with mark_flags_as_mutual_exclusive, which checks whether the listed flags "
                          "have a value other than None.".format(name), stacklevel=2)

    def check(values):
        count = sum(1 for v in values.values() if v is not None)
        if count == 1 or (not required and count == 0):
            return True
        raise flags.ValidationError("%s one of (%s) must have a value other than None." % ("Exactly" if required else "At most", ", ".join(flag_names)))

    _check_all(list(flag_names), check, "", flag_values)


@_give
def mark_bool_flags_as_mutual_exclusive(flag_names, required=False, flag_values=None):
    """At most one of the boolean flags may be true; `required`: exactly one."""
    for name in flag_names:
        name, values = flags._named(name, flag_values)
        if not values[name].boolean:
            raise flags.ValidationError("Flag --{} is not Boolean, which is required for flags used in mark_bool_flags_as_mutual_exclusive.".format(name))

    def check(values):
        count = sum(bool(v) for v in values.values())
        if count == 1 or (not required and count == 0):
            return True
        raise flags.ValidationError("%s one of (%s) must be True." % ("Exactly" if required else "At most", ", ".join(flag_names)))

    _check_all(list(flag_names), check, "", flag_values)


@_give
def declare_key_flag(flag_name, flag_values=None):
    """Lists a flag of another module in the help of the calling module."""
    if flag_name not in FLAGS:
        raise ValueError("Flag --%s is undefined. To set a flag as a key flag first define it in Python." % flag_name)


@_give
def adopt_module_key_flags(module, flag_values=None):
    """Lists all flags of `module` in the help of the calling module."""
    if not hasattr(module, "__name__"):
        raise flags.Error("Expected a module object, not {}.".format(module))


@_give
def disclaim_key_flags():
    """Has no effect: flags always count as those of the module that declares them."""


@_give
def flag_dict_to_args(flag_map, multi_flags=None):
    """Values by name as command line arguments."""
    for key, value in flag_map.items():
        if value is None:
            yield "--%s" % key
        elif isinstance(value, bool):
            yield "--%s" % key if value else "--no%s" % key
        elif isinstance(value, (bytes, str)):
            yield "--%s=%s" % (key, value)
        else:
            try:
                items = list(value)
            except TypeError:
                yield "--%s=%s" % (key, value)
                continue
            if multi_flags and key in multi_flags:
                for item in items:
                    yield "--%s=%s" % (key, item)
            else:
                yield "--%s=%s" % (key, ",".join(str(item) for item in items))


@_give
def get_help_width():
    """The width of help texts in columns."""
    if not sys.stdout.isatty():
        return 80
    columns = shutil.get_terminal_size().columns
    return columns if columns >= 40 else int(os.environ.get("COLUMNS", 80))


@_give
def text_wrap(text, length=None, indent="", firstline_indent=None):
    """A text wrapped to lines of at most `length` columns; empty lines are kept."""
    length = get_help_width() if length is None else length
    if len(indent) >= length:
        raise ValueError("Length of indent exceeds length")
    first = indent if firstline_indent is None else firstline_indent
    if len(first) >= length:
        raise ValueError("Length of first line indent exceeds length")
    out = []
    for paragraph in (p.strip() for p in text.splitlines()):
        if paragraph:
            out.extend(textwrap.wrap(paragraph, width=length, initial_indent=indent if out else first, subsequent_indent=indent, expand_tabs=True, tabsize=4))
        else:
            out.append("")
    return "\n".join(out)


@_give
def doc_to_help(doc):
    """A docstring as help text: the lines of each paragraph are joined."""
    doc = re.sub("^[ \t]+$", "", doc.strip(), flags=re.M)
    lines = doc.splitlines()
    if len(lines) > 1:
        doc = lines[0] + "\n" + textwrap.dedent("\n".join(lines[1:]))
    doc = re.sub(r"(?<=\S)\n(?=[^\s\-*\d])", " ", doc)
    return doc
