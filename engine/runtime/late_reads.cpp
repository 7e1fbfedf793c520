#include <algorithm>

#include "runtime/plan_graph.h"

namespace weft {
namespace {

bool passesReference(const Node& n) {
  return n.op == "RefIdentity" || n.op == "RefSwitch" || n.op == "RefMerge" || n.op == "RefSelect" || n.op == "RefEnter" || n.op == "RefExit" ||
         n.op == "RefNextIteration";
}

bool passesValue(const Node& n) { return n.op == "Identity" || n.op == "StopGradient" || n.op == "PreventGradient"; }

bool isRefOutput(const PlanGraph& plan, Output o) { return isRef(plan.nodes[size_t(o.node)].types[size_t(o.index)]); }

}  // namespace

/// In TensorFlow `w/read` (an Identity of a variable's reference) shares the variable's memory, so an op that runs after an update sees the
/// new value through it, even if the Identity itself ran before: moving averages that wait for the training op rely on that. Here a read
/// keeps what it has read; therefore ops that are ordered after an update of the variable, while the read is not, read the variable itself.
void resolveLateReads(PlanGraph& plan) {
  const size_t n = plan.nodes.size();
  // The variable behind each reference, and who changes it.
  std::vector<int> variable(n, -1);
  std::vector<std::vector<int>> updates(n);
  bool any = false;
  const auto order = plan.order();
  for (const int i : order) {
    const PlanNode& p = plan.nodes[size_t(i)];
    if (!p.node || p.types.empty() || !isRef(p.types[0])) continue;
    int root = i;
    for (const Output& in : p.inputs)
      if (isRefOutput(plan, in) && variable[size_t(in.node)] >= 0) {
        root = variable[size_t(in.node)];
        break;
      }
    variable[size_t(i)] = root;
    if (root != i && !passesReference(*p.node)) {
      updates[size_t(root)].push_back(i);
      any = true;
    }
  }
  if (!any) return;

  // What a value came from without being computed on: a reference, or nothing.
  const auto referenceOf = [&](Output o) -> Output {
    for (int hops = 0; hops < 16; ++hops) {
      const PlanNode& p = plan.nodes[size_t(o.node)];
      if (isRefOutput(plan, o)) return o;
      if (!p.node || !passesValue(*p.node) || p.inputs.empty()) return {};
      o = p.inputs[0];
    }
    return {};
  };
  std::vector<std::vector<int>> next(n);
  std::vector<int> readers;  // who takes a value that is a variable's
  std::vector<char> isRead(n, 0);
  for (const int i : order) {
    const PlanNode& p = plan.nodes[size_t(i)];
    for (const Output& in : p.inputs) {
      next[size_t(in.node)].push_back(i);
      if (isRefOutput(plan, in) || !p.node || passesValue(*p.node)) continue;
      const Output source = referenceOf(in);
      if (!source.valid() || variable[size_t(source.node)] < 0 || updates[size_t(variable[size_t(source.node)])].empty()) continue;
      readers.push_back(i);
      isRead[size_t(variable[size_t(source.node)])] = 1;
    }
    for (const int c : p.controls) next[size_t(c)].push_back(i);
  }
  if (readers.empty()) return;
  std::sort(readers.begin(), readers.end());
  readers.erase(std::unique(readers.begin(), readers.end()), readers.end());

  std::vector<int> mark(n, -1), work;
  for (size_t v = 0; v < n; ++v) {
    if (!isRead[v]) continue;
    for (const int update : updates[v]) {
      work.assign(1, update);
      while (!work.empty()) {
        const int i = work.back();
        work.pop_back();
        for (const int to : next[size_t(i)])
          if (mark[size_t(to)] != update) {
            mark[size_t(to)] = update;
            work.push_back(to);
          }
      }
      for (const int reader : readers) {
        if (mark[size_t(reader)] != update) continue;
        for (Output& in : plan.nodes[size_t(reader)].inputs) {
          if (isRefOutput(plan, in) || mark[size_t(in.node)] == update) continue;
          const Output source = referenceOf(in);
          if (source.valid() && variable[size_t(source.node)] == int(v)) in = source;
        }
      }
    }
  }
}

}  // namespace weft
