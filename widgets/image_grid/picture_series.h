#pragma once

#include <QByteArray>

#include "common/step_list.h"

namespace weft::widgets {

/// A logged picture in its original encoding (PNG, JPEG, GIF).
struct Picture {
  double step = 0;
  double wall = 0;  ///< seconds since the epoch
  QByteArray encoded;
  int width = 0, height = 0, channels = 0;
};

using PictureSeries = StepList<Picture>;

}  // namespace weft::widgets
