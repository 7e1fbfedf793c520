// Contents of the bar above the canvas. Painted, because a rich-text label would lay its document out several times for each change of the selection.
#pragma once

#include <QColor>
#include <QString>
#include <QVector>
#include <QWidget>

class QPainter;

namespace weft::app {

/// The path of enclosing scopes, each a link; the last one is the present scope.
class CrumbBar : public QWidget {
  Q_OBJECT

 public:
  struct Crumb {
    QString text, target;
    bool operator==(const Crumb&) const = default;
  };
  explicit CrumbBar(QWidget* parent = nullptr);
  void setPath(const QVector<Crumb>& path);
  const QVector<Crumb>& path() const { return path_; }
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {1, sizeHint().height()}; }

 signals:
  void chosen(const QString& target);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void measure();

  QVector<Crumb> path_;
  QVector<double> widths_;
};

/// A legend of colours. Shows as many entries as fit, from the front, and always the last one; nothing if fewer than three of more would fit.
class LegendStrip : public QWidget {
  Q_OBJECT

 public:
  /// A spot, an arrow in a circle, words on a ground of the colour; a wire, a dashed one, a double one, one on a band; a dashed frame.
  enum class Mark { Square, Loop, Ground, Wire, Dashes, Double, Band, Frame };
  struct Entry {
    QColor color;
    QString text;
    Mark mark = Mark::Square;
    bool operator==(const Entry&) const = default;
  };
  explicit LegendStrip(QWidget* parent = nullptr);
  void setEntries(const QVector<Entry>& entries);
  const QVector<Entry>& entries() const { return entries_; }
  /// The entries that fit into a strip of that width.
  QVector<Entry> fitting(double width) const;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {1, sizeHint().height()}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  double widthOf(const Entry& entry) const;
  static double markWidth(Mark mark);
  static void paintLine(QPainter& painter, const Entry& entry, const QRectF& box);
  void measure();

  QVector<Entry> entries_;
  QVector<double> widths_;
};

}  // namespace weft::app
