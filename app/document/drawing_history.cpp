#include "document/drawing_history.h"

#include <algorithm>

#include "document/document.h"

namespace weft::app {

DrawingHistory::DrawingHistory(Document& document) : QObject(&document) { setObjectName(QStringLiteral("drawing_history")); }

DrawingHistory& DrawingHistory::of(Document& document) {
  for (QObject* child : document.children())
    if (auto* history = dynamic_cast<DrawingHistory*>(child)) return *history;
  return *new DrawingHistory(document);
}

DrawingPtr DrawingHistory::note(int step) {
  DrawingPtr seen = now();
  if (seen && step >= 0) {
    steps_.resize(std::max(steps_.size(), size_t(step) + 1));
    steps_[size_t(step)] = seen;
  }
  return seen;
}

void DrawingHistory::forgetFrom(int step) {
  if (size_t(std::max(0, step)) < steps_.size()) steps_.resize(size_t(std::max(0, step)));
}

}  // namespace weft::app
