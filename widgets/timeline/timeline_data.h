// The data of a timeline: tracks of nested slices and counters, with pyramids, so that the cost of a frame depends on its pixels and not on the trace's slices.
// Plain values without a window; filled once, then shared and never changed.
#pragma once

#include <QString>
#include <QVector>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace weft::widgets {

/// An activity with a duration, in nanoseconds from the start.
struct TimelineSlice {
  std::int64_t start = 0, duration = 0;
  std::int32_t id = 0;    ///< The caller's id: 0, 1, 2 … over the whole timeline.
  std::int32_t name = 0;  ///< From addName().
  std::int16_t category = 0;
  std::int64_t end() const { return start + duration; }
};

/// A summary of consecutive slices of a row.
struct SliceBlock {
  std::int64_t start = 0, end = 0, busy = 0;
  std::int64_t longest = 0;
  std::int16_t category = 0;  ///< of the longest slice
};

/// Slices that follow each other without overlap: one line of a track.
class TimelineRow {
 public:
  void add(const TimelineSlice& slice) { slices_.push_back(slice); }
  /// Sorts and builds the pyramid.
  void finish();
  const std::vector<TimelineSlice>& slices() const { return slices_; }
  /// Index of the first slice that ends after `time`.
  std::size_t firstAfter(std::int64_t time) const;
  /// The slice at `time`, or the nearest within `slack` nanoseconds; -1: none.
  int at(std::int64_t time, std::int64_t slack) const;

  /// A pixel column of slices that are too narrow to be drawn individually.
  struct Density {
    float busy = 0;  ///< share of the column's time, 0…1; above 0 wherever there is a slice, however short
    float most = 0;
    std::int16_t category = -1;
  };
  /// Visits [t0, t0 + columns·nsPerColumn): calls `wide` for slices of at least `minColumns` columns and adds all others to `density` (resized to `columns`).
  /// Visits O(columns · log slices) blocks.
  void visit(double t0, double nsPerColumn, int columns, double minColumns, std::vector<Density>& density, const std::function<void(int index)>& wide) const;
  /// Total time of slices within [from, to), and their number.
  std::int64_t busyIn(std::int64_t from, std::int64_t to, std::int64_t* count = nullptr) const;

 private:
  static constexpr std::size_t kFan = 8;
  std::vector<TimelineSlice> slices_;
  std::vector<std::vector<SliceBlock>> levels_;  // levels_[k][i]: slices [i, i + 1) · kFan^(k + 1)
};

/// A thread, a stream, a device: one or more rows.
struct TimelineTrack {
  QString title, subtitle;
  int firstRow = 0, rowCount = 1;
  bool faint = false;  ///< Repeats data of other tracks.
};

/// A number over time; each point holds until the next.
struct TimelineCounter {
  QString title, subtitle;
  bool bytes = false;
  int hue = 0;
  std::vector<std::pair<std::int64_t, double>> points;  ///< by time
};

/// A header above the tracks that follow: a task of a cluster.
struct TimelineGroup {
  int firstTrack = 0;
  QString title, detail, tip;
  int hue = -1;  ///< categorical; -1: none
};

/// An arrow between two slices, whose ends may lie anywhere in them: a transfer.
struct TimelineArrow {
  int from = -1, to = -1;           ///< ids of slices, which give the rows
  std::int64_t start = 0, end = 0;  ///< times of its ends
  int via = -1;                     ///< a third slice that belongs to it; -1: none
  QString tip;
};

/// A colour and its meaning.
struct TimelineCategory {
  QString title;
  QString opCategory;  ///< a hue of the theme's op categories; empty: the categorical `hue`, -1: neutral
  int hue = -1;
  std::optional<double> signedValue = {};  ///< -1…1: a colour of the diverging ramp instead
};

/// A named time span above the tracks: a step.
struct TimelineSpan {
  std::int64_t start = 0, end = 0;
  QString title;
};

