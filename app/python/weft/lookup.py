"""tf.lookup: tables from keys to values."""

import collections
import functools
import uuid

from . import dtypes, ops
from .exports import export, export_value
from .op_calls import raw
from .ops import GraphKeys, name_scope
from .tensor_shape import TensorShape


def _tf():
    import tensorflow as tf

    return tf


@export("tables_initializer", "initialize_all_tables", "initializers.tables_initializer")
def tables_initializer(name="init_all_tables"):
    """Initialises all tables of the graph."""
    initializers = ops.get_collection(GraphKeys.TABLE_INITIALIZERS)
    return _tf().group(*initializers, name=name) if initializers else _tf().no_op(name=name)


def _check_types(table, key_dtype, value_dtype):
    if dtypes.as_dtype(key_dtype).base_dtype != table.key_dtype:
        raise TypeError("Invalid key dtype, expected %s but got %s." % (table.key_dtype, key_dtype))
    if dtypes.as_dtype(value_dtype).base_dtype != table.value_dtype:
        raise TypeError("Invalid value dtype, expected %s but got %s." % (table.value_dtype, value_dtype))


class LookupInterface:
    """What all tables have."""

    def __init__(self, key_dtype, value_dtype):
        self._key_dtype, self._value_dtype = dtypes.as_dtype(key_dtype), dtypes.as_dtype(value_dtype)

    key_dtype = property(lambda self: self._key_dtype)
    value_dtype = property(lambda self: self._value_dtype)
    name = property(lambda self: self._name)
    resource_handle = property(lambda self: self._table)
    table_ref = property(lambda self: self._table)
    init = property(lambda self: self.initializer)

    def _sparse(self, keys, function):
        if isinstance(keys, _tf().SparseTensor):
            return keys.values, lambda values: _tf().SparseTensor(keys.indices, values, keys.dense_shape)
        return keys, lambda values: values

    def _check_keys(self, keys):
        if keys.dtype.base_dtype != self._key_dtype:
            raise TypeError("Signature mismatch. Keys must be dtype %s, got %s." % (self._key_dtype, keys.dtype))


@export("lookup.StaticHashTable", "lookup.experimental.StaticHashTable", "contrib.lookup.StaticHashTable")
class StaticHashTable(LookupInterface):
    """A table that an initializer fills once."""

    def __init__(self, initializer, default_value, name=None):
        self._initializer = initializer
        self._name = name or "hash_table"
        super().__init__(initializer.key_dtype, initializer.value_dtype)
        self._default_value = ops.convert_to_tensor(default_value, dtype=self._value_dtype)
        self._default_value.get_shape().merge_with(TensorShape([]))
        shared = getattr(initializer, "_shared_name", "")
        if callable(shared):
            shared = shared()
        if not shared:
            shared = self._implied_name()
        self._table = raw("HashTableV2")(shared_name=shared, key_dtype=self._key_dtype, value_dtype=self._value_dtype, name=self._name)
        self._init_op = initializer.initialize(self)

    def _implied_name(self):
        return "hash_table_%s" % uuid.uuid4()

    default_value = property(lambda self: self._default_value)
    initializer = property(lambda self: self._init_op)
    name = property(lambda self: self._table.op.name.split("/")[-1])

    def size(self, name=None):
        with name_scope(name, "%s_Size" % self.name, [self._table]):
            return raw("LookupTableSizeV2")(self._table)

    def lookup(self, keys, name=None):
        """The values of `keys`; the default value for keys that are not there."""
        plain, wrap = self._sparse(keys, None)
        if not isinstance(plain, ops.Tensor):
            plain = ops.convert_to_tensor(plain, dtype=self._key_dtype)
        self._check_keys(plain)
        with name_scope(name, "%s_Lookup" % self.name, (self._table, plain, self._default_value)):
            values = raw("LookupTableFindV2")(self._table, plain, self._default_value)
        values.set_shape(plain.get_shape())
        return wrap(values)

    def export(self, name=None):
        with name_scope(name, "%s_Export" % self.name, [self._table]):
            keys, values = raw("LookupTableExportV2")(self._table, self._key_dtype, self._value_dtype)
        return keys, values


