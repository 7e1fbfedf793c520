#include "views/files/tensors_page.h"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>

#include "common/format.h"
#include "common/icons.h"
#include "common/theme.h"
#include "document/file_tab.h"
#include "document/workspace.h"
#include "shell/action_registry.h"
#include "shell/shell.h"
#include "views/files/tensor_delegate.h"
#include "views/files/tensor_detail.h"
#include "views/files/tensor_table.h"

namespace weft::app {
namespace {
constexpr qint64 kUnaskedBytes = qint64(256) << 20;  // statistics of smaller files are computed automatically
constexpr int kWidths[] = {200, 92, 68, 68, 88, 80, 80, 80, 80, 56, 60, 68, 132, 80, 68};
constexpr int kLeastName = 200;
constexpr int kSearchSides = 56;  // sign, clear button and borders of the field
}  // namespace

TensorsPage::TensorsPage(const ViewContext& context, FileTab* file, QWidget* parent)
    : QWidget(parent), context_(context), file_(file), table_(new TensorTable(file, this)), filter_(new TensorFilter(this)) {
  filter_->setSourceModel(table_);
  filter_->setSortRole(TensorTable::kSortRole);
  search_ = new QLineEdit(this);
  search_->setObjectName(QStringLiteral("tensor_search"));
  search_->setClearButtonEnabled(true);
  search_->addAction(widgets::icon(QStringLiteral("filter")), QLineEdit::LeadingPosition);
  search_->setMinimumWidth(96);
  search_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  search_->setMaximumWidth(440);
  role_ = new QComboBox(this);
  role_->setVisible(file->contents()->kind == QLatin1String("checkpoint"));
  onlyDifferent_ = new QCheckBox(this);
  compare_ = new QPushButton(this);
  endCompare_ = new QPushButton(this);
  endCompare_->setProperty("kind", QStringLiteral("flat"));
  statistics_ = new QPushButton(this);
  totals_ = new QLabel(this);
  totals_->setProperty("kind", QStringLiteral("muted"));
  totals_->setObjectName(QStringLiteral("tensor_totals"));  // the file page moves it to its header if there is room
  auto* bar = new QHBoxLayout;
  bar->setContentsMargins(12, 8, 12, 8);
  bar->setSpacing(8);
  for (QWidget* w : {static_cast<QWidget*>(search_), static_cast<QWidget*>(role_), static_cast<QWidget*>(compare_), static_cast<QWidget*>(endCompare_),
                     static_cast<QWidget*>(onlyDifferent_), static_cast<QWidget*>(statistics_)})
    bar->addWidget(w);
  bar->addStretch(0);

  view_ = new QTableView(this);
  view_->setObjectName(QStringLiteral("tensor_table"));
  view_->setModel(filter_);
  view_->setItemDelegate(new TensorDelegate(view_));
  view_->setSelectionBehavior(QAbstractItemView::SelectRows);
  view_->setSelectionMode(QAbstractItemView::SingleSelection);
  view_->setShowGrid(false);
  view_->setFrameShape(QFrame::NoFrame);
  view_->setSortingEnabled(true);
  view_->setDragEnabled(file->contents()->kind == QLatin1String("checkpoint"));
  view_->setWordWrap(false);
  view_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  view_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  view_->verticalHeader()->hide();
  view_->verticalHeader()->setDefaultSectionSize(widgets::Theme::current().metrics().rowHeight);
  view_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  QHeaderView* head = view_->horizontalHeader();
  head->setHighlightSections(false);
  head->setSectionsMovable(true);
  for (int c = 0; c < TensorTable::kColumns; ++c) head->resizeSection(c, kWidths[c]);
  // Put first: after a comparison these are the main columns.
  int place = 1;
  for (const int c : {TensorTable::kChange, TensorTable::kMaxChange, TensorTable::kCosine}) head->moveSection(head->visualIndex(c), place++);
  view_->setCornerWidget(new QWidget(view_));
  view_->sortByColumn(-1, Qt::AscendingOrder);
  view_->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
  view_->viewport()->installEventFilter(this);
  search_->installEventFilter(this);

  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addLayout(bar);
  detail_ = new TensorDetail(file, context.actions, context.workspace, this);
  auto* splitter = new QSplitter(Qt::Vertical, this);
  splitter->addWidget(view_);
  splitter->addWidget(detail_);
  splitter->setChildrenCollapsible(false);
  splitter->setStretchFactor(0, 1);
  splitter->setStretchFactor(1, 1);
  splitter->setSizes(table_->rowCount() == 1 ? QList<int>{100, 660} : QList<int>{300, 460});  // one array needs no long table
  layout->addWidget(splitter, 1);

  connect(search_, &QLineEdit::textChanged, this, [this](const QString& text) {
    filter_->setText(text);
    showTotals();
  });
  connect(role_, &QComboBox::activated, this, [this] {
    filter_->setRole(role_->currentData().toInt());
    showTotals();
  });
  connect(onlyDifferent_, &QCheckBox::toggled, this, [this](bool on) {
    filter_->setOnlyDifferent(on);
    showTotals();
  });
  connect(compare_, &QPushButton::clicked, this, [this] { context_.actions.action(QStringLiteral("inspect.compare"))->trigger(); });
  connect(endCompare_, &QPushButton::clicked, this, [this] { file_->endComparison(); });
  connect(statistics_, &QPushButton::clicked, this, [this] { file_->isComputingFacts() ? file_->cancelFacts() : file_->computeFacts(); });
  connect(view_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& current) {
    if (settingSelection_) return;
    file_->select(current.isValid() ? table_->tensorOf(filter_->mapToSource(current).row()) : -1);
  });
  connect(file_, &FileTab::selectionChanged, this, &TensorsPage::followSelection);
  connect(file_, &FileTab::scopeChanged, this, [this] {
    filter_->setScope(file_->scope());
    showTotals();
  });
  connect(file_, &FileTab::factsArrived, this, &TensorsPage::showTotals);
  connect(file_, &FileTab::comparisonChanged, this, &TensorsPage::showComparison);
  connect(table_, &QAbstractItemModel::modelReset, this, &TensorsPage::followSelection);
  retranslate();
}

void TensorsPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (shownBefore_) return;
  shownBefore_ = true;
  // The only array of a file is what people open it for.
  if (file_->selection() < 0 && table_->rowCount() == 1) file_->select(0);
  if (file_->totalBytes() <= kUnaskedBytes && file_->contents()->problem.isEmpty()) file_->computeFacts();
}

void TensorsPage::followSelection() {
  const int index = file_->selection();
  const QModelIndex row = index < 0 ? QModelIndex() : filter_->mapFromSource(table_->index(index, 0));
  if (!row.isValid() || row.row() == view_->currentIndex().row()) {
    if (!row.isValid()) view_->clearSelection();
    if (row.isValid()) view_->selectRow(row.row());
    return;
  }
  settingSelection_ = true;
  view_->selectRow(row.row());
  view_->scrollTo(row);
  settingSelection_ = false;
}

void TensorsPage::showTotals() {
  const qint64 shown = filter_->rowCount(), all = table_->rowCount();
  QString text = file_->holdsVariables() ? shown == all ? tr("%n variable(s)", nullptr, int(all)) : tr("%1 of %n variable(s)", nullptr, int(all)).arg(shown)
                 : shown == all ? tr("%n array(s)", nullptr, int(all))
                                         : tr("%1 of %n array(s)", nullptr, int(all)).arg(shown);
  if (const auto& c = file_->comparison()) text += QStringLiteral(" · ") + tr("%n differ(s)", nullptr, int(all) - c->count(TensorChange::Kind::Same));
  text += QStringLiteral(" · ") + tr("%1 elements").arg(widgets::formatCountShort(file_->totalElements())) + QStringLiteral(" · ") +
          widgets::formatBytes(file_->totalBytes());
  totals_->setText(text);
  const int known = file_->factsKnown(), count = int(file_->tensors()->entries().size());
  statistics_->setVisible(known < count);
  statistics_->setText(file_->isComputingFacts() ? tr("Stop statistics (%1 of %2)").arg(known).arg(count) : tr("Compute statistics"));
}

