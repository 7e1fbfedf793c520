#pragma once

#include <vector>

#include "doctor/network.h"

namespace weft::doctor {

/// Changes that may cure a finding, none of them tried yet; the likeliest first. Empty: none is known.
std::vector<DoctorFix> remediesOf(const Network& net, const DoctorFinding& finding);

}  // namespace weft::doctor
