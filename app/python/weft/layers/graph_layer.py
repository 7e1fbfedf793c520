"""Layers whose variables come from tf.get_variable; their losses and updates go to the graph's collections."""

from .. import dtypes, ops, variable_scope as scopes
from ..exports import export
from ..ops import GraphKeys
from ..util import nest
from ..variables import global_variables, trainable_variables, VariableAggregation, VariableSynchronization
from .base import Layer, name_scope, object_name, snake


@export("layers.Layer")
class GraphLayer(Layer):
    """A layer whose variables come from tf.get_variable, in the variable scope of its first call."""

    _tracks = False
    _keras_style = False

    def __init__(self, trainable=True, name=None, dtype=None, **kwargs):
        self._use_resource_variables = False
        scope = kwargs.pop("_scope", None)
        self._reuse = kwargs.pop("_reuse", None)
        super().__init__(trainable=trainable, name=name, dtype=dtype, **kwargs)
        self._scope = self._current_scope = None
        if scope:
            with scopes.variable_scope(scope) as captured:
                self._scope = captured

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value)

    def _init_name(self, name):
        self._base_name = name.name if isinstance(name, scopes.VariableScope) else name
        self._name = name
        if not name:
            self._base_name = snake(type(self).__name__)
            self._name = object_name(self._base_name, zero_based=False)
        elif isinstance(name, scopes.VariableScope):
            self._name = object_name(snake(type(self).__name__), zero_based=False)

    graph = property(lambda self: None)

    @property
    def scope_name(self):
        if not self._scope:
            raise ValueError('No name available for layer scope because the layer "' + self._name + '" has not been used yet. The scope name  is determined the first time the '
                             "layer instance is called. You must therefore call the layer before querying `scope_name`.")
        return self._scope.name

    def add_loss(self, losses, inputs=None):
        before = len(self._losses), len(self._callable_losses)
        super().add_loss(losses, inputs=inputs)
        made = self._losses[before[0]:]
        for function in self._callable_losses[before[1]:]:
            loss = function()
            if loss is not None:
                made.append(loss)
        _collect(made, GraphKeys.REGULARIZATION_LOSSES)

    def _name_scope(self):
        return self._current_scope.original_name_scope

    def _set_scope(self, scope=None):
        if self._scope is not None:
            return
        if self._reuse:
            opened = scopes.variable_scope(scope if scope is not None else self._base_name)
        else:
            opened = scopes.variable_scope(scope, default_name=self._base_name)
        with opened as captured:
            self._scope = captured

    def add_weight(self, name, shape, dtype=None, initializer=None, regularizer=None, trainable=None, constraint=None, use_resource=None,
                   synchronization=VariableSynchronization.AUTO, aggregation=VariableAggregation.NONE, partitioner=None, **kwargs):
        for key in kwargs:
            if key != "experimental_autocast":
                raise TypeError("Unknown keyword argument:", key)
        if synchronization == VariableSynchronization.ON_READ:
            if trainable:
                raise ValueError("Synchronization value can be set to VariableSynchronization.ON_READ only for non-trainable variables. You have specified trainable=True and "
                                 "synchronization=VariableSynchronization.ON_READ.")
            trainable = False
        elif trainable is None:
            trainable = True
        existing = {id(v) for v in global_variables()} if regularizer else ()
        dtype = dtypes.as_dtype(dtype or self._dtype or dtypes.float32)
        self._set_scope(None)
        before = len(self._trainable_weights)
        with scopes.variable_scope(self._scope, reuse=self.built or self._reuse, auxiliary_name_scope=False) as scope:
            self._current_scope = scope
            with name_scope(self._name_scope()):
                variable = super().add_weight(name, shape, dtype=dtype, initializer=initializer if initializer is not None else scope.initializer,
                                              trainable=trainable and self.trainable, constraint=constraint, partitioner=partitioner,
                                              use_resource=use_resource or self._use_resource_variables or scope.use_resource, synchronization=synchronization,
                                              aggregation=aggregation, getter=_get_variable)
                if regularizer:
                    parts = list(variable) if isinstance(variable, scopes.PartitionedVariable) else [variable]
                    if not any(id(v) in existing for v in parts):
                        self._add_weight_loss(name, variable, regularizer)
                if trainable and self.trainable and not getattr(variable, "_eager", False):
                    all_trainable = {id(v) for v in trainable_variables()}
                    if id(variable) not in all_trainable:
                        extra = self._trainable_weights[before:]
                        del self._trainable_weights[before:]
                        self._non_trainable_weights += extra
        return variable

    def __call__(self, inputs, *args, **kwargs):
        scope = kwargs.pop("scope", None)
        self._set_scope(scope)
        reuse = True if self.built else self._reuse
        with scopes.variable_scope(self._scope, reuse=reuse, auxiliary_name_scope=False) as opened:
            self._current_scope = opened
            if "scope" in self._arguments:
                kwargs["scope"] = opened
            outputs = super().__call__(inputs, *args, **kwargs)
        _collect(self.updates, GraphKeys.UPDATE_OPS)
        return outputs

    def __deepcopy__(self, memo):
        import copy

        made = type(self).__new__(type(self))
        memo[id(self)] = made
        for key, value in self.__dict__.items():
            if key == "_scope":
                value = copy.copy(value)
            elif isinstance(value, ops.Graph) or isinstance(value, scopes.variable_scope):
                pass
            else:
                value = copy.deepcopy(value, memo)
            made.__dict__[key] = value
        return made


def _get_variable(**kwargs):
    return scopes.get_variable(**kwargs)


def _collect(elements, name):
    there = {id(e) for e in ops.get_collection_ref(name)}
    for element in nest.flatten(elements):
        if id(element) not in there:
            ops.add_to_collection(name, element)
