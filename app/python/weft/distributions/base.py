"""tf.distributions: the base of all distributions, and KL divergences between two of them."""

import numpy as np

from .. import basics, dtypes, engine, ops
from ..build_facts import is_tensor
from ..control_flow import Assert
from ..conversion import constant_value
from ..exports import export, export_value
from ..tensor_shape import TensorShape


def both(name):
    """Decorator: exports in tf.distributions and under the older name in tf.contrib.distributions."""
    return export("distributions." + name, "contrib.distributions." + name)


@both("ReparameterizationType")
class ReparameterizationType:
    """Whether gradients flow through samples to the parameters."""

    def __init__(self, rep_type):
        self._rep_type = rep_type

    def __repr__(self):
        return "<Reparameteriation Type: %s>" % self._rep_type

    def __eq__(self, other):
        return self is other

    __hash__ = object.__hash__


FULLY_REPARAMETERIZED = export_value(ReparameterizationType("FULLY_REPARAMETERIZED"), "distributions.FULLY_REPARAMETERIZED", "contrib.distributions.FULLY_REPARAMETERIZED")
NOT_REPARAMETERIZED = export_value(ReparameterizationType("NOT_REPARAMETERIZED"), "distributions.NOT_REPARAMETERIZED", "contrib.distributions.NOT_REPARAMETERIZED")


def broadcast_static(a, b):
    """The static shape of two broadcast shapes."""
    if a.ndims is None or b.ndims is None:
        return TensorShape(None)
    rank = max(a.ndims, b.ndims)
    sizes = [[None if d is None else int(d) for d in ([1] * (rank - s.ndims) + s.as_list())] for s in (a, b)]
    out = []
    for x, y in zip(*sizes):
        if x is not None and y is not None and x != y and 1 not in (x, y):
            raise ValueError("Incompatible shapes for broadcasting: %s and %s" % (a, b))
        out.append(y if x == 1 else x if y == 1 else x if x is not None and x == y else max((d for d in (x, y) if d is not None), default=None))
    return TensorShape(out)


class _Scope:
    """The distribution's name scope with a method's scope inside."""

    def __init__(self, name, method, values):
        self.outer = ops.name_scope(name)
        self.inner = (method, values)

    def __enter__(self):
        self.outer.__enter__()
        self.inner = ops.name_scope(self.inner[0], values=self.inner[1])
        return self.inner.__enter__()

    def __exit__(self, *what):
        self.inner.__exit__(*what)
        return self.outer.__exit__(*what)


