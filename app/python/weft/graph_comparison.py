"""What differs between two GraphDefs, in TensorFlow's words."""

import re

from . import protos

_TEMPORARY = re.compile(rb"_temp_[0-9a-z]{32}/part")


def _shown(node):
    return "{{node %s}} = %s[%s](%s)" % (node.name, node.op, ", ".join("%s=%s" % (key, _value(node.attr[key])) for key in sorted(node.attr)), ", ".join(node.input))


def _value(attr):
    if attr.WhichOneof("value") == "type":
        return str(attr).split(":")[1].strip()
    return " ".join(str(attr).split())


def _node_difference(actual, expected):
    """None if the nodes are equal. Attributes whose names begin with "_" and the order of control inputs do not count."""
    if actual.op != expected.op:
        return "Node named '%s' has op '%s' that is not expected '%s'" % (actual.name, actual.op, expected.op)
    if actual.device != expected.device:
        return "Node named '%s' has device '%s' that is not expected '%s'" % (actual.name, actual.device, expected.device)
    if len(actual.input) != len(expected.input):
        return "Node named '%s' has %d inputs, expected %d inputs" % (actual.name, len(actual.input), len(expected.input))
    data, wanted = ([x[:-2] if x.endswith(":0") else x for x in node.input if not x.startswith("^")] for node in (actual, expected))
    for i, (mine, other) in enumerate(zip(data, wanted)):
        if mine != other:
            return "Node named '%s' has input %d '%s' that doesn't match expected '%s'" % (actual.name, i, mine, other)
    missing = {x for x in expected.input if x.startswith("^")} - set(actual.input)
    if missing:
        return "Node named '%s' missing expected control input '%s'" % (actual.name, sorted(missing)[0])
    mine, other = ({key for key in node.attr if not key.startswith("_")} for node in (actual, expected))
    for key in sorted(other - mine):
        return "Node named '%s' missing expected attr '%s' with value: %s" % (actual.name, key, _value(expected.attr[key]))
    for key in sorted(mine - other):
        return "Node named '%s' has unexpected attr '%s' with value: %s" % (actual.name, key, _value(actual.attr[key]))
    for key in sorted(mine):
        if actual.attr[key] != expected.attr[key]:
            return "Node named '%s' has attr '%s' with value: %s that does not match expected: %s" % (actual.name, key, _value(actual.attr[key]), _value(expected.attr[key]))
    return None


def difference(actual, expected):
    """The first difference between the nodes of two GraphDefs; None if they are equal. The order of nodes, functions and versions do not count."""
    mine = {node.name: node for node in actual.node}
    for node in expected.node:
        found = mine.pop(node.name, None)
        if found is None:
            return "Did not find expected node '%s'" % _shown(node)
        different = _node_difference(found, node)
        if different:
            return different
    return "Found unexpected node '%s'" % _shown(next(iter(mine.values()))) if mine else None


def without_random_parts(graph_def, checkpoint_v2, hash_table_shared_name):
    """A copy without names that are made up anew each time: of temporary files, and of shared hash tables."""
    copy = protos.GraphDef()
    copy.CopyFrom(graph_def)
    for node in copy.node:
        if checkpoint_v2:
            for key in [key for key, attr in node.attr.items() if attr.HasField("tensor") and any(_TEMPORARY.search(text) for text in attr.tensor.string_val)]:
                del node.attr[key]
        if hash_table_shared_name and node.op == "HashTableV2" and node.attr["shared_name"].s.startswith(b"hash_table_"):
            del node.attr["shared_name"]
    return copy
