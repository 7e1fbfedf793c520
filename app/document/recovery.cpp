#include "document/recovery.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

#include "adapters/graph_files.h"
#include "document/document.h"
#include "document/workspace.h"

namespace weft::app {
namespace {
constexpr int kSyncMs = 30000;
}

Recovery::Recovery(Workspace& workspace, QObject* parent) : QObject(parent), workspace_(workspace) {
  QString root = qEnvironmentVariable("WEFT_RECOVERY");
  if (root.isEmpty() && !workspace.settings().isInMemory()) root = QDir(QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation)).filePath(QStringLiteral("recovery"));
  if (root.isEmpty()) return;
  findLost(root);
  folder_ = QDir(root).filePath(QStringLiteral("%1-%2").arg(QDateTime::currentMSecsSinceEpoch()).arg(QCoreApplication::applicationPid()));
  if (!QDir().mkpath(folder_)) {
    workspace_.log().warning(tr("Nothing can be kept for recovery: the folder %1 cannot be made.").arg(folder_));
    folder_.clear();
    return;
  }
  lock_ = std::make_unique<QLockFile>(QDir(folder_).filePath(QStringLiteral("lock")));
  lock_->setStaleLockTime(0);  // held as long as the process lives
  lock_->tryLock(0);
  connect(&workspace, &Workspace::documentAdded, this, &Recovery::adopt);
  connect(&workspace, &Workspace::documentRemoved, this, [this](Document* document) {
    const auto it = journals_.find(document);
    if (it == journals_.end()) return;
    document->setJournal(nullptr);
    it->second->discard();
    journals_.erase(it);
  });
  connect(&timer_, &QTimer::timeout, this, [this] {
    for (const auto& [document, journal] : journals_) {
      workspace_.tasks().start({}, [journal = journal](TaskState&) { journal->sync(); }, [] {});
      if (const QString error = journal->error(); !error.isEmpty()) workspace_.log().warning(error);
    }
  });
  timer_.start(kSyncMs);
}

Recovery::~Recovery() {
  for (const auto& [document, journal] : journals_) journal->discard();
  if (lock_) lock_->unlock();
  if (!folder_.isEmpty()) QDir(folder_).removeRecursively();
}

void Recovery::findLost(const QString& root) {
  for (const QFileInfo& session : QDir(root).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name)) {
    auto lock = std::make_unique<QLockFile>(QDir(session.filePath()).filePath(QStringLiteral("lock")));
    lock->setStaleLockTime(0);
    if (!lock->tryLock(0)) continue;  // its program lives
    const QVector<int> numbers = journalsIn(session.filePath());
    if (numbers.isEmpty()) {
      lock->unlock();
      QDir(session.filePath()).removeRecursively();
      continue;
    }
    for (const int number : numbers) {
      const JournalSummary summary = summaryOf(session.filePath(), number);
      lost_ << Lost{session.filePath(), number, summary.path.isEmpty() ? summary.title : QFileInfo(summary.path).fileName(), summary.path, summary.steps};
    }
    taken_.push_back(std::move(lock));
  }
}

void Recovery::adopt(Document* document) {
  auto journal = adopted_ ? std::move(adopted_) : std::make_shared<Journal>(folder_, next_++, document->path(), document->title());
  adopted_ = nullptr;
  journals_[document] = journal;
  document->setJournal(journal);
}

void Recovery::recoverAll(std::function<void(const QString&)> done) {
  const QVector<Lost> all = std::exchange(lost_, {});
  auto histories = std::make_shared<std::vector<RecoveredHistory>>();
  auto contents = std::make_shared<std::vector<GraphContentsPtr>>();
  workspace_.tasks().start(
      tr("Recovering %n document(s)", nullptr, int(all.size())),
      [all, histories, contents](TaskState&) {
        for (const Lost& lost : all) {
          histories->push_back(readHistory(lost.folder, lost.number));
          const RecoveredHistory& h = histories->back();
          contents->push_back(h.states.empty() ? nullptr : contentsOf(h.states[size_t(h.index)]));
        }
      },
      [this, all, histories, contents, done] {
        QString error;
        for (qsizetype i = 0; i < all.size(); ++i) {
          const RecoveredHistory& h = (*histories)[size_t(i)];
          if (!h.error.isEmpty() && error.isEmpty()) error = h.error;
          if (!(*contents)[size_t(i)]) continue;
          adopted_ = std::make_shared<Journal>(folder_, next_++, all[i].folder, all[i].number);
          auto* document = new Document((*contents)[size_t(i)], h.path, h.title, &workspace_);
          document->adoptHistory(h.states, h.texts, h.index, h.cleanIndex);
          workspace_.add(document);
          workspace_.log().info(tr("%1 was recovered with %n step(s) of its history.", nullptr, int(h.texts.size())).arg(document->title()));
        }
        for (auto& lock : taken_) {
          const QString folder = QFileInfo(lock->fileName()).absolutePath();
          lock->unlock();
          if (journalsIn(folder).isEmpty()) QDir(folder).removeRecursively();
        }
        taken_.clear();
        if (done) done(error);
      });
}

void Recovery::forgetAll() {
  lost_.clear();
  for (auto& lock : taken_) {
    const QString folder = QFileInfo(lock->fileName()).absolutePath();
    lock->unlock();
    QDir(folder).removeRecursively();
  }
  taken_.clear();
}

}  // namespace weft::app
