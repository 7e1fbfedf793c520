"""tf.contrib.slim.tfexample_decoder: items of tf.Example records."""

import abc

from .. import basics, dtypes, engine, sparse_tensor
from ..control_flow import case, cond
from ..data import parsing
from ..data.parsing import FixedLenFeature
from ..exports import export
from ..row_functions import map_fn
from .slim_data import DataDecoder


def _item(name):
    return export("contrib.slim.tfexample_decoder." + name)


def _dense(value, default=None):
    if not isinstance(value, sparse_tensor.SparseTensor):
        return value
    return engine.sparse_tensor_to_dense(value) if default is None else engine.sparse_tensor_to_dense(value, default)


@_item("ItemHandler")
class ItemHandler(metaclass=abc.ABCMeta):
    """Makes one item from the features of its keys."""

    def __init__(self, keys):
        self._keys = keys if isinstance(keys, (tuple, list)) else [keys]

    @property
    def keys(self):
        return self._keys

    @abc.abstractmethod
    def tensors_to_item(self, keys_to_tensors):
        """The item's tensor."""


@_item("ItemHandlerCallback")
class ItemHandlerCallback(ItemHandler):
    """Makes an item by a function of the program."""

    def __init__(self, keys, func):
        super().__init__(keys)
        self._func = func

    def tensors_to_item(self, keys_to_tensors):
        return self._func(keys_to_tensors)


@_item("BoundingBox")
class BoundingBox(ItemHandler):
    """Bounding boxes from four features, one row per box."""

    def __init__(self, keys=None, prefix=""):
        if keys is None:
            keys = ["ymin", "xmin", "ymax", "xmax"]
        elif len(keys) != 4:
            raise ValueError("BoundingBox expects 4 keys but got {}".format(len(keys)))
        self._prefix, self._full_keys = prefix, [prefix + k for k in keys]
        super().__init__(self._full_keys)

    def tensors_to_item(self, keys_to_tensors):
        sides = []
        for key in self._full_keys:
            side = keys_to_tensors[key]
            sides.append(engine.expand_dims(side.values if isinstance(side, sparse_tensor.SparseTensor) else side, 0))
        return engine.transpose(engine.concat(sides, 0))


@_item("Tensor")
class Tensor(ItemHandler):
    """A dense feature, whose shape is given or read from other features."""

    def __init__(self, tensor_key, shape_keys=None, shape=None, default_value=0):
        if shape_keys and shape is not None:
            raise ValueError("Cannot specify both shape_keys and shape parameters.")
        if shape_keys and not isinstance(shape_keys, list):
            shape_keys = [shape_keys]
        self._tensor_key, self._shape_keys, self._shape, self._default_value = tensor_key, shape_keys, shape, default_value
        super().__init__([tensor_key] + (shape_keys or []))

    def tensors_to_item(self, keys_to_tensors):
        tensor, shape = keys_to_tensors[self._tensor_key], self._shape
        if self._shape_keys:
            shape = engine.reshape(engine.stack([_dense(keys_to_tensors[k]) for k in self._shape_keys]), [-1])
        if isinstance(tensor, sparse_tensor.SparseTensor):
            return _dense(tensor if shape is None else engine.sparse_reshape(tensor, shape), self._default_value)
        return tensor if shape is None else engine.reshape(tensor, shape)


@_item("LookupTensor")
class LookupTensor(Tensor):
    """A feature looked up in a table."""

    def __init__(self, tensor_key, table, shape_keys=None, shape=None, default_value=""):
        self._table = table
        super().__init__(tensor_key, shape_keys, shape, default_value)

    def tensors_to_item(self, keys_to_tensors):
        return self._table.lookup(super().tensors_to_item(keys_to_tensors))


@_item("BackupHandler")
class BackupHandler(ItemHandler):
    """Uses a second handler where the first one's item is empty."""

    def __init__(self, handler, backup):
        for which, given in (("Primary", handler), ("Backup", backup)):
            if not isinstance(given, ItemHandler):
                raise ValueError("%s handler is of type %s instead of ItemHandler" % (which, type(given)))
        self._handler, self._backup = handler, backup
        super().__init__(handler.keys + backup.keys)

    def tensors_to_item(self, keys_to_tensors):
        item = self._handler.tensors_to_item(keys_to_tensors)
        return cond(pred=engine.equal(engine.reduce_prod(basics.shape(item)), 0), true_fn=lambda: self._backup.tensors_to_item(keys_to_tensors), false_fn=lambda: item)


