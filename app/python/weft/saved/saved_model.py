"""tf.saved_model: models in folders, written by a builder and loaded by tags."""

import filecmp
import functools
import os

from google.protobuf import any_pb2, text_format

from .. import dtypes, errors, ops, protos
from ..exports import export
from ..ops import Graph, Operation, Tensor
from ..platform import gfile
from ..platform import tf_logging as logging
from ..session import Session
from ..training import meta_graph
from ..training.names import prepend_scope
from ..training.saveables import all_saveables
from ..training.saver import Saver, import_meta_graph
from . import signatures
from .signatures import (ASSETS_DIRECTORY, ASSETS_KEY, INIT_OP_SIGNATURE_KEY, LEGACY_INIT_OP_KEY, MAIN_OP_KEY, SAVED_MODEL_FILENAME_PB,
                         SAVED_MODEL_FILENAME_PBTXT, TRAIN_OP_SIGNATURE_KEY, VARIABLES_DIRECTORY, VARIABLES_FILENAME)


def _checked_info(info):
    kind = info.WhichOneof("encoding")
    if kind is None:
        raise AssertionError("All TensorInfo protos used in the SignatureDefs must have one of the 'encoding' fields (e.g., name or coo_sparse) set: %s" % info)
    if kind != "composite_tensor" and info.dtype == 0:
        raise AssertionError("All TensorInfo protos used in the SignatureDefs must have the dtype field set: %s" % info)


def _checked(signature_map):
    for key, signature in signature_map.items():
        for info in list(signature.inputs.values()) + list(signature.outputs.values()):
            _checked_info(info)
        for reserved, what in ((INIT_OP_SIGNATURE_KEY, "initialization"), (TRAIN_OP_SIGNATURE_KEY, "the train op")):
            if key == reserved:
                raise KeyError('SignatureDef map key "{}" is reserved for {}. Please use a different key.'.format(reserved, what))


class _SavedModelBuilder:
    """Writes a model: graphs with tags, the variables that they share, and assets. What a graph has beside its nodes is in fields of its MetaGraphDef."""

    def __init__(self, export_dir):
        export_dir = gfile.path_text(export_dir)
        if gfile.Exists(export_dir) and gfile.ListDirectory(export_dir):
            raise AssertionError("Export directory already exists, and isn't empty. Please choose a different export directory, or delete all the contents "
                                 "of the specified directory: %s" % export_dir)
        gfile.MakeDirs(export_dir)
        self._dir = export_dir
        self._model = protos.SavedModel(saved_model_schema_version=signatures.SAVED_MODEL_SCHEMA_VERSION)
        self._saved = False

    def add_meta_graph_and_variables(self, sess, tags, signature_def_map=None, assets_list=None, clear_devices=False, init_op=None, train_op=None,
                                     strip_default_attrs=False, saver=None):
        """Adds the session's graph and writes the values of its variables; once, before add_meta_graph()."""
        signature_def_map = self._begin(signature_def_map, with_variables=True)
        self._add_ops(signature_def_map, init_op, train_op)
        saver = self._write_variables(sess, saver)
        self._add(saver, tags, signature_def_map, clear_devices, strip_default_attrs, assets_list)
        self._saved = True

    def add_meta_graph(self, tags, signature_def_map=None, assets_list=None, clear_devices=False, init_op=None, train_op=None, saver=None):
        """Adds the default graph, which shares the variables already written. Attributes with default values are left out."""
        signature_def_map = self._begin(signature_def_map, with_variables=False)
        self._add_ops(signature_def_map, init_op, train_op)
        self._add(self._saver(saver), tags, signature_def_map, clear_devices, True, assets_list)

    def save(self, as_text=False):
        """Writes the model's file; returns its path as bytes."""
        gfile.MakeDirs(self._dir)
        name, content = (SAVED_MODEL_FILENAME_PBTXT, str(self._model)) if as_text else (SAVED_MODEL_FILENAME_PB, self._model.SerializeToString())
        path = os.path.join(self._dir, name)
        gfile.write_string_to_file(path, content)
        logging.info("SavedModel written to: %s", path)
        return path.encode()

    def _begin(self, signature_def_map, with_variables):
        """The signatures, checked; an AssertionError if the variables were or were not written already."""
        if with_variables and self._saved:
            raise AssertionError("Graph state including variables and assets has already been saved. Please invoke `add_meta_graph()` instead.")
        if not with_variables and not self._saved:
            raise AssertionError("Graph state including variables and assets has not been saved yet. Please invoke `add_meta_graph_and_variables()` first.")
        signature_def_map = signature_def_map or {}
        _checked(signature_def_map)
        return signature_def_map

    def _add_ops(self, signature_def_map, init_op, train_op):
        for key, op in ((INIT_OP_SIGNATURE_KEY, init_op), (TRAIN_OP_SIGNATURE_KEY, train_op)):
            if op is not None:
                signature_def_map[key] = signatures.op_signature_def(op, key)

    def _write_variables(self, sess, saver):
        folder = os.path.join(self._dir, VARIABLES_DIRECTORY)
        gfile.MakeDirs(folder)
        saver = self._saver(saver)
        saver.save(sess, os.path.join(folder, VARIABLES_FILENAME), write_meta_graph=False, write_state=False)
        return saver

    def _saver(self, saver):
        return saver or Saver(all_saveables(), sharded=True, write_version=2, allow_empty=True)

    def _add(self, saver, tags, signature_def_map, clear_devices, strip_default_attrs, assets=None):
        meta = saver.export_meta_graph(clear_devices=clear_devices, strip_default_attrs=strip_default_attrs)
        self._write_assets(assets, functools.partial(_add_asset_to_metagraph, meta))
        meta.meta_info_def.tags.extend(tags)
        for key, signature in signature_def_map.items():
            meta.signature_def[key].CopyFrom(signature)
        self._model.meta_graphs.add().CopyFrom(meta)

    def _write_assets(self, assets, add):
        """Copies the files of asset tensors, and calls add(file name, tensor) for each."""
        if not assets:
            logging.info("No assets to save." if assets is None else "No assets to write.")
            return
        files = {}
        for tensor in assets:
            source = _asset_path_from_tensor(tensor)
            if not source:
                raise ValueError("Invalid asset filepath tensor %s" % tensor)
            name = get_asset_filename_to_add(source.decode(), files)
            add(name, tensor)
            files[name] = source.decode()
        logging.info("Assets added to graph.")
        copy_assets_to_destination_dir(files, self._dir)


