#pragma once

#include <string>
#include <vector>

#include "cli/profile_source.h"

namespace weft::cli {

/// Times the same step on each of these devices (none given: all of this machine) and prints the times and advice. Returns an ExitStatus.
int compareDevices(const ProfileRun& run, std::vector<std::string> devices, bool json);

}  // namespace weft::cli
