#include "views/experiments/experiments_view.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QSet>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "common/empty_state.h"
#include "common/format.h"
#include "common/icons.h"
#include "common/theme.h"
#include "document/document.h"
#include "document/experiments.h"
#include "document/workspace.h"
#include "experiments/importance_bars.h"
#include "experiments/scatter_matrix.h"
#include "experiments/small_multiples.h"
#include "plot/parallel_axes.h"
#include "shell/action_registry.h"
#include "views/experiments/run_table.h"
#include "views/experiments/sweep_form.h"

namespace weft::app {
namespace {

constexpr int kFilterMs = 300;
constexpr int kLeastAxes = 170;            // pixels
constexpr int kStarWidth = 24;             // of the best run's mark
constexpr size_t kMostSpans = 300;         // heads of groups whose text goes over two columns
constexpr qsizetype kMostSelected = 2000;  // rows that the table selects when a picture does

/// Conditions are separated by blanks, but a condition may have blanks around its test.
QStringList conditions(const QString& text) {
  QStringList out;
  for (const QString& part : text.split(u'&', Qt::SkipEmptyParts))
    if (!part.trimmed().isEmpty()) out << part.trimmed();
  return out;
}

}  // namespace

ExperimentsView::ExperimentsView(const ViewContext& context, QWidget* parent)
    : QWidget(parent), context_(context), experiments_(Experiments::of(context.workspace)) {
  setProperty("helpPage", QStringLiteral("experiments"));
  build();
  connectAll();
  retranslate();
}

void ExperimentsView::build() {
  const auto button = [&](const char* name, const char* icon) {
    auto* b = new QToolButton(this);
    b->setObjectName(QLatin1String(name));
    b->setAutoRaise(true);
    b->setIcon(widgets::icon(QLatin1String(icon)));
    return b;
  };
  new_ = button("sweep_new", "plus");
  pause_ = button("sweep_pause", "pause");
  pause_->setCheckable(true);
  stop_ = button("sweep_stop", "stop");
  continue_ = button("sweep_continue", "play");
  promote_ = button("sweep_promote", "check");
  sweeps_ = new QComboBox(this);
  sweeps_->setObjectName(QStringLiteral("sweep_choice"));
  sweeps_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  group_ = new QComboBox(this);
  group_->setObjectName(QStringLiteral("sweep_group"));
  group_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  filter_ = new QLineEdit(this);
  filter_->setObjectName(QStringLiteral("sweep_filter"));
  filter_->setClearButtonEnabled(true);
  filter_->setMinimumWidth(80);
  progress_ = new QLabel(this);
  progress_->setObjectName(QStringLiteral("sweep_progress"));
  progress_->setMinimumWidth(1);
  auto* bar = new QHBoxLayout;
  bar->setContentsMargins(8, 4, 8, 4);
  bar->setSpacing(4);
  for (QWidget* w : std::initializer_list<QWidget*>{new_, pause_, stop_, continue_, promote_, sweeps_, filter_, group_}) bar->addWidget(w);
  bar->setStretchFactor(filter_, 2);
  bar->addWidget(progress_, 3);
  note_ = new QLabel(this);
  note_->setObjectName(QStringLiteral("sweep_note"));
  note_->setTextFormat(Qt::PlainText);
  note_->setWordWrap(true);
  note_->setContentsMargins(12, 2, 12, 4);

  auto* beside = new QSplitter(Qt::Horizontal, this);
  beside->setChildrenCollapsible(false);
  stack_ = new QStackedWidget(beside);
  empty_ = new widgets::EmptyState(QStringLiteral("layers"), {}, {}, stack_);
  model_ = new RunTable(this);
  table_ = new QTableView(stack_);
  table_->setObjectName(QStringLiteral("sweep_table"));
  table_->setModel(model_);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  table_->setFrameShape(QFrame::NoFrame);
  table_->setShowGrid(false);
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setDefaultSectionSize(table_->fontMetrics().height() + 8);
  table_->horizontalHeader()->setSortIndicatorShown(true);
  table_->horizontalHeader()->setSectionsClickable(true);
  table_->horizontalHeader()->setSortIndicator(RunTable::Run, Qt::AscendingOrder);
  table_->setContextMenuPolicy(Qt::CustomContextMenu);
  table_->setTabKeyNavigation(false);
  stack_->addWidget(empty_);
  stack_->addWidget(table_);
  tabs_ = new QTabWidget(beside);
  tabs_->setObjectName(QStringLiteral("sweep_pages"));
  tabs_->setDocumentMode(true);
  // In a low dock the pages scroll.
  const auto addPage = [this](QWidget* page) {
    auto* scroll = new QScrollArea(tabs_);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(page);
    tabs_->addTab(scroll, QString());
  };
  form_ = new SweepForm(tabs_);
  curves_ = new widgets::SmallMultiples(tabs_);
  curves_->setObjectName(QStringLiteral("sweep_curves"));
  parallel_ = new widgets::ParallelAxes(tabs_);
  parallel_->setObjectName(QStringLiteral("sweep_parallel_axes"));
  parallel_->setSelecting(true);
  scatter_ = new widgets::ScatterMatrix(tabs_);
  scatter_->setObjectName(QStringLiteral("sweep_scatter"));
  importance_ = new widgets::ImportanceBars(tabs_);
  importance_->setObjectName(QStringLiteral("sweep_importance"));
  parallel_->setMinimumHeight(kLeastAxes);
  for (QWidget* page : std::initializer_list<QWidget*>{form_, curves_, parallel_, scatter_, importance_}) addPage(page);
  beside->addWidget(stack_);
  beside->addWidget(tabs_);
  beside->setSizes({560, 520});
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(bar);
  column->addWidget(note_);
  column->addWidget(beside, 1);
  filterSoon_.setSingleShot(true);
  filterSoon_.setInterval(kFilterMs);
}

void ExperimentsView::connectAll() {
  connect(new_, &QToolButton::clicked, this, &ExperimentsView::showForm);
  connect(pause_, &QToolButton::clicked, this, [this] { run(QStringLiteral("sweep.pause")); });
  connect(stop_, &QToolButton::clicked, this, [this] { run(QStringLiteral("sweep.stop")); });
  connect(continue_, &QToolButton::clicked, this, [this] { run(QStringLiteral("sweep.continue")); });
  connect(promote_, &QToolButton::clicked, this, [this] { run(QStringLiteral("sweep.promote")); });
  connect(empty_, &widgets::EmptyState::buttonClicked, this, &ExperimentsView::showForm);
  connect(form_, &SweepForm::startAsked, this, [this](const QStringList& words) {
    run(QStringLiteral("sweep.start"), words);
    tabs_->setCurrentIndex(Curves);
  });
  connect(filter_, &QLineEdit::textChanged, &filterSoon_, qOverload<>(&QTimer::start));
  connect(&filterSoon_, &QTimer::timeout, this, &ExperimentsView::ask);
  connect(group_, &QComboBox::activated, this, &ExperimentsView::ask);
  connect(sweeps_, &QComboBox::activated, this, &ExperimentsView::ask);
  connect(tabs_, &QTabWidget::currentChanged, this, [this](int page) {
    if (page == ImportancePage) ask();
    showPictures();
  });
  connect(table_->horizontalHeader(), &QHeaderView::sortIndicatorChanged, this, &ExperimentsView::ask);
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
    if (selecting_) return;
    QVector<qint64> ids;
    for (const QModelIndex& index : table_->selectionModel()->selectedRows())
      if (const int row = model_->runAt(index.row()); row >= 0) ids << model_->page().runs[size_t(row)].id;
    experiments_.select(ids);
  });
  connect(table_, &QWidget::customContextMenuRequested, this, &ExperimentsView::showMenu);
  connect(parallel_, &widgets::ParallelAxes::selected, this, &ExperimentsView::selectShown);
  connect(parallel_, &widgets::ParallelAxes::lineClicked, this, [this](int line) { selectShown({line}); });
  connect(scatter_, &widgets::ScatterMatrix::selected, this, &ExperimentsView::selectShown);
  connect(curves_, &widgets::SmallMultiples::selected, this, &ExperimentsView::selectShown);
  connect(&experiments_, &Experiments::pageChanged, this, [this] {
    if (isVisible()) showPage();
  });
  connect(&experiments_, &Experiments::progressed, this, [this] {
    if (isVisible()) showProgress();
  });
  connect(&experiments_, &Experiments::selectionChanged, this, &ExperimentsView::showSelection);
  Workspace& workspace = context_.workspace;
  const auto documentChanged = [this] {
    if (isVisible()) refreshNow();
  };
  connect(&workspace, &Workspace::currentChanged, this, documentChanged);
  connect(&workspace, &Workspace::contentsChanged, this, [this, &workspace] {
    if (isVisible()) form_->setDocument(workspace.current());
  });
}

