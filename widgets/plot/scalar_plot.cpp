#include "plot/scalar_plot.h"

#include <QEvent>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPainter>
#include <QTextStream>
#include <algorithm>
#include <cmath>

#include "common/card_export.h"
#include "common/format.h"
#include "common/theme.h"
#include "plot/scalar_plot_p.h"

namespace weft::widgets {

ScalarPlot::ScalarPlot(QWidget* parent) : QWidget(parent), d_(std::make_unique<Private>(this)) {
  d_->build();
}

ScalarPlot::~ScalarPlot() = default;

void ScalarPlot::setTitle(const QString& title) {
  d_->title->setText(title);
  d_->title->setToolTip(title);
  setAccessibleName(title);
}

QString ScalarPlot::title() const {
  return d_->title->text();
}

int ScalarPlot::addSeries(const QString& name, int hue) {
  return addSeries(name, hue, std::make_shared<SeriesStore>());
}

int ScalarPlot::addSeries(const QString& name, int hue, std::shared_ptr<SeriesStore> samples) {
  auto line = std::make_unique<Private::Line>();
  line->id = d_->nextId++;
  line->hue = hue >= 0 ? hue : d_->nextHue;
  d_->nextHue = std::max(d_->nextHue, line->hue + 1);
  line->name = name;
  line->store = std::move(samples);
  line->smoother = Smoother(d_->weight);
  d_->addToChart(*line);
  d_->lines.push_back(std::move(line));
  d_->schedule();
  return d_->lines.back()->id;
}

void ScalarPlot::changed() {
  d_->schedule();
}

void ScalarPlot::removeSeries(int id) {
  const auto it = std::find_if(d_->lines.begin(), d_->lines.end(), [id](const auto& line) { return line->id == id; });
  if (it == d_->lines.end()) return;
  for (QLineSeries* series : {(*it)->raw, (*it)->curve}) {
    d_->chart->removeSeries(series);
    delete series;
  }
  d_->lines.erase(it);
  d_->schedule();
}

void ScalarPlot::clear() {
  while (!d_->lines.empty()) removeSeries(d_->lines.back()->id);
  d_->nextHue = 0;
  d_->range.reset();
}

int ScalarPlot::seriesCount() const {
  return static_cast<int>(d_->lines.size());
}

void ScalarPlot::setSeriesVisible(int id, bool visible) {
  if (Private::Line* line = d_->find(id)) {
    line->shown = visible;
    d_->schedule();
  }
}

QColor ScalarPlot::seriesColor(int id) const {
  const Private::Line* line = d_->find(id);
  return line == nullptr ? QColor() : Theme::current().categorical(line->hue);
}

void ScalarPlot::append(int id, const Sample& sample) {
  append(id, std::span(&sample, 1));
}

void ScalarPlot::append(int id, std::span<const Sample> samples) {
  if (Private::Line* line = d_->find(id)) {
    line->store->append(samples);
    d_->schedule();
  }
}

void ScalarPlot::setSamples(int id, SeriesStore samples) {
  if (Private::Line* line = d_->find(id)) {
    *line->store = std::move(samples);
    line->smooth.clear();
    line->smoother = Smoother(d_->weight);
    line->smoothVersion = 0;
    d_->schedule();
  }
}

const SeriesStore& ScalarPlot::samples(int id) const {
  static const SeriesStore none;
  const Private::Line* line = d_->find(id);
  return line == nullptr ? none : *line->store;
}

void ScalarPlot::setSmoothing(double weight) {
  weight = std::clamp(weight, 0.0, 0.999);
  if (weight == d_->weight) return;
  d_->weight = weight;
  for (auto& line : d_->lines) {
    line->smooth.clear();
    line->smoother = Smoother(weight);
  }
  d_->schedule();
}

double ScalarPlot::smoothing() const {
  return d_->weight;
}

void ScalarPlot::setXAxis(SeriesStore::X axis) {
  if (axis == d_->axis) return;
  d_->axis = axis;
  d_->range.reset();
  d_->cursor.reset();
  d_->schedule();
}

SeriesStore::X ScalarPlot::xAxis() const {
  return d_->axis;
}

void ScalarPlot::setLogY(bool on) {
  d_->logScale = on;
  d_->schedule();
}

bool ScalarPlot::logY() const {
  return d_->logScale;
}

void ScalarPlot::setLogX(bool on) {
  d_->logScaleX = on;
  d_->schedule();
}

bool ScalarPlot::logX() const {
  return d_->logScaleX;
}

void ScalarPlot::setSpread(bool on) {
  d_->spread = on;
  d_->schedule();
}

bool ScalarPlot::spread() const {
  return d_->spread;
}

void ScalarPlot::setYRange(std::optional<std::pair<double, double>> range) {
  d_->rangeY = range;
  d_->schedule();
}

std::optional<std::pair<double, double>> ScalarPlot::yRange() const {
  return d_->rangeY;
}

void ScalarPlot::setIgnoreOutliers(bool on) {
  d_->noOutliers = on;
  d_->schedule();
}

bool ScalarPlot::ignoreOutliers() const {
  return d_->noOutliers;
}

void ScalarPlot::setXRange(std::optional<std::pair<double, double>> range) {
  if (range == d_->range) return;
  d_->range = range;
  d_->schedule();
  emit xRangeChanged(range);
}

std::optional<std::pair<double, double>> ScalarPlot::xRange() const {
  return d_->range;
}

void ScalarPlot::setCursor(std::optional<double> x) {
  if (x == d_->cursor) return;
  d_->cursor = x;
  d_->overlay->update();
}

QVector<ScalarPlot::Reading> ScalarPlot::readingAt(double x, double y) const {
  QVector<Reading> readings;
  for (const auto& line : d_->lines) {
    if (!line->shown || line->store->empty()) continue;
    const size_t i = line->store->nearest(x, d_->axis);
    d_->updateSmooth(*line);
    readings.append(
        {line->id, line->name, seriesColor(line->id), line->store->x(i, d_->axis), (*line->store)[i].value, line->smooth[i]});
  }
  std::stable_sort(readings.begin(), readings.end(),
                   [y](const Reading& a, const Reading& b) { return std::abs(a.smoothed - y) < std::abs(b.smoothed - y); });
  return readings;
}

int ScalarPlot::drawnPoints() const {
  int points = 0;
  for (const auto& line : d_->lines) points += static_cast<int>(line->raw->count() + line->curve->count());
  return points;
}

void ScalarPlot::refreshNow() {
  d_->refresh();
}

bool ScalarPlot::exportPng(const QString& path) const {
  return writePng(const_cast<ScalarPlot*>(this), path);
}

bool ScalarPlot::exportSvg(const QString& path) const {
  return writeSvg(const_cast<ScalarPlot*>(this), path);
}

QByteArray ScalarPlot::toJson() const {
  QJsonArray list;
  for (const auto& line : d_->lines) {
    d_->updateSmooth(*line);
    QJsonArray steps, walls, values, smooth;
    const auto number = [](double v) { return std::isfinite(v) ? QJsonValue(v) : QJsonValue(QString::number(v)); };
    for (size_t i = 0; i < line->store->size(); ++i) {
      const Sample& s = (*line->store)[i];
      steps << s.step;
      walls << s.wall;
      values << number(s.value);
      smooth << number(line->smooth[i]);
    }
    list << QJsonObject{{QStringLiteral("run"), line->name},
                        {QStringLiteral("steps"), steps},
                        {QStringLiteral("wall_times"), walls},
                        {QStringLiteral("values"), values},
                        {QStringLiteral("smoothed"), smooth}};
  }
  return QJsonDocument(list).toJson(QJsonDocument::Compact);
}

QString ScalarPlot::toCsv() const {
  QString text;
  QTextStream out(&text);
  out << "run,step,wall_time,value,smoothed\n";
  const auto number = [](double v) { return QString::number(v, 'g', 17); };
  const auto quoted = [](QString name) {
    if (name.contains(u',') || name.contains(u'"') || name.contains(u'\n'))
      return u'"' + name.replace(u'"', QStringLiteral("\"\"")) + u'"';
    return name;
  };
  for (const auto& line : d_->lines) {
    d_->updateSmooth(*line);
    for (size_t i = 0; i < line->store->size(); ++i) {
      const Sample& s = (*line->store)[i];
      out << quoted(line->name) << ',' << QString::number(static_cast<qint64>(s.step)) << ',' << QString::number(s.wall, 'f', 6)
          << ',' << number(s.value) << ',' << number(line->smooth[i]) << '\n';
    }
  }
  return text;
}

bool ScalarPlot::exportCsv(const QString& path) const {
  return writeText(toCsv().toUtf8(), path);
}

QSize ScalarPlot::sizeHint() const {
  return {420, 300};
}

void ScalarPlot::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (d_->dirty) d_->schedule();
}

void ScalarPlot::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  d_->schedule();
}

void ScalarPlot::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) {
    d_->applyTheme();
    d_->schedule();
  } else if (event->type() == QEvent::LanguageChange) {
    d_->updateTexts();
  }
  QWidget::changeEvent(event);
}

bool ScalarPlot::eventFilter(QObject* watched, QEvent* event) {
  if (watched == d_->overlay && event->type() == QEvent::Paint) {
    QPainter painter(d_->overlay);
    d_->paintOverlay(painter);
    return true;
  }
  if (watched == d_->view->viewport()) {
    // Scrolled into sight: bring it up to date.
    if (event->type() == QEvent::Paint && d_->dirty && !d_->timer.isActive()) d_->schedule();
    if (event->type() == QEvent::Resize) d_->overlay->resize(d_->view->viewport()->size());
    return d_->handle(event);
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace weft::widgets
