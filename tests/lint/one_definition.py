#!/usr/bin/env python3
"""Two classes of one name in one namespace share their destructors and inline functions, whichever the linker finds first. Run in the source tree; prints each
pair of files that define the same class. Classes in unnamed namespaces and in other programs (tests) are their own."""
import collections
import pathlib
import re
import sys

CLASS = re.compile(r"\s*(?:struct|class)\s+(?:[A-Z][A-Z_]+(?:\([^)]*\))?\s+)*(\w+)(?:\s+final)?\s*(?::(?!:)[^;{]*)?\{")
NAMESPACE = re.compile(r"\s*(?:inline\s+)?namespace\s*([\w:]*)\s*\{")


def classes(text):
    """Full names of the classes that a file defines in named namespaces."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r'"(?:\\.|[^"\\\n])*"', '""', text)
    depth, open_namespaces = 0, []
    for line in text.split("\n"):
        name = NAMESPACE.match(line)
        if name:
            open_namespaces.append((name.group(1), depth))
        elif depth == len(open_namespaces) and all(n for n, _ in open_namespaces):
            found = CLASS.match(line)
            if found:
                yield "::".join([n for n, _ in open_namespaces] + [found.group(1)])
        depth += line.count("{") - line.count("}")
        while open_namespaces and depth <= open_namespaces[-1][1]:
            open_namespaces.pop()


def main():
    where = collections.defaultdict(set)
    for folder in ("engine", "widgets", "app"):
        for path in sorted(pathlib.Path(folder).rglob("*")):
            if path.suffix in (".h", ".cpp", ".cu") and path.is_file():
                for name in classes(path.read_text(encoding="utf-8", errors="replace")):
                    where[name].add(str(path))
    bad = {name: files for name, files in where.items() if len(files) > 1}
    for name, files in sorted(bad.items()):
        print(f"{name} is defined in {', '.join(sorted(files))}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
