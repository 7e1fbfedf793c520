"""tf.distributions: Bernoulli, Categorical."""

from .. import basics, dtypes, engine, ops
from ..operators import newaxis
from .base import NOT_REPARAMETERIZED, Distribution, RegisterKL, both


def _logits_and_probs(logits, probs, classes, validate_args, name):
    """(logits, probs) from whichever was given, over classes or for a single event."""
    with ops.name_scope(name, values=[probs, logits]):
        if (probs is None) == (logits is None):
            raise ValueError("Must pass probs or logits, but not both.")
        if probs is None:
            logits = ops.convert_to_tensor(logits, name="logits")
            if not logits.dtype.is_floating:
                raise TypeError("logits must having floating type.")
            return logits, (engine.nn.softmax if classes else engine.sigmoid)(logits, name="probs")
        probs = ops.convert_to_tensor(probs, name="probs")
        if not probs.dtype.is_floating:
            raise TypeError("probs must having floating type.")
        if validate_args:
            with ops.name_scope("validate_probs"):
                one = ops.constant(1.0, probs.dtype)
                checks = [engine.assert_non_negative(probs)]
                checks.append(engine.assert_near(engine.reduce_sum(probs, -1), one, message="probs does not sum to 1.") if classes
                              else engine.assert_less_equal(probs, one, message="probs has components greater than 1."))
                with ops.control_dependencies(checks):
                    probs = engine.identity(probs)
        with ops.name_scope("logits"):
            return (engine.log(probs) if classes else engine.log(probs) - engine.log1p(-1.0 * probs)), probs


@both("Bernoulli")
class Bernoulli(Distribution):
    """One or zero."""

    def __init__(self, logits=None, probs=None, dtype=dtypes.int32, validate_args=False, allow_nan_stats=True, name="Bernoulli"):
        parameters = dict(locals())
        with ops.name_scope(name) as name:
            self.logits, self.probs = _logits_and_probs(logits, probs, False, validate_args, name)
        Distribution.__init__(self, dtypes.as_dtype(dtype), NOT_REPARAMETERIZED, validate_args, allow_nan_stats, parameters, [self.logits, self.probs], name)

    def _batch_shape_tensor(self):
        return basics.shape(self.logits)

    def _batch_shape(self):
        return self.logits.get_shape()

    def _sample_n(self, n, seed=None):
        shape = engine.concat([[n], self.batch_shape_tensor()], 0)
        uniform = engine.random_uniform(shape, seed=seed, dtype=self.probs.dtype)
        return basics.cast(engine.less(uniform, self.probs), self.dtype)

    def _log_prob(self, event):
        event, logits = basics.cast(event, self.logits.dtype), self.logits
        shapes = event.get_shape(), logits.get_shape()
        if not (shapes[0].is_fully_defined() and shapes[1].is_fully_defined() and shapes[0] == shapes[1]):
            logits, event = engine.ones_like(event) * logits, engine.ones_like(logits) * event
        return -engine.nn.sigmoid_cross_entropy_with_logits(labels=event, logits=logits)

    def _entropy(self):
        return -self.logits * (engine.sigmoid(self.logits) - 1) + engine.nn.softplus(-self.logits)

    def _mean(self):
        return engine.identity(self.probs)

    def _variance(self):
        return self._mean() * (1.0 - self.probs)

    def _mode(self):
        return basics.cast(self.probs > 0.5, self.dtype)


@RegisterKL(Bernoulli, Bernoulli)
def _between_bernoullis(a, b, name=None):
    with ops.name_scope(name, "kl_bernoulli_bernoulli", values=[a.logits, b.logits]):
        of_zero = engine.nn.softplus(-b.logits) - engine.nn.softplus(-a.logits)
        of_one = engine.nn.softplus(b.logits) - engine.nn.softplus(a.logits)
        return engine.sigmoid(a.logits) * of_zero + engine.sigmoid(-a.logits) * of_one


