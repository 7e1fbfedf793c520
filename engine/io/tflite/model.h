// A verified TensorFlow Lite file, and what its tensors say.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/tflite/model_generated.h"
#include "weft/error.h"
#include "weft/tensor.h"

namespace weft::tflite {

using Op = tfl::BuiltinOperator;

/// The bytes of a file with its root table, verified as a FlatBuffer. Indices and sizes inside are not.
struct ModelFile {
  std::shared_ptr<const char[]> memory;  ///< Aligned for the root's accessors.
  std::string_view bytes;
  const tfl::Model* root = nullptr;
};

/// INVALID_ARGUMENT if the bytes are not a TensorFlow Lite model or refer outside themselves.
Result<ModelFile> openModel(std::string_view bytes);

/// What the integers of a tensor mean: real = scale * (integer - zeroPoint), per slice of `axis` if there is more than one scale.
struct Quantization {
  std::vector<float> scale;
  std::vector<int64_t> zeroPoint;
  int axis = 0;
  bool any() const { return !scale.empty(); }
  bool operator==(const Quantization&) const = default;
};
Quantization quantizationOf(const tfl::Tensor& tensor);

/// Invalid for types that TensorFlow 1.x does not have (resources, 4-bit and 2-bit integers).
DType dtypeOf(tfl::TensorType type);
Result<tfl::TensorType> typeOf(DType type);
/// The smallest and largest value of a type that activations are quantised to; none: another type.
struct IntegerRange {
  int64_t low, high;
  int bits;
};
std::optional<IntegerRange> quantizedRange(tfl::TensorType type);

/// The operator's number, wherever the file has it.
Op opOf(const tfl::OperatorCode& code);
/// "CONV_2D"; the name of a custom operator; "BUILTIN_999".
std::string opName(const tfl::OperatorCode& code);

/// A tensor's shape as stored; with -1 where the signature leaves it open.
Shape shapeOf(const tfl::Tensor& tensor, bool open);
/// Whether the file has the tensor's value.
bool isConstant(const ModelFile& file, const tfl::Tensor& tensor);
/// The value of a constant. INVALID_ARGUMENT if its bytes do not fit its shape and type.
Result<Tensor> valueOf(const ModelFile& file, const tfl::Tensor& tensor);
/// The real numbers that integers stand for.
Result<Tensor> dequantized(const Tensor& integers, const Quantization& how);

}  // namespace weft::tflite
