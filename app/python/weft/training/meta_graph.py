"""Meta graphs: graph, collections and saver in one message."""

import os
import re

from google.protobuf import text_format

from .. import collection_protos, graph_access, ops, protos, version
from ..exports import export
from ..importer import import_graph_def
from ..ops import Graph
from ..platform import gfile
from ..platform import tf_logging as logging
from ..variable_base import Variable
from . import flow_contexts
from .names import prepend_scope, strip_scope

_UNBOUND = "$unbound_inputs_"
_SAVE_AND_RESTORE = ("SaveV2", "Save", "SaveSlice", "LegacySave", "LegacySaveSlice", "RestoreV2", "Restore", "RestoreSlice", "LegacyRestore",
                     "LegacyRestoreSlice")
_VARIABLES = ("variables", "trainable_variables", "local_variables", "model_variables", "moving_average_variables", "metric_variables",
              "global_step")


@export("train.write_graph", "io.write_graph")
def write_graph(graph_or_graph_def, logdir, name, as_text=True):
    """Writes a graph or message to a file in `logdir`, creating the folder; returns the path."""
    message = graph_or_graph_def.as_graph_def() if isinstance(graph_or_graph_def, Graph) else graph_or_graph_def
    if logdir and not logdir.startswith("gs:"):
        gfile.MakeDirs(logdir)
    path = os.path.join(logdir, name)
    if as_text:
        gfile.atomic_write_string_to_file(path, text_format.MessageToString(message, float_format=""))
    else:
        with gfile.GFile(path + ".tmp%d" % os.getpid(), "wb") as f:
            f.write(message.SerializeToString(deterministic=True))
        gfile.Rename(path + ".tmp%d" % os.getpid(), path, overwrite=True)
    return path


def _read(filename, message):
    if not gfile.Exists(filename):
        raise IOError("File %s does not exist." % filename)
    content = gfile.read_file_to_string(filename, binary_mode=True)
    try:
        message.ParseFromString(content)
        return message
    except Exception:  # not in binary format
        message.Clear()
    try:
        text_format.Merge(content.decode("utf-8"), message)
    except (text_format.ParseError, UnicodeDecodeError) as e:
        raise IOError("Cannot parse file %s: %s." % (filename, e)) from None
    return message


def read_meta_graph_file(filename):
    """A MetaGraphDef in binary or text format. IOError if there is none."""
    return _read(os.fspath(filename), protos.MetaGraphDef())


def stripped_op_list_for_graph(graph_def):
    """The OpDefs of the ops that a graph and its functions use."""
    functions = {f.signature.name: f for f in graph_def.library.function}
    used = {n.op for n in graph_def.node} | {n.op for f in functions.values() for n in f.node_def}
    ops = []
    for name in sorted(used - set(functions)):
        definition = graph_access.op_def(name)
        if definition is not None:
            ops.append(definition)
        elif name not in ("_Arg", "_Retval", "_ListToArray", "_ArrayToList"):
            raise ValueError("Op %s is used by the graph, but is not registered" % name)
    return protos.OpList(op=ops)


def _included(item, scope, excluded):
    name = item if isinstance(item, str) else getattr(item, "name", None)
    if name is None or not isinstance(name, str):
        return True
    if excluded and name in excluded:
        return False
    return name.startswith(_UNBOUND) or not scope or name.startswith(scope)


def _extraneous(graph_def, saver_def):
    """The nodes of all savers except the one that is kept."""
    def scope_of(name):
        name = name.lstrip("^").partition(":")[0]
        return name.rpartition("/")[0]

    nodes = {n.name for n in graph_def.node if n.op in _SAVE_AND_RESTORE}
    scopes = {scope_of(n) for n in nodes} - nodes
    if saver_def is not None:
        scopes -= {scope_of(saver_def.save_tensor_name), scope_of(saver_def.restore_op_name)}
    return {n.name for n in graph_def.node if any(n.name.startswith(s + "/") for s in scopes)}


def _scoped_node(node, scope, unbound, clear_devices):
    copy = protos.NodeDef()
    copy.CopyFrom(node)
    for i, name in enumerate(copy.input):
        if scope and not name.lstrip("^").startswith(scope):
            copy.input[i] = re.sub(r"([\^]|^)(.*)", r"\1" + _UNBOUND + r"\2", name, count=1)
            unbound.append(copy.input[i])
        else:
            copy.input[i] = strip_scope(name, scope)
    copy.name = strip_scope(node.name, scope)
    if "_class" in copy.attr:
        kept = [s for s in node.attr["_class"].list.s if not scope or s.decode().split("@")[1].startswith(scope)]
        copy.attr["_class"].list.s[:] = [strip_scope(s.decode(), scope).encode() for s in kept]
    if copy.op in ("Enter", "RefEnter") and "frame_name" in copy.attr:
        frame = node.attr["frame_name"].s.decode()
        if not scope or frame.startswith(scope):
            copy.attr["frame_name"].s = strip_scope(frame, scope).encode()
    if clear_devices:
        copy.device = ""
    return copy


