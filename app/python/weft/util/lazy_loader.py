"""tensorflow.python.util.lazy_loader"""

import importlib
import types

from ..platform import tf_logging


class LazyLoader(types.ModuleType):
    """Imports a module on first access to one of its names, and replaces itself in `parent_module_globals`."""

    def __init__(self, local_name, parent_module_globals, name, warning=None):
        self._local_name, self._parent_module_globals, self._warning = local_name, parent_module_globals, warning
        super().__init__(name)

    def _load(self):
        module = importlib.import_module(self.__name__)
        self._parent_module_globals[self._local_name] = module
        if self._warning:
            tf_logging.warning(self._warning)
            self._warning = None
        self.__dict__.update(module.__dict__)  # holders of this object find the names without a further lookup
        return module

    def __getattr__(self, item):
        return getattr(self._load(), item)

    def __dir__(self):
        return dir(self._load())
