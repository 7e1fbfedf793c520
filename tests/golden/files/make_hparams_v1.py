#!/usr/bin/env python3
"""Writes events/hparams_v1 with the summary module of TensorBoard 1.15 and prints its lines of expected.jsonl.

    /path/to/tensorflow-1.15/bin/python tests/golden/files/make_hparams_v1.py

That module writes hparams as metadata without a value, unlike TensorFlow 2.
"""
import json
import os

import tensorflow.compat.v1 as tf
from tensorboard.plugins.hparams import api_pb2, summary

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "events", "hparams_v1")
NAME = "events.out.tfevents.1500000000.hostH"
START = 1.5e9


def write(run, steps):
    """Writes (step, summary) pairs of a run and prints what reading them must find."""
    path = os.path.join(FOLDER, run, NAME)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with tf.io.TFRecordWriter(path) as out:
        out.write(tf.Event(wall_time=START, file_version="brain.Event:2").SerializeToString())
        for step, s in steps:
            out.write(tf.Event(wall_time=START + step, step=step, summary=s).SerializeToString())
    tags = []
    for step, s in steps:
        for v in s.value:
            plugin = v.metadata.plugin_data.plugin_name
            tags.append({"tag": v.tag, "points": 1, "first_step": step, "last_step": step, "plugin": plugin or "scalars"})
    inspect = {"kind": "events", "records": len(steps) + 1, "file_version": "brain.Event:2", "tags": sorted(tags, key=lambda t: t["tag"]), "problems": []}
    print(json.dumps({"file": os.path.relpath(path, os.path.dirname(os.path.dirname(FOLDER))), "inspect": inspect}, separators=(",", ":")))


def scalar(tag, value):
    return tf.Summary(value=[tf.Summary.Value(tag=tag, simple_value=value)])


def main():
    rate = api_pb2.HParamInfo(name="lr", display_name="rate", type=api_pb2.DATA_TYPE_FLOAT64)
    cell = api_pb2.HParamInfo(name="cell", type=api_pb2.DATA_TYPE_STRING)
    # Two metrics with the same title.
    metrics = [api_pb2.MetricInfo(name=api_pb2.MetricName(group=group, tag="loss"), display_name="loss") for group in ("eval", "")]
    write("", [(0, summary.experiment_pb([rate, cell], metrics, description="two trials", time_created_secs=START))])
    for i, values in enumerate([{"lr": 0.1, "cell": "lstm"}, {"lr": 0.5, "cell": "gru"}]):
        start = summary.session_start_pb(values, start_time_secs=START)
        end = summary.session_end_pb(api_pb2.STATUS_SUCCESS, end_time_secs=START)
        write("trial_%d" % i, [(0, start), (1, scalar("loss", 1.0 + i)), (2, end)])
        write("trial_%d/eval" % i, [(1, scalar("loss", 2.0 + i))])


if __name__ == "__main__":
    main()
