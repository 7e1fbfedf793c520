// Opening and saving files.
#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>
#include <algorithm>

#include "adapters/event_follower.h"
#include "adapters/file_contents.h"
#include "adapters/graph_files.h"
#include "document/document.h"
#include "document/drawing_history.h"
#include "document/file_guard.h"
#include "document/file_tab.h"
#include "document/text_buffer.h"
#include "document/workspace.h"

namespace weft::app {
namespace {

/// The newest checkpoint in a folder, or in that of a run; empty: none.
QString newestCheckpoint(const QString& folder) {
  for (const QString& place : {folder, folder + QStringLiteral("/checkpoints")}) {
    const QFileInfoList found = QDir(place).entryInfoList({QStringLiteral("*.index")}, QDir::Files, QDir::Time);
    if (!found.isEmpty()) return found.first().absoluteFilePath();
  }
  return {};
}

/// Whether a folder or a direct subfolder has event files.
bool holdsEvents(const QString& folder) {
  if (EventFollower::hasEvents(folder)) return true;
  const QStringList inside = QDir(folder).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
  return std::any_of(inside.begin(), inside.end(), [&](const QString& name) { return EventFollower::hasEvents(folder + u'/' + name); });
}

}  // namespace

/// Brings the tab of a file to the front if it is open.
void Workspace::showOpenFile(const QString& path, bool* found) {
  for (Document* document : documents_) {
    if (!isSameFile(document->path(), path) && !(document->savedModel() && isSameFile(document->savedModel()->path, path))) continue;
    setCurrent(document);
    *found = true;
    return;
  }
  for (FileTab* file : files_) {
    if (!isSameFile(file->path(), path)) continue;
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

/// Whether that file is already being read; `done` is then called at the end. Otherwise marks it as being read.
bool Workspace::isBeingOpened(const QString& path, const Done& done) {
  const bool before = opening_.contains(path);
  opening_[path] << done;
  return before;
}

/// Calls back all requests for a file.
void Workspace::endOpening(const QString& path, const QString& error) {
  for (const Done& done : opening_.take(path))
    if (done) done(error);
}

void Workspace::open(const QString& path, Done done) {
  const QString absolute = QDir::cleanPath(QFileInfo(path).absoluteFilePath());
  const QFileInfo info(absolute);
  // A folder is a SavedModel, or has checkpoints, or is searched for event files; an event file is shown as a file and in the panels.
  const bool holdsFiles =
      info.isDir() && (QFileInfo::exists(absolute + QStringLiteral("/saved_model.pb")) || QFileInfo::exists(absolute + QStringLiteral("/checkpoint")) ||
                       !QDir(absolute).entryList({QStringLiteral("*.index")}, QDir::Files).isEmpty());
  const bool holdsDump = info.isDir() && !QDir(absolute).entryList({QStringLiteral("_tfdbg_*"), QStringLiteral("*.metadata")}).isEmpty();
  if (info.isDir() && !holdsFiles && !holdsDump) {
    const QString checkpoint = newestCheckpoint(absolute);
    if (checkpoint.isEmpty() || holdsEvents(absolute)) openEvents(absolute, checkpoint.isEmpty() ? std::move(done) : Done());
    if (!checkpoint.isEmpty()) open(checkpoint, std::move(done));
    return;
  }
  const bool isProgram = info.isFile() && info.suffix() == QLatin1String("py");
  if (!isProgram && (info.isDir() ? holdsEvents(absolute) : EventFollower::hasEvents(absolute))) openEvents(absolute);
  bool isOpen = false;
  showOpenFile(absolute, &isOpen);
  if (isOpen) {
    if (done) done({});
    return;
  }
  if (isBeingOpened(absolute, done)) return;
  isProgram ? readProgram(absolute) : readFile(absolute);
}

/// Shows a program without running it: the user decides that.
void Workspace::readProgram(const QString& path) {
  auto contents = std::make_shared<FileContents>();
  auto error = std::make_shared<QString>();
  contents->path = path;
  contents->kind = QStringLiteral("python");
  contents->bytes = QFileInfo(path).size();
  ++pending_;
  tasks_.start(
      tr("Opening %1").arg(QFileInfo(path).fileName()), [contents, error](TaskState&) { contents->text = readText(contents->path, error.get()); },
      [this, contents, error] {
        --pending_;
        error->isEmpty() ? settings_.addRecentFile(contents->path) : settings_.removeRecentFile(contents->path);
        emit recentChanged();
        if (error->isEmpty()) {
          addFile(contents);
          emit programOffered(contents->path);
        }
        report(*error, {});
        endOpening(contents->path, *error);
      },
      [this, path] {
        --pending_;
        endOpening(path, tr("Opening was cancelled."));
      });
}

struct Workspace::Reading {
  QString path;
  FileOutcome outcome;
  FileStamp stamp;  // the state when reading began
  std::shared_ptr<CanvasArrays> arrays;
  double milliseconds = 0;
};

void Workspace::readFile(const QString& path) {
  auto reading = std::make_shared<Reading>();
  reading->path = path;
  ++pending_;
  tasks_.start(
      tr("Opening %1").arg(QFileInfo(path).fileName()),
      [reading](TaskState& task) {
        QElapsedTimer timer;
        timer.start();
        reading->stamp = FileStamp::of(reading->path);
        reading->outcome = openAnyFile(reading->path, task);
        reading->arrays = Document::prepare(reading->outcome.graph.contents);
        reading->milliseconds = double(timer.nsecsElapsed()) * 1e-6;
      },
      [this, reading] {
        --pending_;
        const bool any = reading->outcome.graph.contents || reading->outcome.file;
        any ? settings_.addRecentFile(reading->path) : settings_.removeRecentFile(reading->path);
        emit recentChanged();
        const QString error = any ? showRead(*reading) : reading->outcome.error.isEmpty() ? reading->outcome.graph.error : reading->outcome.error;
        report(error, {});
        endOpening(reading->path, error);
      },
      [this, path] {
        --pending_;
        endOpening(path, tr("Opening was cancelled."));
      });
}

/// Makes documents and tabs of the read files; returns the error of a part that failed.
QString Workspace::showRead(Reading& reading) {
  const GraphContentsPtr graph = reading.outcome.graph.contents;
  const auto& file = reading.outcome.file;
  if (graph) log_.info(tr("%1: %n node(s), read in %2 ms", nullptr, graph->summary.nodes).arg(reading.path).arg(reading.milliseconds, 0, 'f', 0));
  for (const QString& warning : std::as_const(reading.outcome.graph.warnings)) log_.warning(reading.path + QStringLiteral(": ") + warning);
  if (graph && file) {
    addModelGraph(graph, file, mainGraphOf(*file), std::move(reading.arrays));
    return {};
  }
  if (graph) {
    auto* document = new Document(graph, reading.path, {}, this, std::move(reading.arrays));
    document->fileGuard()->accept(reading.stamp);
    add(document);
    return {};
  }
  log_.info(tr("%1: %2, read in %3 ms").arg(reading.path, file->kind).arg(reading.milliseconds, 0, 'f', 0));
  bool shown = false;  // a checkpoint has several names
  showOpenFile(file->path, &shown);
  if (!shown) addFile(file);
  return reading.outcome.graph.error;  // the page of the model could be shown, but not its graph
}

/// Why a document must not be saved there, or empty: two tabs cannot have one file.
QString Workspace::whyNotThere(const Document* document, const QString& path) const {
  const auto open = std::find_if(documents_.begin(), documents_.end(),
                                 [&](const Document* d) { return d != document && !d->path().isEmpty() && isSameFile(d->path(), path); });
  if (open == documents_.end()) return {};
  return tr("%1 was not saved as %2: that file is open in another tab. Close that tab first, or choose another name.").arg(document->title(), path);
}

void Workspace::save(Document* document, const QString& path, Done done, bool overwrite) {
  const QString absolute = QDir::cleanPath(QFileInfo(path).absoluteFilePath());
  if (const QString error = whyNotThere(document, absolute); !error.isEmpty()) return report(error, done);
  const GraphContentsPtr contents = document->contents();
  struct Outcome {
    QString error;
    FileGuard::Result result = FileGuard::Result::Failed;
  };
  auto outcome = std::make_shared<Outcome>();
  ++pending_;
  tasks_.start(
      tr("Saving %1").arg(QFileInfo(path).fileName()),
      [contents, absolute, overwrite, outcome, guard = document->fileGuard(), from = document->path(),
       drawing = DrawingHistory::of(*document).now()](TaskState&) {
        outcome->result = guard->write(
            absolute, overwrite, [&] { return saveGraph(*drawnContents(contents, drawing), absolute, from); }, &outcome->error);
      },
      [this, document = QPointer<Document>(document), contents, absolute, outcome, done] {
        --pending_;
        if (outcome->result == FileGuard::Result::Changed) {
          const QString error = tr("%1 was not saved: another program or window has changed it since it was opened.").arg(absolute);
          log_.warning(error);
          if (document) emit saveRefused(document);
          if (done) done(error);
          return;
        }
        if (outcome->result == FileGuard::Result::Written) {
          if (document) {
            document->setSaved(absolute, contents);
            runs_.documentSaved(document);
          }
          settings_.addRecentFile(absolute);
          emit recentChanged();
          log_.info(tr("Saved %1").arg(absolute));
        }
        report(outcome->error, done);
      },
      [this, done] {
        --pending_;
        if (done) done(tr("Still saving in the background."));
      });
}

}  // namespace weft::app
