"""Conversion of collection items to and from the protos of meta graphs."""

_entries = {}


def register(collection, message_name, to_proto=None, from_proto=None):
    """to_proto(item, export_scope=…) gives a message or None; from_proto(message, import_scope=…) gives an item."""
    _entries[collection] = (message_name, to_proto, from_proto)


def entry(collection):
    """(message name, to_proto, from_proto), or None for collections of plain values."""
    return _entries.get(collection)
