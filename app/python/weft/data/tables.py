"""Lookup tables: values by key, filled from tensors or files on initialization, or changed by steps."""

import uuid

from .. import dtypes, engine, ops
from ..control_flow import group, no_op
from ..exports import export
from ..sparse_tensor import SparseTensor
from ..tensor_shape import TensorShape
from ..training.saveables import SaveableObject, SaveSpec
from ..training.tracking.base import Trackable

_INITIALIZERS = ops.GraphKeys.TABLE_INITIALIZERS


@export("tables_initializer", "initializers.tables_initializer")
def tables_initializer(name="init_all_tables"):
    """An operation that initializes all tables created so far."""
    found = ops.get_collection(_INITIALIZERS)
    return group(*found, name=name) if found else no_op(name=name)


@export("initialize_all_tables")
def initialize_all_tables(name="init_all_tables"):
    return tables_initializer(name)


def _check_types(table, key_dtype, value_dtype):
    for what, have, want in (("key", key_dtype, table.key_dtype), ("value", value_dtype, table.value_dtype)):
        if have.base_dtype != want:
            raise TypeError("Invalid %s dtype, expected %s but got %s." % (what, want, have))


@export("contrib.lookup.LookupInterface")
class LookupInterface:
    """Common interface of tables: types, a name, size() and lookup()."""

    _resource_handle = None

    def __init__(self, key_dtype, value_dtype):
        self._key_dtype, self._value_dtype = dtypes.as_dtype(key_dtype), dtypes.as_dtype(value_dtype)

    key_dtype = property(lambda self: self._key_dtype)
    value_dtype = property(lambda self: self._value_dtype)
    resource_handle = property(lambda self: self._resource_handle)

    def _check_keys(self, keys):
        if keys.dtype.base_dtype != self._key_dtype:
            raise TypeError("Signature mismatch. Keys must be dtype %s, got %s." % (self._key_dtype, keys.dtype))


@export("contrib.lookup.InitializableLookupTableBase")
class InitializableLookupTableBase(LookupInterface):
    """A table that its initializer fills once."""

    def __init__(self, default_value, initializer):
        super().__init__(initializer.key_dtype, initializer.value_dtype)
        self._default_value = ops.convert_to_tensor(default_value, dtype=self._value_dtype)
        self._default_value.get_shape().merge_with(TensorShape([]))
        self._initializer = initializer
        with ops.init_scope():
            self._resource_handle = self._create_resource()
        if ops.get_default_graph()._get_control_flow_context() is None:
            self._init_op = self._initialize()
        else:
            with ops.init_scope():
                self._init_op = self._initialize()

    def _initialize(self):
        return self._initializer.initialize(self)

    default_value = property(lambda self: self._default_value)
    initializer = property(lambda self: self._init_op)
    init = initializer

    def size(self, name=None):
        """The number of keys."""
        with ops.name_scope(name, "%s_Size" % self.name, [self.resource_handle]):
            return engine.raw_ops.LookupTableSizeV2(table_handle=self.resource_handle)

    def lookup(self, keys, name=None):
        """The values of the keys (a tensor or SparseTensor); missing keys give the default value."""
        wanted = keys.values if isinstance(keys, SparseTensor) else keys
        self._check_keys(keys)
        with ops.name_scope(name, "%s_Lookup" % self.name, (self.resource_handle, wanted, self._default_value)):
            values = engine.raw_ops.LookupTableFindV2(table_handle=self.resource_handle, keys=wanted, default_value=self._default_value)
        values.set_shape(wanted.get_shape())
        return SparseTensor(keys.indices, values, keys.dense_shape) if isinstance(keys, SparseTensor) else values


class _HashTable(InitializableLookupTableBase):
    def __init__(self, initializer, default_value, shared_name, name):
        self._initializer, self._default_value = initializer, default_value
        self._shared_name, self._name, self._table_name = shared_name, name or "hash_table", None
        super().__init__(default_value, initializer)
        self._value_shape = self._default_value.get_shape()

    def _create_resource(self):
        made = engine.raw_ops.HashTableV2(shared_name=self._shared_name, key_dtype=self._initializer.key_dtype, value_dtype=self._initializer.value_dtype, name=self._name)
        self._table_name = made.op.name.split("/")[-1]
        return made

    name = property(lambda self: self._table_name)

    def _exported(self, name=None):
        keys, values = engine.raw_ops.LookupTableExportV2(table_handle=self.resource_handle, Tkeys=self._key_dtype, Tvalues=self._value_dtype, name=name)
        values.set_shape(keys.get_shape().concatenate(self._value_shape))
        return keys, values


