"""Message classes by name: protos.SaverDef is the class of `tensorflow.SaverDef`."""

from google.protobuf import descriptor_pool, message_factory, symbol_database

_packages = ("tensorflow.", "tensorflow.tfprof.", "tensorflow.error.")
_cache = {}


def _class_of(name):
    try:
        return symbol_database.Default().GetSymbol(name)  # the class from a generated module
    except KeyError:
        descriptor = descriptor_pool.Default().FindMessageTypeByName(name)
    if hasattr(message_factory, "GetMessageClass"):
        return message_factory.GetMessageClass(descriptor)
    return message_factory.MessageFactory(descriptor_pool.Default()).GetPrototype(descriptor)


def message(name):
    """The class of a message, or None."""
    if name not in _cache:
        _cache[name] = None
        for package in _packages:
            try:
                _cache[name] = _class_of(package + name)
                break
            except KeyError:
                continue
        if _cache[name] is None:
            del _cache[name]
            return None
    return _cache[name]


def __getattr__(name):
    if name.startswith("_"):
        raise AttributeError(name)
    found = message(name)
    if found is None:
        raise AttributeError("no message named %s" % name)
    return found
