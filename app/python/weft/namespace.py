"""The `tensorflow` module and its submodules, whose attributes are looked up on access.

A name below tf is resolved in this order: an object that a module of this package exports (exports.py), a folder of names, a function of the engine
(engine.py: that of an op or of an ApiRecord). The tensorflow.python.… modules, which many programs import from, have the same objects."""

import importlib
import importlib.abc
import importlib.machinery
import sys
import types

from . import _weft, deep_modules, engine, exports, op_calls
from .dispatchable import for_ragged
from .hidden_names import HIDDEN
from .nearest import ending, nearest
from .v2 import table as v2

_folders = None
_FOLDERS_ALWAYS = {"compat", "contrib", "keras", "raw_ops", "train", "nn", "layers", "losses", "metrics", "image", "summary", "data", "logging", "app", "flags", "gfile",
                   "errors", "math", "strings", "string", "linalg", "random", "io", "sparse", "test", "estimator", "saved_model", "python_io", "initializers", "debugging",
                   "dtypes", "profiler", "distributions", "feature_column", "sets", "spectral", "signal", "bitwise", "lookup", "queue", "quantization", "resource_loader",
                   "sysconfig", "user_ops", "graph_util", "manip", "autograph", "config", "contrib.layers", "contrib.slim", "contrib.rnn", "contrib.framework", "contrib.seq2seq",
                   "contrib.learn", "contrib.training", "contrib.crf", "contrib.data", "contrib.losses", "contrib.metrics", "contrib.util", "contrib.legacy_seq2seq",
                   "contrib.tensorboard", "nn.rnn_cell", "regularizers", "constraints"}


def _all_folders():
    global _folders
    if _folders is None:
        _folders = _FOLDERS_ALWAYS | engine.folders()
        for path in exports.names:
            parts = path.split(".")[:-1]
            for i in range(1, len(parts) + 1):
                _folders.add(".".join(parts[:i]))
        _folders -= set(deep_modules.table())
        _folders = {f for f in _folders if not f.startswith("compat.v2.")} | v2.folders()
    return _folders


def forget():
    """Drops cached folders after names were added."""
    global _folders
    _folders = None


def find(path):
    """The object of a dotted name below tf, or None. Folders are returned as modules."""
    found = _find(path)
    return found if found is None or isinstance(found, types.ModuleType) else for_ragged(path, found)


def _find(path):
    if path in exports.names:
        return exports.names[path]
    if deep_modules.known(path):
        return deep_modules.deep(path)
    if path in _all_folders():
        return module(path)
    if path.startswith("compat.v2."):
        return v2.find(path[len("compat.v2."):], sys.modules[__name__])
    if path.startswith("raw_ops."):
        return op_calls.by_keyword(path[8:]) if op_calls.known(path[8:]) else None
    found = engine.plain(path)
    if found is not None:
        return found
    # `as` and version names are aliases of the names without them.
    for prefix in ("compat.v1.", "v1."):
        if path.startswith(prefix):
            return _find(path[len(prefix):])
    return None


def _names_below(path):
    if path == "compat.v2" or path.startswith("compat.v2."):
        return v2.below(path)
    prefix = path + "." if path else ""
    found = set()
    for names in (exports.names, _weft.api_names(), op_calls.public, _all_folders()):
        for name in names:
            if name.startswith(prefix):
                found.add(name[len(prefix):].split(".")[0])
    if path == "raw_ops":
        found |= set(op_calls._known)
    if not path:
        found |= {m for m in deep_modules.table() if "." not in m}  # core, python …
    return found


def _is_there(path):
    """Whether a listed name really exists: the engine may lack an op."""
    return path in exports.names or path in _all_folders() or path.startswith("compat.v2.") and find(path) is not None or deep_modules.known(path) or path not in op_calls.public or find(path) is not None


