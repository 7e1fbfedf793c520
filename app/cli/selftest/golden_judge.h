#pragma once

#include "cli/selftest/golden_case.h"
#include "cli/selftest/report.h"

namespace weft::cli {

/// Runs one golden case in every way that its record allows and reports differences from TensorFlow: values as stored and with fed inputs, static shapes (also
/// with unknown dims), gradients, error codes and phrases.
Verdict judgeGolden(const GoldenCase& golden, const JudgeOptions& options);

}  // namespace weft::cli
