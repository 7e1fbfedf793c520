// Writes a graph of layers as a Keras model.
#pragma once

#include <nlohmann/json.hpp>

#include "weft/recipes.h"

namespace weft::keras_io {

using Json = nlohmann::ordered_json;

/// A layer of a document in Keras's words.
struct KerasLayerConfig {
  std::string className;
  Json config;                       ///< With its name.
  std::vector<std::string> weights;  ///< Names of the variables within the layer's scope, in Keras's order; those that do not exist are left out.
};
/// Takes the type out of the configurations of initializers: TensorFlow 1.15 writes it, Keras 3 refuses it, and neither needs it.
void dropInitializerTypes(Json& config, int depth = 0);
/// UNIMPLEMENTED names the layer and its kind.
Result<KerasLayerConfig> layerConfig(const Recipe& recipe, const std::string& name);

}  // namespace weft::keras_io
