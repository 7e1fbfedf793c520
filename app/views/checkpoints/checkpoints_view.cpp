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
constexpr int kPrefixRole = Qt::UserRole, kStepRole = Qt::UserRole + 1, kRunRole = Qt::UserRole + 2, kBytesRole = Qt::UserRole + 3;
constexpr int kMostAsked = 40;  // looked at while a training goes on
constexpr int kCellRoom = 16;   // beside a text, pixels
constexpr int kLeastRun = 40;   // pixels for its name
constexpr int kMostMeasured = 200;  // rows
constexpr int kSoonMs = 1000;

/// The files of folders, each folder read once.
class Folders {
 public:
  /// Bytes of all files of a checkpoint; 0: it is gone.
  qint64 sizeOf(const QString& prefix) {
    const qsizetype slash = prefix.lastIndexOf(u'/');
    const QHash<QString, qint64>& sizes = filesOf(prefix.first(std::max<qsizetype>(slash, 0)));
    return sizes.value(prefix.sliced(slash + 1));
  }

 private:
  const QHash<QString, qint64>& filesOf(const QString& folder) {
    const auto known = folders_.constFind(folder);
    if (known != folders_.cend()) return *known;
    QHash<QString, qint64> sizes;  // by what comes before the last dot
    QSet<QString> whole;           // checkpoints that have their index
    for (const QFileInfo& file : QDir(folder).entryInfoList(QDir::Files)) {
      sizes[file.completeBaseName()] += file.size();
      if (file.suffix() == QLatin1String("index")) whole << file.completeBaseName();
    }
    sizes.removeIf([&](const auto& size) { return !whole.contains(size.key()); });
    return folders_[folder] = sizes;
  }

