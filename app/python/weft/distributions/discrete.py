"""tf.distributions: Bernoulli, Categorical."""

import tensorflow as tf

from .base import NOT_REPARAMETERIZED, Distribution, RegisterKL, both


def _logits_and_probs(logits, probs, classes, validate_args, name):
    """Both of the two, whichever was given; over classes, or of one event."""
    with tf.name_scope(name, values=[probs, logits]):
        if (probs is None) == (logits is None):
            raise ValueError("Must pass probs or logits, but not both.")
        if probs is None:
            logits = tf.convert_to_tensor(logits, name="logits")
            if not logits.dtype.is_floating:
                raise TypeError("logits must having floating type.")
            return logits, (tf.nn.softmax if classes else tf.sigmoid)(logits, name="probs")
        probs = tf.convert_to_tensor(probs, name="probs")
        if not probs.dtype.is_floating:
            raise TypeError("probs must having floating type.")
        if validate_args:
            with tf.name_scope("validate_probs"):
                one = tf.constant(1.0, probs.dtype)
                checks = [tf.assert_non_negative(probs)]
                checks.append(tf.assert_near(tf.reduce_sum(probs, -1), one, message="probs does not sum to 1.") if classes
                              else tf.assert_less_equal(probs, one, message="probs has components greater than 1."))
                with tf.control_dependencies(checks):
                    probs = tf.identity(probs)
        with tf.name_scope("logits"):
            return (tf.log(probs) if classes else tf.log(probs) - tf.log1p(-1.0 * probs)), probs


@both("Bernoulli")
class Bernoulli(Distribution):
    """One or zero."""

    def __init__(self, logits=None, probs=None, dtype=tf.int32, validate_args=False, allow_nan_stats=True, name="Bernoulli"):
        parameters = dict(locals())
        with tf.name_scope(name) as name:
            self.logits, self.probs = _logits_and_probs(logits, probs, False, validate_args, name)
        Distribution.__init__(self, tf.as_dtype(dtype), NOT_REPARAMETERIZED, validate_args, allow_nan_stats, parameters, [self.logits, self.probs], name)

    def _batch_shape_tensor(self):
        return tf.shape(self.logits)

    def _batch_shape(self):
        return self.logits.get_shape()

    def _sample_n(self, n, seed=None):
        shape = tf.concat([[n], self.batch_shape_tensor()], 0)
        uniform = tf.random_uniform(shape, seed=seed, dtype=self.probs.dtype)
        return tf.cast(tf.less(uniform, self.probs), self.dtype)

    def _log_prob(self, event):
        event, logits = tf.cast(event, self.logits.dtype), self.logits
        shapes = event.get_shape(), logits.get_shape()
        if not (shapes[0].is_fully_defined() and shapes[1].is_fully_defined() and shapes[0] == shapes[1]):
            logits, event = tf.ones_like(event) * logits, tf.ones_like(logits) * event
        return -tf.nn.sigmoid_cross_entropy_with_logits(labels=event, logits=logits)

    def _entropy(self):
        return -self.logits * (tf.sigmoid(self.logits) - 1) + tf.nn.softplus(-self.logits)

    def _mean(self):
        return tf.identity(self.probs)

    def _variance(self):
        return self._mean() * (1.0 - self.probs)

    def _mode(self):
        return tf.cast(self.probs > 0.5, self.dtype)


@RegisterKL(Bernoulli, Bernoulli)
def _between_bernoullis(a, b, name=None):
    with tf.name_scope(name, "kl_bernoulli_bernoulli", values=[a.logits, b.logits]):
        of_zero = tf.nn.softplus(-b.logits) - tf.nn.softplus(-a.logits)
        of_one = tf.nn.softplus(b.logits) - tf.nn.softplus(a.logits)
        return tf.sigmoid(a.logits) * of_zero + tf.sigmoid(-a.logits) * of_one


@both("Categorical")
class Categorical(Distribution):
    """One of several classes, by their weights in the last dimension."""

    def __init__(self, logits=None, probs=None, dtype=tf.int32, validate_args=False, allow_nan_stats=True, name="Categorical"):
        parameters = dict(locals())
        with tf.name_scope(name, values=[logits, probs]) as name:
            self.logits, self.probs = _logits_and_probs(logits, probs, True, validate_args, name)
            known = self.logits.get_shape().with_rank_at_least(1)
            if known.ndims is not None:
                self._batch_rank = tf.convert_to_tensor(known.ndims - 1, dtype=tf.int32, name="batch_rank")
            else:
                with tf.name_scope(name="batch_rank"):
                    self._batch_rank = tf.rank(self.logits) - 1
            shape = tf.shape(self.logits, name="logits_shape")
            if known.ndims is not None and known[-1].value is not None:
                self.event_size = tf.convert_to_tensor(known[-1].value, dtype=tf.int32, name="event_size")
            else:
                with tf.name_scope(name="event_size"):
                    self.event_size = shape[self._batch_rank]
            if known[:-1].is_fully_defined():
                self._batch_sizes = tf.constant(known[:-1].as_list(), dtype=tf.int32, name="batch_shape")
            else:
                with tf.name_scope(name="batch_shape"):
                    self._batch_sizes = shape[:-1]
        Distribution.__init__(self, tf.as_dtype(dtype), NOT_REPARAMETERIZED, validate_args, allow_nan_stats, parameters, [self.logits, self.probs], name)

    def _batch_shape_tensor(self):
        return tf.identity(self._batch_sizes)

    def _batch_shape(self):
        return self.logits.get_shape()[:-1]

    def _sample_n(self, n, seed=None):
        logits = self.logits if self.logits.get_shape().ndims == 2 else tf.reshape(self.logits, [-1, self.event_size])
        draws = tf.multinomial(logits, n, seed=seed, output_dtype=tf.int64 if self.dtype.size > 4 else tf.int32)
        draws = tf.reshape(tf.transpose(draws), tf.concat([[n], self.batch_shape_tensor()], 0))
        return tf.cast(draws, self.dtype)

    def _log_prob(self, k):
        k = tf.convert_to_tensor(k, name="k")
        if k.dtype.is_floating:
            k = tf.cast(k, tf.int32)
        elif not k.dtype.is_integer:
            raise TypeError("`value` should have integer `dtype` or `self.dtype` (%s)" % self.dtype.base_dtype)
        logits = self.logits
        batch = logits.get_shape()[:-1]
        if not (logits.get_shape().ndims is not None and batch.is_fully_defined() and k.get_shape().is_fully_defined()) or batch != k.get_shape():
            logits *= tf.ones_like(k[..., tf.newaxis], dtype=logits.dtype)
            k *= tf.ones(tf.shape(logits)[:-1], dtype=k.dtype)
            if logits.get_shape().ndims is not None:
                k.set_shape(logits.get_shape()[:-1])
        return -tf.nn.sparse_softmax_cross_entropy_with_logits(labels=k, logits=logits)

    def _entropy(self):
        return -tf.reduce_sum(tf.nn.log_softmax(self.logits) * self.probs, axis=-1)

    def _mode(self):
        mode = tf.cast(tf.argmax(self.logits, axis=self._batch_rank), self.dtype)
        mode.set_shape(self.batch_shape)
        return mode


@RegisterKL(Categorical, Categorical)
def _between_categoricals(a, b, name=None):
    with tf.name_scope(name, "kl_categorical_categorical", values=[a.logits, b.logits]):
        difference = tf.nn.log_softmax(a.logits) - tf.nn.log_softmax(b.logits)
        return tf.reduce_sum(tf.nn.softmax(a.logits) * difference, axis=-1)
