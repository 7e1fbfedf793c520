#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>
#include <map>
#include <memory>

#include "document/file_guard.h"
#include "main_window/file_locks.h"

namespace weft::app {

class Document;
struct GraphDifference;
class Shell;
class Workspace;

/// Settings key of a flag: comparisons of graphs pair nodes by what they compute and how they are wired, not by names.
inline constexpr const char* kMatchByStructure = "compare/structure";

/// Notices that an open file was changed or deleted by another program, or is open in another window, and asks in the message bar what to do.
class FileWatch : public QObject {
  Q_OBJECT

 public:
  FileWatch(Workspace& workspace, Shell& shell, QObject* parent = nullptr);
  /// Rereads a document's file and replaces the document; unsaved changes are lost.
  void reload(Document* document, bool asked = false);
  /// Reports in the log and the message bar how the document differs from a graph file (empty: its own), and marks the differences on its canvas.
  /// Nodes are matched as the setting kMatchByStructure says.
  void compare(Document* document, const QString& file = {});
  /// The file that a document was last compared with while its marks are shown; empty: none.
  QString comparedWith(const Document* document) const;

 signals:
  /// A document was read again; `fresh` replaces it.
  void reloaded(weft::app::Document* old, weft::app::Document* fresh);

 private:
  struct Watched {
    QString path;
    FileStamp asked;  ///< The state of the file that the user was asked about.
    bool isAsked = false;
  };
  void showDifference(Document* document, const QString& path, const GraphDifference& difference, bool byStructure);
  static QString differenceText(const GraphDifference& difference);
  void track(Document* document);
  void forget(Document* document);
  void check();
  void ask(Document* document, bool refused);
  /// Allows overwriting the file in its present state.
  void keepMine(Document* document);

  Workspace& workspace_;
  Shell& shell_;
  QFileSystemWatcher watcher_;
  QTimer settle_;  // programs write a file in several steps
  FileLocks locks_;
  std::map<Document*, Watched> watched_;
  std::map<const Document*, QString> compared_;  // files of the last comparisons
};

}  // namespace weft::app