@both("Distribution")
class Distribution:
    """A random variable. The public methods call the subclass's methods (`_sample_n`, `_log_prob` …), each in its own name scope."""

    def __init__(self, dtype, reparameterization_type, validate_args, allow_nan_stats, parameters=None, graph_parents=None, name=None):
        graph_parents = list(graph_parents or [])
        for i, t in enumerate(graph_parents):
            if not is_tensor(t):
                raise ValueError("Graph parent item %d is not a Tensor; %s." % (i, t))
        if not name or name[-1] != "/":
            with ops.name_scope(name or type(self).__name__) as name:
                pass
        self.dtype, self.reparameterization_type = dtype, reparameterization_type
        self.validate_args, self.allow_nan_stats = validate_args, allow_nan_stats
        self.parameters = {k: v for k, v in (parameters or {}).items() if k not in ("self", "__class__")}
        self._graph_parents = graph_parents
        self.name = name

    def _scope(self, name, values=()):
        return _Scope(self.name, name, list(values) + self._graph_parents)

    def __repr__(self):
        return "<tfp.distributions.%s '%s' batch_shape=%s event_shape=%s dtype=%s>" % (type(self).__name__, self.name, self.batch_shape, self.event_shape, self.dtype.name)

    def __str__(self):
        batch = "" if self.batch_shape.ndims is None else ", batch_shape=%s" % self.batch_shape
        event = "" if self.event_shape.ndims is None else ", event_shape=%s" % self.event_shape
        return 'tfp.distributions.%s("%s"%s%s, dtype=%s)' % (type(self).__name__, self.name, batch, event, self.dtype.name)

    def copy(self, **override):
        """A copy with some parameters changed."""
        return type(self)(**dict(self.parameters, **override))

    # Shapes.
    def _event_shape_tensor(self):
        return ops.constant([], dtype=dtypes.int32)

    def _event_shape(self):
        return TensorShape([])

    @property
    def batch_shape(self):
        return TensorShape(self._batch_shape())

    @property
    def event_shape(self):
        return TensorShape(self._event_shape())

    def batch_shape_tensor(self, name="batch_shape_tensor"):
        with self._scope(name):
            if self.batch_shape.is_fully_defined():
                return ops.convert_to_tensor(self.batch_shape.as_list(), dtype=dtypes.int32, name="batch_shape")
            return self._batch_shape_tensor()

    def event_shape_tensor(self, name="event_shape_tensor"):
        with self._scope(name):
            if self.event_shape.is_fully_defined():
                return ops.convert_to_tensor(self.event_shape.as_list(), dtype=dtypes.int32, name="event_shape")
            return self._event_shape_tensor()

    # Samples.
    def sample(self, sample_shape=(), seed=None, name="sample"):
        with self._scope(name, [sample_shape]):
            sample_shape = ops.convert_to_tensor(sample_shape, dtype=dtypes.int32, name="sample_shape")
            sample_shape, n = self._sample_count(sample_shape)
            samples = self._sample_n(n, seed)
            shape = engine.concat([sample_shape, basics.shape(samples)[1:]], 0)
            samples = engine.reshape(samples, shape)
            return self._with_known_shape(samples, constant_value(sample_shape))

    def _sample_count(self, shape):
        known = constant_value(shape)
        count = engine.reduce_prod(shape) if known is None else np.prod(known, dtype=shape.dtype.as_numpy_dtype())
        rank = shape.get_shape().ndims
        if rank == 0:
            shape = engine.reshape(shape, [1]) if known is None else ops.convert_to_tensor(np.array([known], shape.dtype.as_numpy_dtype), name="sample_shape")
        elif rank is None:
            shape = engine.reshape(shape, engine.where(engine.equal(basics.rank(shape), 0), np.array([1], np.int32), basics.shape(shape)))
        elif rank != 1:
            raise ValueError("Input is neither scalar nor vector.")
        return shape, count

    def _with_known_shape(self, samples, sample_shape):
        if sample_shape is not None and self.batch_shape.ndims is not None and self.event_shape.ndims is not None:
            samples.set_shape(TensorShape([int(d) for d in sample_shape]).concatenate(self.batch_shape).concatenate(self.event_shape))
        return samples

    # Densities and sums of them.
    def _value_of(self, name, value, own, other, change):
        """The method `own` of a value; if the class lacks it, `change` applied to the result of `other`."""
        with self._scope(name, [value]):
            value = ops.convert_to_tensor(value, name="value", preferred_dtype=self.dtype)
            if hasattr(self, own):
                return getattr(self, own)(value)
            if not hasattr(self, other):
                raise NotImplementedError("%s is not implemented: %s" % (own[1:], type(self).__name__))
            return change(getattr(self, other)(value))

    def log_prob(self, value, name="log_prob"):
        return self._value_of(name, value, "_log_prob", "_prob", engine.log)

    def prob(self, value, name="prob"):
        return self._value_of(name, value, "_prob", "_log_prob", engine.exp)

    def log_cdf(self, value, name="log_cdf"):
        return self._value_of(name, value, "_log_cdf", "_cdf", engine.log)

    def cdf(self, value, name="cdf"):
        return self._value_of(name, value, "_cdf", "_log_cdf", engine.exp)

    def survival_function(self, value, name="survival_function"):
        return self._of_cdf(name, value, "_survival_function", lambda c: 1.0 - c)

    def log_survival_function(self, value, name="log_survival_function"):
        return self._of_cdf(name, value, "_log_survival_function", lambda c: engine.log1p(-c))

    def _of_cdf(self, name, value, own, change):
        with self._scope(name, [value]):
            value = ops.convert_to_tensor(value, name="value", preferred_dtype=self.dtype)
            return getattr(self, own)(value) if hasattr(self, own) else change(self.cdf(value))

    def quantile(self, value, name="quantile"):
        return self._value_of(name, value, "_quantile", "", None)

    # Moments.
    def _fact(self, name, what):
        with self._scope(name):
            method = getattr(self, "_" + what, None)
            if method is None:
                raise NotImplementedError("%s is not implemented: %s" % (what, type(self).__name__))
            return method()

    def entropy(self, name="entropy"):
        return self._fact(name, "entropy")

    def mean(self, name="mean"):
        return self._fact(name, "mean")

    def mode(self, name="mode"):
        return self._fact(name, "mode")

    def variance(self, name="variance"):
        with self._scope(name):
            return self._variance() if hasattr(self, "_variance") else engine.square(self._stddev())

    def stddev(self, name="stddev"):
        with self._scope(name):
            return self._stddev() if hasattr(self, "_stddev") else engine.sqrt(self._variance())

    def covariance(self, name="covariance"):
        return self._fact(name, "covariance")

    def is_scalar_event(self, name="is_scalar_event"):
        with self._scope(name):
            return ops.convert_to_tensor(self._is_scalar(self.event_shape, self.event_shape_tensor), name="is_scalar_event")

    def is_scalar_batch(self, name="is_scalar_batch"):
        with self._scope(name):
            return ops.convert_to_tensor(self._is_scalar(self.batch_shape, self.batch_shape_tensor), name="is_scalar_batch")

    @staticmethod
    def _is_scalar(known, asked):
        if known.ndims is not None:
            return known.ndims == 0
        sizes = asked()
        rank = sizes.get_shape()
        if rank.ndims is not None and rank.as_list()[0] is not None:
            return rank.as_list() == [0]
        return engine.equal(basics.shape(sizes)[0], 0)

    def kl_divergence(self, other, name="kl_divergence"):
        with self._scope(name):
            return kl_divergence(self, other, allow_nan_stats=self.allow_nan_stats)

    def cross_entropy(self, other, name="cross_entropy"):
        with self._scope(name), ops.name_scope("cross_entropy"):
            return self.entropy() + kl_divergence(self, other, allow_nan_stats=self.allow_nan_stats)


