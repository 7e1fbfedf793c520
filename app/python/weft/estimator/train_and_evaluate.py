"""train_and_evaluate, and the exporters that it calls after an evaluation."""

import os
import time

from .. import settings
from ..exports import export
from ..platform import gfile
from ..platform import tf_logging as logging
from ..training import hooks


@export("estimator.train_and_evaluate")
def train_and_evaluate(estimator, train_spec, eval_spec):
    """Trains up to max_steps and evaluates after each checkpoint that is due, at least at the end. Gives (metrics, export results)."""
    results, exported = None, []
    while True:
        before = estimator._saved_step()
        if train_spec.max_steps is not None and before >= train_spec.max_steps:
            logging.info("Skipping training since max_steps has already saved.")
            break
        listener = _Evaluate(estimator, eval_spec)
        estimator.train(train_spec.input_fn, hooks=list(train_spec.hooks), max_steps=train_spec.max_steps, saving_listeners=[listener])
        results, exported = listener.results, listener.exported
        break
    return results, exported


class _Evaluate(hooks.CheckpointSaverListener):
    def __init__(self, estimator, spec):
        self._estimator, self._spec = estimator, spec
        self._next, self.results, self.exported = 0, None, []
        self._first = True

    def after_save(self, session, global_step_value):
        if self._first:
            self._first = False  # nothing was trained yet
            return
        if time.time() >= self._next:
            self._run(False)

    def end(self, session, global_step_value):
        self._run(True)

    def _run(self, last):
        spec = self._spec
        self.results = self._estimator.evaluate(spec.input_fn, steps=spec.steps, hooks=list(spec.hooks), name=spec.name)
        self._next = time.time() + spec.throttle_secs
        self.exported = [e.export(self._estimator, os.path.join(self._estimator.model_dir, "export", e.name), self._estimator.latest_checkpoint(),
                                  self.results, last) for e in spec.exporters]


@export("estimator.Exporter")
class Exporter:
    """Writes a model after evaluations: a subclass gives `name` and export()."""

    name = None

    def export(self, estimator, export_path, checkpoint_path, eval_result, is_the_final_export):
        raise NotImplementedError


class _Exporter(Exporter):
    def __init__(self, name, serving_input_receiver_fn, assets_extra=None, as_text=False, exports_to_keep=5, compare_fn=None, last_only=False):
        self.name, self._receiver, self._assets, self._text = name, serving_input_receiver_fn, assets_extra, as_text
        self._keep, self._compare, self._last_only, self._best = exports_to_keep, compare_fn, last_only, None

    def export(self, estimator, export_path, checkpoint_path, eval_result, is_the_final_export):
        if self._last_only and not is_the_final_export:
            return None
        if self._compare is not None:
            if self._best is not None and not self._compare(best_eval_result=self._best, current_eval_result=eval_result):
                return None
            self._best = eval_result
        path = estimator.export_saved_model(export_path, self._receiver, self._assets, self._text, checkpoint_path)
        if self._keep is not None:
            old = sorted((n for n in os.listdir(export_path) if n.isdigit()), key=int)[:-self._keep]
            for name in old:
                gfile.DeleteRecursively(os.path.join(export_path, name))
        return path


@export("estimator.LatestExporter")
class LatestExporter(_Exporter):
    """Exports after each evaluation and keeps the newest."""

    def __init__(self, name, serving_input_receiver_fn, assets_extra=None, as_text=False, exports_to_keep=5):
        super().__init__(name, serving_input_receiver_fn, assets_extra, as_text, exports_to_keep)


@export("estimator.FinalExporter")
class FinalExporter(_Exporter):
    """Exports once, at the end."""

    def __init__(self, name, serving_input_receiver_fn, assets_extra=None, as_text=False):
        super().__init__(name, serving_input_receiver_fn, assets_extra, as_text, None, last_only=True)


def _smaller_loss(best_eval_result, current_eval_result):
    return best_eval_result["loss"] > current_eval_result["loss"]


@export("estimator.BestExporter")
class BestExporter(_Exporter):
    """Exports when an evaluation was better than all before."""

    def __init__(self, name="best_exporter", serving_input_receiver_fn=None, event_file_pattern="eval/*.tfevents.*", compare_fn=_smaller_loss,
                 assets_extra=None, as_text=False, exports_to_keep=5):
        settings.unused("BestExporter", "the best evaluation is known from this process only", event_file_pattern=(event_file_pattern, None, "eval/*.tfevents.*"))
        super().__init__(name, serving_input_receiver_fn, assets_extra, as_text, exports_to_keep, compare_fn)
