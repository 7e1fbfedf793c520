"""tf.train.Optimizer: computes the gradients of a loss and applies them."""

from .. import basics, dtypes, engine, ops
from ..control_flow import group, tuple_
from ..distribute import contexts
from ..distribute.reduce_op import ReduceOp
from ..distribute.values import value_container
from ..eager.tape import GradientTape
from ..exports import export
from ..gradients import gradients
from ..ops import IndexedSlices, Tensor
from ..util import nest
from ..variable_base import Variable
from ..variables import assign_add, trainable_variables
from . import slots
from .slots import is_resource, key_of
from .tracking.base import Trackable


def _without_duplicates(values, indices):
    """Sums the rows that have the same index."""
    unique, place = engine.unique(indices)
    return engine.unsorted_segment_sum(values, place, basics.shape(unique)[0]), unique


class _Target:
    """The target of an update: a reference variable, a resource variable, or a tensor that cannot be updated."""

    def __init__(self, variable):
        self._v = variable
        if not isinstance(variable, Tensor) and variable.op.type == "VarHandleOp":
            self._kind = "resource"
        elif isinstance(variable, Variable):
            self._kind = "reference"
        elif isinstance(variable, Tensor):
            self._kind = "tensor"
        else:
            raise NotImplementedError("Trying to optimize unsupported type ", variable)

    def target(self):
        return self._v._ref() if self._kind == "reference" else self._v

    def update_op(self, optimizer, grad):
        v = self._v
        if self._kind == "tensor":
            raise NotImplementedError("Trying to update a Tensor ", v)
        sparse = isinstance(grad, IndexedSlices)
        if sparse and v.constraint is not None:
            raise RuntimeError("Cannot use a constraint function on a sparse variable.")
        if sparse and self._kind == "resource":
            return optimizer._resource_apply_sparse_duplicate_indices(grad.values, v, grad.indices)
        if sparse:
            return optimizer._apply_sparse_duplicate_indices(grad, v)
        update = optimizer._resource_apply_dense(grad, v) if self._kind == "resource" else optimizer._apply_dense(grad, v)
        if v.constraint is None:
            return update
        with ops.control_dependencies([update]):
            return v.assign(v.constraint(v))


