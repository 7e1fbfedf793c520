"""tf.flags: conversion between command line arguments and flag values."""

import csv
import enum
import io

from ..exports import export


def give(what):
    """Decorator: exports in tf.flags and tf.app.flags."""
    return export("flags." + what.__name__, "app.flags." + what.__name__)(what)


@give
class ArgumentParser:
    """Returns strings unchanged; programs' own parsers override parse() and flag_type()."""

    syntactic_help = ""
    type_name = "string"

    def parse(self, argument):
        if not isinstance(argument, str):
            raise TypeError('flag value must be a string, found "{}"'.format(type(argument)))
        return argument

    def flag_type(self):
        return self.type_name


class _Numbers(ArgumentParser):
    def __init__(self, lower_bound=None, upper_bound=None):
        self.lower_bound, self.upper_bound = lower_bound, upper_bound
        self.syntactic_help = self._help(lower_bound, upper_bound)

    def _help(self, lower, upper):
        full = "%s %s" % (self.number_article, self.number_name)
        if lower is not None and upper is not None:
            return "%s in the range [%s, %s]" % (full, lower, upper)
        for bound, signs, sign in ((lower, self.lower_words, ">="), (upper, self.upper_words, "<=")):
            if bound is not None:
                return "a %s %s" % (signs[bound], self.number_name) if bound in signs else "%s %s %s" % (self.number_name, sign, bound)
        return full

    lower_words, upper_words = {0: "non-negative"}, {0: "non-positive"}

    def is_outside_bounds(self, val):
        return self.lower_bound is not None and val < self.lower_bound or self.upper_bound is not None and val > self.upper_bound

    def parse(self, argument):
        number = self.convert(argument)
        if self.is_outside_bounds(number):
            raise ValueError("%s is not %s" % (number, self.syntactic_help))
        return number


@give
class FloatParser(_Numbers):
    number_article, number_name, type_name = "a", "number", "float"
    syntactic_help = "a number"

    def convert(self, argument):
        if not isinstance(argument, (str, int, float)) or isinstance(argument, bool):
            raise TypeError("Expect argument to be a string, int, or float, found {}".format(type(argument)))
        return float(argument)


@give
class IntegerParser(_Numbers):
    number_article, number_name, type_name = "an", "integer", "int"
    syntactic_help = "an integer"
    lower_words, upper_words = {0: "non-negative", 1: "positive"}, {0: "non-positive", -1: "negative"}

    def convert(self, argument):
        if isinstance(argument, str):
            base = {"0o": 8, "0x": 16}.get(argument[:2], 10) if len(argument) > 2 else 10
            return int(argument, base)
        if isinstance(argument, int) and not isinstance(argument, bool):
            return int(argument)
        raise TypeError("Expect argument to be a string or int, found {}".format(type(argument)))


@give
class BooleanParser(ArgumentParser):
    type_name = "bool"
    _words = {"true": True, "t": True, "1": True, "false": False, "f": False, "0": False}

    def parse(self, argument):
        if isinstance(argument, str):
            if argument.lower() in self._words:
                return self._words[argument.lower()]
        elif not isinstance(argument, int):
            raise TypeError("Non-boolean argument to boolean flag", argument)
        elif argument == bool(argument):
            return bool(argument)
        raise ValueError("Non-boolean argument to boolean flag", argument)


@give
class EnumParser(ArgumentParser):
    """Accepts one of several strings."""

    type_name = "string enum"

    def __init__(self, enum_values, case_sensitive=True):
        if not enum_values:
            raise ValueError('enum_values cannot be empty, found "{}"'.format(enum_values))
        if isinstance(enum_values, str):
            raise ValueError('enum_values cannot be a str, found "{}"'.format(enum_values))
        self.enum_values, self.case_sensitive = list(enum_values), case_sensitive

    def parse(self, argument):
        for value in self.enum_values:
            if value == argument or not self.case_sensitive and value.upper() == argument.upper():
                return value
        raise ValueError("value should be one of <%s>" % "|".join(self.enum_values))


@give
class EnumClassParser(ArgumentParser):
    """Accepts the name of a member of an Enum."""

    type_name = "enum class"

    def __init__(self, enum_class, case_sensitive=True):
        if not (isinstance(enum_class, type) and issubclass(enum_class, enum.Enum)):
            raise TypeError("{} is not a subclass of Enum.".format(enum_class))
        if not enum_class.__members__:
            raise ValueError('enum_class cannot be empty, but "{}" is empty.'.format(enum_class))
        names = list(enum_class.__members__)
        if not case_sensitive:
            lower = [n.lower() for n in names]
            twice = {n for n in lower if lower.count(n) > 1}
            if twice:
                raise ValueError("Duplicate enum values for {} using case_sensitive=False".format(twice))
            names = lower
        self.enum_class, self._case_sensitive, self.member_names = enum_class, case_sensitive, tuple(names)

    def parse(self, argument):
        if isinstance(argument, self.enum_class):
            return argument
        if not isinstance(argument, str):
            raise ValueError("{} is not an enum member or a name of a member in {}".format(argument, self.enum_class))
        name = EnumParser(self.member_names, self._case_sensitive).parse(argument)
        return list(self.enum_class.__members__.values())[self.member_names.index(name)]


@give
class BaseListParser(ArgumentParser):
    def __init__(self, token=None, name=None):
        assert name
        self._token, self._name = token, name
        self.syntactic_help = "a %s separated list" % name

    def parse(self, argument):
        if isinstance(argument, list):
            return argument
        return [s.strip() for s in self._parts(argument)] if argument else []

    def _parts(self, argument):
        return argument.split(self._token)

    def flag_type(self):
        return "%s separated list of strings" % self._name


@give
class ListParser(BaseListParser):
    def __init__(self):
        super().__init__(",", "comma")

    def _parts(self, argument):
        try:
            return list(csv.reader([argument], strict=True))[0]
        except csv.Error as e:
            raise ValueError("Unable to parse the value %r as a %s: %s" % (argument, self.flag_type(), e))


@give
class WhitespaceSeparatedListParser(BaseListParser):
    def __init__(self, comma_compat=False):
        self._comma_compat = comma_compat
        super().__init__(None, "whitespace or comma" if comma_compat else "whitespace")

    def _parts(self, argument):
        return (argument.replace(",", " ") if self._comma_compat else argument).split()


@give
class ArgumentSerializer:
    def serialize(self, value):
        return str(value)


@give
class ListSerializer(ArgumentSerializer):
    def __init__(self, list_sep):
        self.list_sep = list_sep

    def serialize(self, value):
        return self.list_sep.join(str(x) for x in value)


@give
class CsvListSerializer(ListSerializer):
    def serialize(self, value):
        out = io.StringIO()
        csv.writer(out, delimiter=self.list_sep).writerow([str(x) for x in value])
        return out.getvalue().strip()


@give
class EnumClassSerializer(ArgumentSerializer):
    def __init__(self, lowercase):
        self._lowercase = lowercase

    def serialize(self, value):
        return value.name.lower() if self._lowercase else value.name


@give
class EnumClassListSerializer(ListSerializer):
    def __init__(self, list_sep, **kwargs):
        super().__init__(list_sep)
        self._one = EnumClassSerializer(**kwargs)

    def serialize(self, value):
        return self.list_sep.join(self._one.serialize(v) for v in (value if isinstance(value, list) else [value]))
