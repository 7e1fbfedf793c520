#pragma once

#include <QTimer>
#include <QWidget>

class QLabel;
class QTreeWidget;

namespace weft::app {

class Workspace;
struct ProgramSession;

/// The sessions of a Python program: which graph each has, where it was made, how often it ran, whether it is open. GUI thread.
class SessionList : public QWidget {
  Q_OBJECT

 public:
  SessionList(Workspace& workspace, QWidget* parent);

 signals:
  /// A session was chosen that a line of the program made.
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
