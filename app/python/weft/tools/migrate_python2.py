"""Programs for Python 2 become programs for Python 3: by Python's own lib2to3, and by rules of our own for what it leaves (divisions, pickles, odd characters)."""

import ast
import unicodedata
import warnings

from .edits import Edits, walk

_FIXERS = ("apply", "basestring", "dict", "except", "exec", "execfile", "exitfunc", "filter", "funcattrs", "has_key", "import", "imports", "input", "intern", "isinstance", "itertools",
           "itertools_imports", "long", "map", "metaclass", "methodattrs", "ne", "next", "nonzero", "numliterals", "operator", "paren", "print", "raise", "raw_input", "reduce", "renames",
           "repr", "standarderror", "sys_exc", "throw", "tuple_params", "types", "unicode", "urllib", "ws_comma", "xrange", "xreadlines", "zip")
# What only a program for Python 2 uses, if it binds the names nowhere and does not try them in a `try`.
_NAMES = {"xrange", "unicode", "basestring", "raw_input", "long", "unichr", "execfile"}
_MODULES = {"cPickle", "StringIO", "cStringIO", "urllib2", "urlparse", "Queue", "ConfigParser", "Tkinter", "HTMLParser", "httplib", "commands"}
_QUOTES = {"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u2013": "-", "\u2014": "-", "\u2212": "-", "\u00d7": "*"}
_ITERATORS = {"iteritems": "items", "iterkeys": "keys", "itervalues": "values", "viewitems": "items", "viewkeys": "keys", "viewvalues": "values"}
_WHOLE_FUNCTIONS = {"len", "int", "ord", "hash", "id", "xrange", "range"}


class NotPython(ValueError):
    """The source is Python of no version. `line`: where, if known."""

    def __init__(self, message, line=None):
        super().__init__(message)
        self.line = line


