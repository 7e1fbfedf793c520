#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "weft/trace_questions.h"

namespace weft::cli {

/// What --compare, --gaps and --what-if of `weft profile` ask.
struct ProfileQuestions {
  bool gaps = false;
  std::vector<WhatIf> changes;
  TraceKey key = TraceKey::Op;  ///< Of --compare.
};
/// INVALID_ARGUMENT names a value of --what-if.
Result<ProfileQuestions> profileQuestions(const Arguments& args, const std::string& view);

/// The answers as text, and as fields of the JSON; `before`: the trace of --compare, or null. `top`: most lines of each; 0: all.
Result<std::string> answersText(const ProfileQuestions& questions, const Trace& trace, const Trace* before, size_t top);
Status addAnswers(const ProfileQuestions& questions, const Trace& trace, const Trace* before, nlohmann::ordered_json* out);

}  // namespace weft::cli
