"""Results of model functions and the settings of estimators."""

import collections
import copy

from .. import engine, ops, settings
from ..exports import export
from ..ops import Operation, Tensor
from ..sparse_tensor import SparseTensor
from ..tensor_shape import TensorShape
from ..training.scaffold import Scaffold
from .task import Task, model_dir_of


@export("estimator.ModeKeys", "contrib.learn.ModeKeys")
class ModeKeys:
    """The modes in which a model function is called."""

    TRAIN = "train"
    EVAL = "eval"
    PREDICT = "infer"
    INFER = "infer"


_FIELDS = ["mode", "predictions", "loss", "train_op", "eval_metric_ops", "export_outputs", "training_chief_hooks", "training_hooks", "scaffold",
           "evaluation_hooks", "prediction_hooks"]


def _of_keras(metric):
    """(value, update) of a metric of tf.keras that was called; its variables are set anew for each evaluation."""
    if not metric.updates:
        raise ValueError('Please call update_state(...) on the "%s" metric' % metric.name)
    for collection in ("local_variables", "metric_variables"):
        known = {id(v) for v in ops.get_collection(collection)}
        for v in metric.variables:
            if id(v) not in known:
                ops.add_to_collection(collection, v)
    return metric.result(), metric.updates[0]


@export("estimator.EstimatorSpec")
class EstimatorSpec(collections.namedtuple("EstimatorSpec", _FIELDS)):
    """The operations of a model for one mode. Errors name the missing ones."""

    def __new__(cls, mode, predictions=None, loss=None, train_op=None, eval_metric_ops=None, export_outputs=None, training_chief_hooks=None,
                training_hooks=None, scaffold=None, evaluation_hooks=None, prediction_hooks=None):
        if train_op is None:
            if mode == ModeKeys.TRAIN:
                raise ValueError("Missing train_op.")
        elif not isinstance(train_op, (Tensor, Operation)) and not hasattr(train_op, "op"):
            raise TypeError("train_op must be Operation or Tensor, given: {}".format(train_op))
        if loss is None:
            if mode in (ModeKeys.TRAIN, ModeKeys.EVAL):
                raise ValueError("Missing loss.")
        else:
            if not isinstance(loss, Tensor):
                raise TypeError("loss must be Tensor, given: {}".format(loss))
            shape = loss.get_shape()
            if shape.is_fully_defined() and shape.num_elements() != 1:
                raise ValueError("Loss must be scalar, given: {}".format(loss))
            if not shape.is_compatible_with(TensorShape([])):
                loss = engine.reshape(loss, [])
        if predictions is None:
            if mode == ModeKeys.PREDICT:
                raise ValueError("Missing predictions.")
            predictions = {}
        else:
            values = predictions if isinstance(predictions, dict) else {"": predictions}
            for key, value in values.items():
                if not isinstance(value, (Tensor, SparseTensor)):
                    raise TypeError("predictions[{}] must be Tensor, given: {}".format(key, value) if key else
                                    "predictions must be Tensor, given: {}".format(value))
        for key, value in (eval_metric_ops or {}).items():
            if hasattr(value, "update_state"):
                eval_metric_ops = dict(eval_metric_ops, **{key: _of_keras(value)})
            elif not isinstance(value, (tuple, list)) or len(value) != 2:
                raise TypeError("Values of eval_metric_ops must be (metric_value, update_op) tuples, given: {} for key: {}".format(value, key))
        if scaffold is not None and not hasattr(scaffold, "finalize"):
            raise TypeError("scaffold must be tf.train.Scaffold. Given: {}".format(scaffold))
        hooks = [tuple(h or ()) for h in (training_chief_hooks, training_hooks, evaluation_hooks, prediction_hooks)]
        for hook in sum(hooks, ()):
            if not hasattr(hook, "before_run"):
                raise TypeError("All hooks must be SessionRunHook instances, given: {}".format(hook))
        return super().__new__(cls, mode, predictions, loss, train_op, eval_metric_ops or {}, export_outputs, hooks[0], hooks[1],
                               scaffold or Scaffold(), hooks[2], hooks[3])


