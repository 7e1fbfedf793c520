// A training in one narrow row: data, layers with their gradient norms, loss with its curve, accuracy, optimizer.
#pragma once

#include <QHash>
#include <QVector>
#include <QWidget>
#include <memory>
#include <optional>
#include <span>

#include "adapters/train_spine.h"
#include "document/run_record.h"
#include "plot/series_store.h"

namespace weft::widgets {
class FrameMember;
}

namespace weft::app {

class Document;
class Workspace;

/// A curve with a bounded number of points: when it is full, neighbours are merged into their mean.
class ShortCurve {
 public:
  void add(double value);
  void clear();
  const QVector<double>& points() const { return points_; }

 private:
  static constexpr qsizetype kMost = 128;
  QVector<double> points_;
  qint64 perPoint_ = 1, gathered_ = 0;
  double sum_ = 0;
};

/// Shown while the document's training runs or is paused; in the layout Train also before and after, with the values of the last run. A click on a layer
/// selects it on the canvas.
class TrainStrip : public QWidget {
  Q_OBJECT

 public:
  TrainStrip(Document* document, Workspace& workspace, QWidget* parent = nullptr);
  ~TrainStrip() override;

  /// The texts of the row's parts, for tests and screen readers: "conv1 · 832 · ∇ 2.1e-2".
  QStringList texts() const;
  /// Texts that do not fit their boxes, for tests.
  QStringList cutTexts() const;
  /// Centre of the box with that title; null if there is none.
  QPoint centreOf(const QString& title) const;
  double contentWidth() const { return boxes_.isEmpty() ? 0 : boxes_.last().rect.right(); }
  static constexpr int kHeight = 76;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  bool event(QEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  enum class Kind { Input, Layer, More, Loss, Accuracy, Train };
  struct Box {
    Kind kind = Kind::Layer;
    QString title, fact;  ///< second line, without the changing part
    int layer = -1;
    QRectF rect;
  };
  bool isTraining() const;
  void follow();
  /// Shows the values of the last run while none is active.
  void showLast();
  RunProgress lastProgress() const;
  const RunProgress& progress() const;
  void begin();
  void place();
  QVector<Box> boxesOf(const TrainSpine& spine, qsizetype layers, bool sizes) const;
  double widthOf(const Box& box) const;
  QString liveText(const Box& box) const;
  std::optional<double> normOf(const SpineLayer& layer) const;
  const Box* at(const QPoint& point) const;
  void paintBox(QPainter& painter, const Box& box) const;
  void paintCurve(QPainter& painter, const QRectF& rect) const;
  QString tipOf(const Box& box) const;

  Document* document_;
  Workspace& workspace_;
  TrainSpine whole_, spine_;
  QVector<Box> boxes_;
  ShortCurve loss_;
  QHash<QString, double> norms_;  ///< Latest ones, by variable.
  std::unique_ptr<widgets::FrameMember> frame_;
  RunProgress last_;
  int run_ = -1;
  bool hasAccuracy_ = false;
};

}  // namespace weft::app