class Namespace(types.ModuleType):
    """A folder of names below tf."""

    def __init__(self, path):
        super().__init__("tensorflow." + path if path else "tensorflow")
        self.__dict__["_path"] = path
        self.__path__ = []
        self.__spec__ = importlib.machinery.ModuleSpec(self.__name__, loader, is_package=True)
        self.__file__ = __file__

    def __getattr__(self, name):
        if name == "__all__":
            return self.__dir__()
        if name.startswith("__"):
            raise AttributeError(name)
        path = self._path + "." + name if self._path else name
        found = find(path)
        if found is None and name in deep_modules.imports().get(self._path, ()):
            found = find(deep_modules.imports()[self._path][name])
        if found is None and path not in exports.names:
            raise AttributeError(missing(self.__name__, name, _names_below(self._path)))
        self.__dict__[name] = found
        return found

    def __dir__(self):
        """The existing names, which `from MODULE import *` imports."""
        prefix, hidden = self._path + "." if self._path else "", HIDDEN.get(self._path, ())
        return sorted(n for n in _names_below(self._path) | set(self.__dict__) if not n.startswith("_") and n not in hidden and (n in self.__dict__ or _is_there(prefix + n)))


def public_paths():
    """Every dotted path below tf that resolves to an object."""
    return set(exports.names) | set(_weft.api_names()) | {p for p, op in op_calls.public.items() if op_calls.known(op)}


def missing(module, name, names):
    """The message of the AttributeError for a missing name."""
    folder = module[len("tensorflow."):]
    return "module '%s' has no attribute '%s'%s" % (module, name, ending(nearest(folder, name, names, public_paths())))


_modules = {}


def module(path):
    """The module of a folder; the same object each time."""
    if path == "compat.v1":
        return _modules[""]
    if path not in _modules:
        _modules[path] = Namespace(path)
        sys.modules[_modules[path].__name__] = _modules[path]
    return _modules[path]


def _asked_by():
    """ "import" or "from" if such a statement triggered the lookup; None for a mere check whether the module exists."""
    frame, found = sys._getframe(2), None
    while frame is not None and frame.f_code.co_filename.startswith("<frozen importlib"):
        if frame.f_code.co_name == "_find_and_load":
            found = "import"
        if frame.f_code.co_name == "_handle_fromlist":
            return "from"
        frame = frame.f_back
    return found


class _Finder(importlib.abc.MetaPathFinder):
    """Makes `import tensorflow.X` work for every folder below tf and every module of TensorFlow's tree. Errors for other names contain the nearest existing
    name, which the import system's own errors would not."""

    def find_spec(self, name, path=None, target=None):
        if not name.startswith("tensorflow."):
            return None
        below = name[len("tensorflow."):]
        if deep_modules.known(below) or below in _all_folders() or isinstance(exports.names.get(below), types.ModuleType):
            return importlib.machinery.ModuleSpec(name, loader, is_package=True)
        asked = _asked_by()
        parent, _, leaf = name.rpartition(".")
        if asked == "from":
            close = nearest(parent[len("tensorflow."):], leaf, dir(sys.modules[parent]), public_paths())
            raise ImportError("cannot import name '%s' from '%s'%s" % (leaf, parent, ending(close)), name=parent)
        if asked == "import":
            modules = set(deep_modules.table()) | _all_folders()
            beside = [m.rpartition(".")[2] for m in modules if "tensorflow." + m.rpartition(".")[0] == parent]
            close = nearest("", leaf, beside, modules)
            close = close and ("tensorflow" + close[2:] if close.startswith("tf.") else parent + "." + close)
            raise ModuleNotFoundError("No module named '%s'%s" % (name, ending(close)), name=name)
        return None


class _Loader(importlib.abc.Loader):
    def create_module(self, spec):
        below = spec.name[len("tensorflow."):]
        if below in exports.names:
            deep_modules.imports()
            return exports.names[below]
        return deep_modules.deep(below) if deep_modules.known(below) else module(below)

    def exec_module(self, module):
        """Has no effect: names are looked up on access."""


loader = _Loader()
sys.meta_path.insert(0, _Finder())
deep_modules.facade = sys.modules[__name__]
