"""Base classes of objects with dependencies: Trackable, and AutoTrackable, whose attributes are its dependencies."""

import collections
import functools
import weakref

from ... import ops
from ...util.tf_contextlib import contextmanager
from ...util.tf_decorator import make_decorator

OBJECT_GRAPH_PROTO_KEY = "_CHECKPOINTABLE_OBJECT_GRAPH"
VARIABLE_VALUE_KEY = "VARIABLE_VALUE"
OBJECT_CONFIG_JSON_KEY = "OBJECT_CONFIG_JSON"

deferred = []            # restored checkpoints of which objects are still missing, while execution is eager (restoring.py)
restore_deferred = None  # gives them the objects that exist now; restoring.py sets it
_is_trackable = None  # whether checkpoints may contain an object; dependencies.py sets it to is_trackable

TrackableReference = collections.namedtuple("TrackableReference", ["name", "ref"])


class NoDependency:
    """Wraps a value so that assigning it to an attribute adds no dependency."""

    def __init__(self, value):
        self.value = value


class Trackable:
    """Declares dependencies (_track_trackable(), or an override of _checkpoint_dependencies) and the values to save (_gather_saveables_for_checkpoint()).

    Variables, layers, optimizers … are derived from it. Its metaclass is `type`, so that programs can combine it with metaclasses of their own."""

    _self_setattr_tracking = True

    def _maybe_initialize_trackable(self):
        if "_self_unconditional_checkpoint_dependencies" not in self.__dict__:
            self.__dict__["_self_unconditional_checkpoint_dependencies"] = []
            self.__dict__["_self_unconditional_dependency_names"] = {}

    @property
    def _setattr_tracking(self):
        return self._self_setattr_tracking

    @_setattr_tracking.setter
    def _setattr_tracking(self, value):
        self.__dict__["_self_setattr_tracking"] = value

    @property
    def _unconditional_checkpoint_dependencies(self):
        self._maybe_initialize_trackable()
        return self._self_unconditional_checkpoint_dependencies

    @property
    def _unconditional_dependency_names(self):
        self._maybe_initialize_trackable()
        return self._self_unconditional_dependency_names

    @property
    def _checkpoint_dependencies(self):
        """TrackableReferences in creation order."""
        return self._unconditional_checkpoint_dependencies

    def _lookup_dependency(self, name):
        return self._unconditional_dependency_names.get(name)

    def _track_trackable(self, trackable, name, overwrite=False):
        """Makes an object a dependency under a name. ValueError if another object has the name, unless `overwrite`."""
        if not _is_trackable(trackable):
            raise TypeError("Trackable._track_trackable() passed type %s, not a Trackable." % (type(trackable),))
        references, names = self._unconditional_checkpoint_dependencies, self._unconditional_dependency_names
        current = names.get(name)
        if current is None:
            references.append(TrackableReference(name, trackable))
        elif current is not trackable:
            if not overwrite:
                raise ValueError("Called Trackable._track_trackable() with name='%s', but a Trackable with this name is already declared as a dependency. Names must be unique "
                                 "(or overwrite=True)." % (name,))
            for i, reference in enumerate(references):
                if reference.name == name:
                    references[i] = TrackableReference(name, trackable)
        names[name] = trackable
        if deferred:
            restore_deferred()
        return trackable

    def _gather_saveables_for_checkpoint(self):
        """name -> a variable, or a function of a key that makes a SaveableObject"""
        return {}

    def _no_dependency(self, value):
        return value

    def _add_variable_with_custom_getter(self, name, shape=None, dtype=None, initializer=None, getter=None, overwrite=False, **kwargs_for_getter):
        """A variable created by `getter` and added as a dependency."""
        variable = getter(name=name, shape=shape, dtype=dtype, initializer=initializer, **kwargs_for_getter)
        return self._track_trackable(variable, name=name, overwrite=overwrite)

    def _list_extra_dependencies_for_serialization(self, serialization_cache):
        return {}

    def _list_functions_for_serialization(self, serialization_cache):
        return {}


class NotTrackable:
    """Objects of derived classes are not saved by checkpoints, whatever else they are derived from."""


class AutoTrackable(Trackable):
    """Trackable attributes, lists and dicts become dependencies under their names."""

    def __setattr__(self, name, value):
        if self.__dict__.get(name, self) is value:
            return
        untracked = isinstance(value, NoDependency)
        value = value.value if untracked else value
        if self._self_setattr_tracking and not untracked and _is_trackable(value):
            self._track_trackable(value, name=name, overwrite=True)
        super().__setattr__(name, value)

    def __delattr__(self, name):
        if self._unconditional_dependency_names.pop(name, None) is not None:
            self._unconditional_checkpoint_dependencies[:] = [r for r in self._unconditional_checkpoint_dependencies if r.name != name]
        super().__delattr__(name)

    def _no_dependency(self, value):
        return NoDependency(value)


def no_automatic_dependency_tracking(method):
    """Decorator: attributes that the method sets do not become dependencies."""

    def untracked(self, *args, **kwargs):
        before = getattr(self, "_self_setattr_tracking", True)
        object.__setattr__(self, "_self_setattr_tracking", False)
        try:
            return method(self, *args, **kwargs)
        finally:
            object.__setattr__(self, "_self_setattr_tracking", before)

    return make_decorator(method, untracked)


@contextmanager
def no_automatic_dependency_tracking_scope(obj):
    """Context manager: attributes set inside do not become dependencies."""
    before = getattr(obj, "_setattr_tracking", True)
    obj._setattr_tracking = False
    try:
        yield
    finally:
        obj._setattr_tracking = before


def cached_per_instance(f):
    """Decorator of a property's function: its value is computed once for each object, and kept outside of the object."""
    found = weakref.WeakKeyDictionary()

    @functools.wraps(f)
    def wrapped(item):
        value = found.get(item)
        if value is None:
            value = found[item] = f(item)
        return value

    wrapped.cache = found
    return wrapped


# Resources.
class ResourceTracker:
    """The resources that are created in its resource_tracker_scope()."""

    def __init__(self):
        self._resources = []

    @property
    def resources(self):
        return self._resources

    def add_resource(self, resource):
        self._resources.append(resource)


_trackers = []


@contextmanager
def resource_tracker_scope(resource_tracker):
    """Context manager: new TrackableResources are added to the tracker, and to those of the scopes around it."""
    _trackers.append(resource_tracker)
    try:
        yield
    finally:
        _trackers.remove(resource_tracker)


class CapturableResource(Trackable):
    """A resource of the engine; subclasses define how it is created (_create_resource) and initialized (_initialize)."""

    def __init__(self, device=""):
        self._resource_handle, self._resource_device = None, device

    def _create_resource(self):
        """The handle of a new resource."""
        raise NotImplementedError("TrackableResource._create_resource not implemented.")

    def _initialize(self):
        """The operation that fills the resource, if there is one."""

    @property
    def resource_handle(self):
        """The handle, created on first use."""
        if self._resource_handle is None:
            with ops.device(self._resource_device):
                self._resource_handle = self._create_resource()
        return self._resource_handle


class TrackableResource(CapturableResource):
    """A CapturableResource that the open resource_tracker_scope()s know."""

    def __init__(self, device=""):
        for tracker in _trackers:
            tracker.add_resource(self)
        super().__init__(device)


class TrackableAsset(Trackable):
    """A file that belongs to a model."""

    def __init__(self, path):
        with ops.init_scope(), ops.device("CPU"):
            self._path = ops.convert_to_tensor(path, name="asset_path")

    @property
    def asset_path(self):
        return self._path
