#pragma once

#include <cstdint>
#include <string>

#include "profile/transfers.h"
#include "proto/config.pb.h"
#include "weft/profile.h"

namespace weft {

/// Adds to a trace what devices report about steps.
class MetadataReader {
 public:
  explicit MetadataReader(Trace& trace) : trace_(trace), transfers_(trace) {}

  /// Everything in one step's RunMetadata. `step`: its position in the trace's steps.
  void add(const tensorflow::RunMetadata& metadata, int32_t step = 0);
  /// One op. `thread`: the thread's name, if known.
  void add(const std::string& device, const tensorflow::NodeExecStats& stats, const std::string& thread, int32_t step = 0, bool parallel = false);
  /// Call at the end: finds transfers between tasks, corrects their clocks, finishes the trace.
  void end();

 private:
  void add(const tensorflow::DeviceStepStats& device, int32_t step);
  /// Whether the op is an end of a transfer between tasks. It is then on a track of its own.
  bool addTransfer(const std::string& device, const tensorflow::NodeExecStats& stats, TraceSlice& slice);

  Trace& trace_;
  TransferFinder transfers_;
  int64_t withoutTime_ = 0;
};

}  // namespace weft
