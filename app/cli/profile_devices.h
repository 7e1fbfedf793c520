#pragma once

#include <string>
#include <vector>

#include "cli/profile_source.h"

namespace weft::cli {

/// Measures the same step on each of these devices (all of this machine's if there are none) and prints the times with an advice; an ExitStatus.
int compareDevices(const ProfileRun& run, std::vector<std::string> devices, bool json);

}  // namespace weft::cli
