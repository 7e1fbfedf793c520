#include "runtime/frames.h"

#include <algorithm>
#include <deque>
#include <map>
#include <utility>

namespace weft {
namespace {

std::string nameOf(const PlanNode& p) { return p.node ? p.node->name : "feed"; }

}  // namespace

Status Frames::find(const PlanGraph& g, Anywhere anywhere) {
  const bool rewritten = anywhere == Anywhere::Constants;
  const size_t n = g.nodes.size();
  inside.assign(n, -1);
  outside.assign(n, -1);
  std::map<std::pair<int, std::string>, int> ids;
  std::vector<std::vector<int>> next(n);
  std::deque<int> work, constants;
  for (size_t i = 0; i < n; ++i) {
    const PlanNode& p = g.nodes[i];
    if (!p.alive) continue;
    for (const Output& in : p.inputs) next[size_t(in.node)].push_back(int(i));
    for (const int c : p.controls) next[size_t(c)].push_back(int(i));
    if (!p.inputs.empty() || !p.controls.empty()) continue;
    const bool free = (anywhere != Anywhere::Nothing && p.node && isConstant(*p.node)) || (rewritten && p.isConstant());
    (free ? constants : work).push_back(int(i));
    inside[i] = 0;
  }
  while (!work.empty() || !constants.empty()) {
    const bool free = work.empty();  // constants last: by then the frames of their consumers are known from other inputs
    std::deque<int>& from = free ? constants : work;
    const int i = from.front();
    from.pop_front();
    const PlanNode& p = g.nodes[size_t(i)];
    const FlowRole role = p.node ? flowRole(*p.node) : FlowRole::None;
    int frame = inside[size_t(i)];
    if (role == FlowRole::Enter) {
      const std::string name = p.node->attrs.text("frame_name");
      const auto [it, made] = ids.try_emplace({frame, name}, int(parent.size()));
      if (made) {
        parent.push_back(frame);
        names.push_back(name);
        parallelIterations.push_back(std::max(1, int(p.node->attrs.integer("parallel_iterations", 10))));
      }
      frame = it->second;
    } else if (role == FlowRole::Exit) {
      frame = parent[size_t(frame)];
      if (frame < 0)
        return invalidArgument("The node '", p.node->name, "' is an Exit outside of every frame; expected it inside a while loop").atNode(p.node->name);
    }
    outside[size_t(i)] = frame;
    for (const int to : next[size_t(i)]) {
      const PlanNode& reader = g.nodes[size_t(to)];
      if (inside[size_t(to)] < 0) {
        inside[size_t(to)] = frame;
        work.push_back(to);
        continue;
      }
      if (inside[size_t(to)] == frame || free || (rewritten && (p.isConstant() || reader.isConstant()))) continue;
      return invalidArgument("The node '", nameOf(reader), "' has inputs from different frames. The input {{node ", nameOf(p), "}} is in frame '",
                             names[size_t(frame)], "'. Expected '", names[size_t(inside[size_t(to)])], "'.")
          .atNode(reader.node ? reader.node->name : "");
    }
  }
  return {};
}

}  // namespace weft
