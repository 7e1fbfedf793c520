"""Vocabulary tables: words to ids, with hash buckets for unknown words, and ids to words."""

import collections
import functools

from .. import basics, dtypes, engine, ops
from ..control_flow import no_op
from ..exports import export, export_value
from ..sparse_tensor import SparseTensor
from .tables import KeyValueTensorInitializer, LookupInterface, StaticHashTable, TextFileIdTableInitializer, TextFileIndex, TextFileStringTableInitializer

HasherSpec = export_value(collections.namedtuple("HasherSpec", ["hasher", "key"]), "contrib.lookup.HasherSpec")
FastHashSpec = export_value(HasherSpec("fasthash", None), "contrib.lookup.FastHashSpec")


@export("contrib.lookup.StrongHashSpec")
class StrongHashSpec(HasherSpec):
    """A keyed hash, which resists deliberate collisions."""

    def __new__(cls, key):
        if len(key) != 2:
            raise ValueError("key must have size 2, got %s." % len(key))
        if not all(isinstance(k, int) for k in key):
            raise TypeError("Invalid key %s. Must be unsigned integer values." % key)
        return super().__new__(cls, "stronghash", key)


def _text(tensor):
    return tensor if tensor.dtype.base_dtype == dtypes.string else engine.as_string(tensor)


class _WithBuckets(LookupInterface):
    """Keys of the table keep their ids; all others are hashed to ids after those."""

    def _create_resource(self):
        return self._table._create_resource() if self._table is not None else None

    @property
    def initializer(self):
        if self._table is not None:
            return self._table._init_op
        with ops.name_scope(None, "init"):
            return no_op()

    init = initializer
    resource_handle = property(lambda self: self._table.resource_handle if self._table is not None else None)
    name = property(lambda self: self._table_name)

    def size(self, name=None):
        with ops.name_scope(name, "%s_Size" % self.name):
            known = self._table.size() if self._table else ops.convert_to_tensor(0, dtype=dtypes.int64)
            return known + self._num_oov_buckets

    def _hash(self):
        return engine.string_to_hash_bucket_fast

    def lookup(self, keys, name=None):
        """The ids of the keys (a tensor or SparseTensor)."""
        self._check_keys(keys)
        values = keys.values if isinstance(keys, SparseTensor) else keys
        if self._table and self._table.key_dtype.base_dtype == dtypes.int64:
            values = basics.cast(values, dtypes.int64)
        if self._num_oov_buckets == 0:
            ids = self._table.lookup(values, name=name)
        else:
            with ops.name_scope(name, "%s_Lookup" % self.name):
                ids = self._hash()(_text(values), num_buckets=self._num_oov_buckets, name="hash_bucket")
                if self._table:
                    known = self._table.lookup(values)
                    buckets = engine.add(ids, self._table.size())
                    ids = engine.raw_ops.SelectV2(condition=engine.not_equal(known, self._table.default_value), t=known, e=buckets)
        return SparseTensor(keys.indices, ids, keys.dense_shape) if isinstance(keys, SparseTensor) else ids


def _check_key_types(have, want):
    if have not in (dtypes.int64, dtypes.string):
        raise TypeError("Invalid key dtype, expected one of %s, but got %s." % ((dtypes.int64, dtypes.string), have))
    if have.is_integer != want.is_integer:
        raise TypeError("Invalid key dtype, expected %s but got %s." % ("integer" if want.is_integer else "non-integer", have))


def _check_value_type(have):
    if have != dtypes.int64:
        raise TypeError("Invalid value dtype, expected %s but got %s." % (dtypes.int64, have))


def _check_own_type(dtype):
    if not dtype.is_integer and dtype != dtypes.string:
        raise TypeError("Invalid key_dtype, expected integer or string, got %s." % dtype)


