"""tf.contrib.eager: functions that compute gradients of Python functions."""

import functools
import inspect

from .. import basics, engine, ops
from ..exports import export, export_value
from ..ops import IndexedSlices, Tensor
from ..resource_variable import ResourceVariable
from ..util import nest
from .iteration import EagerIterator
from .tape import GradientTape

export_value(ResourceVariable, "contrib.eager.Variable")
export_value(GradientTape, "contrib.eager.GradientTape")
export_value(EagerIterator, "contrib.eager.Iterator")

SYNC, ASYNC = 0, 1
DEVICE_PLACEMENT_EXPLICIT, DEVICE_PLACEMENT_WARN, DEVICE_PLACEMENT_SILENT = 0, 1, 2
for _name in ("SYNC", "ASYNC", "DEVICE_PLACEMENT_EXPLICIT", "DEVICE_PLACEMENT_WARN", "DEVICE_PLACEMENT_SILENT"):
    export_value(globals()[_name], "contrib.eager." + _name)


def _no_result(f):
    return ValueError("Cannot differentiate a function that returns None; did you forget to return a value from {}?".format(f.__name__))


def _positions(f, params, args):
    """The arguments to differentiate with respect to, by number."""
    try:
        names = inspect.getfullargspec(f).args
    except TypeError as e:
        if params is None:
            return range(len(args))
        if all(isinstance(x, int) for x in params):
            return params
        raise ValueError("Either callable provided is not a function or could not inspect its arguments by name: %s. Original error: %s" % (f, e))
    if params is None:
        return range(len(names) if names else len(args))
    if all(isinstance(x, str) for x in params):
        return [names.index(n) for n in params]
    if all(isinstance(x, int) for x in params):
        return params
    raise ValueError("params must be all strings or all integers; got %s." % params)


def make_vjp(f, params=None, persistent=True):
    """A function that returns f's value, and a function from the gradients of the value to those of the arguments."""
    @functools.wraps(f)
    def decorated(*args, **kwargs):
        assert not kwargs, "The gradient function can't take keyword arguments."
        chosen = list(_positions(f, params, args))
        args = [ops.convert_to_tensor(x) if i in chosen else x for i, x in enumerate(args)]
        seen = set()
        for i in chosen:  # each parameter is a tensor of its own
            if id(args[i]) in seen:
                args[i] = engine.identity(args[i])
            seen.add(id(args[i]))
        sources = [args[i] for i in chosen]
        with GradientTape(persistent=persistent) as tape:
            for x in sources:
                tape.watch(x)
            result = f(*args)
            if result is None:
                raise _no_result(f)
            result = nest.map_structure(engine.identity, result)

        def vjp(dy=None):
            return tape.gradient(nest.flatten(result), sources, output_gradients=None if dy is None else nest.flatten(dy))

        return result, vjp

    return decorated


def val_and_grad_function(f, params=None):
    """A function that returns f's value and its gradients with respect to the arguments, or those that `params` names or numbers."""
    @functools.wraps(f)
    def decorated(*args, **kwargs):
        dy = kwargs.pop("dy", None)
        if kwargs:
            raise ValueError("Functions to be differentiated cannot receive keyword arguments.")
        value, vjp = make_vjp(f, params)(*args)
        return value, vjp(dy=dy)

    return decorated


export("contrib.eager.value_and_gradients_function")(val_and_grad_function)


@export("contrib.eager.gradients_function")
def gradients_function(f, params=None):
    """The gradients alone."""
    both = val_and_grad_function(f, params)
    return functools.wraps(f)(lambda *args, **kwargs: both(*args, **kwargs)[1])


def implicit_val_and_grad(f):
    """A function that returns f's value and pairs (gradient, variable) for the trainable variables that f reads."""
    @functools.wraps(f)
    def decorated(*args, **kwargs):
        with GradientTape() as tape:
            value = f(*args, **kwargs)
            if value is None:
                raise _no_result(f)
        variables = tape.watched_variables()
        if not variables:
            raise ValueError("No trainable variables were accessed while the function was being computed.")
        return value, list(zip(tape.gradient(value, list(variables)), variables))

    return decorated


def implicit_grad(f):
    """The pairs alone."""
    both = implicit_val_and_grad(f)
    return functools.wraps(f)(lambda *args, **kwargs: both(*args, **kwargs)[1])


export("contrib.eager.implicit_value_and_gradients")(implicit_val_and_grad)
export("contrib.eager.implicit_gradients")(implicit_grad)


def aggregate_indexed_slices_gradients(grads):
    """The sum of gradients of which some are IndexedSlices: one again if all are."""
    if len(grads) < 2:
        return grads[0] if grads else None
    grads = [g for g in grads if g is not None]
    if any(isinstance(g, Tensor) for g in grads):
        return engine.add_n([ops.convert_to_tensor(g) for g in grads])
    wide = any(g.indices.dtype.name == "int64" for g in grads)
    indices = [basics.cast(g.indices, "int64") if wide else g.indices for g in grads]
    return IndexedSlices(engine.concat([g.values for g in grads], 0), engine.concat(indices, 0), grads[0].dense_shape)


@export("contrib.eager.num_gpus")
def num_gpus():
    """The number of GPUs that eager execution uses: none."""
    return 0
