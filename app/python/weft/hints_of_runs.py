"""Hints for common mistakes with sessions and tensors: fetches, feeds, tensors used as values. hints.py loads them."""

import re

from .nearest import close_names
from .ops import Tensor
from .util import nest


def _frames(error):
    """Stack frames, innermost first."""
    out, trace = [], error.__traceback__
    while trace is not None:
        out.append(trace.tb_frame)
        trace = trace.tb_next
    return out[::-1]


def _ours(frame):
    return (frame.f_globals.get("__name__") or "").startswith("weft.")


def _run(error):
    return next((f for f in _frames(error) if f.f_code.co_name == "run" and f.f_globals.get("__name__") == "weft.session"), None)


def _program(error):
    """The program's frame that called Weft."""
    return next((f for f in _frames(error) if not _ours(f) and f.f_globals.get("__name__") != "contextlib"), None)


def _names(error, fits):
    """The program's names of such values, from the code that failed."""
    frame = _program(error)
    if frame is None:
        return []
    found = []
    for name in frame.f_code.co_names + frame.f_code.co_varnames + frame.f_code.co_freevars:
        for scope in (frame.f_locals, frame.f_globals):
            if name in scope:
                if fits(scope[name]) and name not in found:
                    found.append(name)
                break
    return found


def _fetched(error, text):
    if not text.startswith("Fetch argument ") or "has invalid type" not in text or _run(error) is None:
        return None
    flat = nest.flatten(_run(error).f_locals.get("fetches"))
    if text.startswith("Fetch argument None "):
        names = _names(error, lambda v: v is None)
        if "merge_all" in _program(error).f_code.co_names:
            return "tf.summary.merge_all gives None where the graph has no summary yet: make the summaries first. Do not run None."
        if "gradients" in _program(error).f_code.co_names or "compute_gradients" in _program(error).f_code.co_names:
            return ("%s None: tf.gradients gives None for what the result does not depend on, or only through ops without gradient (argmax, round, comparisons, casts to integers). "
                    "Leave it out, or take tf.zeros_like of the variable." % (" and ".join(names) + (" is" if len(names) == 1 else " are") if names else "what is fetched is"))
        return ("%s None, and session.run takes tensors, operations and their names. A function without `return` gives None, as do print(…) and list.append(…); so does what was set to None "
                "and never made." % (" and ".join(names) + (" is" if len(names) == 1 else " are") if names else "what is fetched is"))
    wrong = next((f for f in flat if type(f).__module__ == "numpy" or isinstance(f, (int, float, bool))), None)
    if wrong is not None:
        name = (_names(error, lambda v: v is wrong) or [None])[0]
        if name is None:
            return "what is fetched is a value, no tensor; session.run takes tensors, operations and their names."
        return ("%s is a value, no tensor any more: an earlier line like `%s = session.run(%s)` has put the result into the tensor's place. Give the result another name: %s_value = session.run(%s)."
                % (name, name, name, name, name))
    if any(hasattr(f, "minimize") for f in flat):
        return "an optimizer is no operation: train = optimizer.minimize(loss) makes the one to run."
    return None


def _unfed(error, text):
    name = re.match(r"You must feed a value for placeholder tensor '([^']+)'", text)
    run = _run(error)
    if not name or run is None:
        return None
    called = _names(error, lambda v: isinstance(v, Tensor) and v.op.name == name.group(1))
    fed = [getattr(k, "name", str(k)) for k in run.f_locals.get("feed_dict") or ()]
    return ("%s gets its value with each run: session.run(…, feed_dict={%s: …}). %s" % (
        name.group(1), called[0] if called else "'%s:0'" % name.group(1), "Fed was only " + ", ".join(fed) + "." if fed else "What is computed from it needs it too."))


