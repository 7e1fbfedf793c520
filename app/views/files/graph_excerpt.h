#pragma once

#include <QWidget>

#include "adapters/variable_excerpt.h"

namespace weft::app {

/// Three nodes of a graph in a row: a variable, its reader, and the reader of that. A click or Enter opens a node. GUI thread.
class GraphExcerpt : public QWidget {
  Q_OBJECT

 public:
  explicit GraphExcerpt(QWidget* parent);
  void setExcerpt(const VariableExcerpt& excerpt);
  const VariableExcerpt& excerpt() const { return excerpt_; }
  QPoint centreOf(int node) const { return rectOf(node).center().toPoint(); }
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {120, sizeHint().height()}; }

 signals:
  void chosen(const QString& node);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;

 private:
  QRectF rectOf(int node) const;
  int at(const QPoint& point) const;

  VariableExcerpt excerpt_;
  int marked_ = 0;  // the node selected by the keyboard
};

}  // namespace weft::app
