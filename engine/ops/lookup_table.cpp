#include "ops/lookup_table.h"

#include <charconv>
#include <cstring>
#include <functional>
#include <unordered_map>
#include <vector>

#include "tensor/element_types.h"
#include "weft/shared_mutex.h"

namespace weft {

bool sameElements(const Tensor& a, int64_t i, const Tensor& b, int64_t j, int64_t n) {
  bool same = true;
  if (a.dtype() == DType::String) {
    for (int64_t k = 0; k < n && same; ++k) same = a.data<std::string>()[i + k] == b.data<std::string>()[j + k];
    return same;
  }
  if (withFloat(a.dtype(), [&]<typename T>(std::type_identity<T>) {
        for (int64_t k = 0; k < n && same; ++k) same = elementsOf<T>(a)[i + k] == elementsOf<T>(b)[j + k];
      })) {
    return same;
  }
  const size_t width = sizeOf(a.dtype());
  return width != 0 &&
         std::memcmp(static_cast<const char*>(a.raw()) + size_t(i) * width, static_cast<const char*>(b.raw()) + size_t(j) * width, size_t(n) * width) == 0;
}

std::string elementText(const Tensor& t, int64_t i) {
  if (t.dtype() == DType::String) return t.data<std::string>()[i];
  if (t.dtype() == DType::Bool) return t.data<bool>()[i] ? "1" : "0";
  char text[40];
  std::to_chars_result end{};
  if (t.dtype() == DType::Float) end = std::to_chars(text, text + sizeof text, t.data<float>()[i]);
  else if (t.dtype() == DType::Double) end = std::to_chars(text, text + sizeof text, t.data<double>()[i]);
  else end = std::to_chars(text, text + sizeof text, t.asInt(i));
  return std::string(text, end.ptr);
}

namespace {

bool endsWith(const Shape& shape, const Shape& end) {
  if (shape.rank() < end.rank()) return false;
  for (int d = 0; d < end.rank(); ++d) {
    if (shape.dim(shape.rank() - end.rank() + d) != end.dim(d)) return false;
  }
  return true;
}

Status checkKeys(const LookupTable& table, const Tensor& keys) {
  if (endsWith(keys.shape(), table.keyShape())) return {};
  return invalidArgument("Input key shape ", keys.shape().toString(), " must end with the table's key shape ", table.keyShape().toString());
}

}  // namespace

Shape LookupTable::shapeOfValues(const Tensor& keys) const {
  Shape shape = keys.shape().slice(0, keys.rank() - keyShape_.rank());
  shape.append(valueShape_);
  return shape;
}

Status LookupTable::checkPairs(const Tensor& keys, const Tensor& values) const {
  WEFT_TRY(checkKeys(*this, keys));
  const Shape wanted = shapeOfValues(keys);
  if (!(values.shape() == wanted)) return invalidArgument("Expected shape ", wanted.toString(), " for value, got ", values.shape().toString());
  return {};
}

Status LookupTable::checkFind(const Tensor& keys, const Tensor& missing) const {
  WEFT_TRY(checkKeys(*this, keys));
  if (!(missing.shape() == valueShape_))
    return invalidArgument("Expected shape ", valueShape_.toString(), " for default value, got ", missing.shape().toString());
  return {};
}

namespace {

/// Values by row; freed rows are reused.
class ValueRows {
 public:
  ValueRows(DType type, const Shape& shape) : type_(type), width_(std::max<int64_t>(shape.elements(), 1)) {}

