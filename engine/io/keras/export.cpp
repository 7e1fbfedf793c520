#include <algorithm>
#include <map>
#include <set>

#include "io/keras/exporter.h"
#include "io/keras/importer.h"
#include "kernel/hdf5_library.h"
#include "proto/meta_graph.pb.h"
#include "proto/text.h"
#include "weft/defects.h"
#include "weft/keras.h"
#include "weft/op_traits.h"
#include "weft/saved_model.h"

// Keras 2 and 3 both read the form that TensorFlow 1.15 writes: attributes of bytes, a group per layer in `model_weights`, names of weights that end in ":0".

namespace weft::keras_io {
namespace {

constexpr size_t kMostInAttribute = 64512;  // an object header's limit, less what the attribute itself takes

/// A list of names; one that is too long for an attribute becomes NAME0, NAME1, …
void addNames(Hdf5Item& group, const std::string& attribute, const std::vector<std::string>& names) {
  size_t width = 1;
  for (const std::string& name : names) width = std::max(width, name.size());
  const size_t each = std::max<size_t>(1, kMostInAttribute / width);
  if (names.size() <= each) {
    group.attributes.push_back({attribute, names, true});
    return;
  }
  for (size_t at = 0, part = 0; at < names.size(); at += each, ++part)
    group.attributes.push_back(
        {attribute + std::to_string(part), {names.begin() + ptrdiff_t(at), names.begin() + ptrdiff_t(std::min(at + each, names.size()))}, true});
}

class Exporter {
 public:
  Exporter(const MetaGraph& meta, const ModelExport& what, std::string_view bytes) : meta_(meta), what_(what), bytes_(bytes), recipes_(recipesOf(meta)) {}

  Result<std::string> run() {
    Json origin = Json::parse(originText(), nullptr, false);
    if (origin.is_object() && textIn(origin, "fingerprint") == fingerprint(recipes_)) return asRead(origin);
    return fromLayers(origin);
  }

 private:
  std::string originText() const {
    const auto at = meta_.collections.find(kOrigin);
    return at == meta_.collections.end() || at->second.bytes.empty() ? std::string() : at->second.bytes[0];
  }

  Result<Tensor> valueOf(const std::string& variable) const {
    if (what_.values) return what_.values(variable);
    const Node* n = meta_.graph.find(variable);
    if (!n) return failedPrecondition("the graph has no variable '", variable, "'");
    for (const auto* end : {"/Initializer/initial_value", "/initial_value"})
      if (const Node* value = meta_.graph.find(variable + end); value && isConstant(*value))
        if (const Attr* attr = value->attrs.find("value"))
          if (const auto* tensor = std::get_if<Tensor>(&attr->value)) return *tensor;
    return failedPrecondition("the variable '", variable, "' has no value yet: --restore PREFIX takes values from a checkpoint").atNode(variable);
  }

  static void addHead(Hdf5Item& root, Hdf5Item& model, const std::string& version, const std::string& config, const std::string& training) {
    for (Hdf5Item* item : {&root, &model}) {
      item->attributes.push_back({"keras_version", {version}});
      item->attributes.push_back({"backend", {"tensorflow"}});
    }
    root.attributes.push_back({"model_config", {config}});
    if (!training.empty()) root.attributes.push_back({"training_config", {training}});
  }

  /// The file as it was, with other values.
  Result<std::string> asRead(const Json& origin) {
    Hdf5Item root;
    Hdf5Item& model = root.at("model_weights");
    WEFT_LET(Json config, parseConfig(textIn(origin, "model_config"), "model_config"));
    dropInitializerTypes(config);
    addHead(root, model, textIn(origin, "keras_version"), config.dump(-1, ' ', true, Json::error_handler_t::replace), textIn(origin, "training_config"));
    std::vector<std::string> layers;
    const Json* stored = field(origin, "layers");
    for (const Json& layer : stored ? *stored : Json::array()) {
      if (!layer.is_array() || layer.size() != 2 || !layer[0].is_string() || !layer[1].is_array()) continue;
      layers.push_back(layer[0]);
      Hdf5Item& group = model.at(layers.back());
      std::vector<std::string> names;
      for (const Json& weight : layer[1]) {
        if (!weight.is_array() || weight.size() != 2 || !weight[0].is_string() || !weight[1].is_string()) continue;
        names.push_back(weight[0]);
        WEFT_LET(group.at(names.back()).value, valueOf(weight[1]));
      }
      addNames(model.at(layers.back()), "weight_names", names);
    }
    addNames(model, "layer_names", layers);
    const Json* had = field(origin, "has_optimizer");
    if (!textIn(origin, "training_config").empty() && ((had && *had == true) || what_.values))
      warn("the optimizer's state is not written: a training of the file starts with a fresh one");
    return writeHdf5(root);
  }

