"""Weft in Python: TensorFlow 1.x's API on Weft's engine. `import tensorflow` gives the same module as `weft.tf`."""

import sys as _sys

from . import fitting_parts as _fitting_parts, namespace as _namespace, version as _version  # the check comes first

tf = _namespace.module("")
if "tensorflow" not in _sys.modules or getattr(_sys.modules["tensorflow"], "__weft_placeholder__", False):
    _sys.modules["tensorflow"] = tf
tf.__version__ = tf.VERSION = _version.VERSION
tf.GIT_VERSION = _version.GIT_VERSION
tf.COMPILER_VERSION = _version.COMPILER_VERSION
tf.CXX11_ABI_FLAG = _version.CXX11_ABI_FLAG
tf.MONOLITHIC_BUILD = _version.MONOLITHIC_BUILD

from . import module_list as _module_list

_module_list.load()
_namespace.forget()



def __getattr__(name):
    if name.startswith("_"):
        raise AttributeError(name)
    import importlib.util

    if importlib.util.find_spec("weft." + name) is not None:
        raise AttributeError(name)  # a module of the package: the import system finds it
    return getattr(tf, name)