void ExperimentsView::run(const QString& action, const QStringList& words) { context_.actions.runChosen(action, words); }

void ExperimentsView::showForm() {
  tabs_->setCurrentIndex(Form);
  form_->setDocument(context_.workspace.current());
  form_->findChild<QWidget*>(QStringLiteral("sweep_parameters"))->setFocus();
}

/// Reads what the controls ask for.
void ExperimentsView::ask() {
  ExperimentRequest request = experiments_.request();
  request.sweep = sweeps_->currentData().toLongLong();
  request.filters = conditions(filter_->text());
  request.group = group_->currentData().toString();
  const QHeaderView* header = table_->horizontalHeader();
  request.sort = model_->sortName(header->sortIndicatorSection());
  request.descending = header->sortIndicatorOrder() == Qt::DescendingOrder;
  request.wantsImportance = tabs_->currentIndex() == ImportancePage;
  experiments_.setRequest(request);
}

void ExperimentsView::refreshNow() {
  form_->setDocument(context_.workspace.current());
  experiments_.refresh();
  showPage();
}

void ExperimentsView::showPage() {
  const ExperimentPagePtr page = experiments_.page();
  const bool anew = page->columns.size() + RunTable::FirstValue != size_t(model_->columnCount()) || model_->rowCount() == 0;
  selecting_ = true;
  model_->setPage(page);
  selecting_ = false;
  if (anew) {
    table_->resizeColumnsToContents();
    table_->setColumnWidth(RunTable::Run, table_->columnWidth(RunTable::Run) + kStarWidth);
    const QString longest = RunTable::statusText(ExperimentPage::Run::StoppedEarly);
    table_->setColumnWidth(RunTable::Status, std::max(table_->columnWidth(RunTable::Status), table_->fontMetrics().horizontalAdvance(longest) + kStarWidth));
  }
  table_->clearSpans();
  if (page->groups.size() <= kMostSpans)
    for (int row = 0; row < model_->rowCount() && !page->groups.empty(); ++row)
      if (model_->runAt(row) < 0) table_->setSpan(row, RunTable::Run, 1, 2);
  stack_->setCurrentIndex(page->sweeps.isEmpty() ? 0 : 1);
  if (page->sweeps.isEmpty() && tabs_->currentIndex() != Form && !experiments_.isActive()) tabs_->setCurrentIndex(Form);
  showChoices();
  QStringList notes;
  if (!page->error.isEmpty()) notes << page->error;
  else if (page->leftOut > 0) notes << tr("%n more metric(s) not shown", nullptr, page->leftOut);
  note_->setText(notes.join(QStringLiteral(" · ")));
  note_->setVisible(!notes.isEmpty());
  showProgress();
  showPictures();
}

