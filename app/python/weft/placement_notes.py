"""Where the program opened the device and colocation scopes in which operations were made. Each scope is noted once, with the range of nodes made inside."""

import collections
import contextlib
import functools
import os
import sys

_FOLDERS = tuple({os.path.dirname(path) + os.sep for path in (os.path.abspath(__file__), os.path.realpath(__file__))})


@functools.lru_cache(maxsize=None)
def _is_ours(path):
    """Whether a file is of this package, or only opens scopes for others. Remembered, because each variable opens scopes."""
    return path == contextlib.__file__ or path.startswith(_FOLDERS)


# A scope as debuggers ask for it: what it was given, and the line that opened it.
Place = collections.namedtuple("Place", ["obj", "filename", "lineno"])


class Note:
    """A scope: its nodes are those from `first` on, before `end`."""

    __slots__ = ("first", "end", "kind", "what", "file", "line")

    def __init__(self, graph, kind, what):
        frame = sys._getframe(2)
        while _is_ours(frame.f_code.co_filename) and frame.f_back is not None:
            frame = frame.f_back
        self.first, self.end, self.kind, self.what = graph._core.size(), None, kind, what
        self.file, self.line = frame.f_code.co_filename, frame.f_lineno
        graph._placement_notes.append(self)

    def close(self, graph):
        self.end = graph._core.size()
        if self.end == self.first and graph._placement_notes[-1] is self:
            graph._placement_notes.pop()


def _around(op):
    return [note for note in op.graph._placement_notes if note.first <= op._node and (note.end is None or op._node < note.end)]


def _shown(device):
    """A device as messages name it; a function by its name and place."""
    code = getattr(device, "__code__", None)
    return "%s<%s, %d>" % (device.__name__, code.co_filename, code.co_firstlineno) if code is not None else str(device)


def devices_of(op):
    """The device scopes of an operation as Places, innermost first. A colocation ends those around it."""
    found = []
    for note in _around(op):
        if note.kind == "device":
            found.insert(0, Place(_shown(note.what), note.file, note.line))
        else:
            found = []
    return found


def colocations_of(op):
    """{name of an operation: where its colocation scope was opened}"""
    found = {}
    for note in _around(op):
        if note.kind == "colocation":
            found[note.what] = Place(None, note.file, note.line)
        elif note.kind == "no colocation":
            found = {}
    return found
