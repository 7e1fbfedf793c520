"""Checks of the data for Keras models, and conversion to lists of arrays in the order of inputs and outputs."""

import collections.abc

import numpy as np

from .. import context, engine
from ..data.dataset import Dataset
from ..data.experimental import cardinality, INFINITE_CARDINALITY
from ..data.iterators import Iterator
from ..layers.values import get_session
from ..ops import Tensor
from ..platform import tf_logging as logging
from ..sparse_tensor import SparseTensor, SparseTensorValue
from ..variable_base import Variable


def is_tensor(x):
    return isinstance(x, (Tensor, SparseTensor, Variable))


def has_tensors(x):
    """Whether the data contain tensors of a graph."""
    return any(is_tensor(v) for v in (x.values() if isinstance(x, dict) else x if isinstance(x, (list, tuple)) else [x]))


def is_data_set(x):
    return isinstance(x, Dataset)


def is_eager_data_set(x):
    """Whether the data are a data set whose elements have values at once."""
    return is_data_set(x) and getattr(x._variant_tensor, "_is_eager", False)


def is_iterator(x):
    return isinstance(x, Iterator)


def is_sequence(x):
    """Whether data are a keras.utils.Sequence or have its methods, so that batches are read by index."""
    return hasattr(x, "__getitem__") and hasattr(x, "__len__") and hasattr(x, "on_epoch_end")


def is_generator(x):
    """Whether the data are a generator or a Sequence."""
    return hasattr(x, "__next__") and not is_iterator(x) or is_sequence(x)


def _is_sparse(x):
    return isinstance(x, (SparseTensor, SparseTensorValue))


def unknown_keys(what, given, expected):
    unknown = set(given).difference(expected)
    if unknown:
        raise ValueError("Unknown entries in {} dictionary: {}. Only expected following keys: {}".format(what, list(unknown), expected))


def _one_array(x, shape=None):
    """Converts a one-dimensional array to a column, unless the model expects one dimension."""
    if x is None or _is_sparse(x):
        return x
    if isinstance(x, int):
        raise ValueError("Expected an array data type but received an integer: {}".format(x))
    if x.shape is not None and len(x.shape) == 1 and (shape is None or len(shape) != 1):
        return engine.expand_dims(x, axis=1) if is_tensor(x) else np.expand_dims(x, 1)
    return x


def _frame(x):
    return x.values if type(x).__name__ == "DataFrame" else x


def arrays_by_name(data, names, shapes=None, what=""):
    """A list of arrays, one per name, from an array, a list, or a dict. `shapes`: the required shapes except for the batch."""
    try:
        count = len(data)
    except TypeError:  # None, or a tensor
        count = None
    if not names:
        if count and not isinstance(data, dict):
            raise ValueError("Error when checking model " + what + ": expected no data, but got:", data)
        return []
    if data is None:
        return [None] * len(names)
    if isinstance(data, dict):
        try:
            data = [_frame(data[n]) for n in names]
        except KeyError as e:
            raise ValueError('No data provided for "' + e.args[0] + '". Need data for each key in: ' + str(names)) from None
    elif isinstance(data, (list, tuple)):
        if isinstance(data[0], (list, tuple)) and not _is_sparse(data[0]):
            data = [np.asarray(d) for d in data]
        elif len(names) == 1 and isinstance(data[0], (float, int)):
            data = [np.asarray(data)]
        else:
            data = [_frame(x) for x in data]
    else:
        data = [_frame(data)]
    data = [_one_array(x, s) for x, s in zip(data, shapes)] if shapes is not None else [_one_array(x) for x in data]
    if len(data) != len(names):
        _wrong_count(data, names, what)
        data = [np.asarray(data)]
    for x, name, shape in zip(data, names, shapes or ()):
        if shape is not None:
            _check_shape(x, name, shape, what)
    return data


