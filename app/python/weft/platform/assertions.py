"""Assertions of tf.test.TestCase that concern no tensors: containers, texts, messages, threads, streams."""

import contextlib
import os
import re
import tempfile
import threading
import unittest

from ..errors import OpError
from ..exports import names


class CheckedThread:
    """A thread whose exception becomes the test's failure when it is joined."""

    def __init__(self, test, target, args=(), kwargs=None):
        self._test, self._target, self._args, self._kwargs = test, target, args, kwargs or {}
        self._thread = threading.Thread(target=self._run)
        self._exception = None
        self._thread_was_joined = False

    def _run(self):
        try:
            self._target(*self._args, **self._kwargs)
        except Exception as e:
            self._exception = e

    def start(self):
        self._thread.start()

    def join(self):
        self._thread_was_joined = True
        self._thread.join()
        if self._exception is not None:
            self._test.fail("Error in checkedThread: %s" % str(self._exception))

    def is_alive(self):
        return self._thread.is_alive()

    def check_termination(self):
        """The test is over: fails if the thread runs on, or was never joined."""
        if self._thread_was_joined:
            if self.is_alive():
                self._test.fail("Thread was not joined with main thread, and is still running when the test finished.")
        else:
            self._test.fail("A checked thread was not joined.")


class CapturedWrites:
    """What was written to a stream while it was captured."""

    def __init__(self, path):
        self._path = path

    def contents(self):
        with open(self._path) as f:
            return f.read()


class Assertions(unittest.TestCase):
    """Those of absl's TestCase that TensorFlow's users know, and those for messages and threads."""

    assertItemsEqual = unittest.TestCase.assertCountEqual
    assertRaisesRegexp = unittest.TestCase.assertRaisesRegex

    def assertEmpty(self, container, msg=None):
        if len(container):
            self.fail(self._formatMessage(msg, "%r has length of %d." % (container, len(container))))

    def assertNotEmpty(self, container, msg=None):
        if not len(container):
            self.fail(self._formatMessage(msg, "%r has length of 0." % (container,)))

    def assertLen(self, container, expected_len, msg=None):
        if len(container) != expected_len:
            self.fail(self._formatMessage(msg, "%r has length of %d, expected %d." % (container, len(container), expected_len)))

    def assertBetween(self, value, minv, maxv, msg=None):
        if not minv <= value <= maxv:
            self.fail(self._formatMessage(msg, "\"%r\" unexpectedly not between \"%r\" and \"%r\"" % (value, minv, maxv)))

    def assertContainsSubset(self, expected_subset, actual_set, msg=None):
        missing = set(expected_subset) - set(actual_set)
        if missing:
            self.fail(self._formatMessage(msg, "Missing elements %s\nExpected: %s\nActual: %s" % (missing, expected_subset, actual_set)))

    def assertNoCommonElements(self, expected_seq, actual_seq, msg=None):
        common = set(expected_seq) & set(actual_seq)
        if common:
            self.fail(self._formatMessage(msg, "Common elements %s\nExpected: %s\nActual: %s" % (common, expected_seq, actual_seq)))

    def assertSameElements(self, expected_seq, actual_seq, msg=None):
        self.assertEqual(set(expected_seq), set(actual_seq), msg)

    def assertSequenceAlmostEqual(self, expected_seq, actual_seq, places=None, msg=None, delta=None):
        self.assertEqual(len(expected_seq), len(actual_seq), msg)
        for expected, actual in zip(expected_seq, actual_seq):
            self.assertAlmostEqual(expected, actual, places=places, msg=msg, delta=delta)

    def assertStartsWith(self, actual, expected_start, msg=None):
        if not actual.startswith(expected_start):
            self.fail("%r does not start with %r%s" % (actual, expected_start, " : %r" % (msg,) if msg else ""))

    def assertEndsWith(self, actual, expected_end, msg=None):
        if not actual.endswith(expected_end):
            self.fail(self._formatMessage(msg, "%r does not end with %r" % (actual, expected_end)))

    def assertRaisesWithLiteralMatch(self, expected_exception, expected_exception_message, callable_obj=None, *args, **kwargs):
        pattern = "^%s$" % re.escape(expected_exception_message)
        return self.assertRaisesRegex(expected_exception, pattern, *((callable_obj,) + args if callable_obj is not None else ()), **kwargs)

    @contextlib.contextmanager
    def assertRaisesWithPredicateMatch(self, exception_type, expected_err_re_or_predicate):
        """Asserts an exception of a type for which the predicate holds, or whose message the pattern is found in."""
        if callable(expected_err_re_or_predicate):
            predicate = expected_err_re_or_predicate
        else:
            def predicate(e):
                text = e.message if isinstance(e, OpError) else str(e)
                op = e.op if isinstance(e, OpError) else None
                while op is not None:
                    text += "\nCaused by: " + op.name
                    op = getattr(op, "_original_op", None)
                return re.search(expected_err_re_or_predicate, text)
        try:
            yield
        except Exception as e:
            if not isinstance(e, exception_type) or not predicate(e):
                raise AssertionError("Exception of type %s: %s" % (str(type(e)), str(e))) from e
            return
        self.fail("%s not raised" % getattr(exception_type, "__name__", exception_type))

    def assertRaisesOpError(self, expected_err_re_or_predicate):
        return self.assertRaisesWithPredicateMatch(OpError, expected_err_re_or_predicate)

    def assertProtoEquals(self, expected_message_maybe_ascii, message, msg=None):
        """Asserts that a message equals another one, or the one that a text describes."""
        from google.protobuf import text_format  # loads slowly, and few tests need it

        from ..util import proto_compare

        expected = expected_message_maybe_ascii
        if isinstance(expected, str):
            expected = type(message)()
            text_format.Merge(expected_message_maybe_ascii, expected)
        elif not isinstance(expected, type(message)):
            raise AssertionError("Can't compare protos of type %s and %s. %s" % (type(expected), type(message), msg or ""))
        if not proto_compare.ProtoEq(expected, message):
            proto_compare.assertProtoEqual(self, expected, message, normalize_numbers=True, msg=msg)

    def assertProtoEqualsVersion(self, expected, actual, producer=None, min_consumer=None, msg=None):
        """Like assertProtoEquals for a GraphDef without versions: TensorFlow's own, or those that are given, are expected."""
        producer = names["version.GRAPH_DEF_VERSION"] if producer is None else producer
        min_consumer = names["version.GRAPH_DEF_VERSION_MIN_CONSUMER"] if min_consumer is None else min_consumer
        self.assertProtoEquals("versions { producer: %d min_consumer: %d };\n%s" % (producer, min_consumer, expected), actual, msg=msg)

    def checkedThread(self, target, args=None, kwargs=None):
        """A thread whose exception fails the test; it has to be joined before the test ends."""
        made = CheckedThread(self, target, args or (), kwargs)
        self._threads.append(made)
        return made

    @contextlib.contextmanager
    def captureWritesToStream(self, stream):
        """Yields an object whose contents() are what is written to the stream's file descriptor meanwhile."""
        stream.flush()
        descriptor = stream.fileno()
        file, path = tempfile.mkstemp(dir=self.get_temp_dir())
        before = os.dup(descriptor)
        os.dup2(file, descriptor)
        try:
            yield CapturedWrites(path)
        finally:
            stream.flush()
            os.close(file)
            os.dup2(before, descriptor)
            os.close(before)
