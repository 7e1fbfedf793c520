#pragma once

#include <QObject>
#include <QString>
#include <deque>
#include <functional>

namespace weft::app {

class ActionRegistry;
class Workspace;

/// Applies pending input: a user who types a number and then uses a command that does not take the focus (F5, Train, Ctrl+S, another tab) expects the typed
/// number to count. The typed text is applied, to the document it was typed for, before such a command runs and before another document comes to the front;
/// commands that read the document wait until it is applied. Scripts type nothing and do not wait.
class PendingInputCommitter : public QObject {
  Q_OBJECT

 public:
  PendingInputCommitter(Workspace& workspace, ActionRegistry& actions, QObject* parent);

  /// Commits the focused field's text as if it lost focus: spin boxes, editors of list items, and line edits with the property `typedCounts` (a search text or
  /// an unfinished name is left alone).
  static void commit();
  /// Calls `then` once the document in front has no pending edits, possibly at once; in the order of the calls.
  void afterEdits(std::function<void()> then);
  bool isWaiting() const { return !waiting_.empty(); }

 private:
  void runWaiting();

  Workspace& workspace_;
  std::deque<std::function<void()>> waiting_;
};

}  // namespace weft::app
