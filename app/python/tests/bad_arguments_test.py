"""Calls every function below tf with senseless arguments. Each call must build something or raise an exception of Python or TensorFlow; none may end the
process or expose internals of the engine.

    weft py bad_arguments_test.py [NAME…]"""

import inspect
import itertools
import json
import keyword
import os
import sys

import numpy as np
import tensorflow as tf
from weft import _weft, op_calls, records

INSIDES = ("std::", "bad_variant", "index for variant", "vector::", "basic_string", "map::at", "bad_alloc", "bad_function_call", "bad optional")


ONE_BY_ONE = ("None", "text", "a list", "a sparse tensor")


class Odd:
    """An object of a type unknown to TensorFlow."""


def values():
    """Senseless values of all kinds; tensors are created in the current default graph."""
    elsewhere = tf.Graph()
    with elsewhere.as_default():
        foreign = tf.constant(1.0)
    return [("None", None), ("an object", Odd()), ("text", "text"), ("a number", 3), ("a list", [1, "a", None]), ("an empty list", []), ("another graph's tensor", foreign),
            ("a text tensor", tf.constant(["a", "b"])), ("a sparse tensor", tf.SparseTensor([[0, 1]], [1.0], [2, 2])), ("a large array", np.ones((2, 3, 4, 5, 6))),
            ("an empty array", np.zeros((0, 3), np.float32)), ("negative", -7), ("a function", lambda *a: None), ("a type", tf.float32)]


def functions(only):
    for name in sorted(set(_weft.api_names())):
        if (not only or name in only) and not keyword.iskeyword(name.rpartition(".")[2]):
            yield name, records.function(name)
    for name in sorted(op_calls.public):
        op = op_calls.public[name]
        if op is not None and op_calls.known(op) and (not only or name in only):
            yield name, op_calls.make(op)


def trials(function):
    """Arguments as (description, list): all the same, then one odd value among plausible ones."""
    try:
        parameters = [p for p in inspect.signature(function).parameters.values() if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    except (TypeError, ValueError):
        return
    needed = [p for p in parameters if p.default is p.empty]
    for word, value in values():
        yield "all " + word, [value] * len(needed)
        for i in range(len(needed) if len(needed) > 1 and word in ONE_BY_ONE else 0):
            rest = [tf.constant([[1.0, 2.0]])] * len(needed)
            rest[i] = value
            yield "%s = %s" % (needed[i].name, word), rest


def one(function):
    """Problems with the exceptions of a function, as lines."""
    wrong, number = [], 0
    while True:
        with tf.Graph().as_default():
            trial = next(itertools.islice(trials(function), number, None), None)
            if trial is None:
                return wrong
            word, arguments = trial
            try:
                function(*arguments)
            except Exception as e:
                text = "%s: %s" % (type(e).__name__, e)
                if isinstance(e, (SystemError, MemoryError)) or any(part in text for part in INSIDES):
                    wrong.append("%s: %s" % (word, text.split("\n")[0][:160]))
        number += 1


def apart(work):
    """Calls work() for each function in a child process. If the child dies, the function is reported and another child continues with the next one."""
    todo, wrong, done = work, [], 0
    while todo:
        reading, writing = os.pipe()
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            os.close(reading)
            pipe = os.fdopen(writing, "w", buffering=1)
            for name, function in todo:
                pipe.write(json.dumps([name, None]) + "\n")
                pipe.write(json.dumps([name, one(function)]) + "\n")
            pipe.close()
            os._exit(0)
        os.close(writing)
        last = None
        with os.fdopen(reading) as pipe:
            for line in pipe:
                last, found = json.loads(line)
                if found is not None:
                    done += 1
                    wrong += ["%s: %s" % (last, f) for f in found[:3]]
        _, status = os.waitpid(child, 0)
        if status == 0:
            break
        wrong.append("%s: the process ended with status %d" % (last, status))
        todo = todo[[n for n, _ in todo].index(last) + 1:]
    return done, wrong


def main():
    tf.logging.set_verbosity(tf.logging.ERROR)
    work = list(functions(sys.argv[1:]))
    done, wrong = apart(work)
    for line in wrong:
        print(line)
    print("%d functions, %d complaints" % (done, len(wrong)))
    return 1 if wrong or done < len(work) - len(wrong) else 0


if __name__ == "__main__":
    sys.exit(main())
