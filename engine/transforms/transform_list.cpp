#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "proto/convert.h"
#include "proto/text.h"
#include "transforms/node_names.h"
#include "transforms/patterns.h"
#include "transforms/transform.h"
#include "weft/inspect.h"

namespace weft {
namespace transforms {
namespace {

/// Every transform has this parameter.
constexpr std::string_view kIgnoreErrors = "ignore_errors";

const std::vector<Entry>& entries() {
  static const std::vector<Entry> list = [] {
    std::vector<Entry> out;
    for (auto part : {attributeTransforms, nodeTransforms, weightTransforms, batchNormTransforms, convolutionTransforms, loggingTransforms, backportTransforms,
                      foldingTransforms, gatherTransforms})
      for (Entry& entry : part()) out.push_back(std::move(entry));
    for (Entry& entry : out) entry.record.parameters.push_back({kIgnoreErrors, "true: if the transform fails, go on with the graph before it (default false)"});
    std::sort(out.begin(), out.end(), [](const Entry& a, const Entry& b) { return a.record.name < b.record.name; });
    return out;
  }();
  return list;
}

const Entry* findEntry(std::string_view name) {
  const auto& list = entries();
  const auto at = std::lower_bound(list.begin(), list.end(), name, [](const Entry& e, std::string_view n) { return e.record.name < n; });
  return at != list.end() && at->record.name == name ? &*at : nullptr;
}

std::string joinedNames(const GraphTransform& transform) {
  std::string out;
  for (const TransformParameter& p : transform.parameters) out += (out.empty() ? "" : ", ") + std::string(p.name);
  return out;
}

/// TensorFlow passes over parameters that it does not know; a misspelled one would have no effect.
Status checkParameters(const GraphTransform& transform, const TransformCall& call) {
  for (const auto& [name, values] : call.parameters) {
    const auto known = std::find_if(transform.parameters.begin(), transform.parameters.end(), [&](const auto& p) { return p.name == name; });
    if (known == transform.parameters.end()) return invalidArgument(transform.name, " has no parameter '", name, "'; it has ", joinedNames(transform));
    if (values.size() > 1 && !known->repeated)
      return invalidArgument(transform.name, ": expected a single '", name, "' parameter, but found ", values.size(), " occurrences");
  }
  return {};
}

Status checkInputs(const GraphDef& graph, std::string_view after) {
  const NodeIndex nodes = indexNodes(graph);
  for (const NodeDef& node : graph.node())
    for (const std::string& input : node.input())
      if (!nodes.count(nodeNameOf(input)))
        return internalError("Invalid graph with inputs referring to nonexistent nodes after ", after, ": input '", input, "' of node '", node.name(), "'");
  return {};
}

Result<bool> ignoresErrors(const Context& context) {
  const auto values = context.all(std::string(kIgnoreErrors));
  if (values.empty()) return false;
  std::string value = values[0];
  for (char& c : value) c = char(std::tolower(static_cast<unsigned char>(c)));
  if (value != "true" && value != "false") return invalidArgument("ignore_errors should be true or false, found ", value);
  return value == "true";
}

bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// Reads TensorFlow's notation of transforms.
class Parser {
 public:
  explicit Parser(std::string_view text) : rest_(text) {}

  Result<std::vector<TransformCall>> parse() {
    std::vector<TransformCall> out;
    while (skipSpaces(), !rest_.empty()) {
      TransformCall call;
      call.name = take([](char c) { return isWord(c); });
      if (call.name.empty()) return invalidArgument("Looking for transform name, but found ", rest_);
      if (takeOne('(')) WEFT_TRY(parameters(&call));
      out.push_back(std::move(call));
    }
    return out;
  }

