"""tf.summary.FileWriter: event files."""

import os
import socket
import threading
import time
import warnings

from .. import ops, protos
from ..exports import export
from ..ops import Graph
from ..platform import gfile, records
from ..platform import tf_logging as logging
from ..training import meta_graph
from .plugin_asset import get_all_plugin_assets

_PLUGINS_DIR = "plugins"  # below the folder of the events


class EventFile:
    """FOLDER/events.out.tfevents.SECONDS.HOST[SUFFIX]. Events are written immediately and flushed to the system every `flush_secs` seconds.
    Thread-safe."""

    def __init__(self, logdir, max_queue=10, flush_secs=120, filename_suffix=None):
        self._dir = os.fspath(logdir) if not isinstance(logdir, bytes) else logdir.decode()
        if not gfile.IsDirectory(self._dir):
            gfile.MakeDirs(self._dir)
        self._flush_secs, self._suffix = flush_secs, filename_suffix or ""
        self._lock = threading.Lock()
        self._file, self._flush_at, self._closed = None, 0, False

    def get_logdir(self):
        return self._dir

    def _open(self):
        now = time.time()
        base = os.path.join(self._dir, "events.out.tfevents.%010d.%s" % (now, socket.gethostname()))
        path, i = base + self._suffix, 0
        while gfile.Exists(path):  # two writers within one second
            i += 1
            path = "%s.%d%s" % (base, i, self._suffix)
        self._file = records.TFRecordWriter(path)
        self._file.write(protos.Event(wall_time=now, file_version="brain.Event:2").SerializeToString())

    def add_event(self, event):
        with self._lock:
            if self._closed:
                return
            if self._file is None:
                self._open()
            self._file.write(event.SerializeToString())
            if time.time() > self._flush_at:
                self._file.flush()
                self._flush_at = time.time() + self._flush_secs

    def flush(self):
        with self._lock:
            if self._file is None and not self._closed:
                self._open()
            if self._file is not None:
                self._file.flush()

    def reopen(self):
        """After close(): further events go into a new file."""
        with self._lock:
            self._closed = False

    def close(self):
        with self._lock:
            if self._file is None and not self._closed:
                self._open()
            if self._file is not None:
                self._file.close()
            self._file, self._closed = None, True


EventFileWriter = EventFile


@export("summary.FileWriter", "train.SummaryWriter")
class FileWriter:
    """Writes summaries, graphs, traces and logs into an event file."""

    def __init__(self, logdir, graph=None, max_queue=10, flush_secs=120, graph_def=None, filename_suffix=None, session=None):
        self.event_writer = EventFile(logdir, max_queue, flush_secs, filename_suffix)
        self._closed = False
        self._traces, self._tags = set(), set()
        # Create the file at once, so that tools watching the folder see the run.
        self.event_writer.flush()
        if graph is not None or graph_def is not None:
            self.add_graph(graph=graph, graph_def=graph_def)
            definition = graph.as_graph_def(add_shapes=True) if isinstance(graph, Graph) else graph
            self.add_meta_graph(meta_graph.create_meta_graph_def(graph_def=graph_def or definition))

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()

    def get_logdir(self):
        return self.event_writer.get_logdir()

    def add_summary(self, summary, global_step=None):
        """Adds a Summary, or its serialized bytes from a step."""
        if not hasattr(summary, "value"):
            summary = protos.Summary.FromString(bytes(summary))
        for value in summary.value:
            # Readers need the metadata of a tag only once.
            if value.tag in self._tags:
                value.ClearField("metadata")
            else:
                self._tags.add(value.tag)
        self._add(protos.Event(summary=summary), global_step)

    def add_session_log(self, session_log, global_step=None):
        self._add(protos.Event(session_log=session_log), global_step)

    def add_graph(self, graph, global_step=None, graph_def=None):
        """Adds the current graph, with shapes."""
        if graph is not None and graph_def is not None:
            raise ValueError("Please pass only graph, or graph_def (deprecated), but not both.")
        what = graph if graph is not None else graph_def
        if isinstance(what, Graph):
            definition = what.as_graph_def(add_shapes=True)
            self._write_plugin_assets(what)
        elif type(what).__name__ == "GraphDef":
            logging.warning("Passing a `GraphDef` to the SummaryWriter is deprecated. Pass a `Graph` object instead, such as `sess.graph`.")
            definition = what
        else:
            raise TypeError("The passed graph must be an instance of `Graph` or the deprecated `GraphDef`")
        self._add(protos.Event(graph_def=definition.SerializeToString()), global_step)

    def _write_plugin_assets(self, graph):
        """Writes the files of the graph's plugins: FOLDER/plugins/PLUGIN/FILE."""
        for plugin in get_all_plugin_assets(graph):
            folder = os.path.join(self.get_logdir(), _PLUGINS_DIR, plugin.plugin_name)
            gfile.MakeDirs(folder)
            for name, content in plugin.assets().items():
                with gfile.GFile(os.path.join(folder, name), "w") as file:
                    file.write(content)

    def add_meta_graph(self, meta_graph_def, global_step=None):
        if type(meta_graph_def).__name__ != "MetaGraphDef":
            raise TypeError("meta_graph_def must be type MetaGraphDef, saw type: %s" % type(meta_graph_def))
        self._add(protos.Event(meta_graph_def=meta_graph_def.SerializeToString()), global_step)

    def add_run_metadata(self, run_metadata, tag, global_step=None):
        """Adds the trace of a run under a tag. ValueError if the tag was used before."""
        if tag in self._traces:
            raise ValueError("The provided tag was already used for this event type")
        self._traces.add(tag)
        tagged = protos.TaggedRunMetadata(tag=tag, run_metadata=run_metadata.SerializeToString())
        self._add(protos.Event(tagged_run_metadata=tagged), global_step)

    def _add(self, event, step):
        event.wall_time = time.time()
        if step is not None:
            event.step = int(step)
        self.add_event(event)

    def add_event(self, event):
        """Adds an Event unchanged."""
        self._warn_if_closed()
        self.event_writer.add_event(event)

    def _warn_if_closed(self):
        if self._closed:
            warnings.warn("Attempting to use a closed FileWriter. The operation will be a noop unless the FileWriter is explicitly reopened.")

    def flush(self):
        """Flushes the events to the system."""
        self._warn_if_closed()
        self.event_writer.flush()

    def close(self):
        self.event_writer.close()
        self._closed = True

    def reopen(self):
        self.event_writer.reopen()
        self._closed = False


@export("summary.FileWriterCache")
class FileWriterCache:
    """One writer per folder."""

    _cache = {}
    _lock = threading.RLock()

    @staticmethod
    def clear():
        """Closes all writers."""
        with FileWriterCache._lock:
            for writer in FileWriterCache._cache.values():
                writer.close()
            FileWriterCache._cache = {}

    @staticmethod
    def get(logdir):
        """The writer of the folder, created if there is none."""
        with FileWriterCache._lock:
            if logdir not in FileWriterCache._cache:
                FileWriterCache._cache[logdir] = FileWriter(logdir, graph=ops.get_default_graph())
            return FileWriterCache._cache[logdir]


@export("train.summary_iterator")
def summary_iterator(path):
    """The events of a file."""
    for record in records.tf_record_iterator(path):
        yield protos.Event.FromString(record)