@export("contrib.lookup.HashTable")
class HashTable(StaticHashTable):
    """A table that an initializer fills once."""

    def __init__(self, initializer, default_value, shared_name=None, name=None):
        self._own_shared_name = shared_name
        super().__init__(initializer, default_value, name=name)

    def _implied_name(self):
        return self._own_shared_name or ""


class TableInitializerBase:
    """What fills a table."""

    def __init__(self, key_dtype, value_dtype):
        self._key_dtype, self._value_dtype = dtypes.as_dtype(key_dtype), dtypes.as_dtype(value_dtype)

    key_dtype = property(lambda self: self._key_dtype)
    value_dtype = property(lambda self: self._value_dtype)


@export("lookup.KeyValueTensorInitializer", "contrib.lookup.KeyValueTensorInitializer")
class KeyValueTensorInitializer(TableInitializerBase):
    """Keys and values given as tensors."""

    def __init__(self, keys, values, key_dtype=None, value_dtype=None, name=None):
        self._keys = ops.convert_to_tensor(keys, dtype=key_dtype, name="keys")
        self._values = ops.convert_to_tensor(values, dtype=value_dtype, name="values")
        self._name = name if name is not None else "key_value_init"
        super().__init__(self._keys.dtype, self._values.dtype)

    def initialize(self, table):
        _check_types(table, self._keys.dtype, self._values.dtype)
        with name_scope(self._name, values=(table.resource_handle, self._keys, self._values)):
            op = raw("LookupTableImportV2")(table.resource_handle, self._keys, self._values)
        ops.add_to_collection(GraphKeys.TABLE_INITIALIZERS, op)
        return op


@export("lookup.TextFileIndex", "contrib.lookup.TextFileIndex")
class TextFileIndex:
    WHOLE_LINE = -2
    LINE_NUMBER = -1


@export("lookup.TextFileInitializer", "contrib.lookup.TextFileInitializer")
class TextFileInitializer(TableInitializerBase):
    """Keys and values from the columns of a text file."""

    def __init__(self, filename, key_dtype, key_index, value_dtype, value_index, vocab_size=None, delimiter="\t", name=None):
        key_dtype, value_dtype = dtypes.as_dtype(key_dtype), dtypes.as_dtype(value_dtype)
        if not isinstance(filename, ops.Tensor) and not filename:
            raise ValueError("Filename required for %s." % name)
        if key_index < -2:
            raise ValueError("Invalid key index %s." % key_index)
        if key_index == TextFileIndex.LINE_NUMBER and key_dtype != dtypes.int64:
            raise ValueError("Signature mismatch. Keys must be dtype %s, got %s." % (dtypes.int64, key_dtype))
        if key_index == TextFileIndex.WHOLE_LINE and not key_dtype.is_integer and key_dtype != dtypes.string:
            raise ValueError("Signature mismatch. Keys must be integer or string, got %s." % key_dtype)
        if value_index < -2:
            raise ValueError("Invalid value index %s." % value_index)
        if value_index == TextFileIndex.LINE_NUMBER and value_dtype != dtypes.int64:
            raise ValueError("Signature mismatch. Values must be dtype %s, got %s." % (dtypes.int64, value_dtype))
        if value_index == TextFileIndex.WHOLE_LINE and value_dtype != dtypes.string:
            raise ValueError("Signature mismatch. Values must be dtype %s, got %s." % (dtypes.string, value_dtype))
        if vocab_size is not None and vocab_size <= 0:
            raise ValueError("Invalid vocab_size %s." % vocab_size)
        self._filename, self._key_index, self._value_index = filename, key_index, value_index
        self._vocab_size, self._delimiter, self._name = vocab_size, delimiter, name
        super().__init__(key_dtype, value_dtype)

    @property
    def _shared_name(self):
        name = self._filename if not isinstance(self._filename, ops.Tensor) else self._filename.op.name
        if self._vocab_size:
            return "hash_table_%s_%d_%s_%s" % (name, self._vocab_size, self._key_index, self._value_index)
        return "hash_table_%s_%s_%s" % (name, self._key_index, self._value_index)

    def initialize(self, table):
        _check_types(table, self.key_dtype, self.value_dtype)
        with name_scope(self._name, "text_file_init", (table.resource_handle,)):
            filename = ops.convert_to_tensor(self._filename, dtypes.string, name="asset_filepath")
            op = raw("InitializeTableFromTextFileV2")(table.resource_handle, filename, self._key_index, self._value_index, -1 if self._vocab_size is None else self._vocab_size,
                                                      self._delimiter)
        ops.add_to_collection(GraphKeys.TABLE_INITIALIZERS, op)
        if ops.constant_value(filename) is not None:
            ops.add_to_collection(GraphKeys.ASSET_FILEPATHS, filename)
        return op