 private:
  Status parameters(TransformCall* call) {
    while (true) {
      skipSpaces();
      if (takeOne(')')) return {};
      takeOne(',');
      skipSpaces();
      const std::string name = take([](char c) { return isWord(c); });
      if (name.empty()) return invalidArgument("Looking for parameter name, but found ", rest_.empty() ? "the end" : rest_);
      if (!takeOne('=')) return invalidArgument("Looking for =, but found ", rest_.empty() ? "the end" : rest_);
      std::string value;
      if (takeOne('"')) {
        const size_t end = rest_.find('"');
        if (end == rest_.npos) return invalidArgument("Looking for the closing quote of parameter ", name, ", but found ", rest_);
        value = std::string(rest_.substr(0, end));
        rest_.remove_prefix(end + 1);
      } else {
        value = take([](char c) { return isWord(c) || c == '-' || c == '.' || c == '/'; });
        if (value.empty()) return invalidArgument("Looking for the value of parameter ", name, ", but found ", rest_.empty() ? "the end" : rest_);
      }
      takeOne('\'');
      call->parameters[name].push_back(std::move(value));
    }
  }

  void skipSpaces() {
    while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_[0]))) rest_.remove_prefix(1);
  }
  bool takeOne(char c) {
    if (rest_.empty() || rest_[0] != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  template <typename F>
  std::string take(F&& fits) {
    size_t n = 0;
    while (n < rest_.size() && fits(rest_[n])) ++n;
    std::string out(rest_.substr(0, n));
    rest_.remove_prefix(n);
    return out;
  }

  std::string_view rest_;
};

}  // namespace

void Context::warn(std::string text) const {
  if (warnings && std::find(warnings->begin(), warnings->end(), text) == warnings->end()) warnings->push_back(std::move(text));
}

std::set<std::string> Context::ends() const {
  std::set<std::string> out;
  for (const auto* list : {&inputs, &outputs})
    for (const std::string& name : *list) out.insert(nodeNameOf(name));
  return out;
}

std::vector<std::string> Context::all(const std::string& name) const {
  const auto at = parameters.find(name);
  return at == parameters.end() ? std::vector<std::string>() : at->second;
}

Result<std::string> Context::text(const std::string& name, std::string otherwise) const {
  const auto values = all(name);
  return values.empty() ? std::move(otherwise) : values[0];
}

Result<int64_t> Context::integer(const std::string& name, int64_t otherwise) const {
  if (!has(name)) return otherwise;
  WEFT_LET(const std::string value, text(name, ""));
  int64_t out = 0;
  const auto [end, problem] = std::from_chars(value.data(), value.data() + value.size(), out);
  if (problem != std::errc() || end != value.data() + value.size()) return invalidArgument("Couldn't interpret the ", name, " argument as a number:", value);
  return out;
}

Result<float> Context::number(const std::string& name, float otherwise) const {
  if (!has(name)) return otherwise;
  WEFT_LET(const std::string value, text(name, ""));
  char* end = nullptr;
  const float out = std::strtof(value.c_str(), &end);
  if (value.empty() || *end || !std::isfinite(out)) return invalidArgument("Couldn't interpret the ", name, " argument as a float number:", value);
  return out;
}

Result<bool> Context::boolean(const std::string& name, bool otherwise) const {
  if (!has(name)) return otherwise;
  WEFT_LET(const std::string value, text(name, ""));
  if (value == "true" || value == "1") return true;
  if (value == "false" || value == "0") return false;
  return invalidArgument("Couldn't interpret the ", name, " argument as a boolean:", value, " (expected true, false, 0 or 1)");
}

Status checkNames(const GraphDef& graph, std::string_view after) {
  std::set<std::string> names, twice;
  for (const NodeDef& node : graph.node())
    if (!names.insert(node.name()).second) twice.insert(node.name());
  if (twice.empty()) return {};
  constexpr size_t kMost = 5;
  std::string list;
  size_t listed = 0;
  for (const std::string& name : twice)
    if (listed++ < kMost) list += (list.empty() ? "'" : ", '") + name + "'";
  if (twice.size() > kMost) list += concat(" and ", twice.size() - kMost, " more");
  return invalidArgument("Duplicate node names detected", after.empty() ? "" : " after ", after, ": ", list);
}

Status readGraph(std::string_view bytes, GraphDef* graph) {
  WEFT_LET(const std::string binary, convertGraphBytes(bytes, "graph.pb"));
  return parseWire(binary, graph);
}

Result<NodeDef> constNode(const std::string& name, const Tensor& value) {
  NodeDef node;
  node.set_name(name);
  node.set_op("Const");
  (*node.mutable_attr())["dtype"].set_type(tensorflow::DataType(value.dtype()));
  WEFT_TRY(tensorToProto(value, TensorForm::Content, (*node.mutable_attr())["value"].mutable_tensor()));
  return node;
}

Result<Tensor> constValue(const NodeDef& node) {
  const auto at = node.attr().find("value");
  if (at == node.attr().end() || !at->second.has_tensor()) return invalidArgument("No 'value' attribute for Const node ", node.name());
  auto tensor = tensorFromProto(at->second.tensor());
  if (!tensor.ok()) return tensor.error().atNode(node.name());
  return tensor;
}

Result<Tensor> realValue(const NodeDef& node) {
  WEFT_LET(Tensor value, constValue(node));
  if (!isFloating(value.dtype())) return invalidArgument("expected a Const of a floating type, found ", dtypeName(value.dtype())).atNode(node.name());
  return value;
}

}  // namespace transforms

