// Layers of a document: what they were built from, and building them again.
#include "weft/recipes.h"

#include <google/protobuf/any.pb.h>

#include <algorithm>
#include <charconv>

#include "api/training.h"
#include "graph/edit_internal.h"
#include "proto/weft_document.pb.h"

namespace weft {
namespace {

constexpr const char* kLayers = "weft/layers";
constexpr const char* kSeenIn = "~in";    // types and shapes of the inputs that it was built for
constexpr const char* kSeenOut = "~out";  // shapes that it gave: more than shape functions find again after reading a file
constexpr int64_t kSeed = 1;

bool isTensor(const ApiParameter& p) { return p.type == "tensor" || p.type == "tensors"; }
bool isName(const ApiParameter& p) { return p.name == "name" || p.name == "scope"; }

std::string lastPart(const std::string& scope) { return scope.substr(scope.rfind('/') + 1); }

bool isWaiting(const Node& n) { return n.attrs.text(kOpenAttr) == kWaitingLayer; }

bool inScope(const std::string& name, const std::string& scope) { return name == scope || name.starts_with(scope + "/"); }

std::vector<int> nodesIn(const Graph& graph, const std::string& scope) {
  std::vector<int> out;
  for (int id = 0; id < graph.size(); ++id)
    if (const Node* n = graph.node(id); n && inScope(n->name, scope)) out.push_back(id);
  return out;
}

}  // namespace

std::vector<Recipe> recipesOf(const MetaGraph& meta) {
  std::vector<Recipe> out;
  const auto it = meta.collections.find(kLayers);
  if (it == meta.collections.end()) return out;
  for (const std::string& bytes : it->second.anys) {
    google::protobuf::Any any;
    document::LayerRecipe m;
    if (!any.ParseFromString(bytes) || !any.UnpackTo(&m)) continue;
    Recipe r;
    r.scope = m.scope();
    r.kind = m.kind();
    r.parameters = {m.parameter().begin(), m.parameter().end()};
    r.inputs.assign(m.input().begin(), m.input().end());
    r.outputs.assign(m.output().begin(), m.output().end());
    r.nodes.assign(m.node().begin(), m.node().end());
    out.push_back(std::move(r));
  }
  return out;
}

void setRecipes(MetaGraph& meta, const std::vector<Recipe>& recipes) {
  if (recipes.empty()) {
    meta.collections.erase(kLayers);
    return;
  }
  Collection c;
  c.kind = Collection::Kind::Anys;
  for (const Recipe& r : recipes) {
    document::LayerRecipe m;
    m.set_scope(r.scope);
    m.set_kind(r.kind);
    for (const auto& s : r.inputs) m.add_input(s);
    for (const auto& s : r.outputs) m.add_output(s);
    for (const auto& s : r.nodes) m.add_node(s);
    std::string bytes = m.SerializeAsString();
    for (const auto& [name, text] : r.parameters) {  // one by one: a map of protobuf has no order
      document::LayerRecipe one;
      (*one.mutable_parameter())[name] = text;
      bytes += one.SerializeAsString();
    }
    google::protobuf::Any any;
    any.set_type_url("type.googleapis.com/weft.document.LayerRecipe");
    any.set_value(std::move(bytes));
    c.anys.push_back(any.SerializeAsString());
  }
  meta.collections[kLayers] = std::move(c);
}

std::vector<LayerInput> layerInputs(const ApiRecord& record) {
  std::vector<LayerInput> out;
  for (const ApiParameter& p : record.parameters)
    if (isTensor(p)) out.push_back({p.name, p.doc, !p.otherwise, p.type == "tensors"});
  return out;
}

LayerEditor::LayerEditor(GraphEditor& editor) : editor_(editor) {
  readAgain();
  trainedBefore_ = std::any_of(recipes_.begin(), recipes_.end(), [](const Recipe& r) { return r.trains(); });
}

void LayerEditor::readAgain() { recipes_ = recipesOf(editor_.meta()); }
void LayerEditor::write() { setRecipes(editor_.meta(), recipes_); }

Recipe* LayerEditor::find(std::string_view scope) {
  for (Recipe& r : recipes_)
    if (!r.trains() && r.scope == scope) return &r;
  return nullptr;
}

Recipe* LayerEditor::around(std::string_view node) {
  Recipe* best = nullptr;
  for (Recipe& r : recipes_)
    if (!r.trains() && inScope(std::string(node), r.scope) && (!best || r.scope.size() > best->scope.size())) best = &r;
  return best;
}

Shape LayerEditor::knownShape(Output o) const {
  const Graph& graph = editor_.graph();
  const Shape found = graph.shape(o);
  const std::string name = graph.tensorName(o);
  for (const Recipe& r : recipes_) {
    const auto at = std::find(r.outputs.begin(), r.outputs.end(), name);
    const auto noted = r.parameters.find(kSeenOut);
    if (at == r.outputs.end() || noted == r.parameters.end()) continue;
    std::string_view rest = noted->second;
    for (auto i = r.outputs.begin(); i != at && !rest.empty(); ++i) rest.remove_prefix(std::min(rest.find(';') + 1, rest.size()));
    const auto hint = Shape::parse(rest.substr(0, rest.find(';')));
    if (!hint.ok()) continue;
    auto merged = found.mergedWith(*hint);
    return merged.ok() ? std::move(*merged) : found;
  }
  return found;
}

std::string LayerEditor::inputsSeen(const Recipe& r) {
  std::string out;
  for (const std::string& tensor : r.inputs) {
    const auto o = tensor.empty() ? Result<Output>(notFound("open")) : editor_.output(tensor);
    out += o.ok() ? dtypeName(baseType(editor_.graph().dtype(*o))) + knownShape(*o).toString() + ";" : std::string(";");
  }
  return out;
}

Result<bool> LayerEditor::isReady(const Recipe& r) const {
  const ApiRecord* record = ApiRegistry::instance().find(r.kind);
  if (!record) return notFound("There is no layer ", r.kind);
  const auto inputs = layerInputs(*record);
  for (size_t i = 0; i < inputs.size(); ++i) {
    const std::string tensor = i < r.inputs.size() ? r.inputs[i] : std::string();
    if (tensor.empty()) {
      if (inputs[i].required) return false;
      continue;
    }
    const auto o = editor_.output(tensor);
    if (!o.ok()) return false;
    if (isOpenInput(*editor_.graph().node(o->node))) return false;
  }
  return true;
}

Status LayerEditor::build(Recipe& r) {
  const ApiRecord& record = *ApiRegistry::instance().find(r.kind);
  GraphBuilder b(editor_.meta());
  b.setGraphSeed(kSeed);
  Arguments arguments;
  size_t next = 0;
  for (const ApiParameter& p : record.parameters) {
    if (p.type == "tensors") {
      std::vector<Output> list;
      for (; next < r.inputs.size(); ++next) {
        if (r.inputs[next].empty()) continue;
        WEFT_LET(const Output o, editor_.output(r.inputs[next]));
        b.setShape(o, knownShape(o));
        list.push_back(o);
      }
      arguments.set(p.name, std::move(list));
    } else if (p.type == "tensor") {
      const std::string tensor = next < r.inputs.size() ? r.inputs[next] : std::string();
      ++next;
      if (tensor.empty()) continue;
      WEFT_LET(const Output o, editor_.output(tensor));
      b.setShape(o, knownShape(o));
      arguments.set(p.name, o);
    } else if (isName(p)) {
      arguments.set(p.name, lastPart(r.scope));
    } else if (const auto it = r.parameters.find(p.name); it != r.parameters.end()) {
      WEFT_LET(Argument value, argumentFromText(p, it->second));
      arguments.set(p.name, std::move(value));
    }
  }
  const int before = editor_.graph().size();
  Values values;
  {
    // The scopes around are entered as variable scopes, so that variables bear them, too.
    std::vector<std::unique_ptr<api::VariableScope>> around;
    std::string_view rest = r.scope;
    for (size_t slash = rest.find('/'); slash != rest.npos; slash = rest.find('/')) {
      around.push_back(std::make_unique<api::VariableScope>(b, rest.substr(0, slash)));
      rest.remove_prefix(slash + 1);
    }
    const bool named = std::any_of(record.parameters.begin(), record.parameters.end(), isName);
    const auto own = named ? GraphBuilder::Guard() : b.nameScope(rest);
    auto built = buildApi(b, r.kind, std::move(arguments));
    while (!around.empty()) around.pop_back();  // inner ones first
    if (!built.ok()) return built.error().atNode(r.scope);
    values = std::move(*built);
  }
  r.outputs.clear();
  std::string shapes;
  for (const Output o : values.outputs) {
    r.outputs.push_back(editor_.graph().tensorName(o));
    shapes += editor_.graph().shape(o).toString() + ";";
  }
  r.parameters[kSeenOut] = shapes;
  r.parameters[kSeenIn] = inputsSeen(r);
  for (int id = before; id < editor_.graph().size(); ++id) {
    if (!editor_.graph().node(id)) continue;
    editor_.touch(id);
  }
  return {};
}

Status LayerEditor::wait(Recipe& r, const Error*) {
  Node stand;
  stand.op = "Placeholder";
  stand.record = OpRegistry::instance().find(stand.op);
  stand.name = r.scope + "/waiting";
  stand.attrs.set("dtype", DType::Float);
  stand.attrs.set("shape", Shape::unknown());
  stand.attrs.set(kOpenAttr, kWaitingLayer);
  WEFT_LET(const NodeSignature signature, resolveSignature(*stand.record, stand.attrs));
  stand.outputTypes = signature.outputTypes;
  WEFT_LET(const int id, editor_.graph().add(std::move(stand)));
  editor_.touch(id);
  r.outputs = {r.scope + "/waiting:0"};
  r.parameters.erase(kSeenIn);
  r.parameters.erase(kSeenOut);
  return {};
}

namespace {

/// A wire out of a layer, remembered while the layer is built again.
struct Reader {
  int node, input, output;  // output: of the recipe; -1: an inner tensor
  std::string tensor;
};

}  // namespace

Status LayerEditor::settle() {
  // Layers are built for the shapes that are known now.
  WEFT_TRY(editor_.finish());
  std::map<std::string, Error> failed;
  for (size_t round = 0; round <= recipes_.size() + 1; ++round) {
    bool again = false;
    for (size_t i = 0; i < recipes_.size(); ++i) {
      Recipe r = recipes_[i];
      if (r.trains() || failed.count(r.scope)) continue;
      const auto ready = isReady(r);
      if (!ready.ok()) continue;  // a layer of a newer version stays as it is
      Graph& graph = editor_.graph();
      const Node* waiting = r.outputs.empty() ? nullptr : graph.find(r.outputs[0].substr(0, r.outputs[0].rfind(':')));
      const bool waits = waiting && isWaiting(*waiting);
      const bool absent = nodesIn(graph, r.scope).empty();
      if (!*ready) {
        if (absent) WEFT_TRY(wait(r, nullptr));
        if (absent) recipes_[i] = r;
        if (absent) write();
        continue;
      }
      const auto seen = r.parameters.find(kSeenIn);
      if (!waits && !absent && seen != r.parameters.end() && seen->second == inputsSeen(r)) continue;
      if (!waits && !absent && seen == r.parameters.end() && !changed_.count(r.scope)) continue;
      again = true;
      changed_.insert(r.scope);
      // Take it apart, remember who reads it.
      const std::vector<int> old = nodesIn(graph, r.scope);
      const std::set<int> own(old.begin(), old.end());
      std::vector<Reader> readers;
      for (int id = 0; id < graph.size(); ++id) {
        const Node* n = graph.node(id);
        if (!n || own.count(id)) continue;
        for (size_t k = 0; k < n->inputs.size(); ++k) {
          if (!own.count(n->inputs[k].node)) continue;
          const std::string tensor = graph.tensorName(n->inputs[k]);
          const auto at = std::find(r.outputs.begin(), r.outputs.end(), tensor);
          readers.push_back({id, int(k), at == r.outputs.end() ? -1 : int(at - r.outputs.begin()), tensor});
        }
      }
      const std::vector<std::string> outputsBefore = r.outputs;
      write();
      WEFT_TRY(editor_.remove(old));
      MetaGraph saved = editor_.meta();
      Status built = build(r);
      if (!built.ok()) {
        editor_.meta() = std::move(saved);
        failed.emplace(r.scope, built.error());
        WEFT_TRY(wait(r, nullptr));
      }
      for (const Reader& reader : readers) {
        if (!graph.node(reader.node)) continue;
        Result<Output> source = reader.output >= 0 && reader.output < int(r.outputs.size()) ? editor_.output(r.outputs[size_t(reader.output)]) : editor_.output(reader.tensor);
        if (!source.ok()) continue;
        const bool stillOpen = reader.input < int(graph.node(reader.node)->inputs.size()) && isOpenInput(*graph.node(graph.node(reader.node)->inputs[size_t(reader.input)].node));
        if (stillOpen) WEFT_TRY(editor_.connect(*source, {reader.node, reader.input, false}));
      }
      // Other layers name its outputs.
      recipes_ = [&] {
        std::vector<Recipe> now = recipes_;
        now[i] = r;
        for (Recipe& other : now)
          for (std::string& input : other.inputs)
            for (size_t k = 0; k < outputsBefore.size(); ++k)
              if (input == outputsBefore[k]) input = r.outputs.empty() ? std::string() : r.outputs[std::min(k, r.outputs.size() - 1)];
        return now;
      }();
      write();
      WEFT_TRY(editor_.finish());
    }
    if (!again) break;
  }
  auto& problems = editor_.problems();
  std::erase_if(problems, [&](const Error& e) { return e.kind == "layer" && (failed.count(e.node) || !find(e.node) || changed_.count(e.node)); });
  for (auto& [scope, error] : failed) {
    error.node = scope;
    problems.push_back(error.ofKind("layer"));
  }
  return {};
}

Result<std::string> LayerEditor::add(const ApiRecord& record, std::string_view name, const TextAttrs& parameters, const TextAttrs& inputs) {
  readAgain();
  Recipe r;
  r.kind = record.name;
  r.scope = editor_.uniqueName(name.empty() ? std::string_view(record.name).substr(record.name.rfind('.') + 1) : name);
  for (const auto& [key, text] : parameters) {
    const ApiParameter* p = record.find(key);
    if (!p || isTensor(*p) || isName(*p)) {
      std::string names;
      for (const ApiParameter& q : record.parameters)
        if (!isTensor(q) && !isName(q)) names += (names.empty() ? "" : ", ") + q.name;
      return invalidArgument(record.name, " has no parameter '", key, "'; expected ", names.empty() ? "none" : names);
    }
    WEFT_TRY(argumentFromText(*p, text));
    r.parameters[key] = text;
  }
  for (const ApiParameter& p : record.parameters)
    if (!isTensor(p) && !isName(p) && !p.otherwise && !r.parameters.count(p.name)) return invalidArgument(record.name, " needs a value for '", p.name, "': ", p.doc);
  const auto ports = layerInputs(record);
  r.inputs.resize(ports.size());
  if (!ports.empty() && ports.back().list) r.inputs.pop_back();
  if (ports.empty()) {
    // Without inputs it is no layer but ops: an input, a constant.
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
  const ApiRecord* record = ApiRegistry::instance().find(layer.kind);
  if (!record) return notFound("There is no layer ", layer.kind);
  const auto ports = layerInputs(*record);
  std::string from = tensor;
  if (!from.empty()) {
    WEFT_LET(const Output o, editor_.output(from));
    from = editor_.graph().tensorName(o);
    // What depends on the layer cannot be its input.
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
  const ApiRecord* record = ApiRegistry::instance().find(layer.kind);
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
  // Its ops cannot be without the input: it waits for another one.
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
  WEFT_TRY(editor_.remove(nodes));
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
    const ApiRecord* other = ApiRegistry::instance().find(text);
    if (!other) return notFound("There is no layer ", text);
    if (layerInputs(*other).size() != layer.inputs.size()) return invalidArgument(text, " has other inputs than ", layer.kind).atNode(layer.scope);
    layer.kind = other->name;
    std::erase_if(layer.parameters, [&](const auto& p) { return p.first.starts_with('~') || !other->find(p.first); });
    changed_.insert(layer.scope);
    write();
    return settle();
  }
  const ApiRecord* record = ApiRegistry::instance().find(layer.kind);
  if (!record) return notFound("There is no layer ", layer.kind);
  const ApiParameter* p = record->find(name);
  if (!p || isTensor(*p) || isName(*p)) {
    std::string names;
    for (const ApiParameter& q : record->parameters)
      if (!isTensor(q) && !isName(q)) names += (names.empty() ? "" : ", ") + q.name;
    return invalidArgument(layer.kind, " has no parameter '", name, "'; expected ", names).atNode(layer.scope);
  }
  if (const auto value = argumentFromText(*p, text); !value.ok()) return Error(value.error()).atNode(layer.scope);
  if (!p->choices.empty() && !std::count(p->choices.begin(), p->choices.end(), text)) {
    std::string list;
    for (const auto& c : p->choices) list += (list.empty() ? "'" : ", '") + c + "'";
    return invalidArgument("parameter '", name, "' is '", text, "', expected one of ", list).atNode(layer.scope);
  }
  layer.parameters[name] = text;
  layer.parameters.erase(kSeenIn);
  changed_.insert(layer.scope);
  const std::string scope = layer.scope;
  write();
  WEFT_TRY(settle());
  // What was asked for directly must work, or is refused.
  for (const Error& e : editor_.problems())
    if (e.kind == "layer" && e.node == scope) return e;
  return {};
}

void LayerEditor::explode(const std::string& scope) {
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

Status LayerEditor::finish(std::vector<std::string>* notes) {
  readAgain();
  WEFT_TRY(editor_.finish());
  WEFT_TRY(settle());
  readAgain();
  // Training under a network that changed no longer fits it.
  const auto trains = std::find_if(recipes_.begin(), recipes_.end(), [](const Recipe& r) { return r.trains(); });
  if (!trainedBefore_ || trains == recipes_.end() || !trainingIsStale(*trains)) return {};
  const bool waited = trains->nodes.empty();
  const Training again = trainingOf(*trains);
  WEFT_TRY(removeTraining());
  MetaGraph without = editor_.meta();
  if (const Status added = addTraining(again); !added.ok()) {
    editor_.meta() = std::move(without);
    readAgain();
    keepForLater(again);
    if (notes && !waited) notes->push_back("Training was taken out and comes back when the network is whole: " + added.error().message);
  } else if (notes) {
    notes->push_back("Training was added again for the changed network.");
  }
  return editor_.finish();
}

}  // namespace weft
