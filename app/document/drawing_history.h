#pragma once

#include <QObject>
#include <functional>
#include <vector>

#include "adapters/canvas_drawing.h"

namespace weft::app {

class Document;

/// The drawing of a document at each step of its history, so that undo and redo restore it exactly. A child of the document. GUI thread.
class DrawingHistory : public QObject {
 public:
  static DrawingHistory& of(Document& document);

  /// Sets the function with which the view reports the present drawing.
  void setSource(std::function<DrawingPtr()> source) { source_ = std::move(source); }
  /// The present drawing; null: no view, or the layout is in progress.
  DrawingPtr now() const { return source_ ? source_() : nullptr; }
  /// Stores the present drawing for that step; returns it.
  DrawingPtr note(int step);
  /// The drawing stored for a step; null: none.
  DrawingPtr at(int step) const { return step >= 0 && size_t(step) < steps_.size() ? steps_[size_t(step)] : nullptr; }
  /// Discards the steps from this one on, because another edit replaced them.
  void forgetFrom(int step);

 private:
  explicit DrawingHistory(Document& document);

  std::function<DrawingPtr()> source_;
  std::vector<DrawingPtr> steps_;
};

}  // namespace weft::app
