#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include "runtime/async_kernel.h"
#include "runtime/executor.h"
#include "runtime/loop_products.h"
#include "runtime/passes/loop_entry.h"

// Finds while loops as tf.while_loop and tf.gradients build them: for each variable Enter -> Merge -> Switch -> (Exit | body ->
// NextIteration -> Merge), one LoopCond for all. What depends on a Switch's true side is the body; what LoopCond needs is the
// condition. Anything else (references, fetches from inside, ops that wait, other devices, edges that leave a frame without Exit)
// leaves the loop to the dataflow executor.
namespace weft {
namespace {

/// Which frame each node's inputs and outputs lie in, as the dataflow executor sees it.
struct Frames {
  std::vector<int> inside, outside;
  std::vector<int> parent{-1};
  std::vector<std::string> names{""};

  /// False for graphs whose frames do not fit: the executor says why.
  bool find(const PlanGraph& g) {
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
      for (int c : p.controls) next[size_t(c)].push_back(int(i));
      if (!p.inputs.empty() || !p.controls.empty()) continue;
      (p.node && p.node->op == "Const" ? constants : work).push_back(int(i));
      inside[i] = 0;
    }
    while (!work.empty() || !constants.empty()) {
      const bool free = work.empty();  // constants last: they may be used in any frame
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
        }
        frame = it->second;
      } else if (role == FlowRole::Exit) {
        frame = parent[size_t(frame)];
        if (frame < 0) return false;
      }
      outside[size_t(i)] = frame;
      for (int to : next[size_t(i)]) {
        if (inside[size_t(to)] < 0) {
          inside[size_t(to)] = frame;
          work.push_back(to);
        } else if (inside[size_t(to)] != frame && !free) {
          return false;
        }
      }
    }
    return true;
  }
};

bool isFreeConstant(const PlanNode& p) {
  return p.node && p.node->op == "Const" && p.controls.empty();
}

/// An Identity that may be looked through: it passes a value, not a variable's.
bool passesOn(const PlanGraph& g, const PlanNode& p) {
  return p.node && p.node->op == "Identity" && p.inputs.size() == 1 &&
         !isRef(g.nodes[size_t(p.inputs[0].node)].types[size_t(p.inputs[0].index)]);
}

class Extraction {
public:
  Extraction(PlanGraph& plan, Frames& frames, int frame, PassContext& context)
      : g_(plan), frames_(frames), frame_(frame), context_(context), kind_(plan.nodes.size(), Kind::Outside) {}

  /// Puts one node in the loop's place; false (and the plan as it was) if the loop is none of these.
  bool run() {
    if (!collect() || !findVariables() || !findCondition() || !divide() || !mayRun() || !entersTogether()) return false;
    auto loop = std::make_shared<NativeLoop>();
    if (!build(*loop)) return false;
    for (NativeLoop::Part* part : {&loop->condition, &loop->hoisted, &loop->body}) simplifyControls(part->graph);
    if (!isOff("loop_products")) deferProducts(*loop);
    replace(std::move(loop));
    return true;
  }

private:
  enum class Kind : uint8_t { Outside, Structure, Constant, Rest, Condition, Hoisted, Body };
  Kind& kind(int i) { return kind_[size_t(i)]; }
  const PlanNode& at(int i) const { return g_.nodes[size_t(i)]; }
  FlowRole role(int i) const { return at(i).node ? flowRole(*at(i).node) : FlowRole::None; }

  bool isOff(std::string_view part) const {
    return context_.disabled && std::find(context_.disabled->begin(), context_.disabled->end(), part) != context_.disabled->end();
  }

