// The drawing of a graph as a picture, for files and printing.
#pragma once

#include <QPainter>
#include <QSize>
#include <QStringList>
#include <memory>

#include "graph_view/graph_view.h"

namespace weft::widgets {

/// Lays out a model once and paints all of it, independent of any view. GUI thread.
class GraphPicture {
 public:
  /// `open`: full names of the scopes drawn open. Uses the colours of the current theme.
  GraphPicture(const GraphModel& model, const QStringList& open, ColorMode mode);
  ~GraphPicture();

  /// Size at 100 %, with a margin.
  QSize size() const;
  /// Fills the painter's first size() pixels.
  void paint(QPainter& painter) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace weft::widgets
