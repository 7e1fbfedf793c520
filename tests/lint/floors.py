#!/usr/bin/env python3
"""Checks the layers of folders. Each folder of engine/, app/ and widgets/ lists in its README.md, in a line "May include: a, b." (or "May include:
nothing."), the sibling folders whose headers it may include. Errors: an #include of any other sibling folder, a folder without such a line, and cycles among
the lists. Headers under engine/include are free for all. Text in brackets after a name is an explanation. Run in the source tree, or pass the source tree as
argument."""

import os
import re
import sys

PARTS = ("engine", "app", "widgets")
NOT_FLOORS = {"engine/include"}  # public headers: tests/lint/include_directions.sh watches them
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"/]+)/[^"]+"', re.M)
STATED = re.compile(r"^May include: (.*?)\.(?:\s|$)", re.M | re.S)


def folders_of(root, part):
    top = os.path.join(root, part)
    names = sorted(os.listdir(top)) if os.path.isdir(top) else []
    return [name for name in names if os.path.isdir(os.path.join(top, name)) and part + "/" + name not in NOT_FLOORS and any(sources(os.path.join(top, name)))]


def sources(folder):
    for where, _, names in os.walk(folder):
        for name in sorted(names):
            if name.endswith((".h", ".cpp", ".cu", ".cuh", ".inc")):
                yield os.path.join(where, name)


def stated(readme):
    """The folders named, or None."""
    if not os.path.exists(readme):
        return None
    with open(readme, encoding="utf-8") as file:
        match = STATED.search(file.read())
    if not match:
        return None
    words = re.sub(r"\([^)]*\)", "", match.group(1))
    return {word.strip(" `/\n") for word in words.split(",")} - {"nothing", ""}


def circle(allowed):
    """One cycle among the lists, as a list of folders, or None."""
    done, path = set(), []

    def visit(folder):
        if folder in path:
            return path[path.index(folder):] + [folder]
        if folder in done:
            return None
        path.append(folder)
        for other in sorted(allowed.get(folder, ())):
            found = visit(other)
            if found:
                return found
        path.pop()
        done.add(folder)
        return None

    for folder in sorted(allowed):
        found = visit(folder)
        if found:
            return found
    return None


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else "."
    bad, counted = [], 0
    for part in PARTS:
        folders = folders_of(root, part)
        allowed = {}
        for folder in folders:
            readme = "%s/%s/README.md" % (part, folder)
            may = stated(os.path.join(root, readme))
            if may is None:
                bad.append('%s does not say "May include: …."' % readme)
                may = set()
            for name in sorted(may - set(folders)):
                bad.append("%s names %s, which is no folder of %s" % (readme, name, part))
            allowed[folder] = may & set(folders)
            for path in sources(os.path.join(root, part, folder)):
                with open(path, encoding="utf-8") as file:
                    text = file.read()
                for other in sorted({name for name in INCLUDE.findall(text) if name in folders and name != folder and name not in may}):
                    bad.append("%s includes %s, which %s does not allow" % (os.path.relpath(path, root), other, readme))
                counted += 1
        found = circle(allowed)
        if found:
            bad.append("%s: the statements form a circle: %s" % (part, " → ".join(found)))
    for line in bad:
        print(line)
    print("%d sources, %d findings" % (counted, len(bad)))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
