#include <QClipboard>
#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QGuiApplication>
#include <QInputDialog>
#include <QPointer>
#include <QWidget>
#include <algorithm>
#include <memory>

#include "adapters/event_graph.h"
#include "adapters/file_match.h"
#include "adapters/record_writer.h"
#include "commands/actions.h"
#include "commands/checkpoint_actions.h"
#include "commands/event_actions.h"
#include "commands/pending_result.h"
#include "document/checkpoint_graph.h"
#include "document/document.h"
#include "document/file_tab.h"
#include "document/front.h"
#include "document/name_mapping.h"
#include "document/workspace.h"
#include "shell/action_registry.h"
#include "shell/file_dialogs.h"
#include "shell/shell.h"

namespace weft::app {
namespace {

struct InspectActions {
  Q_DECLARE_TR_FUNCTIONS(InspectActions)
};

/// The error if the file was closed while the dialog asked for a name, because the window is not blocked.
QString closedMeanwhile() { return InspectActions::tr("The file was closed in the meantime; nothing was saved."); }
QString folderOfFile(const Workspace& workspace) { return workspace.currentFile() ? QFileInfo(workspace.currentFile()->path()).path() : QString(); }

/// `inspect.compare [A] B`: opens A if given, then compares the file in front with B.
CommandResult compare(Workspace& workspace, Shell& shell, ActionRegistry& registry, const QStringList& arguments) {
  const QString other = arguments.value(arguments.size() - 1);
  if (other.isEmpty()) {
    askForFile(shell.window(), workspace.settings(), InspectActions::tr("Compare with"), folderOfFile(workspace),
               InspectActions::tr("All files (*)") + QStringLiteral(";;") + InspectActions::tr("Checkpoints (*.index *.ckpt checkpoint)"),
               [&registry](const QString& path) { registry.runChosen(QStringLiteral("inspect.compare"), {path}); });
    return CommandResult::done();
  }
  const PendingResult pending;
  const auto start = [&workspace, other, done = pending.done()](const QString& error) {
    FileTab* file = workspace.currentFile();
    if (!error.isEmpty()) return done(error);
    if (!file) return done(InspectActions::tr("The current tab is not a checkpoint or array file."));
    file->compareWith(other, done);
  };
  if (arguments.size() > 1) workspace.open(arguments[0], start);
  else start({});
  return pending.later();
}

/// `inspect.export PATH [NAME]`: the tensor NAME, or the selected one.
CommandResult exportTensor(Workspace& workspace, Shell& shell, const QStringList& arguments) {
  const QPointer<FileTab> file(workspace.currentFile());
  int index = file->selection();
  if (arguments.size() > 1) {
    index = file->tensors()->indexOf(arguments[1]);
    if (index < 0) return CommandResult::failed(InspectActions::tr("%1 contains no %2.").arg(file->title(), arguments[1]));
  }
  if (index < 0) return CommandResult::failed(InspectActions::tr("Select a variable first."));
  QString path = arguments.value(0);
  if (path.isEmpty()) {
    QString name = file->tensors()->entries()[index].name;
    path = askForFileToSave(shell.window(), workspace.settings(), InspectActions::tr("Save the values"),
                            folderOfFile(workspace) + u'/' + name.replace(u'/', u'_') + QStringLiteral(".npy"),
                            InspectActions::tr("NumPy array (*.npy)") + QStringLiteral(";;") + InspectActions::tr("Text, one row per line (*.csv)"));
    if (path.isEmpty()) return CommandResult::done();
    if (!file) return CommandResult::failed(closedMeanwhile());
  }
  if (!path.endsWith(QLatin1String(".npy")) && !path.endsWith(QLatin1String(".csv")))
    return CommandResult::failed(InspectActions::tr("%1: expected a file name ending in .npy or .csv.").arg(path));
  auto error = std::make_shared<QString>();
  const PendingResult pending;
  workspace.tasks().start(
      InspectActions::tr("Saving %1").arg(QFileInfo(path).fileName()),
      [tensors = file->tensors(), index, path, error](TaskState&) {
        const TensorRead read = tensors->read(index);
        *error = read.data ? read.data->exportTo(path) : read.error;
      },
      [error, done = pending.done()] { done(*error); }, [done = pending.done()] { done(InspectActions::tr("Saving was cancelled.")); });
  return pending.later();
}

/// Calls `then` with the graph that the checkpoint in front is compared with, once that is read; `done` gets the error if it cannot be read.
void withGraph(Workspace& workspace, const std::function<void(const QString&)>& done, const std::function<void(GraphContentsPtr)>& then) {
  CheckpointGraph& held = CheckpointGraph::of(*workspace.currentFile(), workspace);
  held.whenRead(
      [&held, done, then] { held.graph() ? then(held.graph()) : done(held.error().isEmpty() ? InspectActions::tr("No graph is open.") : held.error()); });
}

/// `inspect.against [GRAPH]`: a file, or the title of an open document; default: the checkpoint's own .meta, or the open graph.
CommandResult chooseComparedGraph(Workspace& workspace, const QStringList& arguments) {
  CheckpointGraph& held = CheckpointGraph::of(*workspace.currentFile(), workspace);
  const QString wanted = arguments.value(0);
  const auto open = std::find_if(workspace.documents().begin(), workspace.documents().end(),
                                 [&](const Document* d) { return d->title() == wanted || (!d->path().isEmpty() && d->path() == wanted); });
  if (wanted.isEmpty()) held.compareWithDefault();
  else if (open != workspace.documents().end()) held.compareWith(*open);
  else if (QFileInfo(wanted).isFile()) held.compareWithFile(wanted);
  else return CommandResult::failed(InspectActions::tr("%1 is neither a file nor an open graph.").arg(wanted));
  const PendingResult pending;
  held.whenRead([&held, done = pending.done()] { done(held.error()); });
  return pending.later();
}

/// `inspect.freeze [OUTPUT…]`: opens the graph of the checkpoint in front as a separate document and freezes it; without outputs it asks for one.
CommandResult freeze(Workspace& workspace, Shell& shell, ActionRegistry& registry, const QStringList& outputs) {
  const PendingResult pending;
  const QString prefix = workspace.currentFile()->path(), title = workspace.currentFile()->title();
  withGraph(workspace, pending.done(), [&workspace, &shell, &registry, outputs, prefix, title, done = pending.done()](const GraphContentsPtr& graph) {
    const auto start = [&workspace, &registry, graph, prefix, title, done](const QStringList& chosen) {
      workspace.add(new Document(graph, {}, title + QStringLiteral("-frozen.pb"), &workspace));
      const CommandResult frozen = registry.run(QStringLiteral("graph.freeze"), chosen + QStringList{QStringLiteral("--restore"), prefix});
      done(frozen.message);
    };
    if (!outputs.isEmpty()) return start(outputs);
    auto* dialog = new QInputDialog(shell.window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(InspectActions::tr("Freeze %1").arg(title));
    dialog->setLabelText(InspectActions::tr("Outputs to keep, separated by spaces:"));
    dialog->setComboBoxItems(likelyOutputs(*graph));
    dialog->setComboBoxEditable(true);
    QObject::connect(dialog, &QInputDialog::textValueSelected, &registry, [start](const QString& text) { start(text.split(u' ', Qt::SkipEmptyParts)); });
    dialog->open();
    done({});
  });
  return pending.later();
}

/// Puts a Saver's dictionary for the graph and checkpoint in front on the clipboard.
CommandResult copySaver(Workspace& workspace) {
  auto program = std::make_shared<QString>();
  const PendingResult pending;
  withGraph(workspace, pending.done(), [&workspace, program, pending](const GraphContentsPtr& graph) {
    workspace.tasks().start(
        InspectActions::tr("Matching names"),
        [graph, tensors = workspace.currentFile()->tensors(), prefix = workspace.currentFile()->path(), keys = NameMapping::of(*workspace.currentFile()).keys(),
         program](TaskState&) {
          if (const FileMatchPtr match = matchGraph(*graph, *tensors)) *program = saverProgram(*match, prefix, keys);
        },
        [program, done = pending.done()] {
          QGuiApplication::clipboard()->setText(*program);
          done({});
        },
        [done = pending.done()] { done(InspectActions::tr("The comparison was cancelled.")); });
  });
  return pending.later();
}

/// `inspect.map VARIABLE KEY|none`
CommandResult mapName(Workspace& workspace, const QStringList& arguments) {
  if (arguments.size() != 2)
    return CommandResult::failed(InspectActions::tr("inspect.map takes a variable of the graph and a key of the checkpoint, or none."));
  const PendingResult pending;
  withGraph(workspace, pending.done(), [file = workspace.currentFile(), arguments, done = pending.done()](const GraphContentsPtr& graph) {
    const FileMatchPtr match = matchGraph(*graph, *file->tensors());
    if (!match) return done(InspectActions::tr("The current tab is not a checkpoint."));
    done(NameMapping::of(*file).set(*match, arguments[0], arguments[1] == QLatin1String("none") ? QString() : arguments[1]));
  });
  return pending.later();
}

/// `inspect.write-mapped [PREFIX]`
CommandResult writeForGraph(Workspace& workspace, Shell& shell, const QStringList& arguments) {
  const QPointer<FileTab> file(workspace.currentFile());
  QString prefix = arguments.value(0);
  if (prefix.isEmpty()) {
    prefix = askForFileToSave(shell.window(), workspace.settings(), InspectActions::tr("Write a checkpoint for this graph"),
                              file->path() + QStringLiteral("-mapped"), InspectActions::tr("Checkpoints (*)"));
    if (prefix.isEmpty()) return CommandResult::done();
    if (!file || file != workspace.currentFile()) return CommandResult::failed(closedMeanwhile());
  }
  if (prefix.endsWith(QLatin1String(".index"))) prefix.chop(6);
  if (QFileInfo(prefix).absoluteFilePath() == QFileInfo(file->path()).absoluteFilePath())
    return CommandResult::failed(InspectActions::tr("%1 is the checkpoint being read; choose another name.").arg(prefix));
  auto error = std::make_shared<QString>();
  const PendingResult pending;
  withGraph(workspace, pending.done(), [&workspace, &shell, file, error, prefix, pending](const GraphContentsPtr& graph) {
    if (!file || file != workspace.currentFile()) return pending.done()(closedMeanwhile());
    workspace.tasks().start(
        InspectActions::tr("Writing %1").arg(QFileInfo(prefix).fileName()),
        [graph, tensors = file->tensors(), keys = NameMapping::of(*workspace.currentFile()).keys(), prefix, error](TaskState& task) {
          const FileMatchPtr match = matchGraph(*graph, *tensors);
          *error = match ? writeMapped(*match, *tensors, keys, prefix, task) : QString();
        },
        [error, prefix, &shell, done = pending.done()] {
          if (error->isEmpty()) shell.notify(InspectActions::tr("Saved %1").arg(prefix));
          done(*error);
        },
        [done = pending.done()] { done(InspectActions::tr("Writing was cancelled.")); });
  });
  return pending.later();
}

/// Computes the statistics of all tensors; complete once they are known.
CommandResult statistics(Workspace& workspace) {
  QPointer<FileTab> file = workspace.currentFile();
  file->computeFacts();
  return CommandResult::when([file]() -> std::optional<CommandResult> {
    if (!file || !file->isComputingFacts()) return CommandResult::done();
    return std::nullopt;
  });
}

}  // namespace

void registerInspectActions(ActionRegistry& registry, Workspace& workspace, Shell& shell) {
  const auto needsTensors = [&workspace] {
    const FileTab* file = workspace.currentFile();
    return file && file->tensors() ? QString() : InspectActions::tr("The current tab is not a checkpoint or array file.");
  };
  const auto needsBoth = [&workspace] {
    const FileTab* file = workspace.currentFile();
    if (!file || file->contents()->kind != QLatin1String("checkpoint") || !file->tensors()) return InspectActions::tr("The current tab is not a checkpoint.");
    return workspace.current() || !CheckpointGraph::metaOf(*file).isEmpty() || CheckpointGraph::of(*workspace.currentFile(), workspace).graph()
               ? QString()
               : InspectActions::tr("No graph is open.");
  };
  const auto needsModel = [&workspace] { return workspace.currentModel() ? QString() : InspectActions::tr("The current tab is not a SavedModel."); };
  registry.add({QStringLiteral("inspect.compare"),
                QT_TRANSLATE_NOOP("Actions", "&Compare with…"),
                QT_TRANSLATE_NOOP("Actions", "Compares the variables of this file with another file"),
                QStringLiteral("Ctrl+Shift+D"),
                {},
                "[FILE] OTHER",
                [&](const QStringList& a) { return compare(workspace, shell, registry, a); }});
  registry.add({QStringLiteral("inspect.statistics"),
                QT_TRANSLATE_NOOP("Actions", "&Statistics"),
                QT_TRANSLATE_NOOP("Actions", "Computes min, max and mean of all variables in this file"),
                {},
                {},
                "",
                [&](const QStringList&) { return statistics(workspace); },
                needsTensors,
                {},
                false,
                "Actions",
                QT_TRANSLATE_NOOP("Actions", "Rarely needed: runs automatically except for huge files")});
  registry.add({QStringLiteral("inspect.export"), QT_TRANSLATE_NOOP("Actions", "&Export values…"),
                QT_TRANSLATE_NOOP("Actions", "Saves the selected variable as .npy or .csv"), QStringLiteral("Ctrl+E"), QStringLiteral("export"),
                "[PATH [NAME]]", [&](const QStringList& a) { return exportTensor(workspace, shell, a); }, needsTensors});
  registry.add({QStringLiteral("inspect.open-graph"),
                QT_TRANSLATE_NOOP("Actions", "Open the &graph of this model"),
                QT_TRANSLATE_NOOP("Actions", "Shows a graph of the current SavedModel on the canvas"),
                {},
                QStringLiteral("graph"),
                "[NUMBER]",
                [&workspace](const QStringList& a) {
                  const PendingResult pending;
                  const auto model = workspace.currentModel();
                  bool isNumber = a.isEmpty();
                  const int number = a.isEmpty() ? mainGraphOf(*model) : a[0].toInt(&isNumber);
                  const int graphs = int(graphsOfModel(*model).size());
                  if (!isNumber || number < 0 || number >= graphs)
                    return CommandResult::failed(
                        InspectActions::tr("This model has %n graph(s), numbered from 0; there is no %1.", nullptr, graphs).arg(a.value(0)));
                  workspace.openModelGraph(model, number, pending.done());
                  return pending.later();
                },
                needsModel});
  registry.add({QStringLiteral("inspect.show-model"),
                QT_TRANSLATE_NOOP("Actions", "Show &model contents"),
                QT_TRANSLATE_NOOP("Actions", "Shows graphs, signatures, variables and assets of the SavedModel on a page of its own"),
                {},
                QStringLiteral("file"),
                "",
                [&workspace](const QStringList&) {
                  workspace.openModelPage(workspace.currentModel());
                  return CommandResult::done();
                },
                needsModel});
  registry.add({QStringLiteral("inspect.open-variables"),
                QT_TRANSLATE_NOOP("Actions", "Open the &variables of this model"),
                QT_TRANSLATE_NOOP("Actions", "Shows the checkpoint inside the current SavedModel"),
                {},
                QStringLiteral("file"),
                "",
                [&workspace](const QStringList&) {
                  const PendingResult pending;
                  workspace.open(variablesOf(*workspace.currentModel()), pending.done());
                  return pending.later();
                },
                [&workspace] {
                  const auto model = workspace.currentModel();
                  return model && !variablesOf(*model).isEmpty() ? QString() : InspectActions::tr("The current tab is not a SavedModel with variables.");
                }});
  const auto needsCheckpoint = [&workspace] {
    const FileTab* file = workspace.currentFile();
    return file && file->contents()->kind == QLatin1String("checkpoint") && file->tensors() ? QString()
                                                                                            : InspectActions::tr("The current tab is not a checkpoint.");
  };
  registry.add({QStringLiteral("inspect.against"),
                QT_TRANSLATE_NOOP("Actions", "Matc&h checkpoint with graph"),
                QT_TRANSLATE_NOOP("Actions", "Sets the graph to match with the current checkpoint: an open one or a file; by default its own .meta"),
                {},
                {},
                "[GRAPH]",
                [&workspace](const QStringList& a) { return chooseComparedGraph(workspace, a); },
                needsCheckpoint,
                {},
                false,
                "Actions",
                QT_TRANSLATE_NOOP("Actions", "Rarely needed: the list is above the variables in the Files dock")});
  registry.add({QStringLiteral("inspect.freeze"),
                QT_TRANSLATE_NOOP("Actions", "&Freeze this checkpoint…"),
                QT_TRANSLATE_NOOP("Actions", "Opens the graph of the current checkpoint with its variables replaced by constants"),
                {},
                QStringLiteral("export"),
                "[OUTPUT…]",
                [&](const QStringList& a) { return freeze(workspace, shell, registry, a); },
                needsBoth,
                {},
                false,
                "Actions",
                QT_TRANSLATE_NOOP("Actions", "Rarely needed: the button is above the page of a checkpoint")});
  registerEventActions(registry, workspace);
  registerCheckpointActions(registry, workspace, shell);
  registry.add(
      {QStringLiteral("inspect.copy-saver"),
       QT_TRANSLATE_NOOP("Actions", "Copy a Sa&ver for this checkpoint"),
       QT_TRANSLATE_NOOP("Actions",
                         "Copies Python code for a tf.train.Saver that maps the checkpoint's names to the graph's variables; unmatched names are guessed"),
       {},
       QStringLiteral("copy"),
       "",
       [&workspace](const QStringList&) { return copySaver(workspace); },
       needsBoth});
  registry.add({QStringLiteral("inspect.map"),
                QT_TRANSLATE_NOOP("Actions", "&Map a key to a variable"),
                QT_TRANSLATE_NOOP("Actions", "Maps a key of the current checkpoint to a variable of the graph; none removes the mapping"),
                {},
                {},
                "VARIABLE KEY|none",
                [&workspace](const QStringList& a) { return mapName(workspace, a); },
                needsBoth});
  registry.add({QStringLiteral("inspect.write-mapped"),
                QT_TRANSLATE_NOOP("Actions", "&Write a checkpoint for this graph…"),
                QT_TRANSLATE_NOOP("Actions", "Saves the values of the current checkpoint under the names that the graph restores"),
                {},
                QStringLiteral("save"),
                "[PREFIX]",
                [&workspace, &shell](const QStringList& a) { return writeForGraph(workspace, shell, a); },
                needsBoth,
                {},
                false,
                "Actions",
                QT_TRANSLATE_NOOP("Actions", "Rarely needed: the button is below the names in the Files dock")});
  registry.add({QStringLiteral("inspect.filters"),
                QT_TRANSLATE_NOOP("Actions", "&Filters as images"),
                QT_TRANSLATE_NOOP("Actions", "Shows the filters of the selected convolution kernel as images, or as numbers"),
                {},
                QStringLiteral("image"),
                "on|off",
                [&shell](const QStringList& a) {
                  if (a.value(0) != QLatin1String("on") && a.value(0) != QLatin1String("off"))
                    return CommandResult::failed(InspectActions::tr("inspect.filters takes on or off."));
                  for (QWidget* detail : shell.window()->findChildren<QWidget*>(QStringLiteral("tensor_detail"))) {
                    bool has = false;
                    QMetaObject::invokeMethod(detail, "hasFilters", Q_RETURN_ARG(bool, has));
                    if (!detail->isVisible() || !has) continue;
                    QMetaObject::invokeMethod(detail, "showFilters", Q_ARG(bool, a[0] == QLatin1String("on")));
                    return CommandResult::done();
                  }
                  return CommandResult::failed(InspectActions::tr("No convolution kernel is selected."));
                },
                needsTensors});
  registry.add({QStringLiteral("inspect.copy-writer"),
                QT_TRANSLATE_NOOP("Actions", "Copy a w&riter for these records"),
                QT_TRANSLATE_NOOP("Actions", "Copies Python code that writes records with the features of the current file"),
                {},
                QStringLiteral("copy"),
                "[PATH]",
                [&workspace](const QStringList& a) {
                  const FileTab* file = workspace.currentFile();
                  QFile bytes(file->path());
                  const bool gzip = bytes.open(QIODevice::ReadOnly) && bytes.read(2) == QByteArrayLiteral("\x1f\x8b");
                  const QString program = writerProgram(*file->contents()->records, gzip);
                  if (a.isEmpty()) {
                    QGuiApplication::clipboard()->setText(program);
                    return CommandResult::done();
                  }
                  QFile out(a[0]);
                  if (out.open(QIODevice::WriteOnly) && out.write(program.toUtf8()) >= 0) return CommandResult::done();
                  return CommandResult::failed(InspectActions::tr("%1 could not be written: %2").arg(a[0], out.errorString()));
                },
                [&workspace] {
                  const FileTab* file = workspace.currentFile();
                  return file && file->contents()->records ? QString() : InspectActions::tr("The current tab is not a record file.");
                },
                {},
                false,
                "Actions",
                QT_TRANSLATE_NOOP("Actions", "Rarely needed: the button is below the records")});
  registry.add({QStringLiteral("inspect.select"),
                QT_TRANSLATE_NOOP("Actions", "Se&lect a variable"),
                QT_TRANSLATE_NOOP("Actions", "Shows the values of the named variable"),
                {},
                {},
                "NAME",
                [&workspace](const QStringList& a) {
                  FileTab* file = workspace.currentFile();
                  const int index = file->tensors()->indexOf(a.value(0));
                  if (index < 0) return CommandResult::failed(InspectActions::tr("%1 contains no %2.").arg(file->title(), a.value(0)));
                  file->select(index);
                  return CommandResult::done();
                },
                needsTensors});
}

}  // namespace weft::app
