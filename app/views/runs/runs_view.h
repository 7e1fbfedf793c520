#pragma once

#include <QTimer>
#include <QWidget>

#include "views/view.h"

class QLabel;
class QPlainTextEdit;
class QSpinBox;
class QStackedWidget;
class QTreeWidget;
class QTreeWidgetItem;

namespace weft::widgets {
class EmptyState;
}

namespace weft::app {

struct RunRecord;

/// The runs, newest first; the two that are selected side by side; notes; what the next run begins with.
class RunsView : public QWidget {
  Q_OBJECT
  Q_PROPERTY(QString report READ report)

 public:
  RunsView(const ViewContext& context, QWidget* parent);
  /// All runs as one line of JSON.
  QString report() const;

 public slots:
  void refreshNow();

 protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  QWidget* makeNextRun();
  void retranslate();
  void showRun(QTreeWidgetItem* item, const RunRecord& run);
  void showComparison();
  void showNotes();
  void showNextRun();
  void changeNextRun();
  QVector<const RunRecord*> selected() const;

  ViewContext context_;
  QStackedWidget* stack_;
  widgets::EmptyState* empty_;
  QTreeWidget *list_, *comparison_;
  QLabel *comparisonTitle_, *notesTitle_, *nextTitle_, *seedLabel_, *epochsLabel_, *batchLabel_, *patienceLabel_;
  QPlainTextEdit* notes_;
  QSpinBox *seed_, *epochs_, *batch_, *patience_;
  QTimer notesTimer_;
  int notesOf_ = 0;
  bool stale_ = true;
};

extern const ViewRecord runsView;

}  // namespace weft::app
