#include "main_window/group_dialog.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTimer>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "adapters/group_facts.h"
#include "common/theme.h"
#include "document/document.h"
#include "shell/action_registry.h"
#include "shell/dialog_parts.h"

namespace weft::app {

GroupDialog::GroupDialog(Document& document, ActionRegistry& actions, QWidget* parent) : QDialog(parent), actions_(actions), names_(document.selection()) {
  setObjectName(QStringLiteral("group_dialog"));
  setWindowTitle(tr("Make group function"));
  setAttribute(Qt::WA_DeleteOnClose);
  connect(&document, &QObject::destroyed, this, &QDialog::reject);
  auto* layout = dialogColumn(this);
  addSentence(
      layout,
      tr("A group can be added again anywhere. When it changes, all its instances follow. The wires that cross the border become its inputs and outputs."));
  auto* form = new QFormLayout;
  name_ = new QLineEdit(this);
  name_->setObjectName(QStringLiteral("group_name"));
  const bool scope = names_.size() == 1 && document.hasScope(names_.front()) && !document.hasNode(names_.front());
  name_->setText(scope ? names_.front().section(u'/', -1) : QString());
  name_->setPlaceholderText(QStringLiteral("group"));
  form->addRow(tr("Name"), name_);
  layout->addLayout(form);
  auto* heading = new QLabel(tr("Parameters: values that each instance may have of its own"), this);
  layout->addWidget(heading);
  find_ = new QLineEdit(this);
  find_->setPlaceholderText(tr("Find a place"));
  find_->setAccessibleName(find_->placeholderText());
  find_->setClearButtonEnabled(true);
  layout->addWidget(find_);
  places_ = new QTreeWidget(this);
  places_->setObjectName(QStringLiteral("group_places"));
  places_->setAccessibleName(tr("Parameters"));
  places_->setHeaderLabels({tr("Place"), tr("Value")});
  places_->setRootIsDecorated(false);
  places_->setUniformRowHeights(true);
  places_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  places_->header()->setStretchLastSection(false);
  places_->header()->resizeSection(1, 140);
  for (const GroupPlace& place : groupPlaces(*document.contents(), names_)) {
    auto* item = new QTreeWidgetItem(places_, {place.shown, place.value});
    item->setData(0, Qt::UserRole, place.name);
    item->setCheckState(0, Qt::Unchecked);
    item->setToolTip(0, place.name);
    item->setToolTip(1, place.value);
  }
  layout->addWidget(places_, 1);
  problem_ = addProblem(layout, "group_problem");
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
  make_ = buttons->addButton(tr("Make group"), QDialogButtonBox::AcceptRole);
  make_->setDefault(true);
  layout->addWidget(buttons);
  connect(find_, &QLineEdit::textChanged, this, &GroupDialog::filter);
  connect(buttons, &QDialogButtonBox::accepted, this, &GroupDialog::make);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  resize(560, 520);
  name_->setFocus();
  name_->selectAll();
}

void GroupDialog::filter(const QString& text) {
  for (int i = 0; i < places_->topLevelItemCount(); ++i) {
    QTreeWidgetItem* item = places_->topLevelItem(i);
    item->setHidden(!item->text(0).contains(text, Qt::CaseInsensitive));
  }
}

void GroupDialog::make() {
  QStringList words = names_;
  if (!name_->text().trimmed().isEmpty()) words << QStringLiteral("--name") << name_->text().trimmed();
  for (int i = 0; i < places_->topLevelItemCount(); ++i)
    if (const QTreeWidgetItem* item = places_->topLevelItem(i); item->checkState(0) == Qt::Checked)
      words << QStringLiteral("--parameter") << item->data(0, Qt::UserRole).toString();
  make_->setEnabled(false);
  const auto ended = [this](const CommandResult& result) {
    make_->setEnabled(true);
    if (result.ok) return accept();
    problem_->setText(result.message);
    problem_->show();
  };
  const CommandResult result = actions_.run(QStringLiteral("group.make"), words);
  if (!result.ok || !result.later) return ended(result);
  auto* timer = new QTimer(this);
  connect(timer, &QTimer::timeout, this, [timer, poll = result.later, ended] {
    if (const auto answer = poll()) {
      timer->stop();
      timer->deleteLater();
      ended(*answer);
    }
  });
  timer->start(20);
}

}  // namespace weft::app
