"""Writes a wheel: the packages weft and tensorflow, the module for one Python, the program weft, and the libraries behind them. CMake's target `wheel` runs it."""

import argparse
import base64
import hashlib
import os
import platform
import re
import stat
import subprocess
import tempfile
import time
import zipfile

from shared_libraries import Elf, libraries_behind

FIRST_TIME = (1980, 1, 1, 0, 0, 0)  # the earliest of a zip archive


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", required=True, help="the project")
    parser.add_argument("--modules", required=True, help="the build's folder of Python modules")
    parser.add_argument("--tag", required=True, help="cp311")
    parser.add_argument("--suffix", required=True, help=".cpython-311-x86_64-linux-gnu.so")
    parser.add_argument("--extension", required=True, help="the module _weft for it")
    parser.add_argument("--pybind11", required=True, help="the version that it was built with")
    parser.add_argument("--program", required=True, help="weft")
    parser.add_argument("--library", action="append", default=[], help="a library of ours")
    parser.add_argument("--weft-version", required=True)
    parser.add_argument("--level", type=int, default=6, help="of compression: 0 is fast and large")
    parser.add_argument("--output", required=True, help="the folder for wheels")
    return parser.parse_args()


def read(path):
    with open(path, "rb") as f:
        return f.read()


def tensorflow_version(source):
    text = read(os.path.join(source, "app/python/weft/version.py")).decode()
    return re.search(r'^VERSION = "(.*)"', text, re.MULTILINE).group(1)


def files_below(folder, suffixes):
    for where, folders, names in os.walk(folder, followlinks=True):
        folders[:] = sorted(f for f in folders if f != "__pycache__")
        for name in sorted(names):
            if name.endswith(suffixes):
                path = os.path.join(where, name)
                yield os.path.relpath(path, folder), path


def owner(path):
    """The Debian package of a library, for its licence; None elsewhere."""
    for candidate in (path, path[4:] if path.startswith("/usr/lib/") else "/usr" + path):
        try:
            listed = subprocess.run(["dpkg-query", "-S", candidate], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, universal_newlines=True)
        except OSError:
            return None
        if listed.returncode == 0:
            return listed.stdout.split(":")[0]
    return None


def numpy_requirement(pybind11):
    limit = "" if tuple(int(n) for n in pybind11.split(".")) >= (2, 12) else ",<2"
    return "numpy>=1.17.3" + limit


def metadata(version, options):
    python = "%s.%s" % (options.tag[2], options.tag[3:])
    lines = ["Metadata-Version: 2.1", "Name: tensorflow", "Version: " + version,
             "Summary: Weft: TensorFlow 1.x programs on an engine of its own",
             "License: GPL-3.0-or-later",
             "Requires-Python: ==%s.*" % python,
             "Requires-Dist: " + numpy_requirement(options.pybind11),
             "Requires-Dist: protobuf>=3.20",
             "Requires-Dist: six>=1.10",  # this and absl-py for programs, which find them wherever TensorFlow is
             "Requires-Dist: absl-py>=0.7",
             "Requires-Dist: h5py>=2.10; extra == 'keras'",
             "Provides-Extra: keras",
             "Classifier: Operating System :: POSIX :: Linux",
             "Classifier: Programming Language :: Python :: " + python,
             "Description-Content-Type: text/markdown", "",
             "This distribution is Weft, which runs programs for TensorFlow 1.15 on its own engine. It contains no code of TensorFlow.",
             "It has TensorFlow's name so that pip counts requirements on TensorFlow 1.x as fulfilled.", ""]
    return "\n".join(lines).encode()


