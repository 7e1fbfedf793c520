"""Which task of which cluster this process is: what the environment variable TF_CONFIG says."""

import json
import os

from ..platform import tf_logging as logging
from ..protos import ConfigProto
from ..training.cluster import ClusterSpec


def tf_config():
    text = os.environ.get("TF_CONFIG")
    return json.loads(text) if text else {}


def _checked_task(cluster, task, chief):
    """(type, index)"""
    if chief not in cluster.jobs:
        raise ValueError('If "cluster" is set in TF_CONFIG, it must have one "%s" node.' % chief)
    if len(cluster.job_tasks(chief)) > 1:
        raise ValueError('The "cluster" in TF_CONFIG must have only one "%s" node.' % chief)
    kind, index = task.get("type"), task.get("index")
    if not kind:
        raise ValueError('If "cluster" is set in TF_CONFIG, task type must be set.')
    if index is None:
        raise ValueError('If "cluster" is set in TF_CONFIG, task index must be set.')
    index = int(index)
    if index < 0:
        raise ValueError("Task index must be non-negative number.")
    note = "%s\n\nNote that these values may be coming from the TF_CONFIG environment variable." % cluster
    if kind == "evaluator":
        return kind, index
    if kind not in cluster.jobs:
        raise ValueError("%s is not a valid task_type in the cluster_spec:\n%s" % (kind, note))
    if index >= len(cluster.job_tasks(kind)):
        raise ValueError("%d is not a valid task_id for task_type %s in the cluster_spec:\n%s" % (index, kind, note))
    return kind, index


class Task:
    """What a RunConfig says about clusters. Without one: the only worker."""

    def __init__(self):
        config = tf_config()
        self.service = config.get("service")
        if self.service is not None and not isinstance(self.service, dict):
            raise TypeError('If "service" is set in TF_CONFIG, it must be a dict. Given %s' % type(self.service))
        self.cluster_spec, task = ClusterSpec(config.get("cluster", {})), config.get("task", {})
        self.num_ps_replicas, self.num_worker_replicas, self.global_id_in_cluster = 0, 1, 0
        if self.cluster_spec:
            self._in_cluster(config, task, "master" if "master" in self.cluster_spec.jobs else "chief")
            return
        self.task_type, self.task_id, self.is_chief = task.get("type", "worker"), int(task.get("index", 0)), True
        if self.task_type != "worker":
            raise ValueError('If "cluster" is not set in TF_CONFIG, task type must be WORKER.')
        if self.task_id != 0:
            raise ValueError('If "cluster" is not set in TF_CONFIG, task index must be 0.')
        self.master, self.evaluation_master = config.get("session_master", ""), config.get("eval_session_master", "")

    def _in_cluster(self, config, task, chief):
        cluster = self.cluster_spec
        if chief == "master" and "chief" in cluster.jobs:
            raise ValueError("If `master` node exists in `cluster`, job `chief` is not supported.")
        self.task_type, self.task_id = _checked_task(cluster, task, chief)
        self.is_chief, self.evaluation_master = self.task_type == chief, ""
        if self.task_type == "evaluator":  # not part of the cluster that trains
            if chief == "master":
                raise ValueError("If `master` node exists in `cluster`, task_type `evaluator` is not supported.")
            self.evaluation_master = config.get("eval_session_master", "")
            self.cluster_spec, self.master = ClusterSpec({}), ""
            self.num_worker_replicas, self.global_id_in_cluster = 0, None
            return
        tasks = {job: len(cluster.job_tasks(job)) for job in cluster.jobs}
        alone = list(tasks.values()) == [1]
        self.master = config.get("session_master", "" if alone else "grpc://" + cluster.task_address(self.task_type, self.task_id))
        self.num_ps_replicas, self.num_worker_replicas = tasks.get("ps", 0), tasks.get("worker", 0) + tasks[chief]
        order = [chief] + sorted(job for job in tasks if job not in (chief, "ps")) + ["ps"]
        self.global_id_in_cluster = sum(tasks[job] for job in order[:order.index(self.task_type)]) + self.task_id

    def session_config(self):
        """The default in a cluster: a task that trains needs the parameter servers and itself only. None for other tasks."""
        filters = {"master": ["/job:ps", "/job:master"], "chief": ["/job:ps", "/job:chief"], "worker": ["/job:ps", "/job:worker/task:%d" % self.task_id],
                   "ps": ["/job:ps", "/job:worker", "/job:chief", "/job:master"]}
        if not self.cluster_spec or self.task_type not in filters:
            return None
        config = ConfigProto(allow_soft_placement=True, device_filters=filters[self.task_type])
        config.graph_options.rewrite_options.meta_optimizer_iterations = 1
        return config


def model_dir_of(given):
    """`given`, or the folder that TF_CONFIG names."""
    told = tf_config().get("model_dir")
    if told == "":
        raise ValueError("model_dir in TF_CONFIG should be non-empty.")
    if told:
        if given and told != given:
            raise ValueError("`model_dir` provided in RunConfig construct, if set, must have the same value as the model_dir in TF_CONFIG. "
                             'model_dir: {}\nTF_CONFIG["model_dir"]: {}.\n'.format(given, told))
        logging.info("Using model_dir in TF_CONFIG: %s", told)
    return given or told
