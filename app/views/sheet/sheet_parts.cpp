#include "views/sheet/sheet_parts.h"

#include <QBrush>
#include <QComboBox>
#include <QFont>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>
#include <algorithm>

#include "common/icons.h"
#include "common/theme.h"

namespace weft::app {
namespace {
enum Mode { kSet, kReplace };
}  // namespace

void SheetModel::setSheet(SheetTablePtr table, SheetRowsPtr rows) {
  beginResetModel();
  table_ = std::move(table);
  rows_ = std::move(rows);
  endResetModel();
}

QVariant SheetModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || !table_) return {};
  const int row = tableRow(index.row()), column = index.column();
  switch (role) {
    case Qt::DisplayRole: return table_->isEmpty(row, column) ? QStringLiteral("–") : table_->shown(row, column);
    case Qt::EditRole: return table_->text(row, column);
    case Qt::ToolTipRole: {
      const QString text = table_->isEmpty(row, column) ? tr("No value") : table_->text(row, column);
      return table_->isEditable(row, column) ? tr("%1 (F2 or typing changes it)").arg(text) : text;
    }
    case Qt::TextAlignmentRole: return int((table_->columns[column].kind == SheetColumn::Kind::Text ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::FontRole: return widgets::Theme::current().monoFont();
    case Qt::ForegroundRole: return table_->isEmpty(row, column) ? QVariant(QBrush(widgets::Theme::current().color(widgets::Role::Text3))) : QVariant();
    default: return {};
  }
}

QVariant SheetModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || !table_ || section < 0 || section >= table_->columns.size()) return {};
  const SheetColumn& c = table_->columns[section];
  if (role == Qt::DisplayRole) return c.name;
  if (role == Qt::ToolTipRole)
    return c.doc.isEmpty() ? tr("%1. Click: sort").arg(c.name)
           : c.isEditable  ? tr("%1 Cells can be changed. Click: sort").arg(c.doc)
                           : tr("%1 Click: sort").arg(c.doc);
  if (role == Qt::TextAlignmentRole) return int((c.kind == SheetColumn::Kind::Text ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  return {};
}

Qt::ItemFlags SheetModel::flags(const QModelIndex& index) const {
  const Qt::ItemFlags plain = Qt::ItemIsSelectable | Qt::ItemIsEnabled | Qt::ItemNeverHasChildren;
  return index.isValid() && table_ && table_->isEditable(tableRow(index.row()), index.column()) ? plain | Qt::ItemIsEditable : plain;
}

bool SheetModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::EditRole || !index.isValid() || !table_) return false;
  emit typed(index, value.toString());
  return false;
}

std::vector<int> rowsIn(const QItemSelection& selection, int column) {
  std::vector<int> out;
  for (const QItemSelectionRange& range : selection)
    if (column < 0 || (range.left() <= column && column <= range.right()))
      for (int row = range.top(); row <= range.bottom(); ++row) out.push_back(row);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

SheetEditBar::SheetEditBar(QWidget* parent) : QWidget(parent) {
  column_ = new QComboBox(this);
  mode_ = new QComboBox(this);
  find_ = new QLineEdit(this);
  with_ = new QLabel(this);
  value_ = new QLineEdit(this);
  apply_ = new QPushButton(this);
  close_ = new QToolButton(this);
  close_->setIcon(widgets::icon(QStringLiteral("close")));
  close_->setAutoRaise(true);
  mode_->addItems({QString(), QString()});
  column_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  mode_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(6);
  row->addWidget(column_);
  row->addWidget(mode_);
  row->addWidget(find_, 1);
  row->addWidget(with_);
  row->addWidget(value_, 1);
  row->addWidget(apply_);
  row->addWidget(close_);
  connect(mode_, &QComboBox::currentIndexChanged, this, &SheetEditBar::showMode);
  connect(value_, &QLineEdit::returnPressed, this, &SheetEditBar::apply);
  connect(find_, &QLineEdit::returnPressed, this, &SheetEditBar::apply);
  connect(apply_, &QPushButton::clicked, this, &SheetEditBar::apply);
  connect(close_, &QToolButton::clicked, this, &SheetEditBar::closed);
  retranslate();
  showMode();
}

void SheetEditBar::setColumns(const QStringList& columns, const QString& column) {
  const QString present = columns.contains(column) ? column : columns.contains(column_->currentText()) ? column_->currentText() : columns.value(0);
  column_->clear();
  column_->addItems(columns);
  column_->setCurrentText(present);
}

void SheetEditBar::setRows(int rows) {
  rows_ = rows;
  apply_->setText(tr("Set for %n row(s)", nullptr, rows));
  apply_->setEnabled(rows > 0);
}

void SheetEditBar::showMode() {
  const bool replaces = mode_->currentIndex() == kReplace;
  find_->setVisible(replaces);
  with_->setVisible(replaces);
}

void SheetEditBar::apply() {
  if (rows_ == 0 || column_->currentText().isEmpty()) return;
  const bool replaces = mode_->currentIndex() == kReplace;
  if (replaces && find_->text().isEmpty()) return find_->setFocus();
  emit given(column_->currentText(), value_->text(), replaces ? find_->text() : QString());
}

void SheetEditBar::edit() {
  QLineEdit* field = mode_->currentIndex() == kReplace ? find_ : value_;
  field->setFocus();
  field->selectAll();
}

void SheetEditBar::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) emit closed();
  else QWidget::keyPressEvent(event);
}

void SheetEditBar::retranslate() {
  mode_->setItemText(kSet, tr("set to"));
  mode_->setItemText(kReplace, tr("replace"));
  with_->setText(tr("with"));
  value_->setPlaceholderText(tr("value, or {scope}/{last}_{n}"));
  value_->setToolTip(
      tr("{name}, {last}, {scope}, {op}, {device} and {n} stand for each row's own name, its last part, its scope, op and device, and its number"));
  find_->setPlaceholderText(tr("text in the present values"));
  const auto say = [](QWidget* w, const QString& text) {
    w->setAccessibleName(text);
    if (w->toolTip().isEmpty() || w->property("said").toBool()) {
      w->setToolTip(text);
      w->setProperty("said", true);
    }
  };
  say(column_, tr("The column to change"));
  say(mode_, tr("Set the whole value, or replace a part of it"));
  say(find_, tr("The text to replace"));
  say(value_, tr("The new value"));
  say(close_, tr("Close (Esc)"));
  apply_->setToolTip(tr("Changes the selected rows in one step that can be undone: all of them, or none"));
  setRows(rows_);
}

}  // namespace weft::app
