#pragma once

#include <string>

namespace weft::cli {

struct DiffOptions {
  bool json = false;
  bool all = false;         ///< Also list what is equal.
  bool structure = false;   ///< Of graphs: nodes are matched by structure, not by name.
  bool statistics = false;  ///< Of two checkpoints: mean, spread and range of each variable on both sides.
  std::string propose;      ///< Of a graph and a checkpoint: the file to write a table of renames to.
};

/// The checkpoint that a path refers to: a prefix, one of its files, a state file, or a folder with a checkpoint or a SavedModel. Empty: none.
std::string checkpointPrefix(const std::string& path);

// Each prints on stdout and returns the exit status of `weft diff`: 0 equal, 1 different, 2 unreadable.
int diffCheckpoints(const std::string& a, const std::string& b, const DiffOptions& options);
int diffGraphFiles(const std::string& a, const std::string& b, const DiffOptions& options);
int diffGraphAndCheckpoint(const std::string& graph, const std::string& checkpoint, const DiffOptions& options);

}  // namespace weft::cli
