"""The cost of a new function of tf: lines of the twenty newest ones, and where they are.

    python3 cost.py [N]

Counted are functions that a module exports (@export) and those that a statement in engine/api defines (`def(r, …)`), with decorator, comment and body. Their
age is that of the line with the name in git. Functions from op records (op_calls.py) cost nothing here, or a row in op_table.tsv where TensorFlow names
parameters differently."""

import ast
import os
import re
import statistics
import subprocess
import sys

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")


def python_functions(path):
    """(line of the name, number of lines, name) of each exported function."""
    with open(path, encoding="utf-8") as f:
        tree = ast.parse(f.read())
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef):
            continue
        for mark in node.decorator_list:
            if isinstance(mark, ast.Call) and getattr(mark.func, "id", "") == "export" and mark.args:
                yield node.lineno, node.end_lineno - node.decorator_list[0].lineno + 1, node.name
                break


def statements(path):
    """The same for statements in engine/api, from `def(` to the final semicolon."""
    with open(path, encoding="utf-8") as f:
        lines = f.read().split("\n")
    number = 0
    while number < len(lines):
        start = re.match(r'\s+(?:def|fn|add)\(r, "([\w.]+)', lines[number])
        if not start:
            number += 1
            continue
        depth, last = 0, number
        for last in range(number, len(lines)):
            code = re.sub(r'"(\\.|[^"\\])*"', '""', lines[last])
            depth += sum(code.count(c) for c in "({[") - sum(code.count(c) for c in ")}]")
            if depth <= 0:
                break
        yield number + 1, last - number + 1, start.group(1)
        number = last + 1


def times(path):
    """The commit time of each line, in seconds."""
    said = subprocess.run(["git", "blame", "--line-porcelain", "--", path], cwd=TOP, stdout=subprocess.PIPE, check=True, universal_newlines=True, encoding="utf-8").stdout
    return [int(line.split()[1]) for line in said.split("\n") if line.startswith("committer-time ")]


def main():
    last = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    found = []
    for folder, ending, read in (("app/python/weft", ".py", python_functions), ("engine/api", ".cpp", statements)):
        for path in subprocess.run(["git", "ls-files", folder + "/*" + ending], cwd=TOP, stdout=subprocess.PIPE, check=True, universal_newlines=True).stdout.split():
            functions = list(read(os.path.join(TOP, path)))
            came = times(path) if functions else []
            found += [(came[line - 1], path, line, lines, title) for line, lines, title in functions]
    found.sort(reverse=True)
    print("| function | lines | where |\n|---|---|---|")
    for _, path, line, lines, title in found[:last]:
        print("| %s | %d | %s:%d |" % (title, lines, path, line))
    print("\nmedian of the last %d: %g lines; of all %d: %g lines" % (last, statistics.median(f[3] for f in found[:last]), len(found), statistics.median(f[3] for f in found)))


if __name__ == "__main__":
    main()