  bool collect() {
    for (int i = 0; i < int(g_.nodes.size()); ++i) {
      const PlanNode& p = at(i);
      if (!p.alive) continue;
      const FlowRole r = role(i);
      if (r == FlowRole::Enter && frames_.outside[size_t(i)] == frame_) {
        kind(i) = Kind::Structure;
        (p.node->attrs.flag("is_constant") ? constantEnters_ : enters_).push_back(i);
      } else if (frames_.inside[size_t(i)] == frame_) {
        if (r == FlowRole::Enter || !p.node) return false;  // a loop inside that stayed one, or something fed
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

  bool findVariables() {
    // Merges of an Enter and a NextIteration; every one of those belongs to exactly one.
    std::map<int, int> variableOfEnter, variableOfNext;
    for (auto it = rest_.begin(); it != rest_.end();) {
      const int i = *it;
      const PlanNode& p = at(i);
      const bool loops = role(i) == FlowRole::Merge && std::any_of(p.inputs.begin(), p.inputs.end(), [&](const Output& in) {
                           return role(in.node) == FlowRole::NextIteration;
                         });
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
    // Their Switches.
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

  bool isSwitch(int i) { return kind(i) == Kind::Structure && role(i) == FlowRole::Switch; }

  /// What LoopCond needs, itself left out.
  bool findCondition() {
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

  bool isPure(const PlanNode& p) const {
    const Node& n = *p.node;
    if (p.loop || n.record->isStateful || flowRole(n) != FlowRole::None || p.types.empty()) return false;
    if (n.op == "Placeholder" || n.op == "PlaceholderWithDefault" || n.op == "Assert" || n.op == "CheckNumerics") return false;
    for (const auto& [name, value] : n.attrs)
      if (value.get<FuncAttr>() || value.get<std::vector<FuncAttr>>()) return false;
    return true;
  }

  /// The rest is the body. What depends on nothing that changes is computed once, before the first round.
  bool divide() {
    std::vector<uint8_t> member(g_.nodes.size(), 0), afterSwitch(g_.nodes.size(), 0);
    for (int i : rest_) member[size_t(i)] = 1;
    for (int i : g_.order()) {
      if (!member[size_t(i)]) continue;
      const PlanNode& p = at(i);
      const auto follows = [&](int from) { return isSwitch(from) || afterSwitch[size_t(from)]; };
      for (const Output& in : p.inputs) afterSwitch[size_t(i)] |= follows(in.node);
      for (int c : p.controls) afterSwitch[size_t(i)] |= follows(c);
      // Something that runs in the last round too, and with an effect.
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
      if (p.node->op == "Const")
        kind(i) = Kind::Constant;
      else if (!p.inputs.empty() && std::all_of(p.inputs.begin(), p.inputs.end(), stays))
        kind(i) = Kind::Hoisted;
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

  /// Nothing outside looks in but through the exits, and nothing inside waits for what others do.
  bool mayRun() {
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
      auto kernel = makeKernel(*p.node, *p.device, context_.session);
      if (!kernel.ok() || dynamic_cast<AsyncKernel*>(kernel->get())) return false;
    }
    return true;
  }

  /// The node runs when all that enters is there, while the frame begins with the first value that comes. So nothing that enters may wait for
  /// what leaves, and where anything that enters is dead all that leaves must be dead too. One exception to the first: tf.gradients counts the rounds of a loop from a constant that waits for
  /// whatever tf.control_dependencies names around the gradients, which may well be what comes after the loop. Such a constant enters at once;
  /// who uses what the loop makes of it waits instead.
  bool entersTogether() {
    const Liveness live = livenessOf(g_);
    const std::vector<uint8_t> after = runsAfter(g_, exits_);
    if (!diesTogether(live)) return false;
    for (const std::vector<int>* list : {&entering_, &constantEnters_}) {
      for (const int e : *list) {
        const int from = at(e).inputs[0].node;
        const auto late = [&](int i) {
          for (const int c : at(i).controls)
            if (after[size_t(c)]) waits_.push_back(c);
        };
        const size_t before = waits_.size();
        late(e);
        if (after[size_t(from)]) {
          if (!at(from).node || at(from).node->op != "Const" || !isReadOnlyBy(from, e)) return false;
          late(from);
        }
        if (waits_.size() == before) continue;
        lateEnters_.push_back(e);
        lateRegisters_.insert(registerOf_.at(list == &entering_ ? Output{merges_[size_t(variableOf(e))], 0} : Output{e, 0}));
      }
    }
    std::sort(waits_.begin(), waits_.end());
    waits_.erase(std::unique(waits_.begin(), waits_.end()), waits_.end());
    return waits_.empty() || (frames_.parent[size_t(frame_)] == 0 && findLate());
  }

  /// In the frame a variable leaves alive if it came in alive and so did all that the condition reads; as a node, if all came in alive.
  bool diesTogether(const Liveness& live) const {
    const auto unite = [](LiveWhen& to, const LiveWhen& more) {
      LiveWhen both;
      std::set_union(to.begin(), to.end(), more.begin(), more.end(), std::back_inserter(both));
      to = std::move(both);
    };
    LiveWhen all, tested;
    std::set<int> read;
    const auto reads = [&](int i) {
      for (const Output& in : at(i).inputs) read.insert(in.node);
      read.insert(at(i).controls.begin(), at(i).controls.end());
    };
    reads(loopCond_);
    for (const int i : condition_) reads(i);
    for (const int i : read)
      for (const auto& [output, r] : registerOf_)
        if (output.node == i) unite(tested, live.when[size_t(enterOf(r))]);
    for (int r = 0; r < int(entering_.size() + constantEnters_.size()); ++r) {
      if (!live.known[size_t(enterOf(r))]) return false;
      unite(all, live.when[size_t(enterOf(r))]);
    }
    for (const int r : exitRegisters_) {
      LiveWhen leaves = live.when[size_t(enterOf(r))];
      unite(leaves, tested);
      if (leaves != all) return false;
    }
    return true;
  }

  int enterOf(int r) const { return r < int(entering_.size()) ? entering_[size_t(r)] : constantEnters_[size_t(r) - entering_.size()]; }

  int variableOf(int enter) const { return int(std::find(entering_.begin(), entering_.end(), enter) - entering_.begin()); }

  bool isReadOnlyBy(int constant, int enter) const {
    for (const Output& f : g_.fetches)
      if (f.node == constant) return false;
    if (std::find(g_.targets.begin(), g_.targets.end(), constant) != g_.targets.end()) return false;
    for (int i = 0; i < int(g_.nodes.size()); ++i) {
      const PlanNode& p = at(i);
      if (!p.alive) continue;
      if (std::find(p.controls.begin(), p.controls.end(), constant) != p.controls.end()) return false;
      if (i != enter && std::any_of(p.inputs.begin(), p.inputs.end(), [&](const Output& in) { return in.node == constant; })) return false;
    }
    return true;
  }

  /// All variables that depend on what enters late. False if whether the loop goes on, or an effect, does too: those would have come later.
  bool findLate() {
    std::set<int> nodes;
    const auto isLate = [&](int node) {
      if (nodes.count(node)) return true;
      for (const auto& [output, r] : registerOf_)
        if (output.node == node && lateRegisters_.count(r)) return true;
      return false;
    };
    const auto waitsForLate = [&](int i) {
      const PlanNode& p = at(i);
      return std::any_of(p.inputs.begin(), p.inputs.end(), [&](const Output& in) { return isLate(in.node); }) ||
             std::any_of(p.controls.begin(), p.controls.end(), isLate);
    };
    for (size_t known = 0, attempt = 0; attempt == 0 || known != lateRegisters_.size() + nodes.size(); ++attempt) {
      known = lateRegisters_.size() + nodes.size();
      for (const std::vector<int>* list : {&condition_, &hoisted_, &body_}) {
        for (const int i : *list) {
          if (nodes.count(i) || !waitsForLate(i)) continue;
          if (list == &condition_ || !isPure(at(i))) return false;
          nodes.insert(i);
        }
      }
      for (size_t v = 0; v < returning_.size(); ++v)
        if (waitsForLate(returning_[v])) lateRegisters_.insert(int(v));
    }
    return !waitsForLate(loopCond_);
  }

  /// Lets what enters late enter at once, and those wait that read what became of it.
  void moveWaits(int loop) {
    const auto isLate = [&](int exit) {
      const auto k = std::find(exits_.begin(), exits_.end(), exit);
      return k != exits_.end() && lateRegisters_.count(exitRegisters_[size_t(k - exits_.begin())]) > 0;
    };
    const auto waited = [&](int c) { return std::binary_search(waits_.begin(), waits_.end(), c); };
    for (const int e : lateEnters_) {
      std::erase_if(g_.nodes[size_t(e)].controls, waited);
      std::erase_if(g_.nodes[size_t(at(e).inputs[0].node)].controls, [&](int c) { return at(at(e).inputs[0].node).node->op == "Const" && waited(c); });
    }
    for (int i = 0; i < int(g_.nodes.size()); ++i) {
      PlanNode& p = g_.nodes[size_t(i)];
      if (!p.alive || kind(i) != Kind::Outside || i == loop) continue;
      const bool reads = std::any_of(p.inputs.begin(), p.inputs.end(), [&](const Output& in) { return isLate(in.node); }) ||
                         std::any_of(p.controls.begin(), p.controls.end(), isLate);
      if (!reads) continue;
      p.controls.insert(p.controls.end(), waits_.begin(), waits_.end());
      std::sort(p.controls.begin(), p.controls.end());
      p.controls.erase(std::unique(p.controls.begin(), p.controls.end()), p.controls.end());
    }
    // Who fetches a late value, or nobody: what was waited for runs all the same.
    for (const int c : waits_)
      if (std::find(g_.targets.begin(), g_.targets.end(), c) == g_.targets.end()) g_.targets.push_back(c);
  }

  /// Looks through Identities inside a part.
  Output resolved(Output o) {
    while (!registerOf_.count(o) &&
           (kind(o.node) == Kind::Body || kind(o.node) == Kind::Hoisted || kind(o.node) == Kind::Condition) &&
           passesOn(g_, at(o.node))) {
      o = at(o.node).inputs[0];
    }
    return o;
  }

  bool build(NativeLoop& loop) {
    loop.frame = frames_.names[size_t(frame_)];
    loop.variables = int(merges_.size());
    loop.inputs = loop.variables + int(constantEnters_.size());
    loop.registers = loop.inputs;
    for (int m : merges_) loop.types.push_back(at(m).types[0]), loop.shapes.push_back(at(m).shapes[0]);
    for (int e : constantEnters_) loop.types.push_back(at(e).types[0]), loop.shapes.push_back(at(e).shapes[0]);

    // What each part has to hand out.
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
  bool part(const std::vector<int>& ids, Kind own, const std::vector<Output>& wanted, NativeLoop& loop, NativeLoop::Part& out) {
    if (ids.empty()) return true;
    PlanGraph& g = out.graph;
    std::map<int, int> nodeOf;  // of the plan -> of the part
    std::map<int, int> feedOf;  // register -> node of the part
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
      if (own == Kind::Body && (kind(o.node) == Kind::Constant || isFreeConstant(at(o.node))) && !registerOf_.count(o))
        constants.insert(o.node);
    for (int c : constants) {
      nodeOf[c] = int(g.nodes.size());
      g.nodes.push_back(at(c));
      g.nodes.back().controls.clear();
    }
    for (int i : ids) {
      nodeOf[i] = int(g.nodes.size());
      g.nodes.push_back(at(i));
    }
    std::set<int> waitedFor;  // by the structure: NextIteration after an op with an effect
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
        if (!flow && passesOn(g_, at(c)) && registerOf_.count(at(c).inputs[0]))
          continue;  // the pivot: it only says that the body runs
        controls.push_back(node->second);
      }
      p.controls = std::move(controls);
      const bool effect = p.loop || p.node->record->isStateful || p.node->op == "Assert" || p.node->op == "CheckNumerics";
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

  void replace(std::shared_ptr<const NativeLoop> loop) {
    // In the place of the first Merge: what runs first among what is ready goes by numbers.
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

  PlanGraph& g_;
  Frames& frames_;
  const int frame_;
  PassContext& context_;
  std::vector<Kind> kind_;
  int loopCond_ = -1;
  std::vector<int> enters_, constantEnters_, exits_, nexts_, switches_, rest_;
  std::vector<int> merges_, entering_, returning_;  // by variable
  std::vector<int> exitRegisters_;
  std::vector<int> condition_, hoisted_, body_;
  std::map<Output, int> registerOf_, whenFalse_;
  std::vector<int> waits_, lateEnters_;  // what comes after the loop and yet before a value that enters; those values
  std::set<int> lateRegisters_;
};

}  // namespace

/// While loops become one node each, the innermost first, so that all other rewrites see a graph without frames, and the bodies
/// too.
Status nativeLoops(PlanGraph& plan, PassContext& context) {
  if (!plan.hasControlFlow || !OpRegistry::instance().find("While")) return {};
  Frames frames;
  if (!frames.find(plan)) return {};
  const int count = int(frames.parent.size());
  int made = 0;
  for (int f = count - 1; f > 0; --f)
    made += Extraction(plan, frames, f, context).run();  // a frame is found after the one around it
  if (!made) return {};
  plan.hasControlFlow = std::any_of(plan.nodes.begin(), plan.nodes.end(),
                                    [](const PlanNode& p) { return p.alive && p.node && flowRole(*p.node) != FlowRole::None; });
  return {};
}

}  // namespace weft
