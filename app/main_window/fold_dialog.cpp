#include "main_window/fold_dialog.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTimer>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "common/theme.h"
#include "document/document.h"
#include "shell/action_registry.h"
#include "shell/dialog_parts.h"

namespace weft::app {
namespace {

enum FoldColumn { kFoldScope, kFoldKind, kFoldParameters, kFoldNote };
constexpr int kFoldPollMs = 20, kLeftHeight = 110;  // pixels

}  // namespace

FoldDialog::FoldDialog(Document& document, ActionRegistry& actions, const FoldOffers& offers, QWidget* parent)
    : QDialog(parent), document_(&document), actions_(actions), offers_(offers.offers) {
  setObjectName(QStringLiteral("fold_dialog"));
  setWindowTitle(tr("Fold into layers"));
  setAttribute(Qt::WA_DeleteOnClose);
  connect(&document, &QObject::destroyed, this, &QDialog::reject);
  auto* layout = dialogColumn(this);
  addSentence(
      layout,
      offers_.isEmpty()
          ? tr("No part of this graph is exactly a layer.")
          : tr("These ops are exactly what a layer is built of. As layers they compute the same, and their parameters can be edited. "
               "Variables keep their names. Weights that are constants, as in a frozen graph, become variables that begin with these values. "
               "A layer that is changed later is built anew: weights whose shape stays keep their initial values, others begin with the layer's own, and "
               "training that is not Weft's own is lost."));
  table_ = new QTreeWidget(this);
  table_->setObjectName(QStringLiteral("fold_offers"));
  table_->setAccessibleName(tr("What can be folded"));
  table_->setHeaderLabels({tr("Scope"), tr("Becomes"), tr("Parameters"), tr("Note")});
  table_->setRootIsDecorated(false);
  table_->setUniformRowHeights(true);
  table_->setVisible(!offers_.isEmpty());
  layout->addWidget(table_, 3);
  auto* row = new QHBoxLayout;
  auto* all = new QPushButton(tr("&All"), this);
  auto* none = new QPushButton(tr("&None"), this);
  for (QPushButton* b : {all, none}) {
    b->setAutoDefault(false);
    b->setVisible(!offers_.isEmpty());
    row->addWidget(b);
  }
  chosen_ = new QLabel(this);
  chosen_->setProperty("kind", QStringLiteral("muted"));
  row->addStretch(1);
  row->addWidget(chosen_);
  layout->addLayout(row);
  auto* heading = new QLabel(tr("What stays, and why"), this);
  left_ = new QTreeWidget(this);
  left_->setObjectName(QStringLiteral("fold_left"));
  left_->setAccessibleName(heading->text());
  left_->setHeaderHidden(true);
  left_->setRootIsDecorated(false);
  left_->setMaximumHeight(kLeftHeight);
  for (const QString& line : offers.left) (new QTreeWidgetItem(left_, {line}))->setToolTip(0, line);
  heading->setVisible(!offers.left.isEmpty());
  left_->setVisible(!offers.left.isEmpty());
  layout->addWidget(heading);
  layout->addWidget(left_, 1);
  problem_ = addProblem(layout, "fold_problem");
  auto* buttons = new QDialogButtonBox(this);
  buttons->addButton(offers_.isEmpty() ? tr("&Close") : tr("&Cancel"), QDialogButtonBox::RejectRole);
  fold_ = new QPushButton(tr("&Fold"), this);
  fold_->setObjectName(QStringLiteral("fold_checked"));
  fold_->setToolTip(tr("Makes the checked ones layers and groups, in one step that can be undone"));
  if (offers_.isEmpty()) {
    fold_->hide();
  } else {
    buttons->addButton(fold_, QDialogButtonBox::ActionRole);
    fold_->setDefault(true);
  }
  layout->addWidget(buttons);
  fill(offers);
  const auto checkAll = [this](Qt::CheckState state) {
    {
      const QSignalBlocker quiet(table_);
      for (int i = 0; i < table_->topLevelItemCount(); ++i) table_->topLevelItem(i)->setCheckState(kFoldScope, state);
    }
    table_->viewport()->update();
    count();
  };
  connect(all, &QPushButton::clicked, this, [checkAll] { checkAll(Qt::Checked); });
  connect(none, &QPushButton::clicked, this, [checkAll] { checkAll(Qt::Unchecked); });
  connect(table_, &QTreeWidget::itemChanged, this, &FoldDialog::count);
  connect(table_, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) { showOffer(table_->indexOfTopLevelItem(item)); });
  connect(fold_, &QPushButton::clicked, this, &FoldDialog::foldChecked);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  count();
  resize(880, 520);
  table_->setFocus();
}

void FoldDialog::fill(const FoldOffers& offers) {
  const QFont mono = widgets::Theme::current().monoSmallFont();
  for (const FoldOffer& o : offers.offers) {
    const QString note = o.instances > 0 ? tr("group of %n instance(s)", nullptr, o.instances)
                         : o.moved > 0   ? tr("%n op(s) move into the scope", nullptr, o.moved)
                                         : QString();
    auto* item = new QTreeWidgetItem(table_, {o.scope, o.kind, o.parameters, note});
    item->setCheckState(kFoldScope, Qt::Checked);
    for (const int c : {kFoldScope, kFoldKind, kFoldParameters}) {
      item->setFont(c, mono);
      item->setToolTip(c, item->text(c));
    }
    item->setToolTip(kFoldNote, note);
  }
  table_->header()->resizeSection(kFoldScope, 150);
  table_->header()->resizeSection(kFoldKind, 170);
  table_->header()->resizeSection(kFoldParameters, 310);
  table_->header()->setStretchLastSection(true);
}

void FoldDialog::showOffer(int row) {
  if (row >= 0 && row < offers_.size() && document_) actions_.run(QStringLiteral("graph.select"), offers_[row].nodes);
}

QStringList FoldDialog::checked() const {
  QStringList out;
  for (int i = 0; i < table_->topLevelItemCount(); ++i)
    if (table_->topLevelItem(i)->checkState(kFoldScope) == Qt::Checked) out << offers_[i].scope;
  return out;
}

void FoldDialog::count() {
  const int n = int(checked().size());
  chosen_->setText(offers_.isEmpty() ? QString() : tr("%1 of %n checked", nullptr, int(offers_.size())).arg(n));
  fold_->setEnabled(n > 0);
}

void FoldDialog::foldChecked() {
  fold_->setEnabled(false);
  problem_->hide();
  const auto ended = [this](const CommandResult& result) {
    if (result.ok) return accept();
    fold_->setEnabled(true);
    problem_->setText(result.message);
    problem_->show();
  };
  const CommandResult result = actions_.run(QStringLiteral("group.fold"), checked());
  if (!result.ok || !result.later) return ended(result);
  auto* timer = new QTimer(this);
  connect(timer, &QTimer::timeout, this, [timer, poll = result.later, ended] {
    if (const auto answer = poll()) {
      timer->stop();
      timer->deleteLater();
      ended(*answer);
    }
  });
  timer->start(kFoldPollMs);
}

}  // namespace weft::app
