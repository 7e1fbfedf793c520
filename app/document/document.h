#pragma once

#include <QObject>
#include <QPointF>
#include <QStringList>
#include <QUndoStack>
#include <functional>
#include <memory>

#include "adapters/graph_contents.h"
#include "adapters/graph_edit.h"

namespace weft::app {

class EditQueue;
class FileGuard;
struct FileContents;
class Journal;
struct CanvasArrays;

/// An open graph: its contents, the model that the canvas shows, what is selected in it, and the history of its edits. GUI thread.
///
/// Contents are immutable and replaced as a whole: who holds a pointer (a run, a picture) keeps what it had. Edits are computed beside the GUI
/// thread, one after another, and appear together with their step in the history.
class Document : public QObject {
  Q_OBJECT

 public:
  /// `path` empty: a new document, which is called `title` until it is saved.
  Document(GraphContentsPtr contents, QString path, QString title, QObject* parent = nullptr, std::shared_ptr<CanvasArrays> prepared = {});
  /// What the canvas shows of these contents, made by whoever made them: for a large graph that takes longer than a handler on the GUI thread may.
  static std::shared_ptr<CanvasArrays> prepare(const GraphContentsPtr& contents);
  ~Document() override;

  const QString& path() const { return path_; }
  /// File name, or the name of the template it came from.
  QString title() const;
  bool isModified() const;
  const GraphContentsPtr& contents() const { return contents_; }
  const GraphSummary& summary() const { return contents_->summary; }
  const QVector<Problem>& problems() const { return contents_->problems; }
  widgets::MemoryGraphModel* model() const { return model_.get(); }

  /// Full names of the selected nodes and scopes.
  const QStringList& selection() const { return selection_; }
  void setSelection(const QStringList& names);
  /// Selects on the canvas, too, and brings it into view.
  void requestSelection(const QStringList& names) { emit selectionRequested(names); }
  bool hasNode(const QString& name) const { return nodeIndex_.contains(name); }
  bool hasScope(const QString& name) const { return scopeIndex_.contains(name); }
  int nodeIndex(const QString& name) const { return nodeIndex_.value(name, -1); }
  int scopeIndex(const QString& name) const { return scopeIndex_.value(name, -1); }

  /// Called when an edit ended: one sentence on why nothing was changed, or empty.
  using Done = std::function<void(const QString& error)>;
  void apply(GraphEdit edit, Done done = {});
  /// Back or forward in the history, after the edits that are still being computed.
  void undo(Done done = {});
  void redo(Done done = {});
  /// To where `index` steps are done: several steps at once.
  void goTo(int index, Done done = {});
  /// Makes the texts that came with the graph ("2 ops", problems) anew, in the present language. Everything else stays as it is.
  void retranslate();
  /// Texts, index and clean state of the history, for menus and lists; change it by the methods above.
  const QUndoStack& history() const { return history_; }
  /// Whether an edit is being computed.
  bool isEditing() const;

  /// What it shows can be had again as it is: it is no unsaved work until somebody edits it.
  void setRepeatable() { everSaved_ = true; }
  /// The SavedModel that the graph was taken from, and its number there; null: it is from none, or was saved as a file of its own.
  const std::shared_ptr<const FileContents>& savedModel() const { return savedModel_; }
  int savedModelGraph() const { return savedModelGraph_; }
  void setSavedModel(std::shared_ptr<const FileContents> model, int graph);
  /// What keeps its file from being written over after others changed it.
  const std::shared_ptr<FileGuard>& fileGuard() const { return guard_; }
  /// After it was written to `path`, as `contents` were.
  void setSaved(const QString& path, const GraphContentsPtr& contents);

  /// Where the history is written as it grows; null: nowhere.
  void setJournal(std::shared_ptr<Journal> journal) { journal_ = std::move(journal); }
  /// A history that was read from a journal: graphs from the first one on, with the texts of the steps between them. REQUIRES: no edit yet; the
  /// contents are those at `index`. `cleanIndex` < 0: the file is as none of them.
  void adoptHistory(const std::vector<std::shared_ptr<const EngineGraph>>& states, const QStringList& texts, int index, int cleanIndex);

  /// Folder for what runs of this document leave behind: `NAME-runs` beside the file, or below the user's data folder while it has no file.
  QString runsFolder() const;
  /// Folder of the file; empty: there is none yet.
  QString folder() const;

 signals:
  void selectionChanged();
  /// Names that an edit made, to be selected and shown.
  void selectionRequested(const QStringList& names);
  void titleChanged();
  /// Other contents: the model was reset, problems and totals may be others.
  void contentsChanged();
  /// The same graph in other words: contents() was replaced, all indexes and what the model shows of a run are as before.
  void textsChanged();
  /// An edit did something beside what was asked for.
  void noted(const QString& note);

 private:
  void show(GraphContentsPtr contents);
  void travel(std::function<int()> target, Done done);

  GraphContentsPtr contents_;
  std::unique_ptr<widgets::MemoryGraphModel> model_;
  QHash<QString, int> nodeIndex_, scopeIndex_;
  QString path_, title_;
  std::shared_ptr<FileGuard> guard_;
  QStringList selection_;
  QUndoStack history_;
  bool everSaved_;
  std::shared_ptr<const FileContents> savedModel_;
  int savedModelGraph_ = -1;
  std::shared_ptr<Journal> journal_;
  std::unique_ptr<EditQueue> edits_;
};

}  // namespace weft::app