@export("contrib.lookup.TextFileStringTableInitializer")
class TextFileStringTableInitializer(TextFileInitializer):
    def __init__(self, filename, key_column_index=TextFileIndex.LINE_NUMBER, value_column_index=TextFileIndex.WHOLE_LINE, vocab_size=None, delimiter="\t", name="text_file_string_table_init"):
        super().__init__(filename, dtypes.int64, key_column_index, dtypes.string, value_column_index, vocab_size=vocab_size, delimiter=delimiter, name=name)


@export("contrib.lookup.TextFileIdTableInitializer")
class TextFileIdTableInitializer(TextFileInitializer):
    def __init__(self, filename, key_column_index=TextFileIndex.WHOLE_LINE, value_column_index=TextFileIndex.LINE_NUMBER, vocab_size=None, delimiter="\t", name="text_file_id_table_init",
                 key_dtype=dtypes.string):
        super().__init__(filename, key_dtype, key_column_index, dtypes.int64, value_column_index, vocab_size=vocab_size, delimiter=delimiter, name=name)


HasherSpec = collections.namedtuple("HasherSpec", ["hasher", "key"])
FastHashSpec = HasherSpec("fasthash", None)
export_value(HasherSpec, "contrib.lookup.HasherSpec")
export_value(FastHashSpec, "contrib.lookup.FastHashSpec")


@export("contrib.lookup.StrongHashSpec")
class StrongHashSpec(HasherSpec):
    """A keyed hash."""

    def __new__(cls, key):
        if len(key) != 2:
            raise ValueError("key must have size 2, got %s." % len(key))
        return super().__new__(cls, "stronghash", key)


