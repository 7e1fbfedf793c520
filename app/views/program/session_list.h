#pragma once

#include <QTimer>
#include <QWidget>

class QLabel;
class QTreeWidget;

namespace weft::app {

class Workspace;
struct ProgramSession;

/// The sessions of a Python program: graph, origin, number of runs, whether it is open. GUI thread.
class SessionList : public QWidget {
  Q_OBJECT

 public:
  SessionList(Workspace& workspace, QWidget* parent);

 signals:
  /// The user chose a session made by a line of the program.
  void lineChosen(const QString& file, int line);

 protected:
  void showEvent(QShowEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void retranslate();
  void fill();
  QString graphText(const ProgramSession& session) const;

  Workspace& workspace_;
  QLabel* words_;
  QTreeWidget* list_;
  QTimer soon_;
};

}  // namespace weft::app
