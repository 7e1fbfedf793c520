#!/usr/bin/env python3
"""Finds calls with two arguments that make graph nodes. C++ leaves the order of evaluation of arguments open, so names and order of nodes would depend on the
compiler. Initializer lists in braces are evaluated from left to right and are allowed. Run in the source tree; prints each such call.

Makers of nodes are: methods of GraphBuilder that return an Output or a node id; functions whose first parameter is a GraphBuilder and whose result may hold
Outputs; lambdas and functions of the file with such a call in their body. The body of a lambda argument runs within the call and does not count."""

import bisect
import os
import re
import sys

METHODS = {"op", "node", "constant", "scalar", "ints", "number", "placeholder", "identity", "cast", "noOp", "group", "uniqueName"}
GIVES = re.compile(r"\b(Output|Outputs|Grads|Gradient|IndexedSlices|VariablePtr|Values|SparseValue|Metric|Sized|Built|SaverInfo|Argument|ArgumentList|BroadcastAxes|int)\b")
LOOKS_UP = {"slicesOf", "findVariable", "variablesIn", "producerOfInput"}  # return existing nodes
NO_CALLS = {"if", "while", "for", "switch", "return", "sizeof", "alignof", "decltype", "catch", "noexcept", "static_assert", "throw", "case", "else", "do", "operator"}
AFTER_PARAMETERS = {"const", "override", "noexcept", "final", "mutable"}
HIDDEN = re.compile(r"""R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])*'|//[^\n]*|/\*.*?\*/|^[ \t]*\#(?:\\\n|[^\n])*""", re.S | re.M)
TOKEN = re.compile(r"[A-Za-z_]\w*|\d[\w.']*|::|->|\S")
DECLARED = re.compile(r"^[ \t]*((?:[\w:<>,&* ]|\[\[nodiscard\]\])+?)[ &*]+([A-Za-z_]\w*)\((?:const )?(?:weft::|api::)?GraphBuilder&", re.M)


def _blank(match):
    text = match.group()
    return ('""' if text[0] in "\"R'" else "") + "\n" * text.count("\n")


class Source:
    """A file as tokens."""

    def __init__(self, path, text):
        self.path, self.text = path, HIDDEN.sub(_blank, text)
        self.tokens, self.lines = [], []
        for line, words in enumerate(self.text.split("\n"), 1):
            found = TOKEN.findall(words)
            self.tokens += found
            self.lines += [line] * len(found)
        self.partner, self.around, self.commas, stack = {}, [], {}, []  # around: the bracket that is open at a token
        for i, token in enumerate(self.tokens):
            if token in ")]}" and stack:
                j = stack.pop()
                self.partner[i], self.partner[j] = j, i
            self.around.append(stack[-1] if stack else -1)
            if token in "([{":
                stack.append(i)
                self.commas[i] = []
            elif token == "," and stack:
                self.commas[stack[-1]].append(i)
        self.builders = {"b", "b_", "builder", "builder_"} | set(re.findall(r"GraphBuilder& (\w+)", self.text))
        self.bodies = {}  # the brace of a body -> where the lambda or function begins, and its name or None
        for i, token in enumerate(self.tokens):
            begin = self.body_after(i) if token in "[(" else None
            if begin is not None:
                name = self.tokens[i - 1] if token == "(" else self.tokens[i - 2] if self.tokens[i - 1] == "=" else None
                self.bodies[begin] = (i, name)

    def word(self, i):
        return i >= 0 and (self.tokens[i][0].isalpha() or self.tokens[i][0] == "_")

    def body_after(self, i):
        """The brace of the lambda, or of the function definition, whose first bracket is token i, or None."""
        if i not in self.partner or i < 2:
            return None
        before, j = self.tokens[i - 1], self.partner[i] + 1
        if self.tokens[i] == "[":
            if before in ")]" or self.word(i - 1) and before not in NO_CALLS:
                return None
            if j < len(self.tokens) and self.tokens[j] == "(":
                j = self.partner.get(j, j) + 1
            while j < len(self.tokens) and self.tokens[j] not in "{;)},":
                j += 1
        else:
            if not self.word(i - 1) or before in NO_CALLS or not (self.word(i - 2) or self.tokens[i - 2] in "&*>") or self.tokens[i - 2] in NO_CALLS:
                return None
            while j < len(self.tokens) and self.tokens[j] in AFTER_PARAMETERS:
                j += 1
        return j if j < len(self.tokens) and self.tokens[j] == "{" and j in self.partner else None

    def called(self, i):
        """The name before the parenthesis at token i (of f<T>( too), as its token's number, or None."""
        j = i - 1
        if j > 0 and self.tokens[j] == ">":
            depth = 0
            while j > 0:
                depth += (self.tokens[j] == ">") - (self.tokens[j] == "<")
                j -= 1
                if depth == 0:
                    break
        return j if self.word(j) and self.tokens[j] not in NO_CALLS else None

    def makes(self, i, functions):
        """Whether the call at token i makes a node, by the declarations of other files."""
        name = self.called(i)
        if name is None or i not in self.partner:
            return False
        if self.tokens[name - 1] in (".", "->"):
            owner = self.tokens[name - 2]
            return self.tokens[name] in METHODS and (owner in self.builders or owner == ")" and self.tokens[name - 4:name - 1] == ["b", "(", ")"])
        if self.tokens[name] not in functions:
            return False
        end = (self.commas[i] or [self.partner[i]])[0]
        return self.tokens[end - 1] in self.builders or self.tokens[end - 3:end] in (["b", "(", ")"], ["builder", "(", ")"])

    def in_body(self, i):
        """The braces of the lambdas and functions that token i is in, inner ones first."""
        while i >= 0:
            if i in self.bodies:
                yield i
            i = self.around[i]

    def findings(self, functions):
        """(line, names) of each call with two arguments that make nodes."""
        calls = [i for i, token in enumerate(self.tokens) if token == "(" and self.called(i) is not None]
        makers = {i for i in calls if self.makes(i, functions)}
        by_name, todo, local = {}, sorted(makers), set()
        for i in calls:
            if self.tokens[self.called(i) - 1] not in ("::", ".", "->"):
                by_name.setdefault(self.tokens[self.called(i)], []).append(i)
        while todo:  # a maker in a body makes its function a maker, and so the later calls of it
            for brace in self.in_body(todo.pop()):
                begin, name = self.bodies[brace]
                if name is not None and (begin, name) not in local:
                    local.add((begin, name))
                    more = [i for i in by_name.get(name, ()) if i > begin and i not in makers]
                    makers.update(more)
                    todo += more
        arguments = {}  # parenthesis -> number of argument -> a maker in it
        for i in sorted(makers):
            j, inner = self.around[i], i
            while j >= 0 and j not in self.bodies:
                if self.tokens[j] == "(" and (self.called(j) is not None or self.tokens[j - 1] in ")]"):
                    arguments.setdefault(j, {}).setdefault(bisect.bisect(self.commas[j], inner), i)
                inner, j = j, self.around[j]
        for j, made in sorted(arguments.items()):
            if len(made) > 1:
                yield self.lines[j], [self.tokens[self.called(i)] for i in made.values()]


