#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "doctor/program_data.h"
#include "doctor/program_story.h"
#include "doctor/watch.h"
#include "weft/mutex.h"
#include "weft/program_doctor.h"

namespace weft {

/// A training that several runs of a program may do, differing in what else they fetch.
struct Training {
  Training(const MetaGraph& document, Session& s, const doctor::ProgramStepFacts& facts, double mostCost)
      : meta(document), session(s), net(meta, facts), watch(net, mostCost), data(net), verdicts(doctor::verdictsOf(net)) {}

  const MetaGraph meta;
  Session& session;
  doctor::Network net;
  doctor::Watch watch;
  doctor::ProgramData data;
  std::vector<int> updates;  ///< The ops that change variables: what tells trainings apart.
  std::vector<std::string> tensors;
  Mutex running;                       ///< Held by the run that is watched.
  std::atomic<bool> contended{false};  ///< Another thread stepped at the same time.
  bool begun = false;
  bool fresh = true;  ///< Nothing had trained or restored the variables before.
  int64_t steps = 0;
  double before = 0, remembered = 0;         ///< Seconds before the first step; for remembering rows.
  std::map<std::string, double> verdicts;    ///< Of an adversary on logits.
  std::map<uint64_t, TrainEvaluation> once;  ///< Evaluations whose rows were seen once, by their fingerprint.
  uint64_t tested = 0;                       ///< Fingerprint of rows that were seen again: the test data.
};

/// What a session has run.
struct SessionStory {
  void ran(const doctor::RunKind& kind, bool ownRows, const std::vector<std::string>& dropouts) {
    const MutexLock lock(mutex);
    story.ran(kind, ownRows, dropouts, report);
  }
  bool isFresh() {
    const MutexLock lock(mutex);
    return story.isFresh();
  }
  Mutex mutex;
  doctor::Story story WEFT_GUARDED_BY(mutex);
  doctor::Story::Report report;
};

using Trainings = std::vector<std::shared_ptr<Training>>;

/// A run that trains.
std::shared_ptr<ProgramStep> trainingRun(std::shared_ptr<Training> training, std::shared_ptr<SessionStory> story, doctor::RunKind kind, ProgramRun run,
                                         const std::vector<char>& computed);
/// Any other run: it computes a loss without training, say, or sets variables. `trainings`: those of its session.
std::shared_ptr<ProgramStep> otherRun(std::function<Trainings()> trainings, std::shared_ptr<SessionStory> story, doctor::RunKind kind, ProgramRun run);

}  // namespace weft
