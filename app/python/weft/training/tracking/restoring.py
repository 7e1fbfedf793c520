"""The results of tf.train.Checkpoint.restore(): objects matched with those of a checkpoint, and the operations that restore their values.

Objects created after restore() are matched when the status is queried or its operations run."""

import collections
import weakref

from ... import engine, ops
from ...keras import backend
from ...platform import tf_logging as logging
from ..checkpoint_reader import NewCheckpointReader
from ..saver import Saver
from . import base
from .dependencies import dependencies, is_optimizer, saveables, slots
from .object_graph import node_names, saveables_for


def default_session(session):
    return session or ops.get_default_session() or backend.get_session()


_uid = [0]


def next_uid():
    _uid[0] += 1
    return _uid[0]


def update_uid(obj):
    """The number of the last restore() that matched the object."""
    return getattr(obj, "_self_update_uid", -1)


def _mark(obj, uid):
    if not isinstance(obj, (list, dict, tuple)) and uid > update_uid(obj):
        object.__setattr__(obj, "_self_update_uid", uid)


class _Unused:
    """When deleted, warns about values of the checkpoint that no object used."""

    def __init__(self, names):
        self.names, self.quiet, self.matched, self.unused = names, False, set(), {}

    def __del__(self):
        if self.quiet:
            return
        lines = ["Unresolved object in checkpoint: {}".format(self.names[n]) for n in sorted(self.names) if n not in self.matched]
        lines += ["Unused attribute in object {}: {}".format(self.names[n], attributes) for n, attributes in self.unused.items()]
        for line in lines:
            logging.warning(line)
        if lines:
            logging.warning("A checkpoint was restored (e.g. tf.train.Checkpoint.restore or tf.keras.Model.load_weights) but not all checkpointed values were used. See above for "
                            "specific issues. Use expect_partial() on the load status object, e.g. tf.train.Checkpoint.restore(...).expect_partial(), to silence these warnings, "
                            "or use assert_consumed() to make the check explicit.")


class _Matching:
    """Maps nodes of a checkpoint's object graph to objects of the program."""

    def __init__(self, graph, path, path_tensor, restore_ops, view):
        self.graph, self.path, self.path_tensor, self.view = graph, path, path_tensor, view
        self.uid = next_uid()
        self.objects = {}            # node -> object
        self.names = node_names(graph)
        self.report = _Unused(self.names)
        self._ops = restore_ops      # (key, graph) -> operation; shared by all restores of one saver
        self._python_done = set()
        self.match()

    def _bind(self, obj, node):
        """True if the node had no object yet."""
        known = self.objects.get(node)
        if known is None:
            self.objects[node] = obj
            self.report.matched.add(node)
            _mark(obj, self.uid)
            return True
        if known is not obj:
            logging.warning("Inconsistent references when loading the checkpoint into this object graph. Either the Trackable object references in the Python program have changed in "
                            "an incompatible way, or the checkpoint was generated in an incompatible program.\n\nTwo checkpoint references resolved to different objects (%s and %s).",
                            known, obj)
        return False

    def match(self):
        """Matches the objects that exist now."""
        visited, todo = set(), collections.deque([(self.view.root, 0)])
        while todo:
            obj, node = todo.popleft()
            self._bind(obj, node)
            visited.add(node)
            local = dict(dependencies(obj))
            for child in self.graph.nodes[node].children:
                if child.local_name in local and child.node_id not in visited:
                    known = self.objects.get(child.node_id)
                    if known is not None and known is not local[child.local_name]:
                        self._bind(local[child.local_name], child.node_id)
                        continue
                    todo.append((local[child.local_name], child.node_id))
        for number, node in enumerate(self.graph.nodes):
            optimizer = self.objects.get(number)
            for slot in node.slot_variables if optimizer is not None and is_optimizer(optimizer) else ():
                original = self.objects.get(slot.original_variable_node_id)
                found = slots(optimizer, original, slot.slot_name) if original is not None else None
                if found is not None and slot.slot_variable_node_id not in self.objects:
                    self._bind(found, slot.slot_variable_node_id)
        self._note_unused()

    def missing(self):
        """The nodes with values that have no object yet."""
        return [number for number, node in enumerate(self.graph.nodes) if number not in self.objects and node.attributes]

    def _note_unused(self):
        self.report.unused.clear()
        for node, obj in self.objects.items():
            there = saveables(obj)
            lost = [a.name for a in self.graph.nodes[node].attributes if a.name not in there and not a.optional_restore]
            if lost:
                self.report.unused[node] = lost

    def _wanted(self):
        """(key, SaveableObject) of the values that this restore provides and no later one does."""
        for node, obj in sorted(self.objects.items()):
            if update_uid(obj) > self.uid:
                continue
            there = saveables(obj)
            for attribute in self.graph.nodes[node].attributes:
                if attribute.name in there:
                    for saveable in self.view._saveables(obj, attribute.name, there[attribute.name], attribute.checkpoint_key):
                        yield attribute.checkpoint_key, saveable

    def operations(self):
        """The restore operations; Python values are set immediately."""
        found, new = [], []
        for key, saveable in self._wanted():
            if hasattr(saveable, "python_restore"):
                if key not in self._python_done:
                    self._python_done.add(key)
                    reader = NewCheckpointReader(self.path)
                    saveable.python_restore([reader.get_tensor(s.name) for s in saveable.specs])
            elif key in self._ops:
                found.append(self._ops[key])
            else:
                new.append((key, saveable))
        by_device = collections.defaultdict(list)
        for key, saveable in new:
            by_device[saveable.device].append((key, saveable))
        for device, pairs in sorted(by_device.items(), key=lambda item: item[0] or ""):
            with ops.init_scope(), ops.device(device):
                found += self._restored(pairs)
        return found

    def _restored(self, pairs):
        specs = [spec for _, saveable in pairs for spec in saveable.specs]
        with ops.device("cpu:0"):
            values = list(engine.raw_ops.RestoreV2(prefix=self.path_tensor, tensor_names=[s.name for s in specs], shape_and_slices=[s.slice_spec for s in specs],
                                                   dtypes=[s.dtype.base_dtype for s in specs]))
        made = []
        for key, saveable in pairs:
            mine, values = values[:len(saveable.specs)], values[len(saveable.specs):]
            self._ops[key] = saveable.restore(mine, None)
            made.append(self._ops[key])
        return made


