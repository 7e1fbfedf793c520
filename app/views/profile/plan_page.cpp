#include "views/profile/plan_page.h"

#include <QButtonGroup>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QJsonArray>
#include <QLabel>
#include <QStackedWidget>
#include <QStyledItemDelegate>
#include <QToolButton>
#include <QTreeView>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "common/elided_label.h"
#include "common/empty_state.h"
#include "common/format.h"
#include "common/theme.h"
#include "document/document.h"
#include "document/profile_store.h"
#include "document/workspace.h"
#include "graph_view/graph_view.h"
#include "plot/memory_map.h"
#include "shell/action_registry.h"
#include "shell/shell.h"
#include "views/profile/plan_table.h"

namespace weft::app {

using widgets::formatBytes;
using widgets::formatSeconds;

namespace {

/// Makes rows as high as the last column's wrapped text; a tree view alone does not wrap.
class WrappedRows final : public QStyledItemDelegate {
 public:
  explicit WrappedRows(QTreeView* view) : QStyledItemDelegate(view), view_(view) {
    connect(view->header(), &QHeaderView::sectionResized, this, [this] { emit sizeHintChanged({}); });
  }
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const QSize one = QStyledItemDelegate::sizeHint(option, index);
    const int width = view_->columnWidth(index.column()) - kAround;
    const int words = QFontMetrics(option.font).boundingRect(QRect(0, 0, std::max(40, width), 4000), Qt::TextWordWrap, index.data().toString()).height();
    return {one.width(), std::max(kLine, words + kBetween)};
  }

 private:
  static constexpr int kAround = 14, kLine = 24, kBetween = 8;
  QTreeView* view_;
};

}  // namespace

PlanPage::PlanPage(const ViewContext& context, QWidget* parent) : QWidget(parent), context_(context), store_(ProfileStore::of(context.workspace)) {
  stack_ = new QStackedWidget(this);
  empty_ = new widgets::EmptyState(QStringLiteral("layers"), {}, {}, stack_);
  auto* page = new QWidget(stack_);
  kinds_ = new QButtonGroup(this);
  auto* row = new QHBoxLayout;
  row->setSpacing(0);
  for (int part = 0; part < kParts; ++part) {
    auto* button = new QToolButton(page);
    button->setCheckable(true);
    button->setAutoRaise(true);
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    kinds_->addButton(button, part);
    row->addWidget(button);
  }
  kinds_->button(Passes)->setChecked(true);
  summary_ = new widgets::ElidedLabel(page);
  auto* bar = new QHBoxLayout;
  bar->setContentsMargins(8, 4, 8, 4);
  bar->setSpacing(8);
  bar->addLayout(row);
  bar->addWidget(summary_, 1);
  parts_ = new QStackedWidget(page);
  parts_->addWidget(buildPasses());
  parts_->addWidget(buildGroups());
  parts_->addWidget(buildMemory());
  parts_->addWidget(buildFloors());
  auto* inside = new QVBoxLayout(page);
  inside->setContentsMargins(0, 0, 0, 0);
  inside->setSpacing(0);
  inside->addLayout(bar);
  inside->addWidget(parts_, 1);
  stack_->addWidget(empty_);
  stack_->addWidget(page);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(stack_);
  connect(kinds_, &QButtonGroup::idClicked, this, &PlanPage::showPart);
  connect(empty_, &widgets::EmptyState::buttonClicked, this, [this] {
    const CommandResult result = context_.actions.run(QStringLiteral("profile.trace"));
    if (!result.ok) emit context_.actions.failed(result.message);
  });
  connect(&store_, &ProfileStore::currentChanged, this, [this] {
    stale_ = true;
    if (isVisible()) refill();
  });
  connect(&store_, &ProfileStore::floorsMade, this, &PlanPage::fillFloors);
  connect(&store_, &ProfileStore::roofMeasured, this, &PlanPage::updateSummary);
  connect(&context.workspace, &Workspace::currentSelectionChanged, this, &PlanPage::followDocument);
  retranslate();
}

QWidget* PlanPage::buildPasses() {
  passes_ = new QTreeWidget(this);
  listRows(passes_);
  passes_->setColumnCount(3);
  passes_->setTextElideMode(Qt::ElideRight);
  passes_->setUniformRowHeights(false);
  passes_->setWordWrap(true);  // its sentences should be readable
  passes_->setItemDelegate(new WrappedRows(passes_));
  passes_->header()->setStretchLastSection(true);
  passes_->header()->resizeSection(0, 170);
  passes_->header()->resizeSection(1, 190);
  return passes_;
}

