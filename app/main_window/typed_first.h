#pragma once

#include <QObject>
#include <QString>
#include <deque>
#include <functional>

namespace weft::app {

class ActionRegistry;
class Workspace;

/// Whoever types a number and presses a key or a button that takes no keyboard from the field (F5, Train, Ctrl+S, another tab) means the number that stands there. What is typed is
/// taken before such a command runs and before another document comes to the front, so that it counts, for the document that it was typed for; and what reads the
/// document waits until it holds it. Scripts type nothing and do not wait.
class TypedFirst : public QObject {
  Q_OBJECT

 public:
  TypedFirst(Workspace& workspace, ActionRegistry& actions, QObject* parent);

  /// Gives what stands in the field that has the keyboard to whoever gets it when the field loses the keyboard: spin boxes, editors of list items, and lines whose property
  /// `typedCounts` says so (a search or a name that is being typed is left alone).
  static void take();
  /// Calls `then` at once, or when the document in front has taken the edits that are under way; in the order of the calls.
  void afterEdits(std::function<void()> then);
  bool isWaiting() const { return !waiting_.empty(); }

 private:
  void goOn();

  Workspace& workspace_;
  std::deque<std::function<void()>> waiting_;
};

}  // namespace weft::app
