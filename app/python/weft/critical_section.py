"""tf.CriticalSection: functions that never run at the same time."""

import collections

from . import dtypes, engine, ops
from .control_flow import group, tuple_
from .exports import export
from .tensor_array import TensorArray
from .util import nest

CRITICAL_SECTIONS = "critical_sections"
CRITICAL_SECTION_EXECUTIONS = "critical_section_executions"

_Execution = collections.namedtuple("_ExecutionSignature", ["op", "handle", "resources", "exclusive_resource_access"])


def _identity(x):
    if isinstance(x, TensorArray):
        return x.identity()
    if isinstance(x, ops.Operation):
        return group(x)
    return None if x is None and ops.get_default_graph()._eager else engine.identity(x)


@export("CriticalSection")
class CriticalSection:
    """A lock that one function at a time holds while it runs."""

    def __init__(self, name=None, shared_name=None, critical_section_def=None, import_scope=None):
        if critical_section_def and name is not None:
            raise ValueError("critical_section_def and shared_name are mutually exclusive.")
        if critical_section_def:
            raise NotImplementedError("Not yet implemented: critical_section_def%s" % (" below import_scope %s" % import_scope if import_scope else ""))
        with ops.name_scope(name, "CriticalSection", []) as name:
            with ops.init_scope():
                self._handle = engine.raw_ops.MutexV2(shared_name=shared_name if shared_name is not None else name, container=ops.get_default_graph()._container or "", name=name)
        if not ops.get_default_graph()._eager:
            ops.get_default_graph().add_to_collections([CRITICAL_SECTIONS], self)

    @property
    def name(self):
        return self._handle.op.name

    def execute(self, fn, exclusive_resource_access=True, name=None):
        """The result of `fn()`, whose operations run while this holds the lock. With `exclusive_resource_access` no other section may use the same resources."""
        graph = ops.get_default_graph()
        with ops.name_scope(name, "critical_section_execute", []):
            lock = engine.raw_ops.MutexLock(mutex=self._handle)
            before = None if graph._eager else len(graph.get_operations())
            with ops.control_dependencies([lock]):
                result = fn()
            if not graph._eager:
                made = graph.get_operations()[before:]
                self._wait_for_inputs(made, lock.op)
                used = list(dict.fromkeys(t for op in made for t in op.inputs if t.dtype == dtypes.resource))
                if any(self._is_own_handle(t) for t in used):
                    raise ValueError("The function fn attempts to directly access the CriticalSection in which it would be running.  "
                                     "This is illegal and would cause deadlocks.")
                self._check_resources(used, exclusive_resource_access)
            leaves = [_identity(x) for x in nest.flatten(result)]
            with ops.control_dependencies([x for x in leaves if x is not None]):
                with ops.colocate_with(self._handle):
                    done = engine.raw_ops.ConsumeMutexLock(mutex_lock=lock)
                if not graph._eager:
                    result = nest.pack_sequence_as(result, tuple_(nest.flatten(result)))
            with ops.control_dependencies([done]):
                outputs = nest.map_structure(_identity, result)
            if not graph._eager:
                graph.add_to_collections([CRITICAL_SECTION_EXECUTIONS], _Execution(lock.op, self._handle, used, exclusive_resource_access))
            return outputs

    def _wait_for_inputs(self, made, lock):
        """Takes the lock only after everything outside that the new operations need."""
        needed = dict.fromkeys(t.op for op in made for t in op.inputs)
        needed.update(dict.fromkeys(c for op in made for c in op.control_inputs))
        known = set(made) | set(lock.control_inputs) | {t.op for t in lock.inputs} | {lock}
        outside = sorted((op for op in needed if op not in known), key=lambda op: op._id)
        if outside:
            lock._add_control_input(group(*outside))

    def _is_own_handle(self, handle):
        if handle is self._handle:
            return True
        own, other = self._handle.op, handle.op
        if other.type != "MutexV2" or not other.get_attr("shared_name") or other.get_attr("shared_name") != own.get_attr("shared_name"):
            return False
        return other.device == own.device or other.colocation_groups() == own.colocation_groups()

    def _check_resources(self, used, exclusive):
        for other in ops.get_default_graph().get_collection(CRITICAL_SECTION_EXECUTIONS):
            if self._is_own_handle(other.handle) or not (exclusive or other.exclusive_resource_access):
                continue
            shared = [t for t in used if t in other.resources]
            if shared:
                raise ValueError("This execution would access resources: %s.  Either this lock (CriticalSection: %s) or lock '%s' (CriticalSection: %s) requested exclusive "
                                 "resource access of this resource.  Did you mean to call execute with keyword argument exclusive_resource_access=False?"
                                 % (shared, self._handle, other, other.handle))
