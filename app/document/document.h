#pragma once

#include <QObject>
#include <QStringList>
#include <memory>

#include "adapters/graph_contents.h"

namespace weft::app {

/// An open graph: its contents, the model that the canvas shows, and what is selected in it. GUI thread.
class Document : public QObject {
  Q_OBJECT

 public:
  /// `path` empty: a new document, which is called `title` until it is saved.
  Document(GraphContentsPtr contents, QString path, QString title, QObject* parent = nullptr);
  ~Document() override;

  const QString& path() const { return path_; }
  /// File name, or the name of the template it came from.
  QString title() const;
  bool isModified() const { return modified_; }
  const GraphContentsPtr& contents() const { return contents_; }
  const GraphSummary& summary() const { return contents_->summary; }
  const QVector<Problem>& problems() const { return contents_->problems; }
  widgets::MemoryGraphModel* model() const { return model_.get(); }

  /// Full names of the selected nodes and scopes.
  const QStringList& selection() const { return selection_; }
  void setSelection(const QStringList& names);
  bool hasNode(const QString& name) const { return nodeIndex_.contains(name); }
  bool hasScope(const QString& name) const { return scopeIndex_.contains(name); }
  int nodeIndex(const QString& name) const { return nodeIndex_.value(name, -1); }
  int scopeIndex(const QString& name) const { return scopeIndex_.value(name, -1); }

  /// After it was written to `path`.
  void setSaved(const QString& path);

  /// Folder for what runs of this document leave behind: `NAME-runs` beside the file, or below the user's data folder while it has no file.
  QString runsFolder() const;

 signals:
  void selectionChanged();
  void titleChanged();

 private:
  GraphContentsPtr contents_;
  std::unique_ptr<widgets::MemoryGraphModel> model_;
  QHash<QString, int> nodeIndex_, scopeIndex_;
  QString path_, title_;
  QStringList selection_;
  bool modified_;
};

}  // namespace weft::app
