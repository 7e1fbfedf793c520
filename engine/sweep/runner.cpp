#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <map>
#include <thread>

#include "base/machine_memory.h"
#include "base/parallel.h"
#include "sweep/sessions.h"
#include "weft/cond_var.h"
#include "weft/file_system.h"
#include "weft/sweep_runner.h"

// The runs of a sweep, several at once.
namespace weft {
namespace {

using Clock = std::chrono::steady_clock;

double wallSeconds() { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }

bool isDiskFull(const Status& status) { return !status.ok() && status.code() == Code::ResourceExhausted && !status.error().file.empty(); }

/// An error as one sentence for the run's record: without its code.
std::string sentenceOf(const Error& e) { return (e.file.empty() ? "" : e.file + ": ") + (e.node.empty() ? "" : e.node + ": ") + e.message; }

class Runner : public SweepRunner {
 public:
  Runner(ExperimentStore& store, ExperimentSweep sweep, SweepBody body, SweepOptions options)
      : store_(store), sweep_(std::move(sweep)), plan_(sweep_.plan), body_(std::move(body)), options_(std::move(options)), total_(runsOf(plan_)) {}

  Status prepare() {
    WEFT_TRY(checkPlan(plan_));
    if (plan_.metric.empty()) return invalidArgument("the sweep has no metric to compare runs by");
    if (options_.parallel < 0 || options_.threads < 0) return outOfRange("parallel runs and threads must not be negative");
    const int threads = options_.threads > 0 ? options_.threads : defaultParallelism();
    parallel_ = int(std::min<int64_t>(options_.parallel > 0 ? options_.parallel : threads, std::max<int64_t>(total_, 1)));
    threads_ = std::max(1, threads / parallel_);
    return readBefore();
  }

  Status run() override {
    begin_ = Clock::now();
    baseBytes_ = residentBytes();
    if (options_.writeEvents) WEFT_TRY(sweep::writeExperiment(sweep_));
    std::vector<std::thread> threads;
    for (int i = 0; i < parallel_; ++i) threads.emplace_back([this] { work(); });
    for (std::thread& t : threads) t.join();
    const MutexLock lock(mutex_);
    return failure_;
  }

  void pause() override { paused_ = true; }
  void resume() override {
    {
      const MutexLock lock(mutex_);
      paused_ = false;
    }
    wake_.notify_all();
  }
  void stop() override {
    {
      const MutexLock lock(mutex_);
      stopAll();
    }
    wake_.notify_all();
  }
  bool stopped() const override { return stopped_; }

  SweepProgress progress() const override {
    const MutexLock lock(mutex_);
    SweepProgress p;
    p.total = total_;
    for (const auto& [number, t] : trials_) {
      switch (t->run.status) {
        case ExperimentStatus::Running: ++p.running; break;
        case ExperimentStatus::Finished: ++p.finished; break;
        case ExperimentStatus::StoppedEarly: ++p.stoppedEarly; break;
        case ExperimentStatus::Failed: ++p.failed; break;
        default: break;
      }
    }
    p.waiting = std::max<int64_t>(total_ - p.running - p.finished - p.stoppedEarly - p.failed, 0);
    if (const auto it = trials_.find(best_); it != trials_.end()) {
      p.bestRun = best_;
      p.bestValue = it->second->curve.points.back().second;
      p.bestPoint = it->second->point;
    }
    p.seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
    p.paused = paused_;
    return p;
  }

 private:
  struct Trial {
    ExperimentRun run;
    SweepPoint point;
    SweepCurve curve;                     // of the metric
    bool resumes = false, again = false;  // again: to be run, or run now
    std::string why;                      // it was stopped early
    std::atomic<bool> stop{false};
  };

  class Control : public SweepControl {
   public:
    Control(Runner& runner, Trial& trial) : runner_(runner), trial_(trial) {}
    bool report(const SweepReport& report) override { return runner_.reported(trial_, report); }
    bool progress(int64_t step, int64_t total) override { return runner_.progressed(trial_, step, total); }
    bool paused() const override { return runner_.paused_ && !runner_.stopped_; }
    void needs(int64_t bytes) override {
      int64_t known = runner_.runBytes_;
      while (bytes > known && !runner_.runBytes_.compare_exchange_weak(known, bytes)) continue;
    }
    const std::atomic<bool>& stop() const override { return trial_.stop; }

   private:
    Runner& runner_;
    Trial& trial_;
  };

  /// The runs that the store has already.
  Status readBefore() {
    WEFT_LET(const auto table, store_.table(sweep_.id));
    const MutexLock lock(mutex_);
    for (const ExperimentRun& run : table->runs()) {
      auto t = std::make_unique<Trial>();
      t->run = run;
      WEFT_LET(ExperimentRecord record, table->record(run.id));
      // In the order of the plan; a parameter of the plan that the run lacks is left out.
      for (const SweepParameter& p : plan_.parameters)
        for (const auto& [name, value] : record.parameters)
          if (name == p.name) t->point.emplace_back(name, value);
      WEFT_LET(const auto points, store_.curve(run.id, plan_.metric));
      t->curve.run = run.number - 1;
      for (const CurvePoint& p : points) t->curve.points.emplace_back(p.step, p.value);
      switch (run.status) {
        case ExperimentStatus::Waiting:
        case ExperimentStatus::Running:
        case ExperimentStatus::Interrupted:
          t->resumes = t->again = true;
          t->run.status = ExperimentStatus::Interrupted;
          break;
        default: t->curve.ended = true; break;
      }
      Trial& kept = *(trials_[run.number] = std::move(t));
      if (kept.curve.ended) (void)consider(kept);
    }
    return {};
  }

