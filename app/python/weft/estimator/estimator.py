"""tf.estimator.Estimator."""

import copy
import os
import tempfile
import time

from .. import engine, ops
from ..build_facts import path_to_str
from ..control_flow import group
from ..errors import NotFoundError
from ..exports import export
from ..ops import Graph
from ..platform import gfile
from ..platform import tf_logging as logging
from ..protos import ConfigProto
from ..public_names import as_str_any
from ..saved.saved_model import SavedModelBuilder
from ..session import Session
from ..summaries import ops as summary
from ..training import checkpoints, evaluation, hooks, monitored_session
from ..training import global_step as step_counter
from ..training.checkpoint_hooks import CheckpointSaverListener
from ..training.checkpoint_reader import CheckpointReader
from ..training.cluster import replica_device_setter
from ..training.saver import Saver
from ..training.scaffold import Scaffold
from . import calls, export_outputs, metric_summaries, replicated
from .spec import EstimatorSpec, ModeKeys, RunConfig, WarmStartSettings


def _checked_hooks(given):
    given = list(given or ())
    for hook in given:
        if not isinstance(hook, hooks.SessionRunHook):
            raise TypeError("Hooks must be a SessionRunHook, given: {}".format(hook))
    return given


def _replica_device_setter(config):
    """The device function of a task that trains with parameter servers."""
    if config.num_ps_replicas == 0:
        return None
    return replica_device_setter(ps_tasks=config.num_ps_replicas, worker_device="/job:%s/task:%d" % (config.task_type, config.task_id),
                                 cluster=config.cluster_spec)


