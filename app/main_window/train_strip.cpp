#include "main_window/train_strip.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "common/format.h"
#include "common/live_frames.h"
#include "common/theme.h"
#include "document/document.h"
#include "document/run_archive.h"
#include "document/run_controller.h"
#include "document/workspace.h"

namespace weft::app {
namespace {

using widgets::Role;
using widgets::Theme;

constexpr double kPadding = 9, kBar = 3, kBoxGap = 12, kMargin = 12, kBoxHeight = 52, kCurveWidth = 72, kMostGap = 44;
constexpr double kRepaintMs = 200;  // five times a second: digits cannot be read faster

const QString kSetting = QStringLiteral("run/strip"), kLayout = QStringLiteral("layout/mode");

/// The widest possible norm, so that the row does not move.
const QString kWidestNorm = QStringLiteral("∇ 0.0e-0");
const QString kWidestLoss = QStringLiteral("0.000e-0");

/// `norm`: empty while unknown.
QString normText(std::optional<double> norm) {
  if (!norm) return QStringLiteral("∇ –");
  if (!std::isfinite(*norm)) return QStringLiteral("∇ ") + widgets::formatValue(*norm);
  return QStringLiteral("∇ ") +
         QString::number(*norm, 'e', 1).replace(QLatin1String("e-0"), QLatin1String("e-")).replace(QLatin1String("e+0"), QLatin1String("e"));
}

}  // namespace

void ShortCurve::add(double value) {
  if (!std::isfinite(value)) return;
  sum_ += value;
  if (++gathered_ < perPoint_) return;
  points_ << sum_ / double(gathered_);
  sum_ = 0;
  gathered_ = 0;
  if (points_.size() < kMost) return;
  for (qsizetype i = 0; i < kMost / 2; ++i) points_[i] = (points_[2 * i] + points_[2 * i + 1]) / 2;
  points_.resize(kMost / 2);
  perPoint_ *= 2;
}

void ShortCurve::clear() {
  points_.clear();
  perPoint_ = 1;
  gathered_ = 0;
  sum_ = 0;
}

TrainStrip::TrainStrip(Document* document, Workspace& workspace, QWidget* parent) : QWidget(parent), document_(document), workspace_(workspace) {
  setObjectName(QStringLiteral("train_strip"));
  setAccessibleName(tr("Training"));
  setMouseTracking(true);
  hide();
  frame_ = std::make_unique<widgets::FrameMember>(
      widgets::FrameGovernor::Stage::Drawing, "train strip",
      [this] {
        if (workspace_.runs().document() == document_) workspace_.runs().takeGradients(norms_);
        update();
      },
      kRepaintMs);
  RunController& runs = workspace.runs();
  connect(&runs, &RunController::stateChanged, this, &TrainStrip::follow);
  connect(&runs, &RunController::runStarted, this, [this] { begin(); });
  connect(&runs, &RunController::samplesArrived, this, [this](const RunRecord*, const QString& tag, std::span<const widgets::Sample> samples) {
    if (tag != QLatin1String("loss") || workspace_.runs().document() != document_) return;
    for (const widgets::Sample& s : samples) loss_.add(s.value);
    if (!isHidden()) frame_->want();
  });
  connect(&runs, &RunController::runChanged, this, &TrainStrip::showLast);
  connect(&RunArchive::of(workspace), &RunArchive::changed, this, &TrainStrip::showLast);
  connect(&workspace.settings(), &Settings::changed, this, [this](const QString& key) {
    if (key == kSetting || key == kLayout) follow();
  });
  connect(document, &Document::contentsChanged, this, [this] {
    if (!isHidden()) begin();
    follow();
  });
  follow();
}

TrainStrip::~TrainStrip() = default;

bool TrainStrip::isTraining() const { return workspace_.runs().isActive() && workspace_.runs().document() == document_; }

void TrainStrip::follow() {
  const bool inTrain = workspace_.settings().value(kLayout).toString() == QLatin1String("train") && document_->contents()->training.present;
  const bool wanted = (isTraining() || inTrain) && workspace_.settings().get(kSetting).toBool();
  if (wanted == !isHidden()) return showLast();
  if (wanted) begin();
  setVisible(wanted);
  if (wanted) raise();
}

/// The graph in training may be older than the one on the canvas.
void TrainStrip::begin() {
  const RunController& runs = workspace_.runs();
  const bool training = isTraining();
  const int number = training && runs.currentRun() ? runs.currentRun()->number : run_;
  if (number != run_) {
    run_ = number;
    loss_.clear();
    norms_.clear();
  }
  const GraphContentsPtr contents = training ? runs.contents() : document_->contents();
  whole_ = contents ? trainSpineOf(*contents) : TrainSpine();
  last_ = lastProgress();
  place();
}

RunProgress TrainStrip::lastProgress() const {
  for (const RunRecord* run : RunArchive::of(workspace_).listed(document_)) {
    // The archive may show the runs of another document now.
    if (!run->earlier || (!run->file.isEmpty() && run->file == document_->path())) return run->progress;
  }
  return {};
}

void TrainStrip::showLast() {
  if (isHidden() || isTraining()) return;
  last_ = lastProgress();
  update();
}

const RunProgress& TrainStrip::progress() const { return isTraining() ? workspace_.runs().progress() : last_; }

QVector<TrainStrip::Box> TrainStrip::boxesOf(const TrainSpine& spine, qsizetype layers, bool sizes) const {
  QVector<Box> boxes;
  if (!spine.input.isEmpty()) boxes << Box{Kind::Input, widgets::lastPart(spine.input), spine.inputShape, -1, {}};
  for (qsizetype i = 0; i < std::min(layers, spine.layers.size()); ++i)
    boxes << Box{
        Kind::Layer, spine.layers[i].scope, sizes ? widgets::formatCountShort(spine.layers[i].parameters) + QStringLiteral(" · ") : QString(), int(i), {}};
  if (layers < spine.layers.size()) boxes << Box{Kind::More, tr("%1 more").arg(spine.layers.size() - layers), {}, -1, {}};
  boxes << Box{Kind::Loss, tr("loss"), {}, -1, {}};
  if (progress().hasAccuracy) boxes << Box{Kind::Accuracy, tr("accuracy"), {}, -1, {}};
  boxes << Box{Kind::Train, spine.optimizers.join(QStringLiteral(", ")), tr("%n variable(s)", nullptr, spine.variables), -1, {}};
  return boxes;
}

double TrainStrip::widthOf(const Box& box) const {
  QFont strong = Theme::current().uiFont();
  strong.setWeight(QFont::DemiBold);
  const double title = QFontMetricsF(strong).horizontalAdvance(box.title);
  const QFontMetricsF mono(Theme::current().monoSmallFont());
  double second = mono.horizontalAdvance(box.fact);
  if (box.kind == Kind::Layer) second += mono.horizontalAdvance(kWidestNorm);
  if (box.kind == Kind::Loss) second = mono.horizontalAdvance(kWidestLoss) + 8 + kCurveWidth;
  if (box.kind == Kind::Accuracy) second = mono.horizontalAdvance(QStringLiteral("100.0 %"));
  return std::ceil(std::max(title, second) + 2 * kPadding + kBar);
}

/// Fits the layers: all of them, else without their sizes, else one box per outermost scope, else as many as fit.
void TrainStrip::place() {
  const auto total = [&](const QVector<Box>& boxes) {
    double sum = 2 * kMargin + kBoxGap * double(boxes.size() - 1);
    for (const Box& box : boxes) sum += widthOf(box);
    return sum;
  };
  hasAccuracy_ = progress().hasAccuracy;
  spine_ = whole_;
  boxes_ = boxesOf(spine_, spine_.layers.size(), true);
  double needed = total(boxes_);
  if (needed > width()) {
    boxes_ = boxesOf(spine_, spine_.layers.size(), false);
    needed = total(boxes_);
  }
  if (needed > width()) {
    spine_ = whole_.grouped();
    for (qsizetype layers = spine_.layers.size(); layers >= 0; --layers) {
      boxes_ = boxesOf(spine_, layers, false);
      needed = total(boxes_);
      if (needed <= width()) break;
    }
  }
  for (const Kind kind : {Kind::Input, Kind::Train, Kind::More, Kind::Accuracy}) {
    if (needed <= width()) break;
    boxes_.removeIf([kind](const Box& box) { return box.kind == kind; });
    needed = total(boxes_);
  }
  // From left to right, with wider gaps if there is room.
  const double gap = kBoxGap + std::clamp((width() - needed) / std::max<double>(1, double(boxes_.size() - 1)), 0.0, kMostGap - kBoxGap);
  double x = kMargin;
  for (Box& box : boxes_) {
    box.rect = QRectF(x, (height() - 1 - kBoxHeight) / 2, widthOf(box), kBoxHeight);
    x += box.rect.width() + gap;
  }
  update();
}

std::optional<double> TrainStrip::normOf(const SpineLayer& layer) const {
  double squares = 0;
  bool any = false;
  for (const QString& variable : layer.variables) {
    const auto it = norms_.constFind(variable);
    if (it == norms_.cend()) continue;
    squares += *it * *it;
    any = true;
  }
  return any ? std::optional(std::sqrt(squares)) : std::nullopt;
}

QString TrainStrip::liveText(const Box& box) const {
  const RunProgress& now = progress();
  switch (box.kind) {
    case Kind::Layer: return box.fact + normText(normOf(spine_.layers[box.layer]));
    case Kind::Loss: return now.hasLoss ? widgets::formatValue(now.loss, 4) : QStringLiteral("–");
    case Kind::Accuracy: return now.hasAccuracy ? percentText(now.accuracy) : QStringLiteral("–");
    default: return box.fact;
  }
}

QStringList TrainStrip::texts() const {
  QStringList out;
  for (const Box& box : boxes_) {
    const QString live = liveText(box);
    out << (live.isEmpty() ? box.title : box.title + QStringLiteral(" · ") + live);
  }
  return out;
}

QStringList TrainStrip::cutTexts() const {
  QFont strong = Theme::current().uiFont();
  strong.setWeight(QFont::DemiBold);
  const QFontMetricsF titles(strong), facts(Theme::current().monoSmallFont());
  QStringList cut;
  for (const Box& box : boxes_) {
    const double room = box.rect.width() - 2 * kPadding - kBar;
    const double second = facts.horizontalAdvance(liveText(box)) + (box.kind == Kind::Loss ? 8 + kCurveWidth : 0);
    const bool high = !rect().contains(box.rect.toAlignedRect()) || 6 + titles.height() + facts.height() + 8 > box.rect.height();
    if (titles.horizontalAdvance(box.title) > room + 0.5 || second > room + 0.5 || high) cut << box.title + u' ' + liveText(box);
  }
  return cut;
}

QPoint TrainStrip::centreOf(const QString& title) const {
  for (const Box& box : boxes_)
    if (box.title == title) return box.rect.center().toPoint();
  return {};
}

void TrainStrip::paintCurve(QPainter& painter, const QRectF& rect) const {
  const QVector<double>& points = loss_.points();
  if (points.size() < 2) return;
  const auto [least, most] = std::minmax_element(points.begin(), points.end());
  // Losses fall by powers of ten, so positive ones are drawn logarithmically.
  const bool logarithmic = *least > 0 && *most > 8 * *least;
  const auto height = [&](double v) { return logarithmic ? std::log(v) : v; };
  const double low = height(*least), span = std::max(height(*most) - low, 1e-12);
  QPolygonF line;
  for (qsizetype i = 0; i < points.size(); ++i)
    line << QPointF(rect.left() + rect.width() * double(i) / double(points.size() - 1), rect.bottom() - rect.height() * (height(points[i]) - low) / span);
  painter.setPen(QPen(Theme::current().color(Role::Accent), 1.5));
  painter.setBrush(Qt::NoBrush);
  painter.drawPolyline(line);
}

void TrainStrip::paintBox(QPainter& painter, const Box& box) const {
  const Theme& theme = Theme::current();
  const QRectF& r = box.rect;
  painter.setPen(QPen(theme.color(Role::Border), 1));
  painter.setBrush(theme.color(Role::Surface2));
  painter.drawRoundedRect(r.adjusted(0.5, 0.5, -0.5, -0.5), theme.metrics().radius, theme.metrics().radius);
  QColor hue = theme.color(Role::Text3);
  if (box.kind == Kind::Layer) hue = theme.opCategory(spine_.layers[box.layer].category);
  if (box.kind == Kind::Loss || box.kind == Kind::Accuracy) hue = theme.color(Role::Accent);
  if (box.kind == Kind::Train) hue = theme.opCategory(QStringLiteral("gradientUpdate"));
  painter.fillRect(QRectF(r.left() + 1, r.top() + 5, kBar, r.height() - 10), hue);
  const QRectF inner = r.adjusted(kPadding + kBar, 6, -kPadding, -6);
  QFont strong = theme.uiFont();
  strong.setWeight(QFont::DemiBold);
  painter.setFont(strong);
  painter.setPen(theme.color(Role::Text1));
  painter.drawText(inner, Qt::AlignLeft | Qt::AlignTop | Qt::TextSingleLine, box.title);
  painter.setFont(theme.monoSmallFont());
  painter.setPen(theme.color(Role::Text2));
  QRectF second = inner;
  second.setTop(inner.top() + 20);
  painter.drawText(second, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, liveText(box));
  if (box.kind == Kind::Loss) paintCurve(painter, QRectF(r.right() - kPadding - kCurveWidth, r.top() + 9, kCurveWidth, r.height() - 18));
  if (box.kind != Kind::Layer) return;
  // The gradient's norm, from 1e-6 to 10, as a line along the lower edge.
  const std::optional<double> norm = normOf(spine_.layers[box.layer]);
  const bool broken = norm && !std::isfinite(*norm);
  const double part = broken ? 1 : norm && *norm > 0 ? std::clamp((std::log10(*norm) + 6) / 7, 0.0, 1.0) : 0;
  const QRectF track(inner.left(), r.bottom() - 6, inner.width(), 3);
  painter.fillRect(track, theme.color(Role::Surface3));
  painter.fillRect(QRectF(track.left(), track.top(), track.width() * part, track.height()), broken ? theme.color(Role::Error) : hue);
}

void TrainStrip::paintEvent(QPaintEvent*) {
  if (hasAccuracy_ != progress().hasAccuracy) place();
  const Theme& theme = Theme::current();
  QPainter painter(this);
  painter.fillRect(rect(), theme.color(Role::Surface0));
  painter.fillRect(QRect(0, height() - 1, width(), 1), theme.color(Role::Border));
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(theme.color(Role::Accent), 1.5));
  for (qsizetype i = 1; i < boxes_.size(); ++i) {
    const double y = boxes_[i].rect.center().y();
    painter.drawLine(QPointF(boxes_[i - 1].rect.right(), y), QPointF(boxes_[i].rect.left(), y));
  }
  for (const Box& box : boxes_) paintBox(painter, box);
}

