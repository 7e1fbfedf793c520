// The chart inside a ScalarPlot: what it is made of and how it is brought up to date.
#include <QDialog>
#include <QDialogButtonBox>
#include <QDoubleValidator>
#include <QFormLayout>
#include <QFrame>
#include <QGraphicsLayout>
#include <QHBoxLayout>
#include <QLegend>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <functional>

#include "common/card_export.h"
#include "common/format.h"
#include "common/icons.h"
#include "common/theme.h"
#include "plot/scalar_plot_p.h"

namespace weft::widgets {
namespace {

constexpr int kFrameMs = 33;
constexpr size_t kMaxBlocks = 900;  // two points each: below 2,000 per line
constexpr double kGhost = 0.32;

/// Without round joins: at this width nobody sees them, and each costs two arctangents.
QPen curvePen(const QColor& hue) {
  return QPen(hue, 1.8, Qt::SolidLine, Qt::FlatCap, Qt::BevelJoin);
}

/// The chart over its axes, which we draw: Qt's would lay out the whole chart anew for every label.
class AxesView : public QChartView {
public:
  AxesView(QChart* chart, QWidget* parent, std::function<void(QPainter&)> paint) : QChartView(chart, parent), paint_(std::move(paint)) {}

protected:
  void drawBackground(QPainter* painter, const QRectF&) override { paint_(*painter); }

private:
  std::function<void(QPainter&)> paint_;
};

}  // namespace

ScalarPlot::Private::Private(ScalarPlot* plot) : q(plot) {}

void ScalarPlot::Private::build() {
  auto* card = new QFrame(q);
  card->setProperty("kind", "card");
  title = new QLabel(card);
  chip = new QLabel(ScalarPlot::tr("log y"), card);
  chip->setProperty("kind", "chip");
  chip->hide();
  legend = new QLabel(card);
  foot = new QLabel(card);
  footRight = new QLabel(card);
  for (QLabel* label : {foot, footRight}) label->setProperty("kind", "muted");
  maximize = new QToolButton(card);
  maximize->setIcon(icon(QStringLiteral("expand")));
  maximize->setToolTip(ScalarPlot::tr("Maximize"));
  menu = new QToolButton(card);
  menu->setIcon(icon(QStringLiteral("menu-dots")));
  menu->setToolTip(ScalarPlot::tr("More"));
  menu->setPopupMode(QToolButton::InstantPopup);
  for (QToolButton* button : {maximize, menu}) {
    button->setProperty("kind", "flat");
    button->setIconSize({16, 16});
    button->setAccessibleName(button->toolTip());
  }
  QObject::connect(maximize, &QToolButton::clicked, q, &ScalarPlot::maximizeRequested);

  fillMenu();

  chart = new QChart;
  chart->legend()->hide();
  chart->setMargins({0, 4, 6, 0});
  chart->layout()->setContentsMargins(0, 0, 0, 0);
  chart->setBackgroundRoundness(0);
  chart->setAnimationOptions(QChart::NoAnimation);
  chart->setBackgroundVisible(false);
  axisX = new QValueAxis;
  axisY = new QValueAxis;
  for (QValueAxis* a : {axisX, axisY}) {
    a->setLabelsVisible(false);
    a->setGridLineVisible(false);
    a->setLineVisible(false);
  }
  chart->addAxis(axisX, Qt::AlignBottom);
  chart->addAxis(axisY, Qt::AlignLeft);
  view = new AxesView(chart, card, [this](QPainter& painter) { paintAxes(painter); });
  view->setRenderHint(QPainter::Antialiasing);
  view->setFrameShape(QFrame::NoFrame);
  view->setFocusPolicy(Qt::NoFocus);
  view->setMinimumSize(120, 80);
  view->viewport()->setMouseTracking(true);
  view->viewport()->installEventFilter(q);
  overlay = new QWidget(view->viewport());
  overlay->setAttribute(Qt::WA_TransparentForMouseEvents);
  overlay->installEventFilter(q);
  overlay->show();

  auto* head = new QHBoxLayout;
  head->setContentsMargins(12, 4, 4, 0);
  head->setSpacing(6);
  head->addWidget(title);
  head->addWidget(chip, 0, Qt::AlignVCenter);
  head->addSpacing(4);
  head->addWidget(legend, 1);
  head->addWidget(maximize);
  head->addWidget(menu);
  auto* line = new QFrame(card);
  line->setFrameShape(QFrame::HLine);
  auto* bottom = new QHBoxLayout;
  bottom->setContentsMargins(12, 3, 12, 5);
  bottom->addWidget(foot);
  bottom->addStretch();
  bottom->addWidget(footRight);
  auto* column = new QVBoxLayout(card);
  column->setContentsMargins(1, 1, 1, 1);
  column->setSpacing(0);
  column->addLayout(head);
  column->addWidget(view, 1);
  column->addWidget(line);
  column->addLayout(bottom);
  auto* outer = new QVBoxLayout(q);
  outer->setContentsMargins(0, 0, 0, 0);
  outer->addWidget(card);

  timer.setSingleShot(true);
  QObject::connect(&timer, &QTimer::timeout, q, [this] {
    if (onScreen()) refresh();
  });
  applyTheme();
}

void ScalarPlot::Private::fillMenu() {
  auto* actions = new QMenu(menu);
  menu->setMenu(actions);
  struct Switch {
    QAction* action;
    bool Private::*value;
    void (ScalarPlot::*set)(bool);
  };
  const std::vector<Switch> switches{{actions->addAction(ScalarPlot::tr("Logarithmic y axis")), &Private::logScale, &ScalarPlot::setLogY},
                                     {actions->addAction(ScalarPlot::tr("Logarithmic x axis")), &Private::logScaleX, &ScalarPlot::setLogX},
                                     {actions->addAction(ScalarPlot::tr("5 % to 95 % only")), &Private::noOutliers, &ScalarPlot::setIgnoreOutliers},
                                     {actions->addAction(ScalarPlot::tr("Mean and spread of the runs")), &Private::spread, &ScalarPlot::setSpread}};
  for (const Switch& s : switches) {
    s.action->setCheckable(true);
    QObject::connect(s.action, &QAction::toggled, q, s.set);
  }
  QObject::connect(actions, &QMenu::aboutToShow, q, [this, switches] {
    for (const Switch& s : switches) s.action->setChecked(this->*s.value);
  });
  actions->addAction(ScalarPlot::tr("Range of the y axis…"), q, [this] { askYRange(); });
  actions->addAction(icon(QStringLiteral("fit")), ScalarPlot::tr("Fit"), q, [this] {
    q->setXRange(std::nullopt);
    q->setYRange(std::nullopt);
  });
  actions->addSeparator();
  addExportActions(actions, q, [this] { return q->title(); }, [this] { return q->toCsv().toUtf8(); }, [this] { return q->toJson(); });
}

void ScalarPlot::Private::askYRange() {
  QDialog dialog(q);
  dialog.setWindowTitle(ScalarPlot::tr("Range of the y axis"));
  auto* form = new QFormLayout(&dialog);
  auto* low = new QLineEdit(formatValue(rangeY ? rangeY->first : shownY0), &dialog);
  auto* high = new QLineEdit(formatValue(rangeY ? rangeY->second : shownY1), &dialog);
  for (QLineEdit* edit : {low, high}) edit->setValidator(new QDoubleValidator(edit));
  form->addRow(ScalarPlot::tr("From"), low);
  form->addRow(ScalarPlot::tr("To"), high);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Reset | QDialogButtonBox::Cancel, &dialog);
  form->addRow(buttons);
  QObject::connect(buttons, &QDialogButtonBox::accepted, &dialog, &QDialog::accept);
  QObject::connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
  QObject::connect(buttons->button(QDialogButtonBox::Reset), &QPushButton::clicked, &dialog, [&] {
    q->setYRange(std::nullopt);
    dialog.reject();
  });
  if (dialog.exec() != QDialog::Accepted) return;
  const double a = low->text().toDouble(), b = high->text().toDouble();
  if (a < b) q->setYRange(std::pair{a, b});
}

