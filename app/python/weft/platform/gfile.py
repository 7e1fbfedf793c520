"""tf.gfile: files and folders, with the engine's error classes."""

import binascii
import contextlib
import errno
import fnmatch
import os
import re
import shutil
import stat as _stat

from .. import errors
from ..exports import export

_CODES = {
    errors.INVALID_ARGUMENT: "EINVAL ENAMETOOLONG E2BIG EDESTADDRREQ EDOM EFAULT EILSEQ ENOPROTOOPT ENOSTR ENOTSOCK ENOTTY EPROTOTYPE ESPIPE",
    errors.DEADLINE_EXCEEDED: "ETIMEDOUT ETIME",
    errors.NOT_FOUND: "ENODEV ENOENT ENXIO ESRCH",
    errors.ALREADY_EXISTS: "EEXIST EADDRNOTAVAIL EALREADY",
    errors.PERMISSION_DENIED: "EPERM EACCES EROFS",
    errors.FAILED_PRECONDITION: "ENOTEMPTY EISDIR ENOTDIR EADDRINUSE EBADF EBUSY ECHILD EISCONN ENOTBLK ENOTCONN EPIPE ESHUTDOWN ETXTBSY",
    errors.RESOURCE_EXHAUSTED: "ENOSPC EDQUOT EMFILE EMLINK ENFILE ENOBUFS ENODATA ENOMEM ENOSR EUSERS",
    errors.OUT_OF_RANGE: "EFBIG EOVERFLOW ERANGE",
    errors.UNIMPLEMENTED: "ENOPKG ENOSYS ENOTSUP EAFNOSUPPORT EPFNOSUPPORT EPROTONOSUPPORT ESOCKTNOSUPPORT EXDEV",
    errors.UNAVAILABLE: "EAGAIN ECONNREFUSED ECONNABORTED ECONNRESET EINTR EHOSTDOWN EHOSTUNREACH ENETDOWN ENETRESET ENETUNREACH ENOLCK ENOLINK",
    errors.ABORTED: "EDEADLK ESTALE",
    errors.CANCELLED: "ECANCELED",
}
_code_of_errno = {getattr(errno, name): code for code, names in _CODES.items() for name in names.split() if hasattr(errno, name)}


def _raise(error, path):
    raise errors.make(_code_of_errno.get(error.errno, errors.UNKNOWN), "%s; %s" % (path_text(path), os.strerror(error.errno))) from None


def path_text(name):
    """A path (str, bytes or pathlib object) as text."""
    return name if isinstance(name, str) else os.fsdecode(os.fspath(name))


_uri = re.compile(r"([a-zA-Z][0-9a-zA-Z.]*)://[^/]*")


def local_path(name):
    """A path as text, without "file://HOST". UnimplementedError for other file systems."""
    name = path_text(name)
    found = _uri.match(name)
    if not found:
        return name
    if found.group(1) != "file":
        raise errors.UnimplementedError(None, None, "File system scheme '%s' not implemented (file: '%s')" % (found.group(1), name))
    return name[found.end():]


class _Checked:
    """Context manager: converts the system's errors for a path into TensorFlow's."""

    def __init__(self, path):
        self.path = path

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if isinstance(error, OSError) and error.errno:
            _raise(error, self.path)


