#pragma once

#include "weft/api.h"

namespace weft::api {

// The modules' records; called once by the registry.
void registerLayers(ApiRegistry& registry);
void registerMerging(ApiRegistry& registry);
void registerSequences(ApiRegistry& registry);
void registerFunctions(ApiRegistry& registry);
void registerTraining(ApiRegistry& registry);

}  // namespace weft::api
