#include "views/queues/queues_view.h"

#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QStackedWidget>
#include <QStyle>
#include <QStyledItemDelegate>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "common/empty_state.h"
#include "common/format.h"
#include "common/theme.h"
#include "document/debug_controller.h"
#include "document/document.h"
#include "document/run_controller.h"
#include "document/workspace.h"
#include "graph_view/graph_view.h"
#include "shell/queue_watch.h"
#include "shell/shell.h"

namespace weft::app {
namespace {

using widgets::Role;

enum Column { kName, kFill, kIn, kOut, kTotals, kState, kColumns };
enum Data { kShare = Qt::UserRole + 1, kFull };
constexpr int kLookMs = 250;
constexpr int kStillLooks = 4;  // one second

/// Draws the number of elements on a bar that shows how full the queue is.
class FillDelegate final : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const widgets::Theme& theme = widgets::Theme::current();
    QStyleOptionViewItem plain = option;
    initStyleOption(&plain, index);
    const QString text = std::exchange(plain.text, {});
    const QWidget* widget = option.widget;
    widget->style()->drawControl(QStyle::CE_ItemViewItem, &plain, painter, widget);
    const QRectF bar = QRectF(option.rect).adjusted(6, 4, -6, -4);
    const double share = std::clamp(index.data(kShare).toDouble(), 0.0, 1.0);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(theme.color(Role::Surface3));
    painter->drawRoundedRect(bar, 3, 3);
    if (share > 0) {
      painter->setBrush(theme.color(index.data(kFull).toBool() ? Role::Warning : Role::AccentSoft));
      painter->drawRoundedRect(QRectF(bar.left(), bar.top(), std::max(6.0, bar.width() * share), bar.height()), 3, 3);
    }
    painter->setFont(option.font);
    painter->setPen(theme.color(index.data(kFull).toBool() && share > 0.6 ? Role::AccentText : Role::Text1));
    painter->drawText(bar, Qt::AlignCenter, text);
    painter->restore();
  }
};

}  // namespace

QueuesView::QueuesView(const ViewContext& context, QWidget* parent) : QWidget(parent), context_(context) {
  setProperty("helpPage", QStringLiteral("debugging"));
  stack_ = new QStackedWidget(this);
  empty_ = new widgets::EmptyState(QStringLiteral("layers"), {}, {}, stack_);
  auto* page = new QWidget(stack_);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  verdict_ = new QLabel(page);
  verdict_->setWordWrap(true);
  verdict_->setProperty("kind", QStringLiteral("muted"));
  verdict_->setContentsMargins(12, 6, 12, 6);
  list_ = new QTreeWidget(page);
  list_->setColumnCount(kColumns);
  list_->setRootIsDecorated(false);
  list_->setUniformRowHeights(true);
  list_->setAllColumnsShowFocus(true);
  list_->setTextElideMode(Qt::ElideRight);  // the state is a sentence
  list_->setItemDelegateForColumn(kFill, new FillDelegate(list_));
  QHeaderView* header = list_->header();
  header->setStretchLastSection(true);
  header->resizeSection(kName, 112);
  header->resizeSection(kFill, 84);
  for (const int c : {kIn, kOut, kTotals}) header->setSectionResizeMode(c, QHeaderView::ResizeToContents);
  column->addWidget(verdict_);
  column->addWidget(list_, 1);
  stack_->addWidget(empty_);
  stack_->addWidget(page);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(stack_);

  timer_.setInterval(kLookMs);
  connect(&timer_, &QTimer::timeout, this, [this] { isVisible() ? refill() : timer_.stop(); });
  connect(list_, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item) {
    if (context_.shell.canvas()) context_.shell.canvas()->selectNames({item->data(kName, Qt::UserRole).toString()});
  });
  connect(&context.workspace.debugger(), &DebugController::stateChanged, this, &QueuesView::follow, Qt::QueuedConnection);
  connect(&context.workspace.runs(), &RunController::stateChanged, this, &QueuesView::follow, Qt::QueuedConnection);
  retranslate();
}

void QueuesView::retranslate() {
  list_->setHeaderLabels({tr("Queue"), tr("Elements"), tr("Enqueuing"), tr("Dequeuing"), tr("In / out"), tr("State")});
  for (const int c : {kIn, kOut, kTotals}) list_->headerItem()->setTextAlignment(c, Qt::AlignRight | Qt::AlignVCenter);
  list_->headerItem()->setToolTip(kFill, tr("Elements in the queue, and its capacity"));
  list_->headerItem()->setToolTip(kIn, tr("Enqueues blocked because the queue is full"));
  list_->headerItem()->setToolTip(kOut, tr("Dequeues blocked because there are too few elements"));
  list_->headerItem()->setToolTip(kTotals, tr("Elements enqueued and dequeued since the queue was created"));
  list_->setAccessibleName(tr("Queues of the run"));
  empty_->setTitle(tr("No queue yet"));
  empty_->setText(tr("Queues appear here once training or a debugged run has created them, with their contents and the ops that wait for them."));
  refill();
}

