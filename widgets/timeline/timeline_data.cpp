#include "timeline/timeline_data.h"

#include <algorithm>
#include <cmath>

#include "common/format.h"

namespace weft::widgets {

void TimelineRow::finish() {
  const auto before = [](const TimelineSlice& a, const TimelineSlice& b) { return a.start != b.start ? a.start < b.start : a.end() < b.end(); };
  if (!std::is_sorted(slices_.begin(), slices_.end(), before)) std::sort(slices_.begin(), slices_.end(), before);
  levels_.clear();
  std::size_t below = slices_.size();
  for (int level = 0; below > kFan; ++level) {
    std::vector<SliceBlock> blocks((below + kFan - 1) / kFan);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      SliceBlock& b = blocks[i];
      for (std::size_t k = i * kFan; k < std::min(below, (i + 1) * kFan); ++k) {
        SliceBlock part;
        if (level == 0) {
          const TimelineSlice& s = slices_[k];
          part = {s.start, s.end(), s.duration, s.duration, s.category};
        } else {
          part = levels_.back()[k];
        }
        if (k == i * kFan) {
          b = part;
          continue;
        }
        b.end = std::max(b.end, part.end);
        b.busy += part.busy;
        if (part.longest > b.longest) {
          b.longest = part.longest;
          b.category = part.category;
        }
      }
    }
    below = blocks.size();
    levels_.push_back(std::move(blocks));
  }
}

std::size_t TimelineRow::firstAfter(std::int64_t time) const {
  return static_cast<std::size_t>(
      std::partition_point(slices_.begin(), slices_.end(), [time](const TimelineSlice& s) { return s.end() <= time && s.start < time; }) - slices_.begin());
}

int TimelineRow::at(std::int64_t time, std::int64_t slack) const {
  int best = -1;
  std::int64_t distance = slack + 1;
  const std::size_t first = firstAfter(time);
  for (std::size_t i = first > 0 ? first - 1 : 0; i < std::min(slices_.size(), first + 2); ++i) {
    const TimelineSlice& s = slices_[i];
    const std::int64_t away = time < s.start ? s.start - time : time >= s.end() ? time - s.end() : 0;
    if (away < distance) {
      distance = away;
      best = static_cast<int>(i);
    }
  }
  return best;
}

// Descends from the largest blocks. A block within one column is added to it as a whole; so is a slice that is too narrow.
void TimelineRow::visit(double t0, double nsPerColumn, int columns, double minColumns, std::vector<Density>& density,
                        const std::function<void(int index)>& wide) const {
  density.assign(static_cast<std::size_t>(columns), {});
  const double t1 = t0 + nsPerColumn * columns;
  const auto put = [&](double start, double busy, std::int16_t category) {
    const int column = std::clamp(static_cast<int>((start - t0) / nsPerColumn), 0, columns - 1);
    Density& d = density[static_cast<std::size_t>(column)];
    const float share = static_cast<float>(std::max(busy / nsPerColumn, 1e-6));
    d.busy = std::min(1.0F, d.busy + share);
    if (share > d.most) {
      d.most = share;
      d.category = category;
    }
  };
  const double minWidth = minColumns * nsPerColumn;
  const auto slice = [&](std::size_t i) {
    const TimelineSlice& s = slices_[i];
    const double start = static_cast<double>(s.start), end = static_cast<double>(s.end());
    if (end < t0 || start >= t1) return;
    if (end - start >= minWidth) {
      wide(static_cast<int>(i));
    } else {
      // A slice across the edge of two columns counts in both.
      const double edge = t0 + nsPerColumn * (std::floor((std::max(start, t0) - t0) / nsPerColumn) + 1);
      put(std::max(start, t0), std::min(end, edge) - std::max(start, t0), s.category);
      if (end > edge && edge < t1) put(edge, std::min(end, t1) - edge, s.category);
    }
  };
  const std::function<void(std::size_t, std::size_t)> block = [&](std::size_t level, std::size_t i) {
    const SliceBlock& b = levels_[level][i];
    const double start = static_cast<double>(b.start), end = static_cast<double>(b.end);
    if (end < t0 || start >= t1) return;
    // Only blocks within one column: one across an edge is descended into, so that each slice is counted where it starts.
    if (start >= t0 && std::floor((start - t0) / nsPerColumn) == std::floor((end - t0) / nsPerColumn)) {
      put(start, static_cast<double>(b.busy), b.category);
      return;
    }
    const std::size_t below = level == 0 ? slices_.size() : levels_[level - 1].size();
    for (std::size_t k = i * kFan; k < std::min(below, (i + 1) * kFan); ++k) {
      if (level == 0) slice(k);
      else block(level - 1, k);
    }
  };
  if (levels_.empty()) {
    for (std::size_t i = 0; i < slices_.size(); ++i) slice(i);
  } else {
    for (std::size_t i = 0; i < levels_.back().size(); ++i) block(levels_.size() - 1, i);
  }
}

