"""The public names and their objects.

A module marks its public objects with @export("train.Saver", …); the package installs them in the `tensorflow` module once
everything is loaded. A name is a dotted path below `tf`.
"""

names = {}


def export(*paths):
    """Decorator: the object is `tf.PATH` for each path."""

    def mark(what):
        for path in paths:
            names[path] = what
        return what

    return mark


def export_value(value, *paths):
    """export() for values other than functions and classes."""
    return export(*paths)(value)


def install(root, make_module):
    """Sets every name below `root`. make_module(path) returns the module or namespace of a dotted path, creating it if needed."""
    for path, what in sorted(names.items()):
        folder, _, leaf = path.rpartition(".")
        setattr(make_module(folder) if folder else root, leaf, what)
