"""tf.data.Options: the rewrites applied to a data set when an iterator is made from it."""

from ..exports import export


class _Settings:
    """Named settings; None if not set."""

    _names, _parts = (), {}

    def __init__(self):
        for name in self._names:
            self.__dict__[name] = None

    def __getattr__(self, name):
        if name in type(self)._parts:
            made = self.__dict__[name] = type(self)._parts[name]()
            return made
        raise AttributeError("Cannot get the property %s on %s." % (name, type(self).__name__))

    def __setattr__(self, name, value):
        if name not in self._names and name not in self._parts:
            raise AttributeError("Cannot set the property %s on %s." % (name, type(self).__name__))
        self.__dict__[name] = value

    def __eq__(self, other):
        return type(self) is type(other) and all(getattr(self, n) == getattr(other, n) for n in list(self._names) + list(self._parts))

    __hash__ = None

    def merge(self, other):
        """Both together. Where they differ, the value of `other` wins, with a warning."""
        result = type(self)()
        for name in self._names:
            mine, its = getattr(self, name), getattr(other, name)
            if mine is not None and its is not None and mine != its:
                from ..platform import tf_logging

                tf_logging.warning("Changing the value of option %s from %r to %r." % (name, mine, its))
            result.__dict__[name] = its if its is not None else mine
        for name in self._parts:
            result.__dict__[name] = getattr(self, name).merge(getattr(other, name))
        return result


class MapVectorizationOptions(_Settings):
    _names = ("enabled", "use_choose_fastest")


@export("data.experimental.OptimizationOptions")
class OptimizationOptions(_Settings):
    """Individual rewrites."""

    _CHOSEN = ("filter_fusion", "filter_with_random_uniform_fusion", "hoist_random_uniform", "map_and_batch_fusion", "map_and_filter_fusion", "map_parallelization",
               "map_fusion", "noop_elimination", "parallel_batch", "shuffle_and_repeat_fusion")
    _names = _CHOSEN + ("apply_default_optimizations", "autotune", "autotune_algorithm", "autotune_buffers", "autotune_cpu_budget")
    _parts = {"map_vectorization": MapVectorizationOptions}

    def rewritings(self):
        chosen = {name for name in self._CHOSEN if getattr(self, name)}
        if self.apply_default_optimizations is not False:
            chosen |= {name for name in ("map_and_batch_fusion", "noop_elimination", "shuffle_and_repeat_fusion") if getattr(self, name) is not False}
        if self.map_vectorization.enabled:
            chosen.add("map_vectorization")
        if self.autotune is not False and self.autotune_buffers:
            chosen.add("inject_prefetch")
        return sorted(chosen)

    def configs(self):
        fastest = self.map_vectorization.use_choose_fastest
        return ["map_vectorization:use_choose_fastest:%s" % ("true" if fastest else "false")]


@export("data.experimental.ThreadingOptions")
class ThreadingOptions(_Settings):
    _names = ("max_intra_op_parallelism", "private_threadpool_size")


@export("data.experimental.DistributeOptions")
class DistributeOptions(_Settings):
    _names = ("auto_shard", "auto_shard_policy", "num_devices", "_make_stateless")


@export("data.experimental.StatsOptions")
class StatsOptions(_Settings):
    _names = ("aggregator", "prefix", "counter_prefix", "latency_all_edges")


@export("data.Options")
class Options(_Settings):
    """The argument of Dataset.with_options."""

    _names = ("experimental_deterministic", "experimental_slack", "experimental_stateful_whitelist")
    _parts = {"experimental_distribute": DistributeOptions, "experimental_optimization": OptimizationOptions, "experimental_stats": StatsOptions,
              "experimental_threading": ThreadingOptions}

    def rewritings(self):
        out = self.experimental_optimization.rewritings()
        if self.experimental_deterministic is False:
            out.append("make_sloppy")
        if self.experimental_stats.latency_all_edges:
            out.append("latency_all_edges")
        if self.experimental_slack:
            out.append("slack")
        if self.experimental_distribute._make_stateless:
            out.append("make_stateless")
        return out

    def configs(self):
        out = self.experimental_optimization.configs()
        if self.experimental_slack:
            out.append("slack:slack_period:%d" % (self.experimental_distribute.num_devices or 1))
        return out
