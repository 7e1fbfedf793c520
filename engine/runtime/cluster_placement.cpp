#include "runtime/cluster_placement.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <unordered_map>

#include "runtime/device_requests.h"
#include "runtime/executor.h"
#include "weft/op.h"

namespace weft {
namespace {

/// What is known about a group of nodes that share a device; kept at the group's root.
struct PlacedGroup {
  int parent = -1;
  int rank = 0;
  uint32_t types = 0;    ///< Device types, as bits, that can run all members.
  DeviceSpec requested;  ///< Merged from the members; never contradicts `resource`.
  DeviceSpec resource;   ///< Requested by members that make a reference or a handle; overrides the requests of its readers.
  int device = -1;       ///< Once chosen.
};

bool isDatasetNode(const Node& node) {
  const OpRole role = roleOf(node);
  return role == OpRole::Dataset || role == OpRole::ShuffleDataset || role == OpRole::BatchDataset;
}

bool isHandle(DType type) { return isRef(type) || type == DType::Resource; }
/// No inputs and one output: placed after all others, next to its readers.
bool isSource(const Node& node) { return node.inputs.empty() && node.outputTypes.size() == 1 && !isRef(node.outputTypes[0]); }

class ClusterPlacer {
 public:
  ClusterPlacer(const Graph& graph, std::span<const ClusterDevice> devices, const SessionOptions& options)
      : graph_(graph), devices_(devices), soft_(options.allowSoftPlacement), defaultDevice_(options.defaultDevice) {}

  Status readDevices();
  Status readRequests(std::span<const int> earlier);
  Status joinHandles();
  Status joinClasses();
  Result<std::vector<int>> assign();

 private:
  int root(int id) {
    while (groups_[size_t(id)].parent != id) id = groups_[size_t(id)].parent = groups_[size_t(groups_[size_t(id)].parent)].parent;
    return id;
  }
  const std::string& requestOf(const Node& node) const { return node.device.empty() ? defaultDevice_ : node.device; }
  Status join(const Node& x, const Node& y);
  Status joinHandle(const Node& source, const Node& reader);
  Status joinClass(std::string_view name, const Node& node);
  const std::vector<int>& matching(const DeviceSpec& request, uint32_t types);
  Result<const std::vector<int>*> candidates(const Node& node);
  Error noDevice(const Node& node, const PlacedGroup& group);
  std::string deviceList() const;

