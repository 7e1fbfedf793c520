// Transforms that change names, attributes and devices, each node on its own.
#include "graph/attr_proto.h"
#include "transforms/node_names.h"
#include "transforms/transform.h"
#include "weft/op.h"

namespace weft::transforms {
namespace {

/// The only value of a required parameter.
Result<std::string> exactlyOne(const Context& context, const std::string& name, std::string_view usage) {
  const auto at = context.parameters.find(name);
  if (at == context.parameters.end() || at->second.size() != 1) return invalidArgument(usage);
  return at->second[0];
}

Status setDevice(const GraphDef& in, const Context& context, GraphDef* out) {
  WEFT_LET(const std::string device, context.text("device", ""));
  WEFT_LET(const bool ifDefault, context.boolean("if_default", false));
  for (const NodeDef& node : in.node()) {
    NodeDef* copy = out->add_node();
    *copy = node;
    if (!ifDefault || node.device().empty()) copy->set_device(device);
  }
  return {};
}

Status removeDevice(const GraphDef& in, const Context&, GraphDef* out) {
  for (const NodeDef& node : in.node()) {
    *out->add_node() = node;
    out->mutable_node(out->node_size() - 1)->set_device("");
  }
  return {};
}

Status removeAttribute(const GraphDef& in, const Context& context, GraphDef* out) {
  WEFT_LET(const std::string attribute, exactlyOne(context, "attribute_name", "remove_attribute expects exactly one 'attribute_name' argument, e.g. "
                                                                              "remove_attribute(op_name=Mul, attribute_name=foo)"));
  WEFT_LET(const std::string op, context.text("op_name", "*"));
  for (const NodeDef& node : in.node()) {
    NodeDef* copy = out->add_node();
    *copy = node;
    if (op == "*" || op == node.op()) copy->mutable_attr()->erase(attribute);
  }
  return {};
}

Status renameAttribute(const GraphDef& in, const Context& context, GraphDef* out) {
  constexpr std::string_view kUsage =
      "rename_attribute expects exactly one 'old_attribute_name' and one 'new_attribute_name' argument, e.g. "
      "rename_attribute(old_attribute_name=foo, new_attribute_name=bar)";
  WEFT_LET(const std::string from, exactlyOne(context, "old_attribute_name", kUsage));
  WEFT_LET(const std::string to, exactlyOne(context, "new_attribute_name", kUsage));
  WEFT_LET(const std::string op, context.text("op_name", "*"));
  for (const NodeDef& node : in.node()) {
    NodeDef* copy = out->add_node();
    *copy = node;
    const auto at = node.attr().find(from);
    if (at == node.attr().end() || (op != "*" && op != node.op())) continue;
    copy->mutable_attr()->erase(from);
    copy->mutable_attr()->insert({to, at->second});
  }
  return {};
}

Status renameOp(const GraphDef& in, const Context& context, GraphDef* out) {
  constexpr std::string_view kUsage =
      "rename_op expects exactly one 'old_op_name' and 'new_op_name' argument, e.g. rename_op(old_op_name=Mul, new_op_name=Multiply)";
  WEFT_LET(const std::string from, exactlyOne(context, "old_op_name", kUsage));
  WEFT_LET(const std::string to, exactlyOne(context, "new_op_name", kUsage));
  for (const NodeDef& node : in.node()) {
    NodeDef* copy = out->add_node();
    *copy = node;
    if (node.op() == from) copy->set_op(to);
  }
  return {};
}

Status renameNode(const GraphDef& in, const Context& context, GraphDef* out) {
  constexpr std::string_view kUsage =
      "rename_node expects exactly one 'old_node_name' and one 'new_node_name' argument, e.g. rename_node(old_node_name=super/deep/output, new_node_name=output)";
  WEFT_LET(const std::string from, exactlyOne(context, "old_node_name", kUsage));
  WEFT_LET(const std::string to, exactlyOne(context, "new_node_name", kUsage));
  bool found = false;
  for (const NodeDef& node : in.node()) {
    if (node.name() == to) return invalidArgument("rename_node: the name '", to, "' is already in use");
    NodeDef* copy = out->add_node();
    *copy = node;
    found = found || node.name() == from;
    if (node.name() == from) copy->set_name(to);
    renameGroups(copy, [&](const std::string& name) { return name == from ? to : name; });
    for (std::string& input : *copy->mutable_input()) {
      const InputParts parts = inputParts(input);
      if (parts.node == from) input = parts.prefix + to + parts.suffix;
    }
  }
  if (!found) return invalidArgument("rename_node: no node '", from, "' in the graph");
  return {};
}

Status removeControlDependencies(const GraphDef& in, const Context&, GraphDef* out) {
  for (const NodeDef& node : in.node()) {
    NodeDef* copy = out->add_node();
    *copy = node;
    copy->clear_input();
    for (const std::string& input : node.input())
      if (input.empty() || input[0] != '^') copy->add_input(input);
  }
  return {};
}

Status addDefaults(const GraphDef& in, const Context&, GraphDef* out) {
  *out = in;
  std::map<std::string, const tensorflow::FunctionDef*> functions;
  for (const auto& function : in.library().function()) functions[function.signature().name()] = &function;
  for (NodeDef& node : *out->mutable_node()) {
    if (const auto function = functions.find(node.op()); function != functions.end()) {
      for (const auto& attr : function->second->signature().attr())
        if (attr.has_default_value() && !node.attr().contains(attr.name())) (*node.mutable_attr())[attr.name()] = attr.default_value();
      continue;
    }
    const OpRecord* record = OpRegistry::instance().find(node.op());
    if (!record) return notFound("Op type not registered '", node.op(), "'").atNode(node.name());
    for (const AttrSpec& attr : record->attrs)
      if (attr.defaultValue && !node.attr().contains(attr.name)) WEFT_TRY(attrToProto(*attr.defaultValue, &(*node.mutable_attr())[attr.name]));
  }
  return {};
}

/// Short names made of digits and letters, in the order of numbers in base 62.
std::string shortName(int64_t number) {
  constexpr std::string_view kDigits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  std::string out;
  do {
    out.insert(out.begin(), kDigits[size_t(number) % kDigits.size()]);
    number /= int64_t(kDigits.size());
  } while (number > 0);
  return out;
}

Status obfuscateNames(const GraphDef& in, const Context& context, GraphDef* out) {
  std::map<std::string, std::string> names;
  const std::set<std::string> kept = context.ends();
  for (const std::string& name : kept) names[name] = name;
  int64_t number = 0;
  for (const NodeDef& node : in.node()) {
    if (kept.count(node.name())) continue;
    std::string name;
    do name = shortName(number++);
    while (kept.count(name));
    names[node.name()] = name;
  }
  for (const NodeDef& node : in.node()) {
    NodeDef* copy = out->add_node();
    *copy = node;
    copy->set_name(names[node.name()]);
    renameGroups(copy, [&](const std::string& group) {
      const auto name = names.find(group);
      return name == names.end() ? group : name->second;
    });
    for (std::string& input : *copy->mutable_input()) {
      const InputParts parts = inputParts(input);
      const auto name = names.find(parts.node);
      if (name == names.end()) return invalidArgument("No node named ", parts.node, " for input to ", node.name());
      input = parts.prefix + name->second + parts.suffix;
    }
  }
  return {};
}

}  // namespace

std::vector<Entry> attributeTransforms() {
  return {
      {{"add_default_attributes", "Writes out the attributes that nodes leave at their defaults.", {}}, addDefaults},
      {{"obfuscate_names", "Replaces the names of all nodes but inputs and outputs by short ones.", {}}, obfuscateNames},
      {{"remove_attribute",
        "Removes an attribute from nodes.",
        {{"attribute_name", "the attribute", true}, {"op_name", "only from nodes of this op (default: all)"}}},
       removeAttribute},
      {{"remove_control_dependencies", "Removes all control inputs.", {}}, removeControlDependencies},
      {{"remove_device", "Clears the devices of all nodes.", {}}, removeDevice},
      {{"rename_attribute",
        "Gives an attribute another name.",
        {{"old_attribute_name", "its name", true}, {"new_attribute_name", "the new name", true}, {"op_name", "only in nodes of this op (default: all)"}}},
       renameAttribute},
      {{"rename_node", "Gives a node another name.", {{"old_node_name", "its name", true}, {"new_node_name", "the new name", true}}}, renameNode},
      {{"rename_op",
        "Replaces an op by another one with the same inputs and attributes.",
        {{"old_op_name", "the op", true}, {"new_op_name", "the other op", true}}},
       renameOp},
      {{"set_device",
        "Sets the device of nodes.",
        {{"device", "the device (default: none)"}, {"if_default", "true: only of nodes without a device (default false)"}}},
       setDevice},
  };
}

}  // namespace weft::transforms
