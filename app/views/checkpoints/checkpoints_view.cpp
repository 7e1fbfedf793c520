#include "views/checkpoints/checkpoints_view.h"

#include <QDir>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLocale>
#include <QPushButton>
#include <QStackedWidget>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "commands/action_registry.h"
#include "common/empty_state.h"
#include "common/format.h"
#include "common/icons.h"
#include "common/theme.h"
#include "document/document.h"
#include "document/run_archive.h"
#include "document/workspace.h"

namespace weft::app {
namespace {

enum Column { kStep, kRun, kLoss, kAccuracy, kSize, kColumns };
constexpr int kPrefixRole = Qt::UserRole, kStepRole = Qt::UserRole + 1, kRunRole = Qt::UserRole + 2;
constexpr int kSoonMs = 1000;

/// Bytes of all files of a checkpoint; 0: it is gone.
qint64 sizeOf(const QString& prefix) {
  const QFileInfo info(prefix);
  if (!QFileInfo::exists(prefix + QStringLiteral(".index"))) return 0;
  qint64 bytes = 0;
  for (const QFileInfo& file : info.dir().entryInfoList({info.fileName() + QStringLiteral(".*")}, QDir::Files)) bytes += file.size();
  return bytes;
}

}  // namespace

CheckpointsView::CheckpointsView(const ViewContext& context, QWidget* parent) : QWidget(parent), context_(context) {
  setProperty("helpPage", QStringLiteral("training"));
  stack_ = new QStackedWidget(this);
  empty_ = new widgets::EmptyState(QStringLiteral("save"), {}, {}, stack_);
  auto* page = new QWidget(stack_);
  list_ = new QTreeWidget(page);
  list_->setRootIsDecorated(false);
  list_->setUniformRowHeights(true);
  list_->setColumnCount(kColumns);
  list_->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
  back_ = new QPushButton(page);
  back_->setIcon(widgets::icon(QStringLiteral("undo")));
  open_ = new QPushButton(page);
  open_->setIcon(widgets::icon(QStringLiteral("search")));
  auto* buttons = new QHBoxLayout;
  buttons->setContentsMargins(12, 8, 12, 8);
  buttons->setSpacing(8);
  buttons->addWidget(back_);
  buttons->addWidget(open_);
  buttons->addStretch(1);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(list_, 1);
  column->addLayout(buttons);
  stack_->addWidget(empty_);
  stack_->addWidget(page);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(stack_);
  RunController& runs = context.workspace.runs();
  const auto later = [this] {
    stale_ = true;
    if (isVisible()) refreshNow();
  };
  // It asks the disk for each checkpoint: a training that writes many a second must not make it do so as often.
  soon_.setSingleShot(true);
  soon_.setInterval(kSoonMs);
  connect(&soon_, &QTimer::timeout, this, later);
  connect(&runs, &RunController::runChanged, this, [this, later, &runs] {
    if (!runs.isActive()) later();
    else if (!soon_.isActive()) soon_.start();
  });
  connect(&RunArchive::of(context.workspace), &RunArchive::changed, this, later);
  connect(&context.workspace, &Workspace::currentChanged, this, &CheckpointsView::showArchive);
  connect(&runs, &RunController::stateChanged, this, &CheckpointsView::showChoice);
  connect(list_, &QTreeWidget::itemSelectionChanged, this, &CheckpointsView::showChoice);
  connect(list_, &QTreeWidget::itemActivated, this, [this] { open_->click(); });
  connect(back_, &QPushButton::clicked, this, [this] {
    const QTreeWidgetItem* item = list_->currentItem();
    if (!item) return;
    const CommandResult result =
        context_.actions.run(QStringLiteral("run.go-back"), {item->data(kStep, kStepRole).toString(), item->data(kStep, kRunRole).toString()});
    if (!result.ok) emit context_.actions.failed(result.message);
  });
  connect(open_, &QPushButton::clicked, this, [this] {
    if (const QTreeWidgetItem* item = list_->currentItem()) context_.workspace.open(item->data(kStep, kPrefixRole).toString() + QStringLiteral(".index"));
  });
  retranslate();
}

void CheckpointsView::retranslate() {
  empty_->setTitle(tr("No checkpoints yet"));
  empty_->setText(tr("A training writes one when it is stopped or ends, and at times in between. Each can be gone back to."));
  list_->setHeaderLabels({tr("Step"), tr("Run"), tr("Test loss"), tr("Test accuracy"), tr("Size")});
  for (int c = 0; c < kColumns; ++c)
    if (c != kRun) list_->headerItem()->setTextAlignment(c, Qt::AlignRight | Qt::AlignVCenter);
  list_->setAccessibleName(tr("Checkpoints"));
  back_->setText(tr("Go back to this step"));
  open_->setText(tr("Open"));
  open_->setToolTip(tr("Shows the variables in the checkpoint"));
  stale_ = true;
  if (isVisible()) refreshNow();
}

void CheckpointsView::refreshNow() {
  if (!stale_) return;
  stale_ = false;
  const QString chosen = list_->currentItem() ? list_->currentItem()->data(kStep, kPrefixRole).toString() : QString();
  list_->clear();
  const RunArchive& archive = RunArchive::of(context_.workspace);
  QVector<const RunRecord*> runs;
  for (const auto& run : context_.workspace.runs().runs()) {
    if (!archive.isRemoved(*run)) runs.prepend(run.get());
  }
  for (const auto& run : archive.runs()) runs << &run->record;
  for (const RunRecord* run : std::as_const(runs)) {
    const QString name = archive.label(*run) + (archive.archived(run) ? QStringLiteral("  ") + QLocale().toString(run->started, QStringLiteral("d MMM HH:mm")) : QString());
    for (auto checkpoint = run->checkpoints.rbegin(); checkpoint != run->checkpoints.rend(); ++checkpoint) {
      const qint64 bytes = sizeOf(checkpoint->prefix);
      auto* item = new QTreeWidgetItem(list_, {widgets::formatCount(checkpoint->step), name,
                                               checkpoint->testLoss >= 0 ? widgets::formatValue(checkpoint->testLoss) : QString(),
                                               checkpoint->testAccuracy >= 0 ? QStringLiteral("%1 %").arg(checkpoint->testAccuracy * 100, 0, 'f', 1) : QString(),
                                               bytes > 0 ? widgets::formatBytes(bytes) : tr("removed")});
      item->setData(kStep, kPrefixRole, checkpoint->prefix);
      item->setData(kStep, kStepRole, checkpoint->step);
      item->setData(kStep, kRunRole, archive.archived(run) ? QFileInfo(run->folder).fileName() : QString::number(run->number));
      item->setToolTip(kStep, checkpoint->prefix);
      for (int c = 0; c < kColumns; ++c) {
        if (c != kRun) item->setTextAlignment(c, Qt::AlignRight | Qt::AlignVCenter);
        if (bytes == 0) item->setForeground(c, widgets::Theme::current().color(widgets::Role::TextDisabled));
      }
      if (checkpoint->prefix == chosen) list_->setCurrentItem(item);
    }
  }
  if (!list_->currentItem() && list_->topLevelItemCount() > 0) list_->setCurrentItem(list_->topLevelItem(0));
  stack_->setCurrentIndex(list_->topLevelItemCount() > 0 ? 1 : 0);
  showChoice();
}

void CheckpointsView::showChoice() {
  const QTreeWidgetItem* item = list_->currentItem();
  const bool there = item && QFileInfo::exists(item->data(kStep, kPrefixRole).toString() + QStringLiteral(".index"));
  const QString reason = !there ? tr("This checkpoint was removed: only the newest are kept.") : context_.actions.disabledReason(QStringLiteral("run.go-back"));
  back_->setEnabled(reason.isEmpty());
  back_->setToolTip(reason.isEmpty() ? tr("Begins a run with the variables of this checkpoint") : reason);
  open_->setEnabled(there);
}

void CheckpointsView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  QWidget::changeEvent(event);
}

void CheckpointsView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  stale_ = true;  // files may have gone
  showArchive();
  refreshNow();
}

void CheckpointsView::showArchive() {
  const Document* document = context_.workspace.current();
  if (isVisible()) RunArchive::of(context_.workspace).show(document ? document->runsFolder() : QString());
}

const ViewRecord checkpointsView = {"checkpoints",
                                    QT_TRANSLATE_NOOP("Views", "Checkpoints"),
                                    QT_TRANSLATE_NOOP("Views", "Checkpoints of the runs; a run can begin at any of them"),
                                    "save",
                                    Qt::LeftDockWidgetArea,
                                    "train",
                                    [](const ViewContext& context, QWidget* parent) -> QWidget* { return new CheckpointsView(context, parent); }};

}  // namespace weft::app
