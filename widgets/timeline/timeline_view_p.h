#pragma once

#include <QHash>
#include <QImage>
#include <QStaticText>
#include <optional>

#include "timeline/timeline_view.h"

class QPainter;
class QPainterPath;

namespace weft::widgets {

/// State and drawing of a TimelineView; times are in nanoseconds, positions in viewport pixels.
struct TimelineView::Private {
  static constexpr int kRuler = 28, kRow = 20, kTrackGap = 8, kCounter = 56, kTrackMin = 34, kGroup = 26;
  static constexpr int kMostArrows = 250;  // more would be illegible

  explicit Private(TimelineView* view) : q(view) {}

  TimelineView* q;
  std::shared_ptr<const TimelineData> data;

  // Layout: one band per track, then one per counter.
  struct Band {
    int top = 0, height = 0;
    int track = -1, counter = -1, group = -1;
  };
  std::vector<Band> bands;
  std::vector<int> rowTop;  // per row, in contents coordinates
  int contentHeight = 0;

  double start = 0, scale = 1000;  // time at the left edge of the tracks; nanoseconds per pixel
  int selected = -1;
  QVector<int> highlighted;
  QVector<std::pair<int, int>> flows;
  QVector<qint64> marks;
  qint64 rangeFrom = 0, rangeTo = 0;
  QString search;
  std::vector<char> matches;  // by name
  int hovered = -1, hoveredArrow = -1;
  std::shared_ptr<const TimelineGaps> gaps;
  int gap = -1;  // the selected one

  enum class Drag { None, Pending, Measure, Pan } drag = Drag::None;
  QPoint pressed;
  double pressedStart = 0;
  int pressedScroll = 0;
  std::optional<QPoint> mouse;

  FrameTimes frames;
  std::vector<TimelineRow::Density> density;
  QImage columns;
  std::vector<int> arrows;  // as last painted
  int tooMany = 0;          // number of arrows in view if they are too many to draw
  QHash<quint64, QStaticText> labels;

  void layout();
  void updateScrollBar();
  int header() const;  ///< Width of the title column.
  int plotWidth() const;
  double timeAt(double x) const { return start + (x - header()) * scale; }
  double xOf(double time) const { return header() + (time - start) / scale; }
  int top() const;  ///< Of the contents, scrolled.
  void clampView();
  int hit(QPoint at) const;
  void moveTo(double newStart);
  void choose(int id);
  QString describe(int id) const;
  bool matchesName(int name) const { return search.isEmpty() || matches[static_cast<std::size_t>(name)] != 0; }

  void paint(QPainter& p);
  void paintRuler(QPainter& p);
  void paintTrack(QPainter& p, const Band& band);
  void paintRow(QPainter& p, int row, int y, bool faint, const std::vector<QRgb>& colors);
  void paintLabel(QPainter& p, const TimelineSlice& slice, const QRectF& box, const QColor& background);
  void paintCounter(QPainter& p, const Band& band);
  void paintHeader(QPainter& p, const Band& band, const QString& title, const QString& subtitle);
  void paintFlows(QPainter& p);
  void paintOverlay(QPainter& p);
  void paintGroup(QPainter& p, const Band& band, const TimelineGroup& group);
  void paintArrows(QPainter& p);
  /// The arrows to draw: those in view, each place once; only the selected slice's if there are too many. Sets `tooMany`.
  void chooseArrows();
  bool isOfSelection(const TimelineArrow& arrow) const;
  /// Empty: out of view.
  QPainterPath arrowPath(const TimelineArrow& arrow) const;
  int arrowNear(QPointF at) const;
  const TimelineGroup* groupAt(QPoint at) const;
  static std::vector<QRgb> colorsOf(const QVector<TimelineCategory>& categories);
  void paintGaps(QPainter& p, int track, int y);
  int gapAt(QPoint at) const;
  void chooseGap(int id);
};

}  // namespace weft::widgets
