"""Modules of TensorFlow's own tree, which many programs import from: tensorflow.python.framework.ops, tensorflow.core.framework.graph_pb2 …

module_names.tsv lists the modules of TensorFlow 1.15 and which of their names exist here (tests/interop/module_names.py writes it). Names that it does not
list do not exist; module_imports.tsv has those that stand for other modules. The objects are those of the public names, or of the modules of this package that deep_sources.py lists."""

import functools
import importlib
import importlib.machinery
import os
import types

from . import exports, op_calls
from .deep_sources import GENERATED, SOURCES
from .dispatchable import for_ragged

_MESSAGES = ("errors", "graph", "config", "meta_graph", "summary", "bundle", "tfprof")

facade = None  # the module `namespace`; it sets this itself
_table = _imports = None
_leaves = None
_made = {}


def table():
    """Module -> {name: where it is found, if not in the default place (see plain())}."""
    global _table
    if _table is None:
        _table = {}
        with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "module_names.tsv"), encoding="utf-8") as f:
            for line in f:
                if not line.startswith("#"):
                    module, _, names = line.rstrip("\n").partition("\t")
                    _table[module] = {n: target for n, _, target in (word.partition("=") for word in names.split())}
    return _table


def imports():
    """Module -> {name: the path of the module that it stands for}."""
    global _imports
    if _imports is None:
        _imports = {}
        with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "module_imports.tsv"), encoding="utf-8") as f:
            for line in f:
                if not line.startswith("#"):
                    module, _, folders = line.rstrip("\n").partition("\t")
                    names = _imports.setdefault(module, {})
                    for folder, _, words in (part.partition(":") for part in folders.split()):
                        for name, _, leaf in (word.partition("=") for word in words.split(",")):
                            names[name] = (folder + "." if folder else "") + (leaf or name)
        for module, names in _imports.items():
            if isinstance(exports.names.get(module), types.ModuleType):
                exports.names[module].__dict__.setdefault("__getattr__", functools.partial(_stands_for, module))
    return _imports


def _stands_for(module, name):
    """A module's attribute that is another module, where the module is one of this package."""
    if name not in imports()[module]:
        raise AttributeError("module 'tensorflow.%s' has no attribute '%s'" % (module, name))
    return facade.find(imports()[module][name])


def known(path):
    return path in table()


def _by_leaf(name):
    """The public path whose last part is `name`; of several the one with the fewest dots, after aliases such as compat and contrib."""
    global _leaves
    if _leaves is None:
        _leaves = {}
        for path in sorted(facade.public_paths(), key=lambda p: (p.startswith(("raw_ops.", "compat.", "contrib.", "keras.", "python.")), p.count("."), len(p), p)):
            _leaves.setdefault(path.rpartition(".")[2], path)
    return _leaves.get(name)


def plain(module, name):
    """The object of a module's name where the table has no entry for it."""
    for ours in SOURCES.get(module, ()):
        there = importlib.import_module(ours)
        if hasattr(there, name):
            return getattr(there, name)
    exact = exports.names.get(module + "." + name)
    if exact is not None:
        return exact
    path = _by_leaf(name)
    found = facade.find(path) if path else None
    return None if isinstance(found, types.ModuleType) else found


class _DataTypes:
    """The enumeration DataType without the numbers of later versions, which files may hold."""

    def __init__(self, enumeration):
        self._enumeration = enumeration

    def __getattr__(self, name):
        return getattr(self._enumeration, name)

    def items(self):
        return [(name, number) for name, number in self._enumeration.items() if number % 100 <= 23]

    def keys(self):
        return [name for name, _ in self.items()]

    def values(self):
        return [number for _, number in self.items()]


def _message(name):
    from . import protos

    found = protos.message(name)
    for part in _MESSAGES if found is None else ():
        values = importlib.import_module("weft.messages.proto.%s_pb2" % part)
        if hasattr(values, name):
            return _DataTypes(getattr(values, name)) if name == "DataType" else getattr(values, name)
    return found


def _op(module, name):
    """The op function `name` of a generated module, or of the module named after it."""
    leaf = GENERATED.get(module) or module.rpartition(".")[2]
    leaf, generated = (leaf[4:], True) if leaf.startswith("gen_") else (leaf, False)
    op = op_calls.functions_of(leaf).get(name)
    if op is None:
        return op_calls.by_module_and_keyword(leaf, name) if generated else None
    return for_ragged(name, op_calls.make(op)) if op_calls.known(op) else None


def lookup(module, name):
    """The object under a name of a module, or None."""
    target = table()[module].get(name)
    if target is None and known(module + "." + name):
        return deep(module + "." + name)
    if target is None and name in imports().get(module, ()):
        return facade.find(imports()[module][name])
    if target is None:
        return _op(module, name) if module.startswith("python.ops.") or module in GENERATED else None
    if target:
        return facade.find(target)
    return _message(name) if module.startswith("core.") else plain(module, name)


class DeepModule(types.ModuleType):
    """tensorflow.PATH"""

    def __init__(self, path):
        super().__init__("tensorflow." + path)
        self.__dict__.update(_path=path, _replaced={})
        self.__path__ = []
        self.__spec__ = importlib.machinery.ModuleSpec(self.__name__, facade.loader, is_package=True)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        found = lookup(self._path, name)
        if found is None and (name not in table()[self._path] or exports.names.get(table()[self._path][name] or name, self) is not None):
            raise AttributeError(facade.missing(self.__name__, name, dir(self)))
        self.__dict__[name] = found
        return found

    def __setattr__(self, name, value):
        """Also replaces the name in the modules of this package that define it, so that the functions there see the new one, as they do in TensorFlow.
        A module below whose name is also that of a function here does not hide the function when it is imported."""
        if isinstance(value, DeepModule) and name in table()[self._path]:
            return
        for ours in SOURCES.get(self._path, ()) if not name.startswith("__") else ():
            there = importlib.import_module(ours)
            if vars(there).get(name, value) is not value:
                self._replaced.setdefault((there, name), vars(there)[name])
                setattr(there, name, value)
        self.__dict__[name] = value

    def __delattr__(self, name):
        """Undoes __setattr__()."""
        if name not in self.__dict__:
            raise AttributeError(name)
        del self.__dict__[name]
        for there, replaced in [key for key in self._replaced if key[1] == name]:
            setattr(there, name, self._replaced.pop((there, replaced)))

    def __dir__(self):
        prefix = self._path + "."
        below = {m[len(prefix):].partition(".")[0] for m in table() if m.startswith(prefix)}
        return sorted(below | set(table()[self._path]) | {n for n in self.__dict__ if not n.startswith("_")})


def deep(path):
    """The module tensorflow.PATH; always the same one. REQUIRES: known(path)."""
    if isinstance(exports.names.get(path), types.ModuleType):
        imports()
        return exports.names[path]
    if path not in _made:
        import sys

        _made[path] = DeepModule(path)
        sys.modules[_made[path].__name__] = _made[path]
    return _made[path]
