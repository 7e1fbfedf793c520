"""tf.contrib.tpu for programs that run without a TPU: estimators that pass the batch size to their functions, and settings that are only stored. With
use_tpu=True a TPUEstimator reports that there is no TPU."""

import collections
import copy

from .. import protos, settings
from ..exports import export
from ..platform import tf_logging as logging
from ..training import hooks as session_hooks
from ..variable_scope import get_variable_scope, variable_scope
from .calls import arguments
from .estimator import Estimator
from .spec import EstimatorSpec, ModeKeys, RunConfig

_RESERVED = ("batch_size", "use_tpu", "context")


@export("contrib.tpu.InputPipelineConfig", "estimator.tpu.InputPipelineConfig")
class InputPipelineConfig:
    """Where the input of several TPUs is made."""

    PER_SHARD_V1, PER_HOST_V1, PER_HOST_V2, BROADCAST, SLICED = 1, 2, 3, 4, 5


@export("contrib.tpu.TPUConfig", "estimator.tpu.TPUConfig")
class TPUConfig(collections.namedtuple("TPUConfig", [
        "iterations_per_loop", "num_shards", "num_cores_per_replica", "per_host_input_for_training", "tpu_job_name", "initial_infeed_sleep_secs", "input_partition_dims",
        "eval_training_input_configuration", "experimental_host_call_every_n_steps"])):
    """TPU settings: checked and stored, but unused."""

    __slots__ = ()

    def __new__(cls, iterations_per_loop=2, num_shards=None, num_cores_per_replica=None, per_host_input_for_training=True, tpu_job_name=None,
                initial_infeed_sleep_secs=None, input_partition_dims=None, eval_training_input_configuration=InputPipelineConfig.PER_HOST_V1,
                experimental_host_call_every_n_steps=1):
        if not isinstance(iterations_per_loop, str):
            _positive(iterations_per_loop, "TPUConfig iterations_per_loop")
        for value, name in ((num_shards, "num_shards"), (initial_infeed_sleep_secs, "initial_infeed_sleep_secs")):
            if value is not None:
                _positive(value, "TPUConfig " + name)
        if num_cores_per_replica is not None and num_cores_per_replica not in (1, 2, 4, 8, 16, 32, 64, 128):
            raise ValueError("num_cores_per_replica must be 1, 2, 4, 8, 16, 32, 64, 128; got %s" % num_cores_per_replica)
        if isinstance(per_host_input_for_training, bool):
            per_host_input_for_training = InputPipelineConfig.PER_HOST_V1 if per_host_input_for_training else InputPipelineConfig.PER_SHARD_V1
        return super().__new__(cls, iterations_per_loop, num_shards, num_cores_per_replica, per_host_input_for_training, tpu_job_name, initial_infeed_sleep_secs,
                               input_partition_dims, eval_training_input_configuration, experimental_host_call_every_n_steps)


def _positive(value, name):
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError("%s must be int." % name)
    if value <= 0:
        raise ValueError("%s must be positive." % name)


@export("contrib.tpu.RunConfig", "estimator.tpu.RunConfig")
class TPURunConfig(RunConfig):
    """A RunConfig with settings for TPUs."""

    def __init__(self, tpu_config=None, evaluation_master=None, master=None, cluster=None, **kwargs):
        super().__init__(**kwargs)
        if cluster is not None:
            raise NotImplementedError("Clusters of TPUs are not supported: leave `cluster` out")
        self._tpu_config = tpu_config or TPUConfig()
        self._master = master or ""
        self._evaluation_master = self._master if evaluation_master is None else evaluation_master

    tpu_config = property(lambda self: self._tpu_config)
    cluster = property(lambda self: None)
    master = property(lambda self: self._master)
    evaluation_master = property(lambda self: self._evaluation_master)

    def replace(self, **kwargs):
        tpu_config = kwargs.pop("tpu_config", self._tpu_config)
        copied = super().replace(**kwargs)
        copied._tpu_config = tpu_config
        return copied


@export("contrib.tpu.TPUEstimatorSpec", "estimator.tpu.TPUEstimatorSpec")
class TPUEstimatorSpec(collections.namedtuple("TPUEstimatorSpec", [
        "mode", "predictions", "loss", "train_op", "eval_metrics", "export_outputs", "scaffold_fn", "host_call", "training_hooks", "evaluation_hooks", "prediction_hooks"])):
    """The result of a model function for TPUs: metrics and the scaffold are functions called on the host."""

    __slots__ = ()

    def __new__(cls, mode, predictions=None, loss=None, train_op=None, eval_metrics=None, export_outputs=None, scaffold_fn=None, host_call=None, training_hooks=None,
                evaluation_hooks=None, prediction_hooks=None):
        for name, call in (("eval_metrics", eval_metrics), ("host_call", host_call)):
            if call is None:
                continue
            if not isinstance(call, (tuple, list)):
                raise ValueError("%s should be tuple or list" % name)
            if len(call) != 2:
                raise ValueError("%s should have two elements." % name)
            if not callable(call[0]):
                raise TypeError("%s[0] should be callable." % name)
            if not isinstance(call[1], (tuple, list, dict)):
                raise ValueError("%s[1] should be tuple or list, or dict." % name)
        every = [tuple(h or ()) for h in (training_hooks, evaluation_hooks, prediction_hooks)]
        for hook in sum(every, ()):
            if not isinstance(hook, session_hooks.SessionRunHook):
                raise TypeError("All hooks must be SessionRunHook instances, given: {}".format(hook))
        return super().__new__(cls, mode, predictions, loss, train_op, eval_metrics, export_outputs, scaffold_fn, host_call, *every)

    def as_estimator_spec(self):
        """The same as an EstimatorSpec, for a machine without TPUs."""
        metrics = _called(self.eval_metrics) if self.eval_metrics is not None else None
        more = (_HostCall(_called(self.host_call)),) if self.host_call is not None else ()
        return EstimatorSpec(self.mode, predictions=self.predictions, loss=self.loss, train_op=self.train_op, eval_metric_ops=metrics, export_outputs=self.export_outputs,
                             scaffold=self.scaffold_fn() if self.scaffold_fn else None, training_hooks=self.training_hooks + more,
                             evaluation_hooks=self.evaluation_hooks + more, prediction_hooks=self.prediction_hooks + more)


