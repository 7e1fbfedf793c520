#include "views/profile/profile_view.h"

#include <QApplication>
#include <QButtonGroup>
#include <QClipboard>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSortFilterProxyModel>
#include <QStackedWidget>
#include <QTabBar>
#include <QToolButton>
#include <QTreeView>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "common/elided_label.h"
#include "common/empty_state.h"
#include "common/name_delegate.h"
#include "common/sort_header.h"
#include "common/theme.h"
#include "document/profile_store.h"
#include "document/workspace.h"
#include "plot/roofline_plot.h"
#include "shell/action_registry.h"
#include "shell/shell.h"
#include "timeline/timeline_view.h"
#include "views/profile/devices_page.h"
#include "views/profile/plan_page.h"
#include "views/profile/profile_table.h"
#include "views/profile/questions/question_pages.h"

namespace weft::app {
namespace {
constexpr int kRoomForWords = 190;
}

ProfileView::ProfileView(const ViewContext& context, QWidget* parent) : QWidget(parent), context_(context), store_(ProfileStore::of(context.workspace)) {
  stack_ = new QStackedWidget(this);
  empty_ = new widgets::EmptyState(QStringLiteral("timeline"), {}, {}, stack_);
  auto* page = new QWidget(stack_);
  tabs_ = new QTabBar(page);
  tabs_->setExpanding(false);
  tabs_->setDrawBase(false);
  tabs_->setDocumentMode(true);
  tabs_->setProperty("kind", QStringLiteral("pages"));
  for (int i = 0; i < kTabs; ++i) tabs_->addTab({});
  pages_ = new QStackedWidget(page);
  pages_->addWidget(buildOperations());
  const auto list = [this](int columns) {
    auto* tree = new QTreeWidget(pages_);
    tree->setRootIsDecorated(false);
    tree->setUniformRowHeights(true);
    tree->setAllColumnsShowFocus(true);
    tree->setColumnCount(columns);
    tree->header()->setStretchLastSection(false);
    tree->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    widgets::elideNames(tree);
    connect(tree, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item) {
      const QString node = item->data(0, Qt::UserRole).toString();
      if (!node.isEmpty()) store_.selectNode(node);
    });
    pages_->addWidget(tree);
    return tree;
  };
  memory_ = list(6);
  memory_->setRootIsDecorated(true);
  memory_->setItemDelegateForColumn(kLifetimeColumn, new LifetimeDelegate(memory_));
  plan_ = new PlanPage(context, pages_);
  pages_->addWidget(plan_);
  pages_->addWidget(buildRoofline());
  compare_ = new ComparePage(context, pages_);
  pages_->addWidget(compare_);
  idle_ = new IdlePage(context, pages_);
  pages_->addWidget(idle_);
  whatIf_ = new WhatIfPage(context, pages_);
  pages_->addWidget(whatIf_);
  devices_ = new DevicesPage(context, pages_);
  pages_->addWidget(devices_);
  auto* inside = new QVBoxLayout(page);
  inside->setContentsMargins(0, 0, 0, 0);
  inside->setSpacing(0);
  inside->addWidget(tabs_);
  inside->addWidget(pages_, 1);
  stack_->addWidget(empty_);
  stack_->addWidget(page);
  stack_->setMinimumHeight(96);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(stack_);

  connect(tabs_, &QTabBar::currentChanged, this, [this](int tab) {
    pages_->setCurrentIndex(tab);
    if (tab == Roofline) fillRoofline();
  });
  connect(&store_, &ProfileStore::currentChanged, this, [this] {
    from_ = to_ = 0;
    refill();
  });
  connect(&store_, &ProfileStore::comparedChanged, this, [this] {
    if (store_.compared()) tabs_->setCurrentIndex(Compare);
  });
  connect(&store_, &ProfileStore::devicesCompared, this, [this] {
    stack_->setCurrentIndex(1);
    tabs_->setCurrentIndex(Devices);
  });
  connect(&store_, &ProfileStore::sliceSelected, this, &ProfileView::selectSlice);
  connect(&store_, &ProfileStore::roofMeasured, this, &ProfileView::fillRoofline);
  connect(empty_, &widgets::EmptyState::buttonClicked, this, [this] {
    const CommandResult result = context_.actions.run(QStringLiteral("profile.trace"));
    if (!result.ok) emit context_.actions.failed(result.message);
  });
  retranslate();
  refill();
}

