#pragma once

#include <QWidget>
#include <vector>

#include "media/media_series.h"

namespace weft::widgets {

/// The contents of a WAV file.
struct WaveData {
  double sampleRate = 0;
  int channels = 0, bits = 0;
  std::vector<float> samples;  ///< -1 … 1, interleaved
  QString error;               ///< Why it could not be read; empty: no error.
  qint64 frames() const { return channels > 0 ? static_cast<qint64>(samples.size()) / channels : 0; }
};

/// Reads a RIFF/WAVE file with 8, 16, 24 or 32 bit integers or 32 bit floats. Truncated data is dropped; any other problem sets `error`.
WaveData readWave(const QByteArray& bytes);

/// The waveform of a clip, one lane per channel: minimum and maximum sample per pixel. GUI thread.
class Waveform : public QWidget {
  Q_OBJECT

 public:
  explicit Waveform(QWidget* parent = nullptr) : QWidget(parent) { setMinimumSize(80, 40); }
  void setWave(WaveData wave, const QColor& color);
  const WaveData& wave() const { return wave_; }
  QSize sizeHint() const override { return {320, 120}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  WaveData wave_;
  QColor color_;
};

}  // namespace weft::widgets
