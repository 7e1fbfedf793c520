#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "weft/doctor.h"

namespace weft::cli {

/// A finding as a few lines: weight, title, detail, advice, and the fix that was tried.
std::string findingText(const DoctorFinding& f);
/// {"code", "moment", "weight", "node", "step", "title", "detail", "advice", "evidence", "values", "from", "to", "fix"}
nlohmann::json findingJson(const DoctorFinding& f);

}  // namespace weft::cli
