// What a ScalarGrid is made of.
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSlider>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QStackedLayout>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include "common/card_grid.h"
#include "common/empty_state.h"
#include "common/flow_layout.h"
#include "common/icons.h"
#include "common/theme.h"
#include "plot/run_list.h"
#include "plot/scalar_grid_p.h"
#include "plot/scalar_plot.h"
#include "plot/scalar_table.h"

namespace weft::widgets {
namespace {

constexpr QSize kCard(376, 288);
constexpr int kTableMs = 250;

}  // namespace

void ScalarGrid::Private::buildBar(QVBoxLayout* outer) {
  auto* toolbar = new QWidget(q);
  auto* bar = new FlowLayout(toolbar, 6, 6);
  // What belongs together stays on one line.
  const auto group = [&](int spacing) {
    auto* box = new QWidget(toolbar);
    auto* row = new QHBoxLayout(box);
    row->setContentsMargins(0, 0, 8, 0);
    row->setSpacing(spacing);
    bar->addWidget(box);
    return row;
  };
  search = new QLineEdit(q);
  search->addAction(icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
  search->setClearButtonEnabled(true);
  search->setFixedWidth(220);
  QObject::connect(search, &QLineEdit::textChanged, q, &ScalarGrid::setSearch);
  group(0)->addWidget(search);
  QHBoxLayout* row = group(6);
  smoothingLabel = new QLabel(q);
  smoothingLabel->setProperty("kind", "muted");
  row->addWidget(smoothingLabel);
  slider = new QSlider(Qt::Horizontal, q);
  slider->setRange(0, 999);
  slider->setValue(static_cast<int>(weight * 1000));
  slider->setFixedWidth(110);
  row->addWidget(slider);
  sliderText = new QLabel(QString::number(weight, 'f', 2), q);
  sliderText->setFont(Theme::current().monoFont());
  sliderText->setMinimumWidth(36);
  row->addWidget(sliderText);
  QObject::connect(slider, &QSlider::valueChanged, q, [this](int value) { q->setSmoothing(value / 1000.0); });

  axes = new QButtonGroup(q);
  const auto button = [&] {
    auto* b = new QToolButton(q);
    b->setCheckable(true);
    row->addWidget(b);
    return b;
  };
  row = group(4);
  for (const SeriesStore::X x : {SeriesStore::X::Step, SeriesStore::X::Relative, SeriesStore::X::Wall}) axes->addButton(button(), static_cast<int>(x));
  axes->button(0)->setChecked(true);
  QObject::connect(axes, &QButtonGroup::idClicked, q, [this](int id) { q->setXAxis(static_cast<SeriesStore::X>(id)); });
  row = group(4);
  logButton = button();
  logXButton = button();
  outlierButton = button();
  row = group(4);
  spreadButton = button();
  linkButton = button();
  linkButton->setChecked(true);
  row = group(4);
  tableButton = button();
  runsButton = button();
  runsButton->setChecked(true);
  outer->addWidget(toolbar);
  auto* line = new QFrame(q);
  line->setFrameShape(QFrame::HLine);
  outer->addWidget(line);
}

void ScalarGrid::Private::buildTable() {
  model = new ScalarTableModel(q);
  sorted = new QSortFilterProxyModel(q);
  sorted->setSourceModel(model);
  sorted->setSortRole(Qt::UserRole);
  sorted->setFilterCaseSensitivity(Qt::CaseInsensitive);
  table = new QTableView(q);
  table->setModel(sorted);
  table->setSortingEnabled(true);
  table->sortByColumn(ScalarTableModel::kTag, Qt::AscendingOrder);
  table->setFrameShape(QFrame::NoFrame);
  table->setShowGrid(false);
  table->setAlternatingRowColors(false);
  table->verticalHeader()->hide();
  table->verticalHeader()->setDefaultSectionSize(Theme::current().metrics().rowHeight);
  table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  table->horizontalHeader()->setSectionResizeMode(ScalarTableModel::kTag, QHeaderView::Stretch);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table->setColumnWidth(ScalarTableModel::kRun, 180);
  tableTimer.setSingleShot(true);
  tableTimer.setInterval(kTableMs);
  QObject::connect(&tableTimer, &QTimer::timeout, q, [this] { updateTable(rowsChanged); });
  // A row leads to its card.
  QObject::connect(table, &QTableView::doubleClicked, q, [this](const QModelIndex& index) {
    const QString tag = index.siblingAtColumn(ScalarTableModel::kTag).data().toString();
    q->setTableShown(false);
    cards->scrollTo(tag);
  });
}

void ScalarGrid::Private::build() {
  auto* outer = new QVBoxLayout(q);
  outer->setContentsMargins(0, 0, 0, 0);
  outer->setSpacing(0);
  buildBar(outer);
  cards = new CardGrid([this](const QString& tag, QWidget* parent) { return make(tag, parent); }, kCard, q);
  QObject::connect(cards, &CardGrid::dropped, q, [this](const QString& tag) { lines.remove(tag); });
  buildTable();
  runList = new RunList(q);
  runList->setMinimumWidth(140);
  QObject::connect(runList, &RunList::visibilityWished, q, [this](int run, bool visible) {
    q->setRunVisible(run, visible);
    emit q->runVisibilityWished(run, visible);
  });
  QObject::connect(runList, &RunList::removalWished, q, &ScalarGrid::runRemovalWished);
  auto* shown = new QWidget(q);
  views = new QStackedLayout(shown);
  views->addWidget(cards);
  views->addWidget(table);
  auto* splitter = new QSplitter(q);
  splitter->addWidget(runList);
  splitter->addWidget(shown);
  splitter->setSizes({190, 800});
  splitter->setStretchFactor(0, 0);
  splitter->setStretchFactor(1, 1);
  splitter->setChildrenCollapsible(false);
  empty = new EmptyState(QStringLiteral("chart"), ScalarGrid::tr("No scalars yet"), ScalarGrid::tr("Loss and learning rate appear here from the first step."), q);
  QObject::connect(empty, &EmptyState::buttonClicked, q, &ScalarGrid::emptyButtonClicked);
  auto* holder = new QWidget(q);
  stack = new QStackedLayout(holder);
  stack->addWidget(empty);
  stack->addWidget(splitter);
  outer->addWidget(holder, 1);
  QObject::connect(logButton, &QToolButton::toggled, q, &ScalarGrid::setLogY);
  QObject::connect(logXButton, &QToolButton::toggled, q, &ScalarGrid::setLogX);
  QObject::connect(outlierButton, &QToolButton::toggled, q, [this](bool on) {
    for (QWidget* card : cards->cards()) static_cast<ScalarPlot*>(card)->setIgnoreOutliers(on);
  });
  QObject::connect(spreadButton, &QToolButton::toggled, q, &ScalarGrid::setSpread);
  QObject::connect(tableButton, &QToolButton::toggled, q, &ScalarGrid::setTableShown);
  QObject::connect(runsButton, &QToolButton::toggled, q, &ScalarGrid::setRunListShown);
  retranslate();
}

void ScalarGrid::Private::retranslate() {
  search->setPlaceholderText(ScalarGrid::tr("Tags (regular expression)"));
  search->setToolTip(searchToolTip());
  search->setAccessibleName(ScalarGrid::tr("Tag filter"));
  smoothingLabel->setText(ScalarGrid::tr("smoothing"));
  slider->setAccessibleName(ScalarGrid::tr("Smoothing"));
  table->setAccessibleName(ScalarGrid::tr("Values of the series"));
  cards->setGeneralName(ScalarGrid::tr("scalars"));
  const auto name = [](QAbstractButton* b, const QString& text, const QString& tip) {
    b->setText(text);
    b->setToolTip(tip);
  };
  name(axes->button(static_cast<int>(SeriesStore::X::Step)), ScalarGrid::tr("step"), ScalarGrid::tr("x axis: step"));
  name(axes->button(static_cast<int>(SeriesStore::X::Relative)), ScalarGrid::tr("relative"), ScalarGrid::tr("x axis: time since the first value"));
  name(axes->button(static_cast<int>(SeriesStore::X::Wall)), ScalarGrid::tr("wall"), ScalarGrid::tr("x axis: time of day"));
  name(logButton, ScalarGrid::tr("log y"), ScalarGrid::tr("Logarithmic y axis for all cards"));
  name(logXButton, ScalarGrid::tr("log x"), ScalarGrid::tr("Logarithmic x axis for all cards"));
  name(outlierButton, ScalarGrid::tr("5–95 %"), ScalarGrid::tr("Leave outliers out of the y range"));
  name(spreadButton, ScalarGrid::tr("mean ± σ"), ScalarGrid::tr("Mean and standard deviation over the visible runs"));
  name(linkButton, ScalarGrid::tr("linked cursor"), ScalarGrid::tr("One cursor for all cards"));
  name(tableButton, ScalarGrid::tr("table"), ScalarGrid::tr("Smallest, largest and last values of all series"));
  name(runsButton, ScalarGrid::tr("runs"), ScalarGrid::tr("The list of runs"));
}

}  // namespace weft::widgets
