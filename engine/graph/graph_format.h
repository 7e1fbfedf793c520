#pragma once

#include <string_view>

#include "weft/graph.h"

namespace weft {

/// The format of a graph file, by its content. Errors are of kind "unrecognized" or "not_downloaded".
Result<GraphFormat> detectGraphFormat(std::string_view bytes);

}  // namespace weft
