"""Statistics of data sets: times, sizes and counts, gathered while iterators run."""

from .. import dtypes, engine, ops
from ..exports import export


@export("data.experimental.StatsAggregator")
class StatsAggregator:
    """Gathers the statistics of the data sets whose options name it (Options.experimental_stats.aggregator)."""

    def __init__(self):
        self._resource = engine.raw_ops.StatsAggregatorHandle()

    def get_summary(self):
        """The statistics so far, as a tensor with a serialized Summary."""
        return engine.raw_ops.StatsAggregatorSummary(iterator=self._resource)


StatsAggregatorV1 = StatsAggregator


def _measured(op, tag):
    return lambda dataset: dataset._made(op, tag=ops.convert_to_tensor(tag, dtype=dtypes.string))


@export("data.experimental.latency_stats", "contrib.data.latency_stats")
def latency_stats(tag):
    """Records the microseconds that each element takes."""
    return _measured("LatencyStatsDataset", tag)


@export("data.experimental.bytes_produced_stats", "contrib.data.bytes_produced_stats")
def bytes_produced_stats(tag):
    """Records the bytes of each element."""
    return _measured("BytesProducedStatsDataset", tag)
