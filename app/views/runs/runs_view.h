#pragma once

#include <QTimer>
#include <QWidget>

#include "shell/view.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QMenu;
class QPlainTextEdit;
class QStackedWidget;
class QTreeWidget;

namespace weft::widgets {
class EmptyState;
}

namespace weft::app {

class RunCards;
struct RunCard;
struct RunRecord;
struct SummaryRun;

/// The runs, newest first; a comparison of the two selected ones; notes; the settings of the next run.
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
  RunCard cardOf(const RunRecord& run) const;
  RunCard cardOf(const SummaryRun& run) const;
  void setSeen(const QStringList& keys, bool seen);
  void addEyeActions(QMenu* menu, const QString& key);
  void fitHeights();
  void showComparison();
  void showNotes();
  void keepNotes();
  /// Makes the archive look for the document's earlier runs.
  void showArchive(bool anew = false);
  void showMenu(QPoint at);
  void give(const QString& id, const QStringList& words);
  /// Newest first: those of this session, then earlier ones.
  QVector<const RunRecord*> listed() const;
  QVector<const RunRecord*> selected() const;

  ViewContext context_;
  QStackedWidget* stack_;
  widgets::EmptyState* empty_;
  QLineEdit* filter_;
  QComboBox* scope_;
  RunCards* list_;
  QTreeWidget* comparison_;
  QLabel *comparisonTitle_, *notesTitle_;
  QPlainTextEdit* notes_;
  QTimer notesTimer_, soonTimer_;
  QString notesOf_;             // key of the run whose notes are shown
  QStringList comparisonLook_;  // shown heads and keys, to detect changes
  bool stale_ = true;
};

extern const ViewRecord runsView;

}  // namespace weft::app
