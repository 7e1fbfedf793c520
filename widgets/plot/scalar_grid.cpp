#include "plot/scalar_grid.h"

#include <QEvent>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QSlider>
#include <QSortFilterProxyModel>
#include <QStackedLayout>
#include <QStyle>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "common/card_grid.h"
#include "common/empty_state.h"
#include "plot/run_list.h"
#include "plot/scalar_grid_p.h"
#include "plot/scalar_plot.h"
#include "plot/scalar_table.h"

namespace weft::widgets {

ScalarGrid::ScalarGrid(QWidget* parent) : QWidget(parent), d_(std::make_unique<Private>(this)) {
  d_->build();
}
ScalarGrid::~ScalarGrid() = default;

template <typename F>
void ScalarGrid::Private::forPlots(F&& f) const {
  for (QWidget* card : cards->cards()) f(static_cast<ScalarPlot*>(card));
}

void ScalarGrid::Private::addLine(ScalarPlot* plot, const QString& tag, int run) {
  const int line = plot->addSeries(runs[run].name, runs[run].hue, tags[tag][run]);
  plot->setSeriesVisible(line, runs[run].shown);
  lines[tag][run] = line;
}

QWidget* ScalarGrid::Private::make(const QString& tag, QWidget* parent) {
  auto* plot = new ScalarPlot(parent);
  plot->setTitle(tag);
  plot->setSmoothing(weight);
  plot->setXAxis(axis);
  plot->setLogY(logButton->isChecked());
  plot->setLogX(logXButton->isChecked());
  plot->setIgnoreOutliers(outlierButton->isChecked());
  plot->setSpread(spreadButton->isChecked());
  lines.remove(tag);
  const Tag& series = tags[tag];
  for (auto it = series.begin(); it != series.end(); ++it) addLine(plot, tag, it.key());
  QObject::connect(plot, &ScalarPlot::cursorMoved, q, [this, plot](std::optional<double> x) {
    emit q->cursorMoved(x);
    if (!linkButton->isChecked()) return;
    forPlots([&](ScalarPlot* other) {
      if (other != plot) other->setCursor(x);
    });
  });
  QObject::connect(plot, &ScalarPlot::maximizeRequested, q, [this, tag] { cards->toggleLarge(tag); });
  return plot;
}

ScalarPlot* ScalarGrid::Private::plot(const QString& tag) const {
  return static_cast<ScalarPlot*>(cards->card(tag));
}

void ScalarGrid::Private::listRun(int run) {
  const Run& r = runs[run];
  runList->setRun(run, r.name, r.hue, r.shown, r.problem);
}

void ScalarGrid::Private::tagAppears(const QString& tag) {
  const qsizetype slash = tag.indexOf(u'/');
  cards->add(tag, slash > 0 ? tag.left(slash) : QString());
  stack->setCurrentIndex(1);
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

void ScalarGrid::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) d_->retranslate();
  QWidget::changeEvent(event);
}

int ScalarGrid::addRun(const QString& name, int hue) {
  for (qsizetype i = 0; i < d_->runs.size(); ++i)
    if (d_->runs[i].there && d_->runs[i].name == name) return static_cast<int>(i);
  const int run = static_cast<int>(d_->runs.size());
  d_->runs.append({name, {}, hue >= 0 ? hue : run});
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
    d_->cards->remove(tag);
  }
  d_->rowsChanged = true;
  d_->updateTable(true);
}

void ScalarGrid::removeRun(int run) {
  if (run < 0 || run >= d_->runs.size()) return;
  clearRun(run);
  d_->runs[run].there = false;
  d_->runList->removeRun(run);
  if (d_->tags.isEmpty()) d_->stack->setCurrentIndex(0);
}

void ScalarGrid::setRunVisible(int run, bool visible) {
  if (run < 0 || run >= d_->runs.size() || d_->runs[run].shown == visible) return;
  d_->runs[run].shown = visible;
  d_->listRun(run);
  for (auto tag = d_->lines.begin(); tag != d_->lines.end(); ++tag) {
    ScalarPlot* plot = d_->plot(tag.key());
    if (plot && tag->contains(run)) plot->setSeriesVisible((*tag)[run], visible);
  }
  d_->rowsChanged = true;
  d_->updateTable(true);
}

void ScalarGrid::setRunProblem(int run, const QString& problem) {
  if (run < 0 || run >= d_->runs.size() || d_->runs[run].problem == problem) return;
  d_->runs[run].problem = problem;
  d_->listRun(run);
}

void ScalarGrid::clear() {
  d_->cards->clear();
  d_->tags.clear();
  d_->lines.clear();
  d_->runs.clear();
  d_->runList->clear();
  d_->rowsChanged = true;
  d_->updateTable(true);
  d_->stack->setCurrentIndex(0);
}

void ScalarGrid::append(int run, const QString& tag, const Sample& sample) {
  append(run, tag, std::span(&sample, 1));
}

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

QStringList ScalarGrid::tags() const {
  return d_->tags.keys();
}

ScalarPlot* ScalarGrid::plot(const QString& tag) const {
  return static_cast<ScalarPlot*>(d_->cards->makeCard(tag));
}

const SeriesStore* ScalarGrid::samples(int run, const QString& tag) const {
  const auto it = d_->tags.constFind(tag);
  return it == d_->tags.constEnd() ? nullptr : it->value(run).get();
}

RunList* ScalarGrid::runList() const {
  return d_->runList;
}

CardGrid* ScalarGrid::cards() const {
  return d_->cards;
}

void ScalarGrid::setSearch(const QString& regex) {
  if (d_->search->text() != regex) {
    d_->search->setText(regex);  // comes back here
    return;
  }
  const QRegularExpression expression(regex, QRegularExpression::CaseInsensitiveOption);
  const bool valid = expression.isValid();
  d_->search->setProperty("invalid", !valid);
  d_->search->setToolTip(valid ? searchToolTip() : expression.errorString());
  d_->search->style()->unpolish(d_->search);
  d_->search->style()->polish(d_->search);
  if (!valid) return;  // half-typed: keep what was found before
  d_->cards->setFilter(expression);
  d_->sorted->setFilterRegularExpression(expression);
}

void ScalarGrid::setSmoothing(double weight) {
  weight = std::clamp(weight, 0.0, 0.999);
  if (weight == d_->weight) return;
  d_->weight = weight;
  d_->sliderText->setText(QString::number(weight, 'f', weight > 0.99 ? 3 : 2));
  if (d_->slider->value() != std::lround(weight * 1000)) d_->slider->setValue(static_cast<int>(std::lround(weight * 1000)));
  d_->forPlots([&](ScalarPlot* plot) { plot->setSmoothing(weight); });
  emit smoothingChanged(weight);
}

double ScalarGrid::smoothing() const {
  return d_->weight;
}

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
}

void ScalarGrid::setCursor(std::optional<double> x) {
  d_->forPlots([&](ScalarPlot* plot) { plot->setCursor(x); });
}

void ScalarGrid::refreshNow() {
  d_->cards->settle();
  d_->forPlots([](ScalarPlot* plot) {
    if (plot->isVisible()) plot->refreshNow();
  });
  d_->updateTable(true);
}

void ScalarGrid::setEmptyText(const QString& title, const QString& text, const QString& button) {
  d_->empty->setTitle(title);
  d_->empty->setText(text);
  d_->empty->setButton(button);
}

}  // namespace weft::widgets
