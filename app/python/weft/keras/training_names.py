"""Functions of tensorflow.python.keras.engine.training_utils and training_generator, under TensorFlow's names."""

import math

import numpy as np

from .. import basics, dtypes, engine, ops
from ..data.iterators import Iterator, make_one_shot_iterator
from ..tensor_spec import TensorSpec
from ..util import nest
from . import backend, compiling, data_checks, utility_names
from .data_checks import has_tensors as has_symbolic_tensors, batch_shuffle, is_data_set  # noqa: F401 (re-exported)
from .data_checks import check_data_set as validate_dataset_input, check_generator as check_generator_arguments  # noqa: F401 (re-exported)
from .data_checks import unpack_validation as unpack_validation_data, validates_after as should_run_validation  # noqa: F401 (re-exported)
from .data_checks import check_lengths as check_array_lengths, check_targets as check_loss_and_target_compatibility  # noqa: F401 (re-exported)


class ModelInputs:
    """The inputs of a model with their names: those of a dict in alphabetical order, else input_1, input_2, …"""

    def __init__(self, inputs):
        self._inputs, self._is_dict = inputs, isinstance(inputs, dict)
        self._is_single_input = not isinstance(inputs, (list, tuple, dict))
        self._input_names = sorted(inputs) if self._is_dict else ["input_%d" % (i + 1) for i in range(len(nest.flatten(inputs)))]
        self._flattened_inputs = [inputs[name] for name in self._input_names] if self._is_dict else nest.flatten(inputs)

    def get_input_names(self):
        return self._input_names

    def get_symbolic_inputs(self, return_single_as_list=False):
        """A placeholder for each input that is an array or a TensorSpec, in the structure of the inputs. The size of the batch stays open."""
        self._flattened_inputs = [_symbolic(name, value) for name, value in zip(self._input_names, self._flattened_inputs)]
        if self._is_dict:
            return dict(zip(self._input_names, self._flattened_inputs))
        return self._flattened_inputs[0] if self._is_single_input and not return_single_as_list else self._flattened_inputs

    def as_dict(self):
        """Pairs of names and inputs."""
        yield from zip(self._input_names, self._flattened_inputs)

    def as_list(self):
        return self._flattened_inputs


def _symbolic(name, value):
    if isinstance(value, (list, float, int)):
        value = np.asarray(value)
        value = np.expand_dims(value, 1) if value.ndim == 1 else value
    is_array = isinstance(value, np.ndarray) or getattr(value, "_is_eager", False)
    if not is_array and not isinstance(value, TensorSpec):
        return value
    dtype = dtypes.as_dtype(value.dtype)
    with utility_names.get_graph().as_default():
        return backend.placeholder(shape=(None,) + (tuple(value.shape[1:]) or (1,)), name=name, dtype=backend.floatx() if is_array and dtype.is_floating else dtype)


def standardize_weights(y, sample_weight=None, class_weight=None, sample_weight_mode=None):
    """The weights of an output's samples (or steps) from sample weights and class weights; None if neither is given."""
    return data_checks.sample_weights(y, sample_weight, class_weight, sample_weight_mode)


def standardize_input_data(data, names, shapes=None, check_batch_axis=True, exception_prefix=""):
    """A list of arrays, one per name. With check_batch_axis the first dimension has to fit, too."""
    made = data_checks.arrays_by_name(data, names, shapes, exception_prefix)
    for x, name, shape in zip(made, names, shapes or ()) if check_batch_axis else ():
        if shape is not None and shape[0] is not None and not data_checks.is_tensor(x) and x.shape[0] != shape[0]:
            raise ValueError("Error when checking " + exception_prefix + ": expected " + name + " to have shape " + str(tuple(shape)) + " but got array with shape " + str(x.shape))
    return made


def standardize_sample_or_class_weights(x_weight, output_names, weight_type):
    return data_checks.weights_by_output(x_weight, output_names, weight_type)


def standardize_class_weights(class_weight, output_names):
    return data_checks.weights_by_output(class_weight, output_names, "class_weight")


def standardize_sample_weights(sample_weight, output_names):
    return data_checks.weights_by_output(sample_weight, output_names, "sample_weight")


