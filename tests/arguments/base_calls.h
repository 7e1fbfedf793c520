#pragma once

#include <map>
#include <string>
#include <vector>

#include "weft/graph.h"
#include "weft/tensor.h"

namespace weft::arguments {

/// One Session::run.
struct Step {
  std::vector<std::pair<std::string, Tensor>> feeds;
  std::vector<std::string> fetches, targets;
};

/// A graph, the node whose arguments are mutated, and what to run.
struct Call {
  std::string origin;  ///< "golden 3", "script QueueDequeue", "made".
  MetaGraph meta;
  int node = -1;
  std::vector<Step> steps;
};

/// The calls of every op that the golden cases show. Reads all of the scripts at once, the records of an op when they are asked for.
class BaseCalls {
 public:
  explicit BaseCalls(std::string goldenFolder);
  /// Returns at least one call: for an op without examples, a call is synthesized from the types in its record.
  std::vector<Call> of(const OpRecord& record) const;

 private:
  std::string folder_;
  std::map<std::string, std::vector<std::string>> scriptsWith_;  ///< Folders of scripts by the ops in their graphs.
};

}  // namespace weft::arguments
