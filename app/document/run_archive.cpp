#include "document/run_archive.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>
#include <QStandardPaths>
#include <algorithm>

#include "document/document.h"
#include "document/run_places.h"
#include "document/run_settings.h"
#include "document/workspace.h"

namespace weft::app {
namespace {

constexpr int kWatchMs = 500;                // several folders change at once
constexpr int kMostListed = 500;             // runs that are listed
constexpr qint64 kLargestRecord = 16 << 20;  // bytes; a record has a few thousand

QString recordPath(const QString& folder) { return QDir(folder).filePath(QStringLiteral("run.json")); }

QJsonObject readRecord(const QString& folder) {
  QFile file(recordPath(folder));
  if (file.size() > kLargestRecord || !file.open(QIODevice::ReadOnly)) return {};
  return QJsonDocument::fromJson(file.readAll()).object();
}

QString writeValue(const QString& folder, const QString& key, const QString& value) {
  QJsonObject record = readRecord(folder);
  record.insert(key, value);
  QSaveFile file(recordPath(folder));
  if (file.open(QIODevice::WriteOnly) && file.write(QJsonDocument(record).toJson()) > 0 && file.commit()) return {};
  return RunArchive::tr("%1 could not be written: %2").arg(file.fileName(), file.errorString());
}

double numberOr(const QJsonObject& object, const char* key, double other) { return object.value(QLatin1String(key)).toDouble(other); }

/// The checkpoints that exist: the record lists all that were ever written, and none if the program was killed during the run.
QVector<RunRecord::Checkpoint> checkpointsIn(const QString& folder, const QJsonObject& json) {
  QMap<qint64, RunRecord::Checkpoint> found;
  const QDir dir(folder + QStringLiteral("/checkpoints"));
  for (const QString& name : dir.entryList({QStringLiteral("*.index")}, QDir::Files)) {
    const QString prefix = name.chopped(6);
    bool ok = false;
    const qint64 step = prefix.section(u'-', -1).toLongLong(&ok);
    if (ok) found[step] = {step, dir.filePath(prefix), -1, -1};
  }
  for (const QJsonValue& each : json.value(QLatin1String("checkpoints")).toArray()) {
    const QJsonObject object = each.toObject();
    const auto it = found.find(object.value(QLatin1String("step")).toInteger());
    if (it == found.end()) continue;
    it->testAccuracy = numberOr(object, "test_accuracy", -1);
    it->testLoss = numberOr(object, "test_loss", -1);
  }
  return found.values();
}

std::unique_ptr<ArchivedRun> readRun(const RunPlace& place) {
  const QFileInfo folder(place.folder);
  const QString path = place.folder;
  const QJsonObject json = readRecord(path);
  if (json.isEmpty() && !QFileInfo::exists(path + QStringLiteral("/events")) && !QFileInfo::exists(path + QStringLiteral("/checkpoints"))) return nullptr;
  auto run = std::make_unique<ArchivedRun>();
  RunRecord& r = run->record;
  const auto word = [&](const char* key) { return json.value(QLatin1String(key)).toString(); };
  r.folder = path;
  r.earlier = true;
  run->hasEvents = QFileInfo::exists(path + QStringLiteral("/events"));
  r.number = place.number;
  r.name = r.number > 0 ? runName(r.number) : !word("name").isEmpty() ? word("name") : folder.fileName();
  r.document = word("document");
  r.file = word("file");
  r.documentHash = word("document_sha1");
  r.origin = word("from");
  r.notes = word("notes");
  r.error = word("error");
  r.started = QDateTime::fromString(word("started"), Qt::ISODate);
  if (!r.started.isValid() && r.number > 0) r.started = QDateTime::fromString(folder.fileName().left(15), QStringLiteral("yyyyMMdd-HHmmss"));
  if (!r.started.isValid()) r.started = folder.lastModified();
  const QJsonObject settings = json.value(QLatin1String("settings")).toObject();
  for (auto it = settings.begin(); it != settings.end(); ++it) r.settings << qMakePair(it.key(), it.value().toString());
  for (const QJsonValue& each : json.value(QLatin1String("edits")).toArray()) {
    const QJsonObject edit = each.toObject();
    r.edits << RunRecord::Edit{edit.value(QLatin1String("after_step")).toInteger(), edit.value(QLatin1String("name")).toString(), numberOr(edit, "value", 0)};
  }
  r.checkpoints = checkpointsIn(path, json);
  static const QHash<QString, RunRecord::End> ends{{QStringLiteral("finished"), RunRecord::End::Finished},
                                                   {QStringLiteral("stopped"), RunRecord::End::Stopped},
                                                   {QStringLiteral("stopped early"), RunRecord::End::StoppedEarly},
                                                   {QStringLiteral("failed"), RunRecord::End::Failed}};
  run->interrupted = !ends.contains(word("end"));
  r.end = ends.value(word("end"), RunRecord::End::Stopped);
  run->title = word("title");
  RunProgress& p = r.progress;
  p.step = json.value(QLatin1String("steps")).toInteger();
  if (run->interrupted && !r.checkpoints.isEmpty()) p.step = std::max(p.step, r.checkpoints.last().step);
  p.elapsed = numberOr(json, "seconds", 0);
  const auto take = [&](const char* key, double& value, bool& has) {
    has = json.value(QLatin1String(key)).isDouble();
    value = numberOr(json, key, 0);
  };
  take("loss", p.loss, p.hasLoss);
  take("accuracy", p.accuracy, p.hasAccuracy);
  take("test_loss", p.testLoss, p.hasTestLoss);
  take("test_accuracy", p.testAccuracy, p.hasTestAccuracy);
  return run;
}

}  // namespace

QString runName(int number) { return RunArchive::tr("run %1").arg(number); }

RunIdentity identityOf(const RunRecord& run) { return {run.name, run.number, run.folder, run.document, run.owner, hueOf(run)}; }

RunArchive& RunArchive::of(Workspace& workspace) {
  auto* archive = workspace.findChild<RunArchive*>({}, Qt::FindDirectChildrenOnly);
  return archive ? *archive : *new RunArchive(workspace);
}

RunArchive::RunArchive(Workspace& workspace) : QObject(&workspace), workspace_(workspace) {
  later_.setSingleShot(true);
  later_.setInterval(kWatchMs);
  connect(&later_, &QTimer::timeout, this, &RunArchive::load);
  connect(&watcher_, &QFileSystemWatcher::directoryChanged, &later_, qOverload<>(&QTimer::start));
  connect(&workspace.runs(), &RunController::runStarted, this, &RunArchive::watchFolders);
}

/// Watches the folder of all runs, and those of this session's runs, from which the user may delete files.
void RunArchive::watchFolders() {
  QStringList folders{folder_};
  for (const auto& run : workspace_.runs().runs())
    if (run->owner == owner_) folders << run->folder;
  for (const QString& folder : std::as_const(folders))
    if (!folder.isEmpty() && QFileInfo(folder).isDir() && !watcher_.directories().contains(folder)) watcher_.addPath(folder);
}

std::vector<std::unique_ptr<ArchivedRun>> RunArchive::read(const QString& folder, const QString& file) {
  std::vector<std::unique_ptr<ArchivedRun>> runs;
  const bool shared = folder.startsWith(QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) + u'/');
  const QVector<RunPlace> places = runPlaces(folder);
  for (auto place = places.rbegin(); place != places.rend() && runs.size() < kMostListed; ++place) {
    auto run = readRun(*place);
    if (!run || (shared && !run->record.file.isEmpty() && run->record.file != file)) continue;
    runs.push_back(std::move(run));
  }
  return runs;
}

