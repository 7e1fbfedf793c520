"""Exporters for train_and_evaluate(): export after every evaluation, the best ones or the last one."""

import os

from ..errors import NotFoundError
from ..exports import export
from ..platform import gfile
from ..platform import tf_logging as logging
from ..summaries import writer
from . import calls


@export("estimator.Exporter")
class Exporter:
    """Base of exporters, which write a model after evaluations; subclasses define `name` and export()."""

    name = None

    def export(self, estimator, export_path, checkpoint_path, eval_result, is_the_final_export):
        raise NotImplementedError


class _SavedModelExporter(Exporter):
    def __init__(self, name, serving_input_receiver_fn, assets_extra, as_text):
        self._name, self._receiver, self._assets, self._text = name, serving_input_receiver_fn, assets_extra, as_text

    name = property(lambda self: self._name)

    def _write(self, estimator, export_path, checkpoint_path):
        return estimator.export_saved_model(export_path, self._receiver, assets_extra=self._assets, as_text=self._text, checkpoint_path=checkpoint_path)


def _delete_old(folder, keep):
    """Deletes all but the newest exports; other names in the folder stay."""
    if keep is None:
        return
    dated = sorted((n for n in gfile.ListDirectory(folder) if len(n) == 10 and n.isdigit()), key=int)
    for name in dated[:-keep]:
        try:
            gfile.DeleteRecursively(os.path.join(folder, name))
        except NotFoundError as e:
            logging.warning("Can not delete %s recursively: %s", name, e)


@export("estimator.LatestExporter")
class LatestExporter(_SavedModelExporter):
    """Exports after each evaluation and keeps the newest."""

    def __init__(self, name, serving_input_receiver_fn, assets_extra=None, as_text=False, exports_to_keep=5):
        if exports_to_keep is not None and exports_to_keep <= 0:
            raise ValueError("`exports_to_keep`, if provided, must be positive number")
        super().__init__(name, serving_input_receiver_fn, assets_extra, as_text)
        self._keep = exports_to_keep

    def export(self, estimator, export_path, checkpoint_path, eval_result, is_the_final_export):
        path = self._write(estimator, export_path, checkpoint_path)
        _delete_old(export_path, self._keep)
        return path


@export("estimator.FinalExporter")
class FinalExporter(_SavedModelExporter):
    """Exports once, at the end."""

    def __init__(self, name, serving_input_receiver_fn, assets_extra=None, as_text=False):
        super().__init__(name, serving_input_receiver_fn, assets_extra, as_text)

    def export(self, estimator, export_path, checkpoint_path, eval_result, is_the_final_export):
        if not is_the_final_export:
            return None
        logging.info("Performing the final export in the end of training.")
        return self._write(estimator, export_path, checkpoint_path)


def _smaller_loss(best_eval_result, current_eval_result):
    for name, result in (("best_eval_result", best_eval_result), ("current_eval_result", current_eval_result)):
        if not result or "loss" not in result:
            raise ValueError("%s cannot be empty or no loss is found in it." % name)
    return best_eval_result["loss"] > current_eval_result["loss"]


def _check_compare(compare_fn):
    if compare_fn is None:
        raise ValueError("`compare_fn` must not be None.")
    names, wanted = calls.arguments(compare_fn), ("best_eval_result", "current_eval_result")
    for name in wanted:
        if name not in names:
            raise ValueError("compare_fn (%s) must include %s argument." % (compare_fn, name))
    unknown = [n for n in names if n not in wanted]
    if unknown:
        raise ValueError("compare_fn (%s) has following not expected args: %s" % (compare_fn, unknown))


@export("estimator.BestExporter")
class BestExporter(_SavedModelExporter):
    """Exports when an evaluation is better than all earlier ones, including those in the event files of the model's folder.

    As in TensorFlow, these files already include the current evaluation, so a first evaluation that is the best so far is not exported.
    """

    def __init__(self, name="best_exporter", serving_input_receiver_fn=None, event_file_pattern="eval/*.tfevents.*", compare_fn=_smaller_loss,
                 assets_extra=None, as_text=False, exports_to_keep=5):
        _check_compare(compare_fn)
        if exports_to_keep is not None and exports_to_keep <= 0:
            raise ValueError("`exports_to_keep`, if provided, must be a positive number. Got %s" % exports_to_keep)
        super().__init__(name, serving_input_receiver_fn, assets_extra, as_text)
        self._compare, self._pattern, self._keep, self._model_dir, self._best = compare_fn, event_file_pattern, exports_to_keep, None, None

    def export(self, estimator, export_path, checkpoint_path, eval_result, is_the_final_export):
        if self._model_dir != estimator.model_dir and self._pattern:
            logging.info("Loading best metric from event files.")
            self._model_dir = estimator.model_dir
            self._best = self._best_of_files(os.path.join(self._model_dir, self._pattern))
        if self._best is not None and not self._compare(best_eval_result=self._best, current_eval_result=eval_result):
            return None
        logging.info("Performing best model export.")
        self._best = eval_result
        path = self._write(estimator, export_path, checkpoint_path)
        _delete_old(export_path, self._keep)
        return path

    def _best_of_files(self, pattern):
        best = None
        for name in gfile.Glob(pattern):
            for event in writer.summary_iterator(name):
                values = {v.tag: v.simple_value for v in event.summary.value if v.HasField("simple_value")} if event.HasField("summary") else {}
                if values and (best is None or self._compare(best, values)):
                    best = values
        return best
