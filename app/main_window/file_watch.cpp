#include "main_window/file_watch.h"

#include <QFileInfo>
#include <QPointer>
#include <algorithm>

#include "adapters/graph_difference.h"
#include "adapters/graph_files.h"
#include "common/format.h"
#include "document/activity.h"
#include "document/document.h"
#include "document/file_tab.h"
#include "document/workspace.h"
#include "main_window/difference_marks.h"
#include "main_window/running_dialog.h"
#include "shell/shell.h"

namespace weft::app {
namespace {

constexpr int kSettleMs = 250;
constexpr int kNamesShown = 3;

QString messageKey(const QString& path) { return QStringLiteral("file/") + path; }

QString someNames(const QStringList& names) {
  QString text = names.mid(0, kNamesShown).join(QStringLiteral(", "));
  return names.size() > kNamesShown ? text + QStringLiteral(" …") : text;
}

}  // namespace

FileWatch::FileWatch(Workspace& workspace, Shell& shell, QObject* parent) : QObject(parent), workspace_(workspace), shell_(shell), locks_(shell) {
  settle_.setSingleShot(true);
  settle_.setInterval(kSettleMs);
  connect(&settle_, &QTimer::timeout, this, &FileWatch::check);
  connect(&watcher_, &QFileSystemWatcher::fileChanged, this, [this] { settle_.start(); });
  connect(&workspace, &Workspace::documentAdded, this, &FileWatch::track);
  connect(&workspace, &Workspace::documentRemoved, this, &FileWatch::forget);
  connect(&workspace, &Workspace::titleChanged, this, &FileWatch::track);
  connect(&workspace, &Workspace::saveRefused, this, [this](Document* document) { ask(document, true); });
  // Pages watch programs themselves.
  connect(&workspace, &Workspace::fileAdded, this, [this](const FileTab* file) {
    if (file->text() && !workspace_.settings().isInMemory()) locks_.hold(file, file->path());
  });
  connect(&workspace, &Workspace::fileRemoved, this, [this](const FileTab* file) { locks_.release(file); });
}

/// Called when a document was opened, saved or changed.
void FileWatch::track(Document* document) {
  Watched& watched = watched_[document];
  const QString path = document->path();
  if (watched.path != path) {
    if (!watched.path.isEmpty()) {
      watcher_.removePath(watched.path);
      shell_.withdrawMessage(messageKey(watched.path));
    }
    watched = {path, {}, false};
    if (!workspace_.settings().isInMemory()) locks_.hold(document, path);
  }
  if (path.isEmpty()) return;
  // The file in question was overwritten by saving.
  if (watched.isAsked && document->fileGuard()->seen() == FileStamp::of(path)) {
    watched.isAsked = false;
    shell_.withdrawMessage(messageKey(path));
  }
  if (!watcher_.files().contains(path)) watcher_.addPath(path);
}

void FileWatch::forget(Document* document) {
  const auto it = watched_.find(document);
  if (it == watched_.end()) return;
  const QString path = it->second.path;
  watched_.erase(it);
  locks_.release(document);
  const bool others = std::any_of(watched_.begin(), watched_.end(), [&](const auto& w) { return w.second.path == path; });
  if (path.isEmpty() || others) return;
  watcher_.removePath(path);
  shell_.withdrawMessage(messageKey(path));
}

void FileWatch::check() {
  if (workspace_.isBusy()) {  // possibly our own save
    settle_.start();
    return;
  }
  for (auto& [document, watched] : watched_) {
    if (watched.path.isEmpty()) continue;
    // An atomic write replaces the file, so the new one must be watched.
    const FileStamp now = FileStamp::of(watched.path);
    if (now.exists() && !watcher_.files().contains(watched.path)) watcher_.addPath(watched.path);
    if (now == document->fileGuard()->seen() || (watched.isAsked && now == watched.asked)) continue;
    if (workspace_.settings().get(QStringLiteral("file/watch")).toBool()) ask(document, false);
  }
}

/// `refused`: a save was refused.
void FileWatch::ask(Document* document, bool refused) {
  Watched& watched = watched_[document];
  const QString path = document->path();
  watched.isAsked = true;
  watched.asked = FileStamp::of(path);
  const QPointer<Document> guarded(document);
  const auto keeps = [this, guarded] {
    if (guarded) keepMine(guarded);
  };
  if (!watched.asked.exists()) {
    shell_.tell([path, keeps] {
      return Message{Message::Kind::Warning,
                     messageKey(path),
                     tr("%1 was deleted or moved by another program. The graph is still open here.").arg(path),
                     {{tr("Keep mine"), keeps}}};
    });
    return;
  }
  const auto reloads = [this, guarded] {
    if (guarded) reload(guarded);
  };
  const auto compares = [this, guarded] {
    if (guarded) compare(guarded);
  };
  const auto saves = [this, guarded] {
    if (!guarded) return;
    keepMine(guarded);
    workspace_.save(guarded, guarded->path());
  };
  shell_.tell([path, refused, reloads, compares, keeps, saves, modified = document->isModified(), title = document->title()] {
    QString text = modified ? tr("%1 was changed both here and by another program or window.") : tr("%1 was changed by another program or window.");
    if (refused) text = tr("%1 was not saved: another program or window has changed the file since it was opened.");
    Message::Button mine{tr("Keep mine"), keeps};
    if (refused) mine = {tr("Overwrite"), saves};
    return Message{Message::Kind::Warning, messageKey(path), text.arg(title), {{tr("Reload"), reloads}, mine, {tr("Compare"), compares}}};
  });
}

void FileWatch::keepMine(Document* document) {
  Watched& watched = watched_[document];
  if (watched.isAsked) document->fileGuard()->accept(watched.asked);
  watched.isAsked = false;
  settle_.start();  // it may have changed again meanwhile
}

void FileWatch::reload(Document* document, bool asked) {
  const QPointer<Document> old(document);
  // A training continues with the graph that it began with; a debugged run cannot be shown on another graph.
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
      tr("Reloading %1").arg(document->title()), [outcome, path](TaskState& task) { *outcome = openGraphFile(path, task); },
      [this, outcome, old, path, stamp = FileStamp::of(path)] {
        if (!old) return;
        if (!outcome->contents) {  // half written, or no longer a graph: keep the present contents
          workspace_.log().error(outcome->error);
          const auto again = [this, old] {
            if (old) reload(old);
          };
          shell_.tell([path, again, error = outcome->error] { return Message{Message::Kind::Error, messageKey(path), error, {{tr("Try again"), again}}}; });
          return;
        }
        Document* fresh = workspace_.replace(old, outcome->contents);
        fresh->fileGuard()->accept(stamp);
        workspace_.log().info(tr("%1 was reloaded").arg(path));
        emit reloaded(old, fresh);
      });
}

