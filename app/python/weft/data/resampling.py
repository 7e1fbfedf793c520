"""tf.data.experimental.rejection_resample: drops elements so that classes have a given distribution."""

import numpy as np

from .. import basics, dtypes, engine, ops
from ..control_flow import cond
from ..conversion import constant_value
from ..exports import export
from .dataset import Dataset
from .experimental import sample_from_datasets, scan

_BATCH = 32     # elements from which the distribution of the data is estimated anew
_SMOOTHING = 10  # elements of each class that count as seen at the beginning


def _mixing(initial, target):
    """(how often an element of each class is kept, the share of elements that are taken without a look)."""
    ratio = target / (initial + np.finfo(initial.dtype.as_numpy_dtype).tiny)
    least = engine.reduce_min(ratio)
    return (ratio - least) / (engine.reduce_max(ratio) - least), least


def _estimated(target, classes):
    """The distribution of the data, estimated from what has been read, for each element."""
    count = target.shape[0].value or basics.shape(target)[0]

    def update(seen, labels):
        seen = engine.add(seen, engine.reduce_sum(engine.one_hot(labels, count, dtype=dtypes.int64), 0))
        shares = basics.cast(engine.truediv(seen, engine.reduce_sum(seen)), dtypes.float32)
        return seen, engine.tile(engine.expand_dims(shares, 0), [_BATCH, 1])

    return classes.batch(_BATCH).apply(scan(engine.fill([count], np.int64(_SMOOTHING)), update)).unbatch()


def _warned(kept, initial):
    lost = engine.reduce_sum((1 - kept) * initial)
    return cond(engine.less(lost, 0.5), lambda: kept, lambda: engine.Print(kept, [lost, initial, kept], message="Proportion of examples rejected by sampler is high: ",
                                                                           summarize=100, first_n=10))


@export("data.experimental.rejection_resample", "contrib.data.rejection_resample")
def rejection_resample(class_func, target_dist, initial_dist=None, seed=None):
    """Elements (class, element) whose classes have the distribution `target_dist`."""

    def apply(dataset):
        target = ops.convert_to_tensor(target_dist, name="target_dist")
        classes = dataset.map(class_func)
        least = None
        if initial_dist is not None:
            initial = ops.convert_to_tensor(initial_dist, name="initial_dist")
            kept, original = _mixing(initial, target)
            initial_ds, kept_ds, original_ds = (Dataset.from_tensors(t).repeat() for t in (initial, kept, original))
            known = constant_value(initial), constant_value(target)
            least = None if any(k is None for k in known) else np.min(known[1] / known[0])
        else:
            initial_ds = _estimated(target, classes)
            both = initial_ds.map(lambda initial: _mixing(initial, target))
            kept_ds, original_ds = both.map(lambda kept, _: kept), both.map(lambda _, original: original)
        kept_ds = Dataset.zip((kept_ds, initial_ds)).map(_warned)
        chosen = Dataset.zip((classes, kept_ds, dataset)).map(lambda label, kept, element: (label, engine.gather(kept, label), element))
        chosen = chosen.filter(lambda _, kept, element: engine.random_uniform([], seed=seed) < kept).map(lambda label, _, element: (label, element)).prefetch(3)
        if least == 1:
            return Dataset.zip((classes, dataset))
        if least == 0:
            return chosen
        return sample_from_datasets([Dataset.zip((classes, dataset)), chosen], weights=original_ds.map(lambda share: [(share, 1.0 - share)]), seed=seed)

    return apply
