#pragma once

#include "base_calls.h"
#include "weft/error.h"

namespace weft::arguments {

/// What a call came to.
struct Outcome {
  Code code = Code::Ok;  ///< Of the last error; Ok if every step gave values.
  std::string message;
  double seconds = 0;      ///< Of processor time.
  size_t memory = 0;       ///< The largest single block that was taken without being asked of the allocator of tensors.
  bool wrongType = false;  ///< A value came back in another type than the graph says.
};

/// Writes the call's graph as a file and reads it back, as one that a stranger sends; asks for its gradient and its costs; runs its steps.
Outcome attempt(const Call& call);

/// The call's graph as text and what is run and fed.
std::string describe(const Call& call);

/// Writes the call for another judge: PATH.pb is its graph, PATH.feeds.pb what is fed (a Const for each), PATH.txt the steps, one thing a line.
bool write(const Call& call, const std::string& path);

}  // namespace weft::arguments
