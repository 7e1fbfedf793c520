#pragma once

#include <QWidget>
#include <memory>
#include <span>
#include <vector>

#include "media/media_series.h"

namespace weft::widgets {

struct Tick;

/// The samples of a sound. Copies share them.
struct WaveData {
  double sampleRate = 0;  ///< Samples a second; 0: unknown.
  int channels = 0, bits = 0;
  std::span<const float> samples;     ///< Interleaved; full scale is -1 … 1.
  std::shared_ptr<const void> owner;  ///< Keeps `samples`.
  QString error;                      ///< Why it could not be read; empty: no error.
  qint64 frames() const { return channels > 0 ? static_cast<qint64>(samples.size()) / channels : 0; }
};

/// Reads a RIFF/WAVE file with 8, 16, 24 or 32 bit integers or 32 bit floats. Truncated data is dropped; any other problem sets `error`.
WaveData readWave(const QByteArray& bytes);

/// The least and greatest sample.
struct WaveSpan {
  float low = 0, high = 0;
};

/// Finds the extremes of any part of a sound by those of blocks of 256 frames, computed once. Samples that are not finite count as 0. Immutable; any thread.
class WavePeaks {
 public:
  WavePeaks() = default;
  explicit WavePeaks(WaveData wave);
  const WaveData& wave() const { return wave_; }
  /// Over the frames from `first` to before `last`.
  WaveSpan of(int channel, qint64 first, qint64 last) const;
  /// The greatest magnitude of any sample.
  float loudest() const { return loudest_; }

 private:
  WaveData wave_;
  std::vector<WaveSpan> blocks_;  // block by block, a span per channel
  float loudest_ = 0;
};

/// The waveform of a clip, one lane per channel: minimum and maximum sample per pixel. Lanes reach to full scale, or to the loudest sample beyond it. If zoomable,
/// the wheel zooms about the pointer, dragging moves, double-click and F show all, + and - zoom. GUI thread.
class Waveform : public QWidget {
  Q_OBJECT

 public:
  explicit Waveform(QWidget* parent = nullptr);
  void setWave(WaveData wave, const QColor& color) { setPeaks(std::make_shared<const WavePeaks>(std::move(wave)), color); }
  /// For long sounds, whose peaks are better found off the GUI thread.
  void setPeaks(std::shared_ptr<const WavePeaks> peaks, const QColor& color);
  const WaveData& wave() const { return peaks_->wave(); }
  void setColor(const QColor& color);
  void setZoomable(bool on);
  /// Shows the frames from `first` to before `last`, at least 16 of them.
  void setRange(double first, double last);
  double first() const { return first_; }
  double last() const { return last_; }
  /// Time and samples at a point of the widget as text; empty outside.
  QString textAt(QPointF at) const;
  QSize sizeHint() const override { return {320, 120}; }

 signals:
  /// The text under the pointer; empty: the pointer left.
  void hovered(const QString& text);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  QRectF area() const;
  QString timeText(const Tick& tick, bool isTime, double end) const;
  void zoom(double factor, double x);
  void paintLane(QPainter& p, int channel, const QRectF& lane) const;

  std::shared_ptr<const WavePeaks> peaks_ = std::make_shared<const WavePeaks>();
  QColor color_;
  bool zoomable_ = false;
  double first_ = 0, last_ = 0;  // the shown frames
  double pressedX_ = 0, pressedFirst_ = 0;
};

}  // namespace weft::widgets
