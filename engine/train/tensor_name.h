#pragma once

#include <string>

namespace weft {

/// Completes "name" to "name:0".
inline std::string tensorName(const std::string& name) { return name.find(':') == std::string::npos ? name + ":0" : name; }

}  // namespace weft