ScalarPlot::Private::Line* ScalarPlot::Private::find(int id) {
  for (const auto& line : lines)
    if (line->id == id) return line.get();
  return nullptr;
}

void ScalarPlot::Private::addToChart(Line& line) {
  for (QLineSeries** series : {&line.raw, &line.curve}) {
    *series = new QLineSeries;
    chart->addSeries(*series);
    (*series)->attachAxis(axisX);
    (*series)->attachAxis(axisY);
  }
  const QColor hue = Theme::current().categorical(line.hue);
  QColor ghost = hue;
  ghost.setAlphaF(kGhost);
  line.raw->setPen(QPen(ghost, 1));
  line.curve->setPen(curvePen(hue));
}

// Continues where the average stopped; begins anew when samples were replaced.
void ScalarPlot::Private::updateSmooth(Line& line) {
  const SeriesStore& store = *line.store;
  if (line.smoothVersion == store.version() && line.smooth.size() == store.size()) return;
  const bool grown =
      line.smooth.size() <= store.size() && store.version() - line.smoothVersion == store.size() - line.smooth.size();
  const bool constant = line.smooth.empty() || !grown;
  if (constant) {
    line.smooth = smoothed(store.samples(), weight);
    line.smoother = Smoother(weight);
    for (const Sample& sample : store.samples()) line.smoother.next(sample.value);
  } else {
    line.smooth.reserve(store.size());
    for (size_t i = line.smooth.size(); i < store.size(); ++i) line.smooth.push_back(line.smoother.next(store[i].value));
  }
  line.smoothVersion = store.version();
}