QWidget* PlanPage::buildGroups() {
  groupView_ = new QTreeView(this);
  listRows(groupView_);
  groups_ = new PlanGroups(this);
  groupView_->setModel(groups_);
  setColumnWidths(groupView_, {300, 120, 64, 0, 80});
  followLines(groupView_, [this](int r) { return plan_->groups[r].all(); });
  return groupView_;
}

QWidget* PlanPage::buildMemory() {
  memoryStack_ = new QStackedWidget(this);
  noMemory_ = new widgets::EmptyState(QStringLiteral("layers"), {}, {}, memoryStack_);
  map_ = new widgets::MemoryMap(memoryStack_);
  memoryStack_->addWidget(noMemory_);
  memoryStack_->addWidget(map_);
  connect(map_, &widgets::MemoryMap::blockClicked, this, [this](int block) {
    const QStringList nodes{plan_->memory->blocks[block].node};
    following_ = true;
    store_.selectNodes(nodes);
    following_ = false;
    showSelected(nodes, block);  // of a node's blocks, only the clicked one
  });
  connect(map_, &widgets::MemoryMap::blockActivated, this, [this](int block) { jumpTo({plan_->memory->blocks[block].node}); });
  return memoryStack_;
}

QWidget* PlanPage::buildFloors() {
  table_ = new PlanTable(this);
  floorView_ = new QTreeView(this);
  listSortedRows(floorView_, table_, PlanTable::Gain);
  setColumnWidths(floorView_, {0, 126, 70, 70, 60, 112, 84, 90, 74, 118});
  floorView_->header()->moveSection(PlanTable::Why, PlanTable::Limit + 1);
  followLines(floorView_, [this](int r) { return QStringList{table_->floors()[r].node}; });
  return floorView_;
}

void PlanPage::followLines(QTreeView* view, const std::function<QStringList(int row)>& nodes) {
  connect(view->selectionModel(), &QItemSelectionModel::currentChanged, this, [this, nodes](const QModelIndex& index) {
    if (!following_ && index.isValid()) select(nodes(index.row()));
  });
  connect(view, &QTreeView::clicked, this, [this, nodes](const QModelIndex& index) { select(nodes(index.row())); });
  connect(view, &QTreeView::activated, this, [this, nodes](const QModelIndex& index) { jumpTo(nodes(index.row())); });
}

void PlanPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (stale_) refill();
  else followDocument();
}

void PlanPage::refill() {
  stale_ = false;
  QString why;
  plan_ = store_.current() ? planOf(*store_.current(), &why) : nullptr;
  stack_->setCurrentIndex(plan_ ? 1 : 0);
  empty_->setText(why);
  following_ = true;
  fillPasses();
  groups_->setPlan(plan_);
  map_->setData(plan_ ? plan_->memory : nullptr);
  following_ = false;
  memoryStack_->setCurrentIndex(plan_ && plan_->memory ? 1 : 0);
  noMemory_->setText(
      plan_ && plan_->isDataflow
          ? tr("This step has conditionals or loops that run node by node as their inputs arrive. There is no fixed order, so memory is allocated while it runs.")
          : tr("No tensor of this step has a fixed memory location: memory is planned when a step runs for the second time, and only for known shapes."));
  fillFloors();
}

void PlanPage::fillPasses() {
  passes_->clear();
  if (!plan_) return;
  for (const PlanPass& pass : plan_->passes) {
    auto* item = new QTreeWidgetItem(passes_, {pass.name, passEffect(pass), passDescription(pass.name)});
    for (int c = 0; c < 3; ++c) item->setTextAlignment(c, Qt::AlignLeft | Qt::AlignVCenter);
    for (int c = 0; c < 3; ++c)
      item->setToolTip(
          c, QStringLiteral("%1: %2\n%3").arg(pass.name, passEffect(pass), pass.details.isEmpty() ? item->text(2) : item->text(2) + u'\n' + pass.details));
  }
  if (plan_->passes.isEmpty()) {
    new QTreeWidgetItem(passes_, {tr("No rewrite was applied.")});
    passes_->topLevelItem(0)->setFirstColumnSpanned(true);
  }
}

/// Measures the machine and computes the lower bounds when they are first viewed.
void PlanPage::fillFloors() {
  if (stale_) return;
  const bool looked = isVisible() && parts_->currentIndex() == Floors;
  following_ = true;
  table_->setFloors(plan_ && looked ? store_.floors() : QVector<PlanFloor>());
  following_ = false;
  updateSummary();
  followDocument();
}

void PlanPage::showPart(int part) {
  parts_->setCurrentIndex(part);
  if (part == Floors && table_->floors().isEmpty()) fillFloors();
  updateSummary();
}

