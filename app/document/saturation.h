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

/// Measures, while a training runs and somebody asked for it, which share of each activation does nothing any more: at most once a second, and for at
/// most a twentieth of the time. Off at first. GUI thread; the work is done on a thread of its own.
class Saturation : public QObject {
  Q_OBJECT

 public:
  /// The one of this workspace, made when it is first asked for.
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
  /// Why there is nothing, in one sentence; empty: nothing is wrong.
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
  GraphContentsPtr contents_;  // that probe_, or problem_, belongs to
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
