"""Functions of tensorflow.python.ops.parsing_ops that have another form than their public names."""

from .. import engine


def decode_raw(input_bytes, out_type, little_endian=True, fixed_length=None, name=None):
    """Strings reinterpreted as numbers, byte for byte. With `fixed_length`, each string has that many bytes: short ones are padded with zeros, long ones cut."""
    if fixed_length is not None:
        return engine.raw_ops.DecodePaddedRaw(input_bytes=input_bytes, fixed_length=fixed_length, out_type=out_type, little_endian=little_endian, name=name)
    return engine.raw_ops.DecodeRaw(bytes=input_bytes, out_type=out_type, little_endian=little_endian, name=name)
