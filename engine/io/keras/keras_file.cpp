#include "io/keras/keras_file.h"

#include <cstring>

#include "io/inspect/report.h"

// A Keras file has a group per layer, in the root or below `model_weights`, whose attribute `weight_names` lists its datasets by their paths. The root's
// attributes `model_config` and `training_config` are JSON; a file of weights alone has neither.

namespace weft::keras_io {
namespace {

constexpr int kDeepestConfig = 200;

using inspect::bad;
using inspect::Hdf5File;
using inspect::Hdf5Object;

std::string textOf(const Hdf5Object& object, const char* attribute) {
  const auto at = object.attributes.find(attribute);
  return at == object.attributes.end() || at->second.empty() ? std::string() : at->second[0];
}

Result<std::vector<StoredWeight>> weightsOf(const Hdf5File& file, uint64_t address) {
  WEFT_LET(const Hdf5Object group, file.read(address));
  std::vector<StoredWeight> out;
  for (const std::string& name : namesOf(group, "weight_names")) {
    WEFT_LET(Hdf5Object dataset, file.find(address, name));
    out.push_back({name, std::move(dataset)});
  }
  return out;
}

}  // namespace

Tensor turnedRound(const Tensor& kernel) {
  const Shape& shape = kernel.shape();
  if (shape.rank() < 3) return kernel;
  int64_t places = 1;
  for (int d = 0; d < shape.rank() - 2; ++d) places *= shape.dim(d);
  Tensor out = Tensor::zeros(kernel.dtype(), shape);
  const size_t bytes = places > 0 ? kernel.bytes() / size_t(places) : 0;
  for (int64_t i = 0; i < places; ++i)
    std::memcpy(static_cast<char*>(out.mutableRaw()) + size_t(i) * bytes, static_cast<const char*>(kernel.raw()) + size_t(places - 1 - i) * bytes, bytes);
  return out;
}

Result<Json> parseConfig(const std::string& text, const std::string& name) {
  bool tooDeep = false;
  const auto keep = [&](int depth, Json::parse_event_t, Json&) {
    tooDeep = tooDeep || depth > kDeepestConfig;
    return !tooDeep;
  };
  Json out = Json::parse(text, keep, false);
  if (tooDeep) return invalidArgument("the ", name, " is nested more than ", kDeepestConfig, " deep").ofKind("invalid_model");
  return out;
}

std::vector<std::string> namesOf(const Hdf5Object& object, const std::string& attribute) {
  if (const auto whole = object.attributes.find(attribute); whole != object.attributes.end()) return whole->second;
  std::vector<std::string> out;
  for (int i = 0;; ++i) {
    const auto chunk = object.attributes.find(attribute + std::to_string(i));
    if (chunk == object.attributes.end()) return out;
    out.insert(out.end(), chunk->second.begin(), chunk->second.end());
  }
}

Result<KerasFile> KerasFile::open(std::string_view bytes) {
  KerasFile out;
  WEFT_LET(out.file, Hdf5File::open(bytes));
  WEFT_LET(const Hdf5Object root, out.file.read(out.file.root()));
  uint64_t modelAddress = out.file.root();
  if (const auto at = root.children.find("model_weights"); at != root.children.end()) modelAddress = at->second;
  WEFT_LET(const Hdf5Object model, out.file.read(modelAddress));
  const auto either = [&](const char* attribute) {
    std::string text = textOf(root, attribute);
    return text.empty() ? textOf(model, attribute) : text;
  };
  out.version = either("keras_version");
  out.backend = either("backend");
  out.modelConfig = textOf(root, "model_config");
  out.trainingConfig = textOf(root, "training_config");
  const std::vector<std::string> layers = namesOf(model, "layer_names");
  if (layers.empty() && out.version.empty()) return bad("unrecognized", "HDF5, but no Keras model: the file has neither layer_names nor keras_version");
  for (const std::string& layer : layers) {
    // The group of a layer "conv1/bn" lies in a group "conv1".
    WEFT_LET(const uint64_t address, out.file.addressOf(modelAddress, layer));
    WEFT_LET(auto weights, weightsOf(out.file, address));
    out.layers.push_back({layer, std::move(weights)});
  }
  if (const auto at = root.children.find("optimizer_weights"); at != root.children.end()) {
    out.hasOptimizer = true;
    // Only what a training would go on from: a damaged part is no reason to refuse the model.
    if (auto weights = weightsOf(out.file, at->second); weights.ok()) out.optimizer = std::move(*weights);
  }
  return out;
}

}  // namespace weft::keras_io
