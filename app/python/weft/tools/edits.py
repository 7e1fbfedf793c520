"""Changes of a Python source by places in its syntax tree."""

import ast


class Edits:
    """Replacements in a text; places are those of the ast module (lines from 1, columns in UTF-8 bytes). Replacements must not overlap."""

    def __init__(self, text):
        self._bytes = text.encode("utf-8")
        self._starts = [0]
        for line in self._bytes.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))
        self._made = []

    def __len__(self):
        return len(self._made)

    def start(self, node):
        return self._starts[node.lineno - 1] + node.col_offset

    def end(self, node):
        return self._starts[node.end_lineno - 1] + node.end_col_offset

    def source(self, node):
        return self._bytes[self.start(node):self.end(node)].decode("utf-8")

    def replace(self, node, text):
        self._made.append((self.start(node), self.end(node), text))

    def replace_start(self, node, old, new):
        """Replaces the first characters of a node, which are `old`."""
        begin = self.start(node)
        self._made.append((begin, begin + len(old.encode("utf-8")), new))

    def replace_end(self, node, old, new):
        end = self.end(node)
        self._made.append((end - len(old.encode("utf-8")), end, new))

    def before(self, node, text, call=None):
        """Inserts a text; before the parentheses around a node that is an argument of `call`."""
        begin = self._outside(node, call)[0] if call is not None else self.start(node)
        self._made.append((begin, begin, text))

    def after(self, node, text, call=None):
        end = self._outside(node, call)[1] if call is not None else self.end(node)
        self._made.append((end, end, text))

    def _outside(self, node, call):
        """Begin and end of an argument with the parentheses around it, which the tree does not have."""
        begin, end, own = self.start(node), self.end(node), self._bytes.index(b"(", self.end(call.func))
        while True:
            left, right = begin - 1, end
            while left > own and self._bytes[left:left + 1].isspace():
                left -= 1
            while self._bytes[right:right + 1].isspace():
                right += 1
            if left <= own or self._bytes[left:left + 1] != b"(" or self._bytes[right:right + 1] != b")":
                return begin, end
            begin, end = left, right + 1

    def between(self, left, right, old, new):
        """Replaces the first `old` between two nodes. False if it is not there, as in `a / # a/b`."""
        begin, end = self.end(left), self.start(right)
        gap = self._bytes[begin:end].decode("utf-8")
        if gap.count(old) != 1 or "#" in gap:
            return False
        at = begin + len(gap[:gap.index(old)].encode("utf-8"))
        self._made.append((at, at + len(old), new))
        return True

    def text(self):
        out, last = [], 0
        for begin, end, text in sorted(self._made, key=lambda e: (e[0], e[1])):
            out += [self._bytes[last:begin], text.encode("utf-8")]
            last = end
        return b"".join(out + [self._bytes[last:]]).decode("utf-8")


def walk(tree):
    """All nodes, each with a `parent`."""
    for node in ast.walk(tree):
        for child in ast.iter_child_nodes(node):
            child.parent = node
    return ast.walk(tree)
