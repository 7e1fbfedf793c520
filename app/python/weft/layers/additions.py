"""Losses, updates and metrics that layers add to a model, and the inputs that they depend on."""

import functools

from ..distribute import contexts
from .. import context, ops
from ..sparse_tensor import SparseTensor
from ..util import nest
from .float_type import floatx

mean_metric = None  # makes the mean metric of a tensor; set by keras.metrics to Mean


class CallStack:
    layers = []  # (layer, its argument `training`, its inputs) of each call in progress


def _place(x):
    return x._node if isinstance(x, ops.Operation) else (x._node, x.value_index)


def computed_from(inputs, targets):
    """The tensors and operations among `targets` that depend on any of `inputs` by data or control edges."""
    wanted = {_place(t) for t in targets}
    todo, reached = [t for x in nest.flatten(inputs) for t in _parts(x)], set()
    while todo and not wanted <= reached:
        x = todo.pop()
        if _place(x) in reached:
            continue
        reached.add(_place(x))
        todo += list(x.outputs) + list(x._control_outputs) if isinstance(x, ops.Operation) else x.consumers()
    return [t for t in targets if _place(t) in reached]


def _parts(x):
    """The tensors of an input."""
    if isinstance(x, SparseTensor):
        return [x.indices, x.values, x.dense_shape]
    return [x] if isinstance(x, ops.Tensor) else [x.handle] if hasattr(x, "handle") else []


def check_branch(value, method):
    """RuntimeError for what is made in a branch of Keras's own graph while execution is eager: outside of the branch it may have no value."""
    op = value if isinstance(value, ops.Operation) else value.op if isinstance(value, ops.Tensor) and not getattr(value, "_is_eager", False) else None
    if op is None or op.graph is not context.made_keras_graph() or op._get_control_flow_context() is None:
        return
    raise RuntimeError("You are using the method `%s` in a control flow branch in your layer. This is not currently supported. Please move your call to %s out of the control flow "
                       "branch, and let the branch compute what is passed to it. You can also resolve this by marking your layer as dynamic (eager-only) by passing `dynamic=True` to "
                       "the layer constructor. Any kind of control flow is supported with dynamic layers. Note that using `dynamic=True` requires you to implement static shape "
                       "inference in the `compute_output_shape(input_shape)` method." % (method, method))


def _tagged_loss(loss, unconditional):
    loss = loss() if callable(loss) else loss
    if loss is None:
        return None
    loss = loss if isinstance(loss, ops.Tensor) else ops.convert_to_tensor(loss, dtype=None if hasattr(loss, "dtype") else floatx())
    loss._unconditional_loss = unconditional
    return loss


def _made_update(update, given):
    """The operation of an update, marked with whether it depends on the inputs of a call."""
    while callable(update):
        update = update()
    if not isinstance(update, ops.Operation):
        update = update.op if hasattr(update, "op") else ops.convert_to_tensor(update).op
    check_branch(update, "add_update")
    update._unconditional_update = not computed_from(given, [update])
    return update


