"""What modules above the core ask of it, in one place."""

from . import protos

_defs = {}


def op_def(name):
    """The OpDef of a registered op, or None."""
    if name not in _defs:
        from . import _weft

        data = _weft.op_def(name)
        _defs[name] = protos.OpDef.FromString(data) if data else None
    return _defs[name]
