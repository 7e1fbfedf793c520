#pragma once

#include <string>
#include <vector>

#include "base_calls.h"

namespace weft::arguments {

/// The calls of advisories.txt, twice each: with constants, and with everything fed so that no shape function sees a value. A line of an op that
/// is not there, or that cannot be read, goes to `unreadable`.
std::vector<Call> advisoryCalls(const std::string& path, std::vector<std::string>& unreadable);

}  // namespace weft::arguments
