#pragma once

#include <QTimer>
#include <QWidget>

#include "views/view.h"

class QLabel;
class QPlainTextEdit;
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
  void retranslate();
  void showRun(QTreeWidgetItem* item, const RunRecord& run);
  void fitColumns();
  void fitHeights();
  void showComparison();
  void showNotes();
  void keepNotes();
  /// Has the earlier runs of the document looked for.
  void showArchive(bool anew = false);
  void showMenu(QPoint at);
  void give(const QString& id, const QStringList& words);
  /// Newest first: those of this start, then those of earlier ones.
  QVector<const RunRecord*> listed() const;
  QVector<const RunRecord*> selected() const;

  ViewContext context_;
  QStackedWidget* stack_;
  widgets::EmptyState* empty_;
  QTreeWidget *list_, *comparison_;
  QLabel *comparisonTitle_, *notesTitle_;
  QPlainTextEdit* notes_;
  QTimer notesTimer_, soonTimer_;
  QString notesOf_;  // key of the run
  QStringList comparisonLook_;  // heads and keys that are shown
  int fittedRows_ = 0;
  bool stale_ = true;
};

extern const ViewRecord runsView;

}  // namespace weft::app
