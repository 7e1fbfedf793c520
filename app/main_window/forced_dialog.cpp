#include "main_window/forced_dialog.h"

#include <QDialogButtonBox>
#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "common/name_delegate.h"
#include "common/theme.h"
#include "document/document.h"
#include "document/workspace.h"
#include "shell/action_registry.h"
#include "shell/dialog_parts.h"

namespace weft::app {
namespace {
enum ForcedColumn { kForcedTensor, kForcedHow, kForcedValue, kForcedColumns };
constexpr int kFedRole = Qt::UserRole;
}  // namespace

ForcedDialog::ForcedDialog(Workspace& workspace, ActionRegistry& actions, QWidget* parent) : QDialog(parent), workspace_(workspace), actions_(actions) {
  setObjectName(QStringLiteral("forced_dialog"));
  setAttribute(Qt::WA_DeleteOnClose);
  setProperty("helpPage", QStringLiteral("debugger"));
  auto* layout = dialogColumn(this);
  hint_ = addSentence(layout, {}, "muted");
  list_ = new QTreeWidget(this);
  list_->setColumnCount(kForcedColumns);
  list_->setRootIsDecorated(false);
  list_->setUniformRowHeights(true);
  list_->setAllColumnsShowFocus(true);
  list_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  widgets::elideNames(list_);
  list_->header()->setStretchLastSection(true);
  list_->header()->resizeSection(kForcedTensor, 220);
  list_->header()->resizeSection(kForcedHow, 120);
  layout->addWidget(list_, 1);
  error_ = addRedText(layout);
  error_->hide();
  auto* buttons = new QDialogButtonBox(this);
  clear_ = buttons->addButton(QString(), QDialogButtonBox::ActionRole);
  clearAll_ = buttons->addButton(QString(), QDialogButtonBox::ActionRole);
  close_ = buttons->addButton(QString(), QDialogButtonBox::RejectRole);
  layout->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(clear_, &QPushButton::clicked, this, [this] { clear(false); });
  connect(clearAll_, &QPushButton::clicked, this, [this] { clear(true); });
  connect(list_, &QTreeWidget::itemSelectionChanged, this, [this] { clear_->setEnabled(!list_->selectedItems().isEmpty()); });
  connect(&workspace.debugger(), &DebugController::stateChanged, this, &ForcedDialog::refill, Qt::QueuedConnection);
  connect(&workspace, &Workspace::currentChanged, this, &ForcedDialog::refill, Qt::QueuedConnection);
  retranslate();
  resize(620, 340);
}

void ForcedDialog::refill() {
  const DebugController& debug = workspace_.debugger();
  const Document* document = workspace_.current();
  list_->clear();
  const auto add = [this](const QString& tensor, const QString& how, const QString& value, bool fed) {
    auto* item = new QTreeWidgetItem(list_, {tensor, how, value.simplified()});
    item->setFont(kForcedTensor, widgets::Theme::current().monoFont());
    item->setFont(kForcedValue, widgets::Theme::current().monoFont());
    item->setToolTip(kForcedTensor, tensor);
    item->setToolTip(kForcedValue, value);
    item->setData(kForcedTensor, kFedRole, fed);
  };
  if (document)
    for (const QString& feed : debug.runInputs(document).feeds) add(feed.section(u'=', 0, 0), tr("fed"), feed.section(u'=', 1), true);
  if (document && debug.document() == document)
    for (const QString& tensor : debug.state().changed()) {
      bool ok = false;
      const QString value = debug.evaluate(tensor.contains(u':') ? tensor : tensor + QStringLiteral(":0"), &ok);
      add(tensor, tr("changed by hand"), ok ? value : tr("not computed yet"), false);
    }
  const int count = list_->topLevelItemCount();
  hint_->setText(count > 0
                     ? tr("These values override the graph. Feeds apply to the next run, changed values to the run that is paused now.")
                     : tr("Nothing is overridden: every value is computed by the graph. Change tensors in the Tensor dock, and choose feeds before a run."));
  clearAll_->setEnabled(count > 0);
  clear_->setEnabled(!list_->selectedItems().isEmpty());
}

void ForcedDialog::clear(bool all) {
  QStringList names;
  for (int i = 0; i < list_->topLevelItemCount(); ++i) {
    const QTreeWidgetItem* item = list_->topLevelItem(i);
    if (!all && !item->isSelected()) continue;
    if (!names.contains(item->text(kForcedTensor))) names << item->text(kForcedTensor);
  }
  const CommandResult result = actions_.run(QStringLiteral("debug.clear"), names);
  error_->setText(result.message);
  error_->setVisible(!result.ok);
  refill();
}

void ForcedDialog::retranslate() {
  setWindowTitle(tr("Fed and changed values"));
  list_->setHeaderLabels({tr("Tensor or variable"), tr("How"), tr("Value")});
  list_->setAccessibleName(tr("Fed and changed values"));
  clear_->setText(tr("Clear"));
  clear_->setToolTip(tr("Removes the selected overrides"));
  clearAll_->setText(tr("Clear all"));
  clearAll_->setToolTip(tr("Removes all overrides"));
  close_->setText(tr("Close"));
  refill();
}

void ForcedDialog::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  QDialog::changeEvent(event);
}

}  // namespace weft::app
