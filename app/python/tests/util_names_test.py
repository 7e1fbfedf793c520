"""tensorflow.python.util: decorators, deprecation, inspection … as libraries use them. Passes in TensorFlow 1.15 as well."""

import collections
import functools
import gc
import inspect
import io
import logging
import os
import sys
import tempfile
import threading
import types
import unittest

import tensorflow as tf
from google.protobuf import text_format
from tensorflow.python.lib.io import file_io
from tensorflow.python.platform import flags, tf_logging
from tensorflow.python.summary import plugin_asset
from tensorflow.python.util import (all_util, decorator_utils, deprecation, dispatch, function_utils, keyword_args, lazy_loader, lock_util, nest, object_identity, serialization, tf_contextlib,
                                    tf_decorator, tf_export, tf_inspect, tf_should_use, tf_stack)
from tensorflow.python.util.protobuf import compare


class _Logged:
    """Context manager: captures the messages of tf.logging."""

    def __enter__(self):
        self._stream = io.StringIO()
        self._handler = logging.StreamHandler(self._stream)
        logging.getLogger("tensorflow").addHandler(self._handler)
        return self

    def __exit__(self, *unused):
        logging.getLogger("tensorflow").removeHandler(self._handler)

    @property
    def text(self):
        return self._stream.getvalue()


def plain(a, b=2, *c, **d):
    """What it does.

    More of it."""
    return a, b, c, d


class DecoratorTest(unittest.TestCase):
    def test_a_decorator_keeps_name_doc_and_attributes(self):
        def double(function):
            def wrapper(*args, **kwargs):
                return 2 * function(*args, **kwargs)

            return tf_decorator.make_decorator(function, wrapper)

        def add(x, y=1):
            """Adds."""
            return x + y

        add.mark = 7
        doubled = double(add)
        self.assertEqual(doubled(2), 6)
        self.assertEqual((doubled.__name__, doubled.__doc__, doubled.mark, doubled.__wrapped__), ("add", "Adds.", 7, add))
        decorators, target = tf_decorator.unwrap(doubled)
        self.assertEqual([d.decorator_name for d in decorators], ["double"])
        self.assertIs(target, add)
        self.assertEqual(tf_inspect.getfullargspec(doubled).args, ["x", "y"])
        self.assertEqual(list(inspect.signature(doubled).parameters), ["x", "y"])

    def test_rewrap_replaces_the_target(self):
        def first():
            return 1

        def second():
            return 2

        def wrapper():
            return wrapper.__wrapped__()

        tf_decorator.make_decorator(first, wrapper)
        self.assertIs(tf_decorator.rewrap(wrapper, first, second), wrapper)
        self.assertEqual(wrapper(), 2)
        self.assertIs(tf_decorator.unwrap(wrapper)[1], second)
        self.assertIs(tf_decorator.rewrap(first, first, second), second)

    def test_a_decorator_class_counts_calls(self):
        class Count(tf_decorator.TFDecorator):
            def __init__(self, target):
                super(Count, self).__init__("count", target)
                self.calls = 0

            def __call__(self, *args, **kwargs):
                self.calls += 1
                return super(Count, self).decorated_target(*args, **kwargs)

        counted = Count(plain)
        self.assertEqual(counted(1), (1, 2, (), {}))
        self.assertEqual((counted.calls, counted.__name__, tf_inspect.getdoc(counted)), (1, "plain", inspect.getdoc(plain)))

    def test_context_managers_keep_their_signature(self):
        @tf_contextlib.contextmanager
        def within(value, times=2):
            """Gives it."""
            yield value * times

        with within(3) as six:
            self.assertEqual(six, 6)
        self.assertEqual(tf_inspect.getfullargspec(within).args, ["value", "times"])
        self.assertEqual(tf_decorator.unwrap(within)[0][0].decorator_name, "contextmanager")