  Result<int64_t> add(const Tensor& from, int64_t index) {
    int64_t row = used_;
    if (!free_.empty()) {
      row = free_.back();
      free_.pop_back();
    } else {
      if (used_ == capacity_) WEFT_TRY(grow());
      ++used_;
    }
    set(row, from, index);
    return row;
  }
  void set(int64_t row, const Tensor& from, int64_t index) { copyElements(rows_, row * width_, from, index * width_, width_); }
  void get(int64_t row, Tensor& to, int64_t index) const { copyElements(to, index * width_, rows_, row * width_, width_); }
  bool holds(int64_t row, const Tensor& values, int64_t index) const { return sameElements(rows_, row * width_, values, index * width_, width_); }
  std::string text(int64_t row) const { return elementText(rows_, row * width_); }
  void releaseRow(int64_t row) { free_.push_back(row); }
  void clear() {
    rows_ = Tensor();
    capacity_ = used_ = 0;
    free_.clear();
  }

 private:
  Status grow() {
    const int64_t larger = std::max<int64_t>(16, capacity_ * 2);
    WEFT_LET(Tensor rows, Tensor::allocate(type_, Shape{larger, width_}));
    if (used_ > 0) copyElements(rows, 0, rows_, 0, used_ * width_);
    rows_ = std::move(rows);
    capacity_ = larger;
    return {};
  }

  const DType type_;
  const int64_t width_;
  Tensor rows_;
  int64_t capacity_ = 0, used_ = 0;
  std::vector<int64_t> free_;
};

/// Rows by key. Tables export their contents in this container's iteration order; TensorFlow uses the same container.
template <typename K>
class HashRows {
 public:
  HashRows(DType type, const Shape& shape) : values_(type, shape), type_(type), shape_(shape) {}

  int64_t size() const { return int64_t(rows_.size()); }
  void find(const Tensor& keys, const Tensor& missing, Tensor& values) const {
    const K* k = keys.data<K>();
    const int64_t width = std::max<int64_t>(shape_.elements(), 1);
    for (int64_t i = 0; i < keys.elements(); ++i) {
      const auto it = rows_.find(k[i]);
      if (it == rows_.end()) copyElements(values, i * width, missing, 0, width);
      else values_.get(it->second, values, i);
    }
  }
  /// `once`: an existing key must have the same value.
  Status insert(const Tensor& keys, const Tensor& values, bool once) {
    const K* k = keys.data<K>();
    for (int64_t i = 0; i < keys.elements(); ++i) {
      if (const auto it = rows_.find(k[i]); it != rows_.end()) {
        if (!once) {
          values_.set(it->second, values, i);
        } else if (!values_.holds(it->second, values, i)) {
          return failedPrecondition("HashTable has different value for same key. Key ", elementText(keys, i), " has ", values_.text(it->second),
                                    " and trying to add value ", elementText(values, i));
        }
        continue;
      }
      WEFT_LET(const int64_t row, values_.add(values, i));
      rows_.emplace(k[i], row);
    }
    return {};
  }
  void remove(const Tensor& keys) {
    const K* k = keys.data<K>();
    for (int64_t i = 0; i < keys.elements(); ++i) {
      const auto it = rows_.find(k[i]);
      if (it == rows_.end()) continue;
      values_.releaseRow(it->second);
      rows_.erase(it);
    }
  }
  void clear() {
    rows_.clear();
    values_.clear();
  }
  Status contents(DType keyType, Tensor* keys, Tensor* values) const {
    WEFT_LET(*keys, Tensor::allocate(keyType, Shape{size()}));
    Shape shape{size()};
    shape.append(shape_);
    WEFT_LET(*values, Tensor::allocate(type_, shape));
    int64_t i = 0;
    for (const auto& [key, row] : rows_) {
      keys->mutableData<K>()[i] = key;
      values_.get(row, *values, i++);
    }
    return {};
  }

 private:
  std::unordered_map<K, int64_t> rows_;
  ValueRows values_;
  const DType type_;
  const Shape shape_;
};

template <typename K>
class HashTable final : public StaticTable {
 public:
  HashTable(DType keyType, DType valueType) : StaticTable(keyType, valueType, Shape(), Shape()), rows_(valueType, Shape()) {}

