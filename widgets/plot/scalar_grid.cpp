#include "plot/scalar_grid.h"

#include <QButtonGroup>
#include <QRegularExpression>
#include <QSortFilterProxyModel>
#include <QStackedLayout>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "plot/run_list.h"
#include "plot/scalar_grid_p.h"
#include "plot/scalar_table.h"

namespace weft::widgets {

namespace {
constexpr QSize kCard(320, 264);
constexpr int kLeastHeight = 112;  // minimum height of a card with a readable curve
}  // namespace

ScalarGrid::ScalarGrid(QWidget* parent) : CardPanel(QStringLiteral("chart"), kCard, parent), d_(std::make_unique<Private>(this)) {
  cards()->setLeastHeight(kLeastHeight);
  keepBarToOneLine();
  d_->build();
}
ScalarGrid::~ScalarGrid() = default;

void ScalarGrid::Private::addLine(ScalarPlot* plot, const QString& tag, int run) {
  const int line = plot->addSeries(runs[run].name, runs[run].hue, tags[tag][run]);
  plot->setSeriesVisible(line, runs[run].shown);
  plot->setGroup(line, runList->groupOf(run));
  plot->setMarks(line, runs[run].marks);
  lines[tag][run] = line;
}

QWidget* ScalarGrid::makeCard(const QString& tag, QWidget* parent) {
  auto* plot = new ScalarPlot(parent);
  plot->setTitle(tag);
  plot->setSmoothing(d_->smoothing);
  plot->setXAxis(d_->axis);
  plot->setLogY(d_->logButton->isChecked());
  plot->setLogX(d_->logXButton->isChecked());
  plot->setIgnoreOutliers(d_->outlierButton->isChecked());
  plot->setSpread(d_->spreadButton->isChecked());
  plot->setMarksShown(d_->marksButton->isChecked());
  d_->lines.remove(tag);
  const Private::Tag& series = d_->tags[tag];
  for (auto it = series.begin(); it != series.end(); ++it) d_->addLine(plot, tag, it.key());
  connect(plot, &ScalarPlot::cursorMoved, this, [this, plot](std::optional<double> x) {
    if (!d_->linkButton->isChecked()) return;
    emit cursorMoved(!x || d_->axis == SeriesStore::X::Step ? x : plot->stepAt(*x));
    d_->forPlots([&](ScalarPlot* other) {
      if (other != plot) other->setCursor(x);
    });
  });
  connect(plot, &ScalarPlot::markClicked, this, [this, tag](int line, double step) {
    const QMap<int, int>& lines = d_->lines[tag];
    for (auto it = lines.cbegin(); it != lines.cend(); ++it)
      if (it.value() == line) return emit checkpointClicked(it.key(), step);
  });
  connect(plot, &ScalarPlot::maximizeRequested, this, [this, tag] { cards()->toggleLarge(tag); });
  return plot;
}

void ScalarGrid::cardDropped(const QString& tag) { d_->lines.remove(tag); }

ScalarPlot* ScalarGrid::Private::plot(const QString& tag) const { return static_cast<ScalarPlot*>(q->cards()->card(tag)); }

void ScalarGrid::Private::listRun(int run) {
  const Run& r = runs[run];
  runList->setRun(run, r.name, r.hue, r.shown, r.problem);
}

void ScalarGrid::Private::tagAppears(const QString& tag) {
  q->cards()->add(tag, groupOf(tag));
  q->showCards(true);
}

void ScalarGrid::Private::updateTable(bool rows) {
  if (!tableButton->isChecked()) return;
  if (!rows) {
    model->changed();
    return;
  }
  rowsChanged = false;
  std::vector<ScalarTableModel::Row> list;
  for (auto tag = tags.begin(); tag != tags.end(); ++tag)
    for (auto it = tag->begin(); it != tag->end(); ++it)
      if (runs[it.key()].shown) list.push_back({tag.key(), runs[it.key()].name, *it});
  model->reset(std::move(list));
}

int ScalarGrid::addRun(const QString& name, int hue) {
  for (qsizetype i = 0; i < d_->runs.size(); ++i)
    if (d_->runs[i].there && d_->runs[i].name == name) return static_cast<int>(i);
  const int run = static_cast<int>(d_->runs.size());
  d_->runs.append({name, {}, hue >= 0 ? hue : run, true, true, {}});
  d_->listRun(run);
  return run;
}

void ScalarGrid::clearRun(int run) {
  for (const QString& tag : d_->tags.keys()) {
    if (!d_->tags[tag].remove(run)) continue;
    if (ScalarPlot* plot = d_->plot(tag); plot && d_->lines[tag].contains(run)) plot->removeSeries(d_->lines[tag].take(run));
    if (!d_->tags[tag].isEmpty()) continue;
    d_->tags.remove(tag);
    d_->lines.remove(tag);
    cards()->remove(tag);
  }
  d_->rowsChanged = true;
  d_->updateTable(true);
}

void ScalarGrid::removeRun(int run) {
  if (run < 0 || run >= d_->runs.size()) return;
  clearRun(run);
  d_->runs[run].there = false;
  d_->runList->removeRun(run);
  if (d_->tags.isEmpty()) showCards(false);
}

void ScalarGrid::setRunVisible(int run, bool visible) {
  if (run < 0 || run >= d_->runs.size() || d_->runs[run].shown == visible) return;
  d_->runs[run].shown = visible;
  d_->listRun(run);
  d_->forLines(run, [visible](ScalarPlot* plot, int line) { plot->setSeriesVisible(line, visible); });
  d_->rowsChanged = true;
  d_->updateTable(true);
}

void ScalarGrid::setRunProblem(int run, const QString& problem) {
  if (run < 0 || run >= d_->runs.size() || d_->runs[run].problem == problem) return;
  d_->runs[run].problem = problem;
  d_->listRun(run);
}

void ScalarGrid::setRunMarks(int run, const std::vector<PlotMark>& marks) {
  if (run < 0 || run >= d_->runs.size() || d_->runs[run].marks == marks) return;
  d_->runs[run].marks = marks;
  d_->forLines(run, [&marks](ScalarPlot* plot, int line) { plot->setMarks(line, marks); });
}

void ScalarGrid::clear() {
  cards()->clear();
  d_->tags.clear();
  d_->lines.clear();
  d_->runs.clear();
  d_->runList->clear();
  d_->rowsChanged = true;
  d_->updateTable(true);
  showCards(false);
}

void ScalarGrid::append(int run, const QString& tag, const Sample& sample) { append(run, tag, std::span(&sample, 1)); }

void ScalarGrid::append(int run, const QString& tag, std::span<const Sample> samples) {
  if (run < 0 || run >= d_->runs.size()) return;
  if (!d_->tags[tag].contains(run)) setSeries(run, tag, std::make_shared<SeriesStore>());
  d_->tags[tag][run]->append(samples);
  grown(run, tag);
}

void ScalarGrid::setSeries(int run, const QString& tag, std::shared_ptr<SeriesStore> samples) {
  if (run < 0 || run >= d_->runs.size()) return;
  std::shared_ptr<SeriesStore>& place = d_->tags[tag][run];
  if (place == samples) return;
  place = std::move(samples);
  d_->tagAppears(tag);
  if (ScalarPlot* plot = d_->plot(tag)) {
    if (d_->lines[tag].contains(run)) plot->removeSeries(d_->lines[tag].take(run));
    d_->addLine(plot, tag, run);
  }
  d_->rowsChanged = true;
}

void ScalarGrid::grown(int, const QString& tag) {
  if (ScalarPlot* plot = d_->plot(tag)) plot->changed();
  if (d_->tableButton->isChecked() && !d_->tableTimer.isActive()) d_->tableTimer.start();
}

QStringList ScalarGrid::tags() const { return d_->tags.keys(); }

ScalarPlot* ScalarGrid::plot(const QString& tag) const { return static_cast<ScalarPlot*>(cards()->makeCard(tag)); }

const SeriesStore* ScalarGrid::samples(int run, const QString& tag) const {
  const auto it = d_->tags.constFind(tag);
  return it == d_->tags.constEnd() ? nullptr : it->value(run).get();
}

RunList* ScalarGrid::runList() const { return d_->runList; }

void ScalarGrid::searched(const QRegularExpression& expression) { d_->sorted->setFilterRegularExpression(expression); }

void ScalarGrid::setSmoothing(const Smoothing& smoothing) {
  const Smoothing wanted{smoothing.kind, std::clamp(smoothing.strength, 0.0, 0.999)};
  if (wanted == d_->smoothing) return;
  d_->smoothing = wanted;
  d_->showSmoothing();
  d_->forPlots([&](ScalarPlot* plot) { plot->setSmoothing(wanted); });
  emit smoothingChanged(wanted);
}

const Smoothing& ScalarGrid::smoothing() const { return d_->smoothing; }

void ScalarGrid::setXAxis(SeriesStore::X axis) {
  d_->axis = axis;
  if (QAbstractButton* button = d_->axes->button(static_cast<int>(axis))) button->setChecked(true);
  d_->forPlots([&](ScalarPlot* plot) { plot->setXAxis(axis); });
}

void ScalarGrid::setLogY(bool on) {
  d_->logButton->setChecked(on);
  d_->forPlots([&](ScalarPlot* plot) { plot->setLogY(on); });
}

void ScalarGrid::setLogX(bool on) {
  d_->logXButton->setChecked(on);
  d_->forPlots([&](ScalarPlot* plot) { plot->setLogX(on); });
}

void ScalarGrid::setIgnoreOutliers(bool on) {
  d_->outlierButton->setChecked(on);
  d_->forPlots([&](ScalarPlot* plot) { plot->setIgnoreOutliers(on); });
}

void ScalarGrid::setMarksShown(bool on) {
  d_->marksButton->setChecked(on);
  d_->forPlots([&](ScalarPlot* plot) { plot->setMarksShown(on); });
}

void ScalarGrid::setCursorLinked(bool on) { d_->linkButton->setChecked(on); }

void ScalarGrid::setSpread(bool on) {
  d_->spreadButton->setChecked(on);
  d_->forPlots([&](ScalarPlot* plot) { plot->setSpread(on); });
}

void ScalarGrid::setTableShown(bool on) {
  d_->tableButton->setChecked(on);
  d_->views->setCurrentIndex(on ? 1 : 0);
  d_->updateTable(true);
}

void ScalarGrid::setRunListShown(bool on) {
  d_->runsButton->setChecked(on);
  d_->runList->setVisible(on);
  emit runListShownChanged(on);
}

void ScalarGrid::setCursor(std::optional<double> x) {
  d_->forPlots([&](ScalarPlot* plot) { plot->setCursor(x); });
}

void ScalarGrid::followStep(std::optional<double> step) {
  if (d_->linkButton->isChecked() && (!step || d_->axis == SeriesStore::X::Step)) setCursor(step);
}

void ScalarGrid::renameRun(int run, const QString& name) {
  if (run < 0 || run >= d_->runs.size() || d_->runs[run].name == name) return;
  d_->runs[run].name = name;
  d_->listRun(run);
  d_->forLines(run, [&name](ScalarPlot* plot, int line) { plot->setSeriesName(line, name); });
  d_->rowsChanged = true;
  d_->updateTable(true);
}

void ScalarGrid::refreshNow() {
  cards()->settle();
  d_->forPlots([](ScalarPlot* plot) {
    if (plot->isVisible()) plot->refreshNow();
  });
  d_->updateTable(true);
}

}  // namespace weft::widgets
