"""tf.test: test cases with sessions and comparisons of arrays."""

import contextlib
import os
import random
import tempfile
import unittest
from unittest import mock

import numpy as np

from .. import engine, ops
from ..exports import export, export_value
from ..gradients import gradients
from ..protos import ConfigProto
from ..session import Session
from .array_assertions import ArrayAssertions

export_value(mock, "test.mock")


@export("test.get_temp_dir")
def get_temp_dir():
    """A folder for the files of tests."""
    return os.environ.get("TEST_TMPDIR") or tempfile.mkdtemp()


@export("test.main")
def main(argv=None):
    unittest.main(argv=argv)


@export("test.test_src_dir_path")
def test_src_dir_path(relative_path):
    return os.path.join(os.environ.get("TEST_SRCDIR", ""), relative_path)


def _on_device(graph, use_gpu, force_gpu):
    """Places a test's ops on the GPU where possible, or on the CPU."""
    if force_gpu:
        return graph.device("/device:GPU:0")
    return contextlib.nullcontext() if use_gpu else graph.device("/device:CPU:0")


@export("test.TestCase")
class TestCase(ArrayAssertions):
    """Base of tests: a new graph and fixed seeds for each test, sessions, comparisons within tolerances."""

    def __init__(self, methodName="runTest"):
        super().__init__(methodName)
        self._folder = self._cached = None
        self._threads = []

    def setUp(self):
        if self.id().endswith(".test_session"):
            self.skipTest("Not a test.")
        random.seed(87654321)
        np.random.seed(87654321)
        ops.reset_default_graph()
        ops.set_random_seed(87654321)

    def tearDown(self):
        for thread in self._threads:
            thread.check_termination()
        if self._cached is not None:
            self._cached.close()
            self._cached = None

    def get_temp_dir(self):
        """A folder for the test, the same on each call."""
        if self._folder is None:
            self._folder = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        return self._folder

    @contextlib.contextmanager
    def session(self, graph=None, config=None, use_gpu=False, force_gpu=False):
        """A new session, as the default session."""
        with Session(graph=graph, config=config or ConfigProto(allow_soft_placement=not force_gpu)) as session:
            with session.graph.as_default(), _on_device(session.graph, use_gpu, force_gpu):
                yield session

    @contextlib.contextmanager
    def cached_session(self, graph=None, config=None, use_gpu=False, force_gpu=False):
        """A session that is the same on each call within a test."""
        if self._cached is None:
            self._cached = Session(graph=graph, config=config or ConfigProto(allow_soft_placement=not force_gpu))
        with self._cached.graph.as_default(), self._cached.as_default(), _on_device(self._cached.graph, use_gpu, force_gpu):
            yield self._cached

    def test_session(self, graph=None, config=None, use_gpu=False, force_gpu=False):
        if graph is None:
            return self.cached_session(graph, config, use_gpu, force_gpu)
        return self.session(graph, config, use_gpu, force_gpu)

    def evaluate(self, tensors):
        """The values of tensors in the default session, or in the test's cached session."""
        session = ops.get_default_session()
        if session is None:
            with self.cached_session() as session:
                return session.run(tensors)
        return session.run(tensors)


@export("test.compute_gradient_error")
def compute_gradient_error(x, x_shape, y, y_shape, x_init_value=None, delta=1e-3, init_targets=None, extra_feed_dict=None):
    """The largest difference between the analytic and the numeric gradient."""
    theory, numeric = compute_gradient(x, x_shape, y, y_shape, x_init_value, delta, init_targets, extra_feed_dict)
    return float(np.fabs(theory - numeric).max()) if theory.size else 0.0


@export("test.compute_gradient")
def compute_gradient(x, x_shape, y, y_shape, x_init_value=None, delta=1e-3, init_targets=None, extra_feed_dict=None):
    """The analytic and the numeric Jacobian of y by x; rows are elements of x."""
    session = ops.get_default_session()
    if init_targets is not None:
        session.run(init_targets)
    dtype = x.dtype.base_dtype.as_numpy_dtype
    at = np.random.random_sample(x_shape).astype(dtype) if x_init_value is None else np.asarray(x_init_value, dtype=dtype)
    seed = engine.placeholder(y.dtype.base_dtype, y_shape)
    gradient = gradients(y, x, grad_ys=seed)[0]
    feeds = dict(extra_feed_dict or {})
    n, m = int(np.prod(x_shape)), int(np.prod(y_shape))
    theory, numeric = np.zeros((n, m)), np.zeros((n, m))
    for j in range(m):
        one = np.zeros(m, dtype)
        one[j] = 1
        theory[:, j] = np.asarray(session.run(gradient, dict(feeds) | {x: at, seed: one.reshape(y_shape)})).ravel()
    for i in range(n):
        ends = []
        for sign in (1, -1):
            moved = at.copy().ravel()
            moved[i] += sign * delta
            ends.append(np.asarray(session.run(y, dict(feeds) | {x: moved.reshape(at.shape)})).ravel())
        numeric[i] = (ends[0] - ends[1]) / (2 * delta)
    return theory, numeric
