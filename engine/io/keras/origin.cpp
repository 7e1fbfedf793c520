// What a document keeps of the file that it came from, so that it can be written again as it was.
#include "base/crc32c.h"
#include "io/keras/importer.h"

namespace weft::keras_io {

std::string fingerprint(const std::vector<Recipe>& recipes) {
  std::string all;
  for (const Recipe& r : recipes) {
    if (r.trains() || r.kind.starts_with("keras.losses.") || r.kind.starts_with("keras.metrics.")) continue;
    all += r.scope + "|" + r.kind;
    for (const auto& [name, text] : r.parameters)
      if (!name.starts_with('~')) all += "|" + name + "=" + text;
    for (const std::string& input : r.inputs) all += "|" + input;
    all += "\n";
  }
  return std::to_string(crc32c(all)) + "-" + std::to_string(all.size());
}

void Importer::keepOrigin() {
  Json variables = Json::object();
  for (const Json& layer : storedUnder_)
    for (const Json& weight : layer) variables[weight[0].get<std::string>()] = weight[1];
  Json layers = Json::array();
  for (const StoredLayer& layer : file_.layers) {
    Json weights = Json::array();
    for (const StoredWeight& w : layer.weights)
      if (const Json* variable = field(variables, w.name.c_str())) weights.push_back({w.name, *variable});
    layers.push_back({layer.name, std::move(weights)});
  }
  const auto names = [&](const std::vector<std::pair<std::string, Output>>& tensors) {
    Json out = Json::array();
    for (const auto& [name, tensor] : tensors) out.push_back(meta_.graph.tensorName(tensor));
    return out;
  };
  const Json origin = {
      {"keras_version", file_.version},      {"backend", file_.backend}, {"model_config", file_.modelConfig}, {"training_config", file_.trainingConfig},
      {"has_optimizer", file_.hasOptimizer}, {"inputs", names(inputs_)}, {"outputs", names(outputs_)},        {"layers", std::move(layers)},
      {"fingerprint", fingerprint(recipes_)}};
  Collection& c = meta_.collections[kOrigin];
  c.kind = Collection::Kind::Bytes;
  c.bytes = {origin.dump(-1, ' ', true, Json::error_handler_t::replace)};
}

}  // namespace weft::keras_io
