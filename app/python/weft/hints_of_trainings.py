"""Hints about trainings that run without an error but probably not as intended; printed once per program, when a session that trained is closed."""

import atexit
import os
import sys

from . import _weft, targets

_MOST_LOOKS = 20  # each check is linear in the graph's size, and some programs open thousands of sessions
_looks = 0
_said = set()


def _made(op):
    line = op._line
    return " (%s:%d)" % (os.path.basename(line[0]), line[1]) if line else ""


def _updates(op, unused_source):
    return ("the moving averages of batch normalization were never updated: %s%s is in tf.GraphKeys.UPDATE_OPS, and no step that trained ran it. Prediction will use their first "
            "values. Make the training op wait for them:\n"
            "    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):\n        train_op = optimizer.minimize(loss)" % (op.name, _made(op)))


def _softmax(op, source):
    return ("the loss %s%s applies %s to its logits itself, and they come from %s%s: it is applied twice, which makes gradients small. Give the loss the values before %s."
            % (op.name, _made(op), "softmax" if "Softmax" in op.type else "sigmoid", source.name, _made(source), source.name))


def _step(op, unused_source):
    return ("nothing increments %s%s while the program trains, so decays, hooks and summaries that go by it stand still: pass it on, "
            "optimizer.minimize(loss, global_step=tf.train.get_or_create_global_step())." % (op.name, _made(op)))


_SENTENCES = {"updates": _updates, "softmax": _softmax, "step": _step}


def look(session):
    """Checks what a session has run and prints hints about likely mistakes."""
    global _looks
    graph = session._graph
    ran, session._ran = session._ran, set()
    if _looks >= _MOST_LOOKS or len(_said) == len(_SENTENCES):
        return
    _looks += 1
    for kind, node, source in _weft.training_mistakes(graph._core, sorted(ran)):
        if kind not in _said:
            _said.add(kind)
            operation = graph._core.operation
            sys.stderr.write("weft: hint: %s\n" % _SENTENCES[kind](operation(node), operation(source) if source >= 0 else None))


def at_exit():
    for s in targets.open_sessions():
        if s._ran:
            look(s)


def attach():
    from . import session

    session.watch_trainings = look
    atexit.register(at_exit)
