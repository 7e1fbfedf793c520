"""The tensors that a saver writes, each with its key in the checkpoint, and how they are restored."""

from .. import engine, ops
from ..device import DeviceSpec
from ..exports import export
from ..ops import Tensor
from ..variable_base import Variable
from ..variables import assign

_REFERENCES = ("Variable", "VariableV2", "AutoReloadVariable")
_SOURCES = _REFERENCES + ("VarHandleOp", "ReadVariableOp")


def on_cpu(device):
    """The CPU of the task of `device`."""
    return DeviceSpec.from_string(device or "").replace(device_type="CPU", device_index=0).to_string()


def is_resource(variable):
    return getattr(variable, "_resource", False) or not isinstance(variable, Variable) and hasattr(variable, "handle") and not isinstance(variable, Tensor)


def is_partitioned(what):
    return type(what).__name__ == "PartitionedVariable"


class SaveSpec:
    """One tensor of a checkpoint: its source (a tensor, or a function that makes it), its key and its slice."""

    def __init__(self, tensor, slice_spec, name, dtype=None, device=None):
        self._tensor = tensor
        self.slice_spec, self.name = slice_spec, name
        if callable(tensor) and not isinstance(tensor, (Tensor, Variable)):
            if dtype is None or device is None:
                raise AssertionError("When passing a callable `tensor` to a SaveSpec, an explicit dtype and device must be provided.")
        self.dtype = dtype if dtype is not None else tensor.dtype
        self.device = device if device is not None else getattr(tensor, "device", None)

    @property
    def tensor(self):
        made = callable(self._tensor) and not isinstance(self._tensor, (Tensor, Variable))
        return self._tensor() if made else self._tensor


@export("train.experimental.SaveableObject")
class SaveableObject:
    """An object that a saver saves: `op` (for identity), `specs`, `name`. Subclasses define how it is restored."""

    SaveSpec = SaveSpec

    def __init__(self, op, specs, name):
        self.op, self.specs, self.name = op, specs, name

    @property
    def device(self):
        return self.specs[0].device

    def restore(self, restored_tensors, restored_shapes):
        raise ValueError("Calling an abstract method.")


class ReferenceSaveable(SaveableObject):
    """A reference variable, given as its tensor or as one of its slices."""

    def __init__(self, variable, slice_spec, name):
        super().__init__(variable, [SaveSpec(variable, slice_spec, name, dtype=variable.dtype)], name)

    def restore(self, restored_tensors, restored_shapes):
        value = restored_tensors[0]
        if restored_shapes is not None:
            value = engine.reshape(value, restored_shapes[0])
        check = restored_shapes is None and self.op.get_shape().is_fully_defined()
        return assign(self.op, value, validate_shape=check)


class ResourceSaveable(SaveableObject):
    """A resource variable, given as a read of it or as a variable."""

    def __init__(self, variable, slice_spec, name):
        self._place, self._shape = variable.device, variable.shape
        if isinstance(variable, Tensor):
            self._handle, tensor = variable.op.inputs[0], variable
        elif is_resource(variable):
            self._handle = variable.handle

            def tensor():
                with ops.device(variable.device):
                    value = variable.read_value()
                    with ops.device("/device:CPU:0"):
                        return engine.identity(value)
        else:
            raise ValueError("Saveable is neither a resource variable nor a read operation. Got: %s" % repr(variable))
        super().__init__(variable, [SaveSpec(tensor, slice_spec, name, dtype=variable.dtype, device=variable.device)], name)

    def restore(self, restored_tensors, restored_shapes):
        value = restored_tensors[0]
        if restored_shapes is not None:
            value = engine.reshape(value, restored_shapes[0])
        with ops.device(self._place):
            value = engine.identity(value)
            self._shape.assert_is_compatible_with(value.shape)
            return engine.raw_ops.AssignVariableOp(resource=self._handle, value=value)


def _source(what):
    """The tensor that represents a variable: its reference, or the op that first reads it."""
    if isinstance(what, Tensor):
        return what
    if is_resource(what):
        return what._graph_element
    return what._ref() if hasattr(what, "_ref") else ops.convert_to_tensor(what)


