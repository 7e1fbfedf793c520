#pragma once

#include <cstddef>
#include <string_view>

namespace weft {

/// Maximum depth of scopes, the parts of a name between slashes. Each level costs its whole name, and a file may hold a name of slashes alone. Deeper
/// items are shown side by side in the last level.
constexpr int kMostScopeLevels = 256;

/// The scope in which a node with that name is shown; empty: none.
constexpr std::string_view shownScopeOf(std::string_view name) {
  size_t end = 0, at = name.find('/');
  for (int level = 0; at != name.npos && level < kMostScopeLevels; ++level, at = name.find('/', at + 1)) end = at;
  return name.substr(0, end);
}

}  // namespace weft
