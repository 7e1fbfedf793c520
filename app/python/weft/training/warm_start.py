"""tf.train.warm_start: initializes variables from the checkpoint of another model, row by row where vocabularies have changed."""

import collections

from .. import dtypes, engine, initializers, ops
from ..errors import NotFoundError
from ..exports import export
from ..ops import Tensor
from ..partitioned_variable import _PartitionInfo
from ..platform import tf_logging as logging
from ..variable_base import Variable
from ..variables import assign
from .checkpoint_reader import _file_of, init_from_checkpoint
from .saveables import by_name, is_partitioned
from .saver import object_graph_key_mapping


@export("train.VocabInfo", "estimator.VocabInfo")
class VocabInfo(collections.namedtuple("VocabInfo", ["new_vocab", "new_vocab_size", "num_oov_buckets", "old_vocab", "old_vocab_size", "backup_initializer", "axis"])):
    """The vocabularies of the rows (axis 0) or columns (1) of a variable, now and in the checkpoint; `backup_initializer` is for new words."""

    def __new__(cls, new_vocab, new_vocab_size, num_oov_buckets, old_vocab, old_vocab_size=-1, backup_initializer=None, axis=0):
        if axis not in (0, 1):
            raise ValueError("The only supported values for the axis argument are 0 and 1.  Provided axis: {}".format(axis))
        return super().__new__(cls, new_vocab, new_vocab_size, num_oov_buckets, old_vocab, old_vocab_size, backup_initializer, axis)


def _is_variable(x):
    return isinstance(x, Variable) or isinstance(x, Tensor) and x.op.type in ("Variable", "VariableV2", "VarHandleOp")


def _infer_var_name(var):
    """The name under which a variable, or a list of its slices, is saved."""
    names = list(by_name(var))
    if len(names) > 1:
        raise TypeError("`var` = %s passed as arg violates the constraints.  name_to_var_dict = %s" % (var, names))
    return names[0]


def _parts(var):
    if _is_variable(var):
        return [var]
    if isinstance(var, list) and all(_is_variable(v) for v in var):
        return var
    if is_partitioned(var):
        return list(var)
    raise TypeError("var MUST be one of the following: a Variable, list of Variable or PartitionedVariable, but is {}".format(type(var)))


def _get_var_info(var, prev_tensor_name=None):
    """(name in the checkpoint, the variable or list of its slices)"""
    parts = _parts(var)
    return prev_tensor_name or _infer_var_name(parts), var if _is_variable(var) else parts


def _both_or_none(old, new, which):
    if bool(old) != bool(new):
        raise ValueError("old_{0}_vocab_file and new_{0}_vocab_file must both be specified or left unspecified. old_{0}_vocab_file='{1}', new_{0}_vocab_file='{2}'".format(which, old, new))
    return bool(old)


def _load_and_remap_matrix(ckpt_path, old_tensor_name, new_row_vocab_offset, num_rows_to_load, new_col_vocab_size, initializer, old_row_vocab_size=-1, old_row_vocab_file=None,
                           new_row_vocab_file=None, old_col_vocab_file=None, new_col_vocab_file=None, num_row_oov_buckets=0, num_col_oov_buckets=0, max_rows_in_memory=-1):
    """A stored matrix with rows and columns reordered for new vocabularies. `initializer` fills new words and OOV buckets."""
    for which, buckets in (("row", num_row_oov_buckets), ("col", num_col_oov_buckets)):
        if buckets < 0:
            raise ValueError("num_%s_oov_buckets must be >= 0, but received %d" % (which, buckets))
    remap_rows = _both_or_none(old_row_vocab_file, new_row_vocab_file, "row")
    remap_columns = _both_or_none(old_col_vocab_file, new_col_vocab_file, "col")
    if not (remap_rows or remap_columns):
        raise ValueError("Must provide either row or column vocab files. If no remapping is necessary, consider using `tf.contrib.framework.init_from_checkpoint` instead.")
    rows_there, columns_there, columns = num_rows_to_load, new_col_vocab_size, []
    if remap_rows:
        rows, rows_there = engine.raw_ops.GenerateVocabRemapping(new_vocab_file=new_row_vocab_file, old_vocab_file=old_row_vocab_file, new_vocab_offset=new_row_vocab_offset,
                                                                 num_new_vocab=num_rows_to_load, old_vocab_size=old_row_vocab_size)
    else:
        rows = engine.range(new_row_vocab_offset, new_row_vocab_offset + num_rows_to_load, dtype=dtypes.int64)
    if remap_columns:
        columns, columns_there = engine.raw_ops.GenerateVocabRemapping(new_vocab_file=new_col_vocab_file, old_vocab_file=old_col_vocab_file, new_vocab_offset=0,
                                                                       num_new_vocab=new_col_vocab_size, old_vocab_size=-1)
    new_values = initializer([num_rows_to_load * new_col_vocab_size - rows_there * columns_there, 1])
    result = engine.raw_ops.LoadAndRemapMatrix(ckpt_path=ckpt_path, old_tensor_name=old_tensor_name, row_remapping=rows, col_remapping=columns, initializing_values=new_values,
                                               num_rows=num_rows_to_load, num_cols=new_col_vocab_size, max_rows_in_memory=max_rows_in_memory)
    if num_row_oov_buckets > 0:
        result = engine.concat([result, ops.convert_to_tensor(initializer([num_row_oov_buckets, new_col_vocab_size]))], 0)
    if num_col_oov_buckets > 0:
        result = engine.concat([result, ops.convert_to_tensor(initializer([num_rows_to_load + num_row_oov_buckets, num_col_oov_buckets]))], 1)
    return result