  void warn(std::string text) const {
    if (what_.warnings) what_.warnings->push_back(std::move(text));
  }

  /// A name in the model for a scope or an input: without slashes, and no other's.
  std::string layerName(std::string scope) {
    std::replace(scope.begin(), scope.end(), '/', '_');
    std::string name = scope;
    for (int i = 1; !taken_.insert(name).second; ++i) name = concat(scope, "_", i);
    return name;
  }

  /// The tensor that took the place of one that a signature names: a layer that was built again has another output.
  std::string current(const std::string& tensor) const {
    size_t output = 0;
    if (layerOf(tensor, &output)) return tensor;
    for (const Recipe& r : recipes_)
      if (!r.trains() && tensor.starts_with(r.scope + "/") && r.outputs.size() == 1) return r.outputs[0];
    return tensor;
  }

  /// Where tensors stand in a list that the document keeps of its file.
  std::map<std::string, size_t> places(const Json* list) const {
    std::map<std::string, size_t> out;
    if (!list || !list->is_array()) return out;
    for (const Json& tensor : *list)
      if (tensor.is_string()) out.try_emplace(current(tensor.get<std::string>()), out.size());
    return out;
  }
  /// Sorts by these places; tensors that have none come last.
  static void sortBy(const std::map<std::string, size_t>& places, auto& list, const auto& tensorOf) {
    const auto place = [&](const auto& item) {
      const auto at = places.find(tensorOf(item));
      return at == places.end() ? places.size() : at->second;
    };
    std::stable_sort(list.begin(), list.end(), [&](const auto& a, const auto& b) { return place(a) < place(b); });
  }

  const Recipe* layerOf(const std::string& tensor, size_t* output) const {
    for (const Recipe& r : recipes_) {
      if (r.trains()) continue;
      const auto at = std::find(r.outputs.begin(), r.outputs.end(), tensor);
      if (at == r.outputs.end()) continue;
      *output = size_t(at - r.outputs.begin());
      return &r;
    }
    return nullptr;
  }

  bool isFed(const std::string& tensor) const {
    const auto o = meta_.graph.findOutput(tensor);
    return o.ok() && isFeedPoint(*meta_.graph.node(o->node));
  }

  static bool isTraining(const Recipe& r) {
    return r.trains() || r.kind.starts_with("keras.losses.") || r.kind.starts_with("keras.metrics.") || r.kind.starts_with("losses.") ||
           r.kind.starts_with("metrics.") || r.kind.starts_with("summary.");
  }

  /// What a layer is called with: a call of a layer or an input, as `inbound_nodes` names it.
  Result<Json> reference(const std::string& tensor, const std::string& reader) {
    size_t output = 0;
    if (const Recipe* r = layerOf(tensor, &output)) {
      WEFT_TRY(addLayer(*r));
      const auto& [name, call] = calls_.at(r->scope);
      return Json{name, call, output, Json::object()};
    }
    const auto o = meta_.graph.findOutput(tensor);
    if (!o.ok()) return o.error();
    const Node& n = *meta_.graph.node(o->node);
    if (!isFeedPoint(n))
      return unimplemented("the input '", tensor, "' of the layer '", reader, "' is computed by '", n.name, "' (", n.op, "), which is no layer").atNode(n.name);
    auto [known, added] = inputs_.try_emplace(n.name);
    if (added) {
      const std::string name = known->second = layerName(n.name);
      Json shape = Json::array();
      const Shape s = meta_.graph.shape(*o);
      if (!s.hasRank()) return unimplemented("the input '", n.name, "' has an unknown rank").atNode(n.name);
      for (const int64_t d : s.dims()) shape.push_back(d < 0 ? Json(nullptr) : Json(d));
      const Json config = {{"batch_input_shape", shape}, {"dtype", dtypeName(baseType(meta_.graph.dtype(*o)))}, {"sparse", false}, {"name", name}};
      layers_.push_back({{"name", name}, {"class_name", "InputLayer"}, {"config", config}, {"inbound_nodes", Json::array()}});
      inputRefs_.emplace_back(tensor, Json{name, 0, 0});
      layerNames_.push_back(name);
      model_->at(name);
      addNames(model_->at(name), "weight_names", {});
    }
    return Json{inputs_.at(n.name), 0, 0, Json::object()};
  }