@export("contrib.lookup.IdTableWithHashBuckets")
class IdTableWithHashBuckets(LookupInterface):
    """A table whose unknown keys are spread over further ids."""

    def __init__(self, table, num_oov_buckets, hasher_spec=FastHashSpec, name=None, key_dtype=None):
        if name:
            name = name.rstrip("/")
        if table:
            if key_dtype is None:
                key_dtype = table.key_dtype
            if table.key_dtype.is_integer != dtypes.as_dtype(key_dtype).is_integer:
                raise TypeError("Invalid key dtype, expected %s but got %s." % (table.key_dtype, key_dtype))
            if table.value_dtype != dtypes.int64:
                raise TypeError("Invalid value dtype, expected %s but got %s." % (dtypes.int64, table.value_dtype))
            self._inner = table
            name = name or self._inner.name
        else:
            if num_oov_buckets <= 0:
                raise ValueError("oov_buckets must be > 0 if no table is supplied.")
            key_dtype = dtypes.string if key_dtype is None else key_dtype
            self._inner = None
            name = name or "hash_bucket"
        if not dtypes.as_dtype(key_dtype).is_integer and dtypes.string != key_dtype:
            raise TypeError("Invalid key_dtype, expected integer or string, got %s." % key_dtype)
        self._num_oov_buckets, self._hasher_spec, self._name = num_oov_buckets, hasher_spec, name
        super().__init__(key_dtype, dtypes.int64)

    @property
    def initializer(self):
        if self._inner is not None:
            return self._inner.initializer
        with name_scope(None, "init"):
            return _tf().no_op()

    init = initializer
    resource_handle = property(lambda self: self._inner.resource_handle if self._inner is not None else None)

    def size(self, name=None):
        with name_scope(name, "%s_Size" % self.name):
            return (self._inner.size() if self._inner else 0) + self._num_oov_buckets

    def _buckets(self, values):
        if self._hasher_spec.hasher == "fasthash":
            return raw("StringToHashBucketFast")(values, num_buckets=self._num_oov_buckets, name="hash_bucket")
        return raw("StringToHashBucketStrong")(values, num_buckets=self._num_oov_buckets, key=self._hasher_spec.key, name="hash_bucket")

    def lookup(self, keys, name=None):
        tf = _tf()
        if keys.dtype.base_dtype != self._key_dtype:
            raise TypeError("Signature mismatch. Keys must be dtype %s, got %s." % (self._key_dtype, keys.dtype))
        values, wrap = self._sparse(keys, None)
        if self._inner is not None and self._inner.key_dtype.base_dtype == dtypes.int64:
            values = tf.cast(values, dtypes.int64)
        if self._num_oov_buckets == 0:
            return wrap(self._inner.lookup(values, name=name))
        with name_scope(name, "%s_Lookup" % self.name):
            buckets = self._buckets(tf.as_string(values) if values.dtype.is_integer else values)
            if self._inner is None:
                return wrap(buckets)
            ids = self._inner.lookup(values)
            buckets = tf.add(buckets, self._inner.size())
            known = tf.not_equal(ids, self._inner.default_value)
            return wrap(raw("SelectV2")(known, ids, buckets))


@export("lookup.StaticVocabularyTable")
class StaticVocabularyTable(IdTableWithHashBuckets):
    """As IdTableWithHashBuckets, from an initializer."""

    def __init__(self, initializer, num_oov_buckets, lookup_key_dtype=None, name=None):
        if num_oov_buckets <= 0:
            raise ValueError("oov_buckets must be > 0.")
        table = StaticHashTable(initializer, default_value=-1) if initializer else None
        super().__init__(table, num_oov_buckets, name=name, key_dtype=lookup_key_dtype)


def _checked_buckets(num_oov_buckets):
    if num_oov_buckets < 0:
        raise ValueError("num_oov_buckets must be greater or equal than 0, got %d." % num_oov_buckets)


@export("contrib.lookup.index_table_from_tensor")
def index_table_from_tensor(mapping=None, num_oov_buckets=0, default_value=-1, hasher_spec=FastHashSpec, dtype=dtypes.string, name=None, vocabulary_list=None):
    """Ids 0, 1, … of the strings (or whole numbers) of a vector."""
    vocabulary_list = mapping if vocabulary_list is None else vocabulary_list
    if vocabulary_list is None:
        raise ValueError("mapping must be specified.")
    _checked_buckets(num_oov_buckets)
    if not dtypes.as_dtype(dtype).is_integer and dtypes.string != dtypes.as_dtype(dtype).base_dtype:
        raise TypeError("Only integer and string keys are supported.")
    tf = _tf()
    with name_scope(name, "string_to_index"):
        keys = ops.convert_to_tensor(vocabulary_list)
        if keys.dtype.is_integer != dtypes.as_dtype(dtype).is_integer:
            raise ValueError("Expected %s, got %s." % ("integer" if dtypes.as_dtype(dtype).is_integer else "non-integer", keys.dtype))
        if not dtypes.as_dtype(dtype).is_integer and keys.dtype.base_dtype != dtype:
            raise ValueError("Expected %s, got %s." % (dtype, keys.dtype))
        values = tf.cast(tf.range(tf.size(keys)), dtypes.int64)
        with name_scope(None, "hash_table"):
            keys_used = tf.cast(keys, dtypes.int64) if keys.dtype.is_integer else keys
            init = KeyValueTensorInitializer(keys_used, values, keys_used.dtype.base_dtype, dtypes.int64, name="table_init")
            table = StaticHashTable(init, default_value)
        if num_oov_buckets:
            table = IdTableWithHashBuckets(table, num_oov_buckets=num_oov_buckets, hasher_spec=hasher_spec, key_dtype=dtype)
        return table


