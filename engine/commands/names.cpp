// Names in commands: nodes, layers, groups and their ports.
#include <algorithm>
#include <cstdlib>

#include "weft/graph_commands.h"
#include "weft/groups.h"

namespace weft {
namespace {

bool isLetterOrDigit(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

size_t portNumber(const std::string& port) { return port.empty() ? 0 : size_t(std::max(0, std::atoi(port.c_str()))); }

}  // namespace

Result<std::vector<int>> nodesNamed(const Graph& graph, const std::vector<std::string>& names) {
  std::vector<int> out;
  std::vector<bool> taken(size_t(graph.size()), false);
  for (const std::string& name : names) {
    const std::string prefix = name + "/";
    bool any = false;
    for (int id = 0; id < graph.size(); ++id) {
      const Node* n = graph.node(id);
      if (!n || (n->name != name && !n->name.starts_with(prefix))) continue;
      any = true;
      if (!taken[size_t(id)]) out.push_back(id);
      taken[size_t(id)] = true;
    }
    if (!any) return notFound("There is no node or scope ", name, " in this graph");
  }
  return out;
}

std::string tensorNamed(LayerEditor& layers, const std::string& name) {
  const size_t colon = name.rfind(':');
  const std::string scope = name.substr(0, colon), port = colon == name.npos ? std::string() : name.substr(colon + 1);
  const size_t index = portNumber(port);
  if (const Recipe* r = layers.find(scope); r && index < r->outputs.size() && !layers.editor().graph().find(scope)) return r->outputs[index];
  if (const std::string inner = groupOutput(layers, scope, port); !inner.empty()) return inner;
  return name;
}

Recipe* layerAt(LayerEditor& layers, const std::string& place, std::string* port) {
  const size_t colon = place.rfind(':');
  const std::string name = place.substr(0, colon);
  if (Recipe* r = layers.find(name); r && !layers.editor().graph().find(name)) {
    *port = colon == place.npos ? std::string() : place.substr(colon + 1);
    return r;
  }
  Recipe* r = layers.around(name);
  const auto in = r ? layers.editor().input(place) : Result<GraphEditor::InputPlace>(notFound(""));
  if (!r || !in.ok() || in->append) return nullptr;
  const std::string source = layers.editor().graph().tensorName(layers.editor().graph().node(in->node)->inputs[size_t(in->index)]);
  for (size_t k = 0; k < r->inputs.size(); ++k) {
    if (r->inputs[k] != source) continue;
    *port = std::to_string(k);
    return r;
  }
  return nullptr;
}

void byHand(LayerEditor& layers, const std::string& node) {
  if (const Recipe* r = layers.around(node)) layers.explode(r->scope);
}

Status checkNodeName(std::string_view name, const std::string& old) {
  bool begins = true, fits = !name.empty() && name.front() != '/' && name.back() != '/';
  for (size_t i = 0; i < name.size() && fits; ++i) {
    const char c = name[i];
    if (c == '/') fits = name[i - 1] != '/';
    else fits = isLetterOrDigit(c) || c == '.' || (!begins && (c == '_' || c == '-'));
    begins = false;
  }
  if (fits) return {};
  return invalidArgument("'", name, "' is not a valid node name: it may have letters, digits and . _ - /, and begins with a letter, a digit or a dot")
      .atNode(old);
}

bool connectGroup(LayerEditor& layers, const std::string& to, const std::string& tensor, Status* status) {
  const size_t colon = to.find(':');
  const std::string scope = to.substr(0, colon);
  if (layers.editor().graph().find(scope)) return false;
  GroupEditor groups(layers);
  if (!groups.instance(scope)) return false;
  *status = groups.connect(scope, colon == to.npos ? std::string() : to.substr(colon + 1), tensor);
  return true;
}

std::string groupOutput(LayerEditor& layers, const std::string& scope, const std::string& port) {
  if (layers.editor().graph().find(scope)) return {};
  GroupEditor groups(layers);
  const GroupInstance* i = groups.instance(scope);
  const GroupDefinition* d = i ? groups.definition(i->group) : nullptr;
  if (!d) return {};
  const auto wires = groups.wires(scope);
  if (!wires.ok()) return {};
  size_t at = portNumber(port);
  for (size_t p = 0; p < d->outputs.size(); ++p)
    if (d->outputs[p].name == port) at = p;
  return at < wires->outputs.size() ? wires->outputs[at] : std::string();
}

}  // namespace weft
