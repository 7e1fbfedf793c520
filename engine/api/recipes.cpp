// Layers of a document: building and rebuilding them from their recipes.
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <unordered_set>

#include "api/keras_layer.h"
#include "api/recipe_parts.h"
#include "api/training.h"
#include "graph/edit_internal.h"
#include "weft/op_traits.h"

namespace weft {
namespace recipes {

std::vector<int> nodesIn(const Graph& graph, const std::string& scope) {
  std::vector<int> out;
  for (int id = 0; id < graph.size(); ++id)
    if (const Node* n = graph.node(id); n && inScope(n->name, scope)) out.push_back(id);
  return out;
}

Status removeToBuildAgain(GraphEditor& editor, const std::vector<int>& nodes) {
  constexpr const char* kInstances = "weft/groups";
  const auto at = editor.meta().collections.find(kInstances);
  if (at == editor.meta().collections.end()) return editor.remove(nodes);
  const Collection instances = at->second;
  WEFT_TRY(editor.remove(nodes));
  editor.meta().collections[kInstances] = instances;
  return {};
}

std::string settableNames(const ApiRecord& record) {
  std::string names;
  for (const ApiParameter& p : record.parameters)
    if (!isTensor(p) && !isName(p)) names += (names.empty() ? "" : ", ") + p.name;
  return names.empty() ? "none" : names;
}

std::vector<std::pair<std::string, std::string>> keptNames(const Recipe& r) {
  std::vector<std::pair<std::string, std::string>> out;
  const auto note = r.parameters.find(kNames);
  std::string_view rest = note == r.parameters.end() ? std::string_view() : std::string_view(note->second);
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(';'), rest.size()), equals = std::min(rest.find('='), end);
    std::string name(rest.substr(std::min(equals + 1, end), end - std::min(equals + 1, end)));
    if (name.starts_with("./")) name = r.scope + name.substr(1);
    out.emplace_back(rest.substr(0, equals), std::move(name));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return out;
}

Shape knownShape(const Graph& graph, const std::vector<Recipe>& recipes, Output o) {
  const Shape found = graph.shape(o);
  const std::string name = graph.tensorName(o);
  for (const Recipe& r : recipes) {
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

std::string inputsSeen(GraphEditor& editor, const std::vector<Recipe>& recipes, const Recipe& r) {
  const Graph& graph = editor.graph();
  std::string out;
  for (const std::string& tensor : r.inputs) {
    const auto o = tensor.empty() ? Result<Output>(notFound("open")) : editor.output(tensor);
    out += o.ok() ? dtypeName(baseType(graph.dtype(*o))) + knownShape(graph, recipes, *o).toString() + ";" : std::string(";");
  }
  return out;
}

Result<Argument> settingFromText(const ApiParameter& p, std::string_view text) {
  static const std::set<std::string_view> kSizes = {"units",     "filters",    "kernel_size", "pool_size", "strides", "depth_multiplier",
                                                    "input_dim", "output_dim", "max_outputs"};
  // Counts are at least 1, because smaller sizes mean "unknown" in lower layers.
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  const int64_t least = kSizes.count(p.name) ? 1 : std::numeric_limits<int32_t>::min();
  WEFT_LET(Argument value, argumentFromText(p, text));
  std::vector<int64_t> numbers;
  if (p.type == "int" || p.type == "ints") {
    if (const auto* one = std::get_if<int64_t>(&value)) numbers = {*one};
    if (const auto* all = std::get_if<std::vector<int64_t>>(&value)) numbers = *all;
  }
  const bool wide = p.name.find("seed") != std::string::npos;
  for (const int64_t n : numbers)
    if (!wide && (n < least || n > kMost)) return outOfRange(p.name, " is ", n, ", expected ", least, " to ", kMost);
  if (const auto* real = std::get_if<double>(&value); real && !std::isfinite(*real)) return outOfRange(p.name, " is ", text, ", expected a finite number");
  return value;
}

}  // namespace recipes

using namespace recipes;

namespace {

std::string lastPart(const std::string& scope) { return scope.substr(scope.rfind('/') + 1); }

std::unordered_set<std::string> scopesWithNodes(const Graph& graph) {
  std::unordered_set<std::string> out;
  for (int id = 0; id < graph.size(); ++id) {
    const Node* n = graph.node(id);
    if (!n) continue;
    for (std::string_view name = n->name; !name.empty() && out.emplace(name).second;) name = scopeOf(name);
  }
  return out;
}

bool isWaiting(const Node& n) { return n.attrs.text(kOpenAttr) == kWaitingLayer; }

}  // namespace

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

Shape LayerEditor::knownShape(Output o) const { return recipes::knownShape(editor_.graph(), recipes_, o); }
std::string LayerEditor::inputsSeen(const Recipe& r) { return recipes::inputsSeen(editor_, recipes_, r); }

Result<bool> LayerEditor::isReady(const Recipe& r) const {
  const ApiRecord* record = ApiRegistry::instance().findLayer(r.kind);
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
  const ApiRecord& record = *ApiRegistry::instance().findLayer(r.kind);
  GraphBuilder b(editor_.meta());
  b.setGraphSeed(api::kGraphSeed);
  auto& context = b.extension<api::KerasContext>();
  context.scope = r.scope;
  // A model's weights stay when another parameter of the layer changes.
  context.initial = [this](const std::string& variable, const Shape& shape) -> Result<Tensor> {
    const auto kept = weights_.find(variable);
    return kept != weights_.end() && kept->second.shape() == shape ? kept->second : Tensor();
  };
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
    // Enclosing scopes are entered as variable scopes, so that they are part of variable names.
    std::vector<std::unique_ptr<api::VariableScope>> around;
    std::string_view rest = r.scope;
    for (size_t slash = rest.find('/'); slash != rest.npos; slash = rest.find('/')) {
      around.push_back(std::make_unique<api::VariableScope>(b, rest.substr(0, slash)));
      rest.remove_prefix(slash + 1);
    }
    const bool named = std::any_of(record.parameters.begin(), record.parameters.end(), isName);
    const auto own = named ? GraphBuilder::Guard() : b.nameScope(rest);
    auto built = buildApi(b, record, std::move(arguments));
    while (!around.empty()) around.pop_back();  // inner ones first
    if (!built.ok()) return built.error().atNode(r.scope);
    values = std::move(*built);
  }
  // Checkpoints know variables by the names that they had when the layer was recognised in plain ops.
  for (const auto& [own, kept] : keptNames(r))
    if (editor_.graph().find(r.scope + "/" + own)) WEFT_TRY(editor_.renameScope(r.scope + "/" + own, kept));
  WEFT_TRY(keepFixed(editor_.meta(), r));
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
  Node waiting;
  waiting.op = "Placeholder";
  waiting.record = OpRegistry::instance().find(waiting.op);
  waiting.name = r.scope + "/waiting";
  waiting.attrs.set("dtype", DType::Float);
  waiting.attrs.set("shape", Shape::unknown());
  waiting.attrs.set(kOpenAttr, kWaitingLayer);
  WEFT_LET(const NodeSignature signature, resolveSignature(*waiting.record, waiting.attrs));
  waiting.outputTypes = signature.outputTypes;
  WEFT_LET(const int id, editor_.graph().add(std::move(waiting)));
  editor_.touch(id);
  r.outputs = {r.scope + "/waiting:0"};
  r.parameters.erase(kSeenIn);
  r.parameters.erase(kSeenOut);
  return {};
}

namespace {

/// A wire out of a layer, kept while the layer is rebuilt.
struct Reader {
  int node, input, output;  // output: of the recipe; -1: an inner tensor
  std::string tensor;
};

struct Failure {
  Error error;
  std::string seen;  ///< Types and shapes of the inputs for which the layer could not be built.
};

/// Whether a predecessor of the layer is missing; then that is the problem, not this layer.
bool hasIncompletePredecessor(const Graph& graph, const Recipe& r) {
  std::vector<bool> seen(size_t(graph.size()), false);
  std::vector<int> queue;
  for (const std::string& tensor : r.inputs)
    if (const auto o = graph.findOutput(tensor); o.ok()) queue.push_back(o->node);
  while (!queue.empty()) {
    const int id = queue.back();
    queue.pop_back();
    if (seen[size_t(id)]) continue;
    seen[size_t(id)] = true;
    if (isOpenInput(*graph.node(id))) return true;
    for (const Output o : graph.node(id)->inputs) queue.push_back(o.node);
  }
  return false;
}

}  // namespace

Status LayerEditor::settle() {
  // Layers are built for the currently known shapes.
  WEFT_TRY(editor_.finish());
  std::map<std::string, Failure> failed;
  std::unordered_set<std::string> scopes;  // that have nodes, and nodes themselves; read again after a change
  for (size_t round = 0; round <= recipes_.size() + 1; ++round) {
    bool again = false;
    for (size_t i = 0; i < recipes_.size(); ++i) {
      Recipe r = recipes_[i];
      if (r.trains()) continue;
      // It may fit now that other layers were built.
      if (const auto before = failed.find(r.scope); before != failed.end()) {
        if (before->second.seen == inputsSeen(r)) continue;
        failed.erase(before);
      }
      const auto ready = isReady(r);
      if (!ready.ok()) continue;  // a layer of a newer version stays as it is
      Graph& graph = editor_.graph();
      const Node* waiting = r.outputs.empty() ? nullptr : graph.find(r.outputs[0].substr(0, r.outputs[0].rfind(':')));
      const bool waits = waiting && isWaiting(*waiting);
      if (scopes.empty()) scopes = scopesWithNodes(graph);
      const bool absent = !scopes.count(r.scope);
      if (!*ready) {
        if (absent) WEFT_TRY(wait(r, nullptr));
        if (absent) scopes.clear();
        if (absent) recipes_[i] = r;
        if (absent) write();
        continue;
      }
      const auto seen = r.parameters.find(kSeenIn);
      if (!waits && !absent && seen != r.parameters.end() && seen->second == inputsSeen(r)) continue;
      if (!waits && !absent && seen == r.parameters.end() && !changed_.count(r.scope)) continue;
      again = true;
      scopes.clear();
      changed_.insert(r.scope);
      // Remove it, and remember its readers.
      std::vector<int> old = nodesIn(graph, r.scope);
      for (const auto& [own, kept] : keptNames(r))
        if (!inScope(kept, r.scope))
          for (const int id : nodesIn(graph, kept)) old.push_back(id);
      const std::set<int> own(old.begin(), old.end());
      const recipes::InitialValues values(graph, r, old);
      weights_ = values.constants();
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
      // Training that is plain ops goes with the variables of a layer that is built anew, and cannot come back by itself.
      const std::vector<std::string> trained = recipes::trainingOps(recipes_, graph);
      WEFT_TRY(recipes::removeToBuildAgain(editor_, old));
      for (const std::string& name : trained)
        if (!graph.find(name)) lost_.push_back(name);
      MetaGraph saved = editor_.meta();
      Status built = build(r);
      if (!built.ok()) {
        editor_.meta() = std::move(saved);
        failed.emplace(r.scope, Failure{built.error(), inputsSeen(r)});
        WEFT_TRY(wait(r, nullptr));
      } else {
        WEFT_TRY(values.restore(editor_));
      }
      for (const Reader& reader : readers) {
        if (!graph.node(reader.node)) continue;
        Result<Output> source =
            reader.output >= 0 && reader.output < int(r.outputs.size()) ? editor_.output(r.outputs[size_t(reader.output)]) : editor_.output(reader.tensor);
        if (!source.ok()) continue;
        const bool stillOpen =
            reader.input < int(graph.node(reader.node)->inputs.size()) && isOpenInput(*graph.node(graph.node(reader.node)->inputs[size_t(reader.input)].node));
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
  // All failures are from this attempt.
  std::erase_if(problems, [](const Error& e) { return e.kind == "layer"; });
  for (auto& [scope, failure] : failed) {
    const Recipe* layer = find(scope);
    if (layer && hasIncompletePredecessor(editor_.graph(), *layer)) continue;
    failure.error.node = scope;
    problems.push_back(failure.error.ofKind("layer"));
  }
  return {};
}

Status LayerEditor::finish(std::vector<std::string>* notes) {
  readAgain();
  WEFT_TRY(editor_.finish());
  WEFT_TRY(settle());
  readAgain();
  if (notes && !lost_.empty())
    notes->push_back(concat("The changed layer has new variables, so ", lost_.size(), lost_.size() == 1 ? " op" : " ops",
                            " that trained or saved the old ones went: ", lost_[0], lost_.size() > 1 ? " and others" : "", ". Undo, or add training again."));
  lost_.clear();
  // The training no longer fits the changed network.
  const auto trains = std::find_if(recipes_.begin(), recipes_.end(), [](const Recipe& r) { return r.trains(); });
  if (!trainedBefore_ || trains == recipes_.end() || !trainingIsStale(*trains)) return {};
  const bool waited = trains->nodes.empty();
  const Training again = trainingOf(*trains);
  MetaGraph& meta = editor_.meta();
  // Its settings would go with its ops.
  auto settings = meta.collections.extract("weft/training");
  WEFT_TRY(removeTraining());
  if (!settings.empty()) {
    settings.key() = recipes::kSettingsBefore;
    meta.collections.insert(std::move(settings));
  }
  MetaGraph without = meta;
  if (const Status added = addTraining(again); !added.ok()) {
    meta = std::move(without);
    readAgain();
    storeTraining(again);
    if (notes && !waited) notes->push_back("Training was taken out and comes back when the network is whole: " + added.error().message);
  } else if (notes) {
    notes->push_back("Training was added again for the changed network.");
  }
  return editor_.finish();
}

void findLayerProblems(LoadedGraph& loaded) {
  const auto waits = [&](const Recipe& r) {
    const Node* waiting = r.trains() || r.outputs.empty() ? nullptr : loaded.meta.graph.find(r.outputs[0].substr(0, r.outputs[0].rfind(':')));
    return waiting && isWaiting(*waiting);
  };
  std::erase_if(loaded.problems, [](const Error& e) { return e.kind == "layer"; });
  const std::vector<Recipe> recipes = recipesOf(loaded.meta);
  if (std::none_of(recipes.begin(), recipes.end(), waits)) return;
  LoadedGraph trial = loaded;  // nodes are shared until they are changed
  GraphEditor editor(trial.meta, trial.problems);
  if (!LayerEditor(editor).finish().ok()) return;
  for (Error& e : trial.problems)
    if (e.kind == "layer") loaded.problems.push_back(std::move(e));
}

}  // namespace weft
