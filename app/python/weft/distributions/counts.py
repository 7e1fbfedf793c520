"""tf.distributions: Multinomial, DirichletMultinomial: how often each class is drawn."""

import tensorflow as tf

from ..control_flow import with_dependencies
from .base import NOT_REPARAMETERIZED, Distribution, both
from .concentrations import ShapesOfConcentrations, new_seed
from .discrete import _logits_and_probs

_WHOLE = {tf.float16: tf.int16, tf.float32: tf.int32, tf.float64: tf.int64}


def _whole(x, message):
    """Checks that a floating tensor has whole numbers."""
    with tf.name_scope("assert_integer_form", values=[x, None]):
        if x.dtype.base_dtype not in _WHOLE:
            raise TypeError("Unrecognized type %s" % x.dtype.name)
        return tf.assert_equal(x, tf.cast(tf.cast(x, _WHOLE[x.dtype.base_dtype]), x.dtype), message=message, name="assert_integer_form")


def _non_negative_whole(x):
    with tf.name_scope("embed_check_nonnegative_integer_form", values=[x]):
        x = tf.convert_to_tensor(x, name="x")
        checks = [tf.assert_non_negative(x, message="'%s' must be non-negative." % x)]
        if not x.dtype.is_integer:
            checks.append(_whole(x, "'%s' cannot contain fractional components." % x))
        return with_dependencies(checks, x)


def _log_combinations(n, counts):
    """The logarithm of how many orders of drawing give these counts."""
    with tf.name_scope("log_combinations", values=[n, counts]):
        orders = tf.lgamma(n + 1)
        return orders - tf.reduce_sum(tf.lgamma(counts + 1), axis=[-1])


class _Counts(Distribution):
    def _valid(self, counts, message):
        if not self.validate_args:
            return counts
        counts = _non_negative_whole(counts)
        return with_dependencies([tf.assert_equal(self.total_count, tf.reduce_sum(counts, -1), message=message)], counts)


@both("Multinomial")
class Multinomial(_Counts):
    """How often each class is drawn in `total_count` draws."""

    def __init__(self, total_count, logits=None, probs=None, validate_args=False, allow_nan_stats=True, name="Multinomial"):
        parameters = dict(locals())
        with tf.name_scope(name, values=[total_count, logits, probs]) as name:
            self.total_count = tf.convert_to_tensor(total_count, name="total_count")
            if validate_args:
                self.total_count = _non_negative_whole(self.total_count)
            self.logits, self.probs = _logits_and_probs(logits, probs, True, validate_args, name)
            self._mean_val = self.total_count[..., tf.newaxis] * self.probs
        Distribution.__init__(self, self.probs.dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, parameters, [self.total_count, self.logits, self.probs], name)

    def _batch_shape_tensor(self):
        return tf.shape(self._mean_val)[:-1]

    def _batch_shape(self):
        return self._mean_val.get_shape().with_rank_at_least(1)[:-1]

    def _event_shape_tensor(self):
        return tf.shape(self._mean_val)[-1:]

    def _event_shape(self):
        return self._mean_val.get_shape().with_rank_at_least(1)[-1:]

    def _sample_n(self, n, seed=None):
        draws = tf.cast(self.total_count, dtype=tf.int32)
        classes = self.event_shape_tensor()[0]
        draws = tf.ones_like(self.logits[..., 0], dtype=draws.dtype) * draws
        logits = tf.ones_like(draws[..., tf.newaxis], dtype=self.logits.dtype) * self.logits
        flat = tf.reshape(logits, [-1, classes])
        flat_draws = n * tf.reshape(draws, [-1])

        def one(args):
            x = tf.multinomial(args[0][tf.newaxis, ...], args[1], seed)
            x = tf.reshape(x, shape=[n, -1])
            return tf.reduce_sum(tf.one_hot(x, depth=classes), axis=-2)

        x = tf.map_fn(one, [flat, flat_draws], dtype=self.dtype)
        x = tf.transpose(x, perm=[1, 0, 2])
        return tf.reshape(x, tf.concat([[n], self.batch_shape_tensor(), [classes]], 0))

    def _log_prob(self, counts):
        valid = self._valid(counts, "counts must sum to `self.total_count`")
        unnormalized = tf.reduce_sum(valid * tf.nn.log_softmax(self.logits), -1)
        return unnormalized - -_log_combinations(self.total_count, self._valid(counts, "counts must sum to `self.total_count`"))

    def _mean(self):
        return tf.identity(self._mean_val)

    def _wide_probs(self):
        return self.probs * tf.ones_like(self.total_count)[..., tf.newaxis]

    def _covariance(self):
        p = self._wide_probs()
        return tf.matrix_set_diag(-tf.matmul(self._mean_val[..., tf.newaxis], p[..., tf.newaxis, :]), self._variance())

    def _variance(self):
        p = self._wide_probs()
        return self._mean_val - self._mean_val * p


@both("DirichletMultinomial")
class DirichletMultinomial(ShapesOfConcentrations, _Counts):
    """A multinomial whose probabilities are Dirichlet's."""

    def __init__(self, total_count, concentration, validate_args=False, allow_nan_stats=True, name="DirichletMultinomial"):
        parameters = dict(locals())
        with tf.name_scope(name, values=[total_count, concentration]) as name:
            self.total_count = tf.convert_to_tensor(total_count, name="total_count")
            if validate_args:
                self.total_count = _non_negative_whole(self.total_count)
            self.concentration = tf.convert_to_tensor(concentration, name="concentration")
            if validate_args:
                c = self.concentration
                self.concentration = with_dependencies([tf.assert_positive(c, message="Concentration parameter must be positive.")], c)
            self.total_concentration = tf.reduce_sum(self.concentration, -1)
        Distribution.__init__(self, self.concentration.dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, parameters, [self.total_count, self.concentration], name)

    def _sample_n(self, n, seed=None):
        draws = tf.cast(self.total_count, dtype=tf.int32)
        classes = self.event_shape_tensor()[0]
        logits = tf.reshape(tf.log(tf.random_gamma(shape=[n], alpha=self.concentration, dtype=self.dtype, seed=seed)), shape=[-1, classes])
        drawn = tf.multinomial(logits=logits, num_samples=draws, seed=new_seed(seed, "dirichlet_multinomial"))
        x = tf.reduce_sum(tf.one_hot(drawn, depth=classes), -2)
        return tf.cast(tf.reshape(x, tf.concat([[n], self.batch_shape_tensor(), [classes]], 0)), self.dtype)

    def _log_prob(self, counts):
        counts = self._valid(counts, "counts last-dimension must sum to `self.total_count`")
        ordered = tf.lbeta(self.concentration + counts) - tf.lbeta(self.concentration)
        return ordered + _log_combinations(self.total_count, counts)

    def _mean(self):
        return self.total_count * (self.concentration / self.total_concentration[..., tf.newaxis])

    def _scale_term(self):
        total = self.total_concentration[..., tf.newaxis]
        return tf.sqrt((1.0 + total / self.total_count) / (1.0 + total))

    def _variance(self):
        scale = self._scale_term()
        x = scale * self._mean()
        return x * (self.total_count * scale - x)

    def _covariance(self):
        x = self._scale_term() * self._mean()
        return tf.matrix_set_diag(-tf.matmul(x[..., tf.newaxis], x[..., tf.newaxis, :]), self._variance())