void PlanPage::updateSummary() {
  QString text;
  if (!plan_) return summary_->setFull({});
  switch (parts_->currentIndex()) {
    case Passes:
    case Groups:
      text = plan_->isDataflow
                 ? tr("nodes run as their inputs arrive")
                 : tr("kernel calls per step: %1 · of fused groups: %2").arg(widgets::formatCount(plan_->calls), widgets::formatCount(plan_->groups.size()));
      break;
    case Memory:
      if (plan_->memory)
        text = tr("tensors: %1 · arena: %2 · peak use: %3")
                   .arg(widgets::formatCount(plan_->memory->blocks.size()), formatBytes(plan_->memory->arenaBytes), formatBytes(plan_->memory->leastBytes));
      break;
    case Floors: {
      const ProfileRoof& roof = store_.roof();
      double ns = 0, floorNs = 0;
      for (const PlanFloor& f : table_->floors()) {
        ns += f.ns;
        floorNs += f.floorNs;
      }
      if (store_.isRoofKnown() && roof.gflops <= 0) text = tr("This machine could not be measured; see the log.");
      else if (table_->floors().isEmpty()) text = tr("This machine is being measured.");
      else
        text = tr("%1 a step, floor %2, ratio %3")
                   .arg(formatSeconds(ns / 1e9), formatSeconds(floorNs / 1e9), floorNs > 0 ? widgets::formatValue(ns / floorNs, 3) : QStringLiteral("–")) +
               QStringLiteral(" · ") +
               tr("at %1 GFLOP/s and %2 GB/s, with cold caches").arg(widgets::formatValue(roof.gflops, 3), widgets::formatValue(roof.gigabytes, 3));
      break;
    }
    default: break;
  }
  summary_->setFull(text);
}

void PlanPage::select(const QStringList& nodes) {
  store_.selectNodes(nodes);
  showSelected(nodes);
}

void PlanPage::jumpTo(const QStringList& nodes) {
  select(nodes);
  const Document* document = context_.workspace.current();
  QStringList known;
  for (const QString& node : nodes)
    if (document && document->hasNode(node)) known << node;
  if (known.isEmpty() || !context_.shell.canvas()) {
    context_.shell.notify(tr("The current graph has no node %1.").arg(nodes.first()));
    return;
  }
  context_.shell.canvas()->selectNames(known);
  context_.shell.canvas()->fitSelection();
}

void PlanPage::followDocument() {
  const Document* document = context_.workspace.current();
  if (following_ || !plan_ || !document || !isVisible()) return;
  showSelected(document->selection());
}

void PlanPage::showSelected(const QStringList& nodes, int block) {
  if (!plan_) return;
  QVector<int> blocks;
  int group = -1;
  QModelIndex line;
  for (const QString& node : nodes) {
    blocks += plan_->blocksOf.value(node);
    if (group < 0) group = plan_->groupOf.value(node, -1);
    if (!line.isValid()) line = table_->indexOf(node);
  }
  // A merged node has no time or memory of its own: use the node that stands for the group.
  if (group >= 0 && blocks.isEmpty()) blocks = plan_->blocksOf.value(plan_->groups[group].node);
  if (group >= 0 && !line.isValid()) line = table_->indexOf(plan_->groups[group].node);
  following_ = true;
  map_->setSelected(block >= 0 ? QVector<int>{block} : blocks);
  const auto show = [](QTreeView* view, const QModelIndex& index) {
    if (index.row() == view->currentIndex().row() && index.isValid() == view->currentIndex().isValid()) return;
    if (!index.isValid()) view->selectionModel()->clear();
    else view->setCurrentIndex(index);
  };
  show(groupView_, group >= 0 ? groups_->index(group, 0) : QModelIndex());
  show(floorView_, line);
  following_ = false;
}

bool PlanPage::setOption(const QString& option) {
  static const QStringList kNames = {QStringLiteral("passes"), QStringLiteral("groups"), QStringLiteral("memory-map"), QStringLiteral("floors")};
  const QString word = option.section(u' ', 0, 0), rest = option.section(u' ', 1);
  int part = int(kNames.indexOf(option));
  if (part < 0 && !plan_) return false;
  int at = -1;
  if (word == QLatin1String("group")) {
    at = rest.toInt() - 1;
    if (at < 0 || at >= plan_->groups.size()) return false;
    part = Groups;
  } else if (word == QLatin1String("block") && plan_->memory) {
    for (qsizetype i = 0; i < plan_->memory->blocks.size() && at < 0; ++i)
      if (plan_->memory->blocks[i].tensor == rest) at = int(i);
    if (at < 0) return false;
    part = Memory;
  } else if (word == QLatin1String("floor")) {
    const QModelIndex line = table_->indexOf(rest);
    if (!line.isValid()) return false;
    at = line.row();
    part = Floors;
  }
  if (part < 0) return false;
  kinds_->button(part)->setChecked(true);
  showPart(part);
  if (at < 0) return true;
  if (part == Memory) {
    map_->setSelected({at});
    emit map_->blockClicked(at);
  } else {
    QTreeView* view = part == Groups ? groupView_ : floorView_;
    view->setCurrentIndex(view->model()->index(at, 0));
  }
  return true;
}

