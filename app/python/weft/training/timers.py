"""Timers of hooks: every N steps or seconds."""

import time

from .. import ops
from . import global_step as steps
from ..exports import export


@export("train.SecondOrStepTimer", "estimator.SecondOrStepTimer")
class SecondOrStepTimer:
    """Tells when N seconds or steps have passed since the last trigger."""

    def __init__(self, every_secs=None, every_steps=None):
        if every_secs is None and every_steps is None:
            raise ValueError("Either every_secs or every_steps should be provided.")
        if every_secs is not None and every_steps is not None:
            raise ValueError("Can not provide both every_secs and every_steps.")
        self._every_secs, self._every_steps = every_secs, every_steps
        self.reset()

    def reset(self):
        self._step = self._time = None

    def should_trigger_for_step(self, step):
        if self._step is None:
            return True
        if self._step == step:
            return False
        if self._every_secs is not None and time.time() >= self._time + self._every_secs:
            return True
        return self._every_steps is not None and step >= self._step + self._every_steps

    def update_last_triggered_step(self, step):
        """(seconds, steps) since the last trigger; (None, None) the first time."""
        now = time.time()
        passed = (None, None) if self._time is None else (now - self._time, step - self._step)
        self._time, self._step = now, step
        return passed

    def last_triggered_step(self):
        return self._step


class NeverTriggerTimer:
    """A timer for hooks that act only at the end."""

    def reset(self):
        pass

    def should_trigger_for_step(self, step):
        return False

    def update_last_triggered_step(self, step):
        return (None, None)

    def last_triggered_step(self):
        return None


def _step_reader(hook):
    read = steps.read_step()
    if read is None:
        raise RuntimeError("Global step should be created to use %s." % hook)
    return read


def _element(what):
    graph = ops.get_default_graph()
    if not isinstance(what, str):
        if getattr(what, "graph", None) is not graph:
            raise ValueError("Passed %s should have graph attribute that is equal to current graph %s." % (what, graph))
        return what
    if ":" in what:
        return graph.as_graph_element(what)
    element = graph.as_graph_element(what + ":0")
    try:
        graph.as_graph_element(what + ":1")
    except (KeyError, ValueError):
        return element
    raise ValueError("Name %s is ambiguous, as this `Operation` has multiple outputs (at least 2)." % what)
