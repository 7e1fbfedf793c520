"""The `tensorflow` module and what lies below it, as attributes that are looked up when a program asks for them.

A name below tf is, in this order: what a module of this package exports under it (exports.py), a folder of names, a function of the engine
by its ApiRecord, an op's function (op_calls.py). tensorflow.python.… modules, which many programs import from, answer with the same objects."""

import importlib
import importlib.abc
import importlib.machinery
import sys
import types

from . import _weft, exports, op_calls
from .ragged.dispatchable import for_ragged

_folders = None
_FOLDERS_ALWAYS = {"compat", "contrib", "python", "keras", "raw_ops", "train", "nn", "layers", "losses", "metrics", "image", "summary", "data", "logging", "app", "flags", "gfile",
                   "errors", "math", "strings", "string", "linalg", "random", "io", "sparse", "test", "estimator", "saved_model", "python_io", "initializers", "debugging",
                   "dtypes", "profiler", "distributions", "feature_column", "sets", "spectral", "signal", "bitwise", "lookup", "queue", "quantization", "resource_loader",
                   "sysconfig", "user_ops", "graph_util", "manip", "autograph", "config", "contrib.layers", "contrib.slim", "contrib.rnn", "contrib.framework", "contrib.seq2seq",
                   "contrib.learn", "contrib.training", "contrib.crf", "contrib.data", "contrib.losses", "contrib.metrics", "contrib.util", "contrib.legacy_seq2seq",
                   "contrib.tensorboard", "nn.rnn_cell", "regularizers", "constraints"}


def _all_folders():
    global _folders
    if _folders is None:
        _folders = set()
        for names in (exports.names, _weft.api_names(), op_calls.public):
            for path in names:
                parts = path.split(".")[:-1]
                for i in range(1, len(parts) + 1):
                    _folders.add(".".join(parts[:i]))
        _folders |= _FOLDERS_ALWAYS
    return _folders


def forget():
    """After names were added: folders are found anew."""
    global _folders
    _folders = None


def find(path):
    """What stands under a dotted name below tf, or None. Folders are modules."""
    found = _find(path)
    return found if found is None or isinstance(found, types.ModuleType) else for_ragged(path, found)


def _find(path):
    if path in exports.names:
        return exports.names[path]
    if path in _all_folders():
        return module(path)
    if path.startswith("raw_ops."):
        op = path[8:]
        return op_calls.make(op, raw=True) if op_calls.known(op) else None
    op = op_calls.public.get(path)
    if op is not None and op_calls.known(op):
        return op_calls.make(op)
    from . import records

    found = records.function(path)
    if found is not None:
        return found
    # `as` and version names say the same as the names without them.
    for prefix in ("compat.v1.", "compat.v2.", "v1."):
        if path.startswith(prefix):
            return _find(path[len(prefix):])
    return None


def _names_below(path):
    prefix = path + "." if path else ""
    found = set()
    for names in (exports.names, _weft.api_names(), op_calls.public, _all_folders()):
        for name in names:
            if name.startswith(prefix):
                found.add(name[len(prefix):].split(".")[0])
    if path == "raw_ops":
        found |= set(op_calls._known)
    return found


class Namespace(types.ModuleType):
    """A folder of names below tf."""

    def __init__(self, path):
        super().__init__("tensorflow." + path if path else "tensorflow")
        self.__dict__["_path"] = path
        self.__path__ = []
        self.__spec__ = importlib.machinery.ModuleSpec(self.__name__, _loader, is_package=True)
        self.__file__ = __file__

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        path = self._path + "." + name if self._path else name
        found = find(path)
        if found is None and path not in exports.names:
            raise AttributeError(_missing(self.__name__, name, _names_below(self._path)))
        self.__dict__[name] = found
        return found

    def __dir__(self):
        return sorted(n for n in _names_below(self._path) | set(self.__dict__) if not n.startswith("_"))


def _missing(module, name, names):
    import difflib

    close = difflib.get_close_matches(name, sorted(n for n in names if not n.startswith("_")), 1, 0.5)
    text = "module '%s' has no attribute '%s'" % (module, name)
    return text + "; the nearest that exists is '%s'" % close[0] if close else text


_modules = {}


def module(path):
    """The module of a folder; always the same one."""
    if path in ("compat.v1", "compat.v2"):
        return _modules[""]
    if path not in _modules:
        _modules[path] = Namespace(path)
        sys.modules[_modules[path].__name__] = _modules[path]
    return _modules[path]


