"""weft py --migrate FILE [--output NEW | --in-place | --dry-run]: programs for Python 2 and for TensorFlow before 1.0 become programs for Python 3 and TensorFlow 1.15."""

import argparse
import ast
import difflib
import io
import os
import sys
import tempfile
import tokenize

from .migrate_calls import migrate_calls
from .migrate_python2 import NotPython, migrate_python


def migrate(text):
    """(the new source, [(line of the new source, what to look at)]). NotPython if it cannot be translated."""
    text, notes = migrate_python(text)
    text, more = migrate_calls(text)
    try:
        ast.parse(text)
    except SyntaxError as e:
        raise NotPython("a call here cannot be translated; please do it by hand: %s" % e.msg, e.lineno) from None
    return text, sorted(set(notes + more))


class _Source:
    """A program's text, with what its bytes tell beside it: encoding, line ends, byte order mark."""

    def __init__(self, path):
        with open(path, "rb") as f:
            raw = f.read()
        self.encoding = tokenize.detect_encoding(io.BytesIO(raw).readline)[0]  # "utf-8-sig" with a mark
        text = raw.decode(self.encoding)
        self.newline = "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"
        self.text = text.replace("\r\n", "\n")

    def bytes(self, text):
        return text.replace("\n", self.newline).encode(self.encoding)


def _write(path, content, like):
    """Replaces a file as a whole, or not at all; of a link, the file that it names."""
    path = os.path.realpath(path)
    handle, temporary = tempfile.mkstemp(dir=os.path.dirname(path), prefix=".", suffix=".py")
    try:
        with os.fdopen(handle, "wb") as f:
            f.write(content)
            f.flush()
            os.fsync(f.fileno())
        os.chmod(temporary, os.stat(like).st_mode & 0o777)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _one(path, args):
    """The exit status for one file."""
    try:
        source = _Source(path)
    except (SyntaxError, UnicodeDecodeError, LookupError) as e:
        sys.stderr.write("weft: %s: the encoding of this file cannot be read: %s\n" % (path, e))
        return 1
    except OSError as e:
        sys.stderr.write("weft: %s: %s\n" % (path, e.strerror))
        return 1
    try:
        given = source.text
        new, notes = migrate(given)
    except NotPython as e:
        sys.stderr.write("weft: %s%s: %s\n" % (path, ":%d" % e.line if e.line else "", e))
        return 1
    target = path if args.in_place else args.output or "%s_migrated.py" % os.path.splitext(path)[0]
    sys.stdout.writelines(line if line.endswith("\n") else line + "\n" for line in difflib.unified_diff(given.splitlines(True), new.splitlines(True), path, target))
    for line, text in notes:
        print("%s:%d: %s" % (target if new != given else path, line, text))
    if new == given:
        print("%s: nothing to change" % path)
        return 0
    if args.dry_run:
        return 0
    if not args.in_place and os.path.exists(target) and not args.force:
        sys.stderr.write("weft: %s exists already; --force replaces it, --output names another file\n" % target)
        return 1
    try:
        _write(target, source.bytes(new), path)
    except OSError as e:
        sys.stderr.write("weft: %s: %s\n" % (target, e.strerror))
        return 1
    print("written: %s" % target)
    return 0


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="weft py --migrate", description="Shows what has to change in programs for Python 2 or for TensorFlow before 1.0, and writes the new "
                                     "program, by default to FILE_migrated.py.")
    parser.add_argument("files", nargs="+", metavar="FILE")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--output", metavar="NEW", help="the file to write, of a single FILE")
    how.add_argument("--in-place", action="store_true", help="replace FILE itself")
    how.add_argument("--dry-run", action="store_true", help="only show the changes")
    parser.add_argument("--force", action="store_true", help="replace a file that exists")
    args = parser.parse_args(arguments)
    if args.output and len(args.files) > 1:
        parser.error("--output: there are %d files" % len(args.files))
    return max(_one(path, args) for path in args.files)


if __name__ == "__main__":
    sys.exit(main())
