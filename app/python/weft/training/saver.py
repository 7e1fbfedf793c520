"""tf.train.Saver."""

import contextlib
import os
import threading
import time

import numpy as np

from .. import collection_protos, errors, ops, protos, settings
from ..exports import export
from ..platform import gfile
from ..platform import tf_logging as logging
from . import checkpoints, global_step as steps, meta_graph
from .checkpoint_reader import NewCheckpointReader
from .names import as_text, is_session, prepend_scope, strip_scope
from .saveables import all_saveables, saveables_of
from .saver_builder import SaverBuilder
from .tracking.base import OBJECT_GRAPH_PROTO_KEY


@export("train.Saver")
class Saver:
    """Saves and restores variables, keeps the newest checkpoints and records them in the `checkpoint` file."""

    def __init__(self, var_list=None, reshape=False, sharded=False, max_to_keep=5, keep_checkpoint_every_n_hours=10000.0, name=None,
                 restore_sequentially=False, saver_def=None, builder=None, defer_build=False, allow_empty=False, write_version=2,
                 pad_step_number=False, save_relative_paths=False, filename=None):
        if defer_build and var_list:
            raise ValueError("If `var_list` is provided then build cannot be deferred. Either set defer_build=False or var_list=None.")
        self._var_list, self._reshape, self._sharded = var_list, reshape, sharded
        self._max_to_keep, self._keep_hours = max_to_keep, keep_checkpoint_every_n_hours
        self._name, self._sequentially = name, restore_sequentially
        self.saver_def, self._builder = saver_def, builder
        self._is_built, self._allow_empty, self._is_empty = False, allow_empty, None
        self._write_version, self._pad_step_number = write_version, pad_step_number
        self._save_relative_paths, self._filename = save_relative_paths, filename
        self._last_checkpoints = []  # (path, time), oldest first
        self._to_delete = []
        self._object_restore_saver = None
        if not defer_build:
            self.build()
        if self.saver_def:
            self._check()
            self._write_version = self.saver_def.version

    def build(self):
        """Adds the saver's nodes to the default graph, once. While execution is eager there is nothing to add: save() and restore() run at once."""
        if ops.executing_eagerly():
            if self._var_list is None:
                raise RuntimeError("When eager execution is enabled, `var_list` must specify a list or dict of variables to save")
            self._builder, self._is_empty = self._builder or SaverBuilder(self._write_version), False
            self.saver_def = protos.SaverDef(max_to_keep=self._max_to_keep or 0, sharded=self._sharded, keep_checkpoint_every_n_hours=self._keep_hours, version=self._write_version)
            self._next_kept = time.time() + self._keep_hours * 3600
            return
        if self._is_built:
            return
        self._is_built = True
        if not self.saver_def:
            if self._builder is None:
                self._builder = SaverBuilder(self._write_version)
            if self._var_list is None:
                self._var_list = all_saveables()
            if not self._var_list:
                if not self._allow_empty:
                    raise ValueError("No variables to save")
                self._is_empty = True
                return
            self._is_empty = False
            self.saver_def = self._builder._build_internal(
                self._var_list, reshape=self._reshape, sharded=self._sharded, max_to_keep=self._max_to_keep,
                keep_checkpoint_every_n_hours=self._keep_hours, name=self._name, restore_sequentially=self._sequentially, filename=self._filename)
        elif self._name:
            d = self.saver_def
            for field in ("filename_tensor_name", "save_tensor_name", "restore_op_name"):
                setattr(d, field, prepend_scope(getattr(d, field), self._name))
        self._check()
        self._next_kept = time.time() + self.saver_def.keep_checkpoint_every_n_hours * 3600

    def _check(self):
        d = self.saver_def
        if ops.executing_eagerly():
            return
        if type(d).__name__ != "SaverDef":
            raise ValueError("saver_def must be a saver_pb2.SaverDef: %s" % d)
        for field in ("save_tensor_name", "restore_op_name"):
            if not getattr(d, field):
                raise ValueError("saver_def must specify the %s: %s" % (field, d))

    # The list of checkpoints.

    @property
    def last_checkpoints(self):
        """Paths of the retained checkpoints, oldest first."""
        return [path for path, _ in self._last_checkpoints]

    def set_last_checkpoints(self, last_checkpoints):
        """Sets the list of retained checkpoints. They count as recent and are never deleted."""
        assert isinstance(last_checkpoints, list)
        self._last_checkpoints = [(path, np.inf) for path in last_checkpoints]

    def set_last_checkpoints_with_time(self, last_checkpoints_with_time):
        assert isinstance(last_checkpoints_with_time, list)
        self._last_checkpoints = last_checkpoints_with_time

    def recover_last_checkpoints(self, checkpoint_paths):
        """As set_last_checkpoints_with_time(), with the files' modification times; missing files are dropped."""
        found = [(path, checkpoints.get_checkpoint_mtimes([path])) for path in checkpoint_paths]
        self._last_checkpoints = [(path, times[0]) for path, times in found if times]

    def _record(self, path):
        if not self.saver_def.max_to_keep:
            return
        self._last_checkpoints = [c for c in self._last_checkpoints if c[0] != path]
        self._last_checkpoints.append((path, time.time()))
        if len(self._last_checkpoints) > self.saver_def.max_to_keep:
            self._to_delete.append(self._last_checkpoints.pop(0))

    def _delete_old(self, meta_graph_suffix):
        if not self._to_delete:
            return
        path, when = self._to_delete.pop(0)
        if when > self._next_kept:
            self._next_kept += self.saver_def.keep_checkpoint_every_n_hours * 3600
            return
        try:
            checkpoints.remove_checkpoint(path, self.saver_def.version, meta_graph_suffix)
        except Exception as e:  # failing to delete an old checkpoint must not stop a training
            logging.warning("Ignoring: %s", e)

    # Saving and restoring.

    # A supervisor's thread and the program may save at the same time. Saves are serialized, so that the newest checkpoint is listed last.
    _one_at_a_time = threading.RLock()

    def save(self, sess, save_path, global_step=None, latest_filename=None, meta_graph_suffix="meta", write_meta_graph=True, write_state=True,
             strip_default_attrs=False, save_debug_info=False):
        """Writes a checkpoint; returns its prefix, or None if the saver is empty."""
        settings.unused("Saver.save", "meta graphs hold no debug info", save_debug_info=(save_debug_info, False))
        with self._one_at_a_time:
            return self._save(sess, save_path, global_step, latest_filename, meta_graph_suffix, write_meta_graph, write_state, strip_default_attrs)

    def _save(self, sess, save_path, global_step, latest_filename, meta_graph_suffix, write_meta_graph, write_state, strip_default_attrs):
        eager = ops.executing_eagerly()
        if not self._is_built and not eager:
            raise RuntimeError("`build()` should be called before save if defer_build==True")
        latest_filename = latest_filename or "checkpoint"
        if os.path.split(latest_filename)[0]:
            raise ValueError("'latest_filename' must not contain path components")
        save_path = os.fspath(save_path)
        if global_step is not None:
            if isinstance(global_step, bool) or not isinstance(global_step, (int, np.integer)):
                global_step = steps.global_step(sess, global_step)
            file = "%s-%s" % (save_path, "{:08d}".format(global_step)) if self._pad_step_number else "%s-%d" % (save_path, global_step)
        else:
            file = save_path
            if os.path.basename(save_path) == latest_filename and not self._sharded:
                raise ValueError("'latest_filename' collides with 'save_path': '%s' and '%s'" % (latest_filename, save_path))
        if not eager and not is_session(sess):
            raise TypeError("'sess' must be a Session; %s" % sess)
        folder = os.path.dirname(save_path)
        path = None
        above = os.path.dirname(folder)
        if not self._is_empty and above and not gfile.IsDirectory(above):
            # Creates one missing folder, but not its parents.
            raise ValueError("Parent directory of {} doesn't exist, can't save.".format(save_path))
        if not self._is_empty:
            try:
                path = self._builder.save_now(file, self._var_list, self._sharded) if eager else \
                    as_text(sess.run(self.saver_def.save_tensor_name, {self.saver_def.filename_tensor_name: file}))
                if write_state:
                    self._record(path)
                    checkpoints.write_state(folder, path, self.last_checkpoints, latest_filename, self._save_relative_paths)
                    self._delete_old(meta_graph_suffix)
            except (errors.FailedPreconditionError, errors.NotFoundError) as e:
                if gfile.IsDirectory(folder):
                    raise
                raise ValueError("Parent directory of {} doesn't exist, can't save.".format(save_path)) from e
        if write_meta_graph and not eager:
            with sess.graph.as_default():
                self.export_meta_graph(checkpoints.meta_graph_filename(file, meta_graph_suffix), strip_default_attrs=strip_default_attrs)
        return path

    def restore(self, sess, save_path):
        """Restores the variables from a checkpoint."""
        if self._is_empty:
            return
        if save_path is None:
            raise ValueError("Can't load save_path when it is None.")
        save_path = as_text(save_path) if isinstance(save_path, bytes) else os.fspath(save_path)
        if not checkpoints.checkpoint_exists(save_path):
            raise ValueError("The passed save_path is not a valid checkpoint: " + save_path)
        logging.info("Restoring parameters from %s", save_path)
        try:
            if ops.executing_eagerly():
                self._builder.restore_now(save_path, self._var_list, self._reshape)
            else:
                sess.run(self.saver_def.restore_op_name, {self.saver_def.filename_tensor_name: save_path})
        except errors.NotFoundError as e:
            try:
                keys = object_graph_key_mapping(save_path)
            except errors.NotFoundError:
                raise _explained(e, "a Variable name or other graph key that is missing") from None
            logging.warning("Restoring an object-based checkpoint using a name-based saver. This may be somewhat fragile, and will re-build the Saver. "
                            "Instead, consider loading object-based checkpoints using tf.train.Checkpoint().")
            with sess.graph.as_default() if sess is not None else contextlib.nullcontext():
                self._object_restore_saver = saver_from_object_based_checkpoint(save_path, self._var_list, self._builder, keys, self._object_restore_saver)
            self._object_restore_saver.restore(sess, save_path)
        except errors.InvalidArgumentError as e:
            raise _explained(e, "a mismatch between the current graph and the graph") from None

    # Conversion to messages.

    def as_saver_def(self):
        return self.saver_def

    def to_proto(self, export_scope=None):
        """The SaverDef with the scope removed; None if the saver's nodes are outside the scope."""
        if export_scope is None:
            return self.saver_def
        fields = ("filename_tensor_name", "save_tensor_name", "restore_op_name")
        if not all(getattr(self.saver_def, f).startswith(export_scope) for f in fields):
            return None
        copy = protos.SaverDef()
        copy.CopyFrom(self.saver_def)
        for field in fields:
            setattr(copy, field, strip_scope(getattr(copy, field), export_scope))
        return copy

    @staticmethod
    def from_proto(saver_def, import_scope=None):
        return Saver(saver_def=saver_def, name=import_scope)

    @staticmethod
    def _add_collection_def(meta_graph_def, key, export_scope=None):
        meta_graph.add_collection_def(meta_graph_def, key, export_scope=export_scope)

    def export_meta_graph(self, filename=None, collection_list=None, as_text=False, export_scope=None, clear_devices=False,
                          clear_extraneous_savers=False, strip_default_attrs=False, save_debug_info=False):
        """As tf.train.export_meta_graph(), with this saver included."""
        settings.unused("Saver.export_meta_graph", "meta graphs hold no debug info", save_debug_info=(save_debug_info, False))
        return export_meta_graph(filename=filename, graph_def=ops.get_default_graph().as_graph_def(add_shapes=True), saver_def=self.saver_def,
                                 collection_list=collection_list, as_text=as_text, export_scope=export_scope, clear_devices=clear_devices,
                                 clear_extraneous_savers=clear_extraneous_savers, strip_default_attrs=strip_default_attrs)


