"""RunConfig of each task of a cluster, as TF_CONFIG gives it. Runs in TensorFlow 1.15 too."""

import json
import os
import unittest

import tensorflow as tf

CLUSTER = {"chief": ["a:1"], "ps": ["b:1", "c:1"], "worker": ["d:1", "e:1"]}


def config(cluster=None, task=None, **more):
    told = dict(more)
    if cluster is not None:
        told["cluster"] = cluster
    if task is not None:
        told["task"] = {"type": task[0], "index": task[1]}
    os.environ["TF_CONFIG"] = json.dumps(told)
    try:
        return tf.estimator.RunConfig()
    finally:
        del os.environ["TF_CONFIG"]


def facts(c):
    filters = None if c.session_config is None else list(c.session_config.device_filters)
    return [c.task_type, c.task_id, c.is_chief, c.master, c.evaluation_master, c.num_ps_replicas, c.num_worker_replicas, c.global_id_in_cluster, filters]


class RunConfigTest(unittest.TestCase):
    def test_without_a_cluster_this_is_the_only_worker(self):
        self.assertEqual(facts(config()), ["worker", 0, True, "", "", 0, 1, 0, None])
        self.assertEqual(facts(config(session_master="grpc://a:1")), ["worker", 0, True, "grpc://a:1", "", 0, 1, 0, None])

    def test_each_task_of_a_cluster(self):
        self.assertEqual(facts(config(CLUSTER, ("chief", 0))), ["chief", 0, True, "grpc://a:1", "", 2, 3, 0, ["/job:ps", "/job:chief"]])
        self.assertEqual(facts(config(CLUSTER, ("worker", 1))), ["worker", 1, False, "grpc://e:1", "", 2, 3, 2, ["/job:ps", "/job:worker/task:1"]])
        self.assertEqual(facts(config(CLUSTER, ("ps", 1))),
                         ["ps", 1, False, "grpc://c:1", "", 2, 3, 4, ["/job:ps", "/job:worker", "/job:chief", "/job:master"]])

    def test_the_evaluator_is_not_part_of_the_cluster(self):
        evaluator = config(CLUSTER, ("evaluator", 0), eval_session_master="grpc://f:1")
        self.assertEqual(facts(evaluator), ["evaluator", 0, False, "", "grpc://f:1", 0, 0, None, None])
        self.assertFalse(evaluator.cluster_spec)

    def test_a_master_trains_and_evaluates(self):
        cluster = {"master": ["a:1"], "worker": ["b:1"], "ps": ["c:1"]}
        self.assertEqual(facts(config(cluster, ("master", 0))), ["master", 0, True, "grpc://a:1", "", 1, 2, 0, ["/job:ps", "/job:master"]])

    def test_a_cluster_of_one_needs_no_server(self):
        self.assertEqual(facts(config({"chief": ["a:1"]}, ("chief", 0))), ["chief", 0, True, "", "", 0, 1, 0, ["/job:ps", "/job:chief"]])

    def test_what_does_not_fit_is_refused(self):
        for words, given in (('must have one "chief" node', dict(cluster={"worker": ["a:1"]}, task=("worker", 0))),
                             ('must have only one "chief" node', dict(cluster={"chief": ["a:1", "b:1"]}, task=("chief", 0))),
                             ("task type must be set", dict(cluster=CLUSTER)),
                             ("task index must be set", dict(cluster=CLUSTER, task=("chief", None))),
                             ("Task index must be non-negative", dict(cluster=CLUSTER, task=("chief", -1))),
                             ("gardener is not a valid task_type in the cluster_spec", dict(cluster=CLUSTER, task=("gardener", 0))),
                             ("2 is not a valid task_id for task_type worker", dict(cluster=CLUSTER, task=("worker", 2))),
                             ("task type must be WORKER", dict(task=("chief", 0))), ("task index must be 0", dict(task=("worker", 1))),
                             ("job `chief` is not supported", dict(cluster={"chief": ["a:1"], "master": ["b:1"]}, task=("master", 0))),
                             ("task_type `evaluator` is not supported", dict(cluster={"master": ["b:1"]}, task=("evaluator", 0)))):
            with self.assertRaisesRegex(ValueError, words):
                config(**given)
        with self.assertRaisesRegex(TypeError, '"service"'):
            config(service=3)

    def test_the_model_folder_may_come_from_the_environment(self):
        self.assertEqual(config(model_dir="/m").model_dir, "/m")
        with self.assertRaisesRegex(ValueError, "model_dir in TF_CONFIG should be non-empty"):
            config(model_dir="")


if __name__ == "__main__":
    unittest.main()
