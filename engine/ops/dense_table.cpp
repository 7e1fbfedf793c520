#include <bit>

#include "base/murmur_hash.h"
#include "ops/lookup_table.h"
#include "tensor/element_types.h"
#include "weft/shared_mutex.h"

// A hash table with open addressing. Keys and values are in two tensors, which are also what it exports. Hashes and probing are TensorFlow's, so the slots are
// the same too.
namespace weft {
namespace {

uint64_t hashElement(const Tensor& t, int64_t i) {
  if (t.dtype() == DType::String) return murmurHash(t.data<std::string>()[i]);
  return uint64_t(t.asInt(i));
}

class DenseTable final : public LookupTable {
 public:
  explicit DenseTable(const DenseTableOptions& o)
      : LookupTable(o.emptyKey.dtype(), o.valueType, o.emptyKey.shape(), o.valueShape),
        empty_(o.emptyKey),
        deleted_(o.deletedKey),
        maxLoad_(o.maxLoad),
        keyWidth_(o.emptyKey.elements()),
        valueWidth_(o.valueShape.elements()) {}

  Status init(int64_t buckets) {
    const WriterLock lock(mutex_);
    return makeBuckets(buckets);
  }

  int64_t size() const override {
    const ReaderLock lock(mutex_);
    return used_;
  }

  Status find(const Tensor& keys, const Tensor& missing, Tensor& values) const override {
    WEFT_TRY(checkKeyShape(keys));
    const ReaderLock lock(mutex_);
    for (int64_t i = 0; i < keyCount(keys); ++i) {
      WEFT_TRY(checkKey(keys, i));
      int64_t at = int64_t(hash(keys, i) & uint64_t(buckets_ - 1)), probes = 0;
      while (true) {
        if (isKey(at, keys, i)) {
          copyElements(values, i * valueWidth_, values_, at * valueWidth_, valueWidth_);
          break;
        }
        if (isKey(at, empty_, 0)) {
          copyElements(values, i * valueWidth_, missing, 0, valueWidth_);
          break;
        }
        if (++probes >= buckets_) return internalError("Internal error in MutableDenseHashTable lookup");
        at = (at + probes) & (buckets_ - 1);
      }
    }
    return {};
  }

  Status insert(const Tensor& keys, const Tensor& values) override {
    WEFT_TRY(checkKeyShape(keys));
    const WriterLock lock(mutex_);
    WEFT_TRY(growFor(used_ + keyCount(keys)));
    for (int64_t i = 0; i < keyCount(keys); ++i) {
      WEFT_TRY(checkKey(keys, i));
      WEFT_TRY(put(keys, values, i));
    }
    return {};
  }

  Status remove(const Tensor& keys) override {
    WEFT_TRY(checkKeyShape(keys));
    const WriterLock lock(mutex_);
    for (int64_t i = 0; i < keyCount(keys); ++i) {
      WEFT_TRY(checkKey(keys, i));
      int64_t at = int64_t(hash(keys, i) & uint64_t(buckets_ - 1)), probes = 0;
      while (true) {
        if (isKey(at, keys, i)) {
          --used_;
          copyElements(keys_, at * keyWidth_, deleted_, 0, keyWidth_);
          break;
        }
        if (isKey(at, empty_, 0)) break;
        if (++probes >= buckets_) return internalError("Internal error in MutableDenseHashTable remove");
        at = (at + probes) & (buckets_ - 1);
      }
    }
    return {};
  }

  /// Replaces both tensors by those of another table, unchanged.
  Status replace(const Tensor& keys, const Tensor& values) override {
    const int64_t n = keyCount(keys);
    if (keys.rank() < 1 || n < 4 || !std::has_single_bit(uint64_t(n)))
      return invalidArgument("Number of buckets must be at least 4 and a power of 2, got: ", n);
    if (values.elements() != n * valueWidth_)
      return invalidArgument("Expected shape ", Shape{n, valueWidth_}.toString(), " for value, got ", values.shape().toString());
    const WriterLock lock(mutex_);
    WEFT_TRY(makeBuckets(n));
    copyElements(keys_, 0, keys, 0, n * keyWidth_);
    copyElements(values_, 0, values, 0, n * valueWidth_);
    for (int64_t i = 0; i < n; ++i) used_ += !isKey(i, empty_, 0) && !isKey(i, deleted_, 0);
    return {};
  }

  Status contents(Tensor* keys, Tensor* values) const override {
    const ReaderLock lock(mutex_);
    WEFT_LET(*keys, keys_.clone());
    WEFT_LET(*values, values_.clone());
    return {};
  }