class InspectTest(unittest.TestCase):
    def test_argument_specs(self):
        spec = tf_inspect.getargspec(plain)
        self.assertEqual((spec.args, spec.varargs, spec.keywords, spec.defaults), (["a", "b"], "c", "d", (2,)))
        full = tf_inspect.getfullargspec(plain)
        self.assertEqual((full.args, full.varargs, full.varkw, full.defaults, full.kwonlyargs), (["a", "b"], "c", "d", (2,), []))

        class WithCall:
            def __call__(self, x):
                return x

        class WithInit:
            def __init__(self, y=3):
                self.y = y

        self.assertEqual(tf_inspect.getargspec(WithInit).args, ["self", "y"])
        self.assertEqual(tf_inspect.getfullargspec(WithCall()).args, ["self", "x"])

    def test_specs_of_partial_functions(self):
        def three(m, n, k=4):
            return m, n, k

        self.assertEqual(tuple(tf_inspect.getargspec(functools.partial(three, 1))), (["n", "k"], None, None, (4,)))
        self.assertEqual(tuple(tf_inspect.getargspec(functools.partial(three, n=7))), (["m", "n", "k"], None, None, (7, 4)))
        with self.assertRaisesRegex(ValueError, r"Some arguments \['n'\] do not have default value"):
            tf_inspect.getargspec(functools.partial(three, m=7))
        with self.assertRaisesRegex(ValueError, "unknown partial keyword"):
            tf_inspect.getargspec(functools.partial(three, z=7))

    def test_call_arguments(self):
        self.assertEqual(tf_inspect.getcallargs(lambda a, b=2, c=3: 0, 1, c=5), {"a": 1, "b": 2, "c": 5})

    def test_a_stated_spec_comes_first(self):
        spec = tf_inspect.FullArgSpec(["p", "q"], None, None, (1,), [], None, {})
        wrapped = tf_decorator.make_decorator(plain, lambda *a: a, "w", decorator_argspec=spec)
        self.assertEqual(tf_inspect.getfullargspec(wrapped), spec)
        self.assertEqual(tf_inspect.getcallargs(wrapped, 5), {"p": 5, "q": 1})

    def test_questions_about_decorated_functions(self):
        wrapped = tf_decorator.make_decorator(plain, lambda *a: a, "w")
        self.assertTrue(tf_inspect.isfunction(wrapped))
        self.assertFalse(tf_inspect.isclass(wrapped))
        self.assertIn("def plain", tf_inspect.getsource(wrapped))
        self.assertEqual(tf_inspect.getmro(bool), (bool, int, object))
        self.assertEqual(tf_inspect.getfile(wrapped), plain.__code__.co_filename)
        self.assertIs(tf_inspect.getmodule(plain), sys.modules[__name__])


