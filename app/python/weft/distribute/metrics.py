"""tf.metrics in replicas: each replica counts by itself, and the value of a metric is computed from the counts of all of them.

The engine builds the value from the counters of one replica. Here those nodes are copied, with reads of the combined counters instead."""

import inspect

from .. import ops, records, variable_scope
from ..ops import GraphKeys, Tensor
from ..util import nest
from ..variable_base import Variable, VariableAggregation, VariableSynchronization
from . import contexts
from .values import container_of

_PLAIN = ("Const", "VarHandleOp")


def _variables(graph):
    """The variables of several devices, by the handles of their components."""
    return {v.handle.op: container_of(v) for c in ("local_variables", "variables") for whole in graph.get_collection(c) if hasattr(whole, "device_map") for v in whole.values}


def _combined(strategy, tensor, name):
    """The value of a metric from the combined counters."""
    known, copies = _variables(tensor.graph), {}

    def copy(t):
        op = t.op
        if op in copies:
            made = copies[op]
        elif op.type == "ReadVariableOp" and op.inputs[0].op in known:
            made = copies[op] = strategy.extended.read_var(known[op.inputs[0].op])
        elif not op.inputs:
            if op.type not in _PLAIN:
                raise NotImplementedError("tf.%s in a replica is not supported: its value depends on %s (%s). Compute it outside of the replicas" % (name, op.name, op.type))
            return t
        else:
            made = copies[op] = tensor.graph.create_op(op.type, [copy(i) for i in op.inputs], None, name=op.name.rsplit("/", 1)[-1], attrs=dict(op.node_def.attr))
        return made if isinstance(made, Tensor) else made.outputs[t.value_index]

    return copy(tensor)


def _in_replica(name, function, args, kwargs):
    """Calls the function of a metric; in a replica its value becomes that of all replicas."""
    replica = contexts.get_replica_context() if contexts.active_strategy() else None
    if replica is None or replica.num_replicas_in_sync == 1:
        return function(*args, **kwargs)
    bound = inspect.signature(function).bind(*args, **kwargs)
    collections = bound.arguments.pop("metrics_collections", None)
    value, update = function(**bound.arguments)

    def merged(strategy, value):
        with ops.control_dependencies(None):
            made = nest.map_structure(lambda v: _combined(strategy, strategy.experimental_local_results(v)[0], name), value)
        if collections:
            ops.add_to_collections(collections, made)
        return made

    return replica.merge_call(merged, (value,)), update


def _counter(name, make):
    """A counter that each replica changes by itself; None outside all strategies."""
    if not contexts.active_strategy():
        return None
    return Variable(make, trainable=False, collections=[GraphKeys.LOCAL_VARIABLES, GraphKeys.METRIC_VARIABLES], name=name,
                    synchronization=VariableSynchronization.ON_READ, aggregation=VariableAggregation.SUM)


records.call_metric = _in_replica
variable_scope.counter_of_replicas = _counter