_divergences = {}


@both("RegisterKL")
class RegisterKL:
    """Decorator: the function that computes KL(a || b) of two classes."""

    def __init__(self, dist_cls_a, dist_cls_b):
        self._key = (dist_cls_a, dist_cls_b)

    def __call__(self, kl_fn):
        if not callable(kl_fn):
            raise TypeError("kl_fn must be callable, received: %s" % kl_fn)
        if self._key in _divergences:
            raise ValueError("KL(%s || %s) has already been registered to: %s" % (self._key[0].__name__, self._key[1].__name__, _divergences[self._key]))
        _divergences[self._key] = kl_fn
        return kl_fn


def _nearest(type_a, type_b):
    """The KL function registered for the nearest base classes of these two, in method resolution order."""
    found = [(i + j, f) for i, x in enumerate(type_a.__mro__) for j, y in enumerate(type_b.__mro__) for f in [_divergences.get((x, y))] if f]
    return min(found, key=lambda f: f[0])[1] if found else None


@export("distributions.kl_divergence", "contrib.distributions.kl_divergence", "contrib.distributions.kl")
def kl_divergence(distribution_a, distribution_b, allow_nan_stats=True, name=None):
    """KL(a || b), batch by batch."""
    function = _nearest(type(distribution_a), type(distribution_b))
    if function is None:
        raise NotImplementedError("No KL(distribution_a || distribution_b) registered for distribution_a type %s and distribution_b type %s" % (type(distribution_a).__name__, type(distribution_b).__name__))
    with ops.name_scope("KullbackLeibler"):
        result = function(distribution_a, distribution_b, name=name)
        if allow_nan_stats:
            return result
        result = engine.identity(result, name="kl")
        said = "KL calculation between %s and %s returned NaN values (and was called with allow_nan_stats=False). Values:" % (distribution_a.name, distribution_b.name)
        with ops.control_dependencies([Assert(engine.logical_not(engine.reduce_any(engine.is_nan(result))), [said, result])]):
            return engine.identity(result, name="checked_kl")


def cross_entropy(ref, other, allow_nan_stats=True, name=None):
    """The expected number of nats needed to describe samples of `ref` by `other`."""
    with ops.name_scope(name, "cross_entropy"):
        return ref.entropy() + kl_divergence(ref, other, allow_nan_stats=allow_nan_stats)


_DIVERGENCES, _registered_kl = _divergences, _nearest
