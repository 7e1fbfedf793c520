#include "main_window/file_watch.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QPointer>
#include <QStandardPaths>
#include <algorithm>

#include "adapters/graph_difference.h"
#include "adapters/graph_files.h"
#include "common/format.h"
#include "document/activity.h"
#include "document/document.h"
#include "document/workspace.h"
#include "main_window/difference_marks.h"
#include "main_window/running_dialog.h"
#include "main_window/shell.h"

namespace weft::app {
namespace {

constexpr int kSettleMs = 250;
constexpr int kNamesShown = 3;

QString messageKey(const QString& path) { return QStringLiteral("file/") + path; }

/// Who has a file open is noted in a folder of this user, not beside the file.
QString lockPath(const QString& path) {
  const QString folder = QDir(QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation)).filePath(QStringLiteral("weft/open"));
  QDir().mkpath(folder);
  return QDir(folder).filePath(QString::fromLatin1(QCryptographicHash::hash(path.toUtf8(), QCryptographicHash::Sha1).toHex()) + QStringLiteral(".lock"));
}

QString someNames(const QStringList& names) {
  QString text = names.mid(0, kNamesShown).join(QStringLiteral(", "));
  return names.size() > kNamesShown ? text + QStringLiteral(" …") : text;
}

}  // namespace

FileWatch::FileWatch(Workspace& workspace, Shell& shell, QObject* parent) : QObject(parent), workspace_(workspace), shell_(shell) {
  settle_.setSingleShot(true);
  settle_.setInterval(kSettleMs);
  connect(&settle_, &QTimer::timeout, this, &FileWatch::check);
  connect(&watcher_, &QFileSystemWatcher::fileChanged, this, [this] { settle_.start(); });
  connect(&workspace, &Workspace::documentAdded, this, &FileWatch::track);
  connect(&workspace, &Workspace::documentRemoved, this, &FileWatch::forget);
  connect(&workspace, &Workspace::titleChanged, this, &FileWatch::track);
}

FileWatch::Seen FileWatch::seen(const QString& path) {
  const QFileInfo info(path);
  return info.exists() ? Seen{info.lastModified(), info.size()} : Seen{};
}

/// When a document was opened or saved: from now on its file is as it should be.
void FileWatch::track(Document* document) {
  const QString path = document->path();
  if (paths_[document] != path) {
    if (!paths_[document].isEmpty()) watcher_.removePath(paths_[document]);
    locks_.erase(document);
    paths_[document] = path;
    // One that is read again takes over the lock of the one before.
    for (auto& [other, lock] : locks_) {
      if (other != document && lock && paths_[other] == path) locks_[document] = std::move(lock);
    }
    if (!path.isEmpty() && !locks_[document] && !workspace_.settings().isInMemory()) {
      auto lock = std::make_unique<QLockFile>(lockPath(path));
      lock->setStaleLockTime(0);
      if (!lock->tryLock(0) && lock->error() == QLockFile::LockFailedError) {
        shell_.tell([path, title = document->title()] {
          return Message{Message::Kind::Warning, messageKey(path),
                         tr("%1 is open in another window, too. Whoever saves last keeps the file; each window asks when the other one has saved.").arg(title)};
        });
      }
      locks_[document] = std::move(lock);
    }
  }
  if (path.isEmpty()) return;
  if (!document->isModified()) {
    seen_[path] = seen(path);
  } else if (!seen_.contains(path)) {
    seen_[path] = seen(path);
  }
  if (!watcher_.files().contains(path)) watcher_.addPath(path);
}

void FileWatch::forget(Document* document) {
  const auto it = paths_.find(document);
  if (it == paths_.end()) return;
  const bool others = std::any_of(paths_.begin(), paths_.end(), [&](const auto& p) { return p.first != document && p.second == it->second; });
  if (!it->second.isEmpty() && !others) {
    watcher_.removePath(it->second);
    seen_.remove(it->second);
    shell_.withdrawMessage(messageKey(it->second));
  }
  locks_.erase(document);
  paths_.erase(it);
}

void FileWatch::check() {
  if (workspace_.isBusy()) {  // perhaps our own saving
    settle_.start();
    return;
  }
  for (const auto& [document, path] : paths_) {
    if (path.isEmpty()) continue;
    // Who writes atomically puts another file in its place, which must be watched anew.
    if (QFileInfo::exists(path) && !watcher_.files().contains(path)) watcher_.addPath(path);
    const Seen now = seen(path);
    if (now == seen_.value(path)) continue;
    seen_[path] = now;
    if (workspace_.settings().get(QStringLiteral("file/watch")).toBool()) ask(document, now.size < 0);
  }
}

