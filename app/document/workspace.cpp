#include "document/workspace.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>
#include <algorithm>
#include <utility>

#include "adapters/event_follower.h"
#include "adapters/file_contents.h"
#include "adapters/graph_files.h"
#include "document/console.h"
#include "document/document.h"
#include "document/drawing_history.h"
#include "document/file_tab.h"
#include "document/local_cluster.h"
#include "document/program_debug.h"
#include "document/program_graphs.h"
#include "document/recovery.h"
#include "document/run_archive.h"
#include "document/run_settings.h"
#include "document/text_buffer.h"

namespace weft::app {

Workspace::Workspace(Settings::Kind settings, QObject* parent)
    : QObject(parent), settings_(settings), runs_(&log_), debugger_(&log_, &tasks_, &settings_), summaries_(&tasks_, &log_) {
  connect(&runs_, &RunController::runStarted, &debugger_, &DebugController::forget);
  connect(&runs_, &RunController::stepFailed, &debugger_,
          [this](Document* document, const std::shared_ptr<DebugJob>& values) { debugger_.showPostMortem(document, values); });
  connect(this, &Workspace::documentAdded, &debugger_, &DebugController::restore);
  allRuns_ = settings_.value(QStringLiteral("runs/all-documents"), false).toBool();
  connect(this, &Workspace::currentChanged, this, &Workspace::chooseOwner);
  connect(this, &Workspace::titleChanged, this, &Workspace::keepOwner);
  connect(&runs_, &RunController::runStarted, this, [this](const RunRecord* run) { runIds_[run->number] = summaries_.addRun(identityOf(*run)); });
  connect(&runs_, &RunController::samplesArrived, this, [this](const RunRecord* run, const QString& tag, std::span<const widgets::Sample> samples) {
    summaries_.append(runIds_[run->number], tag, samples);
  });
  connect(&runs_, &RunController::summariesArrived, this,
          [this](const RunRecord* run, SummaryColumns& columns) { summaries_.add(runIds_[run->number], columns); });
  recovery_ = std::make_unique<Recovery>(*this);
  programGraphs_ = std::make_unique<ProgramGraphs>(*this, program_);
  programDebug_ = std::make_unique<ProgramDebug>(*this, program_, *programGraphs_);
  console_ = std::make_unique<Console>(*this);
  localCluster_ = std::make_unique<LocalCluster>();
  connect(&program_, &Program::eventsArrived, this, [this](const QString& folder) { openEvents(folder); });
}

Workspace::~Workspace() {
  console_.reset();
  programDebug_.reset();
  qDeleteAll(std::exchange(files_, {}));  // they cancel their tasks, which are deleted before children
}

bool Workspace::isBusy() const {
  return pending_ > 0 || summaries_.isBusy() || std::any_of(documents_.begin(), documents_.end(), [](const Document* d) { return d->isEditing(); });
}

void Workspace::setCurrent(Document* document) {
  if (current_ == document && !currentFile_) return;
  emit currentAboutToChange();
  current_ = document;
  currentFile_ = nullptr;
  emit currentChanged();
  emit currentSelectionChanged();
}

void Workspace::setCurrentFile(FileTab* file) {
  if (currentFile_ == file) return;
  emit currentAboutToChange();
  currentFile_ = file;
  emit currentChanged();
}

void Workspace::openEvents(const QString& path, Done done) { openEvents(path, RunIdentity(), std::move(done)); }

void Workspace::openCurves(const RunRecord& run, Done done) { openEvents(run.folder + QStringLiteral("/events"), identityOf(run), std::move(done)); }

void Workspace::openEvents(const QString& path, const RunIdentity& identity, Done done) {
  ++pending_;
  summaries_.openFolder(
      path,
      [this, path, done](const QString& error) {
        --pending_;
        if (error.isEmpty()) emit eventsOpened(QFileInfo(path).absoluteFilePath());
        if (!error.isEmpty()) emit failed(error);
        if (done) done(error);
      },
      identity);
}

void Workspace::setAllRunsShown(bool all) {
  if (all == allRuns_) return;
  allRuns_ = all;
  settings_.setValue(QStringLiteral("runs/all-documents"), all);
  chooseOwner();
  emit allRunsShownChanged();
}

void Workspace::renameRuns() {
  runs_.renameRuns();
  summaries_.renameRuns();
  emit runsRenamed();
}

void Workspace::chooseOwner() { summaries_.setOwner(allRuns_ || !current_ ? std::nullopt : std::optional(RunSettings::of(*current_).owner())); }

void Workspace::keepOwner(Document* document) {
  if (document->path().isEmpty()) return;
  const quint64 owner = RunSettings::of(*document).owner();
  if (owners_.value(document->path()) == owner) return;
  owners_.removeIf([owner](const auto& known) { return known.value() == owner; });  // it was saved under another name
  owners_.insert(document->path(), owner);
}

/// `lenet.weft`, or `lenet-2.weft` if a tab has that title, so that unsaved documents can be told apart.
static QString freeTitle(const QVector<Document*>& documents, const QString& stem) {
  const auto taken = [&](const QString& title) {
    return std::any_of(documents.begin(), documents.end(), [&](const Document* d) { return d->title() == title; });
  };
  QString title = stem + QStringLiteral(".weft");
  for (int k = 2; taken(title); ++k) title = QStringLiteral("%1-%2.weft").arg(stem).arg(k);
  return title;
}

void Workspace::newFromTemplate(const QString& name, Done done) {
  auto outcome = std::make_shared<OpenOutcome>();
  ++pending_;
  tasks_.start(
      tr("Creating %1").arg(name), [outcome, name](TaskState&) { *outcome = openTemplate(name); },
      [this, outcome, name, done] {
        --pending_;
        if (!outcome->contents) {
          report(outcome->error, done);
          return;
        }
        add(new Document(outcome->contents, {}, freeTitle(documents_, name == QLatin1String("empty") ? QStringLiteral("graph") : name), this));
        if (done) done({});
      },
      [this, done] {
        --pending_;
        if (done) done(tr("Opening was cancelled."));
      });
}

void Workspace::addFile(const std::shared_ptr<const FileContents>& contents) {
  auto* file = new FileTab(contents, tasks_, this);
  files_ << file;
  connect(file, &FileTab::selectionChanged, this, [this, file] {
    if (file->selection() >= 0) joinSelection(file->tensors()->entries()[file->selection()].name, file);
  });
  emit fileAdded(file);
  setCurrentFile(file);
}

void Workspace::addModelGraph(const GraphContentsPtr& contents, const std::shared_ptr<const FileContents>& model, int metaGraph,
                              std::shared_ptr<CanvasArrays> prepared) {
  const QFileInfo info(model->path);
  const QStringList graphs = graphsOfModel(*model);
  // The file in the folder has the same name in all models.
  const QString tags = graphs.value(metaGraph), name = info.isDir()                                 ? info.fileName()
                                                       : model->kind == QLatin1String("savedmodel") ? QFileInfo(info.path()).fileName()
                                                                                                    : info.completeBaseName();
  const QString which =
      graphs.size() < 2 ? QString() : u'-' + (tags.isEmpty() ? QString::number(metaGraph) : QString(tags).replace(QStringLiteral(", "), QStringLiteral("-")));
  auto* document = new Document(contents, {}, name + which + QStringLiteral(".meta"), this, std::move(prepared));
  document->setSavedModel(model, metaGraph);
  add(document);
  emit modelOpened();
}

std::shared_ptr<const FileContents> Workspace::currentModel() const {
  if (!currentFile_) return current_ ? current_->savedModel() : nullptr;
  return graphsOfModel(*currentFile_->contents()).isEmpty() ? nullptr : currentFile_->contents();
}

void Workspace::openModelPage(const std::shared_ptr<const FileContents>& model) {
  const auto it = std::find_if(files_.begin(), files_.end(), [&](const FileTab* file) { return file->path() == model->path; });
  if (it == files_.end()) addFile(model);
  else setCurrentFile(*it);
}

void Workspace::openModelGraph(const std::shared_ptr<const FileContents>& model, int metaGraph, Done done) {
  for (Document* document : std::as_const(documents_)) {
    if (!document->savedModel() || document->savedModel()->path != model->path || document->savedModelGraph() != metaGraph) continue;
    setCurrent(document);
    if (done) done({});
    return;
  }
  auto outcome = std::make_shared<OpenOutcome>();
  ++pending_;
  tasks_.start(
      tr("Opening %1").arg(QFileInfo(model->path).fileName()),
      [outcome, model, metaGraph](TaskState&) { *outcome = app::openModelGraph(model->path, metaGraph); },
      [this, outcome, model, metaGraph, done] {
        --pending_;
        if (!outcome->contents) {
          report(outcome->error, done);
          return;
        }
        addModelGraph(outcome->contents, model, metaGraph, {});
        if (done) done({});
      },
      [this, done] {
        --pending_;
        if (done) done(tr("Opening was cancelled."));
      });
}

void Workspace::add(Document* document) {
  if (const auto known = owners_.constFind(document->path()); !document->path().isEmpty() && known != owners_.cend())
    RunSettings::of(*document).setOwner(*known);
  keepOwner(document);
  documents_ << document;
  connect(document, &Document::selectionChanged, this, [this, document] {
    if (document == current_) emit currentSelectionChanged();
    if (document->selection().size() == 1) joinSelection(document->selection().front(), document);
  });
  connect(document, &Document::titleChanged, this, [this, document] { emit titleChanged(document); });
  connect(document, &Document::contentsChanged, this, [this, document] {
    emit contentsChanged(document);
    if (document == current_) emit currentSelectionChanged();
  });
  connect(document, &Document::textsChanged, this, [this, document] {
    emit textsChanged(document);
    if (document == current_) emit currentSelectionChanged();
  });
  connect(document, &Document::noted, this, [this, document](const QString& note) { log_.info(QStringLiteral("%1: %2").arg(document->title(), note)); });
  emit documentAdded(document);
  setCurrent(document);
}

void Workspace::retranslate() {
  for (Document* document : std::as_const(documents_)) document->retranslate();
}

Document* Workspace::replace(Document* document, GraphContentsPtr contents) {
  if (current_ == document) emit currentAboutToChange();
  auto* fresh = new Document(std::move(contents), document->path(), document->title(), this);
  RunSettings::of(*document);  // assigns the owner of the runs in any case
  RunSettings::of(*fresh).takeOver(*document);
  runs_.follow(document, fresh);  // its training continues with the graph that it began with
  Document* shown = current_;
  add(fresh);
  if (shown != document) setCurrent(shown);
  close(document);
  return fresh;
}

void Workspace::close(Document* document, bool keepTraining) {
  if (current_ == document) emit currentAboutToChange();
  if (runs_.document() == document && runs_.isActive() && !keepTraining) runs_.stop();
  if (debugger_.document() == document) debugger_.stop();
  const qsizetype index = documents_.indexOf(document);
  documents_.removeOne(document);
  if (current_ == document) setCurrent(documents_.isEmpty() ? nullptr : documents_[std::min(index, documents_.size() - 1)]);
  if (!current_ && !currentFile_ && !files_.isEmpty()) setCurrentFile(files_.last());
  emit documentRemoved(document);
  document->deleteLater();
}

void Workspace::joinSelection(const QString& name, const QObject* origin) {
  if (joining_) return;
  joining_ = true;
  static const QString attribute = QStringLiteral("/.ATTRIBUTES/VARIABLE_VALUE");  // TensorFlow 2's names of saved values
  const QString plain = name.endsWith(attribute) ? name.chopped(attribute.size()) : name;
  for (Document* document : std::as_const(documents_))
    if (document != origin && qobject_cast<const FileTab*>(origin) && document->hasNode(plain)) document->setSelection({plain});
  for (FileTab* file : std::as_const(files_)) {
    if (file == origin || !file->tensors()) continue;
    int at = file->tensors()->indexOf(plain);
    if (at < 0) at = file->tensors()->indexOf(plain + attribute);
    if (at >= 0) file->select(at);
  }
  joining_ = false;
}

void Workspace::closeFile(FileTab* file) {
  const qsizetype index = files_.indexOf(file);
  files_.removeOne(file);
  if (currentFile_ == file) {
    currentFile_ = files_.isEmpty() ? nullptr : files_[std::min(index, files_.size() - 1)];
    emit currentChanged();
  }
  emit fileRemoved(file);
  file->deleteLater();
}

}  // namespace weft::app
