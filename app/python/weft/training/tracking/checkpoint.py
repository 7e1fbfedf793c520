"""tf.train.Checkpoint and CheckpointManager: checkpoints keyed by attribute paths, which also contain the object graph."""

import collections
import os
import time
import uuid
import weakref

import numpy as np

from ... import dtypes, engine, ops, protos
from ...errors import NotFoundError
from ...exports import export
from ...initializers import glorot_uniform_initializer, zeros_initializer
from ...platform import gfile
from ...platform import tf_logging as logging
from ...tensor_shape import TensorShape
from ...variable_base import Variable
from .. import checkpoints
from ..checkpoint_reader import NewCheckpointReader
from ..checkpoints import get_checkpoint_state, write_state
from ..global_step import global_step
from ..saveables import on_cpu
from .base import OBJECT_GRAPH_PROTO_KEY, AutoTrackable, NoDependency, Trackable
from .object_graph import NoRestoreSaveable, ObjectGraphView
from .restoring import CheckpointLoadStatus, InitializationOnlyStatus, NameBasedSaverStatus, _Matching, default_session, defer, next_uid


def _save_operation(prefix, saveables):
    """Writes one part per device, then merges the parts into one checkpoint."""
    by_device = collections.defaultdict(list)
    for saveable in saveables:
        by_device[saveable.device or ""].append(saveable)
    with ops.device("cpu:0"):
        temporary = engine.string_join([prefix, "_temp_%s/part" % uuid.uuid4().hex])
    count = ops.constant(len(by_device), name="num_shards")
    saves, parts = [], []
    for shard, (device, group) in enumerate(sorted(by_device.items())):
        with ops.device(on_cpu(device)):
            parts.append(engine.raw_ops.ShardedFilename(basename=temporary, shard=shard, num_shards=count))
        with ops.device(device):
            specs = [spec for saveable in group for spec in saveable.specs]
            tensors = [spec.tensor for spec in specs]
            with ops.device("cpu:0"):
                saves.append(engine.raw_ops.SaveV2(prefix=parts[-1], tensor_names=[s.name for s in specs], shape_and_slices=[s.slice_spec for s in specs], tensors=tensors))
    with ops.control_dependencies(saves), ops.device(on_cpu(device)):
        return engine.raw_ops.MergeV2Checkpoints(checkpoint_prefixes=parts, destination_prefix=prefix, delete_old_dirs=True)


class TrackableSaver:
    """Saves and restores the objects of a view; operations are created once per object graph."""

    def __init__(self, graph_view):
        self._view = graph_view
        self._of_graph = weakref.WeakKeyDictionary()  # tf.Graph -> what was created in it

    def _nodes(self):
        graph = ops.get_default_graph()
        if graph not in self._of_graph:
            self._of_graph[graph] = {"restore_ops": {}}
        return self._of_graph[graph]

    def save(self, file_prefix, checkpoint_number=None, session=None):
        """Writes a checkpoint; returns its path."""
        if checkpoint_number:
            file_prefix = "%s-%d" % (file_prefix, checkpoint_number)
        if ops.executing_eagerly():
            return self._save_now(file_prefix)
        session, nodes = default_session(session), self._nodes()
        with ops.device("/cpu:0"):
            if "graph_tensor" not in nodes:
                nodes["graph_tensor"], nodes["prefix"] = ops.constant("", dtype=dtypes.string), ops.constant("", dtype=dtypes.string)
        saveables, graph, feeds = self._view.serialize_object_graph()
        if nodes.get("saved_graph") != graph:
            saveables = saveables + [NoRestoreSaveable(nodes["graph_tensor"], OBJECT_GRAPH_PROTO_KEY)]
            save = _save_operation(nodes["prefix"], saveables)
            with ops.device("/cpu:0"), ops.control_dependencies([save]):
                nodes["save"] = engine.identity(nodes["prefix"])
            nodes["saved_graph"] = graph
        feeds.update({nodes["graph_tensor"]: graph.SerializeToString(), nodes["prefix"]: file_prefix})
        gfile.MakeDirs(os.path.dirname(file_prefix) or ".")
        return session.run(nodes["save"], feed_dict=feeds)

    def _save_now(self, file_prefix):
        """The same while execution is eager."""
        saveables, graph, feeds = self._view.serialize_object_graph()
        if feeds:
            raise NotImplementedError("tf.train.Checkpoint: Python state is not saved while execution is eager")
        saveables = saveables + [NoRestoreSaveable(ops.constant(graph.SerializeToString()), OBJECT_GRAPH_PROTO_KEY)]
        gfile.MakeDirs(os.path.dirname(file_prefix) or ".")
        _save_operation(ops.constant(file_prefix), saveables)
        return file_prefix

    def restore(self, save_path):
        """Loads a checkpoint, or none if the path is None; returns its status."""
        if save_path is None:
            return InitializationOnlyStatus(self._view, next_uid())
        try:
            data = NewCheckpointReader(save_path).get_tensor(OBJECT_GRAPH_PROTO_KEY)
        except NotFoundError:
            if not checkpoints.checkpoint_exists(save_path):
                raise
            return NameBasedSaverStatus(save_path, self._view)
        if ops.executing_eagerly():
            graph = protos.message("TrackableObjectGraph").FromString(data)
            matching = _Matching(graph, save_path, ops.constant(save_path), {}, self._view)
            matching.operations()
            defer(matching)
            return CheckpointLoadStatus(matching, feed_dict={}, graph_view=self._view)
        nodes = self._nodes()
        if "restore_prefix" not in nodes:
            with ops.device("/cpu:0"):
                nodes["restore_prefix"] = ops.constant("model")
        graph = protos.message("TrackableObjectGraph").FromString(data)
        matching = _Matching(graph, save_path, nodes["restore_prefix"], nodes["restore_ops"], self._view)
        return CheckpointLoadStatus(matching, feed_dict={nodes["restore_prefix"]: save_path}, graph_view=self._view)


