#include "document/document.h"

#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>
#include <QUndoCommand>
#include <utility>

#include "adapters/annotations.h"
#include "adapters/border.h"
#include "adapters/canvas_drawing.h"
#include "adapters/control_flow.h"
#include "adapters/graph_files.h"
#include "adapters/history_files.h"
#include "adapters/port_rules.h"
#include "common/background.h"
#include "document/drawing_history.h"
#include "document/edit_queue.h"
#include "document/file_guard.h"
#include "graph_view/drawn_model.h"

namespace weft::app {

/// A copy of a graph's arrays for the canvas's model to modify, and a snapshot of them for the layout's worker. Made on the thread that makes the contents,
/// because copying a large graph takes longer than a handler may.
struct CanvasArrays {
  explicit CanvasArrays(const GraphContentsPtr& made, DrawingPtr seen = {})
      : contents(made),
        nodes(made->arrays.nodes),
        scopes(made->arrays.scopes),
        edges(made->arrays.edges),
        annotations(annotationsOf(*made)),
        drawing(seen ? std::move(seen) : drawingOf(*made)),
        facts(flowFactsOf(*made)) {
    if (nodes.size() + edges.size() < kLarge) return;
    auto copy = std::make_shared<widgets::DrawnGraph>();
    copy->nodes = nodes;
    copy->scopes = scopes;
    copy->edges = edges;
    copy->annotations = annotations;
    copy->facts = facts;
    copy->drawn = drawing;
    copy->editable = true;
    snapshot = std::move(copy);
  }
  static constexpr size_t kLarge = 2000;  // nodes and edges; smaller graphs are copied quickly
  GraphContentsPtr contents;
  std::vector<widgets::MemoryGraphModel::Node> nodes;
  std::vector<widgets::MemoryGraphModel::Scope> scopes;
  std::vector<widgets::MemoryGraphModel::Edge> edges;
  std::vector<widgets::Annotation> annotations;
  DrawingPtr drawing;
  std::shared_ptr<const layout::FlowFacts> facts;
  std::shared_ptr<widgets::DrawnGraph> snapshot;  // null: small
};

namespace {

/// The canvas's model of a document, with tooltips from the engine's facts.
class DocumentGraphModel : public widgets::DrawnGraph {
 public:
  DocumentGraphModel(const GraphContentsPtr& contents, std::shared_ptr<CanvasArrays> arrays) : prepared_(std::move(arrays)) {
    portLookUp = [this](widgets::Port port) { return app::portInfo(*contents_, port); };
    connectRule = [this](widgets::Port from, widgets::Port to, QString* why) { return mayConnect(*contents_, from, to, why); };
    editable = true;
    // There is no view yet: the first one gets the snapshot, unless statuses have changed by then.
    firstLook_ = take(contents);
    connect(this, &GraphModel::statusChanged, this, [this] { firstLook_ = nullptr; });
  }

  /// Stores arrays made on a worker for the next show() of their contents.
  void prepare(std::shared_ptr<CanvasArrays> arrays) { prepared_ = std::move(arrays); }
  void show(const GraphContentsPtr& contents) {
    firstLook_ = nullptr;
    snapshot_ = take(contents);
    commit();
    snapshot_ = nullptr;  // statuses may change from now on
  }
  /// Replaces the texts of the same graph; the nodes' run status stays.
  void showTexts(const GraphContentsPtr& contents, std::shared_ptr<CanvasArrays> made) {
    firstLook_ = nullptr;
    for (size_t i = 0; i < nodes.size(); ++i) {
      made->nodes[i].status = nodes[i].status;
      made->nodes[i].heat = nodes[i].heat;
      if (!made->snapshot) continue;
      made->snapshot->nodes[i].status = nodes[i].status;
      made->snapshot->nodes[i].heat = nodes[i].heat;
    }
    prepared_ = std::move(made);
    snapshot_ = take(contents);
    emit contentChanged();
    snapshot_ = nullptr;
  }
  QString toolTip(widgets::Item item) const override {
    return item.isNode() ? contents_->arrays.nodeTips.value(item.index) : contents_->arrays.scopeTips.value(item.index);
  }
  std::shared_ptr<const widgets::GraphModel> snapshot() const override {
    if (firstLook_) return std::exchange(firstLook_, nullptr);
    return snapshot_ ? snapshot_ : DrawnGraph::snapshot();
  }

