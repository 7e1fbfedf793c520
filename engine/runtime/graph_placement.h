#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/plan_graph.h"
#include "weft/mutex.h"

namespace weft {

/// The devices of a session's nodes. Where there is more than one kind of device, the graph is placed as a whole, as in TensorFlow: every plan then finds a variable
/// where the others left it. When the graph grows, nodes with state stay where they are. Thread-safe.
class GraphPlacement {
 public:
  /// Sets the devices of a plan made from `graph`.
  Status place(const Graph& graph, PlanGraph& plan, const std::vector<Device*>& devices, const SessionOptions& options);
  /// Every node that the engine knows, with its device and the reason for it.
  Result<std::vector<Placement>> all(const Graph& graph, const std::vector<Device*>& devices, const SessionOptions& options);

 private:
  Result<PlanGraph> placeWhole(const Graph& graph, const std::vector<Device*>& devices, const SessionOptions& options, std::vector<std::string>& reasons)
      WEFT_REQUIRES(mutex_);
  Mutex mutex_;
  KeptDevices devices_ WEFT_GUARDED_BY(mutex_);                                   // of every node
  KeptDevices kept_ WEFT_GUARDED_BY(mutex_);                                      // of nodes with state
  std::unordered_map<std::string, std::string> whyKept_ WEFT_GUARDED_BY(mutex_);  // the reasons of their first placement
};

}  // namespace weft
