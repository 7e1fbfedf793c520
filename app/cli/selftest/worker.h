#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/selftest/report.h"

namespace weft::cli {

/// An item to judge: a file of golden records or a folder with a script.
struct JudgeItem {
  enum class Kind { Golden, Script } kind = Kind::Golden;
  std::string name;  ///< For messages: the op or the folder's name.
  std::string path;
};

/// Called in the judge's process for every verdict; `label` is "op/case" or a script's name.
using VerdictSink = std::function<void(const std::string& label, const Verdict& verdict)>;

/// Judges all items in a child process and passes on the verdicts. If the child crashes or hangs, the current case and the rest of its item count as Failed; a
/// new child continues with the next item. REQUIRES: no other thread is running (it forks).
void judgeInChild(const std::vector<JudgeItem>& items, const JudgeOptions& options, int timeoutSeconds, const VerdictSink& sink);

/// Judges in this process, for debuggers and sanitizers.
void judgeHere(const std::vector<JudgeItem>& items, const JudgeOptions& options, const VerdictSink& sink);

}  // namespace weft::cli