def _is_source(tensor):
    return isinstance(tensor, Tensor) and tensor.op.type in _SOURCES


def _saveable(source, slice_spec, name):
    kind = ReferenceSaveable if source.op.type in _REFERENCES else ResourceSaveable
    return kind(source, slice_spec, name)


def _slice_info(variable):
    return getattr(variable, "_save_slice_info", None)


def _is_of_several_devices(variable):
    return isinstance(variable, Variable) and hasattr(variable, "device_map")


def _is_saveable(what):
    """Whether an object provides specs: one of ours, or that of a table or reader."""
    return isinstance(what, SaveableObject) or (hasattr(what, "specs") and hasattr(what, "restore") and hasattr(what, "name"))


def by_name(variables):
    """Variables, partitions and saveables by checkpoint key."""
    if not isinstance(variables, (list, tuple, set)):
        raise TypeError("Variables to save should be passed in a dict or a list: %s" % variables)
    found = {}
    for variable in sorted(variables, key=lambda v: v.name):
        if _is_saveable(variable):
            found[variable.name] = variable
            continue
        if is_partitioned(variable):
            name, what = variable.name, variable
        elif isinstance(variable, Variable) and _slice_info(variable):
            name = _slice_info(variable).full_name
            if name in found and not isinstance(found[name], list):
                raise ValueError("Mixing slices and non-slices with the same name: %s" % name)
            found.setdefault(name, []).append(variable)
            continue
        elif _is_of_several_devices(variable) or getattr(variable, "_eager", False):
            name, what = variable._shared_name, variable
        elif hasattr(variable, "_gather_saveables_for_checkpoint") and not isinstance(variable, (Variable, Tensor)):
            made = [f() if callable(f) else f for f in variable._gather_saveables_for_checkpoint().values()]
            found.update(by_name(made))
            continue
        else:
            what = _source(variable)
            if not _is_source(what):
                raise TypeError("Variable to save is not a Variable: %s" % variable)
            name = what.op.inputs[0].op.name if what.op.type == "ReadVariableOp" else what.op.name
        if name in found:
            raise ValueError("At least two variables have the same name: %s" % name)
        found[name] = what
    return found


def _expand(name, what):
    """The saveables of one key."""
    if not isinstance(name, str):
        raise TypeError("names_to_saveables must be a dict mapping string names to trackable operations. Name is not a string: %s" % name)
    if _is_saveable(what):
        return [what]
    if isinstance(what, (list, tuple)) or is_partitioned(what):
        made, full = [], None
        for part in what:
            if not isinstance(part, Variable):
                raise ValueError("Slices must all be Variables: %s" % part)
            info = _slice_info(part)
            if not info:
                raise ValueError("Slices must all be slices: %s" % part)
            if full is None:
                full = info.full_name
            elif full != info.full_name:
                raise ValueError("Slices must all be from the same tensor: %s != %s" % (full, info.full_name))
            made.append(_saveable(part, info.spec, name))
        return made
    if hasattr(what, "_gather_saveables_for_checkpoint") and (_is_of_several_devices(what) or not isinstance(what, (Variable, Tensor))):
        return [f(name) if callable(f) else f for f in what._gather_saveables_for_checkpoint().values()]
    if getattr(what, "_eager", False):
        return [ResourceSaveable(what, "", name)]
    source = _source(what)
    if not _is_source(source):
        raise TypeError("names_to_saveables must be a dict mapping string names to Tensors/Variables. Not a variable: %s" % source)
    return [_saveable(source, "", name)]


def saveables_of(variables):
    """The saveables of a list of variables, or of a dict of key -> variable, sorted by key."""
    if not isinstance(variables, dict):
        variables = by_name(variables)
    made, seen = [], set()
    for name, what in sorted(variables.items(), key=lambda item: item[0]):
        for saveable in _expand(name, what):
            if id(saveable.op) in seen:
                raise ValueError("The same saveable will be restored with two names: %s" % saveable.name)
            seen.add(id(saveable.op))
            made.append(saveable)
    return made


def all_saveables(scope=None):
    """Everything that a default saver saves."""
    return ops.get_collection("variables", scope) + ops.get_collection("saveable_objects", scope)