@export("lookup.StaticHashTable")
class StaticHashTable(_HashTable):
    """A table that does not change after initialization."""

    def __init__(self, initializer, default_value, name=None):
        super().__init__(initializer, default_value, initializer._shared_name or "hash_table_%s" % uuid.uuid4(), name)

    def export(self, name=None):
        """All (keys, values)."""
        with ops.name_scope(name, "%s_Export" % self.name, [self.resource_handle]):
            return self._exported()


@export("contrib.lookup.HashTable")
class HashTable(_HashTable):
    """A table that does not change after initialization. Tables with the same `shared_name` are one, also across graphs."""

    def __init__(self, initializer, default_value, shared_name=None, name=None):
        super().__init__(initializer, default_value, shared_name, name)

    def export(self, name=None):
        """All (keys, values)."""
        with ops.name_scope(name, "%s_Export" % self.name, [self.resource_handle]) as name:
            return self._exported(name)


@export("contrib.lookup.TableInitializerBase")
class TableInitializerBase:
    """Base of initializers; initialize(table) gives the operation that fills the table."""

    def __init__(self, key_dtype, value_dtype):
        self._key_dtype, self._value_dtype = dtypes.as_dtype(key_dtype), dtypes.as_dtype(value_dtype)

    key_dtype = property(lambda self: self._key_dtype)
    value_dtype = property(lambda self: self._value_dtype)
    _shared_name = property(lambda self: "")

    def initialize(self, table):
        raise NotImplementedError


@export("lookup.KeyValueTensorInitializer", "contrib.lookup.KeyValueTensorInitializer")
class KeyValueTensorInitializer(TableInitializerBase):
    """Keys and values from tensors."""

    def __init__(self, keys, values, key_dtype=None, value_dtype=None, name=None):
        if ops.get_default_graph()._get_control_flow_context() is None:
            self._take(keys, values, key_dtype, value_dtype)
        else:
            with ops.init_scope():
                self._take(keys, values, key_dtype, value_dtype)
        self._name = name if name is not None else "key_value_init"
        super().__init__(self._keys.dtype, self._values.dtype)

    def _take(self, keys, values, key_dtype, value_dtype):
        self._keys = ops.convert_to_tensor(keys, dtype=key_dtype, name="keys")
        self._values = ops.convert_to_tensor(values, dtype=value_dtype, name="values")

    def initialize(self, table):
        _check_types(table, self._keys.dtype, self._values.dtype)
        with ops.name_scope(self._name, values=(table.resource_handle, self._keys, self._values)):
            made = engine.raw_ops.LookupTableImportV2(table_handle=table.resource_handle, keys=self._keys, values=self._values)
        ops.add_to_collection(_INITIALIZERS, made)
        return made


@export("lookup.TextFileIndex", "contrib.lookup.TextFileIndex")
class TextFileIndex:
    """Pseudo columns: the whole line, and the line number."""

    WHOLE_LINE = -2
    LINE_NUMBER = -1


@export("lookup.TextFileInitializer", "contrib.lookup.TextFileInitializer")
class TextFileInitializer(TableInitializerBase):
    """Keys and values from columns of the lines of a file."""

    def __init__(self, filename, key_dtype, key_index, value_dtype, value_index, vocab_size=None, delimiter="\t", name=None):
        if not isinstance(filename, ops.Tensor) and not filename:
            raise ValueError("Filename required for %s." % name)
        key_dtype, value_dtype = dtypes.as_dtype(key_dtype), dtypes.as_dtype(value_dtype)
        line, number = TextFileIndex.WHOLE_LINE, TextFileIndex.LINE_NUMBER
        if key_index < -2:
            raise ValueError("Invalid key index %s." % key_index)
        if key_index == number and key_dtype != dtypes.int64:
            raise ValueError("Signature mismatch. Keys must be dtype %s, got %s." % (dtypes.int64, key_dtype))
        if key_index == line and not key_dtype.is_integer and key_dtype != dtypes.string:
            raise ValueError("Signature mismatch. Keys must be integer or string, got %s." % key_dtype)
        if value_index < -2:
            raise ValueError("Invalid value index %s." % value_index)
        if value_index == number and value_dtype != dtypes.int64:
            raise ValueError("Signature mismatch. Values must be dtype %s, got %s." % (dtypes.int64, value_dtype))
        if value_index == line and value_dtype != dtypes.string:
            raise ValueError("Signature mismatch. Values must be dtype %s, got %s." % (dtypes.string, value_dtype))
        if vocab_size is not None and vocab_size <= 0:
            raise ValueError("Invalid vocab_size %s." % vocab_size)
        self._given, self._key_index, self._value_index = filename, key_index, value_index
        self._vocab_size, self._delimiter, self._name = vocab_size, delimiter, name
        with ops.init_scope(), ops.device("CPU"):
            self._filename = ops.convert_to_tensor(filename, dtype=dtypes.string, name="asset_path")
        super().__init__(key_dtype, value_dtype)

    def initialize(self, table):
        _check_types(table, self.key_dtype, self.value_dtype)
        with ops.name_scope(self._name, "text_file_init", (table.resource_handle,)):
            made = engine.raw_ops.InitializeTableFromTextFileV2(table_handle=table.resource_handle, filename=self._filename, key_index=self._key_index,
                                                                value_index=self._value_index, vocab_size=-1 if self._vocab_size is None else self._vocab_size,
                                                                delimiter=self._delimiter)
        ops.add_to_collection(_INITIALIZERS, made)
        if self._filename.op.type == "Const":
            ops.add_to_collection(ops.GraphKeys.ASSET_FILEPATHS, self._filename)
        return made

    @property
    def _shared_name(self):
        if self._vocab_size:
            return "hash_table_%s_%d_%s_%s" % (self._given, self._vocab_size, self._key_index, self._value_index)
        return "hash_table_%s_%s_%s" % (self._given, self._key_index, self._value_index)


