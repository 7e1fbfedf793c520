// Keras files that tests put together from a configuration and weights.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "kernel/hdf5_library.h"

/// A group of a file and its weights: {"dense", {{"dense/kernel:0", …}, …}}.
using StoredGroup = std::pair<std::string, std::vector<std::pair<std::string, weft::Tensor>>>;

/// What a Keras file holds.
struct KerasParts {
  std::string model, training;  ///< JSON; `training` empty: not compiled.
  std::vector<StoredGroup> layers = {};
  std::vector<std::pair<std::string, weft::Tensor>> optimizer = {};
  std::string version = "2.2.4-tf";
  std::string backend = "tensorflow";
};

inline std::vector<std::string> addDatasets(weft::Hdf5Item& group, const std::vector<std::pair<std::string, weft::Tensor>>& weights) {
  std::vector<std::string> names;
  for (const auto& [name, value] : weights) {
    group.at(name).value = value;
    names.push_back(name);
  }
  return names;
}

inline std::string kerasFile(const KerasParts& parts) {
  weft::Hdf5Item root;
  root.attributes.push_back({"keras_version", {parts.version}});
  root.attributes.push_back({"backend", {parts.backend}});
  root.attributes.push_back({"model_config", {parts.model}});
  if (!parts.training.empty()) root.attributes.push_back({"training_config", {parts.training}});
  std::vector<std::string> names;
  for (const auto& [layer, weights] : parts.layers) {
    names.push_back(layer);
    weft::Hdf5Item& group = root.at("model_weights").at(layer);
    group.attributes.push_back({"weight_names", addDatasets(group, weights), true});
  }
  root.at("model_weights").attributes.push_back({"layer_names", names, true});
  if (!parts.optimizer.empty()) {
    weft::Hdf5Item& group = root.at("optimizer_weights");
    group.attributes.push_back({"weight_names", addDatasets(group, parts.optimizer), true});
  }
  auto bytes = weft::writeHdf5(root);
  return bytes.ok() ? *bytes : std::string();
}

/// A Sequential model of layers; `layers`: their JSON, separated by commas.
inline std::string sequentialModel(const std::string& layers) { return R"({"class_name": "Sequential", "config": {"name": "s", "layers": [)" + layers + "]}}"; }
/// A layer; `config` without its name.
inline std::string layerJson(const std::string& className, const std::string& name, const std::string& config) {
  return R"({"class_name": ")" + className + R"(", "config": {"name": ")" + name + "\", " + config + "}}";
}
