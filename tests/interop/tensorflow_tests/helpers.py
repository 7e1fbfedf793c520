"""What TensorFlow's tests import to help themselves, taken from the checkout that they come from, on an engine whose package does not bring it.

A helper module (test bases, combinations, keras_parameterized …) is loaded from the checkout when the engine has no names for it; test_util gives the engine's
names first. A name that is missing behind an import of a helper or of a test file becomes an Absent: the tests that use it fail by its name, the others run.
"""
import builtins
import functools
import importlib.machinery
import importlib.util
import os
import sys
import types
import unittest

HELPER_ENDINGS = ("test_base", "test_util", "test_utils", "testing_utils", "test_combinations", "combinations", "op_base", "_test_lib", "_testlib", "keras_parameterized",
                  "test_ops", "fake_summary_writer", "get_test_data", "_test_common", "checkpoint_test_utils", "test_case", "backprop_util")
TEST_UTIL = "tensorflow.python.framework.test_util"
loading = True  # a test file is being loaded; run_file.py ends it


class Absent:
    """Stands for a name that the engine lacks; everything but passing it on fails."""

    def __init__(self, name):
        self.__dict__["_name"] = name

    def _fail(self, *_, **__):
        raise NotImplementedError("absent: " + self._name)

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return Absent(self._name + "." + name)

    def __repr__(self):
        return "absent: " + self._name

    def __mro_entries__(self, bases):
        return (type(self._name.rpartition(".")[2], (), {"__init__": self._fail}),)

    def __call__(self, *args, **kwargs):
        # While a file is loaded, a decorator of a test leaves a test that fails by name, and what another call gives is absent, too.
        if not loading:
            self._fail()
        if len(args) == 1 and not kwargs and isinstance(args[0], types.FunctionType):
            return functools.wraps(args[0])(lambda *a, **k: self._fail())
        return args[0] if len(args) == 1 and isinstance(args[0], type) else Absent(self._name)

    __iter__ = __len__ = __getitem__ = __enter__ = __exit__ = __add__ = __bool__ = _fail


def is_helper(name):
    return name.startswith("tensorflow.") and name.rpartition(".")[2].endswith(HELPER_ENDINGS)


class TolerantImport:
    """__import__ for the code of the checkout: names that do not exist become Absents."""

    def __init__(self, plain, root):
        self.plain, self.root = plain, root

    def __call__(self, name, globals=None, locals=None, fromlist=(), level=0):
        ours = ((globals or {}).get("__file__") or "").startswith(self.root) and name.startswith("tensorflow")
        if not ours:
            return self.plain(name, globals, locals, fromlist, level)
        try:
            module = self.plain(name, globals, locals, (), level)
            for part in name.split(".")[1:]:
                module = getattr(module, part)
        except (ImportError, AttributeError):
            module = None
        if not fromlist:
            return self.plain(name.partition(".")[0], globals, locals, (), level) if module is None else self.plain(name, globals, locals, (), level)
        found = types.ModuleType(name)
        for wanted in fromlist:
            if wanted == "*":
                return self.plain(name, globals, locals, fromlist, level)
            found.__dict__[wanted] = self.member(module, name, wanted)
        return found

    def member(self, module, name, wanted):
        whole = name + "." + wanted
        if is_helper(whole) and os.path.exists(os.path.join(self.root, whole.replace(".", "/") + ".py")):
            self.plain(whole)
            return sys.modules[whole]
        try:
            found = getattr(module, wanted) if module is not None else None
        except AttributeError:
            found = None
        if found is None:
            try:
                self.plain(whole)
                found = sys.modules[whole]
            except ImportError:
                return Absent(whole)
        return Tolerant(found) if isinstance(found, types.ModuleType) and found.__name__.startswith("tensorflow") else found


