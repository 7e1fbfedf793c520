#pragma once

#include "graph_view/graph_view.h"

namespace weft::widgets {

/// Announces wires dropped at ports that do not accept them. One per canvas, as its child. GUI thread.
class WireRefusals : public QObject {
  Q_OBJECT

 public:
  static WireRefusals& of(GraphView& view);

 signals:
  /// `why` is the model's sentence.
  void refused(weft::widgets::Port from, weft::widgets::Port to, const QString& why);

 private:
  explicit WireRefusals(GraphView& view) : QObject(&view) {}
};

}  // namespace weft::widgets