@export("estimator.Estimator", "contrib.learn.Estimator")
class Estimator:
    """Trains, evaluates and applies the model that a function builds. Each call builds a new graph and starts from the newest checkpoint."""

    def __init__(self, model_fn, model_dir=None, config=None, params=None, warm_start_from=None):
        if model_fn is None:
            raise ValueError("model_fn must be provided to Estimator.")
        calls.check_model_fn(model_fn, params)
        config = RunConfig() if config is None else config
        if not isinstance(config, RunConfig):
            raise ValueError("config must be an instance of `RunConfig`, but provided %s." % config)
        model_dir = as_str_any(os.fspath(model_dir)) if model_dir else config.model_dir
        if model_dir is not None and config.model_dir is not None and model_dir != config.model_dir:
            raise ValueError("`model_dir` are set both in constructor and `RunConfig`, but with different values. In constructor: '{}', in `RunConfig`: '{}' "
                             .format(model_dir, config.model_dir))
        if model_dir is None:
            model_dir = tempfile.mkdtemp()
            logging.warning("Using temporary folder as model directory: %s", model_dir)
        session_config = config.session_config
        if session_config is None:
            session_config = ConfigProto(allow_soft_placement=True)
            session_config.graph_options.rewrite_options.meta_optimizer_iterations = 1
        self._config = config.replace(model_dir=model_dir, session_config=session_config)
        logging.info("Using config: %s", self._config._values)
        self._model_fn, self._params, self._model_dir = model_fn, copy.deepcopy(params or {}), model_dir
        self._warm_from(warm_start_from)

    def _warm_from(self, settings):
        """Sets where a first training takes its variables from: settings, or the path of a checkpoint."""
        self._warm_start = WarmStartSettings(ckpt_to_initialize_from=settings) if isinstance(settings, str) else settings

    model_dir = property(lambda self: self._model_dir)
    config = property(lambda self: copy.copy(self._config))
    params = property(lambda self: copy.deepcopy(self._params))

    @property
    def model_fn(self):
        """The model function, called as (features, labels, mode, config)."""
        return lambda features, labels, mode, config: self._call_model(features, labels, mode, config)

    def get_variable_names(self):
        self._require_checkpoint()
        return sorted(CheckpointReader(self.latest_checkpoint()).get_variable_to_shape_map())

    def get_variable_value(self, name):
        self._require_checkpoint()
        return CheckpointReader(self.latest_checkpoint()).get_tensor(name)

    def latest_checkpoint(self):
        return checkpoints.latest_checkpoint(self._model_dir)

    def _require_checkpoint(self):
        if self.latest_checkpoint() is None:
            raise ValueError("Could not find trained model in model_dir: {}.".format(self._model_dir))

    # Shared by all calls.

    def _made_input(self, input_fn, mode, input_context=None):
        """What the input function returns."""
        names = calls.arguments(input_fn)
        given = {}
        if "mode" in names:
            given["mode"] = mode
        if "params" in names:
            given["params"] = self.params
        if "config" in names:
            given["config"] = self.config
        if "input_context" in names and input_context is not None:
            given["input_context"] = input_context
        with ops.device("/cpu:0"):
            return input_fn(**given)

    def _call_input(self, input_fn, mode):
        """(features, labels, hooks that the input needs)"""
        made = self._made_input(input_fn, mode)
        with ops.device("/cpu:0"):
            return calls.parse_input(made)

    def _call_model(self, features, labels, mode, config):
        names = calls.arguments(self._model_fn)
        given = {}
        if "labels" in names:
            given["labels"] = labels
        elif labels is not None:
            raise ValueError("model_fn does not take labels, but input_fn returns labels.")
        if "mode" in names:
            given["mode"] = mode
        if "params" in names:
            given["params"] = self.params
        if "config" in names:
            given["config"] = config
        logging.info("Calling model_fn.")
        spec = self._model_fn(features=features, **given)
        logging.info("Done calling model_fn.")
        spec = self._as_spec(spec)
        if not isinstance(spec, EstimatorSpec):
            raise ValueError("model_fn should return an EstimatorSpec.")
        return spec

    def _make_step(self):
        return step_counter.create_global_step()

    def _as_spec(self, spec):
        """Hook for estimators whose model functions return something else."""
        return spec

    # Training.

    def train(self, input_fn, hooks=None, steps=None, max_steps=None, saving_listeners=None):
        """Trains for `steps` more steps, up to `max_steps`, or until the data end; returns self."""
        if self._config.task_type in ("evaluator", "ps"):
            raise ValueError("Train has been called wrong configuration. Please use tf.estimator.train_and_evaluate which calls proper API according to given "
                             "configuration. Current configuration: {}.".format(self._config))
        if steps is not None and max_steps is not None:
            raise ValueError("Can not provide both steps and max_steps.")
        for name, value in (("steps", steps), ("max_steps", max_steps)):
            if value is not None and value <= 0:
                raise ValueError("Must specify {} > 0, given: {}".format(name, value))
        if max_steps is not None and max_steps <= self._saved_step():
            logging.info("Skipping training since max_steps has already saved.")
            return self
        all_hooks = _checked_hooks(hooks)
        if steps is not None or max_steps is not None:
            all_hooks.append(_hooks().StopAtStepHook(steps, max_steps))
        listeners = list(saving_listeners or ())
        for listener in listeners:
            if not isinstance(listener, CheckpointSaverListener):
                raise TypeError("saving_listeners must be a list of CheckpointSaverListener, given: {}".format(listener))
        if self._config.train_distribute:
            loss = replicated.train(self, self._config.train_distribute, input_fn, all_hooks, listeners)
        else:
            loss = self._train(input_fn, all_hooks, listeners)
        logging.info("Loss for final step: %s.", loss)
        return self

    def _saved_step(self):
        path = self.latest_checkpoint()
        if path is None:
            return 0
        reader = CheckpointReader(path)
        return int(reader.get_tensor("global_step")) if reader.has_tensor("global_step") else 0

    def _train(self, input_fn, given_hooks, listeners):
        config = self._config
        with Graph().as_default() as graph, graph.device(config.device_fn or _replica_device_setter(config)):
            ops.set_random_seed(config.tf_random_seed)
            self._make_step()
            step_counter.read_step(graph)
            features, labels, input_hooks = self._call_input(input_fn, ModeKeys.TRAIN)
            spec = self._call_model(features, labels, ModeKeys.TRAIN, self.config)
            return self._run_training(spec, input_hooks, given_hooks, listeners)

    def _run_training(self, spec, input_hooks, given_hooks, listeners):
        """Trains with a model of the default graph; returns the last loss."""
        config = self._config
        step = step_counter.get_global_step()
        if self._warm_start:
            self._warm(self._warm_start)
        if not any(x.op.name == "loss" for x in ops.get_collection("summaries")):
            summary.scalar("loss", spec.loss)
        ops.add_to_collection("losses", spec.loss)
        h = _hooks()
        all_hooks = input_hooks + given_hooks + [h.NanTensorHook(spec.loss)]
        if config.log_step_count_steps is not None:
            all_hooks.append(h.LoggingTensorHook({"loss": spec.loss, "step": step}, every_n_iter=config.log_step_count_steps))
        all_hooks += list(spec.training_hooks)
        chief = self._saving_hooks(spec, all_hooks, listeners) + list(spec.training_chief_hooks)
        summary_steps, count_steps = config.save_summary_steps, config.log_step_count_steps
        if config.cluster_spec and {"worker", "master"} <= set(config.cluster_spec.jobs):  # the first worker writes, because the master also evaluates
            if config.task_type == "worker" and config.task_id == 0:
                if summary_steps:
                    all_hooks.append(h.SummarySaverHook(scaffold=spec.scaffold, save_steps=summary_steps, output_dir=self._model_dir))
                if count_steps:
                    all_hooks.append(h.StepCounterHook(every_n_steps=count_steps, output_dir=self._model_dir))
            summary_steps, count_steps = 0, None
        loss = None
        with monitored_session.MonitoredTrainingSession(
                master=config.master, is_chief=config.is_chief, checkpoint_dir=self._model_dir, scaffold=spec.scaffold, hooks=all_hooks,
                chief_only_hooks=chief, save_checkpoint_secs=0, save_summaries_steps=summary_steps, config=config.session_config,
                log_step_count_steps=count_steps, max_wait_secs=config.session_creation_timeout_secs) as session:
            while not session.should_stop():
                _, loss = session.run([spec.train_op, spec.loss])
        if loss is None:
            logging.warning("Training with estimator made no steps. Perhaps input is empty or misspecified.")
        return loss

    def _saving_hooks(self, spec, all_hooks, listeners):
        """The hook that saves checkpoints, unless there is one already; the first such hook gets the listeners. Creates a saver if needed."""
        config, h = self._config, _hooks()
        if not (spec.scaffold.saver or ops.get_collection("savers")):
            ops.add_to_collection("savers", Saver(sharded=True, max_to_keep=config.keep_checkpoint_max, defer_build=True,
                                                  keep_checkpoint_every_n_hours=config.keep_checkpoint_every_n_hours, save_relative_paths=True))
        saving = [x for x in all_hooks + list(spec.training_chief_hooks) if isinstance(x, h.CheckpointSaverHook)]
        own = []
        if (config.save_checkpoints_secs or config.save_checkpoints_steps) and not saving:
            own = saving = [h.CheckpointSaverHook(self._model_dir, save_secs=config.save_checkpoints_secs, save_steps=config.save_checkpoints_steps,
                                                  scaffold=spec.scaffold)]
        if listeners and not saving:
            raise ValueError("There should be a CheckpointSaverHook to use saving_listeners. Please set one of the RunConfig.save_checkpoints_steps or "
                             "RunConfig.save_checkpoints_secs.")
        for listener in listeners:
            if listener not in saving[0]._listeners:
                saving[0]._listeners.append(listener)
        return own

    def _warm(self, settings):
        from ..training.warm_start import warm_start

        warm_start(*settings)

    # Evaluation.

    def eval_dir(self, name=None):
        """The folder of the evaluations' summaries."""
        return os.path.join(self.model_dir, "eval" if not name else "eval_" + name)

    def evaluate(self, input_fn, steps=None, hooks=None, checkpoint_path=None, name=None):
        """The metrics of a checkpoint over `steps` batches or all data, as a dict with `loss` and `global_step`."""
        all_hooks = _checked_hooks(hooks)
        if steps is not None:
            if steps <= 0:
                raise ValueError("Must specify steps > 0, given: {}".format(steps))
            all_hooks.append(evaluation.StopAfterNEvalsHook(steps))
        path = checkpoint_path or self.latest_checkpoint()
        if not path:
            logging.info("Could not find trained model in model_dir: {}, running initialization to evaluate.".format(self._model_dir))
        with Graph().as_default() as graph:
            ops.set_random_seed(self._config.tf_random_seed)
            if self._config.eval_distribute:
                updates, values, input_hooks, spec = replicated.evaluation(self, self._config.eval_distribute, input_fn)
            else:
                self._make_step()
                features, labels, input_hooks = self._call_input(input_fn, ModeKeys.EVAL)
                spec = self._call_model(features, labels, ModeKeys.EVAL, self.config)
                updates, values = _metrics(spec)
            if self._warm_start and not path:
                self._warm(self._warm_start)
            if "global_step" in values:
                raise ValueError("Metric with name `global_step` is not allowed, because Estimator already defines a default metric with the same name.")
            values["global_step"] = step_counter.get_global_step(graph)
            scaffold = spec.scaffold
            if scaffold.local_init_op is not None:
                evaluation.get_or_create_eval_step()  # created now, so that it is initialised as well
                scaffold = Scaffold(local_init_op=group(scaffold.local_init_op, Scaffold.default_local_init_op()), copy_from_scaffold=scaffold)
            results = evaluation.evaluate_once(path, master=self._config.evaluation_master, scaffold=scaffold, eval_ops=updates, final_ops=values,
                                               hooks=input_hooks + all_hooks + list(spec.evaluation_hooks), config=self._config.session_config)
            metric_summaries.write_metrics(self.eval_dir(name), results, results["global_step"])
            if path:
                metric_summaries.write_checkpoint_path(self.eval_dir(name), path, results["global_step"])
            return results

    # Prediction.

    def predict(self, input_fn, predict_keys=None, hooks=None, checkpoint_path=None, yield_single_examples=True):
        """Predictions, one example after another or batch by batch."""
        hooks = _checked_hooks(hooks)
        path = checkpoint_path or self.latest_checkpoint()
        if not path:
            logging.info("Could not find trained model in model_dir: {}, running initialization to predict.".format(self._model_dir))
        with Graph().as_default() as graph:
            ops.set_random_seed(self._config.tf_random_seed)
            self._make_step()
            features, _, input_hooks = self._call_input(input_fn, ModeKeys.PREDICT)
            if not input_hooks and not ops.get_collection("queue_runners") and not _reads_iterator(graph):
                logging.warning("Input graph does not use tf.data.Dataset or contain a QueueRunner. That means predict yields forever. This is probably a mistake.")
            spec = self._call_model(features, None, ModeKeys.PREDICT, self.config)
            if self._warm_start and not path:
                self._warm(self._warm_start)
            predictions = spec.predictions
            if predict_keys:
                if not isinstance(predictions, dict):
                    raise ValueError("predict_keys argument is not valid in case of non-dict predictions.")
                keys = [predict_keys] if isinstance(predict_keys, str) else predict_keys
                existing = list(predictions)
                predictions = {k: v for k, v in predictions.items() if k in keys}
                if not predictions:
                    raise ValueError("Expected to run at least one output from %s, provided %s." % (existing, predict_keys))
            creator = monitored_session.ChiefSessionCreator(scaffold=spec.scaffold, checkpoint_filename_with_path=path, master=self._config.master,
                                                            config=self._config.session_config)
            with monitored_session.MonitoredSession(session_creator=creator, hooks=input_hooks + hooks + list(spec.prediction_hooks)) as session:
                while not session.should_stop():
                    batch = session.run(predictions)
                    if not yield_single_examples:
                        yield batch
                    elif not isinstance(predictions, dict):
                        for row in batch:
                            yield row
                    else:
                        for i in range(_length(batch)):
                            yield {key: value[i] for key, value in batch.items()}

    # Export.

    def export_saved_model(self, export_dir_base, serving_input_receiver_fn, assets_extra=None, as_text=False, checkpoint_path=None,
                           experimental_mode=ModeKeys.PREDICT):
        """Writes a SavedModel into a timestamped subfolder; returns its path as bytes."""
        return self._export_one(export_dir_base, serving_input_receiver_fn, assets_extra, as_text, checkpoint_path, experimental_mode, True)

    def export_savedmodel(self, export_dir_base, serving_input_receiver_fn, assets_extra=None, as_text=False, checkpoint_path=None,
                          strip_default_attrs=False):
        """The old name of export_saved_model()."""
        return self._export_one(export_dir_base, serving_input_receiver_fn, assets_extra, as_text, checkpoint_path, ModeKeys.PREDICT, strip_default_attrs)

    def experimental_export_all_saved_models(self, export_dir_base, input_receiver_fn_map, assets_extra=None, as_text=False, checkpoint_path=None):
        """As export_saved_model(), with a graph for each mode of `input_receiver_fn_map`."""
        return self._export(export_dir_base, input_receiver_fn_map, assets_extra, as_text, checkpoint_path, True)

    def _export_one(self, base, receiver, assets_extra, as_text, checkpoint_path, mode, strip_default_attrs):
        if not receiver:
            raise ValueError("An input_receiver_fn must be defined.")
        return self._export(base, {mode: receiver}, assets_extra, as_text, checkpoint_path, strip_default_attrs)

    def _checkpoint_to_export(self):
        path = self.latest_checkpoint()
        if not path and self._warm_start:
            path = self._warm_start.ckpt_to_initialize_from
            if gfile.IsDirectory(path):
                path = checkpoints.latest_checkpoint(path)
        if not path:
            raise ValueError("Couldn't find trained model at {}.".format(self._model_dir))
        return path

    def _export(self, export_dir_base, receivers, assets_extra, as_text, checkpoint_path, strip_default_attrs):
        path = checkpoint_path or self._checkpoint_to_export()
        folder = _dated(as_str_any(path_to_str(export_dir_base)))
        temporary = os.path.join(os.path.dirname(folder), "temp-" + os.path.basename(folder))
        builder = SavedModelBuilder(temporary)
        modes = [m for m in (ModeKeys.TRAIN, ModeKeys.EVAL, ModeKeys.PREDICT) if receivers.get(m)]  # training first: its variables match the checkpoint
        for mode in modes:
            self._export_mode(builder, receivers[mode], path, mode, mode == modes[0], strip_default_attrs)
        if not modes:
            raise ValueError("No valid modes for exporting found. Got {}.".format(receivers.keys()))
        builder.save(as_text)
        for target, source in (assets_extra or {}).items():
            place = os.path.join(temporary, "assets.extra", as_str_any(target))
            gfile.MakeDirs(os.path.dirname(place))
            gfile.Copy(source, place)
        gfile.Rename(temporary, folder)
        return folder.encode()

    def _export_mode(self, builder, receiver_fn, path, mode, with_variables, strip_default_attrs):
        with Graph().as_default() as graph:
            self._make_step()
            ops.set_random_seed(self._config.tf_random_seed)
            receiver = receiver_fn()
            spec = self._call_model(receiver.features, getattr(receiver, "labels", None), mode, self.config)
            signatures = export_outputs.signature_defs(receiver.receiver_tensors, export_outputs.outputs_for(spec),
                                                       getattr(receiver, "receiver_tensors_alternatives", None), mode == ModeKeys.PREDICT)
            with Session(config=self._config.session_config) as session:
                init = spec.scaffold.local_init_op
                if init is None:
                    init = Scaffold.default_local_init_op()
                saver = spec.scaffold.saver or Saver(sharded=True)
                try:
                    saver.restore(session, path)
                except NotFoundError as e:
                    raise ValueError("Could not load all requested variables from checkpoint. Please make sure your model_fn does not expect variables that were not saved "
                                     "in the checkpoint.\n\nEncountered error with mode `{}` while restoring checkpoint from: `{}`. Full Traceback:\n\n{}"
                                     .format(mode, path, e))
                builder._add_train_op(spec.train_op)
                given = dict(tags=_TAGS[mode], signature_def_map=signatures, assets_collection=graph.get_collection("asset_filepaths"), main_op=init,
                             saver=saver, strip_default_attrs=strip_default_attrs)
                if with_variables:
                    builder.add_meta_graph_and_variables(session, **given)
                else:
                    builder.add_meta_graph(**given)