 private:
  /// Takes over the arrays of these contents; returns their snapshot.
  std::shared_ptr<const widgets::GraphModel> take(const GraphContentsPtr& contents) {
    std::shared_ptr<CanvasArrays> made = std::move(prepared_);
    if (!made || made->contents != contents) made = std::make_shared<CanvasArrays>(contents);
    contents_ = contents;
    nodes.swap(made->nodes);
    scopes.swap(made->scopes);
    edges.swap(made->edges);
    facts = made->facts;
    annotations.swap(made->annotations);
    drawn = made->drawing;
    const std::shared_ptr<const widgets::GraphModel> snapshot = std::move(made->snapshot);
    // Freeing the previous arrays takes time, too.
    if (nodes.size() + edges.size() >= CanvasArrays::kLarge) widgets::inBackground([old = std::move(made)] {});
    return snapshot;
  }

  GraphContentsPtr contents_;
  std::shared_ptr<CanvasArrays> prepared_;
  std::shared_ptr<const widgets::GraphModel> snapshot_;           // while the views are notified of new arrays
  mutable std::shared_ptr<const widgets::GraphModel> firstLook_;  // until there is a view
};

/// One step of the history: the graph before and after it. Graphs share their nodes, so a step costs little memory.
class EditCommand : public QUndoCommand {
 public:
  EditCommand(const QString& text, std::shared_ptr<const EngineGraph> from, std::shared_ptr<const EngineGraph> to)
      : QUndoCommand(text), before(std::move(from)), after(std::move(to)) {}
  void undo() override {}  // the document sets the graph of the new history position
  void redo() override {}
  const std::shared_ptr<const EngineGraph> before, after;
};

std::shared_ptr<const EngineGraph> stateAt(const QUndoStack& history, int index, const std::shared_ptr<const EngineGraph>& now) {
  if (history.count() == 0) return now;
  if (index <= 0) return static_cast<const EditCommand*>(history.command(0))->before;
  return static_cast<const EditCommand*>(history.command(index - 1))->after;
}

}  // namespace

std::shared_ptr<CanvasArrays> Document::prepare(const GraphContentsPtr& contents) { return contents ? std::make_shared<CanvasArrays>(contents) : nullptr; }

Document::Document(GraphContentsPtr contents, QString path, QString title, QObject* parent, std::shared_ptr<CanvasArrays> prepared)
    : QObject(parent),
      contents_(contents),
      path_(std::move(path)),
      title_(std::move(title)),
      guard_(std::make_shared<FileGuard>(path_, FileStamp::of(path_))),
      everSaved_(!path_.isEmpty()),
      edits_(std::make_unique<EditQueue>()) {
  model_ = std::make_unique<DocumentGraphModel>(contents_, std::move(prepared));
  nodeIndex_ = contents_->arrays.nodeIndex;
  scopeIndex_ = contents_->arrays.scopeIndex;
  connect(&history_, &QUndoStack::cleanChanged, this, &Document::titleChanged);
}

Document::~Document() = default;

QString Document::title() const { return path_.isEmpty() ? title_ : QFileInfo(path_).fileName(); }

bool Document::isModified() const { return !everSaved_ || !history_.isClean(); }

void Document::setSavedModel(std::shared_ptr<const FileContents> model, int graph) {
  savedModel_ = std::move(model);
  savedModelGraph_ = graph;
  setRepeatable();
}

bool Document::isEditing() const { return edits_->isBusy(); }

void Document::setSelection(const QStringList& names) {
  if (names == selection_) return;
  selection_ = names;
  emit selectionChanged();
}

void Document::show(GraphContentsPtr contents) {
  contents_ = std::move(contents);
  nodeIndex_ = contents_->arrays.nodeIndex;
  scopeIndex_ = contents_->arrays.scopeIndex;
  QStringList selection = selection_;
  selection.removeIf([this](const QString& name) { return !hasNode(name) && !hasScope(name); });
  static_cast<DocumentGraphModel*>(model_.get())->show(contents_);
  emit contentsChanged();
  setSelection(selection);
}

void Document::apply(GraphEdit edit, Done done) {
  struct Work {
    GraphEdit edit;
    std::shared_ptr<const EngineGraph> before;
    EditOutcome outcome;
    DrawingPtr drawing;
    GraphContentsPtr contents;
    std::shared_ptr<CanvasArrays> arrays;
  };
  auto work = std::make_shared<Work>();
  work->edit = std::move(edit);
  edits_->add(
      [this, work]() -> std::function<void()> {
        work->before = contents_->engine;
        work->drawing = DrawingHistory::of(*this).note(history_.index());
        return [work, journal = journal_] {
          const QString failure = failureOf([&] {
            // The drawing is part of the edited graph, so that untouched nodes keep their places.
            work->outcome = work->edit.run(*withDrawing(work->before, work->drawing));
            if (!work->outcome.graph) return;
            GraphContentsPtr made = contentsOf(work->outcome.graph);
            work->arrays = std::make_shared<CanvasArrays>(made);
            work->contents = std::move(made);
          });
          if (!failure.isEmpty()) work->outcome.error = failure;
          if (!work->contents) return;
          if (journal) journal->edited(*work->before, *work->outcome.graph, work->edit.text);
        };
      },
      [this, work, done] {
        if (!work->contents) {
          if (done) done(work->outcome.error);
          return;
        }
        history_.push(new EditCommand(work->edit.text, work->before, work->outcome.graph));
        DrawingHistory::of(*this).forgetFrom(history_.index());
        static_cast<DocumentGraphModel*>(model_.get())->prepare(std::move(work->arrays));
        show(work->contents);
        emit titleChanged();
        if (!work->outcome.select.isEmpty()) emit selectionRequested(work->outcome.select);
        if (!work->outcome.note.isEmpty()) emit noted(work->outcome.note);
        if (done) done({});
      });
}

void Document::goToState(std::function<int()> target, Done done) {
  struct Work {
    int index = -1;
    GraphContentsPtr contents;
    std::shared_ptr<CanvasArrays> arrays;
  };
  auto work = std::make_shared<Work>();
  edits_->add(
      [this, work, target]() -> std::function<void()> {
        work->index = target();
        if (work->index < 0 || work->index > history_.count() || work->index == history_.index()) {
          work->index = -1;
          return nullptr;
        }
        DrawingHistory& drawings = DrawingHistory::of(*this);
        drawings.note(history_.index());
        const DrawingPtr drawing = drawings.at(work->index);
        return [work, drawing, journal = journal_, graph = stateAt(history_, work->index, contents_->engine)] {
          work->contents = contentsOf(graph);
          work->arrays = std::make_shared<CanvasArrays>(work->contents, drawing);
          if (journal) journal->moved(work->index);
        };
      },
      [this, work, done] {
        if (work->index >= 0) {
          history_.setIndex(work->index);
          static_cast<DocumentGraphModel*>(model_.get())->prepare(std::move(work->arrays));
          show(work->contents);
          emit titleChanged();
        }
        if (done) done({});
      });
}

void Document::retranslate() {
  struct Work {
    DrawingPtr drawing;
    GraphContentsPtr contents;
    std::shared_ptr<CanvasArrays> arrays;
  };
  auto work = std::make_shared<Work>();
  edits_->add(
      [this, work]() -> std::function<void()> {
        work->drawing = DrawingHistory::of(*this).note(history_.index());
        return [work, graph = contents_->engine] {
          work->contents = contentsOf(graph);
          work->arrays = std::make_shared<CanvasArrays>(work->contents, work->drawing);
        };
      },
      [this, work] {
        contents_ = work->contents;
        static_cast<DocumentGraphModel*>(model_.get())->showTexts(contents_, std::move(work->arrays));
        emit textsChanged();
      });
}

void Document::undo(Done done) {
  goToState([this] { return history_.canUndo() ? history_.index() - 1 : -1; }, std::move(done));
}
void Document::redo(Done done) {
  goToState([this] { return history_.canRedo() ? history_.index() + 1 : -1; }, std::move(done));
}
void Document::goTo(int index, Done done) {
  goToState([index] { return index; }, std::move(done));
}

void Document::setSaved(const QString& path, const GraphContentsPtr& contents) {
  path_ = path;
  savedModel_ = nullptr;
  everSaved_ = true;
  // Edits may have finished during the write.
  if (contents->engine == contents_->engine) history_.setClean();
  if (journal_) journal_->saved(path);
  emit titleChanged();
}

void Document::adoptHistory(const std::vector<std::shared_ptr<const EngineGraph>>& states, const QStringList& texts, int index, int cleanIndex) {
  for (qsizetype i = 0; i < texts.size(); ++i) history_.push(new EditCommand(texts[i], states[size_t(i)], states[size_t(i) + 1]));
  if (cleanIndex >= 0) {
    history_.setIndex(cleanIndex);
    history_.setClean();
  } else {
    history_.resetClean();
  }
  history_.setIndex(index);
}

QString Document::folder() const { return path_.isEmpty() ? QString() : QFileInfo(path_).absolutePath(); }

QString Document::runsFolder() const {
  if (!path_.isEmpty()) {
    const QFileInfo file(path_);
    if (QFileInfo(file.absolutePath()).isWritable()) return file.absoluteDir().filePath(file.completeBaseName() + QStringLiteral("-runs"));
  }
  const QString data = QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation);
  return QDir(data).filePath(QStringLiteral("runs/") + QFileInfo(title()).completeBaseName());
}

}  // namespace weft::app
