#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

#include "adapters/event_follower.h"
#include "commands/actions.h"
#include "commands/curves.h"
#include "commands/run_choices.h"
#include "document/pins.h"
#include "document/remote_folders.h"
#include "document/saturation.h"
#include "document/workspace.h"
#include "shell/action_registry.h"
#include "shell/file_dialogs.h"
#include "shell/shell.h"

namespace weft::app {
namespace {

struct PanelActions {
  Q_DECLARE_TR_FUNCTIONS(PanelActions)
};

QString lastLogFolder(Workspace& workspace) { return workspace.settings().value(QStringLiteral("panels/folder")).toString(); }

CommandResult openLogdir(Workspace& workspace, Shell& shell, ActionRegistry& registry, const QStringList& arguments) {
  const QString path = arguments.value(0);
  if (path.isEmpty()) {
    askForFolder(shell.window(), workspace.settings(), PanelActions::tr("Open a folder of event files"), lastLogFolder(workspace),
                 [&registry](const QString& chosen) { registry.runChosen(QStringLiteral("panels.open-logdir"), {chosen}); });
    return CommandResult::done();
  }
  workspace.settings().setValue(QStringLiteral("panels/folder"), QFileInfo(path).absoluteFilePath());
  const auto result = std::make_shared<std::optional<CommandResult>>();
  workspace.openEvents(path, [result](const QString& error) { *result = error.isEmpty() ? CommandResult::done() : CommandResult::failed(error); });
  return CommandResult::when([result] { return *result; });
}

/// A text on what the panels got from a folder; empty: nothing.
QString describeSummaries(const Summaries& summaries, const QString& folder) {
  int runs = 0, tags = 0;
  for (const auto& run : summaries.runs()) {
    if (run->source.isEmpty() || (run->source != folder && !run->source.startsWith(folder + u'/'))) continue;
    const int own = int(run->scalars.size() + run->histograms.size() + run->pictures.size() + run->texts.size() + run->sounds.size() + run->prCurves.size() +
                        run->hparams.size() + run->layouts.size() + run->meshes.size());
    runs += own > 0 ? 1 : 0;
    tags += own;
  }
  if (tags == 0) return {};
  return PanelActions::tr("%1 with %2 in the panels.").arg(PanelActions::tr("%n run(s)", nullptr, runs), PanelActions::tr("%n series", nullptr, tags));
}

/// `panels.show-logdir PATH`: opens a folder, switches to the panels and reports the contents; if there is nothing, stays and reports that.
CommandResult showLogdir(Workspace& workspace, Shell& shell, const QStringList& arguments) {
  if (arguments.isEmpty()) return CommandResult::failed(PanelActions::tr("panels.show-logdir takes a folder of event files."));
  const QString path = QDir::cleanPath(QFileInfo(arguments[0]).absoluteFilePath());
  const auto result = std::make_shared<std::optional<CommandResult>>();
  workspace.openEvents(path, [&workspace, &shell, path, result](const QString& error) {
    *result = error.isEmpty() ? CommandResult::done() : CommandResult::failed(error);
    if (!error.isEmpty()) return;
    workspace.summaries().drainAll();
    const QString held = describeSummaries(workspace.summaries(), path);
    if (!held.isEmpty()) {
      showCurves(shell);
      shell.notify(held);
      return;
    }
    shell.tell([path] {
      return Message{
          Message::Kind::Note, QStringLiteral("panels-empty"),
          PanelActions::tr(
              "The event files in %1 contain no curves, histograms, images, texts or audio, so there is nothing to show in the panels. New events appear automatically.")
              .arg(QFileInfo(path).fileName())};
    });
  });
  return CommandResult::when([result] { return *result; });
}

CommandResult closeLogdir(Workspace& workspace, const QStringList& arguments) {
  Summaries& summaries = workspace.summaries();
  if (!arguments.isEmpty()) {
    if (RemoteFolders::of(workspace).close(arguments[0])) return CommandResult::done();
    return summaries.closeFolder(arguments[0]) ? CommandResult::done() : CommandResult::failed(PanelActions::tr("%1 is not being followed.").arg(arguments[0]));
  }
  RemoteFolders::of(workspace).closeAll();
  for (const QString& folder : summaries.folders()) summaries.closeFolder(folder);
  return CommandResult::done();
}

/// Calls a slot of a view that takes one or two texts. False if the view has no such slot.
template <typename Result, typename... Arguments>
bool ask(QWidget* view, const char* slot, Result* result, const Arguments&... arguments) {
  return view && QMetaObject::invokeMethod(view, slot, QReturnArgument<Result>(QMetaType::fromType<Result>().name(), *result), Q_ARG(QString, arguments)...);
}

CommandResult exportCard(Shell& shell, const QStringList& a) {
  if (a.size() < 3) return CommandResult::failed(PanelActions::tr("panels.export takes a dock, a tag and the path of a file."));
  QString error;
  if (!ask(shell.viewWidget(a[0]), "exportTag", &error, a[1], a[2]))
    return CommandResult::failed(PanelActions::tr("The dock %1 has nothing to export.").arg(a[0]));
  return error.isEmpty() ? CommandResult::done() : CommandResult::failed(error);
}

CommandResult setOption(Shell& shell, const QStringList& a) {
  bool done = false;
  if (!ask(shell.viewWidget(a.value(0)), "setOption", &done, a.mid(1).join(u' ')))
    return CommandResult::failed(PanelActions::tr("The dock %1 has no options.").arg(a.value(0)));
  return done ? CommandResult::done() : CommandResult::failed(PanelActions::tr("The dock %1 has no option %2.").arg(a[0], a.mid(1).join(u' ')));
}

/// `scalar|histogram|image TAG`: pins it to the overview, or unpins it.
CommandResult pin(Workspace& workspace, const QStringList& a, bool pinned) {
  Pin wanted;
  if (a.size() < 2 || !Pins::kindOf(a[0], &wanted.kind)) return CommandResult::failed(PanelActions::tr("A pin takes scalar, histogram or image, and a tag."));
  wanted.tag = a.mid(1).join(u' ');
  Pins::of(workspace).set(wanted, pinned);
  return CommandResult::done();
}

}  // namespace

void registerPanelActions(ActionRegistry& registry, Workspace& workspace, Shell& shell) {
  // A panel with newly opened data comes to the front.
  QObject::connect(&workspace, &Workspace::eventsOpened, &registry, [&shell] {
    for (const char* id : {"overview", "scalars", "histograms", "images", "text"})
      if (shell.isViewVisible(QLatin1String(id))) return;
    offerCurves(shell);
  });
  registry.add({QStringLiteral("panels.open-logdir"), QT_TRANSLATE_NOOP("Actions", "Open &event files…"),
                QT_TRANSLATE_NOOP("Actions", "Shows a folder of TensorFlow event files in the panels and follows new events"), QStringLiteral("Ctrl+Shift+L"),
                QStringLiteral("chart"), "[PATH]", [&](const QStringList& a) { return openLogdir(workspace, shell, registry, a); }});
  registry.add({QStringLiteral("panels.show-logdir"),
                QT_TRANSLATE_NOOP("Actions", "Show event files in the panels"),
                QT_TRANSLATE_NOOP("Actions", "Opens a folder of event files and shows its contents in the panels"),
                {},
                QStringLiteral("chart"),
                "PATH",
                [&](const QStringList& a) { return showLogdir(workspace, shell, a); }});
  registry.add({QStringLiteral("panels.close-logdir"),
                QT_TRANSLATE_NOOP("Actions", "Close event files"),
                QT_TRANSLATE_NOOP("Actions", "Stops following one or all event file folders and removes their runs from the panels"),
                {},
                {},
                "[PATH]",
                [&](const QStringList& a) { return closeLogdir(workspace, a); },
                [&workspace] {
                  return workspace.summaries().folders().isEmpty() && RemoteFolders::of(workspace).folders().isEmpty()
                             ? PanelActions::tr("No event files are open.")
                             : QString();
                }});
  registry.add({QStringLiteral("panels.pin"),
                QT_TRANSLATE_NOOP("Actions", "Pin a card"),
                QT_TRANSLATE_NOOP("Actions", "Pins a curve, histogram or image to the overview"),
                {},
                QStringLiteral("pin"),
                "scalar|histogram|image TAG",
                [&](const QStringList& a) { return pin(workspace, a, true); }});
  registry.add({QStringLiteral("panels.unpin"),
                QT_TRANSLATE_NOOP("Actions", "Unpin a card"),
                QT_TRANSLATE_NOOP("Actions", "Removes a curve, histogram or image from the overview"),
                {},
                {},
                "scalar|histogram|image TAG",
                [&](const QStringList& a) { return pin(workspace, a, false); }});
  registry.add({QStringLiteral("panels.export"),
                QT_TRANSLATE_NOOP("Actions", "Export a card"),
                QT_TRANSLATE_NOOP("Actions", "Saves a panel card as PNG, SVG, CSV or JSON, depending on the file extension"),
                {},
                QStringLiteral("export"),
                "DOCK TAG PATH",
                [&](const QStringList& a) { return exportCard(shell, a); }});
  Saturation& saturation = Saturation::of(workspace);
  QObject::connect(&saturation, &Saturation::changed, &registry, &ActionRegistry::refreshSoon);
  ActionRecord share{QStringLiteral("panels.saturation"),
                     QT_TRANSLATE_NOOP("Actions", "Watch saturated units"),
                     QT_TRANSLATE_NOOP("Actions", "During training, shows the share of inactive units of each activation next to the histograms"),
                     {},
                     QStringLiteral("histogram"),
                     "[on|off]",
                     [&saturation, &shell](const QStringList& a) {
                       if (!a.isEmpty() && a[0] != QLatin1String("on") && a[0] != QLatin1String("off"))
                         return CommandResult::failed(PanelActions::tr("panels.saturation takes on or off, not %1.").arg(a[0]));
                       saturation.setOn(a.isEmpty() ? !saturation.isOn() : a[0] == QLatin1String("on"));
                       if (saturation.isOn()) shell.showView(QStringLiteral("histograms"));
                       return CommandResult::done();
                     }};
  share.checked = [&saturation] { return saturation.isOn(); };
  share.noKey = QT_TRANSLATE_NOOP("Actions", "the switch is above the histograms");
  registry.add(std::move(share));
  registry.add({QStringLiteral("panels.option"),
                QT_TRANSLATE_NOOP("Actions", "Set a panel option"),
                QT_TRANSLATE_NOOP("Actions", "For example: histograms heat-map, scalars log-y, images 120"),
                {},
                {},
                "DOCK OPTION",
                [&](const QStringList& a) { return setOption(shell, a); }});
}

}  // namespace weft::app