void RunArchive::show(const Document* document, bool anew) {
  // A new document without a training has no runs; those of earlier documents of that name are not its own.
  if (document && document->path().isEmpty() && !document->contents()->training.present) document = nullptr;
  const QString folder = document ? document->runsFolder() : QString(), file = document ? document->path() : QString();
  const quint64 owner = document ? RunSettings::of(*const_cast<Document*>(document)).owner() : 0;
  if (folder == folder_ && file == file_ && owner == owner_ && !anew) return;
  const bool other = folder != folder_ || owner != owner_;
  folder_ = folder;
  file_ = file;
  owner_ = owner;
  if (other && !runs_.empty()) {
    runs_.clear();
    emit changed();
  }
  load();
}

void RunArchive::load() {
  const int generation = ++generation_;
  if (!watcher_.directories().isEmpty()) watcher_.removePaths(watcher_.directories());
  reading_ = !folder_.isEmpty();
  if (folder_.isEmpty()) return;
  watchFolders();
  auto found = std::make_shared<std::vector<std::unique_ptr<ArchivedRun>>>();
  workspace_.tasks().start(
      tr("Looking for earlier runs"), [found, folder = folder_, file = file_](TaskState&) { *found = read(folder, file); },
      [this, found, generation] {
        if (generation != generation_) return;
        reading_ = false;
        std::erase_if(*found, [this](const auto& run) {
          const auto& ours = workspace_.runs().runs();
          return std::any_of(ours.begin(), ours.end(), [&](const auto& r) { return QDir::cleanPath(r->folder) == QDir::cleanPath(run->record.folder); });
        });
        for (const auto& run : *found) run->record.owner = owner_;
        runs_ = std::move(*found);
        showLast();
        emit changed();
      },
      [this, generation] {
        if (generation == generation_) reading_ = false;
      });
}