def has_tensors(ls):
    """Whether an element is a tensor, with or without a value."""
    return any(data_checks.is_tensor(v) for v in (ls if isinstance(ls, (list, tuple)) else [ls]))


def is_dataset_or_iterator(data):
    return is_data_set(data) or data_checks.is_iterator(data)


def check_steps_argument(input_data, steps, steps_name):
    return data_checks.check_steps(input_data, steps, steps_name)


def check_num_samples(ins, batch_size=None, steps=None, steps_name="steps"):
    """The number of samples, None if they are counted in steps."""
    if steps is not None and batch_size is not None:
        raise ValueError("If " + steps_name + " is set, the `batch_size` must be None.")
    if data_checks.check_steps(ins, steps, steps_name):
        return None
    return int(ins[0].shape[0]) if hasattr(ins[0], "shape") else None


def slice_arrays(arrays, indices, contiguous=True):
    """The rows of an array or tensor, or of each of a list. Rows of a tensor that are not contiguous are gathered one by one."""
    several = isinstance(arrays, list)
    found = arrays if several else [arrays]
    if any(isinstance(x, ops.Tensor) for x in found):
        rows = [x[indices[0]:indices[-1] + 1] if contiguous else engine.concat([x[i:i + 1] for i in indices], axis=0) for x in found]
    else:
        rows = utility_names.slice_arrays(found, indices)
    return rows if several else rows[0]


def generic_output_names(outputs_list):
    return ["output_%d" % (i + 1) for i in range(len(outputs_list))]


def list_to_tuple(maybe_list):
    return tuple(maybe_list) if isinstance(maybe_list, list) else maybe_list


def convert_eager_tensors_to_numpy(structure):
    """The structure with NumPy arrays in place of tensors with values."""
    return nest.map_structure(lambda x: x.numpy() if getattr(x, "_is_eager", False) else x, structure)


def cast_single_tensor(x, dtype=None):
    """An array or tensor of numbers with a point in Keras's type or `dtype`; others stay."""
    x = ops.convert_to_tensor(x) if isinstance(x, np.ndarray) else x
    return basics.cast(x, dtype=dtype or backend.floatx()) if isinstance(x, ops.Tensor) and x.dtype.is_floating else x


def cast_if_floating_dtype(x):
    return nest.map_structure(cast_single_tensor, x)


def prepare_loss_functions(loss, output_names):
    """A loss, or None, for each output."""
    return compiling.loss_objects(loss, output_names)


def get_loss_function(loss):
    return compiling.loss_object(loss)


def get_metric_name(metric, weighted=False):
    return compiling.metric_name(metric, weighted)


def get_metric_function(metric, output_shape=None, loss_fn=None):
    return compiling.metric_function(metric, output_shape, loss_fn)


def convert_to_generator_like(data, batch_size=None, steps_per_epoch=None, epochs=1, shuffle=False):
    """(iterator, steps per epoch) of a generator, Sequence or data set, or of a tuple of arrays and tensors, in which None and [None] do not count."""
    if isinstance(data, tuple):
        data = tuple(one for one in data if not all(e is None for e in nest.flatten(one)))
    if data_checks.is_generator(data) or isinstance(data, Iterator):
        return data, len(data) if data_checks.is_sequence(data) and steps_per_epoch is None else steps_per_epoch
    if is_data_set(data):
        return iter(data) if ops.executing_eagerly() else make_one_shot_iterator(data), steps_per_epoch
    count = int(nest.flatten(data)[0].shape[0])
    if batch_size is None:
        raise ValueError("When passing input data as arrays, do not specify `steps_per_epoch`/`steps` argument. Please use `batch_size` instead.")
    return _batches(data, count, batch_size, epochs, shuffle), int(math.ceil(count / batch_size))


def _batches(data, count, batch_size, epochs, shuffle):
    order = np.arange(count)
    for _ in range(epochs):
        if shuffle:
            np.random.shuffle(order)
        for first in range(0, count, batch_size):
            rows = slice_arrays(nest.flatten(data), order[first:first + batch_size], contiguous=not shuffle)
            yield nest.pack_sequence_as(data, rows)
