"""tf.signal: frames, windows, short-time Fourier transforms, cosine transforms, mel scales."""

import math

import numpy as np

from . import basics, dtypes, engine, ops
from .control_flow import cond
from .exports import export
from .loops import while_loop
from .operators import strided_slice
from .ops import constant_value, Tensor

_LOWEST_BREAK, _MEL_FACTOR = 700.0, 1127.0


def _number(x, name):
    x = ops.convert_to_tensor(x, name=name)
    x.shape.assert_has_rank(0)
    return x


def _greatest_divisor(a, b):
    with ops.name_scope(None, "gcd", [a, b]):
        known = constant_value(a), constant_value(b)
        if None not in known:
            return ops.convert_to_tensor(math.gcd(int(known[0]), int(known[1])))
        return while_loop(lambda _, y: engine.greater(y, engine.zeros_like(y)), lambda x, y: [y, engine.mod(x, y)], [a, b])[0]


def _power_of_two(value):
    known = constant_value(value)
    if known is not None:
        return ops.constant(int(2 ** np.ceil(np.log(known) / np.log(2.0))), value.dtype)
    return basics.cast(engine.pow(2.0, engine.math.ceil(engine.log(basics.cast(value, dtypes.float32)) / engine.log(2.0))), value.dtype)


def _frame_shape(signal, frame_length, frame_step, pad_end, axis):
    length, step, axis = constant_value(frame_length), constant_value(frame_step), constant_value(axis)
    if signal.shape.ndims is None or axis is None:
        return None
    sizes = signal.shape.as_list()
    axis = int(axis) % len(sizes)
    frames, n = None, sizes[axis]
    if n is not None and step is not None and length is not None:
        frames = -(-n // int(step)) if pad_end else max(0, 1 + (n - int(length)) // int(step))
    return sizes[:axis] + [frames, None if length is None else int(length)] + sizes[axis + 1:]


@export("signal.frame", "contrib.signal.frame")
def frame(signal, frame_length, frame_step, pad_end=False, pad_value=0, axis=-1, name=None):
    """Segments of length frame_length, each starting frame_step after the one before."""
    with ops.name_scope(name, "frame", [signal, frame_length, frame_step, pad_value]):
        signal = ops.convert_to_tensor(signal, name="signal")
        frame_length, frame_step, axis = (ops.convert_to_tensor(x, name=n) for x, n in ((frame_length, "frame_length"), (frame_step, "frame_step"), (axis, "axis")))
        signal.shape.with_rank_at_least(1)
        for x in (frame_length, frame_step, axis):
            x.shape.assert_has_rank(0)
        known = _frame_shape(signal, frame_length, frame_step, pad_end, axis)
        rank = basics.rank(signal)
        axis = engine.range(rank)[axis]
        shape = basics.shape(signal)
        outer, length, inner = engine.split(shape, [axis, 1, rank - 1 - axis])
        length = engine.reshape(length, [])
        outer_count, inner_count = basics.size(outer), basics.size(inner)
        if pad_end:
            pad_value = ops.convert_to_tensor(pad_value, signal.dtype)
            pad_value.shape.assert_has_rank(0)
            frames = -(-length // frame_step)
            missing = engine.maximum(0, frame_length + frame_step * (frames - 1) - length)
            paddings = engine.concat([engine.zeros([outer_count, 2], dtype=missing.dtype), [[0, missing]], engine.zeros([inner_count, 2], dtype=missing.dtype)], 0)
            signal = engine.pad(signal, paddings, constant_values=pad_value)
            shape = basics.shape(signal)
            length = shape[axis]
        else:
            frames = engine.maximum(0, 1 + (length - frame_length) // frame_step)
        piece = _greatest_divisor(frame_length, frame_step)
        per_frame, per_hop, count = frame_length // piece, frame_step // piece, length // piece
        cut = engine.concat([outer, [count * piece], inner], 0)
        pieces_shape = engine.concat([outer, [count, piece], inner], 0)
        pieces = engine.reshape(strided_slice(signal, engine.zeros_like(shape), cut), pieces_shape)
        which = engine.reshape(engine.range(frames) * per_hop, [frames, 1])
        inside = engine.reshape(engine.range(per_frame), [1, per_frame])
        selected = which + inside
        made = engine.reshape(engine.gather(pieces, selected, axis=axis), engine.concat([outer, [frames, frame_length], inner], 0))
        if known:
            made.set_shape(known)
        return made


def _cosine_window(name, default_name, window_length, periodic, dtype, a, b):
    dtype = dtypes.as_dtype(dtype)
    if not dtype.is_floating:
        raise ValueError("dtype must be a floating point type. Found %s" % dtype)
    with ops.name_scope(name, default_name, [window_length, periodic]):
        window_length = ops.convert_to_tensor(window_length, dtype=dtypes.int32, name="window_length")
        window_length.shape.assert_has_rank(0)
        known = constant_value(window_length)
        if known == 1:
            return engine.ones([1], dtype=dtype)
        periodic = basics.cast(ops.convert_to_tensor(periodic, dtype=dtypes.bool_, name="periodic"), dtypes.int32)
        even = 1 - engine.mod(window_length, 2)
        n = basics.cast(window_length + periodic * even - 1, dtype=dtype)
        count = basics.cast(engine.range(window_length), dtype)
        angle = ops.constant(2 * np.pi, dtype=dtype) * count / n
        if known is not None:
            return basics.cast(a - b * engine.cos(angle), dtype=dtype)
        return cond(engine.equal(window_length, 1), lambda: engine.ones([1], dtype=dtype), lambda: basics.cast(a - b * engine.cos(angle), dtype=dtype))


@export("signal.hann_window", "contrib.signal.hann_window")
def hann_window(window_length, periodic=True, dtype=dtypes.float32, name=None):
    """0.5 - 0.5 cos."""
    return _cosine_window(name, "hann_window", window_length, periodic, dtype, 0.5, 0.5)


@export("signal.hamming_window", "contrib.signal.hamming_window")
def hamming_window(window_length, periodic=True, dtype=dtypes.float32, name=None):
    """0.54 - 0.46 cos."""
    return _cosine_window(name, "hamming_window", window_length, periodic, dtype, 0.54, 0.46)


@export("signal.stft", "contrib.signal.stft")
def stft(signals, frame_length, frame_step, fft_length=None, window_fn=hann_window, pad_end=False, name=None):
    """The short-time Fourier transform: spectra of the frames of signals."""
    with ops.name_scope(name, "stft", [signals, frame_length, frame_step]):
        signals = ops.convert_to_tensor(signals, name="signals")
        signals.shape.with_rank_at_least(1)
        frame_length, frame_step = _number(frame_length, "frame_length"), _number(frame_step, "frame_step")
        fft_length = _power_of_two(frame_length) if fft_length is None else ops.convert_to_tensor(fft_length, name="fft_length")
        framed = frame(signals, frame_length, frame_step, pad_end=pad_end)
        if window_fn is not None:
            framed *= window_fn(frame_length, dtype=framed.dtype)
        return engine.signal.rfft(framed, [fft_length])


@export("signal.overlap_and_add", "contrib.signal.overlap_and_add")
def overlap_and_add(signal, frame_step, name=None):
    """Reassembles frames: overlapping parts are added."""
    with ops.name_scope(name, "overlap_and_add", [signal, frame_step]):
        signal = ops.convert_to_tensor(signal, name="signal")
        signal.shape.with_rank_at_least(2)
        frame_step = _number(frame_step, "frame_step")
        if not frame_step.dtype.is_integer:
            raise ValueError("frame_step must be an integer. Got %s" % frame_step.dtype)
        shape = basics.shape(signal)
        outer = shape[:-2]
        outer_rank = basics.size(outer)

        def full(inner):
            return engine.concat([outer, inner], 0)

        length, frames = shape[-1], shape[-2]
        wanted = length + frame_step * (frames - 1)
        known = constant_value(frame_step)
        if known is not None and signal.shape.ndims is not None and known == signal.shape.as_list()[-1]:
            return engine.reshape(signal, full([wanted]), name="fast_path")
        segments = -(-length // frame_step)
        paddings = [[0, segments], [0, segments * frame_step - length]]
        signal = engine.pad(signal, engine.concat([engine.zeros([outer_rank, 2], dtypes.int32), paddings], 0))
        signal = engine.reshape(signal, full([frames + segments, segments, frame_step]))
        signal = engine.transpose(signal, engine.concat([engine.range(outer_rank), outer_rank + [1, 0, 2]], 0))
        signal = engine.reshape(signal, full([(frames + segments) * segments, frame_step]))
        signal = signal[..., :(frames + segments - 1) * segments, :]
        signal = engine.reshape(signal, full([segments, (frames + segments - 1), frame_step]))
        signal = engine.reshape(engine.reduce_sum(signal, -3), full([(frames + segments - 1) * frame_step]))
        return signal[..., :wanted]


@export("signal.inverse_stft", "contrib.signal.inverse_stft")
def inverse_stft(stfts, frame_length, frame_step, fft_length=None, window_fn=hann_window, name=None):
    """Signals from the spectra of frames."""
    with ops.name_scope(name, "inverse_stft", [stfts]):
        stfts = ops.convert_to_tensor(stfts, name="stfts")
        stfts.shape.with_rank_at_least(2)
        frame_length, frame_step = _number(frame_length, "frame_length"), _number(frame_step, "frame_step")
        fft_length = _power_of_two(frame_length) if fft_length is None else _number(fft_length, "fft_length")
        frames = engine.signal.irfft(stfts, [fft_length])
        known, size = constant_value(frame_length), frames.shape.as_list()[-1] if frames.shape.ndims is not None else None
        if known is None or size is None:
            frames = frames[..., :frame_length]
            rank, shape = basics.rank(frames), basics.shape(frames)
            frames = engine.pad(frames, engine.concat([engine.zeros([rank - 1, 2], dtype=frame_length.dtype), [[0, engine.maximum(0, frame_length - shape[-1])]]], 0))
        elif size > known:
            frames = frames[..., :int(known)]
        elif size < known:
            frames = engine.pad(frames, [[0, 0]] * (frames.shape.ndims - 1) + [[0, int(known) - size]])
        if known is not None and frames.shape.ndims is not None:
            frames.set_shape([None] * (frames.shape.ndims - 1) + [int(known)])
        if window_fn is not None:
            frames *= window_fn(frame_length, dtype=stfts.dtype.real_dtype)
        return overlap_and_add(frames, frame_step)


@export("signal.inverse_stft_window_fn", "contrib.signal.inverse_stft_window_fn")
def inverse_stft_window_fn(frame_step, forward_window_fn=hann_window, name=None):
    """The window with which inverse_stft inverts stft."""
    with ops.name_scope(name, "inverse_stft_window_fn", [forward_window_fn]):
        frame_step = _number(frame_step, "frame_step")

    def window(frame_length, dtype):
        with ops.name_scope(name, "inverse_stft_window_fn", [forward_window_fn]):
            frame_length = _number(frame_length, "frame_length")
            forward = forward_window_fn(frame_length, dtype=dtype)
            sums = engine.square(forward)
            overlaps = -(-frame_length // frame_step)
            sums = engine.pad(sums, [(0, overlaps * frame_step - frame_length)])
            sums = engine.reduce_sum(engine.reshape(sums, [overlaps, frame_step]), 0, keepdims=True)
            sums = engine.reshape(engine.tile(sums, [overlaps, 1]), [overlaps * frame_step])
            return forward / sums[:frame_length]

    return window


def _check_cosine(tensor, kind, n, axis, norm):
    if axis != -1:
        raise NotImplementedError("axis must be -1. Got: %s" % axis)
    if n is not None and n < 1:
        raise ValueError("n should be a positive integer or None")
    if kind not in (1, 2, 3):
        raise ValueError("Only Types I, II and III (I)DCT are supported.")
    if kind == 1:
        if norm == "ortho":
            raise ValueError("Normalization is not supported for the Type-I DCT.")
        if np.shape(tensor)[-1] < 2 if not isinstance(tensor, Tensor) else (tensor.shape.as_list()[-1] or 2) < 2:
            raise ValueError("Type-I DCT requires the dimension to be greater than one.")
    if norm not in (None, "ortho"):
        raise ValueError("Unknown normalization. Expected None or 'ortho', got: %s" % norm)


@export("signal.dct", "spectral.dct")
def dct(input, type=2, n=None, axis=-1, norm=None, name=None):
    """The cosine transform of type 1, 2 or 3 over the last dimension."""
    _check_cosine(input, type, n, axis, norm)
    with ops.name_scope(name, "dct", [input]):
        input = ops.convert_to_tensor(input, dtype=dtypes.float32)
        length = input.shape.as_list()[-1] or basics.shape(input)[-1]
        if n is not None:
            if n <= length:
                input = input[..., 0:n]
            else:
                paddings = [[0, 0] for _ in input.shape.as_list()]
                paddings[-1][1] = n - length
                input = engine.pad(input, paddings=ops.convert_to_tensor(paddings, dtype=dtypes.int32))
        size = input.shape.as_list()[-1] or basics.shape(input)[-1]
        size_f = basics.cast(size, dtypes.float32)
        if type == 1:
            return engine.real(engine.signal.rfft(engine.concat([input, input[..., -2:0:-1]], axis=-1)))
        if type == 2:
            scale = 2.0 * engine.exp(engine.complex(0.0, -engine.range(size_f) * math.pi * 0.5 / size_f))
            made = engine.real(engine.signal.rfft(input, fft_length=[2 * size])[..., :size] * scale)
            if norm == "ortho":
                first = 0.5 * engine.rsqrt(size_f)
                rest = first * engine.sqrt(2.0)
                made *= engine.pad(engine.expand_dims(first, 0), [[0, size - 1]], constant_values=rest)
            return made
        if norm == "ortho":
            first = engine.sqrt(size_f)
            rest = first * engine.sqrt(0.5)
            input *= engine.pad(engine.expand_dims(first, 0), [[0, size - 1]], constant_values=rest)
        else:
            input *= size_f
        scale = 2.0 * engine.exp(engine.complex(0.0, engine.range(size_f) * math.pi * 0.5 / size_f))
        return engine.real(engine.signal.irfft(scale * engine.complex(input, 0.0), fft_length=[2 * size]))[..., :size]


@export("signal.idct", "spectral.idct")
def idct(input, type=2, n=None, axis=-1, norm=None, name=None):
    """The inverse of dct() up to a factor."""
    _check_cosine(input, type, n, axis, norm)
    return dct(input, type={1: 1, 2: 3, 3: 2}[type], n=n, axis=axis, norm=norm, name=name)


def _mel(hertz):
    with ops.name_scope(None, "hertz_to_mel", [hertz]):
        return _MEL_FACTOR * engine.log(1.0 + (ops.convert_to_tensor(hertz) / _LOWEST_BREAK))


@export("signal.linear_to_mel_weight_matrix", "contrib.signal.linear_to_mel_weight_matrix")
def linear_to_mel_weight_matrix(num_mel_bins=20, num_spectrogram_bins=129, sample_rate=8000, lower_edge_hertz=125.0, upper_edge_hertz=3800.0, dtype=dtypes.float32, name=None):
    """A matrix with the weight of each frequency in each band of the mel scale."""
    with ops.name_scope(name, "linear_to_mel_weight_matrix") as name:
        if isinstance(sample_rate, Tensor):
            sample_rate = constant_value(sample_rate)
            if sample_rate is None:
                raise ValueError("`sample_rate` was a non-constant Tensor. Must be a Python float or a constant Tensor.")
        for wrong, text in ((num_mel_bins <= 0, "num_mel_bins must be positive. Got: %s" % num_mel_bins), (lower_edge_hertz < 0.0, "lower_edge_hertz must be non-negative. Got: %s" %
                            lower_edge_hertz), (lower_edge_hertz >= upper_edge_hertz, "lower_edge_hertz %.1f >= upper_edge_hertz %.1f" % (lower_edge_hertz, upper_edge_hertz)),
                            (sample_rate <= 0.0, "sample_rate must be positive. Got: %s" % sample_rate),
                            (upper_edge_hertz > sample_rate / 2, "upper_edge_hertz must not be larger than the Nyquist frequency (sample_rate / 2). Got %s for sample_rate: %s" %
                             (upper_edge_hertz, sample_rate)), (not dtypes.as_dtype(dtype).is_floating, "dtype must be a floating point type. Got: %s" % dtype)):
            if wrong:
                raise ValueError(text)
        rate, low, high = (ops.convert_to_tensor(x, dtype, name=n) for x, n in ((sample_rate, "sample_rate"), (lower_edge_hertz, "lower_edge_hertz"),
                                                                              (upper_edge_hertz, "upper_edge_hertz")))
        zero = ops.convert_to_tensor(0.0, dtype)
        frequencies = engine.linspace(zero, rate / 2.0, num_spectrogram_bins)[1:]
        bins = engine.expand_dims(_mel(frequencies), 1)
        edges = frame(engine.linspace(_mel(low), _mel(high), num_mel_bins + 2), frame_length=3, frame_step=1)
        left, middle, right = (engine.reshape(t, [1, num_mel_bins]) for t in engine.split(edges, 3, axis=1))
        rising, falling = (bins - left) / (middle - left), (right - bins) / (right - middle)
        return engine.pad(engine.maximum(zero, engine.minimum(rising, falling)), [[1, 0], [0, 0]], name=name)


@export("signal.mfccs_from_log_mel_spectrograms", "contrib.signal.mfccs_from_log_mel_spectrograms")
def mfccs_from_log_mel_spectrograms(log_mel_spectrograms, name=None):
    """Mel-frequency cepstral coefficients."""
    with ops.name_scope(name, "mfccs_from_log_mel_spectrograms", [log_mel_spectrograms]):
        spectra = ops.convert_to_tensor(log_mel_spectrograms, dtype=dtypes.float32)
        bins = spectra.shape.as_list()[-1] if spectra.shape.ndims else None
        if bins == 0:
            raise ValueError("num_mel_bins must be positive. Got: %s" % log_mel_spectrograms)
        bins = basics.shape(spectra)[-1] if bins is None else bins
        return dct(spectra, type=2) * engine.rsqrt(basics.cast(bins, dtypes.float32) * 2.0)


def _shift(x, axes, name, sign, default):
    with ops.name_scope(name, default) as name:
        x = ops.convert_to_tensor(x)
        sizes = x.shape.as_list()
        if axes is None:
            axes, by = tuple(range(len(sizes))), [sign * (n // 2) for n in sizes]
        elif isinstance(axes, int):
            by = sign * (sizes[axes] // 2)
        else:
            by = [sign * (sizes[a] // 2) for a in axes]
        return engine.roll(x, by, axes, name)


@export("signal.fftshift")
def fftshift(x, axes=None, name=None):
    """Moves the zero frequency to the middle."""
    return _shift(x, axes, name, 1, "fftshift")


@export("signal.ifftshift")
def ifftshift(x, axes=None, name=None):
    """The inverse of fftshift()."""
    return _shift(x, axes, name, -1, "ifftshift")
