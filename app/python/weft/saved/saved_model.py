"""tf.saved_model: models in folders, written by a builder and loaded by tags."""

import filecmp
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


@export("saved_model.Builder", "saved_model.builder.SavedModelBuilder")
class SavedModelBuilder:
    """Writes a model: graphs with tags, the variables that they share, and assets."""

    def __init__(self, export_dir):
        export_dir = gfile.path_text(export_dir)
        if gfile.Exists(export_dir) and gfile.ListDirectory(export_dir):
            raise AssertionError("Export directory already exists, and isn't empty. Please choose a different export directory, or delete all the contents "
                                 "of the specified directory: %s" % export_dir)
        gfile.MakeDirs(export_dir)
        self._dir = export_dir
        self._model = protos.SavedModel(saved_model_schema_version=signatures.SAVED_MODEL_SCHEMA_VERSION)
        self._saved = False

    def add_meta_graph_and_variables(self, sess, tags, signature_def_map=None, assets_collection=None, legacy_init_op=None, clear_devices=False,
                                     main_op=None, strip_default_attrs=False, saver=None):
        """Adds the session's graph and writes the values of its variables; once, before add_meta_graph()."""
        if self._saved:
            raise AssertionError("Graph state including variables and assets has already been saved. Please invoke `add_meta_graph()` instead.")
        signature_def_map = signature_def_map or {}
        _checked(signature_def_map)
        self._collections(assets_collection, main_op or legacy_init_op)
        folder = os.path.join(self._dir, VARIABLES_DIRECTORY)
        gfile.MakeDirs(folder)
        saver = self._saver(saver)
        saver.save(sess, os.path.join(folder, VARIABLES_FILENAME), write_meta_graph=False, write_state=False)
        self._add(saver, tags, signature_def_map, clear_devices, strip_default_attrs)
        self._saved = True

    def add_meta_graph(self, tags, signature_def_map=None, assets_collection=None, legacy_init_op=None, clear_devices=False, main_op=None,
                       strip_default_attrs=False, saver=None):
        """Adds the default graph, which shares the variables already written."""
        if not self._saved:
            raise AssertionError("Graph state including variables and assets has not been saved yet. Please invoke `add_meta_graph_and_variables()` first.")
        signature_def_map = signature_def_map or {}
        _checked(signature_def_map)
        self._collections(assets_collection, main_op or legacy_init_op)
        self._add(self._saver(saver), tags, signature_def_map, clear_devices, strip_default_attrs)

    def _add_train_op(self, train_op):
        """Stores the training op of the next graph in its collections; loading the model does not run it."""
        if train_op is not None:
            if not isinstance(train_op, (Tensor, Operation)):
                raise TypeError("train_op needs to be a Tensor or Op: %r" % train_op)
            ops.add_to_collection(signatures.TRAIN_OP_KEY, train_op)

    def save(self, as_text=False):
        """Writes the model's file; returns its path as bytes."""
        gfile.MakeDirs(self._dir)
        name, content = (SAVED_MODEL_FILENAME_PBTXT, str(self._model)) if as_text else (SAVED_MODEL_FILENAME_PB, self._model.SerializeToString())
        path = os.path.join(self._dir, name)
        gfile.write_string_to_file(path, content)
        logging.info("SavedModel written to: %s", path)
        return path.encode()

    def _saver(self, saver):
        return saver or Saver(all_saveables(), sharded=True, write_version=2, allow_empty=True)

    def _add(self, saver, tags, signature_def_map, clear_devices, strip_default_attrs):
        meta = saver.export_meta_graph(clear_devices=clear_devices, strip_default_attrs=strip_default_attrs)
        meta.meta_info_def.tags.extend(tags)
        for key, signature in signature_def_map.items():
            meta.signature_def[key].CopyFrom(signature)
        self._model.meta_graphs.add().CopyFrom(meta)

    def _collections(self, assets, main_op):
        self._write_assets(assets)
        if main_op is None:
            return
        if not isinstance(main_op, Operation):
            raise TypeError("main_op needs to be an Operation: %r" % main_op)
        for key in (MAIN_OP_KEY, LEGACY_INIT_OP_KEY):
            if ops.get_collection(key):
                raise ValueError("Graph already contains one or more main ops under the collection {}.".format(key))
        ops.add_to_collection(MAIN_OP_KEY, main_op)

    def _write_assets(self, assets):
        if not assets:
            logging.info("No assets to save." if assets is None else "No assets to write.")
            return
        files = {}
        for tensor in assets:
            source = _asset_path(tensor)
            if not source:
                raise ValueError("Invalid asset filepath tensor %s" % tensor)
            name, i = os.path.basename(source), 1
            plain = name
            while name in files and files[name] != source and not filecmp.cmp(gfile.local_path(files[name]), gfile.local_path(source), shallow=False):
                name, i = "%s_%d" % (plain, i), i + 1
            files[name] = source
            asset = protos.AssetFileDef(filename=name)
            asset.tensor_info.name = tensor.name
            packed = any_pb2.Any()
            packed.Pack(asset)
            ops.add_to_collection(ASSETS_KEY, packed)
        logging.info("Assets added to graph.")
        folder = os.path.join(self._dir, ASSETS_DIRECTORY)
        gfile.MakeDirs(folder)
        for name, source in files.items():
            if not gfile.Exists(os.path.join(folder, name)):
                gfile.Copy(source, os.path.join(folder, name))
        logging.info("Assets written to: %s", folder)


def _asset_path(tensor):
    if not isinstance(tensor, Tensor):
        raise TypeError("Asset path tensor must be a Tensor.")
    if tensor.op.type != "Const":
        raise TypeError("Asset path tensor must be of type constant.")
    if tensor.dtype != dtypes.string:
        raise TypeError("Asset path tensor must be of dtype string.")
    values = tensor.op.get_attr("value").string_val
    if len(values) != 1:
        raise TypeError("Asset path tensor must be a scalar.")
    return values[0].decode()


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


def _asset_feeds(export_dir, meta, import_scope):
    assets = list(meta.asset_file_def)
    if not assets and ASSETS_KEY in meta.collection_def:
        for packed in meta.collection_def[ASSETS_KEY].any_list.value:
            asset = protos.AssetFileDef()
            packed.Unpack(asset)
            assets.append(asset)
    return {prepend_scope(a.tensor_info.name, import_scope): os.path.join(export_dir, ASSETS_DIRECTORY, a.filename) for a in assets}


def _init_op(meta, import_scope):
    if INIT_OP_SIGNATURE_KEY in meta.signature_def:
        name = meta.signature_def[INIT_OP_SIGNATURE_KEY].outputs[INIT_OP_SIGNATURE_KEY].name
        return ops.get_default_graph().as_graph_element(prepend_scope(name, import_scope))
    for key in (MAIN_OP_KEY, LEGACY_INIT_OP_KEY):
        if key in meta.collection_def:
            names = meta.collection_def[key].node_list.value
            if len(names) != 1:
                raise RuntimeError("Expected exactly one SavedModel init op. Found: {}".format(names))
            return ops.get_collection(key)[0]
    return None


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
            op = _init_op(meta, import_scope)
            if op is not None:
                sess.run([op], feed_dict=_asset_feeds(self.export_dir, meta, import_scope))

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
