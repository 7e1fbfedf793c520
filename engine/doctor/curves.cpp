// Rules on the curves of loss and accuracy, in training and at evaluations.
#include "doctor/curves.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace weft::doctor {
namespace {

constexpr size_t kFew = 5;           // steps whose mean stands for a moment
constexpr size_t kStuckAfter = 300;  // steps
constexpr double kFell = 0.98;       // of the first loss
constexpr double kExploded = 10;     // times the best loss
constexpr size_t kWindow = 100;      // steps in which a loss may swing
constexpr double kTogether = 0.3;    // correlation of loss and accuracy
constexpr size_t kMostCurve = 200;   // points of a curve
constexpr double kRises = 1.2;       // test loss over its best
constexpr size_t kNoGain = 10;       // evaluations
constexpr double kBeats = 0.05;      // accuracy

double mean(const std::vector<double>& v, size_t begin, size_t end) {
  return end > begin ? std::accumulate(v.begin() + ptrdiff_t(begin), v.begin() + ptrdiff_t(end), 0.0) / double(end - begin) : 0;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b, size_t begin) {
  const double ma = mean(a, begin, a.size()), mb = mean(b, begin, b.size());
  double ab = 0, aa = 0, bb = 0;
  for (size_t i = begin; i < a.size(); ++i) {
    ab += (a[i] - ma) * (b[i] - mb);
    aa += (a[i] - ma) * (a[i] - ma);
    bb += (b[i] - mb) * (b[i] - mb);
  }
  return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : 0;
}

}  // namespace

Curves::Curves(const Network& net) {
  if (!net.settings() || net.settings()->loss.empty()) return;
  classifies_ = classifierOf(net.graph(), net.settings()->loss).has_value();
  for (const int id : net.forward()) random_ = random_ || any(effectsOf(*net.graph().node(id)) & Effect::Random);
  OpKind kind;
  const Node* from = averaged(net, net.settings()->loss, &kind);
  singleLoss_ = from && (roleOf(*from) == OpRole::SoftmaxLoss || isDistance(kindOf(*from)));
}

DoctorFinding Curves::withCurve(DoctorFinding f) const {
  f.evidence = DoctorFinding::Evidence::Curve;
  const size_t each = std::max<size_t>(1, losses_.size() / kMostCurve);
  for (size_t i = 0; i + each <= losses_.size(); i += each) f.values.push_back(mean(losses_, i, i + each));
  f.to = double(losses_.size());
  return f;
}

void Curves::step(const TrainStep& s, const std::function<void(DoctorFinding)>& report) {
  if (losses_.empty() && s.step > 1) resumed();
  losses_.push_back(s.loss);
  if (s.accuracy >= 0) accuracies_.push_back(s.accuracy);
  const size_t n = losses_.size();
  if (n < 2 * kFew) return;
  const double first = mean(losses_, 0, kFew), now = mean(losses_, n - kFew, n);
  best_ = n == 2 * kFew ? std::min(first, now) : std::min(best_, now);
  // One bad batch is no explosion.
  const double least = *std::min_element(losses_.end() - ptrdiff_t(kFew), losses_.end());
  if (now > kExploded * std::abs(best_) && least > 2 * std::abs(first) && now > 1)
    report(withCurve(finding("loss-explodes", {}, {number(best_), number(now), number(double(s.step))})));
  if (classifies_ && singleLoss_ && s.loss < -1e-6) report(finding("loss-negative", {}, {number(s.loss), number(double(s.step))}));
  if (singleLoss_ && !resumed_ && n == kStuckAfter) {
    const double begin = mean(losses_, 0, 20), end = mean(losses_, n - 50, n);
    if (end > kFell * begin) report(withCurve(finding("loss-stuck", {}, {number(begin), number(end), number(double(n))})));
  }
  if (n >= 2 * kWindow && n % 50 == 0) {
    const auto begin = losses_.end() - ptrdiff_t(kWindow);
    const auto [low, high] = std::minmax_element(begin, losses_.end());
    const double middle = mean(losses_, n - kWindow, n), older = mean(losses_, n - kWindow, n - kWindow / 2), newer = mean(losses_, n - kWindow / 2, n);
    if (singleLoss_ && !resumed_ && middle > first / 2 && *high - *low > 1.5 * middle && older - newer < 0.1 * (*high - *low))
      report(withCurve(finding("loss-oscillates", {}, {number(double(kWindow)), number(*high - *low), number(older - newer)})));
  }
  if (classifies_ && accuracies_.size() == n && n == 2 * kWindow) {
    const double r = correlation(losses_, accuracies_, 0);
    if (r > kTogether) report(withCurve(finding("loss-and-accuracy-part", {}, {number(double(n)), number(r)})));
  }
}

void Curves::evaluation(const TrainEvaluation& e, const std::function<void(DoctorFinding)>& report) {
  Evaluated now{e};
  now.trainingLoss = mean(losses_, since_, losses_.size());
  now.trainingAccuracy = accuracies_.empty() ? -1 : mean(accuracies_, std::min(since_, accuracies_.size()), accuracies_.size());
  if (losses_.size() > since_) since_ = losses_.size();
  else if (!evaluations_.empty()) return;  // the same step again
  evaluations_.push_back(now);
  const size_t n = evaluations_.size();
  size_t best = 0;
  for (size_t i = 1; i < n; ++i)
    if (evaluations_[i].e.loss < evaluations_[best].e.loss) best = i;
  const auto curve = [&](DoctorFinding f) {
    f.evidence = DoctorFinding::Evidence::Curve;
    for (const Evaluated& x : evaluations_) f.values.push_back(x.e.loss);
    f.to = double(e.step);
    f.step = e.step;
    return f;
  };
  const Evaluated& b = evaluations_[best];
  const bool rises = n >= 4 && evaluations_[n - 1].e.loss > evaluations_[n - 2].e.loss && evaluations_[n - 2].e.loss > evaluations_[n - 3].e.loss;
  if (rises && best + 3 < n + 0 && now.e.loss > kRises * b.e.loss && now.trainingLoss < 0.8 * b.trainingLoss)
    report(curve(finding("overfit", {}, {number(b.e.loss), number(now.e.loss), number(b.trainingLoss), number(now.trainingLoss)})));
  if (n > kNoGain && best + kNoGain < n) report(curve(finding("no-more-gain", {}, {number(double(n - 1 - best)), number(b.e.loss), number(double(b.e.step))})));
  if (n >= 3 && !random_ && classifies_) {
    const bool beats = std::all_of(evaluations_.end() - 3, evaluations_.end(),
                                   [](const Evaluated& x) { return x.e.accuracy >= 0 && x.e.accuracy > x.trainingAccuracy + kBeats; });
    // While a network improves quickly, the mean over the steps before is behind.
    const bool steady = evaluations_[n - 1].trainingAccuracy - evaluations_[n - 2].trainingAccuracy < kBeats / 5;
    if (beats && steady) report(curve(finding("test-beats-training", {}, {number(e.accuracy), number(now.trainingAccuracy)})));
  }
}

}  // namespace weft::doctor
