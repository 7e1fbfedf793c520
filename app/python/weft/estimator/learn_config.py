"""tf.contrib.learn.RunConfig: the configuration of runs with masters, threads and shares of GPU memory as parameters."""

from .. import protos
from ..exports import export
from .spec import RunConfig

_USE_DEFAULT = 0


@export("contrib.learn.RunConfig")
class LearnRunConfig(RunConfig):
    """As tf.estimator.RunConfig. `tf_config` has the threads, the placement log and the share of GPU memory; Estimators of tf.estimator use `session_config`."""

    _USE_DEFAULT = _USE_DEFAULT

    def __init__(self, master=None, num_cores=0, log_device_placement=False, gpu_memory_fraction=1, tf_random_seed=None, save_summary_steps=100, save_checkpoints_secs=_USE_DEFAULT,
                 save_checkpoints_steps=None, keep_checkpoint_max=5, keep_checkpoint_every_n_hours=10000, log_step_count_steps=100, protocol=None, evaluation_master="", model_dir=None,
                 session_config=None, session_creation_timeout_secs=7200):
        every = {"save_checkpoints_secs": None if save_checkpoints_steps is not None else 600} if save_checkpoints_secs == _USE_DEFAULT else {"save_checkpoints_secs": save_checkpoints_secs}
        if save_checkpoints_steps is not None:
            every["save_checkpoints_steps"] = save_checkpoints_steps
        if every.get("save_checkpoints_steps") is not None and every["save_checkpoints_secs"] is None:
            del every["save_checkpoints_secs"]
        super().__init__(model_dir=model_dir, tf_random_seed=tf_random_seed, save_summary_steps=save_summary_steps, keep_checkpoint_max=keep_checkpoint_max,
                         keep_checkpoint_every_n_hours=keep_checkpoint_every_n_hours, log_step_count_steps=log_step_count_steps, protocol=protocol, session_config=session_config,
                         session_creation_timeout_secs=session_creation_timeout_secs, **every)
        self._master = self._task.master if master is None else master
        self._evaluation_master = evaluation_master or self._task.evaluation_master
        made = self._tf_config = protos.message("ConfigProto")()
        made.log_device_placement = log_device_placement
        made.inter_op_parallelism_threads = made.intra_op_parallelism_threads = num_cores
        made.gpu_options.per_process_gpu_memory_fraction = gpu_memory_fraction

    master = property(lambda self: self._master)
    evaluation_master = property(lambda self: self._evaluation_master)
    tf_config = property(lambda self: self._tf_config)
