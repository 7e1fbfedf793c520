#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// The name among `names` that `word` was meant to be; empty if none is near.
std::string nearestName(std::string_view word, const std::vector<std::string>& names);

}  // namespace weft
