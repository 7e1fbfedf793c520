#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/rendezvous.h"
#include "weft/graph.h"
#include "weft/session.h"

namespace weft {

/// A device of some task of a cluster, as that task describes it (DeviceAttributes).
struct ClusterDevice {
  std::string name;                       ///< "/job:ps/replica:0/task:0/device:CPU:0"
  std::string type;                       ///< "CPU", "GPU", "XLA_CPU"
  uint64_t incarnation = 0;               ///< Differs after each restart of the task.
  int64_t memoryLimit = 0;                ///< Bytes.
  FrameIds frameIds = FrameIds::OfNames;  ///< How its task numbers loops, if it can only do so in one way.
};

/// The part of a device's full name that names its task: "/job:ps/replica:0/task:0".
WEFT_API std::string_view taskOfDevice(std::string_view name);

/// The devices that a session may use: those of `ownTask`, and those that one of `filters` (ConfigProto.device_filters, such as "/job:ps" or
/// "/job:worker/task:0") matches; all if there are no filters. Order is kept. INVALID_ARGUMENT for a filter that is no device name.
WEFT_API Result<std::vector<ClusterDevice>> admittedDevices(std::span<const ClusterDevice> devices, const std::vector<std::string>& filters,
                                                            std::string_view ownTask);

/// Places the nodes of a session's graph on the devices of its cluster by the rules of TensorFlow 1.15's placer, and returns the index of each node's
/// device by node id (-1: no such node). The whole graph is placed, not a step's part of it, so that a variable is on the same device in every step.
///
/// - Nodes joined by references, resource handles, data sets or colocation (`_class`) share a device. A reader of a reference or handle follows its
///   source, whatever device it requests.
/// - Among the devices that fit the request, GPUs come first, then the smallest name in alphabetical order. The master's own task is not preferred.
/// - A node without inputs and with one output (a constant) goes where all its readers are, and a shape op goes where its input is, if the request permits.
/// - Soft placement chooses another device of the requested task, never another task; and it drops colocations that cannot be kept.
/// - Every task's CPU is taken to run every op, also those that only the other tasks may know. For other devices, this process's kernels decide, as they do
///   in TensorFlow.
///
/// Of `options`, allowSoftPlacement and defaultDevice are used. `earlier` is the result for an earlier state of this graph, if there was one: stateful nodes
/// stay where they are. INVALID_ARGUMENT, in TensorFlow's words, for requests that no device satisfies or that contradict each other.
WEFT_API Result<std::vector<int>> placeOnCluster(const Graph& graph, std::span<const ClusterDevice> devices, const SessionOptions& options = {},
                                                 std::span<const int> earlier = {});

}  // namespace weft