@export("train.Optimizer")
class Optimizer(Trackable):
    """Base of all optimizers. Subclasses define updates: _apply_dense(), _apply_sparse() and their _resource_ forms."""

    GATE_NONE = 0
    GATE_OP = 1
    GATE_GRAPH = 2

    def __init__(self, use_locking, name):
        if not name:
            raise ValueError("Must specify the optimizer name")
        self._use_locking = use_locking
        self._name = name
        self._slots = {}  # name of the slot -> variable's key -> slot
        self._non_slot_dict = {}

    def get_name(self):
        return self._name

    def minimize(self, loss, global_step=None, var_list=None, gate_gradients=GATE_OP, aggregation_method=None, colocate_gradients_with_ops=False,
                 name=None, grad_loss=None):
        """compute_gradients() and apply_gradients() in one."""
        pairs = self.compute_gradients(loss, var_list=var_list, gate_gradients=gate_gradients, aggregation_method=aggregation_method,
                                       colocate_gradients_with_ops=colocate_gradients_with_ops, grad_loss=grad_loss)
        if not any(g is not None for g, _ in pairs):
            raise ValueError("No gradients provided for any variable, check your graph for ops that do not support gradients, between variables %s and "
                             "loss %s." % ([str(v) for _, v in pairs], loss))
        return self.apply_gradients(pairs, global_step=global_step, name=name)

    def compute_gradients(self, loss, var_list=None, gate_gradients=GATE_OP, aggregation_method=None, colocate_gradients_with_ops=False,
                          grad_loss=None):
        """Pairs (gradient or None, variable) for `var_list` or all trainable variables."""
        if callable(loss):
            return self._gradients_of_function(loss, var_list, grad_loss)
        if ops.executing_eagerly():
            raise RuntimeError("`loss` passed to Optimizer.compute_gradients should be a function when eager execution is enabled.")
        if gate_gradients not in (Optimizer.GATE_NONE, Optimizer.GATE_OP, Optimizer.GATE_GRAPH):
            raise ValueError("gate_gradients must be one of: Optimizer.GATE_NONE, Optimizer.GATE_OP, Optimizer.GATE_GRAPH.  Not %s" % gate_gradients)
        loss = self._scaled_loss(loss)
        self._assert_valid_dtypes([loss])
        if grad_loss is not None:
            self._assert_valid_dtypes([grad_loss])
        if var_list is None:
            var_list = trainable_variables() + ops.get_collection("trainable_resource_variables")
        else:
            var_list = nest.flatten(var_list)
        targets = [_Target(v).target() for v in var_list]
        if not var_list:
            raise ValueError("No variables to optimize.")
        grads = gradients(loss, targets, grad_ys=grad_loss, gate_gradients=gate_gradients == Optimizer.GATE_OP,
                          aggregation_method=aggregation_method, colocate_gradients_with_ops=colocate_gradients_with_ops)
        if gate_gradients == Optimizer.GATE_GRAPH:
            grads = tuple_(grads)
        pairs = list(zip(grads, var_list))
        self._assert_valid_dtypes([v for g, v in pairs if g is not None and v.dtype != dtypes.resource])
        return pairs

    def _gradients_of_function(self, loss, var_list, grad_loss):
        """The same for a function that computes the loss."""
        with GradientTape() as tape:
            if var_list is not None:
                tape.watch(var_list)
            value = self._scaled_loss(loss())
        if var_list is None:
            var_list = tape.watched_variables()
        with ops.control_dependencies([value]):
            grads = tape.gradient(value, var_list, grad_loss)
        return list(zip(grads, var_list))

    @staticmethod
    def _scaled_loss(loss):
        """The loss, divided by the number of replicas if these are averaged."""
        strategy = contexts.active_strategy()
        replicas = strategy.num_replicas_in_sync if strategy else 1
        scaled = replicas > 1 and contexts.get_loss_reduction() is ReduceOp.MEAN
        if strategy:
            ops.get_default_graph()._is_loss_scaled_by_optimizer = scaled
        return loss * (1.0 / replicas) if scaled else loss

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        """Updates each variable by its gradient, then increments the step; returns the operation."""
        if contexts.active_strategy():
            if contexts.in_cross_replica_context():
                raise RuntimeError("Use `_distributed_apply()` instead of `apply_gradients()` in a cross-replica context.")
            given = [(g, v) for g, v in grads_and_vars if g is not None]
            if not given:
                raise ValueError("No gradients provided for any variable: %s." % ([str(v) for _, v in grads_and_vars],))
            return contexts.get_replica_context().merge_call(self._distributed_apply, args=(given, global_step, name))
        pairs = tuple(grads_and_vars)
        if not pairs:
            raise ValueError("No variables provided.")
        converted = []
        for g, v in pairs:
            if g is not None:
                try:
                    g = ops.convert_to_tensor_or_indexed_slices(g)
                except TypeError:
                    raise TypeError("Gradient must be convertible to a Tensor or IndexedSlices, or None: %s" % (g,)) from None
                if not isinstance(g, (Tensor, IndexedSlices)):
                    raise TypeError("Gradient must be a Tensor, IndexedSlices, or None: %s" % g)
            converted.append((g, v, _Target(v)))
        variables = [v for g, v, _ in converted if g is not None]
        if not variables:
            raise ValueError("No gradients provided for any variable: %s." % ([str(v) for _, v, _ in converted],))
        with slots.outside():
            self._create_slots(variables)
        updates = []
        with ops.name_scope(name, self._name) as name:
            self._prepare()
            for g, v, target in converted:
                if g is not None:
                    with ops.name_scope("update_" + v.op.name), ops.colocate_with(v):
                        updates.append(target.update_op(self, g))
            if global_step is None:
                done = self._finish(updates, name)
            else:
                with ops.control_dependencies([self._finish(updates, "update")]), ops.colocate_with(global_step):
                    if is_resource(global_step):
                        one = ops.convert_to_tensor(1, dtype=global_step.dtype)
                        done = engine.raw_ops.AssignAddVariableOp(resource=global_step.handle, value=one, name=name)
                    else:
                        done = assign_add(global_step, 1, name=name)
            if ops.executing_eagerly():
                return None
            if isinstance(done, Tensor):
                done = done.op
            collected = ops.get_collection_ref("train_op")
            if done not in collected:
                collected.append(done)
            return done

    def _distributed_apply(self, strategy, grads_and_vars, global_step=None, name=None):
        """Updates all components of each variable by the sum of the replicas' gradients."""
        extended = strategy.extended
        reduced = extended.batch_reduce_to(ReduceOp.SUM, grads_and_vars)
        variables = [v for _, v in grads_and_vars]
        with slots.outside():
            self._create_slots(variables)

        def update(v, g):
            g = ops.convert_to_tensor_or_indexed_slices(g)
            with ops.name_scope("update_" + v.op.name):
                return _Target(v).update_op(self, g)

        with ops.name_scope(name, self._name) as name:
            self._prepare()
            updates = [u for v, g in zip(variables, reduced) for u in extended.update(v, update, args=(g,), group=False)]
            finished = extended.update_non_slot(extended.non_slot_devices(variables), lambda: self._finish(updates, "update"), group=False)
            if global_step is None:
                done = strategy.group(finished, name=name)
            else:
                with ops.control_dependencies(finished):
                    done = extended.update(global_step, assign_add, args=(1,), kwargs={"name": name})
            if isinstance(done, Tensor):
                done = done.op
            collected = ops.get_collection_ref("train_op")
            if all(done is not other for other in collected):
                collected.append(done)
            return done

    # Slots.

    def get_slot(self, var, name):
        """The slot of a variable, or None. For a component of a variable of several devices: the slot's component on its device."""
        named = self._slots.get(name)
        found = named.get(key_of(var)) if named else None
        return found.get(device=var.device) if hasattr(found, "device_map") and value_container(var) is not var else found

    def get_slot_names(self):
        return sorted(self._slots)

    def variables(self):
        """All variables that the optimizer created in the default graph."""
        graph = ops.get_default_graph()
        mine = list(self._non_slot_variables()) + [s for named in self._slots.values() for s in named.values()]
        return sorted((v for v in mine if v.op.graph is graph), key=lambda v: v.name)

    def _create_non_slot_variable(self, initial_value, name, colocate_with):
        key = (name, colocate_with.graph)
        if key not in self._non_slot_dict:
            with slots.beside(colocate_with):
                self._non_slot_dict[key] = Variable(initial_value, name=name, trainable=False, use_resource=is_resource(colocate_with))
        return self._non_slot_dict[key]

    def _get_non_slot_variable(self, name, graph=None):
        found = self._non_slot_dict.get((name, graph))
        if found is None and getattr(graph, "building_function", False):
            with ops.init_scope():
                found = self._non_slot_dict.get((name, ops.get_default_graph()))
        return found.get() if hasattr(found, "device_map") else found

    def _non_slot_variables(self):
        return self._non_slot_dict.values()

    def _slot_dict(self, slot_name):
        return self._slots.setdefault(slot_name, {})

    def _slot(self, var, slot_name, make):
        named = self._slot_dict(slot_name)
        if key_of(var) not in named:
            named[key_of(var)] = make()
        return named[key_of(var)]

    def _get_or_make_slot(self, var, val, slot_name, op_name):
        return self._slot(var, slot_name, lambda: slots.create_slot(var, val, op_name))

    def _get_or_make_slot_with_initializer(self, var, initializer, shape, dtype, slot_name, op_name):
        return self._slot(var, slot_name, lambda: slots.create_slot_with_initializer(var, initializer, shape, dtype, op_name))

    def _zeros_slot(self, var, slot_name, op_name):
        return self._slot(var, slot_name, lambda: slots.create_zeros_slot(var, op_name))

    # Overridden by subclasses.

    def _valid_dtypes(self):
        return {dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64}

    def _assert_valid_dtypes(self, tensors):
        valid = self._valid_dtypes()
        for t in tensors:
            if t.dtype.base_dtype not in valid:
                raise ValueError("Invalid type %r for %s, expected: %s." % (t.dtype.base_dtype, t.name, list(valid)))

    def _create_slots(self, var_list):
        """Creates the slots of all variables."""

    def _prepare(self):
        """Creates the tensors that all updates share."""

    def _apply_dense(self, grad, var):
        raise NotImplementedError()

    def _resource_apply_dense(self, grad, handle):
        raise NotImplementedError()

    def _apply_sparse(self, grad, var):
        raise NotImplementedError()

    def _resource_apply_sparse(self, grad, handle, indices):
        raise NotImplementedError()

    def _apply_sparse_duplicate_indices(self, grad, var):
        values, indices = _without_duplicates(grad.values, grad.indices)
        return self._apply_sparse(IndexedSlices(indices=indices, values=values, dense_shape=grad.dense_shape), var)

    def _resource_apply_sparse_duplicate_indices(self, grad, handle, indices):
        values, unique = _without_duplicates(grad, indices)
        return self._resource_apply_sparse(values, handle, unique)

    def _finish(self, update_ops, name_scope):
        return group(*update_ops, name=name_scope)

    def _call_if_callable(self, param):
        return param() if callable(param) else param