/// Fills the choices of sweeps and groups; most pages have the same ones as the page before.
void ExperimentsView::showChoices() {
  const ExperimentPage& page = *experiments_.page();
  QVector<std::pair<QString, QVariant>> sweeps, groups{{tr("No groups"), QString()}};
  for (const auto& s : page.sweeps) sweeps.emplaceBack(s.imported ? tr("%1 (imported)").arg(s.name) : QStringLiteral("%1 · %2").arg(s.name, s.method), s.id);
  for (const auto& c : page.columns)
    if (!c->isMetric) groups.emplaceBack(tr("By %1").arg(c->name), c->name);
  groups.emplaceBack(tr("By status"), QStringLiteral("status"));
  const auto fill = [](QComboBox* box, const QVector<std::pair<QString, QVariant>>& items, int current) {
    bool same = box->count() == items.size();
    for (int i = 0; same && i < box->count(); ++i) same = box->itemText(i) == items[i].first && box->itemData(i) == items[i].second;
    const QSignalBlocker quiet(box);
    if (!same) {
      box->clear();
      for (const auto& [text, data] : items) box->addItem(text, data);
    }
    box->setCurrentIndex(current);
  };
  fill(sweeps_, sweeps, page.current);
  sweeps_->setVisible(!sweeps.isEmpty());
  int group = 0;
  for (int i = 0; i < groups.size(); ++i)
    if (groups[i].second == page.request.group) group = i;
  fill(group_, groups, group);
}

void ExperimentsView::showProgress() {
  const SweepState& s = experiments_.state();
  const ExperimentPage& page = *experiments_.page();
  const bool active = experiments_.isActive();
  QStringList parts;
  if (!s.name.isEmpty() || active || !s.error.isEmpty()) {
    if (active && s.phase == SweepState::Phase::Paused) parts << tr("paused");
    if (active && s.phase == SweepState::Phase::Stopping) parts << tr("stopping");
    if (active && s.phase == SweepState::Phase::Preparing) parts << tr("preparing");
    if (s.total > 0) parts << tr("%1 of %2 runs").arg(s.finished + s.stoppedEarly + s.failed).arg(s.total);
    if (active && s.running > 0) parts << tr("%1 running").arg(s.running);
    if (s.failed > 0) parts << tr("%1 failed").arg(s.failed);
    if (s.bestRun > 0) parts << tr("best %1 %2").arg(s.metric, widgets::formatValue(s.bestValue));
    if (active) parts << widgets::formatClock(s.seconds);
    if (!s.error.isEmpty()) parts << s.error;
  } else if (page.sweep()) {
    parts << tr("%n run(s)", nullptr, int(page.runs.size()));
    if (page.rows.size() != page.runs.size()) parts << tr("%1 shown").arg(page.rows.size());
  }
  progress_->setText(parts.join(QStringLiteral(" · ")));
  progress_->setToolTip(progress_->text());
  const auto enable = [&](QToolButton* button, const char* id) {
    const QString reason = context_.actions.disabledReason(QLatin1String(id));
    button->setEnabled(reason.isEmpty());
    const QString text = ActionRegistry::plainText(context_.actions.record(QLatin1String(id)));
    const QString key = context_.actions.shortcuts(QLatin1String(id)).value(0).toString(QKeySequence::NativeText);
    button->setToolTip(reason.isEmpty() ? (key.isEmpty() ? text : QStringLiteral("%1 (%2)").arg(text, key)) : reason);
    button->setAccessibleName(text);
  };
  enable(pause_, "sweep.pause");
  enable(stop_, "sweep.stop");
  enable(continue_, "sweep.continue");
  enable(promote_, "sweep.promote");
  pause_->setChecked(s.phase == SweepState::Phase::Paused && active);
  form_->setWhyNot(experiments_.whyNot(context_.workspace.current()));
}