@export("estimator.RunConfig")
class RunConfig:
    """Where a model lives, how often it is saved and logged, and which task this process is (TF_CONFIG)."""

    _defaults = {"model_dir": None, "tf_random_seed": None, "save_summary_steps": 100, "save_checkpoints_steps": None, "save_checkpoints_secs": 600,
                 "session_config": None, "keep_checkpoint_max": 5, "keep_checkpoint_every_n_hours": 10000, "log_step_count_steps": 100,
                 "train_distribute": None, "device_fn": None, "protocol": None, "eval_distribute": None, "experimental_distribute": None,
                 "experimental_max_worker_delay_secs": None, "session_creation_timeout_secs": 7200}

    def __init__(self, model_dir=None, **values):
        unknown = [k for k in values if k not in self._defaults]
        if unknown:
            raise TypeError("__init__() got an unexpected keyword argument '%s'" % unknown[0])
        if "save_checkpoints_steps" in values and "save_checkpoints_secs" in values and None not in (values["save_checkpoints_steps"],
                                                                                                   values["save_checkpoints_secs"]):
            raise ValueError("`save_checkpoints_steps` and `save_checkpoints_secs` cannot be both set.")
        if values.get("save_checkpoints_steps") is not None:
            values.setdefault("save_checkpoints_secs", None)
        self._values = dict(self._defaults, model_dir=model_dir_of(model_dir), **values)
        self._checked()
        self._task = Task()
        if self._values["session_config"] is None:
            self._values["session_config"] = self._task.session_config()

    def _checked(self):
        for field in ("train_distribute", "eval_distribute"):
            strategy = self._values[field]
            if strategy is not None and not hasattr(strategy, "extended"):
                raise TypeError("RunConfig: %s must be a tf.distribute.Strategy, given: %r" % (field, strategy))
        settings.unused("RunConfig", "there is one replica, in this process", experimental_distribute=(self._values["experimental_distribute"], None),
                        protocol=(self._values["protocol"], None, "grpc"))
        for field, low in (("save_summary_steps", 0), ("keep_checkpoint_max", 0), ("keep_checkpoint_every_n_hours", None), ("log_step_count_steps", None)):
            value = self._values[field]
            if value is None:
                continue
            if low is not None and value < low:
                raise ValueError("%s should be >= 0" % field)
            if low is None and value <= 0:
                raise ValueError("%s should be > 0" % field)

    def __getattr__(self, name):
        if not name.startswith("_") and name in self._values:
            return self._values[name]
        raise AttributeError("'RunConfig' object has no attribute '%s'" % name)

    cluster_spec = property(lambda self: self._task.cluster_spec)
    task_type = property(lambda self: self._task.task_type)
    task_id = property(lambda self: self._task.task_id)
    is_chief = property(lambda self: self._task.is_chief)
    master = property(lambda self: self._task.master)
    evaluation_master = property(lambda self: self._task.evaluation_master)
    num_worker_replicas = property(lambda self: self._task.num_worker_replicas)
    num_ps_replicas = property(lambda self: self._task.num_ps_replicas)
    global_id_in_cluster = property(lambda self: self._task.global_id_in_cluster)
    service = property(lambda self: self._task.service)

    def replace(self, **kwargs):
        """A copy with other values."""
        copied = copy.copy(self)
        values = dict(self._values)
        for key in kwargs:
            if key not in values:
                raise ValueError("Replacing {} is not supported. Allowed properties are {}.".format(key, sorted(values)))
        if kwargs.get("save_checkpoints_steps") is not None and "save_checkpoints_secs" not in kwargs:
            values["save_checkpoints_secs"] = None
        if kwargs.get("save_checkpoints_secs") is not None and "save_checkpoints_steps" not in kwargs:
            values["save_checkpoints_steps"] = None
        values.update(kwargs)
        copied._values = values
        copied._checked()
        return copied


@export("estimator.WarmStartSettings")
class WarmStartSettings(collections.namedtuple("WarmStartSettings", ["ckpt_to_initialize_from", "vars_to_warm_start", "var_name_to_vocab_info",
                                                                     "var_name_to_prev_var_name"])):
    """The checkpoint and the variables that a model starts from."""

    def __new__(cls, ckpt_to_initialize_from, vars_to_warm_start=".*", var_name_to_vocab_info=None, var_name_to_prev_var_name=None):
        if not ckpt_to_initialize_from:
            raise ValueError("`ckpt_to_initialize_from` MUST be set in WarmStartSettings")
        return super().__new__(cls, ckpt_to_initialize_from, vars_to_warm_start, var_name_to_vocab_info or {}, var_name_to_prev_var_name or {})


@export("estimator.TrainSpec")
class TrainSpec(collections.namedtuple("TrainSpec", ["input_fn", "max_steps", "hooks"])):
    """The training settings of train_and_evaluate()."""

    def __new__(cls, input_fn, max_steps=None, hooks=None):
        if not callable(input_fn):
            raise TypeError("`input_fn` must be callable.")
        if max_steps is not None and max_steps <= 0:
            raise ValueError("Must specify max_steps > 0, given: {}".format(max_steps))
        return super().__new__(cls, input_fn, max_steps, tuple(hooks or ()))


@export("estimator.EvalSpec")
class EvalSpec(collections.namedtuple("EvalSpec", ["input_fn", "steps", "name", "hooks", "exporters", "start_delay_secs", "throttle_secs"])):
    """The evaluation settings of train_and_evaluate()."""

    def __new__(cls, input_fn, steps=100, name=None, hooks=None, exporters=None, start_delay_secs=120, throttle_secs=600):
        if not callable(input_fn):
            raise TypeError("`input_fn` must be callable.")
        if steps is not None and steps <= 0:
            raise ValueError("Must specify steps > 0, given: {}".format(steps))
        exporters = [] if exporters is None else exporters if isinstance(exporters, (list, tuple)) else [exporters]
        return super().__new__(cls, input_fn, steps, name, tuple(hooks or ()), tuple(exporters), start_delay_secs, throttle_secs)
