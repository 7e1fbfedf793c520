"""tf.gradients and functions built on it."""

from . import _weft, basics, dtypes, engine, ops
from .exports import export
from .loops import while_loop
from .ops import IndexedSlices, Tensor
from .tensor_array import TensorArray


def _handle(x):
    return x.handle if getattr(x, "_resource", False) else x


def _listed(x):
    return list(x) if isinstance(x, (list, tuple)) else [x]


def _expanded(items):
    """Partitioned variables as lists of their slices; sets, dict values and the like as lists."""
    return [i for i in items]


@export("AggregationMethod")
class AggregationMethod:
    ADD_N = 0
    DEFAULT = ADD_N
    EXPERIMENTAL_TREE = 1
    EXPERIMENTAL_ACCUMULATE_N = 2


@export("UnconnectedGradients")
class UnconnectedGradients:
    NONE = "none"
    ZERO = "zero"


@export("gradients")
def gradients(ys, xs, grad_ys=None, name="gradients", colocate_gradients_with_ops=False, gate_gradients=False, aggregation_method=None, stop_gradients=None,
              unconnected_gradients=UnconnectedGradients.NONE):
    """Derivatives of the sum of `ys` with respect to each of `xs`; None for those without a path."""
    if aggregation_method not in (None, AggregationMethod.ADD_N, AggregationMethod.EXPERIMENTAL_TREE, AggregationMethod.EXPERIMENTAL_ACCUMULATE_N):
        raise ValueError("Invalid aggregation_method specified %s." % aggregation_method)
    if str(getattr(unconnected_gradients, "value", unconnected_gradients)) not in (UnconnectedGradients.NONE, UnconnectedGradients.ZERO):
        raise ValueError("Unknown value for unconnected_gradients: %r" % (unconnected_gradients,))
    ys, xs = _listed(ys), _listed(xs)
    stops = _listed(stop_gradients) if stop_gradients is not None else []
    for stop in stops:
        if not hasattr(stop, "op") and not hasattr(stop, "values") and not hasattr(stop, "handle"):
            raise TypeError("stop_gradients are tensors, not %r of type '%s'" % (stop, type(stop).__name__))
    grads = None if grad_ys is None else _listed(grad_ys)
    if grads is not None and len(grads) != len(ys):
        raise ValueError("Passed %d grad_ys for %d ys" % (len(grads), len(ys)))
    graph = ops._get_graph_from_inputs(ys + xs)
    if graph._eager:
        raise RuntimeError("tf.gradients is not supported when eager execution is enabled. Use tf.GradientTape instead.")
    with graph.as_default():
        def tensor(x, what):
            if isinstance(x, Tensor):
                return x
            if isinstance(x, IndexedSlices):
                return x.values
            if getattr(x, "_is_variable", False):
                return ops.internal_convert_to_tensor(x, name=what, as_ref=not hasattr(x, "as_tensor") and not getattr(x, "_resource", False))
            return ops.internal_convert_to_tensor(x, name=what)

        end = graph._core.name_scope("gradients" if name is None else name)
        scope = graph._core.current_scope()
        try:
            y_tensors = [tensor(y, "y_%d" % i) for i, y in enumerate(ys)]
            x_tensors = [tensor(_handle(x), "x_%d" % i) for i, x in enumerate(xs)]
            stop_tensors = [tensor(_handle(s), "stop") for s in stops]
            if grads is not None:
                for i, (y, g) in enumerate(zip(y_tensors, grads)):
                    if g is None:
                        continue
                    if not isinstance(g, (Tensor, IndexedSlices)):
                        g = grads[i] = ops.internal_convert_to_tensor(g, dtype=y.dtype.base_dtype, name="grad_y_%d" % i)
                    if (y.dtype.is_floating or y.dtype.is_integer) and not (g.dtype.is_floating or g.dtype.is_integer):
                        raise TypeError("Gradient type %s generated for real or integer-valued tensor %s with type %s must be real or integer" % (g.dtype.name, y, y.dtype.name))
            else:
                for y in y_tensors:
                    if y.dtype.is_complex:
                        raise TypeError("Gradients of complex tensors must set grad_ys (y.dtype = %r)" % y.dtype)
        finally:
            end.end()
        made = _weft.gradients(graph._core, y_tensors, x_tensors, grads, stop_tensors, scope, bool(colocate_gradients_with_ops), bool(gate_gradients),
                               aggregation_method or AggregationMethod.ADD_N)
    out = []
    for x, tensor, g in zip(xs, x_tensors, made):
        if isinstance(g, tuple):
            g = IndexedSlices(*g)
        elif g is None and str(getattr(unconnected_gradients, "value", unconnected_gradients)) == "zero":
            g = engine.zeros(x.shape, x.dtype) if getattr(x, "_resource", False) else engine.zeros_like(tensor)
        out.append(g)
    return out


@export("hessians")
def hessians(ys, xs, name="hessians", colocate_gradients_with_ops=False, gate_gradients=False, aggregation_method=None):
    """The Hessian with respect to each x."""
    xs = _listed(xs)
    kwargs = {"colocate_gradients_with_ops": colocate_gradients_with_ops, "gate_gradients": gate_gradients, "aggregation_method": aggregation_method}
    out = []
    for gradient, x in zip(gradients(ys, xs, **kwargs), xs):
        gradient = engine.reshape(gradient, [-1])
        n = basics.size(x)
        _, rows = while_loop(lambda j, _: j < n, lambda j, result: (j + 1, result.write(j, gradients(gradient[j], x)[0])), [ops.constant(0, dtypes.int32), TensorArray(x.dtype, n)])
        shape = basics.shape(x)
        out.append(engine.reshape(rows.stack(), engine.concat((shape, shape), 0)))
    return out


def _hessian_vector_product(ys, xs, v):
    """For each x the product of the Hessian of `ys` and a vector of x's shape, without the Hessian itself."""
    if len(v) != len(xs):
        raise ValueError("xs and v must have the same length.")
    products = [engine.multiply(g, engine.stop_gradient(factor)) for g, factor in zip(gradients(ys, xs), v) if g is not None]
    return gradients(products, xs)