  void work() {
    while (Trial* trial = next()) {
      const Status status = perform(*trial);
      if (finish(*trial, status)) continue;
      wake_.notify_all();
      return;
    }
  }

  /// The next run: an interrupted one, else a new one. Null: there is none, or the sweep ends.
  Trial* next() {
    for (;;) {
      const MutexLock suggesting(suggestMutex_);
      int64_t number = 0;
      std::vector<SweepResult> results;
      {
        const MutexLock lock(mutex_);
        while (!stopped_ && (paused_ || !hasRoom())) wake_.wait_for(mutex_, std::chrono::milliseconds(200));
        if (stopped_) return nullptr;
        for (const auto& [n, t] : trials_)
          if (t->again && t->run.status != ExperimentStatus::Running) {
            t->run.status = ExperimentStatus::Running;
            ++running_;
            return t.get();
          }
        number = trials_.empty() ? 1 : trials_.rbegin()->first + 1;
        if (number > total_) return nullptr;
        for (const auto& [n, t] : trials_) {
          SweepResult r{t->point, {}, t->run.status == ExperimentStatus::Failed};
          if (t->curve.ended && !t->curve.points.empty()) r.value = t->curve.points.back().second;
          else if (t->curve.ended) r.failed = true;
          results.push_back(std::move(r));
        }
      }
      auto fresh = std::make_unique<Trial>();
      fresh->point = suggestPoint(plan_, number - 1, results);
      fresh->curve.run = number - 1;
      ExperimentRun& run = fresh->run;
      run.sweep = sweep_.id;
      run.number = number;
      char name[32];
      std::snprintf(name, sizeof name, "run-%03lld", static_cast<long long>(number));
      run.name = name;
      run.folder = joinPath(sweep_.folder, name);
      run.status = ExperimentStatus::Running;
      run.started = wallSeconds();
      auto id = store_.addRun(run, fresh->point);
      const MutexLock lock(mutex_);
      if (!id.ok()) {
        fail(id.status());
        return nullptr;
      }
      run.id = *id;
      ++running_;
      return (trials_[number] = std::move(fresh)).get();
    }
  }

  /// Whether the machine has memory for another run.
  bool hasRoom() WEFT_REQUIRES(mutex_) {
    if (running_ == 0 || options_.freeBytes <= 0) return true;
    const int64_t free = availableBytes();
    return free < 0 || free >= std::max<int64_t>(options_.freeBytes, runBytes_);
  }

  Status perform(Trial& t) {
    WEFT_TRY(posixFileSystem().makeFolders(t.run.folder));
    if (options_.writeEvents) WEFT_TRY(sweep::writeSessionStart(sweep_, t.run.folder, t.point, wallSeconds()));
    ExperimentRun told;
    {
      const MutexLock lock(mutex_);
      t.run.status = ExperimentStatus::Running;
      if (t.run.started == 0) t.run.started = wallSeconds();
      told = t.run;
    }
    WEFT_TRY(store_.updateRun(told));
    if (options_.changed) options_.changed(told);
    Control control(*this, t);
    try {
      SweepPoint parameters = plan_.fixed;  // a varied parameter comes later, and counts
      parameters.insert(parameters.end(), t.point.begin(), t.point.end());
      return body_({t.run.number, std::move(parameters), t.run.folder, threads_, t.resumes}, control);
    } catch (const std::exception& e) {
      return internalError(e.what());
    }
  }

  /// Records the end of a run. Returns whether the sweep goes on.
  bool finish(Trial& t, const Status& status) {
    ExperimentRun told;
    {
      const MutexLock lock(mutex_);
      --running_;
      t.again = false;
      const bool diskFull = isDiskFull(status);
      if (diskFull) fail(status);
      const bool complete = t.run.totalSteps > 0 && t.run.step >= t.run.totalSteps;
      if (diskFull || (status.ok() && t.stop && t.why.empty() && !complete)) {
        t.run.status = ExperimentStatus::Interrupted;
      } else {
        t.curve.ended = true;
        t.run.status = !status.ok() ? ExperimentStatus::Failed : t.why.empty() ? ExperimentStatus::Finished : ExperimentStatus::StoppedEarly;
        t.run.error = !status.ok() ? sentenceOf(status.error()) : t.why;
        t.run.ended = wallSeconds();
      }
      told = t.run;
    }
    Status stored = store_.updateRun(told);
    if (stored.ok() && options_.writeEvents && told.status != ExperimentStatus::Interrupted)
      stored = sweep::writeSessionEnd(told.folder, told.status, wallSeconds());
    std::string spare;
    const bool on = [&] {
      const MutexLock lock(mutex_);
      if (!stored.ok()) fail(stored);
      if (t.curve.ended) spare = consider(t);
      return !stopped_;
    }();
    wake_.notify_all();
    if (!spare.empty()) sweep::removeCheckpoints(spare);
    if (options_.changed) options_.changed(told);
    return on;
  }

