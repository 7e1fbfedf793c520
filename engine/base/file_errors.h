#pragma once

#include <string>
#include <string_view>

#include "weft/error.h"

// Errors of readers of files, with a kind ("truncated", "malformed", …) that programs can go by.
namespace weft {

/// DATA_LOSS: a file is not what it was, or none of its format.
Error damaged(std::string_view kind, const auto&... parts) { return dataLoss(parts...).ofKind(std::string(kind)); }
/// INVALID_ARGUMENT: what was given cannot be read.
Error unreadable(std::string_view kind, const auto&... parts) { return invalidArgument(parts...).ofKind(std::string(kind)); }

}  // namespace weft