@export("contrib.lookup.TextFileStringTableInitializer")
class TextFileStringTableInitializer(TextFileInitializer):
    """Lines by line number."""

    def __init__(self, filename, key_column_index=TextFileIndex.LINE_NUMBER, value_column_index=TextFileIndex.WHOLE_LINE, vocab_size=None, delimiter="\t",
                 name="text_file_string_table_init"):
        super().__init__(filename, dtypes.int64, key_column_index, dtypes.string, value_column_index, vocab_size=vocab_size, delimiter=delimiter, name=name)


@export("contrib.lookup.TextFileIdTableInitializer")
class TextFileIdTableInitializer(TextFileInitializer):
    """Line numbers by line."""

    def __init__(self, filename, key_column_index=TextFileIndex.WHOLE_LINE, value_column_index=TextFileIndex.LINE_NUMBER, vocab_size=None, delimiter="\t",
                 name="text_file_id_table_init", key_dtype=None):
        super().__init__(filename, key_dtype or dtypes.string, key_column_index, dtypes.int64, value_column_index, vocab_size=vocab_size, delimiter=delimiter, name=name)


class _TableSaveable(SaveableObject):
    """The keys and values of a table in a checkpoint."""

    def __init__(self, table, name):
        keys, values = table.export()
        super().__init__(table, [SaveSpec(keys, "", name + "-keys"), SaveSpec(values, "", name + "-values")], name)

    def restore(self, restored_tensors, restored_shapes, name=None):
        with ops.name_scope(name, "%s_table_restore" % self.name):
            with ops.colocate_with(self.op.resource_handle):
                return engine.raw_ops.LookupTableImportV2(table_handle=self.op.resource_handle, keys=restored_tensors[0], values=restored_tensors[1])