@export("contrib.lookup.IdTableWithHashBuckets")
class IdTableWithHashBuckets(_WithBuckets):
    """`table` (or None) followed by `num_oov_buckets` hash buckets."""

    def __init__(self, table, num_oov_buckets, hasher_spec=FastHashSpec, name=None, key_dtype=None):
        name = name.rstrip("/") if name else name
        if table:
            key_dtype = table.key_dtype if key_dtype is None else key_dtype
            _check_key_types(table.key_dtype, key_dtype)
            _check_value_type(table.value_dtype)
            self._table, name = table, name or table.name
        else:
            if num_oov_buckets <= 0:
                raise ValueError("oov_buckets must be > 0 if no table is supplied.")
            key_dtype = dtypes.string if key_dtype is None else key_dtype
            self._table, name = None, name or "hash_bucket"
        _check_own_type(key_dtype)
        self._num_oov_buckets = num_oov_buckets
        if not isinstance(hasher_spec, HasherSpec):
            raise TypeError("hasher_spec must be of type HasherSpec, got %s" % (hasher_spec,))
        self._hasher_spec = hasher_spec
        self._table_name = name.split("/")[-1] if name else None
        super().__init__(key_dtype, dtypes.int64)

    def _hash(self):
        kind = self._hasher_spec.hasher
        if kind == "fasthash":
            return engine.string_to_hash_bucket_fast
        if kind == "legacy":
            return engine.string_to_hash_bucket
        if kind == "stronghash":
            return functools.partial(engine.string_to_hash_bucket_strong, key=self._hasher_spec.key)
        raise ValueError("Unknown hasher %s" % kind)


@export("lookup.StaticVocabularyTable")
class StaticVocabularyTable(_WithBuckets):
    """The table of an initializer, followed by hash buckets."""

    def __init__(self, initializer, num_oov_buckets, lookup_key_dtype=None, name=None):
        if num_oov_buckets <= 0:
            raise ValueError("oov_buckets must be > 0.")
        name = name.rstrip("/") if name else name
        if initializer:
            lookup_key_dtype = initializer.key_dtype if lookup_key_dtype is None else lookup_key_dtype
            _check_key_types(initializer.key_dtype, lookup_key_dtype)
            _check_value_type(initializer.value_dtype)
            self._table = StaticHashTable(initializer, default_value=-1)
            name = name or self._table.name
        else:
            lookup_key_dtype, self._table, name = dtypes.string, None, name or "hash_bucket"
        _check_own_type(lookup_key_dtype)
        self._num_oov_buckets = num_oov_buckets
        self._table_name = name.split("/")[-1] if name is not None else None
        super().__init__(lookup_key_dtype, dtypes.int64)


def _check_file(vocabulary_file):
    if vocabulary_file is None or isinstance(vocabulary_file, str) and not vocabulary_file:
        raise ValueError("vocabulary_file must be specified and must not be empty.")


def _check_buckets(num_oov_buckets):
    if num_oov_buckets < 0:
        raise ValueError("num_oov_buckets must be greater or equal than 0, got %d." % num_oov_buckets)


def _check_kind(dtype):
    if not dtype.is_integer and dtype.base_dtype != dtypes.string:
        raise TypeError("Only integer and string keys are supported.")


@export("contrib.lookup.index_table_from_file")
def index_table_from_file(vocabulary_file=None, num_oov_buckets=0, vocab_size=None, default_value=-1, hasher_spec=FastHashSpec, key_dtype=None, name=None,
                          key_column_index=TextFileIndex.WHOLE_LINE, value_column_index=TextFileIndex.LINE_NUMBER, delimiter="\t"):
    """Line numbers of a file, by line."""
    key_dtype = key_dtype or dtypes.string
    _check_file(vocabulary_file)
    _check_buckets(num_oov_buckets)
    if vocab_size is not None and vocab_size < 1:
        shown = vocabulary_file
        if isinstance(shown, ops.Tensor):
            known = ops.constant_value(shown)
            shown = known if known is not None else "?"
        raise ValueError("vocab_size must be greater than 0, got %d. vocabulary_file: %s" % (vocab_size, shown))
    _check_kind(key_dtype)
    with ops.name_scope(name, "string_to_index"):
        with ops.name_scope(None, "hash_table"):
            fill = TextFileIdTableInitializer(vocabulary_file, vocab_size=vocab_size, key_dtype=dtypes.int64 if key_dtype.is_integer else key_dtype, name="table_init",
                                              key_column_index=key_column_index, value_column_index=value_column_index, delimiter=delimiter)
            table = StaticHashTable(fill, default_value)
        if num_oov_buckets:
            table = IdTableWithHashBuckets(table, num_oov_buckets=num_oov_buckets, hasher_spec=hasher_spec, key_dtype=key_dtype)
        return table