class _Deferred:
    """A restored checkpoint that waits for objects, as long as its root lives."""

    def __init__(self, matching):
        self.root, self.matching = weakref.ref(matching.view.root, self._forget), matching
        base.deferred.append(self)

    def _forget(self, _):
        if self in base.deferred:
            base.deferred.remove(self)


def defer(matching):
    """Objects that the program makes later get their values, too."""
    if matching.missing():
        _Deferred(matching)


def _restore_deferred():
    waiting, base.deferred[:] = base.deferred[:], []  # what restoring does must not come back here
    try:
        for entry in waiting:
            before = len(entry.matching.objects)
            entry.matching.match()
            if len(entry.matching.objects) > before:
                entry.matching.operations()
    finally:
        base.deferred[:0] = [entry for entry in waiting if entry.root() is not None and entry.matching.missing()]


base.restore_deferred = _restore_deferred


class CheckpointLoadStatus:
    """The status of a checkpoint: assertions about it, and the operations that load it."""

    def __init__(self, matching, feed_dict, graph_view):
        self._checkpoint, self._feed_dict, self._graph_view = matching, feed_dict, graph_view

    def assert_consumed(self):
        """AssertionError unless every value of the checkpoint has an object and every object has a value."""
        matching = self._checkpoint
        self.assert_existing_objects_matched()
        for number, node in enumerate(matching.graph.nodes):
            if number not in matching.objects:
                raise AssertionError("Unresolved object in checkpoint {}: {}".format(matching.names[number], node))
        if matching.report.unused:
            raise AssertionError("Unused attributes in these objects (the attributes exist in the checkpoint but were not restored):\n{}".format("\n".join(
                "{} ({}): {}".format(matching.names[n], matching.objects[n], attributes) for n, attributes in matching.report.unused.items())))
        return self

    def _unmatched(self):
        bound = {id(o) for o in self._checkpoint.objects.values()}
        return [o for o in self._graph_view.list_objects() if id(o) not in bound and not (_is_structure(o) and not dependencies(o))]

    def assert_existing_objects_matched(self):
        """AssertionError unless every existing object has a value."""
        self._checkpoint.match()
        left = self._unmatched()
        if left:
            raise AssertionError("Some Python objects were not bound to checkpointed values, likely due to changes in the Python program: %s" % (left,))
        return self

    def assert_nontrivial_match(self):
        """AssertionError if only the root has a value."""
        self._checkpoint.match()
        if len(self._checkpoint.objects) <= 1:
            left = self._unmatched()
            if left:
                raise AssertionError("Nothing except the root object matched a checkpointed value. Typically this means that the checkpoint does not match the Python program. The "
                                     "following objects have no matching checkpointed value: %s" % (left,))
            raise AssertionError("Nothing to load. No dependencies have been added to %s yet." % (self._graph_view.root,))
        return self

    def run_restore_ops(self, session=None):
        """Restores the values of the objects in a session."""
        self._checkpoint.match()
        operations = self._checkpoint.operations()
        if ops.executing_eagerly():
            return  # they have run
        default_session(session).run(operations, feed_dict=self._feed_dict)

    def initialize_or_restore(self, session=None):
        """As run_restore_ops(); objects without a value are initialized."""
        if ops.executing_eagerly():
            return self.run_restore_ops()  # variables have values from the start
        session = default_session(session)
        self.run_restore_ops(session)
        bound = {id(o) for o in self._checkpoint.objects.values()}
        rest = [o for o in self._graph_view.list_objects() if id(o) not in bound and update_uid(o) < self._checkpoint.uid]
        session.run(initializers(rest))

    def expect_partial(self):
        """Disables warnings about unused values."""
        self._checkpoint.report.quiet = True
        return self


