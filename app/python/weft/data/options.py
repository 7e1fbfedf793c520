"""tf.data.Options: the rewrites applied to a data set when an iterator is made from it."""

from ..exports import export
from .option_base import create_option, merge_options, OptionsBase
from .statistics import StatsAggregator


def _flag(name):
    return create_option(name, bool, "Whether %s; None: the default." % name.replace("_", " ").strip())


class MapVectorizationOptions(OptionsBase):
    enabled, use_choose_fastest = _flag("enabled"), _flag("use_choose_fastest")

    def _static_optimizations(self):
        return ["map_vectorization"] if self.enabled else []

    def _static_optimization_configs(self):
        return ["map_vectorization:use_choose_fastest:%s" % ("true" if self.use_choose_fastest else "false")]


@export("data.experimental.OptimizationOptions")
class OptimizationOptions(OptionsBase):
    """Individual rewrites."""

    _CHOSEN = ("filter_fusion", "filter_with_random_uniform_fusion", "hoist_random_uniform", "map_and_batch_fusion", "map_and_filter_fusion", "map_parallelization",
               "map_fusion", "noop_elimination", "parallel_batch", "shuffle_and_repeat_fusion")
    autotune_algorithm = create_option("autotune_algorithm", int, "The algorithm that chooses sizes of buffers and parallelism.")
    autotune_cpu_budget = create_option("autotune_cpu_budget", int, "The cores that this may use.")
    map_vectorization = create_option("map_vectorization", MapVectorizationOptions, "Map functions applied to batches.", default_factory=MapVectorizationOptions)

    def _static_optimizations(self):
        chosen = {name for name in self._CHOSEN if getattr(self, name)}
        if self.apply_default_optimizations is not False:
            chosen |= {name for name in ("map_and_batch_fusion", "noop_elimination", "shuffle_and_repeat_fusion") if getattr(self, name) is not False}
        chosen.update(self.map_vectorization._static_optimizations())
        if self.autotune is not False and self.autotune_buffers:
            chosen.add("inject_prefetch")
        return sorted(chosen)

    def _static_optimization_configs(self):
        return self.map_vectorization._static_optimization_configs()


for _name in OptimizationOptions._CHOSEN + ("apply_default_optimizations", "autotune", "autotune_buffers"):
    setattr(OptimizationOptions, _name, _flag(_name))


@export("data.experimental.ThreadingOptions")
class ThreadingOptions(OptionsBase):
    max_intra_op_parallelism = create_option("max_intra_op_parallelism", int, "The threads of one operation.")
    private_threadpool_size = create_option("private_threadpool_size", int, "The threads of a pool of its own.")


@export("data.experimental.DistributeOptions")
class DistributeOptions(OptionsBase):
    auto_shard, _make_stateless = _flag("auto_shard"), _flag("_make_stateless")
    num_devices = create_option("num_devices", int, "The devices that read the data set.")


@export("data.experimental.StatsOptions")
class StatsOptions(OptionsBase):
    aggregator = create_option("aggregator", StatsAggregator, "Where statistics are collected.")
    prefix = create_option("prefix", str, "The first part of the names of statistics.", default_factory=lambda: "")
    counter_prefix = create_option("counter_prefix", str, "The first part of the names of counters.", default_factory=lambda: "")
    latency_all_edges = _flag("latency_all_edges")


@export("data.Options")
class Options(OptionsBase):
    """The argument of Dataset.with_options."""

    experimental_deterministic, experimental_slack = _flag("experimental_deterministic"), _flag("experimental_slack")
    experimental_stateful_whitelist = create_option("experimental_stateful_whitelist", list, "Stateful ops that a data set may have when it is serialized.")
    experimental_distribute = create_option("experimental_distribute", DistributeOptions, "How the data set is spread.", default_factory=DistributeOptions)
    experimental_optimization = create_option("experimental_optimization", OptimizationOptions, "Rewrites.", default_factory=OptimizationOptions)
    experimental_stats = create_option("experimental_stats", StatsOptions, "Statistics.", default_factory=StatsOptions)
    experimental_threading = create_option("experimental_threading", ThreadingOptions, "Threads.", default_factory=ThreadingOptions)

    def _static_optimizations(self):
        out = self.experimental_optimization._static_optimizations()
        if self.experimental_deterministic is False:
            out.append("make_sloppy")
        if self.experimental_stats.latency_all_edges:
            out.append("latency_all_edges")
        if self.experimental_slack:
            out.append("slack")
        if self.experimental_distribute._make_stateless:
            out.append("make_stateless")
        return out

    def _static_optimization_configs(self):
        out = self.experimental_optimization._static_optimization_configs()
        if self.experimental_slack:
            out.append("slack:slack_period:%d" % (self.experimental_distribute.num_devices or 1))
        return out

    def merge(self, options):
        """Both together. ValueError if they differ in a setting."""
        return merge_options(self, options)