@export("contrib.lookup.index_table_from_tensor")
def index_table_from_tensor(mapping, num_oov_buckets=0, default_value=-1, hasher_spec=FastHashSpec, dtype=None, name=None):
    """Positions in a tensor, by element."""
    dtype = dtype or dtypes.string
    if mapping is None:
        raise ValueError("mapping must be specified.")
    _check_buckets(num_oov_buckets)
    _check_kind(dtype)
    with ops.name_scope(name, "string_to_index"):
        keys = ops.convert_to_tensor(mapping)
        if keys.dtype.is_integer != dtype.is_integer:
            raise ValueError("Expected %s, got %s." % ("integer" if dtype.is_integer else "non-integer", keys.dtype))
        if not dtype.is_integer and keys.dtype.base_dtype != dtype:
            raise ValueError("Expected %s, got %s." % (dtype, keys.dtype))
        values = basics.cast(engine.range(basics.size(keys)), dtypes.int64)
        with ops.name_scope(None, "hash_table"):
            keys = basics.cast(keys, dtypes.int64) if keys.dtype.is_integer else keys
            table = StaticHashTable(KeyValueTensorInitializer(keys, values, keys.dtype.base_dtype, dtypes.int64, name="table_init"), default_value)
        if num_oov_buckets:
            table = IdTableWithHashBuckets(table, num_oov_buckets=num_oov_buckets, hasher_spec=hasher_spec, key_dtype=dtype)
        return table


@export("contrib.lookup.index_to_string_table_from_file")
def index_to_string_table_from_file(vocabulary_file, vocab_size=None, default_value="UNK", name=None, key_column_index=TextFileIndex.LINE_NUMBER,
                                    value_column_index=TextFileIndex.WHOLE_LINE, delimiter="\t"):
    """Lines of a file, by line number."""
    _check_file(vocabulary_file)
    if vocab_size is not None and vocab_size < 1:
        raise ValueError("vocab_size must be greater than 0, got %d." % vocab_size)
    with ops.name_scope(name, "index_to_string"):
        fill = TextFileStringTableInitializer(vocabulary_file, vocab_size=vocab_size, name="table_init", key_column_index=key_column_index,
                                              value_column_index=value_column_index, delimiter=delimiter)
        return StaticHashTable(fill, default_value)


@export("contrib.lookup.index_to_string_table_from_tensor")
def index_to_string_table_from_tensor(mapping, default_value="UNK", name=None):
    """Strings of a tensor, by position."""
    if mapping is None:
        raise ValueError("mapping must be specified.")
    with ops.name_scope(name, "index_to_string"):
        texts = ops.convert_to_tensor(mapping, dtypes.string)
        keys = basics.cast(engine.range(basics.size(texts)), dtypes.int64)
        return StaticHashTable(KeyValueTensorInitializer(keys, texts, dtypes.int64, dtypes.string, name="table_init"), default_value)


@export("contrib.lookup.string_to_index_table_from_file")
def string_to_index_table_from_file(vocabulary_file=None, num_oov_buckets=0, vocab_size=None, default_value=-1, hasher_spec=FastHashSpec, name=None):
    return index_table_from_file(vocabulary_file, num_oov_buckets, vocab_size, default_value, hasher_spec, name=name)


@export("contrib.lookup.string_to_index_table_from_tensor")
def string_to_index_table_from_tensor(mapping, num_oov_buckets=0, default_value=-1, hasher_spec=FastHashSpec, name=None):
    with ops.name_scope(name, "string_to_index") as scope:
        mapping = ops.convert_to_tensor(mapping)
    if mapping.dtype.base_dtype != dtypes.string:
        raise ValueError("string_to_index_table_from_tensor requires string.")
    return index_table_from_tensor(mapping, num_oov_buckets, default_value, hasher_spec, name=scope)


@export("contrib.lookup.string_to_index")
def string_to_index(tensor, mapping, default_value=-1, name=None):
    return index_table_from_tensor(mapping, default_value=default_value, name=name).lookup(tensor)


@export("contrib.lookup.index_to_string")
def index_to_string(tensor, mapping, default_value="UNK", name=None):
    return index_to_string_table_from_tensor(mapping, default_value=default_value, name=name).lookup(tensor)


@export("python.ops.lookup_ops.index_table_from_tensor")
def _index_table_from_tensor(vocabulary_list, num_oov_buckets=0, default_value=-1, hasher_spec=FastHashSpec, dtype=dtypes.string, name=None):
    if vocabulary_list is None:
        raise ValueError("vocabulary_list must be specified.")
    return index_table_from_tensor(vocabulary_list, num_oov_buckets, default_value, hasher_spec, dtype, name)


@export("python.ops.lookup_ops.index_to_string_table_from_tensor")
def _index_to_string_table_from_tensor(vocabulary_list, default_value="UNK", name=None):
    if vocabulary_list is None:
        raise ValueError("vocabulary_list must be specified.")
    return index_to_string_table_from_tensor(vocabulary_list, default_value, name)
