#pragma once

#include <string>
#include <utility>
#include <vector>

#include "weft/graph.h"

namespace weft::cli {

/// Feeds as words: "x:0=FILE.npy", "x:0=VALUE" (number, true, false, nested list as JSON, text for string tensors) or "FILE.npz".
/// Values get the tensor's dtype in `graph`. INVALID_ARGUMENT names the word and what is wrong.
Result<std::vector<std::pair<std::string, Tensor>>> parseFeeds(const std::vector<std::string>& words, const Graph& graph);

}  // namespace weft::cli
