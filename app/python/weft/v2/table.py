"""Finds the names of tf.compat.v2: the objects of tf, or own ones that modules export as "compat.v2.NAME" or that signatures.tsv makes from a function of tf."""

import os

from .. import dtypes, exports

# Objects of tf serve as those of tf.compat.v2 where the class there is that of tf without some members.
_AS_IN_TF = {"lookup.StaticHashTable", "lookup.StaticVocabularyTable", "variable_creator_scope", "train.Checkpoint", "VariableAggregation", "lite.TFLiteConverter",
             "feature_column.make_parse_example_spec", "saved_model.contains_saved_model"}
_FOLDERS_AS_IN_TF = ("data", "distribute")

_names = _signatures = None
_made = {}


def _lines(name):
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), name), encoding="utf-8") as f:
        return [line.rstrip("\n").split("\t") for line in f if not line.startswith("#")]


def names():
    """Folder below tf.compat.v2 -> {name: the path below tf; None for an own object}."""
    global _names
    if _names is None:
        _names = {}
        for folder, words in _lines("names.tsv"):
            there = _names[folder] = {}
            for word in words.split():
                name, _, target = word.partition("=")
                own = name.endswith("!")
                name = name.rstrip("!")
                path = folder + "." + name if folder else name
                there[name] = None if own and not _is_as_in_tf(path) else target or path
    return _names


def _is_as_in_tf(path):
    return path in _AS_IN_TF or path.split(".")[0] in _FOLDERS_AS_IN_TF


def folders():
    """The dotted paths below tf of its modules."""
    return {"compat.v2" + ("." + folder if folder else "") for folder in names()}


def signatures():
    global _signatures
    if _signatures is None:
        _signatures = {path: row for row in _lines("signatures.tsv") for path in row[0].split()}
    return _signatures


def below(path):
    """The names in a folder, a path below tf."""
    folder = path[len("compat.v2."):]
    found = {n for n, target in names().get(folder, {}).items() if target is not None or _is_own(folder + "." + n if folder else n)}
    return found | {f[len(path) + 1:].split(".")[0] for f in folders() if f.startswith(path + ".")} | ({"v1", "v2"} if folder == "compat" else set())


def _is_own(path):
    return path in signatures() or "compat.v2." + path in exports.names


def find(path, facade):
    """The object of tf.compat.v2.PATH, or None. `facade`: the module namespace."""
    if path in ("compat.v1", "compat.v2"):
        return facade.module(path)
    folder, _, name = path.rpartition(".")
    if name not in names().get(folder, ()):
        return None
    target = names()[folder][name]
    if target is not None:
        return facade.find(target)
    return _make(path, facade) if path in signatures() else None


def _make(path, facade):
    """A function with TensorFlow 2's parameters that calls that of 1.x."""
    row = signatures()[path]
    if row[2] not in _made:
        function = facade.find(row[2])
        if function is None:
            return None
        leaf = (path if row[1] == "-" else row[1]).rpartition(".")[2]  # TensorFlow's own functions keep the names that they have in their modules
        parameters, more = row[3], row[4] if len(row) > 4 else ""
        renamed = {value for _, _, value in (part.partition("=") for part in more.split(", ") if part)}
        given = [p.partition("=")[0].strip() for p in parameters.split(", ")]
        call = ", ".join(["%s=%s" % (p, p) for p in given if p not in renamed] + ([more] if more else []))
        space = {d: getattr(dtypes, d) for d in ("int32", "int64", "float32", "string")}
        space.update(_function=function, UnconnectedGradients=facade.find("UnconnectedGradients"))
        exec(compile("def %s(%s):\n    return _function(%s)\n" % (leaf, parameters, call), __file__, "exec"), space)
        made = space[leaf]
        made.__doc__, made.__module__ = function.__doc__, "tensorflow._api.v2" + ("." + path.rpartition(".")[0] if "." in path else "")
        _made[row[2]] = made
    return _made[row[2]]
