#include "commands/checkpoint_actions.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QPointer>
#include <QWidget>

#include "adapters/checkpoint_edits.h"
#include "adapters/file_match.h"
#include "commands/pending_result.h"
#include "common/discard.h"
#include "common/format.h"
#include "document/checkpoint_graph.h"
#include "document/file_tab.h"
#include "document/name_mapping.h"
#include "document/workspace.h"
#include "main_window/checkpoint_copy_dialog.h"
#include "main_window/name_proposals_dialog.h"
#include "shell/action_registry.h"
#include "shell/file_dialogs.h"
#include "shell/shell.h"

namespace weft::app {
namespace {

struct CheckpointActions {
  Q_DECLARE_TR_FUNCTIONS(CheckpointActions)
};

using Ended = std::function<void(const QString& error)>;

bool isCheckpoint(const FileTab* file) { return file && file->contents()->kind == QLatin1String("checkpoint") && file->tensors(); }

/// Takes an earlier dialog of the kind away, so that there is one at a time.
template <typename Dialog>
void endEarlier(Shell& shell) {
  if (auto* before = shell.window()->findChild<Dialog*>()) {
    before->setParent(nullptr);
    widgets::discard(before);
  }
}

/// Writes a copy of the checkpoint; says where it is, with a button that opens it, and what the numbers lost.
void write(Workspace& workspace, Shell& shell, FileTab& file, const CheckpointCopy& copy, QString prefix, const Ended& ended) {
  if (prefix.endsWith(QLatin1String(".index"))) prefix.chop(6);
  if (const QString wrong = whyNotWritable(prefix, file.path()); !wrong.isEmpty()) return ended(wrong);
  auto error = std::make_shared<QString>();
  auto warnings = std::make_shared<QStringList>();
  const auto say = [&workspace, &shell, prefix, warnings, ended, error] {
    ended(*error);
    if (!error->isEmpty()) return;
    for (const QString& warning : *warnings) workspace.log().warning(warning);
    shell.tell([&workspace, prefix, warnings] {
      const QString index = QFileInfo::exists(prefix + QStringLiteral(".index")) ? prefix + QStringLiteral(".index") : prefix;
      const auto open = [&workspace, index] { workspace.open(index); };
      QStringList text{CheckpointActions::tr("Saved %1").arg(prefix) + u'.'};
      for (const QString& warning : warnings->mid(0, 3)) text << warning + u'.';
      if (warnings->size() > 3) text << CheckpointActions::tr("All warnings are in the log.");
      return Message{warnings->isEmpty() ? Message::Kind::Note : Message::Kind::Warning,
                     QStringLiteral("checkpoint-copy"),
                     widgets::joinSentences(text),
                     {{CheckpointActions::tr("Open"), open}}};
    });
  };
  workspace.tasks().start(
      CheckpointActions::tr("Writing %1").arg(QFileInfo(prefix).fileName()),
      [tensors = file.tensors(), copy, prefix, error, warnings](TaskState& task) { *error = writeCopy(*tensors, copy, prefix, task, warnings.get()); }, say,
      [ended] { ended(CheckpointActions::tr("Writing was cancelled.")); });
}

/// Asks for a name beside the checkpoint, then writes the copy; `dialog` closes once writing has begun.
void askAndWrite(Workspace& workspace, Shell& shell, const QPointer<FileTab>& file, const CheckpointCopy& copy, const QString& suffix,
                 const QPointer<QWidget>& dialog) {
  if (!file) return;
  const QString prefix = askForFileToSave(dialog ? dialog.data() : shell.window(), workspace.settings(), CheckpointActions::tr("Save a checkpoint"),
                                          file->path() + suffix, CheckpointActions::tr("Checkpoints (*)"));
  if (prefix.isEmpty() || !file) return;
  if (const QString wrong = whyNotWritable(prefix, file->path()); !wrong.isEmpty()) return shell.showError(wrong);
  write(workspace, shell, *file, copy, prefix, [&shell](const QString& error) {
    if (!error.isEmpty()) shell.showError(error);
  });
  if (dialog) dialog->close();
}

/// The words of inspect.save-copy after the prefix. Returns an error, or empty.
QString readWords(const QStringList& words, CheckpointCopy* copy) {
  for (const QString& word : words) {
    const QString name = word.section(u'=', 0, 0), value = word.section(u'=', 1);
    if (name == QLatin1String("keep")) copy->keep << value;
    else if (name == QLatin1String("drop")) copy->drop << value;
    else if (name == QLatin1String("type")) copy->type = value;
    else if (name == QLatin1String("rename")) {
      const qsizetype arrow = value.lastIndexOf(QLatin1String("=>"));
      if (arrow < 1) return CheckpointActions::tr("%1 is not of the form rename=PATTERN=>NEW.").arg(word);
      copy->pattern = value.left(arrow);
      copy->replacement = value.mid(arrow + 2);
    } else if (name == QLatin1String("version") || name == QLatin1String("shards")) {
      bool isNumber = false;
      const int number = value.toInt(&isNumber);
      if (!isNumber || number < 1) return CheckpointActions::tr("%1 is not a number of at least 1 (%2).").arg(value, name);
      (name == QLatin1String("version") ? copy->version : copy->shards) = number;
    } else {
      return CheckpointActions::tr("inspect.save-copy does not know %1; it takes keep=, drop=, rename=, type=, version= and shards=.").arg(word);
    }
  }
  return {};
}

/// `inspect.save-copy [PREFIX [WORD…]]`: without words a dialog asks.
CommandResult saveCopy(Workspace& workspace, Shell& shell, const QStringList& words) {
  const QPointer<FileTab> file(workspace.currentFile());
  if (words.isEmpty()) {
    endEarlier<CheckpointCopyDialog>(shell);
    auto* dialog = new CheckpointCopyDialog(file, workspace.tasks(), shell.window());
    QObject::connect(dialog, &CheckpointCopyDialog::saveRequested, dialog, [&workspace, &shell, file, dialog] {
      askAndWrite(workspace, shell, file, dialog->copy(), QStringLiteral("-copy"), QPointer<QWidget>(dialog));
    });
    dialog->show();
    return CommandResult::done();
  }
  CheckpointCopy copy;
  if (const QString error = readWords(words.mid(1), &copy); !error.isEmpty()) return CommandResult::failed(error);
  const PendingResult pending;
  write(workspace, shell, *file, copy, words[0], pending.done());
  return pending.later();
}

/// Takes the proposals as mappings of the checkpoint.
QString take(FileTab& file, const GraphContents& graph, const QMap<QString, QString>& keys) {
  const FileMatchPtr match = matchGraph(graph, *file.tensors());
  return match ? NameMapping::of(file).add(*match, keys) : CheckpointActions::tr("The current tab is not a checkpoint.");
}

void showProposals(Workspace& workspace, Shell& shell, const QPointer<FileTab>& file, const GraphContentsPtr& graph, const QString& title,
                   const NameProposals& proposals) {
  endEarlier<NameProposalsDialog>(shell);
  auto* dialog = new NameProposalsDialog(proposals, file->title(), title, shell.window());
  QObject::connect(file, &QObject::destroyed, dialog, &QDialog::reject);
  QObject::connect(dialog, &QDialog::accepted, dialog, [&shell, file, graph, dialog] {
    if (!file) return;
    const QMap<QString, QString> keys = dialog->mapping();
    if (const QString error = take(*file, *graph, keys); !error.isEmpty()) return shell.showError(error);
    shell.notify(CheckpointActions::tr("%n name(s) mapped", nullptr, int(keys.size())));
  });
  QObject::connect(dialog, &NameProposalsDialog::writeRequested, dialog, [&workspace, &shell, file, dialog] {
    CheckpointCopy copy;
    copy.table = dialog->renames();
    askAndWrite(workspace, shell, file, copy, QStringLiteral("-renamed"), QPointer<QWidget>(dialog));
  });
  dialog->show();
}

/// `inspect.propose-names [PERCENT]`: maps all proposals of at least that confidence; without a number a dialog asks.
CommandResult proposeNames(Workspace& workspace, Shell& shell, const QStringList& words) {
  bool isNumber = true;
  const int percent = words.isEmpty() ? -1 : words[0].toInt(&isNumber);
  if (!isNumber || percent > 100 || (percent < 0 && !words.isEmpty()))
    return CommandResult::failed(CheckpointActions::tr("%1 is not a confidence from 0 to 100.").arg(words.value(0)));
  const PendingResult pending;
  const QPointer<FileTab> file(workspace.currentFile());
  CheckpointGraph& held = CheckpointGraph::of(*file, workspace);
  held.whenRead([&workspace, &shell, file, percent, &held, done = pending.done()] {
    const GraphContentsPtr graph = held.graph();
    if (!graph) return done(held.error().isEmpty() ? CheckpointActions::tr("No graph is open.") : held.error());
    auto found = std::make_shared<NameProposals>();
    const QString title = held.title();
    workspace.tasks().start(
        CheckpointActions::tr("Looking for names like those of %1").arg(title),
        [graph, tensors = file->tensors(), mapped = NameMapping::of(*file).keys(), found](TaskState&) {
          *found = proposedNames(*graph, *tensors);
          const QSet<QString> used(mapped.begin(), mapped.end());
          found->names.removeIf([&](const NameProposal& p) { return mapped.contains(p.variable) || used.contains(p.stored); });
        },
        [&workspace, &shell, file, graph, title, percent, found, done] {
          if (!file) return done(CheckpointActions::tr("The file was closed in the meantime; nothing was saved."));
          if (found->names.isEmpty())
            return done(found->missing == 0
                            ? CheckpointActions::tr("%1 has all names of %2: there is nothing to propose.").arg(file->title(), title)
                            : CheckpointActions::tr("No other names were found in %1 for the %n missing variable(s) of %2.", nullptr, found->missing)
                                  .arg(file->title(), title));
          if (percent < 0) {
            showProposals(workspace, shell, file, graph, title, *found);
            return done({});
          }
          QMap<QString, QString> keys;
          for (const NameProposal& p : std::as_const(found->names))
            if (p.percent >= percent) keys.insert(p.variable, p.stored);
          if (keys.isEmpty()) return done(CheckpointActions::tr("No proposal has a confidence of %1 %.").arg(percent));
          done(take(*file, *graph, keys));
        },
        [done] { done(CheckpointActions::tr("The comparison was cancelled.")); });
  });
  return pending.later();
}

}  // namespace

void registerCheckpointActions(ActionRegistry& registry, Workspace& workspace, Shell& shell) {
  const auto needsCheckpoint = [&workspace] {
    return isCheckpoint(workspace.currentFile()) ? QString() : CheckpointActions::tr("The current tab is not a checkpoint.");
  };
  registry.add(
      {QStringLiteral("inspect.save-copy"),
       QT_TRANSLATE_NOOP("Actions", "Save a copy of this checkpoint…"),
       QT_TRANSLATE_NOOP("Actions", "Writes chosen variables of the current checkpoint under other names, in another type, version or number of files"),
       {},
       QStringLiteral("save"),
       "[PREFIX [keep=PATTERN] [drop=PATTERN] [rename=PATTERN=>NEW] [type=TYPE] [version=1|2] [shards=N]]",
       [&](const QStringList& a) { return saveCopy(workspace, shell, a); },
       needsCheckpoint,
       {},
       false,
       "Actions",
       QT_TRANSLATE_NOOP("Actions", "Rarely needed: the button is above the page of a checkpoint")});
  registry.add({QStringLiteral("inspect.propose-names"),
                QT_TRANSLATE_NOOP("Actions", "Propose names…"),
                QT_TRANSLATE_NOOP("Actions", "Lists keys of the checkpoint that are probably values of missing variables, with confidence and reason"),
                {},
                QStringLiteral("search"),
                "[PERCENT]",
                [&](const QStringList& a) { return proposeNames(workspace, shell, a); },
                [&workspace] {
                  FileTab* file = workspace.currentFile();
                  if (!isCheckpoint(file)) return CheckpointActions::tr("The current tab is not a checkpoint.");
                  return workspace.current() || !CheckpointGraph::metaOf(*file).isEmpty() || CheckpointGraph::of(*file, workspace).graph()
                             ? QString()
                             : CheckpointActions::tr("No graph is open.");
                },
                {},
                false,
                "Actions",
                QT_TRANSLATE_NOOP("Actions", "Rarely needed: the button is below the names in the Files dock")});
  registry.add({QStringLiteral("inspect.undo-map"),
                QT_TRANSLATE_NOOP("Actions", "Undo the mapping"),
                QT_TRANSLATE_NOOP("Actions", "Takes back the last change to the names that are mapped to variables of the graph"),
                {},
                QStringLiteral("undo"),
                "",
                [&workspace](const QStringList&) {
                  NameMapping::of(*workspace.currentFile()).undo();
                  return CommandResult::done();
                },
                [&workspace] {
                  FileTab* file = workspace.currentFile();
                  if (!isCheckpoint(file)) return CheckpointActions::tr("The current tab is not a checkpoint.");
                  return NameMapping::of(*file).canUndo() ? QString() : CheckpointActions::tr("No name has been mapped.");
                },
                {},
                false,
                "Actions",
                QT_TRANSLATE_NOOP("Actions", "Rarely needed: the button is below the names in the Files dock")});
}

}  // namespace weft::app
