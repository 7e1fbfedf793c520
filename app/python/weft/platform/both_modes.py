"""tf.contrib.eager.run_test_in_graph_and_eager_modes: tests that run twice, in a graph with a session and eagerly."""

import functools
import unittest

from .. import context, ops
from ..exports import export
from ..internals.eager_context import eager_mode


def _eagerly(test, function, use_gpu, reset_test, args, kwargs):
    if reset_test:
        test.tearDown()
        test._tempdir = None
    for forget in context.on_eager_reset:
        forget(context.eager_graph())
    with eager_mode():
        if reset_test:
            test.setUp()
        with ops.device(None if use_gpu else "/device:CPU:0"):
            function(test, *args, **kwargs)


@export("contrib.eager.run_test_in_graph_and_eager_modes")
def run_in_graph_and_eager_modes(func=None, config=None, use_gpu=True, reset_test=True, assert_no_eager_garbage=False):
    """Decorator of a test method: it runs in a graph, inside of a session, and once more eagerly. `reset_test`: tearDown() and setUp() come between.

    `assert_no_eager_garbage` is not read: Python frees what a test leaves at the latest when the process ends."""
    def decorator(function):
        if isinstance(function, type):
            raise ValueError("`run_in_graph_and_eager_modes` only supports test methods. Did you mean to use `run_all_in_graph_and_eager_modes`?")

        @functools.wraps(function)
        def decorated(self, *args, **kwargs):
            try:
                with ops.Graph().as_default(), self.test_session(use_gpu=use_gpu, config=config):
                    function(self, *args, **kwargs)
            except unittest.case.SkipTest:
                pass
            _eagerly(self, function, use_gpu, reset_test, args, kwargs)

        return decorated

    return decorator if func is None else decorator(func)


@export("contrib.eager.run_all_tests_in_graph_and_eager_modes")
def run_all_in_graph_and_eager_modes(cls):
    """Decorator of a test case: all of its tests run in graphs and eagerly."""
    for name in dir(cls):
        if name.startswith(unittest.TestLoader.testMethodPrefix) and name != "test_session" and callable(getattr(cls, name)) and not name.startswith("testSkipEager"):
            setattr(cls, name, run_in_graph_and_eager_modes(getattr(cls, name)))
    return cls
