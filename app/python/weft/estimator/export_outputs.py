"""Inputs and outputs of an estimator's exported model, and their signatures."""

import collections

from .. import dtypes, engine, ops
from ..data import parsing
from ..exports import export
from ..ops import Operation, Tensor
from ..platform import tf_logging as logging
from ..saved import signatures
from ..sparse_tensor import SparseTensor
from ..tensor_shape import TensorShape
from .spec import ModeKeys

_DEFAULT = "serving_default"


class _ExportOutput:
    """An output of an exported model."""

    def as_signature_def(self, receiver_tensors):
        """The signature from the receiver's tensors, by name, to this output."""
        raise NotImplementedError()


ExportOutput = export("estimator.export.ExportOutput")(_ExportOutput)


def _key(key, what):
    if isinstance(key, tuple):
        key = "/".join(key)
    if not isinstance(key, str):
        raise ValueError("{} output key must be a string; got {}.".format(what, key))
    return key


def _outputs(values, default, what):
    made = {}
    for key, value in (values if isinstance(values, dict) else {default: values}).items():
        key = _key(key, what)
        if not isinstance(value, Tensor):
            raise ValueError("{} output value must be a Tensor; got {}.".format(what, value))
        made[key] = value
    return made


def _examples(receiver_tensors, what):
    """The only tensor that is received, serialised Examples."""
    values = list(receiver_tensors.values())
    if len(values) != 1 or values[0].dtype != dtypes.string:
        raise ValueError("{} input must be a single string Tensor; got {}".format(what, receiver_tensors))
    return values[0]


@export("estimator.export.PredictOutput")
class PredictOutput(_ExportOutput):
    """Output tensors of a served model."""

    def __init__(self, outputs):
        self.outputs = _outputs(outputs, "output", "Prediction")

    def as_signature_def(self, receiver_tensors):
        return signatures.predict_signature_def(receiver_tensors, self.outputs)


@export("estimator.export.ClassificationOutput")
class ClassificationOutput(_ExportOutput):
    """Scores and classes."""

    def __init__(self, scores=None, classes=None):
        if scores is not None and not (isinstance(scores, Tensor) and scores.dtype.is_floating):
            raise ValueError("Classification scores must be a float32 Tensor; got {}".format(scores))
        if classes is not None and not (isinstance(classes, Tensor) and classes.dtype == dtypes.string):
            raise ValueError("Classification classes must be a string Tensor; got {}".format(classes))
        if scores is None and classes is None:
            raise ValueError("At least one of scores and classes must be set.")
        self.scores, self.classes = scores, classes

    def as_signature_def(self, receiver_tensors):
        return signatures.classification_signature_def(_examples(receiver_tensors, "Classification"), self.classes, self.scores)


@export("estimator.export.RegressionOutput")
class RegressionOutput(_ExportOutput):
    """A number."""

    def __init__(self, value):
        if not (isinstance(value, Tensor) and value.dtype.is_floating):
            raise ValueError("Regression output value must be a float32 Tensor; got {}".format(value))
        self.value = value

    def as_signature_def(self, receiver_tensors):
        return signatures.regression_signature_def(_examples(receiver_tensors, "Regression"), self.value)


def _metric_outputs(metrics):
    made = {}
    for key, pair in (metrics if isinstance(metrics, dict) else {"metrics": metrics}).items():
        value, update = pair if isinstance(pair, tuple) else (pair.result(), pair.updates[0])
        key = _prefixed("metrics", _key(key, "metrics"))
        if not isinstance(value, Tensor):
            raise ValueError("{} output value must be a Tensor; got {}.".format(key, value))
        if not isinstance(update, (Tensor, Operation)):
            raise ValueError("{} update_op must be a Tensor or Operation; got {}.".format(key, update))
        if isinstance(update, Operation):  # a signature names tensors only
            with ops.control_dependencies([update]):
                update = ops.constant([], name="metric_op_wrapper")
        made[key + "/value"], made[key + "/update_op"] = value, update
    return made


def _prefixed(what, key):
    return key if key.startswith(what) else what + "/" + key


