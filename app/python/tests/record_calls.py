"""Records calls of public functions, classes and methods, for bad_calls_test.py.

    weft py record_calls.py

runs tests/programs, tests/golden/api_scripts and the tests of this folder in separate processes, and records the arguments of up to a dozen different calls
of each function in recorded_calls.json. Arguments are stored as recipes: numbers, texts and lists literally; tensors, arrays, variables and functions by the
properties that are needed to make similar ones. Calls with other arguments are left out."""

import collections
import glob
import inspect
import json
import os
import random
import signal
import sys
import tempfile
import threading

import numpy as np
import tensorflow as tf
import bad_calls_test
from recipes import recipe

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
CALLS, SECONDS = 12, 60
TESTS = ("core_test", "keras_test", "columns_test", "functions_test", "keras_order_test", "strings_test", "settings_test", "profiler_test", "tpu_test", "flags_test", "hints_test", "versions_test")


def codes():
    """Code object -> name of its target, and recipes of its defaults."""
    found = {}
    for target in bad_calls_test.targets([]):
        function = target.recorded_function()
        function = inspect.unwrap(function) if callable(function) else function
        code = getattr(function, "__code__", None)
        if code is not None:
            found.setdefault(code, (target.name, {p.name: recipe(p.default) for p in inspect.signature(function).parameters.values() if p.default is not p.empty}))
    return found


class Recorder:
    def __init__(self, known):
        self.known, self.calls, self.busy = known, collections.defaultdict(list), False

    def __call__(self, frame, event, argument):
        name, defaults = self.known.get(frame.f_code, (None, None)) if event == "call" else (None, None)
        if name is None or self.busy or len(self.calls[name]) >= 4 * CALLS:
            return
        self.busy = True
        try:
            code = frame.f_code
            names = code.co_varnames[:code.co_argcount + code.co_kwonlyargcount]
            given = {n: recipe(frame.f_locals[n]) for n in names if n not in ("self", "cls") and n in frame.f_locals}
            given = {n: r for n, r in given.items() if n not in defaults or r != defaults[n]}
            if given and None not in given.values() and given not in self.calls[name]:
                self.calls[name].append(given)
        except Exception:
            pass  # a value that cannot be inspected
        finally:
            self.busy = False


def script(path, known):
    """The calls of one script, run in this process."""
    recorder = Recorder(known)
    with open(path, encoding="utf-8") as f:
        source = f.read()
    sys.path.insert(0, os.path.dirname(path))
    sys.argv = [path]
    names = {"tf": tf, "np": np, "raises": lambda f: None, "show": lambda *a: None, "__name__": "__main__", "__file__": path}
    threading.setprofile(recorder)
    sys.setprofile(recorder)
    try:
        exec(compile(source, path, "exec"), names)
    except BaseException:
        pass
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return recorder.calls


def main():
    known = codes()
    paths = sorted(glob.glob(os.path.join(ROOT, "tests/programs/EX_*.py")) + glob.glob(os.path.join(ROOT, "tests/golden/api_scripts/*.py")) + glob.glob(os.path.join(HERE, "names", "*.py")))
    paths += [os.path.join(HERE, t + ".py") for t in TESTS]
    calls = collections.defaultdict(list)
    for path in paths:
        with tempfile.TemporaryDirectory() as folder:
            child = os.fork()
            if child == 0:
                os.chdir(folder)
                null = os.open(os.devnull, os.O_RDWR)
                for stream in (0, 1, 2):
                    os.dup2(null, stream)
                signal.alarm(SECONDS)
                made = script(path, known)
                with open("calls.json", "w") as f:
                    json.dump(made, f)
                os._exit(0)
            os.waitpid(child, 0)
            try:
                with open(os.path.join(folder, "calls.json")) as f:
                    made = json.load(f)
            except (OSError, ValueError):
                print("nothing of %s" % path, flush=True)
                continue
        for name, more in made.items():
            calls[name] += [c for c in more if c not in calls[name]]
    dice = random.Random(1)
    kept = {name: c if len(c) <= CALLS else dice.sample(c, CALLS) for name, c in sorted(calls.items()) if c}
    with open(os.path.join(HERE, "recorded_calls.json"), "w") as f:
        f.write("{\n%s\n}\n" % ",\n".join("%s: %s" % (json.dumps(n), json.dumps(c, separators=(",", ":"))) for n, c in kept.items()))
    print("%d functions, %d calls" % (len(kept), sum(map(len, kept.values()))))


if __name__ == "__main__":
    main()