void ScalarPlot::Private::schedule() {
  dirty = true;
  if (timer.isActive() || !q->isVisible()) return;
  const qint64 since = sinceRefresh.isValid() ? sinceRefresh.elapsed() : kFrameMs;
  timer.start(static_cast<int>(std::clamp<qint64>(kFrameMs - since, 0, kFrameMs)));
}

bool ScalarPlot::Private::onScreen() const {
  return q->isVisible() && !q->visibleRegion().isEmpty();
}

double ScalarPlot::Private::toAxis(double value) const {
  return logScale ? std::log10(value) : value;
}

double ScalarPlot::Private::toAxisX(double x) const {
  return logScaleX ? std::log10(std::max(x, 1e-12)) : x;
}

std::pair<double, double> ScalarPlot::Private::fullX() const {
  double low = 0, high = 0;
  bool any = false;
  for (const auto& line : lines) {
    if (!line->shown || line->store->empty()) continue;
    // A logarithmic axis begins with the first value above 0.
    const size_t first = logScaleX ? std::min(line->store->lowerBound(1e-12, axis), line->store->size() - 1) : 0;
    const double a = line->store->x(first, axis), b = line->store->x(line->store->size() - 1, axis);
    low = any ? std::min(low, a) : a;
    high = any ? std::max(high, b) : b;
    any = true;
  }
  if (!any) return {0, 1};
  if (logScaleX) return {std::max(low, 1e-12), std::max(high, std::max(low, 1e-12) * 1.1)};
  return high > low ? std::pair{low, high} : std::pair{low - 0.5, high + 0.5};
}

std::pair<double, double> ScalarPlot::Private::yRange(double x0, double x1) const {
  if (rangeY && (!logScale || rangeY->first > 0)) return {toAxis(rangeY->first), toAxis(rangeY->second)};
  double low = 0, high = 0;
  bool any = false;
  std::vector<double> values;
  for (const auto& line : lines) {
    if (!line->shown || line->store->empty()) continue;
    for (const Block& block : line->store->blocks(x0, x1, axis, noOutliers ? 1500 : 400)) {
      if (block.finite == 0) continue;
      double least = block.min;
      if (logScale && block.max <= 0) continue;
      if (logScale && least <= 0) least = block.max;
      low = any ? std::min(low, least) : least;
      high = any ? std::max(high, block.max) : block.max;
      any = true;
      if (noOutliers) values.push_back(block.mean());
    }
  }
  if (!any) return {0, 1};
  if (noOutliers && values.size() > 20) {
    std::sort(values.begin(), values.end());
    const auto n = static_cast<double>(values.size() - 1);
    low = values[static_cast<size_t>(n * 0.05)];
    high = values[static_cast<size_t>(std::ceil(n * 0.95))];
    if (logScale && low <= 0) low = high / 10;
  }
  return padded(toAxis(low), toAxis(high));
}

void ScalarPlot::Private::layOut() {
  const QSizeF size = view->viewport()->size();
  const QFontMetricsF metrics(Theme::current().monoSmallFont());
  const double top = 8, bottom = size.height() - 22;
  const int mostY = std::max(2, static_cast<int>((bottom - top) / 40));
  ticksY = logScale ? logTicks(shownY0, shownY1, mostY) : linearTicks(shownY0, shownY1, mostY);
  double left = 24;
  for (const Tick& tick : ticksY) left = std::max(left, metrics.horizontalAdvance(tick.label) + 12);
  area = QRectF(QPointF(left, top), QPointF(std::max(left + 10, size.width() - 10), std::max(top + 10, bottom)));
  const int mostX = std::max(2, static_cast<int>(area.width() / 72));
  const double low = toAxisX(shownX0), high = toAxisX(shownX1);
  ticksX = logScaleX ? logTicks(low, high, mostX) : xTicks(shownX0, shownX1, mostX, axis);
  if (chart->plotArea() != area) chart->setPlotArea(area);
  axisX->setRange(low, high);
  axisY->setRange(shownY0, shownY1);
}

