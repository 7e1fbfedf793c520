"""tf.train.experimental.PythonState: values of the program in object-based checkpoints."""

import functools

from ...exports import export
from .base import Trackable
from .object_graph import PythonStringStateSaveable


@export("train.experimental.PythonState")
class PythonState(Trackable):
    """Base of such values: subclasses define serialize(), which returns a string, and deserialize(text)."""

    def __new__(cls, *args, **kwargs):
        missing = [n for n in ("deserialize", "serialize") if getattr(cls, n) is getattr(PythonState, n)]
        if missing:
            raise TypeError("Can't instantiate abstract class %s with abstract method%s %s" % (cls.__name__, "s" if len(missing) > 1 else "", ", ".join(missing)))
        return super().__new__(cls)

    def serialize(self):
        raise NotImplementedError

    def deserialize(self, string_value):
        raise NotImplementedError

    def _gather_saveables_for_checkpoint(self):
        return {"py_state": functools.partial(PythonStringStateSaveable, state_callback=self.serialize, restore_callback=self.deserialize)}
