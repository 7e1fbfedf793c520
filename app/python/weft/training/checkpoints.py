"""Finds the checkpoints of a folder: the `checkpoint` file and checkpoint file names."""

import glob
import os
import re

from google.protobuf import text_format

from .. import errors, protos
from ..exports import export
from ..platform import gfile
from ..platform import tf_logging as logging


def _state_path(folder, latest_filename):
    return os.path.join(folder, "checkpoint" if latest_filename is None else latest_filename)


@export("train.generate_checkpoint_state_proto")
def generate_checkpoint_state_proto(save_dir, model_checkpoint_path, all_model_checkpoint_paths=None, all_model_checkpoint_timestamps=None,
                                    last_preserved_timestamp=None):
    """A CheckpointState; its paths are made relative to `save_dir` if that is relative."""
    paths = list(all_model_checkpoint_paths or [])
    if not paths or paths[-1] != model_checkpoint_path:
        logging.info("%s is not in all_model_checkpoint_paths. Manually adding it.", model_checkpoint_path)
        paths.append(model_checkpoint_path)
    times = all_model_checkpoint_timestamps
    if times and len(times) != len(paths):
        raise ValueError("Checkpoint timestamps, if provided, must match checkpoint paths (got paths %s and timestamps %s)" % (paths, times))

    def below(path):
        return path if os.path.isabs(save_dir) or os.path.isabs(path) else os.path.relpath(path, save_dir or ".")

    return protos.CheckpointState(model_checkpoint_path=below(model_checkpoint_path), all_model_checkpoint_paths=[below(p) for p in paths],
                                  all_model_checkpoint_timestamps=times, last_preserved_timestamp=last_preserved_timestamp)


@export("train.update_checkpoint_state")
def update_checkpoint_state(save_dir, model_checkpoint_path, all_model_checkpoint_paths=None, latest_filename=None,
                            all_model_checkpoint_timestamps=None, last_preserved_timestamp=None):
    """Writes the folder's `checkpoint` file."""
    write_state(save_dir, model_checkpoint_path, all_model_checkpoint_paths, latest_filename, False, all_model_checkpoint_timestamps,
                last_preserved_timestamp)


def write_state(save_dir, newest, paths=None, latest_filename=None, relative=False, timestamps=None, last_preserved=None):
    """As update_checkpoint_state(); `relative`: absolute paths are written relative to the folder."""
    if relative:
        newest = os.path.relpath(newest, save_dir) if os.path.isabs(newest) else newest
        paths = [os.path.relpath(p, save_dir) if os.path.isabs(p) else p for p in paths or []]
    state = generate_checkpoint_state_proto(save_dir, newest, paths, timestamps, last_preserved)
    file = _state_path(save_dir, latest_filename)
    if file == state.model_checkpoint_path:
        raise RuntimeError("Save path '%s' conflicts with path used for checkpoint state.  Please use a different save path." % newest)
    gfile.sync_files(glob.glob(glob.escape(gfile.local_path(os.path.join(save_dir, state.model_checkpoint_path))) + "*"))
    gfile.atomic_write_string_to_file(file, text_format.MessageToString(state))


@export("train.get_checkpoint_state")
def get_checkpoint_state(checkpoint_dir, latest_filename=None):
    """The contents of the folder's `checkpoint` file with paths joined to the folder; None if it does not exist or cannot be read."""
    checkpoint_dir = os.fspath(checkpoint_dir)
    file = _state_path(checkpoint_dir, latest_filename)
    try:
        if not gfile.Exists(file):
            return None
        state = protos.CheckpointState()
        text_format.Merge(gfile.read_file_to_string(file), state)
        if not state.model_checkpoint_path:
            raise ValueError("Invalid checkpoint state loaded from " + checkpoint_dir)
    except (errors.OpError, text_format.ParseError) as e:
        logging.warning("%s: %s", type(e).__name__, e)
        logging.warning("%s: Checkpoint ignored", file)
        return None
    state.model_checkpoint_path = os.path.join(checkpoint_dir, state.model_checkpoint_path)
    for i, path in enumerate(state.all_model_checkpoint_paths):
        state.all_model_checkpoint_paths[i] = os.path.join(checkpoint_dir, path)
    return state


@export("train.latest_checkpoint")
def latest_checkpoint(checkpoint_dir, latest_filename=None):
    """The prefix of the folder's newest checkpoint, or None."""
    state = get_checkpoint_state(checkpoint_dir, latest_filename)
    if not state or not state.model_checkpoint_path:
        return None
    if checkpoint_exists(state.model_checkpoint_path):
        return state.model_checkpoint_path
    logging.error("Couldn't match files for checkpoint %s", state.model_checkpoint_path)
    return None


@export("train.checkpoint_exists")
def checkpoint_exists(checkpoint_prefix):
    """Whether a checkpoint of either version exists with that prefix."""
    return bool(gfile.Glob(checkpoint_prefix + ".index") or gfile.Glob(checkpoint_prefix))


@export("train.get_checkpoint_mtimes")
def get_checkpoint_mtimes(checkpoint_prefixes):
    """The modification time of each checkpoint in seconds; missing checkpoints are left out."""
    times = []
    for prefix in checkpoint_prefixes:
        found = gfile.Glob(prefix + ".index") or gfile.Glob(prefix)
        if found:
            times.append(gfile.Stat(found[0]).mtime_nsec / 1e9)
    return times


@export("train.remove_checkpoint")
def remove_checkpoint(checkpoint_prefix, checkpoint_format_version=2, meta_graph_suffix="meta"):
    """Deletes the files of a checkpoint."""
    patterns = [meta_graph_filename(checkpoint_prefix, meta_graph_suffix)]
    patterns += [checkpoint_prefix + ".index", checkpoint_prefix + ".data-?????-of-?????"] if checkpoint_format_version == 2 else [checkpoint_prefix]
    for pattern in patterns:
        for path in gfile.Glob(pattern):
            gfile.Remove(path)


def meta_graph_filename(checkpoint_filename, meta_graph_suffix="meta"):
    """The path of the meta graph of a checkpoint; the shard part of a V1 name is dropped."""
    return re.sub(r"-[\d\?]+-of-\d+$", "", checkpoint_filename) + "." + meta_graph_suffix
