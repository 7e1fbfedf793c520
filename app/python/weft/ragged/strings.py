"""tf.strings functions that return ragged tensors."""

from .. import basics, dtypes, engine, ops
from ..exports import export
from ..ops import Tensor
from ..sparse_tensor import SparseTensor
from .tensor import RaggedTensor, convert_to_tensor_or_ragged_tensor, is_ragged
from .tiles import expand_dims


@export("strings.bytes_split")
def bytes_split(input, name=None):
    """The bytes of each string."""
    with ops.name_scope(name, "StringsByteSplit", [input]):
        input = convert_to_tensor_or_ragged_tensor(input, name="input")
        if is_ragged(input):
            return input.with_flat_values(bytes_split(input.flat_values))
        rank = input.shape.ndims
        if rank is None:
            raise ValueError("input must have a statically-known rank.")
        if rank == 0:
            return bytes_split(engine.stack([input]))[0]
        if rank > 1:
            return bytes_split(RaggedTensor.from_tensor(input))
        made = engine.raw_ops.StringSplit(input=input, delimiter="", skip_empty=False)
        return RaggedTensor.from_value_rowids(values=made.values, value_rowids=made.indices[:, 0], nrows=made.shape[0], validate=False)


@export("strings.unicode_encode")
def unicode_encode(input, output_encoding, errors="replace", replacement_char=65533, name=None):
    """Strings from rows of code points."""
    rest = output_encoding, errors, replacement_char
    with ops.name_scope(name, "UnicodeEncode", [input]):
        input = convert_to_tensor_or_ragged_tensor(input)
        rank = input.shape.ndims
        if rank is None:
            raise ValueError("Rank of input_tensor must be statically known.")
        if is_ragged(input):
            if input.flat_values.shape.ndims > 1:
                return input.with_flat_values(unicode_encode(input.flat_values, *rest))
            if input.ragged_rank > 1:
                return input.with_values(unicode_encode(input.values, *rest))
            return engine.raw_ops.UnicodeEncode(input_values=input.values, input_splits=input.row_splits, output_encoding=output_encoding, errors=errors,
                                                replacement_char=replacement_char)
        if rank == 2:
            return unicode_encode(RaggedTensor.from_tensor(input), *rest)
        if rank > 2:
            flat = engine.reshape(input, engine.stack([-1, basics.shape(input)[-1]]))
            return engine.reshape(unicode_encode(flat, *rest), input.shape[:-1])
        if rank == 0:
            raise ValueError("input_tensor's rank must be at least 1.")
        one_row = RaggedTensor.from_row_splits(input, engine.stack([0, basics.shape(input, out_type=dtypes.int32)[0]]), validate=False)
        return engine.reshape(unicode_encode(one_row, *rest), [])


def _decode(input, encoding, errors, replacement_char, replace_control_characters, offsets):
    input = convert_to_tensor_or_ragged_tensor(input, name="input")
    rank = input.shape.ndims
    if rank is None:
        raise ValueError("Rank of `input` must be statically known.")
    if rank > 1:
        if not is_ragged(input):
            input = RaggedTensor.from_tensor(input, ragged_rank=rank - 1)
        elif input.ragged_rank < rank - 1:
            input = input.with_flat_values(RaggedTensor.from_tensor(input.flat_values, ragged_rank=rank - input.ragged_rank + 1))
    flat = engine.reshape(input.flat_values if is_ragged(input) else input, [-1])
    op = engine.raw_ops.UnicodeDecodeWithOffsets if offsets else engine.raw_ops.UnicodeDecode
    made = op(input=flat, input_encoding=encoding, errors=errors, replacement_char=replacement_char, replace_control_characters=replace_control_characters)

    def rows(values):
        if rank == 0:
            return values
        values = RaggedTensor.from_row_splits(values, made.row_splits, validate=False)
        return input.with_flat_values(values) if rank > 1 else values

    points = rows(made.char_values)
    return (points, rows(made.char_to_byte_starts)) if offsets else points


@export("strings.unicode_decode")
def unicode_decode(input, input_encoding, errors="replace", replacement_char=65533, replace_control_characters=False, name=None):
    """The code points of each string."""
    with ops.name_scope(name, "UnicodeDecode", [input]):
        return _decode(input, input_encoding, errors, replacement_char, replace_control_characters, False)


@export("strings.unicode_decode_with_offsets")
def unicode_decode_with_offsets(input, input_encoding, errors="replace", replacement_char=65533, replace_control_characters=False, name=None):
    """The code points of each string, and their byte offsets."""
    with ops.name_scope(name, "UnicodeDecodeWithOffsets", [input]):
        return _decode(input, input_encoding, errors, replacement_char, replace_control_characters, True)


@export("strings.unicode_split")
def unicode_split(input, input_encoding, errors="replace", replacement_char=65533, name=None):
    """The characters of each string, as strings."""
    with ops.name_scope(name, "UnicodeSplit", [input]):
        points = _decode(input, input_encoding, errors, replacement_char, False, False)
        return unicode_encode(expand_dims(points, -1), output_encoding=input_encoding, errors=errors, replacement_char=replacement_char)