def _wrong_count(data, names, what):
    start = "Error when checking model " + what + ": "
    if data and hasattr(data[0], "shape"):
        raise ValueError(start + "the list of Numpy arrays that you are passing to your model is not the size the model expected. Expected to see " + str(len(names)) +
                         " array(s), but instead got the following list of " + str(len(data)) + " arrays: " + str(data)[:200] + "...")
    if len(names) > 1:
        raise ValueError(start + "you are passing a list as input to your model, but the model expects a list of " + str(len(names)) +
                         " Numpy arrays instead. The list you passed was: " + str(data)[:200])
    if len(data) == 1 and not hasattr(data[0], "shape"):
        raise TypeError(start + "data should be a Numpy array, or list/dict of Numpy arrays. Found: " + str(data)[:200] + "...")


def _check_shape(x, name, shape, what):
    if is_tensor(x):
        if x.shape.ndims is None:
            return
        given = tuple(x.shape.as_list())
    elif _is_sparse(x):
        given = tuple(int(n) for n in x.dense_shape)
    else:
        given = tuple(x.shape)
    if len(given) != len(shape):
        raise ValueError("Error when checking " + what + ": expected " + name + " to have " + str(len(shape)) + " dimensions, but got array with shape " + str(given))
    given, shape = given[1:], tuple(shape[1:])
    if any(want is not None and have is not None and want != have for have, want in zip(given, shape)):
        raise ValueError("Error when checking " + what + ": expected " + name + " to have shape " + str(shape) + " but got array with shape " + str(given))


def weights_by_output(given, names, what):
    """One `sample_weight` or `class_weight` for each output."""
    if given is None or isinstance(given, (list, tuple)) and len(given) == 0:
        return [None] * len(names)
    if len(names) == 1:
        if isinstance(given, (list, tuple)) and len(given) == 1:
            return given
        return [given[names[0]] if isinstance(given, dict) and names[0] in given else given]
    if isinstance(given, (list, tuple)):
        if len(given) != len(names):
            raise ValueError("Provided `" + what + "` was a list of " + str(len(given)) + " elements, but the model has " + str(len(names)) +
                             " outputs. You should provide one `" + what + "`array per model output.")
        return given
    if isinstance(given, collections.abc.Mapping):
        unknown_keys(what, given, names)
        return [given.get(n) for n in names]
    raise TypeError("The model has multiple outputs, so `" + what + "` should be either a list or a dict. Provided `" + what + "` type not understood: " + str(given))


def sample_weights(y, weight=None, class_weight=None, mode=None):
    """The weights of an output's samples (or steps) from sample weights and class weights; None if neither is given."""
    if isinstance(weight, tuple):
        weight = weight[0]
    if mode is not None and mode != "samplewise":
        if mode != "temporal":
            raise ValueError('"sample_weight_mode should be None or "temporal". Found: ' + str(mode))
        if len(y.shape) < 3:
            raise ValueError("Found a sample_weight array for an input with shape " + str(y.shape) + ". Timestep-wise sample weighting (use of "
                             'sample_weight_mode="temporal") is restricted to outputs that are at least 3D, i.e. that have a time dimension.')
        if weight is not None and len(weight.shape) != 2:
            raise ValueError("Found a sample_weight array with shape " + str(weight.shape) + ". In order to use timestep-wise sample weighting, you should pass a 2D "
                             "sample_weight array.")
    elif weight is not None and len(weight.shape) != 1:
        raise ValueError("Found a sample_weight array with shape " + str(weight.shape) + ". In order to use timestep-wise sample weights, you should specify "
                         'sample_weight_mode="temporal" in compile(). If you just mean to use sample-wise weights, make sure your sample_weight array is 1D.')
    if weight is not None:
        if len(weight.shape) > len(y.shape):
            raise ValueError("Found a sample_weight with shape" + str(weight.shape) + ".Expected sample_weight with rank less than or equal to " + str(len(y.shape)))
        if not is_tensor(weight) and y.shape[:weight.ndim] != weight.shape:
            raise ValueError("Found a sample_weight array with shape " + str(weight.shape) + " for an input with shape " + str(y.shape) + ". sample_weight cannot be broadcast.")
    by_class = _weights_of_classes(y, class_weight) if isinstance(class_weight, dict) else None
    if by_class is not None and weight is not None:
        return by_class * weight
    return weight if weight is not None else by_class


