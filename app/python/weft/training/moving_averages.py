"""Averages that follow variables."""

import tensorflow as tf

from ..exports import export
from . import slots


def assign_moving_average(variable, value, decay, zero_debias=True, name=None):
    """variable -= (variable - value) * (1 - decay); `zero_debias`: corrected for having begun with zero."""
    with tf.name_scope(name, "AssignMovingAvg", [variable, value, decay]) as scope:
        rate = tf.convert_to_tensor(1.0 - decay, name="decay")
        if rate.dtype != variable.dtype.base_dtype:
            rate = tf.cast(rate, variable.dtype.base_dtype)
        if zero_debias:
            return _debiased(variable, value, rate)
        return tf.assign_sub(variable, (variable - value) * rate, name=scope)


def _free_name(name):
    scope = tf.get_variable_scope()
    if scope.reuse:
        return name
    taken = {v.op.name for v in scope.global_variables()}
    if scope.name + "/" + name not in taken:
        return name
    i = 1
    while "%s/%s_%d" % (scope.name, name, i) in taken:
        i += 1
    return "%s_%d" % (name, i)


def _debiased(unbiased, value, rate):
    with tf.variable_scope(unbiased.name[:-len(":0")], values=[unbiased, value, rate]):
        with slots.outside():
            zeros, zero = tf.zeros_initializer(), tf.zeros_initializer()
        with tf.colocate_with(unbiased):
            biased = tf.get_variable(_free_name("biased"), initializer=zeros, shape=unbiased.get_shape(), dtype=unbiased.dtype.base_dtype,
                                     trainable=False)
            step = tf.get_variable(_free_name("local_step"), shape=[], dtype=unbiased.dtype.base_dtype, initializer=zero, trainable=False)
    mean = tf.assign_sub(biased, (biased - value) * rate)
    count = step.assign_add(1)
    factor = 1 - tf.pow(1.0 - rate, count)
    return tf.assign(unbiased, mean / factor, name=tf.get_default_graph().get_name_scope() + "/")


def weighted_moving_average(value, decay, weight, truediv=True, collections=None, name=None):
    """The moving average of `value` where each counts by its weight."""
    collections = ["variables"] if collections is None else collections
    with tf.variable_scope(name, "WeightedMovingAvg", [value, weight, decay]) as scope:
        sums = tf.get_variable("value_x_weight", shape=value.get_shape(), dtype=value.dtype, initializer=tf.zeros_initializer(), trainable=False,
                               collections=collections)
        weights = tf.get_variable("weight", shape=weight.get_shape(), dtype=weight.dtype, initializer=tf.zeros_initializer(), trainable=False,
                                  collections=collections)
        over = assign_moving_average(sums, value * weight, decay, zero_debias=False)
        under = assign_moving_average(weights, weight, decay, zero_debias=False)
        return (tf.truediv if truediv else tf.div)(over, under, name=scope.name)


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
        """Makes the averages of `var_list`, or of all trainable variables; gives the operation that updates them."""
        var_list = tf.trainable_variables() if var_list is None else list(var_list)
        debiased = set()
        for var in var_list:
            if var.dtype.base_dtype not in (tf.bfloat16, tf.float16, tf.float32, tf.float64):
                raise TypeError("The variables must be half, float, or double: %s" % var.name)
            if id(var) in self._averages:
                continue
            with slots.outside():
                if isinstance(var, tf.Variable):
                    average = slots.create_slot(var, var.initialized_value(), self.name)
                    tf.add_to_collection("moving_average_variables", var)
                else:
                    average = slots.create_zeros_slot(var, self.name, colocate_with_primary=var.op.type in ("Variable", "VariableV2", "VarHandleOp"))
                    if self._zero_debias:
                        debiased.add(id(average))
            self._averages[id(var)] = (var, average)
        with tf.name_scope(self.name) as scope:
            decay = tf.convert_to_tensor(self._decay, name="decay")
            if self._num_updates is not None:
                count = tf.cast(self._num_updates, tf.float32, name="num_updates")
                decay = tf.minimum(decay, (1.0 + count) / (10.0 + count))
            updates = []
            for var in var_list:
                average = self._averages[id(var)][1]
                updates.append(assign_moving_average(average, var, decay, zero_debias=id(average) in debiased))
            return tf.group(*updates, name=scope)

    def average(self, var):
        """The variable that holds the average, or None."""
        return self._averages.get(id(var), (None, None))[1]

    def average_name(self, var):
        """Name of the average, or the name that it would get."""
        average = self.average(var)
        if average is not None:
            return average.op.name
        return tf.get_default_graph().unique_name(var.op.name + "/" + self.name, mark_as_used=False)

    def variables_to_restore(self, moving_avg_variables=None):
        """A dict for a Saver that gives each variable its average's value."""
        if moving_avg_variables is None:
            moving_avg_variables = tf.trainable_variables() + tf.moving_average_variables()
        averaged = {v.name: v for v in moving_avg_variables}
        names = {self.average_name(v): v for v in averaged.values()}
        for v in tf.global_variables():
            if v.name not in averaged and v.op.name not in names:
                names[v.op.name] = v
        return names
