#pragma once

#include <string>

#include "cli/selftest/report.h"

namespace weft::cli {

/// Runs `folder`/script.json in a temporary copy of the folder with an empty tmp/ beside it, and reports the runs with unexpected results. Changes the working
/// directory while it runs.
Verdict judgeScript(const std::string& folder, const JudgeOptions& options);

}  // namespace weft::cli