index_table_from_tensor_v1 = index_table_from_tensor


@export("contrib.lookup.index_table_from_file")
def index_table_from_file(vocabulary_file=None, num_oov_buckets=0, vocab_size=None, default_value=-1, hasher_spec=FastHashSpec, key_dtype=dtypes.string, name=None,
                          key_column_index=TextFileIndex.WHOLE_LINE, value_column_index=TextFileIndex.LINE_NUMBER, delimiter="\t"):
    """Ids of the lines of a file."""
    if vocabulary_file is None or (isinstance(vocabulary_file, str) and not vocabulary_file):
        raise ValueError("vocabulary_file must be specified and must not be empty.")
    _checked_buckets(num_oov_buckets)
    if vocab_size is not None and vocab_size < 1:
        raise ValueError("vocab_size must be greater than 0, got %d. " % vocab_size)
    with name_scope(name, "string_to_index"):
        with name_scope(None, "hash_table"):
            init = TextFileIdTableInitializer(vocabulary_file, vocab_size=vocab_size, key_dtype=dtypes.int64 if dtypes.as_dtype(key_dtype).is_integer else key_dtype, name="table_init",
                                              key_column_index=key_column_index, value_column_index=value_column_index, delimiter=delimiter)
            table = StaticHashTable(init, default_value)
        if num_oov_buckets:
            table = IdTableWithHashBuckets(table, num_oov_buckets=num_oov_buckets, hasher_spec=hasher_spec, key_dtype=key_dtype)
        return table


@export("contrib.lookup.index_to_string_table_from_tensor")
def index_to_string_table_from_tensor(mapping=None, default_value="UNK", name=None, vocabulary_list=None):
    """The strings of ids."""
    vocabulary_list = mapping if vocabulary_list is None else vocabulary_list
    if vocabulary_list is None:
        raise ValueError("mapping must be specified.")
    tf = _tf()
    with name_scope(name, "index_to_string"):
        values = ops.convert_to_tensor(vocabulary_list, dtypes.string)
        keys = tf.cast(tf.range(tf.size(values)), dtypes.int64)
        init = KeyValueTensorInitializer(keys, values, dtypes.int64, dtypes.string, name="table_init")
        return StaticHashTable(init, default_value)


@export("contrib.lookup.index_to_string_table_from_file")
def index_to_string_table_from_file(vocabulary_file, vocab_size=None, default_value="UNK", name=None, key_column_index=TextFileIndex.LINE_NUMBER,
                                    value_column_index=TextFileIndex.WHOLE_LINE, delimiter="\t"):
    """The lines of a file by their number."""
    if vocabulary_file is None or (isinstance(vocabulary_file, str) and not vocabulary_file):
        raise ValueError("vocabulary_file must be specified and must not be empty.")
    if vocab_size is not None and vocab_size < 1:
        raise ValueError("vocab_size must be greater than 0, got %d." % vocab_size)
    with name_scope(name, "index_to_string"):
        init = TextFileStringTableInitializer(vocabulary_file, vocab_size=vocab_size, name="table_init", key_column_index=key_column_index, value_column_index=value_column_index,
                                              delimiter=delimiter)
        return StaticHashTable(init, default_value)


