// Loss, metrics and optimizer of a compiled model. What cannot be taken over is a warning: the model itself is whole without it.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "api/keras_layer.h"
#include "io/keras/importer.h"
#include "weft/edit.h"

namespace weft::keras_io {
namespace {

/// The name of a loss or metric: "mse", {"class_name": "MeanSquaredError"} and {"class_name": "function", "config": "mse"} are mean_squared_error.
std::string usualName(const Json& value) {
  std::string name = value.is_string() ? value.get<std::string>() : textIn(value, "class_name");
  if (name == "function") name = textIn(value, "config");
  std::string snake;
  for (size_t i = 0; i < name.size(); ++i) {
    const bool big = name[i] >= 'A' && name[i] <= 'Z';
    if (big && i > 0 && name[i - 1] >= 'a' && name[i - 1] <= 'z') snake += '_';
    snake += big ? char(name[i] + 32) : name[i];
  }
  static const std::map<std::string, std::string> kOthers = {{"mse", "mean_squared_error"},
                                                             {"mae", "mean_absolute_error"},
                                                             {"mape", "mean_absolute_percentage_error"},
                                                             {"msle", "mean_squared_logarithmic_error"},
                                                             {"kld", "kullback_leibler_divergence"},
                                                             {"kl_divergence", "kullback_leibler_divergence"},
                                                             {"kldivergence", "kullback_leibler_divergence"},
                                                             {"cosine", "cosine_similarity"},
                                                             {"cosine_proximity", "cosine_similarity"},
                                                             {"log_cosh", "logcosh"},
                                                             {"huber", "huber_loss"},
                                                             {"acc", "accuracy"},
                                                             {"sparse_categorical_cross_entropy", "sparse_categorical_crossentropy"}};
  const auto other = kOthers.find(snake);
  return other == kOthers.end() ? snake : other->second;
}

std::string textOf(double v) {
  char text[40];
  return std::string(text, std::to_chars(text, text + sizeof text, v).ptr);
}

std::optional<double> numberIn(const Json& object, const char* key) {
  const Json* value = field(object, key);
  return value && value->is_number() ? std::optional(value->get<double>()) : std::nullopt;
}

/// What one output is trained for: the part of `all` that is its own.
const Json* partOf(const Json* all, const std::string& name, size_t index, size_t count) {
  if (!all || all->is_null()) return nullptr;
  if (all->is_object() && !field(*all, "class_name")) return field(*all, name.c_str());
  if (all->is_array()) return index < all->size() ? &(*all)[index] : nullptr;
  return all->is_string() || all->is_object() || count == 1 ? all : nullptr;
}

/// The optimizer in Weft's words.
Result<LayerEditor::Training> optimizerOf(const Json& config, std::vector<std::string>* warnings) {
  LayerEditor::Training out;
  const std::string name = textIn(config, "class_name");
  const Json* own = field(config, "config");
  if (!own) return unimplemented("the optimizer has no configuration");
  const auto take = [&](const char* key, const char* parameter) {
    if (const auto v = numberIn(*own, key)) out.parameters.emplace_back(parameter, textOf(*v));
  };
  const double momentum = numberIn(*own, "momentum").value_or(0);
  if (name == "Adam") {
    out.optimizer = "Adam";
    take("beta_1", "beta1");
    take("beta_2", "beta2");
    take("epsilon", "epsilon");
    if (const Json* ams = field(*own, "amsgrad"); ams && ams->is_boolean() && ams->get<bool>()) warnings->push_back("the optimizer's amsgrad is left out");
  } else if (name == "SGD" || name == "MomentumOptimizer") {
    out.optimizer = momentum == 0 ? "GradientDescent" : "Momentum";
    if (momentum != 0) {
      take("momentum", "momentum");
      if (const Json* nesterov = field(*own, "nesterov"); nesterov && nesterov->is_boolean())
        out.parameters.emplace_back("use_nesterov", nesterov->get<bool>() ? "true" : "false");
    }
  } else if (name == "RMSprop") {
    out.optimizer = "RMSProp";
    take("rho", "decay");
    take("momentum", "momentum");
    take("epsilon", "epsilon");
    warnings->push_back("RMSprop adds epsilon below the square root here and starts from ones, so its first steps differ from Keras's");
    if (const Json* centered = field(*own, "centered"); centered && centered->is_boolean() && centered->get<bool>())
      return unimplemented("the centered RMSprop has no counterpart here");
  } else if (name == "Adagrad") {
    out.optimizer = "Adagrad";
    take("initial_accumulator_value", "initial_accumulator_value");
  } else {
    return unimplemented("the optimizer ", name, " has no counterpart here");
  }
  const Json* rate = field(*own, "learning_rate");
  if (!rate) rate = field(*own, "lr");
  if (rate && rate->is_number()) {
    out.parameters.emplace_back("learning_rate", textOf(rate->get<double>()));
  } else if (rate && rate->is_object()) {
    const Json* schedule = field(*rate, "config");
    const std::string kind = textIn(*rate, "class_name");
    if (!schedule || (kind != "ExponentialDecay" && kind != "InverseTimeDecay"))
      return unimplemented("the learning rate schedule ", kind, " has no counterpart here");
    out.decay = kind == "ExponentialDecay" ? "exponential" : "inverse_time";
    out.decaySteps = numberIn(*schedule, "decay_steps").value_or(1000);
    out.decayRate = numberIn(*schedule, "decay_rate").value_or(0.96);
    out.parameters.emplace_back("learning_rate", textOf(numberIn(*schedule, "initial_learning_rate").value_or(0.001)));
    if (const Json* stairs = field(*schedule, "staircase"); stairs && stairs->is_boolean() && stairs->get<bool>())
      warnings->push_back("the learning rate decays smoothly here, not in a staircase");
  }
  if (const double decay = numberIn(*own, "decay").value_or(0); decay > 0 && out.decay.empty()) {
    out.decay = "inverse_time";
    out.decaySteps = 1;
    out.decayRate = decay;
  }
  if (const auto norm = numberIn(*own, "global_clipnorm")) out.parameters.emplace_back("clip_global_norm", textOf(*norm));
  for (const char* key : {"clipnorm", "clipvalue", "weight_decay"})
    if (numberIn(*own, key).value_or(0) != 0) warnings->push_back(concat("the optimizer's ", key, " is left out"));
  return out;
}

/// The options of a loss in the words of its record. UNIMPLEMENTED for a reduction other than the mean; `warnings` gets the other options that have no counterpart.
Result<TextAttrs> lossOptions(const std::string& loss, const Json* options, std::vector<std::string>* warnings) {
  TextAttrs out;
  const ApiRecord* record = ApiRegistry::instance().findLayer("keras.losses." + loss);
  if (!options || !options->is_object() || !record) return out;
  for (const auto& [key, value] : options->items()) {
    if (key == "reduction") {
      const std::string kind = value.is_string() ? value.get<std::string>() : value.dump();
      // Samples have no weights here, by which the last one would divide.
      static const std::set<std::string> kMeans = {"auto", "sum_over_batch_size", "mean", "mean_with_sample_weight"};
      if (!kMeans.count(kind)) return unimplemented("the reduction ", kind, " of the loss ", loss, " has no counterpart here");
      continue;
    }
    const bool usual = value.is_null() || value == false || (value.is_number() && value == 0) || (key == "axis" && value == -1);
    if (usual || key == "name" || key == "dtype" || key == "fn") continue;
    const ApiParameter* p = key == "weight" ? nullptr : record->find(key);
    if (p && p->type == "bool" && value.is_boolean()) out.emplace_back(key, "true");
    else if (p && p->type == "float" && value.is_number()) out.emplace_back(key, textOf(value.get<double>()));
    else warnings->push_back(concat("the option ", key, " = ", value.dump().substr(0, 60), " of the loss ", loss, " is left out"));
  }
  return out;
}

/// What the labels of an accuracy are; empty: the metric is none that has a counterpart.
std::string accuracyMode(const std::string& metric, const std::string& loss, const Shape& predictions) {
  if (metric == "sparse_categorical_accuracy" || metric == "categorical_accuracy" || metric == "binary_accuracy") return metric.substr(0, metric.rfind('_'));
  if (metric != "accuracy") return "";
  if (loss == "sparse_categorical_crossentropy") return "sparse_categorical";
  return loss == "categorical_crossentropy" || predictions.dim(predictions.rank() - 1) > 1 ? "categorical" : "binary";
}

/// Replaces the initial value of a variable that has none of its own yet.
bool startsWith(GraphBuilder& b, const std::string& variable, const Tensor& value) {
  const api::VariablePtr v = api::findVariable(b, variable);
  if (!v || !(v->shape == value.shape()) || v->dtype != value.dtype()) return false;
  const auto root = b.nameScope("");
  const Output constant = b.constant(value, variable + "/Initializer/stored_value");
  b.updateInput(v->initializer, 1, constant);
  return b.ok();
}

Tensor scaled(const Tensor& in, double factor) {
  Tensor out = Tensor::zeros(in.dtype(), in.shape());
  for (int64_t i = 0; i < in.elements(); ++i) {
    if (in.dtype() == DType::Float) out.mutableData<float>()[i] = float(in.data<float>()[i] * factor);
    else if (in.dtype() == DType::Double) out.mutableData<double>()[i] = in.data<double>()[i] * factor;
  }
  return out;
}

}  // namespace

Status Importer::addTraining() {
  WEFT_LET(const Json config, parseConfig(file_.trainingConfig, "training_config"));
  const Json* losses = field(config, "loss");
  const Json* optimizer = field(config, "optimizer_config");
  if (!losses || !optimizer) return unimplemented("the training_config names no loss or no optimizer");
  WEFT_LET(LayerEditor::Training training, optimizerOf(*optimizer, &warnings_));
  GraphBuilder& b = *builder_;
  std::vector<Output> parts;
  std::vector<std::pair<std::string, std::string>> shown;
  std::set<std::string> scopes;
  const auto add = [&](const std::string& kind, std::string scope, const TextAttrs& parameters, Output labels, Output predictions) -> Result<Output> {
    LayerSettings settings{kind, ApiRegistry::instance().findLayer("keras." + kind), parameters};
    if (!settings.record) return unimplemented("'", kind.substr(kind.find('.') + 1), "' has no counterpart here");
    Arguments arguments{{"labels", labels}, {"predictions", predictions}};
    for (const auto& [name, text] : parameters) {
      const ApiParameter* p = settings.record->find(name);
      if (!p) continue;
      WEFT_LET(Argument value, argumentFromText(*p, text));
      arguments.set(name, std::move(value));
    }
    for (int i = 1; !scopes.insert(scope).second; ++i) scope += concat("_", i);
    b.extension<api::KerasContext>().scope = scope;
    const auto made = buildApi(b, *settings.record, std::move(arguments));
    b.extension<api::KerasContext>() = {};
    if (!made.ok()) return made.error();
    addRecipe(scope, settings, Json(), {labels, predictions}, made->outputs);
    return made->outputs[0];
  };
  for (size_t i = 0; i < outputs_.size(); ++i) {
    const auto& [name, predictions] = outputs_[i];
    const Json* spec = partOf(losses, name, i, outputs_.size());
    if (!spec || spec->is_null()) continue;
    const std::string loss = usualName(*spec), prefix = outputs_.size() > 1 ? name + "_" : "";
    const bool sparse = loss == "sparse_categorical_crossentropy";
    const Shape shape = b.shape(predictions);
    if (!shape.hasRank() || shape.rank() < 1) return unimplemented("the output '", name, "' has the shape ", shape.toString());
    WEFT_LET(TextAttrs parameters, lossOptions(loss, field(*spec, "config"), &warnings_));
    const Json* weight = partOf(field(config, "loss_weights"), name, i, outputs_.size());
    double factor = weight && weight->is_number() ? weight->get<double>() : 1;
    if (loss == "cosine_similarity" && file_.version.starts_with("2.2.") && file_.version.ends_with("-tf")) {
      factor = -factor;  // the record's sign is that of newer versions
      warnings_.push_back(concat("the loss cosine_similarity is positive for equal directions, as in TensorFlow 1.15; newer versions turn its sign"));
    }
    if (factor != 1) parameters.emplace_back("weight", textOf(factor));
    const Output labels = b.placeholder(sparse ? DType::Int32 : b.dtype(predictions), sparse ? shape.slice(0, shape.rank() - 1) : shape, name + "_target");
    WEFT_LET(const Output value, add("losses." + loss, prefix + "loss", parameters, labels, predictions));
    parts.push_back(value);
    const Json* metrics = field(config, "metrics");
    const bool perOutput = metrics && metrics->is_array() && !metrics->empty() && (*metrics)[0].is_array();
    const Json* own = metrics && (metrics->is_object() || perOutput) ? partOf(metrics, name, i, outputs_.size()) : metrics;
    std::vector<Json> list;
    if (own && own->is_array()) list.assign(own->begin(), own->end());
    else if (own && !own->is_null()) list.push_back(*own);
    for (const Json& metric : list) {
      std::string kind = metric.is_object() && field(metric, "config") && field(*field(metric, "config"), "fn")
                             ? usualName(*field(*field(metric, "config"), "fn"))
                             : usualName(metric);
      if (kind == loss) continue;
      if (const std::string mode = accuracyMode(kind, loss, shape); !mode.empty()) {
        TextAttrs options{{"mode", mode}};
        const Json* own = metric.is_object() ? field(metric, "config") : nullptr;
        if (const auto threshold = own ? numberIn(*own, "threshold") : std::nullopt; threshold && mode == "binary")
          options.emplace_back("threshold", textOf(*threshold));
        auto accuracy = add("metrics.accuracy", prefix + "accuracy", options, labels, predictions);
        if (!accuracy.ok()) return accuracy.error();
        if (training.accuracy.empty()) training.accuracy = meta_.graph.tensorName(*accuracy);
        else shown.emplace_back(name + " accuracy", meta_.graph.tensorName(*accuracy));
        continue;
      }
      const bool known = ApiRegistry::instance().findLayer("keras.losses." + kind) != nullptr;
      if (!known) {
        warnings_.push_back(concat("the metric '", kind, "' is left out: it has no counterpart here"));
        continue;
      }
      // As a metric, equal directions have the similarity 1.
      const TextAttrs turned = kind == "cosine_similarity" ? TextAttrs{{"weight", "-1"}} : TextAttrs{};
      WEFT_LET(const Output value2, add("losses." + kind, prefix + kind, turned, labels, predictions));
      shown.emplace_back(prefix + kind, meta_.graph.tensorName(value2));
    }
  }
  if (parts.empty()) return unimplemented("none of the outputs has a loss");
  const Output total = parts.size() == 1 ? parts[0] : b.op("AddN", Inputs(parts), {}, "total_loss");
  WEFT_TRY(b.status());
  training.loss = meta_.graph.tensorName(total);
  const bool phased = phase_.valid();
  builder_.reset();
  setRecipes(meta_, recipes_);
  std::vector<Error> problems;
  GraphEditor editor(meta_, problems);
  LayerEditor layers(editor);
  WEFT_TRY(layers.addTraining(training));
  WEFT_TRY(layers.finish());
  WEFT_LET(TrainingSettings settings, trainingSettingsOf(meta_));
  if (phased) settings.trainFeed["keras_learning_phase:0"] = "true";
  settings.metrics = shown;
  setTrainingSettings(meta_, settings);
  builder_ = std::make_unique<GraphBuilder>(meta_);
  return takeSlots(training);
}

Status Importer::takeSlots(const LayerEditor::Training& training) {
  if (file_.optimizer.empty()) return {};
  GraphBuilder& b = *builder_;
  // Slots in the order of the trainable variables: Keras 2 has all first moments and then all second ones, Keras 3 both of each variable together. The counters
  // before them are scalars.
  std::vector<const StoredWeight*> slots;
  int64_t steps = 0;
  for (const StoredWeight& w : file_.optimizer) {
    if (w.dataset.shape.rank() > 0) slots.push_back(&w);
    else if (w.name.find("iter") != std::string::npos)
      if (const auto count = file_.value(w); count.ok() && count->elements() == 1 && isInteger(count->dtype())) steps = count->asInt(0);
  }
  if (steps > 0 && !training.decay.empty()) {
    const auto counter = api::variablesIn(b, "global_step");
    if (counter.empty() || !startsWith(b, counter[0]->name, Tensor::scalar(steps)))
      warnings_.push_back(concat("the ", steps, " steps of the file are left out: the learning rate starts as in the first one"));
  }
  std::vector<std::string> variables;
  for (const api::VariablePtr& v : api::variablesIn(b, "trainable_variables")) variables.push_back(v->name);
  std::vector<std::string> names;
  double factor = 1;
  const auto parameter = [&](const char* key, double otherwise) {
    double v = otherwise;
    for (const auto& [name, text] : training.parameters)
      if (name == key) std::from_chars(text.data(), text.data() + text.size(), v);
    return v;
  };
  if (training.optimizer == "Adam") names = {"Adam", "Adam_1"};
  if (training.optimizer == "Momentum") {
    names = {"Momentum"};
    factor = -1 / std::max(1e-30, parameter("learning_rate", 0.01));  // Keras's momentum holds the step, TensorFlow's the gradients
  }
  if (training.optimizer == "Adagrad") names = {"Adagrad"};
  if (names.empty() || slots.size() != names.size() * variables.size()) {
    if (!names.empty() || training.optimizer == "RMSProp") warnings_.push_back("the optimizer's state is left out: a training starts with a fresh one");
    return {};
  }
  for (size_t k = 0; k < slots.size(); ++k) {
    const size_t variable = keras3_ ? k / names.size() : k % variables.size(), slot = keras3_ ? k % names.size() : k / variables.size();
    WEFT_LET(const Tensor value, file_.value(*slots[k]));
    // Slots lie in the scope of the training.
    const std::string name = concat("train/", variables[variable], "/", names[slot]);
    const bool taken =
        startsWith(b, name, factor == 1 ? value : scaled(value, factor)) || startsWith(b, name.substr(6), factor == 1 ? value : scaled(value, factor));
    if (!taken) return b.ok() ? Status(unimplemented("the optimizer's weight '", slots[k]->name, "' fits no slot of ", variables[variable])) : b.status();
  }
  if (training.optimizer == "Adam") {
    const std::pair<const char*, double> powers[] = {{"beta1_power", std::pow(parameter("beta1", 0.9), double(steps + 1))},
                                                     {"beta2_power", std::pow(parameter("beta2", 0.999), double(steps + 1))}};
    for (const auto& [name, value] : powers) {
      const Tensor t = Tensor::scalar(float(value));
      if (!startsWith(b, concat("train/", name), t) && !startsWith(b, name, t)) warnings_.push_back(concat("the optimizer's ", name, " is left out"));
    }
  }
  return b.status();
}

}  // namespace weft::keras_io
