#include "main_window/name_proposals_dialog.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QTableWidget>
#include <QVBoxLayout>

#include "common/theme.h"
#include "shell/dialog_parts.h"

namespace weft::app {
namespace {

enum ProposalColumn { kProposedVariable, kProposedKey, kProposedPercent, kProposedReason, kProposalColumns };
constexpr int kSurePercent = 80;  // proposals of renamed scopes and unique shapes

}  // namespace

NameProposalsDialog::NameProposalsDialog(const NameProposals& proposals, const QString& checkpoint, const QString& graph, QWidget* parent)
    : QDialog(parent), names_(proposals.names) {
  setObjectName(QStringLiteral("name_proposals_dialog"));
  setWindowTitle(tr("Proposed names"));
  setAttribute(Qt::WA_DeleteOnClose);
  auto* layout = dialogColumn(this);
  addSentence(layout,
              tr("%n variable(s) of %1 are not in %2 under their names. These keys of the checkpoint are probably their values.", nullptr, proposals.missing)
                  .arg(graph, checkpoint));
  fill(proposals);
  layout->addWidget(table_, 1);
  auto* row = new QHBoxLayout;
  auto* above = new QPushButton(tr("&Take all above"), this);
  above->setObjectName(QStringLiteral("take_above"));
  above->setAutoDefault(false);
  above->setToolTip(tr("Checks the proposals of at least this confidence, and no others"));
  percent_ = new QSpinBox(this);
  percent_->setObjectName(QStringLiteral("take_percent"));
  percent_->setRange(0, 100);
  percent_->setSingleStep(5);
  percent_->setValue(kSurePercent);
  percent_->setSuffix(QStringLiteral(" %"));
  percent_->setAccessibleName(tr("Least confidence"));
  percent_->setToolTip(tr("Least confidence, from the rule that found the name: a guide, not a probability"));
  auto* none = new QPushButton(tr("&None"), this);
  none->setObjectName(QStringLiteral("take_none"));
  none->setAutoDefault(false);
  none->setToolTip(tr("Unchecks all proposals"));
  chosen_ = new QLabel(this);
  chosen_->setObjectName(QStringLiteral("proposals_chosen"));
  chosen_->setProperty("kind", QStringLiteral("muted"));
  row->addWidget(above);
  row->addWidget(percent_);
  row->addWidget(none);
  row->addStretch(1);
  row->addWidget(chosen_);
  layout->addLayout(row);
  if (!proposals.limits.isEmpty()) {
    auto* limits = new QLabel(tr("Not everything was searched: %1").arg(proposals.limits.join(QStringLiteral("; "))), this);
    limits->setProperty("kind", QStringLiteral("muted"));
    limits->setWordWrap(true);
    layout->addWidget(limits);
  }
  auto* buttons = new QDialogButtonBox(this);
  use_ = buttons->addButton(tr("&Use these names"), QDialogButtonBox::AcceptRole);
  use_->setObjectName(QStringLiteral("use_names"));
  use_->setDefault(true);
  use_->setToolTip(tr("Maps the checked keys to their variables, as for a copied Saver; can be undone in the Files dock"));
  write_ = buttons->addButton(tr("&Write a checkpoint…"), QDialogButtonBox::ActionRole);
  write_->setObjectName(QStringLiteral("write_renamed"));
  write_->setAutoDefault(false);
  write_->setToolTip(tr("Writes a copy of the whole checkpoint in which the checked keys have the graph's names"));
  buttons->addButton(tr("&Cancel"), QDialogButtonBox::RejectRole);
  layout->addWidget(buttons);
  connect(above, &QPushButton::clicked, this, [this] { checkAbove(percent_->value()); });
  connect(none, &QPushButton::clicked, this, &NameProposalsDialog::checkNone);
  connect(write_, &QPushButton::clicked, this, &NameProposalsDialog::writeRequested);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(table_, &QTableWidget::itemChanged, this, &NameProposalsDialog::count);
  checkAbove(kSurePercent);
  resize(860, 460);
  table_->setFocus();
}

void NameProposalsDialog::fill(const NameProposals& proposals) {
  table_ = new QTableWidget(int(proposals.names.size()), kProposalColumns, this);
  table_->setObjectName(QStringLiteral("name_proposals"));
  table_->setAccessibleName(tr("Proposed names"));
  table_->setHorizontalHeaderLabels({tr("Variable"), tr("Key in the checkpoint"), tr("Confidence"), tr("Reason")});
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setDefaultSectionSize(28);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setShowGrid(false);
  table_->setTabKeyNavigation(false);
  table_->installEventFilter(this);
  QHeaderView* header = table_->horizontalHeader();
  header->setHighlightSections(false);
  header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  header->resizeSection(kProposedVariable, 240);
  header->resizeSection(kProposedKey, 220);
  header->resizeSection(kProposedPercent, 90);
  header->setStretchLastSection(true);
  const QFont mono = widgets::Theme::current().monoSmallFont();
  for (int row = 0; row < int(proposals.names.size()); ++row) {
    const NameProposal& p = proposals.names[row];
    const auto cell = [&](int column, const QString& text, const QString& tip, bool isName) {
      auto* item = new QTableWidgetItem(text);
      item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
      item->setToolTip(tip);
      if (isName) item->setFont(mono);
      table_->setItem(row, column, item);
      return item;
    };
    auto* variable = cell(kProposedVariable, p.variable, p.key == p.variable ? p.variable : tr("%1\nread by the Saver as %2").arg(p.variable, p.key), true);
    variable->setFlags(variable->flags() | Qt::ItemIsUserCheckable);
    variable->setCheckState(Qt::Unchecked);
    cell(kProposedKey, p.stored, p.stored, true);
    cell(kProposedPercent, QStringLiteral("%1 %").arg(p.percent), {}, false);
    cell(kProposedReason, p.reason, p.reason, false);
  }
  if (!proposals.names.isEmpty()) table_->setCurrentCell(0, kProposedVariable);
}

bool NameProposalsDialog::isChecked(int row) const { return table_->item(row, kProposedVariable)->checkState() == Qt::Checked; }

void NameProposalsDialog::checkAbove(int percent) {
  {
    const QSignalBlocker quiet(table_);
    for (int row = 0; row < int(names_.size()); ++row)
      table_->item(row, kProposedVariable)->setCheckState(names_[row].percent >= percent ? Qt::Checked : Qt::Unchecked);
  }
  table_->viewport()->update();
  count();
}

void NameProposalsDialog::checkNone() { checkAbove(101); }

/// Space toggles all selected rows, whichever column is current.
bool NameProposalsDialog::eventFilter(QObject* watched, QEvent* event) {
  if (watched != table_ || event->type() != QEvent::KeyPress || static_cast<QKeyEvent*>(event)->key() != Qt::Key_Space)
    return QDialog::eventFilter(watched, event);
  const QModelIndexList rows = table_->selectionModel()->selectedRows();
  if (rows.isEmpty()) return true;
  const Qt::CheckState state = isChecked(rows.first().row()) ? Qt::Unchecked : Qt::Checked;
  for (const QModelIndex& index : rows) table_->item(index.row(), kProposedVariable)->setCheckState(state);
  return true;
}

void NameProposalsDialog::count() {
  int checked = 0;
  for (int row = 0; row < int(names_.size()); ++row) checked += isChecked(row);
  chosen_->setText(tr("%1 of %n proposal(s) checked", nullptr, int(names_.size())).arg(checked));
  use_->setEnabled(checked > 0);
  write_->setEnabled(checked > 0);
}

QMap<QString, QString> NameProposalsDialog::mapping() const {
  QMap<QString, QString> out;
  for (int row = 0; row < int(names_.size()); ++row)
    if (isChecked(row)) out.insert(names_[row].variable, names_[row].stored);
  return out;
}

QMap<QString, QString> NameProposalsDialog::renames() const {
  QMap<QString, QString> out;
  for (int row = 0; row < int(names_.size()); ++row)
    if (isChecked(row)) out.insert(names_[row].stored, names_[row].key);
  return out;
}

}  // namespace weft::app
