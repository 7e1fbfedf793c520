"""tensorflow.python.util.lazy_loader"""

import importlib
import types

from ..platform import tf_logging


class LazyLoader(types.ModuleType):
    """Stands for a module until a name of it is asked for; then it is imported and takes this one's place in `parent_module_globals`."""

    def __init__(self, local_name, parent_module_globals, name, warning=None):
        self._local_name, self._parent_module_globals, self._warning = local_name, parent_module_globals, warning
        super().__init__(name)

    def _load(self):
        module = importlib.import_module(self.__name__)
        self._parent_module_globals[self._local_name] = module
        if self._warning:
            tf_logging.warning(self._warning)
            self._warning = None
        self.__dict__.update(module.__dict__)  # who has kept this object finds names without asking again
        return module

    def __getattr__(self, item):
        return getattr(self._load(), item)

    def __dir__(self):
        return dir(self._load())
