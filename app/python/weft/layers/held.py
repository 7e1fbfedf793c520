"""The layers that a layer has in its attributes, and in the lists and dicts of its attributes, which programs go on filling."""


def is_container(value):
    return isinstance(value, (list, tuple, dict)) or getattr(value, "_contains_layers", False)


def _values(container):
    if isinstance(container, (list, tuple)):
        return container
    return container.values() if isinstance(container, dict) else container._values


class HeldLayers(list):
    """The layers of a layer. An element is a layer, or a list or dict; as a sequence, it has the layers in there now, each once. Appending, inserting and removing mean the elements."""

    def __init__(self, is_layer, elements=()):
        super().__init__(elements)
        self._is_layer, self._names = is_layer, {}

    def hold(self, name, container):
        """Adds the list or dict of an attribute, in place of the one that the attribute had."""
        self.release(name)
        self._names[name] = container
        if not any(container is known for known in super().__iter__()):
            self.append(container)

    def release(self, name):
        """Drops the list or dict of an attribute."""
        old = self._names.pop(name, None)
        if old is not None and not any(old is other for other in self._names.values()):
            self.drop(old)

    def drop(self, element):
        super().__setitem__(slice(None), [x for x in super().__iter__() if x is not element])

    def _found(self, wanted):
        found, seen, todo = [], set(), list(super().__iter__())[::-1]
        while todo:
            item = todo.pop()
            if id(item) in seen:
                continue
            seen.add(id(item))
            if is_container(item):
                todo += list(_values(item))[::-1]
            elif wanted(item):
                found.append(item)
        return found

    def variables(self):
        """The variables in the lists and dicts."""
        return self._found(lambda item: getattr(item, "_is_variable", False) and hasattr(item, "trainable")) if self._names else []

    def __iter__(self):
        return iter(self._found(self._is_layer)) if self._names else super().__iter__()

    def __len__(self):
        return len(self._found(self._is_layer)) if self._names else super().__len__()

    def __getitem__(self, index):
        return list(self)[index] if self._names or isinstance(index, slice) else super().__getitem__(index)

    def __contains__(self, layer):
        return any(layer is known or layer == known for known in self)

    def __eq__(self, other):
        return list(self) == list(other)

    __hash__ = None

    def __reduce__(self):
        return type(self), (self._is_layer, list(super().__iter__())), {"_names": self._names}
