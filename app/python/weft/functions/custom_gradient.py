"""tf.custom_gradient: functions that define their own gradient."""

import functools
import inspect
import itertools

from .. import engine, ops
from ..distribute.values import container_of
from ..eager.recorded_calls import record
from ..eager.tape import GradientTape
from ..exports import export
from ..internals.op_selector import get_backward_walk_ops
from ..ops import RegisterGradient
from ..util import nest
from ..variable_scope import get_variable_scope
from ..variables import global_variables, local_variables

_numbers = itertools.count()


def _variables_between(args, results, known):
    """The resource variables that the results depend on, except through args."""
    handles = {v.handle.op.name: v for v in known if getattr(v, "_resource", False)}
    stop, todo, seen, found = {id(t) for t in args}, [t for t in results], set(), []
    while todo:
        t = todo.pop()
        if id(t) in stop or t.op.name in seen:
            continue
        seen.add(t.op.name)
        if t.op.name in handles:
            found.append(handles[t.op.name])
        todo += list(t.op.inputs)
    return found


def _with_watched_variables(f, name, args, kwargs):
    """custom_gradient's function where variables are known by their reads: while execution is eager, and in functions."""
    with GradientTape() as tape:
        result, gradient = f(*args, **kwargs)
    given = list(args) + list(kwargs.values())
    used = [v for v in tape.watched_variables() if all(v is not x and container_of(v) is not x for x in given)]
    signature = inspect.getfullargspec(gradient)
    if used and not ("variables" in signature.args or "variables" in signature.kwonlyargs or signature.varkw):
        raise TypeError("If using @custom_gradient with a function that uses variables, then grad_fn must accept a 'variables' keyword argument.")
    flat = [ops.convert_to_tensor(t) for t in nest.flatten(result)]
    inputs = [ops.convert_to_tensor(x) for x in given]
    count = len(flat)

    def derive(op, *grads):
        of_inputs, of_variables = gradient(*grads[:count], variables=used) if used else (gradient(*grads[:count]), [])
        if len(of_variables) != len(used):
            raise ValueError("Must return gradient for each variable from @custom_gradient grad_fn.")
        of_inputs = nest.flatten(of_inputs)
        if len(of_inputs) != len(given):
            raise ValueError("custom_gradient function expected to return %d gradients but returned %d instead." % (len(given), len(of_inputs)))
        return [None] * count + of_inputs + list(of_variables)

    inputs += [ops.convert_to_tensor(v) for v in used]
    if ops.executing_eagerly():
        return nest.pack_sequence_as(result, record(flat, inputs, derive))
    RegisterGradient(name)(derive)
    with ops.get_default_graph().gradient_override_map({"IdentityN": name}):
        outputs = engine.identity_n(flat + inputs)
    return nest.pack_sequence_as(result, list(outputs)[:count])


@export("custom_gradient")
def custom_gradient(f):
    """f(*args) returns (result, gradient function). The decorated function returns the result and is differentiated by that function."""

    @functools.wraps(f)
    def decorated(*args, **kwargs):
        graph = ops.get_default_graph()
        now = graph._eager or graph.building_function
        if kwargs and not graph._eager:
            raise ValueError("The custom_gradient decorator currently supports keywords arguments only when eager execution is enabled.")
        name = "CustomGradient-%d" % next(_numbers)
        if now:
            return _with_watched_variables(f, name, args, kwargs)
        args = [ops.convert_to_tensor(x) for x in args]
        seen = {id(v) for v in global_variables() + local_variables()}
        result, gradient = f(*args)
        known = global_variables() + local_variables()
        if any(id(v) not in seen and not getattr(v, "_resource", False) for v in known):
            raise TypeError("All variables used by `f` must be resource variables: open its variable scope with use_resource=True.")
        used = _variables_between(args, nest.flatten(result), known)
        signature = inspect.getfullargspec(gradient)
        accepts = "variables" in signature.args or "variables" in signature.kwonlyargs or signature.varkw
        if used and not accepts:
            raise TypeError("If using @custom_gradient with a function that uses variables, then grad_fn must accept a 'variables' keyword argument.")
        if accepts and not used and not get_variable_scope().use_resource:
            raise TypeError("If using @custom_gradient with a function that uses variables, the enclosing variable scope must have use_resource=True.")
        flat = nest.flatten(result)
        for t in flat:
            engine.identity(t)  # without use, but TensorFlow's graphs have these nodes
        flat = [ops.convert_to_tensor(t) for t in flat]
        count = len(flat)

        def derive(op, *grads):
            grads = grads[:count]
            if used:
                given, of_variables = gradient(*grads, variables=used)
                if len(of_variables) != len(used):
                    raise ValueError("Must return gradient for each variable from @custom_gradient grad_fn.")
            else:
                given, of_variables = gradient(*grads), []
            given = nest.flatten(given)
            return [None] * count + given + list(of_variables)

        RegisterGradient(name)(derive)
        inputs = flat + args + [ops.convert_to_tensor(v) for v in used]
        with ops.get_default_graph().gradient_override_map({"IdentityN": name}):
            outputs = engine.identity_n(inputs)
        return nest.pack_sequence_as(result, list(outputs)[:count])

    return decorated


@export("grad_pass_through")
def grad_pass_through(f):
    """f with the gradient of the identity."""

    @custom_gradient
    def inner(*args):
        def gradient(*grads, **kwargs):
            variables = kwargs.get("variables")
            return (grads, [None] * len(variables)) if variables is not None else grads

        return f(*args), gradient

    return functools.wraps(f)(inner)


@export("recompute_grad")
def recompute_grad(f):
    """f, which gradients call again instead of keeping its intermediate values. They flow to the arguments and to the variables that f uses."""
    @custom_gradient
    def inner(*args, **kwargs):
        def gradient(given, variables=None):
            used = list(variables or ())
            with GradientTape() as tape:
                tape.watch(args)
                tape.watch(used)
                with ops.control_dependencies([given]):
                    again = f(*args, **kwargs)
            found = tape.gradient(again, list(args) + used, output_gradients=[given])
            return found[:len(args)], found[len(args):]

        return f(*args, **kwargs), gradient

    return inner


def get_variable_by_name(var_name):
    """The trainable variable of a name; None if it is not trainable."""
    found = ops.get_collection(ops.GraphKeys.GLOBAL_VARIABLES, scope=var_name + ":0")
    if not found:
        raise ValueError("Unsuccessful at finding variable %s." % var_name)
    found = [v for v in found if v.trainable]
    if len(found) > 1:
        raise ValueError("Unsuccessful at finding trainable variable %s. Number of candidates: %d. Candidates: %s" % (var_name, len(found), found))
    return found[0] if found else None


def get_dependent_variables(input_ops, output_ops):
    """The trainable variables that gradients of the outputs reach without passing the inputs."""
    ends = [engine.identity(t) for t in nest.flatten(output_ops)]
    walked = get_backward_walk_ops(ends, inclusive=False, stop_at_ts=nest.flatten(input_ops), only_differentiable=True)
    found = [get_variable_by_name(op.name) for op in walked if op.type in ("VarHandleOp", "Variable", "VariableV2")]
    return [v for v in found if v is not None]
