// Transforms that remove, merge and order nodes.
#include <algorithm>
#include <charconv>
#include <set>

#include "base/murmur_hash.h"
#include "proto/convert.h"
#include "transforms/node_names.h"
#include "transforms/patterns.h"
#include "weft/op.h"

namespace weft::transforms {
namespace {

/// The value that a strip_unused_nodes parameter gives for a placeholder: that of its name, else the one for all, else "".
Result<std::string> forPlaceholder(const Context& context, const std::string& parameter, const std::string& node) {
  WEFT_LET(std::string out, context.text(parameter, ""));
  const std::string named = parameter + "_for_name";
  if (!context.has(named)) return out;
  const auto names = context.all("name"), values = context.all(named);
  if (names.size() != values.size())
    return invalidArgument("You must pass a '", named,
                           "' arg for every 'name', e.g. strip_unused_nodes(name=foo, type_for_name=float, name=bar, type_for_name=quint8)");
  for (size_t i = 0; i < names.size(); ++i)
    if (names[i] == node) out = values[i];
  return out;
}

Result<Shape> shapeOf(const std::string& text) {
  Shape out;
  for (size_t at = 0; at <= text.size() && !text.empty();) {
    const size_t comma = std::min(text.find(',', at), text.size());
    size_t begin = at, end = comma;
    while (begin < end && text[begin] == ' ') ++begin;
    while (end > begin && text[end - 1] == ' ') --end;
    int64_t dim = 0;
    const auto [stop, problem] = std::from_chars(text.data() + begin, text.data() + end, dim);
    if (problem != std::errc() || stop != text.data() + end || dim < -1) return invalidArgument("Could parse as shape: '", text, "'");
    if (out.rank() == Shape::kMaxRank) return invalidArgument("shape '", text, "' has more than ", Shape::kMaxRank, " dimensions");
    out.append(dim);
    at = comma + 1;
  }
  return out;
}

Result<NodeDef> placeholderFor(const NodeDef& node, const Context& context) {
  if (node.op() == "Placeholder") return node;
  NodeDef out;
  out.set_op("Placeholder");
  out.set_name(node.name());
  WEFT_LET(const std::string type, forPlaceholder(context, "type", node.name()));
  const DType dtype = type.empty() ? DType::Float : dtypeFromName(type);
  if (dtype == DType::Invalid) return invalidArgument("Couldn't understand type argument '", type, "'");
  (*out.mutable_attr())["dtype"].set_type(tensorflow::DataType(dtype));
  WEFT_LET(const std::string text, forPlaceholder(context, "shape", node.name()));
  WEFT_LET(const Shape shape, shapeOf(text));
  shapeToProto(shape, (*out.mutable_attr())["shape"].mutable_shape());
  return out;
}

Status stripUnusedNodes(const GraphDef& in, const Context& context, GraphDef* out) {
  std::set<std::string> inputs, needed;
  for (const std::string& input : context.inputs) inputs.insert(nodeNameOf(input));
  needed = inputs;
  const NodeIndex nodes = indexNodes(in);
  std::vector<std::string> next;
  for (const std::string& output : context.outputs) next.push_back(nodeNameOf(output));
  while (!next.empty()) {
    const std::string name = std::move(next.back());
    next.pop_back();
    needed.insert(name);
    if (inputs.count(name)) continue;
    const auto node = nodes.find(name);
    if (node == nodes.end()) return invalidArgument("Input node ", name, " not found in graph");
    for (const std::string& input : node->second->input())
      if (std::string source = nodeNameOf(input); needed.insert(source).second) next.push_back(std::move(source));
  }
  for (const NodeDef& node : in.node()) {
    if (!needed.count(node.name())) continue;
    if (!inputs.count(node.name())) {
      *out->add_node() = node;
      continue;
    }
    WEFT_LET(NodeDef placeholder, placeholderFor(node, context));
    out->add_node()->Swap(&placeholder);
  }
  return {};
}

/// Removes the nodes that match, once; true in `any` if there were some.
Status removeOnce(GraphDef* graph, const Context& context, const Pattern& pattern, bool* any) {
  const std::set<std::string> required = context.ends();
  std::map<std::string, std::string> names;
  GraphDef replaced;
  const auto replace = [&](const Match& match, const std::set<std::string>&, std::vector<NodeDef>* made) -> Status {
    const NodeDef& gone = *match.node;
    if (required.count(gone.name())) return {};
    const NodeDef& source = *match.inputs[0].node;
    std::string target = source.name();
    for (const std::string& input : gone.input())
      if (nodeNameOf(input) == source.name() && input[0] != '^') {
        target = input;
        break;
      }
    names[gone.name()] = target;
    names["^" + gone.name()] = "^" + source.name();
    made->push_back(source);
    return {};
  };
  WEFT_LET(const int count, replaceMatches(*graph, context, pattern, replace, true, &replaced));
  *any = count > 0;
  return renameInputs(replaced, names, {}, graph);
}

Status removeNodes(const GraphDef& in, const Context& context, GraphDef* out) {
  if (!context.has("op")) return invalidArgument("remove_nodes expects at least one 'op'argument, e.g. remove_nodes(op=Identity)");
  WEFT_LET(const int64_t most, context.integer("max_inputs", 1));
  if (most < 1 || most > 64) return invalidArgument("remove_nodes: max_inputs is ", most, ", expected 1 to 64");
  *out = in;
  for (const std::string& op : context.all("op")) {
    for (int64_t inputs = 1; inputs <= most; ++inputs) {
      const Pattern pattern{op, std::vector<Pattern>(size_t(inputs), Pattern{"*", {}})};
      for (bool any = true; any;) WEFT_TRY(removeOnce(out, context, pattern, &any));
    }
  }
  return {};
}

/// TensorFlow's hash of a node; the name counts only if it is given. The order of merged nodes follows it.
uint64_t hashOf(const NodeDef& node, const std::string& name) {
  uint64_t hash = combineHashes(murmurHash(node.op()), murmurHash(name));
  for (const std::string& input : node.input()) hash = combineHashes(hash, murmurHash(canonicalInput(input)));
  hash = combineHashes(hash, murmurHash(node.device()));
  std::map<std::string, const tensorflow::AttrValue*> attrs;
  for (const auto& [key, value] : node.attr()) attrs[key] = &value;
  for (const auto& [key, value] : attrs) hash = combineHashes(hash, murmurHash(value->SerializeAsString()));
  return hash;
}

Status mergeDuplicates(const GraphDef& in, const Context& context, GraphDef* out) {
  const std::set<std::string> named = context.ends();
  *out = in;
  for (bool any = true; any;) {
    any = false;
    std::map<uint64_t, std::vector<const NodeDef*>> alike;
    for (const NodeDef& node : out->node()) alike[hashOf(node, named.count(node.name()) ? node.name() : "")].push_back(&node);
    std::map<std::string, std::string> names;
    GraphDef merged;
    for (const auto& [hash, nodes] : alike) {
      // The hash leaves out the names of attributes, and different nodes can share it.
      std::map<std::string, const NodeDef*> firsts;
      for (const NodeDef* node : nodes) {
        const OpRecord* record = OpRegistry::instance().find(node->op());
        if (!record) return notFound("Op type not registered '", node->op(), "'").atNode(node->name());
        const NodeDef* first = record->isStateful || named.count(node->name()) ? node : firsts.try_emplace(contentOf(*node), node).first->second;
        if (first == node) {
          *merged.add_node() = *node;
          continue;
        }
        names[node->name() + ":*"] = first->name();
        any = true;
      }
    }
    WEFT_TRY(renameInputs(merged, names, {}, out));
  }
  return {};
}

Status sortByExecutionOrder(const GraphDef& in, const Context&, GraphDef* out) {
  std::vector<const NodeDef*> sorted;
  WEFT_TRY(executionOrder(in, &sorted));
  for (const NodeDef* node : sorted) *out->add_node() = *node;
  return {};
}

}  // namespace

std::vector<Entry> nodeTransforms() {
  return {
      {{"merge_duplicate_nodes", "Merges nodes that compute the same from the same inputs.", {}}, mergeDuplicates},
      {{"remove_nodes",
        "Removes nodes of an op; their readers read their first input instead. Inputs and outputs stay.",
        {{"op", "the op", true, true}, {"max_inputs", "remove nodes with up to this number of inputs (default 1)"}}},
       removeNodes},
      {{"sort_by_execution_order", "Sorts the nodes so that each comes after its inputs.", {}}, sortByExecutionOrder},
      {{"strip_unused_nodes",
        "Removes the nodes that the outputs do not need, and makes the inputs placeholders.",
        {{"type", "the type of new placeholders (default float)"},
         {"shape", "their shape, such as \"1,299,299,3\" (default: a scalar)"},
         {"name", "an input with a type or shape of its own", false, true},
         {"type_for_name", "the type for the name in the same position", false, true},
         {"shape_for_name", "the shape for the name in the same position", false, true}}},
       stripUnusedNodes},
  };
}

}  // namespace weft::transforms