void ScalarPlot::Private::paintAxes(QPainter& painter) const {
  const Theme& theme = Theme::current();
  painter.fillRect(view->viewport()->rect(), theme.color(Role::Surface2));
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setFont(theme.monoSmallFont());
  const QFontMetricsF metrics(painter.font());
  for (const Tick& tick : ticksY) {
    const double y = std::round(area.bottom() - (tick.at - shownY0) / (shownY1 - shownY0) * area.height());
    if (y < area.top() - 1 || y > area.bottom() + 1) continue;
    painter.setPen(QPen(theme.color(Role::Surface3), 1));
    painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    painter.setPen(theme.color(Role::Text3));
    painter.drawText(QRectF(0, y - 8, area.left() - 6, 16), Qt::AlignRight | Qt::AlignVCenter, tick.label);
  }
  painter.setPen(QPen(theme.color(Role::Border), 1));
  painter.drawLine(area.bottomLeft(), area.bottomRight());
  painter.setPen(theme.color(Role::Text3));
  const double low = toAxisX(shownX0), high = toAxisX(shownX1);
  for (const Tick& tick : ticksX) {
    const double x = area.left() + (tick.at - low) / (high - low) * area.width(), width = metrics.horizontalAdvance(tick.label) + 2;
    if (x < area.left() - 1 || x > area.right() + 1) continue;
    painter.drawText(QRectF(std::clamp(x - width / 2, 0.0, std::max(0.0, view->viewport()->width() - width)), area.bottom() + 4, width, 16), Qt::AlignCenter, tick.label);
  }
}

void ScalarPlot::Private::refreshLines(double x0, double x1) {
  const auto blocks = std::min<size_t>(kMaxBlocks, std::max<size_t>(120, static_cast<size_t>(plotArea().width() * 0.75)));
  for (auto& line : lines) {
    QList<QPointF> raw, curve;
    if (line->shown && !line->store->empty()) {
      updateSmooth(*line);
      const auto add = [this](QList<QPointF>& list, double x, double value) {
        if (std::isfinite(value) && (!logScale || value > 0) && (!logScaleX || x > 0)) list.append({toAxisX(x), toAxis(value)});
      };
      for (const Block& block : line->store->blocks(x0, x1, axis, blocks)) {
        const double x = (block.x0 + block.x1) / 2;
        const size_t last = block.first + static_cast<size_t>(block.count) - 1;
        if (block.count == 1) {
          add(raw, block.x0, (*line->store)[block.first].value);
          if (weight > 0) add(curve, block.x0, line->smooth[block.first]);
        } else if (block.finite > 0) {
          // The extremes in the order in which the values move, so that a spike stays a spike.
          const bool rising = (*line->store)[last].value >= (*line->store)[block.first].value;
          add(raw, x, rising ? block.min : block.max);
          add(raw, x, rising ? block.max : block.min);
          if (weight > 0) add(curve, block.x1, line->smooth[last]);
        }
      }
    }
    // Without smoothing the raw values are the curve; behind mean and spread, each run's curve is a ghost.
    if (spread) {
      line->raw->replace(weight > 0 ? curve : raw);
      line->curve->clear();
      continue;
    }
    line->raw->replace(weight > 0 ? raw : QList<QPointF>());
    line->curve->replace(weight > 0 ? curve : raw);
  }
}

void ScalarPlot::Private::refreshSpread(double x0, double x1) {
  spreadPoints.clear();
  if (spread) {
    std::vector<RunCurve> curves;
    for (const auto& line : lines)
      if (line->shown && !line->store->empty()) {
        updateSmooth(*line);
        curves.push_back({line->store.get(), weight > 0 ? &line->smooth : nullptr});
      }
    spreadPoints = meanAndSpread(curves, x0, x1, axis, 400);
  }
  if (spread && !band) {
    lowLine = new QLineSeries;
    highLine = new QLineSeries;
    band = new QAreaSeries(highLine, lowLine);
    meanLine = new QLineSeries;
    for (QAbstractSeries* series : {static_cast<QAbstractSeries*>(band), static_cast<QAbstractSeries*>(meanLine)}) {
      chart->addSeries(series);
      series->attachAxis(axisX);
      series->attachAxis(axisY);
    }
    applyTheme();
  }
  if (!band) return;
  QList<QPointF> mean, low, high;
  for (const SpreadPoint& p : spreadPoints) {
    if ((logScale && p.mean <= 0) || (logScaleX && p.x <= 0)) continue;
    const double least = logScale && p.mean - p.deviation <= 0 ? p.mean : p.mean - p.deviation;
    mean.append({toAxisX(p.x), toAxis(p.mean)});
    low.append({toAxisX(p.x), toAxis(least)});
    high.append({toAxisX(p.x), toAxis(p.mean + p.deviation)});
  }
  meanLine->replace(mean);
  lowLine->replace(low);
  highLine->replace(high);
}

