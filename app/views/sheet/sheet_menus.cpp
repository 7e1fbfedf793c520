// The menus of the spreadsheet.
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QTableView>
#include <algorithm>

#include "common/icons.h"
#include "document/sheet_store.h"
#include "shell/action_registry.h"
#include "views/sheet/sheet_parts.h"
#include "views/sheet/sheet_view.h"

namespace weft::app {
namespace {

constexpr int kMostValues = 12, kMostAttributes = 24, kWidestText = 320;

/// A value as a filter takes it.
QString quoted(const QString& value) {
  if (value.isEmpty()) return QStringLiteral("\"\"");
  const bool shape = value.startsWith(u'[') && value.endsWith(u']');
  const bool plain = std::none_of(value.begin(), value.end(), [](QChar c) { return c.isSpace() || QStringLiteral("()<>=!~,\"'").contains(c); });
  if (shape || plain) return value;
  return value.contains(u'"') ? u'\'' + value + u'\'' : u'"' + value + u'"';
}

QString plainText(const QFontMetrics& metrics, const QString& text) {
  return metrics.elidedText(text, Qt::ElideMiddle, kWidestText).replace(u'&', QStringLiteral("&&"));
}

}  // namespace

void SheetView::fillColumns(QMenu* menu) {
  menu->clear();
  const SheetTablePtr table = model_->table();
  for (int c = 1; table && c < table->columns.size(); ++c) {  // the first one names the rows
    const SheetColumn& column = table->columns[c];
    if (column.isAttribute) continue;
    QAction* action = menu->addAction(plainText(fontMetrics(), column.name));
    action->setCheckable(true);
    action->setChecked(!store_.hidden().contains(column.name));
    action->setToolTip(column.doc);
    connect(action, &QAction::toggled, this, [this, name = column.name](bool on) {
      run("sheet.column", {name, on ? QStringLiteral("show") : QStringLiteral("hide")});
    });
  }
  menu->setToolTipsVisible(true);
  menu->addSeparator();
  if (table && table->kind == SheetKind::Nodes) {
    QMenu* attributes = menu->addMenu(tr("Attribute"));
    // Long lists are divided by their first letters.
    QMenu* part = attributes;
    for (qsizetype i = 0; i < table->attributes.size(); ++i) {
      if (table->attributes.size() > kMostAttributes && i % kMostAttributes == 0) {
        const qsizetype end = std::min<qsizetype>(i + kMostAttributes, table->attributes.size()) - 1;
        part = attributes->addMenu(QStringLiteral("%1 … %2").arg(table->attributes[i], table->attributes[end]));
      }
      const QString& name = table->attributes[i];
      QAction* action = part->addAction(name);
      action->setCheckable(true);
      action->setChecked(store_.attributes().contains(name));
      connect(action, &QAction::toggled, this, [this, name](bool on) { run("sheet.attribute", {name, on ? QStringLiteral("show") : QStringLiteral("hide")}); });
    }
    attributes->setEnabled(!table->attributes.isEmpty());
  }
  connect(menu->addAction(tr("Usual columns")), &QAction::triggered, &store_, &SheetStore::showDefaultColumns);
}

/// Joins a condition to the filter.
void SheetView::addFilter(const QString& term) {
  const QString present = store_.filter();
  const bool alternatives = present.contains(QLatin1String(" or "), Qt::CaseInsensitive);
  run("sheet.filter", {present.isEmpty() ? term : (alternatives ? QStringLiteral("(%1)").arg(present) : present) + QStringLiteral(" and ") + term});
}

void SheetView::showCellMenu(QPoint at) {
  const SheetTablePtr table = model_->table();
  const QModelIndex index = table_->indexAt(at);
  if (!table) return;
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  if (index.isValid()) {
    const int row = model_->tableRow(index.row());
    const QString column = quoted(table->columns[index.column()].name), value = table->text(row, index.column());
    if (table->kind != SheetKind::Runs)
      connect(menu->addAction(widgets::icon(QStringLiteral("graph")), tr("Show on the canvas")), &QAction::triggered, this, &SheetView::showNode);
    for (const char* op : {"=", "!="}) {
      const QString term = QStringLiteral("%1 %2 %3").arg(column, QLatin1String(op), quoted(value));
      connect(menu->addAction(widgets::icon(QStringLiteral("filter")), tr("Only rows with %1").arg(plainText(fontMetrics(), term))), &QAction::triggered, this,
              [this, term] { addFilter(term); });
    }
    if (model_->flags(index) & Qt::ItemIsEditable) {
      connect(menu->addAction(tr("Change the value…")), &QAction::triggered, this, [this, index = QPersistentModelIndex(index)] { table_->edit(index); });
      menu->addAction(context_.actions.action(QStringLiteral("sheet.set")));
    }
    menu->addSeparator();
  }
  menu->addAction(context_.actions.action(QStringLiteral("sheet.copy")));
  connect(menu->addAction(tr("Copy with column names")), &QAction::triggered, this, [this] { QApplication::clipboard()->setText(chosenText(true)); });
  menu->addAction(context_.actions.action(QStringLiteral("sheet.export")));
  menu->popup(table_->viewport()->mapToGlobal(at));
}

void SheetView::showHeaderMenu(QPoint at) {
  const SheetTablePtr table = model_->table();
  const int column = table_->horizontalHeader()->logicalIndexAt(at);
  if (!table || column < 0 || column >= table->columns.size()) return;
  const QString name = table->columns[column].name;
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  connect(menu->addAction(widgets::icon(QStringLiteral("chevron-up")), tr("Sort ascending")), &QAction::triggered, this,
          [this, name] { run("sheet.sort", {name}); });
  connect(menu->addAction(widgets::icon(QStringLiteral("chevron-down")), tr("Sort descending")), &QAction::triggered, this, [this, name] {
    run("sheet.sort", {name, QStringLiteral("down")});
  });
  connect(menu->addAction(tr("As in the graph")), &QAction::triggered, this, [this] { run("sheet.sort"); });
  const auto values = table->frequent(column, store_.rows()->rows, kMostValues);
  if (!values.isEmpty()) {
    QMenu* only = menu->addMenu(widgets::icon(QStringLiteral("filter")), tr("Only rows with"));
    for (const auto& [value, count] : values) {
      const QString term = QStringLiteral("%1 = %2").arg(quoted(name), quoted(value));
      connect(only->addAction(QStringLiteral("%1\t%2").arg(value.isEmpty() ? tr("no value") : plainText(fontMetrics(), value)).arg(count)), &QAction::triggered,
              this, [this, term] { addFilter(term); });
    }
  }
  if (column > 0) {
    menu->addSeparator();
    connect(menu->addAction(tr("Hide the column")), &QAction::triggered, this, [this, name, attribute = table->columns[column].isAttribute] {
      if (!attribute) return run("sheet.column", {name, QStringLiteral("hide")});
      run("sheet.attribute", {name.startsWith(QLatin1String("attr:")) ? name.mid(5) : name, QStringLiteral("hide")});
    });
  }
  menu->popup(table_->horizontalHeader()->viewport()->mapToGlobal(at));
}

}  // namespace weft::app
