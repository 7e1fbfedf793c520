"""Files with the variables of Keras models: checkpoints by objects, and HDF5."""

import os
import sys

from .. import ops
from ..training.checkpoint_reader import NewCheckpointReader
from ..training.checkpoints import write_state
from ..training.tracking.checkpoint import TrackableSaver
from ..training.tracking.object_graph import ObjectGraphView
from ..training.tracking.restoring import streaming_restore
from . import backend, hdf5_weights, network, saving
from .utility_names import ask_to_proceed_with_overwrite


def _format(filepath, save_format):
    """"h5" or "tf"."""
    is_hdf5 = saving.is_hdf5(filepath)
    if save_format is None:
        return "h5" if is_hdf5 else "tf"
    name = save_format.lower().strip()
    if name not in ("tensorflow", "tf", "hdf5", "h5", "keras"):
        raise ValueError('Unknown format "%s". Was expecting one of {"tf", "h5"}.' % (save_format,))
    if name in ("tensorflow", "tf") and is_hdf5:
        raise ValueError('save_weights got save_format="tf"/"tensorflow", but the filepath ("%s") looks like an HDF5 file. Omit the ".h5"/".keras" when saving in TensorFlow '
                         "format." % filepath)
    return "tf" if name in ("tensorflow", "tf") else "h5"


def _saver(model):
    if "_saver_of_weights" not in model.__dict__:
        model.__dict__["_saver_of_weights"] = TrackableSaver(ObjectGraphView(model))
    return model.__dict__["_saver_of_weights"]


def save_weights(model, filepath, overwrite, save_format):
    """Writes the variables of a model."""
    model._assert_weights_created()
    form = _format(filepath, save_format)
    path = filepath if form == "h5" else filepath + ".index"
    if not overwrite and os.path.isfile(path) and not ask_to_proceed_with_overwrite(path):
        return
    if form == "h5":
        with saving.h5py().File(filepath, "w") as f:
            hdf5_weights.save_weights_to_hdf5_group(f, model.layers)
        return
    _saver(model).save(filepath, session=None if ops.executing_eagerly() else backend.get_session())
    write_state(os.path.dirname(filepath), filepath, [filepath], None, True)  # for tf.train.latest_checkpoint


def _is_checkpoint(filepath):
    try:
        NewCheckpointReader(filepath)
        return True
    except Exception:  # not readable as a checkpoint, whatever the reason: HDF5 will say what is wrong
        return not os.path.isfile(filepath)


def load_weights(model, filepath, by_name):
    """Reads the variables of a model; the status of the checkpoint if it is one."""
    if not saving.is_hdf5(filepath) and _is_checkpoint(filepath):
        status = _saver(model).restore(filepath)
        if by_name:
            raise NotImplementedError("Weights may only be loaded based on topology into Models when loading TensorFlow-formatted weights (got by_name=True to load_weights).")
        if not ops.executing_eagerly():
            streaming_restore(status, backend.get_session())
        status.assert_nontrivial_match()
        return status
    if not model._functional and not model.built:
        raise ValueError("Unable to load weights saved in HDF5 format into a subclassed Model which has not created its variables yet. Call the Model first, then load the "
                         "weights.")
    model._assert_weights_created()
    with saving.h5py().File(filepath, "r") as f:
        (hdf5_weights.load_weights_from_hdf5_group_by_name if by_name else hdf5_weights.load_weights_from_hdf5_group)(
            f["model_weights"] if "layer_names" not in f.attrs and "model_weights" in f else f, model.layers)
    return None


network.weight_files = sys.modules[__name__]