def _error(text):
    """The SyntaxError of Python 3, or None."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "<source>", "exec", dont_inherit=True)
    except SyntaxError as e:
        return e
    except ValueError as e:  # a NUL
        raise NotPython(str(e)) from None
    return None


def _plain(character):
    """What a character that Python does not allow in code was meant to be, or None."""
    if character in _QUOTES:
        return _QUOTES[character]
    kind = unicodedata.category(character)
    if kind == "Zs":
        return " "
    if kind == "Cf":
        return ""
    plain = unicodedata.normalize("NFKC", character)
    return plain if plain != character and plain.isascii() else {"\u3001": ",", "\u3002": "."}.get(character)


def _without_odd_characters(text, notes):
    """Replaces characters at which Python stops; those in strings and comments stay."""
    for _ in range(10000):
        error = _error(text)
        if error is None or error.lineno is None:
            return text
        lines = text.split("\n")
        if error.lineno > len(lines):
            return text
        line = lines[error.lineno - 1]
        indent = len(line) - len(line.lstrip())  # spaces of all kinds
        if line[:indent].isascii() and "invalid" not in error.msg:
            return text
        # The place that Python says may be that of the token's begin.
        begin = 0 if not line[:indent].isascii() else max((error.offset or 1) - 1, 0)
        places = [i for i in range(begin, len(line)) if not line[i].isascii() and _plain(line[i]) is not None]
        if not places:
            return text
        odd = line[places[0]]
        notes.append((error.lineno, "the character U+%04X (%s) became %r" % (ord(odd), unicodedata.name(odd, "unnamed").lower(), _plain(odd))))
        if odd in _QUOTES and _QUOTES[odd] in "'\"":  # one alone would leave a string without an end
            line = "".join(_QUOTES[c] if c in _QUOTES and _QUOTES[c] in "'\"" else c for c in line)
        elif places[0] < indent:
            line = "".join(" " if not c.isascii() else c for c in line[:indent]) + line[indent:]
        else:
            line = line[:places[0]] + _plain(odd) + line[places[0] + 1:]
        lines[error.lineno - 1] = line
        text = "\n".join(lines)
    return text


def _without_tabs(text):
    """Python 2 read a tab as far as the next multiple of eight."""
    out = []
    for line in text.split("\n"):
        body = line.lstrip(" \t")
        out.append(line[:len(line) - len(body)].expandtabs(8) + body)
    return "\n".join(out)


def _is_python2(tree):
    """Whether a source that Python 3 can read is for Python 2. REQUIRES: walk()."""
    def tried(node):
        while node is not None and not isinstance(node, ast.Try):
            node = getattr(node, "parent", None)
        return node is not None

    nodes = list(ast.walk(tree))
    bound = {n.id for n in nodes if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)} | {n.arg for n in nodes if isinstance(n, ast.arg)}
    bound |= {n.name for n in nodes if isinstance(n, (ast.FunctionDef, ast.ClassDef))}
    bound |= {a.asname or a.name for n in nodes if isinstance(n, (ast.Import, ast.ImportFrom)) for a in n.names}
    for node in nodes:
        names = [a.name for a in node.names] if isinstance(node, ast.Import) else [node.module] if isinstance(node, ast.ImportFrom) else []
        if isinstance(node, ast.Name) and node.id in _NAMES - bound or set(names) & _MODULES:
            if not tried(node):
                return True
    return False


def _fixed(text):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from lib2to3 import pgen2, refactor
    except ImportError:
        raise NotPython("Python's lib2to3 is missing, which translates Python 2: use a Python below 3.13 (on Debian with the package python3-lib2to3)") from None
    import logging

    logging.getLogger("RefactoringTool").setLevel(logging.ERROR)
    error = None
    for print_function in (False, True):
        try:
            tool = refactor.RefactoringTool(["lib2to3.fixes.fix_" + f for f in _FIXERS if not (print_function and f == "print")], {"print_function": print_function})
            fixed = str(tool.refactor_string(text if text.endswith("\n") else text + "\n", "<source>"))
            return fixed if text.endswith("\n") else fixed[:-1]
        except pgen2.parse.ParseError as e:
            error = error or e  # of Python 2's grammar, which is the likely one
        except pgen2.tokenize.TokenError as e:
            raise NotPython(e.args[0], e.args[1][0]) from None
        except IndentationError as e:
            raise NotPython(e.msg, e.lineno) from None
    raise NotPython("neither Python 2 nor 3 can read it: unexpected %s" % (repr(error.value) if error.value.strip() else "indent"), error.context[1][0])


class _Numbers:
    """Which expressions are whole numbers in Python 2, as far as names and calls tell."""

    def __init__(self, tree):
        self.assigned = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    if isinstance(target, ast.Name):
                        self.assigned.setdefault(target.id, []).append(node.value)
            elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
                self.assigned.setdefault(node.target.id, []).append(ast.Tuple() if isinstance(node.op, ast.Pow) else node.value)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and not isinstance(node.parent, (ast.Assign, ast.AugAssign, ast.For, ast.comprehension)):
                self.assigned.setdefault(node.id, []).append(ast.Tuple())  # anything
            elif isinstance(node, (ast.For, ast.comprehension)) and isinstance(node.target, ast.Name):
                counts = isinstance(node.iter, ast.Call) and isinstance(node.iter.func, ast.Name) and node.iter.func.id in ("range", "xrange")
                self.assigned.setdefault(node.target.id, []).append(ast.Constant(1) if counts else node.iter)
            elif isinstance(node, ast.arg):
                self.assigned.setdefault(node.arg, []).append(node)  # anything

    def whole(self, node, depth=0):
        if depth > 20:
            return False
        if isinstance(node, ast.Constant):
            return type(node.value) is int
        if isinstance(node, ast.UnaryOp):
            return self.whole(node.operand, depth + 1)
        if isinstance(node, ast.BinOp):
            return isinstance(node.op, (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod)) and self.whole(node.left, depth + 1) and self.whole(node.right, depth + 1)
        if isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else ""
            return name in _WHOLE_FUNCTIONS or name in ("abs", "max", "min", "sum") and bool(node.args) and all(self.whole(a, depth + 1) for a in node.args)
        if isinstance(node, ast.Subscript):
            return isinstance(node.value, ast.Attribute) and node.value.attr == "shape"
        if isinstance(node, ast.Name):
            found = self.assigned.get(node.id)
            return bool(found) and all(self.whole(value, depth + 1) for value in found)
        return False

    def fraction(self, node):
        """Whether a number is surely none of the whole ones."""
        return any(isinstance(n, ast.Constant) and isinstance(n.value, float) or isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == "float"
                   for n in ast.walk(node))


def _counted(node):
    """Whether a value must be a whole number: an argument of range(), a bound of a slice. A single index may be a key."""
    parent = getattr(node, "parent", None)
    while isinstance(parent, (ast.BinOp, ast.UnaryOp)):
        node, parent = parent, parent.parent
    if isinstance(parent, ast.Call):
        return isinstance(parent.func, ast.Name) and parent.func.id in ("range", "xrange") and node in parent.args
    return isinstance(parent, ast.Slice)


def _divisions(tree, edits, notes):
    numbers = _Numbers(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Div):
            if numbers.whole(node.value) and numbers.whole(ast.Name(node.target.id) if isinstance(node.target, ast.Name) else node.target):
                edits.between(node.target, node.value, "/=", "//=")
            elif numbers.whole(node.value):
                notes.append((node.lineno, "%s divided whole numbers without a remainder in Python 2 if both sides are whole; write //= if so" % edits.source(node)))
        if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Div):
            continue
        certain = numbers.whole(node.left) and numbers.whole(node.right)
        if certain or _counted(node) and not numbers.fraction(node):
            if edits.between(node.left, node.right, "/", "//"):
                continue
        inside_int = isinstance(node.parent, ast.Call) and isinstance(node.parent.func, ast.Name) and node.parent.func.id == "int"
        if not inside_int and not numbers.fraction(node) and (certain or numbers.whole(node.left) or numbers.whole(node.right)):
            notes.append((node.lineno, "%s divided whole numbers without a remainder in Python 2 if both sides are whole; write // if so" % edits.source(node)))


def _print(node, edits):
    """print((x)), made of Python 2's print (x), is print(x)."""
    if isinstance(node.func, ast.Name) and node.func.id == "print" and len(node.args) == 1 and not node.keywords and not isinstance(node.args[0], (ast.Tuple, ast.GeneratorExp, ast.Yield, ast.YieldFrom)):
        if edits.start(node.args[0]) == edits.start(node) + len("print((") and edits.end(node.args[0]) == edits.end(node) - 2:
            edits.replace_start(node, "print((", "print(")
            edits.replace_end(node, "))", ")")