QVector<const RunRecord*> RunArchive::listed(const Document* document) const {
  QVector<const RunRecord*> all;
  const quint64 owner = document ? RunSettings::of(*const_cast<Document*>(document)).owner() : 0;
  const auto& ours = workspace_.runs().runs();
  for (auto run = ours.rbegin(); run != ours.rend(); ++run) {
    if (!isRemoved(**run) && (!document || (*run)->owner == owner)) all << run->get();
  }
  for (const auto& run : runs_) all << &run->record;
  return all;
}

QVector<const RunRecord*> RunArchive::hidden() const {
  QVector<const RunRecord*> out;
  for (const auto& run : workspace_.runs().runs()) {
    const SummaryRun* curves = workspace_.summaries().runOf(run->folder);
    if (run->owner == owner_ && !isRemoved(*run) && curves && !curves->visible && !curves->foreign) out.prepend(run.get());
  }
  for (const auto& run : runs_) {
    const SummaryRun* curves = workspace_.summaries().runOf(run->record.folder);
    if (curves ? !curves->visible && !curves->foreign : run->hasEvents) out << &run->record;
  }
  return out;
}

void RunArchive::showCurves(const RunRecord& run) {
  if (const SummaryRun* curves = workspace_.summaries().runOf(run.folder)) workspace_.summaries().setRunVisible(curves->id, true);
  else workspace_.openCurves(run);
}

/// At the start of a session, shows the last run of a file, until this session has one.
void RunArchive::showLast() {
  if (file_.isEmpty() || begun_.contains(owner_)) return;
  begun_.insert(owner_);
  const auto& ours = workspace_.runs().runs();
  const auto& curves = workspace_.summaries().runs();
  if (std::any_of(ours.begin(), ours.end(), [this](const auto& run) { return run->owner == owner_; }) ||
      std::any_of(curves.begin(), curves.end(), [this](const auto& run) { return run->identity.owner == owner_; }))
    return;
  const auto last = std::find_if(runs_.begin(), runs_.end(), [](const auto& run) { return run->hasEvents; });
  if (last == runs_.end()) return;
  const RunRecord& run = (*last)->record;  // not requested by the user: no panel comes to the front
  workspace_.summaries().openFolder(run.folder + QStringLiteral("/events"), {}, identityOf(run));
}

