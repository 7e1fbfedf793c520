"""tensorflow.python.saved_model.revived_types: classes whose objects SavedModels name, with versions, so that loading makes such objects again."""

from .. import protos


class VersionedTypeRegistration:
    """One version of a class: object_factory(SavedUserObject) makes an object, setter(object, name, part) gives it its parts."""

    def __init__(self, object_factory, version, min_producer_version, min_consumer_version, bad_consumers=None, setter=setattr):
        self.setter, self.version = setter, version
        self.identifier = None  # register_revived_type sets it
        self._factory, self._min_producer, self._min_consumer, self._bad_consumers = object_factory, min_producer_version, min_consumer_version, bad_consumers or []

    def to_proto(self):
        return protos.SavedUserObject(identifier=self.identifier, version=protos.VersionDef(producer=self.version, min_consumer=self._min_consumer, bad_consumers=self._bad_consumers))

    def from_proto(self, proto):
        return self._factory(proto)

    def should_load(self, proto):
        """Whether this version can load what the message names."""
        return (proto.identifier == self.identifier and self.version >= proto.version.min_consumer and proto.version.producer >= self._min_producer and
                self.version not in proto.version.bad_consumers)


_registered = {}  # identifier -> (predicate, versions, the newest first)


def register_revived_type(identifier, predicate, versions):
    """Objects for which predicate(object) is true are saved under `identifier`, in the newest version."""
    versions = sorted(versions, key=lambda r: r.version, reverse=True)
    if not versions:
        raise AssertionError("Need at least one version of a registered type.")
    for i, registration in enumerate(versions):
        registration.identifier = identifier
        if i and versions[i - 1].version == registration.version:
            raise AssertionError("Got multiple registrations with version %s for type %s" % (registration.version, identifier))
    if identifier in _registered:
        raise AssertionError("Duplicate registrations for type %s" % identifier)
    _registered[identifier] = predicate, versions


def serialize(obj):
    """The SavedUserObject of an object of a registered class, or None."""
    return next((versions[0].to_proto() for predicate, versions in _registered.values() if predicate(obj)), None)


def deserialize(proto):
    """(a new object, its setter) by the newest version that can load the message; None if none can."""
    for registration in _registered.get(proto.identifier, (None, ()))[1]:
        if registration.should_load(proto):
            return registration.from_proto(proto), registration.setter
    return None


def registered_identifiers():
    return _registered.keys()