@export("strings.unicode_split_with_offsets")
def unicode_split_with_offsets(input, input_encoding, errors="replace", replacement_char=65533, name=None):
    """The characters of each string, and their byte offsets."""
    with ops.name_scope(name, "UnicodeSplitWithOffsets", [input]):
        points, offsets = _decode(input, input_encoding, errors, replacement_char, False, True)
        return unicode_encode(expand_dims(points, -1), output_encoding=input_encoding, errors=errors, replacement_char=replacement_char), offsets


def _sparse_split(input, sep, maxsplit):
    """The parts of each string of a vector, as a sparse tensor."""
    sep = ops.convert_to_tensor("" if sep is None else sep, dtype=dtypes.string)
    made = engine.raw_ops.StringSplitV2(input=ops.convert_to_tensor(input, dtype=dtypes.string), sep=sep, maxsplit=maxsplit)
    made.indices.set_shape([None, 2])
    made.values.set_shape([None])
    made.shape.set_shape([2])
    return SparseTensor(made.indices, made.values, made.shape)


def _rows_of(sparse):
    return RaggedTensor.from_value_rowids(values=sparse.values, value_rowids=sparse.indices[:, 0], nrows=sparse.dense_shape[0], validate=False)


def ragged_split(input, sep, maxsplit):
    with ops.name_scope(None, "StringSplit", [input]):
        input = convert_to_tensor_or_ragged_tensor(input, dtype=dtypes.string, name="input")
        if is_ragged(input):
            return input.with_flat_values(ragged_split(input.flat_values, sep, maxsplit))
        rank = input.shape.ndims
        if rank == 0:
            return ragged_split(engine.stack([input]), sep, maxsplit)[0]
        if rank == 1 or rank is None:
            return _rows_of(_sparse_split(input, sep, maxsplit))
        return ragged_split(RaggedTensor.from_tensor(input), sep, maxsplit)


_WRONG_RESULT = "result_type must be 'RaggedTensor' or 'SparseTensor'."


@export("strings.split")
def split(input=None, sep=None, maxsplit=-1, result_type="SparseTensor", source=None, name=None):
    """The parts of each string between separators, by default its words."""
    if source is not None:
        if input is not None:
            raise ValueError("Cannot specify both 'source' and 'input'")
        input = source
    with ops.name_scope(name, "StringSplit", [input]):
        input = convert_to_tensor_or_ragged_tensor(input, dtype=dtypes.string, name="input")
        if result_type == "SparseTensor" and input.shape.ndims == 1:
            return _sparse_split(input, sep, maxsplit)
        made = ragged_split(input, sep, maxsplit)
        if result_type == "SparseTensor":
            return made.to_sparse()
        if result_type != "RaggedTensor":
            raise ValueError(_WRONG_RESULT)
        return made


def _pads(pad_values):
    if pad_values is None:
        return "", ""
    pair = pad_values if isinstance(pad_values, (list, tuple)) else (pad_values, pad_values)
    if not all(isinstance(p, (str, bytes)) for p in pair[:2]):
        raise TypeError("pad_values must be a string, tuple of strings, or None.")
    return pair[0], pair[1]


@export("strings.ngrams")
def ngrams(data, ngram_width, separator=" ", pad_values=None, padding_width=None, preserve_short_sequences=False, name=None):
    """Joined runs of neighbouring strings in each row."""
    with ops.name_scope(name, "StringNGrams", [data]):
        left, right = _pads(pad_values)
        if padding_width is not None and padding_width < 1:
            raise ValueError("padding_width must be greater than 0.")
        if padding_width is not None and pad_values is None:
            raise ValueError("pad_values must be provided if padding_width is set.")
        data = convert_to_tensor_or_ragged_tensor(data, name="data", dtype=dtypes.string)
        dense = isinstance(data, Tensor)
        if dense:
            shape = engine.concat([basics.shape(data)[:-1], [-1]], axis=0)
            rank = data.shape.ndims
            if rank is None:
                raise ValueError("Rank of data must be known.")
            if rank == 0:
                raise ValueError("Data must have rank>0")
            if rank == 1:
                one_row = RaggedTensor.from_row_starts(data, [0], validate=False)
                return ngrams(one_row, ngram_width, separator, pad_values, padding_width, preserve_short_sequences, name)[0]
            data = RaggedTensor.from_tensor(data, ragged_rank=rank - 1)
        if data.ragged_rank > 1:
            made = data.with_values(ngrams(data.values, ngram_width, separator, pad_values, padding_width, preserve_short_sequences, name))
            return engine.reshape(made.flat_values, shape) if dense else made
        if pad_values is None:
            padding_width = 0
        elif padding_width is None:
            padding_width = -1
        widths = ngram_width if isinstance(ngram_width, (list, tuple)) else [ngram_width]
        if any(w < 1 for w in widths):
            raise ValueError("All ngram_widths must be greater than 0. Got %s" % (ngram_width,))
        made = engine.raw_ops.StringNGrams(data=data.flat_values, data_splits=data.row_splits, separator=separator, ngram_widths=widths, left_pad=left, right_pad=right,
                                           pad_width=padding_width, preserve_short_sequences=preserve_short_sequences)
        made = RaggedTensor.from_row_splits(made.ngrams, made.ngrams_splits, validate=False)
        return engine.reshape(made.flat_values, shape) if dense else made
