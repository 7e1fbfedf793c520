#pragma once

#include <QString>
#include <QStringList>
#include <QVector>

namespace weft::app {

/// How a text differs from another one, line by line.
struct LineDifference {
  int onlyThere = 0, onlyHere = 0;  ///< Lines.
  QVector<int> changedLines;        ///< Of the text here, from 1: lines that the other one has not.
  QStringList listing;              ///< "- 3: text" for a line only there, "+ 4: text" for one only here, in order.

  bool isEmpty() const { return onlyThere == 0 && onlyHere == 0; }
};

/// The longest common subsequence of lines is what they share. Texts whose differing parts are longer than some thousand lines each are taken as
/// different in all of that part, so that it takes no more than some milliseconds.
LineDifference lineDifference(const QString& there, const QString& here);

}  // namespace weft::app
