#include "io/inspect/format.h"
#include "io/inspect/hdf5.h"

// A Keras file has a group per layer, in the root or below `model_weights`, whose attribute `weight_names` lists its datasets by their paths.

namespace weft::inspect {
namespace {

/// A list of names; long ones are split into NAME0, NAME1, …
std::vector<std::string> names(const Hdf5Object& object, const std::string& attribute) {
  if (const auto whole = object.attributes.find(attribute); whole != object.attributes.end()) return whole->second;
  std::vector<std::string> out;
  for (int i = 0;; ++i) {
    const auto chunk = object.attributes.find(attribute + std::to_string(i));
    if (chunk == object.attributes.end()) return out;
    out.insert(out.end(), chunk->second.begin(), chunk->second.end());
  }
}

Json textOf(const Hdf5Object& object, const std::string& attribute) {
  const auto at = object.attributes.find(attribute);
  return at == object.attributes.end() || at->second.empty() ? Json(nullptr) : Json(at->second[0]);
}

Status reportKeras(Report& r) {
  r.setKind("keras_h5");
  WEFT_LET(const std::string_view bytes, r.content());
  WEFT_LET(const Hdf5File file, Hdf5File::open(bytes));
  WEFT_LET(const Hdf5Object root, file.read(file.root()));
  uint64_t modelAddress = file.root();
  if (const auto at = root.children.find("model_weights"); at != root.children.end()) modelAddress = at->second;
  WEFT_LET(const Hdf5Object model, file.read(modelAddress));
  const auto either = [&](const char* attribute) {
    Json text = textOf(root, attribute);
    return text.is_null() ? textOf(model, attribute) : text;
  };
  r.json["keras_version"] = either("keras_version");
  r.json["backend"] = either("backend");
  r.json["class_name"] = nullptr;
  if (const Json config = textOf(root, "model_config"); config.is_string()) {
    const Json parsed = Json::parse(config.get<std::string>(), nullptr, false);
    if (parsed.is_object() && parsed.contains("class_name")) r.json["class_name"] = parsed["class_name"];
  }
  const std::vector<std::string> layers = names(model, "layer_names");
  if (layers.empty() && r.json["keras_version"].is_null())
    return bad("unrecognized", "HDF5, but no Keras model: the file has neither layer_names nor keras_version");
  r.json["layers"] = layers;
  r.json["weights"] = Json::array();
  r.json["has_optimizer"] = root.children.count("optimizer_weights") > 0;
  for (const std::string& layer : layers) {
    WEFT_LET(const Hdf5Object group, file.find(modelAddress, layer));
    const auto address = model.children.find(layer);
    for (const std::string& weight : names(group, "weight_names")) {
      if (address == model.children.end()) continue;
      WEFT_LET(const Hdf5Object dataset, file.find(address->second, weight));
      r.json["weights"].push_back({{"name", weight}, {"layer", layer}, {"dtype", dataset.type.name()}, {"shape", shapeJson(dataset.shape)}});
    }
  }
  return {};
}

}  // namespace

extern const Format kKerasFormat;
const Format kKerasFormat{{"keras_h5", WEFT_TRANSLATED("FileKinds", "Keras HDF5"), WEFT_TRANSLATED("FileKinds", "Layers and weights of a Keras model."),
                           ".h5 .hdf5", "application/x-hdf", false, false},
                          [](Report& r) { return r.starts("\x89HDF\r\n\x1a\n"); },
                          reportKeras};

}  // namespace weft::inspect