_TAGS = {ModeKeys.PREDICT: ["serve"], ModeKeys.TRAIN: ["train"], ModeKeys.EVAL: ["eval"]}


def _metrics(spec):
    """(an operation that updates all metrics, their values by name): those of the model, and the mean loss."""
    metrics = spec.eval_metric_ops
    if "loss" in metrics:
        raise ValueError('Metric with name "%s" is not allowed, because Estimator already defines a default metric with the same name.' % "loss")
    metrics["loss"] = engine.metrics.mean(spec.loss)
    ordered = sorted(metrics.items())  # the same graph each time
    return group(*[update for _, (_, update) in ordered]), {key: value for key, (value, _) in ordered}


def _reads_iterator(graph):
    return any(op.type in ("IteratorGetNext", "IteratorFromStringHandleV2", "OneShotIterator", "IteratorV2") for op in graph.get_operations())


def _hooks():
    return hooks


def _length(batch):
    lengths = {key: value.shape[0] for key, value in batch.items()}
    if len(set(lengths.values())) > 1:
        raise ValueError("Batch length of predictions should be same. %s has different batch length than others." % sorted(lengths)[0])
    return next(iter(lengths.values()))


def _dated(base):
    stamp = int(time.time())
    while gfile.Exists(os.path.join(base, str(stamp))):
        stamp += 1
    gfile.MakeDirs(base)
    return os.path.join(base, str(stamp))
