"""Sessions. Feeds and fetches are resolved once for each signature."""

import collections
import random
import re

import numpy as np

from . import _weft, dtypes, errors, ops, partition_graphs, settings, targets
from .device import canonical_name
from .exports import export
from .ops import IndexedSlices, IndexedSlicesValue, Operation, Tensor

_NODE = re.compile(r"\{\{node ([^}]*)\}\}")


def _is_attrs(value):
    return hasattr(type(value), "__attrs_attrs__")


class _Fetches:
    """The structure of a fetch argument: the tensors and operations that it needs, and how to assemble the result from their values."""

    def __init__(self, graph, fetches):
        self._graph = graph
        self.tensors = []   # unique, in order of appearance
        self.targets = []
        self._index = {}
        self.pack = self._packer(fetches)

    @property
    def wanted(self):
        return [t.op for t in self.tensors] + self.targets

    def _add(self, fetch):
        graph = self._graph
        try:
            element = graph.as_graph_element(fetch, allow_tensor=True, allow_operation=True)
        except TypeError as e:
            raise TypeError("Fetch argument %r has invalid type %r, must be a string or Tensor. (%s)" % (fetch, type(fetch), str(e)))
        except (ValueError, KeyError) as e:
            raise ValueError("Fetch argument %r cannot be interpreted as a Tensor. (%s)" % (fetch, str(e)))
        op = element if isinstance(element, Operation) else element.op
        if not graph.is_fetchable(element):
            raise ValueError("Operation %r has been marked as not fetchable." % op.name)
        if isinstance(element, Operation):
            if element not in self._index:
                self._index[element] = None
                self.targets.append(element)
            return None
        if element not in self._index:
            self._index[element] = len(self.tensors)
            self.tensors.append(element)
        return self._index[element]

    def _one(self, fetch):
        index = self._add(fetch)
        return (lambda values: None) if index is None else (lambda values: values[index])

    def _packer(self, fetch):
        if fetch is None:
            raise TypeError("Fetch argument %r has invalid type %r" % (fetch, type(fetch)))
        if isinstance(fetch, (list, tuple)):
            parts = [self._packer(f) for f in fetch]
            if isinstance(fetch, list):
                return lambda values: [p(values) for p in parts]
            kind = type(fetch)
            if hasattr(fetch, "_fields"):
                return lambda values: kind(*[p(values) for p in parts])
            return lambda values: kind([p(values) for p in parts]) if kind is not tuple else tuple([p(values) for p in parts])
        if isinstance(fetch, collections.abc.Mapping):
            items = [(k, self._packer(v)) for k, v in fetch.items()]
            kind = type(fetch)
            if kind is dict:
                return lambda values: {k: p(values) for k, p in items}
            return lambda values: kind((k, p(values)) for k, p in items)
        if _is_attrs(fetch):
            names = [a.name for a in type(fetch).__attrs_attrs__]
            parts = [self._packer(getattr(fetch, n)) for n in names]
            return lambda values: type(fetch)(*[p(values) for p in parts])
        for kind, expand in _expansions:
            if isinstance(fetch, kind):
                fetches, contract = expand(fetch)[:2]
                parts = [self._packer(f) for f in fetches]
                return lambda values: contract([p(values) for p in parts])
        return self._one(fetch)


def _expand_slices(fetch):
    parts = [fetch.values, fetch.indices] + ([fetch.dense_shape] if fetch.dense_shape is not None else [])
    return parts, lambda v: IndexedSlicesValue(v[0], v[1], v[2] if len(v) > 2 else None)


_expansions = [(IndexedSlices, _expand_slices)]
_feed_expansions = [(IndexedSlices, lambda feed, value: list(zip([feed.values, feed.indices] + ([feed.dense_shape] if feed.dense_shape is not None else []), value)))]


def register_session_run_conversion_functions(tensor_type, fetch_function, feed_function=None, feed_function_for_partial_run=None):
    """Registers how to fetch objects of a class: fetch_function(object) -> (fetches, function that assembles their values)."""
    for kind, _ in _expansions:
        if issubclass(kind, tensor_type):
            raise ValueError("%s has already been registered so ignore it." % tensor_type)
    _expansions.insert(0, (tensor_type, fetch_function))
    if feed_function:
        _feed_expansions.insert(0, (tensor_type, feed_function))


