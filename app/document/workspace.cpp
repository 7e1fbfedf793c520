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
#include "document/program_debug.h"
#include "document/program_graphs.h"
#include "document/recovery.h"
#include "document/run_settings.h"
#include "document/text_buffer.h"

namespace weft::app {
namespace {

RunIdentity identityOf(const RunRecord& run) { return {run.name, run.number, run.folder, run.document, run.owner, hueOf(run)}; }

/// A checkpoint that lies in a folder, or in that of a run, the newest one; empty: there is none.
QString newestCheckpoint(const QString& folder) {
  for (const QString& place : {folder, folder + QStringLiteral("/checkpoints")}) {
    const QFileInfoList found = QDir(place).entryInfoList({QStringLiteral("*.index")}, QDir::Files, QDir::Time);
    if (!found.isEmpty()) return found.first().absoluteFilePath();
  }
  return {};
}

/// Whether a folder has event files, itself or in a folder of its own.
bool holdsEvents(const QString& folder) {
  if (EventFollower::hasEvents(folder)) return true;
  const QStringList inside = QDir(folder).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
  return std::any_of(inside.begin(), inside.end(), [&](const QString& name) { return EventFollower::hasEvents(folder + u'/' + name); });
}

}  // namespace

Workspace::Workspace(Settings::Kind settings, QObject* parent) : QObject(parent), settings_(settings), runs_(&log_), debugger_(&log_, &tasks_, &settings_), summaries_(&tasks_, &log_) {
  connect(&runs_, &RunController::runStarted, &debugger_, &DebugController::forget);
  connect(&runs_, &RunController::stepFailed, &debugger_, [this](Document* document, const std::shared_ptr<DebugJob>& values) { debugger_.adopt(document, values); });
  connect(this, &Workspace::documentAdded, &debugger_, &DebugController::restore);
  allRuns_ = settings_.value(QStringLiteral("runs/all-documents"), false).toBool();
  connect(this, &Workspace::currentChanged, this, &Workspace::chooseOwner);
  connect(this, &Workspace::titleChanged, this, &Workspace::keepOwner);
  connect(&runs_, &RunController::runStarted, this, [this](const RunRecord* run) { runIds_[run->number] = summaries_.addRun(identityOf(*run)); });
  connect(&runs_, &RunController::samplesArrived, this,
          [this](const RunRecord* run, const QString& tag, std::span<const widgets::Sample> samples) { summaries_.append(runIds_[run->number], tag, samples); });
  connect(&runs_, &RunController::summariesArrived, this, [this](const RunRecord* run, SummaryColumns& columns) { summaries_.add(runIds_[run->number], columns); });
  recovery_ = std::make_unique<Recovery>(*this);
  programGraphs_ = std::make_unique<ProgramGraphs>(*this, program_);
  programDebug_ = std::make_unique<ProgramDebug>(*this, program_, *programGraphs_);
  console_ = std::make_unique<Console>(*this);
  connect(&program_, &Program::eventsArrived, this, [this](const QString& folder) { openEvents(folder); });
}

Workspace::~Workspace() {
  console_.reset();
  programDebug_.reset();
  qDeleteAll(std::exchange(files_, {}));  // they cancel their tasks, which go before children do
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

/// Brings the tab of a file to the front if it is open.
void Workspace::showOpenFile(const QString& path, bool* found) {
  for (Document* document : documents_) {
    if (document->path() != path && !(document->savedModel() && document->savedModel()->path == path)) continue;
    setCurrent(document);
    *found = true;
    return;
  }
  for (FileTab* file : files_) {
    if (file->path() != path) continue;
    setCurrentFile(file);
    *found = true;
    return;
  }
}

void Workspace::report(const QString& error, const Done& done) {
  if (!error.isEmpty()) {
    log_.error(error);
    emit failed(error);
  }
  if (done) done(error);
}

void Workspace::open(const QString& path, Done done) {
  const QString absolute = QDir::cleanPath(QFileInfo(path).absoluteFilePath());
  const QFileInfo info(absolute);
  // A folder is a saved model or holds checkpoints, or it is searched for event files; an event file is shown as a file and in the panels.
  const bool holdsFiles = info.isDir() && (QFileInfo::exists(absolute + QStringLiteral("/saved_model.pb")) || QFileInfo::exists(absolute + QStringLiteral("/checkpoint")) ||
                                           !QDir(absolute).entryList({QStringLiteral("*.index")}, QDir::Files).isEmpty());
  const bool holdsDump = info.isDir() && !QDir(absolute).entryList({QStringLiteral("_tfdbg_*"), QStringLiteral("*.metadata")}).isEmpty();
  if (info.isDir() && !holdsFiles && !holdsDump) {
    const QString checkpoint = newestCheckpoint(absolute);
    if (checkpoint.isEmpty() || holdsEvents(absolute)) openEvents(absolute, checkpoint.isEmpty() ? std::move(done) : Done());
    if (!checkpoint.isEmpty()) open(checkpoint, std::move(done));
    return;
  }
  if (info.isFile() && info.suffix() == QLatin1String("py")) {
    bool shown = false;
    showOpenFile(absolute, &shown);
    if (shown) {
      if (done) done({});
      return;
    }
    // It is shown, not run: whether it runs is for somebody to decide.
    auto contents = std::make_shared<FileContents>();
    auto error = std::make_shared<QString>();
    contents->path = absolute;
    contents->kind = QStringLiteral("python");
    contents->bytes = info.size();
    ++pending_;
    tasks_.start(
        tr("Opening %1").arg(info.fileName()), [contents, error](TaskState&) { contents->text = readText(contents->path, error.get()); },
        [this, contents, error, done] {
          --pending_;
          error->isEmpty() ? settings_.addRecentFile(contents->path) : settings_.removeRecentFile(contents->path);
          emit recentChanged();
          if (error->isEmpty()) {
            addFile(contents);
            emit programOffered(contents->path);
          }
          report(*error, done);
        },
        [this, done] {
          --pending_;
          if (done) done(tr("Opening was cancelled."));
        });
    return;
  }
  if (info.isDir() ? holdsEvents(absolute) : EventFollower::hasEvents(absolute)) openEvents(absolute);
  bool isOpen = false;
  showOpenFile(absolute, &isOpen);
  if (isOpen) {
    if (done) done({});
    return;
  }
  auto outcome = std::make_shared<FileOutcome>();
  auto seconds = std::make_shared<double>(0);
  auto arrays = std::make_shared<std::shared_ptr<CanvasArrays>>();
  ++pending_;
  tasks_.start(
      tr("Opening %1").arg(QFileInfo(path).fileName()),
      [outcome, absolute, seconds, arrays](TaskState& task) {
        QElapsedTimer timer;
        timer.start();
        *outcome = openAnyFile(absolute, task);
        *arrays = Document::prepare(outcome->graph.contents);
        *seconds = double(timer.nsecsElapsed()) * 1e-9;
      },
      [this, outcome, absolute, seconds, arrays, done] {
        --pending_;
        const QString error = outcome->error.isEmpty() ? outcome->graph.error : outcome->error;
        if (!outcome->graph.contents && !outcome->file) {
          settings_.removeRecentFile(absolute);
          emit recentChanged();
          report(error, done);
          return;
        }
        settings_.addRecentFile(absolute);
        emit recentChanged();
        if (outcome->file && outcome->graph.contents) {
          log_.info(tr("%1: %n node(s), read in %2 ms", nullptr, outcome->graph.contents->summary.nodes).arg(absolute).arg(*seconds * 1e3, 0, 'f', 0));
          addModelGraph(outcome->graph.contents, outcome->file, mainGraphOf(*outcome->file), std::move(*arrays));
        } else if (outcome->file) {
          log_.info(tr("%1: %2, read in %3 ms").arg(absolute, outcome->file->kind).arg(*seconds * 1e3, 0, 'f', 0));
          bool shown = false;  // a checkpoint has many names
          showOpenFile(outcome->file->path, &shown);
          if (!shown) addFile(outcome->file);
          // The page of a model is there, its graph is not.
          if (!outcome->graph.error.isEmpty()) {
            report(outcome->graph.error, done);
            return;
          }
        } else {
          log_.info(tr("%1: %n node(s), read in %2 ms", nullptr, outcome->graph.contents->summary.nodes).arg(absolute).arg(*seconds * 1e3, 0, 'f', 0));
          add(new Document(outcome->graph.contents, absolute, {}, this, std::move(*arrays)));
        }
        if (done) done({});
      },
      [this, done] {
        --pending_;
        if (done) done(tr("Opening was cancelled."));
      });
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

/// `lenet.weft`, or `lenet-2.weft` if a tab is called so: two that are not saved yet must not look the same.
static QString freeTitle(const QVector<Document*>& documents, const QString& stem) {
  const auto taken = [&](const QString& title) { return std::any_of(documents.begin(), documents.end(), [&](const Document* d) { return d->title() == title; }); };
  QString title = stem + QStringLiteral(".weft");
  for (int k = 2; taken(title); ++k) title = QStringLiteral("%1-%2.weft").arg(stem).arg(k);
  return title;
}

void Workspace::newFromTemplate(const QString& name, Done done) {
  auto outcome = std::make_shared<OpenOutcome>();
  ++pending_;
  tasks_.start(
      tr("Making %1").arg(name), [outcome, name](TaskState&) { *outcome = openTemplate(name); },
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

void Workspace::addModelGraph(const GraphContentsPtr& contents, const std::shared_ptr<const FileContents>& model, int metaGraph, std::shared_ptr<CanvasArrays> prepared) {
  const QFileInfo info(model->path);
  const QStringList graphs = graphsOfModel(*model);
  // The file in the folder is called alike in all models.
  const QString name = info.isDir() ? info.fileName() : QFileInfo(info.path()).fileName(), tags = graphs.value(metaGraph);
  const QString which = graphs.size() < 2 ? QString() : u'-' + (tags.isEmpty() ? QString::number(metaGraph) : QString(tags).replace(QStringLiteral(", "), QStringLiteral("-")));
  auto* document = new Document(contents, {}, name + which + QStringLiteral(".meta"), this, std::move(prepared));
  document->setSavedModel(model, metaGraph);
  add(document);
  emit modelOpened();
}

std::shared_ptr<const FileContents> Workspace::currentModel() const {
  if (!currentFile_) return current_ ? current_->savedModel() : nullptr;
  return currentFile_->contents()->kind == QLatin1String("savedmodel") ? currentFile_->contents() : nullptr;
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
      tr("Opening %1").arg(QFileInfo(model->path).fileName()), [outcome, model, metaGraph](TaskState&) { *outcome = app::openModelGraph(model->path, metaGraph); },
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

void Workspace::save(Document* document, const QString& path, Done done) {
  const QString absolute = QFileInfo(path).absoluteFilePath();
  const GraphContentsPtr contents = document->contents();
  auto error = std::make_shared<QString>();
  ++pending_;
  tasks_.start(
      tr("Saving %1").arg(QFileInfo(path).fileName()), [contents, absolute, from = document->path(), drawing = DrawingHistory::of(*document).now(), error](TaskState&) { *error = saveGraph(*drawnContents(contents, drawing), absolute, from); },
      [this, document = QPointer<Document>(document), contents, absolute, error, done] {
        --pending_;
        if (error->isEmpty()) {
          if (document) {
            document->setSaved(absolute, contents);
            runs_.documentSaved(document);
          }
          settings_.addRecentFile(absolute);
          emit recentChanged();
          log_.info(tr("Saved %1").arg(absolute));
        }
        report(*error, done);
      },
      [this, done] {
        --pending_;
        if (done) done(tr("Saving goes on, but nobody waits for it."));
      });
}

void Workspace::add(Document* document) {
  if (const auto known = owners_.constFind(document->path()); !document->path().isEmpty() && known != owners_.cend()) RunSettings::of(*document).setOwner(*known);
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
  connect(document, &Document::noted, this, [this, document](const QString& note) { log_.info(QStringLiteral("%1: %2").arg(document->title(), note)); });
  emit documentAdded(document);
  setCurrent(document);
}

Document* Workspace::replace(Document* document, GraphContentsPtr contents) {
  if (current_ == document) emit currentAboutToChange();
  auto* fresh = new Document(std::move(contents), document->path(), document->title(), this);
  RunSettings::of(*document);  // whose runs they are goes with it in any case
  RunSettings::of(*fresh).takeOver(*document);
  runs_.follow(document, fresh);  // its training goes on with the graph that it began with
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
  static const QString attribute = QStringLiteral("/.ATTRIBUTES/VARIABLE_VALUE");  // TensorFlow 2's names of what it saves
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