@export("saved_model.Builder", "saved_model.builder.SavedModelBuilder")
class SavedModelBuilder(_SavedModelBuilder):
    """Writes a model: graphs with tags, the variables that they share, and assets. What a graph has beside its nodes is in its collections."""

    def add_meta_graph_and_variables(self, sess, tags, signature_def_map=None, assets_collection=None, legacy_init_op=None, clear_devices=False,
                                     main_op=None, strip_default_attrs=False, saver=None):
        """Adds the session's graph and writes the values of its variables; once, before add_meta_graph()."""
        signature_def_map = self._begin(signature_def_map, with_variables=True)
        self._collections(assets_collection, main_op or legacy_init_op)
        saver = self._write_variables(sess, saver)
        self._add(saver, tags, signature_def_map, clear_devices, strip_default_attrs)
        self._saved = True

    def add_meta_graph(self, tags, signature_def_map=None, assets_collection=None, legacy_init_op=None, clear_devices=False, main_op=None,
                       strip_default_attrs=False, saver=None):
        """Adds the default graph, which shares the variables already written."""
        signature_def_map = self._begin(signature_def_map, with_variables=False)
        self._collections(assets_collection, main_op or legacy_init_op)
        self._add(self._saver(saver), tags, signature_def_map, clear_devices, strip_default_attrs)

    def _add_train_op(self, train_op):
        """Stores the training op of the next graph in its collections; loading the model does not run it."""
        if train_op is not None:
            if not isinstance(train_op, (Tensor, Operation)):
                raise TypeError("train_op needs to be a Tensor or Op: %r" % train_op)
            ops.add_to_collection(signatures.TRAIN_OP_KEY, train_op)

    def _collections(self, assets, main_op):
        self._write_assets(assets, _add_asset_to_collection)
        if main_op is None:
            return
        if not isinstance(main_op, Operation):
            raise TypeError("main_op needs to be an Operation: %r" % main_op)
        for key in (MAIN_OP_KEY, LEGACY_INIT_OP_KEY):
            if ops.get_collection(key):
                raise ValueError("Graph already contains one or more main ops under the collection {}.".format(key))
        ops.add_to_collection(MAIN_OP_KEY, main_op)


def _asset(name, tensor):
    asset = protos.AssetFileDef(filename=name)
    asset.tensor_info.name = tensor.name
    return asset


def _add_asset_to_metagraph(meta_graph_def, asset_filename, asset_tensor):
    meta_graph_def.asset_file_def.add().CopyFrom(_asset(asset_filename, asset_tensor))


def _add_asset_to_collection(asset_filename, asset_tensor):
    packed = any_pb2.Any()
    packed.Pack(_asset(asset_filename, asset_tensor))
    ops.add_to_collection(ASSETS_KEY, packed)


