#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "weft/builder.h"

// What a client in another language needs of a builder beside its public face.
namespace weft {

/// The error that sticks in the builder, which then works on as if nothing had happened: for clients that report every failure at once.
WEFT_API Status takeError(GraphBuilder& b);

/// tf.device(function): `choose` sees each new node (name, op, inputs, the device that inner scopes gave it) and says its device, which
/// takes the place of that one; outer scopes fill in what it leaves open. It must not change the graph.
[[nodiscard]] WEFT_API GraphBuilder::Guard chooseDevices(GraphBuilder& b, std::function<std::string(const Node&)> choose);

/// From now on each thread has its own stacks of devices, colocations and control dependencies, which begin as copies of the graph's
/// (TensorFlow's Graph.switch_to_thread_local). Name scopes are a thread's own in any case.
WEFT_API void keepStacksByThread(GraphBuilder& b);
struct StacksByThread {
  bool on = false;
};

/// tf.Graph.gradient_override_map of a builder: new nodes of these ops get the attribute _gradient_op_type.
struct GradientOverrides {
  std::map<std::string, std::string, std::less<>> byOp;
};

/// What a builder's scopes say now of a node: attributes that it lacks, colocation groups and with them a device, the device.
struct Surroundings {
  std::function<void(Node&)> attrs, colocations, devices;
};

/// Leads nodes that were added past the builder, those of an imported graph, into its scopes as TensorFlow's importer does: attribute and
/// gradient-override scopes, colocations, control dependencies (all of them for each node, whatever its inputs), the context of a branch or loop,
/// whose Switch and Enter nodes are made in the current name scope, and devices, which fill in what a node's own leaves open. A node that is
/// colocated gets the device of the one that it lies with.
WEFT_API Status adoptNodes(GraphBuilder& b, const std::vector<int>& nodes);

/// What the next device scope of a builder chooses by; how chooseDevices() hands it over.
struct NextDeviceScope {
  std::function<std::string(const Node&)> choose;
};

}  // namespace weft
