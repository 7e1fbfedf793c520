#include "views/checkpoints/checkpoints_view.h"

#include <QDir>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHash>
#include <QHeaderView>
#include <QLocale>
#include <QPushButton>
#include <QSet>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "common/empty_state.h"
#include "common/format.h"
#include "common/icons.h"
#include "common/theme.h"
#include "document/document.h"
#include "document/run_archive.h"
#include "document/workspace.h"
#include "shell/action_registry.h"

namespace weft::app {
namespace {

enum Column { kStep, kLoss, kAccuracy, kSize, kColumns };
constexpr int kPrefixRole = Qt::UserRole, kStepRole = Qt::UserRole + 1, kRunRole = Qt::UserRole + 2;
constexpr int kCellRoom = 16;       // pixels beside a text
constexpr int kMostMeasured = 200;  // rows
constexpr int kSwatch = 10;         // pixels
constexpr int kSoonMs = 1000;

/// A square in the colour of a run.
QIcon swatch(int hue) {
  QPixmap dot(kSwatch, kSwatch);
  dot.fill(hue >= 0 ? widgets::Theme::current().categorical(hue) : QColor(Qt::transparent));
  QIcon icon(dot);
  icon.addPixmap(dot, QIcon::Selected);  // else it would be tinted, unlike the charts
  return icon;
}

}  // namespace

/// Caches the files of folders; each folder is read once.
class CheckpointsView::Folders {
 public:
  /// Discards a folder, so that it is read again.
  void forget(const QString& folder) { folders_.remove(folder); }
  void clear() { folders_.clear(); }
  /// Bytes of all files of a checkpoint; 0: it does not exist.
  qint64 sizeOf(const QString& prefix) {
    const qsizetype slash = prefix.lastIndexOf(u'/');
    const QHash<QString, qint64>& sizes = filesOf(prefix.first(std::max<qsizetype>(slash, 0)));
    return sizes.value(prefix.sliced(slash + 1));
  }

 private:
  const QHash<QString, qint64>& filesOf(const QString& folder) {
    const auto known = folders_.constFind(folder);
    if (known != folders_.cend()) return *known;
    QHash<QString, qint64> sizes;  // by the name before the last dot
    QSet<QString> whole;           // checkpoints with an index
    for (const QFileInfo& file : QDir(folder).entryInfoList(QDir::Files)) {
      sizes[file.completeBaseName()] += file.size();
      if (file.suffix() == QLatin1String("index")) whole << file.completeBaseName();
    }
    sizes.removeIf([&](const auto& size) { return !whole.contains(size.key()); });
    return folders_[folder] = sizes;
  }

