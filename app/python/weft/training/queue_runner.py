"""tf.train.QueueRunner: threads that fill queues."""

import threading
import weakref

from .. import collection_protos, errors, ops, protos
from ..exports import export
from ..platform import tf_logging as logging
from .names import is_session, prepend_scope, strip_scope


@export("train.QueueRunner", "train.queue_runner.QueueRunner")
class QueueRunner:
    """Runs each of `enqueue_ops` in a separate thread until the data end, then closes the queue."""

    def __init__(self, queue=None, enqueue_ops=None, close_op=None, cancel_op=None, queue_closed_exception_types=None, queue_runner_def=None,
                 import_scope=None):
        if queue_runner_def:
            if queue or enqueue_ops:
                raise ValueError("queue_runner_def and queue are mutually exclusive.")
            self._read(queue_runner_def, import_scope)
        else:
            if not queue or not enqueue_ops:
                raise ValueError("Must provide queue and enqueue_ops.")
            types = queue_closed_exception_types
            if types is not None and (not isinstance(types, tuple) or not types or not all(issubclass(t, errors.OpError) for t in types)):
                raise TypeError("queue_closed_exception_types, when provided, must be a tuple of tf.error types, but saw: %s" % types)
            self.queue, self.enqueue_ops = queue, enqueue_ops
            self.close_op = queue.close() if close_op is None else close_op
            self.cancel_op = queue.close(cancel_pending_enqueues=True) if cancel_op is None else cancel_op
            self.queue_closed_exception_types = types or (errors.OutOfRangeError,)
        self._lock = threading.Lock()
        self._running = weakref.WeakKeyDictionary()  # session -> number of running threads; guarded by _lock
        self.exceptions_raised = []

    def _read(self, definition, scope):
        graph = ops.get_default_graph()

        def element(name):
            return graph.as_graph_element(prepend_scope(name, scope))

        self.queue = element(definition.queue_name)
        self.enqueue_ops = [element(name) for name in definition.enqueue_op_name]
        self.close_op, self.cancel_op = element(definition.close_op_name), element(definition.cancel_op_name)
        types = tuple(errors.exception_type_from_error_code(code) for code in definition.queue_closed_exception_types)
        self.queue_closed_exception_types = types or (errors.OutOfRangeError,)

    @property
    def name(self):
        return self.queue.name

    def _step(self, session, op):
        """A function that runs `op` once."""
        return session.make_callable(op) if hasattr(session, "make_callable") else lambda: session.run(op)

    def _fill(self, session, op, coord):
        counted = True
        try:
            step = self._step(session, op)
            while not (coord and coord.should_stop()):
                try:
                    step()
                except self.queue_closed_exception_types:
                    with self._lock:
                        self._running[session] -= 1
                        counted = False
                        last = self._running[session] == 0
                    if last:
                        try:
                            session.run(self.close_op)
                        except Exception as e:  # the queue may no longer exist
                            logging.debug("Ignored exception: %s", e)
                    return
        except Exception as e:
            if coord:
                coord.request_stop(e)
            else:
                logging.error("Exception in QueueRunner: %s", e)
                with self._lock:
                    self.exceptions_raised.append(e)
                raise
        finally:
            if counted:
                with self._lock:
                    self._running[session] -= 1

    def _cancel(self, session, coord):
        coord.wait_for_stop()
        try:
            session.run(self.cancel_op)
        except Exception as e:
            logging.debug("Ignored exception: %s", e)

    def create_threads(self, sess, coord=None, daemon=False, start=False):
        """Creates the threads for a session; none if they are already running."""
        with self._lock:
            if self._running.get(sess, 0) > 0:
                return []
            self._running[sess] = len(self.enqueue_ops)
            self.exceptions_raised = []
        threads = [threading.Thread(target=self._fill, args=(sess, op, coord), name="QueueRunnerThread-{}-{}".format(self.name, op.name))
                   for op in self.enqueue_ops]
        if coord:
            threads.append(threading.Thread(target=self._cancel, args=(sess, coord), name="QueueRunnerThread-{}-close_on_stop".format(self.name)))
        for thread in threads:
            if coord:
                coord.register_thread(thread)
            thread.daemon = daemon or thread.daemon
            if start:
                thread.start()
        return threads

    def to_proto(self, export_scope=None):
        """The QueueRunnerDef, or None if the queue is outside the scope."""
        if export_scope is not None and not self.queue.name.startswith(export_scope):
            return None
        return protos.QueueRunnerDef(
            queue_name=strip_scope(self.queue.name, export_scope),
            enqueue_op_name=[strip_scope(op.name, export_scope) for op in self.enqueue_ops],
            close_op_name=strip_scope(self.close_op.name, export_scope),
            cancel_op_name=strip_scope(self.cancel_op.name, export_scope),
            queue_closed_exception_types=[errors.error_code_from_exception_type(c) for c in self.queue_closed_exception_types])

    @staticmethod
    def from_proto(queue_runner_def, import_scope=None):
        return QueueRunner(queue_runner_def=queue_runner_def, import_scope=import_scope)


@export("train.add_queue_runner", "train.queue_runner.add_queue_runner")
def add_queue_runner(qr, collection="queue_runners"):
    """Registers a runner for start_queue_runners()."""
    ops.add_to_collection(collection, qr)


@export("train.start_queue_runners", "train.queue_runner.start_queue_runners")
def start_queue_runners(sess=None, coord=None, daemon=True, start=True, collection="queue_runners"):
    """Starts all queue runners of the graph; returns their threads."""
    if sess is None:
        sess = ops.get_default_session()
        if not sess:
            raise ValueError("Cannot start queue runners: No default session is registered. Use `with sess.as_default()` or pass an explicit session to "
                             "tf.start_queue_runners(sess=sess)")
    if not is_session(sess):
        if type(sess).__name__ in ("MonitoredSession", "SingularMonitoredSession"):
            return []  # the monitored session has already started them
        raise TypeError("sess must be a `tf.Session` object. Given class: {}".format(sess.__class__))
    runners = ops.get_collection(collection)
    if not runners:
        logging.warning("`tf.train.start_queue_runners()` was called when no queue runners were defined. You can safely remove the call to this "
                        "deprecated function.")
    with sess.graph.as_default():
        return [t for runner in ops.get_collection(collection) for t in runner.create_threads(sess, coord=coord, daemon=daemon, start=start)]


collection_protos.register("queue_runners", "QueueRunnerDef", QueueRunner.to_proto, QueueRunner.from_proto)
