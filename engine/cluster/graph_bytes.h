#pragma once

#include <string>

#include "weft/graph.h"

namespace weft::cluster {

/// The serialised GraphDef of a graph's nodes whose ids are at least `first`, with its versions and functions.
Result<std::string> graphBytes(const Graph& graph, int first = 0);

}  // namespace weft::cluster
