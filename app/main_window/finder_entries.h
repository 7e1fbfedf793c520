// The finder's sources: lists whose names are made on demand, so that a large graph costs nothing before something is typed.
#pragma once

#include <QString>
#include <QStringList>
#include <functional>
#include <vector>

namespace weft::app {

class ActionRegistry;
class Shell;
class Workspace;

/// An item that can be found.
struct FinderEntry {
  QString text;    ///< what is matched and shown
  QString detail;  ///< on the right: a key, an op, a shape, a folder
  QString icon;
  QString reason;  ///< why it cannot be chosen now; empty if it can
  QString toolTip;
  QString command;  ///< of a command: its id
  std::function<void()> choose;
};

/// A kind of items.
struct FinderSource {
  QChar prefix;       ///< typed first to search only this kind
  const char* title;  ///< context "Finder"
  int weight = 0;     ///< added to the scores, so that actions come before nodes
  int count = 0;
  std::function<QString(int)> name;
  std::function<FinderEntry(int)> entry;
  int exactFrom = -1;  ///< entries from here on rank first if their exact name is typed; -1: none do
};

/// All sources for the present state: actions `>`, nodes and scopes `@`, tensors `:`, variables `$`, ops `%`, functions `&`, tags `#`, files `/`, help `?`.
/// They keep their data (a document's contents) alive, so that the document may be closed meanwhile; choosing an entry looks it up again.
std::vector<FinderSource> finderSources(Workspace& workspace, ActionRegistry& actions, Shell& shell);

}  // namespace weft::app
