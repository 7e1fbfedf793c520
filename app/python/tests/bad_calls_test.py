"""Calls every public function, class and method of tensorflow many times with senseless arguments.

    weft py bad_calls_test.py [--calls N] [--seed S] [--part I/N] [--call K] [NAME…]

Arguments come from recorded calls of programs (recorded_calls.json, written by record_calls.py), with one to three values spoiled. Without a recording, and
in every third call, they are made up from the parameter names, with up to three senseless values.

A call must return a value or raise an exception meant for users. Findings are: the process ends or does not respond, hundreds of megabytes are used,
internals show (C++ types, messages of the extension, INTERNAL), or the package itself fails (NameError, an assertion without message). A function, number and
seed identify a call."""

import faulthandler
import inspect
import json
import os
import random
import resource
import select
import signal
import sys
import tempfile
import time
import traceback
import warnings

import numpy as np
import tensorflow as tf
import weft
from bad_values import ODD, Nothing, Raises, deep, giant, itself, plausible
from recipes import make, spoiled

_ROOT = os.path.dirname(os.path.abspath(weft.__file__))
_NAMES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "api_names.txt")
_INSIDES = ("std::", "bad_variant", "index for variant", "vector::", "basic_string", "map::at", "bad_alloc", "bad_function_call", "bad optional", "Unable to convert call argument",
            "incompatible function arguments", "incompatible constructor arguments", "Unable to cast", "pybind11", "unidentifiable C++", "Unregistered type")
_SECONDS, _PATIENCE, _MEGABYTES = 3, 60, 700  # seconds of processor time; seconds of wall-clock time, on a busy machine; megabytes per call
# Left out: functions that end the process, block, delete files or download something. Operations are created only by their graph.
_LEFT = ("app.run", "test.main", "gfile.DeleteRecursively", "gfile.Remove", "gfile.Rename", "io.gfile.rmtree", "io.gfile.remove", "io.gfile.rename", "io.gfile.copy", "gfile.Copy", "io.gfile.walk", "gfile.Walk",
         "Operation", "keras.utils.get_file", "test.benchmark", "Session.run", "contrib.predictor")
_LEFT_PARTS = ("datasets.", ".join", "_loop", ".Loop", "wait_for", "WaitFor", "StartQueueRunners", "StartStandardServices", "managed_session", "train_and_evaluate", "run_loop", "start_queue_runners", "checkpoints_iterator", "applications.")
_LEFT_METHODS = ("join", "loop", "run_loop", "wait_for_session", "wait_for_stop", "start", "main", "exit", "run")


_RECORDED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "recorded_calls.json")
_recorded = {}
_WALKING = ("keras.preprocessing.",)  # NumPy and Python iterate over the arguments of these, in Keras too: no arrays larger than memory
_ASSERTS = ("build_facts.py", "flag_parsers.py")  # files in which TensorFlow asserts, too


_SAID = ("was not defined in cluster",)  # messages of TensorFlow with the same code


class Slow(BaseException):
    pass


def _late(signum, frame):
    raise Slow()


def _parameters(function):
    try:
        found = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    return [p for p in found if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY) and p.name not in ("self", "cls")]