class _Mutable(LookupInterface):
    """What tables that change have in common."""

    initializer = None
    name = property(lambda self: self._table.op.name.split("/")[-1])

    def _shape(self, tensor):
        return tensor

    def size(self, name=None):
        with name_scope(name, "%s_Size" % self.name, [self._table]), ops.colocate_with(self._table):
            return raw("LookupTableSizeV2")(self._table)

    def remove(self, keys, name=None):
        if keys.dtype != self._key_dtype:
            raise TypeError("Signature mismatch. Keys must be dtype %s, got %s." % (self._key_dtype, keys.dtype))
        with name_scope(name, "%s_lookup_table_remove" % self.name, (self._table, keys, self._default_value)):
            return raw("LookupTableRemoveV2")(self._table, keys)

    def lookup(self, keys, name=None):
        with name_scope(name, "%s_lookup_table_find" % self.name, (self._table, keys, self._default_value)):
            keys = ops.convert_to_tensor(keys, dtype=self._key_dtype, name="keys")
            with ops.colocate_with(self._table):
                return raw("LookupTableFindV2")(self._table, keys, self._default_value)

    def insert(self, keys, values, name=None):
        with name_scope(name, "%s_lookup_table_insert" % self.name, [self._table, keys, values]):
            keys = ops.convert_to_tensor(keys, self._key_dtype, name="keys")
            values = ops.convert_to_tensor(values, self._value_dtype, name="values")
            with ops.colocate_with(self._table):
                return raw("LookupTableInsertV2")(self._table, keys, values)

    def export(self, name=None):
        with name_scope(name, "%s_lookup_table_export_values" % self.name, [self._table]), ops.colocate_with(self._table):
            keys, values = raw("LookupTableExportV2")(self._table, self._key_dtype, self._value_dtype)
        return keys, values


@export("contrib.lookup.MutableHashTable", "lookup.experimental.MutableHashTable")
class MutableHashTable(_Mutable):
    """A table that steps fill and change."""

    def __init__(self, key_dtype, value_dtype, default_value, name="MutableHashTable", checkpoint=True, shared_name=None):
        super().__init__(key_dtype, value_dtype)
        self._default_value = ops.convert_to_tensor(default_value, dtype=self._value_dtype)
        shape = self._default_value.get_shape()
        sharing = checkpoint and shared_name is None
        given = dict(shared_name=shared_name, use_node_name_sharing=sharing, key_dtype=self._key_dtype, value_dtype=self._value_dtype, name=name)
        self._table = raw("MutableHashTableV2")(**given) if shape.ndims == 0 else raw("MutableHashTableOfTensorsV2")(value_shape=shape, **given)
        if checkpoint:
            _save(self, name)


@export("contrib.lookup.MutableDenseHashTable", "lookup.experimental.DenseHashTable")
class MutableDenseHashTable(_Mutable):
    """A table in one array, with keys that mark empty places."""

    def __init__(self, key_dtype, value_dtype, default_value, empty_key, deleted_key, initial_num_buckets=None, shared_name=None, name="MutableDenseHashTable", checkpoint=True):
        super().__init__(key_dtype, value_dtype)
        self._default_value = ops.convert_to_tensor(default_value, dtype=self._value_dtype, name="default_value")
        sharing = checkpoint and shared_name is None
        empty_key = ops.convert_to_tensor(empty_key, dtype=self._key_dtype, name="empty_key")
        deleted_key = ops.convert_to_tensor(deleted_key, dtype=self._key_dtype, name="deleted_key")
        self._table = raw("MutableDenseHashTableV2")(empty_key=empty_key, deleted_key=deleted_key, shared_name=shared_name, use_node_name_sharing=sharing,
                                                     value_dtype=self._value_dtype, value_shape=self._default_value.get_shape(), initial_num_buckets=initial_num_buckets, name=name)
        if checkpoint:
            _save(self, name)


def _save(table, name):
    """Adds the table's contents to what savers write."""
    from .training.saveables import SaveableObject, SaveSpec

    class _Saveable(SaveableObject):
        def __init__(self, table, name):
            keys, values = table.export()
            super().__init__(table, [SaveSpec(keys, "", name + "-keys"), SaveSpec(values, "", name + "-values")], name)

        def restore(self, restored_tensors, restored_shapes):
            with name_scope(None, "%s_table_restore" % self.name):
                with ops.colocate_with(self.op.resource_handle):
                    return raw("LookupTableImportV2")(self.op.resource_handle, restored_tensors[0], restored_tensors[1])

    ops.add_to_collection(GraphKeys.SAVEABLE_OBJECTS, _Saveable(table, name))
