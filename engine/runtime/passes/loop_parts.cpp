#include <algorithm>

#include "runtime/passes/loop_extraction.h"

// Builds the loop's node: the plans of its parts, the registers between them, and its place in the plan.
namespace weft {

// RULE native_loops.body
//   pattern      a part of the loop as a plan of its own, fed and fetched by registers
//   condition    none beyond native_loops.form
//   replacement  the part's nodes, data edges, and control edges within the part; results bypass Identities; effects, and nodes that the structure waited for,
//                are
//                targets
/// The source of `o` behind Identities inside a part.
Output LoopExtraction::resolved(Output o) {
  while (!registerOf_.count(o) && (kind(o.node) == Kind::Body || kind(o.node) == Kind::Hoisted || kind(o.node) == Kind::Condition) &&
         passesOn(g_, at(o.node))) {
    o = at(o.node).inputs[0];
  }
  return o;
}

bool LoopExtraction::build(NativeLoop& loop) {
  loop.frame = frames_.names[size_t(frame_)];
  loop.variables = int(merges_.size());
  loop.inputs = loop.variables + int(constantEnters_.size());
  loop.registers = loop.inputs;
  for (int m : merges_) loop.types.push_back(at(m).types[0]), loop.shapes.push_back(at(m).shapes[0]);
  for (int e : constantEnters_) loop.types.push_back(at(e).types[0]), loop.shapes.push_back(at(e).shapes[0]);

  // The results that each part must provide.
  std::vector<Output> next;
  for (int n : returning_) next.push_back(resolved(at(n).inputs[0]));
  std::vector<Output> wanted = next;
  const auto wantInputs = [&](const std::vector<int>& ids) {
    for (int i : ids) wanted.insert(wanted.end(), at(i).inputs.begin(), at(i).inputs.end());
  };
  wantInputs(body_);
  wantInputs(hoisted_);
  wanted.push_back(at(loopCond_).inputs[0]);
  if (!part(condition_, Kind::Condition, wanted, loop, loop.condition)) return false;
  wanted = next;
  wantInputs(body_);
  if (!part(hoisted_, Kind::Hoisted, wanted, loop, loop.hoisted) || !part(body_, Kind::Body, next, loop, loop.body)) return false;

  const auto find = [&](Output o) {
    const auto it = registerOf_.find(o);
    return it == registerOf_.end() ? -1 : it->second;
  };
  loop.predicate = find(at(loopCond_).inputs[0]);
  if (loop.predicate < 0) return false;
  for (int n : returning_) {
    loop.next.push_back(find(resolved(at(n).inputs[0])));
    if (loop.next.back() < 0) return false;
  }
  loop.exits = exitRegisters_;
  return true;
}

/// Makes the plan of one part; its results get registers.
bool LoopExtraction::part(const std::vector<int>& ids, Kind own, const std::vector<Output>& wanted, NativeLoop& loop, NativeLoop::Part& out) {
  if (ids.empty()) return true;
  PlanGraph& g = out.graph;
  std::map<int, int> nodeOf;  // id in the plan -> id in the part
  std::map<int, int> feedOf;  // register -> id in the part
  std::set<int> constants;
  bool flow = false;
  for (int i : ids) {
    flow |= role(i) != FlowRole::None;
    for (const Output& in : at(i).inputs) {
      if (kind(in.node) == own) continue;
      if (kind(in.node) == Kind::Constant || isFreeConstant(at(in.node))) {
        constants.insert(in.node);
        continue;
      }
      const auto r = registerOf_.find(in);
      if (r == registerOf_.end()) return false;
      if (feedOf.count(r->second)) continue;
      feedOf[r->second] = int(g.nodes.size());
      PlanNode feed;
      feed.origin = at(in.node).origin;
      feed.feed = int(out.feeds.size());
      feed.types = {at(in.node).types[size_t(in.index)]};
      feed.shapes = {at(in.node).shapes[size_t(in.index)]};
      g.feedNodes.push_back(int(g.nodes.size()));
      g.nodes.push_back(std::move(feed));
      out.feeds.push_back(r->second);
    }
  }
  for (const Output& o : wanted)
    if (own == Kind::Body && (kind(o.node) == Kind::Constant || isFreeConstant(at(o.node))) && !registerOf_.count(o)) constants.insert(o.node);
  for (int c : constants) {
    nodeOf[c] = int(g.nodes.size());
    g.nodes.push_back(at(c));
    g.nodes.back().controls.clear();
  }
  for (int i : ids) {
    nodeOf[i] = int(g.nodes.size());
    g.nodes.push_back(at(i));
  }
  std::set<int> waitedFor;  // by the loop's structure, such as a NextIteration after an op with an effect
  for (const std::vector<int>* list : {&nexts_, &switches_}) {
    for (int i : *list)
      for (int c : at(i).controls) waitedFor.insert(c);
  }
  for (int c : at(loopCond_).controls) waitedFor.insert(c);
  for (int i : ids) {
    PlanNode& p = g.nodes[size_t(nodeOf[i])];
    for (Output& in : p.inputs) {
      const auto node = nodeOf.find(in.node);
      in = node != nodeOf.end() ? Output{node->second, in.index} : Output{feedOf[registerOf_[in]], 0};
    }
    std::vector<int> controls;
    for (int c : p.controls) {
      const auto node = nodeOf.find(c);
      if (node == nodeOf.end() || kind(c) == Kind::Constant) continue;
      if (!flow && passesOn(g_, at(c)) && registerOf_.count(at(c).inputs[0])) continue;  // the pivot: it only says that the body runs
      controls.push_back(node->second);
    }
    p.controls = std::move(controls);
    const bool effect = p.loop || !weft::isPure(*p.node);
    if (effect || waitedFor.count(i)) g.targets.push_back(nodeOf[i]);
  }
  g.hasControlFlow = flow;
  for (const Output& o : wanted) {
    const auto node = nodeOf.find(o.node);
    const bool constant = kind(o.node) == Kind::Constant || isFreeConstant(at(o.node));
    if (node == nodeOf.end() || registerOf_.count(o) || (constant ? own != Kind::Body : kind(o.node) != own)) continue;
    registerOf_[o] = loop.registers;
    out.results.push_back(loop.registers++);
    g.fetches.push_back({node->second, o.index});
  }
  return true;
}

void LoopExtraction::replace(std::shared_ptr<const NativeLoop> loop) {
  // Takes the place of the first Merge, because ready nodes run in order of their ids.
  const int place = *std::min_element(merges_.begin(), merges_.end());
  if (!waits_.empty()) moveWaits(place);
  PlanNode made;
  const OpRecord* record = OpRegistry::instance().find("While");
  Node node;
  node.name = at(loopCond_).node->name;
  node.op = "While";
  node.record = record;
  node.attrs.set("T", Attr(loop->types));
  for (int e : entering_) made.inputs.push_back(at(e).inputs[0]);
  for (int e : constantEnters_) made.inputs.push_back(at(e).inputs[0]);
  node.inputTypes = loop->types;
  for (const std::vector<int>* list : {&entering_, &constantEnters_}) {
    for (int e : *list) made.controls.insert(made.controls.end(), at(e).controls.begin(), at(e).controls.end());
  }
  std::sort(made.controls.begin(), made.controls.end());
  made.controls.erase(std::unique(made.controls.begin(), made.controls.end()), made.controls.end());
  for (int e : exits_) {
    made.types.push_back(at(e).types[0]);
    made.shapes.push_back(at(e).shapes[0]);
  }
  node.outputTypes = made.types;
  node.outputShapes = made.shapes;
  made.origin = at(loopCond_).origin;
  made.device = at(loopCond_).device;
  made.loop = std::move(loop);
  g_.made.push_back(std::move(node));
  made.node = &g_.made.back();
  std::map<int, int> exitIndex;
  for (size_t k = 0; k < exits_.size(); ++k) exitIndex[exits_[k]] = int(k);
  for (size_t i = 0; i < kind_.size(); ++i) {
    if (kind_[i] == Kind::Outside) continue;
    if (kind_[i] == Kind::Structure && int(i) != loopCond_) made.merged.push_back(at(int(i)).origin);
    g_.nodes[i].alive = false;
  }
  g_.nodes[size_t(place)] = std::move(made);
  frames_.inside[size_t(place)] = frames_.outside[size_t(place)] = frames_.parent[size_t(frame_)];
  const auto moved = [&](Output& o) {
    if (const auto it = exitIndex.find(o.node); it != exitIndex.end()) o = {place, it->second};
  };
  for (PlanNode& p : g_.nodes) {
    if (!p.alive) continue;
    for (Output& in : p.inputs) moved(in);
    bool waits = false;
    for (int& c : p.controls) {
      if (!exitIndex.count(c)) continue;
      c = place;
      waits = true;
    }
    if (!waits) continue;
    std::sort(p.controls.begin(), p.controls.end());
    p.controls.erase(std::unique(p.controls.begin(), p.controls.end()), p.controls.end());
  }
  for (Output& f : g_.fetches) moved(f);
  for (int& t : g_.targets)
    if (exitIndex.count(t)) t = place;
}

}  // namespace weft