  int64_t size() const override {
    const ReaderLock lock(mutex_);
    return filled_ ? rows_.size() : 0;
  }
  bool isFilled() const override {
    const ReaderLock lock(mutex_);
    return filled_;
  }
  Status find(const Tensor& keys, const Tensor& missing, Tensor& values) const override {
    const ReaderLock lock(mutex_);
    if (!filled_) return failedPrecondition("Table not initialized.");
    rows_.find(keys, missing, values);
    return {};
  }
  Status insert(const Tensor&, const Tensor&) override { return unimplemented("Insert not supported by InitializableLookupTable implementations"); }
  Status remove(const Tensor&) override { return unimplemented("Remove not supported by InitializableLookupTable implementations"); }
  Status replace(const Tensor& keys, const Tensor& values) override {
    TensorSource source(keys, values);
    return fill(source);
  }
  Status contents(Tensor* keys, Tensor* values) const override {
    const ReaderLock lock(mutex_);
    if (!filled_) return abortedError("HashTable is not initialized.");
    return rows_.contents(keyType(), keys, values);
  }
  Status fill(TableSource& source) override {
    const WriterLock lock(mutex_);
    if (filled_) {
      WEFT_LET(const int64_t total, source.total());
      if (total == rows_.size()) return {};
      return failedPrecondition("Table was already initialized with different data.");
    }
    Tensor keys, values;
    while (true) {
      WEFT_LET(const bool more, source.next(&keys, &values));
      if (!more) break;
      WEFT_TRY(rows_.insert(keys, values, true));
    }
    filled_ = true;
    return {};
  }

 private:
  mutable SharedMutex mutex_;
  HashRows<K> rows_ WEFT_GUARDED_BY(mutex_);
  bool filled_ WEFT_GUARDED_BY(mutex_) = false;
};

template <typename K>
class MutableTable final : public LookupTable {
 public:
  MutableTable(DType keyType, DType valueType, const Shape& valueShape) : LookupTable(keyType, valueType, Shape(), valueShape), rows_(valueType, valueShape) {}

  int64_t size() const override {
    const ReaderLock lock(mutex_);
    return rows_.size();
  }
  Status find(const Tensor& keys, const Tensor& missing, Tensor& values) const override {
    const ReaderLock lock(mutex_);
    rows_.find(keys, missing, values);
    return {};
  }
  Status insert(const Tensor& keys, const Tensor& values) override {
    const WriterLock lock(mutex_);
    return rows_.insert(keys, values, false);
  }
  Status remove(const Tensor& keys) override {
    const WriterLock lock(mutex_);
    rows_.remove(keys);
    return {};
  }
  Status replace(const Tensor& keys, const Tensor& values) override {
    const WriterLock lock(mutex_);
    rows_.clear();
    return rows_.insert(keys, values, false);
  }
  Status contents(Tensor* keys, Tensor* values) const override {
    const ReaderLock lock(mutex_);
    return rows_.contents(keyType(), keys, values);
  }

 private:
  mutable SharedMutex mutex_;
  HashRows<K> rows_ WEFT_GUARDED_BY(mutex_);
};

}  // namespace

std::shared_ptr<StaticTable> makeStaticTable(DType keyType, DType valueType) {
  if (keyType == DType::String) return std::make_shared<HashTable<std::string>>(keyType, valueType);
  if (keyType == DType::Int32) return std::make_shared<HashTable<int32_t>>(keyType, valueType);
  return std::make_shared<HashTable<int64_t>>(keyType, valueType);
}

std::shared_ptr<LookupTable> makeMutableTable(DType keyType, DType valueType, const Shape& valueShape) {
  if (keyType == DType::String) return std::make_shared<MutableTable<std::string>>(keyType, valueType, valueShape);
  if (keyType == DType::Int32) return std::make_shared<MutableTable<int32_t>>(keyType, valueType, valueShape);
  return std::make_shared<MutableTable<int64_t>>(keyType, valueType, valueShape);
}

}  // namespace weft
