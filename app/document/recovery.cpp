#include "document/recovery.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QPointer>
#include <QStandardPaths>

#include "adapters/graph_files.h"
#include "document/document.h"
#include "document/file_guard.h"
#include "document/text_recovery.h"
#include "document/workspace.h"

namespace weft::app {
namespace {
constexpr int kMostKept = 40;                      // histories of closed documents
constexpr qint64 kMostBytes = 64ll * 1024 * 1024;  // of one history

qint64 bytesIn(const QString& folder) {
  qint64 sum = 0;
  for (const QFileInfo& file : QDir(folder).entryInfoList(QDir::Files)) sum += file.size();
  return sum;
}

bool isEmptySession(const QString& folder) { return journalsIn(folder).isEmpty() && unsavedTextsIn(folder).isEmpty(); }
}  // namespace

Recovery::Recovery(Workspace& workspace, QObject* parent) : QObject(parent), workspace_(workspace) {
  QString root = qEnvironmentVariable("WEFT_RECOVERY");
  if (root.isEmpty() && !workspace.settings().isInMemory())
    root = QDir(QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation)).filePath(QStringLiteral("recovery"));
  const int seconds = workspace.settings().get(QStringLiteral("edit/autosave-seconds")).toInt();
  if (root.isEmpty()) return;
  const QVector<Recoverable> unchanged = findRecoverable(root);
  kept_ = root + QStringLiteral("-kept");
  folder_ = QDir(root).filePath(QStringLiteral("%1-%2").arg(QDateTime::currentMSecsSinceEpoch()).arg(QCoreApplication::applicationPid()));
  if (!QDir().mkpath(folder_)) {
    workspace_.log().warning(tr("Recovery data cannot be saved: the folder %1 cannot be created.").arg(folder_));
    folder_.clear();
    return;
  }
  lock_ = std::make_unique<QLockFile>(QDir(folder_).filePath(QStringLiteral("lock")));
  lock_->setStaleLockTime(0);  // held as long as the process lives
  lock_->tryLock(0);
  // These lost nothing, so the user is not asked; their histories return when their files are opened.
  for (const Recoverable& l : unchanged) {
    Journal journal(folder_, next_++, l.folder, l.number);
    closeJournal(journal);
    if (isEmptySession(l.folder)) QDir(l.folder).removeRecursively();
  }
  texts_ = std::make_unique<TextRecovery>(workspace, folder_, seconds > 0);
  if (seconds <= 0) return;  // nothing is kept, but an earlier session's data can be recovered
  connect(&workspace, &Workspace::documentAdded, this, &Recovery::startJournal);
  connect(&workspace, &Workspace::documentRemoved, this, [this](Document* document) {
    const auto it = journals_.find(document);
    if (it == journals_.end()) return;
    document->setJournal(nullptr);
    closeJournal(*it->second);
    journals_.erase(it);
  });
  connect(&timer_, &QTimer::timeout, this, [this] {
    for (const auto& [document, journal] : journals_) {
      workspace_.tasks().start(
          {}, [journal = journal](TaskState&) { journal->sync(); }, [] {});
      if (const QString error = journal->error(); !error.isEmpty()) workspace_.log().warning(error);
    }
  });
  timer_.start(seconds * 1000);
}

Recovery::~Recovery() {
  for (const auto& [document, journal] : journals_) closeJournal(*journal);
  if (lock_) lock_->unlock();
  if (!folder_.isEmpty()) QDir(folder_).removeRecursively();
}

QVector<Recovery::Recoverable> Recovery::findRecoverable(const QString& root) {
  QVector<Recoverable> unchanged;
  for (const QFileInfo& session : QDir(root).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name)) {
    auto lock = std::make_unique<QLockFile>(QDir(session.filePath()).filePath(QStringLiteral("lock")));
    lock->setStaleLockTime(0);
    if (!lock->tryLock(0)) continue;  // its program is still running
    const QVector<int> numbers = journalsIn(session.filePath());
    if (isEmptySession(session.filePath())) {
      lock->unlock();
      QDir(session.filePath()).removeRecursively();
      continue;
    }
    for (const int number : numbers) {
      const JournalSummary summary = summaryOf(session.filePath(), number);
      (summary.changed ? recoverable_ : unchanged) << Recoverable{
          session.filePath(), number, summary.path.isEmpty() ? summary.title : QFileInfo(summary.path).fileName(), summary.path, summary.steps};
    }
    for (const int number : unsavedTextsIn(session.filePath())) {
      const QString path = UnsavedText::read(unsavedTextFile(session.filePath(), number)).path;
      recoverable_ << Recoverable{session.filePath(), number, QFileInfo(path).fileName(), path, 0, true};
    }
    taken_.push_back(std::move(lock));
  }
  return unchanged;
}

void Recovery::startJournal(Document* document) {
  auto journal = recoveredJournal_ ? std::move(recoveredJournal_) : std::make_shared<Journal>(folder_, next_++, document->path(), document->title());
  recoveredJournal_ = nullptr;
  journals_[document] = journal;
  document->setJournal(journal);
  if (document->history().count() == 0) restoreHistory(document);
}

QString Recovery::keptFolder(const QString& path) const {
  const QString canonical = QFileInfo(path).canonicalFilePath();
  const QByteArray key = QCryptographicHash::hash((canonical.isEmpty() ? path : canonical).toUtf8(), QCryptographicHash::Sha1).toHex();
  return QDir(kept_).filePath(QString::fromLatin1(key));
}