 private:
  int64_t keyCount(const Tensor& keys) const { return keys.elements() / std::max<int64_t>(keyWidth_, 1); }
  bool isKey(int64_t at, const Tensor& keys, int64_t i) const WEFT_REQUIRES_SHARED(mutex_) {
    return sameElements(keys_, at * keyWidth_, keys, i * keyWidth_, keyWidth_);
  }
  uint64_t hash(const Tensor& keys, int64_t i) const {
    if (keyShape().isScalar()) return hashElement(keys, i);
    uint64_t h = 0;
    for (int64_t k = 0; k < keyWidth_; ++k) h ^= hashElement(keys, i * keyWidth_ + k) + 0x9e3779b97f4a7800ull + (h << 10) + (h >> 4);
    return h;
  }
  Status checkKey(const Tensor& keys, int64_t i) const {
    if (sameElements(keys, i * keyWidth_, empty_, 0, keyWidth_)) return invalidArgument("Using the empty_key as a table key is not allowed");
    if (sameElements(keys, i * keyWidth_, deleted_, 0, keyWidth_)) return invalidArgument("Using the deleted_key as a table key is not allowed");
    return {};
  }
  Status checkKeyShape(const Tensor& keys) const {
    Shape wanted{keys.rank() > 0 ? keys.dim(0) : 1};
    wanted.append(keyShape());
    const bool scalarKeys = keyShape().isScalar();  // in any layout
    if (scalarKeys || keys.shape() == wanted) return {};
    return invalidArgument("Expected key shape ", wanted.toString(), " got ", keys.shape().toString());
  }

  Status makeBuckets(int64_t n) WEFT_REQUIRES(mutex_) {
    WEFT_LET(keys_, Tensor::allocate(keyType(), Shape{n, keyWidth_}));
    WEFT_LET(values_, Tensor::allocate(valueType(), Shape{n, valueWidth_}));
    if (sizeOf(valueType()) > 0) std::memset(values_.mutableRaw(), 0, values_.bytes());
    for (int64_t i = 0; i < n; ++i) copyElements(keys_, i * keyWidth_, empty_, 0, keyWidth_);
    buckets_ = n;
    used_ = 0;
    return {};
  }
  Status growFor(int64_t entries) WEFT_REQUIRES(mutex_) {
    int64_t n = buckets_;
    while (double(entries) > double(n) * maxLoad_) n *= 2;
    if (n == buckets_) return {};
    const Tensor keys = keys_, values = values_;
    const int64_t old = buckets_;
    WEFT_TRY(makeBuckets(n));
    for (int64_t i = 0; i < old; ++i) {
      if (sameElements(keys, i * keyWidth_, empty_, 0, keyWidth_) || sameElements(keys, i * keyWidth_, deleted_, 0, keyWidth_)) continue;
      WEFT_TRY(put(keys, values, i));
    }
    return {};
  }
  Status put(const Tensor& keys, const Tensor& values, int64_t i) WEFT_REQUIRES(mutex_) {
    int64_t at = int64_t(hash(keys, i) & uint64_t(buckets_ - 1)), probes = 0;
    while (true) {
      const bool there = isKey(at, keys, i);
      if (there || isKey(at, empty_, 0) || isKey(at, deleted_, 0)) {
        if (!there) {
          ++used_;
          copyElements(keys_, at * keyWidth_, keys, i * keyWidth_, keyWidth_);
        }
        copyElements(values_, at * valueWidth_, values, i * valueWidth_, valueWidth_);
        return {};
      }
      if (++probes >= buckets_) return internalError("Internal error in MutableDenseHashTable insert");
      at = (at + probes) & (buckets_ - 1);
    }
  }

  const Tensor empty_, deleted_;
  const float maxLoad_;
  const int64_t keyWidth_, valueWidth_;
  mutable SharedMutex mutex_;
  Tensor keys_ WEFT_GUARDED_BY(mutex_), values_ WEFT_GUARDED_BY(mutex_);
  int64_t buckets_ WEFT_GUARDED_BY(mutex_) = 0, used_ WEFT_GUARDED_BY(mutex_) = 0;
};

}  // namespace

Result<std::shared_ptr<LookupTable>> makeDenseTable(const DenseTableOptions& o) {
  if (!(o.maxLoad > 0) || o.maxLoad >= 1) return invalidArgument("max_load_factor must be between 0 and 1, got: ", o.maxLoad);
  if (!(o.emptyKey.shape() == o.deletedKey.shape()))
    return invalidArgument("Empty and deleted keys must have same shape, got shapes: ", o.emptyKey.shape().toString(), " and ",
                           o.deletedKey.shape().toString());
  if (sameElements(o.emptyKey, 0, o.deletedKey, 0, o.emptyKey.elements())) return invalidArgument("Empty and deleted keys cannot be equal");
  if (o.buckets < 4 || !std::has_single_bit(uint64_t(o.buckets)))
    return invalidArgument("Number of buckets must be at least 4 and a power of 2, got: ", o.buckets);
  if (!o.valueShape.isFullyKnown()) return invalidArgument("Shape ", o.valueShape.toString(), " is not fully defined");
  DenseTableOptions own = o;
  WEFT_LET(own.emptyKey, o.emptyKey.clone());
  WEFT_LET(own.deletedKey, o.deletedKey.clone());
  auto table = std::make_shared<DenseTable>(own);
  WEFT_TRY(table->init(o.buckets));
  return std::shared_ptr<LookupTable>(std::move(table));
}

}  // namespace weft