def _weights_of_classes(y, table):
    if len(y.shape) > 2:
        raise ValueError("`class_weight` not supported for 3+ dimensional targets.")
    classes = y if len(y.shape) < 2 else np.argmax(y, axis=1) if y.shape[1] > 1 else np.reshape(y, y.shape[0])
    found = np.asarray([table[c] for c in classes if c in table])
    if len(found) != len(classes):
        raise ValueError("`class_weight` must contain all classes in the data. The classes %s exist in the data but not in `class_weight`." % (set(classes) - set(table),))
    return found


def check_lengths(inputs, targets, weights):
    """ValueError unless all arrays have the same number of samples."""
    def lengths(arrays):
        return {int(a.shape[0]) for a in arrays or () if a is not None and not is_tensor(a) and not _is_sparse(a)}

    x, y, w = lengths(inputs), lengths(targets), lengths(weights)
    for found, arrays, what in ((x, inputs, "All input arrays (x)"), (y, targets, "All target arrays (y)")):
        if len(found) > 1:
            raise ValueError(what + " should have the same number of samples. Got array shapes: " + str([a.shape for a in arrays]))
    if x and y and x != y:
        raise ValueError("Input arrays should have the same number of samples as target arrays. Found " + str(min(x)) + " input samples and " + str(min(y)) + " target samples.")
    if len(w) > 1:
        raise ValueError("All sample_weight arrays should have the same number of samples. Got array shapes: " + str([a.shape for a in weights]))
    if y and w and y != w:
        raise ValueError("Sample_weight arrays should have the same number of samples as target arrays. Got " + str(min(y)) + " input samples and " + str(min(w)) +
                         " target samples.")


def check_targets(targets, loss_functions, shapes):
    """ValueError if the shape of a target does not fit its loss."""
    from . import losses

    strict = (losses.mean_squared_error, losses.binary_crossentropy, losses.categorical_crossentropy)
    for y, loss, shape in zip(targets, loss_functions, shapes):
        if y is None or loss is None or is_tensor(y):
            continue
        function = loss.fn if isinstance(loss, losses.LossFunctionWrapper) else loss
        name = getattr(loss, "name", None) or getattr(function, "__name__", None)
        if (function is losses.categorical_crossentropy or getattr(loss, "__name__", None) == "categorical_crossentropy") and y.shape[-1] == 1:
            raise ValueError("You are passing a target array of shape " + str(y.shape) + " while using as loss `categorical_crossentropy`. `categorical_crossentropy` expects "
                             "targets to be binary matrices (1s and 0s) of shape (samples, classes). If your targets are integer classes, you can convert them to the expected "
                             "format via:\n```\nfrom keras.utils import to_categorical\ny_binary = to_categorical(y_int)\n```\n\nAlternatively, you can use the loss function "
                             "`sparse_categorical_crossentropy` instead, which does expect integer targets.")
        if any(function is f for f in strict) and any(out is not None and have != out for have, out in zip(y.shape[1:], shape[1:])):
            raise ValueError("A target array with shape " + str(y.shape) + " was passed for an output of shape " + str(shape) + " while using as loss `" + name +
                             "`. This loss expects targets to have the same shape as the output.")


def check_steps(data, steps, name):
    """Whether such data are counted in steps; ValueError if the number of steps is required but missing."""
    if data is None or is_iterator(data) or has_tensors(data) or isinstance(data, list) and not data:
        if steps is None:
            raise ValueError("When using %s as input to a model, you should specify the `%s` argument." % ("a Dataset iterator" if is_iterator(data) else "data tensors", name))
        return True
    if is_data_set(data):
        return True
    arrays = (np.ndarray, list, tuple)
    if steps is not None and (isinstance(data, arrays) or isinstance(data, dict) and any(isinstance(v, arrays) for v in data.values())):
        logging.warning("When passing input data as arrays, do not specify `steps_per_epoch`/`steps` argument. Please use `batch_size` instead.")
    return False


