#include "io/tflite/export.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "io/foreign_model.h"
#include "proto/meta_graph.pb.h"
#include "weft/op_traits.h"
#include "weft/tflite.h"

// Nodes are written in topological order. What does not depend on an input is a constant: it is computed here, so that batch normalisation written as
// arithmetic on constants can be merged into the layer before it.

namespace weft::tflite {
namespace {

constexpr uint64_t kMostConstantBytes = uint64_t(1900) << 20;  // a FlatBuffer ends at 2 GB
constexpr int64_t kLargestComputed = int64_t(1) << 26;
constexpr int kDeepestConstant = 200;

bool isVariableOp(const Node& n) { return roleOf(n) == OpRole::Variable || roleOf(n) == OpRole::ReadVariable; }

/// a OP b for float constants that broadcast.
std::optional<Tensor> arithmetic(std::string_view op, const Tensor& a, const Tensor& b) {
  const auto shape = broadcastShapes(a.shape(), b.shape());
  if (!shape.ok() || shape->elements() < 0 || shape->elements() > kLargestComputed) return std::nullopt;
  const int rank = shape->rank();
  const auto stepsOf = [&](const Tensor& t) {
    std::vector<int64_t> steps(size_t(rank), 0);
    int64_t step = 1;
    for (int d = t.rank() - 1; d >= 0; --d) {
      steps[size_t(d + rank - t.rank())] = t.dim(d) == 1 ? 0 : step;
      step *= t.dim(d);
    }
    return steps;
  };
  const auto stepsA = stepsOf(a), stepsB = stepsOf(b);
  Tensor out = Tensor::zeros(DType::Float, *shape);
  for (int64_t i = 0; i < out.elements(); ++i) {
    int64_t rest = i, atA = 0, atB = 0;
    for (int d = rank - 1; d >= 0; --d) {
      const int64_t k = rest % shape->dim(d);
      rest /= shape->dim(d);
      atA += k * stepsA[size_t(d)];
      atB += k * stepsB[size_t(d)];
    }
    const float x = a.at<float>(atA), y = b.at<float>(atB);
    out.mutableData<float>()[i] = op == "Sub" ? x - y : op == "Mul" ? x * y : op == "RealDiv" ? x / y : x + y;
  }
  return out;
}

std::optional<Tensor> elementwise(std::string_view op, const Tensor& x) {
  if (x.elements() > kLargestComputed) return std::nullopt;
  Tensor out = Tensor::zeros(DType::Float, x.shape());
  for (int64_t i = 0; i < x.elements(); ++i) {
    const float v = x.at<float>(i);
    out.mutableData<float>()[i] = op == "Rsqrt" ? 1 / std::sqrt(v) : op == "Sqrt" ? std::sqrt(v) : op == "Neg" ? -v : v * v;
  }
  return out;
}

/// The strings of a tensor as TensorFlow Lite stores them.
std::string stringBytes(const Tensor& t) {
  std::vector<int32_t> offsets = {int32_t(t.elements())};
  int32_t at = int32_t(4 * (t.elements() + 2));
  for (int64_t i = 0; i < t.elements(); ++i) {
    offsets.push_back(at);
    at += int32_t(t.at<std::string>(i).size());
  }
  offsets.push_back(at);
  std::string out(reinterpret_cast<const char*>(offsets.data()), offsets.size() * 4);
  for (int64_t i = 0; i < t.elements(); ++i) out += t.at<std::string>(i);
  return out;
}

const NodeRule* writerOf(std::string_view op) {
  for (const auto& rules : {layerWriters(), opWriters()})
    for (const NodeRule& rule : rules)
      if (op == rule.op) return &rule;
  return nullptr;
}

}  // namespace

Error noCounterpart(const Node& node, std::string_view why) {
  return unimplemented("'", node.name, "' (", node.op, ") has no counterpart in TensorFlow Lite", why.empty() ? "" : ": ", why).atNode(node.name);
}

std::optional<std::vector<int32_t>> Exporter::statedShape(const Node& node) const {
  if (node.op != "Reshape" || afterFed_.count(node.id)) return std::nullopt;
  const Shape& shape = node.outputShapes[0];
  if (!shape.hasRank() || shape.elements() == 0) return std::nullopt;
  std::vector<int32_t> out(shape.dims().begin(), shape.dims().end());
  if (std::count(out.begin(), out.end(), -1) > 1 || std::count(out.begin(), out.end(), 0) > 0) return std::nullopt;
  return out;
}

bool passesFirstInput(const Node& node) {
  switch (roleOf(node)) {
    case OpRole::Identity:
    case OpRole::Identities:
    case OpRole::RefIdentity:
    case OpRole::Copy:
    case OpRole::DefaultedPlaceholder: return true;
    case OpRole::Check: return !node.outputTypes.empty();
    default: return false;
  }
}

std::optional<Tensor> Exporter::computeConstant(const Node& node, Output o, int depth) {
  if (depth > kDeepestConstant || fed_.count(o)) return std::nullopt;
  if (const auto known = constants_.find(o); known != constants_.end()) return known->second;
  std::optional<Tensor> out;
  const auto input = [&](size_t i) -> std::optional<Tensor> {
    if (i >= node.inputs.size() || isRef(node.inputTypes[i])) return std::nullopt;
    return computeConstant(*graph_.node(node.inputs[i].node), node.inputs[i], depth + 1);
  };
  const auto isFloat = [](const std::optional<Tensor>& t) { return t && t->dtype() == DType::Float; };
  if (roleOf(node) == OpRole::Constant) {
    if (const Attr* value = node.attrs.find("value"))
      if (const Tensor* t = value->get<Tensor>()) out = *t;
  } else if (passesFirstInput(node) && o.index < int(node.inputs.size())) {
    out = input(size_t(o.index));
  } else if (isOneOf(node.op, {"Add", "AddV2", "Sub", "Mul", "RealDiv"})) {
    const auto a = input(0), b = a ? input(1) : std::nullopt;
    if (isFloat(a) && isFloat(b)) out = arithmetic(node.op, *a, *b);
  } else if (isOneOf(node.op, {"Rsqrt", "Sqrt", "Neg", "Square"})) {
    if (const auto x = input(0); isFloat(x)) out = elementwise(node.op, *x);
  } else if (roleOf(node) == OpRole::Reshape && !afterFed_.count(node.id)) {
    const Shape& shape = node.outputShapes[0];
    if (const auto x = input(0); x && shape.elements() == x->elements() && shape.isFullyKnown()) out = x->reshaped(shape);
  }
  // A fed tensor's shape may be known, so the folder may compute with it, but not with a value that the graph has for it.
  if (!out && roleOf(node) != OpRole::Constant && !passesFirstInput(node) && !afterFed_.count(node.id))
    if (const Tensor* folded = folder_.value(o)) out = *folded;
  return constants_[o] = out;
}

std::optional<Tensor> Exporter::constant(Output o) { return computeConstant(*graph_.node(o.node), o, 0); }

Result<std::vector<int64_t>> Exporter::integers(const Node& node, int input) {
  const auto t = input < int(node.inputs.size()) ? constant(node.inputs[size_t(input)]) : std::nullopt;
  if (!t || !isInteger(t->dtype())) return noCounterpart(node, concat("its input ", input, " is computed; expected a constant"));
  std::vector<int64_t> out;
  for (int64_t i = 0; i < t->elements(); ++i) out.push_back(t->asInt(i));
  return out;
}

Result<int> Exporter::int32Tensor(const Node& node, int input) {
  const Output o = node.inputs[size_t(input)];
  const auto t = constant(o);
  if (!t || t->dtype() == DType::Int32) return tensorOf(o);
  Tensor narrow = Tensor::zeros(DType::Int32, t->shape());
  for (int64_t i = 0; i < t->elements(); ++i) narrow.mutableData<int32_t>()[i] = int32_t(std::clamp<int64_t>(t->asInt(i), INT32_MIN, INT32_MAX));
  return constantTensor(narrow, graph_.node(o.node)->name);
}

Result<int> Exporter::temporary(const std::string& name, DType type, const Shape& shape) {
  WEFT_LET(const tfl::TensorType stored, typeOf(type));
  std::string unique = name;
  for (int k = 1; !names_.insert(unique).second; ++k) unique = concat(name, "_", k);
  std::vector<int32_t> dims, signature;
  for (const int64_t d : shape.dims()) {
    if (d > INT32_MAX) return invalidArgument("'", name, "' has a dimension of ", d, "; TensorFlow Lite's largest is ", INT32_MAX);
    dims.push_back(d < 0 ? 1 : int32_t(d));
    signature.push_back(int32_t(d));
  }
  const bool open = shape.hasRank() && !shape.isFullyKnown();
  const auto text = fbb_.CreateString(unique);
  const auto dimVector = fbb_.CreateVector(dims);
  const auto signatureVector = open ? fbb_.CreateVector(signature) : 0;
  tensorTables_.push_back(tfl::CreateTensor(fbb_, dimVector, stored, 0, text, 0, false, 0, signatureVector));
  return int(tensorTables_.size()) - 1;
}

Result<int> Exporter::constantTensor(const Tensor& value, const std::string& name) {
  WEFT_LET(const tfl::TensorType stored, typeOf(value.dtype()));
  const std::string text = value.dtype() == DType::String ? stringBytes(value) : std::string();
  const void* data = text.empty() ? value.raw() : text.data();
  const size_t bytes = text.empty() ? value.bytes() : text.size();
  constantBytes_ += bytes;
  if (constantBytes_ > kMostConstantBytes)
    return resourceExhausted("the constants take more than ", kMostConstantBytes >> 20, " MB, the most that a TensorFlow Lite file can hold");
  fbb_.ForceVectorAlignment(bytes, 1, 16);
  const auto vector = fbb_.CreateVector(static_cast<const uint8_t*>(data), bytes);
  bufferTables_.push_back(tfl::CreateBuffer(fbb_, vector));
  std::string unique = name;
  for (int k = 1; !names_.insert(unique).second; ++k) unique = concat(name, "_", k);
  std::vector<int32_t> dims;
  for (const int64_t d : value.shape().dims()) dims.push_back(int32_t(d));
  const auto label = fbb_.CreateString(unique);
  const auto shape = fbb_.CreateVector(dims);
  tensorTables_.push_back(tfl::CreateTensor(fbb_, shape, stored, uint32_t(bufferTables_.size()), label));  // buffer 0 is the empty one
  return int(tensorTables_.size()) - 1;
}

Result<int> Exporter::define(Output o) {
  const Node& n = *graph_.node(o.node);
  const DType type = baseType(graph_.dtype(o));
  if (type == DType::Double || type == DType::Half || type == DType::BFloat16 || type == DType::Complex128 || type == DType::Resource || type == DType::Variant)
    return noCounterpart(n, concat("it computes ", dtypeName(type), "; expected float32, an integer, bool or string"));
  // A fetched Identity of the tensor gives it its name.
  std::string name = o.index ? concat(n.name, ":", o.index) : n.name;
  Output fetched = o;
  for (const Node* r = onlyReader(o); r && passesFirstInput(*r) && r->inputs.size() == 1; r = onlyReader(fetched)) {
    fetched = {r->id, 0};
    if (fetched_.count(fetched)) name = r->name;
  }
  auto index = temporary(name, type, graph_.shape(o));
  if (!index.ok()) return Error(index.error()).atNode(n.name);
  tensors_[o] = *index;
  return *index;
}

Result<int> Exporter::tensorOf(Output o) {
  for (Output from = o;;) {
    if (const auto it = tensors_.find(from); it != tensors_.end()) return tensors_[o] = it->second;
    const Node& n = *graph_.node(from.node);
    if (const auto value = constant(from)) {
      auto index = constantTensor(*value, n.name);
      if (!index.ok()) return Error(index.error()).atNode(n.name);
      return tensors_[o] = tensors_[from] = *index;
    }
    if (!passesFirstInput(n) || from.index >= int(n.inputs.size()))
      return internalError("'", graph_.tensorName(o), "' is read before it is written").atNode(n.name);
    from = n.inputs[size_t(from.index)];
  }
}

void Exporter::addOperator(Op op, const std::vector<int>& inputs, const std::vector<int>& outputs, tfl::BuiltinOptions type, flatbuffers::Offset<void> options,
                           int version) {
  const std::pair<Op, int> code{op, version};
  auto it = std::find(codes_.begin(), codes_.end(), code);
  if (it == codes_.end()) it = codes_.insert(codes_.end(), code);
  const auto in = fbb_.CreateVector(std::vector<int32_t>(inputs.begin(), inputs.end()));
  const auto out = fbb_.CreateVector(std::vector<int32_t>(outputs.begin(), outputs.end()));
  operatorTables_.push_back(tfl::CreateOperator(fbb_, uint32_t(it - codes_.begin()), in, out, type, options));
}

Status Exporter::chooseEnds(const ModelExport& what) {
  tensorflow::MetaGraphDef rest;
  if (meta_.rest) (void)rest.ParseFromString(*meta_.rest);
  const auto signature = rest.signature_def().find("serving_default");
  const auto choose = [&](const std::vector<std::string>& given, bool inputs, std::vector<std::pair<std::string, Output>>& to) -> Status {
    for (const std::string& text : given) {
      const size_t equals = text.find('=');
      const std::string tensor = equals == text.npos ? text : text.substr(equals + 1);
      WEFT_LET(const Output o, endOfModel(graph_, tensor));
      to.emplace_back(equals == text.npos ? tensor.substr(0, tensor.find(':')) : text.substr(0, equals), o);
    }
    if (!given.empty() || signature == rest.signature_def().end()) return {};
    const auto& named = inputs ? signature->second.inputs() : signature->second.outputs();
    std::map<std::string, std::string> sorted;
    for (const auto& [key, info] : named) sorted[key] = info.name();
    for (const auto& [key, name] : sorted) {
      WEFT_LET(const Output o, graph_.findOutput(name));
      to.emplace_back(key, o);
    }
    return {};
  };
  WEFT_TRY(choose(what.inputs, true, inputs_));
  WEFT_TRY(choose(what.outputs, false, outputs_));
  const auto readers = graph_.consumers();
  if (outputs_.empty())
    for (int id = 0; id < graph_.size(); ++id)
      if (const Node* n = graph_.node(id);
          n && readers[size_t(id)].empty() && !n->outputTypes.empty() && roleOf(*n) != OpRole::Constant && roleOf(*n) != OpRole::Placeholder)
        for (int i = 0; i < int(n->outputTypes.size()); ++i) outputs_.emplace_back(i ? concat(n->name, "_", i) : n->name, Output{id, i});
  if (outputs_.empty()) return invalidArgument("the graph has no outputs: expected nodes that compute something");
  for (const auto& [name, o] : inputs_) fed_.insert(o);
  for (const auto& [name, o] : outputs_) fetched_.insert(o);
  findAfterFed(readers);
  return {};
}

void Exporter::findAfterFed(const std::vector<std::vector<int>>& readers) {
  std::vector<int> open;
  const auto visit = [&](int producer, const auto& isRead) {
    for (const int id : readers[size_t(producer)]) {
      const auto& inputs = graph_.node(id)->inputs;
      if (std::any_of(inputs.begin(), inputs.end(), isRead) && afterFed_.insert(id).second) open.push_back(id);
    }
  };
  for (const Output& fed : fed_)
    if (folder_.value(fed)) visit(fed.node, [&](Output in) { return in == fed; });
  while (!open.empty()) {
    const int producer = open.back();
    open.pop_back();
    visit(producer, [&](Output in) { return in.node == producer; });
  }
}

Status Exporter::findNeeded() {
  std::vector<int> open;
  const bool choosesInputs = inputs_.empty();
  std::set<int> seen;
  const auto visit = [&](Output o) {
    if (!fed_.count(o) && !constant(o) && seen.insert(o.node).second) open.push_back(o.node);
  };
  for (const auto& [name, o] : outputs_) visit(o);
  while (!open.empty()) {
    const Node& n = *graph_.node(open.back());
    open.pop_back();
    needed_.insert(n.id);
    if (roleOf(n) == OpRole::Placeholder) {
      if (!choosesInputs) return failedPrecondition("'", n.name, "' (Placeholder) is needed by the outputs, but is not among the inputs").atNode(n.name);
      continue;
    }
    // A PlaceholderWithDefault that is not an input has its default.
    const size_t inputs = statedShape(n) ? 1 : n.inputs.size();
    for (size_t i = 0; i < inputs; ++i) visit(n.inputs[i]);
  }
  WEFT_LET(const std::vector<int> all, graph_.topologicalOrder());
  for (const int id : all) {
    if (!needed_.count(id)) continue;
    const Node& n = *graph_.node(id);
    if (roleOf(n) == OpRole::Placeholder) {
      inputs_.emplace_back(n.name, Output{id, 0});
      fed_.insert({id, 0});
      continue;
    }
    order_.push_back(id);
    for (const Output& in : n.inputs) readers_[in].push_back(id);
  }
  return {};
}

Status Exporter::write(const Node& node) {
  if (merged_.count(node.id) || passesFirstInput(node) || roleOf(node) == OpRole::Constant) return {};
  if (isVariableOp(node))
    return failedPrecondition("'", node.name, "' (", node.op, ") is a variable; freeze the graph first, so that it has a constant").atNode(node.name);
  const NodeRule* rule = writerOf(node.op);
  if (!rule) return noCounterpart(node);
  Status s = rule->write(*this, node);
  if (!s.ok()) s.error().atNode(node.name);
  return s;
}

std::string Exporter::finish() {
  std::vector<int32_t> ends[2];
  std::vector<flatbuffers::Offset<tfl::TensorMap>> maps[2];
  for (const int side : {0, 1}) {
    for (const auto& [name, o] : side ? outputs_ : inputs_) {
      const int tensor = tensors_.at(o);
      ends[side].push_back(tensor);
      maps[side].push_back(tfl::CreateTensorMapDirect(fbb_, name.c_str(), uint32_t(tensor)));
    }
  }
  const auto subgraph = tfl::CreateSubGraphDirect(fbb_, &tensorTables_, &ends[0], &ends[1], &operatorTables_, "main");
  std::vector<flatbuffers::Offset<tfl::OperatorCode>> codes;
  constexpr int kWide = 127;  // in the old field: the number is in the new one
  for (const auto& [op, version] : codes_) codes.push_back(tfl::CreateOperatorCode(fbb_, int8_t(std::min(int(op), kWide)), 0, version, op));
  bufferTables_.insert(bufferTables_.begin(), tfl::CreateBuffer(fbb_));
  const std::vector<flatbuffers::Offset<tfl::SubGraph>> subgraphs = {subgraph};
  const std::vector<flatbuffers::Offset<tfl::SignatureDef>> signatures = {tfl::CreateSignatureDefDirect(fbb_, &maps[0], &maps[1], "serving_default", 0)};
  constexpr uint32_t kVersion = 3;
  tfl::FinishModelBuffer(fbb_, tfl::CreateModelDirect(fbb_, kVersion, &codes, &subgraphs, "Written by Weft.", &bufferTables_, nullptr, nullptr, &signatures));
  return std::string(reinterpret_cast<const char*>(fbb_.GetBufferPointer()), fbb_.GetSize());
}

Result<std::string> Exporter::run(const ModelExport& what) {
  WEFT_TRY(chooseEnds(what));
  WEFT_TRY(findNeeded());
  for (const auto& [name, o] : inputs_) {
    if (!graph_.shape(o).hasRank())
      return invalidArgument("the input '", graph_.tensorName(o), "' has no known number of dimensions; give its placeholder a shape")
          .atNode(graph_.node(o.node)->name);
    WEFT_TRY(define(o).status());
  }
  for (const int id : order_) WEFT_TRY(write(*graph_.node(id)));
  // An input, a constant or another name of a tensor that is read elsewhere too is listed as it is.
  for (const auto& [name, o] : outputs_) {
    WEFT_LET(const int tensor, tensorOf(o));
    tensors_[o] = tensor;
  }
  return finish();
}

}  // namespace weft::tflite

namespace weft {

Result<std::string> graphToTflite(std::string_view metaGraph, const ModelExport& what) {
  WEFT_LET(const LoadedGraph loaded, loadGraphBytes(std::make_shared<const std::string>(metaGraph), ""));
  return tflite::Exporter(loaded.meta).run(what);
}

}  // namespace weft