class Additions:
    """Mixin of layers that stores the losses, updates and metrics of their calls. Reads the attributes that Layer._set_up creates."""

    def add_loss(self, losses, inputs=None):
        """Adds losses: tensors, or functions that create them. If `inputs` is not None, they only count where the layer's inputs are used."""
        for loss in nest.flatten(losses):
            check_branch(loss, "add_loss")
            if callable(loss):
                self._callable_losses.append(functools.partial(_tagged_loss, loss, inputs is None))
            elif loss is not None:
                loss = _tagged_loss(loss, inputs is None)
                (self._eager_losses if getattr(loss, "_is_eager", False) else self._losses).append(loss)

    def add_update(self, updates, inputs=None):
        """Adds operations for a training step to run. One that depends on the inputs of the current call only runs where these are used."""
        if contexts.active_strategy() and contexts.in_cross_replica_context():
            return  # the replicas that call the layer make their own
        if ops.executing_eagerly():
            if any(not layer.trainable for layer, _, _ in CallStack.layers):
                return
            for update in updates if isinstance(updates, (list, tuple)) else [updates]:
                while callable(update):
                    update = update()
            return
        graph, in_call = ops.get_default_graph(), bool(CallStack.layers)
        given = CallStack.layers[-1][2] if in_call else [node.input_tensors for node in self._inbound_nodes]
        of_keras = in_call and graph is context.made_keras_graph()
        for update in updates if isinstance(updates, (list, tuple)) else [updates]:
            if of_keras and callable(update):  # made when a training step needs it: a layer that is frozen by then has no updates
                self._updates.append(functools.partial(_made_update, update, given))
                continue
            made = _made_update(update, given)
            if not of_keras or not graph._orders:  # else it runs before the outputs of the call
                self._updates.append(made)

    def add_metric(self, value, aggregation=None, name=None):
        """Adds a metric: the result of a Metric object, or a tensor averaged over all batches (aggregation="mean")."""
        metric = self._check_metric(value, aggregation, name)
        name = metric.name if metric is not None else name
        same = [m for m in self._metrics if m.name == name]
        if len(same) > 1:
            raise ValueError('Please provide different names for the metrics you have added. We found {} metrics with the name: "{}"'.format(len(same), name))
        known = same[0] if same else None
        if aggregation is None:
            if known is None and metric is None:
                raise ValueError("We do not support adding an aggregated metric result tensor that is not the output of a `tf.keras.metrics.Metric` metric instance. Without having "
                                 "access to the metric instance we cannot reset the state of a metric after every epoch during training. You can create a "
                                 "`tf.keras.metrics.Metric` instance and pass the result here or pass an un-aggregated result with `aggregation` parameter set as `mean`. For "
                                 "example: `self.add_metric(tf.reduce_sum(inputs), name='mean_activation', aggregation='mean')`")
            if known is None:
                self._metrics.append(metric)
        elif known is not None:
            known(value)
        else:
            mean = mean_metric(name=name)
            mean(value)
            self._metrics.append(mean)

    @staticmethod
    def _check_metric(value, aggregation, name):
        if aggregation is not None and aggregation != "mean":
            raise ValueError("We currently support only `mean` sample-wise metric aggregation. You provided aggregation=`%s`" % aggregation)
        metric = getattr(value, "_metric_obj", None)
        if name is None and metric is None:
            raise ValueError("Please provide a name for your metric like `self.add_metric(tf.reduce_sum(inputs), name='mean_activation', aggregation='mean')`")
        if not isinstance(value, ops.Tensor) and not CallStack.layers:
            raise ValueError("Expected a symbolic Tensor for the metric value, received: " + str(value))
        check_branch(value, "add_metric")
        return metric

    metrics = property(lambda self: self._added_metrics())

    def _added_metrics(self):
        return list(self._metrics) + [m for layer in self._layers for m in layer._added_metrics()]

    def _trainable_state(self):
        """The trainable attribute of this layer and of all its sublayers."""
        state = {self: self.trainable}
        for layer in self._layers:
            state.update(layer._trainable_state())
        return state

    def _set_trainable_state(self, state):
        if self in state:
            self._trainable = state[self]
        for layer in self._layers:
            layer._set_trainable_state(state)

    def _children(self, attribute):
        found = []
        for layer in self._layers:
            found += getattr(layer, attribute)
        return found + self._variables_of_containers(attribute)

    def _variables_of_containers(self, attribute):
        """Variables in lists and dicts of attributes, which may have come there after the assignment."""
        if attribute not in ("weights", "trainable_weights", "non_trainable_weights") or not hasattr(self._layers, "variables"):
            return []
        return [v for v in self._layers.variables() if attribute == "weights" or v.trainable == (attribute == "trainable_weights")]

    @property
    def losses(self):
        made = list(self._eager_losses or self._losses)  # a call on values replaces what the graph says
        for function in self._callable_losses:
            loss = function()
            if loss is not None:
                made.append(loss)
        return made + self._children("losses")

    @property
    def updates(self):
        if not self.trainable and not self.stateful:
            return []
        for i, update in enumerate(self._updates):
            if callable(update):
                with context.made_keras_graph().as_default():
                    self._updates[i] = update()
        return self._updates + self._children("updates")

    def get_losses_for(self, inputs):
        """The losses that depend on the inputs; for None the unconditional ones."""
        if inputs is None:
            return [x for x in self.losses if x._unconditional_loss]
        return computed_from(inputs, [x for x in self.losses if not x._unconditional_loss])

    def get_updates_for(self, inputs):
        """The updates that depend on the inputs; for None the unconditional ones."""
        if inputs is None:
            return [u for u in self.updates if u._unconditional_update]
        return computed_from(inputs, [u for u in self.updates if not u._unconditional_update])
