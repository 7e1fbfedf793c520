// What the user feeds to a debugged run.
#pragma once

#include <QString>
#include <QStringList>
#include <QVector>

#include "adapters/graph_contents.h"

namespace weft::app {

/// A placeholder that a run needs fed.
struct FeedSlot {
  QString tensor;        ///< "x:0"
  QString dtype;         ///< "float32"
  QString shape;         ///< "[?,64]"; "?" if not even the rank is known
  QString example;       ///< a shape without unknown dims, "[1,64]"; empty: not known
  QString data;          ///< the data binding that feeds it, "digits: images"; empty: none
  bool isNumber = true;  ///< else text or the like, which takes only values and files
};

/// The placeholders that `fetches` and `targets` depend on; both empty: those of everything that a run without explicit fetches computes.
QVector<FeedSlot> feedSlots(const GraphContents& contents, const QStringList& fetches, const QStringList& targets);

/// Checks a feed "x:0=WORD". Returns an error in one line, or empty. Data sets and files are only looked up, not read.
QString checkFeed(const GraphContents& contents, const QString& feed);

}  // namespace weft::app
