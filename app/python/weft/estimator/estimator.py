"""tf.estimator.Estimator."""

import copy
import inspect
import os
import tempfile
import time

import numpy as np
import tensorflow as tf

from .. import protos
from ..exports import export
from ..platform import gfile
from ..platform import tf_logging as logging
from ..saved.saved_model import SavedModelBuilder
from ..summaries.writer import FileWriterCache
from ..training import checkpoints, hooks, monitored_session
from ..training import global_step as steps
from ..training.checkpoint_reader import CheckpointReader
from ..training.saver import Saver
from ..training.scaffold import Scaffold
from ..util import nest
from .spec import EstimatorSpec, ModeKeys, PredictOutput, RunConfig, WarmStartSettings


def _arguments(function):
    target = function.func if hasattr(function, "func") else function
    try:
        names = list(inspect.signature(target).parameters)
    except (TypeError, ValueError):
        return ()
    return tuple(n for n in names if n != "self")


class _StopAfter(hooks.SessionRunHook):
    """Stops an evaluation after so many steps, which it counts itself."""

    def __init__(self, most):
        self._most, self.count = most, 0

    def after_run(self, run_context, run_values):
        self.count += 1
        if self._most is not None and self.count >= self._most:
            run_context.request_stop()


@export("estimator.Estimator", "contrib.learn.Estimator")
class Estimator:
    """Trains, evaluates and uses the model that a function builds; each call has a graph of its own and goes on from the newest checkpoint."""

    def __init__(self, model_fn, model_dir=None, config=None, params=None, warm_start_from=None):
        if model_fn is None:
            raise ValueError("model_fn must be provided to Estimator.")
        names = _arguments(model_fn)
        if "features" not in names:
            raise ValueError("model_fn (%s) must include features argument." % model_fn)
        if params is not None and "params" not in names:
            raise ValueError("model_fn (%s) does not include params argument, but params (%s) is passed to Estimator." % (model_fn, params))
        config = RunConfig() if config is None else config
        model_dir = os.fspath(model_dir) if model_dir is not None else config.model_dir
        if model_dir is not None and config.model_dir is not None and model_dir != config.model_dir:
            raise ValueError("`model_dir` are set both in constructor and `RunConfig`, but with different values. In constructor: '{}', in `RunConfig`: '{}' "
                             .format(model_dir, config.model_dir))
        if model_dir is None:
            model_dir = tempfile.mkdtemp()
            logging.warning("Using temporary folder as model directory: %s", model_dir)
        session_config = config.session_config
        if session_config is None:
            session_config = tf.ConfigProto(allow_soft_placement=True)
            session_config.graph_options.rewrite_options.meta_optimizer_iterations = 1
        self._config = config.replace(model_dir=model_dir, session_config=session_config)
        logging.info("Using config: %s", self._config._values)
        self._model_fn, self._params, self._model_dir = model_fn, copy.deepcopy(params or {}), model_dir
        if isinstance(warm_start_from, str):
            warm_start_from = WarmStartSettings(ckpt_to_initialize_from=warm_start_from)
        self._warm_start = warm_start_from

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
            raise ValueError("Couldn't find trained model at %s." % self._model_dir)

    # What all calls share.

    def _call_input(self, input_fn, mode):
        names = _arguments(input_fn)
        given = {}
        if "mode" in names:
            given["mode"] = mode
        if "params" in names:
            given["params"] = self.params
        if "config" in names:
            given["config"] = self.config
        with tf.device("/cpu:0"):
            made = input_fn(**given)
            if hasattr(made, "make_initializable_iterator") or type(made).__name__.endswith("Dataset"):
                iterator = tf.data.make_initializable_iterator(made)
                tf.add_to_collection("table_initializer", iterator.initializer)
                made = iterator.get_next()
        if isinstance(made, (list, tuple)) and not nest.is_namedtuple(made):
            if len(made) != 2:
                raise ValueError("input_fn should return (features, labels) as a len 2 tuple.")
            return made[0], made[1]
        return made, None

    def _call_model(self, features, labels, mode, config):
        names = _arguments(self._model_fn)
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
        return steps.create_global_step()

    def _as_spec(self, spec):
        """For estimators whose model functions give back something else."""
        return spec

    def _graph(self):
        graph = tf.Graph()
        return graph

    # Training.

    def train(self, input_fn, hooks=None, steps=None, max_steps=None, saving_listeners=None):
        """Trains for `steps` more steps or up to `max_steps`, or until the data end; gives itself."""
        if steps is not None and max_steps is not None:
            raise ValueError("Can not provide both steps and max_steps.")
        for name, value in (("steps", steps), ("max_steps", max_steps)):
            if value is not None and value <= 0:
                raise ValueError("Must specify {} > 0, given: {}".format(name, value))
        if max_steps is not None:
            start = self._saved_step()
            if max_steps <= start:
                logging.info("Skipping training since max_steps has already saved.")
                return self
        all_hooks = list(hooks or ())
        for hook in all_hooks:
            if not hasattr(hook, "before_run"):
                raise TypeError("Hooks must be a SessionRunHook, given: {}".format(hook))
        if steps is not None or max_steps is not None:
            all_hooks.append(_hooks().StopAtStepHook(steps, max_steps))
        loss = self._train(input_fn, all_hooks, list(saving_listeners or ()))
        logging.info("Loss for final step: %s.", loss)
        return self

    def _saved_step(self):
        path = self.latest_checkpoint()
        if path is None:
            return 0
        reader = CheckpointReader(path)
        return int(reader.get_tensor("global_step")) if reader.has_tensor("global_step") else 0

    def _train(self, input_fn, all_hooks, listeners):
        config = self._config
        with self._graph().as_default() as graph, graph.device(config.device_fn):
            tf.set_random_seed(config.tf_random_seed)
            step = self._make_step()
            features, labels = self._call_input(input_fn, ModeKeys.TRAIN)
            spec = self._call_model(features, labels, ModeKeys.TRAIN, self.config)
            if self._warm_start and self.latest_checkpoint() is None:
                self._warm(self._warm_start)
            scaffold = spec.scaffold
            if not any(x.op.type == "ScalarSummary" and tf.get_static_value(x.op.inputs[0]) in (b"loss", "loss") for x in tf.get_collection("summaries")):
                tf.summary.scalar("loss", spec.loss)
            tf.add_to_collection("losses", spec.loss)
            h = _hooks()
            all_hooks += [h.NanTensorHook(spec.loss)]
            if config.log_step_count_steps is not None:
                all_hooks.append(h.LoggingTensorHook({"loss": spec.loss, "step": step}, every_n_iter=config.log_step_count_steps))
            all_hooks += list(spec.training_hooks)
            if not (scaffold.saver or tf.get_collection("savers")):
                tf.add_to_collection("savers", Saver(sharded=True, max_to_keep=config.keep_checkpoint_max, defer_build=True,
                                                     keep_checkpoint_every_n_hours=config.keep_checkpoint_every_n_hours, save_relative_paths=True))
            chief = list(spec.training_chief_hooks)
            own = [x for x in all_hooks + chief if isinstance(x, h.CheckpointSaverHook)]
            if (config.save_checkpoints_secs or config.save_checkpoints_steps) and not own:
                chief.append(h.CheckpointSaverHook(self._model_dir, save_secs=config.save_checkpoints_secs, save_steps=config.save_checkpoints_steps,
                                                   scaffold=scaffold, listeners=listeners))
            elif own and listeners:
                own[0]._listeners.extend(listeners)
            loss = None
            with monitored_session.MonitoredTrainingSession(
                    master=config.master, is_chief=config.is_chief, checkpoint_dir=self._model_dir, scaffold=scaffold, hooks=all_hooks,
                    chief_only_hooks=chief, save_checkpoint_secs=0, save_summaries_steps=config.save_summary_steps, config=config.session_config,
                    log_step_count_steps=config.log_step_count_steps, max_wait_secs=config.session_creation_timeout_secs) as session:
                while not session.should_stop():
                    _, loss = session.run([spec.train_op, spec.loss])
            if loss is None:
                logging.warning("Training with estimator made no steps. Perhaps input is empty or misspecified.")
            return loss

    def _warm(self, settings):
        from ..training.warm_start import warm_start

        warm_start(*settings)

    # Evaluation.

    def eval_dir(self, name=None):
        """Where evaluations write their summaries."""
        return os.path.join(self.model_dir, "eval" if not name else "eval_" + name)

    def evaluate(self, input_fn, steps=None, hooks=None, checkpoint_path=None, name=None):
        """The metrics of a checkpoint over `steps` batches or all data, as a dict with `loss` and `global_step`."""
        path = checkpoint_path or self.latest_checkpoint()
        if path is None:
            raise ValueError("Could not find trained model in model_dir: {}.".format(self._model_dir))
        if steps is not None and steps <= 0:
            raise ValueError("Must specify steps > 0, given: {}".format(steps))
        folder = os.path.join(self._model_dir, "eval" if not name else "eval_" + name)
        with self._graph().as_default() as graph:
            tf.set_random_seed(self._config.tf_random_seed)
            step = self._make_step()
            features, labels = self._call_input(input_fn, ModeKeys.EVAL)
            spec = self._call_model(features, labels, ModeKeys.EVAL, self.config)
            metrics = dict(spec.eval_metric_ops)
            if "loss" in metrics:
                raise ValueError('Metric with name "%s" is not allowed, because Estimator already defines a default metric with the same name.' % "loss")
            metrics["loss"] = tf.metrics.mean(spec.loss)
            values = {key: value for key, (value, _) in metrics.items()}
            updates = tf.group(*[update for _, update in metrics.values()])
            if "global_step" in values:
                raise ValueError("Metrics should not contain \"global_step\".")
            values["global_step"] = step
            final = _hooks().FinalOpsHook(values)
            stop = _StopAfter(steps)
            scaffold = spec.scaffold
            creator = monitored_session.ChiefSessionCreator(scaffold=scaffold, checkpoint_filename_with_path=path, config=self._config.session_config)
            logging.info("Starting evaluation at %s", time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()))
            with monitored_session.MonitoredSession(session_creator=creator, hooks=list(hooks or ()) + list(spec.evaluation_hooks) + [stop, final]) as session:
                while not session.should_stop():
                    session.run(updates)
            results = final.final_ops_values
            logging.info("Finished evaluation at %s", time.strftime("%Y-%m-%d-%H:%M:%S", time.gmtime()))
            self._write_metrics(folder, results, results["global_step"], graph)
            return results

    def _write_metrics(self, folder, results, step, graph):
        logging.info("Saving dict for global step %d: %s", step, ", ".join("%s = %s" % (k, v) for k, v in sorted(results.items())))
        writer = FileWriterCache.get(folder)
        summary = protos.Summary()
        for key, value in sorted(results.items()):
            if key == "global_step" or value is None:
                continue
            if np.ndim(value) == 0 and np.asarray(value).dtype.kind in "fiub":
                summary.value.add(tag=key, simple_value=float(value))
            elif isinstance(value, bytes):
                try:
                    for v in protos.Summary.FromString(value).value:
                        summary.value.add().CopyFrom(v)
                except Exception:  # text that is no summary
                    logging.warning("Skipping summary for %s, cannot parse string to Summary.", key)
        writer.add_summary(summary, step)
        writer.flush()

    # Prediction.

    def predict(self, input_fn, predict_keys=None, hooks=None, checkpoint_path=None, yield_single_examples=True):
        """Predictions, one example after another or batch by batch."""
        path = checkpoint_path or self.latest_checkpoint()
        if not path:
            logging.info("Could not find trained model in model_dir: {}, running initialization to predict.".format(self._model_dir))
        with self._graph().as_default():
            tf.set_random_seed(self._config.tf_random_seed)
            self._make_step()
            features, _ = self._call_input(input_fn, ModeKeys.PREDICT)
            spec = self._call_model(features, None, ModeKeys.PREDICT, self.config)
            predictions = spec.predictions
            if predict_keys is not None:
                if not isinstance(predictions, dict):
                    raise ValueError("predict_keys argument is not valid in case of non-dict predictions.")
                keys = [predict_keys] if isinstance(predict_keys, str) else predict_keys
                existing = list(predictions)
                predictions = {k: v for k, v in predictions.items() if k in keys}
                if not predictions:
                    raise ValueError("Expected to run at least one output from %s, provided %s." % (existing, predict_keys))
            creator = monitored_session.ChiefSessionCreator(scaffold=spec.scaffold, checkpoint_filename_with_path=path, config=self._config.session_config)
            with monitored_session.MonitoredSession(session_creator=creator, hooks=list(hooks or ()) + list(spec.prediction_hooks)) as session:
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
        """Writes a SavedModel below a folder, named by the time; gives its path as bytes."""
        return self._export(export_dir_base, serving_input_receiver_fn, assets_extra, as_text, checkpoint_path, experimental_mode, True)

    def _export(self, export_dir_base, serving_input_receiver_fn, assets_extra, as_text, checkpoint_path, experimental_mode, strip_default_attrs):
        path = checkpoint_path or self.latest_checkpoint()
        if path is None:
            raise ValueError("Couldn't find trained model at {}.".format(self._model_dir))
        with tf.Graph().as_default() as graph:
            tf.set_random_seed(self._config.tf_random_seed)
            self._make_step()
            receiver = serving_input_receiver_fn()
            spec = self._call_model(receiver.features if len(receiver.features) != 1 or "feature" not in receiver.features else receiver.features["feature"],
                                    None, experimental_mode, self.config)
            outputs = spec.export_outputs or {"serving_default": PredictOutput(spec.predictions)}
            signatures = {}
            for key, output in outputs.items():
                signatures[key] = output.as_signature_def(receiver.receiver_tensors)
            if "serving_default" not in signatures and len(signatures) == 1:
                signatures["serving_default"] = next(iter(signatures.values()))
            elif None in signatures:
                signatures["serving_default"] = signatures.pop(None)
            folder = _dated(export_dir_base)
            temporary = os.path.join(os.path.dirname(folder), "temp-" + os.path.basename(folder))
            with tf.Session(config=self._config.session_config) as session:
                scaffold = spec.scaffold
                saver = scaffold.saver or Saver(sharded=True)
                saver.restore(session, path)
                init = scaffold.local_init_op or Scaffold.default_local_init_op()
                builder = SavedModelBuilder(temporary)
                builder.add_meta_graph_and_variables(session, ["serve"], signature_def_map=signatures, assets_collection=graph.get_collection("asset_filepaths"),
                                                     main_op=init, saver=saver, strip_default_attrs=strip_default_attrs)
                builder.save(as_text)
            for target, source in (assets_extra or {}).items():
                place = os.path.join(temporary, "assets.extra", target)
                gfile.MakeDirs(os.path.dirname(place))
                gfile.Copy(source, place)
            gfile.Rename(temporary, folder)
            return folder.encode()

    def export_savedmodel(self, export_dir_base, serving_input_receiver_fn, assets_extra=None, as_text=False, checkpoint_path=None,
                          strip_default_attrs=False):
        """The old name of export_saved_model()."""
        return self._export(export_dir_base, serving_input_receiver_fn, assets_extra, as_text, checkpoint_path, ModeKeys.PREDICT, strip_default_attrs)


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
