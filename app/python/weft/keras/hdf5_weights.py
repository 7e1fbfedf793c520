"""Variables of layers in HDF5 files (tensorflow.python.keras.saving.hdf5_format), also in the formats of Keras 1, Theano and cuDNN."""

import numpy as np

from ..layers.base import assign_arrays
from . import backend

HDF5_OBJECT_HEADER_LIMIT = 64512  # bytes of an attribute


# Attributes, in pieces if they are long.
def save_attributes_to_hdf5_group(group, name, data):
    """Writes a list of texts as an attribute; a long one as several, with a number at the end of the name."""
    long = [x for x in data if len(x) > HDF5_OBJECT_HEADER_LIMIT]
    if long:
        raise RuntimeError("The following attributes cannot be saved to HDF5 file because they are larger than %d bytes: %s" % (HDF5_OBJECT_HEADER_LIMIT, ", ".join(map(_text, long))))
    whole, count = np.asarray(data), 1
    while any(piece.nbytes > HDF5_OBJECT_HEADER_LIMIT for piece in np.array_split(whole, count)):
        count += 1
    if count == 1:
        group.attrs[name] = data
    for i, piece in enumerate(np.array_split(whole, count) if count > 1 else ()):
        group.attrs["%s%d" % (name, i)] = piece


def load_attributes_from_hdf5_group(group, name):
    """The texts that save_attributes_to_hdf5_group() has written."""
    if name in group.attrs:
        return [_text(n) for n in group.attrs[name]]
    found = []
    while "%s%d" % (name, len(found)) in group.attrs:
        found.append([_text(n) for n in group.attrs["%s%d" % (name, len(found))]])
    return [n for piece in found for n in piece]


def _text(name):
    return name.decode() if isinstance(name, bytes) else name


def _stored_order(layer):
    """The variables of a layer in file order: trainable ones first, in nested models too."""
    return layer.trainable_weights + layer.non_trainable_weights


# Writing and reading.
def save_weights_to_hdf5_group(f, layers):
    """Writes the variables of layers, each layer in a group of its own."""
    save_attributes_to_hdf5_group(f, "layer_names", [layer.name.encode() for layer in layers])
    f.attrs["backend"], f.attrs["keras_version"] = b"tensorflow", b"2.2.4-tf"
    for layer in layers:
        group, weights = f.create_group(layer.name), _stored_order(layer)
        names = [w.name.encode() for w in weights]
        save_attributes_to_hdf5_group(group, "weight_names", names)
        for name, value in zip(names, backend.batch_get_value(weights)):
            group.create_dataset(name.decode(), data=value)


def _stored(f):
    """[(layer, its arrays)] of a file, and the Keras version and backend that wrote it."""
    layers = []
    for name in load_attributes_from_hdf5_group(f, "layer_names"):
        layers.append((name, [np.asarray(f[name][w]) for w in load_attributes_from_hdf5_group(f[name], "weight_names")]))
    return layers, _text(f.attrs.get("keras_version", "1")), _text(f.attrs["backend"]) if "backend" in f.attrs else None


def load_weights_from_hdf5_group(f, layers):
    """Reads the variables of layers, in the order of the layers that have any."""
    stored, version, backend_name = _stored(f)
    stored, own = [(name, values) for name, values in stored if values], [layer for layer in layers if _stored_order(layer)]
    if len(stored) != len(own):
        raise ValueError("You are trying to load a weight file containing %d layers into a model with %d layers." % (len(stored), len(own)))
    for k, (layer, (name, values)) in enumerate(zip(own, stored)):
        values, wanted = preprocess_weights_for_loading(layer, values, version, backend_name), _stored_order(layer)
        if len(values) != len(wanted):
            raise ValueError('Layer #%d (named "%s" in the current model) was found to correspond to layer %s in the save file. However the new layer %s expects %d weights, but the '
                             "saved weights have %d elements." % (k, layer.name, name, layer.name, len(wanted), len(values)))
        assign_arrays(layer, wanted, values)


def load_weights_from_hdf5_group_by_name(f, layers):
    """Reads the variables of the layers whose names the file has."""
    stored, version, backend_name = _stored(f)
    for k, (name, values) in enumerate(stored):
        for layer in [layer for layer in layers if layer.name == name]:
            made, wanted = preprocess_weights_for_loading(layer, values, version, backend_name), _stored_order(layer)
            if len(made) != len(wanted):
                raise ValueError('Layer #%d (named "%s") expects %d weight(s), but the saved weights have %d element(s).' % (k, layer.name, len(wanted), len(made)))
            for variable, value in zip(wanted, made):
                if backend.int_shape(variable) != value.shape:
                    raise ValueError('Layer #%d (named "%s"), weight %s has shape %s, but the saved weight has shape %s.' %
                                     (k, layer.name, variable, backend.int_shape(variable), value.shape))
            assign_arrays(layer, wanted, made)