  QHash<QString, QHash<QString, qint64>> folders_;
};

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
  list_->header()->setStretchLastSection(false);
  list_->header()->setMinimumSectionSize(kLeastRun);
  list_->header()->setSectionResizeMode(kRun, QHeaderView::Stretch);
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
  soon_.setObjectName(QStringLiteral("checkpoints_soon"));
  soon_.setSingleShot(true);
  connect(&soon_, &QTimer::timeout, this, later);
  connect(&runs, &RunController::runChanged, this, [this, later, &runs] {
    if (!runs.isActive()) soon_.start(0);
    else if (!soon_.isActive()) soon_.start(kSoonMs);
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
  list_->setHeaderLabels({tr("Step"), tr("Run"), tr("Test loss"), tr("Test acc."), tr("Size")});
  for (int c = 0; c < kColumns; ++c)
    if (c != kRun) list_->headerItem()->setTextAlignment(c, Qt::AlignRight | Qt::AlignVCenter);
  list_->headerItem()->setToolTip(kAccuracy, tr("Test accuracy"));
  list_->setAccessibleName(tr("Checkpoints"));
  back_->setText(tr("Go back to this step"));
  open_->setText(tr("Open"));
  open_->setToolTip(tr("Shows the variables in the checkpoint"));
  stale_ = anew_ = true;
  if (isVisible()) refreshNow();
}

QVector<CheckpointsView::Row> CheckpointsView::rows() const {
  const RunArchive& archive = RunArchive::of(context_.workspace);
  QVector<const RunRecord*> runs;
  for (const auto& run : context_.workspace.runs().runs()) {
    if (!archive.isRemoved(*run)) runs.prepend(run.get());
  }
  for (const auto& run : archive.runs()) runs << &run->record;
  QVector<Row> rows;
  for (const RunRecord* run : std::as_const(runs)) {
    const bool old = archive.archived(run);
    const QString name = archive.label(*run) + (old ? QStringLiteral("  ") + QLocale().toString(run->started, QStringLiteral("d MMM HH:mm")) : QString());
    const QString key = old ? QFileInfo(run->folder).fileName() : QString::number(run->number);
    for (auto checkpoint = run->checkpoints.rbegin(); checkpoint != run->checkpoints.rend(); ++checkpoint) rows << Row{&*checkpoint, key, name};
  }
  return rows;
}

void CheckpointsView::showSize(QTreeWidgetItem* item, qint64 bytes) {
  if (bytes == item->data(kStep, kBytesRole).toLongLong()) return;
  item->setData(kStep, kBytesRole, bytes);
  item->setText(kSize, bytes > 0 ? widgets::formatBytes(bytes) : tr("removed"));
  if (bytes > 0) return;
  for (int c = 0; c < kColumns; ++c) item->setForeground(c, widgets::Theme::current().color(widgets::Role::TextDisabled));
}

/// A training adds checkpoints at the top, and only the newest files stay: the rows that are there are left as they are.
void CheckpointsView::refreshNow() {
  if (!stale_) return;
  stale_ = false;
  const QVector<Row> wanted = rows();
  qsizetype added = wanted.size() - shown_.size();
  const auto same = [&](qsizetype row) {
    const auto& [prefix, name] = shown_[row - added];
    return prefix == wanted[row].checkpoint->prefix && name == wanted[row].name;
  };
  bool grown = !anew_ && added >= 0;
  for (qsizetype row = std::max<qsizetype>(added, 0); grown && row < wanted.size(); ++row) grown = same(row);
  const QString chosen = list_->currentItem() ? list_->currentItem()->data(kStep, kPrefixRole).toString() : QString();
  const QSignalBlocker quiet(list_);
  if (!grown) {
    list_->clear();
    added = wanted.size();
  }
  anew_ = false;
  shown_.clear();
  for (const Row& row : wanted) shown_ << qMakePair(row.checkpoint->prefix, row.name);
  QList<QTreeWidgetItem*> items;
  for (qsizetype row = 0; row < added; ++row) {
    const RunRecord::Checkpoint& c = *wanted[row].checkpoint;
    auto* item = new QTreeWidgetItem({widgets::formatCount(c.step), wanted[row].name, c.testLoss >= 0 ? widgets::formatValue(c.testLoss) : QString(),
                                      c.testAccuracy >= 0 ? QStringLiteral("%1 %").arg(c.testAccuracy * 100, 0, 'f', 1) : QString(), QString()});
    item->setData(kStep, kPrefixRole, c.prefix);
    item->setData(kStep, kStepRole, c.step);
    item->setData(kStep, kRunRole, wanted[row].run);
    item->setData(kStep, kBytesRole, -1);
    item->setToolTip(kStep, c.prefix);
    for (int column = 0; column < kColumns; ++column)
      if (column != kRun) {
        item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
        item->setFont(column, widgets::Theme::current().monoSmallFont());
      }
    items << item;
  }
  list_->insertTopLevelItems(0, items);
  int asked = 0;
  Folders folders;
  for (int row = 0; row < list_->topLevelItemCount() && (!grown || asked < kMostAsked); ++row) {
    QTreeWidgetItem* item = list_->topLevelItem(row);
    const bool gone = item->data(kStep, kBytesRole).toLongLong() == 0;  // does not come back
    asked += !gone;
    if (!gone) showSize(item, folders.sizeOf(item->data(kStep, kPrefixRole).toString()));
    if (!grown && item->data(kStep, kPrefixRole).toString() == chosen) list_->setCurrentItem(item);
  }
  if (!list_->currentItem() && list_->topLevelItemCount() > 0) list_->setCurrentItem(list_->topLevelItem(0));
  if (!grown || list_->topLevelItemCount() == added) fitColumns(list_->topLevelItemCount(), true);
  else if (added > 0) fitColumns(1, false);
  stack_->setCurrentIndex(list_->topLevelItemCount() > 0 ? 1 : 0);
  showChoice();
}

/// As wide as the first rows need, so that all stand in a dock of its usual width; the name of the run takes what is left, and is cut first.
void CheckpointsView::fitColumns(int rows, bool narrower) {
  const QFontMetrics mono(widgets::Theme::current().monoSmallFont()), small(widgets::Theme::current().smallFont());
  for (int c = 0; c < kColumns; ++c) {
    if (c == kRun) continue;
    int width = small.size(0, list_->headerItem()->text(c)).width() + kCellRoom;  // no room for a sign of the order: there is none
    for (int row = 0; row < std::min(rows, kMostMeasured); ++row) width = std::max(width, mono.horizontalAdvance(list_->topLevelItem(row)->text(c)) + kCellRoom);
    if (c == kSize) width = std::max(width, mono.size(0, tr("removed")).width() + kCellRoom);  // what a size becomes
    if (narrower || width > list_->columnWidth(c)) list_->setColumnWidth(c, width);
  }
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
  stale_ = anew_ = true;  // files may have gone
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