def object_graph_key_mapping(checkpoint_path):
    """Variable name -> key in an object-based checkpoint. NotFoundError for other checkpoints."""
    data = NewCheckpointReader(checkpoint_path).get_tensor(OBJECT_GRAPH_PROTO_KEY)
    graph = protos.message("TrackableObjectGraph").FromString(data)
    return {a.full_name: a.checkpoint_key for node in graph.nodes for a in node.attributes}


def saver_from_object_based_checkpoint(checkpoint_path, var_list=None, builder=None, names_to_keys=None, cached_saver=None):
    """A saver that restores variables by the names that an object-based checkpoint states for their keys."""
    if names_to_keys is None:
        try:
            names_to_keys = object_graph_key_mapping(checkpoint_path)
        except errors.NotFoundError:
            raise ValueError("Checkpoint in %s not an object-based checkpoint." % checkpoint_path) from None
    saveables = saveables_of(all_saveables() if var_list is None else var_list)
    names, known = {spec.name for saveable in saveables for spec in saveable.specs}, set(names_to_keys)
    if names - known:
        raise errors.NotFoundError(None, None, (
            "\n\nExisting variables not in the checkpoint: %s\n\nVariables names when this checkpoint was written which don't exist now: %s\n\n"
            "(%d variable name(s) did match)\n\n"
            "Could not find some variables in the checkpoint (see names above). Saver was attempting to load an object-based checkpoint (saved using "
            "tf.train.Checkpoint or tf.keras.Model.save_weights) using variable names. If the checkpoint was written with eager execution enabled, it's "
            "possible that variable names have changed (for example missing a '_1' suffix). It's also possible that there are new variables which did not "
            "exist when the checkpoint was written. You can construct a Saver(var_list=...) with only the variables which previously existed, and if "
            "variable names have changed you may need to make this a dictionary with the old names as keys. If you're using an Estimator, you'll need to "
            "return a tf.train.Saver inside a tf.train.Scaffold from your model_fn.") % (", ".join(sorted(names - known)), ", ".join(sorted(known - names)), len(names & known)))
    for saveable in saveables:
        for spec in saveable.specs:
            spec.name = names_to_keys[spec.name]
    return Saver(saveables) if cached_saver is None else cached_saver


