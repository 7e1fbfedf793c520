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

/// Notices that an open file was changed or deleted by another program, or is open in another window, and asks in the message bar what to do.
class FileWatch : public QObject {
  Q_OBJECT

 public:
  FileWatch(Workspace& workspace, Shell& shell, QObject* parent = nullptr);
  /// Rereads a document's file and replaces the document; unsaved changes are lost.
  void reload(Document* document, bool asked = false);
  /// Reports in the log and the message bar how the document differs from a graph file (empty: its own), and marks the differences on its canvas.
  void compare(Document* document, const QString& file = {});

 signals:
  /// A document was read again; `fresh` replaces it.
  void reloaded(weft::app::Document* old, weft::app::Document* fresh);

 private:
  struct Watched {
    QString path;
    FileStamp asked;  ///< The state of the file that the user was asked about.
    bool isAsked = false;
  };
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
};

}  // namespace weft::app
