#include "scatter/scatter_drawing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace weft::widgets {
namespace {

constexpr double kFarShade = 0.35;  // how much of its colour the farthest point keeps
constexpr int kShades = 16;
constexpr qsizetype kPointsPerSlice = 150'000;

QRgb blended(QRgb over, QRgb under, int opacity) {
  const int rest = 255 - opacity;
  const auto one = [&](int a, int b) { return (a * opacity + b * rest + 127) / 255; };
  return qRgb(one(qRed(over), qRed(under)), one(qGreen(over), qGreen(under)), one(qBlue(over), qBlue(under)));
}

}  // namespace

double ScatterDrawing::diameterFor(qsizetype points) {
  if (points > 300'000) return 1;
  if (points > 60'000) return 2;
  if (points > 15'000) return 3;
  if (points > 3'000) return 5;
  return points > 500 ? 7 : 9;
}

void ScatterDrawing::makeSpot(double diameter) {
  if (diameter == diameter_) return;
  diameter_ = diameter;
  side_ = std::max(1, int(std::ceil(diameter)));
  spot_.assign(size_t(side_ * side_), 0);
  const double middle = side_ / 2.0, radius = diameter / 2;
  for (int y = 0; y < side_; ++y) {
    for (int x = 0; x < side_; ++x) {
      const double d = std::hypot(x + 0.5 - middle, y + 0.5 - middle);
      spot_[size_t(y * side_ + x)] = uint8_t(std::clamp((radius + 0.5 - d) * 255, 0.0, 255.0));
    }
  }
  if (side_ <= 2) std::fill(spot_.begin(), spot_.end(), 255);
}

void ScatterDrawing::draw(QImage& image, const ScatterCloud& cloud, const ScatterView& view, const ScatterPaint& paint, double ratio, bool anyChosen,
                          int stride) {
  Part part;
  part.stride = stride;
  drawPart(part, image, cloud, view, paint, ratio, anyChosen);
}

int ScatterDrawing::slices(const ScatterCloud& cloud, bool anyChosen) {
  return std::max(1, int((cloud.count() + kPointsPerSlice - 1) / kPointsPerSlice)) * (anyChosen ? 2 : 1);
}

void ScatterDrawing::drawSlice(int slice, QImage& image, const ScatterCloud& cloud, const ScatterView& view, const ScatterPaint& paint, double ratio,
                               bool anyChosen) {
  const int parts = slices(cloud, false);
  Part part;
  part.begins = slice == 0;
  part.plain = slice < parts;
  part.chosen = slice >= parts;
  part.first = double(slice % parts) / parts;
  part.last = double(slice % parts + 1) / parts;
  drawPart(part, image, cloud, view, paint, ratio, anyChosen);
}

void ScatterDrawing::drawPart(const Part& part, QImage& image, const ScatterCloud& cloud, const ScatterView& view, const ScatterPaint& paint, double ratio,
                              bool anyChosen) {
  if (part.begins) image.fill(paint.background);
  if (cloud.count() == 0 || qsizetype(paint.paint.size()) != cloud.count()) return;
  ScatterView device = view;
  device.scale *= ratio;
  const ScatterProjection projection(cloud, device, image.size());
  const QRectF all(QPointF(0, 0), QSizeF(image.size()));
  makeSpot(diameterFor(projection.countIn(all)) * ratio);
  const bool solid = cloud.dimensions == 3;
  // Shades of each colour, from the farthest to the nearest points.
  std::vector<QRgb> shades;
  float depthFactor = 0, depthBegin = 0;
  if (solid) {
    if (part.begins) depth_.assign(size_t(image.width()) * size_t(image.height()), std::numeric_limits<float>::lowest());
    const float reach = std::max(1e-12f, (cloud.high - cloud.low).length() / 2);
    depthFactor = float(kShades) / (2 * reach);
    depthBegin = reach;
    for (int s = 0; s < kShades; ++s) {
      const int opacity = int(255 * (kFarShade + (1 - kFarShade) * s / (kShades - 1)));
      for (const QRgb c : paint.colors) shades.push_back(blended(c, paint.background, opacity));
    }
  }
  const int width = image.width(), height = image.height(), side = side_;
  const qsizetype line = image.bytesPerLine() / qsizetype(sizeof(QRgb));
  auto* pixels = reinterpret_cast<QRgb*>(image.bits());
  const auto& m = projection.m;
  const float half = float(side) / 2 - 0.5f;  // of the spot, so that it is centred
  const auto drawRun = [&](auto isSolid, qsizetype first, qsizetype last, bool chosen) {
    constexpr bool solid = decltype(isSolid)::value;
    const float *px = cloud.x.data(), *py = cloud.y.data(), *pz = cloud.z.data();
    const uint16_t* kinds = paint.paint.data();
    for (qsizetype k = first; k < last; k += solid ? part.stride : 1) {
      if (anyChosen && (kinds[k] >= ScatterPaint::kChosen) != chosen) continue;
      float fx, fy, nearness = 0;
      QRgb color;
      if (solid) {
        fx = m[0][0] * px[k] + m[0][1] * py[k] + m[0][2] * pz[k] + m[0][3] - half;
        fy = m[1][0] * px[k] + m[1][1] * py[k] + m[1][2] * pz[k] + m[1][3] - half;
        nearness = m[2][0] * px[k] + m[2][1] * py[k] + m[2][2] * pz[k] + m[2][3];
        const int shade = std::clamp(int((nearness + depthBegin) * depthFactor), 0, kShades - 1);
        color = shades[size_t(shade * 2 * ScatterPaint::kChosen + kinds[k])];
      } else {
        fx = m[0][0] * px[k] + m[0][3] - half;
        fy = m[1][1] * py[k] + m[1][3] - half;
        color = paint.colors[kinds[k]];
      }
      if (!(fx > float(-side) && fy > float(-side) && fx < float(width) && fy < float(height))) continue;
      const int left = int(fx + float(side)) - side, top = int(fy + float(side)) - side;  // rounds down, without a call
      if (side == 1) {
        if (left < 0 || top < 0) continue;
        if (solid && !chosen) {
          float& d = depth_[size_t(top) * size_t(width) + size_t(left)];
          if (nearness < d) continue;
          d = nearness;
        }
        pixels[top * line + left] = color;
        continue;
      }
      if (solid && !chosen) {
        // One test at the middle: spots in front of others cover them.
        const int mx = std::clamp(left + side / 2, 0, width - 1), my = std::clamp(top + side / 2, 0, height - 1);
        float& d = depth_[size_t(my) * size_t(width) + size_t(mx)];
        if (nearness < d) continue;
        d = nearness;
      }
      const int x0 = std::max(0, -left), x1 = std::min(side, width - left), y1 = std::min(side, height - top);
      for (int y = std::max(0, -top); y < y1; ++y) {
        QRgb* row = pixels + (top + y) * line + left;
        const uint8_t* opacity = spot_.data() + y * side;
        for (int x = x0; x < x1; ++x) {
          if (opacity[x] == 255) row[x] = color;
          else if (opacity[x] > 0) row[x] = blended(color, row[x], opacity[x]);
        }
      }
    }
  };
  const auto drawAll = [&](bool chosen) {
    projection.forRuns(all, [&](qsizetype first, qsizetype last) {
      if (solid) drawRun(std::true_type(), qsizetype(double(last) * part.first), qsizetype(double(last) * part.last), chosen);
      else drawRun(std::false_type(), first, last, chosen);
    });
  };
  if (part.plain) drawAll(false);
  if (anyChosen && part.chosen) drawAll(true);
}

}  // namespace weft::widgets