def _is_structure(obj):
    return isinstance(obj, (list, tuple, dict)) or hasattr(obj, "items") and not hasattr(obj, "name")


def initializers(objects):
    return [o.initializer for o in objects if not _is_structure(o) and getattr(o, "initializer", None) is not None]


class InitializationOnlyStatus:
    """The status of restore(None): loads nothing, but can initialize objects."""

    def __init__(self, graph_view, restore_uid):
        self._graph_view, self._uid = graph_view, restore_uid

    def assert_consumed(self):
        raise AssertionError("No checkpoint specified (save_path=None); nothing is being restored.")

    assert_existing_objects_matched = assert_nontrivial_match = assert_consumed

    def run_restore_ops(self, session=None):
        raise AssertionError("No checkpoint specified, so no restore ops are available (save_path=None to Saver.restore).")

    def initialize_or_restore(self, session=None):
        default_session(session).run(initializers([o for o in self._graph_view.list_objects() if update_uid(o) < self._uid]))

    def expect_partial(self):
        return self


class NameBasedSaverStatus:
    """The status of a tf.train.Saver checkpoint: objects are matched by variable names."""

    def __init__(self, path, graph_view):
        self._path, self._graph_view, self._uid, self._lost = path, graph_view, next_uid(), []
        logging.warning("Restoring a name-based tf.train.Saver checkpoint using the object-based restore API. This mode uses global names to match variables, and so is somewhat "
                        "fragile. Prefer re-encoding training checkpoints in the object-based format.")

    def assert_consumed(self):
        """AssertionError unless every object was restored."""
        if self._lost:
            raise AssertionError("Some objects had attributes which were not restored:{}".format("".join("\n    {}: {}".format(*entry) for entry in self._lost)))
        for obj in self._graph_view.list_objects():
            if not _is_structure(obj) and update_uid(obj) < self._uid:
                raise AssertionError("Object not restored: %s" % (obj,))
        return self

    assert_existing_objects_matched = assert_nontrivial_match = assert_consumed

    def _saveables(self):
        found = []
        for obj in self._graph_view.list_objects():
            if _is_structure(obj) or update_uid(obj) >= self._uid:
                continue
            _mark(obj, self._uid)
            for name, what in saveables(obj).items():
                if getattr(what, "_is_variable", False):
                    found.append(what)
                    continue
                try:
                    found += saveables_for(what() if callable(what) else what, name)
                except TypeError:
                    self._lost.append((obj, [name]))  # it has no name
        return found

    def run_restore_ops(self, session=None):
        with ops.device("/cpu:0"):
            Saver(self._saveables()).restore(sess=default_session(session), save_path=self._path)

    initialize_or_restore = run_restore_ops

    def expect_partial(self):
        return self


def streaming_restore(status, session=None):
    """Runs the operations of a status now. Objects created later are restored by its run_restore_ops()."""
    if isinstance(status, NameBasedSaverStatus):
        raise NotImplementedError("Streaming restore not supported from name-based checkpoints when graph building.")
    status.run_restore_ops(session=session)
