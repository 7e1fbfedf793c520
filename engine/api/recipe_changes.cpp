// The user's edits to layers: adding, wiring, parameters, renaming.
#include <algorithm>
#include <charconv>

#include "api/recipe_parts.h"

namespace weft {

using namespace recipes;

namespace {

/// Whether the layer's record takes that text for that parameter.
Status checkSetting(const Recipe& layer, const std::string& name, const std::string& text) {
  const ApiRecord* record = ApiRegistry::instance().findLayer(layer.kind);
  if (!record) return notFound("There is no layer ", layer.kind);
  const ApiParameter* p = record->find(name);
  if (!p || isTensor(*p) || isName(*p))
    return invalidArgument(layer.kind, " has no parameter '", name, "'; expected ", settableNames(*record)).atNode(layer.scope);
  if (const auto value = settingFromText(*p, text); !value.ok()) return Error(value.error()).atNode(layer.scope);
  if (p->choices.empty() || std::count(p->choices.begin(), p->choices.end(), text)) return {};
  std::string list;
  for (const auto& c : p->choices) list += (list.empty() ? "'" : ", '") + c + "'";
  return invalidArgument("parameter '", name, "' is '", text, "', expected one of ", list).atNode(layer.scope);
}

}  // namespace

Result<std::string> LayerEditor::add(const ApiRecord& record, std::string_view name, const TextAttrs& parameters, const TextAttrs& inputs) {
  readAgain();
  Recipe r;
  r.kind = record.name;
  r.scope = editor_.uniqueName(name.empty() ? std::string_view(record.name).substr(record.name.rfind('.') + 1) : name);
  for (const auto& [key, text] : parameters) {
    const ApiParameter* p = record.find(key);
    if (!p || isTensor(*p) || isName(*p)) return invalidArgument(record.name, " has no parameter '", key, "'; expected ", settableNames(record));
    WEFT_TRY(settingFromText(*p, text).status());
    r.parameters[key] = text;
  }
  for (const ApiParameter& p : record.parameters)
    if (!isTensor(p) && !isName(p) && !p.otherwise && !r.parameters.count(p.name))
      return invalidArgument(record.name, " needs a value for '", p.name, "': ", p.doc);
  const auto ports = layerInputs(record);
  r.inputs.resize(ports.size());
  if (!ports.empty() && ports.back().list) r.inputs.pop_back();
  if (ports.empty()) {
    // A record without inputs adds plain ops, not a layer: an input, a constant.
    WEFT_TRY(build(r));
    return r.outputs.empty() ? r.scope : r.outputs[0].substr(0, r.outputs[0].rfind(':'));
  }
  recipes_.push_back(r);
  changed_.insert(r.scope);
  const std::string scope = r.scope;
  write();
  for (const auto& [port, tensor] : inputs) WEFT_TRY(connect(tensor, *find(scope), port));
  WEFT_TRY(settle());
  // Summaries and their like lie where they are told to, not in a scope: they are ops, too.
  if (nodesIn(editor_.graph(), scope).empty()) {
    Recipe* own = find(scope);
    const std::string made = own && !own->outputs.empty() ? own->outputs[0].substr(0, own->outputs[0].rfind(':')) : scope;
    explode(scope);
    return made;
  }
  return scope;
}

Status LayerEditor::connect(const std::string& tensor, Recipe& layer, std::string_view port) {
  const ApiRecord* record = ApiRegistry::instance().findLayer(layer.kind);
  if (!record) return notFound("There is no layer ", layer.kind);
  const auto ports = layerInputs(*record);
  std::string from = tensor;
  if (!from.empty()) {
    WEFT_LET(const Output o, editor_.output(from));
    from = editor_.graph().tensorName(o);
    // A tensor that depends on the layer cannot be its input.
    if (inScope(editor_.graph().node(o.node)->name, layer.scope)) return invalidArgument(layer.scope, " cannot be its own input").atNode(layer.scope);
  }
  const bool append = port.ends_with('+');
  if (append) port.remove_suffix(1);
  int index = -1;
  if (!port.empty()) std::from_chars(port.data(), port.data() + port.size(), index);
  std::string names;
  for (size_t i = 0; i < ports.size(); ++i) {
    names += (names.empty() ? "" : ", ") + ports[i].name;
    if (index < 0 && port == ports[i].name) index = int(i);
  }
  if (port.empty()) {
    for (size_t i = 0; i < ports.size() && index < 0; ++i)
      if (ports[i].list || (ports[i].required && (i >= layer.inputs.size() || layer.inputs[i].empty()))) index = int(i);
    if (index < 0 && ports.size() == 1) index = 0;
    if (index < 0) return invalidArgument("All inputs of ", layer.scope, " are connected; say which one to change: ", names).atNode(layer.scope);
  }
  const bool intoList = !ports.empty() && ports.back().list && index >= int(ports.size()) - 1;
  if (index < 0 || (!intoList && index >= int(ports.size()))) return notFound(layer.scope, " has no input ", port, "; it has ", names).atNode(layer.scope);
  if (intoList && (append || port.empty() || port == ports.back().name || index >= int(layer.inputs.size()))) {
    layer.inputs.resize(std::max(layer.inputs.size(), ports.size() - 1));
    layer.inputs.push_back(from);
  } else {
    if (int(layer.inputs.size()) <= index) layer.inputs.resize(size_t(index) + 1);
    layer.inputs[size_t(index)] = from;
  }
  layer.parameters.erase(kSeenIn);
  changed_.insert(layer.scope);
  write();
  return {};
}

Status LayerEditor::disconnect(Recipe& layer, std::string_view port) {
  const ApiRecord* record = ApiRegistry::instance().findLayer(layer.kind);
  const auto ports = record ? layerInputs(*record) : std::vector<LayerInput>();
  int index = -1;
  std::from_chars(port.data(), port.data() + port.size(), index);
  for (size_t i = 0; i < ports.size(); ++i)
    if (index < 0 && (port.empty() || port == ports[i].name)) index = int(i);
  if (index < 0 || index >= int(layer.inputs.size()) || layer.inputs[size_t(index)].empty())
    return failedPrecondition("Input ", port, " of ", layer.scope, " is not connected").atNode(layer.scope);
  const bool inList = !ports.empty() && ports.back().list && index >= int(ports.size()) - 1;
  if (inList) layer.inputs.erase(layer.inputs.begin() + index);
  else layer.inputs[size_t(index)].clear();
  layer.parameters.erase(kSeenIn);
  changed_.insert(layer.scope);
  // The layer cannot be built without this input; it waits for another one.
  const std::string scope = layer.scope;
  write();
  const auto ready = isReady(layer);
  if (ready.ok() && *ready) return {};
  const auto nodes = nodesIn(editor_.graph(), scope);
  Recipe r = layer;
  std::vector<std::pair<int, int>> readers;
  for (int id = 0; id < editor_.graph().size(); ++id) {
    const Node* n = editor_.graph().node(id);
    if (!n || inScope(n->name, scope)) continue;
    for (size_t k = 0; k < n->inputs.size(); ++k)
      if (std::count(r.outputs.begin(), r.outputs.end(), editor_.graph().tensorName(n->inputs[k]))) readers.emplace_back(id, int(k));
  }
  const std::vector<std::string> before = r.outputs;
  WEFT_TRY(recipes::removeToBuildAgain(editor_, nodes));
  WEFT_TRY(wait(r, nullptr));
  WEFT_LET(const Output waiting, editor_.output(r.outputs[0]));
  for (const auto& [id, input] : readers) WEFT_TRY(editor_.connect(waiting, {id, input, false}));
  // The recipes as they are now: inputs from removed ops were cleared, this layer's forgotten.
  std::erase_if(recipes_, [&](const Recipe& other) { return other.scope == scope; });
  for (Recipe& other : recipes_)
    for (std::string& input : other.inputs)
      if (std::count(before.begin(), before.end(), input)) input = r.outputs[0];
  recipes_.push_back(std::move(r));
  write();
  return {};
}

Status LayerEditor::setParameter(Recipe& layer, const std::string& name, const std::string& text) {
  if (name == "name") return rename(layer.scope, text);
  if (name == "kind") {
    const ApiRecord* other = ApiRegistry::instance().findLayer(text);
    if (!other) return notFound("There is no layer ", text);
    if (layerInputs(*other).size() != layer.inputs.size()) return invalidArgument(text, " has other inputs than ", layer.kind).atNode(layer.scope);
    layer.kind = other->name;
    std::erase_if(layer.parameters, [&](const auto& p) { return p.first.starts_with('~') || !other->find(p.first); });
    changed_.insert(layer.scope);
    write();
    return settle();
  }
  return setParameters({{layer.scope, name, text}});
}

Status LayerEditor::setParameters(const std::vector<Setting>& settings) {
  std::set<std::string> scopes;
  for (const auto& [scope, name, text] : settings) {
    Recipe* layer = find(scope);
    if (!layer) return notFound("There is no layer ", scope);
    WEFT_TRY(checkSetting(*layer, name, text));
    layer->parameters[name] = text;
    layer->parameters.erase(kSeenIn);
    changed_.insert(scope);
    scopes.insert(scope);
  }
  write();
  WEFT_TRY(settle());
  // A directly requested change must succeed, or is rejected.
  for (const Error& e : editor_.problems())
    if (e.kind == "layer" && scopes.count(e.node)) return e;
  return {};
}

// A copy, because callers pass a layer's name and the layers are read again.
void LayerEditor::explode(std::string scope) {
  readAgain();
  std::erase_if(recipes_, [&](const Recipe& r) { return r.scope == scope; });
  changed_.erase(scope);
  write();
}

Status LayerEditor::rename(const std::string& scope, const std::string& to) {
  if (scope == to) return {};
  if (nodesIn(editor_.graph(), to).size() > 0) return alreadyExists("There is a scope or node ", to, " already").atNode(scope);
  write();
  WEFT_TRY(editor_.renameScope(scope, to));
  readAgain();
  return {};
}

}  // namespace weft