# Other formats.
def preprocess_weights_for_loading(layer, weights, original_keras_version=None, original_backend=None):
    """The arrays of a file in the format of the layer: kernels of Keras 1 and Theano, and those of cuDNN layers for plain ones and the other way round."""
    kind, weights = type(layer).__name__, list(weights)

    def of(part, arrays):
        return preprocess_weights_for_loading(part, arrays, original_keras_version, original_backend)

    if kind == "Bidirectional":
        half = len(weights) // 2
        weights = of(layer.forward_layer, weights[:half]) + of(layer.backward_layer, weights[half:])
    elif kind == "TimeDistributed":
        weights = of(layer.layer, weights)
    elif kind in ("Model", "Sequential"):
        weights = _of_model(layer, weights, of)
    if original_keras_version == "1":
        weights = _from_keras_1(layer, kind, weights)
    if kind in ("Conv1D", "Conv2D", "Conv3D", "Conv2DTranspose", "ConvLSTM2D"):
        kernels = range(2 if kind == "ConvLSTM2D" else 1)
        for i in kernels if original_backend == "theano" else ():
            weights[i] = np.copy(weights[i][tuple([slice(None, None, -1)] * (weights[i].ndim - 2))])
        if backend.int_shape(layer.weights[0]) != weights[0].shape:
            for i in kernels:
                weights[i] = np.transpose(weights[i], (3, 2, 0, 1))
    return _convert_rnn_weights(layer, weights)


def _of_model(model, weights, of):
    count = len(model.trainable_weights)
    trainable, fixed, made = weights[:count], weights[count:], ([], [])
    for layer in model.layers:
        n, m = len(layer.trainable_weights), len(layer.non_trainable_weights)
        if n + m:
            found = of(layer, trainable[:n] + fixed[:m])
            made[0].extend(found[:n])
            made[1].extend(found[n:])
            trainable, fixed = trainable[n:], fixed[m:]
    return made[0] + made[1]


def _joined(weights, order):
    """Kernels, recurrent kernels and biases of the gates, which Keras 1 kept apart."""
    return [np.concatenate([weights[3 * gate + i] for gate in order], axis=-1) for i in range(3)]


def _from_keras_1(layer, kind, weights):
    first = getattr(layer, "data_format", None) == "channels_first"
    if kind == "Conv1D":
        shape = weights[0].shape
        if shape[:2] != (layer.kernel_size[0], 1) or shape[3] != layer.filters:
            assert shape[0] == layer.filters and shape[2:] == (layer.kernel_size[0], 1)
            weights[0] = np.transpose(weights[0], (2, 3, 1, 0))
        weights[0] = weights[0][:, 0, :, :]
    elif kind == "Conv2D" and first:
        weights[0] = np.transpose(weights[0], (2, 3, 1, 0))
    elif kind == "Conv2DTranspose":
        weights[0] = np.transpose(weights[0], (2, 3, 0, 1) if first else (0, 1, 3, 2))
    elif kind == "Conv3D" and first:
        weights[0] = np.transpose(weights[0], (2, 3, 4, 1, 0))
    elif kind == "GRU" and len(weights) == 9:
        weights = _joined(weights, (0, 1, 2))
    elif kind in ("LSTM", "ConvLSTM2D") and len(weights) == 12:
        weights = _joined(weights, (0, 2, 1, 3))
        if kind == "ConvLSTM2D" and first:
            weights[:2] = [np.transpose(w, (2, 3, 1, 0)) for w in weights[:2]]
    return weights


def _by_gates(kernels, function, gates):
    return np.hstack([function(k) for k in np.hsplit(kernels, gates)])


def _transposed(order):
    """A gate's input kernel in the layout of the other format; its shape stays."""
    return lambda kernel: kernel.T.reshape(kernel.shape, order=order)


def _convert_rnn_weights(layer, weights):
    """Weights of LSTM and GRU(reset_after=True) for the cuDNN layers, or theirs for these."""
    target = type(layer).__name__
    if target not in ("LSTM", "CuDNNLSTM", "GRU", "CuDNNGRU") or len(weights) != 3:
        return weights
    is_lstm, units, shape = target in ("LSTM", "CuDNNLSTM"), weights[1].shape[0], weights[2].shape
    gates = 4 if is_lstm else 3
    sources = {(2 * units * gates,): "CuDNNLSTM", (units * gates,): "LSTM"} if is_lstm else {
        (2 * units * gates,): "CuDNNGRU", (2, units * gates): "GRU(reset_after=True)", (units * gates,): "GRU(reset_after=False)"}
    if shape not in sources:
        raise ValueError("Invalid bias shape: " + str(shape))
    source = sources[shape]
    if target == "GRU":
        target = "GRU(reset_after=%s)" % bool(layer.reset_after)
    if source == target:
        return weights
    if "GRU(reset_after=False)" in (source, target):
        raise ValueError("%s is not compatible with %s" % (source, target))
    from_cudnn = source.startswith("CuDNN")
    if is_lstm:
        biases = np.sum(np.split(weights[2], 2, axis=0), axis=0) if from_cudnn else np.tile(0.5 * weights[2], 2)
    else:
        biases = np.array(weights[2]).reshape((2, -1) if from_cudnn else -1)
    return [_by_gates(weights[0], _transposed("F" if from_cudnn else "C"), gates), _by_gates(weights[1], lambda k: k.T, gates), biases]
