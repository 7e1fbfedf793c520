#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/arguments.h"
#include "cli/run_source.h"
#include "weft/session.h"

namespace weft::cli {

/// What `weft bench` measures: a step of a graph, with everything that it is fed.
struct Workload {
  std::string name, file;
  RunSource source;
  std::string init, restore;                          ///< An op that initialises variables, and a checkpoint's prefix; either may be empty.
  std::vector<std::pair<std::string, Tensor>> feeds;  ///< By tensor.
  std::vector<std::string> fetches, targets;
  std::vector<std::string> notes;  ///< What was assumed, one sentence each.
  double readMs = 0;               ///< Milliseconds that reading took.

  std::vector<std::string> feedNames() const;
  std::vector<Tensor> feedValues() const;
};

/// Reads a bench.json, or a graph of any kind that `weft run` reads with the options --feed, --shape, --fetch, --target, --init, --restore. Without --fetch and
/// --target a graph's signature says what is fetched, else the outputs that nothing reads. Placeholders without a feed get seeded random values.
Result<Workload> readWorkload(const std::string& path, const Arguments& args);

/// A session with the workload's initial values.
Result<std::unique_ptr<Session>> openSession(const Workload& w, const SessionOptions& options);

/// The nodes that the fetches and targets need when the feeds are given, producers first (but for the way back of loops).
Result<std::vector<int>> neededNodes(const Graph& graph, const std::vector<std::string>& feeds, const std::vector<std::string>& fetches,
                                     const std::vector<std::string>& targets);

}  // namespace weft::cli