void ScalarPlot::Private::refresh() {
  dirty = false;
  sinceRefresh.start();
  const auto [fullLow, fullHigh] = fullX();
  shownX0 = range ? range->first : fullLow;
  shownX1 = range ? range->second : fullHigh;
  std::tie(shownY0, shownY1) = yRange(shownX0, shownX1);
  layOut();
  refreshLines(shownX0, shownX1);
  refreshSpread(shownX0, shownX1);
  updateTexts();
  view->viewport()->update();
  overlay->raise();
  overlay->update();
}

void ScalarPlot::Private::updateTexts() {
  chip->setText(ScalarPlot::tr("log y"));
  chip->setVisible(logScale);
  qint64 points = 0, bad = 0;
  double least = 0;
  QString leastIn;
  QString html;
  int shownLines = 0;
  for (const auto& line : lines) {
    if (!line->shown) continue;
    ++shownLines;
    const Block all = line->store->summary(0, line->store->size());
    points += all.count;
    bad += all.count - all.finite;
    if (all.finite > 0 && (leastIn.isEmpty() || all.min < least)) {
      least = all.min;
      leastIn = line->name;
    }
    if (line->store->empty()) continue;
    updateSmooth(*line);
    html += QStringLiteral("<span style='color:%1'>■</span>&nbsp;%2&emsp;")
                .arg(Theme::current().categorical(line->hue).name(), formatValue(line->smooth.back()));
  }
  foot->setText(ScalarPlot::tr("%1 series").arg(shownLines) + QStringLiteral(" · ") +
                ScalarPlot::tr("%1 points, none dropped").arg(formatCount(points)) +
                (bad > 0 ? QStringLiteral(" · ") + ScalarPlot::tr("%1 NaN or infinite").arg(formatCount(bad)) : QString()));
  footRight->setText(leastIn.isEmpty() ? QString() : ScalarPlot::tr("min %1 · %2").arg(formatValue(least), leastIn));
  auto* label = static_cast<QLabel*>(legend);
  label->setText(shownLines <= 4 ? html : QString());
  // Whatever does not fit is left out, never cut.
  const int room = q->width() - title->sizeHint().width() - 96 - (logScale ? 50 : 0);
  label->setVisible(shownLines <= 4 && label->sizeHint().width() <= room);
  const bool wide = q->width() > foot->sizeHint().width() + footRight->sizeHint().width() + 32;
  footRight->setVisible(wide);
}

void ScalarPlot::Private::applyTheme() {
  const Theme& theme = Theme::current();
  QFont bold = theme.uiFont();
  bold.setWeight(QFont::DemiBold);
  title->setFont(bold);
  legend->setFont(theme.monoSmallFont());
  chart->setBackgroundBrush(theme.color(Role::Surface2));
  chart->setBackgroundPen(Qt::NoPen);
  chart->setPlotAreaBackgroundVisible(false);
  view->setBackgroundBrush(theme.color(Role::Surface2));
  if (band) {
    QColor fill = theme.color(Role::Accent);
    fill.setAlphaF(0.22);
    band->setBrush(fill);
    band->setPen(Qt::NoPen);
    meanLine->setPen(QPen(theme.color(Role::Accent), 2));
  }
  for (const auto& line : lines) {
    const QColor hue = theme.categorical(line->hue);
    QColor ghost = hue;
    ghost.setAlphaF(kGhost);
    line->raw->setPen(QPen(ghost, 1));
    line->curve->setPen(curvePen(hue));
  }
}

QRectF ScalarPlot::Private::plotArea() const {
  return area;
}

double ScalarPlot::Private::xAt(double pixel) const {
  const QRectF area = plotArea();
  const double low = toAxisX(shownX0), at = low + (pixel - area.left()) / std::max(1.0, area.width()) * (toAxisX(shownX1) - low);
  return logScaleX ? std::pow(10.0, at) : at;
}

double ScalarPlot::Private::pixelAt(double x) const {
  const QRectF area = plotArea();
  const double low = toAxisX(shownX0);
  return area.left() + (toAxisX(x) - low) / (toAxisX(shownX1) - low) * area.width();
}

double ScalarPlot::Private::yPixelAt(double value) const {
  const QRectF area = plotArea();
  return area.bottom() - (toAxis(value) - shownY0) / (shownY1 - shownY0) * area.height();
}

}  // namespace weft::widgets
