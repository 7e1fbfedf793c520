"""tf.distributions: Multinomial, DirichletMultinomial: how often each class is drawn."""

from .. import basics, dtypes, engine, ops
from ..control_flow import with_dependencies
from ..operators import newaxis
from ..row_functions import map_fn
from .base import NOT_REPARAMETERIZED, Distribution, both
from .concentrations import ShapesOfConcentrations, new_seed
from .discrete import _logits_and_probs

_WHOLE = {dtypes.float16: dtypes.int16, dtypes.float32: dtypes.int32, dtypes.float64: dtypes.int64}


def _whole(x, message):
    """Checks that a floating tensor has whole numbers."""
    with ops.name_scope("assert_integer_form", values=[x, None]):
        if x.dtype.base_dtype not in _WHOLE:
            raise TypeError("Unrecognized type %s" % x.dtype.name)
        return engine.assert_equal(x, basics.cast(basics.cast(x, _WHOLE[x.dtype.base_dtype]), x.dtype), message=message, name="assert_integer_form")


def _non_negative_whole(x):
    with ops.name_scope("embed_check_nonnegative_integer_form", values=[x]):
        x = ops.convert_to_tensor(x, name="x")
        checks = [engine.assert_non_negative(x, message="'%s' must be non-negative." % x)]
        if not x.dtype.is_integer:
            checks.append(_whole(x, "'%s' cannot contain fractional components." % x))
        return with_dependencies(checks, x)


def _log_combinations(n, counts):
    """The logarithm of the multinomial coefficient of these counts."""
    with ops.name_scope("log_combinations", values=[n, counts]):
        orders = engine.lgamma(n + 1)
        return orders - engine.reduce_sum(engine.lgamma(counts + 1), axis=[-1])


class _Counts(Distribution):
    def _valid(self, counts, message):
        if not self.validate_args:
            return counts
        counts = _non_negative_whole(counts)
        return with_dependencies([engine.assert_equal(self.total_count, engine.reduce_sum(counts, -1), message=message)], counts)


@both("Multinomial")
class Multinomial(_Counts):
    """How often each class is drawn in `total_count` draws."""

    def __init__(self, total_count, logits=None, probs=None, validate_args=False, allow_nan_stats=True, name="Multinomial"):
        parameters = dict(locals())
        with ops.name_scope(name, values=[total_count, logits, probs]) as name:
            self.total_count = ops.convert_to_tensor(total_count, name="total_count")
            if validate_args:
                self.total_count = _non_negative_whole(self.total_count)
            self.logits, self.probs = _logits_and_probs(logits, probs, True, validate_args, name)
            self._mean_val = self.total_count[..., newaxis] * self.probs
        Distribution.__init__(self, self.probs.dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, parameters, [self.total_count, self.logits, self.probs], name)

    def _batch_shape_tensor(self):
        return basics.shape(self._mean_val)[:-1]

    def _batch_shape(self):
        return self._mean_val.get_shape().with_rank_at_least(1)[:-1]

    def _event_shape_tensor(self):
        return basics.shape(self._mean_val)[-1:]

    def _event_shape(self):
        return self._mean_val.get_shape().with_rank_at_least(1)[-1:]

    def _sample_n(self, n, seed=None):
        draws = basics.cast(self.total_count, dtype=dtypes.int32)
        classes = self.event_shape_tensor()[0]
        draws = engine.ones_like(self.logits[..., 0], dtype=draws.dtype) * draws
        logits = engine.ones_like(draws[..., newaxis], dtype=self.logits.dtype) * self.logits
        flat = engine.reshape(logits, [-1, classes])
        flat_draws = n * engine.reshape(draws, [-1])

        def one(args):
            x = engine.multinomial(args[0][newaxis, ...], args[1], seed)
            x = engine.reshape(x, shape=[n, -1])
            return engine.reduce_sum(engine.one_hot(x, depth=classes), axis=-2)

        x = map_fn(one, [flat, flat_draws], dtype=self.dtype)
        x = engine.transpose(x, perm=[1, 0, 2])
        return engine.reshape(x, engine.concat([[n], self.batch_shape_tensor(), [classes]], 0))

    def _log_prob(self, counts):
        valid = self._valid(counts, "counts must sum to `self.total_count`")
        unnormalized = engine.reduce_sum(valid * engine.nn.log_softmax(self.logits), -1)
        return unnormalized - -_log_combinations(self.total_count, self._valid(counts, "counts must sum to `self.total_count`"))

    def _mean(self):
        return engine.identity(self._mean_val)

    def _wide_probs(self):
        return self.probs * engine.ones_like(self.total_count)[..., newaxis]

    def _covariance(self):
        p = self._wide_probs()
        return engine.matrix_set_diag(-engine.matmul(self._mean_val[..., newaxis], p[..., newaxis, :]), self._variance())

    def _variance(self):
        p = self._wide_probs()
        return self._mean_val - self._mean_val * p


@both("DirichletMultinomial")
class DirichletMultinomial(ShapesOfConcentrations, _Counts):
    """A multinomial whose probabilities are Dirichlet's."""

    def __init__(self, total_count, concentration, validate_args=False, allow_nan_stats=True, name="DirichletMultinomial"):
        parameters = dict(locals())
        with ops.name_scope(name, values=[total_count, concentration]) as name:
            self.total_count = ops.convert_to_tensor(total_count, name="total_count")
            if validate_args:
                self.total_count = _non_negative_whole(self.total_count)
            self.concentration = ops.convert_to_tensor(concentration, name="concentration")
            if validate_args:
                c = self.concentration
                self.concentration = with_dependencies([engine.assert_positive(c, message="Concentration parameter must be positive.")], c)
            self.total_concentration = engine.reduce_sum(self.concentration, -1)
        Distribution.__init__(self, self.concentration.dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, parameters, [self.total_count, self.concentration], name)

    def _sample_n(self, n, seed=None):
        draws = basics.cast(self.total_count, dtype=dtypes.int32)
        classes = self.event_shape_tensor()[0]
        logits = engine.reshape(engine.log(engine.random_gamma(shape=[n], alpha=self.concentration, dtype=self.dtype, seed=seed)), shape=[-1, classes])
        drawn = engine.multinomial(logits=logits, num_samples=draws, seed=new_seed(seed, "dirichlet_multinomial"))
        x = engine.reduce_sum(engine.one_hot(drawn, depth=classes), -2)
        return basics.cast(engine.reshape(x, engine.concat([[n], self.batch_shape_tensor(), [classes]], 0)), self.dtype)

    def _log_prob(self, counts):
        counts = self._valid(counts, "counts last-dimension must sum to `self.total_count`")
        ordered = engine.lbeta(self.concentration + counts) - engine.lbeta(self.concentration)
        return ordered + _log_combinations(self.total_count, counts)

    def _mean(self):
        return self.total_count * (self.concentration / self.total_concentration[..., newaxis])

    def _scale_term(self):
        total = self.total_concentration[..., newaxis]
        return engine.sqrt((1.0 + total / self.total_count) / (1.0 + total))

    def _variance(self):
        scale = self._scale_term()
        x = scale * self._mean()
        return x * (self.total_count * scale - x)

    def _covariance(self):
        x = self._scale_term() * self._mean()
        return engine.matrix_set_diag(-engine.matmul(x[..., newaxis], x[..., newaxis, :]), self._variance())
