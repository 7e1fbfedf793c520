#include "media/waveform.h"

#include <QCoreApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <QtEndian>
#include <algorithm>
#include <cmath>
#include <cstring>

#include "common/format.h"
#include "common/theme.h"
#include "plot/plot_axis.h"

namespace weft::widgets {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(Waveform)
};

constexpr int kPcm = 1, kFloat = 3, kExtensible = 0xfffe;
constexpr qint64 kBlock = 256;      // frames whose extremes are kept
constexpr double kLeastShown = 16;  // frames
constexpr int kScaleWidth = 30, kMostTold = 8;

float sampleAt(const uchar* p, int bits, bool isFloat) {
  switch (bits) {
    case 8: return (float(*p) - 128.f) / 128.f;
    case 16: return float(qFromLittleEndian<qint16>(p)) / 32768.f;
    case 24: return float(qint32(quint32(p[0]) << 8 | quint32(p[1]) << 16 | quint32(p[2]) << 24) >> 8) / 8388608.f;
    default: break;
  }
  if (!isFloat) return float(double(qFromLittleEndian<qint32>(p)) / 2147483648.0);
  const quint32 word = qFromLittleEndian<quint32>(p);
  float value;
  std::memcpy(&value, &word, sizeof value);
  return std::isfinite(value) ? std::clamp(value, -1.f, 1.f) : 0.f;
}

float finiteOrZero(float v) { return std::isfinite(v) ? v : 0.f; }

WaveSpan scan(const WaveData& wave, qint64 channel, qint64 first, qint64 last) {
  if (first >= last) return {};
  const float* at = wave.samples.data() + first * wave.channels + channel;
  WaveSpan out{finiteOrZero(*at), finiteOrZero(*at)};
  for (qint64 i = first; i < last; ++i, at += wave.channels) {
    const float v = finiteOrZero(*at);
    out.low = std::min(out.low, v);
    out.high = std::max(out.high, v);
  }
  return out;
}

/// The extremes of two parts, of which one may be empty.
WaveSpan joined(WaveSpan a, WaveSpan b, bool anyOfA, bool anyOfB) {
  if (!anyOfA) return b;
  if (!anyOfB) return a;
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

}  // namespace

WaveData readWave(const QByteArray& bytes) {
  WaveData wave;
  const auto* data = reinterpret_cast<const uchar*>(bytes.constData());
  const qsizetype size = bytes.size();
  if (size < 12 || std::memcmp(data, "RIFF", 4) != 0 || std::memcmp(data + 8, "WAVE", 4) != 0) {
    wave.error = Words::tr("This is not a WAV file.");
    return wave;
  }
  int format = 0;
  for (qsizetype at = 12; at + 8 <= size;) {
    const qsizetype length = std::min<qsizetype>(qFromLittleEndian<quint32>(data + at + 4), size - at - 8);
    const uchar* chunk = data + at + 8;
    if (std::memcmp(data + at, "fmt ", 4) == 0 && length >= 16) {
      format = qFromLittleEndian<quint16>(chunk);
      if (format == kExtensible && length >= 26) format = qFromLittleEndian<quint16>(chunk + 24);
      wave.channels = qFromLittleEndian<quint16>(chunk + 2);
      wave.sampleRate = qFromLittleEndian<quint32>(chunk + 4);
      wave.bits = qFromLittleEndian<quint16>(chunk + 14);
    } else if (std::memcmp(data + at, "data", 4) == 0) {
      const bool known = (format == kPcm && (wave.bits == 8 || wave.bits == 16 || wave.bits == 24 || wave.bits == 32)) || (format == kFloat && wave.bits == 32);
      if (!known || wave.channels <= 0) {
        wave.error = Words::tr("Audio of format %1 with %2 bits is not supported.").arg(format).arg(wave.bits);
        return wave;
      }
      const int width = wave.bits / 8;
      const qsizetype count = length / (width * wave.channels) * wave.channels;
      auto samples = std::make_shared<std::vector<float>>();
      samples->reserve(size_t(count));
      for (qsizetype i = 0; i < count; ++i) samples->push_back(sampleAt(chunk + i * width, wave.bits, format == kFloat));
      wave.samples = *samples;
      wave.owner = std::move(samples);
      return wave;
    }
    at += 8 + length + (length & 1);
  }
  wave.error = Words::tr("The WAV file contains no audio.");
  return wave;
}

WavePeaks::WavePeaks(WaveData wave) : wave_(std::move(wave)) {
  const qint64 frames = wave_.frames(), channels = wave_.channels;
  blocks_.reserve(size_t((frames + kBlock - 1) / kBlock * channels));
  for (qint64 first = 0; first < frames; first += kBlock) {
    for (qint64 c = 0; c < channels; ++c) {
      const WaveSpan span = scan(wave_, c, first, std::min(frames, first + kBlock));
      blocks_.push_back(span);
      loudest_ = std::max({loudest_, span.high, -span.low});
    }
  }
}

