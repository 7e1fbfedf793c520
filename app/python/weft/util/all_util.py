"""The public names of a module, from the @@name lines in docstrings (tensorflow.python.util.all_util)."""

import re
import sys

_reference_pattern = re.compile(r"^@@(\w+)$", flags=re.MULTILINE)
_HIDDEN_ATTRIBUTES = {}


def make_all(module_name, doc_string_modules=None):
    """The names of the module that docstrings (its own, or those of other modules) reference."""
    module = sys.modules[module_name]
    referred = set()
    for documented in [module] if doc_string_modules is None else doc_string_modules:
        referred.update(_reference_pattern.findall(documented.__doc__))
    return list(referred & set(dir(module)))


def remove_undocumented(module_name, allowed_exception_list=None, doc_string_modules=None):
    """Removes public names that neither a docstring nor the list mentions."""
    module = sys.modules[module_name]
    kept = set(make_all(module_name, doc_string_modules)) | set(allowed_exception_list or [])
    for name in set(dir(module)) - kept:
        if not name.startswith("_"):
            _HIDDEN_ATTRIBUTES[module_name + "." + name] = (module, getattr(module, name))
            delattr(module, name)


def reveal_undocumented(symbol_name, target_module=None):
    """Restores a name removed by remove_undocumented()."""
    if symbol_name not in _HIDDEN_ATTRIBUTES:
        raise LookupError("Symbol %s is not a hidden symbol" % symbol_name)
    module, value = _HIDDEN_ATTRIBUTES[symbol_name]
    setattr(target_module or module, symbol_name.rpartition(".")[2], value)