const RunRecord* RunArchive::findFolder(const QString& folder) const {
  for (const auto& run : workspace_.runs().runs()) {
    if (run->folder == folder) return run.get();
  }
  for (const auto& run : runs_) {
    if (run->record.folder == folder) return &run->record;
  }
  return nullptr;
}

const RunRecord* RunArchive::find(const QString& word) const {
  for (const auto& run : runs_) {
    if (QFileInfo(run->record.folder).fileName() == word) return &run->record;
  }
  bool ok = false;
  const int number = word.toInt(&ok);
  if (!ok || number < 1) return nullptr;
  const RunRecord* present = workspace_.runs().run(number);
  if (present && present->owner == owner_) return present;
  for (const auto& run : runs_) {
    if (run->record.number == number) return &run->record;
  }
  return present;
}

const ArchivedRun* RunArchive::archived(const RunRecord* record) const {
  const auto it = std::find_if(runs_.begin(), runs_.end(), [record](const auto& run) { return &run->record == record; });
  return it == runs_.end() ? nullptr : it->get();
}

QString RunArchive::title(const RunRecord& run) const {
  const ArchivedRun* old = archived(&run);
  return old ? old->title : titles_.value(run.folder);
}

QString RunArchive::name(const RunRecord& run) const { return run.number > 0 ? runName(run.number) : run.name; }

QString RunArchive::label(const RunRecord& run) const { return title(run).isEmpty() ? name(run) : name(run) + QStringLiteral(" · ") + title(run); }

QString RunArchive::missingFiles(const RunRecord& run) const {
  if (isRemoved(run)) return {};
  if (!QFileInfo::exists(run.folder)) return tr("files deleted");
  const auto gone = [&](const char* part) { return !QFileInfo::exists(run.folder + QLatin1String(part)); };
  if (!run.checkpoints.isEmpty() && gone("/checkpoints")) return tr("checkpoints deleted");
  // For an earlier run it is unknown whether there were any.
  return !run.earlier && run.progress.step > 0 && gone("/events") ? tr("event files deleted") : QString();
}

QString RunArchive::setTitle(const RunRecord& run, const QString& title) {
  const QString text = title.simplified();
  if (text == this->title(run)) return {};
  if (run.end == RunRecord::End::Running) return tr("%1 is still running.").arg(label(run));
  const QString error = writeValue(run.folder, QStringLiteral("title"), text);
  if (!error.isEmpty()) return error;
  for (const auto& old : runs_) {
    if (&old->record == &run) old->title = text;
  }
  titles_[run.folder] = text;
  emit changed();
  return {};
}

QString RunArchive::setNotes(const RunRecord& run, const QString& notes) {
  if (!run.earlier) {
    workspace_.runs().setNotes(run.number, notes);
    return {};
  }
  if (run.notes == notes) return {};
  const QString error = writeValue(run.folder, QStringLiteral("notes"), notes);
  for (const auto& old : runs_) {
    if (error.isEmpty() && &old->record == &run) old->record.notes = notes;
  }
  return error;
}

QString RunArchive::remove(const RunRecord& run) {
  if (run.end == RunRecord::End::Running) return tr("%1 is still running.").arg(label(run));
  if (!QFileInfo::exists(run.folder)) return tr("%1 no longer exists.").arg(run.folder);
  workspace_.summaries().closeFolder(run.folder + QStringLiteral("/events"));
  if (!QFile::moveToTrash(run.folder)) return tr("%1 could not be moved to the trash.").arg(run.folder);
  workspace_.log().info(tr("%1 was moved to the trash").arg(run.folder));
  removed_.insert(run.folder);
  if (const SummaryRun* curves = workspace_.summaries().runOf(run.folder)) workspace_.summaries().removeRun(curves->id);
  std::erase_if(runs_, [&run](const auto& old) { return &old->record == &run; });
  emit changed();
  return {};
}

}  // namespace weft::app
