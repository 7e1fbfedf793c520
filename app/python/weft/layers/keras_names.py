"""Names that layers have below tf.keras.layers."""

from ..exports import export


def keras_class(name, *aliases):
    """Decorator: the class is tf.keras.layers.NAME, and called so."""

    def mark(cls):
        cls.__name__ = cls.__qualname__ = name
        return export(*["keras.layers." + n for n in (name,) + aliases])(cls)

    return mark