def _load_and_remap_matrix_initializer(ckpt_path, old_tensor_name, new_row_vocab_size, new_col_vocab_size, old_row_vocab_size=-1, old_row_vocab_file=None, new_row_vocab_file=None,
                                       old_col_vocab_file=None, new_col_vocab_file=None, num_row_oov_buckets=0, num_col_oov_buckets=0, initializer=None, max_rows_in_memory=-1):
    """An initializer for a float32 matrix or its slices."""
    initializer = initializers.zeros_initializer() if initializer is None else initializer
    if not callable(initializer):
        raise TypeError("initializer must be callable, instead of being {} of type {}.".format(initializer, type(initializer)))

    def initial(shape, dtype=dtypes.float32, partition_info=None):
        if dtype != dtypes.float32:
            raise TypeError("Currently, only float32 is supported. Received dtype: {}".format(dtype))
        if len(shape) != 2:
            raise ValueError("Expected 2-dim shape, but received: {}".format(shape))
        if shape[0] <= 0:
            raise ValueError("Expected 1st dim of shape to be > 0, but received shape: {}".format(shape))
        if shape[1] != new_col_vocab_size + num_col_oov_buckets:
            raise ValueError("Expected 2nd dim of shape to be new_col_vocab_size ({}) + num_col_oov_buckets ({}) = {}, but received shape: {}".format(
                new_col_vocab_size, num_col_oov_buckets, new_col_vocab_size + num_col_oov_buckets, shape))
        offset = 0 if partition_info is None else partition_info.single_offset(shape)
        if offset + shape[0] > new_row_vocab_size + num_row_oov_buckets:
            raise ValueError("Trying to initialize {} additional rows after {} rows have already been initialized, which would exceed expected total row count of new_row_vocab_size ({}) "
                             "+ num_row_oov_buckets ({}) = {}.".format(shape[0], offset, new_row_vocab_size, num_row_oov_buckets, new_row_vocab_size + num_row_oov_buckets))
        buckets = min(shape[0], max(0, offset + shape[0] - new_row_vocab_size))
        if offset > new_row_vocab_size:
            if shape[0] != buckets:
                raise ValueError("Partitioned variable offset is greater than new vocab size and not operating on OOV-only partition.")
            return initializer(shape)
        return _load_and_remap_matrix(ckpt_path, old_tensor_name, offset, shape[0] - buckets, new_col_vocab_size, initializer, old_row_vocab_size, old_row_vocab_file, new_row_vocab_file,
                                      old_col_vocab_file, new_col_vocab_file, buckets, num_col_oov_buckets, max_rows_in_memory)

    return initial


def _warm_start_var_with_vocab(var, current_vocab_path, current_vocab_size, prev_ckpt, prev_vocab_path, previous_vocab_size=-1, current_oov_buckets=0, prev_tensor_name=None,
                               initializer=None, axis=0):
    """Initializes a variable or its slices with remapped rows or columns."""
    if not (current_vocab_path and current_vocab_size and prev_ckpt and prev_vocab_path):
        raise ValueError("Invalid args: Must provide all of [current_vocab_path, current_vocab_size, prev_ckpt, prev_vocab_path}.")
    if axis not in (0, 1):
        raise ValueError("The only supported values for the axis argument are 0 and 1.  Provided axis: {}".format(axis))
    parts = _parts(var)
    name = prev_tensor_name or _infer_var_name(parts)
    rows = sum(v.get_shape().as_list()[0] for v in parts)
    for v in parts:
        shape, info = v.get_shape().as_list(), getattr(v, "_save_slice_info", None)
        if axis == 0:
            given = dict(new_row_vocab_size=current_vocab_size, new_col_vocab_size=shape[1], old_row_vocab_size=previous_vocab_size, old_row_vocab_file=prev_vocab_path,
                         new_row_vocab_file=current_vocab_path, num_row_oov_buckets=current_oov_buckets)
        else:
            given = dict(new_row_vocab_size=rows, new_col_vocab_size=current_vocab_size, old_col_vocab_file=prev_vocab_path, new_col_vocab_file=current_vocab_path,
                         num_col_oov_buckets=current_oov_buckets)
        initial = _load_and_remap_matrix_initializer(ckpt_path=_file_of(prev_ckpt), old_tensor_name=name, initializer=initializer, **given)
        partition = _PartitionInfo(full_shape=info.full_shape, var_offset=info.var_offset) if info else None
        value = ops.convert_to_tensor(initial(shape=shape, partition_info=partition))
        v._initializer_op = assign(v, value)
        v._initial_value = value


