#pragma once

#include <string_view>

namespace weft {

/// Likelihood that `key` is a former name of `name`, 0…1.3, or 0.5 more if both have one shape. The last parts of the names weigh most, because usually scopes
/// are renamed.
double renameScore(std::string_view name, std::string_view key, bool sameShape);

}  // namespace weft
