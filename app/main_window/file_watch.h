#pragma once

#include <QDateTime>
#include <QFileSystemWatcher>
#include <QHash>
#include <QLockFile>
#include <QObject>
#include <QTimer>
#include <map>
#include <memory>

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
  /// Reads the file of a document again in its place; unsaved changes are lost.
  void reload(Document* document, bool asked = false);
  /// Says in the log and the message bar how the document differs from a graph file (empty: its own), and marks on its canvas where.
  void compare(Document* document, const QString& file = {});

 signals:
  /// A document is being read again; `fresh` takes its place.
  void reloaded(weft::app::Document* old, weft::app::Document* fresh);

 private:
  struct Seen {
    QDateTime modified;
    qint64 size = -1;
    bool operator==(const Seen&) const = default;
  };
  static Seen seen(const QString& path);
  static QString differenceText(const GraphDifference& difference);
  void track(Document* document);
  void forget(Document* document);
  void check();
  void ask(Document* document, bool gone);

  Workspace& workspace_;
  Shell& shell_;
  QFileSystemWatcher watcher_;
  QTimer settle_;  // programs write a file in several goes
  QHash<QString, Seen> seen_;
  std::map<Document*, QString> paths_;
  std::map<Document*, std::unique_ptr<QLockFile>> locks_;
};

}  // namespace weft::app
