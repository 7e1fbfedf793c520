"""tensorflow.python.tf2: the switch for TensorFlow 2 behaviour. As in TensorFlow 1.15 it is a flag, also set by the environment; Weft's own behaviour stays that of version 1."""

import os

from .. import settings

_force_enable = None  # None: the environment says it


def enable():
    global _force_enable
    settings.no_effect("tf2.enable()", "classes and ops keep their version 1 behaviour")
    _force_enable = True


def disable():
    global _force_enable
    _force_enable = False


def enabled():
    if _force_enable is None:
        return os.getenv("TF2_BEHAVIOR", "0") != "0"
    return _force_enable
