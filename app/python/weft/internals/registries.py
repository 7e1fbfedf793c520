"""tensorflow.python.framework.registry, .traceable_stack, and the statistics of ops in framework.ops: registries of the program's own functions and objects."""

import sys

from ..public_names import as_text


class Registry:
    """Objects by name; an error of a second registration says where the first one was made."""

    def __init__(self, name):
        self._name, self._registry = name, {}

    def register(self, candidate, name=None):
        name = name or candidate.__name__
        if name in self._registry:
            _, where = self._registry[name]
            raise KeyError("Registering two %s with name '%s'! (Previous registration was in %s %s:%d)" % (self._name, name, *where))
        caller = sys._getframe(1)
        caller = caller.f_back or caller
        self._registry[name] = candidate, (caller.f_code.co_name, caller.f_code.co_filename, caller.f_lineno)

    def list(self):
        """The names."""
        return self._registry.keys()

    def lookup(self, name):
        """The object. LookupError if there is none."""
        name = as_text(name)
        if name not in self._registry:
            raise LookupError("%s registry has no entry for: %s" % (self._name, name))
        return self._registry[name][0]


# Statistics.
class OpStats:
    """A number of one kind ("flops") about an operation; None: unknown. += adds."""

    def __init__(self, statistic_type, value=None):
        self.statistic_type, self.value = statistic_type, value

    def __iadd__(self, other):
        if other.statistic_type != self.statistic_type:
            raise ValueError("Can't add an OpStat of type %s to one of %s." % (self.statistic_type, other.statistic_type))
        if self.value is None or other.value is None:
            self.value = other.value if self.value is None else self.value
        else:
            self.value += other.value
        return self


_stats_registry = Registry("statistical functions")


class RegisterStatistics:
    """Decorator: registers function(graph, node_def), which returns the OpStats of a kind, for an op."""

    def __init__(self, op_type, statistic_type):
        for name, value in (("op_type", op_type), ("statistic_type", statistic_type)):
            if not isinstance(value, str):
                raise TypeError("%s must be a string." % name)
            if "," in value:
                raise TypeError("%s must not contain a comma." % name)
        self._op_type, self._statistic_type = op_type, statistic_type

    def __call__(self, f):
        _stats_registry.register(f, self._op_type + "," + self._statistic_type)
        return f


def get_stats_for_node_def(graph, node, statistic_type):
    """What the function that the program registered for the node's op and the kind of statistic returns; empty OpStats if there is none."""
    try:
        function = _stats_registry.lookup(node.op + "," + statistic_type)
    except LookupError:
        return OpStats(statistic_type)
    return function(graph, node)


# Objects with places.
class TraceableObject:
    """An object and the line of the program that it belongs to."""

    SUCCESS, HEURISTIC_USED, FAILURE = 0, 1, 2

    def __init__(self, obj, filename=None, lineno=None):
        self.obj, self.filename, self.lineno = obj, filename, lineno

    def set_filename_and_line_from_caller(self, offset=0):
        """Takes the place of the caller, or of the function `offset` calls above. HEURISTIC_USED: there are not so many; the outermost is taken."""
        frame, result = sys._getframe(1), self.SUCCESS
        for _ in range(offset):
            if frame.f_back is None:
                result = self.HEURISTIC_USED
                break
            frame = frame.f_back
        self.filename, self.lineno = frame.f_code.co_filename, frame.f_lineno
        return result

    def copy_metadata(self):
        """The place without the object."""
        return type(self)(None, filename=self.filename, lineno=self.lineno)


class TraceableStack:
    """A stack of TraceableObjects."""

    def __init__(self, existing_stack=None):
        self._stack = list(existing_stack or ())

    def push_obj(self, obj, offset=0):
        made = TraceableObject(obj)
        self._stack.append(made)
        return made.set_filename_and_line_from_caller(offset + 1)

    def pop_obj(self):
        return self._stack.pop().obj

    def peek_top_obj(self):
        return self._stack[-1].obj

    def peek_objs(self):
        """The objects, the last one first."""
        return (made.obj for made in reversed(self._stack))

    def peek_traceable_objs(self):
        return reversed(self._stack)

    def __len__(self):
        return len(self._stack)

    def copy(self):
        return TraceableStack(self._stack)
