"""The graph of objects that a checkpoint holds: who depends on whom under which names, and the keys of the values."""

import collections
import contextlib
import weakref

from ... import dtypes, ops, protos
from ...control_flow import no_op
from ...util.object_identity import ObjectIdentityDictionary
from ..saveables import SaveableObject, SaveSpec, by_name, saveables_of
from .base import OBJECT_GRAPH_PROTO_KEY
from .dependencies import dependencies, is_optimizer, saveables, slots

_SLOTS, _ATTRIBUTES = ".OPTIMIZER_SLOT", ".ATTRIBUTES"


def _escaped(name):
    return name.replace(".", "..").replace("/", ".S")


class NoRestoreSaveable(SaveableObject):
    """A tensor that is written and never read back."""

    def __init__(self, tensor, name, dtype=None, device=None):
        super().__init__(tensor, [SaveSpec(tensor, "", name, dtype=dtype, device=device)], name)

    def restore(self, restored_tensors, restored_shapes):
        return no_op()


class PythonStateSaveable(SaveableObject):
    """A value of the program, not of a session. Subclasses say what is fed when it is written (feed_dict_additions) and what becomes of it when read (python_restore)."""

    def feed_dict_additions(self):
        raise NotImplementedError

    def python_restore(self, restored_strings):
        raise NotImplementedError


class PythonStringStateSaveable(PythonStateSaveable):
    """A text that state_callback() gives and restore_callback(text) takes."""

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
    """The SaveableObjects of a value under a key: what a factory makes, or those of a variable. `full_name`: its name in name-based checkpoints."""
    made = what(name=key) if callable(what) and not hasattr(what, "_is_variable") else what
    if isinstance(made, SaveableObject) or hasattr(made, "specs"):
        return [made]
    full_name, = by_name([made])
    found = saveables_of({key: made})
    for saveable in found:
        saveable.full_name = full_name
    return found


class ObjectGraphView:
    """Walks over the objects that depend on a root."""

    def __init__(self, root, saveables_cache=None):
        self._root = root
        self._cache = {} if saveables_cache is None else saveables_cache

    @property
    def root(self):
        return self._root() if isinstance(self._root, weakref.ref) else self._root

    def _traversal(self):
        """(objects, nearest first; path of names to each)"""
        found, paths = [], ObjectIdentityDictionary()
        paths[self.root] = ()
        todo = collections.deque([self.root])
        while todo:
            current = todo.popleft()
            found.append(current)
            for name, child in dependencies(current):
                if child not in paths:
                    paths[child] = paths[current] + (name,)
                    todo.append(child)
        return found, paths

    def _gathered(self):
        """(objects with slots, node number of each, prefix of each one's keys, the slots' entries by optimizer)"""
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
        """(SaveableObjects, TrackableObjectGraph, what has to be fed when they are saved). `object_map`: object -> the one whose values are saved in its place."""
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
        """The SaveableObjects of a value; the same ones as long as its key is the same."""
        at = (id(obj), name)
        made = self._cache.get(at)
        if made is None or made[0] is not obj or made[1] != key:
            made = self._cache[at] = (obj, key, saveables_for(what, key))
        return made[2]

    def frozen_saveable_objects(self, object_map=None, to_graph=None):
        """The SaveableObjects with the object graph as a constant among them."""
        with to_graph.as_default() if to_graph else contextlib.nullcontext():
            found, graph, _ = self.serialize_object_graph(object_map)
            with ops.device("/cpu:0"):
                tensor = ops.constant(graph.SerializeToString(), dtype=dtypes.string)
        return found + [NoRestoreSaveable(tensor, OBJECT_GRAPH_PROTO_KEY)]


def node_names(graph):
    """What each node of an object graph is called in messages."""
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
