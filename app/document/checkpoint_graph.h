#pragma once

#include <QObject>
#include <QPointer>
#include <QString>
#include <functional>
#include <vector>

#include "adapters/graph_contents.h"

namespace weft::app {

class Document;
class FileTab;
class Workspace;

/// The graph that an open checkpoint is held against: its own .meta if that lies beside it, else the graph that is open; or another one that somebody chose. GUI thread.
class CheckpointGraph : public QObject {
  Q_OBJECT

 public:
  /// That of an open checkpoint, made at the first call; it lives as long as the tab.
  static CheckpointGraph& of(FileTab& file, Workspace& workspace);
  /// The .meta beside a checkpoint; empty: there is none.
  static QString metaOf(const FileTab& file);

  /// Null while it is being read, or if there is none.
  GraphContentsPtr graph() const;
  /// Its file or document: "model.ckpt-5.meta"; empty: there is none.
  QString title() const;
  /// Why the file cannot be read.
  const QString& error() const { return error_; }
  bool isReading() const { return reading_; }
  /// Path of the file that is held against; empty: a document.
  const QString& path() const { return path_; }
  /// The document; null: a file, or none is open.
  Document* document() const;

  /// Holds the checkpoint against a document, or a file with a graph; with neither, against what it is by default.
  void holdAgainst(Document* document);
  void holdAgainstFile(const QString& path);
  void holdAgainstDefault();
  /// Calls `then` as soon as nothing is being read: now, or later.
  void whenRead(std::function<void()> then);

 signals:
  /// Another graph, or it has been read.
  void changed();

 private:
  CheckpointGraph(FileTab& file, Workspace& workspace);
  void read(const QString& path);

  FileTab& file_;
  Workspace& workspace_;
  QString path_, error_;
  GraphContentsPtr contents_;    // of the file
  QPointer<Document> document_;  // that was chosen
  bool reading_ = false;
  int number_ = 0;
  std::vector<std::function<void()>> waiting_;
};

}  // namespace weft::app
