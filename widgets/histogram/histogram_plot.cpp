#include "histogram/histogram_plot.h"

#include <QEvent>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMouseEvent>
#include <QTextStream>
#include <algorithm>
#include <cmath>

#include "common/format.h"
#include "common/theme.h"
#include "histogram/histogram_plot_p.h"
#include "plot/plot_axis.h"

namespace weft::widgets {
namespace {
constexpr int kRefreshMs = 100;
}

std::vector<std::size_t> evenly(std::size_t count, std::size_t most) {
  std::vector<std::size_t> picked;
  const std::size_t n = std::min(count, std::max<std::size_t>(most, 1));
  for (std::size_t i = 0; i < n; ++i) picked.push_back(n == 1 ? count - 1 : i * (count - 1) / (n - 1));
  return picked;
}

void HistogramPlot::Private::Line::update() {
  if (version == series->version() && percentiles.size() == series->size()) return;
  const bool grown = percentiles.size() <= series->size() && series->version() - version == series->size() - percentiles.size();
  if (!grown) percentiles.clear();
  percentiles.reserve(series->size());
  for (std::size_t i = percentiles.size(); i < series->size(); ++i) percentiles.push_back(weft::widgets::percentiles((*series)[i]));
  version = series->version();
}

HistogramPlot::Private::Private(HistogramPlot* plot)
    : q(plot),
      frame(
          FrameGovernor::Stage::Drawing, "histograms",
          [this] {
            dirty = true;
            q->update();
          },
          kRefreshMs) {}

HistogramPlot::HistogramPlot(QWidget* parent) : QWidget(parent), d_(std::make_unique<Private>(this)) {
  setMouseTracking(true);
  setMinimumSize(120, 80);
}

HistogramPlot::~HistogramPlot() = default;

int HistogramPlot::addSeries(const QString& name, int hue, std::shared_ptr<const HistogramSeries> series) {
  auto line = std::make_unique<Private::Line>();
  line->id = d_->nextId++;
  line->hue = hue;
  line->name = name;
  line->series = std::move(series);
  d_->lines.push_back(std::move(line));
  changed();
  return d_->lines.back()->id;
}

void HistogramPlot::removeSeries(int id) {
  std::erase_if(d_->lines, [id](const auto& line) { return line->id == id; });
  d_->spots.clear();
  changed();
}

void HistogramPlot::setSeriesVisible(int id, bool visible) {
  for (const auto& line : d_->lines)
    if (line->id == id) line->shown = visible;
  d_->spots.clear();
  changed();
}

void HistogramPlot::changed() {
  if (isVisible()) d_->frame.want();
  else d_->dirty = true;
}

void HistogramPlot::refreshNow() {
  d_->render();
  emit refreshed();
  update();
}

void HistogramPlot::setMode(Mode mode) {
  if (d_->mode == mode) return;
  d_->mode = mode;
  d_->dirty = true;
  d_->spots.clear();
  update();
}
HistogramPlot::Mode HistogramPlot::mode() const { return d_->mode; }

void HistogramPlot::setXAxis(SeriesStore::X axis) {
  d_->axis = axis;
  d_->dirty = true;
  update();
}

void HistogramPlot::setMarkedStep(std::optional<double> step) {
  if (d_->marked == step) return;
  d_->marked = step;
  update();
}

std::pair<qint64, qint64> HistogramPlot::Private::brokenSteps() const {
  qint64 count = 0, broken = 0;
  for (const Line* line : shown()) {
    const HistogramSeries& series = *line->series;
    count += qint64(series.size());
    for (std::size_t i = 0; i < series.size(); ++i) broken += !std::isfinite(series[i].min) || !std::isfinite(series[i].max);
  }
  return {count, broken};
}

QString HistogramPlot::summaryText() const {
  qint64 count = 0, drawn = 0;
  const auto shown = d_->shown();
  for (const auto* line : shown) count += qint64(line->series->size());
  drawn = count;
  if (d_->mode == Mode::Offset || d_->mode == Mode::Overlay) {
    drawn = 0;
    for (const auto& spot : d_->spots)
      if (spot.line) ++drawn;
  }
  QString text = tr("%n step(s), none dropped", nullptr, int(count));
  if (drawn > 0 && drawn < count) text += QStringLiteral(" · ") + tr("%1 drawn").arg(formatCount(drawn));
  if (const qint64 broken = d_->brokenSteps().second; broken > 0)
    text += QStringLiteral(" · ") + tr("%n step(s) with NaN or infinite numbers", nullptr, int(broken));
  return text;
}

QString HistogramPlot::rangeText() const {
  const auto [low, high] = d_->valueRange();
  return d_->shown().empty() ? QString() : tr("%1 to %2").arg(formatValue(low, 3), formatValue(high, 3));
}

QString HistogramPlot::toCsv() const {
  QString text;
  QTextStream out(&text);
  out.setRealNumberPrecision(17);
  out << "run,step,wall_time,left,right,count\n";
  for (const auto& line : d_->lines) {
    QString name = line->name;
    if (name.contains(u',') || name.contains(u'"')) name = u'"' + name.replace(u'"', QStringLiteral("\"\"")) + u'"';
    for (const Histogram& h : *line->series) {
      for (std::size_t i = 0; i < h.counts.size(); ++i) {
        if (h.counts[i] <= 0) continue;
        out << name << ',' << h.step << ',' << h.wall << ',' << (i == 0 ? h.min : std::max(h.limits[i - 1], h.min)) << ',' << std::min(h.limits[i], h.max)
            << ',' << h.counts[i] << '\n';
      }
    }
  }
  return text;
}

QByteArray HistogramPlot::toJson() const {
  QJsonArray list;
  const auto numbers = [](const auto& values) {
    QJsonArray array;
    for (const double v : values) array << (std::isfinite(v) ? QJsonValue(v) : QJsonValue(QString::number(v)));
    return array;
  };
  for (const auto& line : d_->lines) {
    line->update();
    for (std::size_t i = 0; i < line->series->size(); ++i) {
      const Histogram& h = (*line->series)[i];
      list << QJsonObject{{QStringLiteral("run"), line->name},
                          {QStringLiteral("step"), h.step},
                          {QStringLiteral("wall"), h.wall},
                          {QStringLiteral("min"), h.min},
                          {QStringLiteral("max"), h.max},
                          {QStringLiteral("num"), h.num},
                          {QStringLiteral("sum"), h.sum},
                          {QStringLiteral("sum_squares"), h.sumOfSquares},
                          {QStringLiteral("limits"), numbers(h.limits)},
                          {QStringLiteral("counts"), numbers(h.counts)},
                          {QStringLiteral("percentiles"), numbers(line->percentiles[i])}};
    }
  }
  return QJsonDocument(list).toJson(QJsonDocument::Compact);
}

void HistogramPlot::paintEvent(QPaintEvent*) {
  if (d_->dirty || d_->picture.isNull()) {
    const double before = threadCpuMs();
    d_->render();
    d_->frame.charge(threadCpuMs() - before);
    // Queued: the signal changes labels, which must not happen while painting.
    QMetaObject::invokeMethod(this, &HistogramPlot::refreshed, Qt::QueuedConnection);
  }
  QPainter p(this);
  p.drawImage(0, 0, d_->picture);
  d_->drawReading(p);
}

void HistogramPlot::mouseMoveEvent(QMouseEvent* event) {
  d_->pointer = event->position();
  const auto spot = d_->spotAt(*d_->pointer);
  emit stepHovered(spot ? std::optional((*spot->line->series)[spot->index].step) : std::nullopt);
  update();
}

void HistogramPlot::leaveEvent(QEvent* event) {
  d_->pointer.reset();
  emit stepHovered(std::nullopt);
  update();
  QWidget::leaveEvent(event);
}

void HistogramPlot::resizeEvent(QResizeEvent* event) {
  d_->dirty = true;
  QWidget::resizeEvent(event);
}

void HistogramPlot::showEvent(QShowEvent* event) {
  d_->dirty = true;
  QWidget::showEvent(event);
}

void HistogramPlot::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::LanguageChange) {
    d_->dirty = true;
    update();
  }
  QWidget::changeEvent(event);
}

}  // namespace weft::widgets