QWidget* ProfileView::buildOperations() {
  auto* page = new QWidget(pages_);
  kinds_ = new QButtonGroup(this);
  auto* bar = new QHBoxLayout;
  bar->setContentsMargins(8, 4, 8, 4);
  bar->setSpacing(8);
  auto* row = new QHBoxLayout;
  row->setSpacing(0);
  for (const int kind : {int(ByOp), int(ByNode), int(ByScope), int(ByGraph), int(ByCode)}) {
    auto* button = new QToolButton(page);
    button->setCheckable(true);
    button->setAutoRaise(true);
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    kinds_->addButton(button, kind);
    row->addWidget(button);
  }
  kinds_->button(kind_)->setChecked(true);
  connect(kinds_, &QButtonGroup::idClicked, this, [this](int kind) {
    kind_ = kind;
    fillOperations();
  });
  filter_ = new QLineEdit(page);
  filter_->setClearButtonEnabled(true);
  filter_->setMaximumWidth(220);
  summary_ = new widgets::ElidedLabel(page);
  copy_ = new QPushButton(page);
  connect(copy_, &QPushButton::clicked, this, &ProfileView::copyTable);
  bar->addLayout(row);
  bar->addWidget(filter_, 1);
  bar->addWidget(summary_, 2);
  bar->addWidget(copy_);

  table_ = new ProfileTable(this);
  sorted_ = new QSortFilterProxyModel(this);
  sorted_->setSourceModel(table_);
  sorted_->setSortRole(ProfileTable::SortRole);
  sorted_->setFilterRole(ProfileTable::NodeRole);
  sorted_->setFilterCaseSensitivity(Qt::CaseInsensitive);
  sorted_->setRecursiveFilteringEnabled(true);
  tree_ = new QTreeView(page);
  tree_->setHeader(new widgets::SortHeader(tree_));
  tree_->setModel(sorted_);
  tree_->setSortingEnabled(true);
  tree_->setUniformRowHeights(true);
  tree_->setAllColumnsShowFocus(true);
  widgets::elideNames(tree_);
  tree_->setItemDelegateForColumn(ProfileTable::Name, new LayerDelegate(tree_));
  tree_->setItemDelegateForColumn(ProfileTable::Share, new ShareDelegate(tree_));
  tree_->header()->setStretchLastSection(false);
  tree_->viewport()->installEventFilter(this);
  tree_->header()->setMinimumSectionSize(48);
  static constexpr int kWidths[] = {240, 184, 66, 112, 70, 48, 86, 66, 62, 62, 66, 66, 58, 70, 80};
  for (int c = 1; c < ProfileTable::kColumns; ++c) tree_->header()->resizeSection(c, kWidths[c]);
  tree_->sortByColumn(ProfileTable::Total, Qt::DescendingOrder);
  connect(filter_, &QLineEdit::textChanged, sorted_, &QSortFilterProxyModel::setFilterFixedString);
  // A line of code, "file:12 function", is opened in the Program dock.
  connect(tree_, &QTreeView::doubleClicked, this, [this](const QModelIndex& index) {
    static const QRegularExpression place(QStringLiteral("^(.+):(\\d+)(?: .*)?$"));
    const auto found = place.match(table_->lines()[int(sorted_->mapToSource(index).internalId())].name);
    if (kind_ != ByCode || !found.hasMatch()) return;
    const CommandResult result = context_.actions.run(QStringLiteral("program.line"), {found.captured(1), found.captured(2)});
    if (!result.ok) emit context_.actions.failed(result.message);
  });
  connect(tree_->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& index) {
    if (selecting_ || !index.isValid()) return;
    const QModelIndex source = sorted_->mapToSource(index);
    const ProfileLine& line = table_->lines()[int(source.internalId())];
    selecting_ = true;
    if (line.isNode || kind_ == ByScope) store_.selectNode(line.name);
    selecting_ = false;
  });
  auto* layout = new QVBoxLayout(page);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  lines_ = new QStackedWidget(page);
  noLines_ = new widgets::EmptyState(QStringLiteral("layers"), {}, {}, lines_);
  lines_->addWidget(tree_);
  lines_->addWidget(noLines_);
  layout->addLayout(bar);
  layout->addWidget(lines_, 1);
  return page;
}

bool ProfileView::eventFilter(QObject* watched, QEvent* event) {
  if (watched == tree_->viewport() && event->type() == QEvent::Resize) fitNameColumn();
  // In a low dock the picture matters more; the legend's tooltip has the whole text.
  if (roofText_ && watched == roofText_->parentWidget() && event->type() == QEvent::Resize)
    roofText_->setVisible(roofText_->parentWidget()->height() >= kRoomForWords);
  return QWidget::eventFilter(watched, event);
}

