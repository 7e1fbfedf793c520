#include <algorithm>
#include <map>
#include <numeric>

#include "runtime/executor.h"
#include "runtime/plan_graph.h"

namespace weft {
namespace {

/// Groups of nodes that must share a device (colocation attributes, reference edges, resource handles): union-find.
class Groups {
 public:
  explicit Groups(size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0); }
  int find(int i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(int a, int b) { parent_[std::max(find(a), find(b))] = std::min(find(a), find(b)); }

 private:
  std::vector<int> parent_;
};

std::string joined(const std::vector<Device*>& devices) {
  std::string out;
  for (Device* d : devices) out += (out.empty() ? "" : ", ") + d->name();
  return out;
}

/// Whether the node's kernel for GPUs is only for those that ask for one.
bool rathersCpu(const Node& node) {
  const KernelRecord* kernel = findKernel(node, "GPU");
  return kernel && std::find(kernel->hostMemory.begin(), kernel->hostMemory.end(), kOnlyIfAsked) != kernel->hostMemory.end();
}

bool makesHandle(const Node& node) {
  return node.inputs.empty() && node.outputTypes.size() == 1 && (isRef(node.outputTypes[0]) || baseType(node.outputTypes[0]) == DType::Resource);
}

}  // namespace

Status placeNodes(const Graph& graph, PlanGraph& plan, const std::vector<Device*>& devices, const SessionOptions& options, std::vector<std::string>* reasons,
                  const KeptDevices* kept) {
  const int n = int(plan.nodes.size());
  Groups groups(n);
  std::map<std::string_view, int> byName;
  for (int i = 0; i < n; ++i) {
    if (plan.nodes[i].node) byName[plan.nodes[i].node->name] = i;
  }
  for (int i = 0; i < n; ++i) {
    const PlanNode& p = plan.nodes[i];
    if (!p.node) continue;
    for (const std::string& c : p.node->attrs.list<std::string>("_class")) {
      if (!c.starts_with("loc:@")) continue;
      const auto it = byName.find(std::string_view(c).substr(5));
      if (it != byName.end()) groups.join(i, it->second);
    }
    for (size_t k = 0; k < p.inputs.size(); ++k) {
      const PlanNode& from = plan.nodes[p.inputs[k].node];
      if (!from.node && !from.device) continue;
      const DType type = from.types[p.inputs[k].index];
      if ((isRef(type) && isRef(p.node->inputTypes[k])) || baseType(type) == DType::Resource) groups.join(i, p.inputs[k].node);
    }
  }

  std::map<int, std::vector<int>> members;
  std::map<int, Device*> fed;  // of groups with a fed handle whose device is known
  for (int i = 0; i < n; ++i) {
    if (plan.nodes[i].node) members[groups.find(i)].push_back(i);
    else if (plan.nodes[i].device) fed[groups.find(i)] = plan.nodes[i].device;
  }
  if (reasons) reasons->assign(n, {});
  for (auto& [root, group] : members) {
    // The members' requests, merged; the first member with a request provides the reason. As in TensorFlow, the makers of references and resource handles
    // decide: a node that reads or changes a variable goes where the variable is, whatever device it asks for.
    DeviceSpec requested;
    std::string asked, who;
    std::vector<int> inOrder = group;
    const auto makers = std::stable_partition(inOrder.begin(), inOrder.end(), [&](int i) { return makesHandle(*plan.nodes[i].node); });
    bool decided = false, insists = false;  // insists: a node asks itself, not only the session's default device
    for (auto at = inOrder.begin(); at != inOrder.end(); ++at) {
      const int i = *at;
      if (at == makers) decided = !asked.empty();
      const std::string& own = plan.nodes[i].node->device;
      const std::string& text = own.empty() && !rathersCpu(*plan.nodes[i].node) ? options.defaultDevice : own;
      if (text.empty()) continue;
      insists |= !own.empty();
      auto spec = DeviceSpec::parse(text);
      if (!spec.ok()) return spec.error().atNode(plan.nodes[i].node->name);
      if (asked.empty()) {
        requested = *spec;
        asked = text;
        who = plan.nodes[i].node->name;
        continue;
      }
      const auto differ = [](int a, int b) { return a >= 0 && b >= 0 && a != b; };
      const bool elsewhere = (!spec->job.empty() && !requested.job.empty() && spec->job != requested.job) || differ(spec->replica, requested.replica) ||
                             differ(spec->task, requested.task);
      const bool clash = elsewhere || (!spec->type.empty() && !requested.type.empty() && spec->type != requested.type) || differ(spec->id, requested.id);
      if (clash && decided) continue;
      if (clash && (elsewhere || !options.allowSoftPlacement)) {
        return invalidArgument("Cannot colocate nodes {{colocation_node ", plan.nodes[i].node->name, "}} and {{colocation_node ", who,
                               "}} because their devices differ: '", text, "' and '", asked, "'")
            .atNode(plan.nodes[i].node->name);
      }
      if (requested.type.empty()) requested.type = spec->type;
      if (requested.job.empty()) requested.job = spec->job;
      for (int DeviceSpec::*part : {&DeviceSpec::id, &DeviceSpec::replica, &DeviceSpec::task}) {
        if (requested.*part < 0) requested.*part = (*spec).*part;
      }
    }
    const auto supported = [&plan, &group = group](Device* d) {
      return std::all_of(group.begin(), group.end(), [&](int i) { return findKernel(*plan.nodes[i].node, d->type()) != nullptr; });
    };
    std::vector<Device*> matching, inTask;  // soft placement chooses another device, but never another task
    const DeviceSpec anyDevice{requested.job, {}, requested.replica, requested.task, -1};
    for (Device* d : devices) {
      if (asked.empty() || requested.matches(d->name())) matching.push_back(d);
      if (asked.empty() || anyDevice.matches(d->name())) inTask.push_back(d);
    }
    const PlanNode& first = plan.nodes[group.front()];
    Device* chosen = nullptr;
    std::string reason;
    if (const auto it = fed.find(root); it != fed.end()) {
      chosen = it->second;
      reason = "where the variable is that is passed to the function";
    }
    for (int i : group) {
      const auto it = kept ? kept->find(plan.nodes[i].node->name) : KeptDevices::const_iterator();
      if (!kept || it == kept->end()) continue;
      chosen = it->second;
      reason = "where " + it->first + " has been since it was placed";
      break;
    }
    if (!chosen && !asked.empty() && matching.empty() && (!options.allowSoftPlacement || inTask.empty())) {
      return invalidArgument("Cannot assign a device for operation ", first.node->name, ": {{node ", first.node->name, "}} was explicitly assigned to ", asked,
                             " but available devices are [ ", joined(devices), " ]. Make sure the device specification refers to a valid device.",
                             requested.type == "GPU" && !whyNoGpu().empty() ? " (" + whyNoGpu() + ")" : std::string())
          .atNode(first.node->name);
    }
    // GPU before CPU by default, as in TensorFlow; devices are listed CPU first.
    std::vector<Device*> preferred = matching;
    const bool toCpu = devices.size() > 1 && std::any_of(group.begin(), group.end(), [&](int i) { return rathersCpu(*plan.nodes[i].node); });
    if (!toCpu) std::stable_sort(preferred.begin(), preferred.end(), [](Device* a, Device* b) { return a->type() > b->type(); });
    for (Device* d : preferred) {
      if (chosen) break;
      if (supported(d)) {
        chosen = d;
        reason = asked.empty() ? "no device asked for; " + d->type() + " has kernels for its group"
                               : "asked for by " + (who == first.node->name ? std::string("itself") : who) + ": " + asked;
        break;
      }
    }
    if (!chosen && !asked.empty() && (options.allowSoftPlacement || !insists)) {
      for (Device* d : inTask) {
        if (supported(d)) {
          chosen = d;
          reason = "asked for " + asked + ", which has no kernel or is not there; soft placement";
          break;
        }
      }
    }
    if (!chosen) {
      // No device has every kernel. Falls back to the host; missing kernels are reported when kernels are made.
      Device* host = matching.empty() ? devices.front() : matching.front();
      for (int i : group) {
        if (findKernel(*plan.nodes[i].node, host->type())) continue;
        if (!asked.empty() && host->type() != "CPU") {
          return invalidArgument("Cannot assign a device for operation ", plan.nodes[i].node->name, ": Could not satisfy explicit device specification '",
                                 asked, "' because no supported kernel for ", host->type(), " devices is available.")
              .atNode(plan.nodes[i].node->name);
        }
      }
      chosen = host;
      reason = "the only device left";
    }
    for (int i : group) {
      plan.nodes[i].device = chosen;
      if (reasons) (*reasons)[i] = reason + (group.size() > 1 && i != group.front() ? "; together with " + first.node->name : std::string());
    }
  }
  for (PlanNode& p : plan.nodes) {
    if (!p.device) p.device = devices.front();  // feeds are on the host
  }
  return {};
}

}  // namespace weft
