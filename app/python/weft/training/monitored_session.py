"""Sessions that initialize themselves, call hooks around each run, and recover from lost workers."""

import inspect

from .. import errors, ops
from ..exports import export
from ..platform import tf_logging as logging
from ..protos import RunMetadata, RunOptions
from . import coordinator, queue_runner
from .hooks import CheckpointSaverHook, StepCounterHook, SummarySaverHook
from .run_hook import SessionRunArgs, SessionRunContext, SessionRunValues
from .scaffold import Scaffold
from .session_manager import SessionManager

_PREEMPTION = (errors.AbortedError, errors.UnavailableError)
USE_DEFAULT = object()


@export("train.SessionCreator")
class SessionCreator:
    """Creates sessions."""

    def create_session(self):
        raise NotImplementedError("create_session is not implemented for {}.".format(self))


class _ScaffoldCreator(SessionCreator):
    def __init__(self, scaffold, master, config):
        self._scaffold, self._master, self._config, self._manager = scaffold or Scaffold(), master, config, None

    def _get_session_manager(self):
        if self._manager is None:
            s = self._scaffold
            self._manager = SessionManager(local_init_op=s.local_init_op, ready_op=s.ready_op, ready_for_local_init_op=s.ready_for_local_init_op,
                                           graph=ops.get_default_graph())
        return self._manager


@export("train.ChiefSessionCreator")
class ChiefSessionCreator(_ScaffoldCreator):
    """Restores the newest checkpoint, or initializes the model."""

    def __init__(self, scaffold=None, master="", config=None, checkpoint_dir=None, checkpoint_filename_with_path=None):
        super().__init__(scaffold, master, config)
        self._dir, self._file = checkpoint_dir, checkpoint_filename_with_path

    def create_session(self):
        s = self._scaffold.finalize()
        return self._get_session_manager().prepare_session(
            self._master, saver=s.saver, checkpoint_dir=self._dir, checkpoint_filename_with_path=self._file, config=self._config, init_op=s.init_op,
            init_feed_dict=s.init_feed_dict, init_fn=s.init_fn)


@export("train.WorkerSessionCreator")
class WorkerSessionCreator(_ScaffoldCreator):
    """Waits until the chief has initialized the model."""

    def __init__(self, scaffold=None, master="", config=None, max_wait_secs=30 * 60):
        super().__init__(scaffold, master, config)
        self._max_wait = max_wait_secs

    def create_session(self):
        self._scaffold.finalize()
        return self._get_session_manager().wait_for_session(self._master, config=self._config, max_wait_secs=self._max_wait)


class StepContext:
    """The argument of a step function: the raw session, and run_with_hooks()."""

    def __init__(self, session, run_with_hooks_fn):
        self._session, self._run = session, run_with_hooks_fn

    @property
    def session(self):
        return self._session

    def run_with_hooks(self, *args, **kwargs):
        return self._run(*args, **kwargs)

    def request_stop(self):
        raise StopIteration("step_fn has requested the iterations to stop.")


class _WrappedSession:
    def __init__(self, sess):
        self._sess = sess

    @property
    def graph(self):
        return self._sess.graph

    @property
    def sess_str(self):
        return self._sess.sess_str

    def should_stop(self):
        if self._check_stop():
            return True
        if self._sess:
            return isinstance(self._sess, _WrappedSession) and self._sess.should_stop()
        return True

    def _check_stop(self):
        return False

    def close(self):
        if not self._sess:
            return
        try:
            self._sess.close()
        except _PREEMPTION as e:
            logging.warning("An error occurred when attempting to close the session. This may be due to a preemption in a connected worker or parameter "
                            "server. Error: %s", e)
        finally:
            self._sess = None

    def run(self, *args, **kwargs):
        return self._sess.run(*args, **kwargs)

    def run_step_fn(self, step_fn, raw_session, run_with_hooks):
        return step_fn(StepContext(raw_session, run_with_hooks or self.run))