def _kind_of(item):
    if isinstance(item, (str, bytes)):
        return "bytes_list"
    if isinstance(item, int):
        return "int64_list"
    if isinstance(item, float):
        return "float_list"
    return "any_list" if type(item).__name__ == "Any" else "node_list"


@export("train.add_collection_def")
def add_collection_def(meta_graph_def, key, graph=None, export_scope=None, exclude_nodes=None, override_contents=None):
    """Writes a collection into a meta graph; items that cannot be written are left out with a warning."""
    if not isinstance(key, (str, bytes)):
        logging.warning("Only collections with string type keys will be serialized. This key has %s", type(key))
        return
    graph = graph or ops.get_default_graph()
    items = [x for x in (override_contents or graph.get_collection(key)) if _included(x, export_scope, exclude_nodes)]
    if not items:
        return
    try:
        entry = collection_protos.entry(key)
        target = meta_graph_def.collection_def[key]
        if entry and entry[1]:
            for item in items:
                message = entry[1](item, export_scope=export_scope)
                if message:
                    assert type(message).__name__ == entry[0]
                    target.bytes_list.value.append(message.SerializeToString())
            return
        if key in flow_contexts.COLLECTIONS:
            if not flow_contexts.export(graph, key, target, export_scope):
                del meta_graph_def.collection_def[key]
            return
        kind = _kind_of(items[0])
        values = getattr(target, kind).value
        if kind == "node_list":
            values.extend(strip_scope(x.name, export_scope) for x in items if not export_scope or x.name.startswith(export_scope))
        else:
            values.extend([x.encode() if isinstance(x, str) else x for x in items])
    except Exception as e:
        logging.warning("Issue encountered when serializing %s.\nType is unsupported, or the types of the items don't match field type in "
                        "CollectionDef. Note this is a warning and probably safe to ignore.\n%s", key, e)
        if key in meta_graph_def.collection_def:
            del meta_graph_def.collection_def[key]


def _strip_defaults(meta):
    functions = {f.signature.name for f in meta.graph_def.library.function}
    nodes = list(meta.graph_def.node) + [n for f in meta.graph_def.library.function for n in f.node_def]
    for node in nodes:
        definition = None if node.op in functions else graph_access.op_def(node.op)
        for attr in definition.attr if definition is not None else ():
            if attr.HasField("default_value") and attr.name in node.attr and node.attr[attr.name] == attr.default_value:
                del node.attr[attr.name]
    meta.meta_info_def.stripped_default_attrs = True


def create_meta_graph_def(meta_info_def=None, graph_def=None, saver_def=None, collection_list=None, graph=None, export_scope=None, exclude_nodes=None,
                          clear_extraneous_savers=False, strip_default_attrs=False):
    """A MetaGraphDef of a graph and its collections."""
    for value, kind, what in ((meta_info_def, "MetaInfoDef", "meta_info_def"), (graph_def, "GraphDef", "graph_def"), (saver_def, "SaverDef", "saver_def")):
        if value is not None and type(value).__name__ != kind:
            raise TypeError("%s must be of type %s, not %s" % (what, kind, type(value)))
    graph = graph or ops.get_default_graph()
    meta = protos.MetaGraphDef()
    if meta_info_def:
        meta.meta_info_def.MergeFrom(meta_info_def)
    meta.meta_info_def.tensorflow_version = version.VERSION
    meta.meta_info_def.tensorflow_git_version = version.GIT_VERSION
    meta.graph_def.MergeFrom(graph_def or graph.as_graph_def(add_shapes=True))
    if not meta.meta_info_def.stripped_op_list.op:
        meta.meta_info_def.stripped_op_list.MergeFrom(stripped_op_list_for_graph(meta.graph_def))
    if strip_default_attrs:
        _strip_defaults(meta)
    if saver_def:
        meta.saver_def.MergeFrom(saver_def)
    for key in graph.get_all_collection_keys() if collection_list is None else collection_list:
        only = None
        if clear_extraneous_savers and key == "savers":
            only = [collection_protos.entry("savers")[2](saver_def)]
        add_collection_def(meta, key, graph, export_scope, exclude_nodes, only)
    return meta


