#pragma once

#include <string>

namespace weft::cli {

struct DiffOptions {
  bool json = false;
  bool all = false;  ///< Also what is the same.
};

/// The checkpoint that a path leads to: a prefix, one of its files, a state file, or a folder with either or with a SavedModel. Empty: none.
std::string checkpointPrefix(const std::string& path);

// Each prints on stdout and returns the exit status of `weft diff`: 0 the same, 1 different, 2 they cannot be read.
int diffCheckpoints(const std::string& a, const std::string& b, const DiffOptions& options);
int diffGraphFiles(const std::string& a, const std::string& b, const DiffOptions& options);
int diffGraphAndCheckpoint(const std::string& graph, const std::string& checkpoint, const DiffOptions& options);

}  // namespace weft::cli