  /// Makes an ended run the best one if it is. Returns the folder of a run whose checkpoints are no longer needed: those of the best run alone stay.
  std::string consider(Trial& t) WEFT_REQUIRES(mutex_) {
    if (t.run.status == ExperimentStatus::Failed || t.curve.points.empty() || std::isnan(t.curve.points.back().second)) return t.run.folder;
    const auto known = trials_.find(best_);
    if (known != trials_.end() && !plan_.better(t.curve.points.back().second, known->second->curve.points.back().second)) return t.run.folder;
    best_ = t.run.number;
    return known == trials_.end() ? std::string() : known->second->run.folder;
  }

  bool reported(Trial& t, const SweepReport& report) {
    waitWhilePaused();
    if (const Status stored = store_.addPoints(t.run.id, report.step, wallSeconds(), report.values); !stored.ok()) {
      const MutexLock lock(mutex_);
      fail(stored);
      return false;
    }
    const int64_t resident = residentBytes();
    ExperimentRun told;
    {
      const MutexLock lock(mutex_);
      runBytes_ = std::max<int64_t>(runBytes_, (resident - baseBytes_) / std::max(running_, 1));
      t.run.step = report.step;
      t.run.totalSteps = report.totalSteps;
      for (const auto& [name, value] : report.values) {
        if (name != plan_.metric) continue;
        if (!t.curve.points.empty() && t.curve.points.back().first >= report.step) t.curve.points.back() = {report.step, value};
        else t.curve.points.emplace_back(report.step, value);
        if (!t.stop) judge(t);
      }
      told = t.run;
    }
    if (const Status stored = store_.updateRun(told); !stored.ok()) {
      const MutexLock lock(mutex_);
      fail(stored);
    }
    if (options_.changed) options_.changed(told);
    return !t.stop;
  }

  void judge(Trial& t) WEFT_REQUIRES(mutex_) {
    if (plan_.stop.kind == StopRule::Kind::None) return;
    std::vector<SweepCurve> others;
    for (const auto& [number, other] : trials_)
      if (other.get() != &t && other->run.status != ExperimentStatus::Failed) others.push_back(other->curve);
    if (!shouldStop(plan_, t.curve, others, t.run.totalSteps)) return;
    t.why =
        "stopped by the rule " + std::string(nameOf(plan_.stop.kind)) + " at step " + std::to_string(t.run.step) + " of " + std::to_string(t.run.totalSteps);
    t.stop = true;
  }

  bool progressed(Trial& t, int64_t step, int64_t total) {
    waitWhilePaused();
    if (step >= 0) {
      const MutexLock lock(mutex_);
      t.run.step = step;
      t.run.totalSteps = total;
    }
    return !t.stop;
  }

  void waitWhilePaused() {
    if (!paused_) return;
    const MutexLock lock(mutex_);
    while (paused_ && !stopped_) wake_.wait_for(mutex_, std::chrono::milliseconds(200));
  }

  void stopAll() WEFT_REQUIRES(mutex_) {
    stopped_ = true;
    for (auto& [number, t] : trials_)
      if (t->run.status == ExperimentStatus::Running) t->stop = true;
  }

  void fail(const Status& status) WEFT_REQUIRES(mutex_) {
    if (failure_.ok()) failure_ = status;
    stopAll();
  }

  ExperimentStore& store_;
  const ExperimentSweep sweep_;
  const SweepPlan plan_;
  const SweepBody body_;
  const SweepOptions options_;
  const int64_t total_;
  int parallel_ = 1, threads_ = 1;
  int64_t baseBytes_ = 0;
  Clock::time_point begin_ = Clock::now();
  std::atomic<bool> paused_{false}, stopped_{false};
  std::atomic<int64_t> runBytes_{0};  // the most that a run has needed

  Mutex suggestMutex_;  // one proposal at a time; taken before mutex_
  mutable Mutex mutex_;
  CondVar wake_;
  std::map<int64_t, std::unique_ptr<Trial>> trials_ WEFT_GUARDED_BY(mutex_);
  int running_ WEFT_GUARDED_BY(mutex_) = 0;
  int64_t best_ WEFT_GUARDED_BY(mutex_) = 0;
  Status failure_ WEFT_GUARDED_BY(mutex_);
};

}  // namespace

Result<std::unique_ptr<SweepRunner>> SweepRunner::create(ExperimentStore& store, const ExperimentSweep& sweep, SweepBody body, SweepOptions options) {
  auto runner = std::make_unique<Runner>(store, sweep, std::move(body), std::move(options));
  WEFT_TRY(runner->prepare());
  return std::unique_ptr<SweepRunner>(std::move(runner));
}

}  // namespace weft
