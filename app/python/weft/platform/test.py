"""tf.test: test cases with sessions and comparisons of arrays."""

import contextlib
import os
import random
import tempfile
import unittest
from unittest import mock

import numpy as np

from .. import engine, ops
from ..errors import OpError
from ..exports import export, export_value
from ..gradients import gradients
from ..ops import Tensor
from ..protos import ConfigProto
from ..session import Session
from ..variable_base import Variable

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
class TestCase(unittest.TestCase):
    """Base of tests: a new graph and fixed seeds for each test, sessions, comparisons within tolerances."""

    def __init__(self, methodName="runTest"):
        super().__init__(methodName)
        self._folder = self._cached = None

    def setUp(self):
        random.seed(87654321)
        np.random.seed(87654321)
        ops.reset_default_graph()
        ops.set_random_seed(87654321)

    def tearDown(self):
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

    def _array(self, value):
        if isinstance(value, (Tensor, Variable)):
            return np.asarray(self.evaluate(value))
        return np.asarray(value)

    def assertAllClose(self, a, b, rtol=1e-6, atol=1e-6, msg=None):
        """Asserts equal structure and close numbers."""
        if isinstance(a, dict) or isinstance(b, dict):
            self.assertEqual(sorted(a), sorted(b), msg)
            for key in a:
                self.assertAllClose(a[key], b[key], rtol, atol, msg)
            return
        if isinstance(a, (list, tuple)) and any(isinstance(x, (list, tuple, np.ndarray, Tensor)) and np.ndim(x) for x in a):
            try:
                x, y = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
            except (TypeError, ValueError):
                self.assertEqual(len(a), len(b), msg)
                for i, j in zip(a, b):
                    self.assertAllClose(i, j, rtol, atol, msg)
                return
        else:
            x, y = self._array(a), self._array(b)
        self.assertEqual(x.shape, y.shape, "Shape mismatch: expected %s, got %s. %s" % (x.shape, y.shape, msg or ""))
        np.testing.assert_allclose(x, y, rtol=max(rtol, 1e-3) if x.dtype == np.float16 else rtol, atol=max(atol, 1e-3) if x.dtype == np.float16 else atol,
                                   err_msg=msg or "")

    def assertAllEqual(self, a, b, msg=None):
        x, y = self._array(a), self._array(b)
        if x.dtype.kind in "SO" and y.dtype.kind == "U":
            y = np.char.encode(y, "utf-8")
        self.assertEqual(x.shape, y.shape, "Shape mismatch: expected %s, got %s. %s" % (x.shape, y.shape, msg or ""))
        np.testing.assert_array_equal(x, y, err_msg=msg or "")

    def assertAllCloseAccordingToType(self, a, b, rtol=1e-6, atol=1e-6, float_rtol=1e-6, float_atol=1e-6, half_rtol=1e-3, half_atol=1e-3,
                                      bfloat16_rtol=1e-2, bfloat16_atol=1e-2, msg=None):
        kinds = {self._array(a).dtype, self._array(b).dtype}
        if any(kind.name == "bfloat16" for kind in kinds):
            rtol, atol = max(rtol, bfloat16_rtol), max(atol, bfloat16_atol)
        elif np.dtype(np.float16) in kinds:
            rtol, atol = max(rtol, half_rtol), max(atol, half_atol)
        elif np.dtype(np.float32) in kinds:
            rtol, atol = max(rtol, float_rtol), max(atol, float_atol)
        self.assertAllClose(a, b, rtol, atol, msg=msg)

    def assertNotAllClose(self, a, b, **kwargs):
        try:
            self.assertAllClose(a, b, **kwargs)
        except AssertionError:
            return
        raise AssertionError("The two values are close at all elements")

    def assertAllGreater(self, a, comparison_target):
        self.assertTrue((self._array(a) > comparison_target).all())

    def assertAllLess(self, a, comparison_target):
        self.assertTrue((self._array(a) < comparison_target).all())

    def assertAllGreaterEqual(self, a, comparison_target):
        self.assertTrue((self._array(a) >= comparison_target).all())

    def assertAllLessEqual(self, a, comparison_target):
        self.assertTrue((self._array(a) <= comparison_target).all())

    def assertNear(self, f1, f2, err, msg=None):
        self.assertTrue(f1 == f2 or abs(f1 - f2) <= err, "%f != %f +/- %f%s" % (f1, f2, err, " (%s)" % msg if msg else ""))

    def assertArrayNear(self, farray1, farray2, err, msg=None):
        self.assertEqual(len(farray1), len(farray2), msg)
        for a, b in zip(farray1, farray2):
            self.assertNear(float(a), float(b), err, msg)

    def assertShapeEqual(self, np_array, tf_tensor, msg=None):
        self.assertEqual(list(np_array.shape), tf_tensor.get_shape().as_list(), msg)

    def assertDTypeEqual(self, target, expected_dtype):
        self.assertEqual(self._array(target).dtype, np.dtype(expected_dtype))

    def assertProtoEquals(self, expected_message_maybe_ascii, message, msg=None):
        expected = expected_message_maybe_ascii
        if isinstance(expected, str):
            from google.protobuf import text_format

            expected = text_format.Parse(expected, type(message)())
        self.assertEqual(expected, message, msg)

    def assertStartsWith(self, actual, expected_start, msg=None):
        self.assertTrue(actual.startswith(expected_start), msg or "%r does not start with %r" % (actual, expected_start))

    @contextlib.contextmanager
    def assertRaisesWithPredicateMatch(self, exception_type, expected_err_re_or_predicate):
        import re

        try:
            yield
        except exception_type as e:
            text = e.message if isinstance(e, OpError) else str(e)
            good = expected_err_re_or_predicate(e) if callable(expected_err_re_or_predicate) else re.search(expected_err_re_or_predicate, text)
            if not good:
                raise AssertionError("Exception of type %s: %s" % (type(e), text)) from e
            return
        self.fail("%s not raised" % getattr(exception_type, "__name__", exception_type))

    def assertRaisesOpError(self, expected_err_re_or_predicate):
        return self.assertRaisesWithPredicateMatch(OpError, expected_err_re_or_predicate)


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
