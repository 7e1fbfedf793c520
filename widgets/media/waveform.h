#pragma once

#include <QWidget>
#include <vector>

#include "media/media_series.h"

namespace weft::widgets {

/// What a WAV file holds.
struct WaveData {
  double sampleRate = 0;
  int channels = 0, bits = 0;
  std::vector<float> samples;  ///< -1 … 1, the channels of a frame side by side
  QString error;               ///< Why it could not be read; empty: it was.
  qint64 frames() const { return channels > 0 ? static_cast<qint64>(samples.size()) / channels : 0; }
};

/// Reads a RIFF/WAVE file of 8, 16, 24 or 32 bits of integers, or 32 bits of floating point. What is cut off is left out; anything else says why.
WaveData readWave(const QByteArray& bytes);

/// The waveform of a clip, one lane per channel: for each pixel the lowest and the highest sample. GUI thread.
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
