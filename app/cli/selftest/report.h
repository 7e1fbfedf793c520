#pragma once

#include <functional>
#include <string>
#include <vector>

namespace weft::cli {

/// What became of one golden record or one script.
struct Verdict {
  enum class Kind { Passed, Failed, Skipped } kind = Kind::Passed;
  std::vector<std::string> complaints;  ///< What differs; for Skipped: why.
  std::vector<std::string> notes;       ///< Worth knowing, no failure: inferred shapes less exact than TensorFlow's.
};

/// What is judged with: the options of `weft selftest` that reach the judges.
struct JudgeOptions {
  std::string device;  ///< "/device:GPU:0" or empty.
  int threads = 0;
  std::vector<std::string> without;  ///< Rewrite passes to leave out.
};

}  // namespace weft::cli