class Target:
    """A function, a class, or a method of a class."""

    def __init__(self, name, get, plain=None):
        self.name, self.get, self.plain = name, get, plain or get  # plain: the function of a class, without an object

    def recorded_function(self):
        """The function whose recorded calls are used."""
        function = self.plain()
        return function.__init__ if inspect.isclass(function) else getattr(function, "__func__", function)

    def spoil(self, dice):
        """The arguments of a recorded call, with one, two or three of them replaced."""
        given = dict(dice.choice(_recorded[self.name]))
        for name in dice.sample(sorted(given), min(len(given), dice.choice((1, 1, 1, 2, 3)))):
            given[name] = spoiled(given[name], dice) if dice.random() < 0.75 else None
        spare = [p.name for p in _parameters(self.get()) or [] if p.name not in given]
        if spare and dice.random() < 0.3:
            given[dice.choice(spare)] = None
        odd = {name: dice.choice(ODD if dice.random() < 0.7 else plausible(name)) for name, r in sorted(given.items()) if r is None}
        return {name: odd[name] if name in odd else lambda r=r: make(r) for name, r in given.items()}

    def call(self, dice, number):
        """Creates the arguments and calls: every eighth call is plausible, the others have up to three odd values."""
        function = self.get()
        if self.name in _recorded and number % 3:
            given = {name: value() for name, value in self.spoil(dice).items() if value is not giant or not self.name.startswith(_WALKING)}
            kinds = {p.name: p.kind for p in inspect.signature(function).parameters.values()} if given else {}
            positional = [n for n, kind in kinds.items() if kind == inspect.Parameter.POSITIONAL_ONLY and n in given]
            return function(*[given.pop(n) for n in positional], **given)
        parameters = _parameters(function)
        if parameters is None:
            arguments = [dice.choice(ODD)() for _ in range(dice.randrange(4))]
            return function(*arguments)
        needed = [p for p in parameters if p.default is p.empty]
        given = {p.name: dice.choice(plausible(p.name)) for p in needed}
        spare = [p for p in parameters if p.default is not p.empty]
        if number % 8:
            if spare and dice.random() < 0.6:
                for p in dice.sample(spare, min(len(spare), dice.choice((1, 1, 2)))):
                    given[p.name] = dice.choice(plausible(p.name) if dice.random() < 0.3 else ODD)
            for p in dice.sample(needed, min(len(needed), dice.choice((1, 1, 1, 2, 3)))):
                given[p.name] = dice.choice(ODD)
            if dice.random() < 0.03 and given:
                del given[dice.choice(sorted(given))]
            if dice.random() < 0.02:
                given["no_such_argument"] = ODD[0]
        positional = [p.name for p in parameters if p.kind == p.POSITIONAL_ONLY]
        made = {name: make() for name, make in given.items() if make is not giant or not self.name.startswith(_WALKING)}
        return function(*[made.pop(name) for name in positional if name in made], **made)


def _instance(cls):
    """An instance of a class, created with plausible arguments, or None."""
    for attempt in range(6):
        dice = random.Random(attempt)
        parameters = _parameters(cls)
        try:
            return cls(**{p.name: dice.choice(plausible(p.name))() for p in parameters or [] if p.default is p.empty})
        except Exception:
            continue
    return None


def targets(only):
    """Each function and class once, under its shortest name, and the methods of classes that can be instantiated."""
    seen, out = set(), []
    with open(_NAMES, encoding="utf-8") as f:
        names = sorted({line.split("\t")[0].strip() for line in f if not line.startswith("#")}, key=lambda n: (n.count("."), len(n), n))
    for name in names:
        what, owner = tf, None
        for part in name.split("."):
            owner, what = what, getattr(what, part, None)
        if what is None or inspect.ismodule(what) or not callable(what) or inspect.isclass(owner) or id(what) in seen or name.startswith("raw_ops"):
            continue
        seen.add(id(what))
        if name in _LEFT or any(part in name for part in _LEFT_PARTS):
            continue
        out.append(Target(name, lambda what=what: what))
        if not inspect.isclass(what) or issubclass(what, BaseException):
            continue
        for method in sorted(n for n in dir(what) if not n.startswith("_") and callable(getattr(what, n, None))):
            function = getattr(what, method)
            key = getattr(function, "__func__", function)
            if id(key) in seen or method in _LEFT_METHODS or any(part in method for part in _LEFT_PARTS) or isinstance(key, type):
                continue
            seen.add(id(key))

            def get(what=what, method=method):
                made = _instance(what)
                return getattr(made if made is not None else what, method)
            out.append(Target(name + "." + method, get, lambda what=what, method=method: getattr(what, method)))
    keep = [t for t in out if not only or t.name in only or t.name.rpartition(".")[0] in only]
    return keep


def _wrong(error):
    """The problem with an exception, or None."""
    kind, text = type(error).__name__, str(error) if not isinstance(error, KeyError) else repr(error)
    frames = traceback.extract_tb(error.__traceback__)
    last = frames[-1] if frames else None
    where = "%s:%d" % (os.path.relpath(last.filename, _ROOT), last.lineno) if last else "?"
    inside = last is not None and os.path.abspath(last.filename).startswith(_ROOT)
    if any(part in text for part in _SAID):
        return None
    if isinstance(error, SystemError) or kind in ("InternalError", "UnknownError") or any(part in text for part in _INSIDES):
        return "shows its insides at %s: %s: %s" % (where, kind, text.split("\n")[0][:160])
    if isinstance(error, StopIteration) and last is not None and last.name in ("next", "__next__"):
        return None  # the end of an iterator
    if inside and os.path.basename(last.filename) not in _ASSERTS and isinstance(error, (NameError, AssertionError, KeyError, IndexError, StopIteration, ZeroDivisionError)) and (len(text) < 4 or isinstance(error, NameError)):
        return "fails at %s: %s: %s" % (where, kind, text[:100])
    return None


