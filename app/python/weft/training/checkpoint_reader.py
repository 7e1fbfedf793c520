"""Reads checkpoints: tf.train.NewCheckpointReader, list_variables, load_variable, init_from_checkpoint."""

import os
import time

from .. import dtypes, engine, ops
from ..exports import export
from ..platform import gfile
from ..platform import tf_logging as logging
from ..variable_base import Variable
from ..variable_scope import get_variable_scope
from ..variables import global_variables
from . import checkpoints
from .names import as_text
from .saveables import is_partitioned, saveables_of


def _engine():
    from .. import _weft

    return _weft


class CheckpointReader:
    """The tensors of a checkpoint."""

    def __init__(self, filename):
        self._reader = _engine().CheckpointReader(as_text(filename) if isinstance(filename, bytes) else os.fspath(filename))
        self._tensors = {name: (dtypes.as_dtype(dtype), list(shape or ())) for name, dtype, shape in self._reader.tensors()}

    def get_variable_to_shape_map(self):
        """Name -> list of dimension sizes."""
        return {name: list(shape) for name, (_, shape) in self._tensors.items()}

    def get_variable_to_dtype_map(self):
        return {name: dtype for name, (dtype, _) in self._tensors.items()}

    def has_tensor(self, tensor_str):
        return as_text(tensor_str) in self._tensors

    def get_tensor(self, tensor_str):
        """The whole value; scalars as NumPy scalars. NotFoundError if there is no tensor of that name."""
        value = self._reader.read(as_text(tensor_str))
        return value[()] if getattr(value, "shape", None) == () else value

    def debug_string(self):
        """One line per tensor: name, type and shape."""
        lines = ["%s (%s) [%s]\n" % (name, _type_text(dtype), ",".join(str(n) for n in shape)) for name, (dtype, shape) in sorted(self._tensors.items())]
        return "".join(lines).encode()


def _type_text(dtype):
    names = {"float32": "FLOAT", "float64": "DOUBLE", "float16": "HALF"}
    return "DT_" + names.get(dtype.name, dtype.name.upper())


@export("train.NewCheckpointReader")
def NewCheckpointReader(filepattern):
    """A reader of the checkpoint with that prefix."""
    return CheckpointReader(filepattern)


def _file_of(path):
    """The newest checkpoint of a folder, or the path itself."""
    if not gfile.IsDirectory(path):
        return path
    found = checkpoints.latest_checkpoint(path)
    if not found:
        raise ValueError("Couldn't find 'checkpoint' file or checkpoints in given directory %s" % path)
    return found


@export("train.load_checkpoint", "contrib.framework.load_checkpoint")
def load_checkpoint(ckpt_dir_or_file):
    """A reader of a checkpoint, or of the newest one in a folder."""
    return CheckpointReader(_file_of(ckpt_dir_or_file))


@export("train.load_variable", "contrib.framework.load_variable")
def load_variable(ckpt_dir_or_file, name):
    """One value from a checkpoint."""
    return load_checkpoint(ckpt_dir_or_file).get_tensor(name[:-2] if name.endswith(":0") else name)


@export("train.list_variables", "contrib.framework.list_variables")
def list_variables(ckpt_dir_or_file):
    """(name, shape) pairs, sorted by name."""
    return sorted(load_checkpoint(ckpt_dir_or_file).get_variable_to_shape_map().items())


def wait_for_new_checkpoint(checkpoint_dir, last_checkpoint=None, seconds_to_sleep=1, timeout=None):
    """Waits until the newest checkpoint differs from the last one and returns it; None after `timeout` seconds."""
    logging.info("Waiting for new checkpoint at %s", checkpoint_dir)
    until = time.time() + timeout if timeout is not None else None
    while True:
        path = checkpoints.latest_checkpoint(checkpoint_dir)
        if path is not None and path != last_checkpoint:
            logging.info("Found new checkpoint at %s", path)
            return path
        if until is not None and time.time() + seconds_to_sleep > until:
            return None
        time.sleep(seconds_to_sleep)


