#pragma once

#include "base_calls.h"
#include "weft/error.h"

namespace weft::arguments {

/// The result of a call.
struct Outcome {
  Code code = Code::Ok;  ///< Of the last error; Ok if every step gave values.
  std::string message;
  double seconds = 0;      ///< Of processor time.
  size_t memory = 0;       ///< The largest single block allocated outside the tensor allocator.
  bool wrongType = false;  ///< A value came back in another type than the graph says.
};

/// Writes the call's graph as a file and reads it back, as one that a stranger sends; asks for its gradient and its costs; runs its steps.
Outcome attempt(const Call& call);

/// The call's graph as text, with its fetches and feeds.
std::string describe(const Call& call);

/// Writes the call for comparison with another engine: PATH.pb is its graph, PATH.feeds.pb the feeds (a Const for each), PATH.txt the steps, one item per line.
bool write(const Call& call, const std::string& path);

}  // namespace weft::arguments
