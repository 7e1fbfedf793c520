"""tf.train.Coordinator: several threads that stop together."""

import contextlib
import sys
import threading
import time

from .. import errors
from ..exports import export
from ..platform import tf_logging as logging


@export("train.Coordinator")
class Coordinator:
    """Lets threads request a stop, waits for them, and raises the first error that one of them reported."""

    def __init__(self, clean_stop_exception_types=None):
        self._clean = tuple(clean_stop_exception_types) if clean_stop_exception_types is not None else (errors.OutOfRangeError,)
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._error = None  # sys.exc_info() of the first error; guarded by _lock
        self._joined = False
        self._registered_threads = set()

    def request_stop(self, ex=None):
        """Requests a stop of all threads. `ex`: the reason, an exception or sys.exc_info(); after join() it is raised immediately."""
        with self._lock:
            error = ex[1] if isinstance(ex, tuple) else ex
            if isinstance(error, self._clean):
                ex = error = None
            if self._joined and ex is not None:
                raise error
            if self._stop.is_set():
                return
            if ex is not None and self._error is None:
                if isinstance(ex, tuple):
                    logging.info("Error reported to Coordinator: %s", ex[1], exc_info=ex)
                    self._error = ex
                else:
                    logging.info("Error reported to Coordinator: %s, %s", type(ex), ex)
                    self._error = sys.exc_info()
                if len(self._error) != 3 or not self._error[0] or not self._error[1]:
                    try:
                        raise ValueError("ex must be a tuple or sys.exc_info must return the current exception: %s" % (self._error,))
                    except ValueError:
                        self._error = sys.exc_info()
            self._stop.set()

    def clear_stop(self):
        """Makes the coordinator usable again after join()."""
        with self._lock:
            self._joined = False
            self._error = None
            self._stop.clear()

    def should_stop(self):
        return self._stop.is_set()

    @contextlib.contextmanager
    def stop_on_exception(self):
        """Context manager: an exception inside is passed to request_stop()."""
        try:
            yield
        except BaseException:  # anything that ends one thread must stop all of them
            self.request_stop(ex=sys.exc_info())

    def wait_for_stop(self, timeout=None):
        """Waits until a stop is requested; returns whether it was."""
        return self._stop.wait(timeout)

    def register_thread(self, thread):
        """Makes join() wait for this thread, too."""
        with self._lock:
            self._registered_threads.add(thread)

    def join(self, threads=None, stop_grace_period_secs=120, ignore_live_threads=False):
        """Waits for the threads; raises the error given to request_stop(), or RuntimeError if threads do not end in time."""
        with self._lock:
            threads = list(self._registered_threads.union(threads or ()))

        def alive():
            return any(t.is_alive() for t in threads)

        while alive() and not self.wait_for_stop(0.05):
            pass
        until = time.time() + stop_grace_period_secs
        pause = 0.001
        while alive() and time.time() < until:
            time.sleep(max(0.0, min(pause, until - time.time())))
            pause = min(2 * pause, 0.25)
        late = [t.name for t in threads if t.is_alive()]
        with self._lock:
            self._joined = True
            self._registered_threads = set()
            if self._error:
                raise self._error[1].with_traceback(self._error[2])
            if late and ignore_live_threads:
                logging.info("Coordinator stopped with threads still running: %s", " ".join(late))
            elif late:
                raise RuntimeError("Coordinator stopped with threads still running: %s" % " ".join(late))

    @property
    def joined(self):
        return self._joined

    def raise_requested_exception(self):
        """Raises the error given to request_stop(), if there is one."""
        with self._lock:
            if self._error:
                raise self._error[1].with_traceback(self._error[2])


@export("train.LooperThread")
class LooperThread(threading.Thread):
    """A thread that calls its target or run_loop() repeatedly until the coordinator stops, once per interval if one is set."""

    def __init__(self, coord, timer_interval_secs, target=None, args=None, kwargs=None):
        if not isinstance(coord, Coordinator):
            raise ValueError("'coord' argument must be a Coordinator: %s" % coord)
        super().__init__()
        self.daemon = True
        if not target and (args or kwargs):
            raise ValueError("'args' and 'kwargs' argument require that you also pass 'target'")
        self._coord, self._interval = coord, timer_interval_secs
        self._call, self._call_args, self._call_kwargs = target, args or (), kwargs or {}
        coord.register_thread(self)

    @staticmethod
    def loop(coord, timer_interval_secs, target, args=None, kwargs=None):
        """Creates such a thread and starts it."""
        looper = LooperThread(coord, timer_interval_secs, target=target, args=args, kwargs=kwargs)
        looper.start()
        return looper

    def run(self):
        with self._coord.stop_on_exception():
            self.start_loop()
            if self._interval is None:
                while not self._coord.should_stop():
                    self.run_loop()
            else:
                next_time = time.time()
                while not self._coord.wait_for_stop(max(0.0, next_time - time.time())):
                    next_time += self._interval
                    self.run_loop()
            self.stop_loop()

    def start_loop(self):
        """For subclasses: called once before the first run_loop()."""

    def stop_loop(self):
        """For subclasses: called once at the end."""

    def run_loop(self):
        if self._call:
            self._call(*self._call_args, **self._call_kwargs)
