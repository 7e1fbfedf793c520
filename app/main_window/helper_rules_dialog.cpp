#include "main_window/helper_rules_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include "common/format.h"
#include "common/icons.h"
#include "common/theme.h"
#include "document/document.h"
#include "shell/dialog_parts.h"

namespace weft::app {
namespace {

enum RuleColumn { kRulePattern, kRuleWhere, kRuleNodes, kRuleColumns };

}  // namespace

HelperRulesDialog::HelperRulesDialog(Document* document, const QString& proposed, QWidget* parent) : QDialog(parent), document_(document) {
  connect(document, &QObject::destroyed, this, &QDialog::reject);
  setObjectName(QStringLiteral("helper_rules_dialog"));
  setWindowTitle(tr("Rules for helpers"));
  setAttribute(Qt::WA_DeleteOnClose);
  auto* layout = dialogColumn(this);
  addSentence(
      layout,
      tr("Helpers are drawn beside the network, in a column at the right. A pattern matches names of nodes and scopes: * stands for any characters, ? for one. A scope includes everything in it. The last matching rule wins."));
  table_ = new QTableWidget(0, kRuleColumns, this);
  table_->setHorizontalHeaderLabels({tr("Pattern"), tr("Placed in"), tr("Nodes")});
  table_->setAccessibleName(tr("Rules"));
  table_->verticalHeader()->hide();
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setShowGrid(false);
  table_->verticalHeader()->setDefaultSectionSize(32);
  QHeaderView* header = table_->horizontalHeader();
  header->setSectionResizeMode(kRulePattern, QHeaderView::Stretch);
  header->resizeSection(kRuleWhere, 150);
  header->resizeSection(kRuleNodes, 90);
  header->setHighlightSections(false);
  header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  layout->addWidget(table_, 1);
  hint_ = new QLabel(this);
  hint_->setProperty("kind", QStringLiteral("muted"));
  hint_->setWordWrap(true);
  layout->addWidget(hint_);
  auto* row = new QHBoxLayout;
  const auto button = [&](const QString& text, const char* name, auto act) {
    auto* made = new QPushButton(text, this);
    made->setObjectName(QLatin1String(name));
    made->setAutoDefault(false);
    connect(made, &QPushButton::clicked, this, act);
    row->addWidget(made);
  };
  button(tr("&Add"), "add_rule", [this] { addRow({QStringLiteral("*/"), true}, true); });
  button(tr("&Remove"), "remove_rule", [this] { removeRow(); });
  button(tr("&Up"), "rule_up", [this] { moveRow(-1); });
  button(tr("&Down"), "rule_down", [this] { moveRow(1); });
  row->addStretch(1);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
  buttons->button(QDialogButtonBox::Ok)->setText(tr("OK"));
  buttons->button(QDialogButtonBox::Cancel)->setText(tr("Cancel"));
  row->addWidget(buttons);
  layout->addLayout(row);
  connect(buttons, &QDialogButtonBox::accepted, this, &HelperRulesDialog::apply);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(table_, &QTableWidget::cellChanged, this, [this](int at, int column) {
    if (column == kRulePattern) count(at);
  });
  for (const HelperRule& rule : helperRulesOf(*document->contents())) addRow(rule, false);
  if (!proposed.isEmpty()) addRow({proposed, true}, true);
  showHint();
  resize(620, 380);
}

void HelperRulesDialog::addRow(const HelperRule& rule, bool edit) {
  const int row = table_->rowCount();
  table_->insertRow(row);
  auto* pattern = new QTableWidgetItem(rule.pattern);
  pattern->setFont(widgets::Theme::current().monoFont());
  auto* nodes = new QTableWidgetItem;
  nodes->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
  table_->setItem(row, kRuleNodes, nodes);
  auto* where = new QComboBox(table_);
  where->addItem(tr("helpers"), true);
  where->addItem(tr("network"), false);
  where->setCurrentIndex(rule.helper ? 0 : 1);
  where->setAccessibleName(tr("Where to place it"));
  table_->setCellWidget(row, kRuleWhere, where);
  table_->setItem(row, kRulePattern, pattern);
  table_->setCurrentCell(row, kRulePattern);
  if (edit) table_->editItem(pattern);
  showHint();
}

void HelperRulesDialog::removeRow() {
  if (table_->currentRow() >= 0) table_->removeRow(table_->currentRow());
  showHint();
}

void HelperRulesDialog::moveRow(int step) {
  const int row = table_->currentRow(), to = row + step;
  if (row < 0 || to < 0 || to >= table_->rowCount()) return;
  QVector<HelperRule> all = rules();
  if (all.size() != table_->rowCount()) return;  // one rule is empty, so it cannot be stored yet
  all.swapItemsAt(row, to);
  table_->setRowCount(0);
  for (const HelperRule& rule : std::as_const(all)) addRow(rule, false);
  table_->setCurrentCell(to, kRulePattern);
}

void HelperRulesDialog::count(int row) {
  const QTableWidgetItem* pattern = table_->item(row, kRulePattern);
  QTableWidgetItem* nodes = table_->item(row, kRuleNodes);
  if (pattern == nullptr || nodes == nullptr) return;
  const int fits = nodesThatFit(*document_->contents(), pattern->text().trimmed());
  nodes->setText(widgets::formatCount(fits));
  nodes->setForeground(widgets::Theme::current().color(fits > 0 ? widgets::Role::Text2 : widgets::Role::Warning));
  nodes->setToolTip(fits > 0 ? QString() : tr("No name in this graph matches the pattern"));
}

QVector<HelperRule> HelperRulesDialog::rules() const {
  QVector<HelperRule> out;
  for (int row = 0; row < table_->rowCount(); ++row) {
    const QString pattern = table_->item(row, kRulePattern)->text().trimmed();
    if (!pattern.isEmpty()) out.append({pattern, qobject_cast<QComboBox*>(table_->cellWidget(row, kRuleWhere))->currentData().toBool()});
  }
  return out;
}

void HelperRulesDialog::showHint() {
  hint_->setText(table_->rowCount() == 0 ? tr("There are no rules yet. Add creates one; Move to helpers in a node's menu creates one for its name.")
                                         : QString());
  hint_->setVisible(table_->rowCount() == 0);
}

void HelperRulesDialog::apply() {
  const QVector<HelperRule> now = rules();
  if (now != helperRulesOf(*document_->contents())) document_->apply(setHelperRules(now));
  accept();
}

}  // namespace weft::app
