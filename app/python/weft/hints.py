"""Hints below the traceback for common mistakes: one sentence with the likely fix, in the names of the program.

attach() hooks into sys.excepthook; nothing is computed until a program fails. TensorFlow's own messages stay unchanged.
"""

import os
import re
import sys
import unicodedata

from .nearest import close_names, MOST_NAMES

_QUOTES = {"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u3001": ",", "\u3002": "."}


def _frames(error):
    """Stack frames, innermost first."""
    out = []
    trace = error.__traceback__
    while trace is not None:
        out.append(trace.tb_frame)
        trace = trace.tb_next
    return out[::-1]


def _frame(error, function, module):
    for frame in _frames(error):
        if frame.f_code.co_name == function and frame.f_globals.get("__name__") == module:
            return frame
    return None


def _made(op):
    line = op._line if op is not None else None
    return " (%s:%d)" % (os.path.basename(line[0]), line[1]) if line else ""


def _scope(error):
    """'the variable scope foo, which has reuse=True', for the get_variable call that failed."""
    frame = _frame(error, "get_variable", "weft.variable_scope")
    while frame is not None and "var_store" not in frame.f_locals:
        frame = frame.f_back if frame.f_back is not None and frame.f_back.f_code.co_name == "get_variable" else None
    scope = frame.f_locals.get("self") if frame is not None else None
    if scope is None:
        return "the variable scope"
    return "the variable scope %s, which has reuse=%s" % ("'%s'" % scope.name if scope.name else "at the top", scope.reuse)


def _variable_missing(error, text):
    name = re.match(r"Variable (\S+) does not exist", text)
    if not name:
        return None
    store = _frame(error, "_single", "weft.variable_store")
    names = close_names(name.group(1), list(store.f_locals["self"]._vars)) if store is not None else []
    there = "There is %s." % ", ".join(names) if names else "tf.get_variable has made no such variable yet; tf.Variable's are never shared."
    return ("get_variable ran in %s: it only looks for %s and makes nothing. reuse comes from the scopes around, not from the name. %s" % (_scope(error), name.group(1), there))


def _variable_there(error, text):
    name = re.match(r"Variable (\S+) already exists, disallowed", text)
    if not name:
        return None
    store = _frame(error, "_single", "weft.variable_store")
    there = store.f_locals["self"]._vars.get(name.group(1)) if store is not None else None
    return ("get_variable ran in %s: it makes %s anew, which is there already%s. To share it, enter the scope with reuse=tf.AUTO_REUSE; for another variable, take another name or scope."
            % (_scope(error), name.group(1), _made(getattr(there, "op", None))))


def _other_graph(error, text):
    if "is not an element of this graph" not in text:
        return None
    frame = _frame(error, "_add", "weft.session")
    run = _frame(error, "run", "weft.session")
    if frame is None or run is None or not hasattr(frame.f_locals.get("fetch"), "graph"):
        return None
    fetch, graph = frame.f_locals["fetch"], run.f_locals["self"].graph

    def words(g):
        names = [g._core.name(i) for i in range(min(g._core.size(), 3))]
        return "%d node%s: %s%s" % (g._core.size(), "" if g._core.size() == 1 else "s", ", ".join(names), ", …" if g._core.size() > 3 else "") if names else "empty"

    op = getattr(fetch, "op", fetch)
    return ("the session has one graph (%s), but %s%s was made in another one (%s). A session runs one graph: give it that graph, tf.Session(graph=…), or make the op below "
            "`with graph.as_default():`." % (words(graph), getattr(fetch, "name", fetch), _made(op), words(fetch.graph)))


def _uninitialized(error, text):
    name = re.search(r"Attempting to use uninitialized value (\S+)", text) or re.search(r"reading resource variable (\S+) from", text)
    run = _frame(error, "run", "weft.session")
    if not name or run is None:
        return None
    name, graph = name.group(1), run.f_locals["self"].graph
    operations = graph.get_operations()
    groups = [op for op in operations if op.type == "NoOp" and op.control_inputs and all(c.type in ("Assign", "AssignVariableOp") for c in op.control_inputs)]
    variable = next((op for op in operations if op.name == name), None)
    if any(c.inputs and c.inputs[0].op.name == name for op in groups for c in op.control_inputs):
        return "%s gives %s its value, but this session has not run it. Each session has values of its own: run the initializer in this one, first." % (
            next(op.name for op in groups if any(c.inputs and c.inputs[0].op.name == name for c in op.control_inputs)), name)
    if groups:
        return ("the initializer %s%s was made before the variable %s%s and does not know it. Make tf.global_variables_initializer() after all variables, optimizers' included."
                % (groups[-1].name, _made(groups[-1]), name, _made(variable)))
    return "nothing has given %s a value in this session. Make tf.global_variables_initializer() after all variables and run it in this session, or restore a checkpoint." % name


