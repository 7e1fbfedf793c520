#pragma once

#include <map>
#include <string>
#include <vector>

#include "ops/example_wire.h"
#include "ops/registry.h"

// Shared by the ops that parse Examples: the requested features and the destinations of their values.
namespace weft {

struct SparseSpec {
  std::string key;
  DType type = DType::Float;
};
struct DenseSpec {
  std::string key;
  DType type = DType::Float;
  Shape shape;
  bool variable = false;  ///< The first dimension may vary.
  int64_t stride = 1;     ///< Number of elements: of one step if `variable`, of the whole feature otherwise.
};

/// Types, shapes and (if `keys` is given) names. INVALID_ARGUMENT if lengths differ or a shape is not sufficiently known; `mayVary`: the first dimension of a
/// dense feature may be unknown.
Result<std::vector<DenseSpec>> denseSpecs(const std::vector<DType>& types, const std::vector<Shape>& shapes, bool mayVary);
std::vector<SparseSpec> sparseSpecs(const std::vector<DType>& types);

/// Collects the sparse values of several examples and writes the three outputs `k`, `k + step`, `k + 2 * step`.
class SparseRows {
 public:
  /// `depth`: number of dimensions before the last: 0 (one example), 1 (a batch or a list), 2 (a batch of lists).
  SparseRows(DType type, int depth) : type_(type), depth_(depth) {}
  FeatureValues& values() { return values_; }
  /// Ends a row after the current values().
  void endRow(int64_t outer = 0, int64_t inner = 0);
  Status write(KernelContext& c, int k, int step, int64_t outer, int64_t inner) const;

 private:
  struct Row {
    int64_t outer, inner, end;
  };
  DType type_;
  int depth_;
  FeatureValues values_;
  std::vector<Row> rows_;
};

/// Fills a tensor with one value or with zeros (empty strings).
void fillWith(Tensor& t, const Tensor* value);

/// Adds the four kinds of outputs to a record, with TensorFlow's names.
OpRecord& withSparseOutputs(OpRecord& r, const std::string& prefix, const std::string& number, const std::string& types, const char* what);

}  // namespace weft