def _explained(error, what):
    text = ("Restoring from checkpoint failed. This is most likely due to {} from the checkpoint. Please ensure that you have not altered the graph "
            "expected based on the checkpoint. Original error:\n\n{}").format(what, error.message)
    return error.__class__(error.node_def, error.op, text)


@export("train.export_meta_graph")
def export_meta_graph(filename=None, meta_info_def=None, graph_def=None, saver_def=None, collection_list=None, as_text=False, graph=None,
                      export_scope=None, clear_devices=False, clear_extraneous_savers=False, strip_default_attrs=False, save_debug_info=False, **kwargs):
    """Writes graph, saver and collections as a MetaGraphDef and returns it."""
    settings.unused("train.export_meta_graph", "meta graphs hold no debug info", save_debug_info=(save_debug_info, False))
    return meta_graph.export_scoped_meta_graph(
        filename=filename, meta_info_def=meta_info_def, graph_def=graph_def, saver_def=saver_def, collection_list=collection_list, as_text=as_text,
        graph=graph, export_scope=export_scope, clear_devices=clear_devices, clear_extraneous_savers=clear_extraneous_savers,
        strip_default_attrs=strip_default_attrs, **kwargs)[0]


@export("train.import_meta_graph")
def import_meta_graph(meta_graph_or_file, clear_devices=False, import_scope=None, **kwargs):
    """Imports a meta graph into the default graph; returns its saver, or a new one for its variables, or None without variables."""
    read = type(meta_graph_or_file).__name__ == "MetaGraphDef"
    meta = meta_graph_or_file if read else meta_graph.read_meta_graph_file(meta_graph_or_file)
    variables = meta_graph.import_scoped_meta_graph(meta, clear_devices=clear_devices, import_scope=import_scope, **kwargs)
    if not meta.HasField("saver_def"):
        if all_saveables(import_scope):
            return Saver()
        logging.info("Saver not created because there are no variables in the graph to restore")
        return None
    scope = import_scope
    if variables:
        # The scope may have been made unique during the import.
        key, variable = next(iter(variables.items()))
        scope = variable.name[:-len(key)]
    return Saver(saver_def=meta.saver_def, name=scope)


def get_saver_or_default():
    """The graph's saver (collection "savers"), or a new one."""
    savers = ops.get_collection("savers")
    if len(savers) > 1:
        raise RuntimeError("More than one item in collection {}. Please indicate which one to use by passing it to the constructor.".format("savers"))
    if savers:
        return savers[0]
    saver = Saver(sharded=True, allow_empty=True)
    ops.add_to_collection("savers", saver)
    return saver


collection_protos.register("savers", "SaverDef", Saver.to_proto, Saver.from_proto)
