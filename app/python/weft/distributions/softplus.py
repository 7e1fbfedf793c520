"""Distributions whose parameters are made positive by softplus."""

from .. import engine, ops
from .base import both
from .concentrations import Beta, Exponential, Gamma, StudentT
from .continuous import Laplace


def _keep(distribution, given):
    distribution.parameters = {k: v for k, v in given.items() if k not in ("self", "__class__")}


@both("BetaWithSoftplusConcentration")
class BetaWithSoftplusConcentration(Beta):
    """Beta with softplus of both concentrations."""

    def __init__(self, concentration1, concentration0, validate_args=False, allow_nan_stats=True, name="BetaWithSoftplusConcentration"):
        given = dict(locals())
        with ops.name_scope(name, values=[concentration1, concentration0]) as name:
            Beta.__init__(self, engine.nn.softplus(concentration1, name="softplus_concentration1"), engine.nn.softplus(concentration0, name="softplus_concentration0"),
                          validate_args, allow_nan_stats, name)
        _keep(self, given)


@both("ExponentialWithSoftplusRate")
class ExponentialWithSoftplusRate(Exponential):
    """Exponential with softplus(rate)."""

    def __init__(self, rate, validate_args=False, allow_nan_stats=True, name="ExponentialWithSoftplusRate"):
        given = dict(locals())
        with ops.name_scope(name, values=[rate]) as name:
            Exponential.__init__(self, engine.nn.softplus(rate, name="softplus_rate"), validate_args, allow_nan_stats, name)
        _keep(self, given)


@both("GammaWithSoftplusConcentrationRate")
class GammaWithSoftplusConcentrationRate(Gamma):
    """Gamma with softplus of concentration and rate."""

    def __init__(self, concentration, rate, validate_args=False, allow_nan_stats=True, name="GammaWithSoftplusConcentrationRate"):
        given = dict(locals())
        with ops.name_scope(name, values=[concentration, rate]) as name:
            Gamma.__init__(self, engine.nn.softplus(concentration, name="softplus_concentration"), engine.nn.softplus(rate, name="softplus_rate"), validate_args,
                           allow_nan_stats, name)
        _keep(self, given)


@both("LaplaceWithSoftplusScale")
class LaplaceWithSoftplusScale(Laplace):
    """Laplace with softplus(scale)."""

    def __init__(self, loc, scale, validate_args=False, allow_nan_stats=True, name="LaplaceWithSoftplusScale"):
        given = dict(locals())
        with ops.name_scope(name, values=[loc, scale]) as name:
            Laplace.__init__(self, loc, engine.nn.softplus(scale, name="softplus_scale"), validate_args, allow_nan_stats, name)
        _keep(self, given)


@both("StudentTWithAbsDfSoftplusScale")
class StudentTWithAbsDfSoftplusScale(StudentT):
    """Student's t with whole, positive degrees of freedom and softplus(scale)."""

    def __init__(self, df, loc, scale, validate_args=False, allow_nan_stats=True, name="StudentTWithAbsDfSoftplusScale"):
        given = dict(locals())
        with ops.name_scope(name, values=[df, scale]) as name:
            StudentT.__init__(self, engine.floor(engine.abs(df)), loc, engine.nn.softplus(scale, name="softplus_scale"), validate_args, allow_nan_stats, name)
        _keep(self, given)
