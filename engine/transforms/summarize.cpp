// summarize_graph: likely inputs and outputs of a graph, and what it is made of.
#include <algorithm>
#include <cstdio>

#include "proto/convert.h"
#include "transforms/node_names.h"
#include "transforms/patterns.h"

namespace weft {
namespace transforms {
namespace {

std::string typeName(const NodeDef& node) { return statedType(node) == DType::Invalid ? "INVALID" : dtypeShortName(statedType(node)); }

std::string infoOf(const NodeDef& node) {
  std::string shape = "None";
  if (const auto at = node.attr().find("shape"); at != node.attr().end()) {
    const auto parsed = shapeFromProto(at->second.shape());
    shape = parsed.ok() ? parsed->toString() : parsed.error().message;
  }
  return concat("(name=", node.name(), ", type=", typeName(node), "(", int(statedType(node)), "), shape=", shape, ") ");
}

/// "1.23k", as TensorFlow's HumanReadableNum.
std::string readable(int64_t number) {
  if (number < 1000) return std::to_string(number);
  double value = double(number);
  constexpr std::string_view kUnits = "kMBT";
  for (size_t i = 0;; ++i) {
    if (i == kUnits.size()) return "very large";
    value /= 1e3;
    if (value >= 1e3) continue;
    char text[32];
    std::snprintf(text, sizeof text, "%.2f", value);
    return std::string(text) + kUnits[i];
  }
}

std::string joined(const std::vector<std::string>& parts, const char* between) {
  std::string out;
  for (size_t i = 0; i < parts.size(); ++i) out += (i ? between : "") + parts[i];
  return out;
}

std::string listed(const std::vector<const NodeDef*>& nodes, const char* what, const char* none) {
  if (nodes.empty()) return concat("No ", none, " spotted.\n");
  std::string out = concat("Found ", nodes.size(), " ", what, ": ");
  for (const NodeDef* node : nodes) out += infoOf(*node);
  return out + "\n";
}

std::string benchmarkLine(std::vector<const NodeDef*> inputs, const std::vector<const NodeDef*>& variables, const std::vector<const NodeDef*>& outputs,
                          const std::string& path) {
  inputs.insert(inputs.end(), variables.begin(), variables.end());
  std::vector<std::string> names, types, shapes, results;
  for (const NodeDef* node : inputs) {
    names.push_back(node->name());
    types.push_back(typeName(*node));
    std::string& sizes = shapes.emplace_back();
    const auto at = node->attr().find("shape");
    const auto shape = at == node->attr().end() ? Result<Shape>(Shape::unknown()) : shapeFromProto(at->second.shape());
    if (!shape.ok() || !shape->hasRank()) continue;
    for (int i = 0; i < shape->rank(); ++i) sizes += concat(i ? "," : "", shape->dim(i));
  }
  for (const NodeDef* node : outputs) results.push_back(node->name());
  return concat("To use with tensorflow/tools/benchmark:benchmark_model try these arguments:\nbazel run tensorflow/tools/benchmark:benchmark_model -- --graph=",
                path, " --show_flops --input_layer=", joined(names, ","), " --input_layer_type=", joined(types, ","),
                " --input_layer_shape=", joined(shapes, ":"), " --output_layer=", joined(results, ","), "\n");
}

std::string parametersLine(const GraphDef& graph) {
  int64_t constants = 0, variables = 0;
  int controls = 0;
  std::map<std::string, int> devices;
  for (const NodeDef& node : graph.node()) {
    for (const std::string& input : node.input()) controls += !input.empty() && input[0] == '^';
    if (!node.device().empty()) ++devices[node.device()];
    if (node.op() != "Const" && node.op() != "Variable" && node.op() != "VariableV2") continue;
    const auto at = node.attr().find("value");
    const auto elements = at == node.attr().end() ? Result<int64_t>(0) : checkTensorProto(at->second.tensor());
    if (elements.ok()) (node.op() == "Const" ? constants : variables) += *elements;
  }
  std::string out = concat("Found ", constants, " (", readable(constants), ") const parameters, ", variables, " (", readable(variables),
                           ") variable parameters, and ", controls, " control_edges\n");
  for (const auto& [device, count] : devices) out += concat(count, " nodes assigned to device '", device, "'");
  return out;
}

std::string opsLine(const GraphDef& graph) {
  std::map<std::string, int> counts;
  for (const NodeDef& node : graph.node()) ++counts[node.op()];
  for (const auto& function : graph.library().function())
    for (const NodeDef& node : function.node_def()) ++counts[node.op()];
  std::vector<std::pair<std::string, int>> sorted(counts.begin(), counts.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::string> words;
  for (const auto& [op, count] : sorted) words.push_back(concat(count, " ", op));
  return "Op types used: " + joined(words, ", ") + "\n";
}

/// "Tensor<type: float shape: [2] values: 1 2>", as TensorFlow shows a constant.
std::string shown(const Tensor& value) {
  std::string out = concat("Tensor<type: ", dtypeShortName(value.dtype()), " shape: ", value.shape().toString(), " values:");
  const int64_t count = std::min<int64_t>(value.elements(), 3);
  for (int64_t i = 0; i < count; ++i) {
    out += " ";
    if (value.dtype() == DType::String) out += value.at<std::string>(i);
    else if (isFloating(value.dtype())) out += concat(value.asDouble(i));
    else out += concat(value.asInt(i));
  }
  return out + (value.elements() > count ? "...>" : ">");
}

Result<std::string> structureOf(const GraphDef& graph) {
  std::vector<const NodeDef*> sorted;
  WEFT_TRY(executionOrder(graph, &sorted));
  std::string out;
  for (const NodeDef* node : sorted) {
    out += concat(node->name(), " (", node->op(), "): [", joined({node->input().begin(), node->input().end()}, ", "), "]");
    if (node->op() == "Const")
      if (const auto value = constValue(*node); value.ok()) out += ", value=" + shown(*value);
    out += "\n";
  }
  return out;
}

}  // namespace
}  // namespace transforms

Result<std::string> summarizeGraph(std::string_view bytes, const std::string& path, bool structure) {
  using namespace transforms;
  GraphDef graph;
  WEFT_TRY(readGraph(bytes, &graph));
  std::vector<const NodeDef*> placeholders, variables, outputs;
  std::map<std::string, int> reads;
  for (const NodeDef& node : graph.node())
    for (const std::string& input : node.input()) ++reads[nodeNameOf(input)];
  for (const NodeDef& node : graph.node()) {
    const std::string& op = node.op();
    if (op == "Placeholder") placeholders.push_back(&node);
    else if (op == "Variable" || op == "VariableV2") variables.push_back(&node);
    if (!reads.count(node.name()) && op != "Const" && op != "Assign" && op != "NoOp" && op != "Placeholder") outputs.push_back(&node);
  }
  std::string out = listed(placeholders, "possible inputs", "inputs") + listed(variables, "variables", "variables");
  if (outputs.empty()) {
    out += "No outputs spotted.\n";
  } else {
    out += concat("Found ", outputs.size(), " possible outputs: ");
    for (const NodeDef* node : outputs) out += concat("(name=", node->name(), ", op=", node->op(), ") ");
    out += "\n";
  }
  out += parametersLine(graph);
  const NodeIndex nodes = indexNodes(graph);
  for (const NodeDef& node : graph.node())
    for (const std::string& input : node.input())
      if (!nodes.count(nodeNameOf(input)))
        return internalError("Invalid graph with inputs referring to nonexistent nodes: input '", input, "' of node '", node.name(), "'");
  out += opsLine(graph) + benchmarkLine(placeholders, variables, outputs, path);
  if (!structure) return out;
  WEFT_LET(const std::string lines, structureOf(graph));
  return out + lines;
}

}  // namespace weft