def sources():
    for top in ("engine", "app", "tests"):
        for folder, folders, files in os.walk(top):
            folders[:] = [f for f in folders if f not in ("build", "golden")]
            for name in files:
                if name.endswith((".cpp", ".h")):
                    path = os.path.join(folder, name)
                    with open(path, encoding="utf-8") as f:
                        text = f.read()
                    if "GraphBuilder" in text or "GradContext" in text or re.search(r"\bb\.op\(", text):
                        yield Source(path, text)


# Self-test: lines that must be found (each with a call with two makers), and lines that must not.
SEEN = """
Output f(GraphBuilder& b, Output x) {
  const auto two = [&](Output y) { return b.op("Mul", {y, y}); };
  use(two(x), two(x));
  return mul(b, mul(b, x, x),
    b.scalar<float>(2));
  c.b().op("Add", {x, x}, {}, name(b.op("A", {}), b.number(t, 1, ")")));
}
Output g(Call& c) { return mul(c.b, f(c.b, 1), sub(c.b, 2, 3)); }
void h(Call& c) { std::make_pair(g(c), v[g(c)]); }
"""
NOT_SEEN = """
Output f(GraphBuilder& b, Output x) {
  const Output one = mul(b, x, x);  // mul(b, mul(b, x, x), mul(b, x, x))
  each(mul(b, x, x), [&] { return mul(b, x, x); });
  return b.op("Pack", {mul(b, x, x), mul(b, x, x)}, {{"text", "f(mul(b), mul(b))"}});
}
void g() { std::max(mul(1, 2), mul(3, 4)); if (mul(b, 1), mul(b, 2)) mul(b, mul(b, 1)); }
"""


def main():
    read = list(sources())
    functions = {name for source in read for gives, name in DECLARED.findall(source.text) if GIVES.search(gives)} - LOOKS_UP
    bad = ["%s:%d: %s make nodes in one argument list" % (source.path, line, " and ".join(names)) for source in read for line, names in source.findings(functions)]
    seen, not_seen = ([line for line, _ in Source("", text).findings({"mul", "sub"})] for text in (SEEN, NOT_SEEN))
    if seen != [4, 5, 7, 9, 10] or not_seen:
        bad.append("what it must see: lines %s; what it must not: %s" % (seen, not_seen))
    for line in sorted(bad):
        print(line)
    print("%d files, %d functions that make nodes, %d findings" % (len(read), len(functions), len(bad)))
    return 1 if bad or len(functions) < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