@export("gfile.GFile", "gfile.Open", "io.gfile.GFile")
class GFile:
    """A file, opened at the first read or write; in text mode unless the mode contains "b"."""

    def __init__(self, name, mode="r"):
        if mode not in ("r", "w", "a", "r+", "w+", "a+", "rb", "wb", "ab", "r+b", "rb+", "w+b", "wb+", "a+b", "ab+"):
            raise errors.InvalidArgumentError(None, None, "mode is not 'r' or 'w' or 'a'")
        self._name = name
        self._mode = mode
        self._binary = "b" in mode
        plain = mode.replace("b", "")
        self._reads = plain in ("r", "r+", "w+", "a+")
        self._writes = plain != "r"
        self._in = None
        self._out = None
        if plain in ("w", "w+", "a", "a+"):
            self._writable()

    name = property(lambda self: self._name)
    mode = property(lambda self: self._mode)

    def _readable(self):
        if not self._reads:
            raise errors.PermissionDeniedError(None, None, "File isn't open for reading")
        if self._in is None:
            path = local_path(self._name)
            with _Checked(self._name):
                self._in = open(path, "rb")
        return self._in

    def _writable(self):
        if not self._writes:
            raise errors.PermissionDeniedError(None, None, "File isn't open for writing")
        if self._out is None:
            path = local_path(self._name)
            with _Checked(self._name):
                self._out = open(path, "ab" if self._mode[0] == "a" else "wb")
        return self._out

    def _give(self, data):
        return data if self._binary else data.decode("utf-8")

    def size(self):
        """The size of the file in bytes."""
        return Stat(self._name).length

    def read(self, n=-1):
        """The next `n` bytes, by default the rest."""
        return self._give(self._readable().read(n))

    def readline(self):
        """The next line with its line end; empty at the end of the file."""
        return self._give(self._readable().readline())

    def readlines(self):
        """All remaining lines."""
        return [self._give(line) for line in self._readable().readlines()]

    def seek(self, offset=None, whence=0, position=None):
        """Moves to a position in the file. `position` is the old name of `offset`."""
        if offset is None and position is None:
            raise TypeError("seek(): offset argument required")
        if offset is not None and position is not None:
            raise TypeError("seek(): offset and position may not be set simultaneously.")
        file = self._readable()
        if whence not in (0, 1, 2):
            raise errors.InvalidArgumentError(None, None, "Invalid whence argument: {}. Valid values are 0, 1, or 2.".format(whence))
        if offset is None:
            offset = position
        with _Checked(self._name):
            file.seek(offset, whence)

    def tell(self):
        """The current position in the file."""
        return self._readable().tell() if self._reads else self._writable().tell()

    def write(self, file_content):
        """Appends text or bytes."""
        out = self._writable()
        with _Checked(self._name):
            out.write(file_content if isinstance(file_content, bytes) else str(file_content).encode("utf-8"))

    def flush(self):
        if self._out:
            with _Checked(self._name):
                self._out.flush()

    def close(self):
        """Closes the file. A later read or write opens it again."""
        self._in, in_ = None, self._in
        self._out, out = None, self._out
        for file in (in_, out):
            if file:
                with _Checked(self._name):
                    file.close()

    def seekable(self):
        return True

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()

    def __iter__(self):
        return self

    def __next__(self):
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    next = __next__


@export("gfile.FastGFile")
class FastGFile(GFile):
    """The old name of GFile."""


class FileStatistics:
    """The result of Stat()."""

    def __init__(self, length, mtime_nsec, is_directory):
        self.length = length
        self.mtime_nsec = mtime_nsec
        self.is_directory = is_directory


@export("gfile.Exists", "io.gfile.exists")
def Exists(filename):
    """Whether a file or folder of that name exists."""
    return os.path.exists(local_path(filename))


@export("gfile.IsDirectory", "io.gfile.isdir")
def IsDirectory(dirname):
    return os.path.isdir(local_path(dirname))


@export("gfile.Remove", "io.gfile.remove")
def Remove(filename):
    """Deletes a file."""
    path = local_path(filename)
    with _Checked(filename):
        os.unlink(path)


def _refuse(path, overwrite):
    if not overwrite and os.path.exists(path):
        raise errors.AlreadyExistsError(None, None, "file already exists")


@export("gfile.Copy", "io.gfile.copy")
def Copy(oldpath, newpath, overwrite=False):
    """Copies a file."""
    old, new = local_path(oldpath), local_path(newpath)
    _refuse(new, overwrite)
    with _Checked(oldpath):
        source = open(old, "rb")
    with source, _Checked(newpath):
        with open(new, "wb") as target:
            shutil.copyfileobj(source, target)


@export("gfile.Rename", "io.gfile.rename")
def Rename(oldname, newname, overwrite=False):
    """Renames a file or folder."""
    old, new = local_path(oldname), local_path(newname)
    _refuse(new, overwrite)
    with _Checked(oldname):
        os.rename(old, new)


@export("gfile.MkDir", "io.gfile.mkdir")
def MkDir(dirname):
    """Creates a folder; its parent must exist."""
    path = local_path(dirname)
    with _Checked(dirname):
        try:
            os.mkdir(path)
        except FileExistsError:
            if not os.path.isdir(path):
                raise


@export("gfile.MakeDirs", "io.gfile.makedirs")
def MakeDirs(dirname):
    """Creates a folder and its missing parents."""
    path = local_path(dirname)
    with _Checked(dirname):
        os.makedirs(path, exist_ok=True)


@export("gfile.ListDirectory", "io.gfile.listdir")
def ListDirectory(dirname):
    """The names in a folder, without "." and ".."."""
    path = local_path(dirname)
    if not os.path.isdir(path):
        raise errors.NotFoundError(None, None, "Could not find directory {}".format(dirname))
    with _Checked(path):
        return os.listdir(path)


@export("gfile.DeleteRecursively", "io.gfile.rmtree")
def DeleteRecursively(dirname):
    """Deletes a folder and its contents."""
    path = local_path(dirname)
    if not os.path.lexists(path):
        raise errors.NotFoundError(None, None, "{} not found".format(dirname))
    with _Checked(path):
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path)
        else:
            os.unlink(path)


@export("gfile.Stat", "io.gfile.stat")
def Stat(filename):
    """The length, modification time and type of a file."""
    path = local_path(filename)
    with _Checked(filename):
        found = os.stat(path)
        return FileStatistics(found.st_size, found.st_mtime_ns, _stat.S_ISDIR(found.st_mode))


