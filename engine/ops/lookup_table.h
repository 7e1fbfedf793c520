#pragma once

#include <memory>
#include <string>

#include "tensor/variable.h"

// Tables from keys to values. Thread-safe.
namespace weft {

class LookupTable : public SessionResource {
 public:
  static constexpr const char* kTypeName = "N10tensorflow6lookup15LookupInterfaceE";

  LookupTable(DType keyType, DType valueType, Shape keyShape, Shape valueShape)
      : keyType_(keyType), valueType_(valueType), keyShape_(std::move(keyShape)), valueShape_(std::move(valueShape)) {}
  std::string kind() const override { return "table"; }
  DType keyType() const { return keyType_; }
  DType valueType() const { return valueType_; }
  const Shape& keyShape() const { return keyShape_; }      ///< Of one key.
  const Shape& valueShape() const { return valueShape_; }  ///< Of one value.

  /// INVALID_ARGUMENT unless `keys` are keys and `values` holds one value per key.
  Status checkPairs(const Tensor& keys, const Tensor& values) const;
  /// INVALID_ARGUMENT unless `keys` are keys and `missing` is one value.
  Status checkFind(const Tensor& keys, const Tensor& missing) const;
  /// Shape of the values of these keys. REQUIRES: checkFind() or checkPairs() succeeded.
  Shape shapeOfValues(const Tensor& keys) const;

  virtual int64_t size() const = 0;
  /// Writes the values of `keys` to `values`, which must have their shape; absent keys get `missing`.
  virtual Status find(const Tensor& keys, const Tensor& missing, Tensor& values) const = 0;
  virtual Status insert(const Tensor& keys, const Tensor& values) = 0;
  virtual Status remove(const Tensor& keys) = 0;
  /// Replaces the entire contents.
  virtual Status replace(const Tensor& keys, const Tensor& values) = 0;
  virtual Status contents(Tensor* keys, Tensor* values) const = 0;

 private:
  const DType keyType_, valueType_;
  const Shape keyShape_, valueShape_;
};

/// The contents for a table, chunk by chunk.
class TableSource {
 public:
  virtual ~TableSource() = default;
  /// Total number of pairs.
  virtual Result<int64_t> total() = 0;
  /// The next pairs, or false at the end.
  virtual Result<bool> next(Tensor* keys, Tensor* values) = 0;
};

/// The pairs in two tensors, which outlive it.
class TensorSource final : public TableSource {
 public:
  TensorSource(const Tensor& keys, const Tensor& values) : keys_(keys), values_(values) {}
  Result<int64_t> total() override { return keys_.elements(); }
  Result<bool> next(Tensor* keys, Tensor* values) override {
    if (given_) return false;
    given_ = true;
    *keys = keys_;
    *values = values_;
    return true;
  }

 private:
  const Tensor &keys_, &values_;
  bool given_ = false;
};

/// A table that is initialised once.
class StaticTable : public LookupTable {
 public:
  using LookupTable::LookupTable;
  /// FAILED_PRECONDITION if it was initialised with another number of pairs, or if a key has two values.
  virtual Status fill(TableSource& source) = 0;
  virtual bool isFilled() const = 0;
};

std::shared_ptr<StaticTable> makeStaticTable(DType keyType, DType valueType);
/// A table whose values are scalars, or vectors of the same length.
std::shared_ptr<LookupTable> makeMutableTable(DType keyType, DType valueType, const Shape& valueShape);

/// The options of a dense table.
struct DenseTableOptions {
  DType valueType = DType::Invalid;
  Shape valueShape;
  Tensor emptyKey, deletedKey;  ///< Keys that mark empty and deleted slots; not allowed as keys.
  int64_t buckets = 0;
  float maxLoad = 0;
};
/// A table with open addressing over two tensors. INVALID_ARGUMENT for invalid options.
Result<std::shared_ptr<LookupTable>> makeDenseTable(const DenseTableOptions& options);

/// Reads the lines of a text file as pairs.
struct TextTableOptions {
  std::string file;
  int64_t size = -1;  ///< Lines to read; -1: all.
  char delimiter = '\t';
  int64_t keyColumn = 0, valueColumn = 0;  ///< -1: the line's number, -2: the whole line.
  DType keyType = DType::Invalid, valueType = DType::Invalid;
};
/// Opens the file. Reports unreadable files, empty files and a first line that does not fit at once.
Result<std::unique_ptr<TableSource>> openTextTable(const TextTableOptions& options);

// ---- elements of tensors of any type

/// Whether `n` elements of `a` from index `i` equal those of `b` from index `j`. REQUIRES: the same dtype.
bool sameElements(const Tensor& a, int64_t i, const Tensor& b, int64_t j, int64_t n);
/// For messages.
std::string elementText(const Tensor& t, int64_t i);

}  // namespace weft
