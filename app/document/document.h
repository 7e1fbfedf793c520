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

/// An open graph: its contents, the canvas's model, the selection, and the history of edits. GUI thread.
///
/// Contents are immutable and replaced as a whole, so a holder of a pointer (a run, a picture) keeps its version. Edits are computed one after another on
/// another thread, and appear together with their step in the history.
class Document : public QObject {
  Q_OBJECT

 public:
  /// `path` empty: a new document, which is called `title` until it is saved.
  Document(GraphContentsPtr contents, QString path, QString title, QObject* parent = nullptr, std::shared_ptr<CanvasArrays> prepared = {});
  /// Makes the canvas's arrays of these contents on the thread that made the contents: for a large graph it takes longer than a handler on the GUI thread may.
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
  /// Selects on the canvas too, and scrolls there.
  void requestSelection(const QStringList& names) { emit selectionRequested(names); }
  bool hasNode(const QString& name) const { return nodeIndex_.contains(name); }
  bool hasScope(const QString& name) const { return scopeIndex_.contains(name); }
  int nodeIndex(const QString& name) const { return nodeIndex_.value(name, -1); }
  int scopeIndex(const QString& name) const { return scopeIndex_.value(name, -1); }

  /// Called when an edit has ended, with an error sentence, or empty.
  using Done = std::function<void(const QString& error)>;
  void apply(GraphEdit edit, Done done = {});
  /// Moves in the history, after the pending edits.
  void undo(Done done = {});
  void redo(Done done = {});
  /// Moves to the state after `index` steps.
  void goTo(int index, Done done = {});
  /// Translates the texts that came with the graph ("2 ops", problems) again. Everything else stays.
  void retranslate();
  /// Texts, index and clean state of the history, for menus and lists; use the methods above to change it.
  const QUndoStack& history() const { return history_; }
  /// Whether an edit is being computed.
  bool isEditing() const;

  /// The content can be made again, so it is not unsaved work until it is edited.
  void setRepeatable() { everSaved_ = true; }
  /// The SavedModel that the graph came from, with its number there; null: none, or the graph was saved as its own file.
  const std::shared_ptr<const FileContents>& savedModel() const { return savedModel_; }
  int savedModelGraph() const { return savedModelGraph_; }
  void setSavedModel(std::shared_ptr<const FileContents> model, int graph);
  /// Prevents overwriting a file that others have changed.
  const std::shared_ptr<FileGuard>& fileGuard() const { return guard_; }
  /// Called after `contents` were written to `path`.
  void setSaved(const QString& path, const GraphContentsPtr& contents);

  /// The journal that records the history; null: none.
  void setJournal(std::shared_ptr<Journal> journal) { journal_ = std::move(journal); }
  /// Restores a history read from a journal: the graphs from the first one on, and the texts of the steps between them. REQUIRES: no edit yet; the contents are
  /// those at `index`. `cleanIndex` < 0: none of them equals the file.
  void adoptHistory(const std::vector<std::shared_ptr<const EngineGraph>>& states, const QStringList& texts, int index, int cleanIndex);

  /// Folder for the files of this document's runs: `NAME-runs` beside the file, or below the user's data folder while it has no file.
  QString runsFolder() const;
  /// Folder of the file; empty: there is none yet.
  QString folder() const;

 signals:
  void selectionChanged();
  /// Names from an edit, to be selected and shown.
  void selectionRequested(const QStringList& names);
  void titleChanged();
  /// New contents: the model was reset; problems and totals may differ.
  void contentsChanged();
  /// The same graph with new texts: contents() was replaced, but indexes and run status are unchanged.
  void textsChanged();
  /// An edit had a side effect.
  void noted(const QString& note);

 private:
  void show(GraphContentsPtr contents);
  void goToState(std::function<int()> target, Done done);

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
