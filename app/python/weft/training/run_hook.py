"""Hooks of monitored sessions, and the arguments of their methods."""

import collections

from ..exports import export


@export("train.SessionRunHook", "estimator.SessionRunHook")
class SessionRunHook:
    """Base of hooks; its methods do nothing."""

    def begin(self):
        """Called once before the session is created: the last chance to change the graph."""

    def after_create_session(self, session, coord):
        """Called after each creation of a session."""

    def before_run(self, run_context):
        """Called before each run; may return SessionRunArgs to add to the run."""
        return None

    def after_run(self, run_context, run_values):
        """Called after each run, with the values that before_run() requested."""

    def end(self, session):
        """Called before the session is closed, unless a run failed."""


@export("train.SessionRunArgs", "estimator.SessionRunArgs")
class SessionRunArgs(collections.namedtuple("SessionRunArgs", ["fetches", "feed_dict", "options"])):
    """Additions of a hook to a run."""

    def __new__(cls, fetches, feed_dict=None, options=None):
        return super().__new__(cls, fetches, feed_dict, options)


@export("train.SessionRunContext", "estimator.SessionRunContext")
class SessionRunContext:
    """One run: its arguments, its session, and whether a stop is requested."""

    def __init__(self, original_args, session):
        self._original_args, self._session, self._stop_requested = original_args, session, False

    original_args = property(lambda self: self._original_args)
    session = property(lambda self: self._session)
    stop_requested = property(lambda self: self._stop_requested)

    def request_stop(self):
        """Makes should_stop() of the monitored session true."""
        self._stop_requested = True


@export("train.SessionRunValues", "estimator.SessionRunValues")
class SessionRunValues(collections.namedtuple("SessionRunValues", ["results", "options", "run_metadata"])):
    """The results of a run for a hook."""
