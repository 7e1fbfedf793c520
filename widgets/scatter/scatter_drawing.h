#pragma once

#include <QImage>
#include <vector>

#include "scatter/scatter_cloud.h"

namespace weft::widgets {

/// How points look. `paint`: of each point in the order of drawing, a hue below 256, plus kChosen if it is selected.
struct ScatterPaint {
  static constexpr uint16_t kChosen = 256;
  std::vector<uint16_t> paint;
  QRgb colors[2 * kChosen] = {};  ///< By paint.
  QRgb background = 0;
};

/// Draws points into a picture of device pixels by hand: a pixel each if there are very many, round spots if there are few. Keeps its work memory.
class ScatterDrawing {
 public:
  /// `ratio`: device pixels per pixel of the view. Selected points lie above the others. `stride`: in three dimensions every so many points are drawn.
  void draw(QImage& image, const ScatterCloud& cloud, const ScatterView& view, const ScatterPaint& paint, double ratio, bool anyChosen, int stride = 1);
  /// Draws a part of a cloud in three dimensions: slice 0 begins the picture, the last of slices(cloud, anyChosen) completes it.
  void drawSlice(int slice, QImage& image, const ScatterCloud& cloud, const ScatterView& view, const ScatterPaint& paint, double ratio, bool anyChosen);
  static int slices(const ScatterCloud& cloud, bool anyChosen);
  /// The diameter in pixels of the points when so many are in sight.
  static double diameterFor(qsizetype points);

 private:
  void makeSpot(double diameter);
  struct Part {
    bool begins = true, plain = true, chosen = true;  // what is drawn
    double first = 0, last = 1;                       // shares of the points
    int stride = 1;
  };
  void drawPart(const Part& part, QImage& image, const ScatterCloud& cloud, const ScatterView& view, const ScatterPaint& paint, double ratio, bool anyChosen);

  std::vector<float> depth_;
  double diameter_ = 0;
  int side_ = 0;
  std::vector<uint8_t> spot_;  // opacities, [side, side]
};

}  // namespace weft::widgets
