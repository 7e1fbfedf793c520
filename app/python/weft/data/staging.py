"""Staging areas: tensors stored by one step and taken by another, in order or by key."""

from .. import engine, ops
from ..control_flow import no_op
from ..exports import export
from ..tensor_shape import TensorShape, unknown_shape
from .queues import values_in


class BaseStagingArea:
    def __init__(self, dtypes, shapes=None, names=None, shared_name=None, capacity=0, memory_limit=0):
        if shared_name is None:
            self._name = ops.get_default_graph().unique_name(type(self).__name__)
        elif isinstance(shared_name, str):
            self._name = shared_name
        else:
            raise ValueError("shared_name must be a string")
        for what, given in (("shapes", shapes), ("names", names)):
            if given is not None and len(given) != len(dtypes):
                raise ValueError("StagingArea %s must be the same length as dtypes" % what)
        self._dtypes = dtypes
        self._shapes = [unknown_shape() for _ in dtypes] if shapes is None else [TensorShape(s) for s in shapes]
        self._names = names
        self._capacity, self._memory_limit = capacity, memory_limit
        with ops.name_scope("%s_root" % self._name):
            self._beside = no_op()

    name = property(lambda self: self._name)
    dtypes = property(lambda self: self._dtypes)
    shapes = property(lambda self: self._shapes)
    names = property(lambda self: self._names)
    capacity = property(lambda self: self._capacity)
    memory_limit = property(lambda self: self._memory_limit)

    def _common(self, name):
        return {"shared_name": self._name, "name": name, "capacity": self._capacity, "memory_limit": self._memory_limit}

    def _checked(self, vals, indices):
        if isinstance(vals, dict):
            if not self._names:
                raise ValueError("Staging areas must have names to enqueue a dictionary")
            if not set(vals).issubset(self._names):
                raise ValueError("Keys in dictionary to put do not match names of staging area. Dictionary: (%s), Queue: (%s)" % (sorted(vals), sorted(self._names)))
            found = [(vals[k], i) for i, k in enumerate(self._names) if k in vals]
            vals, indices = [v for v, _ in found], [i for _, i in found]
        else:
            if self._names:
                raise ValueError("You must enqueue a dictionary in a staging area with names")
            if indices is None:
                raise ValueError("Indices must be supplied when inserting a list of tensors")
            if len(indices) != len(vals):
                raise ValueError("Number of indices '%s' doesn't match number of values '%s'" % (len(indices), len(vals)))
        if len(vals) > len(self._dtypes):
            raise ValueError("Unexpected number of inputs '%s' vs '%s'" % (len(vals), len(self._dtypes)))
        tensors = []
        for value, i in zip(vals, indices):
            if value.dtype != self._dtypes[i]:
                raise ValueError("Datatypes do not match. '%s' != '%s'" % (value.dtype, self._dtypes[i]))
            value.get_shape().assert_is_compatible_with(self._shapes[i])
            tensors.append(ops.convert_to_tensor(value, dtype=self._dtypes[i], name="component_%d" % i))
        return tensors, indices

    def _here(self, tensors):
        """Copies tensors to the current device if that is not the area's device."""
        tensors = tensors if isinstance(tensors, (list, tuple)) else [tensors]
        if no_op().device != self._beside.device:
            tensors = [engine.identity(t) for t in tensors]
        return tensors

    def _given(self, tensors, indices):
        tensors = self._here(tensors)
        for tensor, i in zip(tensors, indices):
            tensor.set_shape(self._shapes[i])
        return {self._names[i]: t for t, i in zip(tensors, indices)} if self._names else tensors


