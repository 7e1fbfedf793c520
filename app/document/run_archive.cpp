#include "document/run_archive.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QSaveFile>
#include <algorithm>

#include "document/workspace.h"

namespace weft::app {
namespace {

constexpr int kMost = 500;                   // runs that are listed
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

/// What lies in the folder now: the record tells of all that ever were, and nothing if the program ended before the run.
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

std::unique_ptr<ArchivedRun> readRun(const QFileInfo& folder) {
  const QString path = folder.absoluteFilePath();
  const QJsonObject json = readRecord(path);
  if (json.isEmpty() && !QFileInfo::exists(path + QStringLiteral("/events")) && !QFileInfo::exists(path + QStringLiteral("/checkpoints"))) return nullptr;
  auto run = std::make_unique<ArchivedRun>();
  RunRecord& r = run->record;
  const auto word = [&](const char* key) { return json.value(QLatin1String(key)).toString(); };
  r.folder = path;
  static const QRegularExpression stamp(QStringLiteral("^\\d{8}-\\d{6}-(\\d+)(?:-\\d+)?$"));  // as RunController calls them
  const QRegularExpressionMatch m = stamp.match(folder.fileName());
  r.name = !word("name").isEmpty() ? word("name") : m.hasMatch() ? RunArchive::tr("run %1").arg(m.captured(1)) : folder.fileName();
  r.document = word("document");
  r.documentHash = word("document_sha1");
  r.origin = word("from");
  r.notes = word("notes");
  r.error = word("error");
  r.started = QDateTime::fromString(word("started"), Qt::ISODate);
  if (!r.started.isValid() && m.hasMatch()) r.started = QDateTime::fromString(folder.fileName().left(15), QStringLiteral("yyyyMMdd-HHmmss"));
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

RunArchive& RunArchive::of(Workspace& workspace) {
  auto* archive = workspace.findChild<RunArchive*>({}, Qt::FindDirectChildrenOnly);
  return archive ? *archive : *new RunArchive(workspace);
}

RunArchive::RunArchive(Workspace& workspace) : QObject(&workspace), workspace_(workspace) {}

std::vector<std::unique_ptr<ArchivedRun>> RunArchive::read(const QString& folder) {
  std::vector<std::unique_ptr<ArchivedRun>> runs;
  // Names begin with the time of the start.
  for (const QFileInfo& each : QDir(folder).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot | QDir::NoSymLinks, QDir::Name | QDir::Reversed)) {
    if (runs.size() >= kMost) break;
    if (auto run = readRun(each)) runs.push_back(std::move(run));
  }
  return runs;
}

void RunArchive::show(const QString& folder, bool anew) {
  if (folder == folder_ && !anew) return;
  const int generation = ++generation_;
  if (folder != folder_ && !runs_.empty()) {
    runs_.clear();
    emit changed();
  }
  folder_ = folder;
  reading_ = !folder.isEmpty();
  if (folder.isEmpty()) return;
  auto found = std::make_shared<std::vector<std::unique_ptr<ArchivedRun>>>();
  workspace_.tasks().start(
      tr("Looking for earlier runs"), [found, folder](TaskState&) { *found = read(folder); },
      [this, found, generation] {
        if (generation != generation_) return;
        reading_ = false;
        std::erase_if(*found, [this](const auto& run) {
          const auto& ours = workspace_.runs().runs();
          return std::any_of(ours.begin(), ours.end(), [&](const auto& r) { return QDir::cleanPath(r->folder) == QDir::cleanPath(run->record.folder); });
        });
        runs_ = std::move(*found);
        emit changed();
      },
      [this, generation] {
        if (generation == generation_) reading_ = false;
      });
}

const RunRecord* RunArchive::find(const QString& word) const {
  for (const auto& run : runs_) {
    if (QFileInfo(run->record.folder).fileName() == word) return &run->record;
  }
  bool ok = false;
  const int number = word.toInt(&ok);
  return ok ? workspace_.runs().run(number) : nullptr;
}

const ArchivedRun* RunArchive::archived(const RunRecord* record) const {
  const auto it = std::find_if(runs_.begin(), runs_.end(), [record](const auto& run) { return &run->record == record; });
  return it == runs_.end() ? nullptr : it->get();
}

QString RunArchive::title(const RunRecord& run) const {
  const ArchivedRun* old = archived(&run);
  return old ? old->title : titles_.value(run.folder);
}

QString RunArchive::name(const RunRecord& run) const { return run.number > 0 ? tr("run %1").arg(run.number) : run.name; }

QString RunArchive::label(const RunRecord& run) const {
  return title(run).isEmpty() ? name(run) : name(run) + QStringLiteral(" · ") + title(run);
}

QString RunArchive::setTitle(const RunRecord& run, const QString& title) {
  const QString text = title.simplified();
  if (text == this->title(run)) return {};
  if (run.end == RunRecord::End::Running) return tr("%1 is still going on.").arg(label(run));
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
  if (run.number > 0) {
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
  if (run.end == RunRecord::End::Running) return tr("%1 is still going on.").arg(label(run));
  if (!QFileInfo::exists(run.folder)) return tr("%1 is gone.").arg(run.folder);
  workspace_.summaries().closeFolder(run.folder + QStringLiteral("/events"));
  if (!QFile::moveToTrash(run.folder)) return tr("%1 could not be moved to the trash.").arg(run.folder);
  workspace_.log().info(tr("%1 was moved to the trash").arg(run.folder));
  removed_.insert(run.folder);
  if (run.number > 0) {
    if (const SummaryRun* curves = workspace_.summaries().run(run.name)) workspace_.summaries().removeRun(curves->id);
  }
  std::erase_if(runs_, [&run](const auto& old) { return &old->record == &run; });
  emit changed();
  return {};
}

}  // namespace weft::app
