"""Names of layers below tf.keras.layers."""

from ..exports import export

unexported = {}  # classes that configurations name, without a name below tf.keras.layers


def keras_class(name, *aliases):
    """Decorator: exports the class as tf.keras.layers.NAME and sets its name."""

    def mark(cls):
        cls.__name__ = cls.__qualname__ = name
        return export(*["keras.layers." + n for n in (name,) + aliases])(cls)

    return mark


def layer_class(cls):
    """Decorator: configurations may name the class."""
    unexported[cls.__name__] = cls
    return cls
