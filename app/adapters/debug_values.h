// The engine's side of debug_feeds.h: only sources in app/adapters include this.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "weft/graph.h"
#include "weft/tensor.h"

namespace weft::app {

/// Nodes whose results nothing uses, without savers, initialisers and updates. A run without explicit fetches computes these.
std::vector<std::string> sinksOf(const Graph& graph);

/// The tensor and value of "x:0=WORD". WORD is a value (see tensorFromWord); or `zeros`, `ones`, `random` (0 to 1; integers 0 to 9) or `normal`, followed by
/// the shape where the placeholder leaves it open (`random[2,64]`); or `sample` or `sample:N`: the first N rows (default: a batch) of the document's data
/// binding. Errors are attached to the tensor's node. `folder`: the document's.
Result<std::pair<std::string, Tensor>> feedFromWord(const MetaGraph& meta, const std::string& word, const std::string& folder);

}  // namespace weft::app
