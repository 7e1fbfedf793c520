#pragma once

#include <QVector>
#include <QWidget>
#include <memory>

class QChart;
class QChartView;
class QLogValueAxis;

namespace weft::widgets {

/// An op in the roofline: its FLOPs per byte moved, and its speed.
struct RooflinePoint {
  QString name, op;
  double intensity = 0;  ///< FLOPs per byte
  double gflops = 0;     ///< GFLOP/s
  double share = 0;      ///< of the total time, 0…1
  QString opCategory;    ///< of the theme; empty: none
};

/// FLOP/s over FLOPs per byte, both axes logarithmic, under the machine's roof: its bandwidth up to the ridge, its peak rate from there on. Ops are circles,
/// larger the more time they take. Drawn with Qt Charts, because there are few points. GUI thread.
class RooflinePlot : public QWidget {
  Q_OBJECT

 public:
  explicit RooflinePlot(QWidget* parent = nullptr);
  ~RooflinePlot() override;

  void setPoints(const QVector<RooflinePoint>& points);
  const QVector<RooflinePoint>& points() const { return points_; }
  /// The machine's limits; 0: unknown, no roof is drawn.
  void setRoof(double gflops, double gigabytes);
  void setSelected(const QString& name);
  /// The roof at that intensity in GFLOP/s; 0: unknown.
  double roofAt(double intensity) const;
  /// Text shown beside the pointer for an op.
  QString describe(const RooflinePoint& point) const;
  /// Description of the roof; empty: there is none.
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
