"""Programs for TensorFlow before 1.0: their names and calls become those of 1.x. Works on sources that Python 3 can parse."""

import ast
import types

from .. import deep_modules
from ..nearest import nearest
from .edits import Edits, walk
from .migrate_names import NEW_KEYWORDS, NEW_MODULES, NEW_NAMES, OLD_ORDERS, SWAPPED


def _known(path):
    """Whether tf.PATH exists. Parts may be attributes of classes; what objects have is not known before they are made, and counts as there."""
    if any(part.startswith("__") for part in path.split(".")):
        return True
    parts, found = path.split("."), None
    try:
        for i in range(1, len(parts) + 1):
            inner = namespace_find(".".join(parts[:i]))
            if inner is None:
                for name in parts[i - 1:]:
                    if found is not None and not isinstance(found, (types.ModuleType, type)):
                        return True
                    if not hasattr(found, name) and not hasattr(deep_modules.facade.module(""), path):
                        return False
                    found = getattr(found, name, None)
                return True
            found = inner
    except ImportError:  # of a module that is not installed
        return True
    return True


def namespace_find(path):
    return deep_modules.facade.find(path)


def _aliases(tree):
    """Name -> path below tensorflow, of all imports; "" is tensorflow itself."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for a in node.names:
                if a.name == "tensorflow" or a.name.startswith("tensorflow.") and a.asname:
                    found[a.asname or "tensorflow"] = a.name[len("tensorflow."):]
                elif a.name.startswith("tensorflow."):
                    found["tensorflow"] = ""
        elif isinstance(node, ast.ImportFrom) and node.module and (node.module + ".").startswith("tensorflow."):
            for a in node.names:
                found[a.asname or a.name] = (node.module + "." + a.name)[len("tensorflow."):]
    bound = {n.arg for n in ast.walk(tree) if isinstance(n, ast.arg)} | {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
    return {name: path for name, path in found.items() if name not in bound}  # a name that stands for something else as well is left alone


def _path(node, aliases):
    """The path below tensorflow that a name or an attribute stands for, or None."""
    if isinstance(node, ast.Name):
        return aliases.get(node.id)
    if isinstance(node, ast.Attribute):
        inner = _path(node.value, aliases)
        return None if inner is None else (inner + "." + node.attr if inner else node.attr)
    return None


def _whole(node):
    return isinstance(node, ast.Constant) and type(node.value) is int or isinstance(node, ast.UnaryOp) and _whole(node.operand)


def _listed(node):
    return isinstance(node, (ast.List, ast.Tuple, ast.ListComp))


class _Calls:
    def __init__(self, text):
        self.edits, self.tree = Edits(text), ast.parse(text)
        self.aliases, self.notes, self.old = _aliases(self.tree), [], False

    def note(self, node, text):
        self.notes.append((node.lineno, text))

    def rename(self, node, path):
        new = NEW_NAMES.get(path)
        if new is None or not isinstance(node, ast.Attribute):
            return False
        root = next((a for a, p in self.aliases.items() if p == ""), None)
        if root is None:
            self.note(node, "tf.%s is tf.%s now; import tensorflow to write it" % (path, new))
            return False
        self.edits.replace(node, root + "." + new)
        self.old = True
        return True

    def missing(self, node, path):
        if isinstance(node.parent, ast.Attribute) or not path or _known(path) or isinstance(node.ctx, ast.Store):
            return
        folder, _, name = path.rpartition(".")
        while folder and not _known(folder):  # the first part that is missing
            folder, _, name = folder.rpartition(".")
        near = nearest(folder, name, dir(deep_modules.facade.find(folder)) if folder else [], list(deep_modules.facade.public_paths()))
        self.note(node, "tf.%s does not exist in TensorFlow 1.15%s" % ((folder + "." if folder else "") + name, "; the nearest is %s" % near if near else ""))

    def old_order(self, path, args):
        """Whether a positional call has the order before 1.0: True, False, or None if nothing tells."""
        if path not in ("concat", "split"):
            return True  # a positional call of the others is an error in 1.x
        if path == "split" and len(args) < 3:
            return _whole(args[0])
        last = args[1] if path == "concat" else args[2]
        if _whole(args[0]) and not _whole(last):
            return True
        if _listed(args[0]) or _whole(last):
            return False
        return True if path == "concat" and _listed(last) else None

    def order(self, call, path):
        names, args = OLD_ORDERS.get(path), call.args
        if names is None or not args or isinstance(args[0], ast.Constant) and args[0].value is None or any(isinstance(a, ast.Starred) for a in args) or path == "concat" and len(args) < 2:
            return
        old = self.old_order(path, args)
        if old is None:
            self.note(call, "tf.%s took %s first before 1.0; check the order of this call" % (path, names[0]))
        elif old:
            self.old = True
            for arg, name in zip(args, names):
                self.edits.before(arg, name + "=", call)

    def sizes(self, call, path):
        """resize_images(x, height, width) took no list."""
        if path.startswith("image.resize_") and len(call.args) >= 3 and not _listed(call.args[1]) and (path == "image.resize_images" or _whole(call.args[1])):
            self.edits.before(call.args[1], "[", call)
            self.edits.after(call.args[2], "]", call)
            self.old = True

    def reverse(self, call, path):
        """reverse(x, [False, True]) is reverse(x, [1])."""
        where = call.args[1] if path == "reverse" and len(call.args) > 1 else next((k.value for k in call.keywords if path == "reverse" and k.arg == "dims"), None)
        if where is None:
            return
        if _listed(where) and not isinstance(where, ast.ListComp) and where.elts and all(isinstance(e, ast.Constant) and type(e.value) is bool for e in where.elts):
            self.edits.replace(where, "[%s]" % ", ".join(str(i) for i, e in enumerate(where.elts) if e.value))
            self.old = True
        elif not _listed(where) and not _whole(where):
            self.swapped.append((call, "tf.reverse took a list of booleans before 1.0, and takes the dimensions to reverse since; check this call"))

    def call(self, node):
        path = _path(node.func, self.aliases)
        if not path:
            return
        for keyword in node.keywords:
            new = NEW_KEYWORDS.get(path, {}).get(keyword.arg)
            if new:
                self.edits.replace_start(keyword, keyword.arg, new)
                self.old = True
        self.order(node, path)
        self.sizes(node, path)
        self.reverse(node, path)
        if path in SWAPPED and len(node.args) > 3:
            self.swapped.append((node, "%s of tf.%s changed places with 1.0; check this call" % (SWAPPED[path], path)))

    def imports(self, node):
        for a in node.names:
            if node.module == "tensorflow" and a.name in NEW_NAMES:
                self.note(node, "%s is tf.%s now: import it by that name" % (a.name, NEW_NAMES[a.name]))
            elif node.module == "tensorflow" and a.name == "*":
                used = sorted({n.id for n in ast.walk(self.tree) if isinstance(n, ast.Name)} & set(NEW_NAMES))
                if used:
                    self.note(node, "names that come by * are not translated: %s" % ", ".join("%s is tf.%s now" % (n, NEW_NAMES[n]) for n in used))
            target = NEW_MODULES.get(node.module, {}).get(a.name)
            if target is None:
                continue
            if len(node.names) > 1:
                self.note(node, "import %s from %s" % (a.name, target.partition(" import ")[0]))
            elif " import " in target:
                self.edits.replace(node, "from %s as %s" % (target, a.asname or a.name))
            else:
                self.edits.replace(node, "from %s import %s%s" % (target, a.name, " as " + a.asname if a.asname else ""))
            self.old = True

    def run(self):
        self.swapped = []
        for node in walk(self.tree):
            if isinstance(node, ast.Call):
                self.call(node)
            elif isinstance(node, ast.ImportFrom):
                self.imports(node)
            elif isinstance(node, ast.Attribute):
                path = _path(node, self.aliases)
                if path and not self.rename(node, path) and not any(path.startswith(old + ".") for old in NEW_NAMES):
                    self.missing(node, path)
        if self.old:  # these calls are only doubtful in a program for TensorFlow before 1.0
            for node, text in self.swapped:
                self.note(node, text)
        return self.edits.text(), sorted(self.notes)


def migrate_calls(text):
    """(the new text, [(line, what to look at)])"""
    return _Calls(text).run()