@both("Categorical")
class Categorical(Distribution):
    """One of several classes, by their weights in the last dimension."""

    def __init__(self, logits=None, probs=None, dtype=dtypes.int32, validate_args=False, allow_nan_stats=True, name="Categorical"):
        parameters = dict(locals())
        with ops.name_scope(name, values=[logits, probs]) as name:
            self.logits, self.probs = _logits_and_probs(logits, probs, True, validate_args, name)
            known = self.logits.get_shape().with_rank_at_least(1)
            if known.ndims is not None:
                self._batch_rank = ops.convert_to_tensor(known.ndims - 1, dtype=dtypes.int32, name="batch_rank")
            else:
                with ops.name_scope(name="batch_rank"):
                    self._batch_rank = basics.rank(self.logits) - 1
            shape = basics.shape(self.logits, name="logits_shape")
            if known.ndims is not None and known[-1].value is not None:
                self.event_size = ops.convert_to_tensor(known[-1].value, dtype=dtypes.int32, name="event_size")
            else:
                with ops.name_scope(name="event_size"):
                    self.event_size = shape[self._batch_rank]
            if known[:-1].is_fully_defined():
                self._batch_sizes = ops.constant(known[:-1].as_list(), dtype=dtypes.int32, name="batch_shape")
            else:
                with ops.name_scope(name="batch_shape"):
                    self._batch_sizes = shape[:-1]
        Distribution.__init__(self, dtypes.as_dtype(dtype), NOT_REPARAMETERIZED, validate_args, allow_nan_stats, parameters, [self.logits, self.probs], name)

    def _batch_shape_tensor(self):
        return engine.identity(self._batch_sizes)

    def _batch_shape(self):
        return self.logits.get_shape()[:-1]

    def _sample_n(self, n, seed=None):
        logits = self.logits if self.logits.get_shape().ndims == 2 else engine.reshape(self.logits, [-1, self.event_size])
        draws = engine.multinomial(logits, n, seed=seed, output_dtype=dtypes.int64 if self.dtype.size > 4 else dtypes.int32)
        draws = engine.reshape(engine.transpose(draws), engine.concat([[n], self.batch_shape_tensor()], 0))
        return basics.cast(draws, self.dtype)

    def _broadcast(self, k, params):
        """(classes, parameters) of the same batch shape."""
        k = ops.convert_to_tensor(k, name="k")
        if k.dtype.is_floating:
            k = basics.cast(k, dtypes.int32)
        elif not k.dtype.is_integer:
            raise TypeError("`value` should have integer `dtype` or `self.dtype` (%s)" % self.dtype.base_dtype)
        batch = params.get_shape()[:-1]
        if not (params.get_shape().ndims is not None and batch.is_fully_defined() and k.get_shape().is_fully_defined()) or batch != k.get_shape():
            params *= engine.ones_like(k[..., newaxis], dtype=params.dtype)
            k *= engine.ones(basics.shape(params)[:-1], dtype=k.dtype)
            if params.get_shape().ndims is not None:
                k.set_shape(params.get_shape()[:-1])
        return k, params

    def _cdf(self, k):
        """The probability of a class below k: as in TensorFlow, k itself does not count."""
        k, probs = self._broadcast(k, self.probs)
        flat = engine.reshape(probs, [-1, self.event_size])
        below = engine.where(engine.sequence_mask(engine.reshape(k, [-1]), self.event_size), flat, engine.zeros_like(flat))
        return engine.reshape(engine.reduce_sum(below, axis=-1), basics.shape(k))

    def _log_prob(self, k):
        k, logits = self._broadcast(k, self.logits)
        return -engine.nn.sparse_softmax_cross_entropy_with_logits(labels=k, logits=logits)

    def _entropy(self):
        return -engine.reduce_sum(engine.nn.log_softmax(self.logits) * self.probs, axis=-1)

    def _mode(self):
        mode = basics.cast(engine.argmax(self.logits, axis=self._batch_rank), self.dtype)
        mode.set_shape(self.batch_shape)
        return mode


@RegisterKL(Categorical, Categorical)
def _between_categoricals(a, b, name=None):
    with ops.name_scope(name, "kl_categorical_categorical", values=[a.logits, b.logits]):
        difference = engine.nn.log_softmax(a.logits) - engine.nn.log_softmax(b.logits)
        return engine.reduce_sum(engine.nn.softmax(a.logits) * difference, axis=-1)
