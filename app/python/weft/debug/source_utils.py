"""tensorflow.python.debug.lib.source_utils: which lines of a program made the nodes of a dump, and what they cost."""

import math
import os
import re

from . import profiling

UNCOMPILED_SOURCE_SUFFIXES = (".py",)
COMPILED_SOURCE_SUFFIXES = (".pyc", ".pyo")

# The package's folder, also where its files are links to those of a checkout.
_FOLDERS = {os.path.dirname(os.path.dirname(path)) for path in (os.path.abspath(__file__), os.path.realpath(__file__))}


def _absolute(path):
    return os.path.normpath(os.path.abspath(path))


def is_extension_uncompiled_python_source(file_path):
    return os.path.splitext(file_path)[1].lower() in UNCOMPILED_SOURCE_SUFFIXES


def is_extension_compiled_python_source(file_path):
    return os.path.splitext(file_path)[1].lower() in COMPILED_SOURCE_SUFFIXES


def guess_is_tensorflow_py_library(py_file_path):
    """Whether a Python file belongs to this package and is no test of it."""
    if not is_extension_uncompiled_python_source(py_file_path) and not is_extension_compiled_python_source(py_file_path):
        raise ValueError("Input file path (%s) is not a Python source file." % py_file_path)
    path = _absolute(py_file_path)
    return any(path.startswith(folder + os.sep) for folder in _FOLDERS) and not path.endswith("_test.py")


def load_source(source_file_path):
    """The lines of a file, and the width of a column for their numbers."""
    with open(source_file_path, encoding="utf-8") as f:
        lines = f.read().split("\n")
    return lines, math.ceil(math.log10(len(lines))) + 3


def _in_range(line, min_line, max_line):
    return (min_line is None or line >= min_line) and (max_line is None or line < max_line)


def _need_graph(dump, message):
    if not dump.python_graph:
        raise ValueError("%s due to a lack of set Python graph in the dump object" % message)
    return dump.python_graph.get_operations()


def annotate_source(dump, source_file_path, do_dumped_tensors=False, file_stack_top=False, min_line=None, max_line=None):
    """{line: names of the operations that it made, or of their dumped tensors}. A line that calls a function made what the function made, unless `file_stack_top`."""
    source, found = _absolute(source_file_path), {}
    for op in _need_graph(dump, "Cannot perform source annotation"):
        for file, line, _, _ in reversed(dump.node_traceback(op.name)):
            if not _in_range(line, min_line, max_line) or _absolute(file) != source:
                continue
            names = sorted({key.rpartition(":")[0] for key in dump.debug_watch_keys(op.name)}) if do_dumped_tensors else [op.name]
            found.setdefault(line, []).extend(names)
            if file_stack_top:
                break
    return found


def list_source_files_against_dump(dump, path_regex_whitelist=None, node_name_regex_whitelist=None):
    """(path, whether it belongs to this package, numbers of its nodes, tensors and dumps, its first line that made one) for each file, by path."""
    path_pattern, node_pattern = (re.compile(text) if text else None for text in (path_regex_whitelist, node_name_regex_whitelist))
    files, dumps, skipped = {}, {}, set()
    for op in _need_graph(dump, "Cannot generate source list"):
        if node_pattern is not None and not node_pattern.match(op.name):
            continue
        keys = dump.debug_watch_keys(op.name)
        for key in keys:
            node, slot, debug_op = key.split(":")
            dumps.setdefault("%s:%s" % (node, slot), len(dump.get_tensors(node, int(slot), debug_op)))
        for file, line, _, _ in dump.node_traceback(op.name):
            path = _absolute(file)
            if path not in files and (path in skipped or path_pattern is not None and not path_pattern.match(path) or not os.path.isfile(path)):
                skipped.add(path)
                continue
            nodes, tensors, first = files.setdefault(path, (set(), set(), [line]))
            nodes.add(op.name)
            tensors.update(t.name for t in op.outputs)
            first[0] = min(first[0], line)
    return [(path, guess_is_tensorflow_py_library(path), len(nodes), len(tensors), sum(dumps.get(t, 0) for t in tensors), first[0])
            for path, (nodes, tensors, first) in sorted(files.items())]


def annotate_source_against_profile(profile_data, source_file_path, node_name_filter=None, op_type_filter=None, min_line=None, max_line=None):
    """{line: AggregateProfile of the nodes that it made}"""
    node_pattern, type_pattern = (re.compile(text) if text else None for text in (node_name_filter, op_type_filter))
    source, found = _absolute(source_file_path), {}
    for datum in profile_data:
        if not datum.file_path or _absolute(datum.file_path) != source or not _in_range(datum.line_number, min_line, max_line):
            continue
        if node_pattern is not None and not node_pattern.match(datum.node_exec_stats.node_name) or type_pattern is not None and not type_pattern.match(datum.op_type):
            continue
        if datum.line_number in found:
            found[datum.line_number].add(datum)
        else:
            found[datum.line_number] = profiling.AggregateProfile(datum)
    return found