def get_asset_filename_to_add(asset_filepath, asset_filename_map):
    """The name of a file among a model's assets: its own, with _1, _2 … if the map from names to paths has another file under that name."""
    name = os.path.basename(asset_filepath)
    other = asset_filename_map.get(name)
    if other is None or other == asset_filepath or filecmp.cmp(gfile.local_path(other), gfile.local_path(asset_filepath), shallow=False):
        return name
    return _get_unique_asset_filename(name, asset_filename_map)


def _get_unique_asset_filename(asset_filename, asset_filename_map):
    found, i = asset_filename, 1
    while found in asset_filename_map:
        found, i = "%s_%d" % (asset_filename, i), i + 1
    return found


def copy_assets_to_destination_dir(asset_filename_map, destination_dir):
    """Copies files, by the names that they get, into a model's folder of assets, unless they are there."""
    folder = os.path.join(gfile.path_text(destination_dir), ASSETS_DIRECTORY)
    gfile.MakeDirs(folder)
    for name, source in asset_filename_map.items():
        if not gfile.Exists(os.path.join(folder, name)):
            gfile.Copy(source, os.path.join(folder, name))
    logging.info("Assets written to: %s", folder)


def _asset_path_from_tensor(tensor):
    if not isinstance(tensor, Tensor):
        raise TypeError("Asset path tensor must be a Tensor.")
    if tensor.op.type != "Const":
        raise TypeError("Asset path tensor must be of type constant.")
    if tensor.dtype != dtypes.string:
        raise TypeError("Asset path tensor must be of dtype string.")
    values = tensor.op.get_attr("value").string_val
    if len(values) != 1:
        raise TypeError("Asset path tensor must be a scalar.")
    return values[0]


@export("saved_model.simple_save")
def simple_save(session, export_dir, inputs, outputs, legacy_init_op=None):
    """Writes a model with one signature for serving."""
    builder = SavedModelBuilder(export_dir)
    builder.add_meta_graph_and_variables(
        session, tags=["serve"], signature_def_map={"serving_default": signatures.predict_signature_def(inputs, outputs)},
        assets_collection=ops.get_collection("asset_filepaths"), main_op=legacy_init_op, clear_devices=True)
    builder.save()


def parse_saved_model(export_dir):
    """The SavedModel message of a folder. IOError if there is none or it cannot be read."""
    model, export_dir = protos.SavedModel(), gfile.path_text(export_dir)
    binary, text = (os.path.join(export_dir, n) for n in (SAVED_MODEL_FILENAME_PB, SAVED_MODEL_FILENAME_PBTXT))
    try:
        if gfile.Exists(binary):
            path = binary
            model.ParseFromString(gfile.read_file_to_string(binary, binary_mode=True))
            return model
        if gfile.Exists(text):
            path = text
            text_format.Merge(gfile.read_file_to_string(text), model)
            return model
    except (errors.OpError, OSError):
        raise
    except Exception as e:
        raise IOError("Cannot parse file %s: %s." % (path, e)) from None
    raise IOError("SavedModel file does not exist at: %s/{%s|%s}" % (export_dir, SAVED_MODEL_FILENAME_PBTXT, SAVED_MODEL_FILENAME_PB))


@export("saved_model.contains_saved_model", "saved_model.maybe_saved_model_directory", "saved_model.loader.maybe_saved_model_directory")
def maybe_saved_model_directory(export_dir):
    """Whether a folder appears to be a SavedModel."""
    export_dir = gfile.path_text(export_dir)
    return any(gfile.Exists(os.path.join(export_dir, n)) for n in (SAVED_MODEL_FILENAME_PBTXT, SAVED_MODEL_FILENAME_PB))


contains_saved_model = maybe_saved_model_directory


_parse_saved_model = parse_saved_model  # the name that older libraries use


def get_asset_tensors(export_dir, meta_graph_def_to_load, import_scope=None):
    """{name of a tensor: path of its asset file, as bytes}"""
    assets = list(meta_graph_def_to_load.asset_file_def)
    if not assets and ASSETS_KEY in meta_graph_def_to_load.collection_def:
        for packed in meta_graph_def_to_load.collection_def[ASSETS_KEY].any_list.value:
            asset = protos.AssetFileDef()
            packed.Unpack(asset)
            assets.append(asset)
    folder = os.path.join(gfile.path_text(export_dir), ASSETS_DIRECTORY)
    return {prepend_scope(a.tensor_info.name, import_scope): os.path.join(folder, a.filename).encode() for a in assets}


def _get_main_op_tensor(meta_graph_def_to_load, init_op_key=MAIN_OP_KEY):
    if init_op_key not in meta_graph_def_to_load.collection_def:
        return None
    names = meta_graph_def_to_load.collection_def[init_op_key].node_list.value
    if len(names) != 1:
        raise RuntimeError("Expected exactly one SavedModel init op. Found: {}".format(names))
    return ops.get_collection(init_op_key)[0]


