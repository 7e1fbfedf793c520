"""What a hook of a monitored session is, and what it is handed."""

import collections

from ..exports import export


@export("train.SessionRunHook", "estimator.SessionRunHook")
class SessionRunHook:
    """Base of hooks: each method does nothing."""

    def begin(self):
        """Once, before the session is made: the last time that the graph may be changed."""

    def after_create_session(self, session, coord):
        """After each new session."""

    def before_run(self, run_context):
        """Before each run; may give SessionRunArgs that are run along."""
        return None

    def after_run(self, run_context, run_values):
        """After each run, with the values of what before_run() asked for."""

    def end(self, session):
        """Before the session is closed; not if a run failed."""


@export("train.SessionRunArgs", "estimator.SessionRunArgs")
class SessionRunArgs(collections.namedtuple("SessionRunArgs", ["fetches", "feed_dict", "options"])):
    """What a hook wants to be run along."""

    def __new__(cls, fetches, feed_dict=None, options=None):
        return super().__new__(cls, fetches, feed_dict, options)


@export("train.SessionRunContext", "estimator.SessionRunContext")
class SessionRunContext:
    """One run: its arguments and session, and whether to stop."""

    def __init__(self, original_args, session):
        self._original_args, self._session, self._stop_requested = original_args, session, False

    original_args = property(lambda self: self._original_args)
    session = property(lambda self: self._session)
    stop_requested = property(lambda self: self._stop_requested)

    def request_stop(self):
        """The monitored session's should_stop() is true from now on."""
        self._stop_requested = True


@export("train.SessionRunValues", "estimator.SessionRunValues")
class SessionRunValues(collections.namedtuple("SessionRunValues", ["results", "options", "run_metadata"])):
    """What a run gave to a hook."""
