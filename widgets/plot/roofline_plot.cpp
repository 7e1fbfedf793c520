#include "plot/roofline_plot.h"

#include <QChart>
#include <QChartView>
#include <QEvent>
#include <QGraphicsLayout>
#include <QLegend>
#include <QLineSeries>
#include <QLogValueAxis>
#include <QMouseEvent>
#include <QScatterSeries>
#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <map>

#include "common/format.h"
#include "common/theme.h"

namespace weft::widgets {
namespace {

constexpr double kNearPoint = 12;  // pixels

/// Circles in three sizes: up to a hundredth of the time, up to a tenth, more.
int sizeClass(double share) { return share > 0.1 ? 2 : share > 0.01 ? 1 : 0; }
constexpr double kSizes[] = {6, 10, 15};

}  // namespace

RooflinePlot::RooflinePlot(QWidget* parent)
    : QWidget(parent), chart_(new QChart), view_(new QChartView(chart_, this)), axisX_(new QLogValueAxis), axisY_(new QLogValueAxis) {
  chart_->legend()->hide();
  chart_->setMargins({4, 4, 10, 2});
  chart_->layout()->setContentsMargins(0, 0, 0, 0);
  chart_->setBackgroundRoundness(0);
  for (QLogValueAxis* axis : {axisX_, axisY_}) {
    axis->setBase(10);
    axis->setMinorTickCount(8);
    axis->setLabelFormat(QStringLiteral("%g"));
    axis->setTruncateLabels(false);
  }
  chart_->addAxis(axisX_, Qt::AlignBottom);
  chart_->addAxis(axisY_, Qt::AlignLeft);
  view_->setFrameShape(QFrame::NoFrame);
  view_->setRenderHint(QPainter::Antialiasing);
  view_->setFocusPolicy(Qt::NoFocus);
  view_->viewport()->setMouseTracking(true);
  view_->viewport()->installEventFilter(this);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(view_);
  rebuild();
}

RooflinePlot::~RooflinePlot() = default;

void RooflinePlot::setPoints(const QVector<RooflinePoint>& points) {
  points_.clear();
  for (const RooflinePoint& p : points)
    if (std::isfinite(p.intensity) && std::isfinite(p.gflops) && p.intensity > 0 && p.gflops > 0) points_.append(p);
  rebuild();
}

void RooflinePlot::setRoof(double gflops, double gigabytes) {
  if (gflops == gflops_ && gigabytes == gigabytes_) return;
  gflops_ = gflops;
  gigabytes_ = gigabytes;
  rebuild();
}

void RooflinePlot::setSelected(const QString& name) {
  if (name == selected_) return;
  selected_ = name;
  rebuild();
}

double RooflinePlot::roofAt(double intensity) const { return gflops_ > 0 ? std::min(gflops_, intensity * gigabytes_) : 0; }

QString RooflinePlot::describe(const RooflinePoint& p) const {
  QString text =
      QStringLiteral("%1\n%2\n").arg(p.name, p.op) +
      tr("%1 GFLOP/s at %2 FLOP per byte, %3 % of the time").arg(formatValue(p.gflops, 3), formatValue(p.intensity, 3)).arg(p.share * 100, 0, 'f', 1);
  const double roof = roofAt(p.intensity);
  if (roof <= 0) return text;
  const bool memory = p.intensity * gigabytes_ < gflops_;
  return text + u'\n' + (memory ? tr("%1 % of the memory bandwidth limit") : tr("%1 % of the best rate")).arg(p.gflops / roof * 100, 0, 'f', 0);
}

void RooflinePlot::rebuild() {
  const Theme& theme = Theme::current();
  chart_->removeAllSeries();
  chart_->setBackgroundBrush(theme.color(Role::Surface2));
  view_->setBackgroundBrush(theme.color(Role::Surface2));
  double x0 = gflops_ > 0 ? gflops_ / gigabytes_ / 100 : 0.1, x1 = gflops_ > 0 ? gflops_ / gigabytes_ * 10 : 100;
  double y1 = gflops_ > 0 ? gflops_ * 8 : 1, y0 = y1 / 1e3;
  for (const RooflinePoint& p : points_) {
    x0 = std::min(x0, p.intensity / 1.5);
    x1 = std::max(x1, p.intensity * 1.5);
    y0 = std::min(y0, p.gflops / 1.5);
    y1 = std::max(y1, p.gflops * 3);  // room for the largest circle
  }
  axisX_->setTitleText(tr("FLOP per byte moved"));
  axisY_->setTitleText(tr("GFLOP/s"));
  axisX_->setRange(x0, x1);
  axisY_->setRange(y0, y1);
  for (QLogValueAxis* axis : {axisX_, axisY_}) {
    axis->setLabelsFont(theme.monoSmallFont());
    axis->setLabelsBrush(theme.color(Role::Text3));
    axis->setTitleFont(theme.smallFont());
    axis->setTitleBrush(theme.color(Role::Text2));
    axis->setGridLineColor(theme.color(Role::Surface3));
    axis->setMinorGridLineVisible(false);
    axis->setLinePen(QPen(theme.color(Role::Border), 1));
  }
  const auto attach = [this](QXYSeries* series) {
    chart_->addSeries(series);
    series->attachAxis(axisX_);
    series->attachAxis(axisY_);
  };
  if (gflops_ > 0) {
    auto* roof = new QLineSeries;
    const double ridge = gflops_ / gigabytes_;
    roof->append(std::max(x0, y0 / gigabytes_), std::max(y0, x0 * gigabytes_));
    roof->append(ridge, gflops_);
    roof->append(x1, gflops_);
    roof->setPen(QPen(theme.color(Role::Text2), 2));
    attach(roof);
  }
  // One series per colour and size.
  std::map<std::pair<QString, int>, QScatterSeries*> series;
  for (const RooflinePoint& p : points_) {
    const bool chosen = p.name == selected_;
    QScatterSeries*& s = series[{chosen ? QStringLiteral("\n") : p.opCategory, sizeClass(p.share)}];
    if (!s) {
      s = new QScatterSeries;
      QColor fill = chosen ? theme.color(Role::Accent) : p.opCategory.isEmpty() ? theme.color(Role::Text3) : theme.opCategory(p.opCategory);
      s->setBorderColor(chosen ? theme.color(Role::Text1) : theme.color(Role::Surface2));
      fill.setAlphaF(0.85f);
      s->setColor(fill);
      s->setMarkerSize(kSizes[sizeClass(p.share)] + (chosen ? 4 : 0));
    }
    s->append(p.intensity, p.gflops);
  }
  for (const auto& [key, s] : series) attach(s);
}

int RooflinePlot::at(QPointF viewport) const {
  if (chart_->series().isEmpty()) return -1;
  int best = -1;
  double distance = kNearPoint;
  for (qsizetype i = 0; i < points_.size(); ++i) {
    const QPointF place = view_->mapFromScene(chart_->mapToScene(chart_->mapToPosition({points_[i].intensity, points_[i].gflops}, chart_->series().first())));
    const double away = std::hypot(place.x() - viewport.x(), place.y() - viewport.y());
    if (away < distance) {
      distance = away;
      best = static_cast<int>(i);
    }
  }
  return best;
}

QString RooflinePlot::describeRoof() const {
  if (gflops_ <= 0) return {};
  return tr("This machine's roofline: %1 GB/s of memory up to %2 FLOP per byte, %3 GFLOP/s beyond")
      .arg(formatValue(gigabytes_, 3), formatValue(gflops_ / gigabytes_, 3), formatValue(gflops_, 3));
}

bool RooflinePlot::isOnRoof(QPointF viewport) const {
  if (gflops_ <= 0 || chart_->series().isEmpty()) return false;
  const QPointF scene = view_->mapToScene(viewport.toPoint()), value = chart_->mapToValue(chart_->mapFromScene(scene), chart_->series().first());
  if (value.x() < axisX_->min() || value.x() > axisX_->max()) return false;
  const QPointF roof = view_->mapFromScene(chart_->mapToScene(chart_->mapToPosition({value.x(), roofAt(value.x())}, chart_->series().first())));
  return std::abs(roof.y() - viewport.y()) < kNearPoint / 2;
}

bool RooflinePlot::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::MouseMove) {
    auto* mouse = static_cast<QMouseEvent*>(event);
    const int i = at(mouse->position());
    if (i >= 0) QToolTip::showText(mouse->globalPosition().toPoint(), describe(points_[i]), view_->viewport());
    else if (isOnRoof(mouse->position())) QToolTip::showText(mouse->globalPosition().toPoint(), describeRoof(), view_->viewport());
    else QToolTip::hideText();
  }
  if (event->type() == QEvent::MouseButtonPress) {
    if (const int i = at(static_cast<QMouseEvent*>(event)->position()); i >= 0) emit pointClicked(points_[i].name);
  }
  return QWidget::eventFilter(watched, event);
}

void RooflinePlot::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::LanguageChange) rebuild();
  QWidget::changeEvent(event);
}

}  // namespace weft::widgets
