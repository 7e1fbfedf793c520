// What the finder looks through. Sources are lists with names that are made when they are asked for, so that a graph of many thousand nodes costs
// nothing before something is typed.
#pragma once

#include <QString>
#include <QStringList>
#include <functional>
#include <vector>

namespace weft::app {

class ActionRegistry;
class Shell;
class Workspace;

/// One thing that can be found.
struct FinderEntry {
  QString text;    ///< what is matched and shown
  QString detail;  ///< at the right: a key, an op, a shape, a folder
  QString icon;
  QString reason;  ///< why it cannot be chosen now; empty if it can
  QString toolTip;
  QString command;  ///< of a command: its id
  std::function<void()> choose;
};

/// A kind of things.
struct FinderSource {
  QChar prefix;       ///< typed first: only this kind
  const char* title;  ///< context "Finder"
  int weight = 0;     ///< added to the scores, so that actions come before the thousandth node
  int count = 0;
  std::function<QString(int)> name;
  std::function<FinderEntry(int)> entry;
  int exactFrom = -1;  ///< entries from here on come first of all when their very name is typed; -1: none do
};

/// All sources for the present state: actions `>`, nodes and scopes `@`, tensors `:`, variables `$`, ops `%`, functions `&`, tags `#`, files `/`, help `?`.
/// They hold what they read from (a document's contents), so that it may be closed meanwhile; choosing asks again.
std::vector<FinderSource> finderSources(Workspace& workspace, ActionRegistry& actions, Shell& shell);

}  // namespace weft::app