@export("gfile.Walk")
def Walk(top, in_order=True):
    """(folder, [subfolders], [files]) for each folder below `top`; `in_order`: parents before children."""
    try:
        listing = ListDirectory(top)
    except errors.NotFoundError:
        return
    folders = [n for n in listing if IsDirectory(os.path.join(top, n))]
    here = (top, folders, [n for n in listing if n not in set(folders)])
    if in_order:
        yield here
    for name in folders:
        for below in Walk(os.path.join(top, name), in_order):
            yield below
    if not in_order:
        yield here


@export("io.gfile.walk")
def walk_v2(top, topdown=True, onerror=None):
    """Walk() under its newer name."""
    from .. import settings

    settings.unused("gfile.walk", "errors are those of Walk()", onerror=(onerror, None))
    return Walk(top, topdown)


def _glob_one(pattern):
    asked, pattern = path_text(pattern), local_path(pattern)
    parts = pattern.split("/")
    found = ["/"] if pattern.startswith("/") else [""]
    for i, part in enumerate(parts):
        if part == "":
            continue
        last = i == len(parts) - 1
        step = []
        for base in found:
            if not any(c in part for c in "*?[\\"):
                names = [part] if os.path.lexists(os.path.join(base, part)) else []
            else:
                try:
                    names = [n for n in os.listdir(base or ".") if fnmatch.fnmatchcase(n, part)]
                except OSError:
                    names = []
            paths = [os.path.join(base, n) for n in names]
            step += [p for p in paths if last or os.path.isdir(p)]
        found = step
    scheme = asked[:len(asked) - len(pattern)]
    return [scheme + p for p in found if p]


@export("gfile.Glob", "io.gfile.glob")
def Glob(filename):
    """The paths that match a pattern, or one of several patterns."""
    patterns = [filename] if isinstance(filename, (str, bytes)) or hasattr(filename, "__fspath__") else filename
    found = [path for pattern in patterns for path in sorted(_glob_one(pattern))]
    return [path if os.path.dirname(path) else os.path.join("." if isinstance(path, str) else b".", path) for path in found]  # as TensorFlow returns them


def read_file_to_string(filename, binary_mode=False):
    """The whole file, as text or bytes."""
    with GFile(filename, "rb" if binary_mode else "r") as f:
        return f.read()


def write_string_to_file(filename, file_content):
    with GFile(filename, "w") as f:
        f.write(file_content)


def _sync(descriptor, path):
    """Flushes an open file or folder to disk; does nothing on file systems that cannot."""
    try:
        os.fsync(descriptor)
    except OSError as e:
        if e.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise errors.UnknownError(None, None, "%s; %s" % (path_text(path), e.strerror)) from None


def sync_files(paths):
    """Flushes files and folders to disk; skips those that the file system cannot sync."""
    for path in paths:
        try:
            file = os.open(local_path(path), os.O_RDONLY)
        except OSError:
            continue
        try:
            _sync(file, path)
        finally:
            os.close(file)


def atomic_write_string_to_file(filename, contents, overwrite=True):
    """Replaces a file atomically: readers see the old or the new contents, even after a crash of the machine. A link's target is replaced; what is no regular file, such as a
    device, is written to. Errors name `filename`."""
    if not overwrite and Exists(filename):
        raise errors.AlreadyExistsError(None, None, "file already exists")
    path, data = local_path(filename), contents if isinstance(contents, bytes) else str(contents).encode("utf-8")
    if os.path.exists(path) and not os.path.isfile(path):
        with _Checked(filename), open(path, "wb") as file:
            file.write(data)
        return
    path = os.path.realpath(path)
    temporary = "%s.tmp%d" % (path, os.getpid())
    with _Checked(filename):
        try:
            with open(temporary, "wb") as file:
                file.write(data)
                file.flush()
                _sync(file.fileno(), filename)
            os.replace(temporary, path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise
    sync_files([os.path.dirname(path)])


# The names in file_io, which programs import from tensorflow.python.lib.io.
FileIO = GFile
file_exists, delete_file, copy, rename = Exists, Remove, Copy, Rename
create_dir, recursive_create_dir, is_directory = MkDir, MakeDirs, IsDirectory
list_directory, delete_recursively, stat, walk, get_matching_files = ListDirectory, DeleteRecursively, Stat, Walk, Glob


def file_crc32(filename, block_size=1 << 24):
    """The file's CRC-32 as hexadecimal text."""
    crc = 0
    with FileIO(filename, "rb") as file:
        for block in iter(lambda: file.read(block_size), b""):
            crc = binascii.crc32(block, crc)
    return hex(crc & 0xFFFFFFFF)


def filecmp(filename_a, filename_b):
    """Whether two files have the same size and, by their CRC-32, the same content."""
    return Stat(filename_a).length == Stat(filename_b).length and file_crc32(filename_a) == file_crc32(filename_b)