def export_scoped_meta_graph(filename=None, graph_def=None, graph=None, export_scope=None, as_text=False, unbound_inputs_col_name="unbound_inputs",
                             clear_devices=False, saver_def=None, clear_extraneous_savers=False, strip_default_attrs=False, **kwargs):
    """(meta graph of the nodes below a scope, its variables by name without the scope)"""
    graph = graph or ops.get_default_graph()
    excluded = None
    unbound = []
    if export_scope or clear_extraneous_savers or clear_devices:
        whole = graph_def or graph.as_graph_def(add_shapes=True)
        if clear_extraneous_savers:
            excluded = _extraneous(whole, saver_def)
        graph_def = protos.GraphDef(versions=whole.versions, library=whole.library)
        for node in whole.node:
            if _included(node.name, export_scope, excluded):
                graph_def.node.add().CopyFrom(_scoped_node(node, export_scope, unbound, clear_devices))
        if unbound_inputs_col_name:
            graph.clear_collection(unbound_inputs_col_name)
            for name in unbound:
                graph.add_to_collection(unbound_inputs_col_name, name)
    variables = {strip_scope(v.name, export_scope): v for v in graph.get_collection("variables", scope=export_scope)
                 if _included(v, export_scope, excluded)}
    meta = create_meta_graph_def(graph_def=graph_def, graph=graph, export_scope=export_scope, exclude_nodes=excluded,
                                 clear_extraneous_savers=clear_extraneous_savers, saver_def=saver_def, strip_default_attrs=strip_default_attrs, **kwargs)
    if filename:
        write_graph(meta, os.path.dirname(filename), os.path.basename(filename), as_text=as_text)
    return meta, variables


def _restore_collection(graph, key, definition, scope, made):
    kind = definition.WhichOneof("kind")
    if kind is None:
        logging.error("Cannot identify data type for collection %s. Skipping.", key)
        return
    entry = collection_protos.entry("variables" if key == "metric_variables" else key)
    values = getattr(definition, kind).value
    if entry and entry[2] and kind == "bytes_list":
        for value in values:
            item = made.get(value) if key in _VARIABLES else None
            if item is None:
                item = entry[2](protos.message(entry[0]).FromString(value), import_scope=scope)
                if key in _VARIABLES:
                    made[value] = item
            graph.add_to_collection(key, item)
    elif kind == "node_list":
        for name in values:
            graph.add_to_collection(key, graph.as_graph_element(prepend_scope(name, scope)))
    elif kind == "int64_list":
        for value in values:
            graph.add_to_collection(key, int(value))
    elif kind == "float_list":
        for value in values:
            graph.add_to_collection(key, float(value))
    else:
        for value in values:
            graph.add_to_collection(key, prepend_scope(value, scope))


def import_scoped_meta_graph(meta_graph_or_file, clear_devices=False, graph=None, import_scope=None, input_map=None,
                             unbound_inputs_col_name="unbound_inputs", restore_collections_predicate=lambda key: True, return_elements=None):
    """Imports a meta graph below a scope; returns its variables by name without the scope, and the `return_elements` if there are any."""
    read = type(meta_graph_or_file).__name__ == "MetaGraphDef"
    meta = meta_graph_or_file if read else read_meta_graph_file(meta_graph_or_file)
    if unbound_inputs_col_name in meta.collection_def:
        definition = meta.collection_def[unbound_inputs_col_name]
        names = [v.decode() if isinstance(v, bytes) else v for v in getattr(definition, definition.WhichOneof("kind")).value]
        if names and (not input_map or sorted(names) != sorted(input_map)):
            missing = [n for n in names if not input_map or n not in input_map]
            raise ValueError("Graph contains unbound inputs: %s. Must provide these inputs through input_map." % ",".join(missing))
    graph = graph or ops.get_default_graph()
    with graph.as_default():
        graph_def = meta.graph_def
        if clear_devices:
            for node in graph_def.node:
                node.device = ""
        scope = graph.unique_name(import_scope or "", mark_as_used=False)
        producer = meta.meta_info_def.stripped_op_list if meta.meta_info_def.HasField("stripped_op_list") else None
        elements = import_graph_def(graph_def, name=import_scope or scope, input_map=input_map, producer_op_list=producer,
                                    return_elements=return_elements)
        made = {}
        first = "trainable_variables"
        for key, definition in sorted(meta.collection_def.items(), key=lambda item: (item[0] != first, item[0])):
            if key == unbound_inputs_col_name or not restore_collections_predicate(key):
                continue
            if key in flow_contexts.COLLECTIONS and not collection_protos.entry(key):
                flow_contexts.restore(graph, key, definition, scope)
            else:
                _restore_collection(graph, key, definition, scope, made)
        variables = {strip_scope(v.name, scope): v for v in graph.get_collection("variables", scope=scope)}
    return (variables, elements) if return_elements is not None else variables


for _key in _VARIABLES:
    if collection_protos.entry(_key) is None:
        collection_protos.register(_key, "VariableDef", lambda v, export_scope=None: v.to_proto(export_scope=export_scope),
                                   lambda definition, import_scope=None: Variable.from_proto(definition, import_scope=import_scope))
del _key


def copy_scoped_meta_graph(from_scope, to_scope, from_graph=None, to_graph=None):
    """Copies what is in a scope into another one; returns the new variables by their names in the scope."""
    from_graph, to_graph = from_graph or ops.get_default_graph(), to_graph or ops.get_default_graph()
    if from_graph is to_graph and from_scope == to_scope:
        raise ValueError("'from_scope' and 'to_scope' need to be different when performing copy in the same graph.")
    meta, _ = export_scoped_meta_graph(export_scope=from_scope, graph=from_graph)
    return import_scoped_meta_graph(meta, graph=to_graph, import_scope=to_scope)
