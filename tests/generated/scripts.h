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
  std::map<std::string, std::string> files;
};

/// The scripts of `folder`/NAME/script.json whose outcome is determined by the folder's contents.
Result<std::vector<ScriptCase>> readScripts(const std::string& folder);

}  // namespace weft::generated
