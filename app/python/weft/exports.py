"""Which object stands under which public name.

A module marks what it gives to programs with @export("train.Saver", …); the package hangs all of it into the `tensorflow` module once
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
    """As export() for what is no function or class."""
    return export(*paths)(value)


def install(root, make_module):
    """Sets every name below `root`. make_module(path) gives the module or namespace of a dotted path, made if it is not there."""
    for path, what in sorted(names.items()):
        folder, _, leaf = path.rpartition(".")
        setattr(make_module(folder) if folder else root, leaf, what)
