"""tensorflow.python.ops.distributions.special_math: the normal distribution's cumulative function, its logarithm and its inverse."""

import numpy as np

from .. import basics, engine, ops

LOGNDTR_FLOAT64_LOWER, LOGNDTR_FLOAT32_LOWER = np.array(-20, np.float64), np.array(-10, np.float32)
LOGNDTR_FLOAT64_UPPER, LOGNDTR_FLOAT32_UPPER = np.array(8, np.float64), np.array(5, np.float32)

# Rational approximations of the inverse from Cephes (ndtri.c), lowest power first: (numerator, denominator) near the middle, in the tails, and far out.
_MIDDLE = ([-1.23916583867381258016E0, 1.39312609387279679503E1, -5.66762857469070293439E1, 9.80010754185999661536E1, -5.99633501014107895267E1],
           [-1.18331621121330003142E0, 1.59056225126211695515E1, -8.20372256168333339912E1, 2.00260212380060660359E2, -2.25462687854119370527E2,
            8.63602421390890590575E1, 4.67627912898881538453E0, 1.95448858338141759834E0, 1.0])
_TAIL = ([-8.57456785154685413611E-4, -3.50424626827848203418E-2, -1.40256079171354495875E-1, 2.18663306850790267539E0, 1.46849561928858024014E1,
          4.40805073893200834700E1, 5.71628192246421288162E1, 3.15251094599893866154E1, 4.05544892305962419923E0],
         [-9.33259480895457427372E-4, -3.80806407691578277194E-2, -1.42182922854787788574E-1, 2.50464946208309415979E0, 1.50425385692907503408E1,
          4.13172038254672030440E1, 4.53907635128879210584E1, 1.57799883256466749731E1, 1.0])
_FAR = ([6.23974539184983293730E-9, 2.65806974686737550832E-6, 3.01581553508235416007E-4, 1.23716634817820021358E-2, 2.01485389549179081538E-1,
         1.33303460815807542389E0, 3.93881025292474443415E0, 6.91522889068984211695E0, 3.23774891776946035970E0],
        [6.79019408009981274425E-9, 2.89247864745380683936E-6, 3.28014464682127739104E-4, 1.34204006088543189037E-2, 2.16236993594496635890E-1,
         1.37702099489081330271E0, 3.67983563856160859403E0, 6.02427039364742014255E0, 1.0])


def _float(x, name):
    x = ops.convert_to_tensor(x, name=name)
    if x.dtype.as_numpy_dtype not in (np.float32, np.float64):
        raise TypeError("%s.dtype=%s is not handled, see docstring for supported types." % (name, x.dtype))
    return x


def _ndtr(x):
    half = ops.constant(0.5 * np.sqrt(2.), dtype=x.dtype, name="half_sqrt_2")
    w = x * half
    z = engine.abs(w)
    return 0.5 * engine.where_v2(engine.less(z, half), 1. + engine.erf(w), engine.where_v2(engine.greater(w, 0.), 2. - engine.erfc(z), engine.erfc(z)))


def ndtr(x, name="ndtr"):
    """The normal cumulative distribution, computed by erf or erfc, whichever is accurate at `x`."""
    with ops.name_scope(name, values=[x]):
        return _ndtr(_float(x, "x"))


def _ratio(coefficients, var):
    def polynomial(values):
        total = None
        for c in reversed(np.array(values, var.dtype.as_numpy_dtype)):
            total = c * engine.ones_like(var) if total is None else c + total * var
        return total

    return polynomial(coefficients[0]) / polynomial(coefficients[1])


def ndtri(p, name="ndtri"):
    """The inverse of ndtr."""
    with ops.name_scope(name, values=[p]):
        p = _float(p, "p")
        low = engine.where_v2(p > -np.expm1(-2.), 1. - p, p)  # the same distance from the middle, below it
        low = engine.where_v2(low <= 0., engine.fill(basics.shape(p), np.array(0.5, p.dtype.as_numpy_dtype)), low)
        w = low - 0.5
        middle = (w + w * w ** 2 * _ratio(_MIDDLE, w ** 2)) * -np.sqrt(2. * np.pi)
        z = engine.sqrt(-2. * engine.log(low))
        first = z - engine.log(z) / z
        x = engine.where_v2(low > np.exp(-2.), middle, engine.where_v2(z >= 8.0, first - _ratio(_FAR, 1. / z) / z, first - _ratio(_TAIL, 1. / z) / z))
        x = engine.where_v2(p > 1. - np.exp(-2.), x, -x)
        infinity = engine.fill(basics.shape(p), ops.constant(np.inf, dtype=p.dtype))
        return engine.where_v2(p <= 0.0, -infinity, engine.where_v2(p >= 1.0, infinity, x))


def erfinv(x, name="erfinv"):
    """The inverse of erf."""
    with ops.name_scope(name, values=[x]):
        return ndtri((_float(x, "x") + 1.0) / 2.0) / np.sqrt(2)


def log_ndtr(x, series_order=3, name="log_ndtr"):
    """The logarithm of ndtr: far below zero by an asymptotic series, far above it by the complement."""
    if not isinstance(series_order, int):
        raise TypeError("series_order must be a Python integer.")
    if series_order < 0:
        raise ValueError("series_order must be non-negative.")
    if series_order > 30:
        raise ValueError("series_order must be <= 30.")
    with ops.name_scope(name, values=[x]):
        x = ops.convert_to_tensor(x, name="x")
        if x.dtype.as_numpy_dtype not in (np.float32, np.float64):
            raise TypeError("x.dtype=%s is not supported." % x.dtype)
        is_double = x.dtype.as_numpy_dtype == np.float64
        lower, upper = (LOGNDTR_FLOAT64_LOWER, LOGNDTR_FLOAT64_UPPER) if is_double else (LOGNDTR_FLOAT32_LOWER, LOGNDTR_FLOAT32_UPPER)
        below = engine.where_v2(engine.greater(x, lower), engine.log(_ndtr(engine.maximum(x, lower))), _log_ndtr_lower(engine.minimum(x, lower), series_order))
        return engine.where_v2(engine.greater(x, upper), -_ndtr(-x), below)


def _log_ndtr_lower(x, series_order):
    return -0.5 * engine.square(x) - engine.log(-x) - 0.5 * np.log(2. * np.pi) + engine.log(_log_ndtr_asymptotic_series(x, series_order))


def _log_ndtr_asymptotic_series(x, series_order):
    """The sum of (-1)^n (2n-1)!! / x^(2n)."""
    dtype = x.dtype.as_numpy_dtype
    if series_order <= 0:
        return np.array(1, dtype)
    squared = power = engine.square(x)
    sums = [engine.zeros_like(x), engine.zeros_like(x)]
    for n in range(1, series_order + 1):
        sums[n % 2] += np.array(np.prod(np.arange(2 * n - 1, 1, -2)), dtype) / power
        power *= squared
    return 1. + sums[0] - sums[1]


def log_cdf_laplace(x, name="log_cdf_laplace"):
    """The logarithm of the cumulative distribution of the standard Laplace distribution."""
    with ops.name_scope(name, values=[x]):
        x = ops.convert_to_tensor(x, name="x")
        return engine.where_v2(x < 0., -np.log(2.) + x, engine.log1p(-0.5 * engine.exp(-engine.abs(x))))
