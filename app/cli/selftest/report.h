#pragma once

#include <functional>
#include <string>
#include <vector>

namespace weft::cli {

/// The verdict on one golden record or one script.
struct Verdict {
  enum class Kind { Passed, Failed, Skipped } kind = Kind::Passed;
  std::vector<std::string> complaints;  ///< Differences; for Skipped: the reason.
  std::vector<std::string> notes;       ///< Remarks that are not failures: inferred shapes less exact than TensorFlow's.
};

/// The options of `weft selftest` that the judges use.
struct JudgeOptions {
  std::string device;  ///< "/device:GPU:0" or empty.
  int threads = 0;
  std::vector<std::string> without;  ///< Rewrite passes to leave out.
};

}  // namespace weft::cli
