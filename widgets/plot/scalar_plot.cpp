#include "plot/scalar_plot.h"

#include <QHideEvent>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPainter>
#include <QShowEvent>
#include <QTextStream>
#include <algorithm>
#include <cmath>
#include <limits>

#include "common/card_export.h"
#include "common/theme.h"
#include "plot/scalar_plot_p.h"

namespace weft::widgets {
namespace {

/// The value at exactly that step; nullopt: none.
std::optional<double> bandAt(const SeriesStore& side, double step) {
  const std::size_t i = side.lowerBound(step, SeriesStore::X::Step);
  return i < side.size() && side[i].step == step ? std::optional(side[i].value) : std::nullopt;
}

}  // namespace

ScalarPlot::ScalarPlot(QWidget* parent) : PlotCard({}, new QWidget, parent), d_(std::make_unique<Private>(this)) { d_->build(); }

ScalarPlot::~ScalarPlot() = default;

int ScalarPlot::addSeries(const QString& name, int hue) { return addSeries(name, hue, std::make_shared<SeriesStore>()); }

int ScalarPlot::addSeries(const QString& name, int hue, std::shared_ptr<SeriesStore> samples) {
  auto line = std::make_unique<Private::Line>();
  line->id = d_->nextId++;
  line->hue = hue >= 0 ? hue : d_->nextHue;
  d_->nextHue = std::max(d_->nextHue, line->hue + 1);
  line->name = name;
  line->store = std::move(samples);
  line->smooth.set(d_->smoothing);
  d_->lines.push_back(std::move(line));
  d_->schedule();
  return d_->lines.back()->id;
}

void ScalarPlot::changed() { d_->scheduleGrown(); }

void ScalarPlot::removeSeries(int id) {
  const auto it = std::find_if(d_->lines.begin(), d_->lines.end(), [id](const auto& line) { return line->id == id; });
  if (it == d_->lines.end()) return;
  d_->lines.erase(it);
  d_->schedule();
}

void ScalarPlot::clear() {
  while (!d_->lines.empty()) removeSeries(d_->lines.back()->id);
  d_->nextHue = 0;
  d_->range.reset();
}

int ScalarPlot::seriesCount() const { return static_cast<int>(d_->lines.size()); }

void ScalarPlot::setSeriesVisible(int id, bool visible) {
  if (Private::Line* line = d_->find(id)) {
    line->shown = visible;
    d_->schedule();
  }
}

void ScalarPlot::setSeriesName(int id, const QString& name) {
  if (Private::Line* line = d_->find(id); line && line->name != name) {
    line->name = name;
    d_->schedule();
  }
}

void ScalarPlot::setBand(int id, std::shared_ptr<const SeriesStore> lower, std::shared_ptr<const SeriesStore> upper) {
  Private::Line* line = d_->find(id);
  if (!line) return;
  line->lower = std::move(lower);
  line->upper = std::move(upper);
  d_->schedule();
}

void ScalarPlot::setGroup(int id, const QString& group) {
  if (Private::Line* line = d_->find(id); line && line->group != group) {
    line->group = group;
    d_->schedule();
  }
}

void ScalarPlot::setMarks(int id, const std::vector<PlotMark>& marks) {
  Private::Line* line = d_->find(id);
  if (!line || line->marks == marks) return;
  // During a training a new checkpoint appends one mark.
  const bool grown = marks.size() > line->marks.size() && std::equal(line->marks.begin(), line->marks.end(), marks.begin());
  const std::size_t first = grown ? line->marks.size() : 0;
  line->marks = marks;
  if (!grown) return d_->schedule();
  for (std::size_t i = first; i < marks.size(); ++i) d_->marksFrom = std::min(d_->marksFrom, d_->markPixel(*line, marks[i]));
  d_->scheduleGrown();
}

void ScalarPlot::setMarksShown(bool on) {
  d_->marksShown = on;
  d_->schedule();
}

QColor ScalarPlot::seriesColor(int id) const {
  const Private::Line* line = d_->find(id);
  return line == nullptr ? QColor() : Theme::current().categorical(line->hue);
}

void ScalarPlot::append(int id, const Sample& sample) { append(id, std::span(&sample, 1)); }

void ScalarPlot::append(int id, std::span<const Sample> samples) {
  if (Private::Line* line = d_->find(id)) {
    line->store->append(samples);
    d_->scheduleGrown();
  }
}

void ScalarPlot::setSamples(int id, SeriesStore samples) {
  if (Private::Line* line = d_->find(id)) {
    *line->store = std::move(samples);
    line->smooth.clear();
    d_->schedule();
  }
}

const SeriesStore& ScalarPlot::samples(int id) const {
  static const SeriesStore none;
  const Private::Line* line = d_->find(id);
  return line == nullptr ? none : *line->store;
}

void ScalarPlot::setSmoothing(const Smoothing& smoothing) {
  d_->smoothing = smoothing;
  d_->smoothing.strength = std::clamp(smoothing.strength, 0.0, 0.999);
  for (auto& line : d_->lines) line->smooth.set(d_->smoothing);
  d_->schedule();
}

const Smoothing& ScalarPlot::smoothing() const { return d_->smoothing; }

void ScalarPlot::setXAxis(SeriesStore::X axis) {
  if (axis == d_->axis) return;
  d_->axis = axis;
  d_->range.reset();
  d_->cursor.reset();
  d_->schedule();
}

SeriesStore::X ScalarPlot::xAxis() const { return d_->axis; }

void ScalarPlot::setLogY(bool on) {
  d_->logScale = on;
  d_->schedule();
}

bool ScalarPlot::logY() const { return d_->logScale; }

void ScalarPlot::setLogX(bool on) {
  d_->logScaleX = on;
  d_->schedule();
}

bool ScalarPlot::logX() const { return d_->logScaleX; }

void ScalarPlot::setSpread(bool on) {
  d_->spread = on;
  d_->schedule();
}

bool ScalarPlot::spread() const { return d_->spread; }

void ScalarPlot::setYRange(std::optional<std::pair<double, double>> range) {
  d_->rangeY = range;
  d_->schedule();
}

std::optional<std::pair<double, double>> ScalarPlot::yRange() const { return d_->rangeY; }

void ScalarPlot::setIgnoreOutliers(bool on) {
  d_->noOutliers = on;
  d_->schedule();
}

bool ScalarPlot::ignoreOutliers() const { return d_->noOutliers; }

void ScalarPlot::setXRange(std::optional<std::pair<double, double>> range) {
  if (range == d_->range) return;
  d_->range = range;
  d_->schedule();
  emit xRangeChanged(range);
}

std::optional<std::pair<double, double>> ScalarPlot::xRange() const { return d_->range; }

void ScalarPlot::setCursor(std::optional<double> x) {
  if (x == d_->cursor) return;
  d_->cursor = x;
  body()->update();
}

namespace {

/// Linear interpolation at x between two samples. NaN if one of them is NaN.
double between(double x, double x0, double y0, double x1, double y1) { return x1 > x0 ? y0 + (y1 - y0) * (x - x0) / (x1 - x0) : y1; }

}  // namespace

QVector<ScalarPlot::Reading> ScalarPlot::readingAt(double x, double y) const {
  QVector<Reading> readings;
  // Two runs never log at the same instant: on a time axis, samples within a pixel or two count as logged there.
  const double pixel = (d_->shownX1 - d_->shownX0) / std::max(1.0, d_->scale.area.width());
  const double near = d_->axis == SeriesStore::X::Step ? 1e-9 * std::max(1.0, std::abs(x)) : 2 * pixel;
  for (const auto& line : d_->lines) {
    const SeriesStore& store = *line->store;
    if (!line->shown || store.empty()) continue;
    const auto at = [&](size_t i) { return store.x(i, d_->axis); };
    const size_t i = store.nearest(x, d_->axis);
    Reading r{Reading::Kind::None, line->id, line->name, seriesColor(line->id), NAN, NAN, at(0), at(store.size() - 1)};
    if (std::abs(at(i) - x) <= near) {
      r.kind = Reading::Kind::Logged;
      r.value = store[i].value;
      r.smoothed = line->smoothed()[i];
    } else if (x > r.first && x < r.last) {
      const size_t right = store.lowerBound(x, d_->axis), left = right - 1;
      const std::vector<double>& smooth = line->smoothed();
      r.kind = Reading::Kind::Between;
      r.value = between(x, at(left), store[left].value, at(right), store[right].value);
      r.smoothed = between(x, at(left), smooth[left], at(right), smooth[right]);
    }
    readings.append(r);
  }
  const auto far = [y](const Reading& r) { return std::isfinite(r.smoothed) ? std::abs(r.smoothed - y) : std::numeric_limits<double>::infinity(); };
  std::stable_sort(readings.begin(), readings.end(), [&far](const Reading& a, const Reading& b) {
    const bool noneA = a.kind == Reading::Kind::None, noneB = b.kind == Reading::Kind::None;
    return noneA != noneB ? noneB : far(a) < far(b);
  });
  return readings;
}

double ScalarPlot::cursorAt(double pixel) const {
  constexpr double kSnap = 5;  // pixels
  const double x = d_->scale.xAt(pixel);
  double best = x, distance = kSnap;
  bool snapped = false;
  for (const auto& line : d_->lines) {
    if (!line->shown || line->store->empty()) continue;
    const double at = line->store->x(line->store->nearest(x, d_->axis), d_->axis), apart = std::abs(d_->scale.pixelX(at) - pixel);
    if (apart > distance || (snapped && apart == distance)) continue;
    best = at;
    distance = apart;
    snapped = true;
  }
  return snapped || d_->axis != SeriesStore::X::Step ? best : std::round(x);
}

std::optional<double> ScalarPlot::stepAt(double x) const {
  std::optional<double> step;
  double distance = 0;
  for (const auto& line : d_->lines) {
    if (!line->shown || line->store->empty()) continue;
    const size_t i = line->store->nearest(x, d_->axis);
    const double apart = std::abs(line->store->x(i, d_->axis) - x);
    if (step && apart >= distance) continue;
    step = (*line->store)[i].step;
    distance = apart;
  }
  return step;
}

QVector<ScalarPlot::GroupReading> ScalarPlot::groupsAt(double x) const {
  QVector<GroupReading> readings;
  for (const Private::Group& group : d_->groups) {
    const auto& points = group.points;
    if (points.empty() || x < points.front().x || x > points.back().x) continue;
    const auto right = std::lower_bound(points.begin(), points.end(), x, [](const SpreadPoint& p, double at) { return p.x < at; });
    const auto left = right == points.begin() ? right : right - 1;
    readings.append({group.name, group.color(), x, between(x, left->x, left->mean, right->x, right->mean),
                     between(x, left->x, left->deviation, right->x, right->deviation), std::min(left->runs, right->runs)});
  }
  return readings;
}

int ScalarPlot::drawnPoints() const {
  qsizetype points = 0;
  for (const auto& line : d_->lines) points += line->points.raw.size() + line->points.curve.size();
  return static_cast<int>(points);
}

std::size_t ScalarPlot::drawnSamples(int id) const {
  const Private::Line* line = d_->find(id);
  return line == nullptr ? 0 : line->drawnSize;
}

void ScalarPlot::refreshNow() { d_->refresh(); }

bool ScalarPlot::exportPng(const QString& path) const { return writePng(const_cast<ScalarPlot*>(this), path); }

bool ScalarPlot::exportSvg(const QString& path) const { return writeSvg(const_cast<ScalarPlot*>(this), path); }

QByteArray ScalarPlot::toJson() const {
  QJsonArray list;
  for (const auto& line : d_->lines) {
    const std::vector<double>& smoothed = line->smoothed();
    QJsonArray steps, walls, values, smooth, lower, upper;
    const auto number = [](double v) { return std::isfinite(v) ? QJsonValue(v) : QJsonValue(QString::number(v)); };
    for (size_t i = 0; i < line->store->size(); ++i) {
      const Sample& s = (*line->store)[i];
      steps << s.step;
      walls << s.wall;
      values << number(s.value);
      smooth << number(smoothed[i]);
      if (!line->lower || !line->upper) continue;
      const auto low = bandAt(*line->lower, s.step), high = bandAt(*line->upper, s.step);
      lower << (low ? number(*low) : QJsonValue());
      upper << (high ? number(*high) : QJsonValue());
    }
    QJsonObject object{{QStringLiteral("run"), line->name},
                       {QStringLiteral("steps"), steps},
                       {QStringLiteral("wall_times"), walls},
                       {QStringLiteral("values"), values},
                       {QStringLiteral("smoothed"), smooth}};
    if (line->lower && line->upper) {
      object.insert(QStringLiteral("lower"), lower);
      object.insert(QStringLiteral("upper"), upper);
    }
    list << object;
  }
  return QJsonDocument(list).toJson(QJsonDocument::Compact);
}

QString ScalarPlot::toCsv() const {
  QString text;
  QTextStream out(&text);
  const bool bands = std::any_of(d_->lines.begin(), d_->lines.end(), [](const auto& line) { return line->lower && line->upper; });
  out << "run,step,wall_time,value,smoothed" << (bands ? ",lower,upper\n" : "\n");
  const auto number = [](double v) { return QString::number(v, 'g', 17); };
  const auto quoted = [](QString name) {
    if (name.contains(u',') || name.contains(u'"') || name.contains(u'\n')) return u'"' + name.replace(u'"', QStringLiteral("\"\"")) + u'"';
    return name;
  };
  for (const auto& line : d_->lines) {
    const std::vector<double>& smoothed = line->smoothed();
    for (size_t i = 0; i < line->store->size(); ++i) {
      const Sample& s = (*line->store)[i];
      out << quoted(line->name) << ',' << QString::number(static_cast<qint64>(s.step)) << ',' << QString::number(s.wall, 'f', 6) << ',' << number(s.value)
          << ',' << number(smoothed[i]);
      for (const auto& side : {line->lower, line->upper}) {
        if (!bands) continue;
        const auto value = side ? bandAt(*side, s.step) : std::nullopt;
        out << ',' << (value ? number(*value) : QString());
      }
      out << '\n';
    }
  }
  return text;
}

bool ScalarPlot::exportCsv(const QString& path) const { return writeText(toCsv().toUtf8(), path); }

QSize ScalarPlot::sizeHint() const { return {420, 300}; }

void ScalarPlot::showEvent(QShowEvent* event) {
  PlotCard::showEvent(event);
  if (d_->dirty) d_->schedule();
}

// A hidden card frees its picture: redrawing takes a few milliseconds.
void ScalarPlot::hideEvent(QHideEvent* event) {
  PlotCard::hideEvent(event);
  d_->picture = {};
  d_->settle.stop();
  for (auto& line : d_->lines) {
    line->points = {};
    line->smooth.clear();
  }
  d_->dirty = true;
}

void ScalarPlot::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) d_->schedule();
  if (event->type() == QEvent::LanguageChange) d_->updateTexts();
  PlotCard::changeEvent(event);
}

bool ScalarPlot::eventFilter(QObject* watched, QEvent* event) {
  if (watched != body()) return PlotCard::eventFilter(watched, event);
  if (event->type() == QEvent::Resize) d_->schedule();
  if (event->type() == QEvent::Paint) {
    QPainter painter(body());
    d_->paint(painter);
    return true;
  }
  return d_->handle(event);
}

}  // namespace weft::widgets
