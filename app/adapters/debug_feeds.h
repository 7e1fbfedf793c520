// What a run in the debugger is fed, as people choose it.
#pragma once

#include <QString>
#include <QStringList>
#include <QVector>

#include "adapters/graph_contents.h"

namespace weft::app {

/// A placeholder that a run needs.
struct FeedSlot {
  QString tensor;        ///< "x:0"
  QString dtype;         ///< "float32"
  QString shape;         ///< "[?,64]"; "?" if not even the rank is known
  QString example;       ///< a shape without unknown dims, "[1,64]"; empty: not known
  QString data;          ///< what a data binding of the document feeds it from, "digits: images"; empty: nothing
  bool isNumber = true;  ///< else text or the like: only values and files
};

/// The placeholders that `fetches` and `targets` are computed from; both empty: of everything that a run without wishes computes.
QVector<FeedSlot> feedSlots(const GraphContents& contents, const QStringList& fetches, const QStringList& targets);

/// Whether a feed "x:0=WORD" can be understood: an error in one line, or empty. Data sets and files are not read, only looked for.
QString checkFeed(const GraphContents& contents, const QString& feed);

}  // namespace weft::app