void QueuesView::follow() {
  if (!isVisible()) return;
  const DebugController& debug = context_.workspace.debugger();
  const bool runs = (debug.isActive() && !debug.isStopped()) || context_.workspace.runs().isComputing();
  runs ? timer_.start() : timer_.stop();
  refill();
}

void QueuesView::fillRow(int row, const QueueFacts& q, bool moved) {
  QTreeWidgetItem* item = list_->topLevelItem(row);
  const widgets::Theme& theme = widgets::Theme::current();
  item->setData(kName, Qt::UserRole, q.name);
  item->setText(kName, q.name);
  item->setToolTip(kName, tr("%1\n%2 of %3").arg(q.name, q.kind, q.contents.isEmpty() ? tr("anything") : q.contents));
  if (q.busy) return;
  const bool full = q.capacity >= 0 && q.size >= q.capacity;
  item->setText(kFill, q.capacity < 0 ? widgets::formatCount(q.size) : tr("%1 of %2").arg(widgets::formatCount(q.size), widgets::formatCount(q.capacity)));
  item->setData(kFill, kShare, q.capacity > 0 ? double(q.size) / double(q.capacity) : 0.0);
  item->setData(kFill, kFull, full);
  item->setToolTip(kFill, q.minAfterDequeue > 0 ? tr("%1 stay in it until it is closed (min_after_dequeue)").arg(q.minAfterDequeue) : QString());
  item->setText(kIn, QString::number(q.waitingEnqueues));
  item->setText(kOut, q.waitingDequeues > 0 && q.wanted > 1 ? tr("%1 (for %2)").arg(q.waitingDequeues).arg(q.wanted) : QString::number(q.waitingDequeues));
  item->setText(kTotals, QStringLiteral("%1 / %2").arg(widgets::formatCount(q.put), widgets::formatCount(q.taken)));
  const auto blocked = q.blocked();
  const bool stuck = blocked != QueueFacts::Blocked::Nobody && !moved;
  QString state = blocked == QueueFacts::Blocked::Enqueue   ? tr("full: waits for a dequeue")
                  : blocked == QueueFacts::Blocked::Dequeue ? tr("waits for an enqueue")
                  : moved                                   ? tr("moving")
                                                            : tr("idle");
  if (q.closed) state = blocked == QueueFacts::Blocked::Nobody ? tr("closed") : tr("closed, %1").arg(state);
  item->setText(kState, state);
  item->setToolTip(kState, q.sentence());
  item->setForeground(kState, theme.color(stuck ? Role::Warning : Role::Text2));
  item->setForeground(kIn, theme.color(q.waitingEnqueues > 0 ? Role::Text1 : Role::Text3));
  item->setForeground(kOut, theme.color(q.waitingDequeues > 0 ? Role::Text1 : Role::Text3));
  for (const int c : {kIn, kOut, kTotals}) item->setTextAlignment(c, Qt::AlignRight | Qt::AlignVCenter);
}

void QueuesView::refill() {
  const QVector<QueueFacts> queues = presentQueues(context_.workspace);
  stack_->setCurrentIndex(queues.isEmpty() ? 0 : 1);
  bool anyMoved = false;
  QString sentence;
  while (list_->topLevelItemCount() > queues.size()) delete list_->takeTopLevelItem(list_->topLevelItemCount() - 1);
  while (list_->topLevelItemCount() < queues.size()) new QTreeWidgetItem(list_);
  for (int i = 0; i < int(queues.size()); ++i) {
    const QueueFacts& q = queues[i];
    const bool same = i < shown_.size() && shown_[i].name == q.name;
    const bool moved = q.busy || !same || shown_[i].put != q.put || shown_[i].taken != q.taken;
    anyMoved |= moved;
    if (sentence.isEmpty()) sentence = q.sentence();
    fillRow(i, q, moved && timer_.isActive());
  }
  shown_ = queues;
  still_ = anyMoved ? 0 : still_ + 1;
  const DebugController& debug = context_.workspace.debugger();
  const bool over = !debug.isActive() && !context_.workspace.runs().isActive();
  const bool stands = debug.isStopped();
  const bool stuck = !sentence.isEmpty() && !stands && !over && still_ >= kStillLooks;
  const QString warning = QStringLiteral("<span style='color:%1'>%2</span>")
                              .arg(widgets::Theme::current().color(Role::Warning).name(), tr("Stalled. %1").arg(sentence).toHtmlEscaped());
  verdict_->setText(stuck    ? warning
                    : over   ? tr("The run has ended; these are the final contents of its queues.")
                    : stands ? tr("The run is paused in the debugger.")
                             : tr("The run is in progress."));
}

void QueuesView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  follow();
}

void QueuesView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) retranslate();
  QWidget::changeEvent(event);
}

const ViewRecord queuesView = {"queues",
                               QT_TRANSLATE_NOOP("Views", "Queues"),
                               QT_TRANSLATE_NOOP("Views", "Contents of the run's queues, ops waiting for them, and which side blocks"),
                               "layers",
                               Qt::BottomDockWidgetArea,
                               "",
                               [](const ViewContext& context, QWidget* parent) -> QWidget* { return new QueuesView(context, parent); }};

}  // namespace weft::app
