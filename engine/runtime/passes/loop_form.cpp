#include <algorithm>

#include "kernel/async_kernel.h"
#include "runtime/executor.h"
#include "runtime/passes/loop_extraction.h"

// Divides a frame into loop structure, condition, body, and the part of the body that can be hoisted.
namespace weft {

// RULE native_loops.form
//   pattern      the nodes of a frame
//   condition    one LoopCond; each Merge of an Enter and a NextIteration belongs to one variable; no references; nothing inside is fed or fetched; edges leave
//                the frame only through an Exit and enter it only through an Enter; no asynchronous op, no Send
//   replacement  condition: the ops that LoopCond needs, without control flow; body: the rest. No op of the body that would also run in the last, incomplete
//                iteration has an effect
bool LoopExtraction::collect() {
  for (int i = 0; i < int(g_.nodes.size()); ++i) {
    const PlanNode& p = at(i);
    if (!p.alive) continue;
    const FlowRole r = role(i);
    if (r == FlowRole::Enter && frames_.outside[size_t(i)] == frame_) {
      kind(i) = Kind::Structure;
      (p.node->attrs.flag("is_constant") ? constantEnters_ : enters_).push_back(i);
    } else if (frames_.inside[size_t(i)] == frame_) {
      if (r == FlowRole::Enter || !p.node) return false;  // a nested loop that was not replaced, or a feed
      if (r == FlowRole::Exit) {
        kind(i) = Kind::Structure;
        exits_.push_back(i);
        if (!p.controls.empty()) return false;
      } else if (r == FlowRole::NextIteration) {
        kind(i) = Kind::Structure;
        nexts_.push_back(i);
      } else if (r == FlowRole::LoopCond) {
        if (loopCond_ >= 0) return false;
        kind(i) = Kind::Structure;
        loopCond_ = i;
      } else {
        kind(i) = Kind::Rest;
        rest_.push_back(i);
      }
    } else {
      continue;
    }
    if (!p.device || p.device->type() != "CPU" || p.kernel) return false;
    for (DType t : p.types)
      if (isRef(t)) return false;
    if (r != FlowRole::Enter) {
      for (DType t : p.node->inputTypes)
        if (isRef(t)) return false;
    }
  }
  return loopCond_ >= 0 && !exits_.empty() && !enters_.empty();
}

bool LoopExtraction::findVariables() {
  // Merges of an Enter and a NextIteration. Each Enter and NextIteration belongs to exactly one Merge.
  std::map<int, int> variableOfEnter, variableOfNext;
  for (auto it = rest_.begin(); it != rest_.end();) {
    const int i = *it;
    const PlanNode& p = at(i);
    const bool loops =
        role(i) == FlowRole::Merge && std::any_of(p.inputs.begin(), p.inputs.end(), [&](const Output& in) { return role(in.node) == FlowRole::NextIteration; });
    if (!loops) {
      ++it;
      continue;
    }
    if (p.inputs.size() != 2 || !p.controls.empty()) return false;
    int enter = p.inputs[0].node, next = p.inputs[1].node;
    if (role(enter) != FlowRole::Enter) std::swap(enter, next);
    const bool known = std::find(enters_.begin(), enters_.end(), enter) != enters_.end() && role(next) == FlowRole::NextIteration;
    const int v = int(merges_.size());
    if (!known || !variableOfEnter.emplace(enter, v).second || !variableOfNext.emplace(next, v).second) return false;
    merges_.push_back(i);
    entering_.push_back(enter);
    returning_.push_back(next);
    kind(i) = Kind::Structure;
    registerOf_[{i, 0}] = v;
    it = rest_.erase(it);
  }
  if (merges_.size() != enters_.size() || merges_.size() != nexts_.size()) return false;
  const int variables = int(merges_.size());
  for (size_t k = 0; k < constantEnters_.size(); ++k) registerOf_[{constantEnters_[k], 0}] = variables + int(k);
  // The Switches of these variables.
  for (auto it = rest_.begin(); it != rest_.end();) {
    const PlanNode& p = at(*it);
    if (role(*it) != FlowRole::Switch || p.inputs[1].node != loopCond_) {
      ++it;
      continue;
    }
    const auto value = registerOf_.find(p.inputs[0]);
    if (value == registerOf_.end() || !p.controls.empty()) return false;
    registerOf_[{*it, 1}] = value->second;
    whenFalse_[{*it, 0}] = value->second;
    kind(*it) = Kind::Structure;
    switches_.push_back(*it);
    it = rest_.erase(it);
  }
  for (int e : exits_) {
    const auto value = whenFalse_.find(at(e).inputs[0]);
    if (value == whenFalse_.end()) return false;
    exitRegisters_.push_back(value->second);
  }
  return true;
}

/// Collects the ops that LoopCond depends on, without LoopCond itself.
bool LoopExtraction::findCondition() {
  std::vector<int> stack;
  const auto need = [&](int i, bool control) {
    if (kind(i) == Kind::Structure) return role(i) == FlowRole::Merge || role(i) == FlowRole::Enter;
    if (!control && isFreeConstant(at(i))) return true;
    if (kind(i) == Kind::Condition) return true;
    if (kind(i) != Kind::Rest || role(i) != FlowRole::None) return false;
    kind(i) = Kind::Condition;
    stack.push_back(i);
    return true;
  };
  const PlanNode& cond = at(loopCond_);
  if (!need(cond.inputs[0].node, false)) return false;
  for (int c : cond.controls)
    if (!need(c, true)) return false;
  while (!stack.empty()) {
    const int i = stack.back();
    stack.pop_back();
    for (const Output& in : at(i).inputs)
      if (!need(in.node, false)) return false;
    for (int c : at(i).controls)
      if (!need(c, true)) return false;
  }
  std::erase_if(rest_, [&](int i) { return kind(i) == Kind::Condition; });
  return true;
}

bool LoopExtraction::isPure(const PlanNode& p) const {
  const Node& n = *p.node;
  return !p.loop && !p.types.empty() && flowRole(n) == FlowRole::None && weft::isPure(n);
}

// RULE native_loops.hoisted
//   pattern      f(x1, .., xn) in a body, f without state, check or function
//   condition    each xi is a loop invariant, a constant, or hoisted; f waits only for the start of the body
//   replacement  computed once, before the first iteration, and not at all if there is none
/// The remaining ops are the body. Those that do not depend on loop variables are hoisted.
bool LoopExtraction::divide() {
  std::vector<uint8_t> member(g_.nodes.size(), 0), afterSwitch(g_.nodes.size(), 0);
  for (int i : rest_) member[size_t(i)] = 1;
  for (int i : g_.order()) {
    if (!member[size_t(i)]) continue;
    const PlanNode& p = at(i);
    const auto follows = [&](int from) { return isSwitch(from) || afterSwitch[size_t(from)]; };
    for (const Output& in : p.inputs) afterSwitch[size_t(i)] |= follows(in.node);
    for (int c : p.controls) afterSwitch[size_t(i)] |= follows(c);
    // An op with an effect that also runs in the last, incomplete iteration.
    if (!afterSwitch[size_t(i)] && !isPure(p)) return false;
    kind(i) = Kind::Body;
    if (!isPure(p)) continue;
    const auto stays = [&](const Output& in) {
      if (kind(in.node) == Kind::Hoisted || kind(in.node) == Kind::Constant || isFreeConstant(at(in.node))) return true;
      const auto r = registerOf_.find(in);
      return r != registerOf_.end() && r->second >= int(merges_.size());
    };
    const auto waitsForNothing = [&](int c) {
      if (kind(c) == Kind::Hoisted || kind(c) == Kind::Constant || kind(c) == Kind::Structure) return true;
      return passesOn(g_, at(c)) && registerOf_.count(at(c).inputs[0]) > 0;  // the pivot: "the body runs"
    };
    if (!std::all_of(p.controls.begin(), p.controls.end(), waitsForNothing)) continue;
    if (weft::isConstant(*p.node)) kind(i) = Kind::Constant;
    else if (!p.inputs.empty() && std::all_of(p.inputs.begin(), p.inputs.end(), stays)) kind(i) = Kind::Hoisted;
  }
  for (int i : rest_) {
    if (kind(i) == Kind::Rest) return false;
    if (kind(i) == Kind::Body) body_.push_back(i);
    if (kind(i) == Kind::Hoisted) hoisted_.push_back(i);
  }
  for (size_t i = 0; i < kind_.size(); ++i)
    if (kind_[i] == Kind::Condition) condition_.push_back(int(i));
  return true;
}

/// Whether edges cross the loop's border only through Enter and Exit, and no op inside is asynchronous or sends.
bool LoopExtraction::mayRun() {
  const auto mine = [&](int i) { return kind(i) != Kind::Outside; };
  const auto isExit = [&](int i) { return role(i) == FlowRole::Exit && kind(i) == Kind::Structure; };
  for (const Output& f : g_.fetches)
    if (mine(f.node) && !isExit(f.node)) return false;
  for (int t : g_.targets)
    if (mine(t) && !isExit(t)) return false;
  for (int i = 0; i < int(g_.nodes.size()); ++i) {
    const PlanNode& p = at(i);
    if (!p.alive) continue;
    const bool in = mine(i), enter = in && role(i) == FlowRole::Enter;
    for (const Output& o : p.inputs) {
      if (enter) break;
      if (!in && mine(o.node) && !isExit(o.node)) return false;
      if (in && !mine(o.node) && !isFreeConstant(at(o.node))) return false;
      if (in && isExit(o.node)) return false;
    }
    for (int c : p.controls) {
      if (enter) break;
      if (!in && mine(c) && !isExit(c)) return false;
      if (in && (!mine(c) || isExit(c))) return false;
    }
    if (!in || kind(i) == Kind::Structure || !p.node->record->isStateful || p.loop) continue;
    if (roleOf(*p.node) == OpRole::Send) return false;  // its key names the frame and the iteration
    auto kernel = makeKernel(*p.node, *p.device, context_.session);
    if (!kernel.ok() || dynamic_cast<AsyncKernel*>(kernel->get())) return false;
  }
  return true;
}

}  // namespace weft
