"""tf.contrib.testing: reads summaries back, and a summary writer that remembers what it was given."""

import glob
import os

import numpy as np

from .. import protos
from ..build_facts import assert_equal_graph_def
from ..exports import export
from ..summaries import writer
from ..summaries.writer import summary_iterator


def _name(*names):
    return export(*["contrib.testing." + n for n in names])


@_name("assert_summary")
def assert_summary(expected_tags, expected_simple_values, summary_proto):
    """ValueError unless the summary has exactly these tags; AssertionError if one of the values differs in the second decimal."""
    found = {value.tag: value for value in summary_proto.value}
    for tag, value in found.items():
        if tag in expected_simple_values:
            np.testing.assert_almost_equal(value.simple_value, expected_simple_values[tag], decimal=2, err_msg=tag)
    if set(expected_tags) != set(found):
        raise ValueError("Expected tags %s, got %s." % (set(expected_tags), set(found)))


@_name("to_summary_proto")
def to_summary_proto(summary_str):
    return protos.Summary.FromString(summary_str)


@_name("latest_event_file")
def latest_event_file(base_dir):
    """The last event file of a folder, or None."""
    return max(glob.glob(os.path.join(base_dir, "events.*")), default=None)


@_name("latest_events")
def latest_events(base_dir):
    path = latest_event_file(base_dir)
    return summary_iterator(path) if path else []


@_name("latest_summaries")
def latest_summaries(base_dir):
    """The events with summaries of the last event file."""
    return [event for event in latest_events(base_dir) if event.HasField("summary")]


@_name("simple_values_from_events")
def simple_values_from_events(events, tags):
    """tag -> its value at the latest step"""
    step_of, found = {}, {}
    for event in events:
        for value in event.summary.value if event.HasField("summary") else ():
            if value.tag not in tags:
                continue
            if not value.HasField("simple_value"):
                raise ValueError("Summary for %s is not a simple_value." % value.tag)
            if event.step > step_of.get(value.tag, -1):
                step_of[value.tag], found[value.tag] = event.step, value.simple_value
    return found


def _step(global_step):
    if global_step is not None and global_step < 0:
        raise ValueError("Invalid global_step %s." % global_step)
    return global_step


def _assert_same_meta_graph(test_case, a, b):
    assert_equal_graph_def(a.graph_def, b.graph_def, checkpoint_v2=True)
    rest = [type(m).FromString(m.SerializeToString()) for m in (a, b)]
    for message in rest:
        message.ClearField("graph_def")
    test_case.assertEqual(rest[0], rest[1])


@_name("FakeSummaryWriter")
class FakeSummaryWriter:
    """A writer that keeps everything; between install() and uninstall() writers of the cache are of this class."""

    _replaced_summary_writer = None

    @classmethod
    def install(cls):
        if cls._replaced_summary_writer:
            raise ValueError("FakeSummaryWriter already installed.")
        cls._replaced_summary_writer, writer.FileWriter = writer.FileWriter, FakeSummaryWriter

    @classmethod
    def uninstall(cls):
        if not cls._replaced_summary_writer:
            raise ValueError("FakeSummaryWriter not installed.")
        cls._replaced_summary_writer, writer.FileWriter = None, cls._replaced_summary_writer

    def __init__(self, logdir, graph=None):
        self._logdir, self._graph, self._summaries = logdir, graph, {}
        self._added_graphs, self._added_meta_graphs, self._added_session_logs, self._added_run_metadata = [], [], [], {}

    @property
    def summaries(self):
        return self._summaries

    def assert_summaries(self, test_case, expected_logdir=None, expected_graph=None, expected_summaries=None, expected_added_graphs=None, expected_added_meta_graphs=None,
                         expected_session_logs=None):
        """Assertions about what was added. Steps per second are left out, because a thread adds them at any time."""
        if expected_logdir is not None:
            test_case.assertEqual(expected_logdir, self._logdir)
        if expected_graph is not None:
            test_case.assertIs(expected_graph, self._graph)
        for step, expected in (expected_summaries or {}).items():
            test_case.assertIn(step, self._summaries)
            test_case.assertEqual(expected, {v.tag: v.simple_value for summary in self._summaries[step] for v in summary.value if v.tag != "global_step/sec"})
        if expected_added_graphs is not None:
            test_case.assertEqual(expected_added_graphs, self._added_graphs)
        if expected_added_meta_graphs is not None:
            test_case.assertEqual(len(expected_added_meta_graphs), len(self._added_meta_graphs))
            for expected, actual in zip(expected_added_meta_graphs, self._added_meta_graphs):
                _assert_same_meta_graph(test_case, expected, actual)
        if expected_session_logs is not None:
            test_case.assertEqual(expected_session_logs, self._added_session_logs)

    def add_summary(self, summ, current_global_step):
        self._summaries.setdefault(current_global_step, []).append(to_summary_proto(summ) if isinstance(summ, bytes) else summ)

    def add_graph(self, graph, global_step=None, graph_def=None):
        _step(global_step)
        if graph_def is not None:
            raise ValueError("Unexpected graph_def %s." % graph_def)
        self._added_graphs.append(graph)

    def add_meta_graph(self, meta_graph_def, global_step=None):
        _step(global_step)
        self._added_meta_graphs.append(meta_graph_def)

    def add_session_log(self, session_log, global_step=None):
        _step(global_step)
        self._added_session_logs.append(session_log)

    def add_run_metadata(self, run_metadata, tag, global_step=None):
        _step(global_step)
        self._added_run_metadata[tag] = run_metadata

    def flush(self):
        """Has no effect: nothing is buffered."""

    def reopen(self):
        """Has no effect: there is no file."""

    def close(self):
        """Has no effect: there is no file."""
