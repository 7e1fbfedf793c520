#include "weft/variables.h"

#include <charconv>
#include <cstdint>
#include <string_view>

#include "weft/op_traits.h"

namespace weft {
namespace {

/// Field 1 of a serialised VariableDef, `variable_name`, which writers put first; empty if another field is first.
std::string_view variableName(std::string_view def) {
  constexpr char kName = 0x0A;  // field 1, a string
  if (def.empty() || def[0] != kName) return {};
  uint64_t length = 0;
  for (size_t at = 1, shift = 0; at < def.size() && shift < 35; ++at, shift += 7) {
    const auto byte = uint8_t(def[at]);
    length |= uint64_t(byte & 0x7F) << shift;
    if (byte < 0x80) return length <= def.size() - at - 1 ? def.substr(at + 1, length) : std::string_view();
  }
  return {};
}

constexpr int kMostSteps = 64;              // upstream of an assigned value
constexpr int64_t kMostElements = 1 << 16;  // of a constant that is compared with its first one

/// The op whose output passes through identities, casts and reshapes to `o`.
const Node* originOf(const Graph& graph, Output o) {
  for (int steps = 0; steps < kMostSteps; ++steps) {
    const Node* n = graph.node(o.node);
    if (!n || n->inputs.empty()) return n;
    const OpRole r = roleOf(*n);
    if (r != OpRole::Identity && r != OpRole::Copy && r != OpRole::Reshape && r != OpRole::Cast) return n;
    o = n->inputs[0];
  }
  return nullptr;
}

/// "zeros", "ones" or "constant 0.1" if all elements are equal.
std::string constantText(const Tensor& tensor) {
  if (!isNumeric(tensor.dtype()) || tensor.elements() < 1 || tensor.elements() > kMostElements) return {};
  const double first = tensor.asDouble(0);
  for (int64_t i = 1; i < tensor.elements(); ++i)
    if (tensor.asDouble(i) != first) return {};
  if (first == 0) return "zeros";
  if (first == 1) return "ones";
  char text[40];
  // As many digits as a float has.
  const auto end = std::to_chars(text, text + sizeof text, first, std::chars_format::general, 7).ptr;
  return "constant " + std::string(text, end);
}

std::string initializerOf(const Graph& graph, Output value) {
  const Node* origin = originOf(graph, value);
  if (!origin) return {};
  const OpRole role = roleOf(*origin);
  const Node* filled = role == OpRole::Fill && origin->inputs.size() > 1 ? originOf(graph, origin->inputs[1]) : origin;
  if (filled && isConstant(*filled)) {
    const Attr* held = filled->attrs.find("value");
    const Tensor* tensor = held ? held->get<Tensor>() : nullptr;
    const std::string text = tensor ? constantText(*tensor) : std::string();
    return text.empty() ? origin->op : text;
  }
  // Initializers scale and shift random numbers.
  std::vector<int> open = {origin->id};
  std::set<int> seen = {origin->id};
  for (size_t i = 0; i < open.size() && i < size_t(kMostSteps); ++i) {
    const Node* n = graph.node(open[i]);
    if (!n) continue;
    if (roleOf(*n) == OpRole::Random) return n->op;
    for (const Output o : n->inputs)
      if (seen.insert(o.node).second) open.push_back(o.node);
  }
  return origin->op;
}

/// The first assignment to a variable that no saver makes.
std::string initialValueOf(const Graph& graph, const std::vector<std::vector<int>>& consumers, int variable) {
  for (const int id : consumers[size_t(variable)]) {
    const Node* n = graph.node(id);
    if (!n || roleOf(*n) != OpRole::Assign || n->inputs.size() < 2 || n->inputs[0].node != variable) continue;
    const Node* source = originOf(graph, n->inputs[1]);
    if (source && roleOf(*source) == OpRole::Restore) continue;
    return initializerOf(graph, n->inputs[1]);
  }
  return {};
}

}  // namespace

std::set<std::string, std::less<>> trainableVariables(const MetaGraph& meta) {
  std::set<std::string, std::less<>> names;
  const auto it = meta.collections.find("trainable_variables");
  if (it == meta.collections.end()) return names;
  for (const std::string& def : it->second.bytes) {
    const std::string_view name = variableName(def);
    if (!name.empty()) names.emplace(name.substr(0, name.rfind(':')));
  }
  return names;
}

std::vector<VariableFacts> variablesOf(const MetaGraph& meta) {
  const Graph& graph = meta.graph;
  const auto trainable = trainableVariables(meta);
  const bool isTold = meta.collections.count("trainable_variables") > 0;  // an empty list says that none is
  const auto consumers = graph.consumers();
  std::vector<VariableFacts> out;
  for (int id = 0; id < graph.size(); ++id) {
    const Node* n = graph.node(id);
    if (!n || !isVariable(*n)) continue;
    VariableFacts v;
    v.node = id;
    v.dtype = n->attrs.type("dtype");
    v.shape = n->attrs.shape("shape");
    if (!isResourceVariable(*n) && !n->outputShapes.empty() && n->outputShapes[0].hasRank()) v.shape = n->outputShapes[0];
    if (isTold) v.isTrainable = trainable.count(n->name) > 0;
    v.initializer = initialValueOf(graph, consumers, id);
    out.push_back(std::move(v));
  }
  return out;
}

}  // namespace weft
