#pragma once

#include <QByteArray>
#include <QString>

#include "common/step_list.h"

namespace weft::widgets {

/// A text that a run logged; of a tensor of texts, its elements one after another.
struct TextEntry {
  double step = 0;
  double wall = 0;  ///< seconds since the epoch
  QString text;
};

/// A sound that a run logged, as it came (WAV).
struct SoundClip {
  double step = 0;
  double wall = 0;
  double sampleRate = 0;
  qint64 channels = 0, frames = 0;
  QString contentType;
  QByteArray encoded;
};

using TextSeries = StepList<TextEntry>;
using SoundSeries = StepList<SoundClip>;

}  // namespace weft::widgets
