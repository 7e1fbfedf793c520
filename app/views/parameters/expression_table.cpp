#include "views/parameters/expression_table.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QToolTip>

#include "common/padded_delegate.h"
#include "common/theme.h"
#include "property_sheet/expression_completer.h"

namespace weft::app {
namespace {

enum Column { kName, kExpression, kValue };

/// Editors with completion, which show in a tooltip what the typed expression gives.
class ExpressionDelegate : public widgets::PaddedDelegate {
 public:
  explicit ExpressionDelegate(ExpressionTable* table) : PaddedDelegate(table), table_(table) {}

  QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    if (index.column() == kValue || (index.column() == kName && !table_->renames)) return nullptr;
    auto* field = new QLineEdit(parent);
    field->setObjectName(index.column() == kName ? QStringLiteral("parameter_name_cell") : QStringLiteral("parameter_expression_cell"));
    field->setFrame(false);
    field->setFont(widgets::Theme::current().monoFont());
    field->setProperty("typedCounts", true);
    const QString name = index.siblingAtColumn(kName).data().toString();
    field->setAccessibleName(index.column() == kName ? name : ExpressionTable::tr("Expression of %1").arg(name));
    if (index.column() != kExpression) return field;
    if (table_->words) new widgets::ExpressionCompleter(field, table_->words, true);
    QObject::connect(field, &QLineEdit::textEdited, field, [field, name, table = table_](const QString& text) {
      if (!table->compute) return;
      const widgets::ExpressionResult result = table->compute(name, text);
      field->setAccessibleDescription(result.error.isEmpty() ? QStringLiteral("= ") + result.value : result.error);
      QToolTip::showText(field->mapToGlobal(QPoint(0, field->height())), field->accessibleDescription(), field);
    });
    return field;
  }
  void setEditorData(QWidget* editor, const QModelIndex& index) const override {
    static_cast<QLineEdit*>(editor)->setText(index.data(Qt::EditRole).toString());
  }
  void setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const override {
    model->setData(index, static_cast<QLineEdit*>(editor)->text().trimmed(), Qt::EditRole);
  }

 private:
  ExpressionTable* table_;
};

}  // namespace

ExpressionTable::ExpressionTable(QWidget* parent) : QTreeWidget(parent) {
  setColumnCount(3);
  setRootIsDecorated(false);
  setTextElideMode(Qt::ElideMiddle);
  setUniformRowHeights(true);
  setSelectionMode(QAbstractItemView::ExtendedSelection);
  setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed | QAbstractItemView::AnyKeyPressed);
  setItemDelegate(new ExpressionDelegate(this));
  header()->setStretchLastSection(false);
  header()->setSectionResizeMode(kName, QHeaderView::Stretch);
  header()->setSectionResizeMode(kExpression, QHeaderView::Stretch);
  header()->setSectionResizeMode(kValue, QHeaderView::ResizeToContents);
  connect(this, &QTreeWidget::itemChanged, this, [this](QTreeWidgetItem* item, int column) {
    const int row = indexOfTopLevelItem(item);
    if (filling_ || row < 0 || row >= rows_.size()) return;
    const ExpressionRow was = rows_[row];
    const QString text = item->text(column);
    // The cell shows what holds until the edit is done.
    filling_ = true;
    item->setText(column, column == kName ? was.name : was.expression);
    filling_ = false;
    if (column == kName && text != was.name) emit renamed(was.name, text);
    if (column == kExpression && text != was.expression) emit changed(was.name, text);
  });
}

void ExpressionTable::setRows(const QVector<ExpressionRow>& rows) {
  const QString current = currentItem() != nullptr ? currentItem()->text(kName) : QString();
  const int column = std::max(0, currentColumn());
  filling_ = true;
  rows_ = rows;
  clear();
  const auto& theme = widgets::Theme::current();
  for (const ExpressionRow& row : rows) {
    auto* item = new QTreeWidgetItem(this, {row.name, row.expression, row.error.isEmpty() ? row.value : QStringLiteral("▲")});
    item->setFlags(item->flags() | Qt::ItemIsEditable);
    for (const int c : {kName, kExpression, kValue}) item->setFont(c, theme.monoFont());
    item->setTextAlignment(kValue, Qt::AlignRight | Qt::AlignVCenter);
    if (!row.error.isEmpty()) item->setForeground(kValue, theme.color(widgets::Role::Error));
    item->setToolTip(kName, row.doc.isEmpty() ? row.name : row.name + u'\n' + row.doc);
    item->setToolTip(kExpression, row.expression);
    item->setToolTip(kValue, row.error.isEmpty() ? row.value : row.error);
    if (row.name == current) setCurrentItem(item, column);
  }
  filling_ = false;
}

QStringList ExpressionTable::chosen() const {
  QStringList out;
  for (const QTreeWidgetItem* item : selectedItems()) out << item->text(kName);
  return out;
}

void ExpressionTable::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Delete && state() != QAbstractItemView::EditingState && !chosen().isEmpty()) {
    emit removeRequested();
    return;
  }
  // Return edits the expression, as F2 does on a cell.
  if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && state() != QAbstractItemView::EditingState && currentItem() != nullptr) {
    editItem(currentItem(), kExpression);
    return;
  }
  QTreeWidget::keyPressEvent(event);
}

}  // namespace weft::app
