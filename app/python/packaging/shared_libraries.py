"""The shared libraries that an ELF file needs, and its search path for them. Reads 64-bit little-endian files as the linker writes them."""

import os
import re
import struct
import subprocess

_NEEDED, _STRTAB, _SONAME, _RPATH, _RUNPATH = 1, 5, 14, 15, 29

# What every distribution has in versions that fit, as long as glibc does. All others go into the wheel.
_EVERYWHERE = re.compile(r"(ld-linux-.*|lib(c|m|mvec|dl|rt|pthread|util|resolv|stdc\+\+|gcc_s|z))\.so(\.\d+)*$")


class Elf:
    """The dynamic section of a file's bytes."""

    def __init__(self, path):
        with open(path, "rb") as f:
            self.data = bytearray(f.read())
        if self.data[:6] != b"\x7fELF\x02\x01":
            raise ValueError("%s: expected a 64-bit little-endian ELF file" % path)
        self.path = path
        (at,) = struct.unpack_from("<Q", self.data, 32)
        size, count = struct.unpack_from("<HH", self.data, 54)
        segments = [struct.unpack_from("<IIQQQQ", self.data, at + i * size) for i in range(count)]
        self._loaded = [(address, offset, length) for kind, _, offset, address, _, length in segments if kind == 1]
        dynamic = next((s for s in segments if s[0] == 2), None)
        self._entries = []  # (offset in the file, tag, value)
        for at in range(dynamic[2], dynamic[2] + dynamic[5], 16) if dynamic else ():
            tag, value = struct.unpack_from("<qQ", self.data, at)
            if tag == 0:
                break
            self._entries.append((at, tag, value))
        self._strings = next((self._offset(value) for _, tag, value in self._entries if tag == _STRTAB), 0)

    def _offset(self, address):
        return next(address - start + offset for start, offset, length in self._loaded if start <= address < start + length)

    def _text(self, value):
        start = self._strings + value
        return self.data[start : self.data.index(0, start)].decode()

    def needed(self):
        return [self._text(value) for _, tag, value in self._entries if tag == _NEEDED]

    def soname(self):
        return next((self._text(value) for _, tag, value in self._entries if tag == _SONAME), os.path.basename(self.path))

    def set_search_path(self, folders):
        """Replaces the search path that the linker wrote by a DT_RPATH of these folders, in place: it must not be longer."""
        for at, tag, value in self._entries:
            if tag not in (_RPATH, _RUNPATH):
                continue
            start, room = self._strings + value, len(self._text(value).encode())
            if len(folders) > room:
                raise ValueError("%s: its search path has room for %d characters, expected %d" % (self.path, room, len(folders)))
            self.data[start : start + room] = folders.encode().ljust(room, b"\0")
            struct.pack_into("<q", self.data, at, _RPATH)
            return
        raise ValueError("%s: has no search path to replace" % self.path)

    def newest_glibc(self):
        """The newest glibc of which the file asks for a function: (2, 36)."""
        return max(((int(a), int(b)) for a, b in re.findall(rb"\0GLIBC_(\d+)\.(\d+)", bytes(self.data))), default=(2, 17))


def _locations(path):
    """Where the loader finds each library behind a file: {name: path}."""
    listed = subprocess.run(["ldd", path], check=True, stdout=subprocess.PIPE, universal_newlines=True).stdout
    found = {}
    for line in listed.splitlines():
        words = line.split()
        if "not found" in line:
            raise ValueError("%s needs %s, which this machine does not have" % (path, words[0]))
        if len(words) > 2 and words[1] == "=>":
            found[words[0]] = words[2]
    return found


def libraries_behind(paths, own):
    """The libraries that these files load, directly or not, and a wheel must bring: {name: path}. OWN names those that are ours."""
    found = {}
    for path in paths:
        for name, place in _locations(path).items():
            if name not in own and not _EVERYWHERE.match(name):
                found[name] = os.path.realpath(place)
    return found
