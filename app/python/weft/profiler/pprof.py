"""The code view as a gzipped file in the format of pprof's profile.proto, reduced to the fields that a profile of lines needs."""

import gzip

from .. import wire


def _packed(values):
    return b"".join(wire.varint(v) for v in values)


class _Numbered:
    """Numbers objects in order of appearance, starting at `first`."""

    def __init__(self, first):
        self._first, self._numbers = first, {}

    def __call__(self, thing):
        return self._numbers.setdefault(thing, len(self._numbers) + self._first)

    def __iter__(self):
        return iter(self._numbers)


def profile(root, field, unit):
    """A serialized profile in which each node of the graph is a leaf below the lines that made it; samples count `field` of the rows."""
    strings, functions, locations = _Numbered(0), _Numbered(1), _Numbered(1)
    strings("")
    samples = []

    def location(file, function, line):
        module = file.rpartition("/")[2].rpartition(".")[0]
        return locations((functions((strings("%s:%s" % (module, function) if file else function), strings(file))), line))

    todo = [(child, ()) for child in root.children]
    while todo:
        row, above = todo.pop()
        here = (location(row.frame[0], row.frame[2], row.frame[1]),) + above
        for facts, own in row.parts():
            if own[field]:
                samples.append(((location("", "graph node:" + facts.name, 0),) + here, (own["run_count"], own[field])))
        todo += [(child, here) for child in row.children]

    out = b"".join(wire.field(1, wire.field(1, strings(kind)) + wire.field(2, strings(kind_unit))) for kind, kind_unit in (("count", "count"), (field, unit)))
    out += b"".join(wire.field(2, wire.field(1, _packed(stack)) + wire.field(2, _packed(values))) for stack, values in samples)
    out += b"".join(wire.field(4, wire.field(1, n) + wire.field(4, wire.field(1, function) + wire.field(2, line))) for n, (function, line) in enumerate(locations, 1))
    out += b"".join(wire.field(5, wire.field(1, n) + wire.field(2, name) + wire.field(4, file)) for n, (name, file) in enumerate(functions, 1))
    out += b"".join(wire.field(6, text.encode()) for text in strings)
    return gzip.compress(out)
