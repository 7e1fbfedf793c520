#pragma once

#include <QString>
#include <QStringList>
#include <QVector>

namespace weft::app {

/// The line-by-line difference of two texts.
struct LineDifference {
  int onlyThere = 0, onlyHere = 0;  ///< Numbers of lines.
  QVector<int> changedLines;        ///< Lines of `here`, from 1 on, that `there` lacks.
  QStringList listing;              ///< "- 3: text" for a line only there, "+ 4: text" for one only here, in order.

  bool isEmpty() const { return onlyThere == 0 && onlyHere == 0; }
};

/// Uses the longest common subsequence of lines. Differing parts of more than some thousand lines each are reported as entirely different, so that it takes
/// only milliseconds.
LineDifference lineDifference(const QString& there, const QString& here);

}  // namespace weft::app
