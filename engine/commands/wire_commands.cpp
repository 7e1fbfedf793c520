// Wires: connecting, disconnecting, and inserting nodes into them.
#include <algorithm>
#include <cstdlib>
#include <utility>

#include "weft/api.h"
#include "weft/graph_commands.h"
#include "weft/op.h"
#include "weft/op_traits.h"

namespace weft {
namespace {

/// Whether `source` depends on the layer, so that a wire from it to the layer would close a cycle.
bool feeds(const Graph& graph, const Recipe& layer, int source) {
  const auto consumers = graph.consumers();
  std::vector<int> open;
  std::vector<char> seen(size_t(graph.size()), 0);
  const auto visit = [&](int id) {
    if (!std::exchange(seen[size_t(id)], 1)) open.push_back(id);
  };
  for (int id = 0; id < graph.size(); ++id) {
    const Node* node = graph.node(id);
    // Inner constants and variables do not depend on the layer's inputs, but belong to the layer.
    if (node && node->name.starts_with(layer.scope + "/")) visit(id);
  }
  for (const std::string& name : layer.nodes)
    if (const Node* node = graph.find(name)) visit(node->id);
  while (!open.empty()) {
    const int id = open.back();
    open.pop_back();
    if (id == source) return true;
    if (roleOf(*graph.node(id)) == OpRole::NextIteration) continue;  // a loop may be a cycle
    for (const int reader : consumers[size_t(id)]) visit(reader);
  }
  return false;
}

std::string withoutCaret(const std::string& name) { return name.starts_with('^') ? name.substr(1) : name; }

std::string nodeOf(const std::string& tensor) { return tensor.substr(0, tensor.rfind(':')); }

/// The tensor that an input reads; empty: none. In a broken graph the input may come from a missing node.
std::string tensorAt(const GraphEditor::InputPlace& place, const Graph& graph) {
  const Node& node = *graph.node(place.node);
  if (place.index < 0 || size_t(place.index) >= node.inputs.size() || !graph.node(node.inputs[size_t(place.index)].node)) return {};
  return graph.tensorName(node.inputs[size_t(place.index)]);
}

}  // namespace

Status connectNamed(LayerEditor& layers, const std::string& from, const std::string& to) {
  GraphEditor& editor = layers.editor();
  if (from.starts_with('^') || to.starts_with('^')) {
    WEFT_LET(const int a, editor.find(withoutCaret(from)));
    WEFT_LET(const int b, editor.find(withoutCaret(to)));
    return editor.connectControl(a, b);
  }
  const std::string tensor = tensorNamed(layers, from);
  if (Status status; connectGroup(layers, to, tensor, &status)) return status;
  std::string port;
  if (Recipe* layer = layerAt(layers, to, &port)) {
    const auto source = editor.output(tensor);
    if (source.ok() && feeds(editor.graph(), *layer, source->node))
      return invalidArgument("A wire from ", from, " to ", layer->scope, " would close a cycle: ", from, " hangs on ", layer->scope).atNode(layer->scope);
    return layers.connect(tensor, *layer, port);
  }
  WEFT_LET(const Output source, editor.output(tensor));
  WEFT_LET(const auto place, editor.input(to));
  byHand(layers, editor.graph().node(place.node)->name);
  return editor.connect(source, place);
}

Status disconnectNamed(LayerEditor& layers, const std::string& from, const std::string& to) {
  GraphEditor& editor = layers.editor();
  if (from.starts_with('^')) {
    WEFT_LET(const int a, editor.find(from.substr(1)));
    WEFT_LET(const int b, editor.find(withoutCaret(to)));
    return editor.disconnectControl(a, b);
  }
  if (Status status; connectGroup(layers, to, {}, &status)) return status;
  std::string port;
  if (Recipe* layer = layerAt(layers, to, &port)) {
    if (!from.empty()) {
      WEFT_LET(const Output source, editor.output(tensorNamed(layers, from)));
      const std::string tensor = editor.graph().tensorName(source);
      const size_t given = port.empty() ? 0 : size_t(std::max(0, std::atoi(port.c_str())));
      const auto at = std::find(layer->inputs.begin() + std::ptrdiff_t(std::min(given, layer->inputs.size())), layer->inputs.end(), tensor);
      const bool there = at != layer->inputs.end() && (port.empty() || size_t(at - layer->inputs.begin()) == given);
      if (!there) return notFound("There is no wire from ", from, " to ", to);
      port = std::to_string(at - layer->inputs.begin());
    }
    return layers.disconnect(*layer, port);
  }
  if (from.empty() || editor.graph().find(to) == nullptr) {
    WEFT_LET(const auto place, editor.input(to));
    byHand(layers, editor.graph().node(place.node)->name);
    return editor.disconnect(place.node, place.index);
  }
  WEFT_LET(const Output source, editor.output(tensorNamed(layers, from)));
  WEFT_LET(const int id, editor.find(to));
  byHand(layers, to);
  bool any = false;
  for (size_t i = editor.graph().node(id)->inputs.size(); i-- > 0;) {
    if (i >= editor.graph().node(id)->inputs.size() || !(editor.graph().node(id)->inputs[i] == source)) continue;
    any = true;
    WEFT_TRY(editor.disconnect(id, int(i)));
  }
  if (!any) return notFound("There is no wire from ", from, " to ", to);
  return {};
}

Result<std::string> insertNode(LayerEditor& layers, const NodeToInsert& node, std::string* from, std::string* to) {
  GraphEditor& editor = layers.editor();
  std::string port;
  Recipe* reader = layerAt(layers, node.wire, &port);
  const ApiRecord* record = OpRegistry::instance().find(node.type) ? nullptr : ApiRegistry::instance().findLayer(node.type);
  std::string source;
  const std::string readerScope = reader ? reader->scope : std::string();
  size_t k = 0;
  if (reader) {
    k = port.empty() ? 0 : size_t(std::max(0, std::atoi(port.c_str())));
    if (k >= reader->inputs.size() || reader->inputs[k].empty()) return failedPrecondition("There is no wire at ", node.wire);
    source = reader->inputs[k];
    if (to) *to = readerScope + "/";
  } else {
    WEFT_LET(const auto place, editor.input(node.wire));
    source = tensorAt(place, editor.graph());
    if (source.empty() && record) return failedPrecondition("There is no wire at ", node.wire);
    if (to) *to = editor.graph().node(place.node)->name;
  }
  if (from) *from = source.empty() ? std::string() : nodeOf(source);
  if (!reader && !record) {
    WEFT_LET(const auto place, editor.input(node.wire));
    byHand(layers, editor.graph().node(place.node)->name);
    WEFT_LET(const int id, editor.insert(place, node.type, node.name, node.attrs));
    return editor.graph().node(id)->name;
  }
  std::string made, result;
  const std::string given = node.name.empty() ? node.type.substr(node.type.rfind('.') + 1) : node.name;
  if (record) {
    WEFT_LET(made, layers.add(*record, given, node.attrs, {{"", source}}));
    const Recipe* own = layers.find(made);
    result = own && !own->outputs.empty() ? own->outputs[0] : made + ":0";
  } else {
    WEFT_LET(const int id, editor.add(node.type, given, node.attrs));
    made = editor.graph().node(id)->name;
    if (const Node& n = *editor.graph().node(id); n.inputs.empty() || n.outputTypes.empty())
      return invalidArgument(node.type, " cannot stand on a wire: it has no ", n.inputs.empty() ? "inputs" : "outputs");
    WEFT_LET(const Output tensor, editor.output(source));
    WEFT_LET(const auto first, editor.input(made));
    WEFT_TRY(editor.connect(tensor, first));
    result = made + ":0";
  }
  if (reader) {
    WEFT_TRY(layers.connect(result, *layers.find(readerScope), std::to_string(k)));
    return made;
  }
  WEFT_LET(const Output tensor, editor.output(result));
  WEFT_LET(const auto place, editor.input(node.wire));
  WEFT_TRY(editor.connect(tensor, place));
  return made;
}

}  // namespace weft