void ExperimentsView::showSelection() {
  if (!isVisible()) return;
  const ExperimentPage& page = *experiments_.page();
  const auto& chosen = experiments_.selection();
  const QSet<qint64> ids(chosen.begin(), chosen.end());
  std::vector<int> items;
  for (size_t i = 0; i < shown_.size(); ++i)
    if (ids.contains(page.runs[size_t(shown_[i])].id)) items.push_back(int(i));
  curves_->setSelected(items);
  parallel_->setSelected(items);
  scatter_->setSelected(items);
  QItemSelection rows;
  qsizetype count = 0;
  for (size_t i = 0; i < page.runs.size() && count < kMostSelected; ++i) {
    if (!ids.contains(page.runs[i].id)) continue;
    if (const int row = model_->rowOf(int(i)); row >= 0) {
      rows.select(model_->index(row, 0), model_->index(row, model_->columnCount() - 1));
      ++count;
    }
  }
  if (rows == table_->selectionModel()->selection()) return;
  selecting_ = true;
  table_->selectionModel()->select(rows, QItemSelectionModel::ClearAndSelect);
  if (!rows.isEmpty() && !table_->hasFocus()) table_->scrollTo(rows.first().topLeft());
  selecting_ = false;
}

QSize ExperimentsView::sizeHint() const { return {1100, 420}; }

void ExperimentsView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refreshNow();
}

void ExperimentsView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  if (event->type() == QEvent::PaletteChange && isVisible()) showPictures();
  QWidget::changeEvent(event);
}

void ExperimentsView::retranslate() {
  empty_->setTitle(tr("No sweeps of this graph yet"));
  empty_->setText(tr("A sweep trains the graph many times with different parameters. Its runs appear here, to be compared."));
  empty_->setButton(tr("New sweep"), QStringLiteral("plus"));
  const QString titles[] = {tr("New sweep"), tr("Curves"), tr("Parallel"), tr("Scatter"), tr("Importance")};
  for (int i = 0; i < tabs_->count(); ++i) tabs_->setTabText(i, titles[i]);
  new_->setToolTip(tr("New sweep"));
  new_->setAccessibleName(tr("New sweep"));
  sweeps_->setAccessibleName(tr("Sweep"));
  sweeps_->setToolTip(tr("Sweep"));
  group_->setAccessibleName(tr("Group by"));
  group_->setToolTip(tr("Group by"));
  filter_->setPlaceholderText(tr("Filter: test_loss<0.3 & optimizer=Adam"));
  filter_->setAccessibleName(tr("Filter"));
  filter_->setToolTip(tr("A column, one of < <= = != >= > ~ (contains), and a value; several conditions with &"));
  table_->setAccessibleName(tr("Runs of the sweep"));
  tabs_->setAccessibleName(tr("New sweep and pictures of the runs"));
  curves_->setAccessibleName(tr("Curves of the runs"));
  parallel_->setAccessibleName(tr("Parallel coordinates of the runs"));
  scatter_->setAccessibleName(tr("Scatter matrix of the runs"));
  importance_->setAccessibleName(tr("Importance of the parameters"));
  model_->retranslate();
  form_->retranslate();
  if (isVisible()) showPage();
}

const ViewRecord experimentsView = {"experiments",
                                    QT_TRANSLATE_NOOP("Views", "Experiments"),
                                    QT_TRANSLATE_NOOP("Views", "Sweeps: many trainings with different parameters, compared"),
                                    "layers",
                                    Qt::BottomDockWidgetArea,
                                    "",
                                    [](const ViewContext& context, QWidget* parent) -> QWidget* { return new ExperimentsView(context, parent); }};

}  // namespace weft::app
