#include "io/tflite/import.h"

#include <algorithm>

#include "io/tflite/importer.h"
#include "proto/convert.h"
#include "proto/meta_graph.pb.h"
#include "weft/tflite.h"

// A model is a list of operators in the order in which they run; tensors are known by their indices. Each operator becomes nodes in a scope named after its
// first output tensor, and the last of them gets the tensor's own name.
//
// A quantised activation is kept as the real numbers that its integers stand for, rounded by a FakeQuant node after each operator. The graph then reads as
// the one that such models are made from, and runs everywhere, whereas integer convolutions do not. TensorFlow Lite itself rounds in fixed-point
// arithmetic that differs between its versions and kernels; tests/interop/TFLITE.md has the measured differences.

namespace weft::tflite {
namespace {

constexpr size_t kLongestName = 200;
constexpr int64_t kLargestState = 1 << 24;  // elements

/// The range of integers that a tensor of real numbers is stored as.
std::optional<IntegerRange> storedRange(tfl::TensorType type) {
  // The largest 32-bit and 64-bit integers are not representable as floats; clamp to the values below them.
  if (type == tfl::TensorType::INT32) return IntegerRange{INT32_MIN, INT32_MAX - 127, 32};
  constexpr int64_t kRoundedUp = (int64_t(1) << 39) - 1;
  if (type == tfl::TensorType::INT64) return IntegerRange{INT64_MIN, INT64_MAX - kRoundedUp, 64};
  return quantizedRange(type);
}

const OperatorRule* ruleOf(Op op) {
  for (const auto& rules : {layerRules(), arrayRules(), mathRules(), recurrentRules()})
    for (const OperatorRule& rule : rules)
      if (rule.op == op) return &rule;
  return nullptr;
}

Tensor scalarLike(DType type, double value) {
  Tensor out = Tensor::zeros(type, {});
  if (type == DType::Float) *out.mutableData<float>() = float(value);
  return out;
}

}  // namespace

std::string Importer::validName(int index) const {
  std::string name = tensor(index).name() ? tensor(index).name()->str() : std::string();
  // "model/conv/Relu;model/conv/BiasAdd": the first of the nodes that were merged; "x:0": a tensor of a graph.
  name = name.substr(0, name.find(';'));
  if (name.size() > 2 && name.compare(name.size() - 2, 2, ":0") == 0) name.resize(name.size() - 2);
  return nodeNameFrom(std::string_view(name).substr(0, kLongestName), concat("tensor_", index));
}

bool Importer::quantized(int index) const {
  const tfl::Tensor& t = tensor(index);
  if (!quantizationOf(t).any()) return false;
  if (quantizedRange(t.type()) || t.type() == tfl::TensorType::INT4 || t.type() == tfl::TensorType::UINT4) return true;
  // A bias; int64 beside activations of 16 bits.
  return (t.type() == tfl::TensorType::INT32 || t.type() == tfl::TensorType::INT64) && isConstant(file_, t);
}

std::optional<Tensor> Importer::constantOf(int index) {
  if (values_.count(index) || !isConstant(file_, tensor(index))) return std::nullopt;
  auto raw = valueOf(file_, tensor(index));
  if (raw.ok() && quantized(index)) raw = dequantized(*raw, quantizationOf(tensor(index)));
  if (raw.ok()) return *raw;
  builder_.fail(raw.error());
  return std::nullopt;
}

bool Importer::fits(uint64_t bytes) {
  // Tensors may share one buffer and states have none, so a small file could state any number of bytes.
  constexpr uint64_t kAlways = uint64_t(64) << 20, kTimesFile = 16;
  const uint64_t most = std::max(kAlways, kTimesFile * uint64_t(file_.bytes.size()));
  if (bytes <= most && constantBytes_ <= most - bytes) {
    constantBytes_ += bytes;
    return true;
  }
  builder_.fail(resourceExhausted("the constants and states of the model take more than ", most >> 20, " MB in a file of ", file_.bytes.size(), " bytes"));
  return false;
}

Output Importer::constantNode(int index, const std::string& form, Tensor value) {
  if (!fits(value.bytes())) return {};
  const auto root = builder_.nameScope("");
  const auto free = builder_.clearControlDependencies();
  const Output out = builder_.constant(std::move(value), validName(index));
  if (out.valid()) label(out, index, builder_.nodeAt(out.node).name);
  return constants_[{index, form}] = out;
}

Output Importer::stateOf(int index) {
  if (const auto known = values_.find(index); known != values_.end()) return known->second;
  const auto root = builder_.nameScope("");
  const Shape shape = shapeOf(tensor(index), false);
  const DType type = graphType(index);
  if (type == DType::Invalid || shape.elements() < 0 || shape.elements() > kLargestState) {
    builder_.fail(invalidArgument("the state '", validName(index), "' has the shape ", shape.toString()).ofKind("invalid_model"));
    return {};
  }
  if (!fits(uint64_t(shape.elements()) * sizeOf(type))) return {};
  const std::string name = builder_.uniqueName(validName(index));
  const Output zeros = builder_.constant(Tensor::zeros(type, shape), name + "/zeros");
  const Output out = builder_.op("PlaceholderWithDefault", {zeros}, {{"shape", shape}}, name + "/");
  label(out, index, name);
  warnings_.push_back(concat("the state '", name, "' starts at zero in every run unless it is fed; its next value is '", name, "/next'"));
  return values_[index] = out;
}

Output Importer::value(int index) {
  if (const auto it = values_.find(index); it != values_.end()) return it->second;
  if (const auto it = constants_.find({index, ""}); it != constants_.end()) return it->second;
  if (auto constant = constantOf(index)) return constantNode(index, "", std::move(*constant));
  if (!builder_.ok()) return {};
  if (shapeOf(tensor(index), false).elements() == 0 && dtypeOf(tensor(index).type()) != DType::Invalid)
    return constantNode(index, "", Tensor::zeros(graphType(index), shapeOf(tensor(index), false)));
  builder_.fail(invalidArgument("tensor ", index, " ('", validName(index), "') is read before any operator writes it").ofKind("invalid_model"));
  return {};
}

Output Importer::realNumbers(Output x, int index) {
  const Quantization q = quantizationOf(tensor(index));
  const auto number = [&](double v, const char* name) { return builder_.constant(scalarLike(DType::Float, v), name); };
  const Output moved = builder_.op("Sub", {builder_.cast(x, DType::Float), number(double(q.zeroPoint[0]), "zero_point")});
  return builder_.op("Mul", {moved, number(q.scale[0], "scale")});
}

Output Importer::onGrid(Output x, int index) {
  if (index < 0 || !quantized(index) || !x.valid() || builder_.dtype(x) != DType::Float) return x;
  const auto range = quantizedRange(tensor(index).type());
  const Quantization q = quantizationOf(tensor(index));
  if (!range || q.scale.size() != 1) return x;
  const double low = (double(range->low) - double(q.zeroPoint[0])) * double(q.scale[0]),
               high = (double(range->high) - double(q.zeroPoint[0])) * double(q.scale[0]);
  if (!(low <= 0 && high >= 0 && low < high)) {
    builder_.fail(invalidArgument("tensor '", validName(index), "' has the zero point ", q.zeroPoint[0], "; expected ", range->low, " to ", range->high)
                      .ofKind("invalid_model"));
    return x;
  }
  return builder_.op("FakeQuantWithMinMaxArgs", {x}, {{"min", low}, {"max", high}, {"num_bits", range->bits}}, "quantize");
}

Output Importer::quantizedBorder(Output x, int index) {
  const auto range = storedRange(tensor(index).type());
  const Quantization q = quantizationOf(tensor(index));
  if (!range || q.scale.size() != 1 || !x.valid()) return x;
  const auto number = [&](double v, const char* name) { return builder_.constant(scalarLike(DType::Float, v), name); };
  const Output steps = builder_.op("Round", {builder_.op("RealDiv", {x, number(q.scale[0], "scale")}, {}, "steps")}, {}, "rounded");
  const Output moved = builder_.op("AddV2", {steps, number(double(q.zeroPoint[0]), "zero_point")}, {}, "moved");
  const Output bounded = builder_.op("Maximum", {builder_.op("Minimum", {moved, number(double(range->high), "high")}), number(double(range->low), "low")});
  return builder_.cast(bounded, dtypeOf(tensor(index).type()), "integers");
}

bool Importer::sharesQuantization(const tfl::Operator& op) const {
  std::optional<Quantization> first;
  for (const auto* list : {op.inputs(), op.outputs()}) {
    if (!list) continue;
    for (const int32_t i : *list) {
      if (i < 0 || !quantized(i)) continue;
      const Quantization q = quantizationOf(tensor(i));
      if (first && !(q.scale == first->scale && q.zeroPoint == first->zeroPoint)) return false;
      first = q;
    }
  }
  return first.has_value();
}

void Importer::label(Output o, int index, const std::string& name) {
  if (!o.valid() || !builder_.ok()) return;
  const Quantization q = quantizationOf(tensor(index));
  const Status s = builder_.graph().change(o.node, [&](Node& n) {
    n.name = name;
    std::vector<int64_t> tensors = n.attrs.integers("_tflite_tensor");
    tensors.resize(std::max<size_t>(tensors.size(), size_t(o.index) + 1), -1);
    tensors[size_t(o.index)] = index;
    n.attrs.set("_tflite_tensor", tensors);
    if (!q.any()) return;
    n.attrs.set("_quantization_scale", q.scale);
    n.attrs.set("_quantization_zero_point", q.zeroPoint);
    if (q.scale.size() > 1) n.attrs.set("_quantization_axis", int64_t(q.axis));
    n.attrs.set("_quantization_type", std::string(tfl::EnumNameTensorType(tensor(index).type())));
  });
  if (!s.ok()) builder_.fail(s.error());
}

Status Importer::checkIndices() const {
  const auto bad = [](auto&&... parts) { return invalidArgument(parts...).ofKind("invalid_model"); };
  const auto* tensors = sub_->tensors();
  const int64_t count = tensors ? int64_t(tensors->size()) : 0;
  for (int64_t i = 0; i < count; ++i) {
    if (!tensors->Get(uint32_t(i))) return bad("tensor ", i, " is missing");
    const Shape shape = shapeOf(*tensors->Get(uint32_t(i)), false);
    if (shape.rank() > 32) return bad("tensor ", i, " has ", shape.rank(), " dimensions; expected at most 32");
  }
  const auto check = [&](const auto* list, const std::string& who, bool optional) -> Status {
    if (!list) return {};
    for (const int32_t i : *list)
      if (i < (optional ? -1 : 0) || i >= count) return bad(who, " names tensor ", i, ", but there are ", count);
    return {};
  };
  WEFT_TRY(check(sub_->inputs(), "an input", false));
  WEFT_TRY(check(sub_->outputs(), "an output", false));
  if (!sub_->operators()) return {};
  const auto* codes = file_.root->operator_codes();
  for (uint32_t o = 0; o < sub_->operators()->size(); ++o) {
    const tfl::Operator* op = sub_->operators()->Get(o);
    if (!codes || op->opcode_index() >= codes->size())
      return bad("operator ", o, " is of code ", op->opcode_index(), ", but there are ", codes ? codes->size() : 0);
    WEFT_TRY(check(op->inputs(), concat("operator ", o), true));
    WEFT_TRY(check(op->outputs(), concat("operator ", o), true));
  }
  return {};
}

void Importer::addInputs() {
  if (!sub_->inputs()) return;
  for (const int32_t index : *sub_->inputs()) {
    if (values_.count(index) || !builder_.ok()) continue;
    const tfl::Tensor& t = tensor(index);
    const DType stored = dtypeOf(t.type());
    if (stored == DType::Invalid) {
      builder_.fail(unimplemented("the input '", validName(index), "' has the type ", tfl::EnumNameTensorType(t.type()), ", which graphs cannot hold"));
      return;
    }
    const auto given = inputShapes_.find(index);
    const Output fed = builder_.placeholder(stored, given != inputShapes_.end() ? Shape(given->second) : shapeOf(t, true), validName(index));
    if (!fed.valid()) return;
    const std::string name = builder_.nodeAt(fed.node).name;
    label(fed, index, name);
    inputNodes_[index] = name + ":0";
    Output x = fed;
    if (quantized(index)) {
      const auto scope = builder_.nameScope(name + "/dequantize");
      x = realNumbers(fed, index);
    }
    values_[index] = x;
  }
}

Status Importer::addOperator(const tfl::Operator& op) {
  const tfl::OperatorCode& code = codeOf(op);
  const Op kind = opOf(code);
  if (addVariableOperator(op, kind)) return builder_.status();
  std::string name = opName(code).substr(0, kLongestName);
  std::replace(name.begin(), name.end(), '/', '_');
  name = nodeNameFrom(name, "CUSTOM");
  const auto* outs = op.outputs();
  const int first = outs && outs->size() ? outs->Get(0) : -1;
  const int before = builder_.graph().size();
  auto scope = builder_.nameScope(first >= 0 ? validName(first) : name);
  WEFT_TRY(builder_.status());
  std::string full = builder_.currentScope();
  full.pop_back();  // the slash
  OperatorImport view(*this, op, name);
  const OperatorRule* rule = ruleOf(kind);
  std::vector<Output> results;
  bool known = rule != nullptr;
  if (rule) {
    results = rule->rebuild(view);
    if (!view.unsupportedWhy().empty()) known = false;
  } else if (kind == Op::CUSTOM && name.starts_with("Flex")) {
    results = flexNode(view);
    known = view.unsupportedWhy().empty();
  }
  const auto located = [&](Error e) { return e.atNode(full); };
  if (!known && builder_.graph().size() > before) abandoned_.emplace_back(before, builder_.graph().size());
  if (!builder_.ok()) return located(builder_.status().error());
  if (!known) {
    auto kept = opaque(op, name, view.unsupportedWhy());
    if (!kept.ok()) return located(kept.error());
    results = std::move(*kept);
  }
  const bool rounds = known && !(rule && rule->passes && sharesQuantization(op));
  for (uint32_t i = 0; outs && i < outs->size() && i < results.size(); ++i) {
    const int32_t t = outs->Get(i);
    Output x = results[i];
    if (t < 0 || !x.valid()) continue;
    if (values_.count(t) || isConstant(file_, tensor(t)))
      return located(invalidArgument("tensor ", t, " is written by an operator, but is an input, a constant or written before").ofKind("invalid_model"));
    // Integers that were moved from a tensor that states no quantisation.
    if (quantized(t) && builder_.dtype(x) == dtypeOf(tensor(t).type())) x = realNumbers(x, t);
    if (rounds) x = onGrid(x, t);
    // A tensor that is only another name of an earlier one gets a node of its own.
    if (x.node < before || (x.index > 0 && known && x == results[i] && graphOutputs_.count(t))) x = builder_.identity(x);
    values_[t] = x;
    Output last = x;
    if (graphOutputs_.count(t) && quantized(t)) {
      const auto border = builder_.nameScope("to_integers");
      last = quantizedBorder(x, t);
    }
    if (!builder_.ok()) return located(builder_.status().error());
    const std::string own = i == 0 ? full : last.index > 0 || last.node == results[0].node ? builder_.nodeAt(last.node).name : full + concat("/output_", i);
    label(last, t, own);
    if (graphOutputs_.count(t)) outputNodes_[t] = builder_.graph().tensorName(last);
  }
  return builder_.ok() ? Status() : Status(located(builder_.status().error()));
}

void Importer::addOutputs() {
  for (const int t : graphOutputs_) {
    if (outputNodes_.count(t) || !builder_.ok()) continue;
    Output x = value(t);  // an input or a constant, passed on
    if (!x.valid()) return;
    const auto scope = builder_.nameScope(validName(t) + "_output");
    x = quantized(t) ? quantizedBorder(x, t) : builder_.identity(x);
    if (x.valid()) outputNodes_[t] = builder_.graph().tensorName(x);
  }
}

Result<ImportedModel> Importer::finish() {
  std::map<int, std::string> inputKeys, outputKeys;
  if (const auto* all = file_.root->signature_defs()) {
    for (const tfl::SignatureDef* s : *all) {
      if (!s || s->subgraph_index() != 0) continue;
      const auto take = [](const auto* list, std::map<int, std::string>& keys) {
        if (list)
          for (const tfl::TensorMap* m : *list)
            if (m && m->name() && m->name()->size()) keys.emplace(int(m->tensor_index()), m->name()->str());
      };
      take(s->inputs(), inputKeys);
      take(s->outputs(), outputKeys);
      break;
    }
  }
  const auto named = [&](const std::map<int, std::string>& nodes, const std::map<int, std::string>& keys) -> Result<NamedOutputs> {
    NamedOutputs out;
    for (const auto& [t, node] : nodes) {
      WEFT_LET(const Output o, meta_.graph.findOutput(node));
      const auto key = keys.find(t);
      out.emplace_back(key != keys.end() ? key->second : node.substr(0, node.rfind(':')), o);
    }
    return out;
  };
  WEFT_LET(const NamedOutputs inputs, named(inputNodes_, inputKeys));
  WEFT_LET(const NamedOutputs outputs, named(outputNodes_, outputKeys));
  return servedModel(std::move(meta_), inputs, outputs, std::move(warnings_));
}

Result<ImportedModel> Importer::run() {
  const auto* subgraphs = file_.root->subgraphs();
  if (!subgraphs || subgraphs->size() == 0 || !subgraphs->Get(0)) return invalidArgument("the model has no subgraph").ofKind("invalid_model");
  sub_ = subgraphs->Get(0);
  const size_t warningAt = warnings_.size();
  if (subgraphs->size() > 1) warnings_.push_back(concat("only the first of ", subgraphs->size(), " subgraphs is in the graph"));
  WEFT_TRY(checkIndices());
  if (sub_->outputs()) graphOutputs_.insert(sub_->outputs()->begin(), sub_->outputs()->end());
  addInputs();
  WEFT_TRY(builder_.status());
  if (sub_->operators())
    for (const tfl::Operator* op : *sub_->operators()) WEFT_TRY(addOperator(*op));
  if (initialized_ && subgraphs->size() == 2) warnings_.erase(warnings_.begin() + std::ptrdiff_t(warningAt));
  addOutputs();
  addNextValues();
  WEFT_TRY(builder_.status());
  WEFT_TRY(removeAbandoned());
  return finish();
}

}  // namespace weft::tflite

namespace weft {

Result<ImportedModel> tfliteToGraph(std::string_view bytes, const TfliteShapes& inputShapes) {
  WEFT_LET(const tflite::ModelFile file, tflite::openModel(bytes));
  return tflite::Importer(file, inputShapes).run();
}

}  // namespace weft
