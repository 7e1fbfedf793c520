"""Training by optimizers outside of the graph: SciPy's."""

import itertools

import numpy as np

from ... import engine, ops
from ...exports import export
from ...gradients import gradients
from ...platform import tf_logging as logging
from ...variables import trainable_variables


def _shape(tensor):
    return tuple(tensor.get_shape().as_list())


def _gradients(tensor, variables):
    """The gradients, zeros where there is none."""
    return [g if g is not None else engine.zeros_like(v) for v, g in zip(variables, gradients(tensor, variables))]


@export("contrib.opt.ExternalOptimizerInterface")
class ExternalOptimizerInterface:
    """Base class: a subclass defines _minimize(), which sees all variables as one vector.

    `equalities` are scalars held at 0, `inequalities` scalars held at or above 0, `var_to_bounds` has (low, high) for variables, which broadcast to their shapes."""

    def __init__(self, loss, var_list=None, equalities=None, inequalities=None, var_to_bounds=None, **optimizer_kwargs):
        self._loss, self._equalities, self._inequalities = loss, equalities or [], inequalities or []
        self._vars = trainable_variables() if var_list is None else list(var_list)
        self._packed_bounds = None if var_to_bounds is None else self._bounds(var_to_bounds)
        self._update_placeholders = [engine.placeholder(v.dtype) for v in self._vars]
        self._var_updates = [v.assign(engine.reshape(p, _shape(v))) for v, p in zip(self._vars, self._update_placeholders)]
        self.optimizer_kwargs = optimizer_kwargs
        slopes = [[_gradients(what, self._vars) for what in group] for group in ([loss], self._equalities, self._inequalities)]
        self._packed_var = self._pack(self._vars)
        packed = [[self._pack(g) for g in group] for group in slopes]
        self._packed_loss_grad, self._packed_equality_grads, self._packed_inequality_grads = packed[0][0], packed[1], packed[2]
        ends = [0] + list(itertools.accumulate(int(np.prod(_shape(v))) for v in self._vars))
        self._packing_slices = [slice(begin, end) for begin, end in zip(ends, ends[1:])]

    def _bounds(self, var_to_bounds):
        """(low, high) of each element of the packed variables."""
        packed = []
        for v in self._vars:
            low, high = (np.broadcast_to(bound, _shape(v)).flat for bound in var_to_bounds.get(v, (-np.inf, np.inf)))
            packed += zip(low, high)
        return packed

    def minimize(self, session=None, feed_dict=None, fetches=None, step_callback=None, loss_callback=None, **run_kwargs):
        """Runs the optimizer in a session and writes the variables at the end.

        `step_callback` gets the packed variables at each step, `loss_callback` the values of `fetches` at each evaluation."""
        session = session or ops.get_default_session()
        feed_dict, fetches = feed_dict or {}, fetches or []

        def function(tensors, callback=None):
            return self._make_eval_func(tensors, session, feed_dict, fetches, callback)

        found = self._minimize(
            initial_val=session.run(self._packed_var),
            loss_grad_func=function([self._loss, self._packed_loss_grad], loss_callback),
            equality_funcs=[function(t) for t in self._equalities], equality_grad_funcs=[function(t) for t in self._packed_equality_grads],
            inequality_funcs=[function(t) for t in self._inequalities], inequality_grad_funcs=[function(t) for t in self._packed_inequality_grads],
            packed_bounds=self._packed_bounds, step_callback=step_callback or (lambda xk: None), optimizer_kwargs=self.optimizer_kwargs)
        session.run(self._var_updates, feed_dict=dict(zip(self._update_placeholders, (found[part] for part in self._packing_slices))), **run_kwargs)

    def _minimize(self, initial_val, loss_grad_func, equality_funcs, equality_grad_funcs, inequality_funcs, inequality_grad_funcs, packed_bounds, step_callback,
                  optimizer_kwargs):
        """The packed variables at the minimum."""
        raise NotImplementedError("To use ExternalOptimizerInterface, subclass from it and implement the _minimize() method.")

    @classmethod
    def _pack(cls, tensors):
        flat = [engine.reshape(t, [-1]) for t in tensors]
        return None if not flat else flat[0] if len(flat) == 1 else engine.concat(flat, 0)

    def _make_eval_func(self, tensors, session, feed_dict, fetches, callback=None):
        """A function of the packed variables: the values of the tensors."""
        tensors = tensors if isinstance(tensors, list) else [tensors]

        def evaluate(x):
            fed = {v: x[part].reshape(_shape(v)) for v, part in zip(self._vars, self._packing_slices)}
            fed.update(feed_dict)
            values = session.run(tensors + fetches, feed_dict=fed)
            if callable(callback):
                callback(*values[len(tensors):])
            return values[:len(tensors)]

        return evaluate


@export("contrib.opt.ScipyOptimizerInterface")
class ScipyOptimizerInterface(ExternalOptimizerInterface):
    """scipy.optimize.minimize on a session's variables; L-BFGS-B unless `method` says otherwise."""

    _DEFAULT_METHOD = "L-BFGS-B"

    def _minimize(self, initial_val, loss_grad_func, equality_funcs, equality_grad_funcs, inequality_funcs, inequality_grad_funcs, packed_bounds, step_callback,
                  optimizer_kwargs):
        def loss_and_gradient(x):
            loss, gradient = loss_grad_func(x)
            return loss, gradient.astype("float64")  # L-BFGS-B takes no other type

        constraints = [{"type": kind, "fun": function, "jac": slope} for kind, functions, slopes in
                       (("eq", equality_funcs, equality_grad_funcs), ("ineq", inequality_funcs, inequality_grad_funcs)) for function, slope in zip(functions, slopes)]
        given = dict(optimizer_kwargs)
        method = given.pop("method", self._DEFAULT_METHOD)
        arguments = {"jac": True, "callback": step_callback, "method": method, "constraints": constraints, "bounds": packed_bounds}
        for name in arguments:
            if name in given:
                raise ValueError("Bounds must be set using the var_to_bounds argument" if name == "bounds" else
                                 "Optimizer keyword arg '%s' is set automatically and cannot be injected manually" % name)
        arguments.update(given)

        import scipy.optimize

        result = scipy.optimize.minimize(loss_and_gradient, initial_val, **arguments)
        lines, values = ["Optimization terminated with:", "  Message: %s", "  Objective function value: %f"], [result.message, result.fun]
        for name, what in (("nit", "iterations"), ("nfev", "functions evaluations")):  # some methods don't count
            if hasattr(result, name):
                lines.append("  Number of %s: %%d" % what)
                values.append(getattr(result, name))
        logging.info("\n".join(lines), *values)
        return result["x"]