class DeprecationTest(unittest.TestCase):
    def test_a_deprecated_function_warns_once(self):
        @deprecation.deprecated("2030-02-28", "Use another one.")
        def old(x):
            """Old.

            Body."""
            return x + 1

        with _Logged() as log:
            self.assertEqual([old(1), old(2)], [2, 3])
        self.assertEqual(log.text.count("is deprecated and will be removed after 2030-02-28.\nInstructions for updating:\nUse another one."), 1)
        self.assertIn("util_names_test.py", log.text)
        self.assertEqual(old.__doc__, "Old. (deprecated)\n\nWarning: THIS FUNCTION IS DEPRECATED. It will be removed after 2030-02-28.\nInstructions for updating:\nUse another one.\n\nBody.")

    def test_instructions_and_dates_are_checked(self):
        with self.assertRaisesRegex(ValueError, "Don't deprecate things without conversion instructions!"):
            deprecation.deprecated(None, "")
        with self.assertRaisesRegex(ValueError, "Date must be YYYY-MM-DD."):
            deprecation.deprecated("07-04-2016", "x")
        with self.assertRaisesRegex(ValueError, "is not a function. If this is a property"):
            deprecation.deprecated(None, "x")(7)

    def test_deprecated_arguments(self):
        @deprecation.deprecated_args(None, "Leave it.", ("b", None), "c")
        def f(a, b=None, c=None):
            return a, b, c

        with _Logged() as log:
            f(1)
            f(1, None)
            f(1, b=None)
            self.assertEqual(log.text, "")
            f(1, 2)
            f(1, c=3)
        self.assertIn("with b is deprecated and will be removed in a future version.", log.text)
        self.assertIn("with c is deprecated", log.text)
        self.assertTrue(f.__doc__.startswith("DEPRECATED FUNCTION ARGUMENTS\n\nWarning: SOME ARGUMENTS ARE DEPRECATED: `(b, c)`. They will be removed in a future version."))
        with self.assertRaisesRegex(ValueError, r"deprecated arguments are not present in the function signature: \['z'\]"):
            deprecation.deprecated_args(None, "x", "z")(lambda a: a)
        with self.assertRaisesRegex(ValueError, "Illegal argument to deprecated_args"):
            deprecation.deprecated_args(None, "x", "a", nonsense=1)

    def test_deprecated_argument_values(self):
        @deprecation.deprecated_arg_values("2031-01-01", "No more.", b=True)
        def f(a, b=False):
            """Does."""
            return a

        with _Logged() as log:
            f(1)
            f(1, True)
            f(1, b=True)
        self.assertEqual(log.text.count("with b=True is deprecated and will be removed after 2031-01-01."), 1)

    def test_argument_lookup(self):
        self.assertEqual(deprecation.deprecated_argument_lookup("new", 1, "old", None), 1)
        self.assertEqual(deprecation.deprecated_argument_lookup("new", None, "old", 2), 2)
        with self.assertRaisesRegex(ValueError, "Cannot specify both 'old' and 'new'"):
            deprecation.deprecated_argument_lookup("new", 1, "old", 2)

    def test_aliases_and_endpoints(self):
        alias = deprecation.deprecated_alias("old.name", "new.name", plain)

        class Base:
            def __init__(self, x):
                self.x = x

        Old = deprecation.deprecated_alias("old.Base", "new.Base", Base)
        with _Logged() as log:
            self.assertEqual(alias(1), (1, 2, (), {}))
            made = Old(4)
        self.assertIsInstance(made, Base)
        self.assertEqual(made.x, 4)
        self.assertIn("The name old.name is deprecated. Please use new.name instead.", log.text)
        self.assertIn("The name old.Base is deprecated. Please use new.Base instead.", log.text)

        @deprecation.deprecated_endpoints("a.b", "c")
        def f():
            pass

        self.assertEqual(f._tf_deprecated_api_names, ("a.b", "c"))
        self.assertRaises(deprecation.DeprecatedNamesAlreadySet, deprecation.deprecated_endpoints("d"), f)

    def test_silence(self):
        @deprecation.deprecated(None, "x")
        def old():
            pass

        with _Logged() as log:
            with deprecation.silence():
                old()
            self.assertEqual(log.text, "")
            old()
        self.assertIn("is deprecated", log.text)

    def test_hidden_attributes(self):
        class A:
            x = deprecation.hide_attribute_from_api("gone")

        self.assertRaisesRegex(AttributeError, "gone", lambda: A().x)

    def test_docstrings(self):
        self.assertEqual(decorator_utils.add_notice_to_docstring("One\ntwo", "Do this.", "none", "(x)", ["Old."]), "One (x)\n\nWarning: Old.\nDo this.\n\ntwo")
        self.assertEqual(decorator_utils.add_notice_to_docstring(None, "", "none", "(x)", ["Old."]), "none\n\nWarning: Old.")
        self.assertEqual(deprecation.rewrite_argument_docstring("`a`: a: b", "a", "c"), "`c`: c: b")


