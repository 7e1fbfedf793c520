"""Queues of array and data frame rows filled by threads, for numpy_input_fn() and pandas_input_fn()."""

import random

from .. import basics, dtypes, engine, errors, ops
from ..data.queues import FIFOQueue, RandomShuffleQueue
from ..platform import tf_logging as logging
from ..summaries import ops as summary
from ..training.queue_runner import add_queue_runner, QueueRunner


class Rows:
    """Columns of equal length, and how a batch of their rows is taken; the first column is the rows' index."""

    def __init__(self, types, shapes, length, take):
        self.types, self.shapes, self.length, self.take = types, shapes, length, take


def dtype_of(dtype):
    """The type of a column. Text and Python objects become strings."""
    return dtypes.string if getattr(dtype, "kind", "") in "OSU" else dtypes.as_dtype(dtype)


def rows_of_arrays(arrays):
    """Rows of a list of arrays; the index is the row's number."""
    return Rows([dtypes.int64] + [dtype_of(a.dtype) for a in arrays], [()] + [a.shape[1:] for a in arrays], len(arrays[0]),
                lambda chosen: [chosen] + [a[chosen] for a in arrays])


def rows_of_frame(frame):
    """Rows of a pandas DataFrame."""
    def take(chosen):
        part = frame.iloc[chosen]
        return [part.index.values] + [part[name].values for name in part.columns]

    types = [dtype_of(t) for t in [frame.index.dtype] + list(frame.dtypes)]
    return Rows(types, [()] * len(types), len(frame), take)


class _Feeder:
    """The feeds of one thread: the next rows, epoch after epoch, starting at a random row if shuffled."""

    def __init__(self, placeholders, rows, batch_size, random_start, epochs):
        self._placeholders, self._rows, self._size = placeholders, rows, batch_size
        self._next = random.Random().randrange(rows.length) if random_start else 0
        self._left = None if epochs is None else epochs * rows.length
        self._epochs = epochs

    def __call__(self):
        count = self._size
        if self._left is not None:
            if self._left <= 0:
                raise errors.OutOfRangeError(None, None, "Already emitted %s epochs." % self._epochs)
            count = min(count, self._left)
            self._left -= count
        chosen = [i % self._rows.length for i in range(self._next, self._next + count)]
        self._next = (chosen[-1] + 1) % self._rows.length
        return dict(zip(self._placeholders, self._rows.take(chosen)))


class FeedingQueueRunner(QueueRunner):
    """A queue runner whose steps are fed by functions of the program."""

    def __init__(self, queue, enqueue_ops, feeds):
        super().__init__(queue, enqueue_ops, queue_closed_exception_types=(errors.OutOfRangeError, errors.CancelledError))
        self._feeds = dict(zip(enqueue_ops, feeds))

    def _step(self, session, op):
        feed = self._feeds[op]
        return lambda: session.run(op, feed_dict=feed())


def _warn(shuffle, threads, epochs):
    if threads > 1 and epochs is not None:
        logging.warning("enqueue_data was called with num_epochs and num_threads > 1. num_epochs is applied per thread, so this will produce more epochs than you "
                        "probably intend. If you want to limit epochs, use one thread.")
        if shuffle:
            logging.warning("enqueue_data was called with shuffle=True, num_threads > 1, and num_epochs. This will create multiple threads, all reading the "
                            "array/dataframe in order adding to the same shuffling queue; the results will likely not be sufficiently shuffled.")
    if not shuffle and threads > 1:
        logging.warning("enqueue_data was called with shuffle=False and num_threads > 1. This will create multiple threads, all reading the array/dataframe in "
                        "order. If you want examples read in order, use one thread; if you want multiple threads, enable shuffling.")


def queue_of(rows, capacity, shuffle, threads, batch_size, epochs, min_after_dequeue=None):
    """A queue of rows; adds its runner and a summary of its fill level to the graph's collections."""
    with ops.name_scope("enqueue_input"):
        _warn(shuffle, threads, epochs)
        least = 0
        if shuffle:
            least = int(capacity / 4 if min_after_dequeue is None else min_after_dequeue)
            queue = RandomShuffleQueue(capacity, least, dtypes=rows.types, shapes=rows.shapes)
        else:
            queue = FIFOQueue(capacity, dtypes=rows.types, shapes=rows.shapes)
        enqueues, feeds = [], []
        for _ in range(threads):
            placeholders = [engine.placeholder(t) for t in rows.types]  # without shapes: any number of rows
            enqueues.append(queue.enqueue_many(placeholders))
            feeds.append(_Feeder(placeholders, rows, batch_size, shuffle, epochs))
        add_queue_runner(FeedingQueueRunner(queue, enqueues, feeds))
        full = basics.cast(engine.maximum(0, queue.size() - least), dtypes.float32) * (1. / (capacity - least))
        summary.scalar("queue/%sfraction_over_%d_of_%d_full" % (queue.name, least, capacity - least), full)
    return queue
