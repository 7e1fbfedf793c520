"""Functions of the program in configurations: their bytecode, as tf.keras.layers.Lambda keeps it."""

import binascii
import codecs
import marshal
import sys
import types
import warnings

from .serialization import deserialize_keras_object


def func_dump(func):
    """(bytecode in base64, defaults, values of the closure). Only the Python version that wrote it can read it."""
    code = codecs.encode(marshal.dumps(func.__code__), "base64").decode("ascii")
    return code, func.__defaults__, tuple(cell.cell_contents for cell in func.__closure__) if func.__closure__ else None


def func_load(code, defaults=None, closure=None, globs=None):
    """The function that func_dump() describes. `globs`: its global names."""
    if isinstance(code, (tuple, list)):
        code, defaults, closure = code
    defaults = tuple(defaults) if isinstance(defaults, list) else defaults
    if closure is not None:
        closure = tuple(value if isinstance(value, types.CellType) else types.CellType(value) for value in closure)
    try:
        raw = codecs.decode(code.encode("ascii"), "base64")
    except (UnicodeEncodeError, binascii.Error):
        raw = code.encode("raw_unicode_escape")
    made = marshal.loads(raw)
    return types.FunctionType(made, globals() if globs is None else globs, name=made.co_name, argdefs=defaults, closure=closure)


def described(function, allow_raw=False):
    """(description, kind, module) of a function. `allow_raw`: other values describe themselves."""
    if isinstance(function, types.FunctionType):
        return func_dump(function), "lambda", function.__module__
    if callable(function):
        return function.__name__, "function", function.__module__
    if allow_raw:
        return function, "raw", None
    raise ValueError("Invalid input for serialization, type: %s " % type(function))


def function_of(description, kind, module=None, custom_objects=None, owner="Lambda layer"):
    """The function that described() describes. Its global names are those of its module, and the custom objects."""
    if kind == "raw":
        return description
    if kind == "function":
        return deserialize_keras_object(description, custom_objects=custom_objects, printable_module_name="function in " + owner)
    if kind != "lambda":
        raise TypeError("Unknown function type:", kind)
    globs = dict(globals())
    if module in sys.modules:
        globs.update(sys.modules[module].__dict__)
    elif module is not None:
        warnings.warn("{} is not loaded, but a {} uses it. It may cause errors.".format(module, owner), UserWarning)
    globs.update(custom_objects or {})
    return func_load(description, globs=globs)
