"""Moving averages of variables and tensors."""

from .. import basics, dtypes, engine, initializers, ops
from ..control_flow import group
from ..distribute import contexts
from ..distribute.reduce_op import ReduceOp
from ..exports import export
from ..variable_base import Variable
from ..variable_scope import get_variable, get_variable_scope, variable_scope
from ..variables import assign, assign_sub, global_variables, moving_average_variables, trainable_variables
from . import slots


def assign_moving_average(variable, value, decay, zero_debias=True, name=None):
    """variable -= (variable - value) * (1 - decay); `zero_debias`: corrects the bias of the initial zero."""
    with ops.name_scope(name, "AssignMovingAvg", [variable, value, decay]) as scope:
        rate = ops.convert_to_tensor(1.0 - decay, name="decay")
        if rate.dtype != variable.dtype.base_dtype:
            rate = basics.cast(rate, variable.dtype.base_dtype)

        def update(strategy, v, value):
            if zero_debias:
                return _debiased(v, value, rate, strategy)
            return strategy.extended.update(v, lambda v, value: assign_sub(v, (v - value) * rate, name=scope), args=(value,))

        if not contexts.active_strategy():
            return _debiased(variable, value, rate) if zero_debias else assign_sub(variable, (variable - value) * rate, name=scope)
        replica = contexts.get_replica_context()
        if replica is None:
            return update(contexts.get_strategy(), variable, value)

        def merged(strategy, v, value):
            return update(strategy, v, strategy.extended.reduce_to(ReduceOp.MEAN, value, v))

        return replica.merge_call(merged, args=(variable, value))


def _free_name(name):
    scope = get_variable_scope()
    if scope.reuse:
        return name
    taken = {v.op.name for v in scope.global_variables()}
    if scope.name + "/" + name not in taken:
        return name
    i = 1
    while "%s/%s_%d" % (scope.name, name, i) in taken:
        i += 1
    return "%s_%d" % (name, i)


def _debiased(unbiased, value, rate, strategy=None):
    with variable_scope(unbiased.name[:-len(":0")], values=[unbiased, value, rate]):
        with slots.outside():
            zeros, zero = initializers.zeros_initializer(), initializers.zeros_initializer()
        with slots.beside(unbiased):
            biased = get_variable(_free_name("biased"), initializer=zeros, shape=unbiased.get_shape(), dtype=unbiased.dtype.base_dtype,
                                  trainable=False)
            step = get_variable(_free_name("local_step"), shape=[], dtype=unbiased.dtype.base_dtype, initializer=zero, trainable=False)
    if strategy is not None:
        return strategy.extended.update(unbiased, _update_debiased, args=(value, biased, step, rate))
    return _update_debiased(unbiased, value, biased, step, rate)


def _update_debiased(unbiased, value, biased, step, rate):
    mean = assign_sub(biased, (biased - value) * rate)
    count = step.assign_add(1)
    factor = 1 - engine.pow(1.0 - rate, count)
    return assign(unbiased, mean / factor, name=ops.get_default_graph().get_name_scope() + "/")


def weighted_moving_average(value, decay, weight, truediv=True, collections=None, name=None):
    """The weighted moving average of `value`."""
    collections = ["variables"] if collections is None else collections
    with variable_scope(name, "WeightedMovingAvg", [value, weight, decay]) as scope:
        sums = get_variable("value_x_weight", shape=value.get_shape(), dtype=value.dtype, initializer=initializers.zeros_initializer(), trainable=False,
                            collections=collections)
        weights = get_variable("weight", shape=weight.get_shape(), dtype=weight.dtype, initializer=initializers.zeros_initializer(), trainable=False,
                               collections=collections)
        over = assign_moving_average(sums, value * weight, decay, zero_debias=False)
        under = assign_moving_average(weights, weight, decay, zero_debias=False)
        return (engine.truediv if truediv else engine.div)(over, under, name=scope.name)


@export("train.ExponentialMovingAverage")
class ExponentialMovingAverage:
    """Averages of variables and tensors: average = decay * average + (1 - decay) * value."""

    def __init__(self, decay, num_updates=None, zero_debias=False, name="ExponentialMovingAverage"):
        self._decay, self._num_updates, self._zero_debias, self._name = decay, num_updates, zero_debias, name
        self._averages = {}  # id of the variable -> (variable, average)

    @property
    def name(self):
        return self._name

    def apply(self, var_list=None):
        """Creates the averages of `var_list`, by default of all trainable variables; returns the operation that updates them."""
        var_list = trainable_variables() if var_list is None else list(var_list)
        debiased = set()
        for var in var_list:
            if var.dtype.base_dtype not in (dtypes.bfloat16, dtypes.float16, dtypes.float32, dtypes.float64):
                raise TypeError("The variables must be half, float, or double: %s" % var.name)
            if id(var) in self._averages:
                continue
            with slots.outside():
                if isinstance(var, Variable):
                    average = slots.create_slot(var, var.initialized_value(), self.name)
                    ops.add_to_collection("moving_average_variables", var)
                else:
                    average = slots.create_zeros_slot(var, self.name, colocate_with_primary=var.op.type in ("Variable", "VariableV2", "VarHandleOp"))
                    if self._zero_debias:
                        debiased.add(id(average))
            self._averages[id(var)] = (var, average)
        with ops.name_scope(self.name) as scope:
            decay = ops.convert_to_tensor(self._decay, name="decay")
            if self._num_updates is not None:
                count = basics.cast(self._num_updates, dtypes.float32, name="num_updates")
                decay = engine.minimum(decay, (1.0 + count) / (10.0 + count))
            updates = []
            for var in var_list:
                average = self._averages[id(var)][1]
                updates.append(assign_moving_average(average, var, decay, zero_debias=id(average) in debiased))
            return group(*updates, name=scope)

    def average(self, var):
        """The variable that holds the average, or None."""
        return self._averages.get(id(var), (None, None))[1]

    def average_name(self, var):
        """The name of the average, or the name that it would have."""
        average = self.average(var)
        if average is not None:
            return average.op.name
        return ops.get_default_graph().unique_name(var.op.name + "/" + self.name, mark_as_used=False)

    def variables_to_restore(self, moving_avg_variables=None):
        """A dict for a Saver that restores each variable from its average."""
        if moving_avg_variables is None:
            moving_avg_variables = trainable_variables() + moving_average_variables()
        averaged = {v.name: v for v in moving_avg_variables}
        names = {self.average_name(v): v for v in averaged.values()}
        for v in global_variables():
            if v.name not in averaged and v.op.name not in names:
                names[v.op.name] = v
        return names
