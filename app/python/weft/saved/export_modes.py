"""tensorflow.python.saved_model.model_utils: models that are exported for training, evaluation and serving; the names of these modes, their tags and signatures."""

import collections.abc
import os
import time

from ..estimator.export_outputs import EvalOutput, served_outputs, signature_defs, TrainOutput
from ..estimator.spec import ModeKeys as EstimatorModeKeys
from ..keras.utility_names import ModeKeys as KerasModeKeys
from ..platform import gfile
from ..platform import tf_logging as logging

SINGLE_FEATURE_DEFAULT_NAME, SINGLE_RECEIVER_DEFAULT_NAME, SINGLE_LABEL_DEFAULT_NAME = "feature", "input", "label"
MAX_DIRECTORY_CREATION_ATTEMPTS = 10


def is_predict(mode):
    return mode in (KerasModeKeys.PREDICT, EstimatorModeKeys.PREDICT)


def is_eval(mode):
    return mode in (KerasModeKeys.TEST, EstimatorModeKeys.EVAL)


def is_train(mode):
    return mode in (KerasModeKeys.TRAIN, EstimatorModeKeys.TRAIN)


def _plain(mode):
    for fits, key in ((is_train, KerasModeKeys.TRAIN), (is_eval, KerasModeKeys.TEST), (is_predict, KerasModeKeys.PREDICT)):
        if fits(mode):
            return key
    raise ValueError("Invalid mode key: %s." % mode)


class ModeKeyMap(collections.abc.Mapping):
    """A mapping from modes, in which Keras's and the estimators' names of a mode are the same key."""

    def __init__(self, **kwargs):
        self._given, self._values = list(kwargs), {}
        for key, value in kwargs.items():
            if _plain(key) in self._values:
                raise ValueError("Error creating ModeKeyMap. Multiple keys/values found for %s mode." % _plain(key))
            self._values[_plain(key)] = value

    def __getitem__(self, key):
        return self._values[_plain(key)]

    def __iter__(self):
        return iter(self._given)

    def __len__(self):
        return len(self._given)


EXPORT_TAG_MAP = ModeKeyMap(predict=["serve"], train=["train"], test=["eval"])
SIGNATURE_KEY_MAP = ModeKeyMap(predict="serving_default", train="train", test="eval")


def _named(tensors):
    return tensors if isinstance(tensors, dict) else {SINGLE_RECEIVER_DEFAULT_NAME: tensors}


def build_all_signature_defs(receiver_tensors, export_outputs, receiver_tensors_alternatives=None, serving_only=True):
    """Signatures by name: OUTPUT, and RECEIVER:OUTPUT for alternative inputs. Outputs that inputs do not fit are left out and reported."""
    if not isinstance(export_outputs, dict):
        raise ValueError("export_outputs must be a dict and not%s" % type(export_outputs))
    alternatives = {name: _named(tensors) for name, tensors in (receiver_tensors_alternatives or {}).items()}
    return signature_defs(_named(receiver_tensors), export_outputs, alternatives, serving_only)


get_export_outputs = served_outputs


def export_outputs_for_mode(mode, serving_export_outputs=None, predictions=None, loss=None, metrics=None):
    """The outputs of a graph of this mode, by the names of their signatures."""
    if _plain(mode) == KerasModeKeys.PREDICT:
        return served_outputs(serving_export_outputs, predictions)
    output = TrainOutput if is_train(mode) else EvalOutput
    return {SIGNATURE_KEY_MAP[mode]: output(loss=loss, predictions=predictions, metrics=metrics)}


def get_timestamped_export_dir(export_dir_base):
    """A folder below `export_dir_base` that does not exist yet, named by the seconds since 1970; as bytes."""
    for attempt in range(1, MAX_DIRECTORY_CREATION_ATTEMPTS + 1):
        folder = os.path.join(gfile.path_text(export_dir_base), str(int(time.time()))).encode()
        if not gfile.Exists(folder):
            return folder
        time.sleep(1)
        logging.warning("Directory %s already exists; retrying (attempt %d/%d)", folder, attempt, MAX_DIRECTORY_CREATION_ATTEMPTS)
    raise RuntimeError("Failed to obtain a unique export directory name after %d attempts." % MAX_DIRECTORY_CREATION_ATTEMPTS)


def get_temp_export_dir(timestamped_export_dir):
    """The folder beside a timestamped one in which its model is written: "temp-TIME"; as bytes."""
    folder, name = os.path.split(timestamped_export_dir)
    # str() of a bytes object is part of the name, as in TensorFlow.
    return os.path.join(gfile.path_text(folder), "temp-%s" % (name,)).encode()