void TrainStrip::resizeEvent(QResizeEvent*) { place(); }

const TrainStrip::Box* TrainStrip::at(const QPoint& point) const {
  for (const Box& box : boxes_)
    if (box.rect.contains(point)) return &box;
  return nullptr;
}

void TrainStrip::mouseReleaseEvent(QMouseEvent* event) {
  const Box* box = at(event->pos());
  if (!box || event->button() != Qt::LeftButton) return;
  const QString name = box->kind == Kind::Layer   ? spine_.layers[box->layer].scope
                       : box->kind == Kind::Input ? spine_.input
                       : box->kind == Kind::Loss  ? spine_.loss
                                                  : QString();
  if (!name.isEmpty() && (document_->hasNode(name) || document_->hasScope(name))) document_->requestSelection({name});
}

QString TrainStrip::tipOf(const Box& box) const {
  switch (box.kind) {
    case Kind::Layer: {
      QStringList lines{tr("%1: norm of the gradient applied by a step").arg(spine_.layers[box.layer].scope)};
      for (const QString& variable : spine_.layers[box.layer].variables) {
        const auto it = norms_.constFind(variable);
        lines << variable + QStringLiteral("  ") + normText(it == norms_.cend() ? std::nullopt : std::optional(*it));
      }
      return lines.join(u'\n');
    }
    case Kind::Input: return tr("The input data of a step");
    case Kind::More: return tr("Layers that do not fit: make the window wider");
    case Kind::Loss: return tr("The quantity that training minimises, over all steps");
    case Kind::Accuracy: return tr("Accuracy on the batch of the newest step");
    case Kind::Train: return tr("The ops that update the variables in each step");
  }
  return {};
}

bool TrainStrip::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const Box* box = at(help->pos())) QToolTip::showText(help->globalPos(), tipOf(*box), this, box->rect.toRect());
    else QToolTip::hideText();
    return true;
  }
  return QWidget::event(event);
}

void TrainStrip::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange || event->type() == QEvent::FontChange) {
    setAccessibleName(tr("Training"));
    place();
  }
  if (event->type() == QEvent::PaletteChange) update();
  QWidget::changeEvent(event);
}

}  // namespace weft::app
