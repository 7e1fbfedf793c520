"""tf.contrib.checkpoint.List, Mapping, UniqueNameTracker: containers whose elements are their dependencies, and which have the weights, updates and losses of the layers in them."""

import collections.abc
import copy

from ...exports import export
from ...layers.base import Layer
from ...variable_base import Variable
from .base import NoDependency, Trackable  # noqa: F401 (NoDependency: re-exported)
from .dependencies import is_trackable


class _UntrackableError(ValueError):
    def __init__(self, value):
        super().__init__("Only trackable objects (such as Layers or Optimizers) may be stored in a List object. Got %s, which does not inherit from Trackable." % (value,))


class TrackableDataStructure(Trackable):
    """A container. Subclasses define `_values`, its elements."""

    _contains_layers = True  # to layers that it is an attribute of

    def __init__(self):
        self.trainable = True

    def _track_value(self, value, name):
        """Makes a value a dependency; returns what the container stores."""
        if isinstance(value, NoDependency):
            return value.value
        if not is_trackable(value):
            raise _UntrackableError(value)
        self._track_trackable(value, name=name)
        return value

    def _all(self):
        """The layers and other containers, also empty ones, and the variables."""
        found = []
        for value in self._values:
            if isinstance(value, (list, tuple)):
                value = _PlainList(value)
            if isinstance(value, (Layer, TrackableDataStructure, Variable)) and not any(value is known for known in found):
                found.append(value)
        return found

    _layers = property(lambda self: [v for v in self._all() if not isinstance(v, Variable)])

    @property
    def layers(self):
        """The layers, also those in containers."""
        found = []
        for value in self._layers:
            found += [v for v in (value.layers if isinstance(value, TrackableDataStructure) else [value]) if not any(v is known for known in found)]
        return found

    def _of_layers(self, attribute):
        return [v for layer in self._layers for v in getattr(layer, attribute)]

    def _own(self, trainable):
        return [v for v in self._all() if isinstance(v, Variable) and v.trainable == trainable]

    @property
    def trainable_weights(self):
        return self._of_layers("trainable_weights") + self._own(True) if self.trainable else []

    @property
    def non_trainable_weights(self):
        if self.trainable:
            return self._of_layers("non_trainable_weights") + self._own(False)
        return self._of_layers("weights") + self._own(True) + self._own(False)

    weights = property(lambda self: self.trainable_weights + self.non_trainable_weights)
    variables = property(lambda self: self.weights)
    trainable_variables = property(lambda self: self.trainable_weights)
    non_trainable_variables = property(lambda self: self.non_trainable_weights)

    @property
    def updates(self):
        return [u for layer in self.layers for u in getattr(layer, "updates", ())]

    @property
    def losses(self):
        return [loss for layer in self.layers for loss in getattr(layer, "losses", ())]

    def __hash__(self):
        return id(self)

    def __eq__(self, other):
        return self is other


@export("contrib.checkpoint.List")
class List(TrackableDataStructure, collections.abc.Sequence):
    """A list that only grows; its elements are dependencies named by their indices."""

    def __init__(self, *args, **kwargs):
        super().__init__()
        self._storage = []
        self.extend(list(*args, **kwargs))

    def copy(self):
        return type(self)(self._storage)

    __copy__ = copy

    def __deepcopy__(self, memo):
        return type(self)(copy.deepcopy(self._storage, memo))

    def _name_element(self, index):
        return "%d" % index

    @property
    def _values(self):
        return self

    def append(self, value):
        self._storage.append(self._track_value(value, self._name_element(len(self._storage))))

    def extend(self, values):
        for value in values:
            self.append(value)

    def __iadd__(self, values):
        self.extend(values)
        return self

    def __add__(self, other):
        return type(self)(self._storage + list(getattr(other, "_storage", other)))

    def __radd__(self, other):
        return type(self)(other) + self

    def __imul__(self, y):
        if y <= 0:
            raise ValueError("List only supports append, multiplying in place by %d removes elements." % y)
        self.extend(self._storage * (y - 1))
        return self

    def __mul__(self, n):
        return type(self)(self._storage * n)

    __rmul__ = __mul__

    def __getitem__(self, key):
        return self._storage[key]

    def __len__(self):
        return len(self._storage)

    def __repr__(self):
        return "List(%r)" % (self._storage,)


class _PlainList(TrackableDataStructure):
    """A list in a container, as far as layers in it count."""

    def __init__(self, values):
        super().__init__()
        self.__dict__["_values"] = values


@export("contrib.checkpoint.Mapping")
class Mapping(TrackableDataStructure, collections.abc.Mapping):
    """A dict with texts as keys to which entries can only be added; they are dependencies named by their keys."""

    def __init__(self, *args, **kwargs):
        super().__init__()
        self._storage = {}
        self.update(*args, **kwargs)

    def __copy__(self):
        return type(self)(self._storage)

    def __deepcopy__(self, memo):
        return type(self)(copy.deepcopy(self._storage, memo))

    @property
    def _values(self):
        return [value for _, value in sorted(self._storage.items(), key=lambda item: item[0])]

    def __setitem__(self, key, value):
        if not isinstance(key, str):
            raise TypeError("Mapping accepts only string keys, but got a key %r." % (key,))
        current = self._storage.get(key, self)
        if current is not self and current is not value:
            raise ValueError("Mappings are an append-only data structure. Tried to overwrite the key '%s' with value %s, but it already contains %s" % (key, value, current))
        self._storage[key] = self._track_value(value, name=key)

    def update(self, *args, **kwargs):
        for key, value in dict(*args, **kwargs).items():
            self[key] = value

    def __getitem__(self, key):
        return self._storage[key]

    def __len__(self):
        return len(self._storage)

    def __iter__(self):
        return iter(self._storage)

    def __repr__(self):
        return "Mapping(%r)" % (self._storage,)


@export("contrib.checkpoint.UniqueNameTracker")
class UniqueNameTracker(TrackableDataStructure):
    """Dependencies under names that it makes unique."""

    def __init__(self):
        super().__init__()
        self._name_counts = {}

    @property
    def _values(self):
        return [dependency.ref for dependency in self._checkpoint_dependencies]

    def track(self, trackable, base_name):
        """Adds a dependency under `base_name`, or `base_name`_1 …; returns the object."""
        if not is_trackable(trackable):
            raise ValueError("Expected a trackable value, got %s which does not inherit from tf.track.Trackable." % (trackable,))
        count = self._name_counts.get(base_name, 0)
        while self._lookup_dependency("%s_%d" % (base_name, count) if count else base_name) is not None:
            count += 1
        self._name_counts[base_name] = count + 1
        return self._track_value(trackable, name="%s_%d" % (base_name, count) if count else base_name)
