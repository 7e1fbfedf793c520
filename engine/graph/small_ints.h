#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "weft/tensor.h"

namespace weft {

/// A small tensor of int32, int64 or bool for shape arithmetic. Access is always checked and returns nullopt for missing elements, so a computation on
/// unsuitable values ends as unknown.
class SmallInts {
 public:
  static constexpr int64_t kMostElements = 4096;  ///< Larger tensors are not shapes or index lists.

  static bool holds(DType type) { return type == DType::Int32 || type == DType::Int64 || type == DType::Bool; }
  /// nullopt for other types, tensors without a value, and large tensors.
  static std::optional<SmallInts> of(const Tensor& tensor);
  /// nullopt unless there are as many values as the shape has elements, at most kMostElements.
  static std::optional<SmallInts> make(std::vector<int64_t> values, Shape shape);
  static std::optional<SmallInts> scalar(int64_t value) { return make({value}, Shape{}); }
  static std::optional<SmallInts> vector(std::vector<int64_t> values) {
    const auto size = int64_t(values.size());
    return make(std::move(values), Shape{size});
  }

  int64_t size() const { return int64_t(values_.size()); }
  const Shape& shape() const { return shape_; }
  int rank() const { return shape_.rank(); }
  /// Element `i`, or nullopt if there is none.
  std::optional<int64_t> at(int64_t i) const;
  /// The only element; nullopt unless there is exactly one.
  std::optional<int64_t> only() const { return size() == 1 ? at(0) : std::nullopt; }
  /// Element `i`; a single element is broadcast.
  std::optional<int64_t> spread(int64_t i) const { return at(size() == 1 ? 0 : i); }
  auto begin() const { return values_.begin(); }
  auto end() const { return values_.end(); }
  bool contains(int64_t value) const;

  /// As a tensor of `type` (int32 wraps as in kernels); nullopt for unsupported types.
  std::optional<Tensor> tensor(DType type) const;

 private:
  SmallInts(std::vector<int64_t> values, Shape shape) : values_(std::move(values)), shape_(std::move(shape)) {}

  std::vector<int64_t> values_;
  Shape shape_;
};

/// A function of two numbers, or of one; nullopt if the kernel would fail or the result does not fit into 64 bits.
using SmallBinary = std::optional<int64_t> (*)(int64_t, int64_t);
using SmallUnary = std::optional<int64_t> (*)(int64_t);
std::optional<int64_t> smallSum(int64_t a, int64_t b);

/// What an op computes; one of the functions is given.
struct SmallOp {
  std::string_view name;
  SmallBinary binary = nullptr;
  SmallUnary unary = nullptr;
  SmallBinary reduction = nullptr;
  std::optional<int64_t> start = {};  ///< Of a reduction; nullopt: the first element.
};
/// Null for other ops.
const SmallOp* smallOp(std::string_view name);

/// For scalars and equal shapes only; shape arithmetic needs no more.
std::optional<SmallInts> applied(SmallBinary f, const SmallInts& a, const SmallInts& b);
std::optional<SmallInts> applied(SmallUnary f, const SmallInts& a);
/// A reduction (Sum, Prod, Max, Min, All, Any) over the only dimension of a vector, or over none.
std::optional<SmallInts> reduced(const SmallOp& op, const SmallInts& a, const SmallInts& axes, bool keepsDims);
std::optional<SmallInts> rangeOf(const SmallInts& start, const SmallInts& limit, const SmallInts& delta);
/// A Slice of a vector.
std::optional<SmallInts> sliced(const SmallInts& from, const SmallInts& begin, const SmallInts& size);
std::optional<SmallInts> inverse(const SmallInts& permutation);

}  // namespace weft