class _MutableTable(LookupInterface, Trackable):
    """A table that steps can change; saved with the variables if `checkpoint`."""

    def __init__(self, key_dtype, value_dtype, name, checkpoint):
        super().__init__(key_dtype, value_dtype)
        self._name, self._checkpoint = name, checkpoint
        self._resource_handle = self._create_resource()
        self._table_name = self._resource_handle.op.name.split("/")[-1]
        if checkpoint:
            ops.add_to_collection(ops.GraphKeys.SAVEABLE_OBJECTS, _TableSaveable(self, name))

    name = property(lambda self: self._table_name)
    _key_rank = 0  # of one key; None: unknown

    def _gather_saveables_for_checkpoint(self):
        return {"table": lambda name=None: _TableSaveable(self, name or self._name)}

    def size(self, name=None):
        """The number of keys."""
        with ops.name_scope(name, "%s_Size" % self.name, [self.resource_handle]):
            with ops.colocate_with(self.resource_handle):
                return engine.raw_ops.LookupTableSizeV2(table_handle=self.resource_handle)

    def remove(self, keys, name=None):
        """Removes keys; missing keys are ignored."""
        if keys.dtype != self._key_dtype:
            raise TypeError("Signature mismatch. Keys must be dtype %s, got %s." % (self._key_dtype, keys.dtype))
        with ops.name_scope(name, "%s_lookup_table_remove" % self.name, (self.resource_handle, keys, self._default_value)):
            return engine.raw_ops.LookupTableRemoveV2(table_handle=self.resource_handle, keys=keys)

    def lookup(self, keys, name=None):
        """The values of the keys; missing keys give the default value."""
        with ops.name_scope(name, "%s_lookup_table_find" % self.name, (self.resource_handle, keys, self._default_value)):
            keys = ops.convert_to_tensor(keys, dtype=self._key_dtype, name="keys")
            with ops.colocate_with(self.resource_handle):
                values = engine.raw_ops.LookupTableFindV2(table_handle=self.resource_handle, keys=keys, default_value=self._default_value)
        if None not in (keys.shape.ndims, self._default_value.shape.ndims, self._key_rank):
            values.set_shape(keys.shape[:keys.shape.ndims - self._key_rank].concatenate(self._default_value.shape))
        return values

    def insert(self, keys, values, name=None):
        """Adds keys or replaces their values."""
        with ops.name_scope(name, "%s_lookup_table_insert" % self.name, [self.resource_handle, keys, values]):
            keys = ops.convert_to_tensor(keys, dtype=self._key_dtype, name="keys")
            values = ops.convert_to_tensor(values, dtype=self._value_dtype, name="values")
            with ops.colocate_with(self.resource_handle):
                return engine.raw_ops.LookupTableInsertV2(table_handle=self.resource_handle, keys=keys, values=values)

    def export(self, name=None):
        """All (keys, values)."""
        with ops.name_scope(name, "%s_lookup_table_export_values" % self.name, [self.resource_handle]):
            with ops.colocate_with(self.resource_handle):
                keys, values = engine.raw_ops.LookupTableExportV2(table_handle=self.resource_handle, Tkeys=self._key_dtype, Tvalues=self._value_dtype)
        return keys, values


@export("contrib.lookup.MutableHashTable")
class MutableHashTable(_MutableTable):
    """Values (scalars or tensors of one shape) by key."""

    def __init__(self, key_dtype, value_dtype, default_value, name="MutableHashTable", checkpoint=True, shared_name=None):
        self._default_value = ops.convert_to_tensor(default_value, dtype=value_dtype)
        self._shared_name = shared_name
        super().__init__(key_dtype, value_dtype, name, checkpoint)

    def _create_resource(self):
        given = {"shared_name": self._shared_name, "use_node_name_sharing": self._checkpoint and self._shared_name is None, "key_dtype": self._key_dtype,
                 "value_dtype": self._value_dtype, "name": self._name}
        shape = self._default_value.get_shape()
        return engine.raw_ops.MutableHashTableV2(**given) if shape.ndims == 0 else engine.raw_ops.MutableHashTableOfTensorsV2(value_shape=shape, **given)


@export("lookup.experimental.DenseHashTable", "contrib.lookup.MutableDenseHashTable")
class DenseHashTable(_MutableTable):
    """A table in one block of memory; two reserved keys mark empty and deleted buckets."""

    def __init__(self, key_dtype, value_dtype, default_value, empty_key, deleted_key, initial_num_buckets=None, name="MutableDenseHashTable",
                 checkpoint=True, shared_name=None):
        self._default_value = ops.convert_to_tensor(default_value, dtype=value_dtype, name="default_value")
        self._empty_key = ops.convert_to_tensor(empty_key, dtype=key_dtype, name="empty_key")
        self._deleted_key = ops.convert_to_tensor(deleted_key, dtype=key_dtype, name="deleted_key")
        self._shared_name, self._buckets = shared_name, initial_num_buckets
        super().__init__(key_dtype, value_dtype, name, checkpoint)

    def _create_resource(self):
        return engine.raw_ops.MutableDenseHashTableV2(
            empty_key=self._empty_key, deleted_key=self._deleted_key, shared_name=self._shared_name, use_node_name_sharing=self._checkpoint and self._shared_name is None,
            value_dtype=self._value_dtype, value_shape=self._default_value.get_shape(), initial_num_buckets=self._buckets, name=self._name)

    _key_rank = property(lambda self: self._empty_key.shape.ndims)
    insert_or_assign = _MutableTable.insert
    erase = _MutableTable.remove


for _op in ("LookupTableFind", "LookupTableInsert", "LookupTableSize", "HashTable", "InitializeTable", "InitializeTableFromTextFile", "MutableDenseHashTable",
            "MutableHashTable", "MutableHashTableOfTensors"):
    ops.NotDifferentiable(_op)
    ops.NotDifferentiable(_op + "V2")
