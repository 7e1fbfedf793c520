"""The exceptions of running graphs, one class for each canonical code."""

import traceback as _traceback
import warnings

from .exports import export, export_value


@export("errors.OpError", "OpError")
class OpError(Exception):
    """The error of a failed step: `message`, the operation if known (`op`, `node_def`) and the code (`error_code`)."""

    __module__ = "tensorflow.python.framework.errors_impl"  # shown in tracebacks

    def __init__(self, node_def, op, message, error_code):
        super().__init__()
        self._node_def = node_def
        self._op = op
        self._message = message
        self._error_code = error_code

    def __reduce__(self):
        # Operations belong to a graph of this process.
        arguments = (None, None, self._message)
        return (OpError, arguments + (self._error_code,)) if type(self) is OpError else (type(self), arguments)

    @property
    def message(self):
        return self._message

    @property
    def op(self):
        return self._op

    @property
    def node_def(self):
        return self._node_def

    @property
    def error_code(self):
        return self._error_code

    def __str__(self):
        lines = getattr(self._op, "traceback", None) if self._op is not None else None
        if not lines:
            return str(self._message)
        text = "".join(_traceback.format_list([tuple(line)[:4] for line in lines]))
        return "%s\n\nOriginal stack trace for %r:\n%s" % (self._message, self._op.name, text)


_CODES = [
    ("OK", None, 0),
    ("CANCELLED", "CancelledError", 1),
    ("UNKNOWN", "UnknownError", 2),
    ("INVALID_ARGUMENT", "InvalidArgumentError", 3),
    ("DEADLINE_EXCEEDED", "DeadlineExceededError", 4),
    ("NOT_FOUND", "NotFoundError", 5),
    ("ALREADY_EXISTS", "AlreadyExistsError", 6),
    ("PERMISSION_DENIED", "PermissionDeniedError", 7),
    ("RESOURCE_EXHAUSTED", "ResourceExhaustedError", 8),
    ("FAILED_PRECONDITION", "FailedPreconditionError", 9),
    ("ABORTED", "AbortedError", 10),
    ("OUT_OF_RANGE", "OutOfRangeError", 11),
    ("UNIMPLEMENTED", "UnimplementedError", 12),
    ("INTERNAL", "InternalError", 13),
    ("UNAVAILABLE", "UnavailableError", 14),
    ("DATA_LOSS", "DataLossError", 15),
    ("UNAUTHENTICATED", "UnauthenticatedError", 16),
]

_class_of_code = {}
_code_of_class = {}


def _make(class_name, code_name, code):
    if class_name == "UnknownError":

        def __init__(self, node_def, op, message, error_code=code):
            OpError.__init__(self, node_def, op, message, error_code)

    else:

        def __init__(self, node_def, op, message):
            OpError.__init__(self, node_def, op, message, code)

    members = {"__init__": __init__, "__doc__": "A step or a file operation ended with %s." % code_name, "__module__": OpError.__module__}
    return type(class_name, (OpError,), members)


for _name, _class, _code in _CODES:
    globals()[_name] = _code
    export_value(_code, "errors." + _name)
    if _class:
        globals()[_class] = _class_of_code[_code] = _made = export("errors." + _class)(_make(_class, _name, _code))
        _code_of_class[_made] = _code
del _name, _class, _code, _made


@export("errors.exception_type_from_error_code")
def exception_type_from_error_code(error_code):
    """The class of a canonical code. KeyError for unknown codes."""
    return _class_of_code[error_code]


@export("errors.error_code_from_exception_type")
def error_code_from_exception_type(cls):
    """The canonical code of a class. Anything else warns and gives an UnknownError, as in TensorFlow."""
    if cls in _code_of_class:
        return _code_of_class[cls]
    warnings.warn("Unknown class exception")
    return _class_of_code[2](None, None, "Unknown class exception", None)


def _make_specific_exception(node_def, op, message, error_code):
    """The exception of a code; an unknown code warns and gives an UnknownError."""
    if error_code in _class_of_code:
        return _class_of_code[error_code](node_def, op, message)
    warnings.warn("Unknown error code: %d" % error_code)
    return _class_of_code[2](node_def, op, message, error_code)


def make(code, message, node_def=None, op=None):
    """The exception of a code that the engine gave."""
    cls = _class_of_code.get(code)
    return cls(node_def, op, message) if cls else OpError(node_def, op, "Unknown error code", code)


@export("errors.raise_exception_on_not_ok_status")
class raise_exception_on_not_ok_status:
    """Does nothing, for old programs that import it: errors are always raised as exceptions."""

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        return False