class _SupervisedOutput(_ExportOutput):
    """Loss, predictions and metrics of a graph that is exported for training or evaluation, by names that begin with what they are."""

    def __init__(self, loss=None, predictions=None, metrics=None):
        self.loss, self.predictions = (None if values is None else {_prefixed(what, key): value for key, value in _outputs(values, what, what).items()}
                                       for what, values in (("loss", loss), ("predictions", predictions)))
        self.metrics = None if metrics is None else _metric_outputs(metrics)

    def as_signature_def(self, receiver_tensors):
        return self._get_signature_def_fn()(receiver_tensors, self.loss, self.predictions, self.metrics)


class TrainOutput(_SupervisedOutput):
    def _get_signature_def_fn(self):
        return signatures.supervised_train_signature_def


class EvalOutput(_SupervisedOutput):
    def _get_signature_def_fn(self):
        return signatures.supervised_eval_signature_def


def outputs_for(spec):
    """The outputs of a model by the names of their signatures. TypeError or ValueError for export_outputs that cannot be served."""
    if spec.mode == ModeKeys.TRAIN:
        return {"train": TrainOutput(spec.loss, spec.predictions, spec.eval_metric_ops)}
    if spec.mode == ModeKeys.EVAL:
        return {"eval": EvalOutput(spec.loss, spec.predictions, spec.eval_metric_ops)}
    return served_outputs(spec.export_outputs, spec.predictions)


def served_outputs(outputs, predictions):
    """The outputs of a served model; the default one is the only one, or the predictions if there are none."""
    if outputs is None:
        return {_DEFAULT: PredictOutput(predictions)}
    if not isinstance(outputs, dict):
        raise TypeError("export_outputs must be dict, given: {}".format(outputs))
    if not all(isinstance(value, _ExportOutput) for value in outputs.values()):
        raise TypeError("Values in export_outputs must be ExportOutput objects. Given: {}".format(outputs))
    if len(outputs) == 1 and _DEFAULT not in outputs:
        outputs = dict(outputs, **{_DEFAULT: next(iter(outputs.values()))})
    if len(outputs) > 1 and _DEFAULT not in outputs:
        raise ValueError("Multiple export_outputs were provided, but none of them is specified as the default.  Do this by naming one of them with "
                         "signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY.")
    return outputs


def signature_defs(receiver_tensors, outputs, alternatives, serving_only):
    """Signatures by name. An output that these inputs do not fit, such as classes for features that are not Examples, is left out and reported."""
    made, left_out = {}, {}
    for receiver, tensors in [(None, receiver_tensors), *(alternatives or {}).items()]:
        for key, output in outputs.items():
            name = str(key or "None")
            if tensors is not receiver_tensors:
                name = "{}:{}".format(receiver or "None", name)
            try:
                made[name] = output.as_signature_def(tensors)
            except ValueError as e:
                left_out[name] = str(e)
    _report(made, left_out)
    return {k: s for k, s in made.items() if signatures.is_valid_signature(s)} if serving_only else made


_METHODS = {"tensorflow/serving/classify": "Classify", "tensorflow/serving/regress": "Regress", "tensorflow/serving/predict": "Predict",
            "tensorflow/supervised/training": "Train", "tensorflow/supervised/eval": "Eval"}


def _report(made, left_out):
    for method, said in _METHODS.items():
        logging.info("Signatures INCLUDED in export for {}: {}".format(said, [k for k, s in made.items() if s.method_name == method] or "None"))
    if left_out:
        logging.info("Signatures EXCLUDED from export because they cannot be be served via TensorFlow Serving APIs:")
        for name, why in left_out.items():
            logging.info("'{}' : {}".format(name, why))
    if not made:
        logging.warning("Export includes no signatures!")
    elif _DEFAULT not in made:
        logging.warning("Export includes no default signature!")


def _checked_tensor(tensor, name, what):
    if not isinstance(tensor, (Tensor, SparseTensor)):
        raise ValueError("{}{} must be a Tensor or SparseTensor.".format(what, " {}".format(name) if name else ""))


def _named_tensors(tensors, default, what, numbers=False):
    if tensors is None:
        raise ValueError("{}s must be defined.".format(what))
    tensors = tensors if isinstance(tensors, dict) else {default: tensors}
    for name, tensor in tensors.items():
        if not isinstance(name, (str, int) if numbers else str):
            raise ValueError(("{} keys must be strings or ints: {}." if numbers else "{} keys must be strings: {}.").format(what, name))
        _checked_tensor(tensor, name, what)
    return tensors


