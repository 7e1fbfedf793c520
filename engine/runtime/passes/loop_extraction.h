#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/frames.h"
#include "runtime/native_loop.h"
#include "runtime/passes/loop_entry.h"

namespace weft {

bool isFreeConstant(const PlanNode& p);
/// Whether `p` is an Identity of a plain value, not of a reference, and so can be bypassed.
bool passesOn(const PlanGraph& g, const PlanNode& p);

/// Turns one loop of a plan into one node: analyses its form (loop_form.cpp), checks that the replacement cannot be observed (loop_entry_checks.cpp),
/// and builds the node (loop_parts.cpp). The plan is unchanged until replace().
class LoopExtraction {
 public:
  LoopExtraction(PlanGraph& plan, Frames& frames, int frame, PassContext& context)
      : g_(plan), frames_(frames), frame_(frame), context_(context), kind_(plan.nodes.size(), Kind::Outside) {}

  /// Replaces the loop by one node; false, leaving the plan unchanged, if the loop does not qualify.
  bool run();

 private:
  enum class Kind : uint8_t { Outside, Structure, Constant, Rest, Condition, Hoisted, Body };
  Kind& kind(int i) { return kind_[size_t(i)]; }
  const PlanNode& at(int i) const { return g_.nodes[size_t(i)]; }
  FlowRole role(int i) const { return at(i).node ? flowRole(*at(i).node) : FlowRole::None; }

  bool isOff(std::string_view part) const;
  bool isPure(const PlanNode& p) const;
  bool isSwitch(int i) { return kind(i) == Kind::Structure && role(i) == FlowRole::Switch; }

  // Analysis of the loop's form.
  bool collect();
  bool findVariables();
  bool findCondition();
  bool divide();
  bool mayRun();

  // Checks of inputs and outputs.
  bool canEnterTogether();
  bool isDeadOrAliveAsWhole(const Liveness& live) const;
  bool isReadOnlyBy(int constant, int enter) const;
  bool findLate();
  void moveWaits(int loop);
  int enterOf(int r) const { return r < int(entering_.size()) ? entering_[size_t(r)] : constantEnters_[size_t(r) - entering_.size()]; }

  int variableOf(int enter) const { return int(std::find(entering_.begin(), entering_.end(), enter) - entering_.begin()); }

  // Construction of the node.
  Output resolved(Output o);
  bool build(NativeLoop& loop);
  bool part(const std::vector<int>& ids, Kind own, const std::vector<Output>& wanted, NativeLoop& loop, NativeLoop::Part& out);
  void replace(std::shared_ptr<const NativeLoop> loop);

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
  std::vector<int> waits_, lateEnters_;  // nodes after the loop that an input waits for; those inputs
  std::set<int> lateRegisters_;
};

}  // namespace weft