class Wheel:
    """An archive with the same bytes for the same contents."""

    def __init__(self, info):
        self._info, self._files = info, {}
        epoch = os.environ.get("SOURCE_DATE_EPOCH")
        self._time = max(FIRST_TIME, time.gmtime(int(epoch))[:6]) if epoch else FIRST_TIME

    def add(self, name, data, executable=False):
        self._files[name] = (bytes(data), executable)

    def write(self, path, level):
        record = self._info + "/RECORD"
        rows = []
        for name, (data, _) in sorted(self._files.items()):
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            rows.append("%s,sha256=%s,%d\n" % (name, digest, len(data)))
        rows.append(record + ",,\n")
        # The metadata comes last, as the format recommends.
        names = sorted(self._files, key=lambda n: (n.startswith(self._info), n))
        part = path + ".part"
        with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED, compresslevel=level) as archive:
            for name in names:
                self._put(archive, name, *self._files[name])
            self._put(archive, record, "".join(rows).encode(), False)
        os.replace(part, path)

    def _put(self, archive, name, data, executable):
        entry = zipfile.ZipInfo(name, self._time)
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.create_system = 3
        entry.external_attr = (stat.S_IFREG | (0o755 if executable else 0o644)) << 16
        archive.writestr(entry, data)


def stripped(path, scratch):
    """A copy without symbols and debug information, if there is a `strip`."""
    copy = os.path.join(scratch, os.path.basename(path))
    try:
        subprocess.run(["strip", "--strip-unneeded", "-o", copy, path], check=True)
    except FileNotFoundError:
        return path
    return copy


def add_libraries(wheel, info, options, scratch):
    """Puts the module, the program, our libraries and all behind them into the wheel; returns the newest glibc that they need."""
    ours = {Elf(path).soname(): path for path in options.library}
    behind = libraries_behind([options.extension, options.program] + options.library, ours)
    parts = [("weft/_weft" + options.suffix, options.extension, "$ORIGIN/lib"), ("weft/bin/weft", options.program, "$ORIGIN/../lib")]
    parts += [("weft/lib/" + name, path, "$ORIGIN") for name, path in sorted(ours.items())]
    glibc = (2, 17)
    for name, path, search in parts:
        elf = Elf(stripped(path, scratch))
        elf.set_search_path(search)
        glibc = max(glibc, elf.newest_glibc())
        wheel.add(name, elf.data, True)
    for name, path in sorted(behind.items()):
        elf = Elf(path)
        glibc = max(glibc, elf.newest_glibc())
        wheel.add("weft/lib/" + name, elf.data, True)
        package = owner(path)
        licence = "/usr/share/doc/%s/copyright" % package
        if package and os.path.exists(licence):
            wheel.add("%s/licenses/%s" % (info, package), read(licence))
    return glibc


def main():
    options = arguments()
    version = "%s+weft%s" % (tensorflow_version(options.source), options.weft_version)
    info = "tensorflow-%s.dist-info" % version
    os.makedirs(options.output, exist_ok=True)
    wheel = Wheel(info)
    python = os.path.join(options.source, "app/python")
    for name, path in files_below(options.modules, (".py", ".tsv")):
        if name.startswith(("weft/", "tensorflow/")):
            wheel.add(name, read(path))
    wheel.add("weft/bootstrap.py", read(os.path.join(python, "bootstrap.py")))
    for folder in ("datasets", "against"):
        for name, path in files_below(os.path.join(options.source, "resources", folder), ("",)):
            wheel.add("weft/share/weft/%s/%s" % (folder, name), read(path))
    wheel.add("tensorflow-%s.data/scripts/weft" % version, read(os.path.join(python, "packaging/weft_script.py")), True)

    with tempfile.TemporaryDirectory() as scratch:
        glibc = add_libraries(wheel, info, options, scratch)
    platform_tag = "manylinux_%d_%d_%s" % (glibc + (platform.machine(),))
    wheel.add(info + "/METADATA", metadata(version, options))
    wheel.add(info + "/WHEEL", ("Wheel-Version: 1.0\nGenerator: weft %s\nRoot-Is-Purelib: false\nTag: %s-%s-%s\n" %
                                (options.weft_version, options.tag, options.tag, platform_tag)).encode())
    wheel.add(info + "/top_level.txt", b"tensorflow\nweft\n")
    wheel.add(info + "/licenses/LICENSE", read(os.path.join(options.source, "LICENSE")))
    path = os.path.join(options.output, "tensorflow-%s-%s-%s-%s.whl" % (version, options.tag, options.tag, platform_tag))
    wheel.write(path, options.level)
    print(path)


if __name__ == "__main__":
    main()