@export("contrib.staging.StagingArea")
class StagingArea(BaseStagingArea):
    """A first-in, first-out staging area."""

    def put(self, values, name=None):
        """Stores tensors, given in order or by name."""
        with ops.name_scope(name, "%s_put" % self._name, values_in(values)) as scope:
            if not isinstance(values, (list, tuple, dict)):
                values = [values]
            tensors, _ = self._checked(values, list(range(len(values))))
            with ops.colocate_with(self._beside):
                return engine.raw_ops.Stage(values=tensors, **self._common(scope))

    def _take(self, op, name, **more):
        with ops.colocate_with(self._beside):
            taken = op(dtypes=self._dtypes, **more, **self._common(name))
        return self._given(taken, range(len(self._dtypes)))

    def get(self, name=None):
        """Takes the oldest tensors; blocks while the area is empty."""
        return self._take(engine.raw_ops.Unstage, name or "%s_get" % self._name)

    def peek(self, index, name=None):
        """The tensors at `index`, without removing them."""
        return self._take(engine.raw_ops.StagePeek, name or "%s_peek" % self._name, index=index)

    def size(self, name=None):
        return engine.raw_ops.StageSize(dtypes=self._dtypes, **self._common(name or "%s_size" % self._name))

    def clear(self, name=None):
        return engine.raw_ops.StageClear(dtypes=self._dtypes, **self._common(name or "%s_clear" % self._name))


@export("contrib.staging.MapStagingArea")
class MapStagingArea(BaseStagingArea):
    """A staging area with keys. If `ordered`, get() without a key takes the smallest key."""

    def __init__(self, dtypes, shapes=None, names=None, shared_name=None, ordered=False, capacity=0, memory_limit=0):
        super().__init__(dtypes, shapes, names, shared_name, capacity, memory_limit)
        self._ordered = ordered

    def _op(self, what):
        return getattr(engine.raw_ops, ("OrderedMap" if self._ordered else "Map") + what)

    def put(self, key, vals, indices=None, name=None):
        with ops.name_scope(name, "%s_put" % self._name, values_in(vals)) as scope:
            tensors, indices = self._checked(vals, indices)
            with ops.colocate_with(self._beside):
                return self._op("Stage")(key=key, indices=indices, values=tensors, dtypes=self._dtypes, **self._common(scope))

    def _chosen(self, indices):
        if indices is None:
            indices = list(range(len(self._dtypes)))
        if not isinstance(indices, (list, tuple)):
            raise TypeError("Invalid indices type '%s'" % type(indices))
        if not indices:
            raise ValueError("Empty indices")
        if all(isinstance(i, str) for i in indices):
            if self._names is None:
                raise ValueError("String indices provided '%s', but this Staging Area was not created with names." % indices)
            for name in indices:
                if name not in self._names:
                    raise ValueError("Named index '%s' not in Staging Area names '%s'" % (name, self._names))
            indices = [self._names.index(n) for n in indices]
        elif not all(isinstance(i, int) for i in indices):
            raise TypeError("Mixed types in indices '%s'. May only be str or int" % indices)
        return indices, [self._dtypes[i] for i in indices]

    def peek(self, key, indices=None, name=None):
        indices, dtypes = self._chosen(indices)
        with ops.colocate_with(self._beside):
            taken = self._op("Peek")(key=key, indices=indices, dtypes=dtypes, **self._common(name or "%s_pop" % self._name))
        return self._given(taken, indices)

    def get(self, key=None, indices=None, name=None):
        """(key, tensors) for `key`; without a key, those of any key."""
        indices, dtypes = self._chosen(indices)
        if key is not None:
            with ops.colocate_with(self._beside):
                taken = self._op("Unstage")(key=key, indices=indices, dtypes=dtypes, **self._common(name or "%s_get" % self._name))
            return key, self._given(taken, indices)
        with ops.colocate_with(self._beside):
            key, taken = self._op("UnstageNoKey")(indices=indices, dtypes=dtypes, **self._common(name or "%s_get_nokey" % self._name))
        return self._here(key)[0], self._given(taken, indices)

    def size(self, name=None):
        return self._op("Size")(dtypes=self._dtypes, **self._common(name or "%s_size" % self._name))

    def incomplete_size(self, name=None):
        return self._op("IncompleteSize")(dtypes=self._dtypes, **self._common(name or "%s_incomplete_size" % self._name))

    def clear(self, name=None):
        return self._op("Clear")(dtypes=self._dtypes, **self._common(name or "%s_clear" % self._name))