/// Names get the width left by the numbers, but at least a readable minimum.
void ProfileView::fitNameColumn() {
  int others = 0;
  for (int c = 1; c < ProfileTable::kColumns; ++c) {
    if (!tree_->isColumnHidden(c)) others += tree_->columnWidth(c);
  }
  tree_->setColumnWidth(ProfileTable::Name, std::max(170, tree_->viewport()->width() - others));
}

void ProfileView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  followTimeline();
}

/// The range measured in the timeline limits the table. The docks are created in any order, so the timeline is looked up on first use.
void ProfileView::followTimeline() {
  if (timeline_) return;
  QWidget* dock = context_.shell.viewWidget(QStringLiteral("timeline"));
  timeline_ = dock ? dock->findChild<widgets::TimelineView*>() : nullptr;
  if (!timeline_) return;
  connect(timeline_, &widgets::TimelineView::rangeMeasured, this, [this](qint64 from, qint64 to) {
    if (from_ == from && to_ == to) return;
    from_ = from;
    to_ = to;
    fillOperations();
    if (from < to) tabs_->setCurrentIndex(Operations);
  });
}

void ProfileView::refill() {
  stack_->setCurrentIndex(store_.current() || store_.devices() ? 1 : 0);
  followTimeline();
  fillOperations();
  fillMemory();
  fillRoofline();
}

QWidget* ProfileView::buildRoofline() {
  auto* page = new QWidget(pages_);
  roofline_ = new widgets::RooflinePlot(page);
  roofText_ = new QLabel(page);
  roofText_->setContentsMargins(12, 6, 12, 2);
  roofText_->setWordWrap(true);
  roofLegend_ = new QLabel(page);
  roofLegend_->setContentsMargins(12, 4, 12, 4);
  roofLegend_->setTextFormat(Qt::RichText);
  roofLegend_->setProperty("kind", QStringLiteral("muted"));
  roofLegend_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  page->installEventFilter(this);
  roofText_->setProperty("kind", QStringLiteral("muted"));
  auto* layout = new QVBoxLayout(page);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(roofText_);
  layout->addWidget(roofLegend_);
  layout->addWidget(roofline_, 1);
  connect(roofline_, &widgets::RooflinePlot::pointClicked, this, [this](const QString& node) { store_.selectNode(node); });
  return page;
}

bool ProfileView::setOption(const QString& option) {
  static const QStringList kTabs = {QStringLiteral("operations"), QStringLiteral("memory"), QStringLiteral("plan"),    QStringLiteral("roofline"),
                                    QStringLiteral("compare"),    QStringLiteral("idle"),   QStringLiteral("what-if"), QStringLiteral("devices")};
  static const std::pair<const char*, int> kKinds[] = {{"type", ByOp}, {"node", ByNode}, {"scope", ByScope}, {"inputs", ByGraph}, {"code", ByCode}};
  if (const qsizetype tab = kTabs.indexOf(option); tab >= 0) {
    tabs_->setCurrentIndex(int(tab));
    return true;
  }
  for (const auto& [name, kind] : kKinds) {
    if (option != QLatin1String(name)) continue;
    tabs_->setCurrentIndex(Operations);
    kinds_->button(kind)->setChecked(true);
    kind_ = kind;
    fillOperations();
    return true;
  }
  if (compare_->setOption(option)) {
    tabs_->setCurrentIndex(Compare);
    return true;
  }
  if (!store_.current()) return false;
  const int before = tabs_->currentIndex();
  tabs_->setCurrentIndex(Plan);
  if (plan_->setOption(option)) return true;
  tabs_->setCurrentIndex(before);
  return false;
}

void ProfileView::selectSlice(int slice) {
  if (store_.current() && slice >= 0) roofline_->setSelected(sliceFacts(*store_.current(), slice).node);
  if (selecting_ || !store_.current() || slice < 0) return;
  const QModelIndex source = table_->indexOf(sliceFacts(*store_.current(), slice).node);
  if (!source.isValid()) return;
  selecting_ = true;
  const QModelIndex index = sorted_->mapFromSource(source);
  tree_->setCurrentIndex(index);
  tree_->scrollTo(index);
  selecting_ = false;
}

