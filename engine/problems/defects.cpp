// Sentences on nodes that TensorFlow refuses.
#include "problems/defects.h"

#include <algorithm>

#include "problems/search.h"

namespace weft {
namespace problems {

const OpRecord* knownOp(const Node& node) { return node.record ? node.record : OpRegistry::instance().find(node.op); }

std::string typeOrUnknown(DType type) { return type == DType::Invalid ? "?" : std::string(dtypeName(baseType(type))); }

std::string inputText(const Node& node, int input) {
  const OpRecord* record = knownOp(node);
  const bool plain =
      record && std::none_of(record->inputs.begin(), record->inputs.end(), [](const ArgSpec& a) { return a.isTypeList || !a.numberAttr.empty(); });
  return plain && size_t(input) < record->inputs.size() ? record->inputs[size_t(input)].name : std::to_string(input);
}

namespace {

ProblemText defectText(const char* text, std::vector<std::string> words = {}) { return {"GraphDefects", text, std::move(words)}; }

/// The reason in "attribute 'x' of node 'y': reason".
std::string reasonIn(const std::string& message) {
  const size_t node = message.find("' of node '"), at = message.find("': ", node == message.npos ? 0 : node + 11);
  return at == message.npos ? message : message.substr(at + 3);
}

ProblemText inputTypeText(const Graph& graph, const Node& node, const Defect& d, const std::string& input) {
  const Output source = node.inputs[size_t(d.inputs.front())];
  const DType wanted = size_t(d.inputs.front()) < node.inputTypes.size() ? node.inputTypes[size_t(d.inputs.front())] : DType::Invalid;
  const bool reference = isRef(wanted) && baseType(wanted) == baseType(graph.dtype(source));
  if (reference) return defectText(WEFT_TRANSLATED("GraphDefects", "Input %1 requires a variable (a reference), but %2 is a value."), {input, d.subject});
  return defectText(WEFT_TRANSLATED("GraphDefects", "Input %1 expects %2, but %3 is %4."),
                    {input, typeOrUnknown(wanted), d.subject, typeOrUnknown(graph.dtype(source))});
}

}  // namespace
}  // namespace problems

ProblemText defectSentence(const Graph& graph, const Defect& d) {
  using namespace problems;
  const Node* node = graph.find(d.node);
  if (d.code == "version") return defectText(WEFT_TRANSLATED("GraphDefects", "The file requires a reader newer than TensorFlow 1.15: %1"), {d.message});
  if (!node) return {"", "%1", {d.message}};
  const std::string input = d.inputs.empty() ? std::string() : inputText(*node, d.inputs.front());
  if (d.code == "missing-attr") return defectText(WEFT_TRANSLATED("GraphDefects", "The attribute %1 is missing."), {d.subject});
  if (d.code == "bad-attr") return defectText(WEFT_TRANSLATED("GraphDefects", "The attribute %1 is invalid: %2"), {d.subject, d.message});
  if (d.code == "bad-value") return defectText(WEFT_TRANSLATED("GraphDefects", "The attribute %1 cannot be read: %2"), {d.subject, reasonIn(d.message)});
  if (d.code == "missing-input") return defectText(WEFT_TRANSLATED("GraphDefects", "Input %1 reads %2, which is not in the file."), {input, d.subject});
  if (d.code == "no-such-output")
    return defectText(WEFT_TRANSLATED("GraphDefects", "Input %1 reads %2, but that node has no such output."), {input, d.subject});
  if (d.code == "missing-control") return defectText(WEFT_TRANSLATED("GraphDefects", "It has a control input from %1, which is not in the file."), {d.subject});
  if (d.code == "control-order") return defectText(WEFT_TRANSLATED("GraphDefects", "A control input comes before a data input."));
  if (d.code == "duplicate-name")
    return defectText(WEFT_TRANSLATED("GraphDefects", "Another node is also called %1. This one is shown as %2."), {d.subject, d.node});
  if (d.code == "no-name") return defectText(WEFT_TRANSLATED("GraphDefects", "The node has no name in the file. It is shown as %1."), {d.node});
  if (d.code == "bad-name")
    return defectText(WEFT_TRANSLATED("GraphDefects", "Invalid node name in TensorFlow: only letters, digits and . _ - / are allowed."));
  if (d.code == "no-op") return defectText(WEFT_TRANSLATED("GraphDefects", "The file does not name the op of this node."));
  if (d.code == "cycle") return defectText(WEFT_TRANSLATED("GraphDefects", "It is on a cycle that is not a loop: %1."), {d.subject});
  if (d.code == "input-count") {
    const size_t slash = d.subject.find('/');
    return defectText(WEFT_TRANSLATED("GraphDefects", "It has %1 inputs, but %2 expects %3."),
                      {d.subject.substr(0, slash), node->op, slash == d.subject.npos ? std::string() : d.subject.substr(slash + 1)});
  }
  if (d.code == "removed-op")
    return defectText(WEFT_TRANSLATED("GraphDefects", "TensorFlow 1.15 no longer supports this op in graphs of this version: %1"), {d.message});
  if (d.code == "input-type") return inputTypeText(graph, *node, d, input);
  return {"", "%1", {d.message}};
}

}  // namespace weft