def _get_grouped_variables(vars_to_warm_start):
    """Name -> list of the variable or of its slices"""
    if isinstance(vars_to_warm_start, str) or vars_to_warm_start is None:
        logging.info("Warm-starting variables only in TRAINABLE_VARIABLES.")
        found = ops.get_collection("trainable_variables", scope=vars_to_warm_start)
    elif not isinstance(vars_to_warm_start, list):
        raise ValueError("`vars_to_warm_start must be a `list` or `str`.  Given type is {}".format(type(vars_to_warm_start)))
    elif all(isinstance(v, str) for v in vars_to_warm_start):
        found = [v for pattern in vars_to_warm_start for v in ops.get_collection("variables", scope=pattern)]
    elif all(_is_variable(v) for v in vars_to_warm_start):
        found = vars_to_warm_start
    else:
        raise ValueError("If `vars_to_warm_start` is a list, it must be all `Variable` or all `str`.  Given types are {}".format([type(v) for v in vars_to_warm_start]))
    grouped = {}
    for v in found:
        grouped.setdefault(_infer_var_name(v if isinstance(v, list) else [v]), []).append(v)
    return grouped


def _get_object_checkpoint_renames(path, variable_names):
    try:
        keys = object_graph_key_mapping(_file_of(path))
    except NotFoundError:
        return {}
    missing = set(variable_names) - set(keys)
    if missing:
        raise ValueError("Attempting to warm-start from an object-based checkpoint, but found that the checkpoint did not contain values for all variables. The following variables were "
                         "missing: {}".format(missing))
    return {name: keys[name] for name in variable_names}


def _check_used(given, used, parameter, names):
    unused = set(given) - used
    if unused:
        raise ValueError("You provided the following variables in {} that were not used: {}.  Perhaps you misspelled them?  Here is the list of viable variable names: {}".format(
            parameter, unused, names))


@export("train.warm_start")
def warm_start(ckpt_to_initialize_from, vars_to_warm_start=".*", var_name_to_vocab_info=None, var_name_to_prev_var_name=None):
    """Initializes variables from a checkpoint: trainable ones that match a pattern, all that match a list of patterns, or the variables of a list; None: only
    those with a VocabInfo. Their names in the checkpoint may differ."""
    logging.info("Warm-starting from: {}".format(ckpt_to_initialize_from))
    grouped = _get_grouped_variables(vars_to_warm_start)
    infos = var_name_to_vocab_info or {}
    before = var_name_to_prev_var_name or _get_object_checkpoint_renames(ckpt_to_initialize_from, grouped.keys())
    renamed, remapped, plain, count = set(), set(), {}, 0
    for name, parts in grouped.items():
        previous, info = before.get(name), infos.get(name)
        if previous:
            renamed.add(name)
        if info:
            remapped.add(name)
            count += 1
            logging.debug("Warm-starting variable: %s; vocabularies: %s, prev_tensor: %s", name, info, previous or "Unchanged")
            _warm_start_var_with_vocab(parts, info.new_vocab, info.new_vocab_size, ckpt_to_initialize_from, info.old_vocab, info.old_vocab_size, info.num_oov_buckets, previous,
                                       info.backup_initializer, info.axis)
        elif vars_to_warm_start:
            count += 1
            logging.debug("Warm-starting variable: {}; prev_var_name: {}".format(name, previous or "Unchanged"))
            key, var = _get_var_info(parts[0] if len(parts) == 1 else parts, previous)
            plain[key] = var
    init_from_checkpoint(ckpt_to_initialize_from, plain)
    logging.info("Warm-started %d variables.", count)
    _check_used(before, renamed, "var_name_to_prev_var_name", grouped.keys())
    _check_used(infos, remapped, "var_name_to_vocab_info", grouped.keys())
