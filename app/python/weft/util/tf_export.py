"""Public name decorators (tensorflow.python.util.tf_export) for libraries' own symbols. As in an installed TensorFlow, they add nothing to `tf`."""

import collections
import functools
import sys

from .tf_decorator import make_decorator, unwrap
from .tf_inspect import getargspec

TENSORFLOW_API_NAME, ESTIMATOR_API_NAME, KERAS_API_NAME = "tensorflow", "estimator", "keras"
SUBPACKAGE_NAMESPACES = [ESTIMATOR_API_NAME]
_Attributes = collections.namedtuple("ExportedApiAttributes", ["names", "constants"])
API_ATTRS = {api: _Attributes("_%s_api_names" % word, "_%s_api_constants" % word)
             for api, word in ((TENSORFLOW_API_NAME, "tf"), (ESTIMATOR_API_NAME, "estimator"), (KERAS_API_NAME, "keras"))}
API_ATTRS_V1 = {api: _Attributes(a.names + "_v1", a.constants + "_v1") for api, a in API_ATTRS.items()}


class SymbolAlreadyExposedError(Exception):
    """A symbol already has public names."""


class InvalidSymbolNameError(Exception):
    """A public name that the API does not allow."""


def get_canonical_name(api_names, deprecated_api_names):
    """The first name that is not deprecated, else the first; None if there are no names."""
    return next((n for n in api_names if n not in deprecated_api_names), api_names[0] if api_names else None)


def get_canonical_name_for_symbol(symbol, api_name=TENSORFLOW_API_NAME, add_prefix_to_v1_names=False):
    if not hasattr(symbol, "__dict__"):
        return None
    marked = unwrap(symbol)[1].__dict__
    if API_ATTRS[api_name].names not in marked:
        return None
    old = marked.get("_tf_deprecated_api_names", [])
    name = get_canonical_name(marked[API_ATTRS[api_name].names], old)
    if name:
        return name
    name = get_canonical_name(marked[API_ATTRS_V1[api_name].names], old)
    return "compat.v1.%s" % name if add_prefix_to_v1_names else name


def _gather(attributes, apis, where):
    found = []
    for api in apis:
        found.extend(where(attributes[api]))
    return found


def get_v1_names(symbol):
    own = getattr(symbol, "__dict__", {})
    return _gather(API_ATTRS_V1, (TENSORFLOW_API_NAME, ESTIMATOR_API_NAME, KERAS_API_NAME), lambda a: own.get(a.names, ()))


def get_v2_names(symbol):
    own = getattr(symbol, "__dict__", {})
    return _gather(API_ATTRS, (TENSORFLOW_API_NAME, ESTIMATOR_API_NAME, KERAS_API_NAME), lambda a: own.get(a.names, ()))


def get_v1_constants(module):
    return _gather(API_ATTRS_V1, (TENSORFLOW_API_NAME, ESTIMATOR_API_NAME), lambda a: getattr(module, a.constants, ()))


def get_v2_constants(module):
    return _gather(API_ATTRS, (TENSORFLOW_API_NAME, ESTIMATOR_API_NAME), lambda a: getattr(module, a.constants, ()))


class api_export:
    """Decorator: gives the symbol public names; `v1`: different ones for version 1."""

    def __init__(self, *args, **kwargs):
        self._names, self._names_v1 = args, kwargs.get("v1", args)
        if "v2" in kwargs:
            raise ValueError('You passed a "v2" argument to tf_export. This is not what you want. Pass v2 names directly as positional arguments instead.')
        self._api_name = kwargs.get("api_name", TENSORFLOW_API_NAME)
        self._overrides = kwargs.get("overrides", [])
        self._allow_multiple_exports = kwargs.get("allow_multiple_exports", False)
        names = set(self._names) | set(self._names_v1)
        if self._api_name == TENSORFLOW_API_NAME:
            for part in SUBPACKAGE_NAMESPACES:
                if any(n.startswith(part) for n in names):
                    raise InvalidSymbolNameError("@tf_export is not allowed to export symbols under %s.*" % part)
        elif not all(n.startswith(self._api_name) for n in names):
            raise InvalidSymbolNameError("Can only export symbols under package name of component. e.g. tensorflow_estimator must export all symbols under tf.estimator")

    def __call__(self, func):
        attributes = [API_ATTRS[self._api_name].names, API_ATTRS_V1[self._api_name].names]
        for overridden in self._overrides:
            for attribute in attributes:
                delattr(unwrap(overridden)[1], attribute)
        target = unwrap(func)[1]
        for attribute, names in zip(attributes, (self._names, self._names_v1)):
            self.set_attr(target, attribute, names)
        return func

    def set_attr(self, func, api_names_attr, names):
        if api_names_attr in func.__dict__ and not self._allow_multiple_exports:  # only its own: names of a base class do not count
            raise SymbolAlreadyExposedError("Symbol %s is already exposed as %s." % (func.__name__, getattr(func, api_names_attr)))
        setattr(func, api_names_attr, names)

    def export_constant(self, module_name, name):
        """Gives a module constant public names."""
        module = sys.modules[module_name]
        for attribute, names in ((API_ATTRS[self._api_name].constants, self._names), (API_ATTRS_V1[self._api_name].constants, self._names_v1)):
            if not hasattr(module, attribute):
                setattr(module, attribute, [])
            getattr(module, attribute).append((names, name))


def kwarg_only(f):
    """Decorator: TypeError for positional arguments."""
    spec = getargspec(f)

    def wrapper(*args, **kwargs):
        if args:
            raise TypeError("{f} only takes keyword args (possible keys: {kwargs}). Please pass these args as kwargs instead.".format(f=f.__name__, kwargs=spec.args))
        return f(**kwargs)

    return make_decorator(f, wrapper, decorator_argspec=spec)


tf_export = functools.partial(api_export, api_name=TENSORFLOW_API_NAME)
estimator_export = functools.partial(api_export, api_name=ESTIMATOR_API_NAME)
keras_export = functools.partial(api_export, api_name=KERAS_API_NAME)
