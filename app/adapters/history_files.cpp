#include "adapters/history_files.h"

#include <unistd.h>

#include <QCoreApplication>
#include <QDir>
#include <algorithm>

#include "adapters/engine_graph.h"
#include "weft/canvas_drawing.h"
#include "weft/defects.h"
#include "weft/diff.h"
#include "weft/expressions.h"
#include "weft/file_system.h"
#include "weft/recipes.h"

namespace weft::app {
namespace {

struct HistoryFiles {
  Q_DECLARE_TR_FUNCTIONS(HistoryFiles)
};

QString fileIn(const QString& folder, int number, const char* ending) {
  return QDir(folder).filePath(QStringLiteral("%1.%2").arg(number).arg(QLatin1String(ending)));
}

}  // namespace

Journal::Journal(QString folder, int number, QString path, QString title)
    : folder_(std::move(folder)), number_(number), path_(std::move(path)), title_(std::move(title)) {}

Journal::Journal(QString folder, int number, const QString& fromFolder, int fromNumber) : folder_(std::move(folder)), number_(number) {
  QDir().mkpath(folder_);
  QFile::rename(fileIn(fromFolder, fromNumber, "base"), file("base"));
  QFile::rename(fileIn(fromFolder, fromNumber, "journal"), file("journal"));
  // Cut off a torn record, which would hide everything after it.
  QFile whole(file("journal"));
  if (whole.open(QIODevice::ReadWrite)) {
    const QByteArray bytes = whole.readAll();
    std::string kept;
    for (const JournalEntry& e : readJournal({bytes.constData(), size_t(bytes.size())})) {
      kept += journalRecord(e);
      follow(e);
    }
    whole.resize(0);
    whole.seek(0);
    whole.write(kept.data(), qint64(kept.size()));
  }
  whole.close();
  journal_.setFileName(file("journal"));
  begun_ = journal_.open(QIODevice::Append);
}

Journal::~Journal() = default;

QString Journal::file(const char* ending) const { return fileIn(folder_, number_, ending); }

bool Journal::open(const EngineGraph* base) {
  if (begun_) return true;
  if (!base || !error_.isEmpty()) return false;
  QDir().mkpath(folder_);
  const LoadedGraph& loaded = base->loaded;
  std::string bytes;
  if (loaded.original) {
    bytes = *loaded.original;
  } else if (auto written = serializeGraph(loaded.meta, GraphFormat::MetaBinary); written.ok()) {
    bytes = std::move(*written);
  } else {
    error_ = errorText(written.error());
    return false;
  }
  if (const Status s = posixFileSystem().writeAtomically(file("base").toStdString(), bytes); !s.ok()) {
    error_ = errorText(s.error());
    return false;
  }
  journal_.setFileName(file("journal"));
  if (!journal_.open(QIODevice::WriteOnly | QIODevice::Truncate)) {
    error_ = HistoryFiles::tr("%1 could not be written.").arg(journal_.fileName());
    return false;
  }
  begun_ = true;
  // The first record names the document.
  record({JournalEntry::Kind::Saved, title_.toStdString(), path_.toStdString(), {}});
  return true;
}

void Journal::follow(const JournalEntry& entry) {
  switch (entry.kind) {
    case JournalEntry::Kind::Saved:
      path_ = QString::fromStdString(entry.path);
      if (!path_.isEmpty()) clean_ = index_;
      break;
    case JournalEntry::Kind::Undo:
    case JournalEntry::Kind::Redo: index_ = std::max(0, std::atoi(entry.text.c_str())); break;
    case JournalEntry::Kind::Edit:
      if (clean_ > index_) clean_ = -1;
      ++index_;
      ++steps_;
      break;
  }
}

void Journal::record(const JournalEntry& entry) {
  append(journalRecord(entry));
  if (begun_) follow(entry);
}

void Journal::append(const std::string& record) {
  if (!begun_ || !error_.isEmpty()) return;
  if (journal_.write(record.data(), qint64(record.size())) != qint64(record.size()) || !journal_.flush())
    error_ = HistoryFiles::tr("%1 could not be written.").arg(journal_.fileName());
  dirty_ = true;
}

void Journal::edited(const EngineGraph& before, const EngineGraph& after, const QString& text) {
  const auto delta = deltaBetween(before.loaded.meta, after.loaded.meta);
  const MutexLock lock(mutex_);
  if (!delta.ok()) {
    if (error_.isEmpty()) error_ = errorText(delta.error());
    return;
  }
  if (open(&before)) record({JournalEntry::Kind::Edit, text.toStdString(), {}, *delta});
}

void Journal::moved(int index) {
  const MutexLock lock(mutex_);
  record({JournalEntry::Kind::Undo, std::to_string(index), {}, {}});
}

void Journal::saved(const QString& path) {
  const MutexLock lock(mutex_);
  path_ = path;
  record({JournalEntry::Kind::Saved, {}, path.toStdString(), {}});
}

void Journal::sync() {
  const MutexLock lock(mutex_);
  if (begun_ && dirty_) fsync(journal_.handle());
  dirty_ = false;
}

void Journal::discard() {
  const MutexLock lock(mutex_);
  journal_.close();
  begun_ = false;
  QFile::remove(file("base"));
  QFile::remove(file("journal"));
}

bool Journal::isAsSaved() const {
  const MutexLock lock(mutex_);
  return begun_ && error_.isEmpty() && steps_ > 0 && !path_.isEmpty() && clean_ == index_;
}

QString Journal::path() const {
  const MutexLock lock(mutex_);
  return path_;
}

void Journal::keepIn(const QString& folder) {
  const MutexLock lock(mutex_);
  journal_.close();
  begun_ = false;
  QDir().mkpath(folder);
  for (const char* ending : {"base", "journal"}) {
    QFile::remove(fileIn(folder, 1, ending));
    if (!QFile::rename(file(ending), fileIn(folder, 1, ending))) QFile::remove(file(ending));
  }
}

QString Journal::error() const {
  const MutexLock lock(mutex_);
  return error_;
}

QVector<int> journalsIn(const QString& folder) {
  QVector<int> out;
  for (const QString& name : QDir(folder).entryList({QStringLiteral("*.journal")}, QDir::Files)) {
    bool ok = false;
    const int number = name.left(name.indexOf(u'.')).toInt(&ok);
    if (ok && QFile::exists(fileIn(folder, number, "base"))) out << number;
  }
  std::sort(out.begin(), out.end());
  return out;
}

JournalSummary summaryOf(const QString& folder, int number) {
  JournalSummary out;
  const auto bytes = posixFileSystem().readAll(fileIn(folder, number, "journal").toStdString());
  if (!bytes.ok()) return out;
  bool first = true;
  int index = 0, clean = 0;
  for (const JournalEntry& entry : readJournal(*bytes)) {
    if (first) out.title = QString::fromStdString(entry.text);
    switch (entry.kind) {
      case JournalEntry::Kind::Saved:
        out.path = QString::fromStdString(entry.path);
        if (!out.path.isEmpty()) clean = index;
        break;
      case JournalEntry::Kind::Undo:
      case JournalEntry::Kind::Redo: index = std::max(0, std::atoi(entry.text.c_str())); break;
      case JournalEntry::Kind::Edit:
        if (clean > index) clean = -1;
        ++index;
        ++out.steps;
        break;
    }
    first = false;
  }
  out.changed = index != clean;
  return out;
}

// Automatic places are ignored: they were stored when the file was written, after the history's last step.
bool sameDocument(const EngineGraph& a, const EngineGraph& b) {
  const auto bytesOf = [](MetaGraph meta) {
    forgetAutomaticPlaces(meta);
    return serializeGraph(meta, GraphFormat::MetaBinary);
  };
  const auto first = bytesOf(a.loaded.meta), second = bytesOf(b.loaded.meta);
  return first.ok() && second.ok() && *first == *second;
}

RecoveredHistory readHistory(const QString& folder, int number) {
  RecoveredHistory out;
  const std::string base = fileIn(folder, number, "base").toStdString();
  auto loaded = weft::openGraphFile(base);
  if (!loaded.ok()) {
    out.error = errorText(loaded.error());
    return out;
  }
  auto bytes = posixFileSystem().readAll(fileIn(folder, number, "journal").toStdString());
  if (!bytes.ok()) {
    out.error = errorText(bytes.error());
    return out;
  }
  findLayerProblems(*loaded);
  findExpressionProblems(*loaded);
  out.states.push_back(std::make_shared<const EngineGraph>(std::move(*loaded)));
  bool first = true;
  for (const JournalEntry& entry : readJournal(*bytes)) {
    switch (entry.kind) {
      case JournalEntry::Kind::Saved:
        out.path = QString::fromStdString(entry.path);
        if (first) out.title = QString::fromStdString(entry.text);
        if (!out.path.isEmpty()) out.cleanIndex = out.index;
        break;
      case JournalEntry::Kind::Undo:
      case JournalEntry::Kind::Redo: out.index = std::clamp(std::atoi(entry.text.c_str()), 0, int(out.texts.size())); break;
      case JournalEntry::Kind::Edit: {
        LoadedGraph next = out.states[size_t(out.index)]->loaded;
        next.original = nullptr;
        if (const Status s = applyDelta(next.meta, next.problems, entry.delta); !s.ok()) {
          out.error = errorText(s.error());
          return out;
        }
        findLayerProblems(next);
        findExpressionProblems(next);
        out.states.resize(size_t(out.index) + 1);
        out.texts.resize(out.index);
        if (out.cleanIndex > out.index) out.cleanIndex = -1;
        out.states.push_back(std::make_shared<const EngineGraph>(std::move(next)));
        out.texts << QString::fromStdString(entry.text);
        ++out.index;
        break;
      }
    }
    first = false;
  }
  return out;
}

}  // namespace weft::app
