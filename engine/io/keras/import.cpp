#include <algorithm>

#include "api/keras_layer.h"
#include "api/recipe_parts.h"
#include "graph/attr_proto.h"
#include "io/foreign_model.h"
#include "io/inspect/report.h"
#include "io/keras/archive.h"
#include "io/keras/importer.h"
#include "proto/convert.h"
#include "proto/meta_graph.pb.h"
#include "weft/keras.h"

// A model's configuration lists its layers and, unless they are a chain, which tensors each of them is called with. Every call becomes a layer of the document
// (api/keras_layer.h), in a scope of the layer's name. Weights are stored in the order in which a layer makes its variables; they become the variables'
// initial values.

namespace weft::keras_io {
namespace {

constexpr int kDeepestModel = 16;
constexpr int kMostCalls = 20000;

bool isModel(const std::string& className) { return className == "Sequential" || className == "Model" || className == "Functional"; }

Error invalidModel(const auto&... parts) { return invalidArgument(parts...).ofKind("invalid_model"); }

/// A layer's name as a scope.
std::string scopeName(const std::string& name) {
  std::string out;
  for (const char c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.';
    if (out.empty() && !letter) continue;
    out += letter || c == '-' || c == '/' ? c : '_';
  }
  while (!out.empty() && out.back() == '/') out.pop_back();
  return out.empty() ? "layer" : out;
}

std::optional<std::tuple<std::string, int64_t, int64_t>> historyOf(const Json& list) {
  if (!list.is_array() || list.size() < 3 || !list[0].is_string() || !list[1].is_number_integer() || !list[2].is_number_integer()) return std::nullopt;
  return std::tuple(list[0].get<std::string>(), list[1].get<int64_t>(), list[2].get<int64_t>());
}

/// All tensors that a part of `inbound_nodes` names, in order. Keras 2 writes lists [layer, call, output, arguments], Keras 3 objects with a `keras_history`.
void collectTensors(const Json& part, std::vector<std::tuple<std::string, int64_t, int64_t>>* out, int depth = 0) {
  if (depth > 8) return;
  if (const auto key = historyOf(part)) {
    out->push_back(*key);
    return;
  }
  if (part.is_array()) {
    for (const Json& item : part) collectTensors(item, out, depth + 1);
    return;
  }
  if (!part.is_object()) return;
  if (const Json* config = field(part, "config")) {
    if (const Json* history = field(*config, "keras_history"))
      if (const auto key = historyOf(*history)) out->push_back(*key);
    return;
  }
  // Named tensors of Keras 3, which it takes in the order of their names.
  std::map<std::string, const Json*> named;
  for (const auto& [name, item] : part.items()) named[name] = &item;
  for (const auto& [name, item] : named) collectTensors(*item, out, depth + 1);
}

/// Arguments of a call that change what it computes.
Status checkArguments(const std::string& layer, const Json& arguments) {
  if (!arguments.is_object()) return {};
  for (const auto& [key, value] : arguments.items()) {
    if (value.is_null() || (value.is_boolean() && !value.get<bool>())) continue;
    if (key == "training" && value.is_boolean()) return unimplemented("layer '", layer, "' is called with training=True, which has no counterpart here");
    return unimplemented("layer '", layer, "' is called with the argument '", key, "', which has no counterpart here");
  }
  return {};
}

}  // namespace

const Json* field(const Json& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto at = object.find(key);
  return at == object.end() ? nullptr : &*at;
}

std::string textIn(const Json& object, const char* key, const std::string& otherwise) {
  const Json* value = field(object, key);
  return value && value->is_string() ? value->get<std::string>() : otherwise;
}

Importer::Importer(const KerasFile& file) : file_(file), keras3_(file.version.starts_with("3.")), builder_(std::make_unique<GraphBuilder>(meta_)) {}

Output Importer::phase() {
  if (phase_.valid()) return phase_;
  const auto root = builder_->nameScope("");
  const Output otherwise = builder_->constant(Tensor::scalar(false), "keras_learning_phase/input");
  return phase_ = builder_->op("PlaceholderWithDefault", {otherwise}, {{"shape", Shape{}}}, "keras_learning_phase");
}

Result<Output> Importer::placeholder(const std::string& name, const Json& config, Model& model) {
  const Json* dims = field(config, "batch_input_shape");
  if (!dims) dims = field(config, "batch_shape");
  if (!dims || !dims->is_array()) return invalidModel("the model states no input shape: layer '", name, "' has no batch_input_shape");
  if (const Json* sparse = field(config, "sparse"); sparse && sparse->is_boolean() && sparse->get<bool>())
    return unimplemented("the input '", name, "' is sparse");
  std::vector<int64_t> shape;
  for (const Json& d : *dims) {
    if (!d.is_null() && (!d.is_number_integer() || d.get<int64_t>() < 0 || d.get<int64_t>() > INT32_MAX))
      return invalidModel("the input '", name, "' has the shape ", dims->dump(), "; expected sizes, or null for unknown ones");
    shape.push_back(d.is_null() ? -1 : d.get<int64_t>());
  }
  if (shape.size() > 8) return invalidModel("the input '", name, "' has ", shape.size(), " dimensions; expected at most 8");
  std::string type = textIn(config, "dtype", "float32");
  if (const Json* policy = field(config, "dtype"); policy && policy->is_object())
    if (const Json* inner = field(*policy, "config")) type = textIn(*inner, "name", type);
  const DType dtype = dtypeFromName(type);
  if (dtype == DType::Invalid) return unimplemented("the input '", name, "' has the type '", type, "'");
  const auto root = builder_->nameScope("");
  const Output x = builder_->placeholder(dtype, Shape(shape), model.prefix + scopeName(name));
  WEFT_TRY(builder_->status());
  return x;
}

Result<Importer::Weights> Importer::weightsOf(const Layer& layer, const Model& model) const {
  Weights out;
  if (model.depth == 0) {
    for (const StoredLayer& stored : file_.layers)
      if (stored.name == layer.name)
        for (const StoredWeight& w : stored.weights) out.push_back(&w);
    return out;
  }
  // The weights of a nested model lie together, named after its layers. Of the layers "conv" and "conv/bn", the path "conv/bn/gamma:0" is the second one's.
  const auto names = [](std::string_view path, const std::string& name) {
    return path.size() > name.size() && path[name.size()] == '/' && path.starts_with(name);
  };
  std::vector<const std::string*> longer;
  for (auto other = model.layerNames.lower_bound(layer.name + "/"); other != model.layerNames.end() && names(*other, layer.name); ++other)
    longer.push_back(&*other);
  for (const StoredWeight* w : model.weights) {
    std::string_view path = w->name;
    while (!path.empty()) {
      if (names(path, layer.name) && std::none_of(longer.begin(), longer.end(), [&](const std::string* other) { return names(path, *other); })) {
        out.push_back(w);
        break;
      }
      path.remove_prefix(std::min(path.find('/'), path.size() - 1) + 1);
    }
  }
  return out;
}

Result<std::vector<Output>> Importer::apply(const Layer& layer, size_t call, Model& model, const std::vector<Output>& inputs) {
  if (++calls_ > kMostCalls) return resourceExhausted("the model calls more than ", kMostCalls, " layers").ofKind("too_large");
  WEFT_LET(const Weights weights, weightsOf(layer, model));
  const std::string own = scopeName(layer.name), again = call == 0 ? own : concat(own, "_call_", call);
  if (isModel(layer.className)) {
    Model inner;
    inner.title = layer.name;
    inner.prefix = model.prefix + again + "/";
    inner.shares = model.shares || call > 0;
    inner.sharedPrefix = (model.shares ? model.sharedPrefix : model.prefix) + own + "/";
    inner.depth = model.depth + 1;
    inner.weights = weights;
    return anyModel(layer.className, *layer.config, inner, inputs);
  }
  WEFT_LET(const LayerSettings settings, layerSettings(layer.className, *layer.config, keras3_, &warnings_));
  LayerSettings full = settings;
  if (model.shares || call > 0) full.parameters.emplace_back("shares", (model.shares ? model.sharedPrefix : model.prefix) + own);
  if (const Json* trainable = field(*layer.config, "trainable");
      layer.className == "BatchNormalization" && trainable && *trainable == false && file_.version.starts_with("2.2.") && !file_.trainingConfig.empty())
    warnings_.push_back(concat("layer '", layer.name,
                               "' (BatchNormalization) is not trainable: in a training it normalizes by its moving averages here, and by the ",
                               "batch in Keras ", file_.version, " of TensorFlow 1"));
  GraphBuilder& b = *builder_;
  const std::string scope = model.prefix + again;
  const auto failed = [&](Error e) {
    e.message = concat("layer '", layer.name, "' (", layer.className, "): ", e.message);
    return e;
  };
  Arguments arguments;
  bool list = false;
  for (const ApiParameter& p : full.record->parameters) {
    if (p.type == "tensors") {
      arguments.set(p.name, inputs);
      list = true;
    } else if (p.name == "inputs") {
      if (inputs.size() != 1) return failed(unimplemented("it is called with ", inputs.size(), " tensors; expected one"));
      arguments.set(p.name, inputs[0]);
    } else if (p.name == "training") {
      arguments.set(p.name, phase());
    }
  }
  for (const auto& [name, text] : full.parameters) {
    const ApiParameter* p = full.record->find(name);
    WEFT_LET(Argument value, argumentFromText(*p, text));
    arguments.set(name, std::move(value));
  }
  size_t next = 0;
  Json stored = Json::array();
  auto& context = b.extension<api::KerasContext>();
  context.scope = scope;
  context.initial = [&](const std::string& variable, const Shape& shape) -> Result<Tensor> {
    if (next >= weights.size())
      return invalidModel("it has ", weights.size(), " weights in the file, but also needs '", variable, "' of shape ", shape.toString());
    const StoredWeight& w = *weights[next++];
    if (!(w.dataset.shape == shape))
      return invalidModel("the weight '", w.name, "' has the shape ", w.dataset.shape.toString(), "; expected ", shape.toString());
    WEFT_LET(Tensor value, file_.value(w));
    if (value.dtype() != DType::Float && value.dtype() != DType::Double)
      return unimplemented("the weight '", w.name, "' is of type ", dtypeName(value.dtype()), "; expected float32 or float64");
    stored.push_back({w.name, variable});
    // Theano convolves with kernels that are turned round. Keras turns them when it reads such a file.
    const bool isKernel = next == 1 && (layer.className == "Conv1D" || layer.className == "Conv2D" || layer.className == "Conv2DTranspose");
    return file_.backend == "theano" && isKernel ? turnedRound(value) : value;
  };
  auto made = buildApi(b, *full.record, std::move(arguments));
  b.extension<api::KerasContext>() = {};
  if (!made.ok()) return failed(made.error());
  if (call == 0 && !model.shares && next != weights.size()) return failed(invalidModel("it has ", weights.size(), " weights in the file; expected ", next));
  std::vector<Output> tensors = inputs;
  if (!list && full.record->find("training")) tensors.push_back(phase());
  if (!stored.empty()) storedUnder_.push_back(std::move(stored));
  addRecipe(scope, full, *layer.config, tensors, made->outputs);
  return made->outputs;
}

void Importer::addRecipe(const std::string& scope, const LayerSettings& settings, const Json& config, const std::vector<Output>& inputs,
                         const std::vector<Output>& outputs) {
  const Graph& graph = meta_.graph;
  Recipe r;
  r.scope = scope;
  r.kind = settings.record->name;
  for (const auto& [name, text] : settings.parameters) r.parameters[name] = text;
  std::string seenIn, seenOut;
  for (const Output o : inputs) {
    r.inputs.push_back(graph.tensorName(o));
    seenIn += dtypeName(baseType(graph.dtype(o))) + graph.shape(o).toString() + ";";
  }
  for (const Output o : outputs) {
    r.outputs.push_back(graph.tensorName(o));
    seenOut += graph.shape(o).toString() + ";";
  }
  r.parameters[recipes::kSeenIn] = seenIn;
  r.parameters[recipes::kSeenOut] = seenOut;
  if (!config.is_null()) r.parameters["~keras"] = config.dump();
  recipes_.push_back(std::move(r));
}

Result<std::vector<Output>> Importer::anyModel(const std::string& className, const Json& config, Model& model, const std::vector<Output>& given) {
  if (model.depth > kDeepestModel) return invalidModel("models are nested more than ", kDeepestModel, " deep");
  return className == "Sequential" ? sequential(config, model, given) : functional(config, model, given);
}

Result<std::vector<Output>> Importer::sequential(const Json& config, Model& model, const std::vector<Output>& given) {
  const Json* layers = config.is_array() ? &config : field(config, "layers");
  if (!layers || !layers->is_array() || layers->empty()) return invalidModel("the configuration of the model '", model.title, "' has no layers");
  std::vector<Output> now = given;
  for (const Json& entry : *layers)
    if (const Json* own = field(entry, "config")) model.layerNames.insert(textIn(*own, "name"));
  for (const Json& entry : *layers) {
    const Json* own = field(entry, "config");
    Layer layer{own ? textIn(*own, "name") : "", usualClass(textIn(entry, "class_name")), own, {}};
    if (!own || layer.className.empty() || (layer.name.empty() && !isModel(layer.className)))
      return invalidModel("a layer of the model '", model.title, "' has no class_name, name or config");
    if (layer.className == "InputLayer") {
      if (!now.empty()) continue;
      WEFT_LET(const Output x, placeholder(layer.name, *own, model));
      inputs_.emplace_back(layer.name, x);
      now = {x};
      continue;
    }
    if (now.empty()) {
      const std::string name = layer.name + "_input";
      Json shape = *own;
      // Models that were built by being called state the shape once.
      if (!field(shape, "batch_input_shape") && !field(shape, "batch_shape"))
        if (const Json* built = field(config, "build_input_shape")) shape["batch_input_shape"] = *built;
      // A model begins with another one: the input is that one's.
      for (int depth = 0; isModel(layer.className) && depth < kDeepestModel && !field(shape, "batch_input_shape") && !field(shape, "batch_shape"); ++depth) {
        const Json* inner = field(shape, "layers");
        if (!inner || !inner->is_array() || inner->empty() || !field((*inner)[0], "config")) break;
        shape = Json(*field((*inner)[0], "config"));
      }
      WEFT_LET(const Output x, placeholder(name, shape, model));
      inputs_.emplace_back(name, x);
      now = {x};
    }
    WEFT_LET(now, apply(layer, 0, model, now));
  }
  if (now.empty()) return invalidModel("the model '", model.title, "' has no layers but inputs");
  return now;
}

Result<std::vector<Output>> Importer::functional(const Json& config, Model& model, const std::vector<Output>& given) {
  const Json* list = field(config, "layers");
  if (!list || !list->is_array()) return invalidModel("the configuration of the model '", model.title, "' has no layers");
  std::vector<Layer> layers;
  std::vector<TensorKey> ends, begins;
  if (const Json* outputs = field(config, "output_layers")) collectTensors(*outputs, &ends);
  if (const Json* inputs = field(config, "input_layers")) collectTensors(*inputs, &begins);
  if (ends.empty() || begins.empty()) return invalidModel("the configuration of the model '", model.title, "' names no inputs or no outputs");
  if (!given.empty() && given.size() != begins.size())
    return invalidModel("the model '", model.title, "' is called with ", given.size(), " tensors; expected ", begins.size());
  for (size_t i = 0; i < given.size(); ++i) model.tensors[begins[i]] = given[i];
  std::map<std::string, const Json*> inputs;
  for (const Json& entry : *list) {
    const Json* own = field(entry, "config");
    const std::string name = textIn(entry, "name", own ? textIn(*own, "name") : "");
    model.layerNames.insert(name);
    if (own && usualClass(textIn(entry, "class_name")) == "InputLayer") inputs[name] = own;
  }
  const auto addInput = [&](const std::string& name, const Json& own) -> Status {
    const TensorKey key{name, 0, 0};
    if (model.tensors.count(key)) return {};
    WEFT_LET(const Output x, placeholder(name, own, model));
    inputs_.emplace_back(name, x);
    model.tensors[key] = x;
    return {};
  };
  // The graph has its inputs in the order in which the model takes them.
  for (const TensorKey& key : begins)
    if (const auto input = inputs.find(std::get<0>(key)); input != inputs.end() && given.empty()) WEFT_TRY(addInput(input->first, *input->second));
  for (const Json& entry : *list) {
    const Json* own = field(entry, "config");
    Layer layer{textIn(entry, "name", own ? textIn(*own, "name") : ""), usualClass(textIn(entry, "class_name")), own, {}};
    if (!own || layer.className.empty() || layer.name.empty())
      return invalidModel("a layer of the model '", model.title, "' has no class_name, name or config");
    if (layer.className == "InputLayer") {
      WEFT_TRY(addInput(layer.name, *own));
      continue;
    }
    const Json* nodes = field(entry, "inbound_nodes");
    if (!nodes || !nodes->is_array()) return invalidModel("layer '", layer.name, "' has no inbound_nodes");
    for (const Json& node : *nodes) {
      Call call;
      if (const Json* arguments = field(node, "args")) {
        collectTensors(*arguments, &call.inputs);
        if (const Json* named = field(node, "kwargs")) WEFT_TRY(checkArguments(layer.name, *named));
      } else {
        collectTensors(node, &call.inputs);
        if (node.is_array())
          for (const Json& tensor : node)
            if (tensor.is_array() && tensor.size() > 3) WEFT_TRY(checkArguments(layer.name, tensor[3]));
      }
      if (call.inputs.empty()) return invalidModel("a call of layer '", layer.name, "' names no inputs");
      layer.calls.push_back(std::move(call));
    }
    layers.push_back(std::move(layer));
  }
  // Keras 2 counts the calls of a model within from 1 on.
  std::map<std::string, int64_t> most;
  const auto note = [&](const TensorKey& key) { most[std::get<0>(key)] = std::max(most[std::get<0>(key)], std::get<1>(key)); };
  for (const TensorKey& key : ends) note(key);
  for (const Layer& layer : layers)
    for (const Call& call : layer.calls)
      for (const TensorKey& key : call.inputs) note(key);
  // Layers are not listed in the order of their calls if one of them is shared.
  bool again = true;
  while (again) {
    again = false;
    for (Layer& layer : layers) {
      for (size_t c = 0; c < layer.calls.size(); ++c) {
        Call& call = layer.calls[c];
        const bool ready = std::all_of(call.inputs.begin(), call.inputs.end(), [&](const TensorKey& key) { return model.tensors.count(key) > 0; });
        if (call.done || !ready) continue;
        if (c > 0 && !layer.calls[0].done) continue;  // the first call makes the variables
        std::vector<Output> inputs;
        for (const TensorKey& key : call.inputs) inputs.push_back(model.tensors[key]);
        WEFT_LET(const std::vector<Output> made, apply(layer, c, model, inputs));
        for (size_t i = 0; i < made.size(); ++i)
          model.tensors[{layer.name, int64_t(c) + (most[layer.name] == int64_t(layer.calls.size()) ? 1 : 0), int64_t(i)}] = made[i];
        call.done = again = true;
      }
    }
  }
  std::vector<Output> out;
  for (const TensorKey& key : ends) {
    const auto found = model.tensors.find(key);
    if (found == model.tensors.end())
      return invalidModel("the output of layer '", std::get<0>(key), "' of the model '", model.title,
                          "' cannot be computed: a tensor that it needs is missing");
    out.push_back(found->second);
    if (model.depth == 0) outputs_.emplace_back(std::get<0>(key), found->second);
  }
  return out;
}

Result<ImportedModel> Importer::run() {
  if (file_.modelConfig.empty())
    return unimplemented("the file holds weights only: it has no model_config that says which layers they belong to").ofKind("unrecognized");
  if (file_.version.starts_with("1.")) return unimplemented("the file is of Keras ", file_.version, "; expected one of Keras 2 or 3").ofKind("unsupported");
  WEFT_LET(const Json config, parseConfig(file_.modelConfig, "model_config"));
  const Json* inner = field(config, "config");
  const std::string className = textIn(config, "class_name");
  if (!inner) return invalidModel("the model_config is not a JSON object with class_name and config");
  if (!isModel(className)) return unimplemented("the model is of class '", className, "'; expected Sequential or Functional");
  Model model;
  model.title = textIn(*inner, "name", "model");
  WEFT_LET(const std::vector<Output> outputs, anyModel(className, *inner, model, {}));
  if (outputs_.empty())
    for (const Output o : outputs) outputs_.emplace_back(recipes_.empty() ? "output" : recipes_.back().scope, o);
  WEFT_TRY(builder_->status());
  setRecipes(meta_, recipes_);
  keepOrigin();
  if (!file_.trainingConfig.empty()) {
    // The model is whole without its training.
    MetaGraph without = meta_;
    const std::vector<std::string> warnings = warnings_;
    if (const Status trains = addTraining(); !trains.ok()) {
      meta_ = std::move(without);
      warnings_ = warnings;
      warnings_.push_back(kTrainingLeftOut + trains.error().message);
      builder_ = std::make_unique<GraphBuilder>(meta_);
    }
  }
  // A training has its own op that initializes.
  if (!trainingSettingsOf(meta_).ok()) api::globalVariablesInitializer(*builder_);
  WEFT_TRY(builder_->status());
  return servedModel(std::move(meta_), inputs_, outputs_, std::move(warnings_));
}

}  // namespace weft::keras_io

namespace weft {

Result<ImportedModel> kerasToGraph(std::string_view bytes) {
  if (keras_io::KerasArchive::looksLike(bytes)) {
    WEFT_LET(const keras_io::KerasArchive archive, keras_io::KerasArchive::open(bytes));
    WEFT_LET(ImportedModel model, keras_io::Importer(archive.file).run());
    if (!archive.compileConfig.empty()) model.warnings.push_back("the training is not taken over: only that of an HDF5 file is");
    return model;
  }
  WEFT_LET(const keras_io::KerasFile file, keras_io::KerasFile::open(bytes));
  return keras_io::Importer(file).run();
}

}  // namespace weft
