// The drawing of a graph as a picture: for files and paper.
#pragma once

#include <QPainter>
#include <QSize>
#include <QStringList>
#include <memory>

#include "graph_view/graph_view.h"

namespace weft::widgets {

/// Lays a model out once and paints all of it, whatever a view shows. GUI thread.
class GraphPicture {
 public:
  /// `open`: full names of the scopes that are drawn open. Colours are those of the present theme.
  GraphPicture(const GraphModel& model, const QStringList& open, ColorMode mode);
  ~GraphPicture();

  /// In natural size, with a margin.
  QSize size() const;
  /// Fills the painter's first size() pixels.
  void paint(QPainter& painter) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace weft::widgets