/// Shows all search terms as the placeholder, or one word where they do not fit.
void TensorsPage::showPlaceholder() {
  const QString all = search_->toolTip();
  search_->setPlaceholderText(search_->fontMetrics().horizontalAdvance(all) + kSearchSides <= search_->width() ? all : tr("Filter"));
}

/// The names get the width left by the other columns.
void TensorsPage::fitColumns() {
  int others = 0;
  for (int c = 1; c < TensorTable::kColumns; ++c)
    if (!view_->isColumnHidden(c)) others += view_->columnWidth(c);
  view_->setColumnWidth(TensorTable::kName, std::max(kLeastName, view_->viewport()->width() - others));
}

bool TensorsPage::eventFilter(QObject* watched, QEvent* event) {
  if (watched == view_->viewport() && event->type() == QEvent::Resize) fitColumns();
  if (watched == search_ && event->type() == QEvent::Resize) showPlaceholder();
  return QWidget::eventFilter(watched, event);
}

void TensorsPage::showColumns() {
  const bool compared = file_->comparison() != nullptr;
  for (const int c : {TensorTable::kChange, TensorTable::kMaxChange, TensorTable::kCosine}) view_->setColumnHidden(c, !compared);
  for (const int c : {TensorTable::kZeros, TensorTable::kMean, TensorTable::kNonFinite, TensorTable::kBytes}) view_->setColumnHidden(c, compared);
  fitColumns();
}

void TensorsPage::showComparison() {
  const auto& comparison = file_->comparison();
  endCompare_->setVisible(comparison != nullptr);
  onlyDifferent_->setVisible(comparison != nullptr);
  if (comparison) {
    endCompare_->setText(QFileInfo(comparison->otherPath).fileName());
    endCompare_->setToolTip(tr("Compared with %1; click to end the comparison").arg(comparison->otherPath));
    endCompare_->setIcon(widgets::icon(QStringLiteral("close")));
    view_->sortByColumn(TensorTable::kChange, Qt::DescendingOrder);
  } else {
    onlyDifferent_->setChecked(false);
    if (view_->horizontalHeader()->sortIndicatorSection() >= TensorTable::kChange) view_->sortByColumn(-1, Qt::AscendingOrder);
  }
  showColumns();
  showTotals();
}

void TensorsPage::retranslate() {
  search_->setToolTip(tr("Name, shape:5×5, type:float, size>1k, has:nan"));
  showPlaceholder();
  search_->setAccessibleName(tr("Table filter"));
  view_->setAccessibleName(tr("Variables and arrays of this file"));
  const int role = std::max(0, role_->currentIndex());
  role_->clear();
  role_->setAccessibleName(tr("Kinds of variables to show"));
  role_->addItem(tr("All kinds"), -1);
  role_->addItem(tr("Weights"), int(TensorRole::Weight));
  role_->addItem(tr("Optimizer slots"), int(TensorRole::Slot));
  role_->addItem(tr("Moving averages"), int(TensorRole::MovingAverage));
  role_->addItem(tr("Steps"), int(TensorRole::Step));
  role_->setCurrentIndex(role);
  compare_->setVisible(file_->contents()->kind != QLatin1String("checkpoint"));  // for checkpoints the bar above the page has it
  compare_->setText(tr("Compare with…"));
  compare_->setToolTip(tr("Compares each variable with the one of the same name in another file"));
  onlyDifferent_->setText(tr("Differences only"));
  emit table_->headerDataChanged(Qt::Horizontal, 0, TensorTable::kColumns - 1);
  showComparison();
}

void TensorsPage::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) retranslate();
  QWidget::changeEvent(event);
}

}  // namespace weft::app
