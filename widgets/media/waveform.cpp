#include "media/waveform.h"

#include <QCoreApplication>
#include <QPainter>
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
      wave.samples.reserve(size_t(count));
      for (qsizetype i = 0; i < count; ++i) wave.samples.push_back(sampleAt(chunk + i * width, wave.bits, format == kFloat));
      return wave;
    }
    at += 8 + length + (length & 1);
  }
  wave.error = Words::tr("The WAV file contains no audio.");
  return wave;
}

void Waveform::setWave(WaveData wave, const QColor& color) {
  wave_ = std::move(wave);
  color_ = color;
  update();
}

void Waveform::paintEvent(QPaintEvent*) {
  const Theme& theme = Theme::current();
  QPainter p(this);
  p.fillRect(rect(), theme.color(Role::Surface2));
  p.setFont(theme.smallFont());
  if (!wave_.error.isEmpty() || wave_.frames() == 0) {
    p.setPen(theme.color(Role::Text3));
    p.drawText(rect().adjusted(8, 8, -8, -8), Qt::AlignCenter | Qt::TextWordWrap, wave_.error.isEmpty() ? tr("No audio") : wave_.error);
    return;
  }
  const QRectF area = QRectF(rect()).adjusted(12, 6, -12, -20);
  const qint64 frames = wave_.frames();
  const int columns = std::max(1, int(area.width()));
  const double lane = area.height() / wave_.channels;
  for (int c = 0; c < wave_.channels; ++c) {
    const double middle = area.top() + (c + 0.5) * lane, half = lane * 0.46;
    p.setPen(QPen(theme.color(Role::Surface3), 1));
    p.drawLine(QPointF(area.left(), middle), QPointF(area.right(), middle));
    p.setPen(QPen(color_, 1));
    for (int x = 0; x < columns; ++x) {
      const qint64 first = frames * x / columns, last = std::max(first + 1, frames * (x + 1) / columns);
      float low = 1, high = -1;
      // Starts at the previous sample, so that the curve is continuous where samples are wider than pixels.
      for (qint64 i = std::max<qint64>(0, first - 1); i < last; ++i) {
        const float v = wave_.samples[size_t(i * wave_.channels + c)];
        low = std::min(low, v);
        high = std::max(high, v);
      }
      p.drawLine(QPointF(area.left() + x + 0.5, middle - high * half - 0.5), QPointF(area.left() + x + 0.5, middle - low * half + 0.5));
    }
  }
  const double seconds = double(frames) / std::max(1.0, wave_.sampleRate);
  p.setFont(theme.monoSmallFont());
  p.setPen(theme.color(Role::Text3));
  for (const Tick& tick : linearTicks(0, seconds, std::max(2, int(area.width() / 80)))) {
    const QString label = formatSeconds(tick.at);
    const double wide = p.fontMetrics().horizontalAdvance(label) + 2, at = area.left() + tick.at / std::max(seconds, 1e-12) * area.width();
    p.drawText(QRectF(std::clamp(at - wide / 2, 0.0, std::max(0.0, width() - wide - 4)), area.bottom() + 2, wide, 16), Qt::AlignCenter, label);
  }
}

}  // namespace weft::widgets
