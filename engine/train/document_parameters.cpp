#include "weft/document_parameters.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "train/parameter_changes.h"
#include "train/setting_changes.h"
#include "train/tensor_name.h"
#include "weft/expressions.h"
#include "weft/recipes.h"

namespace weft {
namespace {

std::string numberText(double v) {
  char text[40];
  return std::string(text, std::to_chars(text, text + sizeof text, v).ptr);
}

std::optional<double> numberOf(const std::string& text) {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return {};
  return value;
}

std::vector<std::string> optimizerNames() {
  constexpr std::string_view kPrefix = "train.", kSuffix = "Optimizer";
  std::vector<std::string> names;
  for (const ApiRecord* record : ApiRegistry::instance().all()) {
    const std::string& n = record->name;
    if (n.starts_with(kPrefix) && n.ends_with(kSuffix)) names.push_back(n.substr(kPrefix.size(), n.size() - kPrefix.size() - kSuffix.size()));
  }
  return names;
}

bool isRate(const LiveScalar& live) { return live.tensor.find("learning_rate") != live.tensor.npos; }
bool isRateName(const std::string& name) { return name == "lr" || name == "learning_rate"; }

/// The parameter of a layer that a text can set; null if there is none.
const ApiParameter* settable(const Recipe& layer, const std::string& name) {
  const ApiRecord* record = ApiRegistry::instance().findLayer(layer.kind);
  const ApiParameter* p = record ? record->find(name) : nullptr;
  return p && p->type != "tensor" && p->type != "tensors" && p->name != "name" ? p : nullptr;
}

/// Splits "dense_1.units" at its last dot.
std::pair<std::string, std::string> splitName(const std::string& name) {
  const size_t dot = name.rfind('.');
  return dot == name.npos ? std::pair<std::string, std::string>({}, name) : std::pair(name.substr(0, dot), name.substr(dot + 1));
}

/// The layer whose parameter `name` is: "LAYER.PARAMETER", or one that a single layer has.
Result<Recipe*> layerOf(LayerEditor& layers, const std::string& name, std::string* parameter) {
  const auto [scope, last] = splitName(name);
  *parameter = last;
  if (!scope.empty()) {
    Recipe* layer = layers.find(scope);
    return layer && settable(*layer, last) ? layer : nullptr;
  }
  std::vector<std::string> candidates;
  for (const Recipe& r : layers.recipes()) {
    if (!r.trains() && settable(r, name)) candidates.push_back(r.scope);
  }
  if (candidates.size() == 1) return layers.find(candidates[0]);
  if (candidates.empty()) return nullptr;
  std::string list;
  for (const std::string& c : candidates) list += (list.empty() ? "" : ", ") + c + "." + name;
  return invalidArgument(name, " is a parameter of several layers, expected one of ", list);
}

SweepParameter rangeFor(const std::string& name, double value, bool whole) {
  SweepParameter p;
  p.name = name;
  if (whole) {
    p.kind = value > 0 ? SweepParameter::Kind::LogInteger : SweepParameter::Kind::Integer;
    p.low = value > 0 ? std::max(1.0, std::floor(value / 4)) : value;
    p.high = value > 0 ? std::max(4.0, value * 4) : value + 10;
    return p;
  }
  if (value >= 0.5 && value < 1) {  // a share such as momentum
    p.low = 0.5;
    p.high = std::max(value, 0.99);
    return p;
  }
  p.kind = value > 0 ? SweepParameter::Kind::Log : SweepParameter::Kind::Uniform;
  p.low = value > 0 ? value / 10 : 0;
  p.high = value > 0 ? value * 10 : 1;
  return p;
}

SweepParameter choiceFor(const std::string& name, std::vector<std::string> choices) {
  SweepParameter p;
  p.name = name;
  p.kind = SweepParameter::Kind::Choice;
  p.choices = std::move(choices);
  return p;
}

using Type = DocumentParameter::Type;
using Group = DocumentParameter::Group;

void addLayer(const Recipe& layer, std::vector<DocumentParameter>& out) {
  const ApiRecord* record = ApiRegistry::instance().findLayer(layer.kind);
  if (!record) return;
  for (const ApiParameter& p : record->parameters) {
    if (!settable(layer, p.name) || (layer.trains() && (p.name == "learning_rate" || p.name == "use_locking" || p.name == "count_steps"))) continue;
    const auto own = layer.parameters.find(p.name);
    const std::string value = own != layer.parameters.end() ? own->second : p.otherwise ? argumentToText(*p.otherwise) : std::string();
    const std::string name = layer.trains() ? p.name : layer.scope + "." + p.name;
    const Group group = layer.trains() ? Group::Training : Group::Layer;
    const auto number = numberOf(value);
    if (p.type == "bool") out.push_back({name, group, Type::Word, value, choiceFor(name, {"true", "false"})});
    else if (!p.choices.empty()) {
      std::vector<std::string> choices = p.choices;
      std::erase(choices, std::string());
      out.push_back({name, group, Type::Word, value, choiceFor(name, std::move(choices))});
    } else if (p.type == "int" && number) out.push_back({name, group, Type::Integer, value, rangeFor(name, *number, true)});
    else if (p.type == "float" && number) out.push_back({name, group, Type::Number, value, rangeFor(name, *number, false)});
    else if (p.name == "activation") out.push_back({name, group, Type::Word, value, choiceFor(name, {"nn.relu", "nn.tanh", "nn.sigmoid", "nn.elu"})});
  }
}

/// A name that follows nothing can be varied.
void addName(const NamedValue& n, std::vector<DocumentParameter>& out) {
  // Setting it would set the setting of the same name.
  const auto same = [&](const DocumentParameter& p) { return p.name == n.name || (n.name == "lr" && p.name == "learning_rate"); };
  if (std::any_of(out.begin(), out.end(), same)) return;
  const auto parsed = Expression::parse(n.expression);
  if (!parsed.ok() || !parsed->isConstant()) return;
  const auto value = parsed->evaluate([](const std::string& name) -> Result<ExpressionValue> { return notFound(name); });
  if (!value.ok()) return;
  const std::string text = value->toString();
  if (const auto* whole = std::get_if<int64_t>(&value->value)) {
    out.push_back({n.name, Group::Name, Type::Integer, text, rangeFor(n.name, double(*whole), true)});
  } else if (const auto* real = std::get_if<double>(&value->value)) {
    out.push_back({n.name, Group::Name, Type::Number, text, rangeFor(n.name, *real, false)});
  } else {
    const bool truth = std::holds_alternative<bool>(value->value);
    out.push_back(
        {n.name, Group::Name, Type::Word, text, choiceFor(n.name, truth ? std::vector<std::string>{"true", "false"} : std::vector<std::string>{text})});
  }
}

/// A value of a sweep as an expression: words stand in quotes, unless they do already.
std::string asExpression(const std::string& text) {
  const ExpressionValue value = ExpressionValue::fromText(text);
  if (text.starts_with('\'') || text.starts_with('"') || text.starts_with('[')) {
    const auto parsed = Expression::parse(text);
    if (parsed.ok() && parsed->references().empty()) return text;
  }
  return value.toExpression();
}

}  // namespace

Status setParameter(LayerEditor& layers, const std::string& name, const std::string& text, TextAttrs* later) {
  GraphEditor& editor = layers.editor();
  MetaGraph& meta = editor.meta();
  const std::vector<NamedValue> names = namedValuesOf(meta);
  // A field wins over a name of an older file that is called like it.
  if (std::any_of(names.begin(), names.end(), [&](const NamedValue& n) { return n.name == name; }) && !ExpressionScope(meta).field(name).ok())
    return setNamedValue(meta, name, asExpression(text));
  if (name == "optimizer") return layers.setOptimizer(text);
  {
    // Settings stay out of the graph, but a change of the graph may write them anew: they are set last.
    WEFT_LET(TrainingSettings settings, trainingSettingsOf(meta));
    WEFT_LET(auto bindings, datasetBindingsOf(meta));
    WEFT_LET(const bool known, changeSetting(settings, bindings, name, text));
    const bool live = !isRateName(name) && std::any_of(settings.live.begin(), settings.live.end(),
                                                       [&](const LiveScalar& l) { return l.name == name || l.tensor == tensorName(name); });
    if (known || live) {
      later->emplace_back(name, text);
      return {};
    }
  }
  const std::string full = name == "lr" ? "learning_rate" : name;
  if (std::any_of(layers.recipes().begin(), layers.recipes().end(), [&](const Recipe& r) { return r.trains() && settable(r, full); }))
    return layers.setTrainingParameter(full, text);
  std::string parameter;
  WEFT_LET(Recipe* const layer, layerOf(layers, full, &parameter));
  if (layer) return layers.setParameter(*layer, parameter, text);
  if (isRateName(name)) {
    later->emplace_back(name, text);
    return {};
  }
  const auto [node, attribute] = splitName(name);
  if (const Node* n = node.empty() ? nullptr : meta.graph.find(node)) return editor.setAttr(n->id, attribute, text);
  if (meta.graph.findOutput(tensorName(name)).ok()) {
    later->emplace_back(name, text);
    return {};
  }
  return notFound("there is no parameter ", name, ", expected a training setting, a live scalar, LAYER.PARAMETER, NODE.ATTRIBUTE or a tensor");
}

Status setLaterParameter(MetaGraph& meta, const std::string& name, const std::string& text) {
  WEFT_LET(TrainingSettings settings, trainingSettingsOf(meta));
  WEFT_LET(auto bindings, datasetBindingsOf(meta));
  WEFT_LET(const bool known, changeSetting(settings, bindings, name, text));
  if (known) {
    // Whichever of the two ends first would end the training, so that setting the other had no effect.
    if (name == "steps") settings.epochs = 0;
    if (name == "epochs") settings.steps = 0;
    setTrainingSettings(meta, settings);
    setDatasetBindings(meta, bindings);
    return {};
  }
  const auto live = std::find_if(settings.live.begin(), settings.live.end(),
                                 [&](const LiveScalar& l) { return l.name == name || l.tensor == tensorName(name) || (isRateName(name) && isRate(l)); });
  if (live != settings.live.end()) {
    const auto value = numberOf(text);
    if (!value) return invalidArgument(name, " is ", text.empty() ? "\"\"" : text, ", expected a number");
    live->value = *value;
  } else if (isRateName(name)) {
    return notFound("there is no live scalar for the learning rate, expected LAYER.PARAMETER, NODE.ATTRIBUTE or a tensor in place of ", name);
  } else {
    settings.trainFeed[name] = text;
  }
  setTrainingSettings(meta, settings);
  return {};
}

std::vector<DocumentParameter> everyParameter(const MetaGraph& meta) {
  std::vector<DocumentParameter> out;
  const auto settings = trainingSettingsOf(meta);
  if (!settings.ok()) {
    for (const NamedValue& n : namedValuesOf(meta)) addName(n, out);
    return out;
  }
  const std::vector<Recipe> recipes = recipesOf(meta);
  const auto training = std::find_if(recipes.begin(), recipes.end(), [](const Recipe& r) { return r.trains(); });
  const auto rate = std::find_if(settings->live.begin(), settings->live.end(), isRate);
  if (rate != settings->live.end()) {
    DocumentParameter p{"learning_rate", Group::Training, Type::Number, numberText(rate->value), rangeFor("learning_rate", rate->value, false)};
    out.push_back(std::move(p));
  }
  const auto bindings = datasetBindingsOf(meta);
  if (bindings.ok() && !bindings->empty()) {
    const DatasetBinding& b = bindings->front();
    out.push_back({"batch_size", Group::Training, Type::Integer, std::to_string(b.batchSize), rangeFor("batch_size", b.batchSize, true)});
  }
  if (training != recipes.end()) {
    std::string name = training->kind;
    if (name.starts_with("train.")) name = name.substr(6);
    if (name.ends_with("Optimizer")) name.resize(name.size() - 9);
    out.push_back({"optimizer", Group::Training, Type::Word, name, choiceFor("optimizer", optimizerNames())});
  }
  if (settings->epochs > 0)
    out.push_back({"epochs", Group::Training, Type::Integer, std::to_string(settings->epochs), rangeFor("epochs", double(settings->epochs), true)});
  if (settings->steps > 0)
    out.push_back({"steps", Group::Training, Type::Integer, std::to_string(settings->steps), rangeFor("steps", double(settings->steps), true)});
  if (bindings.ok() && !bindings->empty()) {
    const DatasetBinding& b = bindings->front();
    SweepParameter seeds = rangeFor("seed", double(b.seed), true);
    seeds.kind = SweepParameter::Kind::Integer;
    seeds.low = 1;
    seeds.high = 5;
    out.push_back({"seed", Group::Training, Type::Integer, std::to_string(b.seed), std::move(seeds)});
    out.push_back({"shuffle", Group::Training, Type::Word, b.shuffle ? "true" : "false", choiceFor("shuffle", {"true", "false"})});
  }
  out.push_back({"precision", Group::Training, Type::Word, std::string(precisionName(settings->precision)), choiceFor("precision", {"float32", "bf16"})});
  if (training != recipes.end()) addLayer(*training, out);
  for (const LiveScalar& l : settings->live) {
    if (isRate(l) && l.tensor == rate->tensor) continue;
    SweepParameter range = rangeFor(l.name, l.value, false);
    if (l.minimum < l.maximum) {
      range.low = l.minimum;
      range.high = l.maximum;
      range.kind = l.logarithmic && l.minimum > 0 ? SweepParameter::Kind::Log : SweepParameter::Kind::Uniform;
    }
    out.push_back({l.name, Group::Live, Type::Number, numberText(l.value), std::move(range)});
  }
  for (const NamedValue& n : namedValuesOf(meta)) addName(n, out);
  for (const Recipe& r : recipes)
    if (!r.trains()) addLayer(r, out);
  return out;
}

std::vector<DocumentParameter> documentParameters(const MetaGraph& meta) {
  std::vector<DocumentParameter> out = everyParameter(meta);
  const std::vector<FollowedField> followed = followedFieldsOf(meta);
  std::erase_if(out, [&](const DocumentParameter& p) {
    return p.group != Group::Name && std::any_of(followed.begin(), followed.end(), [&](const FollowedField& f) { return f.field == p.name; });
  });
  return out;
}

Status setDocumentParameters(MetaGraph& meta, std::vector<Error>& problems, const SweepPoint& parameters) {
  const size_t before = problems.size();
  std::vector<std::pair<std::string, std::string>> later;
  const auto named = [](Status status, const std::string& name, const std::string& text) -> Status {
    if (status.ok() || status.error().message.find(name) != std::string::npos) return status;
    Error error = status.error();
    error.message = name + " = " + text + ": " + error.message;
    return error;
  };
  {
    GraphEditor editor(meta, problems);
    LayerEditor layers(editor);
    bool changed = false;
    // A new optimizer keeps what it knows of the old one's parameters, so it comes first.
    for (const bool optimizers : {true, false})
      for (const auto& [name, text] : parameters) {
        if ((name == "optimizer") != optimizers) continue;
        const size_t count = later.size();
        WEFT_TRY(named(setParameter(layers, name, text, &later), name, text));
        changed = changed || later.size() == count;
      }
    if (changed) WEFT_TRY(finishEdit(layers));
  }
  if (problems.size() > before) return problems.back();
  for (const auto& [name, text] : later) WEFT_TRY(named(setLaterParameter(meta, name, text), name, text));
  if (later.empty() || !hasExpressions(meta)) return {};
  GraphEditor editor(meta, problems);
  LayerEditor layers(editor);
  WEFT_TRY(finishEdit(layers));
  return problems.size() > before ? Status(problems.back()) : Status();
}

}  // namespace weft
