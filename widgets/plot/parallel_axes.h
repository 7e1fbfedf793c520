#pragma once

#include <QColor>
#include <QString>
#include <QStringList>
#include <QWidget>
#include <optional>
#include <vector>

namespace weft::widgets {

/// Parallel coordinates: one vertical axis per quantity, one line per item. An axis of numbers runs from the least to the greatest; one of words has a place for
/// each word. A missing value interrupts the line. Hovering brings a line to the front, a click chooses it. Where selecting is on, dragging along an axis selects
/// the lines that pass there; several axes together select what passes all of them, and a click on an axis removes its range. GUI thread.
class ParallelAxes : public QWidget {
  Q_OBJECT

 public:
  explicit ParallelAxes(QWidget* parent = nullptr);

  struct Axis {
    QString title;
    double low = 0, high = 1;
    QStringList words = {};    ///< from the bottom up; empty: an axis of numbers
    bool logarithmic = false;  ///< All values are above 0.
  };
  struct Line {
    QString name;
    QColor color;
    std::vector<std::optional<double>> values;  ///< one per axis; of words: the index
  };
  void setContents(std::vector<Axis> axes, std::vector<Line> lines);
  /// Lets ranges of axes be dragged.
  void setSelecting(bool on) { selecting_ = on; }
  /// The selected lines, which others are dimmed for; empty: none.
  void setSelected(const std::vector<int>& lines);
  /// The lines that pass all dragged ranges; all of them if there is no range.
  std::vector<int> linesInRanges() const;
  /// The line drawn in front; -1: none.
  void setChosen(int line);
  /// The line at a pixel; -1: none is near.
  int lineAt(QPointF pixel) const;
  /// Where a value of an axis lies. REQUIRES: `axis` exists.
  QPointF place(std::size_t axis, double value) const;
  QSize sizeHint() const override { return {420, 220}; }
  QSize minimumSizeHint() const override { return {120, 80}; }

 signals:
  void lineClicked(int line);
  /// Ranges were dragged or removed: the lines that pass them. Empty: no range is left.
  void selected(const std::vector<int>& lines);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void drawLine(QPainter& painter, const Line& line) const;

  std::vector<Axis> axes_;
  std::vector<Line> lines_;
  int chosen_ = -1, hovered_ = -1;
  struct Range {
    double from = 0, to = 0;  // shares of the axis, from the bottom
  };
  int axisAt(QPointF pixel) const;
  double shareAt(double y) const;
  std::vector<std::optional<Range>> ranges_;  // one per axis
  std::vector<char> selected_;                // one per line; empty: none
  int dragged_ = -1;                          // the axis
  bool selecting_ = false;
};

}  // namespace weft::widgets