/// Copies the shown lines in their order as tab-separated text.
void ProfileView::copyTable() {
  QString text;
  for (int c = 0; c < ProfileTable::kColumns; ++c)
    text += table_->headerData(c, Qt::Horizontal, Qt::DisplayRole).toString() + (c + 1 < ProfileTable::kColumns ? u'\t' : u'\n');
  const std::function<void(const QModelIndex&)> add = [&](const QModelIndex& parent) {
    for (int r = 0; r < sorted_->rowCount(parent); ++r) {
      const QModelIndex first = sorted_->index(r, 0, parent);
      for (int c = 0; c < ProfileTable::kColumns; ++c) {
        const QModelIndex index = first.siblingAtColumn(c);
        text += (c == 0 ? index.data(ProfileTable::NodeRole) : index.data()).toString() + (c + 1 < ProfileTable::kColumns ? u'\t' : u'\n');
      }
      add(first);
    }
  };
  add({});
  QApplication::clipboard()->setText(text);
  context_.shell.notify(tr("The table was copied."));
}

void ProfileView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) {
    retranslate();
    refill();
  }
  if (event->type() == QEvent::PaletteChange) {
    fillRoofline();
  }
  QWidget::changeEvent(event);
}

void ProfileView::retranslate() {
  empty_->setTitle(tr("No trace yet"));
  empty_->setText(tr("Tables of ops, scopes and nodes appear here: how often they ran, how long and how fast, and what is on the critical path."));
  empty_->setButton(tr("Trace 10 steps"), QStringLiteral("record"));
  tabs_->setTabText(Operations, tr("Operations"));
  tabs_->setTabText(Memory, tr("Memory at the peak"));
  tabs_->setTabText(Plan, tr("Plan"));
  tabs_->setTabToolTip(Plan, tr("How the step was planned: passes, fused groups, memory, floors"));
  tabs_->setTabText(Roofline, tr("Roofline"));
  tabs_->setTabText(Compare, tr("Compare"));
  tabs_->setTabToolTip(Compare, tr("What became slower or faster since another trace"));
  tabs_->setTabText(Idle, tr("Idle times"));
  tabs_->setTabToolTip(Idle, tr("What threads and streams waited for"));
  tabs_->setTabText(WhatIfTab, tr("What if"));
  tabs_->setTabToolTip(WhatIfTab, tr("How long a step would take if ops were faster, gone, fused or elsewhere"));
  tabs_->setTabText(Devices, tr("Devices"));
  tabs_->setTabToolTip(Devices, tr("The same steps on each device of this machine, by layer"));
  roofline_->setAccessibleName(tr("Roofline"));
  tabs_->setAccessibleName(tr("Tables of the trace"));
  kinds_->button(ByOp)->setText(tr("type"));
  kinds_->button(ByOp)->setToolTip(tr("One row per op type"));
  kinds_->button(ByNode)->setText(tr("node"));
  kinds_->button(ByNode)->setToolTip(tr("One row per node"));
  kinds_->button(ByScope)->setText(tr("scope"));
  kinds_->button(ByScope)->setToolTip(tr("A tree by name scope"));
  kinds_->button(ByGraph)->setText(tr("inputs"));
  kinds_->button(ByGraph)->setToolTip(tr("A tree by inputs: the inputs of a node are its children"));
  kinds_->button(ByCode)->setText(tr("code"));
  kinds_->button(ByCode)->setToolTip(tr("A tree by the program lines that created the nodes"));
  for (QAbstractButton* b : kinds_->buttons()) b->setAccessibleName(b->toolTip());
  filter_->setPlaceholderText(tr("Filter by name"));
  filter_->setAccessibleName(tr("Filter by name"));
  copy_->setText(tr("Copy table"));
  copy_->setToolTip(tr("Copies the table as tab-separated text"));
  tree_->setAccessibleName(tr("Operations"));
  memory_->setAccessibleName(tr("Memory at the peak"));
  memory_->setHeaderLabels({tr("tensor"), tr("type"), tr("size"), tr("share"), tr("kept for"), tr("when")});
  for (int c = 2; c < 5; ++c) memory_->headerItem()->setTextAlignment(c, Qt::AlignRight | Qt::AlignVCenter);
  memory_->header()->resizeSection(1, 150);
  for (int c = 2; c < 5; ++c) memory_->header()->resizeSection(c, 90);
  memory_->header()->resizeSection(kLifetimeColumn, 220);
}

const ViewRecord profileView = {"profile",
                                QT_TRANSLATE_NOOP("Views", "Profile"),
                                QT_TRANSLATE_NOOP("Views", "Tables of a trace: op types, nodes, scopes, memory, comparison"),
                                "layers",
                                Qt::BottomDockWidgetArea,
                                "profile_",
                                [](const ViewContext& context, QWidget* parent) -> QWidget* { return new ProfileView(context, parent); }};

}  // namespace weft::app
