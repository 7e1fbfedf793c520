#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QPointF>
#include <QTimer>
#include <QVector>
#include <memory>
#include <thread>

#include "adapters/saturation.h"

namespace weft::app {

class Workspace;

/// On request, measures the saturated share of each activation during a training: at most once a second, and at most a twentieth of the time. Off initially.
/// GUI thread; the work runs on another thread.
class Saturation : public QObject {
  Q_OBJECT

 public:
  /// The workspace's instance; created on the first call.
  static Saturation& of(Workspace& workspace);
  ~Saturation() override;

  bool isOn() const { return on_; }
  void setOn(bool on);

  /// An activation of the present or last training.
  struct Line {
    SaturationShare now;
    QVector<QPointF> history;  ///< Share over step.
  };
  const QVector<Line>& lines() const { return lines_; }
  qint64 step() const { return step_; }
  /// Why there is no result, in one sentence; empty: no problem.
  QString problem() const { return problem_; }
  bool isBusy() const { return work_ != nullptr; }

 signals:
  void changed();

 private:
  struct Work;
  explicit Saturation(Workspace& workspace);
  void look();
  void take();

  Workspace& workspace_;
  bool on_ = false;
  std::shared_ptr<SaturationProbe> probe_;
  GraphContentsPtr contents_;  // the contents of probe_ or problem_
  std::unique_ptr<Work> work_;
  std::thread thread_;
  QTimer timer_;
  QElapsedTimer since_;
  qint64 pauseMs_ = 0;
  QVector<Line> lines_;
  qint64 step_ = -1;
  int run_ = 0;
  QString problem_;
};

}  // namespace weft::app