def _none(error, text):
    if not text.startswith("None values not supported"):
        return None
    return ("a None came where a tensor is wanted. tf.gradients and compute_gradients give None for what the loss does not depend on: leave those out "
            "(… for g, v in pairs if g is not None) or take tf.zeros_like(v).")


def _checkpoint(error, text):
    path = re.match(r"The passed save_path is not a valid checkpoint: (.+)", text)
    if not path:
        return None
    folder = os.path.dirname(path.group(1)) or "."
    if not os.path.isdir(folder):
        return "there is no folder %s. Paths are relative to %s." % (folder, os.getcwd())
    names = sorted({n[:-6] for n in os.listdir(folder) if n.endswith(".index")} | {n[:-5] for n in os.listdir(folder) if n.endswith(".meta")})
    if not names:
        return "%s holds no checkpoint." % folder
    near = close_names(os.path.basename(path.group(1)), names) or names[:MOST_NAMES]
    return "%s holds %s. A checkpoint is named without .index and .data, with its step; tf.train.latest_checkpoint(%r) gives the newest." % (folder, ", ".join(near), folder)


def _arguments(error, text):
    if re.match(r"\w+\(\) takes 0 positional arguments but 1 was given", text) and _frame(error, "run", "weft.platform.app") is not None:
        return "tf.app.run calls main with the arguments that are no flags: write def main(argv):, or def main(_):."
    if _frame(error, "concat", "weft.generated") is not None or any(f.f_code.co_name == "concat" for f in _frames(error)):
        if "must have rank 0" in text or "must be rank" in text:
            return "tf.concat takes the values first and the axis after them, tf.concat([a, b], axis); before TensorFlow 1.0 the axis came first. " + _translation(error)
    return None


def _translation(error):
    """How the file that failed becomes one for Python 3 and TensorFlow 1.x. The IDE looks for the command and offers to run it."""
    program, here = os.path.abspath(sys.argv[0]), os.path.dirname(os.path.abspath(__file__))
    files = [error.filename] if isinstance(error, SyntaxError) else [f.f_code.co_filename for f in _frames(error)]
    own = (os.path.abspath(f) for f in files if f and os.path.isfile(f))
    failed = next((f for f in own if not f.startswith(here + os.sep) and not {"site-packages", "dist-packages"} & set(f.split(os.sep))), program)
    return "`weft py --migrate %s` translates the %s." % (os.path.relpath(failed, os.path.dirname(program)), "program" if failed == program else "module")


def _before_1_0(error, text):
    """Calls and names of TensorFlow before 1.0."""
    named = re.match(r"Only call `(\w+)` with named arguments", text)
    if named:
        return "before TensorFlow 1.0 %s took logits first. %s" % (named.group(1), _translation(error))
    missing = re.match(r"No module named '(tensorflow\.models)'", text) or re.match(r"cannot import name '(seq2seq|rnn_cell)' from 'tensorflow", text)
    return "%s is TensorFlow before 1.0. %s" % (missing.group(1), _translation(error)) if missing else None


def _python_2(error, text):
    """Names that exist only in Python 2."""
    if isinstance(error, SyntaxError):
        line = (error.text or "").strip()
        if text.startswith("Missing parentheses in call to 'print'"):
            return "line %d is Python 2: print is a function in Python 3, print(%s). %s" % (error.lineno or 0, line[len("print"):].strip(), _translation(error))
        if re.match(r"except\s+[\w.]+\s*,\s*\w+\s*:", line):
            return "line %d is Python 2: write %s. %s" % (error.lineno or 0, re.sub(r"\s*,\s*(\w+)\s*:", r" as \1:", line), _translation(error))
        if "<>" in line:
            return "line %d is Python 2: != in place of <>. %s" % (error.lineno or 0, _translation(error))
        if re.match(r"(raise|exec)\b", line) or isinstance(error, TabError) or "`" in line or "leading zeros in decimal" in text:
            return "line %d is Python 2. %s" % (error.lineno or 0, _translation(error))
        return None
    missing = re.match(r"No module named '(\w+)'", text) if isinstance(error, ModuleNotFoundError) else None
    if missing and missing.group(1) in _PYTHON_2_MODULES:
        return "%s is a module of Python 2: in Python 3 it is %s. %s" % (missing.group(1), _PYTHON_2_MODULES[missing.group(1)], _translation(error))
    missing = re.match(r"name '(\w+)' is not defined", text) if isinstance(error, NameError) else None
    if missing and missing.group(1) in _PYTHON_2_NAMES:
        return "%s is Python 2: in Python 3 it is %s. %s" % (missing.group(1), _PYTHON_2_NAMES[missing.group(1)], _translation(error))
    missing = re.match(r"'dict' object has no attribute '(iteritems|itervalues|iterkeys|has_key)'", text)
    if missing:
        plain = {"iteritems": "items()", "itervalues": "values()", "iterkeys": "keys()", "has_key": "`key in d`"}[missing.group(1)]
        return "%s is Python 2: in Python 3 it is %s. %s" % (missing.group(1), plain, _translation(error))
    return None