WaveSpan WavePeaks::of(int channel, qint64 first, qint64 last) const {
  first = std::clamp<qint64>(first, 0, wave_.frames());
  last = std::clamp<qint64>(last, first, wave_.frames());
  const qint64 from = (first + kBlock - 1) / kBlock, to = last / kBlock;
  if (from >= to) return scan(wave_, channel, first, last);
  // Whole blocks in the middle, samples at both ends.
  WaveSpan out = joined(scan(wave_, channel, first, from * kBlock), scan(wave_, channel, to * kBlock, last), first < from * kBlock, to * kBlock < last);
  bool any = first < from * kBlock || to * kBlock < last;
  for (qint64 block = from; block < to; ++block, any = true) out = joined(out, blocks_[size_t(block * wave_.channels + channel)], any, true);
  return out;
}

Waveform::Waveform(QWidget* parent) : QWidget(parent) { setMinimumSize(80, 40); }

void Waveform::setPeaks(std::shared_ptr<const WavePeaks> peaks, const QColor& color) {
  const bool sameLength = peaks->wave().frames() == wave().frames();
  peaks_ = std::move(peaks);
  color_ = color;
  if (!sameLength || last_ <= first_) first_ = 0, last_ = double(wave().frames());
  update();
}

void Waveform::setColor(const QColor& color) {
  color_ = color;
  update();
}

void Waveform::setZoomable(bool on) {
  zoomable_ = on;
  setMouseTracking(on);
  setFocusPolicy(on ? Qt::StrongFocus : Qt::NoFocus);
}

void Waveform::setRange(double first, double last) {
  const double all = double(wave().frames());
  const double length = std::clamp(last - first, std::min(kLeastShown, all), all);
  first_ = std::clamp(first, 0.0, all - length);
  last_ = first_ + length;
  update();
}

QRectF Waveform::area() const {
  // Lanes that can be zoomed have their scale at the left.
  return QRectF(rect()).adjusted(zoomable_ ? kScaleWidth : 12, 6, -12, -20);
}

void Waveform::zoom(double factor, double x) {
  const QRectF inside = area();
  const double share = std::clamp((x - inside.left()) / std::max(1.0, inside.width()), 0.0, 1.0);
  const double length = std::clamp((last_ - first_) / factor, std::min(kLeastShown, double(wave().frames())), double(wave().frames()));
  const double at = first_ + share * (last_ - first_);
  setRange(at - share * length, at - share * length + length);
}

QString Waveform::textAt(QPointF at) const {
  const QRectF inside = area();
  if (wave().frames() == 0 || !inside.contains(at)) return {};
  const qint64 frame = std::clamp<qint64>(qint64(first_ + (at.x() - inside.left()) / inside.width() * (last_ - first_)), 0, wave().frames() - 1);
  QStringList values;
  for (int c = 0; c < std::min(wave().channels, kMostTold); ++c) values << formatValue(double(wave().samples[size_t(frame * wave().channels + c)]), 4);
  if (wave().channels > kMostTold) values << QStringLiteral("…");
  const QString place = tr("sample %1").arg(formatCount(frame));
  return (wave().sampleRate > 0 ? tr("%1 s").arg(double(frame) / wave().sampleRate, 0, 'f', 4) + QStringLiteral(" · ") + place : place) + QStringLiteral(": ") +
         values.join(QStringLiteral("  "));
}

void Waveform::paintLane(QPainter& p, int channel, const QRectF& lane) const {
  const Theme& theme = Theme::current();
  const double middle = lane.center().y(), half = lane.height() * (zoomable_ ? 0.43 : 0.46), reach = std::max(1.0, double(peaks_->loudest()));
  const auto yOf = [&](double v) { return middle - v / reach * half; };
  p.setPen(QPen(theme.color(Role::Surface3), 1));
  p.drawLine(QPointF(lane.left(), middle), QPointF(lane.right(), middle));
  if (zoomable_) {
    p.setFont(theme.monoSmallFont());
    const double high = p.fontMetrics().height();
    p.drawLine(QPointF(lane.left(), yOf(1)), QPointF(lane.right(), yOf(1)));
    p.drawLine(QPointF(lane.left(), yOf(-1)), QPointF(lane.right(), yOf(-1)));
    p.setPen(theme.color(Role::Text3));
    for (const double v : {1.0, 0.0, -1.0})
      if (v == 0 || half > 1.5 * high)
        p.drawText(QRectF(0, yOf(v) - high / 2, lane.left() - 6, high), Qt::AlignRight | Qt::AlignVCenter, v < 0 ? QStringLiteral("−1") : QString::number(v));
  }
  p.setPen(QPen(color_, 1));
  const qint64 frames = wave().frames();
  const double perPixel = (last_ - first_) / std::max(1.0, lane.width());
  if (perPixel < 0.5) {  // samples are wider than pixels: a line through them
    QPolygonF line;
    for (qint64 i = std::max<qint64>(0, qint64(first_) - 1); i < frames && double(i) <= last_ + 1; ++i)
      line << QPointF(lane.left() + (double(i) + 0.5 - first_) / perPixel, yOf(peaks_->of(channel, i, i + 1).high));
    p.save();
    p.setClipRect(lane);
    p.setRenderHint(QPainter::Antialiasing);
    p.drawPolyline(line);
    if (perPixel < 0.15) {
      p.setBrush(color_);
      for (const QPointF& at : std::as_const(line)) p.drawEllipse(at, 2, 2);
    }
    p.restore();
    return;
  }
  const int columns = std::max(1, int(lane.width()));
  for (int x = 0; x < columns; ++x) {
    const auto first = qint64(first_ + x * perPixel), last = std::max(first + 1, qint64(first_ + (x + 1) * perPixel));
    // Starts at the previous sample, so that the curve is continuous where samples are wider than pixels.
    const WaveSpan span = peaks_->of(channel, first - 1, last);
    p.drawLine(QPointF(lane.left() + x + 0.5, yOf(span.high) - 0.5), QPointF(lane.left() + x + 0.5, yOf(span.low) + 0.5));
  }
}