_RECEIVER = ["features", "receiver_tensors", "receiver_tensors_alternatives"]


@export("estimator.export.ServingInputReceiver")
class ServingInputReceiver(collections.namedtuple("ServingInputReceiver", _RECEIVER)):
    """The feeds of a served model and the features made from them, by name."""

    def __new__(cls, features, receiver_tensors, receiver_tensors_alternatives=None):
        features = _named_tensors(features, "feature", "feature", numbers=True)
        receiver_tensors = _named_tensors(receiver_tensors, "input", "receiver_tensor")
        if receiver_tensors_alternatives is not None:
            if not isinstance(receiver_tensors_alternatives, dict):
                raise ValueError("receiver_tensors_alternatives must be a dict: {}.".format(receiver_tensors_alternatives))
            for name, tensors in receiver_tensors_alternatives.items():
                receiver_tensors_alternatives[name] = _named_tensors(tensors, "input", "receiver_tensors_alternative")
        return super().__new__(cls, features, receiver_tensors, receiver_tensors_alternatives)


@export("estimator.export.TensorServingInputReceiver")
class TensorServingInputReceiver(collections.namedtuple("TensorServingInputReceiver", _RECEIVER)):
    """As ServingInputReceiver for a model function whose features are one tensor, not a dict."""

    def __new__(cls, features, receiver_tensors, receiver_tensors_alternatives=None):
        if features is None:
            raise ValueError("features must be defined.")
        _checked_tensor(features, None, "feature")
        made = ServingInputReceiver(features, receiver_tensors, receiver_tensors_alternatives)
        return super().__new__(cls, features, made.receiver_tensors, made.receiver_tensors_alternatives)


class SupervisedInputReceiver(collections.namedtuple("SupervisedInputReceiver", ["features", "labels", "receiver_tensors"])):
    """The feeds for training or evaluating an exported model."""

    def __new__(cls, features, labels, receiver_tensors):
        _named_tensors(features, "feature", "feature", numbers=True)
        _named_tensors(labels, "label", "label", numbers=True)
        return super().__new__(cls, features, labels, _named_tensors(receiver_tensors, "input", "receiver_tensor"))


def _fed(like, default_batch_size):
    """A placeholder for values like a tensor or array, for batches of any size."""
    name = like.op.name if hasattr(like, "op") else None
    shape = TensorShape([default_batch_size]).concatenate(TensorShape(like.shape)[1:])
    return engine.placeholder(like.dtype, shape, name=name)


@export("estimator.export.build_raw_serving_input_receiver_fn")
def build_raw_serving_input_receiver_fn(features, default_batch_size=None):
    """Feeds are the features themselves."""

    def receiver():
        fed = {name: _fed(t, default_batch_size) for name, t in features.items()}
        return ServingInputReceiver(fed, fed)

    return receiver


@export("estimator.experimental.build_raw_supervised_input_receiver_fn")
def build_raw_supervised_input_receiver_fn(features, labels, default_batch_size=None):
    """Feeds are the features and labels themselves."""
    both = set(features if isinstance(features, dict) else ["input"]) & set(labels if isinstance(labels, dict) else ["label"])
    if both:
        raise ValueError("Features and labels must have distinct keys. Found overlapping keys: {}".format(both))

    def placeholders(given):
        return {k: _fed(t, default_batch_size) for k, t in given.items()} if isinstance(given, dict) else _fed(given, default_batch_size)

    def receiver():
        x = placeholders(features)
        y = placeholders(labels)
        return SupervisedInputReceiver(x, y, dict(x if isinstance(x, dict) else {"input": x}, **(y if isinstance(y, dict) else {"label": y})))

    return receiver


@export("estimator.export.build_parsing_serving_input_receiver_fn")
def build_parsing_serving_input_receiver_fn(feature_spec, default_batch_size=None):
    """Feeds are serialised Examples."""

    def receiver():
        examples = engine.placeholder(dtypes.string, [default_batch_size], name="input_example_tensor")
        return ServingInputReceiver(parsing.parse_example(examples, feature_spec), {"examples": examples})

    return receiver
