#include "views/projector/projector_view.h"

#include <QAction>
#include <QActionGroup>
#include <QEvent>
#include <QPointer>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolBar>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "common/empty_state.h"
#include "common/format.h"
#include "common/icons.h"
#include "common/theme.h"
#include "document/file_tab.h"
#include "document/workspace.h"
#include "scatter/scatter_plot.h"
#include "shell/action_registry.h"

namespace weft::app {
namespace {

constexpr int kPollMs = 60, kNeighborCount = 20;
using Tool = widgets::ScatterPlot::Tool;

}  // namespace

ProjectorView::ProjectorView(const ViewContext& context, QWidget* parent) : QWidget(parent), context_(context) {
  setProperty("helpPage", QStringLiteral("projector"));
  stack_ = new QStackedWidget(this);
  empty_ = new widgets::EmptyState(QStringLiteral("scatter"), {}, {}, stack_);
  auto* page = new QSplitter(Qt::Horizontal, stack_);
  page->setChildrenCollapsible(false);
  const auto scrolled = [page](QWidget* widget) {
    auto* area = new QScrollArea(page);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    area->setWidget(widget);
    area->setMinimumWidth(widget->minimumWidth() + 12);
    return area;
  };
  choices_ = new ProjectorChoices;
  auto* middle = new QWidget(page);
  plot_ = new widgets::ScatterPlot(middle);
  plot_->setObjectName(QStringLiteral("projector_plot"));
  bar_ = makeBar(middle);
  auto* column = new QVBoxLayout(middle);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(bar_);
  column->addWidget(plot_, 1);
  selection_ = new ProjectorSelection;
  page->addWidget(scrolled(choices_));
  page->addWidget(middle);
  page->addWidget(scrolled(selection_));
  page->setStretchFactor(1, 1);
  page->setSizes({232, 700, 210});
  stack_->addWidget(empty_);
  stack_->addWidget(page);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(stack_);
  poll_.setInterval(kPollMs);
  connect(&poll_, &QTimer::timeout, this, &ProjectorView::takeNews);
  connect(choices_, &ProjectorChoices::sourceChosen, this, [this](const ProjectorSource& s) { load(s, false); });
  connect(choices_, &ProjectorChoices::optionsChanged, this, &ProjectorView::showState);
  connect(choices_, &ProjectorChoices::runWanted, this, [this] { project(false); });
  connect(choices_, &ProjectorChoices::stopWanted, this, [this] { context_.workspace.tasks().cancel(projectTask_); });
  connect(choices_, &ProjectorChoices::columnChosen, this, &ProjectorView::colorBy);
  connect(choices_, &ProjectorChoices::groupChosen, this, [this](const QString& label) { search(column_, label, true); });
  connect(choices_, &ProjectorChoices::searched, this, [this](const QString& text) { search(-1, text, false); });
  connect(choices_, &ProjectorChoices::followsChosen, this, [this](bool follows) { follows_ = follows; });
  connect(plot_, &widgets::ScatterPlot::selectionChanged, this, &ProjectorView::showSelection);
  connect(plot_, &widgets::ScatterPlot::currentChanged, this, [this] {
    showSelection();
    findNeighbors();
  });
  connect(selection_, &ProjectorSelection::rowChosen, this, [this](int row) {
    plot_->showRows({row});
    plot_->setCurrent(row);
  });
  connect(selection_, &ProjectorSelection::metricChanged, this, &ProjectorView::findNeighbors);
  connect(selection_, &ProjectorSelection::cellWanted, this, [this](int actual, int predicted) {
    context_.actions.runChosen(QStringLiteral("run.show-cell"), {QString::number(actual), QString::number(predicted)});
  });
  connect(empty_, &widgets::EmptyState::buttonClicked, this, [this] { context_.actions.runChosen(QStringLiteral("file.open")); });
  const auto sources = [this] {
    if (isVisible()) updateSources();
  };
  RunController& runs = context.workspace.runs();
  connect(&context.workspace, &Workspace::currentChanged, this, sources, Qt::QueuedConnection);
  connect(&runs, &RunController::stateChanged, this, sources);
  connect(&runs, &RunController::samplesArrived, this, [this](const RunRecord*, const QString& tag) {
    if (follows_ && tag == trainTagName(TrainTag::TestLoss) && source_.path.isEmpty() && points_ && isVisible() && !isBusy()) load(source_, true);
  });
  retranslate();
}

QToolBar* ProjectorView::makeBar(QWidget* parent) {
  auto* bar = new QToolBar(parent);
  bar->setIconSize(QSize(16, 16));
  auto* group = new QActionGroup(bar);
  const char* const icons[] = {"move", "select", "lasso"};
  for (int i = 0; i < 3; ++i) {
    QAction* action = bar->addAction(widgets::icon(QLatin1String(icons[i])), QString());
    action->setCheckable(true);
    action->setChecked(i == 0);
    group->addAction(action);
    connect(action, &QAction::triggered, this, [this, i] { plot_->setTool(Tool(i)); });
    tools_ << action;
  }
  bar->addSeparator();
  tools_ << bar->addAction(widgets::icon(QStringLiteral("fit")), QString(), plot_, &widgets::ScatterPlot::fit);
  return bar;
}

TrainedModelPtr ProjectorView::model() const { return context_.workspace.runs().model(); }

void ProjectorView::updateSources() {
  QVector<ProjectorSource> sources;
  if (const FileTab* file = context_.workspace.currentFile())
    for (const QString& tensor : projectableTensors(*file->contents())) sources << ProjectorSource{file->path(), tensor, false};
  const Document* document = context_.workspace.runs().document();
  if (model() && document && document->contents())
    for (const TrainedTensor& t : projectableTensors(*document->contents())) sources << ProjectorSource{{}, t.name, t.isOutput};
  const bool isTraining = points_ && source_.path.isEmpty();
  if (points_ && !sources.contains(source_)) sources.prepend(source_);
  choices_->setSources(sources, points_ ? source_ : ProjectorSource());
  choices_->setFollows(isTraining && model(), follows_);
  stack_->setCurrentIndex(sources.isEmpty() ? 0 : 1);
}

int ProjectorView::task(const QString& title, std::function<void(TaskState&)> work, std::function<void()> finish, std::function<void()> cancelled) {
  const QPointer<ProjectorView> guarded(this);
  ++pending_;
  const quint64 generation = generation_;
  const auto end = [guarded] {
    if (guarded) --guarded->pending_;
  };
  return context_.workspace.tasks().start(
      title, std::move(work),
      [guarded, generation, end, finish = std::move(finish)] {
        end();
        if (guarded && guarded->generation_ == generation) finish();
        if (guarded) guarded->showState();
      },
      [guarded, end, cancelled = std::move(cancelled)] {
        end();
        if (guarded && cancelled) cancelled();
        if (guarded) guarded->showState();
      });
}

void ProjectorView::load(const ProjectorSource& source, bool keepPositions) {
  if (projectTask_ > 0) context_.workspace.tasks().cancel(projectTask_);
  error_.clear();
  ++generation_;
  auto points = std::make_shared<ProjectedPointsPtr>();
  auto error = std::make_shared<QString>();
  const TrainedModelPtr model = source.path.isEmpty() ? this->model() : nullptr;
  if (source.path.isEmpty() && !model) {
    error_ = tr("Nothing has been trained yet.");
    return showState();
  }
  task(
      tr("Reading %1").arg(source.tensor.isEmpty() ? source.path : source.tensor),
      [source, model, points, error](TaskState&) {
        *points = model ? readPoints(*model, source.tensor, error.get()) : readPoints(source.path, source.tensor, error.get());
      },
      [this, source, points, error, keepPositions] {
        error_ = *error;
        if (!*points) return;
        source_ = {source.path, (*points)->name, !(*points)->actual.isEmpty() || source.isOutput};
        show(*points, keepPositions);
      });
  showState();
}

void ProjectorView::show(ProjectedPointsPtr points, bool keepPositions) {
  const bool fits =
      keepPositions && points_ && points->rows == points_->rows && projection_.positions.size() == size_t(points->rows) * size_t(projection_.dimensions);
  points_ = std::move(points);
  warm_.clear();
  if (fits) warm_ = projection_.positions;
  else plot_->setCloud(nullptr);
  plot_->setTexts([points = points_](int row) { return points->text(row); });
  plot_->setPictures(points_->hasPictures() ? [points = points_](int row) { return points->pictureOf(row); } : std::function<QImage(int)>());
  column_ = points_->labels.isEmpty() ? -1 : std::clamp(fits ? column_ : 0, -1, int(points_->labelColumns.size()) - 1);
  choices_->setColumns(points_->labelColumns, column_);
  updateSources();
  project(fits);
}

void ProjectorView::project(bool fromHere) {
  if (!points_) return;
  if (projectTask_ > 0) context_.workspace.tasks().cancel(projectTask_);
  error_.clear();
  const ProjectionOptions options = choices_->options();
  const bool warm = fromHere && options.dimensions == projection_.dimensions;
  auto result = std::make_shared<Projection>();
  news_ = std::make_shared<ProjectionNews>();
  poll_.start();
  projectTask_ = task(
      tr("Projecting %1").arg(points_->name),
      [points = points_, options, result, news = news_, initial = warm ? warm_ : std::vector<float>()](TaskState& state) {
        *result = app::project(*points, options, initial, state, *news);
      },
      [this, result, options, warm] {
        poll_.stop();
        projectTask_ = 0;
        error_ = result->error;
        if (!error_.isEmpty()) return;
        projection_ = std::move(*result);
        shown_ = options;
        plot_->setCloud(projection_.cloud, true);
        if (hues_.hues.size() != size_t(points_->rows) || !warm) colorBy(column_);
      },
      [this] {
        poll_.stop();
        projectTask_ = 0;
      });
  showState();
}

void ProjectorView::takeNews() {
  if (!news_ || projectTask_ == 0) return poll_.stop();
  state_ = news_->take();
  if (state_.cloud) {
    const bool isFirst = !plot_->cloud() || plot_->cloud()->rows != state_.cloud->rows;
    plot_->setCloud(std::exchange(state_.cloud, nullptr), true);
    if (isFirst) colorBy(column_);
  }
  showState();
}

void ProjectorView::colorBy(int column) {
  column_ = column;
  if (!points_) return;
  if (column < 0) {
    hues_ = {};
    choices_->setHues({}, {});
    return plot_->setHues({}, {});
  }
  auto hues = std::make_shared<LabelHues>();
  task(
      tr("Colouring"), [points = points_, column, hues](TaskState&) { *hues = huesOf(*points, column); },
      [this, hues] {
        hues_ = std::move(*hues);
        const auto colorOf = [ramp = hues_.isRamp](int hue) {
          const widgets::Theme& theme = widgets::Theme::current();
          return ramp ? theme.sequential(hue / 255.0) : theme.categorical(hue);
        };
        choices_->setHues(hues_, colorOf);
        plot_->setHues(hues_.hues, colorOf);
      });
}

void ProjectorView::search(int column, const QString& text, bool whole) {
  if (!points_) return;
  if (text.isEmpty() && !whole) return plot_->setSelection({});
  auto rows = std::make_shared<std::vector<int32_t>>();
  task(
      tr("Searching"),
      [points = points_, column, text, whole, rows](TaskState&) {
        *rows = rowsWith(*points, column, text, true);
        if (rows->empty() && !whole) *rows = rowsWith(*points, column, text, false);
      },
      [this, rows, text] {
        if (rows->empty()) error_ = tr("No point has the label %1.").arg(text);
        else error_.clear();
        plot_->setSelection(*rows);
        if (!rows->empty()) plot_->showRows(*rows);
        if (rows->size() == 1) plot_->setCurrent(rows->front());
      });
}

void ProjectorView::findNeighbors() {
  if (neighborTask_ > 0) context_.workspace.tasks().cancel(neighborTask_);
  neighborTask_ = 0;
  plot_->setRinged({});
  const int row = plot_->current();
  if (!points_ || row < 0) return selection_->setNeighbors({}, {});
  auto found = std::make_shared<QVector<PointNeighbor>>();
  auto error = std::make_shared<QString>();
  neighborTask_ = task(
      tr("Finding neighbours"),
      [points = points_, row, cosine = selection_->usesCosine(), found, error](TaskState&) {
        *found = neighborsOf(*points, row, kNeighborCount, cosine, error.get());
      },
      [this, row, found, error] {
        neighborTask_ = 0;
        if (plot_->current() != row) return;
        selection_->setNeighbors(*found, *error);
        std::vector<int32_t> rows;
        for (const PointNeighbor& n : std::as_const(*found)) rows.push_back(n.row);
        plot_->setRinged(std::move(rows));
      });
}

void ProjectorView::showSelection() { selection_->setSelection(points_, plot_->selection(), plot_->current()); }

QString ProjectorView::stateText() const {
  if (!error_.isEmpty()) return error_;
  if (projectTask_ > 0) {
    using Phase = ProjectionNews::Phase;
    switch (state_.phase) {
      case Phase::Reading:
      case Phase::Directions: return tr("Principal components…");
      case Phase::Neighbors: return tr("Nearest neighbours…");
      case Phase::Affinities: return tr("Affinities…");
      case Phase::Descent: return tr("Step %1 of %2").arg(state_.step).arg(state_.steps);
    }
  }
  if (isBusy() && !points_) return tr("Reading…");
  if (!points_) return tr("Choose points.");
  QStringList lines{tr("%1 points, %2 columns").arg(widgets::formatCount(points_->rows), widgets::formatCount(points_->columns))};
  if (points_->step >= 0) lines << tr("step %1").arg(widgets::formatCount(points_->step));
  if (projection_.cloud && projection_.cloud->rows == points_->rows) {
    if (!projection_.varianceShares.isEmpty()) {
      double sum = 0;
      for (const double share : projection_.varianceShares) sum += share;
      lines << tr("%1 % of the variance").arg(sum * 100, 0, 'f', 1);
    }
    if (projection_.perplexity > 0) lines << tr("divergence %1").arg(widgets::formatValue(projection_.divergence));
    if (projection_.perplexity > 0 && projection_.perplexity < shown_.perplexity)
      lines << tr("perplexity lowered to %1").arg(widgets::formatValue(projection_.perplexity));
    lines << widgets::formatSeconds(projection_.seconds);
  }
  return lines.join(QStringLiteral(" · "));
}

void ProjectorView::showState() { choices_->setRunning(projectTask_ > 0, stateText()); }

void ProjectorView::retranslate() {
  empty_->setTitle(tr("Nothing to project yet"));
  empty_->setText(tr(
      "Rows of a matrix appear here as points: of an embedding's configuration, a checkpoint or an array file, of a variable in training, or the outputs of a layer."));
  empty_->setButton(tr("Open a file…"), QStringLiteral("folder"));
  const QString texts[] = {tr("Move"), tr("Select a rectangle"), tr("Select with a lasso"), tr("Show all points")};
  for (int i = 0; i < int(tools_.size()); ++i) {
    tools_[i]->setText(texts[i]);
    tools_[i]->setToolTip(texts[i]);
  }
  plot_->setAccessibleName(tr("Points"));
  showState();
}

void ProjectorView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  if (event->type() == QEvent::PaletteChange && column_ >= 0 && points_ && !hues_.hues.empty()) colorBy(column_);
  QWidget::changeEvent(event);
}

void ProjectorView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  updateSources();
}

const ViewRecord projectorView = {"projector",
                                  QT_TRANSLATE_NOOP("Views", "Projector"),
                                  QT_TRANSLATE_NOOP("Views", "Rows of a matrix as points in two or three dimensions: PCA, t-SNE, UMAP"),
                                  "scatter",
                                  Qt::BottomDockWidgetArea,
                                  "",
                                  [](const ViewContext& context, QWidget* parent) -> QWidget* { return new ProjectorView(context, parent); }};

}  // namespace weft::app