# Modules of TensorFlow's own tree: where their names lie here. Others are searched by the last part of a public name.
_DEEP = {
    "framework.ops": ["weft.ops"], "framework.dtypes": ["weft.dtypes"], "framework.tensor_shape": ["weft.tensor_shape"], "framework.errors": ["weft.errors"],
    "framework.errors_impl": ["weft.errors"], "framework.constant_op": ["weft.ops"], "framework.tensor_util": ["weft.tensor_util", "weft.ops"],
    "framework.random_seed": ["weft.ops"], "client.session": ["weft.session"], "ops.variables": ["weft.variables"], "ops.variable_scope": ["weft.variable_scope"],
    "ops.init_ops": ["weft.initializers"], "ops.resource_variable_ops": ["weft.variables"], "util.nest": ["weft.util.nest"], "platform.gfile": ["weft.platform.gfile"],
    "platform.tf_logging": ["weft.platform.tf_logging"], "platform.flags": ["weft.platform.flags"], "platform.app": ["weft.platform.app"],
    "ops.control_flow_ops": ["weft.control_flow"], "training.saver": ["weft.training.saver"], "training.queue_runner": ["weft.training.queue_runner"],
    "training.coordinator": ["weft.training.coordinator"], "training.optimizer": ["weft.training.optimizer"], "ops.rnn_cell_impl": ["weft.rnn.cells", "weft.rnn.wrappers"],
    "ops.rnn_cell": ["weft.rnn.cells", "weft.rnn.wrappers"], "ops.rnn": ["weft.rnn.loops"], "layers.base": ["weft.layers.graph_layer", "weft.layers.base"], "ops.math_ops": ["weft.operators"], "lib.io.file_io": ["weft.platform.gfile"],
    "framework.function": ["weft.functions.defun"], "framework.op_def_registry": ["weft.op_def_registry"], "client.device_lib": ["weft.device_lib"], "framework.sparse_tensor": ["weft.sparse_tensor"], "ops.gradients_impl": ["weft.gradients"],
}
_SHORT_FOLDERS = ["", "nn.", "math.", "train.", "image.", "layers.", "losses.", "metrics.", "nn.rnn_cell.", "contrib.rnn.", "contrib.layers.", "contrib.seq2seq.", "contrib.framework.",
                  "summary.", "strings.", "io.", "linalg.", "data.", "saved_model.", "random.", "sparse.", "graph_util.", "python_io.", "debugging.", "initializers."]


class DeepModule(types.ModuleType):
    """tensorflow.python.PATH"""

    def __init__(self, path):
        super().__init__("tensorflow.python." + path if path else "tensorflow.python")
        self.__dict__["_path"] = path
        self.__path__ = []
        self.__spec__ = importlib.machinery.ModuleSpec(self.__name__, _loader, is_package=True)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        found = self._find(name)
        if found is None:
            raise AttributeError(_missing(self.__name__, name, [n.rpartition(".")[2] for n in exports.names]))
        self.__dict__[name] = found
        return found

    def _find(self, name):
        path = self._path
        leaf = path.rpartition(".")[2]
        if leaf.startswith("gen_"):
            op = op_calls.functions_of(leaf[4:]).get(name)
            if op is not None and op_calls.known(op):
                return op_calls.make(op)
        for module_name in _DEEP.get(path, ()):
            there = importlib.import_module(module_name)
            if hasattr(there, name):
                return getattr(there, name)
        below = path + "." + name if path else name
        if below in _DEEP or below in _DEEP_FOLDERS or any(k.startswith(below + ".") for k in _DEEP) or name.startswith("gen_"):
            return deep(below)
        for folder in [leaf.replace("_ops", "") + "."] + _SHORT_FOLDERS:
            if folder == "summary." and leaf.endswith("_ops"):  # such a module has the functions of its ops; what computes goes before them
                op = op_calls.functions_of(leaf).get(name)
                if op is not None and op_calls.known(op):
                    return op_calls.make(op)
            found = find(folder + name)
            if found is not None and not isinstance(found, types.ModuleType):
                return found
        for exported, what in exports.names.items():
            if exported.rpartition(".")[2] == name:
                return what
        if path in _DEEP_FOLDERS:
            return deep(below)
        return None


_DEEP_FOLDERS = {"", "framework", "ops", "client", "platform", "training", "util", "layers", "lib", "lib.io", "summary", "saved_model", "tools", "estimator", "keras", "debug", "profiler",
                 "data", "data.ops", "feature_column", "ops.distributions", "ops.losses", "ops.linalg", "eager", "summary.writer"}
_deep = {}


def deep(path):
    if path not in _deep:
        _deep[path] = DeepModule(path)
        sys.modules[_deep[path].__name__] = _deep[path]
    return _deep[path]


class _Finder(importlib.abc.MetaPathFinder):
    """Makes `import tensorflow.X` work for every folder below tf."""

    def find_spec(self, name, path=None, target=None):
        if not name.startswith("tensorflow."):
            return None
        below = name[len("tensorflow."):]
        if below.split(".")[0] in ("python", "core") or below in _all_folders() or below.startswith("examples") or below in exports.names and isinstance(exports.names[below], types.ModuleType):
            return importlib.machinery.ModuleSpec(name, _loader, is_package=True)
        for prefix in ("contrib.", "compat.", "keras."):
            if below.startswith(prefix) and any(n.startswith(below + ".") for n in _all_folders()):
                return importlib.machinery.ModuleSpec(name, _loader, is_package=True)
        return None


class _Loader(importlib.abc.Loader):
    def create_module(self, spec):
        below = spec.name[len("tensorflow."):]
        if below == "python" or below.startswith("python."):
            return deep(below[7:])
        if below == "core" or below.startswith("core."):
            return _CoreModule(spec.name)
        if below in exports.names:
            return exports.names[below]
        return module(below)

    def exec_module(self, module):
        pass


class _CoreModule(types.ModuleType):
    """tensorflow.core.…_pb2: messages."""

    def __init__(self, name):
        super().__init__(name)
        self.__path__ = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        from . import protos

        found = protos.message(name)
        if found is None:
            if name.endswith("_pb2") or name in ("framework", "protobuf", "util", "example", "profiler"):
                return importlib.import_module(self.__name__ + "." + name)
            raise AttributeError("module '%s' has no attribute '%s'" % (self.__name__, name))
        return found


_loader = _Loader()
sys.meta_path.insert(0, _Finder())
