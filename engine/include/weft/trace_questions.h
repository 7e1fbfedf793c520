// Questions to traces: what differs between two, why a thread was idle, and how long a step would take if something were different.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weft/error.h"
#include "weft/profile.h"

namespace weft {

/// What the self times of slices are summed by.
enum class TraceKey { Op, Node, Scope };

/// The time per step of one op type, node or scope in two traces.
struct TraceDifference {
  std::string name;
  double beforeNs = 0, afterNs = 0;        ///< Mean self time per step.
  double beforeCount = 0, afterCount = 0;  ///< Executions per step.
  double lowNs = NAN, highNs = NAN;        ///< The 95 % interval of the difference of the means; NaN with fewer than two steps on either side.
  double deltaNs() const { return afterNs - beforeNs; }
  /// Whether 0 lies outside the interval.
  bool isCertain() const { return lowNs > 0 || highNs < 0; }
};
/// Largest difference first. The first row, of an empty name, is the step's duration. Intervals are Welch's, over the steps of each trace; they assume that steps vary independently.
WEFT_API std::vector<TraceDifference> differenceOfTraces(const Trace& before, const Trace& after, TraceKey key);

/// A part of the time in which a thread or stream had nothing to run between two slices of a step.
struct IdleGap {
  enum class Reason {
    Input,      ///< Waited for the output of `cause`, which ran elsewhere.
    Copy,       ///< Waited for a copy between devices, or for another task: `cause` is the copy or receive.
    Data,       ///< Waited for the input pipeline or a queue: `cause` is an op that takes elements from it.
    Launch,     ///< A stream waited for the host to queue its work: `cause` is the host's slice.
    Scheduler,  ///< Its inputs were there; the executor had not started it yet.
    NoWork,     ///< Nothing more in this step came to this thread, while others still computed.
  } reason = Reason::Scheduler;
  int32_t track = 0, step = 0;
  int64_t startNs = 0, durationNs = 0;
  int32_t before = -1, after = -1;  ///< The slices beside the gap; −1: the step's edge.
  int32_t cause = -1;               ///< A slice; −1: none.
};
/// "waited for an input", "copy between devices", "input pipeline or queue", "launch by the host", "scheduling", "no more work".
WEFT_API std::string_view nameOf(IdleGap::Reason reason);
/// The gaps of all tracks that count, by track and start; those shorter than `leastNs` are left out. A gap with several reasons becomes several parts.
WEFT_API std::vector<IdleGap> idleGaps(const Trace& trace, int64_t leastNs = 1000);

/// A change to imagine.
struct WhatIf {
  std::string what;  ///< A node's name, a scope with "/" at its end, or an op type.
  enum class Change {
    Faster,  ///< Takes 1/factor of the time.
    Gone,    ///< Is not executed.
    Fused,   ///< Each execution that reads only one output of an op of type `with` is computed with it, and takes no time of its own.
    Moved,   ///< Runs on `device`, in 1/factor of the time; values that cross take `copyNsPerByte` and `copyNs`.
  } change = Change::Faster;
  double factor = 1;
  std::string with, device;
};
/// Reads "MatMul=2x", "conv1/=0.5x", "Print=gone", "BiasAdd+Relu=fused", "MatMul@GPU:0=10x". INVALID_ARGUMENT says what was expected.
WEFT_API Result<WhatIf> whatIfOf(std::string_view text);

/// A slice on the critical path of a replayed step; times are nanoseconds from the step's start in the replay.
struct PathSlice {
  int32_t slice = -1;
  double startNs = 0, durationNs = 0;  ///< Gone and fused slices take 0.
};

struct Prediction {
  double measuredNs = 0;   ///< Mean duration of the steps.
  double replayedNs = 0;   ///< The same from the replay without changes: how well the model fits.
  double predictedNs = 0;  ///< With the changes, scaled by how well the model fits.
  int64_t changed = 0;     ///< Slices that the changes concern, per step.
  double changedNs = 0;    ///< Their time, per step, before the changes.
  /// The chain of slices that decided when the step ended, in order, without and with the changes; of the step of median duration, at position `pathStep`.
  std::vector<PathSlice> pathBefore, pathAfter;
  int32_t pathStep = -1;
};
struct ReplayOptions {
  double copyNs = 10000, copyNsPerByte = 1.0 / 12;  ///< Of a value that crosses to another device: 10 µs, and 12 GB/s.
};
/// Replays each step with changed durations. A slice starts after its inputs, and after the slice before it on its thread, as much later as it did in the trace; threads keep their slices in
/// their order. NOT_FOUND names a change that concerns no slice; FAILED_PRECONDITION if the trace does not know the nodes' inputs.
WEFT_API Result<Prediction> predictStep(const Trace& trace, const std::vector<WhatIf>& changes, const ReplayOptions& options = {});

}  // namespace weft