void PlanPage::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) {
    retranslate();
    if (!stale_) refill();
  }
  QWidget::changeEvent(event);
}

void PlanPage::retranslate() {
  empty_->setTitle(tr("The plan of this trace is not known"));
  empty_->setButton(tr("Trace 10 steps"), QStringLiteral("record"));
  noMemory_->setTitle(tr("No memory map"));
  kinds_->button(Passes)->setText(tr("passes"));
  kinds_->button(Passes)->setToolTip(tr("The passes that changed the plan, in order"));
  kinds_->button(Groups)->setText(tr("groups"));
  kinds_->button(Groups)->setToolTip(tr("Nodes computed together by one kernel call"));
  kinds_->button(Memory)->setText(tr("memory map"));
  kinds_->button(Memory)->setToolTip(tr("Location and lifetime of each tensor"));
  kinds_->button(Floors)->setText(tr("floors"));
  kinds_->button(Floors)->setToolTip(tr("Time of each node compared with its minimum on this machine"));
  for (QAbstractButton* b : kinds_->buttons()) b->setAccessibleName(b->toolTip());
  passes_->setHeaderLabels({tr("pass"), tr("effect"), tr("purpose")});
  passes_->headerItem()->setToolTip(0, tr("Rewrites that changed the plan, in the order they ran"));
  passes_->setAccessibleName(tr("Passes applied"));
  groupView_->setAccessibleName(tr("Fused groups"));
  map_->setAccessibleName(tr("Memory map"));
  floorView_->setAccessibleName(tr("Nodes compared with floors"));
}

QJsonObject PlanPage::report() const {
  QString why;
  const ProfilePlanPtr plan = store_.current() ? planOf(*store_.current(), &why) : nullptr;
  if (!plan) return QJsonObject{{QStringLiteral("why"), why}};
  QJsonArray passes, groups, blocks, nodes, shown;
  for (const PlanPass& p : plan->passes)
    passes << QJsonObject{{QStringLiteral("name"), p.name}, {QStringLiteral("did"), passEffect(p)}, {QStringLiteral("meaning"), passDescription(p.name)}};
  for (const PlanGroup& g : plan->groups)
    groups << QJsonObject{{QStringLiteral("node"), g.node},
                          {QStringLiteral("op"), g.op},
                          {QStringLiteral("merged"), QJsonArray::fromStringList(g.merged)},
                          {QStringLiteral("moved_bytes"), g.bytes}};
  if (plan->memory) {
    for (const widgets::MemoryBlock& b : plan->memory->blocks)
      blocks << QJsonObject{{QStringLiteral("tensor"), b.tensor},
                            {QStringLiteral("offset"), b.offset},
                            {QStringLiteral("bytes"), b.bytes},
                            {QStringLiteral("first"), b.first},
                            {QStringLiteral("last"), b.last}};
  }
  static constexpr const char* kLimits[] = {"", "arithmetic", "memory"};
  for (const PlanFloor& f : table_->floors())
    nodes << QJsonObject{{QStringLiteral("node"), f.node},
                         {QStringLiteral("us"), f.ns / 1e3},
                         {QStringLiteral("floor_us"), f.floorNs / 1e3},
                         {QStringLiteral("limit"), QLatin1String(kLimits[int(f.limit)])}};
  for (const int b : map_->selected()) shown << map_->data()->blocks[b].tensor;
  const QModelIndex group = groupView_->currentIndex(), line = floorView_->currentIndex();
  return QJsonObject{{QStringLiteral("passes"), passes},
                     {QStringLiteral("groups"), groups},
                     {QStringLiteral("blocks"), blocks},
                     {QStringLiteral("arena_bytes"), plan->memory ? plan->memory->arenaBytes : 0},
                     {QStringLiteral("least_bytes"), plan->memory ? plan->memory->leastBytes : 0},
                     {QStringLiteral("calls"), plan->calls},
                     {QStringLiteral("nodes"), nodes},
                     {QStringLiteral("shown"), QJsonObject{{QStringLiteral("group"), group.isValid() ? group.row() + 1 : 0},
                                                           {QStringLiteral("blocks"), shown},
                                                           {QStringLiteral("node"), line.isValid() ? table_->floors()[line.row()].node : QString()}}}};
}

}  // namespace weft::app
