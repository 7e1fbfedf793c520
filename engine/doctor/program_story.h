#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "doctor/network.h"
#include "weft/program_doctor.h"

namespace weft::doctor {

/// What a run of a program does, as its graph says.
struct RunKind {
  bool trains = false;
  std::string target;                                    ///< The first op that it runs.
  std::set<std::string> sets, restores, changes, reads;  ///< Trainable variables: by initializers, from checkpoints, by anything else; whose values it uses.
  std::vector<std::string> feeds, unused;                ///< Placeholders; those that nothing uses.
  std::vector<std::string> dropouts;                     ///< Ops of dropouts that it does whatever is fed.
  struct FedDropout {
    std::string op, feed;
    bool keeps;  ///< What is fed is the share that is kept.
  };
  std::vector<FedDropout> fedDropouts;
  std::set<std::string> adds, applies, clears;  ///< Sums of gradients: to which it adds, which it applies, which it sets.
  std::set<std::string> others;                 ///< Other variables whose values it uses.
  std::string norm;                             ///< A batch normalization that it computes with the statistics of its own rows, which are fed with targets.
  bool scores = false;                          ///< It fetches something computed from variables, and is fed.
};
RunKind runKindOf(const MetaGraph& meta, const ProgramRun& run, const std::vector<char>& computed, const std::set<std::string>& trainable, bool trains);

/// What a run does with variables that gradients are added up in.
void findSums(const Graph& g, const std::vector<char>& computed, RunKind& kind);

/// Sums of gradients of several batches, which have to begin anew after each step.
class GradientSums {
 public:
  void ran(const RunKind& kind, const std::function<void(DoctorFinding)>& report);

 private:
  struct Sum {
    bool added = false;
    int applied = 0;  // since it was set
  };
  std::map<std::string, Sum> sums_;
  bool told_ = false;
};

/// What a session has run so far, and the rules on the order of that. Not synchronized.
class Story {
 public:
  using Report = std::function<void(DoctorFinding)>;
  /// The graph as it is before a new kind of run.
  void grows(const MetaGraph& meta, const Report& report);
  /// One more optimizer for a loss that was trained already. `op`: one of its ops.
  void remade(const MetaGraph& meta, const std::string& op, const Report& report);
  /// A run has ended. `ownRows`: it was fed with rows of none of the last training steps; `dropouts`: the ops that dropped something.
  void ran(const RunKind& kind, bool ownRows, const std::vector<std::string>& dropouts, const Report& report);
  /// The rules on all that was run. `forward`: names of the variables of the networks that were trained; `computed`: by node, what was run.
  void ends(const MetaGraph& meta, const std::set<std::string>& forward, const std::vector<char>& computed, const Report& report) const;
  bool restored() const { return !restoredEver_.empty(); }
  /// Whether its variables have their first values.
  bool isFresh() const { return steps_ == 0 && changed_.empty() && !restored(); }

 private:
  void neverTrained(const MetaGraph& meta, const Report& report) const;
  void untrainedCopies(const MetaGraph& meta, const std::set<std::string>& forward, const Report& report) const;
  void copiesNotMade(const MetaGraph& meta, const std::vector<char>& computed, const Report& report) const;
  void frozenEmbeddings(const MetaGraph& meta, const std::vector<char>& computed, const Report& report) const;

  int64_t steps_ = 0, sinceFirst_ = 0, again_ = 0, scores_ = 0;
  int firstSize_ = 0, size_ = 0, growths_ = 0, remade_ = 0;
  int64_t stepsAtGrowth_ = 0;
  std::set<std::string> trained_, restored_, restoredEver_, changed_, tested_;
  std::set<std::string> averagesRead_;  // other variables that tests read
  std::set<std::string> stepsRead_;     // variables that training steps read
  GradientSums sums_;
  std::set<std::string> used_, unused_, dropped_;
  std::string initializer_;
  bool toldAgain_ = false;
  bool testsWithout_ = false;                 // some test did without dropout
  int64_t normedTests_ = 0, otherTests_ = 0;  // with the statistics of their own rows; not
  std::string normed_;
  std::set<const RunKind*> known_;  // of trainings, that were added to the rest
};

/// Metrics of which the value was read, and nothing that updates them was run.
void readMetrics(const MetaGraph& meta, const std::vector<char>& computed, const Story::Report& report);
/// Inputs and labels that are shuffled apart, in queues or data sets.
void readShuffles(const Network& net, const Story::Report& report);
/// What the cross entropies of an adversary's loss say is real (1) or not (0): names of all variables that it is computed from -> label.
std::map<std::string, double> verdictsOf(const Network& net);

}  // namespace weft::doctor