std::span<const GraphTransform> graphTransforms() {
  static const std::vector<GraphTransform> list = [] {
    std::vector<GraphTransform> out;
    for (const auto& entry : transforms::entries()) out.push_back(entry.record);
    return out;
  }();
  return list;
}

const GraphTransform* findGraphTransform(std::string_view name) {
  for (const GraphTransform& transform : graphTransforms())
    if (transform.name == name) return &transform;
  return nullptr;
}

Result<std::vector<TransformCall>> parseTransforms(std::string_view text) { return transforms::Parser(text).parse(); }

Result<std::string> transformText(const TransformCall& call) {
  std::string out;
  for (const auto& [name, values] : call.parameters)
    for (const std::string& value : values) {
      if (value.find('"') != value.npos)
        return invalidArgument("the value of ", call.name, "'s parameter ", name,
                               " has a quotation mark, which the notation of transforms cannot express: ", value);
      const bool plain =
          !value.empty() && std::all_of(value.begin(), value.end(), [](char c) { return transforms::isWord(c) || c == '-' || c == '.' || c == '/'; });
      out += concat(out.empty() ? "" : ", ", name, "=", plain ? value : "\"" + value + "\"");
    }
  return out.empty() ? call.name : call.name + "(" + out + ")";
}

Result<std::string> transformGraph(std::string_view bytes, const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
                                   const std::vector<TransformCall>& calls, std::vector<std::string>* warnings) {
  for (const TransformCall& call : calls) {
    const transforms::Entry* entry = transforms::findEntry(call.name);
    if (!entry) return invalidArgument("Transform '", call.name, "' not recognized.");
    WEFT_TRY(transforms::checkParameters(entry->record, call));
  }
  tensorflow::GraphDef graph;
  WEFT_TRY(transforms::readGraph(bytes, &graph));
  WEFT_TRY(transforms::checkNames(graph, ""));
  for (const TransformCall& call : calls) {
    transforms::Context context{inputs, outputs, call.parameters, warnings};
    WEFT_LET(const bool ignoreErrors, transforms::ignoresErrors(context));
    tensorflow::GraphDef made;
    if (Status status = transforms::findEntry(call.name)->apply(graph, context, &made); !status.ok()) {
      if (!ignoreErrors) return status;
      made = graph;
    }
    // The message has a library even if it is empty, as TensorFlow's.
    made.mutable_library()->Swap(graph.mutable_library());
    WEFT_TRY(transforms::checkNames(made, call.name));
    WEFT_TRY(transforms::checkInputs(made, call.name));
    graph.Swap(&made);
  }
  return printWire(graph);
}

}  // namespace weft
