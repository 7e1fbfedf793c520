// The engine's side of debug_feeds.h: only sources in app/adapters include this.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "weft/graph.h"
#include "weft/tensor.h"

namespace weft::app {

/// Nodes whose results nothing takes: what a run without wishes computes. Savers, initialisers and updates are left out.
std::vector<std::string> sinksOf(const Graph& graph);

/// The tensor and value of "x:0=WORD". WORD is a value (see tensorFromWord), or `zeros`, `ones`, `random` (0 to 1; whole numbers 0 to 9), `normal`, each with the
/// shape behind it where the placeholder leaves it open (`random[2,64]`), or `sample` or `sample:N`: the first N rows (default: a batch) of what the document's
/// data binding feeds it from. Errors are at the tensor's node. `folder`: of the document.
Result<std::pair<std::string, Tensor>> feedFromWord(const MetaGraph& meta, const std::string& word, const std::string& folder);

}  // namespace weft::app