def _flat_feeds(feed_dict):
    """(key, value) pairs, with tuple and list keys expanded."""
    for feed, value in feed_dict.items():
        if isinstance(feed, (list, tuple)) and not isinstance(feed, str):
            if not isinstance(value, (list, tuple)) or len(feed) != len(value):
                raise ValueError("Could not flatten dictionary. Key had %d elements, but value had %d elements. Key: %s, value: %s." %
                                 (len(feed), len(value) if hasattr(value, "__len__") else 0, feed, value))
            for pair in _flat_feeds(collections.OrderedDict(zip(feed, value))):
                yield pair
            continue
        for kind, expand in _feed_expansions:
            if isinstance(feed, kind):
                for pair in expand(feed, value):
                    yield pair
                break
        else:
            yield feed, value


class _Feed:
    """A fed tensor, which converts and checks the values fed to it."""

    __slots__ = ("tensor", "dtype", "numpy", "dims")

    def __init__(self, graph, key):
        try:
            self.tensor = graph.as_graph_element(key, allow_tensor=True, allow_operation=False)
        except Exception as e:
            raise TypeError("Cannot interpret feed_dict key as Tensor: " + (e.args[0] if e.args else str(e)))
        if not graph.is_feedable(self.tensor):
            raise ValueError("Tensor %s may not be fed." % self.tensor)
        self.dtype = self.tensor.dtype.base_dtype
        self.numpy = np.dtype(self.dtype.as_numpy_dtype)
        self.dims = self.tensor.shape._values

    def array(self, key, value):
        kind = type(value)
        if kind is np.ndarray and value.dtype == self.numpy and not self.numpy.hasobject:
            result = value
        elif kind is _weft.Value:
            return value  # of the engine, such as the handle of a variable
        elif isinstance(value, Tensor):
            raise TypeError("The value of a feed cannot be a tf.Tensor object. Acceptable feed values include Python scalars, strings, lists, numpy ndarrays, or "
                            "TensorHandles. For reference, the tensor object was " + str(value) + " which was passed to the feed with key " + str(key) + ".")
        else:
            if hasattr(kind, "get_raw_handle"):  # a TensorHandle: feed the tensor that the session keeps under it
                value = value.eval()
            if kind is int and (self.dtype is dtypes.string or self.numpy.kind in "iu" and not np.iinfo(self.numpy).min <= value <= np.iinfo(self.numpy).max):
                raise TypeError("Type of feed value " + str(value) + " with type " + str(kind) + " is not compatible with Tensor type " + str(self.dtype.as_numpy_dtype) +
                                ". Try explicitly setting the type of the feed tensor to a larger type (e.g. int64).")
            if self.dtype is dtypes.bfloat16:
                from . import constants

                return constants.value(value, self.dtype)
            result = np.asarray(value, dtype=self.numpy)
        dims = self.dims
        if dims is not None:
            shape = result.shape
            if shape != dims:
                fits = len(shape) == len(dims)
                if fits:
                    for have, want in zip(shape, dims):
                        if want is not None and have != want:
                            fits = False
                if not fits:
                    raise ValueError("Cannot feed value of shape %r for Tensor %r, which has shape %r" % (shape, self.tensor.name, str(self.tensor.get_shape())))
        return result


watch_trainings = None  # hints_of_trainings.look, in programs that `weft py` runs
watch_training = None   # doctor.py's look at a new plan
adapt_config = None     # training/mixed_precision.py's change of a new session's settings
run_watched = None      # debug/watched_runs.py's run of a plan whose tensors are dumped


class _Plan:
    __slots__ = ("prepared", "feeds", "pack", "wanted", "fed", "names")


def _with_fed(plan, results, values):
    results = list(results)
    for i, k in plan.fed:
        results[i] = values[k]
    return results


