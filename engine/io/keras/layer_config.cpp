// Layers of a document in Keras's words: those that came from Keras, and those of tf.layers that have a counterpart.
#include <map>

#include "api/keras_layer.h"
#include "io/keras/exporter.h"
#include "io/keras/importer.h"

namespace weft::keras_io {
namespace {

/// Weights of the layers, in Keras's order.
const std::vector<std::string>& weightsOf(const std::string& className) {
  static const std::map<std::string, std::vector<std::string>> kWeights = {
      {"Embedding", {"embeddings"}},
      {"BatchNormalization", {"gamma", "beta", "moving_mean", "moving_variance"}},
      {"LayerNormalization", {"gamma", "beta"}},
      {"DepthwiseConv2D", {"depthwise_kernel", "bias"}},
      {"SeparableConv1D", {"depthwise_kernel", "pointwise_kernel", "bias"}},
      {"SeparableConv2D", {"depthwise_kernel", "pointwise_kernel", "bias"}},
      {"PReLU", {"alpha"}},
      {"SimpleRNN", {"kernel", "recurrent_kernel", "bias"}},
      {"LSTM", {"kernel", "recurrent_kernel", "bias"}},
      {"GRU", {"kernel", "recurrent_kernel", "bias"}},
  };
  static const std::vector<std::string> kUsual = {"kernel", "bias"};
  const auto found = kWeights.find(className);
  return found == kWeights.end() ? kUsual : found->second;
}

Json jsonOf(const ApiParameter& p, const std::string& text) {
  if (p.type == "string") return text;
  const auto parsed = parseConfig(text, p.name);
  return !parsed.ok() || parsed->is_discarded() ? Json(text) : *parsed;
}

/// The counterpart of a layer that is not Keras's own: its class, and Keras's names for its parameters where they differ.
struct Counterpart {
  const char* className;
  std::map<std::string, std::string> fixed = {};
};
const std::map<std::string, Counterpart>& counterparts() {
  static const std::map<std::string, Counterpart> kAll = {
      {"layers.dense", {"Dense"}},
      {"layers.conv2d", {"Conv2D"}},
      {"layers.conv2d_transpose", {"Conv2DTranspose"}},
      {"layers.separable_conv2d", {"SeparableConv2D"}},
      {"layers.max_pooling2d", {"MaxPooling2D"}},
      {"layers.average_pooling2d", {"AveragePooling2D"}},
      {"layers.flatten", {"Flatten"}},
      {"layers.dropout", {"Dropout"}},
      {"layers.batch_normalization", {"BatchNormalization"}},
      {"layers.layer_norm", {"LayerNormalization"}},
      {"layers.embedding", {"Embedding"}},
      {"layers.global_average_pooling", {"GlobalAveragePooling2D"}},
      {"layers.global_max_pooling", {"GlobalMaxPooling2D"}},
      {"layers.add", {"Add"}},
      {"layers.subtract", {"Subtract"}},
      {"layers.multiply", {"Multiply"}},
      {"layers.average", {"Average"}},
      {"layers.maximum", {"Maximum"}},
      {"layers.minimum", {"Minimum"}},
      {"layers.concatenate", {"Concatenate"}},
      {"nn.relu", {"Activation", {{"activation", "relu"}}}},
      {"nn.sigmoid", {"Activation", {{"activation", "sigmoid"}}}},
      {"nn.tanh", {"Activation", {{"activation", "tanh"}}}},
      {"nn.softmax", {"Activation", {{"activation", "softmax"}}}},
      {"nn.elu", {"Activation", {{"activation", "elu"}}}},
      {"nn.selu", {"Activation", {{"activation", "selu"}}}},
      {"nn.softplus", {"Activation", {{"activation", "softplus"}}}},
      {"nn.softsign", {"Activation", {{"activation", "softsign"}}}},
  };
  return kAll;
}

Result<KerasLayerConfig> wrapped(const Recipe& r, KerasLayerConfig out) {
  const auto text = r.parameters.find("layer");
  const Json* before = field(out.config, "layer");
  const std::string call = text == r.parameters.end() ? "" : text->second;
  Recipe inner;
  inner.kind = "keras." + call.substr(0, call.find('('));
  const ApiRecord* record = ApiRegistry::instance().findLayer(inner.kind);
  if (!record) return unimplemented("the layer '", r.scope, "' wraps '", call, "', which has no counterpart in Keras").atNode(r.scope);
  WEFT_LET(const auto parameters, api::keras::innerParameters(call));
  for (const auto& [key, value] : parameters) inner.parameters[key] = value;
  const Json* own = before ? field(*before, "config") : nullptr;
  if (own) inner.parameters["~keras"] = own->dump();
  std::string lower = out.config["name"];
  lower += "_inner";
  WEFT_LET(const KerasLayerConfig made, layerConfig(inner, own ? textIn(*own, "name", lower) : lower));
  // Keras 3 looks for the class in this module.
  out.config["layer"] = {{"module", "keras.layers"}, {"class_name", made.className}, {"config", made.config}, {"registered_name", nullptr}};
  if (out.className == "TimeDistributed") {
    out.weights = made.weights;
    return out;
  }
  const auto nameOf = [&](const char* key, const char* otherwise) {
    const auto given = r.parameters.find(key);
    return given == r.parameters.end() || given->second.empty() ? otherwise + std::string(made.className == "SimpleRNN" ? "simple_rnn"
                                                                                          : made.className == "GRU"     ? "gru"
                                                                                                                        : "lstm")
                                                                : given->second;
  };
  out.weights.clear();
  for (const std::string& side : {nameOf("forward_name", "forward_"), nameOf("backward_name", "backward_")})
    for (const std::string& weight : made.weights) out.weights.push_back(side + "/" + weight);
  return out;
}

}  // namespace

void dropInitializerTypes(Json& config, int depth) {
  if (depth > 64) return;
  if (config.is_array())
    for (Json& item : config) dropInitializerTypes(item, depth + 1);
  if (!config.is_object()) return;
  for (auto& [key, value] : config.items()) {
    if (!key.ends_with("_initializer")) dropInitializerTypes(value, depth + 1);
    else if (Json* own = value.is_object() && value.contains("config") ? &value["config"] : nullptr; own && own->is_object()) own->erase("dtype");
  }
}

Result<KerasLayerConfig> layerConfig(const Recipe& r, const std::string& name) {
  KerasLayerConfig out;
  const auto none = [&](const auto&... why) {
    return unimplemented("the layer '", r.scope, "' (", r.kind, ") has no counterpart in Keras", why...).atNode(r.scope);
  };
  const auto counterpart = counterparts().find(r.kind);
  const bool own = r.kind.starts_with("keras.") && r.kind.find('.', 6) == std::string::npos;
  if (!own && counterpart == counterparts().end()) return none();
  out.className = own ? r.kind.substr(6) : counterpart->second.className;
  if (const auto kept = r.parameters.find("~keras"); kept != r.parameters.end()) {
    WEFT_LET(out.config, parseConfig(kept->second, concat("configuration of the layer '", r.scope, "'")));
  }
  if (!out.config.is_object()) out.config = Json::object();
  out.config["name"] = name;
  dropInitializerTypes(out.config);
  // What TensorFlow 1.15 writes and Keras 3 does not know; these layers have no kernel but a depthwise and a pointwise one.
  if (const Json* major = field(out.config, "time_major"); major && *major == false) out.config.erase("time_major");
  if (out.className.starts_with("Separable") || out.className == "DepthwiseConv2D")
    for (const char* key : {"kernel_initializer", "kernel_regularizer", "kernel_constraint"}) out.config.erase(key);
  const ApiRecord* record = ApiRegistry::instance().findLayer(r.kind);
  if (!record) return none();
  const bool fresh = !r.parameters.count("~keras");
  for (const ApiParameter& p : record->parameters) {
    const bool inner =
        p.type == "tensor" || p.type == "tensors" || p.name == "name" || p.name == "shares" || p.name == "layer" || p.name.ends_with("ward_name");
    if (inner) continue;
    const auto given = r.parameters.find(p.name);
    std::string text = given != r.parameters.end() ? given->second : p.otherwise ? argumentToText(*p.otherwise) : "";
    if (p.name == "training") continue;  // of tf.layers: the phase decides in Keras
    if (p.name.ends_with("activation")) {
      if (text.empty()) text = "linear";
      // Keras 3 has another hard sigmoid, under the same name.
      if (text == "hard_sigmoid_v3") {
        if (fresh) return none(": its activation is that of Keras 3");
        text = "hard_sigmoid";
      }
    }
    std::string key = p.name;
    if (p.name == "alpha" && field(out.config, "negative_slope")) key = "negative_slope";
    const bool usual = given == r.parameters.end() && p.otherwise;
    // What other versions of Keras do not know is written only where it was chosen.
    if (usual && (key == "keepdims" || key == "output_padding" || key == "dilation_rate" || !fresh)) {
      if (fresh || field(out.config, key.c_str())) continue;
      if (key == "keepdims" || key == "output_padding") continue;
    }
    if ((key == "max_value" && text.starts_with("-")) || (key == "strides" && text == "[]") || (key == "merge_mode" && text == "none")) {
      out.config[key] = nullptr;
      continue;
    }
    Json value = jsonOf(p, text);
    // One number stands for all.
    if (p.type == "ints" && value.is_array() && value.size() == 1 && key != "target_shape" && key != "dims" && key != "shared_axes" && key != "axis")
      value = Json(value[0]);
    if (key == "padding" && value.is_array() && value.size() == 4) value = {{value[0], value[1]}, {value[2], value[3]}};
    if (key == "cropping" && value.is_array() && value.size() == 4) value = {{value[0], value[1]}, {value[2], value[3]}};
    out.config[key] = std::move(value);
  }
  if (!own)
    for (const auto& [key, text] : counterpart->second.fixed) out.config[key] = text;
  out.weights = weightsOf(out.className);
  if (out.className == "Bidirectional" || out.className == "TimeDistributed") return wrapped(r, std::move(out));
  return out;
}

}  // namespace weft::keras_io
