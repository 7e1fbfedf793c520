// When what grows on the screen is brought up to date.
#pragma once

#include <QElapsedTimer>
#include <QHash>
#include <QObject>
#include <QTimer>
#include <functional>

#include "common/frame_governor.h"

namespace weft::widgets {

/// Processor time that the calling thread has used, in ms.
double threadCpuMs();

/// The frames of this process's GUI thread: asks a FrameGovernor whose turn it is and calls them, a few milliseconds at a time. There is one, as
/// there is one GUI thread; it comes with the application object and goes with it.
class LiveFrames : public QObject {
  Q_OBJECT

 public:
  static LiveFrames& current();

  const FrameGovernor& governor() const { return governor_; }

  /// What the members of one name have cost in frames since the start, their paintings not counted.
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

/// One who takes part in the frames, for as long as it exists. GUI thread.
class FrameMember {
 public:
  /// `act` is called in those frames in which it wants to and may, every `fastestMs` at most (0: as often as any). `name`: under which its costs are
  /// found, with those of others of that name.
  FrameMember(FrameGovernor::Stage stage, const char* name, std::function<void()> act, double fastestMs = 0);
  ~FrameMember();
  FrameMember(const FrameMember&) = delete;
  FrameMember& operator=(const FrameMember&) = delete;

  /// There is something to do.
  void want();
  bool wants() const;
  /// Wants in every frame, until told otherwise: for who has to ask whether there is something.
  void setPolling(bool on);
  bool isPolling() const { return polling_; }
  /// Painting that came of it has cost so much.
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