void FileWatch::ask(Document* document, bool gone) {
  const QPointer<Document> guarded(document);
  const QString path = document->path();
  if (gone) {
    shell_.tell([path] {
      return Message{Message::Kind::Warning, messageKey(path), tr("%1 was deleted or moved by another program. The graph is still here.").arg(path), {{tr("Keep mine"), {}}}};
    });
    return;
  }
  const auto reloads = [this, guarded] {
    if (guarded) reload(guarded);
  };
  const auto compares = [this, guarded] {
    if (guarded) compare(guarded);
  };
  shell_.tell([path, reloads, compares, modified = document->isModified(), title = document->title()] {
    return Message{Message::Kind::Warning,
                   messageKey(path),
                   modified ? tr("%1 was changed by another program, and here, too.").arg(title) : tr("%1 was changed by another program.").arg(title),
                   {{tr("Reload"), reloads}, {tr("Keep mine"), {}}, {tr("Compare"), compares}}};
  });
}

void FileWatch::reload(Document* document, bool asked) {
  const QPointer<Document> old(document);
  // A training goes on with the graph that it began with; a run that is debugged cannot be shown on another graph.
  QVector<Activity> ending = activitiesOf(workspace_, document);
  ending.removeIf([](const Activity& activity) { return activity.kind != Activity::Kind::Debugging; });
  if (!ending.isEmpty() && !asked && !workspace_.settings().isInMemory()) {
    auto* dialog = new RunningDialog(ending, RunningDialog::Reason::Reload, shell_.window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setModal(true);
    connect(dialog, &QDialog::accepted, this, [this, old] {
      if (old) reload(old, true);
    });
    dialog->open();
    return;
  }
  const QString path = document->path();
  auto outcome = std::make_shared<OpenOutcome>();
  workspace_.tasks().start(
      tr("Reading %1 again").arg(document->title()), [outcome, path](TaskState& task) { *outcome = openGraphFile(path, task); },
      [this, outcome, old, path] {
        if (!old) return;
        if (!outcome->contents) {  // half written, or no graph any more: what is here stays
          workspace_.log().error(outcome->error);
          const auto again = [this, old] {
            if (old) reload(old);
          };
          shell_.tell([path, again, error = outcome->error] { return Message{Message::Kind::Error, messageKey(path), error, {{tr("Try again"), again}}}; });
          return;
        }
        Document* fresh = workspace_.replace(old, outcome->contents);
        workspace_.log().info(tr("%1 was read again").arg(path));
        emit reloaded(old, fresh);
      });
}

QString FileWatch::differenceText(const GraphDifference& difference) {
  QStringList parts;
  if (!difference.added.isEmpty()) parts << tr("%n node(s) only in the file: %1", nullptr, int(difference.added.size())).arg(someNames(difference.added));
  if (!difference.removed.isEmpty()) parts << tr("%n node(s) only here: %1", nullptr, int(difference.removed.size())).arg(someNames(difference.removed));
  if (!difference.changed.isEmpty()) parts << tr("%n node(s) differ: %1", nullptr, int(difference.changed.size())).arg(someNames(difference.changed));
  if (parts.isEmpty()) return tr("The graph is the same as in the file.");
  QString text = parts.join(QStringLiteral("; "));
  if (!text.endsWith(u'…')) text += u'.';
  return widgets::joinSentences({text, tr("All are listed in the log.")});
}

void FileWatch::compare(Document* document, const QString& file) {
  const QPointer<Document> guarded(document);
  const QString path = file.isEmpty() ? document->path() : QFileInfo(file).absoluteFilePath();
  const bool own = path == document->path();
  auto outcome = std::make_shared<OpenOutcome>();
  auto difference = std::make_shared<GraphDifference>();
  workspace_.tasks().start(
      tr("Comparing with %1").arg(path),
      [outcome, difference, path, mine = document->contents()](TaskState& task) {
        *outcome = openGraphFile(path, task);
        if (outcome->contents) *difference = graphDifference(*mine, *outcome->contents);
      },
      [this, outcome, difference, guarded, path, own] {
        if (!guarded) return;
        if (!outcome->contents) return shell_.showMessage({Message::Kind::Error, messageKey(path), outcome->error});
        for (const QString& name : difference->added) workspace_.log().info(tr("%1: only in the file").arg(name));
        for (const QString& name : difference->removed) workspace_.log().info(tr("%1: only in this window").arg(name));
        for (const QString& name : difference->changed) workspace_.log().info(tr("%1: other op, input, attribute or device").arg(name));
        DifferenceMarks* marks = DifferenceMarks::of(guarded);
        const bool marked = marks && !difference->isEmpty();
        if (marked) marks->show(*difference, QFileInfo(path).fileName());
        else if (marks) marks->clear();
        const auto clears = [guarded] {
          if (DifferenceMarks* shown = DifferenceMarks::of(guarded)) shown->clear();
        };
        const auto reloads = [this, guarded] {
          if (guarded) reload(guarded);
        };
        shell_.tell([=, title = guarded->title()] {
          QVector<Message::Button> answers;
          if (marked) answers << Message::Button{tr("Take the marks away"), clears};
          if (own) answers << Message::Button{tr("Reload"), reloads} << Message::Button{tr("Keep mine"), {}};
          return Message{Message::Kind::Note, messageKey(path), title + QStringLiteral(": ") + differenceText(*difference), answers};
        });
      });
}

}  // namespace weft::app
