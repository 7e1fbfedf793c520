// Configurations of Keras's layers in the words of their records.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

#include "io/keras/importer.h"

namespace weft::keras_io {
namespace {

/// Entries of a configuration that say nothing about what the layer computes.
bool isWithoutEffect(const std::string& key) {
  static const std::set<std::string> kKeys = {"name",
                                              "trainable",
                                              "dtype",
                                              "batch_input_shape",
                                              "batch_shape",
                                              "input_shape",
                                              "implementation",
                                              "input_length",
                                              "unroll",
                                              "fused",
                                              "seed",
                                              "module",
                                              "registered_name",
                                              "build_config",
                                              "input_dtype",
                                              "optional",
                                              "autocast",
                                              "use_cudnn",
                                              "sparse",
                                              "ragged",
                                              "input_dim_hint",
                                              "quantization_config",
                                              "lora_rank",
                                              "lora_alpha",
                                              "renorm_momentum",
                                              "supports_masking",
                                              "zero_output_for_mask"};
  return kKeys.count(key) > 0 || key.ends_with("_initializer");
}

/// Whether a value is what an option has that was not chosen.
bool isUsual(const std::string& key, const Json& value) {
  if (value.is_null() || (value.is_boolean() && !value.get<bool>())) return true;
  if (key == "groups") return value == 1;
  if (value.is_number()) return value == 0;
  return (value.is_string() || value.is_array() || value.is_object()) && value.empty();
}

std::string numberText(const Json& value) {
  if (value.is_number_integer()) return std::to_string(value.get<int64_t>());
  char text[40];
  return std::string(text, std::to_chars(text, text + sizeof text, value.get<double>()).ptr);
}

bool flatten(const Json& value, std::vector<int64_t>* out, int depth = 0) {
  if (value.is_number_integer()) {
    out->push_back(value.get<int64_t>());
    return true;
  }
  if (!value.is_array() || depth > 2) return false;
  for (const Json& item : value)
    if (!flatten(item, out, depth + 1)) return false;
  return true;
}

/// The text of a parameter's value; empty if the value is of another kind.
std::optional<std::string> parameterText(const ApiParameter& p, const Json& value) {
  if (p.type == "bool" && value.is_boolean()) return value.get<bool>() ? "true" : "false";
  if (p.type == "string" && value.is_string()) return value.get<std::string>();
  if (p.type == "float" && value.is_number()) return numberText(value);
  if (p.type == "int" && value.is_number()) {
    const double v = value.get<double>();
    if (v == double(int64_t(v)) && std::abs(v) < 1e15) return std::to_string(int64_t(v));
  }
  // A list of one, as newer versions write an axis.
  if (p.type == "int" && value.is_array() && value.size() == 1 && value[0].is_number_integer()) return std::to_string(value[0].get<int64_t>());
  if (p.type == "ints") {
    std::vector<int64_t> list;
    if (flatten(value, &list) && list.size() <= 16) return argumentToText(Argument(list));
  }
  return std::nullopt;
}

/// The type that a layer computes in.
std::string typeOf(const Json& config) {
  const Json* type = field(config, "dtype");
  if (!type || type->is_null()) return "float32";
  if (type->is_string()) return type->get<std::string>();
  const Json* policy = field(*type, "config");
  return policy ? textIn(*policy, "name", "float32") : "float32";
}

/// The layer within a wrapper as its parameter `layer` states it.
Result<std::string> innerText(const std::string& name, const Json& config, bool keras3, std::vector<std::string>* warnings) {
  const Json* layer = field(config, "layer");
  const Json* own = layer ? field(*layer, "config") : nullptr;
  if (!own) return invalidArgument("layer '", name, "' names no layer within").ofKind("invalid_model");
  WEFT_LET(const LayerSettings inner, layerSettings(textIn(*layer, "class_name"), *own, keras3, warnings));
  std::string out = inner.kind + "(", sep;
  for (const auto& [key, text] : inner.parameters) {
    if (text.find_first_of(",()=") != text.npos && text.front() != '[')
      return unimplemented("layer '", name, "': the value '", text, "' of ", key, " within a wrapper");
    out += sep + key + "=" + text;
    sep = ",";
  }
  return out + ")";
}

/// Whether the layer that reads backwards is the forward one in all but its direction, as Keras 3 always writes it.
bool mirrorsForward(const Json& config, const Json& backward, bool keras3) {
  const Json* forward = field(config, "layer");
  const Json* a = forward ? field(*forward, "config") : nullptr;
  const Json* b = field(backward, "config");
  if (!a || !b) return false;
  const auto there = layerSettings(textIn(*forward, "class_name"), *a, keras3, nullptr),
             back = layerSettings(textIn(backward, "class_name"), *b, keras3, nullptr);
  if (!there.ok() || !back.ok() || there->kind != back->kind) return false;
  const auto others = [](TextAttrs parameters) {
    std::erase_if(parameters, [](const auto& p) { return p.first == "go_backwards"; });
    return parameters;
  };
  return others(there->parameters) == others(back->parameters) && there->parameters.size() != back->parameters.size();
}

}  // namespace

std::string usualClass(const std::string& className) {
  static const std::map<std::string, std::string> kOthers = {
      {"MaxPool1D", "MaxPooling1D"},
      {"MaxPool2D", "MaxPooling2D"},
      {"AvgPool1D", "AveragePooling1D"},
      {"AvgPool2D", "AveragePooling2D"},
      {"GlobalMaxPool1D", "GlobalMaxPooling1D"},
      {"GlobalMaxPool2D", "GlobalMaxPooling2D"},
      {"GlobalAvgPool1D", "GlobalAveragePooling1D"},
      {"GlobalAvgPool2D", "GlobalAveragePooling2D"},
      {"Convolution1D", "Conv1D"},
      {"Convolution2D", "Conv2D"},
      {"Convolution2DTranspose", "Conv2DTranspose"},
      {"SeparableConvolution1D", "SeparableConv1D"},
      {"SeparableConvolution2D", "SeparableConv2D"},
      {"BatchNormalizationV1", "BatchNormalization"},
      {"BatchNormalizationV2", "BatchNormalization"},
      {"LSTMV2", "LSTM"},
      {"UnifiedLSTM", "LSTM"},
      {"GRUV2", "GRU"},
      {"UnifiedGRU", "GRU"},
  };
  const auto other = kOthers.find(className);
  return other == kOthers.end() ? className : other->second;
}

Result<std::string> activationOf(const Json& value, bool keras3) {
  std::string name;
  if (value.is_null()) return std::string("linear");
  if (value.is_string()) name = value.get<std::string>();
  // {"class_name": "function", "config": "relu"}
  if (value.is_object()) name = textIn(value, "config");
  if (name == "hard_sigmoid" && keras3) return std::string("hard_sigmoid_v3");
  if (name == "hard_silu") name = "hard_swish";
  const ApiRecord* record = ApiRegistry::instance().findLayer("keras.Activation");
  const auto& known = record->find("activation")->choices;
  if (std::count(known.begin(), known.end(), name)) return name;
  return unimplemented("the activation ", name.empty() ? value.dump() : "'" + name + "'", " has no counterpart here");
}

Result<LayerSettings> layerSettings(const std::string& className, const Json& config, bool keras3, std::vector<std::string>* warnings) {
  LayerSettings out;
  out.kind = usualClass(className);
  const std::string name = textIn(config, "name");
  const auto inLayer = [&](Error e) {
    e.message = concat("layer '", name, "' (", className, "): ", e.message);
    return e;
  };
  const bool isLayer = out.kind.find('.') == std::string::npos;
  out.record = isLayer ? ApiRegistry::instance().findLayer("keras." + out.kind) : nullptr;
  if (!out.record) return unimplemented("layer '", name, "' is of class '", className, "', which has no counterpart here");
  if (const std::string type = typeOf(config); type != "float32" && type != "float64" && !type.starts_with("int"))
    return inLayer(unimplemented("it computes in ", type, "; expected float32 or float64"));
  std::set<std::string> read;
  for (const ApiParameter& p : out.record->parameters) {
    if (p.type == "tensor" || p.type == "tensors" || p.name == "name" || p.name == "shares") continue;
    std::string key = p.name;
    if (p.name == "alpha" && !field(config, "alpha")) key = "negative_slope";  // LeakyReLU since Keras 3
    read.insert(key);
    if (p.name == "layer") {
      WEFT_LET(const std::string text, innerText(name, config, keras3, warnings));
      out.parameters.emplace_back(p.name, text);
      continue;
    }
    if (p.name == "forward_name" || p.name == "backward_name") {
      const Json* layer = field(config, "layer");
      const Json* own = layer ? field(*layer, "config") : nullptr;
      const std::string inner = own ? textIn(*own, "name") : "";
      if (inner.empty()) continue;
      const std::string forward = inner.starts_with("forward_") ? inner : "forward_" + inner;
      out.parameters.emplace_back(p.name, p.name == "forward_name" ? forward : "backward_" + forward.substr(8));
      continue;
    }
    const Json* value = field(config, key.c_str());
    if (p.name == "merge_mode" && value && value->is_null()) {
      out.parameters.emplace_back(p.name, "none");
      continue;
    }
    if (!value || value->is_null()) {
      if (!p.otherwise) return inLayer(invalidArgument("its configuration has no ", key).ofKind("invalid_model"));
      continue;
    }
    if (p.name.ends_with("activation")) {
      auto activation = activationOf(*value, keras3);
      if (!activation.ok()) return inLayer(activation.error());
      out.parameters.emplace_back(p.name, *activation);
      continue;
    }
    const auto text = parameterText(p, *value);
    const bool chosen = !text || p.choices.empty() || std::count(p.choices.begin(), p.choices.end(), *text);
    if (!text || !chosen) return inLayer(unimplemented(key, " is ", value->dump().substr(0, 60), ", which has no counterpart here"));
    if (const auto parsed = argumentFromText(p, *text); !parsed.ok()) return inLayer(parsed.error());
    if (p.otherwise && argumentToText(*p.otherwise) == *text) continue;
    out.parameters.emplace_back(p.name, *text);
  }
  if (!config.is_object()) return inLayer(invalidArgument("its configuration is no object").ofKind("invalid_model"));
  for (const auto& [key, value] : config.items()) {
    if (read.count(key) || isWithoutEffect(key) || isUsual(key, value)) continue;
    if (key == "backward_layer" && mirrorsForward(config, value, keras3)) continue;
    const bool onlyWhileTraining = key.ends_with("_regularizer") || key.ends_with("_constraint") || key == "dropout" || key == "recurrent_dropout";
    if (onlyWhileTraining) {
      if (warnings) warnings->push_back(concat("layer '", name, "' (", className, "): ", key, " is left out; it matters for training only"));
    } else if (!(key == "data_format" && value == "channels_last")) {
      return inLayer(unimplemented("its option ", key, " = ", value.dump().substr(0, 60), " has no counterpart here"));
    }
  }
  return out;
}

}  // namespace weft::keras_io