class FromCheckout:
    """Finds helper modules in the checkout."""

    def __init__(self, root):
        self.root = root

    def find_spec(self, name, path=None, target=None):
        file = os.path.join(self.root, name.replace(".", "/") + ".py")
        if not is_helper(name) or name == TEST_UTIL or not os.path.exists(file):
            return None
        return importlib.util.spec_from_file_location(name, file)


class Tolerant(types.ModuleType):
    """A module of the engine as the checkout's code sees it: a name that it lacks comes from `spare`, or is an Absent. Names are set in the engine's module."""

    def __init__(self, real, spare=None):
        super().__init__(real.__name__)
        self.__dict__.update(_real=real, _spare=spare)

    def __getattr__(self, name):
        for place in (self._real, self._spare):
            if place is not None:
                try:
                    return getattr(place, name)
                except AttributeError:
                    pass
        if name == "TestCase" and self.__name__.endswith("googletest"):
            return unittest.TestCase
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return Absent("%s.%s" % (self.__name__, name))

    def __setattr__(self, name, value):
        setattr(self._real, name, value)

    def __delattr__(self, name):
        delattr(self._real, name)


def install(root, eager):
    """From now on code of the checkout at `root` finds its helpers there. `eager`: whether the engine executes eagerly; without, tests of both modes run in a graph."""
    root = os.path.abspath(root)
    sys.meta_path.insert(0, FromCheckout(root))
    importer = TolerantImport(builtins.__import__, root)
    builtins.__import__ = importer
    import tensorflow  # noqa: F401
    from tensorflow.python.framework import test_util as real

    test_ops_name = "tensorflow.python.framework.test_ops"
    # Modules that the engine lists without names would hide the checkout's.
    for name in [m for m in sys.modules if is_helper(m) and m != TEST_UTIL]:
        if not getattr(sys.modules[name], "__file__", None):
            del sys.modules[name]
    import test_ops

    made = sys.modules[test_ops_name] = test_ops.module(root)
    sys.modules["tensorflow.python.framework"].__dict__["test_ops"] = made
    spec = importlib.util.spec_from_file_location("tensorflow_tests_test_util", os.path.join(root, "tensorflow/python/framework/test_util.py"))
    spare = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = spare
    spec.loader.exec_module(spare)
    if not eager:
        graph_only(spare)
    sys.modules[TEST_UTIL] = Tolerant(real, spare)
    sys.modules["tensorflow.python.framework"].__dict__["test_util"] = sys.modules[TEST_UTIL]


def graph_only(test_util):
    """The graph half of the decorators that run a test in both modes."""
    def in_graph(f=None, config=None, use_gpu=True, reset_test=True, assert_no_eager_garbage=False):
        def decorate(test):
            if isinstance(test, type):
                raise ValueError("for methods; run_all_in_graph_and_eager_modes is for classes")

            @functools.wraps(test)
            def decorated(self, *args, **kwargs):
                with self.test_session(use_gpu=use_gpu):
                    test(self, *args, **kwargs)
            return decorated
        return decorate if f is None else decorate(f)

    def all_in_graph(cls):
        for name, value in list(vars(cls).items()):
            if callable(value) and name.startswith("test") and name not in ("test_session",):
                setattr(cls, name, in_graph(value))
        return cls

    def same(f=None, **_):
        return f if f is not None else same

    test_util.run_in_graph_and_eager_modes = in_graph
    test_util.run_all_in_graph_and_eager_modes = all_in_graph
    for name in ("run_deprecated_v1", "deprecated_graph_mode_only", "run_v1_only", "run_all_in_deprecated_graph_mode_only", "also_run_as_tf_function",
                 "assert_no_new_pyobjects_executing_eagerly", "disable_control_flow_v2", "with_control_flow_v2"):
        if name == "run_v1_only":
            setattr(test_util, name, lambda reason, func=None: same if func is None else func)
        elif name == "disable_control_flow_v2":
            setattr(test_util, name, lambda reason: same)
        else:
            setattr(test_util, name, same)
