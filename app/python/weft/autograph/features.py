"""The optional parts of a conversion."""

import enum

from .. import settings
from ..exports import export


@export("autograph.experimental.Feature")
class Feature(enum.Enum):
    """What a conversion may do beside the usual."""

    ALL = "ALL"
    AUTO_CONTROL_DEPS = "AUTO_CONTROL_DEPS"
    ASSERT_STATEMENTS = "ASSERT_STATEMENTS"
    BUILTIN_FUNCTIONS = "BUILTIN_FUNCTIONS"
    EQUALITY_OPERATORS = "EQUALITY_OPERATORS"
    LISTS = "LISTS"
    NAME_SCOPES = "NAME_SCOPES"

    @classmethod
    def all(cls):
        """Every feature."""
        return tuple(cls.__members__.values())

    @classmethod
    def all_but(cls, exclude):
        """Every feature but these."""
        exclude = exclude if isinstance(exclude, (list, tuple, set)) else (exclude,)
        return tuple(f for f in cls.all() if f not in exclude and f is not cls.ALL)


def features_of(given):
    """What an argument `experimental_optional_features` says, as a frozenset."""
    given = () if given is None else given if isinstance(given, (tuple, list, set, frozenset)) else (given,)
    for f in given:
        if not isinstance(f, Feature):
            raise TypeError("expected tf.autograph.experimental.Feature, got %r" % (f,))
    for f, why in _WITHOUT_EFFECT.items():
        if f in given or Feature.ALL in given:
            settings.no_effect("tf.autograph.experimental." + str(f), why)
    return frozenset(Feature.all() if Feature.ALL in given else given)


_WITHOUT_EFFECT = {
    Feature.LISTS: "lists stay Python's; in a loop on tensors use a tf.TensorArray",
    Feature.NAME_SCOPES: "nodes are named as in the function itself",
    Feature.AUTO_CONTROL_DEPS: "tf.function alone orders stateful operations",
}
