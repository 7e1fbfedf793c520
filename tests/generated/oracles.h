#pragma once

#include <functional>
#include <map>
#include <string>

#include "conditioning.h"
#include "outcome.h"

namespace weft::generated {

/// Counts so far.
struct Counters {
  int64_t graphs = 0, nodes = 0, unfit = 0, judged = 0, judgeErrors = 0, findings = 0, refused = 0, excused = 0;
  double seconds = 0, processorSeconds = 0;  ///< Wall-clock time, and CPU time of this process.
  std::map<std::string, int64_t> ops, passes, oracles;
};

/// An alternative way to compute the same values.
struct Oracle {
  std::string name;
  std::function<Outcome(const Case&)> run;
  std::function<std::string(const Case&, Counters&)> complaint = {};  ///< In place of `run`: the complaint about the case, empty if there is none.
};

/// A disagreement.
struct Finding {
  std::string oracle;
  Difference difference;
};

/// Runs the case without passes on one thread. Failing nodes are removed, up to a few times; one failing fetch is kept
/// as the last step, and all other ways must give its error code too. False: nothing is left.
bool makeFit(Case& one, Outcome& reference);

/// The oracles for a case: all of them, or (`few`) the cheapest and some that the case's seed chooses.
std::vector<Oracle> oraclesFor(const Case& one, bool few);

/// Whether `got` equals `reference`, exactly or, for rounded results, within the case's conditioning.
Difference judge(const Outcome& got, const Outcome& reference, Conditioning& conditioning, Counters* counters = nullptr);

/// Whether the loader takes the graph: its first complaint.
Status loadable(const Case& one);

/// Where an oracle disagrees with the first run.
Difference differenceBy(const Oracle& oracle, const Case& one, const Outcome& reference, Conditioning& conditioning, Counters& counters);

/// Runs a fit case through its oracles; the first disagreement.
std::optional<Finding> check(const Case& one, const Outcome& reference, bool few, Counters& counters);

/// Counts ops and passes of a case that was run.
void count(const Case& one, const Outcome& reference, Counters& counters);

}  // namespace weft::generated
