#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "weft/planned_memory.h"
#include "weft/session.h"
#include "weft/side_by_side.h"

namespace weft {

/// A kernel call of a plan.
struct PlannedStep {
  int node = -1;  ///< Id in the session's graph.
  std::string name, op;
  std::vector<int> merged;  ///< Further nodes that it computes: a fused group.
  double bytes = 0;         ///< Bytes read and written; 0 if shapes are known only at run time.
  bool inDouble = false;    ///< An output is float64 or complex128.
};

/// A place in the arena of a plan.
struct PlannedBlock {
  std::string tensor;  ///< The first tensor stored there.
  size_t offset = 0, bytes = 0;
  int first = 0, last = 0;  ///< Steps during which it is needed, inclusive.
};

/// Describes a plan.
struct PlanReport {
  std::vector<std::string> passes;            ///< What each rewrite did: "constant_folding: 12 nodes".
  std::vector<PlannedStep> steps;             ///< In order.
  std::vector<std::pair<int, int>> together;  ///< Steps that run side by side: from, and up to but without. Decided after some runs.
  double oneByOneNs = 0, togetherNs = 0;      ///< Of all steps, as timed one by one and as predicted. 0 without `together`.
  std::vector<ScheduledCall> calls;           ///< The steps that do work, in the graph's order, as timed. Empty before that.
  std::vector<int> callSteps;                 ///< Their positions in `steps`.
  std::vector<PlannedBlock> blocks;           ///< By first step. Empty before a plan's second run, and for dataflow plans.
  std::vector<std::string> rounded;           ///< Nodes whose operands were rounded to bfloat16 so far (SessionOptions::products), by name.
  PlannedMemory memory;                       ///< Of the whole step.
  size_t arenaBytes = 0;
  size_t leastBytes = 0;                                   ///< Most bytes needed at one time, a lower bound for the arena.
  std::vector<std::pair<int, std::vector<Shape>>> shapes;  ///< Output shapes of nodes of the session's graph, including merged ones.

  /// Bytes in use during each step.
  WEFT_API std::vector<size_t> bytesOverTime() const;
};

/// The newest plan of the newest signature for which `wanted(fetches, targets)` is true. NOT_FOUND if there is none yet.
WEFT_API Result<PlanReport> planReport(const Session& session,
                                       const std::function<bool(const std::vector<std::string>& fetches, const std::vector<std::string>& targets)>& wanted);

struct Trace;
struct MachineRoof;

/// Completes the costs of the nodes of `trace` from the shapes that `plan` was made for. Nodes that stand for a fused group get the group's FLOPs, and
/// the bytes that enter and leave it.
WEFT_API void describePlan(Trace& trace, const Graph& graph, const PlanReport& plan);

/// A node's time beside its floor on this machine: the longer of its arithmetic and its memory traffic, assuming nothing is cached. With cached
/// operands a node can be faster.
struct NodeFloor {
  std::string name, op;
  double ns = 0, floorNs = 0;   ///< Per step.
  double flops = 0, bytes = 0;  ///< Per step.
  double calls = 0;             ///< Per step.
  bool rounded = false;         ///< Its operands were rounded to bfloat16; the floor is that of such products.
  /// What the floor consists of.
  enum class Bound : uint8_t { Nothing, Arithmetic, Memory } bound = Bound::Nothing;
  /// Why the node takes longer.
  enum class Gap : uint8_t {
    None,       ///< It is at its floor, or faster because operands were in a cache.
    Short,      ///< It does so little that the call itself takes the time.
    OneThread,  ///< It used one of several threads.
    Double,     ///< It computes in double precision; the floor is that of single precision.
    Unknown,
  } gap = Gap::None;
  WEFT_API std::string reason() const;  ///< Why it takes longer, in English; empty for None.
  WEFT_API std::string help() const;    ///< What would make the step faster here; empty if nothing is known.
};
/// All nodes that took time, largest possible gain first. With `plan`, also which of them used one thread.
WEFT_API std::vector<NodeFloor> nodeFloors(const Trace& trace, const MachineRoof& roof, const PlanReport* plan = nullptr);

/// A plan's schedule on `threads` threads, from times measured on this machine: calls that use one thread take what they took; the others, whose times
/// `oneThreadNs` (by position in PlanReport::calls) gives for one thread, are divided among the threads, but take 3 µs or more.
WEFT_API Schedule simulatedSchedule(const PlanReport& plan, const std::vector<double>& oneThreadNs, int threads);

}  // namespace weft