class NamesOfModulesTest(unittest.TestCase):
    def test_remove_undocumented(self):
        module = types.ModuleType("documented_here", "A module.\n\n@@kept\n@@absent\n")
        module.kept, module.gone, module.allowed, module._own = 1, 2, 3, 4
        sys.modules["documented_here"] = module
        self.assertEqual(all_util.make_all("documented_here"), ["kept"])
        all_util.remove_undocumented("documented_here", ["allowed"])
        self.assertEqual(sorted(n for n in vars(module) if not n.startswith("__")), ["_own", "allowed", "kept"])
        all_util.reveal_undocumented("documented_here.gone")
        self.assertEqual(module.gone, 2)
        self.assertRaises(LookupError, all_util.reveal_undocumented, "documented_here.other")

    def test_lazy_loader(self):
        space = {}
        space["colors"] = lazy_loader.LazyLoader("colors", space, "colorsys")
        with _Logged():
            self.assertEqual(space["colors"].rgb_to_hsv(1, 0, 0), (0.0, 1.0, 1))
        import colorsys

        self.assertIs(space["colors"], colorsys)
        with _Logged() as log:
            self.assertIn("sha1", dir(lazy_loader.LazyLoader("h", {}, "hashlib", warning="It is large.")))
        self.assertIn("It is large.", log.text)

    def test_exports(self):
        @tf_export.tf_export("a.f", v1=["b.f", "c.f"])
        def f():
            pass

        self.assertEqual((f._tf_api_names, f._tf_api_names_v1), (("a.f",), ["b.f", "c.f"]))
        self.assertEqual((tf_export.get_v1_names(f), tf_export.get_v2_names(f), tf_export.get_canonical_name_for_symbol(f)), (["b.f", "c.f"], ["a.f"], "a.f"))
        self.assertRaises(tf_export.SymbolAlreadyExposedError, tf_export.tf_export("d"), f)
        self.assertRaises(tf_export.InvalidSymbolNameError, tf_export.tf_export, "estimator.x")
        self.assertRaises(tf_export.InvalidSymbolNameError, tf_export.keras_export, "layers.x")

        @tf_export.tf_export(v1=["only.v1"])
        class C:
            pass

        self.assertEqual(tf_export.get_canonical_name_for_symbol(C, add_prefix_to_v1_names=True), "compat.v1.only.v1")
        with self.assertRaisesRegex(TypeError, r"f only takes keyword args \(possible keys: \['a'\]\)"):
            def f(a):
                return a

            tf_export.kwarg_only(f)(1)

    def test_keyword_arguments_only(self):
        named = keyword_args.keyword_args_only(plain)
        self.assertEqual(named(a=1), (1, 2, (), {}))
        self.assertRaisesRegex(ValueError, "Must use keyword args to call plain.", named, 1)


