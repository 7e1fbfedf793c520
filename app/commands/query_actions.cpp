#include "commands/query_actions.h"

#include <QApplication>
#include <QClipboard>
#include <QCoreApplication>
#include <QFileInfo>
#include <QSaveFile>
#include <algorithm>
#include <cmath>
#include <optional>

#include "common/format.h"
#include "document/document.h"
#include "document/query_store.h"
#include "document/workspace.h"
#include "graph_view/graph_view.h"
#include "main_window/compose_gestures.h"
#include "shell/action_registry.h"
#include "shell/file_dialogs.h"
#include "shell/shell.h"

namespace weft::app {
namespace {

class QueryActions {
  Q_DECLARE_TR_FUNCTIONS(QueryActions)
};

CommandResult highlight(Workspace& workspace, Shell& shell, bool* lit) {
  if (*lit) {
    *lit = false;
    shell.canvas()->setHighlight({});
    return CommandResult::done();
  }
  const Document* document = workspace.current();
  QVector<widgets::Item> items;
  for (const QString& name : QueryStore::of(workspace).nodes()) items << widgets::Item{widgets::Item::Kind::Node, document->nodeIndex(name)};
  shell.canvas()->setHighlight(items);
  *lit = true;
  return CommandResult::done();
}

CommandResult setBreakpoints(Workspace& workspace, Shell& shell) {
  Document* document = workspace.current();
  int made = 0;
  const auto known = workspace.debugger().breakpoints(document);
  for (const QString& name : QueryStore::of(workspace).nodes()) {
    if (std::any_of(known.begin(), known.end(), [&](const Breakpoint& b) { return b.place == name.toStdString(); })) continue;
    Breakpoint breakpoint;
    breakpoint.place = name.toStdString();
    if (const QString error = workspace.debugger().setBreakpoint(document, breakpoint); !error.isEmpty()) return CommandResult::failed(error);
    ++made;
  }
  shell.notify(QueryActions::tr("%n breakpoint(s) set", nullptr, made));
  return CommandResult::done();
}

CommandResult save(QueryStore& store, const QString& path) {
  QSaveFile file(path);
  const QByteArray bytes = path.endsWith(QLatin1String(".json"), Qt::CaseInsensitive) ? store.page()->json() : store.page()->csv();
  if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
    return CommandResult::failed(QueryActions::tr("%1 cannot be written: %2").arg(path, file.errorString()));
  return CommandResult::done();
}

void registerNodeActions(ActionRegistry& registry, Workspace& workspace, Shell& shell) {
  QueryStore& store = QueryStore::of(workspace);
  const auto needsNodes = [&store, &shell] {
    if (!shell.canvas()) return QueryActions::tr("No graph is shown.");
    return store.nodes().isEmpty() ? QueryActions::tr("The result names no node of this graph.") : QString();
  };
  const auto add = [&](const char* id, const char* text, const char* tip, const char* icon, const char* usage,
                       std::function<CommandResult(const QStringList&)> run) {
    ActionRecord record{QLatin1String(id), text, tip, {}, QLatin1String(icon), usage, std::move(run), needsNodes};
    record.noKey = QT_TRANSLATE_NOOP("Actions", "the button is in the dock Query");
    registry.add(std::move(record));
  };
  add("query.select-nodes", QT_TRANSLATE_NOOP("Actions", "Select the nodes of the result"),
      QT_TRANSLATE_NOOP("Actions", "Selects the nodes of the result's selected rows, or of all, on the canvas"), "select", "",
      [&store, &shell](const QStringList&) {
        shell.canvas()->selectNames(store.nodes());
        return CommandResult::done();
      });
  add("query.highlight", QT_TRANSLATE_NOOP("Actions", "Highlight the nodes of the result"),
      QT_TRANSLATE_NOOP("Actions", "Highlights the nodes of the result on the canvas and dims the others; again: ends that"), "bulb", "",
      [&workspace, &shell, lit = std::make_shared<bool>(false)](const QStringList&) { return highlight(workspace, shell, lit.get()); });
  add("query.color", QT_TRANSLATE_NOOP("Actions", "Colour nodes by the result"),
      QT_TRANSLATE_NOOP("Actions", "Colours nodes by a column of numbers of the result"), "", "[COLUMN]",
      [&workspace, &shell](const QStringList& a) { return colorByQuery(workspace, shell, a.value(0)); });
  add("query.break", QT_TRANSLATE_NOOP("Actions", "Set breakpoints at the result's nodes"),
      QT_TRANSLATE_NOOP("Actions", "Sets a breakpoint at each node of the result's selected rows, or of all"), "record", "",
      [&workspace, &shell](const QStringList&) { return setBreakpoints(workspace, shell); });
}

}  // namespace

/// Colours the canvas by a column: small values stay distinguishable, as the root of the share.
CommandResult colorByQuery(Workspace& workspace, Shell& shell, const QString& name) {
  QueryStore& store = QueryStore::of(workspace);
  const QueryPage& page = *store.page();
  int column = -1;
  for (int i = 0; i < int(page.columns.size()); ++i)
    if (name.isEmpty() ? page.columns[i].isNumber : page.columns[i].name == name) column = i;
  if (column < 0 && !name.isEmpty()) return CommandResult::failed(QueryActions::tr("The result has no column %1.").arg(name));
  QString error;
  const QHash<QString, double> values = store.valuesOf(column, &error);
  if (!error.isEmpty()) return CommandResult::failed(error);
  double least = INFINITY, most = -INFINITY;
  for (const double v : values) {
    if (!std::isfinite(v)) continue;
    least = std::min(least, v);
    most = std::max(most, v);
  }
  if (least > 0 && least < most / 4) least = 0;
  const auto apply = [document = workspace.current(), values, least, most] {
    for (widgets::MemoryGraphModel::Node& node : document->model()->nodes) {
      const auto it = values.constFind(node.name);
      node.heat = it == values.constEnd() || !std::isfinite(*it) ? -1 : most > least ? std::sqrt((*it - least) / (most - least)) : 1;
    }
    emit document->model()->statusChanged();
  };
  shell.canvas()->findChild<ComposeGestures*>()->showValues(QStringLiteral("query"), apply,
                                                            [least, most](double t) { return widgets::formatValue(least + t * t * (most - least)); });
  return CommandResult::done();
}

void registerQueryActions(ActionRegistry& registry, Workspace& workspace, Shell& shell) {
  QueryStore& store = QueryStore::of(workspace);
  registry.add({QStringLiteral("query.show"), QT_TRANSLATE_NOOP("Actions", "&Query…"),
                QT_TRANSLATE_NOOP("Actions", "Asks with SQL about the graph, its checkpoints, curves, runs and traces"), QStringLiteral("Ctrl+Alt+Q"),
                QStringLiteral("search"), "", [&shell](const QStringList&) {
                  shell.showView(QStringLiteral("query"));
                  if (QWidget* view = shell.viewWidget(QStringLiteral("query"))) QMetaObject::invokeMethod(view, "edit");
                  return CommandResult::done();
                }});
  ActionRecord run{QStringLiteral("query.run"),
                   QT_TRANSLATE_NOOP("Actions", "Run the query"),
                   QT_TRANSLATE_NOOP("Actions", "Runs an SQL query over what is open; without words, the one in the dock"),
                   {},
                   QStringLiteral("play"),
                   "[SQL]",
                   [&store, &shell](const QStringList& a) {
                     const QString sql = a.isEmpty() ? store.draft() : a.join(u' ');
                     if (sql.isEmpty()) return CommandResult::failed(QueryActions::tr("Write a query first."));
                     shell.showView(QStringLiteral("query"));
                     auto outcome = std::make_shared<std::optional<CommandResult>>();
                     // The dock shows what is wrong.
                     store.run(sql, [outcome](const QString& error) { *outcome = error.isEmpty() ? CommandResult::done() : CommandResult::failed(error); });
                     return CommandResult::when([outcome] { return *outcome; });
                   }};
  run.noKey = QT_TRANSLATE_NOOP("Actions", "Enter in the field of the dock Query");
  registry.add(std::move(run));
  ActionRecord cancel{QStringLiteral("query.cancel"),
                      QT_TRANSLATE_NOOP("Actions", "Cancel the query"),
                      QT_TRANSLATE_NOOP("Actions", "Ends the running query"),
                      {},
                      QStringLiteral("stop"),
                      "",
                      [&store](const QStringList&) {
                        store.cancel();
                        return CommandResult::done();
                      },
                      [&store] { return store.isBusy() ? QString() : QueryActions::tr("No query is running."); }};
  cancel.noKey = QT_TRANSLATE_NOOP("Actions", "the button is in the dock Query");
  registry.add(std::move(cancel));
  ActionRecord files{QStringLiteral("query.add-file"),
                     QT_TRANSLATE_NOOP("Actions", "Add files to queries…"),
                     QT_TRANSLATE_NOOP("Actions", "Lets queries read more files or folders: graphs, checkpoints, event files, traces"),
                     {},
                     QStringLiteral("plus"),
                     "[PATH…]",
                     [&store, &workspace, &shell](const QStringList& a) {
                       for (const QString& path : a)
                         if (!QFileInfo::exists(path) && !QFileInfo::exists(path + QStringLiteral(".index")))
                           return CommandResult::failed(QueryActions::tr("There is no file or folder %1.").arg(path));
                       if (!a.isEmpty()) store.addFiles(a);
                       else
                         askForFiles(shell.window(), workspace.settings(), QueryActions::tr("Add files to queries"), {}, QueryActions::tr("All files (*)"),
                                     [&store](const QStringList& paths) { store.addFiles(paths); });
                       return CommandResult::done();
                     }};
  files.noKey = QT_TRANSLATE_NOOP("Actions", "it is in the menu of the dock Query");
  registry.add(std::move(files));
  ActionRecord removal{QStringLiteral("query.remove-files"),
                       QT_TRANSLATE_NOOP("Actions", "Remove the added files"),
                       QT_TRANSLATE_NOOP("Actions", "Queries read only what is open again"),
                       {},
                       QStringLiteral("minus"),
                       "",
                       [&store](const QStringList&) {
                         store.removeFiles();
                         return CommandResult::done();
                       },
                       [&store] { return store.files().isEmpty() ? QueryActions::tr("No files were added.") : QString(); }};
  removal.noKey = QT_TRANSLATE_NOOP("Actions", "it is in the menu of the dock Query");
  registry.add(std::move(removal));
  ActionRecord command{QStringLiteral("query.copy-command"),
                       QT_TRANSLATE_NOOP("Actions", "Copy as command"),
                       QT_TRANSLATE_NOOP("Actions", "Copies the `weft query` that asks the same in a terminal, as far as what is open has files"),
                       {},
                       QStringLiteral("copy"),
                       "",
                       [&store](const QStringList&) {
                         QApplication::clipboard()->setText(queryCommand(store.draft(), store.paths()));
                         return CommandResult::done();
                       },
                       [&store] { return store.draft().isEmpty() ? QueryActions::tr("Write a query first.") : QString(); }};
  command.noKey = QT_TRANSLATE_NOOP("Actions", "it is in the menu of the dock Query");
  registry.add(std::move(command));
  ActionRecord exported{QStringLiteral("query.export"),
                        QT_TRANSLATE_NOOP("Actions", "Save the result…"),
                        QT_TRANSLATE_NOOP("Actions", "Writes the result of the query as CSV or JSON"),
                        {},
                        QStringLiteral("export"),
                        "[FILE]",
                        [&store, &workspace, &shell](const QStringList& a) {
                          const QString path = a.isEmpty() ? askForFileToSave(shell.window(), workspace.settings(), QueryActions::tr("Save the result"),
                                                                              QStringLiteral("query.csv"), QStringLiteral("CSV (*.csv);;JSON (*.json)"))
                                                           : a.first();
                          return path.isEmpty() ? CommandResult::done() : save(store, path);
                        },
                        [&store] { return store.page()->columns.isEmpty() ? QueryActions::tr("There is no result.") : QString(); }};
  exported.noKey = QT_TRANSLATE_NOOP("Actions", "it is in the menu of the dock Query");
  registry.add(std::move(exported));
  registerNodeActions(registry, workspace, shell);
  QObject::connect(&store, &QueryStore::changed, &registry, &ActionRegistry::refreshSoon);
}

}  // namespace weft::app