class BaseSession:
    """A session of a graph that may still grow."""

    def __init__(self, target="", graph=None, config=None):
        if graph is None:
            graph = ops.get_default_graph()
        elif not isinstance(graph, ops.Graph):
            raise TypeError("graph must be a tf.Graph, but got %s" % type(graph))
        if target is not None and not isinstance(target, (str, bytes)):
            raise TypeError("target must be a string, but got %s" % type(target))
        from .protos import ConfigProto

        if config is not None and not isinstance(config, ConfigProto):
            raise TypeError("config must be a tf.ConfigProto, but got %s" % type(config))
        if config is None:
            from . import config as set_by_program

            config = set_by_program.session_config()
        if adapt_config is not None:
            config = adapt_config(config)
        self._graph = graph
        self._target = target.decode() if isinstance(target, bytes) else target or ""
        self._config = config
        self._closed = True  # until construction succeeds, because close() is called in any case
        self._ended = None
        self._plans = {}
        self._watched_runs = {}  # counts of watched runs, for debug/watched_runs.py
        self._ran = set()  # fetched and target nodes, for watch_trainings
        self._task = targets.resolve(self._target, config)
        self._remote = isinstance(self._task, targets.Remote)
        # A server reads the settings itself.
        options = self._remote_options() if self._remote else settings.session_options(config)
        if self._task is not None and not self._remote:
            options["server"] = self._task.apart() if config is not None and config.isolate_session_state else self._task.core
            options.setdefault("timeout_ms", self._task.timeout_ms)
        self._core = _weft.SessionCore(graph, options)
        self._closed = False
        targets.joined(self, self._task)

    def _remote_options(self):
        options = {"target": self._target}
        if self._config is not None:
            options["config"] = self._config.SerializeToString()
            options["timeout_ms"] = max(0, self._config.operation_timeout_in_ms)
        return options

    graph = property(lambda self: self._graph)
    _add_shapes = property(lambda self: self._config is not None and self._config.graph_options.infer_shapes)
    graph_def = property(lambda self: self._graph.as_graph_def(add_shapes=self._add_shapes))
    sess_str = property(lambda self: self._target)
    _session = property(lambda self: self._core)

    def list_devices(self):
        return [_DeviceAttributes(n, n.split(":")[-2], 268435456, _incarnations[n]) for n in self._core.devices()]

    def close(self):
        if not self._closed:
            self._closed = True
            self._plans = {}
            if watch_trainings is not None and self._ran:
                watch_trainings(self)
            self._core.close()

    def _end(self, error):
        """Closes the session because of `error`, which later runs raise again."""
        self._ended = error
        BaseSession.close(self)

    def __del__(self):
        try:
            self.close()
        except Exception:
            pass

    def as_default(self):
        return ops.default_session(self)

    def _check_open(self):
        if self._ended is not None:
            raise type(self._ended)(None, None, self._ended.message)
        if self._closed:
            raise RuntimeError("Attempted to use a closed Session.")
        if self._graph._core.size() == 0:
            raise RuntimeError("The Session graph is empty.  Add operations to the graph before calling run().")

    def _prepare(self, fetches, feed_keys):
        plan = _Plan()
        structure = _Fetches(self._graph, fetches)
        plan.feeds = [_Feed(self._graph, key) for key in feed_keys]
        plan.names = tuple(f.tensor.name for f in plan.feeds), tuple(t.name for t in structure.tensors), tuple(op.name for op in structure.targets)
        try:
            plan.prepared = self._core.prepare(*plan.names)
        except errors.OpError as e:
            self._raise(e)
        from .data.session_tensors import with_handles

        plan.pack, plan.wanted = with_handles(self, structure.pack, structure.tensors), structure.wanted
        self._ran.update(x._node for x in structure.tensors)
        self._ran.update(x._node for x in structure.targets)
        # If a tensor is both fed and fetched, the fed array is returned, for scalars too, as in TensorFlow.
        order = {feed.tensor.name: k for k, feed in enumerate(plan.feeds) if feed.dtype is not dtypes.bfloat16}
        plan.fed = [(i, order[t.name]) for i, t in enumerate(structure.tensors) if t.name in order]
        if watch_training is not None and not self._remote:
            watch_training(plan)
        return plan

    def _raise(self, e, ran=False):
        message = "From %s:\n%s" % (self._task.name, e.message) if ran and self._task is not None and not self._remote else e.message
        op = e.op

        def defined(match):
            nonlocal op
            name = match.group(1)
            node = self._graph._core.find(name)
            if node < 0:
                return match.group(0) if self._remote else "node " + name
            found = self._graph._core.operation(node)
            op = op or found
            line = found._line
            return "node %s (defined at %s:%d) " % (name, line[0], line[1]) if line else "node " + name

        message = _NODE.sub(defined, message)
        raise errors.make(e.error_code, message, op.node_def if op is not None else None, op) from None

    def run(self, fetches, feed_dict=None, options=None, run_metadata=None):
        """Runs one step and returns the values of `fetches`."""
        if self._closed or self._graph._core.size() == 0:
            self._check_open()
        kind = type(fetches)
        try:
            if kind is Tensor or kind is Operation:
                key = (fetches, tuple(feed_dict)) if feed_dict else fetches
            elif kind is list or kind is tuple:
                key = (kind, tuple(fetches), tuple(feed_dict) if feed_dict else None)
            else:
                key = None
            plan = self._plans.get(key) if key is not None else None
        except TypeError:
            key = plan = None
        if self._core.stale():
            if self._core.revised():
                self._plans.clear()
                plan = None
            try:
                self._core.follow()
            except errors.OpError as e:
                self._raise(e)
        if plan is None:
            if feed_dict:
                feed_dict = collections.OrderedDict(_flat_feeds(feed_dict))
            plan = self._prepare(fetches, list(feed_dict) if feed_dict else ())
            if key is not None and (not feed_dict or key[-1] == tuple(feed_dict)):
                self._plans[key] = plan
        if feed_dict:
            values = [feed.array(k, v) for feed, (k, v) in zip(plan.feeds, feed_dict.items())]
        else:
            values = ()
        try:
            if options is None and run_metadata is None:
                if plan.fed:
                    return plan.pack(_with_fed(plan, plan.prepared.run(values), values))
                return plan.pack(plan.prepared.run(values))  # the shortest path, because steps may be very short
            timeout, trace = 0, False
            message = b""
            if options is not None and self._remote:
                message = options.SerializeToString()
            elif options is not None:
                settings.check_run_options(options, self._config)
            if options is not None:
                timeout, trace = options.timeout_in_ms, options.trace_level > 0
            if run_metadata is not None:
                run_metadata.Clear()
            shown = run_metadata is not None and options is not None and options.output_partition_graphs and not self._remote
            if options is not None and options.debug_options.debug_tensor_watch_opts and not self._remote:
                result, graphs = run_watched(self, plan, values, timeout, trace, run_metadata, options.debug_options)
            else:
                result = plan.prepared.run(values, timeout, trace, run_metadata, message)
                graphs = partition_graphs.graphs(self._graph, self._core.placements(), plan) if shown else ()
            if shown:
                run_metadata.partition_graphs.extend(made for _, made in graphs)
            return plan.pack(_with_fed(plan, result, values))
        except errors.OpError as e:
            self._raise(e, ran=True)

    def partial_run_setup(self, fetches, feeds=None):
        self._check_open()
        structure = _Fetches(self._graph, fetches)
        names = [_Feed(self._graph, key).tensor.name for key in feeds or []]
        try:
            return self._core.partial_setup(names, [t.name for t in structure.tensors], [op.name for op in structure.targets])
        except errors.OpError as e:
            self._raise(e)

    def partial_run(self, handle, fetches, feed_dict=None):
        self._check_open()
        structure = _Fetches(self._graph, fetches)
        feeds = []
        for key, value in _flat_feeds(feed_dict or {}):
            feed = _Feed(self._graph, key)
            feeds.append((feed.tensor.name, feed.array(key, value)))
        try:
            values = self._core.partial_run(handle, feeds, [t.name for t in structure.tensors])
        except errors.OpError as e:
            self._raise(e)
        return structure.pack(values)

    def make_callable(self, fetches, feed_list=None, accept_options=False):
        """A function of the fed values, for repeated runs."""
        if feed_list is not None and not isinstance(feed_list, (list, tuple)):
            raise TypeError("`feed_list` must be a list or tuple.")
        self._check_open()
        keys = list(feed_list or [])

        def step(*values, **given):
            if len(values) != len(keys):
                raise TypeError("Expected %d arguments, got %d" % (len(keys), len(values)))
            return self.run(fetches, collections.OrderedDict(zip(keys, values)) if keys else None, **given)

        return step


    def _make_callable_from_options(self, callable_options):
        """A function of the values for a CallableOptions message's feeds; run_metadata= gets the facts of its run."""
        self._check_open()
        if callable_options.tensor_connection or callable_options.feed_devices or callable_options.fetch_devices:
            raise NotImplementedError("CallableOptions: tensor_connection, feed_devices and fetch_devices are not supported")
        feeds, fetches, targets_ = list(callable_options.feed), list(callable_options.fetch), list(callable_options.target)

        def step(*values, run_metadata=None):
            if len(values) != len(feeds):
                raise errors.InvalidArgumentError(None, None, "Expected %d feed tensors, but got %d" % (len(feeds), len(values)))
            options = callable_options.run_options if callable_options.HasField("run_options") else None
            return self.run([fetches, targets_], collections.OrderedDict(zip(feeds, values)), options, run_metadata)[0]

        return step


