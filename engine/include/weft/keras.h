#pragma once

#include <string>
#include <string_view>

#include "weft/error.h"
#include "weft/export.h"
#include "weft/model_import.h"

namespace weft {

/// Rebuilds a Keras model (HDF5 of Keras 2 and 3, or the ZIP archive of Keras 3) as a graph of layers that can be edited, with variables under Keras's names whose initial values are the
/// file's weights; the op `init` gives them to the variables. Errors name the layer and its class: UNIMPLEMENTED for layers and options without a
/// counterpart, INVALID_ARGUMENT for configurations and weights that do not fit each other.
WEFT_API Result<ImportedModel> kerasToGraph(std::string_view bytes);

/// Writes a graph of layers as a Keras model (HDF5): one that came from Keras and was not changed with its own configuration, any other as a functional
/// model. Errors name the layer: UNIMPLEMENTED where it has no counterpart in Keras, FAILED_PRECONDITION for a variable without a value.
WEFT_API Result<std::string> graphToKeras(std::string_view metaGraph, const ModelExport& what);

}  // namespace weft
