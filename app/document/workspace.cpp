#include "document/workspace.h"

#include <QElapsedTimer>
#include <QFileInfo>

#include "adapters/graph_files.h"
#include "document/document.h"

namespace weft::app {

Workspace::Workspace(Settings::Kind settings, QObject* parent) : QObject(parent), settings_(settings), runs_(&log_) {}

Workspace::~Workspace() = default;

void Workspace::setCurrent(Document* document) {
  if (current_ == document) return;
  current_ = document;
  emit currentChanged();
  emit currentSelectionChanged();
}

void Workspace::report(const QString& error, const Done& done) {
  if (!error.isEmpty()) {
    log_.error(error);
    emit failed(error);
  }
  if (done) done(error);
}

void Workspace::open(const QString& path, Done done) {
  const QString absolute = QFileInfo(path).absoluteFilePath();
  for (Document* document : documents_) {
    if (document->path() != absolute) continue;
    setCurrent(document);
    if (done) done({});
    return;
  }
  auto outcome = std::make_shared<OpenOutcome>();
  auto seconds = std::make_shared<double>(0);
  ++pending_;
  tasks_.start(
      tr("Opening %1").arg(QFileInfo(path).fileName()),
      [outcome, absolute, seconds](TaskState& task) {
        QElapsedTimer timer;
        timer.start();
        *outcome = openGraphFile(absolute, task);
        *seconds = double(timer.nsecsElapsed()) * 1e-9;
      },
      [this, outcome, absolute, seconds, done] {
        --pending_;
        if (!outcome->contents) {
          settings_.removeRecentFile(absolute);
          emit recentChanged();
          report(outcome->error, done);
          return;
        }
        settings_.addRecentFile(absolute);
        emit recentChanged();
        log_.info(tr("%1: %n node(s), read in %2 ms", nullptr, outcome->contents->summary.nodes).arg(absolute).arg(*seconds * 1e3, 0, 'f', 0));
        add(new Document(outcome->contents, absolute, {}, this));
        if (done) done({});
      },
      [this, done] {
        --pending_;
        if (done) done(tr("Opening was cancelled."));
      });
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
        add(new Document(outcome->contents, {}, name + QStringLiteral(".weft"), this));
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
      tr("Saving %1").arg(QFileInfo(path).fileName()), [contents, absolute, error](TaskState&) { *error = saveGraph(*contents, absolute); },
      [this, document = QPointer<Document>(document), absolute, error, done] {
        --pending_;
        if (error->isEmpty()) {
          if (document) document->setSaved(absolute);
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
  documents_ << document;
  connect(document, &Document::selectionChanged, this, [this, document] {
    if (document == current_) emit currentSelectionChanged();
  });
  connect(document, &Document::titleChanged, this, [this, document] { emit titleChanged(document); });
  emit documentAdded(document);
  setCurrent(document);
}

void Workspace::close(Document* document) {
  if (runs_.document() == document && runs_.isActive()) runs_.stop();
  const qsizetype index = documents_.indexOf(document);
  documents_.removeOne(document);
  if (current_ == document) setCurrent(documents_.isEmpty() ? nullptr : documents_[std::min(index, documents_.size() - 1)]);
  emit documentRemoved(document);
  document->deleteLater();
}

}  // namespace weft::app
