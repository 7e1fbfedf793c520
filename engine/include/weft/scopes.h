#pragma once

#include <cstddef>
#include <string_view>

namespace weft {

/// TensorFlow's scopes are the parts of a name between slashes. Each level costs its whole name, and a file may hold a name of slashes alone: so many levels
/// count, what lies deeper lies side by side in the last of them.
constexpr int kMostScopeLevels = 256;

/// The scope that a node of that name is shown in; empty: none.
constexpr std::string_view shownScopeOf(std::string_view name) {
  size_t end = 0, at = name.find('/');
  for (int level = 0; at != name.npos && level < kMostScopeLevels; ++level, at = name.find('/', at + 1)) end = at;
  return name.substr(0, end);
}

}  // namespace weft