@export("train.checkpoints_iterator", "contrib.training.checkpoints_iterator")
def checkpoints_iterator(checkpoint_dir, min_interval_secs=0, timeout=None, timeout_fn=None):
    """Yields new checkpoints as they appear."""
    path = None
    while True:
        new = wait_for_new_checkpoint(checkpoint_dir, path, timeout=timeout)
        if new is None:
            if not timeout_fn:
                logging.info("Timed-out waiting for a checkpoint.")
                return
            if timeout_fn():
                return
            continue
        start = time.time()
        path = new
        yield path
        left = start + min_interval_secs - time.time()
        if left > 0:
            time.sleep(left)


@export("train.init_from_checkpoint", "contrib.framework.init_from_checkpoint")
def init_from_checkpoint(ckpt_dir_or_file, assignment_map):
    """Initializes variables from a checkpoint: {name or scope in the checkpoint: variable, name or scope in the graph}."""
    reader = load_checkpoint(ckpt_dir_or_file)
    shapes = reader.get_variable_to_shape_map()
    path = _file_of(ckpt_dir_or_file)
    scope = get_variable_scope()
    stored = {v._shared_name if hasattr(v, "device_map") else v.op.name: v for v in global_variables()}
    for part in global_variables():
        info = getattr(part, "_save_slice_info", None)
        if info:
            parts = stored.get(info.full_name)
            stored[info.full_name] = (parts if isinstance(parts, list) else []) + [part]
    for there, here in sorted(assignment_map.items() if isinstance(assignment_map, dict) else assignment_map):
        is_variable = isinstance(here, Variable) or is_partitioned(here) or isinstance(here, (list, tuple))
        if is_variable:
            _begin_with(list(here) if is_partitioned(here) else here, path, there, shapes, ckpt_dir_or_file)
        elif "/" == here[-1:] or here == "":
            if not there.endswith("/"):
                raise ValueError("Assignment map with scope only name {} should map to scope only {}. Should be 'scope/': 'other_scope/'.".format(here, there))
            prefix, target = there.rstrip("/"), here[:-1] if here else scope.name
            prefix = prefix + "/" if prefix else ""
            found = False
            for name in sorted(stored):
                if target and not name.startswith(target + "/"):
                    continue
                key = prefix + (name[len(target) + 1:] if target else name)
                if key not in shapes:
                    raise ValueError("Tensor {} ({} in {}) is not found in {} checkpoint".format(key, name[len(target) + 1:] if target else name, here,
                                                                                                ckpt_dir_or_file))
                found = True
                _begin_with(stored[name], path, key, shapes, ckpt_dir_or_file)
            if not found:
                raise ValueError("Assignment map with scope only name {} matches no variable".format(here))
        else:
            if here not in stored:
                raise ValueError("Variable {} (or its parts) is not found in the graph".format(here))
            _begin_with(stored[here], path, there, shapes, ckpt_dir_or_file)


def _begin_with(variable, path, key, shapes, source):
    """Replaces the initializers of a variable, or of all its slices."""
    parts = variable if isinstance(variable, list) else [variable]
    if key not in shapes:
        raise ValueError("Tensor %s is not found in %s checkpoint %s" % (key, source, shapes))
    info = getattr(parts[0], "_save_slice_info", None)
    full = info.full_shape if info and len(parts) > 1 else parts[0].get_shape().as_list()
    if list(full) != list(shapes[key]):
        raise ValueError("Shape of variable %s (%s) doesn't match with shape of tensor %s (%s) from checkpoint reader."
                         % (parts[0].op.name, str(parts[0].get_shape()), key, str(shapes[key])))
    for part in parts:
        spec = getattr(part, "_save_slice_info", None)
        dtype = part.dtype.base_dtype
        with ops.device(part.device), ops.device("/cpu:0"):
            value = engine.raw_ops.RestoreV2(prefix=path, tensor_names=[key], shape_and_slices=[spec.spec if spec else ""], dtypes=[dtype],
                                             name="checkpoint_initializer")[0]
            value.set_shape(part.shape)
            part._begin_with(value, saveables_of([part])[0].restore([value], None))
