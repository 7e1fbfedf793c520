#include "document/experiments.h"

#include <QDir>
#include <QFileInfo>
#include <algorithm>

#include "document/document.h"
#include "document/workspace.h"

namespace weft::app {
namespace {

constexpr int kPollMs = 200, kReadMs = 500;

/// The folder of a document's sweeps; of one without a file it lies with its runs.
QString folderOf(const Document& document) {
  return document.path().isEmpty() ? document.runsFolder() + QStringLiteral("/sweeps") : sweepFolder(document.path());
}

}  // namespace

Experiments& Experiments::of(Workspace& workspace) {
  auto* known = workspace.findChild<Experiments*>({}, Qt::FindDirectChildrenOnly);
  return known ? *known : *new Experiments(workspace);
}

Experiments::Experiments(Workspace& workspace) : QObject(&workspace), workspace_(workspace) {
  state_.phase = SweepState::Phase::Done;
  poll_.setInterval(kPollMs);
  connect(&poll_, &QTimer::timeout, this, &Experiments::poll);
  connect(&workspace, &Workspace::currentChanged, this, [this] {
    ExperimentRequest request = request_;
    request.file = fileOf(workspace_.current());
    if (request.file == request_.file) return;
    request.sweep = 0;
    setRequest(request);
  });
  reader_ = std::make_unique<ExperimentReader>([this](ExperimentPagePtr page) {
    QMetaObject::invokeMethod(
        this,
        [this, page = std::move(page)] {
          reading_ = page->isFirst;
          if (page->request.file == request_.file) page_ = page;
          if (again_ && !reading_) readAgain();
          emit pageChanged();
        },
        Qt::QueuedConnection);
  });
}

Experiments::~Experiments() = default;

QString Experiments::fileOf(const Document* document) const { return document ? experimentsFile(folderOf(*document)) : QString(); }

QString Experiments::whyNot(const Document* document) const {
  if (!document) return tr("No graph is open.");
  if (isActive()) return tr("%1 is running; stop it first.").arg(state_.name.isEmpty() ? tr("A sweep") : state_.name);
  return workspace_.runs().isActive() ? QString() : workspace_.runs().whyNot(document);
}

void Experiments::start(Document* document, SweepRequest request) {
  document_ = document;
  request.contents = document->contents();
  request.document = document->path();
  request.documentFolder = document->folder();
  request.folder = folderOf(*document);
  request.program = weftProgram();
  job_ = std::make_unique<SweepJob>(std::move(request));
  state_ = job_->state();
  seen_ = 0;
  poll_.start();
  ExperimentRequest shown = request_;
  shown.sweep = 0;
  shown.file = fileOf(workspace_.current());
  setRequest(shown);
  emit progressed();
}

void Experiments::goOn(Document* document, qint64 sweep) {
  SweepRequest request;
  request.continues = sweep > 0 ? sweep : -1;
  start(document, std::move(request));
}

void Experiments::pause() {
  if (job_) job_->pause();
  poll();
}
void Experiments::resume() {
  if (job_) job_->resume();
  poll();
}
void Experiments::stop() {
  if (job_) job_->stop();
  poll();
}

void Experiments::poll() {
  if (!job_) return poll_.stop();
  const quint64 version = job_->version();
  state_ = job_->state();
  const bool over = !state_.isActive();
  if (over) {
    job_.reset();  // its thread has done its work
    poll_.stop();
  }
  // The page at most twice a second while runs compute.
  if (over || (version != seen_ && (!sinceRead_.isValid() || sinceRead_.elapsed() >= kReadMs))) {
    readAgain();
    sinceRead_.start();
    seen_ = version;
  }
  emit progressed();
  if (over) emit ended();
}

void Experiments::setRequest(const ExperimentRequest& request) {
  request_ = request;
  readAgain();
}

void Experiments::refresh() {
  ExperimentRequest request = request_;
  request.file = fileOf(workspace_.current());
  if (request.file != request_.file) request.sweep = 0;
  setRequest(request);
}

void Experiments::readAgain() {
  again_ = reading_;
  if (reading_) return;
  reading_ = true;
  reader_->read(request_);
}

void Experiments::import(const QString& folder, std::function<void(qint64, const QString&)> done) {
  const QString file = fileOf(workspace_.current());
  reader_->import(file, folder, [this, done = std::move(done)](qint64 runs, const QString& error) {
    QMetaObject::invokeMethod(
        this,
        [this, done, runs, error] {
          ExperimentRequest request = request_;
          request.file = fileOf(workspace_.current());
          request.sweep = 0;
          setRequest(request);
          done(runs, error);
        },
        Qt::QueuedConnection);
  });
}

void Experiments::select(const QVector<qint64>& runs) {
  if (runs == selection_) return;
  selection_ = runs;
  emit selectionChanged();
}

int Experiments::promoted() const {
  if (selection_.size() == 1)
    for (size_t i = 0; i < page_->runs.size(); ++i)
      if (page_->runs[i].id == selection_[0]) return int(i);
  return page_->best;
}

void Experiments::promote(int run, std::function<void(const QString&)> done) {
  Document* document = workspace_.current();
  if (!document) return done(tr("No graph is open."));
  document->apply(promoteEdit(page_->runs[size_t(run)].name, page_->parametersOf(run)), std::move(done));
}

}  // namespace weft::app
