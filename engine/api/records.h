#pragma once

#include <functional>

#include "weft/api.h"
#include "weft/builder.h"

namespace weft::api {

/// Helpers for writing the modules' records.
namespace records {
using Parameters = std::vector<ApiParameter>;
using Built = Result<Values>;

ApiParameter required(std::string name, std::string type, std::string doc);
/// `choices` empty: any value of the type.
ApiParameter optional(std::string name, std::string type, Argument otherwise, std::string doc, std::vector<std::string> choices = {});
/// The scope's name, as every layer has it.
ApiParameter nameParameter();
Values one(Output o);
/// `source` empty: tf.NAME of TensorFlow 1.15.
void add(ApiRegistry& r, std::string name, std::string summary, std::string returns, Parameters parameters,
         std::function<Built(GraphBuilder&, const Arguments&)> build, std::optional<ApiRecipe> recipe = {}, std::string source = {});
}  // namespace records

// The modules' records; called once by the registry.
void registerLayers(ApiRegistry& registry);
void registerMerging(ApiRegistry& registry);
void registerSequences(ApiRegistry& registry);
void registerFunctions(ApiRegistry& registry);
void registerMetrics(ApiRegistry& registry);
void registerTraining(ApiRegistry& registry);
void registerKeras(ApiRegistry& registry);  ///< Layers of Keras models: keras_layer.h

/// The functions of tf.*: calls those below.
void registerApi(ApiRegistry& registry);
void registerOpFunctions(ApiRegistry& registry);
void registerArrays(ApiRegistry& registry);
void registerMath(ApiRegistry& registry);
void registerChecks(ApiRegistry& registry);
void registerRandom(ApiRegistry& registry);
void registerNn(ApiRegistry& registry);
void registerConvolutions(ApiRegistry& registry);
void registerLosses(ApiRegistry& registry);
void registerMetricFunctions(ApiRegistry& registry);
void registerLayerFunctions(ApiRegistry& registry);
void registerImages(ApiRegistry& registry);
void registerSparse(ApiRegistry& registry);
void registerStrings(ApiRegistry& registry);
void registerLinearAlgebra(ApiRegistry& registry);

}  // namespace weft::api