  Status addLayer(const Recipe& r) {
    if (calls_.count(r.scope)) return {};
    if (++depth_ > 5000) return invalidArgument("the layers read each other in a circle").atNode(r.scope);
    const ApiRecord* record = ApiRegistry::instance().findLayer(r.kind);
    if (!record) return unimplemented("the layer '", r.scope, "' (", r.kind, ") is not known").atNode(r.scope);
    // A layer that shares another's variables is another call of it.
    const auto shares = r.parameters.find("shares");
    const bool shared = shares != r.parameters.end() && !shares->second.empty();
    if (shared) {
      const auto first = std::find_if(recipes_.begin(), recipes_.end(), [&](const Recipe& other) { return other.scope == shares->second; });
      if (first == recipes_.end())
        return invalidArgument("the layer '", r.scope, "' shares the variables of '", shares->second, "', which is no layer").atNode(r.scope);
      WEFT_TRY(addLayer(*first));
    }
    Json node = Json::array();
    const auto ports = layerInputs(*record);
    for (size_t i = 0; i < r.inputs.size(); ++i) {
      const std::string port = i < ports.size() ? ports[i].name : "inputs";
      if (port == "training" || port == "training_tensor" || r.inputs[i].empty()) continue;
      if (port != "inputs" && port != "ids" && port != "tensor" && port != "features")
        return unimplemented("the layer '", r.scope, "' (", r.kind, ") has no counterpart in Keras: its input ", port).atNode(r.scope);
      WEFT_LET(Json ref, reference(r.inputs[i], r.scope));
      node.push_back(std::move(ref));
    }
    if (node.empty()) return failedPrecondition("the layer '", r.scope, "' has no input").atNode(r.scope);
    if (shared) {
      auto& [name, call] = calls_.at(shares->second);
      int count = 0;
      for (Json& layer : layers_)
        if (layer["name"] == name) {
          layer["inbound_nodes"].push_back(node);
          count = int(layer["inbound_nodes"].size()) - 1;
        }
      calls_[r.scope] = {name, count};
      return {};
    }
    const std::string name = layerName(r.scope);
    WEFT_LET(const KerasLayerConfig made, layerConfig(r, name));
    calls_[r.scope] = {name, 0};
    layers_.push_back({{"name", name}, {"class_name", made.className}, {"config", made.config}, {"inbound_nodes", Json::array({node})}});
    layerNames_.push_back(name);
    std::vector<std::string> names;
    for (const std::string& weight : made.weights) {
      const std::string variable = r.scope + "/" + weight;
      if (!meta_.graph.find(variable)) continue;
      names.push_back(name + "/" + weight + ":0");
      WEFT_LET(model_->at(name).at(names.back()).value, valueOf(variable));
    }
    addNames(model_->at(name), "weight_names", names);
    return {};
  }

