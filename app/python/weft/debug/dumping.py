"""tf_debug.DumpingDebugWrapperSession and DumpingDebugHook: every run dumps the watched tensors into a folder of its own."""

import itertools
import os
import re
import threading
import time

from .. import errors, protos
from ..platform import gfile
from ..training.run_hook import SessionRunArgs, SessionRunHook
from .cli import BaseDebugWrapperSession
from .debug_data import FEED_KEYS_INFO_FILE_TAG, FETCHES_INFO_FILE_TAG, METADATA_FILE_PREFIX
from .watches import watch_graph


class WatchOptions:
    """What a watch_fn(fetches, feed_dict) returns: which tensors of its run are dumped, and by which debug ops."""

    def __init__(self, debug_ops=None, node_name_regex_whitelist=None, op_type_regex_whitelist=None, tensor_dtype_regex_whitelist=None, tolerate_debug_op_creation_failures=False):
        self.debug_ops = debug_ops or ["DebugIdentity"]
        self.node_name_regex_whitelist, self.op_type_regex_whitelist = node_name_regex_whitelist, op_type_regex_whitelist
        self.tensor_dtype_regex_whitelist = tensor_dtype_regex_whitelist
        self.tolerate_debug_op_creation_failures = tolerate_debug_op_creation_failures

    def __repr__(self):
        return "WatchOptions: debug_ops=%r, node_name_regex_whitelist=%r, op_type_regex_whitelist=%r, tensor_dtype_regex_whitelist=%r, tolerate_debug_op_creation_failures=%r" % (
            self.debug_ops, self.node_name_regex_whitelist, self.op_type_regex_whitelist, self.tensor_dtype_regex_whitelist, self.tolerate_debug_op_creation_failures)


class _Folders:
    """Makes a folder for each run below a root, and the RunOptions that dump into it."""

    def __init__(self, root, watch_fn):
        if watch_fn is not None and not callable(watch_fn):
            raise TypeError("watch_fn is not callable")
        self._root, self._watch_fn, self._runs = os.path.expanduser(root), watch_fn, itertools.count()
        if not gfile.Exists(self._root):
            gfile.MakeDirs(self._root)
        elif not gfile.IsDirectory(self._root):
            raise ValueError("session_root path points to a file: %s" % self._root)
        elif gfile.ListDirectory(self._root):
            raise ValueError("session_root path points to a non-empty directory: %s" % self._root)

    def add_watches(self, options, graph, fetches, feeds):
        folder = os.path.join(self._root, "run_%d_%d" % (int(time.time() * 1e6), next(self._runs)))
        gfile.MkDir(folder)
        for tag, text in ((FETCHES_INFO_FILE_TAG, repr(fetches)), (FEED_KEYS_INFO_FILE_TAG, repr(feeds.keys() if feeds else feeds))):
            event = protos.Event()
            event.log_message.message = text
            with gfile.GFile(os.path.join(folder, METADATA_FILE_PREFIX + tag), "wb") as f:
                f.write(event.SerializeToString())
        watch = WatchOptions() if self._watch_fn is None else self._watch_fn(fetches, feeds)
        if isinstance(watch, tuple):
            watch = WatchOptions(*watch)
        options.output_partition_graphs = True
        watch_graph(options, graph, debug_urls=["file://" + folder], **vars(watch))


class DumpingDebugWrapperSession(BaseDebugWrapperSession):
    """Dumps each run of a session into session_root/run_TIME_NUMBER, for DebugDumpDir. Only runs of threads whose names match `thread_name_filter` are dumped.
    A run that fails returns its error, as TensorFlow's wrapper does, or raises it with `pass_through_operrors`."""

    def __init__(self, sess, session_root, watch_fn=None, thread_name_filter=None, pass_through_operrors=None, log_usage=True):
        super().__init__(sess, thread_name_filter)
        self._folders = _Folders(session_root, watch_fn)
        self._threads = re.compile(thread_name_filter) if thread_name_filter else None
        self._raises = pass_through_operrors

    def run(self, fetches, feed_dict=None, options=None, run_metadata=None, **unused):
        self.run_call_count += 1
        if self._threads is not None and not self._threads.match(threading.current_thread().name):
            return self._sess.run(fetches, feed_dict, options, run_metadata)
        options = options or protos.RunOptions()
        self._folders.add_watches(options, self.graph, fetches, feed_dict)
        try:
            return self._sess.run(fetches, feed_dict, options, run_metadata or protos.RunMetadata())
        except errors.OpError as e:
            if self._raises:
                raise
            return e


class DumpingDebugHook(SessionRunHook):
    """Dumps the runs of a monitored session."""

    def __init__(self, session_root, watch_fn=None, thread_name_filter=None, log_usage=True):
        self._root, self._watch_fn, self._folders = session_root, watch_fn, None
        self._threads = re.compile(thread_name_filter) if thread_name_filter else None

    def before_run(self, run_context):
        if self._folders is None:
            self._folders = _Folders(self._root, self._watch_fn)
        options = protos.RunOptions()
        if self._threads is None or self._threads.match(threading.current_thread().name):
            self._folders.add_watches(options, run_context.session.graph, run_context.original_args.fetches, run_context.original_args.feed_dict)
        return SessionRunArgs(None, feed_dict=None, options=options)
