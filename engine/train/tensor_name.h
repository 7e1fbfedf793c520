#pragma once

#include <string>

namespace weft {

/// "name" is "name:0".
inline std::string tensorName(const std::string& name) { return name.find(':') == std::string::npos ? name + ":0" : name; }

}  // namespace weft
