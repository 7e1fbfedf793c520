#pragma once

#include <QObject>
#include <QString>

class QWidget;

namespace weft::app {

class Workspace;

/// Notifies the desktop when a long job or training ended while the window was not in front (freedesktop notifications; a task bar alert where that service is
/// missing).
class Notifier : public QObject {
  Q_OBJECT

 public:
  Notifier(Workspace& workspace, QWidget* window);
  /// `seconds`: its duration; short jobs are not reported.
  void jobEnded(const QString& title, const QString& text, double seconds);
  /// The last notification; empty: none yet.
  QString last() const { return last_; }

 private:
  Workspace& workspace_;
  QWidget* window_;
  QString last_;
  QString failure_;  ///< Error of the task that is ending.
};

}  // namespace weft::app
