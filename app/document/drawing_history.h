#pragma once

#include <QObject>
#include <functional>
#include <vector>

#include "adapters/canvas_drawing.h"

namespace weft::app {

class Document;

/// How a document looked at each step of its history: undo and redo show exactly what was there. A child of the document. GUI thread.
class DrawingHistory : public QObject {
 public:
  static DrawingHistory& of(Document& document);

  /// Whoever shows the graph says how it looks now.
  void setSource(std::function<DrawingPtr()> source) { source_ = std::move(source); }
  /// How it looks now; null: nobody shows it, or it is being laid out.
  DrawingPtr now() const { return source_ ? source_() : nullptr; }
  /// Keeps how it looks now for that step; returns it.
  DrawingPtr note(int step);
  /// What was kept for a step; null: nothing.
  DrawingPtr at(int step) const { return step >= 0 && size_t(step) < steps_.size() ? steps_[size_t(step)] : nullptr; }
  /// Steps from this one on are no more: another edit was made before them.
  void forgetFrom(int step);

 private:
  explicit DrawingHistory(Document& document);

  std::function<DrawingPtr()> source_;
  std::vector<DrawingPtr> steps_;
};

}  // namespace weft::app
