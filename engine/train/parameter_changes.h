// One parameter of a document, by name.
#pragma once

#include <string>
#include <vector>

#include "weft/document_parameters.h"
#include "weft/recipes.h"

namespace weft {

/// Sets a parameter as setDocumentParameters() does, or adds it to `later`: settings beside the graph, which setLaterParameter() sets once the layers are finished.
Status setParameter(LayerEditor& layers, const std::string& name, const std::string& text, TextAttrs* later);
/// Training settings, live scalars and fed tensors.
Status setLaterParameter(MetaGraph& meta, const std::string& name, const std::string& text);

/// documentParameters() with fields that follow an expression.
std::vector<DocumentParameter> everyParameter(const MetaGraph& meta);

}  // namespace weft