class TimelineData {
 public:
  int addName(const QString& name) {
    names_.push_back(name);
    return static_cast<int>(names_.size()) - 1;
  }
  int addTrack(const QString& title, const QString& subtitle, int rows, bool faint = false);
  void add(int track, int depth, const TimelineSlice& slice) { rows_[static_cast<std::size_t>(tracks_[track].firstRow + depth)].add(slice); }
  void addCounter(TimelineCounter counter) { counters_.push_back(std::move(counter)); }
  void addCategory(const TimelineCategory& category) { categories_.push_back(category); }
  void addSpan(const TimelineSpan& span) { spans_.push_back(span); }
  /// The tracks added from now on belong to it.
  void addGroup(TimelineGroup group);
  /// REQUIRES: both slices are added before finish().
  void addArrow(TimelineArrow arrow) { arrows_.push_back(std::move(arrow)); }
  void setSubtitle(int track, const QString& text) { tracks_[track].subtitle = text; }
  /// Call after everything was added. Ids must be the numbers 0 … sliceCount()-1, each once (−1: a slice that cannot be selected).
  void finish();

  int sliceCount() const { return static_cast<int>(places_.size()); }
  std::int64_t duration() const { return duration_; }
  const QVector<TimelineTrack>& tracks() const { return tracks_; }
  const QVector<TimelineCounter>& counters() const { return counters_; }
  const QVector<TimelineCategory>& categories() const { return categories_; }
  const QVector<TimelineSpan>& spans() const { return spans_; }
  const QVector<TimelineGroup>& groups() const { return groups_; }
  const std::vector<TimelineArrow>& arrows() const { return arrows_; }
  const TimelineRow& row(int index) const { return rows_[static_cast<std::size_t>(index)]; }
  int rowCount() const { return static_cast<int>(rows_.size()); }
  const QString& name(int index) const { return names_[static_cast<std::size_t>(index)]; }
  int nameCount() const { return static_cast<int>(names_.size()); }

  /// The position of a slice; row -1: none.
  struct Place {
    std::int32_t row = -1, index = -1;
  };
  Place place(int id) const { return id >= 0 && id < sliceCount() ? places_[static_cast<std::size_t>(id)] : Place{}; }
  /// REQUIRES: place(id).row >= 0.
  const TimelineSlice& slice(int id) const {
    const Place p = place(id);
    return rows_[static_cast<std::size_t>(p.row)].slices()[static_cast<std::size_t>(p.index)];
  }
  /// Minimum and maximum of a counter in [from, to), including the value that held at `from`.
  std::pair<double, double> counterRange(int counter, std::int64_t from, std::int64_t to) const;

 private:
  std::vector<QString> names_;
  QVector<TimelineTrack> tracks_;
  std::vector<TimelineRow> rows_;
  QVector<TimelineCounter> counters_;
  std::vector<std::vector<std::pair<double, double>>> counterBlocks_;  // minimum and maximum of 32 points each
  QVector<TimelineCategory> categories_;
  QVector<TimelineSpan> spans_;
  QVector<TimelineGroup> groups_;
  std::vector<TimelineArrow> arrows_;
  std::vector<Place> places_;
  std::int64_t duration_ = 0;
};

/// Times in which the tracks of a TimelineData had nothing to run, and why: drawn between the slices of each track's first row. Filled once, then shared.
struct TimelineGaps {
  std::vector<TimelineRow> rows;           ///< by track; names are positions in `texts`
  std::vector<QString> texts;              ///< short reasons
  QVector<TimelineCategory> categories;    ///< one per reason
  std::function<QString(int id)> tip;      ///< the whole reason
  std::vector<std::pair<int, int>> where;  ///< by id: track and position in its row
  /// Sorts the rows and fills `where`. Ids are the numbers 0 … `count`-1, each once.
  void finish(int count);
  const TimelineSlice& gap(int id) const {
    const auto [track, at] = where[static_cast<std::size_t>(id)];
    return rows[static_cast<std::size_t>(track)].slices()[static_cast<std::size_t>(at)];
  }
};

/// Distance of the ruler's ticks: 1, 2 or 5 times a power of ten nanoseconds, at least `minPixels` apart.
std::int64_t tickStep(double nsPerPixel, double minPixels);
/// `12.5 µs`, with as many digits as `step` needs; `0`.
QString formatTick(std::int64_t ns, std::int64_t step);

/// A synthetic timeline of about `slices` slices: threads with nested slices of all lengths, from nanoseconds to milliseconds, and a counter.
void fillMadeTimeline(TimelineData& data, int slices);

}  // namespace weft::widgets