  QHash<QString, QHash<QString, qint64>> folders_;
};

CheckpointsView::~CheckpointsView() = default;

CheckpointsView::CheckpointsView(const ViewContext& context, QWidget* parent) : QWidget(parent), context_(context), folders_(std::make_unique<Folders>()) {
  setProperty("helpPage", QStringLiteral("training"));
  stack_ = new QStackedWidget(this);
  empty_ = new widgets::EmptyState(QStringLiteral("save"), {}, {}, stack_);
  auto* page = new QWidget(stack_);
  list_ = new QTreeWidget(page);
  list_->setUniformRowHeights(true);
  list_->setColumnCount(kColumns);
  list_->setIndentation(14);
  list_->setTextElideMode(Qt::ElideRight);
  list_->header()->setStretchLastSection(false);
  list_->header()->setSectionResizeMode(kStep, QHeaderView::Stretch);
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
  // Delayed, because each update checks the disk for every checkpoint, and a training may write many a second.
  soon_.setObjectName(QStringLiteral("checkpoints_soon"));
  soon_.setSingleShot(true);
  connect(&soon_, &QTimer::timeout, this, later);
  connect(&runs, &RunController::runChanged, this, [this, &runs](int number) {
    if (const RunRecord* run = runs.run(number)) folders_->forget(run->folder + QStringLiteral("/checkpoints"));
    if (!runs.isActive()) soon_.start(0);
    else if (!soon_.isActive()) soon_.start(kSoonMs);
  });
  const auto anew = [this, later] {
    folders_->clear();
    later();
  };
  connect(&RunArchive::of(context.workspace), &RunArchive::changed, this, anew);
  connect(&context.workspace, &Workspace::allRunsShownChanged, this, later);
  connect(&context.workspace, &Workspace::runsRenamed, this, later);
  connect(&context.workspace, &Workspace::currentChanged, this, [this, later] {
    showArchive();
    later();
  });
  connect(&runs, &RunController::stateChanged, this, &CheckpointsView::showChoice);
  connect(list_, &QTreeWidget::itemSelectionChanged, this, &CheckpointsView::showChoice);
  connect(list_, &QTreeWidget::itemActivated, this, [this](const QTreeWidgetItem* item) {
    if (item->parent()) open_->click();
  });
  connect(back_, &QPushButton::clicked, this, [this] {
    const QTreeWidgetItem* item = list_->currentItem();
    if (!item || !item->parent()) return;
    const CommandResult result =
        context_.actions.run(QStringLiteral("run.go-back"), {item->data(kStep, kStepRole).toString(), item->data(kStep, kRunRole).toString()});
    if (!result.ok) emit context_.actions.failed(result.message);
  });
  connect(open_, &QPushButton::clicked, this, [this] {
    if (const QTreeWidgetItem* item = list_->currentItem(); item && item->parent())
      context_.workspace.open(item->data(kStep, kPrefixRole).toString() + QStringLiteral(".index"));
  });
  retranslate();
}

void CheckpointsView::retranslate() {
  empty_->setTitle(tr("No checkpoints yet"));
  empty_->setText(tr("Training saves one when it stops or ends, and at intervals. You can go back to any of them."));
  list_->setHeaderLabels({tr("Step"), tr("Test loss"), tr("Test acc."), tr("Size")});
  for (int c = kLoss; c < kColumns; ++c) list_->headerItem()->setTextAlignment(c, Qt::AlignRight | Qt::AlignVCenter);
  list_->headerItem()->setToolTip(kAccuracy, tr("Test accuracy"));
  list_->setAccessibleName(tr("Checkpoints"));
  back_->setText(tr("Go back to this step"));
  open_->setText(tr("Open"));
  open_->setToolTip(tr("Shows the variables in the checkpoint"));
  look_.clear();
  stale_ = true;
  if (isVisible()) refreshNow();
}

/// Lists the runs with their existing checkpoints, newest first. A long training keeps only a few of the hundreds that it wrote; one line tells how many were
/// deleted.
void CheckpointsView::refreshNow() {
  if (!stale_) return;
  stale_ = false;
  struct Group {
    const RunRecord* run;
    QVector<const RunRecord::Checkpoint*> there;
    qsizetype gone;
  };
  const RunArchive& archive = RunArchive::of(context_.workspace);
  QVector<Group> groups;
  QStringList look{widgets::Theme::current().color(widgets::Role::Text1).name()};
  for (const RunRecord* run : archive.listed(context_.workspace.showsAllRuns() ? nullptr : context_.workspace.current())) {
    Group group{run, {}, 0};
    for (auto c = run->checkpoints.rbegin(); c != run->checkpoints.rend(); ++c) {
      if (folders_->sizeOf(c->prefix) > 0) group.there << &*c;
    }
    group.gone = run->checkpoints.size() - group.there.size();
    if (run->checkpoints.isEmpty()) continue;
    look << archive.label(*run) + u'\n' + QString::number(group.gone) + u'\n' + archive.missingFiles(*run);
    for (const RunRecord::Checkpoint* c : std::as_const(group.there)) look << c->prefix;
    groups << group;
  }
  if (look == look_) return showChoice();
  look_ = look;
  const QString chosen = list_->currentItem() ? list_->currentItem()->data(kStep, kPrefixRole).toString() : QString();
  QStringList closed;  // collapsed by the user
  for (int i = 0; i < list_->topLevelItemCount(); ++i)
    if (!list_->topLevelItem(i)->isExpanded()) closed << list_->topLevelItem(i)->data(kStep, kRunRole).toString();
  const QSignalBlocker quiet(list_);
  list_->clear();
  const widgets::Theme& theme = widgets::Theme::current();
  QTreeWidgetItem* current = nullptr;
  for (const Group& group : std::as_const(groups)) {
    const RunRecord& run = *group.run;
    const QString key = run.earlier ? QFileInfo(run.folder).fileName() : QString::number(run.number);
    const SummaryRun* curves = context_.workspace.summaries().runOf(run.folder);
    auto* head = new QTreeWidgetItem(
        list_, {archive.label(run) + (run.earlier ? QStringLiteral("  ") + QLocale().toString(run.started, QStringLiteral("d MMM HH:mm")) : QString())});
    head->setData(kStep, kRunRole, key);
    head->setIcon(kStep, swatch(curves ? curves->hue : hueOf(run)));
    head->setToolTip(kStep, head->text(kStep) + u'\n' + run.folder);
    for (const RunRecord::Checkpoint* c : group.there) {
      auto* item = new QTreeWidgetItem(head, {widgets::formatCount(c->step), c->testLoss >= 0 ? widgets::formatValue(c->testLoss) : QString(),
                                              c->testAccuracy >= 0 ? QStringLiteral("%1 %").arg(c->testAccuracy * 100, 0, 'f', 1) : QString(),
                                              widgets::formatBytes(folders_->sizeOf(c->prefix))});
      item->setData(kStep, kPrefixRole, c->prefix);
      item->setData(kStep, kStepRole, c->step);
      item->setData(kStep, kRunRole, key);
      item->setToolTip(kStep, c->prefix);
      for (int column = 0; column < kColumns; ++column) {
        item->setFont(column, theme.monoSmallFont());
        if (column > kStep) item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
      }
      if (c->prefix == chosen || !current) current = item;
    }
    if (group.gone > 0) {
      const QString deleted = archive.missingFiles(run);
      auto* gone = new QTreeWidgetItem(head, {deleted.isEmpty() ? tr("%n removed", nullptr, int(group.gone)) : deleted});
      gone->setFlags(Qt::ItemIsEnabled);
      gone->setForeground(kStep, theme.color(widgets::Role::TextDisabled));
      gone->setToolTip(
          kStep, deleted.isEmpty() ? tr("Only the newest checkpoints of each run are kept.") : tr("Files of this run in %1 were deleted.").arg(run.folder));
      gone->setFirstColumnSpanned(true);
    }
    head->setFirstColumnSpanned(true);
    head->setExpanded(!closed.contains(key));
  }
  if (current) list_->setCurrentItem(current);
  fitColumns();
  stack_->setCurrentIndex(list_->topLevelItemCount() > 0 ? 1 : 0);
  showChoice();
}

/// Columns as wide as the first rows need; the step gets the rest.
void CheckpointsView::fitColumns() {
  const QFontMetrics mono(widgets::Theme::current().monoSmallFont()), small(widgets::Theme::current().smallFont());
  for (int c = kLoss; c < kColumns; ++c) {
    int width = small.size(0, list_->headerItem()->text(c)).width() + kCellRoom, measured = 0;
    for (int run = 0; run < list_->topLevelItemCount() && measured < kMostMeasured; ++run)
      for (int row = 0; row < list_->topLevelItem(run)->childCount(); ++row, ++measured)
        width = std::max(width, mono.horizontalAdvance(list_->topLevelItem(run)->child(row)->text(c)) + kCellRoom);
    list_->setColumnWidth(c, width);
  }
}

void CheckpointsView::showChoice() {
  const QTreeWidgetItem* item = list_->currentItem();
  const QString prefix = item ? item->data(kStep, kPrefixRole).toString() : QString();
  const bool there = !prefix.isEmpty() && QFileInfo::exists(prefix + QStringLiteral(".index"));
  const QString reason = prefix.isEmpty() ? tr("Select a checkpoint.")
                         : !there         ? tr("This checkpoint was removed: only the newest are kept.")
                                          : context_.actions.disabledReason(QStringLiteral("run.go-back"));
  back_->setEnabled(reason.isEmpty());
  back_->setToolTip(reason.isEmpty() ? tr("Starts a run from this checkpoint, paused at its step") : reason);
  open_->setEnabled(there);
}

void CheckpointsView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  QWidget::changeEvent(event);
}

void CheckpointsView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  stale_ = true;
  folders_->clear();  // files may have been deleted
  showArchive();
  refreshNow();
}

void CheckpointsView::showArchive() {
  if (isVisible()) RunArchive::of(context_.workspace).show(context_.workspace.current());
}

const ViewRecord checkpointsView = {"checkpoints",
                                    QT_TRANSLATE_NOOP("Views", "Checkpoints"),
                                    QT_TRANSLATE_NOOP("Views", "Checkpoints of the runs; a run can start from any of them"),
                                    "save",
                                    Qt::LeftDockWidgetArea,
                                    "train",
                                    [](const ViewContext& context, QWidget* parent) -> QWidget* { return new CheckpointsView(context, parent); }};

}  // namespace weft::app
