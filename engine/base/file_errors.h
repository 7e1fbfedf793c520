#pragma once

#include <string>
#include <string_view>

#include "weft/error.h"

// Errors of file readers, with a kind ("truncated", "malformed", …) that programs can check.
namespace weft {

/// DATA_LOSS: the file is damaged or not of the expected format.
Error damaged(std::string_view kind, const auto&... parts) { return dataLoss(parts...).ofKind(std::string(kind)); }
/// INVALID_ARGUMENT: the given input cannot be read.
Error unreadable(std::string_view kind, const auto&... parts) { return invalidArgument(parts...).ofKind(std::string(kind)); }

}  // namespace weft
