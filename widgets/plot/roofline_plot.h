#pragma once

#include <QVector>
#include <QWidget>
#include <memory>

class QChart;
class QChartView;
class QLogValueAxis;

namespace weft::widgets {

/// An op in the roofline: how much it computes for each byte that it moves, and how fast.
struct RooflinePoint {
  QString name, op;
  double intensity = 0;  ///< FLOPs for each byte
  double gflops = 0;     ///< thousands of millions of FLOPs per second
  double share = 0;      ///< of the time of everything, 0…1
  QString opCategory;    ///< of the theme; empty: none
};

/// FLOP/s over FLOPs per byte, both axes logarithmic, under the roof that the machine sets: its bandwidth up to the ridge, its best rate from there on.
/// Ops are circles, the larger the more time they take. Drawn by Qt Charts: the points are few. GUI thread.
class RooflinePlot : public QWidget {
  Q_OBJECT

 public:
  explicit RooflinePlot(QWidget* parent = nullptr);
  ~RooflinePlot() override;

  void setPoints(const QVector<RooflinePoint>& points);
  const QVector<RooflinePoint>& points() const { return points_; }
  /// Of the machine; 0: not known, no roof is drawn.
  void setRoof(double gflops, double gigabytes);
  void setSelected(const QString& name);
  /// What the roof allows at that intensity, GFLOP/s; 0: not known.
  double roofAt(double intensity) const;
  /// What is said of an op beside the pointer.
  QString describe(const RooflinePoint& point) const;
  /// What is said of the roof; empty: there is none.
  QString describeRoof() const;

 signals:
  void pointClicked(const QString& name);

 protected:
  void changeEvent(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void rebuild();
  int at(QPointF viewport) const;
  bool isOnRoof(QPointF viewport) const;

  QVector<RooflinePoint> points_;
  double gflops_ = 0, gigabytes_ = 0;
  QString selected_;
  QChart* chart_;
  QChartView* view_;
  QLogValueAxis *axisX_, *axisY_;
};

}  // namespace weft::widgets
