#pragma once

#include <functional>
#include <span>
#include <utility>

#include "transforms/patterns.h"

// What the two libraries that fold batch norms share: the tools' transforms (fold_old_batch_norms) and optimize_for_inference.
namespace weft::transforms {

/// A batch norm's constants, of half, bfloat16, float or double, with one value for each channel.
struct NormConstants {
  Tensor mean, variance, beta, gamma;
};

/// A batch norm as a factor and an offset for each channel.
struct Affine {
  std::vector<double> scale, offset;
};

/// How TensorFlow's two libraries round, which decides the last bits of float weights.
enum class NormArithmetic {
  Tools,  ///< C++: each step in float for floats. Its library knows no other type; here those compute in double.
  NumPy,  ///< Python: the variance and epsilon are added in their own type, all else is computed in double.
};

/// REQUIRES: equal sizes. INVALID_ARGUMENT if the op has no default for an epsilon that is missing.
Result<Affine> affineOf(const NodeDef& norm, const NormConstants& constants, NormArithmetic arithmetic);

/// Number of columns of a convolution's or product's weights; 0 if their rank does not fit.
int64_t columnsOf(const std::string& op, const Tensor& weights);

/// The values in a floating type, each rounded once.
Result<Tensor> roundedTo(DType type, const Shape& shape, std::span<const double> values);

/// A copy of `weights` in their own type, each column multiplied by its factor.
Result<Tensor> scaledColumns(const Tensor& weights, std::span<const double> factors);

/// Nodes of which an output beyond the first is read or fetched.
std::set<std::string> readBeyondFirst(const GraphDef& graph, const std::vector<std::string>& outputs);

/// Convolutions before a batch norm, each with its weights.
using WeightedConvs = std::vector<std::pair<const NodeDef*, const NodeDef*>>;
/// Why folding a batch norm would change values that other nodes read, or has no arithmetic; empty if it can be folded.
std::string whyNormNotFolded(const NodeDef& norm, const WeightedConvs& convs, const std::set<std::string>& beyondFirst,
                             const std::function<bool(const std::string&)>& isUsedElsewhere);

/// The BiasAdd that adds the offsets `offset` to a convolution.
NodeDef biasAdd(const std::string& name, const NodeDef& conv, const std::string& offset);

}  // namespace weft::transforms
