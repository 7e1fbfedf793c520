// Training and data of a document.
#include <algorithm>
#include <charconv>

#include "api/nn.h"
#include "api/recipe_parts.h"
#include "api/training.h"
#include "ops/grad_ops.h"
#include "proto/meta_graph.pb.h"
#include "weft/op_traits.h"
#include "weft/recipes.h"
#include "weft/train.h"

namespace weft {
namespace {

constexpr int64_t kEpochs = 10;

std::string numberText(double v) {
  char text[32];
  return std::string(text, std::to_chars(text, text + sizeof text, v).ptr);
}

Output scalarInput(GraphBuilder& b, double value, std::string_view name) {
  const py::Scope scope(b, name);
  const Output input = b.number(DType::Float, value, "input");
  return b.op("PlaceholderWithDefault", {input}, {{"shape", Shape{}}}, scope.name());
}

/// tf.train.*_decay of a learning rate by the step counter.
Result<Output> decayed(GraphBuilder& b, Output rate, Output step, const LayerEditor::Training& t) {
  const auto quotient = [&](Output count) {
    const Output steps = b.cast(b.number(DType::Float, t.decaySteps, "decay_steps"), DType::Float);
    return py::call(b, "RealDiv", count, steps);
  };
  if (t.decay == "exponential") {
    const py::Scope scope(b, "ExponentialDecay");
    const Output count = b.cast(step, DType::Float);
    const Output p = quotient(count);
    const Output power = py::call(b, "Pow", b.number(DType::Float, t.decayRate, "decay_rate"), p);
    return b.op("Mul", {rate, power}, {}, scope.name());
  }
  if (t.decay == "inverse_time") {
    const py::Scope scope(b, "InverseTimeDecay");
    const Output count = b.cast(step, DType::Float);
    const Output p = quotient(count);
    const Output grown = py::mul(b, b.number(DType::Float, t.decayRate, "decay_rate"), p);
    const Output divisor = py::add(b, grown, 1);
    return b.op("RealDiv", {rate, divisor}, {}, scope.name());
  }
  if (t.decay == "polynomial") {
    const py::Scope scope(b, "PolynomialDecay");
    const Output count = b.cast(step, DType::Float);
    const Output most = b.number(DType::Float, t.decaySteps, "decay_steps");
    const Output p = py::call(b, "RealDiv", py::call(b, "Minimum", count, most), most);
    const Output rest = py::sub(b, 1, p);
    return b.op("Mul", {rate, rest}, {}, scope.name());
  }
  return invalidArgument("There is no decay '", t.decay, "'; expected exponential, inverse_time or polynomial");
}

constexpr const char* kNotYet = "the loss cannot be computed yet: ";

/// Why the waiting layer behind stand-in `n` cannot be built: an open input of it, or of a layer before it.
Error whyLayerWaits(const MetaGraph& meta, const Node& n) {
  const std::vector<Recipe> all = recipesOf(meta);
  std::string scope = n.name.substr(0, n.name.rfind('/'));
  for (size_t depth = 0; depth <= all.size(); ++depth) {
    const auto layer = std::find_if(all.begin(), all.end(), [&](const Recipe& r) { return !r.trains() && r.scope == scope; });
    const ApiRecord* record = layer == all.end() ? nullptr : ApiRegistry::instance().findLayer(layer->kind);
    if (!record) break;
    const auto inputs = layerInputs(*record);
    for (size_t i = 0; i < inputs.size(); ++i)
      if (inputs[i].required && (i >= layer->inputs.size() || layer->inputs[i].empty()))
        return failedPrecondition(kNotYet, "the input ", inputs[i].name, " of ", scope, " is not connected").atNode(scope);
    const auto before = std::find_if(layer->inputs.begin(), layer->inputs.end(), [&](const std::string& tensor) {
      const auto output = meta.graph.findOutput(tensor);
      return output.ok() && isOpenInput(*meta.graph.node(output->node));
    });
    if (before == layer->inputs.end()) return failedPrecondition(kNotYet, "the inputs of ", scope, " do not fit it").atNode(scope);
    scope = before->substr(0, before->rfind('/'));
  }
  return failedPrecondition(kNotYet, "an input of ", scope, " is not connected").atNode(scope);
}

/// FAILED_PRECONDITION names the first open input that `goal` would need.
Status allConnected(const MetaGraph& meta, Output goal) {
  const Graph& graph = meta.graph;
  std::vector<bool> seen(size_t(graph.size()), false);
  std::vector<std::pair<int, int>> queue{{goal.node, -1}};
  while (!queue.empty()) {
    const auto [id, reader] = queue.back();
    queue.pop_back();
    if (seen[size_t(id)]) continue;
    seen[size_t(id)] = true;
    const Node& n = *graph.node(id);
    if (isOpenInput(n)) {
      if (reader < 0 || !n.name.starts_with("open_inputs/")) return whyLayerWaits(meta, n);
      const std::string& where = graph.node(reader)->name;
      return failedPrecondition(kNotYet, "the input ", n.attrs.text("_weft_open"), " of ", where, " is not connected").atNode(where);
    }
    for (const Output o : n.inputs) queue.emplace_back(o.node, id);
  }
  return {};
}

/// Checks that a loss is a floating-point scalar without open inputs. Returns its full name.
Result<Output> lossNamed(GraphEditor& editor, const std::string& name) {
  WEFT_LET(const Output loss, editor.output(name));
  const std::string full = editor.graph().tensorName(loss);
  WEFT_TRY(allConnected(editor.meta(), loss));
  const Shape shape = editor.graph().shape(loss);
  if (!isFloating(baseType(editor.graph().dtype(loss))))
    return invalidArgument("The loss ", full, " is ", dtypeName(editor.graph().dtype(loss)), ", expected a floating-point number");
  if (shape.hasRank() && shape.rank() != 0)
    return invalidArgument("The loss ", full, " has the shape ", shape.toString(), ", expected a scalar; reduce it by a mean");
  return loss;
}

/// Arguments for an optimizer's record, with the learning rate separate, because it is fed.
Status readParameters(const ApiRecord& record, const TextAttrs& parameters, Arguments& arguments, double* learningRate) {
  for (const ApiParameter& p : record.parameters)
    if (p.name == "learning_rate" && p.otherwise) *learningRate = std::get<double>(*p.otherwise);
  for (const auto& [name, text] : parameters) {
    const ApiParameter* p = record.find(name);
    if (!p || p->type == "tensor" || name == "name") return invalidArgument(record.name, " has no parameter '", name, "'");
    WEFT_LET(Argument value, recipes::settingFromText(*p, text));
    if (name == "learning_rate") *learningRate = std::holds_alternative<double>(value) ? std::get<double>(value) : double(std::get<int64_t>(value));
    else arguments.set(name, std::move(value));
  }
  return {};
}

Result<const ApiRecord*> optimizerNamed(const std::string& name) {
  const ApiRecord* record = ApiRegistry::instance().findLayer(recipes::optimizerRecord(name));
  if (!record) return notFound("There is no optimizer '", name, "'; expected adam, sgd, momentum, adagrad or rmsprop");
  return record;
}

std::string lastPart(const std::string& scope) { return scope.substr(scope.rfind('/') + 1); }

std::string scopeOf(const TextAttrs& parameters) {
  for (const auto& [name, text] : parameters)
    if (name == "variables") return text;
  return {};
}

}  // namespace

LayerEditor::Training LayerEditor::trainingOf(const Recipe& r) {
  Training t;
  t.optimizer = r.kind;
  if (!r.inputs.empty()) t.loss = r.inputs[0];
  if (r.inputs.size() > 1) t.accuracy = r.inputs[1];
  const auto number = [&](const char* name, double* value) {
    if (const auto it = r.parameters.find(name); it != r.parameters.end()) std::from_chars(it->second.data(), it->second.data() + it->second.size(), *value);
  };
  double epochs = 0, steps = 0;
  number("~epochs", &epochs);
  number("~steps", &steps);
  number("~decay_steps", &t.decaySteps);
  number("~decay_rate", &t.decayRate);
  t.others = recipes::othersOf(r);
  t.epochs = int64_t(epochs);
  t.steps = int64_t(steps);
  for (const auto& [name, text] : r.parameters) {
    if (name == "~decay") t.decay = text;
    if (!name.starts_with('~')) t.parameters.emplace_back(name, text);
  }
  return t;
}

bool LayerEditor::trainingIsStale(const Recipe& r) const {
  if (r.nodes.empty() || !changed_.empty()) return true;  // it waits, or layers were rebuilt
  const Graph& graph = editor_.graph();
  if (r.inputs.empty()) return true;
  // Everything that a loss depends on is part of the gradients.
  std::vector<bool> seen(size_t(graph.size()), false);
  std::vector<int> queue;
  for (size_t i = 0; i < r.inputs.size(); ++i) {
    if (i == 1) continue;  // the accuracy
    const auto loss = graph.findOutput(r.inputs[i]);
    if (!loss.ok()) return true;
    queue.push_back(loss->node);
  }
  while (!queue.empty()) {
    const int id = queue.back();
    queue.pop_back();
    if (seen[size_t(id)]) continue;
    seen[size_t(id)] = true;
    if (editor_.touched().count(id)) return true;
    for (const Output o : graph.node(id)->inputs) queue.push_back(o.node);
  }
  return false;
}

void LayerEditor::storeTraining(const Training& t) {
  Recipe r;
  r.scope = "train";
  r.kind = recipes::optimizerRecord(t.optimizer);
  for (const auto& [name, text] : t.parameters) r.parameters[name] = text;
  if (!t.decay.empty()) {
    r.parameters["~decay"] = t.decay;
    r.parameters["~decay_steps"] = numberText(t.decaySteps);
    r.parameters["~decay_rate"] = numberText(t.decayRate);
  }
  if (t.epochs > 0) r.parameters["~epochs"] = std::to_string(t.epochs);
  if (t.steps > 0) r.parameters["~steps"] = std::to_string(t.steps);
  r.inputs = {t.loss};
  if (!t.accuracy.empty()) r.inputs.push_back(t.accuracy);
  recipes::keepOthers(t.others, r);
  recipes_.push_back(std::move(r));
  write();
}

Result<bool> LayerEditor::removeTraining() {
  readAgain();
  const auto it = std::find_if(recipes_.begin(), recipes_.end(), [](const Recipe& r) { return r.trains(); });
  if (it == recipes_.end()) {
    WEFT_LET(const int gone, editor_.stripTraining());
    readAgain();
    return gone > 0;
  }
  std::vector<int> nodes;
  for (const std::string& name : it->nodes)
    if (const Node* n = editor_.graph().find(name)) nodes.push_back(n->id);
  recipes_.erase(it);
  write();
  // Removes the whole saver too, so that no saver of only some variables remains.
  editor_.meta().saver.reset();
  WEFT_TRY(editor_.remove(nodes));
  editor_.meta().collections.erase("weft/training");
  readAgain();
  return true;
}

Status LayerEditor::setOptimizer(const std::string& name) {
  WEFT_LET(const ApiRecord* const record, optimizerNamed(name));
  readAgain();
  const auto trains = std::find_if(recipes_.begin(), recipes_.end(), [](const Recipe& r) { return r.trains(); });
  if (trains == recipes_.end()) {
    if (!trainingSettingsOf(editor_.meta()).ok())
      return failedPrecondition("There is no training in this graph whose optimizer could become ", name, ": add a training first");
    return failedPrecondition("This training came with the file, so its optimizer cannot become ", name, ": take the training out and add one");
  }
  Training t = trainingOf(*trains);
  const auto change = [record](std::string& optimizer, TextAttrs& parameters) {
    optimizer = record->name;
    std::erase_if(parameters, [record](const auto& parameter) { return !record->find(parameter.first); });
  };
  change(t.optimizer, t.parameters);
  for (Training::Other& other : t.others) change(other.optimizer, other.parameters);
  return addTraining(t);
}

Status LayerEditor::setTrainingParameter(const std::string& name, const std::string& text) {
  readAgain();
  const auto trains = std::find_if(recipes_.begin(), recipes_.end(), [](const Recipe& r) { return r.trains(); });
  if (trains == recipes_.end()) return failedPrecondition("There is no training in this graph whose ", name, " could become ", text);
  const ApiRecord* record = ApiRegistry::instance().findLayer(trains->kind);
  const ApiParameter* p = record ? record->find(name) : nullptr;
  if (!p) return invalidArgument(trains->kind, " has no parameter '", name, "'");
  WEFT_TRY(recipes::settingFromText(*p, text).status());
  Training t = trainingOf(*trains);
  t.epochs = t.steps = 0;  // as the settings say now
  std::erase_if(t.parameters, [&](const auto& parameter) { return parameter.first == name; });
  t.parameters.emplace_back(name, text);
  return addTraining(t);
}

Status LayerEditor::addTraining(const Training& given) {
  Training t = given;
  // The user's settings survive a change of the optimizer, and periods in which the training waits.
  auto& collections = editor_.meta().collections;
  if (auto kept = collections.extract(recipes::kSettingsBefore); !kept.empty() && !collections.count("weft/training")) {
    kept.key() = "weft/training";
    collections.insert(std::move(kept));
  }
  auto settings = trainingSettingsOf(editor_.meta());
  std::string lossBefore = settings.ok() ? settings->loss : std::string();
  WEFT_TRY(removeTraining());
  MetaGraph& meta = editor_.meta();
  WEFT_LET(const ApiRecord* const record, optimizerNamed(t.optimizer));
  if (t.loss.empty()) {
    const auto losses = meta.collections.find("losses");
    if (losses != meta.collections.end() && losses->second.nodes.size() == 1) t.loss = losses->second.nodes[0];
    else if (!lossBefore.empty()) t.loss = lossBefore;
    else
      return invalidArgument("Say which loss to make small: ",
                             losses == meta.collections.end() || losses->second.nodes.empty() ? "the graph has none yet" : "the graph has several");
  }
  const Recipe* lossLayer = find(t.loss);
  if (lossLayer && !lossLayer->outputs.empty()) t.loss = lossLayer->outputs[0];
  WEFT_LET(const Output loss, lossNamed(editor_, t.loss));
  t.loss = editor_.graph().tensorName(loss);
  std::vector<Output> otherLosses;
  for (Training::Other& other : t.others) {
    if (const Recipe* layer = find(other.loss); layer && !layer->outputs.empty()) other.loss = layer->outputs[0];
    WEFT_LET(const Output otherLoss, lossNamed(editor_, other.loss));
    other.loss = editor_.graph().tensorName(otherLoss);
    otherLosses.push_back(otherLoss);
    if (scopeOf(other.parameters).empty()) return invalidArgument("Say which variables the loss ", other.loss, " changes: variables=SCOPE");
  }

  const int before = editor_.graph().size();
  GraphBuilder b(meta);
  b.setGraphSeed(api::kGraphSeed);
  Output accuracy;
  if (!t.accuracy.empty()) {
    WEFT_LET(accuracy, editor_.output(t.accuracy));
  } else {
    for (const Recipe& r : recipes_) {
      if (r.outputs.empty() || r.outputs[0] != t.loss || r.inputs.size() < 2 || r.kind.find("softmax_cross_entropy") == std::string::npos) continue;
      const auto labels = editor_.output(r.inputs[0]), logits = editor_.output(r.inputs[1]);
      if (!labels.ok() || !logits.ok()) continue;
      Output classes = *labels;
      if (r.kind != "losses.sparse_softmax_cross_entropy") classes = api::argMax(b, classes, 1, "classes");
      accuracy = api::accuracy(b, *logits, classes, "evaluation");
    }
  }
  double learningRate = 0.001;
  Arguments arguments;
  arguments.set("loss", loss);
  WEFT_TRY(readParameters(*record, t.parameters, arguments, &learningRate));
  const api::VariablePtr step = api::globalStep(b);
  Output rate = scalarInput(b, learningRate, "learning_rate");
  const std::string live = b.ok() ? b.graph().tensorName(rate) : std::string();
  if (!t.decay.empty()) {
    WEFT_LET(rate, decayed(b, rate, step->snapshot, t));
  }
  arguments.set("learning_rate_tensor", rate);
  // A layer may have the name already; the summary must not replace it.
  const auto free = [&](const char* tag, const char* otherwise) { return editor_.uniqueName(tag) == tag ? tag : otherwise; };
  api::scalarSummary(b, free("loss", "total_loss"), loss);
  if (accuracy.valid()) api::scalarSummary(b, free("accuracy", "batch_accuracy"), accuracy);
  for (size_t k = 0; k < otherLosses.size(); ++k)
    api::scalarSummary(b, editor_.uniqueName(lastPart(scopeOf(t.others[k].parameters)) + "_loss"), otherLosses[k]);
  for (const api::VariablePtr& v : api::variablesIn(b, "trainable_variables")) api::histogramSummary(b, v->name, v->snapshot);
  std::vector<LiveScalar> otherRates;
  int train = -1;
  {
    const auto scope = b.nameScope("train");
    std::vector<recipes::OptimizerNodes> optimizers{{b.graph().size(), 0}};
    WEFT_LET(const Values made, buildApi(b, *record, std::move(arguments)));
    train = made.nodes.empty() ? -1 : made.nodes[0];
    optimizers[0].to = b.graph().size();
    std::vector<int> steps{train};
    for (size_t k = 0; k < otherLosses.size(); ++k) {
      const Training::Other& other = t.others[k];
      WEFT_LET(const ApiRecord* const kind, optimizerNamed(other.optimizer));
      Arguments own;
      double ownRate = 0.001;
      own.set("loss", otherLosses[k]);
      own.set("count_steps", false);
      WEFT_TRY(readParameters(*kind, other.parameters, own, &ownRate));
      const Output fed = scalarInput(b, ownRate, "learning_rate");
      own.set("learning_rate_tensor", fed);
      optimizers.push_back({b.graph().size(), 0});
      WEFT_LET(const Values more, buildApi(b, *kind, std::move(own)));
      optimizers.back().to = b.graph().size();
      if (!more.nodes.empty()) steps.push_back(more.nodes[0]);
      if (b.ok()) otherRates.push_back({"Learning rate of " + scopeOf(other.parameters), b.graph().tensorName(fed), ownRate, 1e-5, 1, true});
    }
    if (steps.size() > 1) {
      recipes::updateTogether(b, optimizers);
      train = b.group(steps, "step");
    }
  }
  // Training steps also update batch norm's moving averages; otherwise tests would normalize with their initial values.
  if (const auto updates = meta.collections.find("update_ops"); updates != meta.collections.end()) {
    for (const std::string& name : updates->second.nodes)
      if (const Node* update = meta.graph.find(name.substr(0, name.find(':')))) b.addControlInputs(train, {update->id});
  }
  const Output merged = api::mergeAllSummaries(b);
  const int init = api::globalVariablesInitializer(b);
  // Metrics start at zero in every training.
  for (const api::VariablePtr& v : api::variablesIn(b, "local_variables")) b.addControlInputs(init, {v->initializer});
  meta.saver.reset();
  WEFT_TRY(api::addSaver(b));
  WEFT_TRY(b.status());

  const auto tensor = [&](Output o) { return b.graph().tensorName(o); };
  TrainingSettings s;
  if (settings.ok()) s = *settings;
  s.trainOp = b.nodeAt(train).name;
  s.initOp = b.nodeAt(init).name;
  s.loss = tensor(loss);
  s.accuracy = accuracy.valid() ? tensor(accuracy) : std::string();
  s.summaries = {tensor(merged)};
  s.globalStep = tensor(step->snapshot);
  if (t.epochs > 0) s.epochs = t.epochs, s.steps = 0;
  if (t.steps > 0) s.steps = t.steps, s.epochs = 0;
  if (!settings.ok()) {
    if (s.epochs == 0 && s.steps == 0) s.epochs = kEpochs;
    s.checkpointEverySteps = 200;
  }
  const auto exists = [&](const std::string& name) { return b.graph().findOutput(name.find(':') == std::string::npos ? name + ":0" : name).ok(); };
  for (auto* feed : {&s.evalFeed, &s.trainFeed}) std::erase_if(*feed, [&](const auto& entry) { return !exists(entry.first); });
  std::erase_if(s.metrics, [&](const auto& metric) { return !exists(metric.second); });
  const auto isRate = [&](const LiveScalar& l) {
    return l.tensor == live || std::any_of(otherRates.begin(), otherRates.end(), [&](const LiveScalar& r) { return r.tensor == l.tensor; });
  };
  std::erase_if(s.live, [&](const LiveScalar& l) { return isRate(l) || !b.graph().findOutput(l.tensor).ok(); });
  s.live.insert(s.live.begin(), otherRates.begin(), otherRates.end());
  s.live.insert(s.live.begin(), {"Learning rate", live, learningRate, 1e-5, 1, true});
  setTrainingSettings(meta, s);

  readAgain();
  storeTraining(t);
  Recipe& r = recipes_.back();
  for (int id = before; id < editor_.graph().size(); ++id) {
    if (const Node* n = editor_.graph().node(id)) r.nodes.push_back(n->name);
    editor_.touch(id);
  }
  write();
  return {};
}

Status LayerEditor::initialize(std::string_view name) {
  WEFT_LET(const int id, editor_.find(name));
  const Node n = *editor_.graph().node(id);
  const bool resource = isResourceVariable(n);
  if (!isVariable(n)) return invalidArgument(n.name, " is no variable").atNode(n.name);
  int assign = -1;
  const auto consumers = editor_.graph().consumers();
  for (const int reader : consumers[size_t(id)]) {
    const Node& r = *editor_.graph().node(reader);
    const bool assigns = roleOf(r) == OpRole::Assign && r.inputs[0].node == id;
    if (assigns && roleOf(*editor_.graph().node(r.inputs[1].node)) != OpRole::Restore) assign = reader;
  }
  if (assign < 0) {
    const Shape shape = n.attrs.shape("shape");
    if (!shape.isFullyKnown()) return invalidArgument("The shape of ", n.name, " is not known; set its attribute 'shape' first").atNode(n.name);
    const int before = editor_.graph().size();
    GraphBuilder b(editor_.meta());
    const DType type = n.attrs.type("dtype");
    const Output zeros = api::zeros(b, shape, type, n.name + "/Initializer/zeros");
    assign = resource ? b.node("AssignVariableOp", {{id, 0}, zeros}, {{"dtype", type}}, n.name + "/Assign")
                      : b.node("Assign", {{id, 0}, zeros}, {}, n.name + "/Assign");
    const Output read =
        resource ? b.op("ReadVariableOp", {{id, 0}}, {{"dtype", type}}, n.name + "/Read/ReadVariableOp") : b.op("Identity", {{id, 0}}, {}, n.name + "/read");
    WEFT_TRY(b.status());
    tensorflow::VariableDef def;
    def.set_variable_name(n.name + ":0");
    def.set_initializer_name(b.nodeAt(assign).name);
    def.set_snapshot_name(b.graph().tensorName(read));
    def.set_initial_value_name(b.graph().tensorName(zeros));
    def.set_is_resource(resource);
    def.set_trainable(isFloating(type));
    for (const char* key : {"variables", "trainable_variables"}) {
      if (std::string_view(key) != "variables" && !isFloating(type)) continue;
      Collection& c = editor_.meta().collections[key];
      c.kind = Collection::Kind::Bytes;
      c.bytes.push_back(def.SerializeAsString());
    }
    for (int made = before; made < editor_.graph().size(); ++made) editor_.touch(made);
  }
  const auto settings = trainingSettingsOf(editor_.meta());
  const Node* init = settings.ok() ? editor_.graph().find(settings->initOp) : nullptr;
  return init ? editor_.connectControl(assign, init->id) : Status();
}

Result<std::vector<std::string>> LayerEditor::addData(const DatasetBinding& given, const std::string& folder) {
  WEFT_LET(const Dataset data, loadDataset(given, folder));
  DatasetBinding binding = given;
  binding.placeholders.clear();
  std::vector<std::string> names;
  for (const auto& [column, values] : data.columns) {
    Shape shape = values.shape();
    if (shape.rank() > 0) shape.setDim(0, Shape::kUnknownDim);
    const DType type = values.dtype() == DType::UInt8 ? DType::Float : values.dtype();
    WEFT_LET(const int id, editor_.add("Placeholder", column, {{"dtype", dtypeName(type)}, {"shape", shape.toString()}}));
    const std::string name = editor_.graph().node(id)->name;
    names.push_back(name);
    binding.placeholders[name + ":0"] = column;
  }
  setDatasetBindings(editor_.meta(), {binding});
  return names;
}

Status LayerEditor::bindData(DatasetBinding binding, const std::string& folder) {
  WEFT_LET(const Dataset data, loadDataset(binding, folder));
  std::map<std::string, std::string> wanted;
  const auto columns = [&] {
    std::string out;
    for (const auto& [name, values] : data.columns) out += (out.empty() ? "" : ", ") + name;
    return out;
  };
  if (binding.placeholders.empty()) {
    for (const auto& [column, values] : data.columns) {
      for (int id = 0; id < editor_.graph().size(); ++id) {
        const Node* n = editor_.graph().node(id);
        if (!n || !isPlaceholder(*n) || isOpenInput(*n)) continue;
        const std::string last = n->name.substr(n->name.rfind('/') + 1);
        if (last == column || last.starts_with(column + "_")) wanted[n->name + ":0"] = column;
      }
    }
    if (wanted.empty()) return invalidArgument("No placeholder bears the name of a column; the data have ", columns(), ": say PLACEHOLDER=COLUMN");
  }
  for (const auto& [tensor, column] : binding.placeholders) {
    WEFT_LET(const Output o, editor_.output(tensor));
    if (!data.find(column)) return notFound("The data have no column ", column, "; they have ", columns());
    wanted[editor_.graph().tensorName(o)] = column;
  }
  for (const auto& [tensor, column] : wanted) {
    const auto o = editor_.graph().findOutput(tensor);
    if (!o.ok()) return o.error();
    auto fits = fitColumn(*data.find(column), baseType(editor_.graph().dtype(*o)), editor_.graph().shape(*o));
    if (!fits.ok()) return Error(fits.error()).atNode(tensor);
  }
  binding.placeholders = wanted;
  setDatasetBindings(editor_.meta(), {binding});
  return {};
}

}  // namespace weft
