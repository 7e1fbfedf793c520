// Nodes and layers: adding, setting, removing and renaming them.
#include <algorithm>

#include "weft/api.h"
#include "weft/expressions.h"
#include "weft/graph_commands.h"
#include "weft/groups.h"
#include "weft/op.h"
#include "weft/op_traits.h"

namespace weft {
namespace {

/// The text without spaces at its ends.
std::string_view trimmed(std::string_view text) {
  const auto isSpace = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
  while (!text.empty() && isSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && isSpace(text.back())) text.remove_suffix(1);
  return text;
}

/// Whether a text that begins with = is an expression there, rather than that text.
bool takesExpression(LayerEditor& layers, const std::string& owner, const std::string& name) {
  const auto field = ExpressionScope(layers.editor().meta()).field(owner + "." + name);
  // Texts of nodes may begin with =.
  return field.ok() && (field->type != "string" || !layers.editor().graph().find(owner));
}

/// Sets a parameter, or the name, of an instance of a group. False: it is no instance.
bool setInGroup(LayerEditor& layers, const std::string& scope, const std::string& name, const std::string& value, Status* status) {
  if (layers.editor().graph().find(scope)) return false;
  GroupEditor groups(layers);
  if (!groups.instance(scope)) return false;
  *status = name == "name" ? layers.rename(scope, value) : groups.setParameter(scope, name, value);
  return true;
}

/// Connects the result of a new node to the input that was asked for.
Status connectOn(LayerEditor& layers, const std::string& result, const std::string& to) {
  if (to.empty()) return {};
  GraphEditor& editor = layers.editor();
  std::string port;
  if (Recipe* reader = layerAt(layers, to, &port)) return layers.connect(result, *reader, port);
  WEFT_LET(const Output from, editor.output(result));
  WEFT_LET(const auto place, editor.input(to));
  byHand(layers, editor.graph().node(place.node)->name);
  return editor.connect(from, place);
}

/// Disconnects layers from the nodes to be removed. Each then waits with one missing wire, instead of one for each of its ops.
Status disconnectReaders(LayerEditor& layers, const std::vector<std::string>& names) {
  const auto goes = [&](const std::string& name) {
    return std::any_of(names.begin(), names.end(), [&](const std::string& n) { return name == n || name.starts_with(n + "/"); });
  };
  std::vector<std::pair<std::string, size_t>> cut;
  for (const Recipe& r : layers.recipes()) {
    const ApiRecord* record = r.trains() || goes(r.scope) ? nullptr : ApiRegistry::instance().findLayer(r.kind);
    if (!record) continue;
    const auto inputs = layerInputs(*record);
    for (size_t i = 0; i < inputs.size() && i < r.inputs.size(); ++i)
      if (inputs[i].required && !inputs[i].list && !r.inputs[i].empty() && goes(r.inputs[i].substr(0, r.inputs[i].rfind(':')))) cut.emplace_back(r.scope, i);
  }
  for (const auto& [scope, input] : cut)
    if (Recipe* r = layers.find(scope); r && input < r->inputs.size() && !r->inputs[input].empty()) WEFT_TRY(layers.disconnect(*r, std::to_string(input)));
  return {};
}

}  // namespace

Result<AddedNode> addNode(LayerEditor& layers, const NodeToAdd& node) {
  GraphEditor& editor = layers.editor();
  const bool known = OpRegistry::instance().find(node.type) != nullptr;
  const ApiRecord* record = known ? nullptr : ApiRegistry::instance().findLayer(node.type);
  if (!known && !record) record = ApiRegistry::instance().findLayer("layers." + node.type);
  if (record && record->name.starts_with("train.") && record->name.ends_with("Optimizer")) {
    LayerEditor::Training t;
    t.optimizer = record->name;
    t.parameters = node.attrs;
    if (!node.inputs.empty()) t.loss = node.inputs[0].second;
    WEFT_TRY(layers.addTraining(t));
    return AddedNode();
  }
  std::string full = !node.name.empty() ? node.name : record ? record->name.substr(record->name.rfind('.') + 1) : node.type;
  if (!node.into.empty()) full = node.into + "/" + full;
  AddedNode out;
  if (record) {
    WEFT_LET(out.name, layers.add(*record, full, node.attrs, node.inputs));
    const Recipe* own = layers.find(out.name);
    out.isLayer = own != nullptr;
    WEFT_TRY(connectOn(layers, own && !own->outputs.empty() ? own->outputs[0] : out.name + ":0", node.to));
    return out;
  }
  if (!known) return notFound("There is no op or layer ", node.type);
  WEFT_LET(const int id, editor.add(node.type, full, node.attrs));
  out.name = editor.graph().node(id)->name;
  for (const auto& [port, tensor] : node.inputs) {
    WEFT_LET(const Output from, editor.output(tensor));
    WEFT_LET(const auto to, editor.input(port.empty() ? out.name : out.name + ":" + port));
    WEFT_TRY(editor.connect(from, to));
  }
  WEFT_TRY(connectOn(layers, out.name + ":0", node.to));
  return out;
}

Status setValue(LayerEditor& layers, std::string& node, const std::string& key, const std::string& value) {
  const bool renames = key == "name";
  MetaGraph& meta = layers.editor().meta();
  if (const std::string_view typed = trimmed(value); typed.starts_with('=') && takesExpression(layers, node, key)) {
    if (layers.editor().graph().find(node)) byHand(layers, node);
    return setFieldExpression(meta, node + "." + key, std::string(trimmed(typed.substr(1))));
  }
  // A value was given: the field follows no expression any more.
  if (!renames && hasExpressions(meta)) releaseField(meta, node + "." + key);
  if (Recipe* layer = layers.find(node); layer && !layers.editor().graph().find(node)) {
    WEFT_TRY(layers.setParameter(*layer, key, value));
  } else if (Status status; setInGroup(layers, node, key, value, &status)) {
    WEFT_TRY(status);
  } else {
    WEFT_LET(const int id, layers.editor().find(node));
    if (isTrainableKey(layers.editor().graph(), node, key)) {
      WEFT_LET(const bool on, trainableFromText(node, trimmed(value)));
      return layers.setTrainable({{node, on}});
    }
    if (!renames) byHand(layers, node);
    WEFT_TRY(layers.editor().setAttr(id, key, value));
  }
  if (renames) node = value;
  return {};
}

bool isTrainableKey(const Graph& graph, const std::string& node, std::string_view key) {
  const Node* n = key == "trainable" ? graph.find(node) : nullptr;
  return n && isVariable(*n);
}

Result<bool> trainableFromText(const std::string& node, std::string_view text) {
  if (text == "true" || text == "1") return true;
  if (text == "false" || text == "0") return false;
  return invalidArgument("trainable is '", text, "', expected true or false").atNode(node);
}

Status removeNamed(LayerEditor& layers, const std::vector<std::string>& names) {
  WEFT_TRY(disconnectReaders(layers, names));
  WEFT_LET(const auto ids, nodesNamed(layers.editor().graph(), names));
  for (const std::string& n : names) {
    if (layers.find(n)) layers.explode(n);
    else byHand(layers, n);
  }
  return layers.editor().remove(ids);
}

Status renameNamed(LayerEditor& layers, const std::string& from, const std::string& to) {
  WEFT_TRY(checkNodeName(to, from));
  const Node* node = layers.find(from) ? nullptr : layers.editor().graph().find(from);
  return node ? layers.editor().rename(node->id, to) : layers.rename(from, to);
}

Status rewriteNode(GraphEditor& editor, const std::string& name) {
  WEFT_LET(const int id, editor.find(name));
  WEFT_TRY(editor.graph().change(id, [](Node&) {}));
  editor.touch(id);
  return {};
}

}  // namespace weft