/// A place on the time axis; without a sampling rate it is a sample's number.
QString Waveform::timeText(const Tick& tick, bool isTime, double end) const {
  if (!isTime) return formatCount(qint64(tick.at));
  if (!zoomable_) return formatSeconds(tick.at);
  return end >= 60 && !tick.label.contains(u'.') ? formatClock(tick.at) : tr("%1 s").arg(tick.label);
}

void Waveform::paintEvent(QPaintEvent*) {
  const Theme& theme = Theme::current();
  QPainter p(this);
  p.fillRect(rect(), theme.color(Role::Surface2));
  p.setFont(theme.smallFont());
  if (!wave().error.isEmpty() || wave().frames() == 0) {
    p.setPen(theme.color(Role::Text3));
    p.drawText(rect().adjusted(8, 8, -8, -8), Qt::AlignCenter | Qt::TextWordWrap, wave().error.isEmpty() ? tr("No audio") : wave().error);
    return;
  }
  const QRectF inside = area();
  const double lane = inside.height() / wave().channels;
  for (int c = 0; c < wave().channels; ++c) paintLane(p, c, {inside.left(), inside.top() + c * lane, inside.width(), lane});
  const double rate = wave().sampleRate > 0 ? wave().sampleRate : 1, from = first_ / rate, seconds = (last_ - first_) / rate;
  p.setFont(theme.monoSmallFont());
  p.setPen(theme.color(Role::Text3));
  for (const Tick& tick : linearTicks(from, from + seconds, std::max(2, int(inside.width() / 80)))) {
    // Without a rate the axis counts samples.
    const QString label = timeText(tick, wave().sampleRate > 0, from + seconds);
    const double wide = p.fontMetrics().horizontalAdvance(label) + 2, at = inside.left() + (tick.at - from) / std::max(seconds, 1e-12) * inside.width();
    p.drawText(QRectF(std::clamp(at - wide / 2, 0.0, std::max(0.0, width() - wide - 4)), inside.bottom() + 2, wide, 16), Qt::AlignCenter, label);
  }
  if (hasFocus()) {
    p.setPen(QPen(theme.color(Role::Focus), 1));
    p.setBrush(Qt::NoBrush);
    p.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
  }
}

void Waveform::wheelEvent(QWheelEvent* event) {
  if (!zoomable_) return QWidget::wheelEvent(event);
  const QPoint turned = event->angleDelta();
  if (std::abs(turned.x()) > std::abs(turned.y())) {
    const double by = -turned.x() / 1200.0 * (last_ - first_);
    setRange(first_ + by, last_ + by);
  } else {
    zoom(std::pow(1.0015, turned.y()), event->position().x());
  }
  event->accept();
}

void Waveform::mousePressEvent(QMouseEvent* event) {
  if (!zoomable_) return QWidget::mousePressEvent(event);
  pressedX_ = event->position().x();
  pressedFirst_ = first_;
}

void Waveform::mouseMoveEvent(QMouseEvent* event) {
  if (!zoomable_) return QWidget::mouseMoveEvent(event);
  if (event->buttons() & Qt::LeftButton) {
    const double length = last_ - first_, to = pressedFirst_ - (event->position().x() - pressedX_) / std::max(1.0, area().width()) * length;
    setRange(to, to + length);
  }
  emit hovered(textAt(event->position()));
}

void Waveform::mouseDoubleClickEvent(QMouseEvent* event) {
  if (!zoomable_) return QWidget::mouseDoubleClickEvent(event);
  setRange(0, double(wave().frames()));
}

void Waveform::keyPressEvent(QKeyEvent* event) {
  const double length = last_ - first_, middle = area().center().x();
  switch (zoomable_ ? event->key() : 0) {
    case Qt::Key_F: setRange(0, double(wave().frames())); break;
    case Qt::Key_Plus: zoom(1.5, middle); break;
    case Qt::Key_Minus: zoom(1 / 1.5, middle); break;
    case Qt::Key_Left: setRange(first_ - length / 8, last_ - length / 8); break;
    case Qt::Key_Right: setRange(first_ + length / 8, last_ + length / 8); break;
    default: return QWidget::keyPressEvent(event);
  }
  event->accept();
}

void Waveform::leaveEvent(QEvent* event) {
  if (zoomable_) emit hovered({});
  QWidget::leaveEvent(event);
}

}  // namespace weft::widgets