std::int64_t TimelineRow::busyIn(std::int64_t from, std::int64_t to, std::int64_t* count) const {
  std::int64_t sum = 0, n = 0;
  const auto slice = [&](const TimelineSlice& s) {
    if (s.end() < from || s.start >= to) return;
    ++n;
    sum += std::max<std::int64_t>(0, std::min(to, s.end()) - std::max(from, s.start));
  };
  const std::function<void(std::size_t, std::size_t)> block = [&](std::size_t level, std::size_t i) {
    const SliceBlock& b = levels_[level][i];
    if (b.end < from || b.start >= to) return;
    std::size_t width = kFan;
    for (std::size_t k = 0; k < level; ++k) width *= kFan;
    if (b.start >= from && b.end < to) {
      sum += b.busy;
      n += static_cast<std::int64_t>(std::min(slices_.size(), (i + 1) * width) - i * width);
      return;
    }
    const std::size_t below = level == 0 ? slices_.size() : levels_[level - 1].size();
    for (std::size_t k = i * kFan; k < std::min(below, (i + 1) * kFan); ++k) {
      if (level == 0) slice(slices_[k]);
      else block(level - 1, k);
    }
  };
  if (levels_.empty()) {
    for (const TimelineSlice& s : slices_) slice(s);
  } else {
    for (std::size_t i = 0; i < levels_.back().size(); ++i) block(levels_.size() - 1, i);
  }
  if (count != nullptr) *count = n;
  return sum;
}

void TimelineData::addGroup(TimelineGroup group) {
  group.firstTrack = static_cast<int>(tracks_.size());
  groups_ << std::move(group);
}

int TimelineData::addTrack(const QString& title, const QString& subtitle, int rows, bool faint) {
  TimelineTrack track;
  track.title = title;
  track.subtitle = subtitle;
  track.firstRow = rowCount();
  track.rowCount = std::max(1, rows);
  track.faint = faint;
  rows_.resize(rows_.size() + static_cast<std::size_t>(track.rowCount));
  tracks_.push_back(track);
  return static_cast<int>(tracks_.size()) - 1;
}

void TimelineData::finish() {
  std::int32_t last = -1;
  for (TimelineRow& row : rows_) {
    row.finish();
    for (const TimelineSlice& s : row.slices()) {
      duration_ = std::max(duration_, s.end());
      last = std::max(last, s.id);
    }
  }
  places_.assign(static_cast<std::size_t>(last + 1), {});
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const auto& slices = rows_[r].slices();
    for (std::size_t i = 0; i < slices.size(); ++i) {
      if (slices[i].id >= 0) places_[static_cast<std::size_t>(slices[i].id)] = {static_cast<std::int32_t>(r), static_cast<std::int32_t>(i)};
    }
  }
  counterBlocks_.clear();
  for (TimelineCounter& c : counters_) {
    std::vector<std::pair<double, double>> blocks((c.points.size() + 31) / 32);
    for (std::size_t i = 0; i < c.points.size(); ++i) {
      const double v = c.points[i].second;
      auto& b = blocks[i / 32];
      b = i % 32 == 0 ? std::pair(v, v) : std::pair(std::min(b.first, v), std::max(b.second, v));
      duration_ = std::max(duration_, c.points[i].first);
    }
    counterBlocks_.push_back(std::move(blocks));
  }
}

std::pair<double, double> TimelineData::counterRange(int counter, std::int64_t from, std::int64_t to) const {
  const auto& points = counters_[counter].points;
  const auto& blocks = counterBlocks_[static_cast<std::size_t>(counter)];
  const auto later = [](std::int64_t t, const auto& p) { return t < p.first; };
  const auto end = static_cast<std::size_t>(std::upper_bound(points.begin(), points.end(), std::max(from, to - 1), later) - points.begin());
  std::size_t i = static_cast<std::size_t>(std::upper_bound(points.begin(), points.end(), from, later) - points.begin());
  if (i > 0) --i;  // the point whose value holds at `from`
  if (i >= end) return {0, 0};
  double low = points[i].second, high = low;
  while (i < end) {
    if (i % 32 == 0 && i + 32 <= end) {
      low = std::min(low, blocks[i / 32].first);
      high = std::max(high, blocks[i / 32].second);
      i += 32;
    } else {
      low = std::min(low, points[i].second);
      high = std::max(high, points[i].second);
      ++i;
    }
  }
  return {low, high};
}

std::int64_t tickStep(double nsPerPixel, double minPixels) {
  const double least = std::max(1.0, nsPerPixel * minPixels);
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double m : {1.0, 2.0, 5.0, 10.0}) {
    if (power * m >= least * 0.999) return static_cast<std::int64_t>(std::llround(power * m));
  }
  return static_cast<std::int64_t>(std::llround(power * 10));
}

QString formatTick(std::int64_t ns, std::int64_t step) {
  if (ns == 0) return QStringLiteral("0");
  // Unit of the value; enough digits that neighbouring ticks differ.
  const double value = std::fabs(static_cast<double>(ns));
  double unit = 1;
  QString name = QStringLiteral("ns");
  if (value >= 1e9) unit = 1e9, name = QStringLiteral("s");
  else if (value >= 1e6) unit = 1e6, name = QStringLiteral("ms");
  else if (value >= 1e3) unit = 1e3, name = QStringLiteral("µs");
  int digits = 0;
  for (double s = static_cast<double>(step) / unit; s < 0.999 && digits < 9; s *= 10) ++digits;
  return QStringLiteral("%1 %2").arg(static_cast<double>(ns) / unit, 0, 'f', digits).arg(name);
}

}  // namespace weft::widgets