def _signed_op(meta, key, import_scope):
    return signatures.load_op_from_signature_def(meta.signature_def[key], key, import_scope) if key in meta.signature_def else None


def get_init_op(meta_graph_def, import_scope=None):
    """What initializes a loaded graph: its signature's operation, or that of its collections; or None."""
    found = _signed_op(meta_graph_def, INIT_OP_SIGNATURE_KEY, import_scope)
    for key in (MAIN_OP_KEY, LEGACY_INIT_OP_KEY):
        found = _get_main_op_tensor(meta_graph_def, key) if found is None else found
    return found


def get_train_op(meta_graph_def, import_scope=None):
    """The training operation of a loaded graph, or None."""
    found = _signed_op(meta_graph_def, TRAIN_OP_SIGNATURE_KEY, import_scope)
    return _get_main_op_tensor(meta_graph_def, signatures.TRAIN_OP_KEY) if found is None else found


class SavedModelLoader:
    """Loads a model in stages: graph, variables, initialization."""

    def __init__(self, export_dir):
        self.export_dir = export_dir = gfile.path_text(export_dir)
        self.variables_path = os.path.join(export_dir, VARIABLES_DIRECTORY, VARIABLES_FILENAME)
        self.saved_model = parse_saved_model(export_dir)

    def get_meta_graph_def_from_tags(self, tags):
        """The graph with exactly these tags."""
        available = []
        for meta in self.saved_model.meta_graphs:
            available.append(set(meta.meta_info_def.tags))
            if available[-1] == set(tags):
                return meta
        raise RuntimeError("MetaGraphDef associated with tags " + str(tags).strip("[]") + " could not be found in SavedModel. To inspect available tag-sets in"
                           " the SavedModel, please use the SavedModel CLI: `saved_model_cli`\navailable_tags: " + str(available))

    def load_graph(self, graph, tags, import_scope=None, **saver_kwargs):
        """Imports the graph; returns its saver and the `return_elements`."""
        meta = self.get_meta_graph_def_from_tags(tags)
        with graph.as_default():
            elements = saver_kwargs.pop("return_elements", None)
            saver = import_meta_graph(meta, import_scope=import_scope, **saver_kwargs)
            found = None if elements is None else [graph.as_graph_element(prepend_scope(e, import_scope)) for e in elements]
            return saver, found

    def restore_variables(self, sess, saver, import_scope=None):
        with sess.graph.as_default():
            if saver is None and not all_saveables(import_scope):
                logging.info("The specified SavedModel has no variables; no checkpoints were restored.")
            elif isinstance(saver, Saver):
                saver.restore(sess, self.variables_path)
            else:
                raise ValueError("No tf.train.Saver object was passed to the function SavedModelLoader.restore_variables. Since there are variables in the "
                                 "graph, a saver is required.")

    def run_init_ops(self, sess, tags, import_scope=None):
        meta = self.get_meta_graph_def_from_tags(tags)
        with sess.graph.as_default():
            op = get_init_op(meta, import_scope)
            if op is not None:
                sess.run([op], feed_dict=get_asset_tensors(self.export_dir, meta, import_scope))

    def load(self, sess, tags, import_scope=None, **saver_kwargs):
        with sess.graph.as_default():
            saver, _ = self.load_graph(sess.graph, tags, import_scope, **saver_kwargs)
            self.restore_variables(sess, saver, import_scope)
            self.run_init_ops(sess, tags, import_scope)
        return self.get_meta_graph_def_from_tags(tags)


@export("saved_model.load", "saved_model.loader.load")
def load(sess, tags, export_dir, import_scope=None, **saver_kwargs):
    """Loads the graph with these tags into a session; returns its MetaGraphDef."""
    return SavedModelLoader(export_dir).load(sess, tags, import_scope, **saver_kwargs)


def freeze_graph(input_checkpoint, output_node_names, output_graph, clear_devices=True):
    """Writes the graph, with variables as constants, next to a checkpoint; returns the GraphDef."""
    from .graph_util import convert_variables_to_constants

    with Graph().as_default() as graph, Session(graph=graph) as session:
        import_meta_graph(input_checkpoint + ".meta", clear_devices=clear_devices).restore(session, input_checkpoint)
        frozen = convert_variables_to_constants(session, graph.as_graph_def(), [n for n in output_node_names.split(",") if n])
    meta_graph.write_graph(frozen, os.path.dirname(output_graph), os.path.basename(output_graph), as_text=False)
    return frozen
