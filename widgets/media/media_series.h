#pragma once

#include <QByteArray>
#include <QString>

#include "common/step_list.h"

namespace weft::widgets {

/// A logged text; for a tensor of strings, its elements in order.
struct TextEntry {
  double step = 0;
  double wall = 0;  ///< seconds since the epoch
  QString text;
};

/// A logged audio clip in its original encoding (WAV).
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
