"""train_and_evaluate: training that stops for an evaluation after checkpoints."""

import os
import time

from ..exports import export
from ..platform import tf_logging as logging
from ..protos import ConfigProto
from ..training import hooks
from ..training.cluster import Server
from .estimator import Estimator
from .spec import EvalSpec, TrainSpec

_DELAY_SECS_PER_WORKER, _MOST_DELAY_SECS = 5, 60


@export("estimator.train_and_evaluate")
def train_and_evaluate(estimator, train_spec, eval_spec):
    """Trains up to max_steps and evaluates after checkpoints, at least at the end. Returns (metrics, export results)."""
    for name, value, kind in (("eval_spec", eval_spec, EvalSpec), ("estimator", estimator, Estimator), ("train_spec", train_spec, TrainSpec)):
        if not isinstance(value, kind):
            raise TypeError("`{}` must have type `tf.estimator.{}`. Got: {}".format(name, kind.__name__, type(value)))
    config = estimator.config
    if config.task_type == "evaluator" and config.task_id > 0:
        raise ValueError("For distributed training, there can only be one `evaluator` task (with task id 0).  Given task id {}".format(config.task_id))
    if config.cluster_spec or config.task_type == "evaluator":
        return _run_task(estimator, train_spec, eval_spec)
    logging.info("Running training and evaluation locally (non-distributed).")
    logging.info("Start train and evaluate loop. The evaluate will happen after every checkpoint. Checkpoint frequency is determined based on RunConfig arguments: "
                 "save_checkpoints_steps {} or save_checkpoints_secs {}.".format(config.save_checkpoints_steps, config.save_checkpoints_secs))
    listener = _EvaluateCheckpoints(_Evaluator(estimator, eval_spec, train_spec.max_steps), eval_spec.throttle_secs)
    estimator.train(train_spec.input_fn, hooks=list(train_spec.hooks), max_steps=train_spec.max_steps, saving_listeners=[listener])
    return listener.metrics, listener.exported


def _run_task(estimator, train_spec, eval_spec):
    """This process's part of a training on a cluster."""
    task = estimator.config.task_type
    if task == "local":
        raise ValueError("`task.type` in TF_CONFIG cannot be `local`. Leaving `cluster` and `task` properties in TF_CONFIG absent triggers train and evaluate "
                         "`Estimator` locally (non-distributed).")
    if task == "ps":
        _start_server(estimator.config).join()
    elif task == "evaluator":
        _evaluate_until_trained(estimator, train_spec, eval_spec)
    elif task in ("chief", "worker"):
        _train_in_cluster(estimator, train_spec, [])
    elif task == "master":
        _train_in_cluster(estimator, train_spec, [_EvaluateCheckpoints(_Evaluator(estimator, eval_spec, train_spec.max_steps), eval_spec.throttle_secs)])
    else:
        raise ValueError("Task type {} is not supported. Supported task types are {}".format(task, ["chief", "evaluator", "master", "ps", "worker"]))


def _start_server(config):
    """The server of this task; None if it is the only one."""
    jobs = config.cluster_spec.jobs
    if not config.master:
        if len(jobs) == 1 and config.cluster_spec.num_tasks(jobs[0]) == 1 and config.task_type in ("chief", "master", "worker"):
            logging.info("Skip starting Tensorflow server as there is only one node in the cluster.")
            return None
        raise RuntimeError("Could not start server; be sure to specify master in RunConfig or set the TF_CONFIG environment variable.")
    logging.info("Start Tensorflow server.")
    options = ConfigProto(log_device_placement=False, gpu_options=config.session_config.gpu_options if config.session_config is not None else None)
    return Server(config.cluster_spec, job_name=config.task_type, task_index=config.task_id, config=options, protocol=config.protocol)


def _train_in_cluster(estimator, train_spec, listeners):
    """Trains; workers start one after another, each some seconds later than the chief."""
    config = estimator.config
    _start_server(config)
    most = config.experimental_max_worker_delay_secs
    delay = min(_MOST_DELAY_SECS if most is None else most, (config.task_id + 1) * _DELAY_SECS_PER_WORKER) if config.task_type == "worker" else 0
    if delay > 0:
        logging.info("Waiting %d secs before starting training.", delay)
        time.sleep(delay)
    estimator.train(train_spec.input_fn, hooks=list(train_spec.hooks), max_steps=train_spec.max_steps, saving_listeners=listeners)


class _Evaluator:
    """Evaluates the newest checkpoint, once each, and calls the exporters."""

    def __init__(self, estimator, spec, max_steps):
        self._estimator, self._spec, self._max_steps, self._previous = estimator, spec, max_steps, None

    def run(self):
        """(metrics, export results), or None if there is no new checkpoint."""
        spec, path = self._spec, self._estimator.latest_checkpoint()
        if not path:
            logging.warning("Estimator is not trained yet. Will start an evaluation when a checkpoint is ready.")
            return None
        if path == self._previous:
            logging.warning("No new checkpoint ready for evaluation. Skip the current evaluation pass as evaluation results are expected to be same for the same "
                            "checkpoint.")
            return None
        metrics = self._estimator.evaluate(spec.input_fn, steps=spec.steps, name=spec.name, checkpoint_path=path, hooks=spec.hooks)
        last = metrics["global_step"] >= self._max_steps if self._max_steps else False
        exported = [e.export(estimator=self._estimator, export_path=os.path.join(self._estimator.model_dir, "export", e.name), checkpoint_path=path,
                             eval_result=metrics, is_the_final_export=last) for e in spec.exporters]
        self._previous = path
        return metrics, exported


class _EvaluateCheckpoints(hooks.CheckpointSaverListener):
    """Evaluates each saved checkpoint except the one before the first step, at most once per throttle interval."""

    def __init__(self, evaluator, throttle_secs):
        self._evaluator, self._throttle = evaluator, throttle_secs
        self.metrics = self.exported = None

    def begin(self):
        self._timer = hooks.SecondOrStepTimer(every_secs=self._throttle)
        self._is_first = True

    def after_save(self, session, global_step_value):
        if self._is_first:
            self._is_first = False
        elif self._timer.should_trigger_for_step(global_step_value):
            self._evaluate(global_step_value)
        else:
            logging.info("Skip the current checkpoint eval due to throttle secs ({} secs).".format(self._throttle))

    def end(self, session, global_step_value):
        if global_step_value != self._timer.last_triggered_step():
            self._evaluate(global_step_value)

    def _evaluate(self, step):
        self._timer.update_last_triggered_step(step)
        found = self._evaluator.run()
        if found is None:
            raise RuntimeError("There was no new checkpoint after the training.")
        self.metrics, self.exported = found


def _evaluate_until_trained(estimator, train_spec, eval_spec):
    """The task "evaluator": evaluates the checkpoints that other tasks write until one has max_steps."""
    if eval_spec.start_delay_secs:
        logging.info("Waiting %f secs before starting eval.", eval_spec.start_delay_secs)
        time.sleep(eval_spec.start_delay_secs)
    evaluator = _Evaluator(estimator, eval_spec, train_spec.max_steps)
    while True:
        start = time.time()
        found = evaluator.run()
        if found and train_spec.max_steps and found[0]["global_step"] >= train_spec.max_steps:
            logging.info("Exiting evaluation, global_step=%s >= train max_steps=%s", found[0]["global_step"], train_spec.max_steps)
            return
        time.sleep(max(eval_spec.throttle_secs - (time.time() - start), 0.1))
