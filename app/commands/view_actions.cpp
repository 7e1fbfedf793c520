#include <QApplication>
#include <QInputDialog>

#include "commands/actions.h"
#include "document/device_search.h"
#include "document/document.h"
#include "document/file_tab.h"
#include "document/workspace.h"
#include "main_window/about.h"
#include "main_window/finder.h"
#include "main_window/help_index.h"
#include "shell/action_registry.h"
#include "shell/shell.h"
#include "shell/view.h"

namespace weft::app {
namespace {

struct ViewActions {
  Q_DECLARE_TR_FUNCTIONS(ViewActions)
};

void addDockActions(ActionRegistry& registry, Workspace& workspace, Shell& shell) {
  for (const ViewRecord* view : allViews()) {
    const QString id = QLatin1String(view->id);
    registry.add(
        {QStringLiteral("view.dock-") + id,
         view->title,
         view->toolTip,
         {},
         QLatin1String(view->icon),
         "",
         [&shell, id](const QStringList&) {
           shell.showView(id, !shell.isViewOpen(id));
           return CommandResult::done();
         },
         [&shell, &workspace] { return shell.isStartPageShown() && workspace.summaries().runs().empty() ? ViewActions::tr("Open a graph first.") : QString(); },
         [&shell, id] { return shell.isViewOpen(id); },
         false,
         "Views"});
  }
}

void addLayouts(ActionRegistry& registry, Shell& shell) {
  const auto layout = [&](const char* id, const char* text, const char* tip, const char* key, const char* icon, const char* mode) {
    registry.add({QLatin1String(id),
                  text,
                  tip,
                  QLatin1String(key),
                  QLatin1String(icon),
                  "",
                  [&shell, mode](const QStringList&) {
                    shell.useLayout(QLatin1String(mode));
                    return CommandResult::done();
                  },
                  {},
                  [&shell, mode] { return shell.layout() == QLatin1String(mode); }});
  };
  layout("layout.compose", QT_TRANSLATE_NOOP("Actions", "&Compose"), QT_TRANSLATE_NOOP("Actions", "Graph in the middle, inspector beside it"), "Ctrl+1",
         "graph", "compose");
  layout("layout.train", QT_TRANSLATE_NOOP("Actions", "T&rain"), QT_TRANSLATE_NOOP("Actions", "Large curves, with the graph as a strip above them"), "Ctrl+2",
         "chart", "train");
  layout("layout.debug", QT_TRANSLATE_NOOP("Actions", "&Debug"), QT_TRANSLATE_NOOP("Actions", "Breakpoints, frames and tensors around the graph"), "Ctrl+3",
         "record", "debug");
  layout("layout.profile", QT_TRANSLATE_NOOP("Actions", "&Profile"), QT_TRANSLATE_NOOP("Actions", "Timeline below the graph, costs beside it"), "Ctrl+4",
         "timeline", "profile");
  layout("layout.inspect", QT_TRANSLATE_NOOP("Actions", "&Inspect"), QT_TRANSLATE_NOOP("Actions", "Contents of files: graphs, checkpoints, events"), "Ctrl+5",
         "search", "inspect");
  registry.add({QStringLiteral("layout.use"),
                QT_TRANSLATE_NOOP("Actions", "Use layout"),
                QT_TRANSLATE_NOOP("Actions", "Arranges the docks for a mode or as saved under a name"),
                {},
                {},
                "NAME",
                [&shell](const QStringList& a) {
                  const QString name = a.value(0);
                  if (shell.layouts().contains(name)) {
                    shell.useLayout(name);
                  } else if (!shell.useNamedLayout(name)) {
                    return CommandResult::failed(
                        ViewActions::tr("%1 is not a layout; there are %2.").arg(name, (shell.layouts() + shell.namedLayouts()).join(QStringLiteral(", "))));
                  }
                  return CommandResult::done();
                }});
  const auto noStart = [&shell] { return shell.isStartPageShown() ? ViewActions::tr("Open a graph first.") : QString(); };
  registry.add({QStringLiteral("layout.save"),
                QT_TRANSLATE_NOOP("Actions", "&Save layout…"),
                QT_TRANSLATE_NOOP("Actions", "Saves the current dock arrangement under a name"),
                {},
                QStringLiteral("save"),
                "NAME",
                [&shell](const QStringList& a) {
                  QString name = a.value(0);
                  if (a.isEmpty()) name = QInputDialog::getText(shell.window(), ViewActions::tr("Save layout"), ViewActions::tr("Name of the layout"));
                  name = name.trimmed();
                  if (name.isEmpty()) return a.isEmpty() ? CommandResult::done() : CommandResult::failed(ViewActions::tr("A layout needs a name."));
                  if (shell.layouts().contains(name)) return CommandResult::failed(ViewActions::tr("%1 is the name of a mode; choose another one.").arg(name));
                  shell.saveLayout(name);
                  return CommandResult::done();
                },
                noStart});
  registry.add({QStringLiteral("layout.remove"),
                QT_TRANSLATE_NOOP("Actions", "&Remove layout…"),
                QT_TRANSLATE_NOOP("Actions", "Deletes a saved layout"),
                {},
                QStringLiteral("trash"),
                "NAME",
                [&shell](const QStringList& a) {
                  QString name = a.value(0);
                  if (a.isEmpty()) {
                    bool ok = false;
                    name = QInputDialog::getItem(shell.window(), ViewActions::tr("Remove layout"), ViewActions::tr("Name of the layout"), shell.namedLayouts(),
                                                 0, false, &ok);
                    if (!ok) return CommandResult::done();
                  }
                  if (!shell.namedLayouts().contains(name)) return CommandResult::failed(ViewActions::tr("There is no layout %1.").arg(name));
                  shell.removeLayout(name);
                  return CommandResult::done();
                },
                [&shell] { return shell.namedLayouts().isEmpty() ? ViewActions::tr("There are no saved layouts.") : QString(); }});
  registry.add({QStringLiteral("view.tear-off"),
                QT_TRANSLATE_NOOP("Actions", "Tear off dock"),
                QT_TRANSLATE_NOOP("Actions", "Makes a dock a separate window, or docks it again"),
                {},
                QStringLiteral("export"),
                "DOCK",
                [&shell](const QStringList& a) {
                  QString id = a.value(0);
                  if (a.isEmpty()) {
                    // The dock that has the keyboard.
                    for (const QString& view : shell.viewIds()) {
                      const QWidget* widget = shell.viewWidget(view);
                      if (widget && QApplication::focusWidget() && (widget == QApplication::focusWidget() || widget->isAncestorOf(QApplication::focusWidget())))
                        id = view;
                    }
                    if (id.isEmpty()) return CommandResult::failed(ViewActions::tr("Click into the dock first."));
                  }
                  if (!shell.viewIds().contains(id))
                    return CommandResult::failed(ViewActions::tr("There is no dock %1; there are %2.").arg(id, shell.viewIds().join(QStringLiteral(", "))));
                  shell.setViewFloating(id, !shell.isViewFloating(id));
                  return CommandResult::done();
                },
                noStart});
  registry.add({QStringLiteral("layout.reset"),
                QT_TRANSLATE_NOOP("Actions", "Reset &layout"),
                QT_TRANSLATE_NOOP("Actions", "Restores the default arrangement of docks"),
                {},
                QStringLiteral("refresh"),
                "",
                [&shell](const QStringList&) {
                  shell.resetLayout();
                  return CommandResult::done();
                }});
}

void addThemesAndLanguages(ActionRegistry& registry, Shell& shell) {
  const auto theme = [&](const char* id, const char* text, const char* tip, const char* icon, const char* name) {
    registry.add({QLatin1String(id),
                  text,
                  tip,
                  {},
                  QLatin1String(icon),
                  "",
                  [&shell, name](const QStringList&) {
                    shell.setTheme(QLatin1String(name));
                    return CommandResult::done();
                  },
                  {},
                  [&shell, name] { return shell.theme() == QLatin1String(name); }});
  };
  theme("view.theme-light", QT_TRANSLATE_NOOP("Actions", "Light"), QT_TRANSLATE_NOOP("Actions", "Light colours"), "sun", "light");
  theme("view.theme-dark", QT_TRANSLATE_NOOP("Actions", "Dark"), QT_TRANSLATE_NOOP("Actions", "Dark colours"), "moon", "dark");
  theme("view.theme-contrast", QT_TRANSLATE_NOOP("Actions", "High contrast"), QT_TRANSLATE_NOOP("Actions", "Black, white and strong lines"), "",
        "highContrast");
  theme("view.theme-system", QT_TRANSLATE_NOOP("Actions", "Follow the desktop"), QT_TRANSLATE_NOOP("Actions", "Follows the desktop's light or dark theme"), "",
        "system");
  const auto language = [&](const char* id, const char* text, const char* tip, const char* name) {
    registry.add({QLatin1String(id),
                  text,
                  tip,
                  {},
                  QLatin1String("language"),
                  "",
                  [&shell, name](const QStringList&) {
                    shell.setLanguage(QLatin1String(name));
                    return CommandResult::done();
                  },
                  {},
                  [&shell, name] { return shell.language() == QLatin1String(name); }});
  };
  // Each language in its own name, so that users who cannot read the present one find theirs.
  language("view.language-en", "English", QT_TRANSLATE_NOOP("Actions", "Shows the program in English"), "en");
  language("view.language-zh", "简体中文", QT_TRANSLATE_NOOP("Actions", "Shows the program in Chinese"), "zh_CN");
  language("view.language-system", QT_TRANSLATE_NOOP("Actions", "Desktop language"), QT_TRANSLATE_NOOP("Actions", "Uses the language of the desktop"),
           "system");
}

}  // namespace

void registerViewActions(ActionRegistry& registry, Workspace& workspace, Shell& shell) {
  addDockActions(registry, workspace, shell);
  registry.add({QStringLiteral("view.show"),
                QT_TRANSLATE_NOOP("Actions", "Show"),
                QT_TRANSLATE_NOOP("Actions", "Brings a dock to the front"),
                {},
                {},
                "DOCK",
                [&shell](const QStringList& a) {
                  if (!shell.viewIds().contains(a.value(0)))
                    return CommandResult::failed(
                        ViewActions::tr("There is no dock %1; there are %2.").arg(a.value(0), shell.viewIds().join(QStringLiteral(", "))));
                  shell.showView(a[0]);
                  return CommandResult::done();
                }});
  addLayouts(registry, shell);
  addThemesAndLanguages(registry, shell);
  registry.add({QStringLiteral("view.start-page"),
                QT_TRANSLATE_NOOP("Actions", "&Start page"),
                QT_TRANSLATE_NOOP("Actions", "Recent files and templates"),
                {},
                QStringLiteral("start"),
                "",
                [&shell](const QStringList&) {
                  shell.showStartPage();
                  return CommandResult::done();
                },
                {},
                [&shell] { return shell.isStartPageShown(); }});
  const auto neighbour = [&](const char* id, const char* text, const char* tip, const char* key, int step) {
    registry.add(
        {QLatin1String(id),
         text,
         tip,
         QLatin1String(key),
         {},
         "",
         [&workspace, step](const QStringList&) {
           const auto& graphs = workspace.documents();
           const auto& files = workspace.files();
           const qsizetype count = graphs.size() + files.size();
           const qsizetype at = workspace.currentFile() ? graphs.size() + files.indexOf(workspace.currentFile()) : graphs.indexOf(workspace.current());
           const qsizetype next = (at + step + count) % count;
           if (next < graphs.size()) workspace.setCurrent(graphs[next]);
           else workspace.setCurrentFile(files[next - graphs.size()]);
           return CommandResult::done();
         },
         [&workspace] { return workspace.documents().size() + workspace.files().size() > 1 ? QString() : ViewActions::tr("There is no other document."); }});
  };
  neighbour("window.next", QT_TRANSLATE_NOOP("Actions", "&Next document"), QT_TRANSLATE_NOOP("Actions", "Shows the next open graph"), "Ctrl+Tab", 1);
  neighbour("window.previous", QT_TRANSLATE_NOOP("Actions", "&Previous document"), QT_TRANSLATE_NOOP("Actions", "Shows the previous open graph"),
            "Ctrl+Shift+Tab", -1);
  const auto pane = [&](const char* id, const char* text, const char* tip, const char* key, int step) {
    registry.add({QLatin1String(id), text, tip, QLatin1String(key), {}, "", [&shell, step](const QStringList&) {
                    shell.focusPane(step);
                    return CommandResult::done();
                  }});
  };
  pane("window.next-pane", QT_TRANSLATE_NOOP("Actions", "Next pane"), QT_TRANSLATE_NOOP("Actions", "Moves the focus to the next pane"), "F6", 1);
  pane("window.previous-pane", QT_TRANSLATE_NOOP("Actions", "Previous pane"), QT_TRANSLATE_NOOP("Actions", "Moves the focus to the previous pane"), "Shift+F6",
       -1);
  const auto find = [&](const char* id, const char* text, const char* tip, const char* key, const char* icon, const char* usage, const QString& prefix) {
    registry.add({QLatin1String(id), text, tip, QLatin1String(key), QLatin1String(icon), usage, [&, prefix](const QStringList& a) {
                    Finder::open(workspace, registry, shell, prefix + a.join(u' '));
                    return CommandResult::done();
                  }});
  };
  find("find.commands", QT_TRANSLATE_NOOP("Actions", "Command &palette…"), QT_TRANSLATE_NOOP("Actions", "Finds and runs any command"), "Ctrl+Shift+P",
       "menu-dots", "[TEXT]", QStringLiteral(">"));
  find("find.anything", QT_TRANSLATE_NOOP("Actions", "Find &anything…"),
       QT_TRANSLATE_NOOP("Actions", "Finds commands, nodes, tensors, variables, ops, tags, files and help"), "Ctrl+K", "search", "[TEXT]", {});
  registry.add({QStringLiteral("help.here"), QT_TRANSLATE_NOOP("Actions", "&Help on this"),
                QT_TRANSLATE_NOOP("Actions", "Opens the help page for the focused pane"), QStringLiteral("F1"), QStringLiteral("help"), "",
                [&](const QStringList&) {
                  shell.showHelp(helpPageFor(shell.window()->focusWidget(), workspace, shell));
                  return CommandResult::done();
                }});
  registry.add({QStringLiteral("help.page"),
                QT_TRANSLATE_NOOP("Actions", "Help page"),
                QT_TRANSLATE_NOOP("Actions", "Opens a help page; op/MatMul opens the page of an op"),
                {},
                {},
                "PAGE",
                [&shell](const QStringList& a) {
                  if (helpText(a.value(0)).isEmpty() && a.value(0) != QLatin1String("actions"))
                    return CommandResult::failed(ViewActions::tr("There is no help page %1.").arg(a.value(0)));
                  shell.showHelp(a[0]);
                  return CommandResult::done();
                }});
  registry.add({QStringLiteral("help.first-steps"),
                QT_TRANSLATE_NOOP("Actions", "&First steps"),
                QT_TRANSLATE_NOOP("Actions", "From a template to a trained network"),
                {},
                QStringLiteral("help"),
                "",
                [&shell](const QStringList&) {
                  shell.showHelp(QStringLiteral("first-steps"));
                  return CommandResult::done();
                }});
  registry.add({QStringLiteral("help.actions"),
                QT_TRANSLATE_NOOP("Actions", "&Commands and keys"),
                QT_TRANSLATE_NOOP("Actions", "Lists every command with its shortcut and script name"),
                QStringLiteral("Ctrl+F1"),
                {},
                "",
                [&shell](const QStringList&) {
                  shell.showHelp(QStringLiteral("actions"));
                  return CommandResult::done();
                }});
  registry.add({QStringLiteral("help.about"),
                QT_TRANSLATE_NOOP("Actions", "&About Weft"),
                QT_TRANSLATE_NOOP("Actions", "Versions and licence"),
                {},
                QStringLiteral("info"),
                "",
                [&shell, &workspace](const QStringList&) {
                  searchDevices(workspace.tasks(), nullptr, {});  // the bug report lists devices
                  showAbout(shell.window());
                  return CommandResult::done();
                }});
}

}  // namespace weft::app
