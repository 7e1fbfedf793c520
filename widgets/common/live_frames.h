// Schedules updates of growing data on the screen.
#pragma once

#include <QElapsedTimer>
#include <QHash>
#include <QObject>
#include <QTimer>
#include <functional>

#include "common/frame_governor.h"

namespace weft::widgets {

/// Processor time used by the calling thread, in ms.
double threadCpuMs();

/// The frames of the GUI thread: asks a FrameGovernor which member is next and calls it, a few milliseconds at a time. One per process; it lives as long as the
/// application object.
class LiveFrames : public QObject {
  Q_OBJECT

 public:
  static LiveFrames& current();

  const FrameGovernor& governor() const { return governor_; }

  /// Total frame cost of all members with one name since the start, without their painting.
  struct Spent {
    double cpuMs = 0, longestMs = 0;
    int acts = 0;
  };
  const QHash<QByteArray, Spent>& spent() const { return spent_; }

 private:
  friend class FrameMember;
  explicit LiveFrames(QObject* parent);
  void soon();
  void frame();

  FrameGovernor governor_;
  QHash<int, class FrameMember*> members_;
  QHash<QByteArray, Spent> spent_;
  QTimer timer_;
  QElapsedTimer clock_;
  bool inFrame_ = false;
};

/// A participant in the frames, for as long as it exists. GUI thread.
class FrameMember {
 public:
  /// Calls `act` in the frames that the governor grants it, at most every `fastestMs` (0: the rules' value). Costs are summed under `name`, which several
  /// members may share.
  FrameMember(FrameGovernor::Stage stage, const char* name, std::function<void()> act, double fastestMs = 0);
  ~FrameMember();
  FrameMember(const FrameMember&) = delete;
  FrameMember& operator=(const FrameMember&) = delete;

  /// Requests a frame.
  void want();
  bool wants() const;
  /// Requests every frame until turned off, for members that must poll for changes.
  void setPolling(bool on);
  bool isPolling() const { return polling_; }
  /// Adds the cost of painting caused by this member.
  void charge(double costMs);
  double intervalMs() const;

 private:
  friend class LiveFrames;
  std::function<void()> act_;
  QByteArray name_;
  int id_;
  bool polling_ = false;
};

}  // namespace weft::widgets