  const Graph& graph_;
  const std::span<const ClusterDevice> devices_;
  const bool soft_;
  const std::string& defaultDevice_;
  std::vector<DeviceSpec> names_;   // of devices_, parsed
  std::vector<std::string> types_;  // of devices_, each once
  std::vector<uint32_t> typeBits_;  // by device
  std::vector<int> preferred_;      // devices, best first
  std::unordered_map<std::string_view, DeviceSpec> parsed_;
  std::unordered_map<std::string_view, int> firstOfClass_;
  std::map<std::tuple<std::string, std::string, int, int, int, uint32_t>, std::vector<int>> matches_;
  std::vector<PlacedGroup> groups_;  // by node id
};

Status ClusterPlacer::readDevices() {
  if (devices_.empty()) return failedPrecondition("No devices are registered");
  for (const ClusterDevice& d : devices_) {
    WEFT_LET(DeviceSpec spec, DeviceSpec::parse(d.name));
    names_.push_back(std::move(spec));
    auto at = std::find(types_.begin(), types_.end(), d.type);
    if (at == types_.end()) {
      if (types_.size() == 32) return unimplemented("A cluster with more than 32 types of devices");
      at = types_.insert(types_.end(), d.type);
    }
    typeBits_.push_back(1u << (at - types_.begin()));
  }
  const auto priority = [&](int d) { return devices_[size_t(d)].type == "GPU" ? 2 : devices_[size_t(d)].type == "CPU" ? 1 : 0; };
  preferred_.resize(devices_.size());
  std::iota(preferred_.begin(), preferred_.end(), 0);
  std::stable_sort(preferred_.begin(), preferred_.end(), [&](int a, int b) {
    if (priority(a) != priority(b)) return priority(a) > priority(b);
    return devices_[size_t(a)].name < devices_[size_t(b)].name;
  });
  return {};
}

Status ClusterPlacer::readRequests(std::span<const int> earlier) {
  groups_.resize(size_t(graph_.size()));
  for (int id = 0; id < graph_.size(); ++id) {
    const Node* node = graph_.node(id);
    if (!node) continue;
    PlacedGroup& group = groups_[size_t(id)];
    group.parent = id;
    for (size_t t = 0; t < types_.size(); ++t) {
      if (types_[t] == "CPU" || findKernel(*node, types_[t])) group.types |= 1u << t;
    }
    const bool stays = size_t(id) < earlier.size() && earlier[size_t(id)] >= 0 && node->record && node->record->isStateful;
    if (stays) {
      group.device = earlier[size_t(id)];
      group.requested = group.resource = names_[size_t(group.device)];
      continue;
    }
    const std::string& text = requestOf(*node);
    if (text.empty()) continue;
    auto known = parsed_.find(text);
    if (known == parsed_.end()) {
      auto spec = DeviceSpec::parse(text);
      if (!spec.ok()) return spec.error().atNode(node->name);
      known = parsed_.emplace(text, std::move(*spec)).first;
    }
    group.requested = known->second;
    const bool makesHandle = node->inputs.empty() && node->outputTypes.size() == 1 && isHandle(node->outputTypes[0]);
    if (makesHandle) group.resource = known->second;
  }
  return {};
}

/// Makes one group of two nodes' groups, or leaves both as they are if their requests contradict each other.
Status ClusterPlacer::join(const Node& x, const Node& y) {
  int into = root(x.id), from = root(y.id);
  if (into == from) return {};
  if (groups_[size_t(into)].rank < groups_[size_t(from)].rank) std::swap(into, from);
  PlacedGroup &a = groups_[size_t(into)], &b = groups_[size_t(from)];
  const auto cannot = [&](const std::string& why) {
    return invalidArgument("Cannot colocate nodes {{colocation_node ", x.name, "}} and {{colocation_node ", y.name, "}}", why);
  };
  DeviceSpec resource = a.resource, requested = a.requested;
  Status merged = mergeRequest(resource, b.resource, false);
  if (merged.ok()) merged = mergeRequest(requested, b.requested, soft_);
  if (!merged.ok()) return cannot(": " + merged.error().message);
  if ((a.types & b.types) == 0) return cannot(" because no device type supports both of those nodes and the other nodes colocated with them.");
  overrideRequest(requested, resource);
  a.resource = std::move(resource);
  a.requested = std::move(requested);
  a.types &= b.types;
  if (a.device < 0) a.device = b.device;
  if (a.rank == b.rank) ++a.rank;
  b.parent = into;
  return {};
}

Status ClusterPlacer::joinHandle(const Node& source, const Node& reader) {
  const PlacedGroup& from = groups_[size_t(root(source.id))];
  PlacedGroup& to = groups_[size_t(root(reader.id))];
  if (!compatibleRequests(from.resource, to.resource)) {
    return invalidArgument("Cannot place the graph because a reference or resource edge connects colocation groups with incompatible resource devices: ",
                           requestText(from.resource), " vs ", requestText(to.resource), ". The edge src node is ", source.name, " , and the dst node is ",
                           reader.name)
        .atNode(reader.name);
  }
  if (!compatibleRequests(from.requested, to.requested)) {
    to.requested = from.requested;  // the reader's own request is ignored
    overrideRequest(to.requested, to.resource);
  }
  const Status joined = join(source, reader);
  if (joined.ok()) return {};
  return invalidArgument("Nodes were connected by a reference connection (requiring them to be on the same device), but the two nodes were assigned ",
                         "two different devices: ", joined.error().message)
      .atNode(reader.name);
}

Status ClusterPlacer::joinHandles() {
  for (int id = 0; id < graph_.size(); ++id) {
    const Node* node = graph_.node(id);
    if (!node) continue;
    const bool readsDatasets = isDatasetNode(*node);
    for (size_t k = 0; k < node->inputs.size() && k < node->inputTypes.size(); ++k) {
      const DType type = node->inputTypes[k];
      const Node* source = graph_.node(node->inputs[k].node);
      if (source && (isHandle(type) || (readsDatasets && type == DType::Variant && isDatasetNode(*source)))) WEFT_TRY(joinHandle(*source, *node));
    }
  }
  return {};
}

Status ClusterPlacer::joinClass(std::string_view name, const Node& node) {
  const auto [first, fresh] = firstOfClass_.try_emplace(name, node.id);
  if (fresh) return {};
  Status joined = join(node, *graph_.node(first->second));
  return joined.ok() || soft_ ? Status() : Status(joined.error().atNode(node.name));
}

Status ClusterPlacer::joinClasses() {
  firstOfClass_.reserve(size_t(graph_.nodeCount()));
  for (int id = 0; id < graph_.size(); ++id) {
    const Node* node = graph_.node(id);
    if (!node) continue;
    if (const Attr* classes = node->attrs.find("_class")) {
      if (const auto* list = classes->get<std::vector<std::string>>()) {
        for (const std::string& c : *list) {
          if (c.starts_with("loc:@")) WEFT_TRY(joinClass(std::string_view(c).substr(5), *node));
        }
      }
    }
    WEFT_TRY(joinClass(node->name, *node));
  }
  return {};
}

/// Devices that fit a request and run everything in a group, best first.
const std::vector<int>& ClusterPlacer::matching(const DeviceSpec& r, uint32_t types) {
  const auto [it, fresh] = matches_.try_emplace({r.job, r.type, r.replica, r.task, r.id, types});
  if (!fresh) return it->second;
  for (const int d : preferred_) {
    if ((typeBits_[size_t(d)] & types) != 0 && compatibleRequests(r, names_[size_t(d)])) it->second.push_back(d);
  }
  return it->second;
}

std::string ClusterPlacer::deviceList() const {
  std::set<std::string> sorted;
  for (const ClusterDevice& d : devices_) sorted.insert(d.name);
  std::string out;
  for (const std::string& name : sorted) out += (out.empty() ? "" : ", ") + name;
  return out;
}

Error ClusterPlacer::noDevice(const Node& node, const PlacedGroup& group) {
  const std::string& text = requestOf(node);
  const auto own = parsed_.find(text);
  const DeviceSpec request = own == parsed_.end() ? DeviceSpec() : own->second;
  const std::string start = "Cannot assign a device for operation " + node.name + ": ", unsatisfied = "Could not satisfy explicit device specification '";
  if (!sameRequest(request, group.requested)) {
    return invalidArgument(start, unsatisfied, text, "' because the node {{colocation_node ", node.name,
                           "}} was colocated with a group of nodes that required incompatible device '", requestText(group.requested),
                           "'. All available devices [", deviceList(), "].")
        .atNode(node.name);
  }
  if (matching(request, ~0u).empty()) {
    return invalidArgument(start, "{{node ", node.name, "}} was explicitly assigned to ", text, " but available devices are [ ", deviceList(),
                           " ]. Make sure the device specification refers to a valid device.")
        .atNode(node.name);
  }
  if (request.type.empty()) return invalidArgument(start, unsatisfied, text, "'").atNode(node.name);
  return invalidArgument(start, unsatisfied, text, "' because no supported kernel for ", request.type, " devices is available.").atNode(node.name);
}

Result<const std::vector<int>*> ClusterPlacer::candidates(const Node& node) {
  const PlacedGroup& group = groups_[size_t(root(node.id))];
  const std::vector<int>* found = &matching(group.requested, group.types);
  if (found->empty() && soft_ && statesDevice(group.requested)) {
    // Another device of the task, at first one that a variable's own request permits.
    DeviceSpec anyDevice = group.requested;
    if (group.resource.type.empty()) anyDevice.type.clear();
    if (group.resource.id < 0) anyDevice.id = -1;
    found = &matching(anyDevice, group.types);
    if (found->empty()) {
      anyDevice.type.clear();
      anyDevice.id = -1;
      found = &matching(anyDevice, group.types);
    }
  }
  if (found->empty()) return noDevice(node, group);
  return found;
}

Result<std::vector<int>> ClusterPlacer::assign() {
  std::vector<int> out(size_t(graph_.size()), -1);
  std::vector<int> sources;
  /// `near`: a device to prefer if the group may use it; -1: none.
  const auto place = [&](const Node& node, int near) -> Status {
    int& device = groups_[size_t(root(node.id))].device;
    if (device < 0) {
      WEFT_LET(const std::vector<int>* fitting, candidates(node));
      const bool fits = near >= 0 && std::find(fitting->begin(), fitting->end(), near) != fitting->end();
      device = fits ? near : fitting->front();
    }
    out[size_t(node.id)] = device;
    return {};
  };
  for (int id = 0; id < graph_.size(); ++id) {
    const Node* node = graph_.node(id);
    if (!node) continue;
    if (isSource(*node)) {
      sources.push_back(id);
      continue;
    }
    const bool nearInput = roleOf(*node) == OpRole::ShapeOf && !node->inputs.empty();
    WEFT_TRY(place(*node, nearInput ? out[size_t(node->inputs[0].node)] : -1));
  }
  if (sources.empty()) return out;
  const std::vector<std::vector<int>> readers = graph_.consumers();
  for (const int id : sources) {
    const std::vector<int>& of = readers[size_t(id)];
    const bool together = !of.empty() && std::all_of(of.begin(), of.end(), [&](int r) { return out[size_t(r)] == out[size_t(of.front())]; });
    WEFT_TRY(place(*graph_.node(id), together ? out[size_t(of.front())] : -1));
  }
  return out;
}

}  // namespace

std::string_view taskOfDevice(std::string_view name) { return name.substr(0, name.rfind("/device:")); }

Result<std::vector<ClusterDevice>> admittedDevices(std::span<const ClusterDevice> devices, const std::vector<std::string>& filters, std::string_view ownTask) {
  std::vector<DeviceSpec> wanted;
  for (const std::string& filter : filters) {
    WEFT_LET(DeviceSpec spec, DeviceSpec::parse(filter));
    wanted.push_back(std::move(spec));
  }
  std::vector<ClusterDevice> out;
  for (const ClusterDevice& d : devices) {
    WEFT_LET(const DeviceSpec name, DeviceSpec::parse(d.name));
    const bool admitted = std::any_of(wanted.begin(), wanted.end(), [&](const DeviceSpec& w) { return compatibleRequests(w, name); });
    if (wanted.empty() || admitted || taskOfDevice(d.name) == ownTask) out.push_back(d);
  }
  return out;
}

Result<std::vector<int>> placeOnCluster(const Graph& graph, std::span<const ClusterDevice> devices, const SessionOptions& options,
                                        std::span<const int> earlier) {
  ClusterPlacer placer(graph, devices, options);
  WEFT_TRY(placer.readDevices());
  WEFT_TRY(placer.readRequests(earlier));
  WEFT_TRY(placer.joinHandles());
  WEFT_TRY(placer.joinClasses());
  return placer.assign();
}

}  // namespace weft
