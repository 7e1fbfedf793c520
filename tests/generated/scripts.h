#pragma once

#include <string>
#include <vector>

#include "case.h"
#include "weft/error.h"

namespace weft::generated {

/// A golden script of ops that keep state: its graph and its runs, one session.
struct ScriptCase {
  std::string name;
  Graph graph;
  std::vector<Step> steps;
};

/// The scripts of `folder`/NAME/script.json that touch no files.
Result<std::vector<ScriptCase>> readScripts(const std::string& folder);

}  // namespace weft::generated
