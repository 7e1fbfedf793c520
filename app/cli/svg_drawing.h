#pragma once

#include <string>
#include <vector>

#include "weft/graph.h"

namespace weft::cli {

/// The graph as the IDE draws it: scopes as boxes, closed unless `open` names them or a scope inside ("all": all of them). Uses a document's stored places.
/// NOT_FOUND names an unknown scope. Widths of texts are estimated, so no fonts are needed.
Result<std::string> svgDrawing(const MetaGraph& meta, const std::string& title, const std::vector<std::string>& open);

}  // namespace weft::cli
