"""Functions of the engine's ops and ApiRecords, created on first access. `engine.nn.relu` is the public tf.nn.relu,
`engine.raw_ops.Relu` the op as defined.

It is below all modules that build graphs, so that they can call these functions without importing the `tensorflow` module."""

from . import _weft, dispatchable, op_calls, records

_folders = None


def folders():
    """The dotted paths that functions lie below: nn, math …"""
    global _folders
    if _folders is None:
        _folders = {"raw_ops"}
        for names in (_weft.api_names(), op_calls.public):
            for path in names:
                parts = path.split(".")[:-1]
                _folders.update(".".join(parts[:i]) for i in range(1, len(parts) + 1))
    return _folders


def plain(path):
    """The engine's function of a dotted path, or None."""
    if path.startswith("raw_ops."):
        op = path[8:]
        return op_calls.make(op, raw=True) if op_calls.known(op) else None
    op = op_calls.public.get(path)
    if op is not None and op_calls.known(op):
        return op_calls.make(op)
    return records.function(path)


def _found(path):
    if path in folders():
        return Folder(path)
    found = plain(path)
    if found is None:
        raise AttributeError("the engine has no function %s" % path)
    return dispatchable.for_ragged(path, found)


class Folder:
    """The functions below a dotted path."""

    def __init__(self, path):
        self._path = path

    def __getattr__(self, name):
        found = self.__dict__[name] = _found(self._path + "." + name)
        return found


def __getattr__(name):
    if name.startswith("_"):
        raise AttributeError(name)
    found = globals()[name] = _found(name)
    return found
