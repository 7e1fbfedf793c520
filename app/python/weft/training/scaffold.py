"""tf.train.Scaffold: the parts of a training beside the model, taken from collections or created."""

from .. import dtypes, engine, ops
from ..control_flow import group, no_op
from ..data.tables import tables_initializer
from ..exports import export
from ..platform import tf_logging as logging
from ..summaries import ops as summary
from ..variables import global_variables, global_variables_initializer, local_variables_initializer, report_uninitialized_variables
from . import saver as savers


def uninitialized_resources(resources):
    """Names of the uninitialized resources among (handle, create, is_initialized)."""
    with ops.name_scope("report_uninitialized_resources"), ops.device("/cpu:0"):
        if not resources:
            return ops.constant([], dtype=dtypes.string)
        missing = engine.logical_not(engine.stack([r.is_initialized for r in resources]))
        return engine.boolean_mask(ops.constant([r.handle.name for r in resources]), missing)


def initialize_resources(resources, name="init"):
    return group(*[r.create for r in resources], name=name) if resources else no_op(name=name)


@export("train.Scaffold")
class Scaffold:
    """Initialization, readiness and summary operations, and the saver. finalize() creates those that are not given."""

    def __init__(self, init_op=None, init_feed_dict=None, init_fn=None, ready_op=None, ready_for_local_init_op=None, local_init_op=None,
                 summary_op=None, saver=None, copy_from_scaffold=None):
        other = copy_from_scaffold
        if other is not None:
            if not isinstance(other, Scaffold):
                raise TypeError("copy_from_scaffold is not a Scaffold instance.")

            def pick(mine, theirs):
                return theirs if mine is None else mine

            init_op, init_feed_dict = pick(init_op, other.init_op), pick(init_feed_dict, other.init_feed_dict)
            init_fn, ready_op = pick(init_fn, other._user_init_fn), pick(ready_op, other.ready_op)
            ready_for_local_init_op = pick(ready_for_local_init_op, other.ready_for_local_init_op)
            local_init_op = pick(local_init_op, other.local_init_op)
            summary_op, saver = pick(summary_op, other.summary_op), pick(saver, other.saver)
        self._user_init_fn = init_fn
        self._init_fn = (lambda session: init_fn(self, session)) if init_fn else None
        self._init_op, self._init_feed_dict, self._ready_op = init_op, init_feed_dict, ready_op
        self._ready_for_local_init_op, self._local_init_op = ready_for_local_init_op, local_init_op
        self._summary_op, self._saver = summary_op, saver

    def finalize(self):
        """Creates the missing parts and finalizes the graph; returns self."""
        shared = ops.get_collection("resources")
        if self._init_op is None:
            self._init_op = Scaffold.get_or_default(
                "init_op", "init_op", lambda: group(global_variables_initializer(), initialize_resources(shared)))
        if self._ready_op is None:
            self._ready_op = Scaffold.get_or_default(
                "ready_op", "ready_op", lambda: engine.concat([report_uninitialized_variables(),
                                                               uninitialized_resources(shared + ops.get_collection("local_resources"))], 0))
        if self._ready_for_local_init_op is None:
            self._ready_for_local_init_op = Scaffold.get_or_default(
                "ready_for_local_init_op", "ready_for_local_init_op",
                lambda: engine.concat([report_uninitialized_variables(global_variables()), uninitialized_resources(shared)], 0))
        if self._local_init_op is None:
            self._local_init_op = Scaffold.get_or_default("local_init_op", "local_init_op", Scaffold.default_local_init_op)
        if self._summary_op is None:
            self._summary_op = Scaffold.get_or_default("summary_op", "summary_op", summary.merge_all)
        if self._saver is None:
            self._saver = savers.get_saver_or_default()
        self._saver.build()
        ops.get_default_graph().finalize()
        logging.info("Graph was finalized.")
        return self

    init_fn = property(lambda self: self._init_fn)
    init_op = property(lambda self: self._init_op)
    ready_op = property(lambda self: self._ready_op)
    ready_for_local_init_op = property(lambda self: self._ready_for_local_init_op)
    local_init_op = property(lambda self: self._local_init_op)
    summary_op = property(lambda self: self._summary_op)
    saver = property(lambda self: self._saver)
    init_feed_dict = property(lambda self: self._init_feed_dict)

    @staticmethod
    def get_or_default(arg_name, collection_key, default_constructor):
        """The item of a collection; if there is none, calls the function and adds its result."""
        found = ops.get_collection(collection_key)
        if len(found) > 1:
            raise RuntimeError('More than one item in the collection "%s". Please indicate which one to use by passing it to the tf.Scaffold constructor '
                               'as:  tf.Scaffold(%s=item to use)', collection_key, arg_name)
        if found:
            return found[0]
        made = default_constructor()
        if made is not None:
            ops.add_to_collection(collection_key, made)
        return made

    @staticmethod
    def default_local_init_op():
        """Initializes local variables, tables and local resources."""
        return group(local_variables_initializer(), tables_initializer(), initialize_resources(ops.get_collection("local_resources")))
