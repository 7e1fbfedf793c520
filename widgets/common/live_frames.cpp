#include "common/live_frames.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThread>
#include <algorithm>
#include <cmath>
#include <ctime>

namespace weft::widgets {
namespace {
constexpr double kFrameSliceMs = 3;
constexpr double kShare = 0.0183;  // of all processors: two per cent, less the possible overrun of a frame
}  // namespace

double threadCpuMs() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) * 1e-6;
}

LiveFrames& LiveFrames::current() {
  static QPointer<LiveFrames> frames;
  if (!frames) frames = new LiveFrames(QCoreApplication::instance());
  return *frames;
}

LiveFrames::LiveFrames(QObject* parent) : QObject(parent), governor_({.share = kShare, .processors = QThread::idealThreadCount()}) {
  timer_.setObjectName(QStringLiteral("live_frames"));
  timer_.setSingleShot(true);
  timer_.setTimerType(Qt::PreciseTimer);
  connect(&timer_, &QTimer::timeout, this, &LiveFrames::frame);
  clock_.start();
}

void LiveFrames::soon() {
  if (inFrame_) return;
  const double now = static_cast<double>(clock_.nsecsElapsed()) * 1e-6;
  const double wait = governor_.waitMs(now, threadCpuMs());
  if (wait < 0) return timer_.stop();
  const int ms = static_cast<int>(std::ceil(wait));
  if (!timer_.isActive() || ms < timer_.remainingTime()) timer_.start(ms);
}

void LiveFrames::frame() {
  const double before = threadCpuMs();
  governor_.begin(static_cast<double>(clock_.nsecsElapsed()) * 1e-6, before);
  inFrame_ = true;
  for (int id = governor_.next(); id >= 0; id = governor_.next()) {
    FrameMember* member = members_.value(id);
    const double start = threadCpuMs();
    member->act_();
    if (!members_.contains(id)) continue;  // it removed itself
    const double cost = threadCpuMs() - start;
    governor_.charge(id, cost);
    Spent& spent = spent_[member->name_];
    spent.cpuMs += cost;
    spent.longestMs = std::max(spent.longestMs, cost);
    ++spent.acts;
    if (threadCpuMs() - before > kFrameSliceMs) break;  // the others get their own event
  }
  // Polling members want again only now, else they would be called twice in a frame.
  for (auto it = members_.cbegin(); it != members_.cend(); ++it)
    if ((*it)->polling_) governor_.want(it.key());
  inFrame_ = false;
  timer_.stop();
  soon();
}

FrameMember::FrameMember(FrameGovernor::Stage stage, const char* name, std::function<void()> act, double fastestMs)
    : act_(std::move(act)), name_(name), id_(LiveFrames::current().governor_.add(stage, fastestMs)) {
  LiveFrames::current().members_.insert(id_, this);
}

FrameMember::~FrameMember() {
  LiveFrames& frames = LiveFrames::current();
  frames.governor_.remove(id_);
  frames.members_.remove(id_);
}

void FrameMember::want() {
  LiveFrames& frames = LiveFrames::current();
  if (frames.governor_.wants(id_)) return;
  frames.governor_.want(id_);
  frames.soon();
}

bool FrameMember::wants() const { return LiveFrames::current().governor_.wants(id_); }

void FrameMember::setPolling(bool on) {
  polling_ = on;
  if (on) want();
}

void FrameMember::charge(double costMs) { LiveFrames::current().governor_.charge(id_, costMs); }

double FrameMember::intervalMs() const { return LiveFrames::current().governor_.intervalMs(id_); }

}  // namespace weft::widgets
