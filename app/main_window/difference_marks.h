#pragma once

#include <QObject>
#include <QString>

#include "adapters/graph_difference.h"

namespace weft::app {

class DebugController;
class Document;

/// Marks the result of a comparison with another graph on a document's canvas: nodes that only this graph has, that differ, or that have another name there
/// (if matched by structure) get a background colour.
/// The marks disappear when the graph changes, when it is debugged (which uses the same marks), or when they are removed. GUI thread.
class DifferenceMarks : public QObject {
  Q_OBJECT

 public:
  /// A child of the document.
  DifferenceMarks(Document* document, const DebugController& debugger);
  /// Null: its page does not exist yet.
  static DifferenceMarks* of(const Document* document);

  /// `difference`: from the document to the other graph. `other`: the other graph's name.
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