class _RecoverableSession(_WrappedSession):
    """Creates a new session after errors of lost workers, and runs again."""

    def __init__(self, sess_creator):
        self._sess_creator = sess_creator
        super().__init__(self._create_session())

    def _create_session(self):
        while True:
            try:
                return self._sess_creator.create_session()
            except _PREEMPTION as e:
                logging.info("An error was raised while a session was being created; another one will be created. Error: %s", e)

    def _check_stop(self):
        try:
            return self._sess._check_stop() if self._sess else True
        except _PREEMPTION as e:
            logging.info("An error was raised while considering whether the session is complete; a new session will be created. Error: %s", e)
            self.close()
            self._sess = self._create_session()
            return False
        except Exception:  # a session that fails has nothing more to run
            return True

    def _again(self, step):
        while True:
            try:
                if not self._sess:
                    self._sess = self._create_session()
                return step(self._sess)
            except _PREEMPTION as e:
                logging.info("An error was raised, perhaps by a preemption; the session is closed and a new one will be created. Error: %s", e)
                self.close()
                self._sess = None

    def run(self, fetches, feed_dict=None, options=None, run_metadata=None):
        return self._again(lambda s: s.run(fetches, feed_dict=feed_dict, options=options, run_metadata=run_metadata))

    def run_step_fn(self, step_fn, raw_session, run_with_hooks):
        return self._again(lambda s: s.run_step_fn(step_fn, raw_session, s.run))


class _CoordinatedSession(_WrappedSession):
    """Stops its threads when it is closed; their errors take precedence over its own."""

    def __init__(self, sess, coord, stop_grace_period_secs=120):
        super().__init__(sess)
        self._coord, self._grace = coord, stop_grace_period_secs

    def _check_stop(self):
        self._coord.raise_requested_exception()
        return self._coord.should_stop()

    def close(self):
        self._coord.request_stop()
        try:
            self._coord.join(stop_grace_period_secs=self._grace, ignore_live_threads=True)
        finally:
            try:
                super().close()
            except Exception:  # the error of the running step must not be hidden
                pass

    def run(self, *args, **kwargs):
        try:
            return self._sess.run(*args, **kwargs)
        except _PREEMPTION:
            raise
        except Exception as e:
            try:
                self._coord.raise_requested_exception()
            except _PREEMPTION:
                raise
            except Exception:
                raise e from None
            raise


class _HookedSession(_WrappedSession):
    def __init__(self, sess, hooks):
        super().__init__(sess)
        self._hooks, self._should_stop = hooks, False

    def _check_stop(self):
        return self._should_stop

    def run(self, fetches, feed_dict=None, options=None, run_metadata=None):
        if self.should_stop():
            raise RuntimeError("Run called even after should_stop requested.")
        wanted = {"caller": fetches}
        context = SessionRunContext(SessionRunArgs(fetches, feed_dict), self._sess)
        options = options or RunOptions()
        feed_dict = self._before(context, wanted, feed_dict, options)
        run_metadata = run_metadata or RunMetadata()
        outputs = self._sess.run(fetches=wanted, feed_dict=feed_dict, options=options, run_metadata=run_metadata)
        for hook in self._hooks:
            hook.after_run(context, SessionRunValues(results=outputs.get(hook), options=options, run_metadata=run_metadata))
        self._should_stop = self._should_stop or context.stop_requested
        return outputs["caller"]

    def _before(self, context, wanted, user_feeds, options):
        feeds = {}
        for hook in self._hooks:
            request = hook.before_run(context)
            if request is None:
                continue
            if request.fetches is not None:
                wanted[hook] = request.fetches
            if request.feed_dict:
                _refuse_both(feeds, request.feed_dict, "Same tensor is fed by two hooks.")
                feeds.update(request.feed_dict)
            if request.options:
                _merge_options(options, request.options)
        if not feeds:
            return user_feeds
        if user_feeds:
            _refuse_both(user_feeds, feeds, "Same tensor is fed by a SessionRunHook and user.")
            feeds.update(user_feeds)
        return feeds


