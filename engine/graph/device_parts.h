#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "weft/error.h"

namespace weft {

/// A parsed device string: "/job:ps/replica:0/task:1/device:GPU:0", every part optional ("/gpu:0" and "GPU:0" are old spellings).
struct DeviceParts {
  std::optional<std::string> job;
  std::optional<int> replica, task;
  std::optional<std::string> type;   ///< "CPU", "GPU"
  std::optional<std::string> index;  ///< a number, or "*" for any

  static Result<DeviceParts> parse(std::string_view text);
  std::string toString() const;
  /// Parts of `inner` override the parts of this.
  void mergeFrom(const DeviceParts& inner);
};

}  // namespace weft
