"""The object graph of a checkpoint: named dependencies between objects, and the keys of their values."""

import collections
import contextlib
import weakref

from ... import dtypes, ops, protos
from ...control_flow import no_op
from ...util.object_identity import ObjectIdentityDictionary
from ..saveables import SaveableObject, SaveSpec, by_name, saveables_of
from .base import OBJECT_GRAPH_PROTO_KEY, NotTrackable
from .dependencies import dependencies, is_optimizer, saveables, slots

_SLOTS, _ATTRIBUTES = ".OPTIMIZER_SLOT", ".ATTRIBUTES"


def _escaped(name):
    return name.replace(".", "..").replace("/", ".S")


class NoRestoreSaveable(SaveableObject):
    """A tensor that is written but never restored."""

    def __init__(self, tensor, name, dtype=None, device=None):
        super().__init__(tensor, [SaveSpec(tensor, "", name, dtype=dtype, device=device)], name)

    def restore(self, restored_tensors, restored_shapes):
        return no_op()


class PythonStateSaveable(SaveableObject):
    """A value of the program instead of a session. Subclasses define its feeds for writing (feed_dict_additions) and its restoring (python_restore)."""

    def feed_dict_additions(self):
        raise NotImplementedError

    def python_restore(self, restored_strings):
        raise NotImplementedError


class PythonStringStateSaveable(PythonStateSaveable):
    """A string that state_callback() returns and restore_callback(text) accepts."""

    def __init__(self, name, state_callback, restore_callback=None):
        self.optional_restore = restore_callback is None
        self._state_callback, self._restore_callback = state_callback, restore_callback
        with ops.device("/cpu:0"):
            self._text = ops.constant("", dtype=dtypes.string)
        super().__init__(self._text, [SaveSpec(self._text, "", name, dtype=dtypes.string)], name)

    def feed_dict_additions(self):
        return {self._text: self._state_callback()}

    def python_restore(self, restored_strings):
        if self._restore_callback:
            self._restore_callback(restored_strings[0])

    def restore(self, restored_tensors, restored_shapes):
        return no_op()


def saveables_for(what, key):
    """SaveableObjects of a value under a key: the result of a factory, or those of a variable. `full_name`: the name in name-based checkpoints."""
    made = what(name=key) if callable(what) and not hasattr(what, "_is_variable") else what
    if isinstance(made, SaveableObject) or hasattr(made, "specs"):
        return [made]
    full_name, = by_name([made])
    found = saveables_of({key: made})
    for saveable in found:
        saveable.full_name = full_name
    return found


class ObjectGraphView:
    """Walks the objects that a root depends on."""

    def __init__(self, root, saveables_cache=None):
        self._root = root
        self._cache = {} if saveables_cache is None else saveables_cache

    @property
    def root(self):
        return self._root() if isinstance(self._root, weakref.ref) else self._root

    def _traversal(self):
        """(objects in breadth-first order, path of names to each)"""
        found, paths = [], ObjectIdentityDictionary()
        paths[self.root] = ()
        todo = collections.deque([self.root])
        while todo:
            current = todo.popleft()
            if isinstance(current, NotTrackable):
                raise NotImplementedError("The object %s does not support object-based saving. In the meantime, you can remove the dependency on this object and save everything else."
                                          % (current,))
            found.append(current)
            for name, child in dependencies(current):
                if child not in paths:
                    paths[child] = paths[current] + (name,)
                    todo.append(child)
        return found, paths

    def _gathered(self):
        """(objects with slots, node number of each, key prefix of each, slot entries by optimizer)"""
        objects, paths = self._traversal()
        prefixes, numbers = ObjectIdentityDictionary(), ObjectIdentityDictionary()
        for number, obj in enumerate(objects):
            numbers[obj], prefixes[obj] = number, "/".join(_escaped(n) for n in paths[obj])
        entries = ObjectIdentityDictionary()
        without_slots = list(objects)
        for optimizer in without_slots:
            for name in optimizer.get_slot_names() if is_optimizer(optimizer) else ():
                for number, original in enumerate(without_slots):
                    slot = slots(optimizer, original, name)
                    if slot is None:
                        continue
                    if slot in numbers:
                        raise NotImplementedError("A slot variable was re-used as a dependency of a Trackable object. This is not currently allowed.")
                    prefixes[slot] = "%s/%s/%s/%s" % (prefixes[original], _SLOTS, prefixes[optimizer], _escaped(name))
                    numbers[slot] = len(objects)
                    objects.append(slot)
                    entries.setdefault(optimizer, []).append((number, name, numbers[slot]))
        return objects, numbers, prefixes, entries

    def list_objects(self):
        return self._gathered()[0]

    def serialize_object_graph(self, object_map=None):
        """(SaveableObjects, TrackableObjectGraph, feeds for saving). `object_map`: object -> the object whose values are saved instead."""
        objects, numbers, prefixes, entries = self._gathered()
        graph, found, feeds = protos.message("TrackableObjectGraph")(), [], {}
        for obj in objects:
            node = graph.nodes.add()
            for number, name, slot in entries.get(obj, ()):
                node.slot_variables.add(original_variable_node_id=number, slot_name=name, slot_variable_node_id=slot)
            for name, child in dependencies(obj):
                node.children.add(node_id=numbers[child], local_name=name)
        for obj, node in zip(objects, graph.nodes):
            obj_saved = obj if object_map is None else object_map.get(obj, obj)
            for name, what in saveables(obj_saved).items():
                key = "%s/%s/%s" % (prefixes[obj], _ATTRIBUTES, _escaped(name))
                made = self._saveables(obj_saved, name, what, key)
                attribute = node.attributes.add(name=name, checkpoint_key=key)
                attribute.optional_restore = all(getattr(s, "optional_restore", False) for s in made)
                for saveable in made:
                    attribute.full_name = getattr(saveable, "full_name", "") or attribute.full_name
                    if hasattr(saveable, "feed_dict_additions"):
                        feeds.update(saveable.feed_dict_additions())
                found += made
        return found, graph, feeds

    def _saveables(self, obj, name, what, key):
        """The SaveableObjects of a value, cached as long as its key stays the same."""
        at = (id(obj), name)
        made = self._cache.get(at)
        if made is None or made[0] is not obj or made[1] != key:
            made = self._cache[at] = (obj, key, saveables_for(what, key))
        return made[2]

    def frozen_saveable_objects(self, object_map=None, to_graph=None):
        """The SaveableObjects, with the object graph as a constant among them."""
        with to_graph.as_default() if to_graph else contextlib.nullcontext():
            found, graph, _ = self.serialize_object_graph(object_map)
            with ops.device("/cpu:0"):
                tensor = ops.constant(graph.SerializeToString(), dtype=dtypes.string)
        return found + [NoRestoreSaveable(tensor, OBJECT_GRAPH_PROTO_KEY)]


def node_names(graph):
    """Names of the nodes of an object graph for messages."""
    paths, todo = {0: ("(root)",)}, collections.deque([0])
    while todo:
        number = todo.popleft()
        for child in graph.nodes[number].children:
            if child.node_id not in paths:
                paths[child.node_id] = paths[number] + (child.local_name,)
                todo.append(child.node_id)
    names = {number: ".".join(path) for number, path in paths.items()}
    for number, node in enumerate(graph.nodes):
        for slot in node.slot_variables:
            names[slot.slot_variable_node_id] = "{}'s state '{}' for {}".format(names[number], slot.slot_name, names[slot.original_variable_node_id])
    return names