class SmallTest(unittest.TestCase):
    def test_function_utils(self):
        class Model:
            def fn(self, x, y):
                return x

            def __call__(self, z, **more):
                return z

        self.assertEqual(function_utils.fn_args(plain), ("a", "b"))
        self.assertEqual(function_utils.fn_args(functools.partial(plain, 1)), ("b",))
        self.assertEqual(function_utils.fn_args(functools.partial(plain, b=1)), ("a",))
        self.assertEqual(function_utils.fn_args(Model().fn), ("x", "y"))
        self.assertEqual(function_utils.fn_args(Model()), ("z",))
        self.assertTrue(function_utils.has_kwargs(Model()))
        self.assertFalse(function_utils.has_kwargs(Model().fn))
        self.assertRaises(TypeError, function_utils.has_kwargs, 7)
        self.assertEqual(function_utils.get_func_name(Model().fn), "Model.fn")
        self.assertEqual(function_utils.get_func_name(plain), "plain")
        self.assertIs(function_utils.get_func_code(plain), plain.__code__)

    def test_object_identity(self):
        a, b = [1], [1]
        found = object_identity.ObjectIdentityDictionary()
        found[a], found[b] = "a", "b"
        self.assertEqual((len(found), found[a], found[b], [x is a for x in found]), (2, "a", "b", [True, False]))
        both = object_identity.ObjectIdentitySet([a, b, a])
        self.assertEqual((len(both), a in both, [1] in both), (2, True, False))
        self.assertEqual(len(both - object_identity.ObjectIdentitySet([a])), 1)
        self.assertIs(object_identity.Reference(a).deref(), a)
        self.assertEqual(object_identity.Reference(a), object_identity.Reference(a))
        self.assertNotEqual(object_identity.Reference(a), object_identity.Reference(b))

        class Thing:
            pass

        thing, weak, keys = Thing(), object_identity.ObjectIdentityWeakSet(), object_identity.ObjectIdentityWeakKeyDictionary()
        weak.add(thing)
        keys[thing] = 1
        self.assertEqual((len(weak), len(keys)), (1, 1))
        del thing
        gc.collect()
        self.assertEqual(len(weak), 0)

    def test_group_lock(self):
        lock, seen = lock_util.GroupLock(num_groups=2), []
        with lock.group(0):
            with lock.group(0):
                other = threading.Thread(target=lambda: (lock.acquire(1), seen.append(1), lock.release(1)))
                other.start()
                other.join(0.05)
                self.assertEqual(seen, [])
        other.join()
        self.assertEqual(seen, [1])
        self.assertRaisesRegex(ValueError, "group_id=2 should be between 0 and num_groups=2", lock.group, 2)
        self.assertRaises(ValueError, lock_util.GroupLock, 0)

    def test_json_types(self):
        import numpy as np

        self.assertEqual(serialization.get_json_type(np.float32(0.5)), 0.5)
        self.assertEqual(serialization.get_json_type(np.array([1, 2])), [1, 2])
        self.assertEqual(serialization.get_json_type(tf.TensorShape([1, None])), [1, None])
        self.assertEqual(serialization.get_json_type(plain), "plain")
        self.assertEqual(serialization.get_json_type(collections.OrderedDict(a=1)), {"a": 1})
        self.assertRaises(TypeError, serialization.get_json_type, object())

    def test_messages_are_compared(self):
        a = text_format.Parse('node { name: "x" op: "Const" attr { key: "k" value { f: 0.10000001 } } }', tf.GraphDef())
        b = text_format.Parse('node { name: "x" op: "Const" attr { key: "k" value { f: 0.1 } } }', tf.GraphDef())
        self.assertTrue(compare.ProtoEq(a, a))
        self.assertFalse(compare.ProtoEq(a, tf.GraphDef()))

        class Case(compare.ProtoAssertions, unittest.TestCase):
            def runTest(self):
                pass

        Case().assertProtoEqual("node { name: 'x' op: 'Const' attr { key: 'k' value { f: 0.1 } } }", b, normalize_numbers=True)
        Case().assertProtoEqual(a, b, normalize_numbers=True)
        b.node[0].name = "y"
        self.assertRaises(AssertionError, Case().assertProtoEqual, a, b)

    def test_stacks(self):
        def inner():
            return tf_stack.extract_stack()

        stack = inner()
        self.assertEqual([f.name for f in stack[-2:]], ["test_stacks", "inner"])
        self.assertEqual(list(stack)[-1].func_start_lineno, inner.__code__.co_firstlineno)
        converted = tf_stack.convert_stack(stack[-1:])
        self.assertEqual(converted[0][2:4], ("inner", "return tf_stack.extract_stack()"))

    def test_dispatch(self):
        class Odd:
            pass

        @dispatch.add_dispatch_support
        def size(x, name=None):
            return len(x)

        @dispatch.dispatch_for_types(size, Odd)
        def size_of_odd(x, name=None):
            return -1

        self.assertEqual((size([1, 2]), size(Odd()), size_of_odd(Odd())), (2, -1, -1))
        self.assertRaises(TypeError, size, 3)
        with self.assertRaisesRegex(AssertionError, "signature must exactly match"):
            dispatch.dispatch_for_types(size, Odd)(lambda y: y)

    def test_results_that_must_be_used(self):
        @tf_should_use.should_use_result
        def made():
            return collections.OrderedDict(a=1)

        class Thing:
            size = 3

        @tf_should_use.should_use_result
        def thing():
            return Thing()

        with _Logged() as log:
            self.assertEqual(thing().size, 3)
            gc.collect()
            self.assertEqual(log.text, "")
            thing()
            gc.collect()
            self.assertIn("Object was never used (type", log.text)
        with _Logged() as log:
            thing().mark_used()
            gc.collect()
            self.assertEqual(log.text, "")


