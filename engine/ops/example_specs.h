#pragma once

#include <map>
#include <string>
#include <vector>

#include "ops/example_wire.h"
#include "ops/registry.h"

// What the ops that parse Examples share: which features are wanted, and where their values go.
namespace weft {

struct SparseSpec {
  std::string key;
  DType type = DType::Float;
};
struct DenseSpec {
  std::string key;
  DType type = DType::Float;
  Shape shape;
  bool variable = false;  ///< The first dimension is not fixed.
  int64_t stride = 1;     ///< Elements of one step of a variable one, of the whole for others.
};

/// Types, shapes and (if `keys` gives them) names. INVALID_ARGUMENT if lengths differ or a shape is not known enough;
/// `mayVary`: the first dimension of a dense feature may be unknown.
Result<std::vector<DenseSpec>> denseSpecs(const std::vector<DType>& types, const std::vector<Shape>& shapes, bool mayVary);
std::vector<SparseSpec> sparseSpecs(const std::vector<DType>& types);

/// Sparse values of several examples: collects them and writes the three outputs `k`, `k + step`, `k + 2 * step`.
class SparseRows {
 public:
  /// `depth`: dimensions before the last: 0 (one example), 1 (a batch or a list), 2 (a batch of lists).
  SparseRows(DType type, int depth) : type_(type), depth_(depth) {}
  FeatureValues& values() { return values_; }
  /// Ends a row at what values() holds now.
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

/// Fills a tensor with one value or zeros; texts with empty ones.
void fillWith(Tensor& t, const Tensor* value);

/// Records of the four kinds of outputs in TensorFlow's names.
OpRecord& withSparseOutputs(OpRecord& r, const std::string& prefix, const std::string& number, const std::string& types, const char* what);

}  // namespace weft
