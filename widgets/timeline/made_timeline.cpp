#include <random>

#include "timeline/timeline_data.h"

namespace weft::widgets {

void fillMadeTimeline(TimelineData& data, int slices) {
  static constexpr const char* kOps[] = {"Conv2D", "BiasAdd", "Relu", "MaxPool", "MatMul", "Add", "Identity", "ApplyAdam", "Conv2DBackpropFilter", "Mul"};
  static constexpr const char* kCategories[] = {"nn", "math", "array", "variable", "gradientUpdate", "ioSummary", "random", "controlFlow"};
  for (const char* c : kCategories) data.addCategory({QString::fromLatin1(c), QString::fromLatin1(c), -1});
  constexpr int kLayers = 40;
  for (int layer = 0; layer < kLayers; ++layer) {
    for (const char* op : kOps) data.addName(QStringLiteral("layer%1/%2").arg(layer).arg(QLatin1String(op)));
  }
  constexpr int kTracks = 16;
  std::mt19937 random(7);
  std::int32_t id = 0;
  for (int t = 0; t < kTracks; ++t) {
    const int track = data.addTrack(QStringLiteral("CPU:0 thread %1").arg(t + 1), QStringLiteral("made"), 3);
    const int count = slices / kTracks + (t < slices % kTracks ? 1 : 0);
    std::int64_t time = static_cast<std::int64_t>(random() % 1000);
    for (int made = 0; made < count;) {
      // Bursts of short slices, occasionally a long one with two nested levels.
      const bool nested = random() % 4 == 0;
      const int name = static_cast<int>(random() % (kLayers * 10));
      const auto category = static_cast<std::int16_t>(name % 8);
      const std::int64_t length =
          nested ? 4000 + static_cast<std::int64_t>(random() % 60000) : 100 + static_cast<std::int64_t>(random() % (random() % 3 == 0 ? 9000 : 900));
      data.add(track, 0, {time, length, id++, name, category});
      ++made;
      if (nested) {
        std::int64_t inside = time + 200;
        for (int k = 0; k < 3 && made < count && inside + length / 5 < time + length; ++k, inside += length / 4) {
          data.add(track, 1, {inside, length / 5, id++, (name + 1 + k) % (kLayers * 10), static_cast<std::int16_t>((name + k) % 8)});
          ++made;
          if (made < count) {
            data.add(track, 2, {inside + length / 40, length / 10, id++, (name + 7 + k) % (kLayers * 10), static_cast<std::int16_t>((name + 3 + k) % 8)});
            ++made;
          }
        }
      }
      time += length + static_cast<std::int64_t>(random() % (random() % 16 == 0 ? 40000 : 300));
    }
  }
  TimelineCounter memory;
  memory.title = QStringLiteral("memory");
  memory.bytes = true;
  double bytes = 2e7;
  const std::int64_t step = 20000;
  for (std::int64_t time = 0; static_cast<int>(memory.points.size()) < slices / 10; time += step) {
    bytes = std::max(1e6, bytes + (static_cast<double>(random() % 2001) - 1000) * 1000);
    memory.points.emplace_back(time, bytes);
  }
  data.addCounter(std::move(memory));
  data.finish();
}

}  // namespace weft::widgets
