#pragma once

#include <QObject>
#include <QString>

#include "adapters/graph_difference.h"

namespace weft::app {

class DebugController;
class Document;

/// What a comparison with another graph found, on the canvas of a document: nodes that only this graph has, and nodes that differ, have a ground of their
/// own. The marks go when the graph changes, when it is debugged (whose marks those are then), or when they are taken away. GUI thread.
class DifferenceMarks : public QObject {
  Q_OBJECT

 public:
  /// A child of the document.
  DifferenceMarks(Document* document, const DebugController& debugger);
  /// Null: its page is not made yet.
  static DifferenceMarks* of(const Document* document);

  /// `difference`: from the document to the other graph. `other`: what that is called.
  void show(const GraphDifference& difference, const QString& other);
  void clear();
  bool isShown() const { return !other_.isEmpty(); }
  const GraphDifference& difference() const { return difference_; }
  const QString& other() const { return other_; }

 signals:
  void changed();

 private:
  void tint(bool on);
  void forget();

  Document* document_;
  GraphDifference difference_;
  QString other_;
};

}  // namespace weft::app