def _run(result):
    """Runs the result of a call if it consists of tensors."""
    parts = result if isinstance(result, (list, tuple)) and len(result) < 8 else [result]
    parts = [p for p in parts if isinstance(p, tf.Tensor) and p.graph is tf.get_default_graph()]
    if parts:
        with tf.Session(config=tf.ConfigProto(operation_timeout_in_ms=300)) as session:
            session.run(parts)


def one(target, number, seed):
    """(the problem with one call or None, whether it returned a value)."""
    dice = random.Random("%s %d %d" % (target.name, number, seed))
    before, begin = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    wrong, value = None, False
    signal.setitimer(signal.ITIMER_PROF, _SECONDS)
    try:
        with tf.Graph().as_default():
            result = target.call(dice, number)
            value = True
            if dice.random() < 0.3:
                _run(result)
    except Slow as e:
        frames = traceback.extract_tb(e.__traceback__)[:-1]
        wrong = "slow at %s:%d" % (os.path.relpath(frames[-1].filename, _ROOT), frames[-1].lineno)
    except Exception as e:
        try:
            wrong = _wrong(e)
        except Exception:
            wrong = None  # its message cannot be formatted
    except BaseException as e:
        wrong = "raises %s" % type(e).__name__
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    more = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    if wrong is None and more > _MEGABYTES * 1024:
        wrong = "takes %d MB" % (more // 1024)
    if wrong is None and time.process_time() - begin > _SECONDS:
        wrong = "slow"
    return wrong, value


def _child(todo, first, options, pipe):
    if "san" not in os.environ.get("LD_PRELOAD", ""):  # sanitizers reserve far more address space
        resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (64 << 20, 64 << 20))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    signal.signal(signal.SIGPROF, _late)
    trace = open(options["trace"], "w")
    faulthandler.enable(trace, all_threads=False)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    if not options["one"]:
        os.dup2(null, 1)
        os.dup2(null, 2)
    warnings.simplefilter("ignore")
    for i, target in enumerate(todo):
        os.makedirs(options["folder"], exist_ok=True)
        os.chdir(options["folder"])
        for number in range(first if i == 0 else 0, options["calls"]):
            if options["one"] is not None and number != options["one"]:
                continue
            pipe.write(json.dumps(["at", i, number]) + "\n")
            pipe.flush()
            wrong, value = one(target, number, options["seed"])
            if wrong or value:
                pipe.write(json.dumps(["wrong", i, number, wrong] if wrong else ["value"]) + "\n")
    pipe.flush()
    os._exit(0)


def try_all(todo, options):
    """Children make the calls. If one dies or hangs, its call is reported; after three such calls the rest of the function is skipped."""
    wrong, calls, values, deaths, first = [], 0, 0, {}, 0
    while todo:
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            _child(todo, first, options, os.fdopen(writing, "w"))
        os.close(writing)
        at, silent, buffer = (0, first), False, b""
        while True:
            if not select.select([reading], [], [], _PATIENCE)[0]:
                silent = True
                os.kill(child, signal.SIGKILL)
                break
            chunk = os.read(reading, 1 << 16)
            if not chunk:
                break
            buffer += chunk
            *lines, buffer = buffer.split(b"\n")
            for line in lines:
                words = json.loads(line)
                if words[0] == "at":
                    at, calls = (words[1], words[2]), calls + 1
                elif words[0] == "value":
                    values += 1
                else:
                    wrong.append("%s %d %s" % (todo[words[1]].name, words[2], words[3]))
                    print(wrong[-1], flush=True)
        os.close(reading)
        _, status = os.waitpid(child, 0)
        if status == 0 and not silent:
            break
        name = todo[at[0]].name
        os.makedirs(options["folder"], exist_ok=True)
        os.chdir(options["folder"])  # a call may have changed or removed the folder
        with open(options["trace"]) as f:
            trace = " < ".join(line.split('"')[1].rpartition("/")[2] + ":" + line.split("line ")[1].split(" ")[0] for line in f if '"' in line and "line " in line)
        how = "is silent" if silent else "ends the process with status %d" % status
        wrong.append("%s %d %s (%s)" % (name, at[1], how, trace[:200]))
        print(wrong[-1], flush=True)
        deaths[name] = deaths.get(name, 0) + 1
        skip = deaths[name] >= 3
        todo, first = todo[at[0] + skip:], 0 if skip else at[1] + 1
        if first >= options["calls"]:
            todo, first = todo[1:], 0
    return wrong, calls, values


