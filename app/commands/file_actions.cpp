#include <QAbstractButton>
#include <QApplication>
#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QMessageBox>
#include <QPointer>
#include <QStandardPaths>
#include <memory>

#include "adapters/document_version.h"
#include "adapters/file_kinds.h"
#include "adapters/graph_files.h"
#include "commands/actions.h"
#include "commands/pending_result.h"
#include "document/activity.h"
#include "document/document.h"
#include "document/file_tab.h"
#include "document/text_buffer.h"
#include "document/workspace.h"
#include "main_window/running_dialog.h"
#include "main_window/unsaved_dialog.h"
#include "shell/action_registry.h"
#include "shell/all_actions.h"
#include "shell/file_dialogs.h"
#include "shell/shell.h"

namespace weft::app {
namespace {

struct FileActions {
  Q_DECLARE_TR_FUNCTIONS(FileActions)
};

QString saveFilters() {
  return FileActions::tr("Graphs (*.weft *.weft.pbtxt *.meta *.pb *.pbtxt)") + QStringLiteral(";;") + FileActions::tr("Weft documents (*.weft *.weft.pbtxt)") +
         QStringLiteral(";;") + FileActions::tr("MetaGraphDef (*.meta)") + QStringLiteral(";;") + FileActions::tr("GraphDef (*.pb *.pbtxt)") +
         QStringLiteral(";;") + FileActions::tr("All files (*)");
}

QString openFilters() {
  return FileActions::tr("All files (*)") + QStringLiteral(";;") + FileActions::tr("Graphs (*.weft *.weft.pbtxt *.meta *.pb *.pbtxt)") + QStringLiteral(";;") +
         FileActions::tr("Checkpoints (*.index *.ckpt checkpoint *.data-*)") + QStringLiteral(";;") +
         FileActions::tr("Records and events (*.tfrecord* *tfevents*)") + QStringLiteral(";;") +
         FileActions::tr("Arrays, pictures and sounds (%1)").arg(arrayPatterns().join(u' ')) + QStringLiteral(";;") +
         FileActions::tr("Models of other formats (%1)").arg(modelPatterns().join(u' ')) + QStringLiteral(";;") + FileActions::tr("Python programs (*.py)");
}

QString lastFolder(Workspace& workspace) { return workspace.settings().value(QStringLiteral("file/folder")).toString(); }
void rememberFolder(Workspace& workspace, const QString& path) { workspace.settings().setValue(QStringLiteral("file/folder"), QFileInfo(path).absolutePath()); }

CommandResult newDocument(Workspace& workspace, Shell& shell, const QStringList& arguments) {
  if (arguments.isEmpty()) {
    shell.showStartPage();
    return CommandResult::done();
  }
  const PendingResult pending;
  workspace.newFromTemplate(arguments[0], [done = pending.done(), &shell, empty = arguments[0] == QLatin1String("empty")](const QString& error) {
    if (empty && error.isEmpty()) shell.useLayout(QStringLiteral("compose"));  // there is nothing to train yet
    done(error);
  });
  return pending.later();
}

CommandResult open(Workspace& workspace, Shell& shell, const QStringList& paths) {
  if (paths.isEmpty()) {
    askForFiles(shell.window(), workspace.settings(), FileActions::tr("Open a file"), lastFolder(workspace), openFilters(),
                [&workspace](const QStringList& chosen) {
                  rememberFolder(workspace, chosen.first());
                  for (const QString& path : chosen) workspace.open(path);
                });
    return CommandResult::done();
  }
  rememberFolder(workspace, paths.first());
  const PendingResult pending;
  for (const QString& path : paths) workspace.open(path, path == paths.last() ? pending.done() : Workspace::Done());
  return pending.later();
}

QString askForPath(Workspace& workspace, Shell& shell, const Document* document) {
  QString folder = lastFolder(workspace);
  if (folder.isEmpty()) folder = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
  if (!QFileInfo(folder).isDir()) folder = QDir::homePath();
  const QString suggestion = document->path().isEmpty() ? QDir(folder).filePath(document->title()) : document->path();
  QString path = askForFileToSave(shell.window(), workspace.settings(), FileActions::tr("Save the graph"), suggestion, saveFilters());
  if (path.isEmpty()) return {};
  if (QFileInfo(path).suffix().isEmpty()) path += QStringLiteral(".weft");
  rememberFolder(workspace, path);
  return path;
}

/// `[PATH] [--overwrite]`; the latter overwrites changes that others made to the file since it was read.
CommandResult save(Workspace& workspace, Shell& shell, QStringList arguments, bool ask) {
  const bool overwrite = arguments.removeAll(QStringLiteral("--overwrite")) > 0;
  if (FileTab* file = workspace.currentFile()) {
    if (!arguments.isEmpty() && QFileInfo(arguments[0]) != QFileInfo(file->path()))
      return CommandResult::failed(FileActions::tr("A program is saved under its own name, %1.").arg(file->path()));
    const QString error = saveText(workspace, *file, overwrite);
    return error.isEmpty() ? CommandResult::done() : CommandResult::failed(error);
  }
  const QPointer<Document> document(workspace.current());
  QString path = arguments.value(0);
  if (path.isEmpty() && !ask) path = document->path();
  if (path.isEmpty()) {
    path = askForPath(workspace, shell, document);
    if (path.isEmpty()) return CommandResult::done();
    if (!document)
      return CommandResult::failed(FileActions::tr("The graph was closed in the meantime; nothing was saved."));  // or replaced by the program that owns it
  }
  const QString newer = path == document->path() ? newerVersionText(*document->contents(), document->title()) : QString();
  if (!newer.isEmpty()) return CommandResult::failed(newer);
  const PendingResult pending;
  workspace.save(document, path, pending.done(), overwrite);
  return pending.later();
}

/// Whether closing it would lose work. An unchanged graph from a template can be made again.
bool hasUnsavedWork(const Document* document) { return document->isModified() && (!document->path().isEmpty() || document->history().index() > 0); }

/// Saves the documents one after another, asking for missing names, then calls `then`; stops if one cannot be saved.
void saveAll(Workspace& workspace, Shell& shell, QVector<QPointer<Document>> documents, std::function<void()> then) {
  if (documents.isEmpty()) return then();
  const QPointer<Document> document(documents.takeFirst());
  const auto next = [&workspace, &shell, documents, then](const QString& error) {
    if (error.isEmpty()) saveAll(workspace, shell, documents, then);
  };
  if (!document) return next({});
  QString path = document->path();
  if (path.isEmpty() || !newerVersionText(*document->contents(), document->title()).isEmpty()) path = askForPath(workspace, shell, document);
  if (!path.isEmpty() && document) workspace.save(document, path, next);
}

/// Asks what to do with unsaved documents; a script is asked only on request.
void askAboutUnsaved(Workspace& workspace, Shell& shell, const QVector<Document*>& documents, std::function<void()> go, bool evenInScript = false) {
  QVector<Document*> unsaved;
  for (Document* document : documents) {
    if (hasUnsavedWork(document)) unsaved << document;
  }
  if (unsaved.isEmpty() || (workspace.settings().isInMemory() && !evenInScript)) return go();
  auto* dialog = new UnsavedDialog(unsaved, shell.window());
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setModal(true);
  QObject::connect(dialog, &QDialog::accepted, shell.window(), [&workspace, &shell, dialog, go] {
    if (dialog->answer() == UnsavedDialog::Answer::Save) saveAll(workspace, shell, dialog->chosen(), go);
    else go();
  });
  dialog->open();
}

/// Asks about each program with unsaved changes in turn, then calls `go` unless the user cancels.
void askAboutTexts(Workspace& workspace, Shell& shell, QVector<QPointer<FileTab>> files, std::function<void()> go) {
  files.removeIf([](const QPointer<FileTab>& f) { return !f || !f->text() || !f->text()->isModified(); });
  if (files.isEmpty()) return go();
  const QPointer<FileTab> file = files.takeFirst();
  auto* dialog =
      new QMessageBox(QMessageBox::NoIcon, FileActions::tr("Unsaved work"), FileActions::tr("%1 has unsaved changes.").arg(QFileInfo(file->path()).fileName()),
                      QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, shell.window());
  dialog->setObjectName(QStringLiteral("unsaved_text_dialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setDefaultButton(QMessageBox::Save);
  QObject::connect(dialog, &QMessageBox::buttonClicked, shell.window(), [&workspace, &shell, dialog, file, files, go](QAbstractButton* button) {
    const QMessageBox::StandardButton answer = dialog->standardButton(button);
    if (answer == QMessageBox::Cancel) return;
    if (answer == QMessageBox::Save && file) {
      const QString error = saveText(workspace, *file);
      if (!error.isEmpty()) return shell.showError(error);
    }
    askAboutTexts(workspace, shell, files, go);
  });
  dialog->open();
}

/// Asks what to do with running work, then calls `go`; not if it was cancelled.
void askAboutRunning(Workspace& workspace, Shell& shell, const Document* document, RunningDialog::Reason reason, std::function<void(bool keepTraining)> go) {
  const QVector<Activity> activities = activitiesOf(workspace, document);
  if (activities.isEmpty()) return go(false);
  auto* dialog = new RunningDialog(activities, reason, shell.window());
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setModal(true);
  QObject::connect(dialog, &QDialog::accepted, shell.window(), [dialog, go] { go(dialog->answer() == RunningDialog::Answer::Keep); });
  dialog->open();
}

/// `[ask] [--force]`. A script is not asked: it passes --force, or stops running work first.
CommandResult close(Workspace& workspace, Shell& shell, const QStringList& words) {
  for (const QString& word : words)
    if (word != QLatin1String("ask") && word != QLatin1String("--force"))
      return CommandResult::failed(FileActions::tr("file.close takes --force, not %1.").arg(word));
  if (FileTab* file = workspace.currentFile()) {
    const bool asks = !words.contains(QStringLiteral("--force")) && (!workspace.settings().isInMemory() || words.contains(QStringLiteral("ask")));
    if (asks) {
      askAboutTexts(workspace, shell, {file}, [&workspace, guard = QPointer<FileTab>(file)] {
        if (guard) workspace.closeFile(guard);
      });
    } else {
      workspace.closeFile(file);
    }
    return CommandResult::done();
  }
  const QPointer<Document> document(workspace.current());
  if (words.contains(QStringLiteral("--force"))) {
    workspace.close(document);
    return CommandResult::done();
  }
  const bool ask = words.contains(QStringLiteral("ask")), scripted = workspace.settings().isInMemory() && !ask;
  if (scripted) {
    for (const Activity& activity : activitiesOf(workspace, document))
      if (activity.kind == Activity::Kind::Training)
        return CommandResult::failed(
            FileActions::tr("%1: %2 Stop it first (run.stop), or force it: file.close --force.").arg(document->title(), activity.text));
    workspace.close(document);
    return CommandResult::done();
  }
  // Ask about running work first: a user who continues training has not decided to discard anything.
  askAboutRunning(workspace, shell, document, RunningDialog::Reason::Close, [&workspace, &shell, document, ask](bool keepTraining) {
    if (!document) return;
    askAboutUnsaved(
        workspace, shell, {document},
        [&workspace, document, keepTraining] {
          if (document) workspace.close(document, keepTraining);
        },
        ask);
  });
  return CommandResult::done();
}

}  // namespace

void registerFileActions(ActionRegistry& registry, Workspace& workspace, Shell& shell) {
  const auto needsDocument = [&workspace] {
    return workspace.currentFile() ? FileActions::tr("This file is read-only here.") : workspace.current() ? QString() : FileActions::tr("No graph is open.");
  };
  const auto needsTab = [&workspace] { return workspace.currentFile() || workspace.current() ? QString() : FileActions::tr("Nothing is open."); };
  registry.add({QStringLiteral("file.new"), QT_TRANSLATE_NOOP("Actions", "&New from template…"),
                QT_TRANSLATE_NOOP("Actions", "Starts from one of the built-in graphs"), QStringLiteral("Ctrl+N"), QStringLiteral("new"), "[TEMPLATE]",
                [&](const QStringList& a) { return newDocument(workspace, shell, a); }});
  registry.add({QStringLiteral("file.new-empty"), QT_TRANSLATE_NOOP("Actions", "New &graph"), QT_TRANSLATE_NOOP("Actions", "An empty graph"),
                QStringLiteral("Ctrl+Shift+N"), QStringLiteral("plus"), "",
                [&](const QStringList&) { return newDocument(workspace, shell, {QStringLiteral("empty")}); }});
  registry.add(
      {QStringLiteral("file.open"), QT_TRANSLATE_NOOP("Actions", "&Open…"),
       QT_TRANSLATE_NOOP("Actions", "Opens graphs, checkpoints, SavedModels, records, event files and arrays; the format is detected from the content"),
       QStringLiteral("Ctrl+O"), QStringLiteral("open"), "PATH", [&](const QStringList& a) { return open(workspace, shell, a); }});
  const auto needsDocumentOrText = [&workspace, needsDocument] {
    return workspace.currentFile() && workspace.currentFile()->text() ? QString() : needsDocument();
  };
  registry.add({QStringLiteral("file.save"), QT_TRANSLATE_NOOP("Actions", "&Save"),
                QT_TRANSLATE_NOOP("Actions", "Saves the graph; the file extension selects the format"), QStringLiteral("Ctrl+S"), QStringLiteral("save"),
                "[PATH] [--overwrite]", [&](const QStringList& a) { return save(workspace, shell, a, false); }, needsDocumentOrText});
  registry.add({QStringLiteral("file.save-as"),
                QT_TRANSLATE_NOOP("Actions", "Save &as…"),
                QT_TRANSLATE_NOOP("Actions", "Saves the graph under another name or in another format"),
                QStringLiteral("Ctrl+Shift+S"),
                {},
                "PATH",
                [&](const QStringList& a) { return save(workspace, shell, a, true); },
                needsDocument});
  registry.add({QStringLiteral("file.close"),
                QT_TRANSLATE_NOOP("Actions", "&Close"),
                QT_TRANSLATE_NOOP("Actions", "Closes this tab"),
                QStringLiteral("Ctrl+W"),
                {},
                "[ask|--force]",
                [&](const QStringList& a) { return close(workspace, shell, a); },
                needsTab});
  registry.add({QStringLiteral("file.quit"),
                QT_TRANSLATE_NOOP("Actions", "&Quit"),
                QT_TRANSLATE_NOOP("Actions", "Quits Weft"),
                QStringLiteral("Ctrl+Q"),
                {},
                "",
                [&](const QStringList&) {
                  shell.window()->close();
                  return CommandResult::done();
                }});
}

void confirmQuit(Workspace& workspace, Shell& shell, std::function<void()> go) {
  if (shell.window()->findChild<RunningDialog*>() || shell.window()->findChild<UnsavedDialog*>() ||
      shell.window()->findChild<QMessageBox*>(QStringLiteral("unsaved_text_dialog")))
    return;  // the question is already on screen
  QVector<QPointer<FileTab>> texts;
  for (FileTab* file : workspace.files()) texts << file;
  askAboutUnsaved(workspace, shell, workspace.documents(), [&workspace, &shell, texts, go] {
    askAboutTexts(workspace, shell, texts,
                  [&workspace, &shell, go] { askAboutRunning(workspace, shell, nullptr, RunningDialog::Reason::Quit, [go](bool) { go(); }); });
  });
}

}  // namespace weft::app