def _called(call):
    function, tensors = call
    return function(**tensors) if isinstance(tensors, dict) else function(*tensors)


class _HostCall(session_hooks.SessionRunHook):
    """Runs the host call with each step."""

    def __init__(self, tensors):
        self._tensors = tensors

    def before_run(self, run_context):
        return session_hooks.SessionRunArgs(self._tensors)


class _ExamplesPerSecond(session_hooks.StepCounterHook):
    def __init__(self, batch_size, every_n_steps, output_dir):
        super().__init__(every_n_steps=every_n_steps, output_dir=output_dir)
        self._batch_size = batch_size

    def _log_and_record(self, elapsed_steps, elapsed_time, global_step):
        super()._log_and_record(elapsed_steps, elapsed_time, global_step)
        rate = self._batch_size * elapsed_steps / elapsed_time if elapsed_time else float("inf")
        if self._writer is not None:
            summary = protos.Summary()
            summary.value.add(tag="examples/sec", simple_value=rate)
            self._writer.add_summary(summary, global_step)
        logging.info("examples/sec: %g", rate)


@export("contrib.tpu.TPUEstimator", "estimator.tpu.TPUEstimator")
class TPUEstimator(Estimator):
    """An Estimator whose functions find the batch size in params["batch_size"]."""

    def __init__(self, model_fn=None, model_dir=None, config=None, params=None, use_tpu=True, train_batch_size=None, eval_batch_size=None, predict_batch_size=None,
                 batch_axis=None, eval_on_tpu=True, export_to_tpu=True, export_to_cpu=True, warm_start_from=None, embedding_config_spec=None,
                 export_saved_model_api_version=None):
        if not isinstance(config, TPURunConfig):
            raise ValueError("`config` must be provided with type `tpu_config.RunConfig`")
        if params is not None and any(k in params for k in _RESERVED):
            raise ValueError("{} are reserved keys but existed in params {}.".format(list(_RESERVED), params))
        if use_tpu and train_batch_size is None:
            raise ValueError("`train_batch_size` cannot be `None`")
        settings.unused("TPUEstimator", "there are no TPUs: models run on this machine's devices and are exported for them", batch_axis=(batch_axis, None),
                        export_to_tpu=(export_to_tpu, True, False), export_to_cpu=(export_to_cpu, True), embedding_config_spec=(embedding_config_spec, None),
                        export_saved_model_api_version=(export_saved_model_api_version, None))
        self._batch_sizes = {ModeKeys.TRAIN: train_batch_size, ModeKeys.EVAL: eval_batch_size, ModeKeys.PREDICT: predict_batch_size}
        self._needs_tpu = {ModeKeys.TRAIN: use_tpu, ModeKeys.EVAL: use_tpu and eval_on_tpu, ModeKeys.PREDICT: use_tpu}
        self._told = {}  # added to the program's params while a model is built
        self._log_every = config.log_step_count_steps
        super().__init__(model_fn, model_dir, config.replace(log_step_count_steps=None), params or {}, warm_start_from)

    @property
    def params(self):
        params = copy.deepcopy(self._params)
        for key, value in self._told.items():
            if hasattr(params, "add_hparam"):
                params.add_hparam(key, value)
            else:
                params[key] = value
        return params

    def _call_input(self, input_fn, mode):
        if self._needs_tpu[mode]:
            raise RuntimeError("Cannot find any TPU cores in the system: a TPUEstimator runs here with use_tpu=False")
        size = self._batch_sizes[mode]
        if size is not None and "params" not in arguments(input_fn):
            raise ValueError("input_fn (%s) does not include params argument, required by TPUEstimator to pass batch size as params[\"batch_size\"]" % input_fn)
        logging.info("Running %s on CPU", mode)
        self._told = {} if size is None else {"batch_size": size}
        try:
            made = super()._call_input(input_fn, mode)
        except BaseException:
            self._told = {}
            raise
        self._told["use_tpu"] = False
        return made

    def _call_model(self, features, labels, mode, config):
        if "params" not in arguments(self._model_fn):
            raise ValueError("model_fn (%s) does not include params argument, required by TPUEstimator to pass batch size as params['batch_size']" % self._model_fn)
        size = self._told.get("batch_size")
        try:
            spec = super()._call_model(features, labels, mode, config)
        finally:
            self._told = {}
        if mode == ModeKeys.TRAIN and self._log_every is not None and size is not None:
            counter = _ExamplesPerSecond(size, self._log_every, self.model_dir)
            spec = spec._replace(training_hooks=tuple(spec.training_hooks) + (counter,))
        return spec

    def _make_step(self):
        with variable_scope(get_variable_scope(), use_resource=True):
            return super()._make_step()

    def _as_spec(self, spec):
        return spec.as_estimator_spec() if isinstance(spec, TPUEstimatorSpec) else spec
