// What the rebuilding of an operator sees: its tensors as the graph's outputs, its options, and the builder.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "io/foreign_model.h"
#include "io/tflite/model.h"
#include "weft/builder.h"
#include "weft/model_import.h"

namespace weft::tflite {

class Importer;

/// One operator while it is rebuilt. Quantised tensors are the real numbers that they stand for: float32 on a grid.
class OperatorImport {
 public:
  OperatorImport(Importer& importer, const tfl::Operator& op, std::string name) : importer_(importer), op_(op), name_(std::move(name)) {}

  GraphBuilder& b() const;
  const std::string& name() const { return name_; }  ///< "CONV_2D"
  int inputCount() const { return op_.inputs() ? int(op_.inputs()->size()) : 0; }
  int outputCount() const { return op_.outputs() ? int(op_.outputs()->size()) : 0; }
  bool has(int i) const { return i < inputCount() && op_.inputs()->Get(uint32_t(i)) >= 0; }
  /// The operator's input; an error sticks to the builder if it has none.
  Output in(int i);
  std::vector<Output> inputs();
  const tfl::Tensor* inputTensor(int i) const;
  const tfl::Tensor* outputTensor(int i) const;
  DType inputType(int i);   ///< float32 for quantised tensors
  DType outputType(int i);  ///< float32 for quantised tensors
  bool isQuantized(int i) const;
  /// The value of a constant input, dequantised; none: it is computed.
  std::optional<Tensor> constant(int i);
  /// A constant made from input `i` by `form` ("transposed", …), made once per tensor and form and named after the tensor. Computed inputs: `otherwise` of it.
  Output formed(int i, const std::string& form, const std::function<Result<Tensor>(const Tensor&)>& change, const std::function<Output(Output)>& otherwise);
  /// Counts the bytes of a constant that is about to be made. False, and an error, once the model needs too many.
  bool fits(uint64_t bytes);
  /// An input that holds state (is_variable): zeros unless it is fed. `setNextState` makes its next value fetchable.
  Output state(int i);
  void setNextState(int i, Output next);
  /// The integers that an output's quantisation gives to real numbers.
  Output integersOf(Output x, int output);
  /// A value of input `i` as float32: what 32-bit integers, which are not kept as real numbers, stand for.
  Output realNumbers(Output x, int i);
  /// Rounds a value to the grid of a quantised input.
  Output rounded(Output x, int i);

  template <typename T>
  const T& options() const {
    const T* given = static_cast<const T*>(nullptr);
    if (op_.builtin_options_type() == tfl::BuiltinOptionsTraits<T>::enum_value) given = static_cast<const T*>(op_.builtin_options());
    return given ? *given : defaults<T>();
  }
  std::string_view customOptions() const;
  /// Applies a fused activation. One without a counterpart makes the operator unsupported.
  Output activated(Output x, tfl::Activation activation);
  /// Says that this engine has no counterpart for what the operator asks for; it is kept as a node of its own.
  std::vector<Output> unsupported(std::string why);
  const std::string& unsupportedWhy() const { return why_; }

 private:
  /// An empty table: every field has its default.
  template <typename T>
  static const T& defaults() {
    alignas(8) static const uint8_t bytes[] = {4, 0, 4, 0, 4, 0, 0, 0};  // a list of no fields, then a table that refers to it
    return *reinterpret_cast<const T*>(bytes + 4);
  }
  Importer& importer_;
  const tfl::Operator& op_;
  std::string name_, why_;
};

/// Rebuilds an operator; returns its outputs, in order. Errors stick to the builder.
using Rebuild = std::vector<Output> (*)(OperatorImport& op);
/// How outputs relate to quantisation.
struct OperatorRule {
  Op op;
  Rebuild rebuild;
  bool passes = false;  ///< Outputs hold elements of inputs, so they need no rounding where all of them share one quantisation.
};
/// The tables of the operators that can be rebuilt; each ends at its size.
std::span<const OperatorRule> layerRules();
std::span<const OperatorRule> arrayRules();
std::span<const OperatorRule> mathRules();
std::span<const OperatorRule> recurrentRules();

// Helpers of the tables.
inline const char* paddingName(tfl::Padding p) { return p == tfl::Padding::SAME ? "SAME" : "VALID"; }

}  // namespace weft::tflite
