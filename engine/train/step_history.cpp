#include "train/step_history.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "train/tensor_name.h"
#include "weft/op_traits.h"

namespace weft {
namespace {

constexpr double kShareOfCopies = 0.03;

bool sameTensors(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Tensor& x, const Tensor& y) { return x.raw() == y.raw(); });
}

}  // namespace

StepEffects effectsOfStep(const Graph& graph, const TrainingSettings& settings, const std::vector<std::string>& fetches) {
  StepEffects out;
  std::vector<int> work;
  std::vector<char> seen(size_t(graph.size()), 0);
  const auto visit = [&](int id) {
    if (id < 0 || seen[size_t(id)]) return;
    seen[size_t(id)] = 1;
    work.push_back(id);
  };
  std::vector<std::string> names = fetches;
  names.insert(names.end(), {settings.trainOp, settings.loss, settings.accuracy});
  for (const std::string& name : names)
    if (const Node* node = graph.find(name.substr(0, name.find(':')))) visit(node->id);
  while (!work.empty()) {
    const Node& node = *graph.node(work.back());
    work.pop_back();
    if (changesSession(node) && out.whyNot.empty())
      out.whyNot = concat(node.name, " (", node.op, ") changes a queue, an iterator, a table or another object, which is not kept from step to step");
    // Functions may draw as well.
    out.draws = out.draws || any(effectsOf(node) & (Effect::Random | Effect::Program));
    for (const Output& in : node.inputs) visit(in.node);
    for (const int id : node.controls) visit(id);
  }
  return out;
}

void StepHistory::refuse(std::string why) {
  const MutexLock lock(mutex_);
  whyNot_ = std::move(why);
}

void StepHistory::before(StepRecord record, const std::vector<Tensor>& feeds, Session& session) {
  {
    const MutexLock lock(mutex_);
    if (!whyNot_.empty()) return;
  }
  if (draws_) record.streams = std::make_shared<const std::map<std::string, std::string>>(session.opStates());
  if (!feeds_ || !sameTensors(*feeds_, feeds)) feeds_ = std::make_shared<const std::vector<Tensor>>(feeds);
  record.feeds = feeds_;
  if (force_ || since_ >= std::max(interval_, copyTakes_ / kShareOfCopies)) {
    const auto begin = std::chrono::steady_clock::now();
    auto copy = std::make_shared<StateCopy>();
    copy->step = record.step - 1;
    copy->variables = session.variables();
    copy->forced = force_;
    for (const auto& [name, value] : copy->variables) copy->bytes += int64_t(value.totalBytes());
    const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    since_ = 0;
    force_ = false;
    const MutexLock lock(mutex_);
    copySeconds_ += took;
    // One copy that another program delayed says little about the next.
    copyTakes_ = copyTakes_ > 0 ? std::min(took, 2 * copyTakes_) / 4 + copyTakes_ * 3 / 4 : took;
    if (copy->bytes > options_.limitBytes) {
      whyNot_ = concat("a copy of the variables takes ", copy->bytes >> 20, " MB, and ", options_.limitBytes >> 20, " MB are allowed for copies");
      copies_.clear();
      steps_.clear();
      return;
    }
    copies_.push_back(std::move(copy));
    makeRoom();
  }
  open_ = std::move(record);
}

void StepHistory::after(double loss, double seconds, bool asRecorded) {
  if (!open_) return;
  open_->loss = loss;
  since_ += seconds;
  force_ = !asRecorded;
  const MutexLock lock(mutex_);
  if (copies_.empty()) return;
  copies_.back()->seconds += seconds;
  steps_.push_back(*std::exchange(open_, std::nullopt));
  // The oldest copy goes once the next one is early enough.
  const int64_t first = steps_.back().step - options_.steps + 1;
  while (copies_.size() > 1 && copies_[1]->step < first) copies_.pop_front();
  while (!steps_.empty() && steps_.front().step <= copies_.front()->step) steps_.pop_front();
}

/// While there are more bytes than allowed, the copy goes without which the longest way to a step stays shortest. Later copies are as far apart as the recorded steps need.
void StepHistory::makeRoom() {
  int64_t bytes = 0;
  for (const auto& copy : copies_) bytes += copy->bytes;
  for (; bytes > options_.limitBytes && copies_.size() > 1;) {
    size_t goes = 0;
    double shortest = INFINITY;
    for (size_t i = 1; i + 1 < copies_.size(); ++i) {
      const double way = copies_[i - 1]->seconds + copies_[i]->seconds;
      if (copies_[i]->forced || way >= shortest) continue;
      goes = i;
      shortest = way;
    }
    if (goes > 0) copies_[goes - 1]->seconds = shortest;
    bytes -= copies_[goes]->bytes;
    copies_.erase(copies_.begin() + std::ptrdiff_t(goes));
  }
  if (copies_.size() > 1) {
    double recorded = 0;
    for (const auto& copy : copies_) recorded += copy->seconds;
    const auto fitting = double(options_.limitBytes / std::max<int64_t>(1, copies_.back()->bytes));
    interval_ = std::max(options_.secondsBetween, recorded / std::max(1., fitting));
  }
  while (!steps_.empty() && steps_.front().step <= copies_.front()->step) steps_.pop_front();
}

RecordedSteps StepHistory::recorded() const {
  const MutexLock lock(mutex_);
  RecordedSteps out;
  out.whyNot = whyNot_;
  out.copySeconds = copySeconds_;
  out.copies = int64_t(copies_.size());
  for (const auto& copy : copies_) {
    out.bytes += copy->bytes;
    out.longestSeconds = std::max(out.longestSeconds, copy->seconds);
  }
  if (!steps_.empty()) {
    out.first = steps_.front().step;
    out.last = steps_.back().step;
  }
  return out;
}

std::shared_ptr<const StateCopy> StepHistory::copyBefore(int64_t step) const {
  const MutexLock lock(mutex_);
  for (auto it = copies_.rbegin(); it != copies_.rend(); ++it)
    if ((*it)->step < step) return *it;
  return nullptr;
}

std::optional<StepRecord> StepHistory::record(int64_t step) const {
  const MutexLock lock(mutex_);
  if (steps_.empty() || step < steps_.front().step || step > steps_.back().step) return std::nullopt;
  return steps_[size_t(step - steps_.front().step)];
}

std::vector<std::shared_ptr<const StateCopy>> StepHistory::copies() const {
  const MutexLock lock(mutex_);
  return {copies_.begin(), copies_.end()};
}

}  // namespace weft