def check_data_set(x, y, sample_weight, validation_split=None):
    """ValueError for arguments that do not apply to a data set, which provides targets and weights itself."""
    if y is not None:
        raise ValueError("You passed a dataset or dataset iterator (%s) as input `x` to your model. In that case, you should not specify a target (`y`) argument, since the "
                         "dataset or dataset iterator generates both input data and target data. Received: %s" % (x, y))
    if sample_weight is not None:
        raise ValueError("`sample_weight` argument is not supported when input `x` is a dataset or a dataset iterator. Instead, youcan provide sample_weight as the third "
                         "element  of yourdataset, i.e. (inputs, targets, sample_weight). Received: x=%s, sample_weight=%s" % (x, sample_weight))
    if validation_split is not None and validation_split != 0.0:
        raise ValueError("`validation_split` argument is not supported when input `x` is a dataset or a dataset iterator. Received: x=%s, validation_split=%f" %
                         (x, validation_split))


def check_generator(y=None, sample_weight=None, validation_split=None):
    """ValueError for arguments that do not apply to a generator or Sequence."""
    if y is not None:
        raise ValueError("`y` argument is not supported when data isa generator or Sequence instance. Instead pass targets as the second element of the generator.")
    if sample_weight is not None:
        raise ValueError("`sample_weight` argument is not supported when data isa generator or Sequence instance. Instead pass sample weights as the third element of the "
                         "generator.")
    if validation_split:
        raise ValueError("If your data is in the form of a Python generator, you cannot use `validation_split`.")


def check_types(given, original, allow_dict=True, what="inputs"):
    """ValueError unless the data for a model that is not built yet are arrays or tensors."""
    values = given if isinstance(given, (list, tuple)) else [given]
    if isinstance(given, dict):
        if not allow_dict:
            raise ValueError("You cannot pass a dictionary as model {}.".format(what))
    elif not all(isinstance(v, np.ndarray) or is_tensor(v) for v in values):
        raise ValueError("Please provide as model inputs either a single array or a list of arrays. You passed: {}={}".format(what, original))


def unpack_validation(data):
    """(inputs, targets, weights) from the validation_data of fit()."""
    if is_data_set(data) or is_iterator(data):
        return data, None, None
    if len(data) not in (2, 3):
        raise ValueError("When passing a `validation_data` argument, it must contain either 2 items (x_val, y_val), or 3 items (x_val, y_val, val_sample_weights), or "
                         "alternatively it could be a dataset or a dataset or a dataset iterator. However we received `validation_data=%s`" % (data,))
    return tuple(data) + (None,) * (3 - len(data))


def validates_after(frequency, epoch):
    """Whether to validate after an epoch (counted from 0); validation_freq is a number or a collection of epochs (counted from 1)."""
    if isinstance(frequency, int):
        if frequency < 1:
            raise ValueError("`validation_freq` can not be less than 1.")
        return (epoch + 1) % frequency == 0
    if not isinstance(frequency, collections.abc.Container):
        raise ValueError("`validation_freq` must be an Integer or `collections_abc.Container` (e.g. list, tuple, etc.)")
    return epoch + 1 in frequency


def steps_of_data_set(data, steps, steps_name):
    """The number of steps per epoch: the given one, else the batches of the data set, None if unknown; ValueError if it is infinite."""
    if steps is not None:
        return steps
    if is_eager_data_set(data):
        with context.eager_graph().as_default():
            count = int(cardinality(data).numpy())
    else:
        count = int(get_session().run(cardinality(data)))
    if count == INFINITE_CARDINALITY:
        raise ValueError("When passing an infinitely repeating dataset, you must specify the `%s` argument." % steps_name)
    return count if count >= 0 else None


def slices(arrays, rows):
    """The rows of each array."""
    if not isinstance(rows, slice) and hasattr(rows, "tolist"):
        rows = rows.tolist()  # h5py data sets accept only lists
    return [None if a is None else a[rows] for a in arrays]


def batch_shuffle(index_array, batch_size):
    """The indices with whole batches in another order; those behind the last whole batch stay."""
    full = len(index_array) // batch_size
    rows = index_array[:full * batch_size].reshape(full, batch_size)
    np.random.shuffle(rows)
    return np.append(rows.flatten(), index_array[full * batch_size:])
