#include "document/doctor_store.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QPointer>
#include <cmath>

#include "document/document.h"
#include "document/program.h"
#include "document/program_graphs.h"
#include "document/workspace.h"

namespace weft::app {

DoctorStore& DoctorStore::of(Workspace& workspace) {
  if (auto* known = workspace.findChild<DoctorStore*>(QString(), Qt::FindDirectChildrenOnly)) return *known;
  return *new DoctorStore(workspace);
}

DoctorStore::DoctorStore(Workspace& workspace) : QObject(&workspace), workspace_(workspace) {
  connect(&workspace, &Workspace::currentChanged, this, &DoctorStore::changed);
  connect(&workspace.runs(), &RunController::runStarted, this, [this] {
    Document* document = workspace_.runs().document();
    // The values of a server's steps are not seen here.
    const bool watched = workspace_.settings().get(QStringLiteral("run/doctor")).toBool() && workspace_.runs().server().isEmpty();
    if (!document || (!watched && !known_.contains(document))) return;
    Examination& e = of(document);
    e.during.clear();
    e.watched = watched;
    e.program = false;
    emit changed();
  });
  connect(&workspace.runs(), &RunController::findingsArrived, this, [this](Document* document, const QVector<DoctorNote>& notes) {
    if (!document) return;
    of(document).during += notes;
    for (const DoctorNote& n : notes)
      if (n.weight != DoctorNote::Weight::Note) workspace_.log().warning(tr("Step %1: %2").arg(n.step).arg(n.title));
    emit changed();
  });
  connect(&workspace.program(), &Program::aboutToStart, this, [this] {
    waiting_.clear();
    for (auto it = known_.begin(); it != known_.end(); ++it) {
      if (!it->program) continue;
      it->during.clear();
      it->watched = it->program = false;
    }
    emit changed();
  });
  connect(&workspace.program(), &Program::said, this, [this](const QString& event, const QByteArray& message) {
    if (event != QLatin1String("doctor")) return;
    const QJsonObject object = QJsonDocument::fromJson(message).object();
    const auto note = doctorNoteOf(QJsonDocument(object[QStringLiteral("finding")].toObject()).toJson(QJsonDocument::Compact));
    if (!note) return;
    waiting_ << qMakePair(object[QStringLiteral("graph")].toInt(), *note);
    takeProgramNotes();
  });
  connect(&workspace.programGraphs(), &ProgramGraphs::changed, this, &DoctorStore::takeProgramNotes);
}

void DoctorStore::takeProgramNotes() {
  QVector<QPair<int, DoctorNote>> rest;
  for (const auto& [number, note] : std::as_const(waiting_)) {
    bool upToDate = false;
    Document* document = workspace_.programGraphs().document(number, &upToDate);
    if (!document) {
      rest << qMakePair(number, note);
      continue;
    }
    Examination& e = of(document);
    e.watched = e.program = true;
    e.during << note;
  }
  const bool some = rest.size() != waiting_.size();
  waiting_ = rest;
  if (some) emit changed();
}

DoctorStore::Examination& DoctorStore::of(Document* document) {
  if (!known_.contains(document)) connect(document, &QObject::destroyed, this, [this, document] { known_.remove(document); });
  return known_[document];
}

DoctorStore::Examination DoctorStore::current() const { return known_.value(workspace_.current()); }

QString DoctorStore::whyNot() const {
  if (busy_) return tr("A document is being examined.");
  if (!workspace_.current()) return tr("No graph is open.");
  return {};
}

void DoctorStore::examine(Done done) {
  QPointer<Document> document = workspace_.current();
  const GraphContentsPtr contents = document->contents();
  QVector<QPair<QString, QString>> set;
  const QMap<QString, QString> next = workspace_.runs().nextRun(document).set;
  for (auto it = next.begin(); it != next.end(); ++it) set << qMakePair(it.key(), it.value());
  for (const TrainingInfo::Live& l : contents->training.live) {
    const double value = workspace_.runs().live(document, l.name);
    if (!std::isnan(value)) set << qMakePair(l.name, QString::number(value, 'g', 9));
  }
  auto outcome = std::make_shared<DoctorOutcome>();
  busy_ = true;
  emit changed();
  workspace_.tasks().start(
      tr("Examining %1").arg(document->title()),
      [outcome, contents, set, folder = document->folder()](TaskState& state) {
        *outcome = app::examine(contents, folder, set, [&state](double share) {
          state.progress.store(share);
          return !state.cancelled.load();
        });
      },
      [this, outcome, document, contents, done] {
        busy_ = false;
        if (document) {
          Examination& e = of(document);
          e.notes = outcome->notes;
          e.error = outcome->error;
          e.of = contents;
          e.done = true;
          e.onlyGraph = outcome->onlyGraph;
        }
        if (!outcome->error.isEmpty()) workspace_.log().error(outcome->error);
        emit changed();
        if (done) done(outcome->error);
      },
      [this, done] {
        busy_ = false;
        emit changed();
        if (done) done(tr("Cancelled."));
      });
}

}  // namespace weft::app
