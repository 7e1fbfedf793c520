// The doctor beside the training of a document.
#include <chrono>

#include "doctor/watch.h"

namespace weft {

struct TrainingDoctor::Impl {
  Impl(const MetaGraph& document, double most) : meta(document), net(meta), watch(net, most) {}

  const MetaGraph meta;
  const doctor::Network net;
  doctor::Watch watch;
  std::chrono::steady_clock::time_point last{};
  bool timed = false;

  /// The time since the step before.
  void ended() {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - last).count();
    last = now;
    if (std::exchange(timed, true)) watch.ended(seconds);
    else watch.forget();
  }
};

TrainingDoctor::TrainingDoctor(const MetaGraph& document, double mostCost) : impl_(std::make_unique<Impl>(document, mostCost)) {}
TrainingDoctor::~TrainingDoctor() = default;

void TrainingDoctor::attach(TrainOptions& options) {
  Impl* impl = impl_.get();
  options.probe.tensors = impl->watch.tensors();
  options.probe.wanted = [impl](int64_t step) { return impl->watch.wanted(step); };
  options.probe.values = [impl](int64_t step, const std::vector<Tensor>& values, Session& session) { impl->watch.values(step, values, session); };
  options.callbacks.step = [impl, next = std::move(options.callbacks.step)](const TrainStep& s) {
    impl->watch.step(s);
    impl->ended();
    if (next) next(s);
  };
  options.callbacks.evaluation = [impl, next = std::move(options.callbacks.evaluation)](const TrainEvaluation& e) {
    impl->watch.evaluation(e);
    impl->last = std::chrono::steady_clock::now();
    if (next) next(e);
  };
}

void TrainingDoctor::setListener(std::function<void(const DoctorFinding&)> listener) { impl_->watch.setListener(std::move(listener)); }
std::vector<DoctorFinding> TrainingDoctor::findings() const { return impl_->watch.findings(); }
int64_t TrainingDoctor::measuredSteps() const { return impl_->watch.measuredSteps(); }
double TrainingDoctor::cost() const { return impl_->watch.cost(); }

}  // namespace weft
