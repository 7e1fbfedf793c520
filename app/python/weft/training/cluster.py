"""Clusters: jobs and tasks, servers, placement of variables."""

import threading

from .. import errors, protos, settings, targets
from ..device import DeviceSpec
from ..exports import export
from ..platform import tf_logging as logging


@export("train.ClusterSpec")
class ClusterSpec:
    """Jobs by name, each with the addresses of its tasks."""

    def __init__(self, cluster):
        if isinstance(cluster, dict):
            self._jobs = {}
            for job, tasks in cluster.items():
                if isinstance(tasks, (list, tuple)):
                    self._jobs[job] = dict(enumerate(tasks))
                elif isinstance(tasks, dict):
                    self._jobs[job] = dict(tasks)
                else:
                    raise TypeError("The tasks for job %r must be a list or a dictionary from integers to strings." % job)
            self._def = self._make_def()
        elif type(cluster).__name__ == "ClusterDef" or isinstance(cluster, ClusterSpec):
            self._def = cluster.as_cluster_def() if isinstance(cluster, ClusterSpec) else cluster
            self._jobs = {job.name: dict(job.tasks) for job in self._def.job}
        else:
            raise TypeError("`cluster` must be a dictionary mapping one or more job names to lists of network addresses, or a `ClusterDef` protocol "
                            "buffer")

    def _make_def(self):
        definition = protos.ClusterDef()
        for name, tasks in sorted(self._jobs.items()):
            if not isinstance(name, (str, bytes)):
                raise TypeError("Job name %r must be bytes or unicode" % name)
            job = definition.job.add(name=name)
            for i, address in sorted(tasks.items()):
                if not isinstance(address, (str, bytes)):
                    raise TypeError("Task address %r must be bytes or unicode" % address)
                job.tasks[i] = address if isinstance(address, str) else address.decode()
        return definition

    def __bool__(self):
        return bool(self._jobs)

    def __eq__(self, other):
        return self._jobs == (other._jobs if isinstance(other, ClusterSpec) else other)

    def __ne__(self, other):
        return not self == other

    __hash__ = None

    def __str__(self):
        jobs = self.as_dict()
        return "ClusterSpec({" + ", ".join("%r: %r" % (k, jobs[k]) for k in sorted(jobs)) + "})"

    def _job(self, name):
        if name not in self._jobs:
            raise ValueError("No such job in cluster: %r" % name)
        return self._jobs[name]

    @property
    def jobs(self):
        return list(self._jobs)

    def as_dict(self):
        """Job -> list of addresses, or dict of number -> address if task numbers have gaps."""
        dense = {job: not tasks or max(tasks) + 1 == len(tasks) for job, tasks in self._jobs.items()}
        return {job: ({} if not tasks else self.job_tasks(job) if dense[job] else {i: tasks[i] for i in sorted(tasks)})
                for job, tasks in self._jobs.items()}

    def as_cluster_def(self):
        return self._def

    def num_tasks(self, job_name):
        return len(self._job(job_name))

    def task_indices(self, job_name):
        return sorted(self._job(job_name))

    def task_address(self, job_name, task_index):
        tasks = self._job(job_name)
        if task_index not in tasks:
            raise ValueError("No task with index %r in job %r" % (task_index, job_name))
        return tasks[task_index]

    def job_tasks(self, job_name):
        """Addresses by task number; None for missing tasks."""
        tasks = self._job(job_name)
        return [tasks.get(i) for i in range(max(tasks) + 1)]


def _server_def(what, job_name, task_index, protocol, config):
    if type(what).__name__ == "ServerDef":
        definition = protos.ServerDef()
        definition.MergeFrom(what)
        for field, value in (("job_name", job_name), ("task_index", task_index), ("protocol", protocol)):
            if value is not None:
                setattr(definition, field, value)
    else:
        try:
            cluster = ClusterSpec(what)
        except TypeError:
            raise TypeError("Could not convert `server_or_cluster_def` to a `tf.train.ServerDef` or `tf.train.ClusterSpec`.") from None
        if job_name is None:
            if len(cluster.jobs) != 1:
                raise ValueError("Must specify an explicit `job_name`.")
            job_name = cluster.jobs[0]
        if task_index is None:
            indices = cluster.task_indices(job_name)
            if len(indices) != 1:
                raise ValueError("Must specify an explicit `task_index`.")
            task_index = indices[0]
        definition = protos.ServerDef(cluster=cluster.as_cluster_def(), job_name=job_name, task_index=task_index, protocol=protocol or "grpc")
    if config is not None:
        definition.default_session_config.MergeFrom(config)
    return definition