_incarnations = collections.defaultdict(lambda: random.getrandbits(63) | 1)  # by name: another number in each process


class _DeviceAttributes:
    """A device of a session: name, type, memory, and a number that is another one in each process."""

    def __init__(self, name, device_type, memory_limit_bytes, incarnation):
        self.name = canonical_name(name)
        self.device_type, self.memory_limit_bytes, self.incarnation = device_type, memory_limit_bytes, incarnation

    def __repr__(self):
        return "_DeviceAttributes(%s, %s, %d, %d)" % (self.name, self.device_type, self.memory_limit_bytes, self.incarnation)


@export("Session")
class Session(BaseSession):
    """Runs parts of a graph and owns its variables. As a context manager it makes itself and its graph the defaults, and closes at the end."""

    def __init__(self, target="", graph=None, config=None):
        super().__init__(target, graph, config)
        self._contexts = []

    def __enter__(self):
        if self._contexts:
            raise RuntimeError("Session context managers are not re-entrant. Use `Session.as_default()` if you want to enter a session multiple times.")
        self._contexts = [self._graph.as_default(), self.as_default()]
        self._contexts[0].__enter__()
        self._contexts[1].__enter__()
        return self

    def __exit__(self, *error):
        contexts, self._contexts = self._contexts, []
        try:
            contexts[1].__exit__(*error)
            contexts[0].__exit__(*error)
        finally:
            self.close()

    @staticmethod
    def reset(target, containers=None, config=None):
        """Closes all sessions of a target. For the task of a server, also clears the given containers, or the default one."""
        targets.reset(target or "", containers, config)


