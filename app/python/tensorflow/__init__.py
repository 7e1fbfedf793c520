"""`import tensorflow` where Weft's packages come first: Weft's module of that name."""

import os
import sys

__weft_placeholder__ = True

if os.path.exists(os.path.join(os.path.dirname(os.path.abspath(__file__)), "core")):
    raise ImportError("tensorflow: %s holds the files of another TensorFlow beside Weft's: uninstall that one (tensorflow-gpu, tf-nightly or similar), then install Weft's wheel again"
                      % os.path.dirname(os.path.abspath(__file__)))

import weft
from weft.platform import old_names

old_names.restore()
sys.modules["tensorflow"] = weft.tf
