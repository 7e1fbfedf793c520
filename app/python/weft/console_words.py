"""Completion and help for the console: names, attributes, arguments, nodes; signatures and documentation from the op records."""

import builtins
import inspect
import keyword
import re
import types

_TAIL = re.compile(r"[^\W\d][\w.]*$|(?<=\.)$")
_CALL = re.compile(r"([^\W\d][\w.]*)\s*\($")
_MOST = 400


def _kind(value):
    if isinstance(value, types.ModuleType):
        return "module"
    if isinstance(value, type):
        return "class"
    return "function" if callable(value) else type(value).__name__


def message_fields(value):
    """[(field, type)] of a protocol message class; [] for anything else."""
    descriptor = getattr(value, "DESCRIPTOR", None)
    if not isinstance(value, type) or not hasattr(descriptor, "fields"):
        return []
    out = []
    for field in descriptor.fields:
        plain = "bytes" if field.type == field.TYPE_BYTES else "str" if field.type == field.TYPE_STRING else "float" if field.cpp_type in (field.CPPTYPE_FLOAT, field.CPPTYPE_DOUBLE) else \
            "bool" if field.type == field.TYPE_BOOL else "int"
        kind = field.message_type.name if field.message_type is not None else field.enum_type.name if field.enum_type is not None else plain
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            entry = field.message_type.fields_by_name["value"]
            kind = "{text: %s}" % (entry.message_type.name if entry.message_type is not None else "value")
        elif field.label == field.LABEL_REPEATED:
            kind = "[%s]" % kind
        out.append((field.name, kind))
    return out


def _open_call(text):
    """The name before the innermost open bracket, or ''."""
    depth, i, quote = 0, len(text) - 1, _open_quote(text)
    if quote is not None:
        i = quote - 1
    while i >= 0:
        c = text[i]
        if c in ")]}":
            depth += 1
        elif c in "([{":
            if depth == 0:
                found = _CALL.search(text[: i + 1]) if c == "(" else None
                return found.group(1) if found else ""
            depth -= 1
        i -= 1
    return ""


def _open_quote(text):
    """Start of the unterminated string literal in the last line, or None."""
    line = text.rfind("\n") + 1
    opened = None
    i = line
    while i < len(text):
        c = text[i]
        if opened is None and c in "'\"":
            opened = i
        elif opened is not None and c == "\\":
            i += 1
        elif opened is not None and c == text[opened]:
            opened = None
        elif opened is None and c == "#":
            break
        i += 1
    return opened


class Words:
    def __init__(self, names):
        self._names = names

    def value(self, path):
        """The object that a dotted name refers to; raises if there is none. Only reads attributes, calls nothing."""
        first, *rest = path.split(".")
        value = self._names[first] if first in self._names else getattr(builtins, first)
        for name in rest:
            value = getattr(value, name)
        return value

    def complete(self, text):
        """(start of the last word of `text`, its completions as [word, kind])"""
        quote = _open_quote(text)
        if quote is not None:
            return quote + 1, self._nodes(text[quote + 1:])
        found = _TAIL.search(text)
        if not found and text and not text[-1].isspace() and text[-1] not in "([{=,+-*/%<>!&|^~:;@":
            return len(text), []
        path = found.group(0) if found else ""
        head, dot, start = path.rpartition(".")
        words = {}
        if dot:
            try:
                owner = self.value(head)
                for name in dir(owner):
                    if name.startswith(start) and (start.startswith("_") or not name.startswith("_")):
                        words[name] = ""
                for name in list(words)[:_MOST]:
                    try:
                        words[name] = _kind(inspect.getattr_static(owner, name) if not isinstance(owner, types.ModuleType) else getattr(owner, name))
                    except Exception:  # dir() lists it, but reading it fails
                        pass
            except Exception:  # no such object: no completions
                return len(text), []
        else:
            called = _open_call(text)
            if called:
                try:
                    for name, _ in message_fields(self.value(called)):
                        if name.startswith(start):
                            words[name + "="] = "argument"
                    for name in inspect.signature(self.value(called)).parameters:
                        if name.startswith(start):
                            words[name + "="] = "argument"
                except Exception:  # not every callable has a signature
                    pass
            for name, value in list(self._names.items()):
                if name.startswith(start) and not name.startswith("__"):
                    words.setdefault(name, _kind(value))
            if start:
                for name in keyword.kwlist:
                    if name.startswith(start):
                        words.setdefault(name, "keyword")
                for name in dir(builtins):
                    if name.startswith(start) and not name.startswith("_"):
                        words.setdefault(name, _kind(getattr(builtins, name)))
        ordered = sorted(words, key=lambda w: (words[w] != "argument", w.lower()))
        return len(text) - len(start), [[w, words[w]] for w in ordered[:_MOST]]

    def _nodes(self, start):
        """Names of nodes and tensors that complete a string being typed."""
        graph = self._names.get("graph")
        out = []
        if graph is not None:
            for op in graph.get_operations():
                if op.name.startswith(start.partition(":")[0]):
                    if ":" in start:
                        out += [[t.name, "tensor"] for t in op.outputs if t.name.startswith(start)]
                    else:
                        out.append([op.name, "node"])
                if len(out) >= _MOST:
                    break
        return out

    def describe(self, text, cursor):
        """Signature and documentation of the name at the cursor, or of the function call around it."""
        begin = end = cursor
        while begin > 0 and (text[begin - 1].isalnum() or text[begin - 1] in "_."):
            begin -= 1
        while end < len(text) and (text[end].isalnum() or text[end] == "_"):
            end += 1
        for path in (text[begin:end].strip("."), _open_call(text[:cursor])):
            if not path:
                continue
            try:
                value = self.value(path)
            except Exception:
                continue
            lines = []
            fields = message_fields(value)
            if fields:
                choice = [o for o in value.DESCRIPTOR.oneofs if len(o.fields) > 1]
                lines = ["%s(%s)" % (path, ", ".join("%s: %s" % f for f in fields))]
                lines += ["", "A protocol message: arguments by name only."]
                lines += ["One of %s." % ", ".join(f.name for f in o.fields) for o in choice]
                return "\n".join(lines)
            try:
                lines.append(path + str(inspect.signature(value)))
            except Exception:
                lines.append("%s: %s" % (path, type(value).__name__))
            if not callable(value) and not isinstance(value, types.ModuleType):
                from .debug.line_stops import short_text

                lines.append(short_text(value))
            doc = inspect.getdoc(value)
            if doc and (callable(value) or isinstance(value, types.ModuleType) or doc != inspect.getdoc(type(value))):
                lines += ["", doc]
            return "\n".join(lines)
        return ""
