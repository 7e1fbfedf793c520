"""tf.test: test cases with sessions and comparisons of arrays."""

import contextlib
import importlib.util
import os
import random
import sys
import tempfile
import unittest

import numpy as np

from .. import ops
from ..exports import export, export_value
from ..protos import ConfigProto
from ..ragged.tensor import RaggedTensor
from ..ragged.values import RaggedTensorValue
from ..session import Session
from ..sparse_tensor import SparseTensor, SparseTensorValue
from ..util import nest
from .array_assertions import ArrayAssertions



def _loaded_when_used(name):
    """A module that is executed when its first attribute is read."""
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.find_spec(name)
    spec.loader = importlib.util.LazyLoader(spec.loader)
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


mock = export_value(_loaded_when_used("unittest.mock"), "test.mock")  # it loads asyncio and ssl, a tenth of the time of importing tensorflow


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


class FakeEagerSession:
    """What session() of a test gives while execution is eager: tensors have their values."""

    def __init__(self, test_case):
        self._test_case = test_case

    def run(self, fetches, *args, **kwargs):
        if kwargs.pop("feed_dict", None):
            raise RuntimeError("feed_dict is not supported when eager execution is enabled (in this case, sess.run(t) is shorthand for t.numpy()")
        if args or kwargs:
            raise RuntimeError("Optional args are not supported when eager execution is enabled (in this case, sess.run(t) is shorthand for t.numpy()")
        return self._test_case.evaluate(fetches)


@export("test.TestCase")
class TestCase(ArrayAssertions):
    """Base of tests: a new graph and fixed seeds for each test, sessions, comparisons within tolerances."""

    def __init__(self, methodName="runTest"):
        super().__init__(methodName)
        self._tempdir = self._cached = None
        self._threads = []

    def setUp(self):
        if self.id().endswith(".test_session"):
            self.skipTest("Not a test.")
        random.seed(87654321)
        np.random.seed(87654321)
        ops._default_graph_stack.reset()  # a failed test may have left graphs there
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
        if self._tempdir is None:
            self._tempdir = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        return self._tempdir

    @contextlib.contextmanager
    def session(self, graph=None, config=None, use_gpu=False, force_gpu=False):
        """A new session, as the default session."""
        if ops.executing_eagerly():
            yield FakeEagerSession(self)
            return
        with Session(graph=graph, config=config or ConfigProto(allow_soft_placement=not force_gpu)) as session:
            with session.graph.as_default(), _on_device(session.graph, use_gpu, force_gpu):
                yield session

    @contextlib.contextmanager
    def cached_session(self, graph=None, config=None, use_gpu=False, force_gpu=False):
        """A session that is the same on each call within a test."""
        if ops.executing_eagerly():
            yield FakeEagerSession(self)
            return
        if self._cached is None:
            self._cached = Session(graph=graph, config=config or ConfigProto(allow_soft_placement=not force_gpu))
        with self._cached.graph.as_default(), self._cached.as_default(), _on_device(self._cached.graph, use_gpu, force_gpu):
            yield self._cached

    def test_session(self, graph=None, config=None, use_gpu=False, force_gpu=False):
        if graph is None:
            return self.cached_session(graph, config, use_gpu, force_gpu)
        return self.session(graph, config, use_gpu, force_gpu)

    def _eval_tensor(self, tensor):
        """The value of one tensor, or of what a function returns, while execution is eager."""
        if tensor is None:
            return None
        if callable(tensor):
            return self._eval_helper(tensor())
        if isinstance(tensor, SparseTensor):
            return SparseTensorValue(*(self._eval_tensor(t) for t in (tensor.indices, tensor.values, tensor.dense_shape)))
        if isinstance(tensor, RaggedTensor):
            return RaggedTensorValue(self._eval_tensor(tensor.values), self._eval_tensor(tensor.row_splits))
        if isinstance(tensor, ops.IndexedSlices):
            return ops.IndexedSlicesValue(*(self._eval_tensor(t) for t in (tensor.values, tensor.indices, tensor.dense_shape)))
        if not hasattr(tensor, "numpy"):
            raise ValueError("Unsupported type %s." % type(tensor))
        return tensor.numpy()

    def _eval_helper(self, tensors):
        return None if tensors is None else nest.map_structure(self._eval_tensor, tensors)

    def evaluate(self, tensors):
        """The values of tensors: those that they have while execution is eager, or those in the default session or in the test's cached session."""
        if ops.executing_eagerly():
            return self._eval_helper(tensors)
        session = ops.get_default_session()
        if session is None:
            with self.cached_session() as session:
                return session.run(tensors)
        return session.run(tensors)
