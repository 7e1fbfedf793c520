"""Comparison of messages (tensorflow.python.util.protobuf.compare)."""

import collections.abc
import difflib

from google.protobuf import descriptor, descriptor_pool, message, text_format

_WHOLE = {getattr(descriptor.FieldDescriptor, "TYPE_" + t) for t in ("INT64", "UINT64", "SINT64", "INT32", "UINT32", "SINT32", "ENUM")}
_DIGITS = {descriptor.FieldDescriptor.TYPE_FLOAT: 6, descriptor.FieldDescriptor.TYPE_DOUBLE: 7}


def assertProtoEqual(self, a, b, check_initialized=True, normalize_numbers=False, msg=None):
    """Fails with a diff of the texts; `a` may be a text. `self`: the test case."""
    pool = descriptor_pool.Default()
    if isinstance(a, str):
        a = text_format.Merge(a, b.__class__(), descriptor_pool=pool)
    for pb in (a, b):
        if check_initialized:
            lacking = pb.FindInitializationErrors()
            if lacking:
                self.fail("Initialization errors: %s\n%s" % (lacking, pb))
        if normalize_numbers:
            NormalizeNumberFields(pb)
    a_text, b_text = (text_format.MessageToString(pb, descriptor_pool=pool) for pb in (a, b))
    if len(a_text) < 2 ** 16 and len(b_text) < 2 ** 16:
        self.assertMultiLineEqual(a_text, b_text, msg=msg)
    elif a_text != b_text:
        self.fail("%s : %s" % (msg, "\n" + "".join(difflib.unified_diff(a_text.splitlines(True), b_text.splitlines(True)))))


def NormalizeNumberFields(pb):
    """Rounds floats (to 6 digits, doubles to 7) in place; returns the message."""
    for field, values in pb.ListFields():
        repeated = field.label == descriptor.FieldDescriptor.LABEL_REPEATED
        listed = values if repeated else [values]
        is_map = field.message_type is not None and field.message_type.GetOptions().map_entry
        normal = None
        if field.type in _WHOLE:
            normal = [int(v) for v in listed]
        elif field.type in _DIGITS:
            normal = [round(float(v), _DIGITS[field.type]) for v in listed]
        if normal is not None and repeated:
            pb.ClearField(field.name)
            getattr(pb, field.name).extend(normal)
        elif normal is not None:
            setattr(pb, field.name, normal[0])
        if is_map:
            if field.message_type.fields_by_number[2].message_type is not None:
                for value in values.values():
                    NormalizeNumberFields(value)
        elif field.message_type is not None:
            for value in listed:
                NormalizeNumberFields(value)
    return pb


def _IsMap(value):
    return isinstance(value, collections.abc.Mapping)


def _IsRepeatedContainer(value):
    if isinstance(value, str):
        return False
    try:
        iter(value)
        return True
    except TypeError:
        return False


def _parts(value):
    if isinstance(value, message.Message):
        return {field.number: v for field, v in value.ListFields()}
    if _IsMap(value):
        return dict(value.items())
    return dict(enumerate(value)) if _IsRepeatedContainer(value) else value


def ProtoEq(a, b):
    """Whether two messages have the same fields with the same values."""
    a, b = _parts(a), _parts(b)
    if not isinstance(a, dict) or not isinstance(b, dict):
        return a == b
    return a.keys() == b.keys() and all(ProtoEq(a[k], b[k]) for k in a)


class ProtoAssertions:
    """Mixin for test cases."""

    def assertProtoEqual(self, *args, **kwargs):
        return assertProtoEqual(self, *args, **kwargs)
