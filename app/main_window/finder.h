#pragma once

#include <QElapsedTimer>
#include <QFrame>
#include <QPointer>
#include <QTimer>
#include <memory>

#include "main_window/finder_entries.h"
#include "shell/fuzzy.h"

class QLabel;
class QLineEdit;
class QListView;

namespace weft::app {

/// The popup under Ctrl+K and Ctrl+Shift+P: finds commands, nodes, tensors, variables, ops, tags, files and help pages. Searches a large graph in slices of a
/// few milliseconds.
class Finder : public QFrame {
  Q_OBJECT

 public:
  /// Opens it over `window`, replacing an open one. `text` starts with a prefix if only one kind is wanted.
  static void open(Workspace& workspace, ActionRegistry& actions, Shell& shell, const QString& text);
  /// Whether all sources were searched for the present text.
  bool isSettled() const { return !slice_.isActive(); }
  /// Shown rows, `kind text` each, best first.
  QStringList rows() const;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  class Rows;
  Finder(Workspace& workspace, ActionRegistry& actions, Shell& shell, QWidget* window);
  void search(const QString& text);
  void continueSearch();
  void showHits();
  void accept();
  void dismiss();

  struct Hit {
    int score, source, index;
  };
  ActionRegistry& actions_;
  std::vector<FinderSource> sources_;
  QPointer<QWidget> focusBefore_;
  QLineEdit* field_;
  QListView* list_;
  Rows* rows_;
  QLabel* foot_;
  QTimer slice_;
  // The search in progress.
  FuzzyPattern pattern_{QString()};
  QString typed_;          // without a prefix
  int prefixSource_ = -1;  // only this one; -1: all
  size_t source_ = 0;
  int next_ = 0, found_ = 0;
  QElapsedTimer shown_;
  std::vector<Hit> hits_;  // best first
};

}  // namespace weft::app