@export("InteractiveSession")
class InteractiveSession(BaseSession):
    """A session that is the default session until it is closed."""

    _active_session_count = 0

    def __init__(self, target="", graph=None, config=None):
        from .protos import ConfigProto

        if config is not None and not isinstance(config, ConfigProto):
            raise TypeError("config must be a tf.ConfigProto, but got %s" % type(config))
        if config is None:
            config = ConfigProto()
        else:
            given, config = config, ConfigProto()
            config.CopyFrom(given)
        config.graph_options.place_pruned_graph = True  # interactive users may add a node that cannot be placed, and carry on
        super().__init__(target, graph, config)
        self._explicit_graph = graph
        if InteractiveSession._active_session_count > 0:
            import warnings

            warnings.warn("An interactive session is already active. This can cause out-of-memory errors in some cases. You must explicitly call "
                          "`InteractiveSession.close()` to release resources held by the other session(s).")
        InteractiveSession._active_session_count += 1
        self._is_open = True
        stack = ops._default_session_stack
        self._default_graph = None
        if graph is not None:
            ops._default_graph_stack.stack.append(graph)
            self._default_graph = graph
        stack.stack.append(self)

    def close(self):
        if getattr(self, "_is_open", False):
            self._is_open = False
            InteractiveSession._active_session_count -= 1
            for stack, item in ((ops._default_session_stack.stack, self), (ops._default_graph_stack.stack, self._default_graph)):
                for i in range(len(stack) - 1, -1, -1):
                    if stack[i] is item:
                        del stack[i]
                        break
        super().close()