def _refuse_both(a, b, message):
    both = [key for key in a if any(key is other for other in b)]
    if both:
        raise RuntimeError(message + " Conflict(s): " + str(both))


def _merge_options(options, more):
    for field in ("trace_level", "timeout_in_ms", "inter_op_thread_pool", "output_partition_graphs"):
        setattr(options, field, max(getattr(options, field), getattr(more, field)))
    options.debug_options.debug_tensor_watch_opts.extend(more.debug_options.debug_tensor_watch_opts)
    for holder, other, field in ((options.debug_options, more.debug_options, "reset_disk_byte_usage"),
                                 (options, more, "report_tensor_allocations_upon_oom")):
        if getattr(other, field):
            setattr(holder, field, True)


class _Coordinated(SessionCreator):
    def __init__(self, creator, hooks, grace):
        self._creator, self._hooks, self._grace = creator, hooks, grace
        self.coord = self.tf_sess = None

    def create_session(self):
        self.tf_sess = self._creator.create_session()
        # The end of data must reach the caller, so no exception type counts as a clean stop.
        self.coord = coordinator.Coordinator(clean_stop_exception_types=[])
        if ops.get_collection("queue_runners"):
            queue_runner.start_queue_runners(sess=self.tf_sess, coord=self.coord)
        for hook in self._hooks:
            hook.after_create_session(self.tf_sess, self.coord)
        return _CoordinatedSession(_HookedSession(self.tf_sess, self._hooks), self.coord, self._grace)


class _MonitoredSession:
    StepContext = StepContext

    def __init__(self, session_creator, hooks, should_recover, stop_grace_period_secs=120):
        self._graph_was_finalized = ops.get_default_graph().finalized
        self._hooks = hooks or []
        for hook in self._hooks:
            hook.begin()
        self._coordinated_creator = _Coordinated(session_creator or ChiefSessionCreator(), self._hooks, stop_grace_period_secs)
        self._sess = _RecoverableSession(self._coordinated_creator) if should_recover else self._coordinated_creator.create_session()

    @property
    def graph(self):
        """The graph of the session; None after close()."""
        return self._tf_sess().graph if self._tf_sess() is not None else None

    def run(self, fetches, feed_dict=None, options=None, run_metadata=None):
        """As Session.run(), with hooks."""
        return self._sess.run(fetches, feed_dict=feed_dict, options=options, run_metadata=run_metadata)

    def run_step_fn(self, step_fn):
        """Calls step_fn(step_context); hooks are called only for runs made through step_context.run_with_hooks()."""
        names = tuple(inspect.signature(step_fn).parameters)
        if inspect.ismethod(step_fn):
            names = ("self",) + names
        if names not in (("step_context",), ("self", "step_context")):
            raise ValueError("`step_fn` may either have one `step_context` argument, or `self` and `step_context` arguments if it's an instance method. "
                             "Got {} instead.".format(names))
        return self._sess.run_step_fn(step_fn, self._tf_sess(), run_with_hooks=None)

    def should_stop(self):
        return self._sess is None or self._sess.should_stop()

    def close(self):
        self._close()

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if kind in (errors.OutOfRangeError, StopIteration):
            kind = None
        self._close(kind)
        return kind is None

    def _close(self, kind=None):
        try:
            if not kind:
                for hook in self._hooks:
                    hook.end(self._coordinated_creator.tf_sess)
        finally:
            try:
                if self._sess is None:
                    raise RuntimeError("Session is already closed.")
                self._sess.close()
            finally:
                self._sess = None
                self._coordinated_creator.tf_sess = self._coordinated_creator.coord = None
                if not self._graph_was_finalized:
                    ops.get_default_graph()._unsafe_unfinalize()

    def _is_closed(self):
        return self._coordinated_creator.tf_sess is None

    def _tf_sess(self):
        return self._coordinated_creator.tf_sess