@export("contrib.checkpoint.object_metadata")
def object_metadata(save_path):
    """The TrackableObjectGraph of a checkpoint. ValueError if it has none."""
    try:
        data = NewCheckpointReader(save_path).get_tensor(OBJECT_GRAPH_PROTO_KEY)
    except NotFoundError:
        raise ValueError('The specified checkpoint "%s" does not appear to be object-based (it is missing the key "%s"). Likely it was created with a name-based saver and does not '
                         "contain an object dependency graph." % (save_path, OBJECT_GRAPH_PROTO_KEY)) from None
    return protos.message("TrackableObjectGraph").FromString(data)


@export("contrib.checkpoint.list_objects")
def list_objects(root_trackable):
    """All objects that `root_trackable` depends on, including slots."""
    return ObjectGraphView(root_trackable).list_objects()


def add_variable(trackable, name, shape=None, dtype=dtypes.float32, initializer=None, trainable=True):
    """A new resource variable as a dependency of an object. Name scopes and variable scopes have no part in it."""
    return trackable._add_variable_with_custom_getter(name=name, shape=shape, dtype=dtype, initializer=initializer, getter=_new_variable, trainable=trainable)


def _new_variable(name, shape, dtype, initializer, trainable):
    kind = dtypes.as_dtype(dtype)
    if initializer is None:
        initializer = glorot_uniform_initializer() if kind.is_floating else zeros_initializer()
    value = (lambda: initializer(TensorShape(shape).as_list(), dtype=kind)) if callable(initializer) else initializer
    return Variable(initial_value=value, name=name, dtype=kind.base_dtype if callable(initializer) else None, use_resource=True, trainable=trainable)


def gather_initializers(root_trackable):
    """The initializers of all objects that `root_trackable` depends on."""
    from .restoring import initializers

    return initializers(list_objects(root_trackable))


@export("train.Checkpoint")
class Checkpoint(AutoTrackable):
    """Saves objects together: those given by name, those assigned to attributes later, and all their dependencies."""

    def __init__(self, **kwargs):
        for name, value in sorted(kwargs.items()):
            if not isinstance(value, Trackable):
                raise ValueError("`Checkpoint` was expecting a trackable object (an object derived from `TrackableBase`), got %s. If you believe this object should be trackable "
                                 "(i.e. it is part of the TensorFlow Python API and manages state), please open an issue." % (value,))
            setattr(self, name, value)
        self._save_counter = None
        self._save_assign_op = None
        self._saver = NoDependency(TrackableSaver(ObjectGraphView(weakref.ref(self))))

    def _maybe_create_save_counter(self):
        if self._save_counter is None:
            with ops.init_scope(), ops.device("/cpu:0"):
                counter = Variable(np.int64(0), name="save_counter", dtype=dtypes.int64, trainable=False, use_resource=True)
            self._track_trackable(counter, name="save_counter")
            self._save_counter = NoDependency(counter)

    @property
    def save_counter(self):
        """The number of save() calls, in a variable that is saved as well."""
        self._maybe_create_save_counter()
        return self._save_counter

    def write(self, file_prefix, session=None):
        """Writes a checkpoint without counting or recording it; returns its path."""
        path = self._saver.save(file_prefix=file_prefix, session=session)
        return path.decode() if isinstance(path, bytes) else path

    def save(self, file_prefix, session=None):
        """Writes the checkpoint PREFIX-NUMBER and records it as the latest of its folder; returns its path."""
        if ops.executing_eagerly():
            path = self.write("%s-%d" % (file_prefix, int(self.save_counter.assign_add(1))))
            write_state(os.path.dirname(file_prefix), path, [path], relative=True)
            return path
        session = default_session(session)
        if self._save_counter is None:
            session.run(self.save_counter.initializer)
        if self._save_assign_op is None:
            with ops.colocate_with(self.save_counter.handle):
                self._save_assign_op = NoDependency(self.save_counter.assign_add(1, read_value=True))
        number = session.run(self._save_assign_op)
        path = self.write("%s-%d" % (file_prefix, number), session=session)
        write_state(os.path.dirname(file_prefix), path, [path], relative=True)
        return path

    def restore(self, save_path):
        """Matches objects with those of a checkpoint; the returned status loads them. With None they are initialized."""
        status = self._saver.restore(save_path=save_path)
        self._maybe_create_save_counter()
        return status