@_item("SparseTensor")
class SparseTensor(ItemHandler):
    """A sparse tensor from a feature with indices and one with values."""

    def __init__(self, indices_key=None, values_key=None, shape_key=None, shape=None, densify=False, default_value=0):
        self._indices_key, self._values_key = indices_key or "indices", values_key or "values"
        self._shape_key, self._shape, self._densify, self._default_value = shape_key, shape, densify, default_value
        super().__init__([self._indices_key, self._values_key] + ([shape_key] if shape_key else []))

    def tensors_to_item(self, keys_to_tensors):
        indices, values = keys_to_tensors[self._indices_key], keys_to_tensors[self._values_key]
        if self._shape_key:
            shape = _dense(keys_to_tensors[self._shape_key])
        else:
            shape = self._shape or indices.dense_shape
        rank = basics.shape(indices.indices)[1]
        ids = basics.cast(indices.values, dtypes.int64)
        others = engine.slice(indices.indices, [0, 0], engine.stack([-1, rank - 1]))
        made = sparse_tensor.SparseTensor(engine.concat([others, engine.reshape(ids, [-1, 1])], 1), values.values, shape)
        return _dense(made, self._default_value) if self._densify else made


@_item("Image")
class Image(ItemHandler):
    """An image: JPEG, PNG, GIF, BMP, or raw values if the format feature says so."""

    def __init__(self, image_key=None, format_key=None, shape=None, channels=3, dtype=dtypes.uint8, repeated=False, dct_method=""):
        self._image_key, self._format_key = image_key or "image/encoded", format_key or "image/format"
        super().__init__([self._image_key, self._format_key])
        self._shape, self._channels, self._dtype, self._repeated, self._dct_method = shape, channels, dtype, repeated, dct_method

    def tensors_to_item(self, keys_to_tensors):
        encoded, kind = keys_to_tensors[self._image_key], keys_to_tensors[self._format_key]
        if self._repeated:
            return map_fn(lambda x: self._decode(x, kind), encoded, dtype=self._dtype)
        return self._decode(encoded, kind)

    def _decode(self, encoded, kind):
        def any_format():
            return basics.cast(engine.image.decode_image(encoded, channels=self._channels), self._dtype)

        def jpeg():
            return basics.cast(engine.image.decode_jpeg(encoded, channels=self._channels, dct_method=self._dct_method), self._dtype)

        def compressed():
            return cond(engine.image.is_jpeg(encoded), jpeg, any_format, name="cond_jpeg")

        def raw():
            return parsing.decode_raw(encoded, out_type=self._dtype)

        is_raw = engine.logical_or(engine.equal(kind, "raw"), engine.equal(kind, "RAW"))
        image = case([(is_raw, raw)], default=compressed, exclusive=True)
        image.set_shape([None, None, self._channels])
        return image if self._shape is None else engine.reshape(image, self._shape)


@_item("TFExampleDecoder")
class TFExampleDecoder(DataDecoder):
    """Parses a record and passes the features of each item to its handler."""

    def __init__(self, keys_to_features, items_to_handlers):
        self._keys_to_features, self._items_to_handlers = keys_to_features, items_to_handlers

    def list_items(self):
        return list(self._items_to_handlers.keys())

    def decode(self, serialized_example, items=None):
        found = parsing.parse_single_example(serialized_example, self._keys_to_features)
        for key in sorted(self._keys_to_features):
            feature = self._keys_to_features[key]
            if isinstance(feature, FixedLenFeature):
                found[key] = engine.reshape(found[key], feature.shape)
        made = []
        for item in items or self._items_to_handlers:
            handler = self._items_to_handlers[item]
            made.append(handler.tensors_to_item({key: found[key] for key in handler.keys}))
        return made
