#include "io/tflite/importer.h"

// What an operator sees of its model while it is rebuilt.

namespace weft::tflite {

GraphBuilder& OperatorImport::b() const { return importer_.builder_; }

Output OperatorImport::in(int i) {
  if (has(i)) return importer_.value(op_.inputs()->Get(uint32_t(i)));
  b().fail(invalidArgument(name_, " has no input ", i).ofKind("invalid_model"));
  return {};
}

std::vector<Output> OperatorImport::inputs() {
  std::vector<Output> out;
  for (int i = 0; i < inputCount(); ++i) out.push_back(in(i));
  return out;
}

const tfl::Tensor* OperatorImport::inputTensor(int i) const { return has(i) ? &importer_.tensor(op_.inputs()->Get(uint32_t(i))) : nullptr; }
const tfl::Tensor* OperatorImport::outputTensor(int i) const {
  return i < outputCount() && op_.outputs()->Get(uint32_t(i)) >= 0 ? &importer_.tensor(op_.outputs()->Get(uint32_t(i))) : nullptr;
}
DType OperatorImport::inputType(int i) { return has(i) ? importer_.graphType(op_.inputs()->Get(uint32_t(i))) : DType::Invalid; }
DType OperatorImport::outputType(int i) { return outputTensor(i) ? importer_.graphType(op_.outputs()->Get(uint32_t(i))) : DType::Invalid; }
bool OperatorImport::isQuantized(int i) const { return has(i) && importer_.quantized(op_.inputs()->Get(uint32_t(i))); }

std::optional<Tensor> OperatorImport::constant(int i) { return has(i) ? importer_.constantOf(op_.inputs()->Get(uint32_t(i))) : std::nullopt; }

Output OperatorImport::formed(int i, const std::string& form, const std::function<Result<Tensor>(const Tensor&)>& change,
                              const std::function<Output(Output)>& otherwise) {
  const auto t = constant(i);
  if (!t) return otherwise(in(i));
  const int index = op_.inputs()->Get(uint32_t(i));
  if (const auto known = importer_.constants_.find({index, form}); known != importer_.constants_.end()) return known->second;
  auto made = change(*t);
  if (made.ok()) return importer_.constantNode(index, form, std::move(*made));
  b().fail(made.error());
  return {};
}

bool OperatorImport::fits(uint64_t bytes) { return importer_.fits(bytes); }

Output OperatorImport::state(int i) { return has(i) ? importer_.stateOf(op_.inputs()->Get(uint32_t(i))) : in(i); }

void OperatorImport::setNextState(int i, Output next) {
  if (!has(i) || !next.valid()) return;
  const int index = op_.inputs()->Get(uint32_t(i));
  const auto now = importer_.values_.find(index);
  if (now == importer_.values_.end() || !now->second.valid()) return;
  const std::string name = b().nodeAt(now->second.node).name;
  const auto root = b().nameScope("");
  const Output shape = b().constant(Tensor::vector(shapeOf(importer_.tensor(index), false).toVector()), name + "/shape");
  b().op("Reshape", {next, shape}, {}, name + "/next");
}

Output OperatorImport::integersOf(Output x, int output) {
  return outputTensor(output) ? importer_.quantizedBorder(x, op_.outputs()->Get(uint32_t(output))) : x;
}

Output OperatorImport::realNumbers(Output x, int i) {
  if (!x.valid() || b().dtype(x) == DType::Float) return x;
  const tfl::Tensor* t = inputTensor(i);
  return t && quantizationOf(*t).any() ? importer_.realNumbers(x, op_.inputs()->Get(uint32_t(i))) : b().cast(x, DType::Float);
}

Output OperatorImport::rounded(Output x, int i) { return has(i) ? importer_.onGrid(x, op_.inputs()->Get(uint32_t(i))) : x; }

std::string_view OperatorImport::customOptions() const {
  const auto* bytes = op_.custom_options();
  return bytes ? std::string_view(reinterpret_cast<const char*>(bytes->data()), bytes->size()) : std::string_view();
}

Output OperatorImport::activated(Output x, tfl::Activation activation) {
  switch (activation) {
    case tfl::Activation::NONE: return x;
    case tfl::Activation::RELU: return b().op("Relu", {x});
    case tfl::Activation::RELU6: return b().op("Relu6", {x});
    case tfl::Activation::TANH: return b().op("Tanh", {x});
    case tfl::Activation::RELU_N1_TO_1: {
      const DType type = b().dtype(x);
      return b().op("Maximum", {b().op("Minimum", {x, b().number(type, 1)}), b().number(type, -1)});
    }
    default: break;
  }
  why_ = concat("the fused activation ", int(activation));
  return x;
}

std::vector<Output> OperatorImport::unsupported(std::string why) {
  why_ = std::move(why);
  return {};
}

}  // namespace weft::tflite