# Calls that once ended the process or exposed internals, and the exceptions that they must raise.
_BORDER = {
    "a list as deep as no stack": (lambda: tf.reduce_sum(deep(20000)), RecursionError),
    "a list that holds itself": (lambda: tf.reduce_sum(itself()), RecursionError),
    "a name that is no text": (lambda: tf.add(1, 2, name=3), TypeError),
    "a name that is no Unicode": (lambda: tf.add(1, 2, name="\ud800"), ValueError),
    "an attribute beyond 64 bits": (lambda: tf.one_hot([0], 2, axis=2 ** 70), ValueError),
    "a size beyond 64 bits": (lambda: tf.placeholder(tf.float32, [2 ** 70]).shape.as_list() and tf.reshape(tf.zeros([4]), [2 ** 70]), (ValueError, OverflowError, TypeError)),
    "a type by a number beyond 64 bits": (lambda: tf.cast(1.0, 2 ** 70), (TypeError, ValueError)),
    "an output that the operation has not": (lambda: tf.Tensor(tf.constant(1.0).op, 99, tf.float32).get_shape(), IndexError),
    "such an output as an argument": (lambda: tf.identity(tf.Tensor(tf.constant(1.0).op, 99, tf.float32)), IndexError),
    "a name of the graph that is no text": (lambda: tf.get_default_graph().unique_name(3), TypeError),
    "a truth that cannot be asked for": (lambda: tf.get_default_graph().unique_name("a", mark_as_used=Raises()), ValueError),
    "an object without a class": (lambda: tf.add(Nothing(), 1), ValueError),
    "a path that is no Unicode": (lambda: tf.train.load_checkpoint("\ud800"), ValueError),
    "slices among what a check shows": (lambda: tf.assert_non_positive(tf.constant([1.0]), data=[tf.IndexedSlices(tf.constant([1.0]), tf.constant([0]))]), tf.errors.InvalidArgumentError),
    "slices without a shape where tensors are wanted": (lambda: tf.Print(1.0, [tf.IndexedSlices(tf.constant([1.0]), tf.constant([0]))]), ValueError),
    "a list of rows that are one number together": (lambda: tf.nn.max_pool([[1.0]], [1] + list(np.broadcast_to(np.float32(1), (2 ** 14, 2 ** 20))), 1, "SAME"), ValueError),
    "an array that is split into a million rows": (lambda: tf.parallel_stack(np.broadcast_to(np.float32(1), (2 ** 20, 2 ** 20))), ValueError),
    "a million times a thousand parts": (lambda: tf.dynamic_partition(tf.ragged.constant([[1, 2], [3]]), [0, 1], 2 ** 31), ValueError),
    "a seed that is no number": (lambda: tf.set_random_seed("a") or tf.random_normal([2]), (TypeError, ValueError)),
    "an array that NumPy refuses": (lambda: tf.constant(Raises()), Exception),
}


def border():
    """Problems at the border between Python and the engine."""
    wrong = []
    for words, (call, expected) in _BORDER.items():
        with tf.Graph().as_default():
            try:
                wrong.append("%s: gives %r" % (words, call()))
            except expected as e:
                if _wrong(e):
                    wrong.append("%s: %s" % (words, _wrong(e)))
            except Exception as e:
                wrong.append("%s: raises %s: %s" % (words, type(e).__name__, e))
    return wrong


def main():
    options, only, part = {"calls": 3, "seed": 1, "one": None}, [], (0, 1)
    words = iter(sys.argv[1:])
    for word in words:
        if word in ("--calls", "--seed"):
            options[word[2:]] = int(next(words))
        elif word == "--call":
            options["one"] = int(next(words))
            options["calls"] = max(options["calls"], options["one"] + 1)
        elif word == "--part":
            part = tuple(int(n) for n in next(words).split("/"))
        else:
            only.append(word)
    tf.logging.set_verbosity(tf.logging.FATAL)
    with open(_RECORDED, encoding="utf-8") as f:
        _recorded.update(json.load(f))
    with tempfile.TemporaryDirectory() as folder:
        options.update(folder=os.path.join(folder, "calls"), trace=os.path.join(folder, "trace"))
        os.mkdir(options["folder"])
        os.chdir(options["folder"])
        with tf.Graph().as_default():
            todo = targets(only)[part[0]::part[1]]
        wrong, calls, values = try_all(todo, options)
        os.chdir("/")
    shown = border()
    for line in shown:
        print(line)
    wrong += shown
    print("%d functions, %d calls: %d values, %d findings (seed %d)" % (len(todo), calls, values, len(wrong), options["seed"]))
    return 1 if wrong or calls < len(todo) else 0


if __name__ == "__main__":
    sys.exit(main())
