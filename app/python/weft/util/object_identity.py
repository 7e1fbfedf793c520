"""Dicts and sets that compare with `is` (tensorflow.python.util.object_identity)."""

import collections.abc
import weakref


class _ObjectIdentityWrapper:
    """Equal to a wrapper of the same object; TypeError for anything else."""

    def __init__(self, wrapped):
        self._wrapped = wrapped

    unwrapped = property(lambda self: self._wrapped)

    def __eq__(self, other):
        if not isinstance(other, _ObjectIdentityWrapper):
            raise TypeError("Cannot compare wrapped object with unwrapped object")
        return self._wrapped is other._wrapped

    def __ne__(self, other):
        return not self.__eq__(other)

    def __hash__(self):
        return id(self._wrapped)  # also for weak references: there is one per object

    def __repr__(self):
        return "<{} wrapping {!r}>".format(type(self).__name__, self._wrapped)


class _WeakObjectIdentityWrapper(_ObjectIdentityWrapper):
    def __init__(self, wrapped):
        super().__init__(weakref.ref(wrapped))

    unwrapped = property(lambda self: self._wrapped())


class Reference(_ObjectIdentityWrapper):
    """A hashable reference to any object."""

    unwrapped = property()

    def deref(self):
        return self._wrapped


class ObjectIdentityDictionary(collections.abc.MutableMapping):
    """A dict with keys compared by identity."""

    def __init__(self):
        self._storage = {}

    def _wrap_key(self, key):
        return _ObjectIdentityWrapper(key)

    def __getitem__(self, key):
        return self._storage[self._wrap_key(key)]

    def __setitem__(self, key, value):
        self._storage[self._wrap_key(key)] = value

    def __delitem__(self, key):
        del self._storage[self._wrap_key(key)]

    def __len__(self):
        return len(self._storage)

    def __iter__(self):
        for key in self._storage:
            yield key.unwrapped

    def __repr__(self):
        return "ObjectIdentityDictionary(%s)" % repr(self._storage)


class ObjectIdentityWeakKeyDictionary(ObjectIdentityDictionary):
    """A dict with weak keys compared by identity."""

    def _wrap_key(self, key):
        return _WeakObjectIdentityWrapper(key)

    def __len__(self):
        return sum(1 for _ in self)

    def __iter__(self):
        for wrapper in list(self._storage):
            key = wrapper.unwrapped
            if key is None:
                del self._storage[wrapper]
            else:
                yield key


class ObjectIdentitySet(collections.abc.MutableSet):
    """A set with elements compared by identity."""

    def __init__(self, *args):
        self._storage = set(self._wrap_key(obj) for obj in list(*args))

    @staticmethod
    def _from_storage(storage):
        result = ObjectIdentitySet()
        result._storage = storage
        return result

    def _wrap_key(self, key):
        return _ObjectIdentityWrapper(key)

    def __contains__(self, key):
        return self._wrap_key(key) in self._storage

    def discard(self, key):
        self._storage.discard(self._wrap_key(key))

    def add(self, key):
        self._storage.add(self._wrap_key(key))

    def update(self, items):
        self._storage.update([self._wrap_key(item) for item in items])

    def intersection(self, items):
        """The wrappers of the common elements, as in TensorFlow."""
        return self._storage.intersection([self._wrap_key(item) for item in items])

    def difference(self, items):
        return ObjectIdentitySet._from_storage(self._storage.difference([self._wrap_key(item) for item in items]))

    def __len__(self):
        return len(self._storage)

    def __iter__(self):
        for key in list(self._storage):
            yield key.unwrapped


class ObjectIdentityWeakSet(ObjectIdentitySet):
    """A set with weak elements compared by identity."""

    def _wrap_key(self, key):
        return _WeakObjectIdentityWrapper(key)

    def __len__(self):
        return sum(1 for _ in self)

    def __iter__(self):
        for wrapper in list(self._storage):
            key = wrapper.unwrapped
            if key is None:
                self._storage.discard(wrapper)
            else:
                yield key
