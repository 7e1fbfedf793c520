"""Runs one of TensorFlow's own test files on the engine that `import tensorflow` gives, test by test, and appends a line of JSON for each to OUT.

    run_file.py CHECKOUT FILE OUT [SECONDS_PER_TEST]        FILE relative to CHECKOUT, which holds tensorflow/python/…

A line is written before each test ("begun") and after it, so that a process that dies names its test. With AS_MAIN=1 execution is eager from the start where the
file's main block, or the test module that it imports, says so.
"""
import importlib.util
import json
import os
import signal
import sys
import time
import traceback
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
root, name, out = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3]
limit = int(sys.argv[4]) if len(sys.argv) > 4 else 30
sys.argv = [os.path.join(root, name)]
log = open(out, "a", buffering=1)


def say(**row):
    log.write(json.dumps(dict(file=name, **row)) + "\n")


class Late(BaseException):
    pass


def late(*_):
    raise Late("longer than %d s" % limit)


def last_lines(error):
    return "".join(traceback.format_exception(*error))[-900:]


class Result(unittest.TestResult):
    outcome = None

    def addSuccess(self, test):
        self.outcome = self.outcome or ("passed", "")

    def addSkip(self, test, why):
        self.outcome = ("skipped", why[:200])

    def addError(self, test, error):
        self.outcome = ("error", last_lines(error))

    def addFailure(self, test, error):
        self.outcome = ("failed", last_lines(error))

    def addExpectedFailure(self, test, error):
        self.outcome = ("passed", "")

    def addSubTest(self, test, sub, error):
        if error:
            self.outcome = ("failed", last_lines(error))


def load():
    import tensorflow as tf

    if not hasattr(tf, "__compiler_version__") or "weft" in (getattr(tf, "__file__", "") or ""):
        import helpers

        eager = hasattr(tf, "enable_eager_execution") and os.environ.get("GRAPH_ONLY") != "1"
        helpers.install(root, eager)
    from tensorflow.python.platform import googletest, test

    if os.environ.get("AS_MAIN") == "1":
        with open(os.path.join(root, name)) as f:
            source = f.read()
        if "from tensorflow.python.eager import test\n" in source or "enable_eager_execution(" in source.partition("__name__ ==")[2]:
            tf.compat.v1.enable_eager_execution()
    spec = importlib.util.spec_from_file_location("__main__tests__", os.path.join(root, name))
    module = importlib.util.module_from_spec(spec)
    sys.modules["__main__tests__"] = module
    for m in (test, googletest):
        m.main = lambda *a, **k: None
    spec.loader.exec_module(module)
    try:
        tf.flags.FLAGS(sys.argv)
    except Exception:  # a file that defines no flags
        pass
    suite = unittest.defaultTestLoader.loadTestsFromModule(module)
    if "helpers" in sys.modules:
        sys.modules["helpers"].loading = False
    return suite


def flat(suite):
    for item in suite:
        if isinstance(item, unittest.TestSuite):
            yield from flat(item)
        else:
            yield item


def short(test):
    return test.id().split("__main__tests__.")[-1]


def run(test):
    result, begin = Result(), time.time()
    say(test=short(test), outcome="begun")
    try:
        signal.alarm(limit)
        test.run(result)
        signal.alarm(0)
    except Late as e:
        result.outcome = ("late", repr(e))
    except BaseException as e:
        signal.alarm(0)
        result.outcome = ("error", repr(e)[:300])
    outcome, why = result.outcome or ("unknown", "")
    say(test=short(test), outcome=outcome, why=why, s=round(time.time() - begin, 3))


def main():
    signal.signal(signal.SIGALRM, late)
    try:
        signal.alarm(120)
        suite = load()
        signal.alarm(0)
    except BaseException as e:
        signal.alarm(0)
        say(test="*import*", outcome="error", why=repr(e)[:300], trace=traceback.format_exc()[-700:])
        log.close()
        os._exit(1)
    classes = {}
    for test in flat(suite):
        classes.setdefault(type(test), []).append(test)
    for cls, tests in classes.items():
        try:
            cls.setUpClass()
        except BaseException as e:
            for test in tests:
                say(test=short(test), outcome="error", why="setUpClass: " + repr(e)[:300])
            continue
        for test in tests:
            run(test)
        try:
            cls.tearDownClass()
        except BaseException:
            pass
    log.close()
    os._exit(0)


main()
