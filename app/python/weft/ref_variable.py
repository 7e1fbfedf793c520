"""Reference variables."""

from . import ops
from .exports import export
from .op_calls import raw
from .platform import tf_logging as logging
from .safe_initial_value import _guarded
from .tensor_shape import unknown_shape
from .variable_base import _checked_collections, _refuse_inside_flow, check_synchronization_and_aggregation, kinds, Variable


@export("_RefVariable")
class RefVariable(Variable):
    """A variable that operations hold by reference (VariableV2)."""

    _resource = False

    def __init__(self, initial_value=None, trainable=None, collections=None, validate_shape=True, caching_device=None, name=None, variable_def=None, dtype=None,
                 expected_shape=None, import_scope=None, constraint=None, synchronization=None, aggregation=None, shape=None):
        if variable_def is not None:
            if initial_value is not None:
                raise ValueError("variable_def and initial_value are mutually exclusive.")
            self._from_def(variable_def, import_scope)
            return
        self._synchronization, self._aggregation, trainable = check_synchronization_and_aggregation(synchronization, aggregation, trainable, name)
        if initial_value is None:
            raise ValueError("initial_value must be specified.")
        is_function = callable(initial_value)
        if constraint is not None and not callable(constraint):
            raise ValueError("The `constraint` argument must be a callable.")
        collections = _checked_collections(collections, trainable)
        graph = ops._get_graph_from_inputs([] if is_function else [initial_value])
        self._graph_key = graph._graph_key
        self._trainable = trainable
        self._constraint = constraint
        self._caching_device = caching_device
        if not name:
            name = "Variable"
        with graph.as_default(), ops.init_scope(), graph.name_scope(name) as scope:
            if is_function:
                with graph._attr_scope({"_class": ["loc:@" + scope[:-1]]}):
                    with graph.name_scope("Initializer"), graph.device(None):
                        self._initial_value = ops.convert_to_tensor(initial_value(), name="initial_value", dtype=dtype)
                        shape = self._initial_value.get_shape() if validate_shape else unknown_shape()
                    self._tensor = _variable_op(shape, self._initial_value.dtype.base_dtype, scope, graph)
            else:
                self._initial_value = ops.convert_to_tensor(initial_value, name="initial_value", dtype=dtype)
                _refuse_inside_flow(self._initial_value, scope)
                shape = self._initial_value.get_shape() if validate_shape else unknown_shape()
                self._tensor = _variable_op(shape, self._initial_value.dtype.base_dtype, scope, graph)
            if validate_shape and not self._initial_value.get_shape().is_fully_defined():
                raise ValueError("initial_value must have a shape specified: %s" % self._initial_value)
            self._initializer_op = _assign(self._tensor, _guarded(scope, self._initial_value), validate_shape=validate_shape).op
            if caching_device is not None:
                with graph.device(caching_device):
                    self._snapshot = raw("Identity")(self._tensor, name="read")
            else:
                with graph.colocate_with(self._tensor.op):
                    self._snapshot = raw("Identity")(self._tensor, name="read")
        self._know()
        graph.add_to_collections(collections, self)

    _variable = property(lambda self: self._tensor)
    op = property(lambda self: self._tensor.op)
    name = property(lambda self: self._tensor.name)
    dtype = property(lambda self: self._tensor.dtype)
    shape = property(lambda self: self._tensor.get_shape())

    def _ref(self):
        return self._tensor

    def _as_graph_element(self):
        return self._tensor

    def value(self):
        """The snapshot, or the reference if there is none."""
        return self._snapshot

    def _AsTensor(self):
        return self._snapshot

    def read_value(self):
        """The value at the time when this operation runs."""
        return raw("Identity")(self._tensor, name="read")

    def set_shape(self, shape):
        self._ref().set_shape(shape)
        self.value().set_shape(shape)

    def is_initialized(self, name=None):
        return raw("IsVariableInitialized")(self._tensor, name=name)

    def _result(self, assigned, read_value):
        return assigned if read_value else assigned.op

    def assign(self, value, use_locking=False, name=None, read_value=True):
        return self._result(_assign(self._tensor, value, use_locking=use_locking, name=name), read_value)

    def assign_add(self, delta, use_locking=False, name=None, read_value=True):
        return self._result(raw("AssignAdd")(self._tensor, delta, use_locking=use_locking, name=name), read_value)

    def assign_sub(self, delta, use_locking=False, name=None, read_value=True):
        return self._result(raw("AssignSub")(self._tensor, delta, use_locking=use_locking, name=name), read_value)

    def _scatter(self, op, sparse_delta, use_locking, name):
        if not isinstance(sparse_delta, ops.IndexedSlices):
            raise ValueError("sparse_delta is not IndexedSlices: %s" % sparse_delta)
        return raw(op)(self._tensor, sparse_delta.indices, sparse_delta.values, use_locking=use_locking, name=name)

    def scatter_sub(self, sparse_delta, use_locking=False, name=None):
        return self._scatter("ScatterSub", sparse_delta, use_locking, name)

    def scatter_add(self, sparse_delta, use_locking=False, name=None):
        return self._scatter("ScatterAdd", sparse_delta, use_locking, name)

    def scatter_update(self, sparse_delta, use_locking=False, name=None):
        return self._scatter("ScatterUpdate", sparse_delta, use_locking, name)

    def scatter_nd_sub(self, indices, updates, name=None):
        return raw("ScatterNdSub")(self._tensor, indices, updates, use_locking=True, name=name)

    def scatter_nd_add(self, indices, updates, name=None):
        return raw("ScatterNdAdd")(self._tensor, indices, updates, use_locking=True, name=name)

    def scatter_nd_update(self, indices, updates, name=None):
        return raw("ScatterNdUpdate")(self._tensor, indices, updates, use_locking=True, name=name)

    def count_up_to(self, limit):
        return raw("CountUpTo")(self._tensor, limit=limit)

    def __iadd__(self, other):
        return self + _in_place("+=", "variable.assign_add", "x = x + y", other)

    def __isub__(self, other):
        return self - _in_place("-=", "variable.assign_sub", "x = x - y", other)

    def __imul__(self, other):
        return self * _in_place("*=", "`var.assign(var * other)`", "x = x * y", other)

    def __itruediv__(self, other):
        return self / _in_place("/=", "`var.assign(var / other)`", "x = x / y", other)

    __idiv__ = __irealdiv__ = __itruediv__

    def __ipow__(self, other):
        return self ** _in_place("**=", "`var.assign(var ** other)`", "x = x ** y", other)

    def __repr__(self):
        return "<tf.Variable '%s' shape=%s dtype=%s>" % (self.name, self.get_shape(), self.dtype.name)


def _variable_op(shape, dtype, name, graph):
    return raw("VariableV2")(shape, dtype, container=graph._container, shared_name="", name=name)


def _assign(ref, value, validate_shape=None, use_locking=None, name=None):
    return raw("Assign")(ref, value, validate_shape=validate_shape, use_locking=use_locking, name=name)


_told_in_place = set()


def _in_place(operator, instead, plain, other):
    """Warns once per operator that it makes a new tensor and does not change the variable."""
    if operator not in _told_in_place:
        _told_in_place.add(operator)
        logging.warning("Variable %s will be deprecated. Use %s if you want assignment to the variable value or '%s' if you want a new python Tensor object.",
                        operator, instead, plain)
    return other


kinds[False] = RefVariable
