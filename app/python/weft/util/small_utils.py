"""Small modules of tensorflow.python.util: lock_util, serialization, memory, is_in_graph_mode, compat's collections_abc, example_parser_configuration."""

import collections.abc as collections_abc
import contextlib
import threading

import numpy as np

from .. import tensor_shape


class GroupLock:
    """A lock that threads of the same group may hold together, but not threads of different groups."""

    def __init__(self, num_groups=2):
        if num_groups < 1:
            raise ValueError("num_groups must be a positive integer, got {}".format(num_groups))
        self._changed = threading.Condition()
        self._group_member_counts = [0] * num_groups

    def _check(self, group_id):
        if not 0 <= group_id < len(self._group_member_counts):
            raise ValueError("group_id={} should be between 0 and num_groups={}".format(group_id, len(self._group_member_counts)))

    def group(self, group_id):
        """Context manager: holds the lock for a group."""
        self._check(group_id)
        return self._held(group_id)

    @contextlib.contextmanager
    def _held(self, group_id):
        self.acquire(group_id)
        try:
            yield
        finally:
            self.release(group_id)

    def acquire(self, group_id):
        self._check(group_id)
        with self._changed:
            self._changed.wait_for(lambda: not any(n for g, n in enumerate(self._group_member_counts) if g != group_id))
            self._group_member_counts[group_id] += 1

    def release(self, group_id):
        self._check(group_id)
        with self._changed:
            self._group_member_counts[group_id] -= 1
            if not self._group_member_counts[group_id]:
                self._changed.notify_all()


def get_json_type(obj):
    """What json writes for objects that it does not know; TypeError if unknown here, too."""
    if hasattr(obj, "get_config"):
        return {"class_name": obj.__class__.__name__, "config": obj.get_config()}
    if type(obj).__module__ == np.__name__:
        return obj.tolist() if isinstance(obj, np.ndarray) else obj.item()
    if callable(obj) or isinstance(obj, type):
        return obj.__name__
    if isinstance(obj, tensor_shape.Dimension):
        return obj.value
    if isinstance(obj, tensor_shape.TensorShape):
        return obj.as_list()
    if isinstance(obj, collections_abc.Mapping):
        return dict(obj)
    raise TypeError("Not JSON Serializable:", obj)


def dismantle_ordered_dict(ordered_dict):
    """Empties the dict. Dicts no longer have reference cycles that would have to be broken."""
    ordered_dict.clear()


def IS_IN_GRAPH_MODE():
    return True


def extract_example_parser_configuration(parse_example_op, sess):
    """The ExampleParserConfiguration of a ParseExample node: features with types, shapes, defaults and output names."""
    from .. import protos, tensor_util

    config = protos.message("ExampleParserConfiguration")()
    attr = parse_example_op.get_attr
    sparse, dense = attr("Nsparse"), attr("Ndense")
    sparse_types, dense_types, dense_shapes = attr("sparse_types"), attr("Tdense"), attr("dense_shapes")
    for what, words, count, attribute in ((sparse_types, "sparse_types", sparse, "Nsparse"), (dense_types, "dense_types", dense, "Ndense"), (dense_shapes, "dense_shapes", dense, "Ndense")):
        if len(what) != count:
            raise ValueError("len(%s) attribute does not match %s attribute (%d vs %d)" % (words, attribute, len(what), count))
    fetches = list(parse_example_op.inputs[2:])  # after the serialized examples and their names
    if len(fetches) != sparse + 2 * dense:
        raise ValueError("len(fetch_list) does not match total features + num_dense (%d vs %d)" % (len(fetches), sparse + 2 * dense))
    values = sess.run(fetches)
    outputs = parse_example_op.outputs
    for i in range(dense):
        feature = config.feature_map[values[sparse + i]].fixed_len_feature
        feature.default_value.CopyFrom(tensor_util.make_tensor_proto(values[sparse + dense + i]))
        feature.shape.CopyFrom(tensor_shape.TensorShape(dense_shapes[i]).as_proto())
        feature.dtype = dense_types[i].as_datatype_enum
        feature.values_output_tensor_name = outputs[3 * sparse + i].name
    for i in range(sparse):
        feature = config.feature_map[values[i]].var_len_feature
        feature.dtype = sparse_types[i].as_datatype_enum
        feature.indices_output_tensor_name = outputs[i].name
        feature.values_output_tensor_name = outputs[sparse + i].name
        feature.shapes_output_tensor_name = outputs[2 * sparse + i].name
    return config
