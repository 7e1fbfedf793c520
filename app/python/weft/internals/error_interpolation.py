"""tensorflow.python.framework.error_interpolation: marks such as {{node NAME}} in messages, replaced by where the program made the operation."""

import collections
import itertools
import os
import re

_MARK = re.compile(r"^(.*?)({{([A-Za-z0-9_.][A-Za-z0-9_.\-/]*?) ([A-Za-z0-9_.][A-Za-z0-9_.\-/]*?)}})", re.DOTALL)
_BAD_FILE_SUBSTRINGS = [os.path.join("tensorflow", "python"), os.path.join("tensorflow", "contrib"), os.path.join("tensorflow_estimator", "python"),
                        os.path.join("tensorflow_estimator", "contrib"), "<embedded"]

_ParseTag = collections.namedtuple("_ParseTag", ["type", "name"])


def parse_message(message):
    """(the texts between the marks, the marks); there is one text more than marks."""
    texts, tags, at = [], [], 0
    for match in iter(lambda: _MARK.match(message[at:]), None):
        texts.append(match.group(1))
        tags.append(_ParseTag(match.group(3), match.group(4)))
        at += match.end()
    return texts + [message[at:]], tags


def _summary(name, what, call, places, prefix):
    if not places:
        return "%sNo %s were active during op '%s' creation." % (prefix, what, name)
    lines = ["%s%s active during op '%s' creation:" % (prefix, what[0].upper() + what[1:], name)]
    lines += ["%s  with tf.%s(%s): <%s:%s>" % (prefix, call, argument, place.filename, place.lineno) for argument, place in places]
    return "\n".join(lines)


def _compute_device_summary_from_list(name, device_assignment_list, prefix=""):
    return _summary(name, "device assignments", "device", [(place.obj, place) for place in device_assignment_list], prefix)


def _compute_device_assignment_summary_from_op(op, prefix=""):
    return _compute_device_summary_from_list(op.name, op._device_assignments, prefix)


def _compute_colocation_summary_from_dict(name, colocation_dict, prefix=""):
    return _summary(name, "node-device colocations", "colocate_with", list(colocation_dict.items()), prefix)


def _compute_colocation_summary_from_op(op, prefix=""):
    return _compute_colocation_summary_from_dict(op.name, op._colocation_dict, prefix)


def _find_index_of_defining_frame_for_op(op):
    """The innermost place of the program itself; 0, the outermost, if all are in libraries."""
    found = [i for i, place in enumerate(op.traceback) if not any(bad in place[0] for bad in _BAD_FILE_SUBSTRINGS)]
    return found[-1] if found else 0


def _get_defining_frame_from_op(op):
    return op.traceback[_find_index_of_defining_frame_for_op(op)] if op.traceback else None


def compute_field_dict(op, strip_file_prefix=""):
    """What is known of where an operation was made, by name."""
    place = _get_defining_frame_from_op(op)
    file, line = place[:2] if place else ("<unknown>", 0)
    if file.startswith(strip_file_prefix):
        file = file[len(strip_file_prefix):]
    colocations, devices = _compute_colocation_summary_from_op(op), _compute_device_assignment_summary_from_op(op)
    return {"file": file, "line": line, "defined_at": " (defined at %s:%d)" % (file, line), "colocations": colocations, "devices": devices,
            "devs_and_colocs": "\n".join([colocations, devices])}


def traceback_files_common_prefix(all_ops):
    """The folder that all places of operations have in common."""
    files = {place[0] for ops in all_ops for op in ops or () for place in op.traceback if "<embedded" not in place[0]}
    return os.path.split(os.path.commonprefix(list(files)))[0]


def _sources_for_node(node, graph):
    return list(dict.fromkeys([tensor.op for tensor in node.inputs] + list(node.control_inputs)))


def _node_message(op, sources, prefix):
    """(the text for an operation, the text about what it reads)"""
    at = compute_field_dict(op, prefix)["defined_at"]
    lines, seen = [], {at}
    for source in sources:
        place = compute_field_dict(source, prefix)["defined_at"]
        if place not in seen:
            lines.append(" %s%s" % (source.name, place))
            seen.add(place)
    return "node %s%s " % (op.name, at), "\nInput Source operations connected to node %s:\n" % op.name + "\t\n".join(lines) if lines else ""


def interpolate(error_message, graph):
    """The message with the places of its operations. Marks of operations that the graph lacks stay."""
    texts, tags = parse_message(error_message)
    known = {tag.name: op for tag in tags for op in [_operation(graph, tag.name)] if op is not None}
    groups = {name: [op] + _sources_for_node(op, graph) for name, op in known.items()}
    prefix, made, sources, colocations = traceback_files_common_prefix(groups.values()), [], [], []
    for tag in tags:
        text, op = "{{%s %s}}" % tag, known.get(tag.name)
        if tag.type == "function_node":
            text = ""
        elif op is not None and tag.type == "node":
            text, source = _node_message(op, groups[tag.name][1:], prefix)
            sources += [source] if source else []
        elif op is not None and tag.type == "colocation_node":
            fields = compute_field_dict(op, prefix)
            text = "node %s%s placed on device %s " % (op.name, fields["defined_at"], fields["devices"])
            colocations.append(fields["devs_and_colocs"])
        made.append(text)
    if sources:
        made += ["\n\nErrors may have originated from an input operation.", "\n".join(sources)]
    if colocations:
        made += ["Additional information about colocations:", "\n".join(colocations)]
    return "".join(itertools.chain(*itertools.zip_longest(texts, made, fillvalue="")))


def _operation(graph, name):
    try:
        return graph.get_operation_by_name(name)
    except KeyError:
        return None
