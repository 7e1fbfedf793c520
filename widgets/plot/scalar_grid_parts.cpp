// Construction of a ScalarGrid.
#include <QButtonGroup>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QStackedLayout>
#include <QTableView>
#include <QToolButton>
#include <cmath>

#include "common/padded_delegate.h"
#include "common/theme.h"
#include "plot/run_list.h"
#include "plot/scalar_grid_p.h"
#include "plot/scalar_table.h"

namespace weft::widgets {
namespace {

constexpr int kTableMs = 250;

}  // namespace

void ScalarGrid::Private::buildBar() {
  QHBoxLayout* row = q->addGroup(6);
  smoothingLabel = new QLabel(q);
  smoothingLabel->setProperty("kind", "muted");
  row->addWidget(smoothingLabel);
  kind = new QComboBox(q);
  for (int i = 0; i < 4; ++i) kind->addItem({});
  row->addWidget(kind);
  slider = new QSlider(Qt::Horizontal, q);
  slider->setRange(0, 999);
  slider->setFixedWidth(96);
  row->addWidget(slider);
  sliderText = new QLabel(q);
  sliderText->setFont(Theme::current().monoFont());
  sliderText->setMinimumWidth(36);
  row->addWidget(sliderText);
  QObject::connect(slider, &QSlider::valueChanged, q, [this](int value) { q->setSmoothing({smoothing.kind, value / 1000.0}); });
  QObject::connect(kind, &QComboBox::currentIndexChanged, q, [this](int index) { q->setSmoothing({static_cast<Smoothing::Kind>(index), smoothing.strength}); });
  axes = q->addChoice(3);
  QObject::connect(axes, &QButtonGroup::idClicked, q, [this](int id) { q->setXAxis(static_cast<SeriesStore::X>(id)); });
  // Most used controls first: in a narrow panel the last ones move behind a button.
  row = q->addGroup();
  outlierButton = q->addSwitch(row);
  linkButton = q->addSwitch(row);
  marksButton = q->addSwitch(row);
  row = q->addGroup();
  logButton = q->addSwitch(row);
  logXButton = q->addSwitch(row);
  spreadButton = q->addSwitch(row);
  linkButton->setChecked(true);
  marksButton->setChecked(true);
  row = q->addGroup();
  tableButton = q->addSwitch(row);
  runsButton = q->addSwitch(row);
  const std::pair<QToolButton*, void (ScalarGrid::*)(bool)> switches[] = {
      {logButton, &ScalarGrid::setLogY},         {logXButton, &ScalarGrid::setLogX},        {outlierButton, &ScalarGrid::setIgnoreOutliers},
      {spreadButton, &ScalarGrid::setSpread},    {marksButton, &ScalarGrid::setMarksShown}, {tableButton, &ScalarGrid::setTableShown},
      {runsButton, &ScalarGrid::setRunListShown}};
  for (const auto& [button, set] : switches) QObject::connect(button, &QToolButton::toggled, q, set);
  showSmoothing();
}

void ScalarGrid::Private::showSmoothing() {
  const QSignalBlocker quietSlider(slider), quietKind(kind);
  const double strength = smoothing.strength;
  sliderText->setText(QString::number(strength, 'f', strength > 0.99 ? 3 : 2));
  slider->setValue(static_cast<int>(std::lround(strength * 1000)));
  kind->setCurrentIndex(static_cast<int>(smoothing.kind));
}

void ScalarGrid::Private::buildTable() {
  model = new ScalarTableModel(q);
  sorted = new QSortFilterProxyModel(q);
  sorted->setSourceModel(model);
  sorted->setSortRole(Qt::UserRole);
  sorted->setFilterCaseSensitivity(Qt::CaseInsensitive);
  table = new QTableView(q);
  table->setModel(sorted);
  table->setItemDelegate(new PaddedDelegate(table));
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
  // The tag takes the remaining width.
  table->setColumnWidth(ScalarTableModel::kRun, 104);
  for (const int value : {ScalarTableModel::kLast, ScalarTableModel::kMin, ScalarTableModel::kMax, ScalarTableModel::kMean}) table->setColumnWidth(value, 88);
  for (const int step : {ScalarTableModel::kLastStep, ScalarTableModel::kMinStep, ScalarTableModel::kMaxStep, ScalarTableModel::kCount})
    table->setColumnWidth(step, 66);
  tableTimer.setSingleShot(true);
  tableTimer.setInterval(kTableMs);
  QObject::connect(&tableTimer, &QTimer::timeout, q, [this] { updateTable(rowsChanged); });
  // Double-clicking a row shows its card.
  QObject::connect(table, &QTableView::doubleClicked, q, [this](const QModelIndex& index) {
    const QString tag = index.siblingAtColumn(ScalarTableModel::kTag).data().toString();
    q->setTableShown(false);
    q->cards()->scrollTo(tag);
  });
}

void ScalarGrid::Private::build() {
  runList = new RunList(q);
  runList->setMinimumWidth(140);
  runList->hide();
  buildBar();
  buildTable();
  QObject::connect(runList, &RunList::visibilityRequested, q, [this](int run, bool visible) {
    q->setRunVisible(run, visible);
    emit q->runVisibilityRequested(run, visible);
  });
  QObject::connect(runList, &RunList::removalRequested, q, &ScalarGrid::runRemovalRequested);
  QObject::connect(runList, &RunList::groupsChanged, q, [this] {
    for (int run = 0; run < runs.size(); ++run) forLines(run, [&](ScalarPlot* plot, int line) { plot->setGroup(line, runList->groupOf(run)); });
  });
  auto* shown = new QWidget(q);
  views = new QStackedLayout(shown);
  views->addWidget(q->cards());
  views->addWidget(table);
  auto* splitter = new QSplitter(q);
  splitter->addWidget(runList);
  splitter->addWidget(shown);
  splitter->setSizes({190, 800});
  splitter->setStretchFactor(0, 0);
  splitter->setStretchFactor(1, 1);
  splitter->setChildrenCollapsible(false);
  q->setContent(splitter);
  q->setEmptyText(ScalarGrid::tr("No scalars yet"), ScalarGrid::tr("Loss and learning rate appear here from the first step."));
  q->retranslate();
}

void ScalarGrid::retranslate() {
  CardPanel::retranslate();
  cards()->setGeneralName(tr("scalars"));
  d_->smoothingLabel->setText(tr("smoothing"));
  const QSignalBlocker quiet(d_->kind);
  const QStringList kinds{tr("EMA"), tr("EMA over time"), tr("running average"), tr("Gaussian")};
  for (int i = 0; i < kinds.size(); ++i) d_->kind->setItemText(i, kinds[i]);
  d_->kind->setToolTip(tr("Smoothing: exponential moving average by step, as in TensorBoard, or by time; moving average or Gaussian"));
  d_->kind->setAccessibleName(tr("Smoothing method"));
  d_->slider->setToolTip(tr("Strength: the weight of the exponential average; the other methods remove as much noise at the same strength"));
  d_->slider->setAccessibleName(tr("Smoothing"));
  d_->table->setAccessibleName(tr("Values of the series"));
  name(d_->axes->button(static_cast<int>(SeriesStore::X::Step)), tr("step"), tr("x axis: step"));
  name(d_->axes->button(static_cast<int>(SeriesStore::X::Relative)), tr("relative"), tr("x axis: time since the first value"));
  name(d_->axes->button(static_cast<int>(SeriesStore::X::Wall)), tr("wall"), tr("x axis: time of day"));
  name(d_->logButton, tr("log y"), tr("Logarithmic y axis for all cards"));
  name(d_->logXButton, tr("log x"), tr("Logarithmic x axis for all cards"));
  name(d_->outlierButton, tr("5–95 %"), tr("Exclude outliers from the y range"));
  name(d_->spreadButton, tr("mean ± σ"), tr("Mean and standard deviation over the visible runs; (groups) in the run filter name groups with a mean each"));
  name(d_->linkButton, tr("linked cursor"), tr("One cursor for all cards"));
  name(d_->marksButton, tr("events"), tr("Checkpoints and edits of live values as vertical lines"));
  name(d_->tableButton, tr("table"), tr("Minimum, maximum and last values of all series"));
  name(d_->runsButton, tr("runs"), tr("List of runs"));
}

}  // namespace weft::widgets
