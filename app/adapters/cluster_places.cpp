#include "adapters/cluster_places.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace weft::app {
namespace {

/// `/job:ps/replica:0/task:1/device:GPU:0` as `ps:1`; empty: no single task of a cluster.
QString clusterTaskName(const QString& device) {
  QString job, task;
  for (const QString& part : device.split(u'/', Qt::SkipEmptyParts)) {
    if (part.startsWith(QLatin1String("job:"))) job = part.mid(4);
    if (part.startsWith(QLatin1String("task:"))) task = part.mid(5);
  }
  return job.isEmpty() || task.isEmpty() || job == QLatin1String("localhost") ? QString() : job + u':' + task;
}

/// Nodes as seen by their data inputs.
class TaskMap {
 public:
  TaskMap(const GraphArrays& arrays, const std::vector<QString>& placed) : arrays_(arrays), known_(arrays.nodes.size(), -1) {
    QHash<QString, int> ofDevice;
    for (std::size_t n = 0; n < known_.size(); ++n) {
      const QString& device = placed[n].isEmpty() ? arrays.nodes[n].device : placed[n];
      if (device.isEmpty()) continue;
      auto it = ofDevice.find(device);
      if (it == ofDevice.end()) {
        const QString name = clusterTaskName(device);
        int task = int(names_.indexOf(name));
        if (task < 0 && !name.isEmpty()) {
          task = int(names_.size());
          names_ << name;
        }
        it = ofDevice.insert(device, name.isEmpty() ? -1 : task);
      }
      known_[n] = *it;
    }
  }

  const QStringList& names() const { return names_; }
  int known(int node) const { return known_[std::size_t(node)]; }
  int task(int node) const { return tasks_[std::size_t(node)]; }
  const std::vector<int>& inputs(int node) const { return inputs_[std::size_t(node)]; }

  /// A node of which nothing is known, as those that optimisers remove, is where all its inputs are.
  void spread() {
    inputs_.resize(known_.size());
    for (const auto& edge : arrays_.edges)
      if (edge.ends.kind != widgets::EdgeKind::Control && edge.ends.from >= 0) inputs_[std::size_t(edge.ends.to)].push_back(edge.ends.from);
    tasks_ = known_;
    enum : char { New, Open, Done };
    std::vector<char> state(known_.size(), New);
    std::vector<std::pair<int, std::size_t>> stack;
    for (std::size_t root = 0; root < known_.size(); ++root) {
      if (state[root] != New) continue;
      stack.emplace_back(int(root), 0);
      while (!stack.empty()) {
        auto& [n, next] = stack.back();
        const auto at = std::size_t(n);
        state[at] = known_[at] >= 0 ? Done : Open;
        while (state[at] == Open && next < inputs_[at].size() && state[std::size_t(inputs_[at][next])] != New) ++next;
        if (state[at] == Open && next < inputs_[at].size()) {
          stack.emplace_back(inputs_[at][next], 0);
          continue;
        }
        if (state[at] == Open && !inputs_[at].empty()) {
          tasks_[at] = tasks_[std::size_t(inputs_[at].front())];
          for (const int input : inputs_[at])
            if (tasks_[std::size_t(input)] != tasks_[at]) tasks_[at] = -1;
        }
        state[at] = Done;
        stack.pop_back();
      }
    }
  }

 private:
  const GraphArrays& arrays_;
  QStringList names_;
  std::vector<int> known_, tasks_;
  std::vector<std::vector<int>> inputs_;
};

}  // namespace

ClusterPlaces clusterPlaces(const GraphArrays& arrays, const ProfileContents* profile) {
  ClusterPlaces out;
  out.placed.resize(arrays.nodes.size());
  if (profile) {
    for (std::size_t n = 0; n < arrays.nodes.size(); ++n) out.placed[n] = profile->placeOf.value(arrays.nodes[n].name);
  }
  out.crossesTasks.assign(arrays.edges.size(), 0);
  out.traffic.assign(arrays.edges.size(), -1);
  TaskMap tasks(arrays, out.placed);
  if (tasks.names().size() < 2) return out;
  tasks.spread();
  std::map<std::tuple<QString, int, int>, qint64> sent;  // bytes by node and tasks
  if (profile) {
    for (const ProfileTransfer& t : profile->transfers) {
      const int from = int(tasks.names().indexOf(clusterTaskName(t.from))), to = int(tasks.names().indexOf(clusterTaskName(t.to)));
      if (t.bytes >= 0) sent[{t.node, from, to}] += t.bytes;
    }
  }
  for (std::size_t e = 0; e < arrays.edges.size(); ++e) {
    const widgets::EdgeEnds& ends = arrays.edges[e].ends;
    if (ends.from < 0 || ends.to < 0) continue;
    const int from = tasks.task(ends.from), to = tasks.known(ends.to);
    if (from < 0 || to < 0 || from == to) continue;
    out.severalTasks = true;
    out.crossesTasks[e] = 1;
    // The server may have sent the output of a node before this one, if it removed this one.
    constexpr int kSteps = 20;
    int source = ends.from;
    for (int step = 0; step < kSteps && !sent.empty(); ++step) {
      const auto it = sent.find({arrays.nodes[std::size_t(source)].name, from, to});
      if (it != sent.end()) {
        out.traffic[e] = it->second / std::max(1, profile->steps);
        sent.erase(it);
        break;
      }
      if (!out.placed[std::size_t(source)].isEmpty() || tasks.inputs(source).empty()) break;
      source = tasks.inputs(source).front();
    }
  }
  return out;
}

}  // namespace weft::app
