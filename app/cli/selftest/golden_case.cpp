#include "cli/selftest/golden_case.h"

#include <cstdlib>

#include "cli/selftest/wire.h"
#include "weft/graph.h"

namespace weft::cli {
namespace {

// Field numbers of GraphDef, NodeDef and AttrValue.
constexpr int kGraphNode = 1, kGraphVersions = 4;
constexpr int kNodeName = 1, kNodeOp = 2, kNodeAttr = 5;
constexpr int kAttrString = 2, kAttrType = 6, kAttrShape = 7;

struct RawNode {
  std::string name, op;
  std::map<std::string, std::string> stringAttrs;
};

Result<RawNode> parseNode(std::string_view bytes) {
  RawNode node;
  WEFT_LET(const auto fields, parseWire(bytes));
  for (const WireField& f : fields) {
    if (f.number == kNodeName) node.name = f.bytes;
    if (f.number == kNodeOp) node.op = f.bytes;
    if (f.number != kNodeAttr) continue;
    WEFT_LET(const auto entry, parseWire(f.bytes));
    std::string key;
    for (const WireField& e : entry) {
      if (e.number == 1) key = e.bytes;
      if (e.number != 2) continue;
      WEFT_LET(const auto value, parseWire(e.bytes));
      for (const WireField& v : value)
        if (v.number == kAttrString) node.stringAttrs[key] = v.bytes;
    }
  }
  return node;
}

/// The number after `prefix` in a name like "want/3".
std::optional<int> indexAfter(const std::string& name, std::string_view prefix) {
  if (name.compare(0, prefix.size(), prefix) != 0) return std::nullopt;
  return std::atoi(name.c_str() + prefix.size());
}

void appendAttr(std::string& node, std::string_view key, std::string_view value) {
  std::string entry;
  appendBytesField(entry, 1, key);
  appendBytesField(entry, 2, value);
  appendBytesField(node, kNodeAttr, entry);
}

std::string placeholderNode(int index, const Tensor& value, bool rankKnown) {
  std::string shape;
  if (rankKnown) {
    std::string dim;
    appendVarintField(dim, 1, uint64_t(int64_t(-1)));
    for (int i = 0; i < value.rank(); ++i) appendBytesField(shape, 2, dim);
  } else {
    appendVarintField(shape, 3, 1);
  }
  std::string type, shapeAttr, node;
  appendVarintField(type, kAttrType, uint64_t(value.dtype()));
  appendBytesField(shapeAttr, kAttrShape, shape);
  appendBytesField(node, kNodeName, concat("in/", index));
  appendBytesField(node, kNodeOp, "Placeholder");
  appendAttr(node, "dtype", type);
  appendAttr(node, "shape", shapeAttr);
  return node;
}

/// The constants of a record, by name.
Result<std::map<std::string, Tensor>> loadConstants(std::string graph) {
  LoadOptions options;
  options.inferShapes = false;
  WEFT_LET(const auto loaded, loadGraphBytes(std::make_shared<const std::string>(std::move(graph)), "record", options));
  std::map<std::string, Tensor> out;
  for (int id = 0; id < loaded.meta.graph.size(); ++id) {
    const Node* node = loaded.meta.graph.node(id);
    const Attr* value = node ? node->attrs.find("value") : nullptr;
    const Tensor* tensor = value ? value->get<Tensor>() : nullptr;
    if (!tensor) return dataLoss("node ", node ? node->name : "?", " of a golden record has no value");
    out[node->name] = *tensor;
  }
  return out;
}

}  // namespace

std::string GoldenCase::graph(InputForm form) const {
  std::string out;
  for (size_t i = 0; i < inputNodes.size(); ++i)
    appendBytesField(out, kGraphNode, form == InputForm::Constants ? inputNodes[i] : placeholderNode(int(i), inputs[i], form == InputForm::PlaceholdersOfRank));
  appendBytesField(out, kGraphNode, opNode);
  appendBytesField(out, kGraphVersions, versions);
  return out;
}

Result<GoldenCase> parseGoldenCase(const std::string& record) {
  GoldenCase out;
  WEFT_LET(const auto fields, parseWire(record));
  std::string constants;
  std::map<int, std::string> inputs;
  for (const WireField& f : fields) {
    if (f.number == kGraphVersions) out.versions = f.bytes;
    if (f.number != kGraphNode) continue;
    WEFT_LET(RawNode node, parseNode(f.bytes));
    if (node.name == "op") {
      out.opNode = f.bytes;
      out.opType = node.op;
      out.name = node.stringAttrs["_case"];
      out.compare = node.stringAttrs["_compare"];
      continue;
    }
    appendBytesField(constants, kGraphNode, f.bytes);
    if (const auto i = indexAfter(node.name, "in/")) inputs[*i] = f.bytes;
  }
  appendBytesField(constants, kGraphVersions, out.versions);
  WEFT_LET(const auto values, loadConstants(std::move(constants)));
  for (auto& [i, bytes] : inputs) out.inputNodes.push_back(std::move(bytes));
  out.inputs.resize(out.inputNodes.size());
  for (const auto& [name, tensor] : values) {
    if (const auto i = indexAfter(name, "in/")) {
      if (*i < 0 || size_t(*i) >= out.inputs.size()) return dataLoss("inputs of a golden record are not numbered from 0");
      out.inputs[size_t(*i)] = tensor;
    } else if (const auto w = indexAfter(name, "want/")) {
      out.want[*w] = tensor;
    } else if (const auto d = indexAfter(name, "dy/")) {
      out.dy[*d] = tensor;
    } else if (const auto g = indexAfter(name, "grad/")) {
      out.grad[*g] = tensor;
    } else if (name == "tol") {
      out.tolerance = Tolerance{tensor.asDouble(0), tensor.asDouble(1)};
    } else if (name == "want_error/code") {
      out.errorCode = int(tensor.asInt(0));
    } else if (name == "want_error/phrase") {
      out.errorPhrase = tensor.at<std::string>(0);
    } else if (name == "want_error/run_code") {
      out.runErrorCode = int(tensor.asInt(0));
    } else if (name == "want_error/run_phrase") {
      out.runErrorPhrase = tensor.at<std::string>(0);
    } else {
      return dataLoss("unexpected node ", name, " in a golden record");
    }
  }
  if (out.opNode.empty()) return dataLoss("a golden record has no node 'op'");
  return out;
}

}  // namespace weft::cli