@export("train.CheckpointManager", "contrib.checkpoint.CheckpointManager")
class CheckpointManager:
    """Numbers a Checkpoint's files in a folder and deletes old ones."""

    def __init__(self, checkpoint, directory, max_to_keep, keep_checkpoint_every_n_hours=None, checkpoint_name="ckpt"):
        if max_to_keep is not None and max_to_keep <= 0:
            raise ValueError("Expected a positive integer or `None` for `max_to_max_to_keep`, got %d." % (max_to_keep,))
        self._checkpoint, self._max_to_keep, self._hours, self._directory = checkpoint, max_to_keep, keep_checkpoint_every_n_hours, directory
        self._prefix = os.path.join(directory, checkpoint_name)
        self._counter_assign, self._kept, self._latest = None, collections.OrderedDict(), None
        now, state = time.time(), get_checkpoint_state(directory)
        self._last_preserved = now - 1.0  # slightly earlier, so that a checkpoint written immediately by a new manager counts
        if state is None:
            return
        self._latest, self._last_preserved = state.model_checkpoint_path, state.last_preserved_timestamp
        if now < self._last_preserved:
            logging.warning("time.time() returned a value %f seconds behind the last preserved checkpoint timestamp.", self._last_preserved - now)
            self._last_preserved = now
        times = list(state.all_model_checkpoint_timestamps) or [self._last_preserved] * len(state.all_model_checkpoint_paths)
        for path, written in zip(state.all_model_checkpoint_paths, times):
            if min(written, now) > self._last_preserved:
                self._kept[path] = min(written, now)

    latest_checkpoint = property(lambda self: self._latest)
    checkpoints = property(lambda self: list(self._kept))

    def _sweep(self):
        while self._max_to_keep and len(self._kept) > self._max_to_keep:
            path, written = self._kept.popitem(last=False)
            if self._hours and written - self._hours * 3600.0 >= self._last_preserved:
                self._last_preserved = written  # this one is kept permanently
                continue
            for file in gfile.Glob(path + ".index") + gfile.Glob(path + ".data-?????-of-?????"):
                gfile.Remove(file)

    def _record(self):
        write_state(self._directory, self._latest, list(self._kept), relative=True, timestamps=list(self._kept.values()), last_preserved=self._last_preserved)

    def save(self, checkpoint_number=None):
        """Writes a checkpoint, in a graph with the values of the default session; returns its path."""
        session = ops.get_default_session()
        new = self._checkpoint._save_counter is None
        counter = self._checkpoint.save_counter
        if ops.executing_eagerly():
            counter.assign_add(1)
        else:
            if new:
                session.run(counter.initializer)
            if self._counter_assign is None:
                self._counter_assign = counter.assign_add(1, read_value=False)
            session.run(self._counter_assign)
        number = counter if checkpoint_number is None else checkpoint_number
        if not isinstance(number, (int, np.integer)):
            number = global_step(session, number)
        path = self._checkpoint.write("%s-%d" % (self._prefix, number))
        self._kept.pop(path, None)
        self._kept[path] = time.time()
        self._latest = path
        self._record()  # before deleting anything: if the program stops now, the newest checkpoint is recorded
        self._sweep()
        self._record()
        return path


export("contrib.checkpoint.Checkpointable")(AutoTrackable)
export("contrib.checkpoint.CheckpointableBase")(Trackable)
export("contrib.checkpoint.NoDependency")(NoDependency)
export("contrib.checkpoint.CheckpointableObjectGraph")(protos.message("TrackableObjectGraph"))