def _names(tree, edits, was_python2):
    pickles = {"pickle", "cPickle", "_pickle"}
    for node in ast.walk(tree):
        if was_python2 and isinstance(node, ast.alias) and node.asname == node.name:
            edits.replace(node, node.name)  # was: import cPickle as pickle
        if was_python2 and isinstance(node, ast.Call):
            _print(node, edits)
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        if node.func.attr in _ITERATORS and not node.args and not node.keywords:
            edits.replace_end(node.func, node.func.attr, _ITERATORS[node.func.attr])
        elif was_python2 and node.func.attr in ("load", "loads") and isinstance(node.func.value, ast.Name) and node.func.value.id in pickles and len(node.args) == 1 and not node.keywords:
            edits.after(node.args[0], ', encoding="latin1"')  # strings of Python 2, such as the keys of CIFAR's dicts


def migrate_python(text):
    """(source that Python 3 can read, [(line, what to look at)]). NotPython if that fails. `text`: lines end with "\\n", without a byte order mark."""
    notes = []
    text = _without_odd_characters(text, notes)
    error = _error(text)
    if isinstance(error, TabError):
        text = _without_tabs(text)
        error = _error(text)
    for_python2 = error is not None
    if not for_python2:
        tree = ast.parse(text)
        list(walk(tree))
        for_python2 = _is_python2(tree)
    if for_python2:
        text = _fixed(text)
    remaining = _error(text)
    if remaining is not None:
        raise NotPython(remaining.msg, remaining.lineno)
    tree = ast.parse(text)
    list(walk(tree))
    edits = Edits(text)
    _names(tree, edits, for_python2)
    divides = any(isinstance(n, ast.ImportFrom) and n.module == "__future__" and any(a.name == "division" for a in n.names) for n in tree.body)
    if for_python2 and not divides:
        _divisions(tree, edits, notes)
    return edits.text(), notes