@export("train.MonitoredSession")
class MonitoredSession(_MonitoredSession):
    """A session with hooks that recovers from lost workers."""

    def __init__(self, session_creator=None, hooks=None, stop_grace_period_secs=120):
        super().__init__(session_creator, hooks, should_recover=True, stop_grace_period_secs=stop_grace_period_secs)


@export("train.SingularMonitoredSession")
class SingularMonitoredSession(_MonitoredSession):
    """A session with hooks that ends with the first error; its raw session can be passed to old code."""

    def __init__(self, hooks=None, scaffold=None, master="", config=None, checkpoint_dir=None, stop_grace_period_secs=120,
                 checkpoint_filename_with_path=None):
        creator = ChiefSessionCreator(scaffold=scaffold, master=master, config=config, checkpoint_dir=checkpoint_dir,
                                      checkpoint_filename_with_path=checkpoint_filename_with_path)
        super().__init__(creator, hooks, should_recover=False, stop_grace_period_secs=stop_grace_period_secs)

    def raw_session(self):
        return self._tf_sess()


def _pair(first, second, default):
    """(steps, seconds); a given value disables the default of the other."""
    if first is USE_DEFAULT and second is USE_DEFAULT:
        return default
    return (None if first is USE_DEFAULT else first), (None if second is USE_DEFAULT else second)


@export("train.MonitoredTrainingSession")
def MonitoredTrainingSession(master="", is_chief=True, checkpoint_dir=None, scaffold=None, hooks=None, chief_only_hooks=None,
                             save_checkpoint_secs=USE_DEFAULT, save_summaries_steps=USE_DEFAULT, save_summaries_secs=USE_DEFAULT, config=None,
                             stop_grace_period_secs=120, log_step_count_steps=100, max_wait_secs=7200, save_checkpoint_steps=USE_DEFAULT,
                             summary_dir=None):
    """A MonitoredSession with the usual hooks of a training: steps per second, summaries, checkpoints."""
    save_summaries_steps, save_summaries_secs = _pair(save_summaries_steps, save_summaries_secs, (100, None))
    save_checkpoint_steps, save_checkpoint_secs = _pair(save_checkpoint_steps, save_checkpoint_secs, (None, 600))
    scaffold = scaffold or Scaffold()
    if not is_chief:
        creator = WorkerSessionCreator(scaffold=scaffold, master=master, config=config, max_wait_secs=max_wait_secs)
        return MonitoredSession(session_creator=creator, hooks=hooks or [], stop_grace_period_secs=stop_grace_period_secs)
    all_hooks = list(chief_only_hooks or [])
    creator = ChiefSessionCreator(scaffold=scaffold, checkpoint_dir=checkpoint_dir, master=master, config=config)
    summary_dir = summary_dir or checkpoint_dir
    if summary_dir and log_step_count_steps and log_step_count_steps > 0:
        all_hooks.append(StepCounterHook(output_dir=summary_dir, every_n_steps=log_step_count_steps))
    if summary_dir and ((save_summaries_steps or 0) > 0 or (save_summaries_secs or 0) > 0):
        all_hooks.append(SummarySaverHook(scaffold=scaffold, save_steps=save_summaries_steps, save_secs=save_summaries_secs, output_dir=summary_dir))
    if checkpoint_dir and ((save_checkpoint_secs or 0) > 0 or (save_checkpoint_steps or 0) > 0):
        all_hooks.append(CheckpointSaverHook(checkpoint_dir, save_steps=save_checkpoint_steps, save_secs=save_checkpoint_secs, scaffold=scaffold))
    return MonitoredSession(session_creator=creator, hooks=all_hooks + list(hooks or []), stop_grace_period_secs=stop_grace_period_secs)