void Recovery::closeJournal(Journal& journal) const {
  if (!journal.isAsSaved()) return journal.discard();
  const QString folder = keptFolder(journal.path());
  journal.keepIn(folder);
  if (bytesIn(folder) > kMostBytes) QDir(folder).removeRecursively();
  const QFileInfoList all = QDir(kept_).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Time);
  for (qsizetype i = kMostKept; i < all.size(); ++i) QDir(all[i].filePath()).removeRecursively();
}

void Recovery::restoreHistory(Document* document) {
  const QString folder = document->path().isEmpty() ? QString() : keptFolder(document->path());
  if (folder.isEmpty() || journalsIn(folder).isEmpty()) return;
  auto history = std::make_shared<RecoveredHistory>();
  workspace_.tasks().start(
      {},
      [history, folder, contents = document->contents()](TaskState&) {
        *history = readHistory(folder, 1);
        const bool fits = history->error.isEmpty() && history->index == history->cleanIndex && size_t(history->index) < history->states.size();
        // Another program may have written the file since.
        if (!fits || !sameDocument(*history->states[size_t(history->index)], *contents->engine)) history->states.clear();
      },
      [this, history, folder, contents = document->contents(), guard = QPointer<Document>(document)] {
        if (history->states.empty()) {
          QDir(folder).removeRecursively();
          return;
        }
        const auto it = guard ? journals_.find(guard) : journals_.end();
        if (it == journals_.end() || guard->contents()->engine != contents->engine || guard->isEditing() || guard->history().count() > 0) return;
        it->second->discard();
        it->second = std::make_shared<Journal>(folder_, next_++, folder, 1);
        QDir(folder).removeRecursively();
        guard->setJournal(it->second);
        history->states[size_t(history->index)] = contents->engine;
        guard->adoptHistory(history->states, history->texts, history->index, history->cleanIndex);
        workspace_.log().info(tr("%n step(s) of the history of %1 were restored.", nullptr, int(history->texts.size())).arg(guard->title()));
      });
}

/// The contents of a journal, and whether its file is still as last saved.
struct Recovery::Found {
  RecoveredHistory history;
  GraphContentsPtr contents;
  bool fileIsAsSaved = false;
};

Recovery::Found Recovery::read(const Recoverable& lost, TaskState& task) {
  Found found{readHistory(lost.folder, lost.number), nullptr, false};
  const RecoveredHistory& h = found.history;
  if (h.states.empty()) return found;
  found.contents = contentsOf(h.states[size_t(h.index)]);
  if (h.cleanIndex < 0 || size_t(h.cleanIndex) >= h.states.size() || !QFileInfo::exists(h.path)) return found;
  const OpenOutcome onDisk = openGraphFile(h.path, task);
  found.fileIsAsSaved = onDisk.contents && sameDocument(*h.states[size_t(h.cleanIndex)], *onDisk.contents->engine);
  return found;
}

void Recovery::show(const Recoverable& lost, Found& found) {
  const RecoveredHistory& h = found.history;
  // If the saved version of the same file is open, the recovered document replaces it.
  QPointer<Document> asSaved;
  for (Document* open : workspace_.documents())
    if (!h.path.isEmpty() && open->path() == h.path && !open->isModified()) asSaved = open;
  recoveredJournal_ = std::make_shared<Journal>(folder_, next_++, lost.folder, lost.number);
  auto* document = new Document(found.contents, h.path, h.title, &workspace_);
  if (!found.fileIsAsSaved) document->fileGuard()->accept({});  // others wrote the file since: saving asks
  document->adoptHistory(h.states, h.texts, h.index, h.cleanIndex);
  workspace_.add(document);
  recoveredJournal_ = nullptr;
  if (asSaved) {
    workspace_.runs().follow(asSaved, document);
    workspace_.close(asSaved);
  }
  workspace_.log().info(tr("%1 was recovered with %n step(s) of its history.", nullptr, int(h.texts.size())).arg(document->title()));
}

void Recovery::recoverAll(std::function<void(const QString&)> done) {
  QVector<Recoverable> documents, texts;
  for (const Recoverable& lost : std::exchange(recoverable_, {})) (lost.isText ? texts : documents) << lost;
  auto found = std::make_shared<std::vector<Found>>();
  workspace_.tasks().start(
      tr("Recovering %n document(s)", nullptr, int(documents.size() + texts.size())),
      [documents, found](TaskState& task) {
        for (const Recoverable& lost : documents) found->push_back(read(lost, task));
      },
      [this, documents, texts, found, done] {
        QString error;
        for (qsizetype i = 0; i < documents.size(); ++i) {
          Found& f = (*found)[size_t(i)];
          if (error.isEmpty()) error = f.history.error;
          if (f.contents) show(documents[i], f);
        }
        recoverTexts(texts, error, done);
      });
}

void Recovery::recoverTexts(QVector<Recoverable> texts, QString error, std::function<void(const QString&)> done) {
  if (texts.isEmpty()) {
    endRecovery();
    if (done) done(error);
    return;
  }
  const Recoverable lost = texts.takeFirst();
  texts_->recover(unsavedTextFile(lost.folder, lost.number),
                  [this, texts, error, done](const QString& problem) { recoverTexts(texts, error.isEmpty() ? problem : error, done); });
}

/// Releases what ended sessions left, except what could not be read.
void Recovery::endRecovery() {
  for (auto& lock : taken_) {
    const QString folder = QFileInfo(lock->fileName()).absolutePath();
    lock->unlock();
    if (isEmptySession(folder)) QDir(folder).removeRecursively();
  }
  taken_.clear();
}

void Recovery::forgetAll() {
  recoverable_.clear();
  for (auto& lock : taken_) {
    const QString folder = QFileInfo(lock->fileName()).absolutePath();
    lock->unlock();
    QDir(folder).removeRecursively();
  }
  taken_.clear();
}

}  // namespace weft::app