def _feeds(error, text):
    run = _run(error)
    if run is None:
        return None
    missing = re.search(r"The name '([^':]+)' refers to an Operation, not a Tensor", text)
    if missing and text.startswith("Cannot interpret feed_dict key"):
        return "a tensor's name ends with the number of the output: '%s:0'." % missing.group(1)
    if text.startswith("The value of a feed cannot be a tf.Tensor"):
        return "feeds are arrays and numbers: get the tensor's value with session.run first, or build the graph on the tensor in place of the placeholder."
    shapes = re.match(r"Cannot feed value of shape \(([^)]*)\) for Tensor '([^']+)', which has shape '\(([^)]*)\)'", text)
    if shapes:
        have, want = [s for s in shapes.group(1).replace(" ", "").split(",") if s], [s for s in shapes.group(3).replace(" ", "").split(",") if s]
        if len(have) + 1 == len(want) and want[:1] == ["?"]:
            return "%s wants a batch: one more dimension in front, value[np.newaxis] or [value]." % shapes.group(2)
        if len(have) == len(want) + 1 and have[-1:] == ["1"]:
            return "%s wants one dimension less: value[..., 0] or np.squeeze(value, -1)." % shapes.group(2)
        if len(have) == len(want):
            axis = next((i for i, (h, w) in enumerate(zip(have, want)) if w != "?" and h != w), None)
            if axis is not None:
                return "dimension %d of the value is %s, and %s was made with %s there; None stands for any size." % (axis, have[axis], shapes.group(2), want[axis])
    return None


def _key(error, text):
    frame = _program(error)
    if text != "unhashable type: 'numpy.ndarray'" or frame is None or frame.f_globals.get("__name__") == "weft.session":
        return None
    return "a key of the dict is an array. If it is a feed_dict, the placeholder's name has been given to its value: call the two differently."


def _values(error, text):
    symbolic = "A tensor has no value while the graph is built; session.run(tensor) gives it."
    if "as a Python `bool` is not allowed" in text:
        return "Python's if, while, and, or decide while the graph is built. tf.cond, tf.where, tf.while_loop, tf.logical_and decide when it runs; session.run(tensor) gives a value to decide by."
    if text.startswith("iterating over `tf.Tensor` is not allowed"):
        return "tf.unstack(tensor) gives a list where the size is known, tf.map_fn computes for each row. " + symbolic
    if re.match(r"(float|int)\(\) argument must be .*'(Tensor|RefVariable|ResourceVariable)'$", text) or text.startswith("Cannot convert a symbolic Tensor"):
        return symbolic
    if text == "'Tensor' object has no attribute 'numpy'":
        return "numpy() is of eager execution, which TensorFlow 2 has by default. " + symbolic
    if text == "'Tensor' object has no attribute 'assign'":
        names = _names(error, lambda v: isinstance(v, Tensor) and v is getattr(error, "obj", v))
        return "%s a tensor, no variable. `v += 1` and `v = v + 1` make a new tensor and give it the variable's name; v.assign_add(1) changes the variable." % (
            names[0] + " is" if names else "this is")
    types = re.match(r"Input '\w+' of '(\w+)' Op has type (\w+) that does not match type (\w+) of argument", text)
    if types:
        return "types are not converted by themselves: tf.cast(x, tf.%s). A Python number takes the type of the tensor beside it; tf.constant(1) is int32, tf.constant(1.) float32." % (
            types.group(2) if "float" in types.group(2) else types.group(3))
    return None


def _sessions(error, text):
    if text == "Attempted to use a closed Session.":
        return "the session was closed, by close() or at the end of its `with` block: what runs in it belongs into the block."
    if type(error).__name__ == "OutOfRangeError" and "End of sequence" in text:
        return "the data set is at its end: catch tf.errors.OutOfRangeError around the loop, or make it dataset.repeat()."
    if text.startswith("No gradients provided for any variable"):
        return "the loss is computed from none of these variables, or only through ops without gradient (argmax, round, comparisons, casts to integers)."
    if text == "cannot convert 'Tensor' object to bytes":
        return "a summary has to be run first: writer.add_summary(session.run(summary), step)."
    return None


def _by_name(error, text):
    name = re.match(r"The name '([^':]+)' refers to an Operation, not a Tensor\.", text)
    if name:
        return "the tensor is '%s:0'; get_operation_by_name gives the operation." % name.group(1)
    name = re.search(r"The name '([^']+)' refers to (?:a Tensor which does not exist|an Operation not in the graph)", text)
    frame = next((f for f in _frames(error) if hasattr(f.f_locals.get("self"), "get_operations")), None)
    if not name or frame is None:
        return None
    wanted, _, output = name.group(1).partition(":")
    near = close_names(wanted, [op.name for op in frame.f_locals["self"].get_operations()])
    return "the graph has %s." % ", ".join(n + (":" + output if output else "") for n in near) if near else None


HINTS = [_fetched, _unfed, _feeds, _key, _values, _sessions, _by_name]
