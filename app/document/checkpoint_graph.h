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

/// The graph that an open checkpoint is compared with: its own .meta if there is one beside it, else the open graph; or one chosen by the user. GUI thread.
class CheckpointGraph : public QObject {
  Q_OBJECT

 public:
  /// That of an open checkpoint; created on the first call, lives as long as the tab.
  static CheckpointGraph& of(FileTab& file, Workspace& workspace);
  /// The .meta beside a checkpoint; empty: there is none.
  static QString metaOf(const FileTab& file);

  /// Null while it is being read, or if there is none.
  GraphContentsPtr graph() const;
  /// Name of its file or document: "model.ckpt-5.meta"; empty: there is none.
  QString title() const;
  /// Why the file cannot be read.
  const QString& error() const { return error_; }
  bool isReading() const { return reading_; }
  /// Path of the compared graph's file; empty: it is a document.
  const QString& path() const { return path_; }
  /// The document; null: a file, or none is open.
  Document* document() const;

  /// Compares the checkpoint with a document, or with a file that has a graph; with neither, with its default.
  void compareWith(Document* document);
  void compareWithFile(const QString& path);
  void compareWithDefault();
  /// Calls `then` once nothing is being read: now, or later.
  void whenRead(std::function<void()> then);

 signals:
  /// The graph changed or has been read.
  void changed();

 private:
  CheckpointGraph(FileTab& file, Workspace& workspace);
  void read(const QString& path);

  FileTab& file_;
  Workspace& workspace_;
  QString path_, error_;
  GraphContentsPtr contents_;    // of the file
  QPointer<Document> document_;  // chosen by the user
  bool reading_ = false;
  int number_ = 0;
  std::vector<std::function<void()>> waiting_;
};

}  // namespace weft::app
