"""Event files of evaluations: the metrics and the path of the evaluated checkpoint."""

import numpy as np

from .. import dtypes, protos
from ..platform import tf_logging as logging
from ..summaries.writer import FileWriterCache
from ..tensor_util import make_tensor_proto


def _write(folder, summary, step):
    writer = FileWriterCache.get(folder)
    writer.add_summary(summary, step)
    writer.flush()


def write_metrics(folder, results, step):
    """Writes numbers as scalars, serialised summaries unchanged, arrays as tensors."""
    logging.info("Saving dict for global step %d: %s", step, ", ".join("%s = %s" % (k, v) for k, v in sorted(results.items()) if not isinstance(v, bytes)))
    summary = protos.Summary()
    for key, value in results.items():
        if value is None or key == "global_step":
            continue
        if isinstance(value, (float, np.float32, int, np.int32, np.int64)):
            summary.value.add(tag=key, simple_value=float(value))
        elif isinstance(value, bytes):
            try:
                parts = protos.Summary.FromString(value).value
            except Exception:  # not a summary
                logging.warning("Skipping summary for %s, cannot parse string to Summary.", key)
                continue
            for i, part in enumerate(parts):
                part.tag = "%s/%d" % (key, i)
            summary.value.extend(parts)
        elif isinstance(value, np.ndarray):
            summary.value.add(tag=key, node_name=key, tensor=make_tensor_proto(value))
            logging.info("Summary for np.ndarray is not visible in Tensorboard by default. A plugin of Tensorboard can show it.")
        else:
            logging.warning("Skipping summary for %s, must be a float, np.float32, np.int64, np.int32 or int or np.ndarray or a serialized string of Summary.", key)
    _write(folder, summary, step)


def write_checkpoint_path(folder, path, step):
    """Writes the path of the evaluated checkpoint."""
    logging.info("Saving '%s' summary for global step %d: %s", "checkpoint_path", step, path)
    summary = protos.Summary()
    summary.value.add(tag="checkpoint_path", tensor=make_tensor_proto(path, dtype=dtypes.string))
    _write(folder, summary, step)