def _global_step(error, text):
    if not text.startswith("Global step should be created to use ") and not text.startswith("Global step should be present") and "missing global_step" not in text.lower():
        return None
    return ("the graph has no global_step. Make one before the session, step = tf.train.get_or_create_global_step(), and let the training increment it: "
            "optimizer.minimize(loss, global_step=step).")


def _characters(error, text):
    if not isinstance(error, SyntaxError) or not error.text or "invalid" not in text:
        return None
    wrong = {}
    for c in error.text:
        plain = _QUOTES.get(c) or unicodedata.normalize("NFKC", c)
        if ord(c) > 127 and len(plain) == 1 and ord(plain) < 128:
            wrong[c] = plain
    if not wrong:
        return None
    return "line %d has full-width or curly characters: write %s." % (error.lineno or 0, ", ".join("%s instead of %s" % (p, c) for c, p in wrong.items()))


def _files(error, text):
    names = [f.f_code.co_name for f in _frames(error) if (f.f_globals.get("__name__") or "").startswith("weft.platform")]
    kind = type(error).__name__
    if kind == "NotFoundError" and {"MkDir", "create_dir"} & set(names):
        return "MkDir makes one folder in one that exists; tf.gfile.MakeDirs makes those in between as well."
    if kind == "AlreadyExistsError" and {"Copy", "copy", "Rename", "rename"} & set(names):
        return "the target is there already; overwrite=True replaces it."
    return None


def _message(error, text):
    """Hints for protocol messages: the existing fields and their types."""
    from .console_words import message_fields

    from . import protos

    wrong = re.match(r'Protocol message (\w+) has no "(\w+)" field', text)
    if wrong:
        kind = getattr(protos, wrong.group(1), None)
        fields = ", ".join("%s: %s" % f for f in message_fields(kind))
        return "tf.train.%s has the fields %s." % (wrong.group(1), fields) if fields else None
    wrong = re.match(r"Parameter to MergeFrom\(\) must be instance of same class: expected tensorflow\.(\w+) got tensorflow\.(\w+)", text)
    if wrong:
        return "that field takes a tf.train.%s, not a tf.train.%s: of a Feature, int64_list takes Int64List, float_list FloatList, bytes_list BytesList." % wrong.groups()
    return None


def _runs(error, text):
    from .hints_of_runs import HINTS  # loaded only now, so that programs do not pay for the import

    return next((found for found in (find(error, text) for find in HINTS) if found), None)


_PYTHON_2_NAMES = {"xrange": "range", "raw_input": "input", "unicode": "str", "long": "int", "basestring": "str", "unichr": "chr", "reduce": "functools.reduce",
                   "reload": "importlib.reload", "file": "open", "execfile": "exec(open(…).read())", "cmp": "(a > b) - (a < b)", "izip": "zip"}
_PYTHON_2_MODULES = {"cPickle": "pickle", "StringIO": "io", "cStringIO": "io", "urllib2": "urllib.request", "Queue": "queue", "ConfigParser": "configparser", "Tkinter": "tkinter",
                     "commands": "subprocess", "urlparse": "urllib.parse", "HTMLParser": "html.parser", "httplib": "http.client"}
_HINTS = [_python_2, _before_1_0, _global_step, _variable_missing, _variable_there, _other_graph, _uninitialized, _none, _checkpoint, _arguments, _characters, _files, _message, _runs]


def hint(error):
    """One sentence, or None."""
    text = getattr(error, "message", None) if not isinstance(error, SyntaxError) else error.msg
    text = text if isinstance(text, str) else error.args[0] if isinstance(error, KeyError) and error.args and isinstance(error.args[0], str) else str(error)
    for find in _HINTS:
        try:
            found = find(error, text)
        except Exception:  # a failing hint must not hide the program's own error
            found = None
        if found:
            return found
    return None


def attach():
    from . import hints_of_trainings

    before = sys.excepthook

    def show(kind, error, trace):
        before(kind, error, trace)
        found = hint(error) if isinstance(error, Exception) else None
        if found:
            sys.stderr.write("weft: hint: %s\n" % found)

    sys.excepthook = show
    hints_of_trainings.attach()
