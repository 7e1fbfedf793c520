#include "graph/wire.h"
#include "io/inspect/format.h"
#include "io/keras/archive.h"
#include "weft/hdf5.h"
#include "weft/keras.h"

namespace weft::inspect {
namespace {

Json textOrNull(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Status reportLayers(Report& r, const keras_io::KerasFile& file) {
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

Status reportKeras(Report& r) {
  r.setKind("keras_h5");
  WEFT_LET(const std::string_view bytes, r.content());
  WEFT_LET(const keras_io::KerasFile file, keras_io::KerasFile::open(bytes));
  return reportLayers(r, file);
}

Status reportArchive(Report& r) {
  r.setKind("keras");
  WEFT_LET(const std::string_view bytes, r.content());
  WEFT_LET(const keras_io::KerasArchive archive, keras_io::KerasArchive::open(bytes));
  if (!archive.weights) r.problem("missing_file", "the archive has no model.weights.h5");
  WEFT_TRY(reportLayers(r, archive.file));
  r.json["compiled"] = !archive.compileConfig.empty();
  return {};
}

/// keras_metadata.pb beside a saved_model.pb: field 1 is an object, with a version (1 or 6), number (2), path (3), kind (4) and configuration as JSON (5).
struct KerasObject {
  std::string path, kind, config;
};

std::optional<KerasObject> kerasObjectOf(std::string_view bytes) {
  KerasObject out;
  WireReader in(bytes);
  while (const auto f = in.next()) {
    if (f->number > 6 || f->type != (f->number == 2 ? 0 : 2)) return std::nullopt;
    if (f->number == 3) out.path = f->bytes;
    if (f->number == 4) out.kind = f->bytes;
    if (f->number == 5) out.config = f->bytes;
  }
  return out.kind.starts_with("_tf_keras_") && in.ok() ? std::optional(out) : std::nullopt;
}

bool isKerasMetadata(Report& r) {
  if (!r.isFile() || !r.starts("\n") || r.isText()) return false;
  WireReader in(r.bytes());
  const auto first = in.next();
  return first && first->number == 1 && first->type == 2 && kerasObjectOf(first->bytes);
}

Status reportMetadata(Report& r) {
  r.setKind("keras_metadata");
  WEFT_LET(const std::string_view bytes, r.content());
  r.json["objects"] = Json::array();
  WireReader in(bytes);
  while (const auto f = in.next()) {
    const auto object = f->number == 1 && f->type == 2 ? kerasObjectOf(f->bytes) : std::nullopt;
    if (!object) return bad("malformed", "object ", r.json["objects"].size(), " is damaged");
    Json one = {{"path", object->path}, {"type", object->kind}, {"class_name", nullptr}, {"name", nullptr}};
    if (const auto config = keras_io::parseConfig(object->config, "configuration"); config.ok())
      for (const char* key : {"class_name", "name"})
        if (config->contains(key) && (*config)[key].is_string()) one[key] = (*config)[key];
    r.json["objects"].push_back(std::move(one));
  }
  if (!in.ok()) return bad("truncated", "the file ends within object ", r.json["objects"].size());
  return {};
}

/// All datasets, by their paths.
Result<std::vector<NamedTensor>> datasetsOf(Report& r, std::shared_ptr<const std::string> bytes) {
  WEFT_LET(const auto reader, Hdf5Reader::fromBytes(std::move(bytes)));
  std::vector<NamedTensor> out;
  for (size_t i = 0; i < reader->datasets().size(); ++i) {
    const Hdf5Dataset& d = reader->datasets()[i];
    auto tensor = reader->read(i);
    if (tensor.ok()) out.emplace_back(d.name, std::move(*tensor));
    else r.problem("unsupported", concat(d.name, " is not read: ", tensor.error().message));
  }
  return out;
}

Result<LoadedGraph> graphOfKeras(Report& r, std::vector<std::string>* warnings) {
  WEFT_LET(const std::string_view bytes, r.content());
  return graphOfImport(r, kerasToGraph(bytes), warnings);
}

}  // namespace

extern const Format kKerasFormat;
const Format kKerasFormat{{"keras_h5", WEFT_TRANSLATED("FileKinds", "Keras HDF5"), WEFT_TRANSLATED("FileKinds", "Layers and weights of a Keras model."),
                           ".h5 .hdf5", "application/x-hdf", false, true, true, true, true},
                          [](Report& r) { return r.starts("\x89HDF\r\n\x1a\n"); },
                          reportKeras,
                          graphOfKeras,
                          graphToKeras,
                          [](Report& r) -> Result<std::vector<NamedTensor>> {
                            WEFT_LET(const std::string_view bytes, r.content());
                            return datasetsOf(r, std::make_shared<const std::string>(bytes));
                          }};

extern const Format kKerasArchiveFormat;
const Format kKerasArchiveFormat{{"keras", WEFT_TRANSLATED("FileKinds", "Keras archive"),
                                  WEFT_TRANSLATED("FileKinds", "Layers and weights of a model that Keras 3 saved."), ".keras", "", false, true, false, true},
                                 [](Report& r) { return keras_io::KerasArchive::looksLike(r.head()); },
                                 reportArchive,
                                 graphOfKeras,
                                 nullptr,
                                 [](Report& r) -> Result<std::vector<NamedTensor>> {
                                   WEFT_LET(const std::string_view bytes, r.content());
                                   WEFT_LET(const keras_io::KerasArchive archive, keras_io::KerasArchive::open(bytes));
                                   if (!archive.weights) return std::vector<NamedTensor>();
                                   return datasetsOf(r, archive.weights);
                                 }};

extern const Format kKerasMetadataFormat;
const Format kKerasMetadataFormat{{"keras_metadata", WEFT_TRANSLATED("FileKinds", "Keras metadata"),
                                   WEFT_TRANSLATED("FileKinds", "Configurations of the layers of the SavedModel beside it."), ""},
                                  isKerasMetadata,
                                  reportMetadata};

}  // namespace weft::inspect
