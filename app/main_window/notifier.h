#pragma once

#include <QObject>
#include <QString>

class QWidget;

namespace weft::app {

class Workspace;

/// Tells the desktop when a long job or training ended while the window was not in front (freedesktop notifications; the task bar's mark where there
/// is no such service).
class Notifier : public QObject {
  Q_OBJECT

 public:
  Notifier(Workspace& workspace, QWidget* window);
  /// `seconds`: how long it took; short jobs are not told of.
  void jobEnded(const QString& title, const QString& text, double seconds);
  /// What was told last; empty: nothing yet.
  QString last() const { return last_; }

 private:
  Workspace& workspace_;
  QWidget* window_;
  QString last_;
  QString failure_;  ///< Of the task that is just ending.
};

}  // namespace weft::app
