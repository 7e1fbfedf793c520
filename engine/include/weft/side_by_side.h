#pragma once

#include <span>
#include <vector>

#include "weft/export.h"

namespace weft {

/// A kernel call, as the scheduler sees it.
struct ScheduledCall {
  double ns = 0;           ///< Measured. A narrow call needs it on one thread, any other on all of them.
  bool narrow = false;     ///< Uses one thread, so others can run beside it.
  bool border = false;     ///< Stays where it is: nothing moves across it, in neither direction.
  std::vector<int> after;  ///< Calls that end before this one begins, all of them earlier in the list.
};

/// Calls that run side by side on several threads, or one call that has all threads.
struct Phase {
  std::vector<int> calls;              ///< The most urgent first; each behind those that it needs.
  std::vector<std::vector<int>> next;  ///< By position in `calls`: the positions that wait for it.
  std::vector<int> waits;              ///< By position: for how many others of the phase it waits.
  double ns = 0;                       ///< Predicted.
};

struct Schedule {
  int threads = 1;
  std::vector<Phase> phases;  ///< Together all calls, each once.
  double oneByOneNs = 0;      ///< All calls one after another.
  double ns = 0;              ///< Predicted.
};

/// What running side by side costs itself, in nanoseconds: waking the others for a phase, and each call's bookkeeping.
struct ScheduleCosts {
  double phaseNs = 1500, callNs = 150;
};

/// Which calls to run side by side on `threads` threads, so that all end earliest. Wide calls keep their order. Before each, the narrow calls that it needs run
/// together, and further ones that are ready fill the threads that would be idle. What follows the last wide call runs in one phase. A phase that would
/// not be faster than its calls one by one is not made.
WEFT_API Schedule sideBySide(std::span<const ScheduledCall> calls, int threads, const ScheduleCosts& costs = {});

}  // namespace weft