class StructuresTest(unittest.TestCase):
    def test_the_first_difference_of_two_structures_is_named(self):
        with self.assertRaisesRegex(ValueError, r'More specifically: Substructure "type=tuple str=\(1, 2\)" is a sequence, while substructure "type=str str=spam" is not'):
            nest.assert_same_structure(((1, 2), 3, 4), ("spam", "eggs"))
        with self.assertRaisesRegex(ValueError, "don't have the same number of elements"):
            nest.assert_same_structure([1, 2], [1])

        class Kept(list):
            pass

        nest.assert_same_structure([1, 2], Kept([1, 2]))

    def test_paths_and_parts_to_go_into(self):
        self.assertEqual(nest.flatten_with_tuple_paths_up_to({"a": [1, 2], "b": 3}, {"a": [[1], 2], "b": (3, 4)}), [(("a", 0), [1]), (("a", 1), 2), (("b",), (3, 4))])
        self.assertEqual(nest.get_traverse_shallow_structure(lambda s: isinstance(s, (list, dict)), {"a": [(1, 2), 3], "b": (4, [5])}), {"a": [False, False], "b": False})
        self.assertEqual(nest.get_traverse_shallow_structure(lambda s: [True, False] if isinstance(s, list) else False, [[1, [2]], [3]]), [[False, False], False])
        with self.assertRaisesRegex(TypeError, "non-bool scalar"):
            nest.get_traverse_shallow_structure(lambda s: 5, [1])


class ReplacedNamesTest(unittest.TestCase):
    def test_a_function_that_a_program_replaces_is_called_by_the_others(self):
        @deprecation.deprecated("2020-01-01", "Use something else.")
        def old():
            return 5

        before = tf_logging.warning
        with tf.test.mock.patch.object(tf_logging, "warning") as warning:
            self.assertEqual(old(), 5)
            self.assertEqual(warning.call_count, 1)
        self.assertIs(tf_logging.warning, before)
        warning.reset_mock()
        with _Logged() as log:
            tf_logging.warning("again %d", 3)
            self.assertIn("again 3", log.text)
        self.assertEqual(warning.call_count, 0)


class SmallModulesTest(unittest.TestCase):
    def test_features_by_date(self):
        self.assertTrue(tf.compat.forward_compatible(2019, 8, 20))
        self.assertFalse(tf.compat.forward_compatible(2019, 8, 21))
        with tf.compat.forward_compatibility_horizon(2019, 9, 1):
            self.assertTrue(tf.compat.forward_compatible(2019, 8, 21))
        self.assertFalse(tf.compat.forward_compatible(2019, 8, 21))

    def test_files_are_compared_by_checksum(self):
        folder = tempfile.mkdtemp()
        one, two = os.path.join(folder, "one"), os.path.join(folder, "two")
        file_io.write_string_to_file(one, "testing")
        file_io.write_string_to_file(two, "testinh")
        self.assertEqual(file_io.file_crc32(one), "0xe8f35a06")
        self.assertFalse(file_io.filecmp(one, two))
        file_io.write_string_to_file(two, "testing")
        self.assertTrue(file_io.filecmp(one, two))

    def test_files_of_plugins_are_written_beside_the_events(self):
        class Notes(plugin_asset.PluginAsset):
            plugin_name = "notes"

            def assets(self):
                return {"a.txt": "first"}

        folder = tempfile.mkdtemp()
        with tf.Graph().as_default() as graph:
            self.assertIs(plugin_asset.get_plugin_asset(Notes), plugin_asset.get_plugin_asset(Notes))
            tf.summary.FileWriter(folder, graph).close()
        with open(os.path.join(folder, "plugins", "notes", "a.txt")) as file:
            self.assertEqual(file.read(), "first")

    def test_flags_of_another_object_are_parsed_on_access(self):
        values = flags.FlagValues()
        wrapped = flags._FlagValuesWrapper(values)
        flags.DEFINE_string("word", "default", "A word.", flag_values=wrapped)
        self.assertFalse(wrapped.is_parsed())
        with tf.test.mock.patch.object(sys, "argv", ["program", "--word=new"]):
            self.assertEqual(wrapped.word, "new")
        self.assertEqual((values.is_parsed(), list(wrapped), len(wrapped), "word" in wrapped), (True, ["word"], 1, True))


if __name__ == "__main__":
    unittest.main()
