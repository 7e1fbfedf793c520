"""tf.make_template: functions that share their variables."""

import functools
import traceback

from .. import ops
from ..exports import export
from ..ops import GraphKeys
from ..platform import tf_logging as logging
from ..training.tracking.base import Trackable
from ..variable_scope import _get_unique_variable_scope, _PureVariableScope, variable_scope


class Template(Trackable):
    """A function whose variables are created by the first call and shared by later calls."""

    def __init__(self, name, func, create_scope_now=False, unique_name=None, custom_getter=None):
        if name is None:
            raise ValueError("name cannot be None.")
        self._func, self._name, self._unique_name, self._custom_getter = func, name, unique_name, custom_getter
        self._stacktrace = traceback.format_stack()[:-2]
        self._variable_scope = None
        self._variables_created, self._first_call = False, True
        if create_scope_now:  # a scope for variables only: operations are named at the place of the call
            with _PureVariableScope(unique_name or _get_unique_variable_scope(name), custom_getter=custom_getter) as scope:
                self._variable_scope = scope

    def __call__(self, *args, **kwargs):
        if self._variable_scope is not None:
            with variable_scope(self._variable_scope, reuse=not self._first_call):
                return self._call(args, kwargs)
        with variable_scope(self._unique_name, self._name, custom_getter=self._custom_getter) as scope:
            self._variable_scope = scope
            return self._call(args, kwargs)

    def _call(self, args, kwargs):
        try:
            if self._variables_created:
                return self._call_again(args, kwargs)
            if not self._first_call:  # a recursive call while the variables are created
                return self._func(*args, **kwargs)
            self._first_call = False
            try:
                result = self._func(*args, **kwargs)
            except BaseException:
                self._first_call = True
                raise
            self._variables_created = True
            return result
        except Exception as e:
            e.args = ("%s\n\noriginally defined at:\n%s" % (e.args[0] if e.args else "", "".join(self._where())), *e.args[1:])
            raise

    def _call_again(self, args, kwargs):
        trainable, every = ops.get_collection_ref(GraphKeys.TRAINABLE_VARIABLES), ops.get_collection_ref(GraphKeys.GLOBAL_VARIABLES)
        before = len(trainable), len(every)
        result = self._func(*args, **kwargs)
        if len(trainable) != before[0]:
            raise ValueError("Trainable variable created when calling a template after the first time, perhaps you used tf.Variable when you meant "
                             "tf.get_variable: %s" % (trainable[before[0]:],))
        if len(every) != before[1]:
            logging.info("New variables created when calling a template after the first time, perhaps you used tf.Variable when you meant tf.get_variable: %s",
                         every[before[1]:])
        return result

    def _where(self):
        """The stack frames of the template's definition that differ from those of the current call."""
        for i, (mine, theirs) in enumerate(zip(self._stacktrace, traceback.format_stack())):
            if mine != theirs:
                return self._stacktrace[i:]
        return self._stacktrace[-1:]

    name = property(lambda self: self._name)
    func = property(lambda self: self._func)
    variable_scope = property(lambda self: self._variable_scope)
    var_scope = property(lambda self: self._variable_scope)

    @property
    def variable_scope_name(self):
        """The scope's name with a trailing slash; None before the scope exists."""
        if self._variable_scope is None:
            return None
        name = self._variable_scope.name
        return name if not name or name.endswith("/") else name + "/"

    def _collected(self, collection):
        return ops.get_collection(collection, self.variable_scope_name) if self._variables_created else []

    trainable_variables = property(lambda self: self._collected(GraphKeys.TRAINABLE_VARIABLES))
    global_variables = property(lambda self: self._collected(GraphKeys.GLOBAL_VARIABLES))
    local_variables = property(lambda self: self._collected(GraphKeys.LOCAL_VARIABLES))
    variables = property(lambda self: self.global_variables + self.local_variables)

    @property
    def non_trainable_variables(self):
        trained = {id(v) for v in self.trainable_variables}
        return [v for v in self.global_variables if id(v) not in trained]

    weights, trainable_weights, non_trainable_weights = variables, trainable_variables, non_trainable_variables


@export("make_template")
def make_template(name_, func_, create_scope_now_=False, unique_name_=None, custom_getter_=None, **kwargs):
    """func_ with some arguments bound; all calls share its variables."""
    return Template(name_, functools.partial(func_, **kwargs) if kwargs else func_, create_scope_now_, unique_name_, custom_getter_)
