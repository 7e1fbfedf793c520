#include "io/inspect/format.h"
#include "io/keras/keras_file.h"
#include "weft/hdf5.h"
#include "weft/keras.h"

namespace weft::inspect {
namespace {

Json textOrNull(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Status reportKeras(Report& r) {
  r.setKind("keras_h5");
  WEFT_LET(const std::string_view bytes, r.content());
  WEFT_LET(const keras_io::KerasFile file, keras_io::KerasFile::open(bytes));
  r.json["keras_version"] = textOrNull(file.version);
  r.json["backend"] = textOrNull(file.backend);
  r.json["class_name"] = nullptr;
  const Json parsed = Json::parse(file.modelConfig, nullptr, false);
  if (parsed.is_object() && parsed.contains("class_name") && parsed["class_name"].is_string()) r.json["class_name"] = parsed["class_name"];
  r.json["layers"] = Json::array();
  r.json["weights"] = Json::array();
  r.json["has_optimizer"] = file.hasOptimizer;
  for (const keras_io::StoredLayer& layer : file.layers) {
    r.json["layers"].push_back(layer.name);
    for (const keras_io::StoredWeight& w : layer.weights)
      r.json["weights"].push_back({{"name", w.name}, {"layer", layer.name}, {"dtype", w.dataset.type.name()}, {"shape", shapeJson(w.dataset.shape)}});
  }
  return {};
}

/// All datasets, by their paths.
Result<std::vector<NamedTensor>> datasetsOf(Report& r) {
  WEFT_LET(const std::string_view bytes, r.content());
  WEFT_LET(const auto reader, Hdf5Reader::fromBytes(std::make_shared<const std::string>(bytes)));
  std::vector<NamedTensor> out;
  for (size_t i = 0; i < reader->datasets().size(); ++i) {
    const Hdf5Dataset& d = reader->datasets()[i];
    auto tensor = reader->read(i);
    if (tensor.ok()) out.emplace_back(d.name, std::move(*tensor));
    else r.problem("unsupported", concat(d.name, " is not read: ", tensor.error().message));
  }
  return out;
}

}  // namespace

extern const Format kKerasFormat;
const Format kKerasFormat{{"keras_h5", WEFT_TRANSLATED("FileKinds", "Keras HDF5"), WEFT_TRANSLATED("FileKinds", "Layers and weights of a Keras model."),
                           ".h5 .hdf5", "application/x-hdf", false, true, true, true, true},
                          [](Report& r) { return r.starts("\x89HDF\r\n\x1a\n"); },
                          reportKeras,
                          [](Report& r) -> Result<ImportedModel> {
                            WEFT_LET(const std::string_view bytes, r.content());
                            return kerasToGraph(bytes);
                          },
                          graphToKeras,
                          datasetsOf};

}  // namespace weft::inspect