  /// A functional model of the document's layers.
  Result<std::string> fromLayers(const Json& origin) {
    if (std::none_of(recipes_.begin(), recipes_.end(), [](const Recipe& r) { return !isTraining(r); }))
      return unimplemented("the graph has no layers, which a Keras model is made of; only ops");
    Hdf5Item root, model;
    model_ = &model;
    WEFT_LET(std::vector<std::string> ends, outputs());
    // The file's order, which a signature does not keep.
    if (what_.outputs.empty()) sortBy(places(field(origin, "outputs")), ends, [](const std::string& tensor) { return tensor; });
    Json inputRefs = Json::array(), outputRefs = Json::array();
    for (const std::string& tensor : ends) {
      size_t output = 0;
      if (!layerOf(tensor, &output) && !isFed(tensor)) return unimplemented("the output '", tensor, "' is no layer's");
      WEFT_LET(const Json ref, reference(tensor, ""));
      outputRefs.push_back({ref[0], ref[1], ref[2]});
    }
    sortBy(places(field(origin, "inputs")), inputRefs_, [](const auto& input) { return input.first; });
    for (auto& [tensor, ref] : inputRefs_) inputRefs.push_back(std::move(ref));
    if (std::any_of(recipes_.begin(), recipes_.end(), [](const Recipe& r) { return r.trains(); }))
      warn("loss, metrics and optimizer are not written: compile the model before it is trained");
    const Json config = {{"class_name", "Model"},
                         {"config", {{"name", "model"}, {"layers", layers_}, {"input_layers", inputRefs}, {"output_layers", outputRefs}}}};
    addNames(model, "layer_names", layerNames_);
    const std::string version = origin.is_object() ? textIn(origin, "keras_version", "2.2.4-tf") : "2.2.4-tf";
    addHead(root, model, version.empty() ? "2.2.4-tf" : version, config.dump(-1, ' ', true, Json::error_handler_t::replace), "");
    model.name = "model_weights";
    root.children.push_back(std::move(model));
    return writeHdf5(root);
  }

  /// The outputs that are asked for, those of the signature, or of the layers that no other layer reads.
  Result<std::vector<std::string>> outputs() const {
    std::vector<std::string> out;
    for (const std::string& tensor : what_.outputs) out.push_back(tensor.find(':') == tensor.npos ? tensor + ":0" : tensor);
    if (!out.empty()) return out;
    if (const auto signatures = signaturesOf(bytes_); signatures.ok())
      for (const ModelSignature& s : *signatures)
        if (s.key == "serving_default")
          for (const auto& [key, tensor] : s.outputs) out.push_back(current(tensor));
    size_t output = 0;
    std::erase_if(out, [&](const std::string& tensor) { return !layerOf(tensor, &output) && !isFed(tensor); });
    if (std::any_of(out.begin(), out.end(), [&](const std::string& tensor) { return layerOf(tensor, &output) != nullptr; })) return out;
    out.clear();
    std::set<std::string> read;
    for (const Recipe& r : recipes_)
      if (!isTraining(r)) read.insert(r.inputs.begin(), r.inputs.end());
    for (const Recipe& r : recipes_)
      if (!isTraining(r) && std::none_of(r.outputs.begin(), r.outputs.end(), [&](const std::string& t) { return read.count(t); }) && !r.outputs.empty())
        out.push_back(r.outputs[0]);
    if (out.empty()) return invalidArgument("the graph has no output: every layer is read by another");
    return out;
  }

  const MetaGraph& meta_;
  const ModelExport& what_;
  std::string_view bytes_;
  std::vector<Recipe> recipes_;
  Hdf5Item* model_ = nullptr;
  Json layers_ = Json::array();
  std::vector<std::pair<std::string, Json>> inputRefs_;  // tensor and how `input_layers` names it
  std::vector<std::string> layerNames_;
  std::set<std::string> taken_;                               // names of layers and inputs
  std::map<std::string, std::string> inputs_;                 // node -> its name in the model
  std::map<std::string, std::pair<std::string, int>> calls_;  // scope -> name of the layer and number of the call
  int depth_ = 0;
};

}  // namespace
}  // namespace weft::keras_io

namespace weft {

Result<std::string> graphToKeras(std::string_view metaGraph, const ModelExport& what) {
  WEFT_LET(const LoadedGraph loaded, openGraphBytes(std::make_shared<const std::string>(metaGraph), ""));
  return keras_io::Exporter(loaded.meta, what, metaGraph).run();
}

}  // namespace weft
