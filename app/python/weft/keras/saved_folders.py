"""Models as folders: a SavedModel for other programs, and the configuration and variables for load_model()."""

import json
import os

from .. import context, ops
from ..platform import gfile
from ..saved.saved_model import simple_save
from ..session import Session
from ..training import checkpoint_reader
from ..training.saver import Saver
from ..variable_base import Variable
from . import backend, cloning

_VARIABLES = os.path.join("variables", "keras")


def write(model, filepath, described, training, plain):
    """Writes a model; `described` and `training` are the configurations that load_model() needs, `plain` gives the JSON of their objects."""
    if ops.executing_eagerly():
        _write_copy(model, filepath, described, training, plain)
    else:
        state = model.optimizer.variables() if training else []
        _write(model, state, backend.get_session(), filepath, described, training, plain)


def _write(model, state, session, filepath, described, training, plain):
    if gfile.Exists(filepath):
        gfile.DeleteRecursively(filepath)
    simple_save(session, filepath, dict(zip(model.input_names, model._inputs)), dict(zip(model.output_names, model._outputs)))
    gfile.MakeDirs(os.path.join(filepath, "assets"))
    if described is not None:
        with gfile.GFile(os.path.join(filepath, "assets", "saved_model.json"), "w") as f:
            f.write(json.dumps({"model": described, "training": training}, default=plain))
    kept = dict(model._by_name(), **{"optimizer-%d" % i: v for i, v in enumerate(state)})
    Saver(kept).save(session, os.path.join(filepath, _VARIABLES), write_meta_graph=False, write_state=False)


def _write_copy(model, filepath, described, training, plain):
    """While execution is eager, variables lie in no graph: a copy of the model in a graph of its own is written."""
    if described is None:
        raise NotImplementedError("While execution is eager, a model can be saved as a SavedModel only if it is functional or Sequential; save_weights() writes the variables of a subclass.")
    values = model.get_weights()
    state = backend.batch_get_value(model.optimizer.variables()) if training else []
    with ops.Graph().as_default(), Session() as session:
        copy = cloning.clone_model(model)
        made = [Variable(value, use_resource=True, name="optimizer_%d" % i) for i, value in enumerate(state)]
        session.run([v.initializer for v in made])
        copy.set_weights(values)
        _write(copy, made, session, filepath, described, training, plain)


def configuration(filepath):
    """{"model": …, "training": …} of a folder; IOError if it has none."""
    path = os.path.join(filepath, "assets", "saved_model.json")
    if not gfile.Exists(path):
        raise IOError("SavedModel file does not exist at: %s" % filepath)
    with gfile.GFile(path) as f:
        return json.loads(f.read())


def read_variables(model, filepath):
    """Sets the variables of a model, and those of its optimizer if the folder has them."""
    reader = checkpoint_reader.load_checkpoint(os.path.join(filepath, _VARIABLES))
    kept = model._by_name()
    if model.optimizer is not None and reader.has_tensor("optimizer-0"):
        with context.keras_graph().as_default():
            model._make_train_function()
        kept = dict(kept, **{"optimizer-%d" % i: v for i, v in enumerate(model.optimizer.variables())})
    backend.batch_set_value([(v, reader.get_tensor(name)) for name, v in kept.items()])
