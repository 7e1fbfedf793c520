"""Stack traces of the program (tensorflow.python.util.tf_stack), which programs may inspect and change."""

import collections
import inspect
import linecache
import sys
import threading

TB_FILENAME, TB_LINENO, TB_FUNCNAME, TB_CODEDICT = range(4)
_source_mapper_stacks = collections.defaultdict(list)
_source_filter_stacks = collections.defaultdict(list)


class StackFrame(collections.namedtuple("StackFrame", ["filename", "lineno", "name", "globals", "func_start_lineno"])):
    """A call: file, line, function, module globals, first line of the function."""

    __slots__ = ()


class StackTraceTransform:
    """Changes stack traces taken inside; applies to one thread."""

    _stack_dict = None
    _thread_key = None

    def __enter__(self):
        self.reset()
        if self._thread_key is None:
            self._thread_key = threading.get_ident()
        else:
            assert self._thread_key == threading.get_ident(), "Shared across threads?"
        stack = self._stack_dict[self._thread_key]
        self.parent = stack[-1] if stack else None
        stack.append(self)
        return self

    def __exit__(self, unused_type, unused_value, unused_traceback):
        top = self._stack_dict[self._thread_key].pop()
        assert top is self, "Concurrent access?"

    def reset(self):
        """Drops cached results."""


class StackTraceMapper(StackTraceTransform):
    """Maps source lines to other ones."""

    _stack_dict = _source_mapper_stacks

    def reset(self):
        self._effective_source_map = None

    def get_effective_source_map(self):
        """(file, line) -> (file, line, function)"""
        raise NotImplementedError("subclasses need to override this")


class StackTraceFilter(StackTraceTransform):
    """Omits calls in some files."""

    _stack_dict = _source_filter_stacks

    def reset(self):
        self._filtered_filenames = None

    def get_filtered_filenames(self):
        raise NotImplementedError("subclasses need to override this")


class CurrentModuleFilter(StackTraceFilter):
    """Omits calls in the module that created the filter."""

    def __init__(self):
        self._filename = inspect.getsourcefile(sys._getframe(1))

    def get_filtered_filenames(self):
        if self._filtered_filenames is None:
            above = self.parent.get_filtered_filenames() if self.parent is not None else frozenset()
            self._filtered_filenames = frozenset((self._filename,)) | above
        return self._filtered_filenames


def extract_stack(limit=-1):
    """The calls up to the calling function, innermost last; at most `limit` unless that is negative or None."""
    limit = -1 if limit is None else limit
    key = threading.get_ident()
    mappers, filters = _source_mapper_stacks[key], _source_filter_stacks[key]
    sources = mappers[-1].get_effective_source_map() if mappers else {}
    left_out = filters[-1].get_filtered_filenames() if filters else ()
    found, frame = [], sys._getframe(1)
    while frame is not None and (limit < 0 or len(found) < limit):
        code = frame.f_code
        file, line, name = sources.get((code.co_filename, frame.f_lineno), (code.co_filename, frame.f_lineno, code.co_name))
        if file not in left_out or not found:
            found.append(StackFrame(file, line, name, frame.f_globals, code.co_firstlineno))
        frame = frame.f_back
    return found[::-1]


def convert_stack(stack, include_func_start_lineno=False):
    """The calls as tuples (file, line, function, source line, and optionally the first line of the function)."""
    found = []
    for frame in stack:
        linecache.checkcache(frame.filename)
        line = linecache.getline(frame.filename, frame.lineno, frame.globals).strip() or None
        found.append((frame.filename, frame.lineno, frame.name, line) + ((frame.func_start_lineno,) if include_func_start_lineno else ()))
    return tuple(found)
