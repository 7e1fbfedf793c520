#!/usr/bin/env python3
"""Members are read and written under their mutex. Every mutex of engine/, app/ and widgets/ is one of weft/mutex.h, weft/shared_mutex.h and weft/cond_var.h, whose users say with
WEFT_GUARDED_BY what it guards; here clang's -Wthread-safety compiles the sources that see such members, without making code, and refuses what doesn't hold the mutex. Run in the
source tree: thread_safety.py [BUILD], where BUILD has a compile_commands.json. Exit status 77 (a skipped test) where there is no clang; `./test` installs it."""

import concurrent.futures
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

PARTS = ("engine", "app", "widgets")
WRAPPERS = ("engine/include/weft/mutex.h", "engine/include/weft/shared_mutex.h", "engine/include/weft/cond_var.h")
RAW = re.compile(r"std::(?:recursive_|timed_|recursive_timed_|shared_|shared_timed_)?mutex\b|std::condition_variable|std::(?:lock_guard|scoped_lock|shared_lock|unique_lock)\b"
                 r"|#\s*include\s*<(?:mutex|shared_mutex|condition_variable)>|\bQ(?:Recursive)?Mutex(?:Locker)?\b|\bQReadWriteLock\b|\bQWaitCondition\b")
GUARDED = re.compile(r"WEFT_(?:PT_)?(?:GUARDED_BY|REQUIRES)|\b(?:MutexLock|ReaderLock|WriterLock|MovableLock|CondVar)\b")
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.M)
KEPT = re.compile(r"-(?:D|I|U|std=|f(?:openmp|PIC|visibility)|m|pthread)")


def sources():
    for part in PARTS:
        for where, folders, names in os.walk(part):
            folders.sort()
            for name in sorted(names):
                if name.endswith((".h", ".cpp", ".cu", ".cuh", ".inc")):
                    yield os.path.join(where, name)


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def raw_ones(texts):
    """Uses of mutexes and locks that the analysis doesn't know."""
    for path, text in texts.items():
        if path in WRAPPERS:
            continue
        for number, line in enumerate(text.split("\n"), 1):
            code = line.split("//")[0]
            if RAW.search(code):
                yield f"{path}:{number}: {line.strip()}   <- use weft/mutex.h, weft/shared_mutex.h or weft/cond_var.h"


def concerned(texts):
    """Sources with locks or guarded members of their own, or in a header of their own folder that they include."""
    found = set()
    for path, text in texts.items():
        if not path.endswith(".cpp"):
            continue
        seen, new = set(), [path]
        while new:
            one = new.pop()
            if one in seen or one in WRAPPERS:
                continue
            seen.add(one)
            if GUARDED.search(texts[one]):
                found.add(path)
                break
            if one != path and os.path.dirname(one) != os.path.dirname(path):
                continue
            for name in INCLUDE.findall(texts[one]):
                new += [p for p in (os.path.join(part, name) for part in PARTS + ("engine/include",)) if p in texts]
    return found


def flags_of(command):
    """What of a compile command says how a source is read."""
    words, out = shlex.split(command), []
    for i, word in enumerate(words):
        if KEPT.match(word):
            out.append(word)
        elif word in ("-isystem", "-idirafter"):
            out += words[i:i + 2]
    return out


def batches(build, wanted):
    """(flags, sources) of each compilation, which may have several sources at once, as the build has them; sources that it doesn't compile are on their own."""
    root, left, out = os.getcwd(), set(wanted), []
    commands = os.path.join(build, "compile_commands.json") if build else ""
    if os.path.exists(commands):
        for entry in json.loads(text_of(commands)):
            file = os.path.join(entry["directory"], entry["file"])
            together = INCLUDE.findall(text_of(file)) if "/Unity/" in file and os.path.exists(file) else [file]
            mine = [p for p in (os.path.relpath(os.path.join(entry["directory"], f), root) for f in together) if p in left]
            if mine:
                left.difference_update(mine)
                out.append((flags_of(entry["command"]) + ["-I" + os.path.dirname(file)], mine))
    elif build:
        sys.exit(f"{commands} is missing: configure the build first")
    if not build:
        out += [(["-std=c++20", "-Iengine/include", "-Iengine", "-Iwidgets", "-I."], [path]) for path in sorted(left)]
    return sorted(out, key=lambda batch: -len(batch[1]))


def main():
    texts = {path: text_of(path) for path in sources()}
    bad = list(raw_ones(texts))
    if bad:
        print("\n".join(bad))
        return 1
    clang = next((c for c in ("clang++-14", "clang++") if shutil.which(c)), None)
    if not clang:
        print("clang is not installed (Debian: apt install clang-14): the mutexes were not checked")
        return 77
    build = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else None
    work = batches(build, concerned(texts))
    with tempfile.TemporaryDirectory() as folder:

        def check(number):
            flags, paths = work[number]
            together = os.path.join(folder, f"{number}.cpp")
            with open(together, "w", encoding="utf-8") as file:
                file.writelines(f'#include "{os.path.abspath(p)}"\n' for p in paths)
            command = [clang, "-fsyntax-only", "-ferror-limit=0", "-Wno-everything", "-Wthread-safety", "-Werror=thread-safety", "-fno-caret-diagnostics", *flags, together]
            return subprocess.run(command, capture_output=True, text=True, check=False)

        with concurrent.futures.ThreadPoolExecutor(max(1, min(os.cpu_count() or 1, 4))) as pool:
            said = [result.stderr for result in pool.map(check, range(len(work))) if result.returncode != 0]
    lines = dict.fromkeys(line.replace(os.getcwd() + "/", "") for text in said for line in text.splitlines() if "error:" in line)
    print("\n".join(lines))
    print(f"{sum(len(paths) for _, paths in work)} sources in {len(work)} compilations")
    return 1 if said else 0


sys.exit(main())
