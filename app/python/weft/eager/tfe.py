"""tf.contrib.eager: functions that compute gradients of Python functions."""

import functools

from .. import ops
from ..exports import export, export_value
from ..resource_variable import ResourceVariable
from ..util import nest
from .tape import GradientTape

export_value(ResourceVariable, "contrib.eager.Variable")
export_value(GradientTape, "contrib.eager.GradientTape")

@export("contrib.eager.val_and_grad_function")
def val_and_grad_function(f, params=None):
    """A function that returns f's value and its gradients with respect to the arguments (or those numbered in `params`)."""
    @functools.wraps(f)
    def decorated(*args, **kwargs):
        args = [ops.convert_to_tensor(x) for x in args]
        chosen = list(range(len(args))) if params is None else list(params)
        with GradientTape() as tape:
            for i in chosen:
                tape.watch(args[i])
            value = f(*args, **kwargs)
        return value, tape.gradient(value, [args[i] for i in chosen])

    return decorated

export_value(val_and_grad_function, "contrib.eager.value_and_gradients_function")

@export("contrib.eager.gradients_function")
def gradients_function(f, params=None):
    """The gradients alone."""
    both = val_and_grad_function(f, params)
    return functools.wraps(f)(lambda *args, **kwargs: both(*args, **kwargs)[1])

@export("contrib.eager.implicit_value_and_gradients")
def implicit_value_and_gradients(f):
    """A function that returns f's value and pairs (gradient, variable) for the trainable variables that f reads."""
    @functools.wraps(f)
    def decorated(*args, **kwargs):
        with GradientTape() as tape:
            value = f(*args, **kwargs)
        if value is None:
            raise ValueError("Cannot differentiate a function that returns None; did you forget to return a value from {}?".format(f.__name__))
        variables = tape.watched_variables()
        if not variables:
            raise ValueError("No trainable variables were accessed while the function was being computed.")
        return value, list(zip(tape.gradient(value, nest.flatten(list(variables))), variables))

    return decorated

@export("contrib.eager.implicit_gradients")
def implicit_gradients(f):
    """The pairs alone."""
    both = implicit_value_and_gradients(f)
    return functools.wraps(f)(lambda *args, **kwargs: both(*args, **kwargs)[1])
