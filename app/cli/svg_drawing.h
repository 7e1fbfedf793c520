#pragma once

#include <string>
#include <vector>

#include "weft/graph.h"

namespace weft::cli {

/// The graph as the IDE draws it: scopes as boxes, closed unless `open` names them (and with them those around), "all" for all of them. A document's
/// places hold. NOT_FOUND names a scope that is not there. Widths of texts are estimated: no fonts are needed.
Result<std::string> svgDrawing(const MetaGraph& meta, const std::string& title, const std::vector<std::string>& open);

}  // namespace weft::cli