@export("train.Server", "distribute.Server")
class Server:
    """A task of a cluster. Sessions of this process that use its `target` share variables; nothing is sent over the network."""

    def __init__(self, server_or_cluster_def, job_name=None, task_index=None, protocol=None, config=None, start=True):
        self._def = _server_def(server_or_cluster_def, job_name, task_index, protocol, config)
        jobs = {job.name: dict(job.tasks) for job in self._def.cluster.job}
        job, task = self._def.job_name, self._def.task_index
        if job not in jobs:
            raise errors.InternalError(None, None, 'Job "%s" was not defined in cluster' % job)
        if task not in jobs[job]:
            raise errors.InvalidArgumentError(None, None, 'Task %d was not defined in job "%s"' % (task, job))
        if not self._def.protocol.startswith("grpc"):
            raise errors.NotFoundError(None, None, "No server factory registered for the given ServerDef: %sThe available server factories are: [ GRPC_SERVER ]" % self._def)
        address = jobs[job][task]
        if not address.rpartition(":")[2].isdigit():
            raise errors.InvalidArgumentError(None, None, 'Could not parse port for local server from "%s".' % address)
        here = "localhost:" + address.rpartition(":")[2]
        options = settings.session_options(self._def.default_session_config)
        self._stop = threading.Event()
        self._task = targets.serve([here] + [address] * (address != here), "/job:%s/replica:0/task:%d" % (job, task),
                                   options.get("device_count", {}), options.get("timeout_ms", 0))
        if start:
            self.start()

    def start(self):
        """Has no effect except a message: sessions on `target` work in this process with or without it, and other processes cannot connect."""
        others = sum(len(job.tasks) for job in self._def.cluster.job) - 1
        if others:
            settings.no_effect("tf.train.Server.start", "no port is opened. Sessions of this process run on %s; the cluster's other tasks (%d) are not reached from "
                               "here, nor is this one from there" % (self._task.target, others))

    def join(self):
        """Waits forever."""
        while not self._stop.wait(0.2):
            pass

    @property
    def server_def(self):
        return self._def

    @property
    def target(self):
        return self._task.target

    @staticmethod
    def create_local_server(config=None, start=True):
        return Server({"local": ["localhost:0"]}, protocol="grpc", config=config, start=start)


STANDARD_PS_OPS = ("Variable", "VariableV2", "AutoReloadVariable", "MutableHashTable", "MutableHashTableV2", "MutableHashTableOfTensors",
                   "MutableHashTableOfTensorsV2", "MutableDenseHashTable", "MutableDenseHashTableV2", "VarHandleOp",
                   "BoostedTreesEnsembleResourceHandleOp", "BoostedTreesQuantileStreamResourceHandleOp", "ResourceConditionalAccumulator")


@export("train.replica_device_setter")
def replica_device_setter(ps_tasks=0, ps_device="/job:ps", worker_device="/job:worker", merge_devices=True, cluster=None, ps_ops=None,
                          ps_strategy=None):
    """A device function: variables go to the parameter servers in turn, everything else to the worker. None without parameter servers."""
    if cluster is not None:
        jobs = (cluster if isinstance(cluster, ClusterSpec) else ClusterSpec(cluster)).as_dict()
        job = DeviceSpec.from_string(ps_device).job
        if jobs.get(job) is None:
            return None
        ps_tasks = len(jobs[job])
    if ps_tasks == 0:
        return None
    ps_ops = list(STANDARD_PS_OPS) if ps_ops is None else ps_ops
    if not merge_devices:
        logging.warning("DEPRECATION: It is recommended to set merge_devices=true in replica_device_setter")
    turn = [0]

    def round_robin(op):
        task = turn[0]
        turn[0] = (task + 1) % ps_tasks
        return task

    strategy = round_robin if ps_strategy is None else ps_strategy
    if not callable(strategy):
        raise TypeError("ps_strategy must be callable")

    def device_of(op):
        if not merge_devices and op.device:
            return op.device
        here = DeviceSpec.from_string(op.device or "")
        kind = op.type if hasattr(op, "type") else op.op
        base = DeviceSpec.from_string(worker_device or "")
        if ps_device and kind in ps_ops:
            base = DeviceSpec.from_string(ps_device)
            if base.job and (not here.job or here.job == base.job):
                base = base.replace(task=strategy(op))
        return base.make_merged_spec(here).to_string()

    return device_of
