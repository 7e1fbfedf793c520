#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "doctor/curves.h"
#include "doctor/loss_parts.h"
#include "weft/mutex.h"
#include "weft/session.h"

namespace weft::doctor {

/// Tensors that are the values of these variables, by name. Fetching them runs nothing else; large variables, which would take too much memory and time, are left out.
std::map<std::string, std::string> readsOf(const Network& net, const std::vector<std::string>& variables);
/// What readsOf() found, as it is now, by name; without those that have no value yet.
std::map<std::string, Tensor> valuesNow(Session& session, const std::map<std::string, std::string>& reads);

/// The rules beside a training, and which of its steps are measured. Not synchronized but for findings(), measuredSteps() and cost().
class Watch {
 public:
  /// `mostCost`: share of the training's time. Keeps a pointer to the network.
  Watch(const Network& net, double mostCost) : net_(net), curves_(net), parts_(net), mostCost_(mostCost) {}

  void setListener(std::function<void(const DoctorFinding&)> listener) { listener_ = std::move(listener); }
  /// What a measured step fetches: activations, gradients, the network's output. `computes`: whether a step computes a node anyway; others are left out. Empty: all.
  /// Call it once.
  std::vector<std::string> tensors(const std::function<bool(int node)>& computes = {});
  /// Whether step `at` (from 1) is measured.
  bool wanted(int64_t at);
  /// The loss of the step whose values come next.
  void lossIs(double loss) { loss_ = loss; }
  /// What a measured step fetched, by tensors(); no value where it does not compute one. Reads the weights after it from the session.
  void values(int64_t at, const std::vector<Tensor>& t, Session& session);
  /// The curves after a step. An accuracy below 0 is unknown.
  void step(const TrainStep& s);
  void evaluation(const TrainEvaluation& e);
  /// A step has ended that took `seconds`, measured or not.
  void ended(double seconds);
  /// The variables were trained before the first step that is seen.
  void resumed() { curves_.resumed(); }
  /// The same for a step whose time is not known.
  void forget() { measures_ = false; }
  /// Time that the doctor took beside steps.
  void addCost(double seconds) { extra_ += seconds; }
  /// Reports a finding, each rule once per node.
  void report(DoctorFinding f);

  std::vector<DoctorFinding> findings() const;
  int64_t measuredSteps() const;
  double cost() const;
  /// Seconds of all steps, and what the doctor took of them. On the thread of the steps.
  std::pair<double, double> seconds() const { return {all_, extra_}; }

 private:
  struct Unit {  // an activation
    const Node* node = nullptr;
    std::vector<char> lives;  // by unit: was not 0 in some measured step
    int64_t steps = 0;
    int saturated = 0;
    double firstSize = -1;
    bool hidden = false;  // a layer follows
  };
  struct Weights {  // a kernel
    std::string name;
    double firstSize = -1, firstNorm = -1;
    int zero = 0, large = 0, small = 0;
    double gradient = -1;  // mean size in the present step
    Tensor before;         // after the last measured step
  };
  void activation(Unit& u, const Tensor& t);
  void kernel(Weights& w, const Tensor& value);
  void notFinite(double loss, double before);
  /// Says which op values that are not finite come from, if it can be said.
  bool blame(double loss);
  /// Whether hardly anything of the loss is left to learn.
  bool converged() const { return firstLoss_ && *firstLoss_ > 0 && loss_.value_or(lastLoss_) < 0.01 * *firstLoss_; }
  void labels(const Tensor& t);

  const Network& net_;
  Curves curves_;
  LossParts parts_;
  size_t partsAt_ = 0, partCount_ = 0;  // among the tensors
  const double mostCost_;

  std::vector<Unit> units_;
  std::vector<Weights> weights_;  // in the order of the network
  std::map<std::string, std::string> reads_;
  std::vector<int> gradientAt_;  // by weights: position among the tensors; -1: none
  std::vector<std::pair<std::string, size_t>> otherGradients_;
  int logits_ = -1, labels_ = -1;
  std::optional<Classifier> classifier_;
  std::string logitsName_;
  int vanishing_ = 0, constantOutput_ = 0;
  double lastLoss_ = 0, largestUpdate_ = 0;  // of a kernel's size
  std::optional<double> firstLoss_, loss_;
  bool lost_ = false;                   // the loss is NaN or infinite
  std::map<int64_t, int64_t> classes_;  // label -> rows, of the measured steps
  int64_t batches_ = 0, distinct_ = 0;  // measured batches, and the classes in each, added up

  // The cost.
  std::vector<double> plain_;  // seconds of the last steps that were not measured
  bool measures_ = false;
  bool second_ = false;  // the next step is the second of a pair
  int64_t nextPair_ = 2, measuredStep_ = -1;
  double all_ = 0, extra_ = 0;        // seconds
  double before_ = 0, pairCost_ = 0;  // extra time before the present pair, and of the last one

  mutable Mutex mutex_;
  std::vector<DoctorFinding> found_ WEFT_GUARDED_BY(mutex_);
  int64_t measured_ WEFT_GUARDED_BY(mutex_) = 0;
  double share_ WEFT_GUARDED_BY(mutex_) = 0;
  std::set<std::pair<std::string, std::string>> known_;
  std::function<void(const DoctorFinding&)> listener_;
  int64_t step_ = 0;
};

}  // namespace weft::doctor
