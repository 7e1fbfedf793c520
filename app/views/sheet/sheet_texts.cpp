// The menus of the spreadsheet, and its texts.
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QTabBar>
#include <QTableView>
#include <QToolButton>
#include <algorithm>

#include "common/empty_state.h"
#include "common/format.h"
#include "common/icons.h"
#include "common/theme.h"
#include "document/sheet_store.h"
#include "document/workspace.h"
#include "shell/action_registry.h"
#include "views/sheet/sheet_parts.h"
#include "views/sheet/sheet_view.h"

namespace weft::app {
namespace {

constexpr int kWidestColumn = 260, kLeastColumn = 56, kRowsMeasured = 200;
constexpr int kMostValues = 12, kMostAttributes = 24, kWidestText = 320, kMostReported = 1000;

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
  if (index.isValid() && model_->flags(index) & Qt::ItemIsEditable) menu->addAction(context_.actions.action(QStringLiteral("sheet.paste")));
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
  menu->addSeparator();
  connect(menu->addAction(tr("Select the column")), &QAction::triggered, this, [this, column] {
    table_->setFocus();
    table_->selectColumn(column);
  });
  if (column > 0) {
    connect(menu->addAction(tr("Hide the column")), &QAction::triggered, this, [this, name, attribute = table->columns[column].isAttribute] {
      if (!attribute) return run("sheet.column", {name, QStringLiteral("hide")});
      run("sheet.attribute", {name.startsWith(QLatin1String("attr:")) ? name.mid(5) : name, QStringLiteral("hide")});
    });
  }
  menu->popup(table_->horizontalHeader()->viewport()->mapToGlobal(at));
}

namespace {

/// Whether ranges are whole rows, whole columns or one rectangle: what a table without gaps shows.
bool isBlock(const QItemSelection& selection) {
  return std::all_of(selection.begin(), selection.end(),
                     [&](const QItemSelectionRange& r) { return r.left() == selection[0].left() && r.right() == selection[0].right(); }) ||
         std::all_of(selection.begin(), selection.end(),
                     [&](const QItemSelectionRange& r) { return r.top() == selection[0].top() && r.bottom() == selection[0].bottom(); });
}

}  // namespace

/// Cells here and there: those between them are left empty.
QString SheetView::chosenCells(const QItemSelection& selection, const QVector<int>& columns, bool heading) const {
  const SheetTablePtr table = model_->table();
  QStringList lines, line;
  for (const int c : columns) line << table->columns[c].name;
  if (heading) lines << line.join(u'\t');
  for (const int row : rowsIn(selection)) {
    line.clear();
    for (const int c : columns) line << (selection.contains(model_->index(row, c)) ? table->text(model_->tableRow(row), c) : QString());
    lines << line.join(u'\t');
  }
  return lines.join(u'\n');
}

QString SheetView::chosenText(bool heading) const {
  const SheetTablePtr table = model_->table();
  if (!table) return {};
  const QItemSelection selection = table_->selectionModel()->selection();
  std::vector<int> rows = rowsIn(selection);
  QVector<int> columns;
  const QHeaderView* header = table_->horizontalHeader();
  for (int visual = 0; visual < header->count(); ++visual) {
    const int c = header->logicalIndex(visual);
    const bool chosen = selection.isEmpty() || std::any_of(selection.begin(), selection.end(),
                                                           [&](const QItemSelectionRange& range) { return range.left() <= c && c <= range.right(); });
    if (chosen && !header->isSectionHidden(c)) columns << c;
  }
  if (rows.empty()) rows = store_.rows()->rows;
  else
    for (int& row : rows) row = model_->tableRow(row);
  if (selection.size() > 1 && !isBlock(selection)) return chosenCells(selection, columns, heading);
  QString text = table->tsv(rows, columns, heading);
  text.chop(1);
  return text;
}

/// Columns get the width of their first rows once; then they keep it.
void SheetView::measureColumns() {
  const SheetTablePtr table = model_->table();
  if (!table) return;
  const QFontMetrics metrics(widgets::Theme::current().monoFont());
  QStringList names;
  for (const SheetColumn& c : table->columns) names << sheetKey(table->kind) + u'/' + c.name;
  if (names == measured_ || table->rows() == 0) return;
  measured_ = names;
  for (int c = 0; c < table->columns.size(); ++c) {
    QString longest;  // all letters are of the same width
    for (int row = 0; row < std::min(table->rows(), kRowsMeasured); ++row)
      if (const QString text = table->shown(row, c); text.size() > longest.size()) longest = text;
    const int width = std::max(table_->horizontalHeader()->sectionSizeHint(c) + 16, metrics.horizontalAdvance(longest) + 20);
    table_->setColumnWidth(c, std::clamp(width, kLeastColumn, kWidestColumn));
  }
}

void SheetView::showSort() {
  QHeaderView* header = table_->horizontalHeader();
  const int column = model_->table() && !store_.orders().isEmpty() ? model_->table()->column(store_.orders().first().column) : -1;
  header->setSortIndicatorShown(column >= 0);
  if (column >= 0) header->setSortIndicator(column, store_.orders().first().descending ? Qt::DescendingOrder : Qt::AscendingOrder);
}

/// The remembered columns first, the others after them as the sheet has them.
void SheetView::showColumnOrder() {
  const SheetTablePtr table = model_->table();
  QHeaderView* header = table_->horizontalHeader();
  if (!table || header->count() != table->columns.size()) return;
  QVector<int> wanted;
  for (const QString& name : store_.columnOrder())
    if (const int c = table->column(name); c >= 0) wanted << c;
  for (int c = 0; c < table->columns.size(); ++c)
    if (!wanted.contains(c)) wanted << c;
  ordering_ = true;
  for (int place = 0; place < wanted.size(); ++place)
    if (const int now = header->visualIndex(wanted[place]); now != place) header->moveSection(now, place);
  ordering_ = false;
}

/// A column was dragged to another place.
void SheetView::keepColumnOrder() {
  const SheetTablePtr table = model_->table();
  const QHeaderView* header = table_->horizontalHeader();
  if (ordering_ || !table || header->count() != table->columns.size()) return;
  QStringList names;
  for (int place = 0; place < header->count(); ++place) names << table->columns[header->logicalIndex(place)].name;
  store_.setColumnOrder(names);
}

void SheetView::paste(const QString& text) {
  const SheetTablePtr table = model_->table();
  const QItemSelection selection = table_->selectionModel()->selection();
  const auto refuse = [this](const QString& why) { store_.refuse(why); };
  if (!table || text.isEmpty()) return refuse(tr("The clipboard holds no text."));
  QString all = text;
  all.remove(u'\r');
  if (all.endsWith(u'\n')) all.chop(1);
  const QStringList lines = all.split(u'\n');
  std::vector<SheetStore::Cell> cells;
  if (lines.size() == 1 && !lines[0].contains(u'\t')) {
    for (const QItemSelectionRange& range : selection)
      for (int c = range.left(); c <= range.right(); ++c)
        for (int row = range.top(); row <= range.bottom() && table->columns[c].isEditable && !table_->isColumnHidden(c); ++row)
          if (table->isEditable(model_->tableRow(row), c)) cells.push_back({model_->tableRow(row), c, lines[0]});
    if (cells.empty()) return refuse(tr("None of the selected cells can be changed."));
  } else {
    const std::vector<int> rows = rowsIn(selection);
    const QHeaderView* header = table_->horizontalHeader();
    int left = header->count();
    for (const QItemSelectionRange& range : selection)
      for (int c = range.left(); c <= range.right(); ++c)
        if (!header->isSectionHidden(c)) left = std::min(left, header->visualIndex(c));
    if (rows.empty() || left == header->count()) return refuse(tr("Select the cell where the pasted ones begin."));
    QVector<int> columns;
    for (int place = left; place < header->count(); ++place)
      if (!header->isSectionHidden(header->logicalIndex(place))) columns << header->logicalIndex(place);
    if (rows.front() + lines.size() > model_->rowCount())
      return refuse(tr("The clipboard has %n line(s), which is more than there are rows from here on.", nullptr, int(lines.size())));
    for (qsizetype line = 0; line < lines.size(); ++line) {
      const QStringList fields = lines[line].split(u'\t');
      if (fields.size() > columns.size())
        return refuse(tr("Line %1 of the clipboard has %2 fields; there are %3 columns from here on.").arg(line + 1).arg(fields.size()).arg(columns.size()));
      for (qsizetype field = 0; field < fields.size(); ++field) cells.push_back({model_->tableRow(rows.front() + int(line)), columns[field], fields[field]});
    }
  }
  store_.setCells(table, cells, [](const QString&) {});  // the store tells why it was refused
}

void SheetView::showSums() {
  const SheetTablePtr table = model_->table();
  SheetSummary sum;
  const QItemSelection selection = table_->selectionModel()->selection();
  if (table) {
    for (const QItemSelectionRange& range : selection) {
      std::vector<int> rows;
      for (int row = range.top(); row <= range.bottom(); ++row) rows.push_back(model_->tableRow(row));
      for (int c = range.left(); c <= range.right(); ++c)
        if (!table_->isColumnHidden(c)) table->addTo(sum, c, rows);
    }
  }
  const auto number = [&](double v) { return SheetTable::shownNumber(v, sum.kind == SheetColumn::Kind::Count ? SheetColumn::Kind::Number : sum.kind); };
  QString text;
  if (sum.numbers > 1 && sum.kind != SheetColumn::Kind::Time)
    text = tr("%1 numbers · sum %2 · mean %3 · min %4 · max %5")
               .arg(widgets::formatCount(sum.numbers), SheetTable::shownNumber(sum.sum, sum.kind), number(sum.mean), SheetTable::shownNumber(sum.min, sum.kind),
                    SheetTable::shownNumber(sum.max, sum.kind));
  else if (sum.cells > 1) text = tr("%n cell(s)", nullptr, int(sum.cells));
  sums_->setText(text);
  sums_->setToolTip(text);
}

QString SheetView::report() const {
  const SheetTablePtr table = model_->table();
  QJsonArray columns, rows;
  const QVector<int> shown = store_.shownColumns();
  for (const int c : shown) columns << table->columns[c].name;
  for (int row = 0; row < std::min(model_->rowCount(), kMostReported); ++row) {
    QJsonArray cells;
    for (const int c : shown) cells << table->text(model_->tableRow(row), c);
    rows << cells;
  }
  return QString::fromUtf8(QJsonDocument(QJsonObject{{QStringLiteral("sheet"), sheetKey(store_.kind())},
                                                     {QStringLiteral("filter"), store_.filter()},
                                                     {QStringLiteral("error"), message_->text()},
                                                     {QStringLiteral("columns"), columns},
                                                     {QStringLiteral("rows"), rows},
                                                     {QStringLiteral("shown"), model_->rowCount()},
                                                     {QStringLiteral("of"), table ? table->rows() : 0},
                                                     {QStringLiteral("summary"), sums_->text()},
                                                     {QStringLiteral("values"), table ? table->valuesOf : QString()},
                                                     {QStringLiteral("selected"), qint64(store_.selected().size())},
                                                     {QStringLiteral("busy"), store_.isBusy()}})
                               .toJson(QJsonDocument::Compact));
}

void SheetView::retranslate() {
  const QString names[kSheetKinds] = {tr("Nodes"), tr("Variables"), tr("Tensors"), tr("Runs")};
  const QString tips[kSheetKinds] = {tr("The nodes of the graph"), tr("The variables of the graph, with their latest values"),
                                     tr("Values of the debugged run and of open checkpoints"), tr("Trainings, experiments and event files")};
  for (int k = 0; k < kSheetKinds; ++k) {
    kinds_->setTabText(k, names[k]);
    kinds_->setTabToolTip(k, tips[k]);
  }
  kinds_->setAccessibleName(tr("Sheets"));
  filter_->setPlaceholderText(tr("Filter: conv bytes > 1MB"));
  filter_->setAccessibleName(tr("Filter of the sheet"));
  filter_->setToolTip(
      tr("Words, and conditions: op = Conv*, bytes > 4k, shape = [?,10], device = \"\", name ~ \"conv[0-9]\", op in (MatMul, Conv2D); "
         "joined by and, or, not and parentheses. Esc clears it."));
  table_->setAccessibleName(tr("Rows of the sheet"));
  const auto say = [](QWidget* w, const QString& text) {
    w->setToolTip(text);
    w->setAccessibleName(text);
  };
  say(columns_, tr("Columns"));
  say(set_, tr("Set a value for the selected rows"));
  say(more_, tr("Copy, save as CSV"));
  bar_->retranslate();
  retranslateEmpty();
  showSums();
}

void SheetView::retranslateEmpty() {
  if (store_.isBusy() && !model_->table()) {
    empty_->setTitle(tr("The sheet is being read"));
    empty_->setText({});
    return;
  }
  if (!context_.workspace.current() && store_.kind() <= SheetKind::Variables) {
    empty_->setTitle(tr("No graph is open"));
    empty_->setText(tr("Its nodes and variables are listed here, to be filtered, sorted and changed together."));
    return;
  }
  switch (store_.kind()) {
    case SheetKind::Nodes:
      empty_->setTitle(tr("This graph is empty"));
      empty_->setText(tr("Nodes are listed here, to be filtered, sorted and changed together."));
      break;
    case SheetKind::Variables:
      empty_->setTitle(tr("This graph has no variables"));
      empty_->setText(tr("Variables are listed here with their types, shapes and latest values."));
      break;
    case SheetKind::Tensors:
      empty_->setTitle(tr("There are no values yet"));
      empty_->setText(tr("Debug a run, or open a checkpoint: the statistics of its tensors are listed here."));
      break;
    case SheetKind::Runs:
      empty_->setTitle(tr("There are no runs yet"));
      empty_->setText(tr("Trainings, experiments and event files are listed here with their settings and last metrics."));
      break;
  }
}

}  // namespace weft::app
