#pragma once

#include <initializer_list>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/error.h"

namespace weft::cli {

/// An option that a command knows. `takesValue`: `--name VALUE` or `--name=VALUE`.
struct OptionSpec {
  std::string_view name;  ///< With its dashes.
  bool takesValue = false;
};

/// A command's arguments, sorted into options and positional ones. `--` ends the options; `-` alone is positional.
/// Limit for steps, epochs and other 64-bit counts: still exact as a double.
inline constexpr int64_t kMostSteps = int64_t(1) << 53;

class Arguments {
 public:
  /// INVALID_ARGUMENT names an unknown option or a missing value.
  static Result<Arguments> parse(std::span<const std::string> raw, std::initializer_list<OptionSpec> specs);

  bool has(std::string_view option) const { return values_.find(option) != values_.end(); }
  /// The last value of an option that may be repeated; nothing if it is absent.
  std::optional<std::string> value(std::string_view option) const;
  std::vector<std::string> values(std::string_view option) const;
  /// As a number; INVALID_ARGUMENT if it is not one, or is below `minimum` or above `maximum` (default: the range of int).
  Result<int64_t> integer(std::string_view option, int64_t otherwise, int64_t minimum, int64_t maximum = std::numeric_limits<int32_t>::max()) const;
  Result<double> number(std::string_view option, double otherwise) const;
  /// --memory-limit SIZE in bytes, 0 if it is absent; INVALID_ARGUMENT as memoryLimitOf() says it.
  Result<int64_t> memoryLimit() const;
  const std::vector<std::string>& positional() const { return positional_; }

 private:
  std::map<std::string, std::vector<std::string>, std::less<>> values_;
  std::vector<std::string> positional_;
};

}  // namespace weft::cli
