"""Builds the nodes of a saver: the save op, the restore op, and the file name."""

import collections
import uuid

from .. import basics, engine, ops, protos
from ..control_flow import group
from ..device import canonical_name
from .saveables import SaveableObject, is_partitioned, on_cpu, saveables_of


class SaverBuilder:
    """Adds a saver's nodes to the default graph."""

    def __init__(self, write_version=2):
        self._version = write_version

    def save_op(self, filename, saveables):
        """The node that writes all tensors of `saveables`."""
        specs = [spec for saveable in saveables for spec in saveable.specs]
        names = [s.name for s in specs]
        tensors = [s.tensor for s in specs]
        slices = [s.slice_spec for s in specs]
        if self._version == 1:
            return engine.raw_ops.SaveSlices(filename=filename, tensor_names=names, shapes_and_slices=slices, data=tensors, name="save")
        if self._version != 2:
            raise RuntimeError("Unexpected write_version: " + str(self._version))
        return engine.raw_ops.SaveV2(prefix=filename, tensor_names=names, shape_and_slices=slices, tensors=tensors)

    def _save(self, filename, saveables):
        return _after([self.save_op(filename, saveables)], filename)

    def bulk_restore(self, filename, saveables, preferred_shard=-1):
        """All tensors, read by one op."""
        specs = [spec for saveable in saveables for spec in saveable.specs]
        with ops.device("cpu:0"):
            return engine.raw_ops.RestoreV2(prefix=filename, tensor_names=[s.name for s in specs], shape_and_slices=[s.slice_spec for s in specs],
                                            dtypes=[s.dtype.base_dtype for s in specs])

    def _restore(self, filename, saveables, reshape, shard=-1, name="restore_all"):
        values = list(self.bulk_restore(filename, saveables, shard))
        done = []
        for saveable in saveables:
            shapes = None
            if reshape:
                shapes = []
                for spec in saveable.specs:
                    tensor = spec.tensor
                    shape = tensor.get_shape()
                    shapes.append(shape if shape.is_fully_defined() else basics.shape(tensor))
            mine, values = values[:len(saveable.specs)], values[len(saveable.specs):]
            done.append(saveable.restore(mine, shapes))
        return group(*done, name=name)

    def _save_shards(self, prefix, places):
        if self._version == 2:
            temporary = engine.string_join([prefix, "_temp_%s/part" % uuid.uuid4().hex])
        else:
            temporary = prefix
        count = ops.constant(len(places), name="num_shards")
        saves, names = [], []
        for shard, (device, saveables) in enumerate(places):
            with ops.device(on_cpu(device) if self._version == 2 else device):
                names.append(engine.raw_ops.ShardedFilename(basename=temporary, shard=shard, num_shards=count))
                saves.append(self._save(names[-1], saveables))
        with ops.control_dependencies([s.op for s in saves]):
            if self._version != 2:
                return engine.raw_ops.ShardedFilespec(basename=prefix, num_shards=count)
            with ops.device(on_cpu(places[-1][0])):
                merged = engine.raw_ops.MergeV2Checkpoints(checkpoint_prefixes=names, destination_prefix=prefix, delete_old_dirs=True)
                with ops.control_dependencies([merged]):
                    return engine.identity(prefix)

    def _restore_shards(self, filename, places, reshape):
        done = []
        for shard, (device, saveables) in enumerate(places):
            with ops.device(device):
                done.append(self._restore(filename, saveables, reshape, shard, "restore_shard"))
        return group(*done, name="restore_all")

    def _by_device(self, saveables):
        places = collections.defaultdict(list)
        for saveable in saveables:
            devices = set(canonical_name(spec.tensor.device) for spec in saveable.specs)
            if len(devices) != 1:
                raise ValueError("All tensors of a saveable object must be on the same device: %s" % saveable.name)
            places[devices.pop()].append(saveable)
        return sorted(places.items(), key=lambda place: place[0])

    def build(self, names_to_saveables, reshape=False, sharded=False, max_to_keep=5, keep_checkpoint_every_n_hours=10000.0, name=None,
              restore_sequentially=False, filename="model"):
        """Adds the nodes; returns the SaverDef with their names."""
        saveables = saveables_of(names_to_saveables)
        with ops.name_scope(name, "save", [s.op for s in saveables]):
            file = basics.placeholder_with_default(filename or "model", shape=(), name="filename")
            file = basics.placeholder_with_default(file, shape=(), name="Const")
            if sharded:
                places = self._by_device(saveables)
                save = self._save_shards(file, places)
                restore = self._restore_shards(file, places, reshape)
            else:
                save = self._save(file, saveables)
                restore = self._restore(file, saveables, reshape)
        _join_partitions()
        return protos.SaverDef(filename_tensor_name=file.name, save_tensor_name=save.name, restore_op_name=restore.name,
                               max_to_keep=0 if max_to_keep is None else max_to_keep, sharded=sharded,
                               keep_checkpoint_every_n_hours=keep_checkpoint_every_n_hours, version=self._version)

    _build_internal = build

    # While execution is eager.
    def save_now(self, filename, variables, sharded):
        """Writes a checkpoint; returns its path."""
        saveables, file = saveables_of(variables), ops.constant(filename)
        if not sharded:
            self.save_op(file, saveables)
            return filename
        path = self._save_shards(file, self._by_device(saveables)).numpy()
        return path.decode() if isinstance(path, bytes) else path

    def restore_now(self, filename, variables, reshape):
        self._restore(ops.constant(filename), saveables_of(variables), reshape)


def _after(dependencies, tensor):
    """`tensor`, with control dependencies on `dependencies`."""
    if ops.executing_eagerly():
        return tensor  # they have run
    with ops.name_scope(None, "control_dependency", [tensor]) as name:
        with ops.colocate_with(tensor), ops.control_dependencies(dependencies):
            return engine.identity(tensor, name=name)


def _join_partitions():
    # Collections of meta graphs refer to nodes by name, so partitioned variables need a node of that name.
    graph = ops.get_default_graph()
    for key in graph.get_all_collection_keys():
        for item in graph.get_collection(key):
            if is_partitioned(item):
                try:
                    graph.get_operation_by_name(item.name)
                except KeyError:
                    item.as_tensor()


SaverBuilder.SaveableObject = SaveableObject
