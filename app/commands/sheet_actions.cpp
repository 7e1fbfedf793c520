#include "commands/sheet_actions.h"

#include <QApplication>
#include <QClipboard>
#include <QCoreApplication>
#include <algorithm>
#include <optional>

#include "document/document.h"
#include "document/sheet_store.h"
#include "document/workspace.h"
#include "shell/action_registry.h"
#include "shell/file_dialogs.h"
#include "shell/shell.h"

namespace weft::app {
namespace {

class SheetActions {
  Q_DECLARE_TR_FUNCTIONS(SheetActions)
};

const QString kView = QStringLiteral("sheet");

CommandResult show(SheetStore& store, Shell& shell, const QStringList& words) {
  if (!words.isEmpty()) {
    int kind = 0;
    while (kind < kSheetKinds && sheetKey(SheetKind(kind)) != words[0]) ++kind;
    if (kind == kSheetKinds) return CommandResult::failed(SheetActions::tr("%1 is not a sheet; expected nodes, variables, tensors or runs.").arg(words[0]));
    store.setKind(SheetKind(kind));
  }
  shell.showView(kView);
  if (QWidget* view = shell.viewWidget(kView)) QMetaObject::invokeMethod(view, "edit");
  return CommandResult::when([&store]() -> std::optional<CommandResult> {
    if (store.isBusy()) return std::nullopt;
    return store.error().isEmpty() ? CommandResult::done() : CommandResult::failed(store.error());
  });
}

/// Done when the rows are there; fails with what is wrong with the filter.
CommandResult whenArranged(SheetStore& store) {
  return CommandResult::when([&store]() -> std::optional<CommandResult> {
    if (store.isBusy()) return std::nullopt;
    return store.rows()->error.isEmpty() ? CommandResult::done() : CommandResult::failed(store.rows()->error);
  });
}

CommandResult sort(SheetStore& store, const QStringList& words) {
  if (words.isEmpty()) {
    store.setOrders({});
    return whenArranged(store);
  }
  if (store.table() && store.table()->column(words[0]) < 0) return CommandResult::failed(SheetActions::tr("There is no column %1.").arg(words[0]));
  if (words.size() > 1 && words[1] != QLatin1String("down") && words[1] != QLatin1String("up"))
    return CommandResult::failed(SheetActions::tr("%1 is not an order; expected up or down.").arg(words[1]));
  QVector<SheetOrder> orders = store.orders();
  orders.removeIf([&](const SheetOrder& o) { return o.column == words[0]; });
  orders.prepend({words[0], words.value(1) == QLatin1String("down")});
  store.setOrders(orders);
  return whenArranged(store);
}

/// "show" or "hide"; without it, the opposite of `shown`. Null: another word.
std::optional<bool> shownBy(const QString& word, bool shown) {
  if (word.isEmpty()) return !shown;
  if (word == QLatin1String("show")) return true;
  if (word == QLatin1String("hide")) return false;
  return std::nullopt;
}

CommandResult set(SheetStore& store, Shell& shell, const QStringList& words) {
  if (words.isEmpty()) {
    shell.showView(kView);
    if (QWidget* view = shell.viewWidget(kView)) QMetaObject::invokeMethod(view, "openEditBar");
    return CommandResult::done();
  }
  if (words.size() != 2 && (words.size() != 4 || words[2] != QLatin1String("--replace")))
    return CommandResult::failed(SheetActions::tr("sheet.set takes COLUMN VALUE [--replace TEXT]."));
  auto outcome = std::make_shared<std::optional<CommandResult>>();
  store.set(store.selected(), words[0], words[1], words.value(3),
            [outcome](const QString& error) { *outcome = error.isEmpty() ? CommandResult::done() : CommandResult::failed(error); });
  return CommandResult::when([outcome] { return *outcome; });
}

}  // namespace

void registerSheetActions(ActionRegistry& registry, Workspace& workspace, Shell& shell) {
  SheetStore& store = SheetStore::of(workspace);
  const auto needsRows = [&store] { return store.table() && store.table()->rows() > 0 ? QString() : SheetActions::tr("The spreadsheet has no rows."); };
  const auto add = [&](const char* id, const char* text, const char* tip, const char* icon, const char* usage,
                       std::function<CommandResult(const QStringList&)> run, std::function<QString()> disabled = {}) {
    ActionRecord record{QLatin1String(id), text, tip, {}, QLatin1String(icon), usage, std::move(run), std::move(disabled)};
    record.noKey = QT_TRANSLATE_NOOP("Actions", "it is in the dock Spreadsheet");
    registry.add(std::move(record));
  };
  registry.add({QStringLiteral("sheet.show"), QT_TRANSLATE_NOOP("Actions", "&Spreadsheet…"),
                QT_TRANSLATE_NOOP("Actions", "Nodes, variables, tensors or runs as a table to filter, sort and change"), QStringLiteral("Ctrl+Alt+S"),
                QStringLiteral("layers"), "[nodes|variables|tensors|runs]", [&store, &shell](const QStringList& a) { return show(store, shell, a); }});
  add("sheet.filter", QT_TRANSLATE_NOOP("Actions", "Filter the spreadsheet"),
      QT_TRANSLATE_NOOP("Actions", "Shows only rows that fulfil a condition, such as: conv bytes > 1MB; without words: all rows"), "filter", "[CONDITION]",
      [&store](const QStringList& a) {
        store.setFilter(a.join(u' '));
        return whenArranged(store);
      });
  add("sheet.sort", QT_TRANSLATE_NOOP("Actions", "Sort the spreadsheet"), QT_TRANSLATE_NOOP("Actions", "Sorts by a column; without words: as it was read"), "",
      "[COLUMN [up|down]]", [&store](const QStringList& a) { return sort(store, a); });
  add("sheet.column", QT_TRANSLATE_NOOP("Actions", "Show or hide a column"), QT_TRANSLATE_NOOP("Actions", "Shows or hides a column of the spreadsheet"), "",
      "COLUMN [show|hide]", [&store](const QStringList& a) {
        const QString name = a.value(0);
        if (store.table() && store.table()->column(name) < 0) return CommandResult::failed(SheetActions::tr("There is no column %1.").arg(name));
        const auto shown = shownBy(a.value(1), !store.hidden().contains(name));
        if (!shown) return CommandResult::failed(SheetActions::tr("%1 is neither show nor hide.").arg(a[1]));
        store.setColumnShown(name, *shown);
        return CommandResult::done();
      });
  add("sheet.attribute", QT_TRANSLATE_NOOP("Actions", "Show or hide an attribute"),
      QT_TRANSLATE_NOOP("Actions", "Makes an attribute of nodes a column of the spreadsheet, or removes it"), "", "ATTRIBUTE [show|hide]",
      [&store](const QStringList& a) {
        const QString name = a.value(0);
        const auto shown = shownBy(a.value(1), store.attributes().contains(name));
        if (!shown) return CommandResult::failed(SheetActions::tr("%1 is neither show nor hide.").arg(a[1]));
        if (*shown && store.table() && store.kind() == SheetKind::Nodes && !store.table()->attributes.contains(name))
          return CommandResult::failed(SheetActions::tr("No node of this graph has an attribute %1.").arg(name));
        store.setAttributeShown(name, *shown);
        return whenArranged(store);
      });
  add(
      "sheet.set", QT_TRANSLATE_NOOP("Actions", "Set for selected rows…"),
      QT_TRANSLATE_NOOP("Actions", "Sets a column of the selected rows of the spreadsheet in one step, or replaces a text in it"), "select",
      "[COLUMN VALUE [--replace TEXT]]", [&store, &shell](const QStringList& a) { return set(store, shell, a); }, needsRows);
  add(
      "sheet.copy", QT_TRANSLATE_NOOP("Actions", "Copy cells"),
      QT_TRANSLATE_NOOP("Actions", "Copies the selected cells as lines with tabs; all if none is selected"), "copy", "",
      [&shell](const QStringList&) {
        QString text;
        if (QWidget* view = shell.viewWidget(kView)) QMetaObject::invokeMethod(view, "chosenText", Q_RETURN_ARG(QString, text), Q_ARG(bool, false));
        QApplication::clipboard()->setText(text);
        return CommandResult::done();
      },
      needsRows);
  add(
      "sheet.paste", QT_TRANSLATE_NOOP("Actions", "Paste into cells"),
      QT_TRANSLATE_NOOP(
          "Actions", "Sets the cells from the selected one on to the lines and tabs of the clipboard, in one step; a single value is for all selected cells"),
      "", "[TEXT]",
      [&shell, &store](const QStringList& a) {
        QWidget* view = shell.viewWidget(kView);
        if (!view) return CommandResult::failed(SheetActions::tr("The spreadsheet is not open."));
        QMetaObject::invokeMethod(view, "paste", Q_ARG(QString, a.isEmpty() ? QApplication::clipboard()->text() : a.join(u' ')));
        return CommandResult::when([&store]() -> std::optional<CommandResult> {
          if (store.isBusy()) return std::nullopt;
          return store.refusal().isEmpty() ? CommandResult::done() : CommandResult::failed(store.refusal());
        });
      },
      needsRows);
  add(
      "sheet.export", QT_TRANSLATE_NOOP("Actions", "Save as CSV…"), QT_TRANSLATE_NOOP("Actions", "Writes the rows and columns that the spreadsheet shows"),
      "export", "[FILE]",
      [&store, &workspace, &shell](const QStringList& a) {
        const QString path = a.isEmpty() ? askForFileToSave(shell.window(), workspace.settings(), SheetActions::tr("Save the sheet"),
                                                            sheetKey(store.kind()) + QStringLiteral(".csv"), QStringLiteral("CSV (*.csv)"))
                                         : a.first();
        const QString error = path.isEmpty() ? QString() : store.exportCsv(path);
        return error.isEmpty() ? CommandResult::done() : CommandResult::failed(error);
      },
      needsRows);
  add("sheet.refresh", QT_TRANSLATE_NOOP("Actions", "Read the spreadsheet again"), QT_TRANSLATE_NOOP("Actions", "Reads the latest values"), "refresh", "",
      [&store](const QStringList&) {
        store.refresh();
        return whenArranged(store);
      });
  QObject::connect(&store, &SheetStore::changed, &registry, &ActionRegistry::refreshSoon);
}

}  // namespace weft::app
