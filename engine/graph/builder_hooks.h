#pragma once

#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "weft/builder.h"

// Access to a builder for clients in other languages, beyond its public interface.
namespace weft {

/// Returns and clears the builder's sticky error, for clients that report each failure at once.
WEFT_API Status takeError(GraphBuilder& b);

/// tf.device(function): `choose` gets each new node (name, op, inputs, device from inner scopes) and returns its device, which replaces that one; outer
/// scopes fill in missing parts. It must not change the graph.
[[nodiscard]] WEFT_API GraphBuilder::Guard chooseDevices(GraphBuilder& b, std::function<std::string(const Node&)> choose);

/// From now on each thread has its own stacks of devices, colocations and control dependencies (TensorFlow's Graph.switch_to_thread_local). The calling
/// thread keeps the graph's, which its open scopes end; those of other threads start as copies of their present state. Name scopes are always per thread.
WEFT_API void keepStacksByThread(GraphBuilder& b);
struct StacksByThread {
  std::function<void()> begin;  ///< Set by the builder; separates the stacks.
};

/// Gives the second seed of a random op that states none, where that is not the number of nodes: each call draws one.
struct OpSeedSource {
  std::function<int64_t()> next;
};

/// If `numbered`, a node whose absolute name ("a/b/") is taken gets a number: for eager execution, where the same call comes again.
struct RepeatedNames {
  bool numbered = false;
  std::unordered_map<std::string, int> counts;
};

/// tf.Graph.gradient_override_map of a builder: new nodes of these ops get the attribute _gradient_op_type.
struct GradientOverrides {
  std::map<std::string, std::string, std::less<>> byOp;
};

/// Apply a builder's current scopes to a node: missing attributes; colocation groups with their device; the device.
struct Surroundings {
  std::function<void(Node&)> attrs, colocations, devices;
};

/// Applies the builder's scopes to nodes that were added directly to the graph (by an import), as TensorFlow's importer does: attribute and
/// gradient-override scopes; colocations; control dependencies (all of them for each node, whatever its inputs); the context of a branch or loop,
/// whose Switch and Enter nodes are made in the current name scope; and devices, which fill in the parts that a node's own device lacks. A colocated
/// node gets the device of the node that it is colocated with.
WEFT_API Status adoptNodes(GraphBuilder& b, const std::vector<int>& nodes);

/// Passes the function from chooseDevices() to the builder's next device scope.
struct NextDeviceScope {
  std::function<std::string(const Node&)> choose;
};

}  // namespace weft
