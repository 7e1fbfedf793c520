#include "document/checkpoint_graph.h"

#include <QFileInfo>
#include <memory>
#include <utility>

#include "adapters/graph_files.h"
#include "document/document.h"
#include "document/file_tab.h"
#include "document/workspace.h"

namespace weft::app {

CheckpointGraph& CheckpointGraph::of(FileTab& file, Workspace& workspace) {
  auto* graph = file.findChild<CheckpointGraph*>({}, Qt::FindDirectChildrenOnly);
  return graph ? *graph : *new CheckpointGraph(file, workspace);
}

QString CheckpointGraph::metaOf(const FileTab& file) {
  for (const FilePart& part : file.contents()->parts)
    if (part.role == FilePart::Role::Meta && part.present) return part.path;
  return {};
}

CheckpointGraph::CheckpointGraph(FileTab& file, Workspace& workspace) : QObject(&file), file_(file), workspace_(workspace) {
  // For an open document, use its present graph.
  const auto told = [this] {
    if (path_.isEmpty()) emit changed();
  };
  connect(&workspace, &Workspace::contentsChanged, this, told);
  connect(&workspace, &Workspace::documentRemoved, this, [this](Document* gone) {
    if (document_ == gone || path_.isEmpty()) QMetaObject::invokeMethod(this, &CheckpointGraph::changed, Qt::QueuedConnection);
  });
  connect(&workspace, &Workspace::documentAdded, this, told);
  if (const QString meta = metaOf(file); !meta.isEmpty()) read(meta);
}

Document* CheckpointGraph::document() const { return !path_.isEmpty() ? nullptr : document_ ? document_.data() : workspace_.current(); }

GraphContentsPtr CheckpointGraph::graph() const { return !path_.isEmpty() ? contents_ : document() ? document()->contents() : nullptr; }

QString CheckpointGraph::title() const { return !path_.isEmpty() ? QFileInfo(path_).fileName() : document() ? document()->title() : QString(); }

void CheckpointGraph::compareWith(Document* document) {
  ++number_;  // the pending read is obsolete
  reading_ = false;
  path_.clear();
  error_.clear();
  contents_ = nullptr;
  document_ = document;
  emit changed();
}

void CheckpointGraph::compareWithFile(const QString& path) {
  document_ = nullptr;
  read(QFileInfo(path).absoluteFilePath());
}

void CheckpointGraph::compareWithDefault() {
  const QString meta = metaOf(file_);
  meta.isEmpty() ? compareWith(nullptr) : compareWithFile(meta);
}

void CheckpointGraph::whenRead(std::function<void()> then) {
  if (!reading_) return then();
  waiting_.push_back(std::move(then));
}

void CheckpointGraph::read(const QString& path) {
  const int number = ++number_;
  path_ = path;
  error_.clear();
  contents_ = nullptr;
  reading_ = true;
  auto outcome = std::make_shared<OpenOutcome>();
  const auto ended = [this, guard = QPointer<CheckpointGraph>(this), outcome, number] {
    if (!guard || number != number_) return;
    reading_ = false;
    contents_ = outcome->contents;
    error_ = outcome->error;
    emit changed();
    for (const auto& then : std::exchange(waiting_, {})) then();
  };
  workspace_.tasks().start(
      tr("Reading %1").arg(QFileInfo(path).fileName()), [outcome, path](TaskState& task) { *outcome = openGraphFile(path, task); }, ended, ended);
  emit changed();
}

}  // namespace weft::app