QString FileWatch::differenceText(const GraphDifference& difference) {
  QStringList parts;
  if (!difference.added.isEmpty()) parts << tr("%n node(s) only in the file: %1", nullptr, int(difference.added.size())).arg(someNames(difference.added));
  if (!difference.removed.isEmpty()) parts << tr("%n node(s) only here: %1", nullptr, int(difference.removed.size())).arg(someNames(difference.removed));
  if (!difference.changed.isEmpty()) parts << tr("%n node(s) differ: %1", nullptr, int(difference.changed.size())).arg(someNames(difference.changed));
  if (!difference.renamed.isEmpty()) {
    QStringList pairs;
    for (const auto& [here, there] : difference.renamed) pairs << QStringLiteral("%1 → %2").arg(here, there);
    parts << tr("%n node(s) only have other names: %1", nullptr, int(pairs.size())).arg(someNames(pairs));
  }
  if (parts.isEmpty()) return tr("The graph is the same as in the file.");
  QString text = parts.join(QStringLiteral("; "));
  if (!text.endsWith(u'…')) text += u'.';
  return widgets::joinSentences({text, tr("All are listed in the log.")});
}

QString FileWatch::comparedWith(const Document* document) const {
  const auto at = compared_.find(document);
  return at == compared_.end() ? QString() : at->second;
}

void FileWatch::compare(Document* document, const QString& file) {
  const QPointer<Document> guarded(document);
  const QString path = file.isEmpty() ? document->path() : QFileInfo(file).absoluteFilePath();
  const bool byStructure = workspace_.settings().value(QLatin1String(kMatchByStructure), false).toBool();
  auto outcome = std::make_shared<OpenOutcome>();
  auto difference = std::make_shared<GraphDifference>();
  workspace_.tasks().start(
      tr("Comparing with %1").arg(path),
      [outcome, difference, path, byStructure, mine = document->contents()](TaskState& task) {
        *outcome = openGraphFile(path, task);
        if (outcome->contents) *difference = byStructure ? graphDifferenceByStructure(*mine, *outcome->contents) : graphDifference(*mine, *outcome->contents);
      },
      [this, outcome, difference, guarded, path, byStructure] {
        if (!guarded) return;
        if (!outcome->contents) return shell_.showMessage({Message::Kind::Error, messageKey(path), outcome->error});
        showDifference(guarded, path, *difference, byStructure);
      });
}

void FileWatch::showDifference(Document* document, const QString& path, const GraphDifference& difference, bool byStructure) {
  const QPointer<Document> guarded(document);
  if (!compared_.count(document)) connect(document, &QObject::destroyed, this, [this, document] { compared_.erase(document); });
  compared_[document] = path;
  for (const QString& name : difference.added) workspace_.log().info(tr("%1: only in the file").arg(name));
  for (const QString& name : difference.removed) workspace_.log().info(tr("%1: only in this window").arg(name));
  for (const QString& name : difference.changed) workspace_.log().info(tr("%1: different op, input, attribute or device").arg(name));
  for (const auto& [here, there] : difference.renamed) workspace_.log().info(tr("%1: named %2 in the file").arg(here, there));
  DifferenceMarks* marks = DifferenceMarks::of(document);
  const bool marked = marks && !difference.isEmpty();
  if (marked) marks->show(difference, QFileInfo(path).fileName());
  else if (marks) marks->clear();
  const auto clears = [guarded] {
    if (DifferenceMarks* shown = DifferenceMarks::of(guarded)) shown->clear();
  };
  const auto reloads = [this, guarded] {
    if (guarded) reload(guarded);
  };
  const auto keeps = [this, guarded] {
    if (guarded) keepMine(guarded);
  };
  const auto switches = [this, guarded, path, byStructure] {
    workspace_.settings().setValue(QLatin1String(kMatchByStructure), !byStructure);
    if (guarded) compare(guarded, path);
  };
  const bool own = path == document->path();
  shell_.tell([=, title = document->title(), sentence = [difference] { return differenceText(difference); }] {
    QVector<Message::Button> answers;
    if (marked) answers << Message::Button{tr("Clear marks"), clears};
    if (own) answers << Message::Button{tr("Reload"), reloads} << Message::Button{tr("Keep mine"), keeps};
    if (!difference.isEmpty() || byStructure) answers << Message::Button{byStructure ? tr("Match by names") : tr("Match by structure"), switches};
    return Message{Message::Kind::Note, messageKey(path), title + QStringLiteral(": ") + sentence(), answers};
  });
}

}  // namespace weft::app
